//! What moves never change: sums modulo small numbers, alone or linked with each other.
//!
//! Each coordinate of a state has a *class*, a number modulo the coordinate's *period*: the parity of an
//! arrangement of distinct pieces, the sum of the twists of a track. A move adds a constant to every
//! class. So the classes of what can be reached from a root form a coset of the subgroup *B* that the
//! constants generate, in the product of the cyclic groups. (Parity means nothing where two pieces are
//! identical, and of a sum of twists only the part means something that all of the pieces show.)
//!
//! B is kept in echelon form: for each coordinate a row that is 0 before it and has the *step* of the
//! coordinate there. Given the classes of all coordinates before it, the class of a coordinate is then
//! known modulo its step.

use super::frame::gcd;

/// The laws of a puzzle.
#[derive(Clone, Debug)]
pub(super) struct Laws {
    coordinates: Vec<Law>,
    /// The classes of a root.
    root: Vec<u32>,
    /// Whether the class of a coordinate ever depends on those before it.
    pub linked: bool,
}

#[derive(Clone, Debug)]
struct Law {
    period: u32,
    step: u32,
    /// A member of B that is 0 before this coordinate and `step` at it.
    row: Vec<u32>,
}

/// Classes of some coordinates, and what follows for the others.
#[derive(Clone, Debug)]
pub(super) struct LawSums {
    /// What the rows that were used add up to.
    sum: [u32; Laws::MOST],
}

impl Laws {
    /// The most coordinates.
    pub const MOST: usize = 64;

    /// The laws for coordinates with these periods under moves that add `constants`.
    pub fn new(periods: &[u32], constants: &[Vec<u32>], root: Vec<u32>) -> Laws {
        let mut rows: Vec<Vec<u32>> = constants.to_vec();
        let mut coordinates = Vec::with_capacity(periods.len());
        for (at, &period) in periods.iter().enumerate() {
            let mut pivot = vec![0; periods.len()];
            // Euclid's algorithm on whole rows, and on the period itself.
            for row in &mut rows {
                while row[at] != 0 {
                    if pivot[at] == 0 {
                        std::mem::swap(&mut pivot, row);
                        continue;
                    }
                    let times = pivot[at] / row[at];
                    subtract(&mut pivot, row, times, periods);
                    std::mem::swap(&mut pivot, row);
                }
            }
            let step = gcd(pivot[at] as usize, period as usize) as u32;
            // A multiple of the row has the step there; what is left of the row has 0 there.
            let times = (0..period).find(|times| pivot[at] * times % period == step % period).unwrap_or(0);
            let scaled: Vec<u32> =
                pivot.iter().zip(periods).map(|(&class, &period)| class * times % period).collect();
            let mut rest = pivot;
            let times = rest[at] / step;
            subtract(&mut rest, &scaled, times, periods);
            rows.push(rest);
            // What closes the coordinate's circle may still move the later ones.
            let mut circle = vec![0; periods.len()];
            for ((circle, &class), &period) in circle.iter_mut().zip(&scaled).zip(periods) {
                *circle = class * (periods[at] / step) % period;
            }
            rows.push(circle);
            rows.retain(|row| row.iter().any(|&class| class != 0));
            rows.sort_unstable();
            rows.dedup();
            coordinates.push(Law { period, step, row: scaled });
        }
        let links = |(at, law): (usize, &Law)| {
            let mut later = law.row.iter().zip(&coordinates).skip(at + 1);
            later.any(|(&class, later)| class % later.step != 0)
        };
        let linked = coordinates.iter().enumerate().any(links);
        Laws { coordinates, root, linked }
    }

    /// What the class of a coordinate is known modulo.
    pub fn step(&self, coordinate: usize) -> u32 {
        self.coordinates[coordinate].step
    }

    /// How many choices of classes there are that obey the laws.
    pub fn free(&self) -> u128 {
        self.coordinates.iter().map(|law| u128::from(law.period / law.step)).product()
    }

    /// Nothing known yet.
    pub fn begin(&self) -> LawSums {
        LawSums { sum: [0; Laws::MOST] }
    }

    /// The class of a coordinate modulo its step, after all before it.
    #[inline(always)]
    pub fn residue(&self, follow: &LawSums, coordinate: usize) -> u32 {
        (self.root[coordinate] + follow.sum[coordinate]) % self.coordinates[coordinate].step
    }

    /// Takes note of a coordinate's class, which must obey the laws.
    pub fn note(&self, follow: &mut LawSums, coordinate: usize, class: u32) {
        let law = &self.coordinates[coordinate];
        let known = (self.root[coordinate] + follow.sum[coordinate]) % law.period;
        let times = (class + law.period - known) % law.period / law.step;
        for ((sum, &row), other) in follow.sum.iter_mut().zip(&law.row).zip(&self.coordinates) {
            *sum = (*sum + times * row) % other.period;
        }
    }

    /// Whether classes obey the laws.
    pub fn allow(&self, classes: &[u32]) -> bool {
        let mut follow = self.begin();
        classes.iter().enumerate().all(|(at, &class)| {
            let fits = class % self.step(at) == self.residue(&follow, at);
            self.note(&mut follow, at, class);
            fits
        })
    }
}

fn subtract(from: &mut [u32], row: &[u32], times: u32, periods: &[u32]) {
    for ((from, &class), &period) in from.iter_mut().zip(row).zip(periods) {
        *from = (*from + period - times % period * class % period) % period;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    proptest! {
        #[test]
        fn the_laws_allow_exactly_the_coset(
            (periods, constants, root) in prop::collection::vec(1u32..7, 1..5).prop_flat_map(|periods| {
                let classes: Vec<_> = periods.iter().map(|&period| 0..period).collect();
                let constants = prop::collection::vec(classes.clone(), 0..4);
                (Just(periods), constants, classes)
            })
        ) {
            let laws = Laws::new(&periods, &constants, root.clone());
            let mut coset = HashSet::from([root.clone()]);
            let mut open = vec![root];
            while let Some(classes) = open.pop() {
                for constant in &constants {
                    let next: Vec<u32> = classes.iter().zip(constant).zip(&periods)
                        .map(|((&class, &add), &period)| (class + add) % period).collect();
                    if coset.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            prop_assert_eq!(laws.free(), coset.len() as u128);
            if !laws.linked {
                // What is known of a class needs no other.
                for (at, class) in coset.iter().flat_map(|classes| classes.iter().enumerate()) {
                    prop_assert_eq!(class % laws.step(at), laws.residue(&laws.begin(), at));
                }
            }
            let total: u32 = periods.iter().product();
            for number in 0..total {
                let mut rest = number;
                let classes: Vec<u32> = periods.iter().map(|&period| {
                    let class = rest % period;
                    rest /= period;
                    class
                }).collect();
                prop_assert_eq!(laws.allow(&classes), coset.contains(&classes));
            }
        }
    }
}

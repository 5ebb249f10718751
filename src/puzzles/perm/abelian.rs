//! Finite abelian groups, given by generators and relations, as products of cyclic groups.

/// Relations among some generators, reduced as they come.
pub(super) struct Relations {
    /// By generator: a relation that begins with it.
    rows: Vec<Option<Vec<i64>>>,
}

/// A homomorphism from words in the generators to a product of cyclic groups.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    /// The orders of the cyclic groups; none is 1.
    pub periods: Vec<u32>,
    /// By generator: its image.
    images: Vec<Vec<i64>>,
}

impl Relations {
    /// No relations among this many generators.
    pub fn none(generators: usize) -> Relations {
        Relations { rows: vec![None; generators] }
    }

    /// Adds a relation: how often each generator occurs in a word that is nothing. `None` where numbers
    /// become too large.
    pub fn add(&mut self, mut row: Vec<i64>) -> Option<()> {
        for at in 0..row.len() {
            if row[at] == 0 {
                continue;
            }
            let Some(pivot) = &mut self.rows[at] else {
                self.rows[at] = Some(row);
                return Some(());
            };
            // Euclid's algorithm on whole rows leaves the greatest common divisor in the pivot.
            while row[at] != 0 {
                let times = pivot[at] / row[at];
                subtract(pivot, &row, times)?;
                std::mem::swap(pivot, &mut row);
            }
        }
        Some(())
    }

    /// The group; `None` if it is infinite, or if numbers become too large.
    pub fn quotient(self) -> Option<Quotient> {
        let width = self.rows.len();
        let mut rows: Vec<Vec<i64>> = self.rows.into_iter().flatten().collect();
        // Both are changed together, so that words times the images are what the rows are about.
        let mut images: Vec<Vec<i64>> =
            (0..width).map(|at| (0..width).map(|other| i64::from(at == other)).collect()).collect();
        for at in 0..width {
            loop {
                let entries = (at..rows.len()).flat_map(|row| (at..width).map(move |column| (row, column)));
                let (row, column) = entries
                    .filter(|&(row, column)| rows[row][column] != 0)
                    .min_by_key(|&(row, column)| rows[row][column].unsigned_abs())?;
                rows.swap(at, row);
                for line in rows.iter_mut().chain(&mut images) {
                    line.swap(at, column);
                }
                let pivot = rows[at].clone();
                for row in rows.iter_mut().skip(at + 1) {
                    let times = row[at] / pivot[at];
                    subtract(row, &pivot, times)?;
                }
                for column in at + 1..width {
                    let times = rows[at][column] / pivot[at];
                    for line in rows.iter_mut().chain(&mut images) {
                        line[column] = line[column].checked_sub(line[at].checked_mul(times)?)?;
                    }
                }
                let below = rows.iter().skip(at + 1).any(|row| row[at] != 0);
                if !below && rows[at].iter().skip(at + 1).all(|&entry| entry == 0) {
                    break;
                }
            }
        }
        let periods: Vec<i64> = (0..width).map(|at| rows[at][at].abs()).collect();
        let kept: Vec<usize> = (0..width).filter(|&at| periods[at] > 1).collect();
        let image = |line: &Vec<i64>| kept.iter().map(|&at| line[at].rem_euclid(periods[at])).collect();
        Some(Quotient {
            images: images.iter().map(image).collect(),
            periods: kept.iter().map(|&at| u32::try_from(periods[at]).ok()).collect::<Option<_>>()?,
        })
    }
}

impl Quotient {
    /// The image of a word: how often each generator occurs in it.
    pub fn image(&self, word: &[i32]) -> Vec<u32> {
        let class = |(at, &period): (usize, &u32)| {
            let period = i64::from(period);
            let sum = word.iter().zip(&self.images).fold(0, |sum, (&times, image)| {
                (sum + i64::from(times).rem_euclid(period) * image[at]) % period
            });
            sum as u32
        };
        self.periods.iter().enumerate().map(class).collect()
    }

    /// How many elements it has.
    pub fn order(&self) -> u128 {
        self.periods.iter().map(|&period| u128::from(period)).product()
    }
}

fn subtract(from: &mut [i64], row: &[i64], times: i64) -> Option<()> {
    for (from, &entry) in from.iter_mut().zip(row) {
        *from = from.checked_sub(entry.checked_mul(times)?)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Relations become nothing, and there are as many images as the determinant says.
        #[test]
        fn words_have_the_images_that_relations_allow(
            rows in prop::collection::vec(prop::collection::vec(-3i32..4, 3), 0..5)
        ) {
            let mut relations = Relations::none(3);
            // Every generator has a finite order.
            let closing = (0..3).map(|at| (0..3).map(|other| if at == other { 12 } else { 0 }).collect());
            let all: Vec<Vec<i32>> = rows.into_iter().chain(closing).collect();
            for row in &all {
                relations.add(row.iter().map(|&entry| entry.into()).collect()).unwrap();
            }
            let quotient = relations.quotient().unwrap();
            for row in &all {
                prop_assert!(quotient.image(row).iter().all(|&class| class == 0));
            }
            // A plain count: the words modulo 12 that relations make of nothing.
            let mut nothing = std::collections::HashSet::from([[0i32; 3]]);
            let mut open = vec![[0; 3]];
            while let Some(word) = open.pop() {
                for row in &all {
                    let next = std::array::from_fn(|at| (word[at] + row[at]).rem_euclid(12));
                    if nothing.insert(next) {
                        open.push(next);
                    }
                }
            }
            prop_assert_eq!(quotient.order(), (12 * 12 * 12 / nothing.len()) as u128);
            let mut images = std::collections::HashSet::new();
            for word in 0..12 * 12 * 12 {
                images.insert(quotient.image(&[word % 12, word / 12 % 12, word / 144]));
            }
            prop_assert_eq!(images.len() as u128, quotient.order());
        }
    }
}

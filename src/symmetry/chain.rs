//! The order of a permutation group by a chain of stabilisers (Schreier-Sims).
//!
//! Level k of the chain is the subgroup that fixes the base points of all levels before it. It
//! holds generators of that subgroup, the orbit of its own base point, and for each point of the
//! orbit an element that sends the base point there. An element is *sifted* by undoing, level by
//! level, what it does to the base points; it is in the group if that works on all levels and
//! nothing is left. By Schreier's lemma the next level is complete if every product *way to a
//! point, generator, way back from its image* sifts. So each product that does not becomes a
//! generator of the next level, until all of them sift.
//!
//! This is the variant of D. E. Knuth, "Efficient representation of perm groups", Combinatorica 11
//! (1991). A generator is added only if it enlarges the group, so a level has at most 128 of them
//! while the order fits in 128 bits.

mod colours;

use super::Permutation;

/// A permutation group of any size, as a chain of stabilisers.
#[derive(Clone, Debug)]
pub struct StabiliserChain {
    levels: Vec<Level>,
    order: u128,
}

#[derive(Clone, Debug)]
struct Level {
    base: usize,
    generators: Vec<Permutation>,
    /// For each point of the orbit, an element that sends it to the base point.
    back: Vec<Option<Permutation>>,
}

impl StabiliserChain {
    /// The group that these permutations generate; `None` if they differ in length, or if its
    /// order exceeds 128 bits.
    ///
    /// ```
    /// use godnum::symmetry::{Permutation, StabiliserChain};
    ///
    /// let swap = Permutation::new(&[1, 0, 2, 3, 4, 5]).unwrap();
    /// let turn = Permutation::new(&[1, 2, 3, 4, 5, 0]).unwrap();
    /// let chain = StabiliserChain::new(&[swap, turn]).unwrap();
    /// assert_eq!(chain.order(), 720);
    /// ```
    pub fn new(generators: &[Permutation]) -> Option<StabiliserChain> {
        let mut chain = StabiliserChain { levels: Vec::new(), order: 1 };
        for generator in generators {
            if generator.images().len() != generators[0].images().len() {
                return None;
            }
            chain.insert(generator)?;
        }
        Some(chain)
    }

    /// The number of elements.
    pub fn order(&self) -> u128 {
        self.order
    }

    /// Whether the group contains a permutation.
    pub fn contains(&self, permutation: &Permutation) -> bool {
        let length = self.levels.first().map(|level| level.back.len());
        match length {
            Some(length) if length != permutation.images().len() => false,
            _ => self.sift(0, permutation.clone()).is_none(),
        }
    }

    /// An element of the group, made of one choice for each level among as many as `choose` is told; each
    /// element is made by one series of choices. `None` for the group of a single element, whose length
    /// is not known.
    pub fn element(&self, mut choose: impl FnMut(usize) -> usize) -> Option<Permutation> {
        let chosen = self.levels.iter().filter_map(|level| {
            let choice = choose(level.orbit().count());
            level.orbit().nth(choice).map(Permutation::inverse)
        });
        // What fixes the first base points is done first.
        chosen.collect::<Vec<_>>().into_iter().rev().reduce(|before, next| before.then(&next))
    }

    /// What remains of an element of a level; `None` if the level contains it.
    fn sift(&self, level: usize, mut element: Permutation) -> Option<Permutation> {
        for level in &self.levels[level..] {
            match &level.back[element.image(level.base)] {
                Some(back) => element = element.then(back),
                None => return Some(element),
            }
        }
        (!element.is_identity()).then_some(element)
    }

    /// Enlarges the group by a generator; `None` if its order then exceeds 128 bits.
    fn insert(&mut self, generator: &Permutation) -> Option<()> {
        let mut pending = vec![(0, generator.clone())];
        while let Some((number, element)) = pending.pop() {
            let Some(rest) = self.sift(number, element) else {
                continue;
            };
            if number == self.levels.len() {
                self.levels.push(Level::new(&rest)?);
            }
            let schreier = self.levels[number].close(rest);
            pending.extend(schreier.into_iter().map(|element| (number + 1, element)));
            // What was found so far is a lower bound of the order.
            let mut orbits = self.levels.iter().map(|level| level.orbit().count() as u128);
            self.order = orbits.try_fold(1u128, |order, size| order.checked_mul(size))?;
        }
        Some(())
    }
}

impl Level {
    /// A level whose base point is moved by an element; `None` for the identity.
    fn new(element: &Permutation) -> Option<Level> {
        let mut moved = (0..).zip(element.images());
        let (base, _) = moved.find(|&(number, &image)| number != usize::from(image))?;
        let length = element.images().len();
        let mut back = vec![None; length];
        back[base] = Some(Permutation::identity(length));
        Some(Level { base, generators: Vec::new(), back })
    }

    /// The elements that send the points of the orbit to the base point.
    fn orbit(&self) -> impl Iterator<Item = &Permutation> {
        self.back.iter().flatten()
    }

    /// Adds a generator and what it adds to the orbit; the new products that fix the base point.
    fn close(&mut self, generator: Permutation) -> Vec<Permutation> {
        let ways = self.orbit().map(|back| back.inverse().then(&generator));
        let mut ways: Vec<Permutation> = ways.collect();
        self.generators.push(generator);
        let mut schreier = Vec::new();
        while let Some(way) = ways.pop() {
            match &mut self.back[way.image(self.base)] {
                Some(back) => schreier.push(way.then(back)),
                unknown => {
                    *unknown = Some(way.inverse());
                    ways.extend(self.generators.iter().map(|generator| way.then(generator)));
                }
            }
        }
        schreier.retain(|element| !element.is_identity());
        schreier
    }
}

#[cfg(test)]
mod tests;

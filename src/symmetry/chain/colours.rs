//! How many elements of a group keep a colouring of the points, by a search through the chain.
//!
//! The elements that keep the colours form a subgroup S. Its order is the product, over the levels of the chain, of
//! the number of points that members of S that fix the base points before send the level's base point to. From
//! the last level to the first, these points are found one by one: for a point of the right colour, a member of S that
//! sends the base point there is looked for level by level. A point that such members take to one that was
//! tried needs no search of its own: either both can be reached, or none. (J. Leon, "Permutation group
//! algorithms based on partitions", J. Symb. Comp. 12, 1991, has what makes such searches fast in general; here a
//! limit is enough.)

use super::{Permutation, StabiliserChain};

/// The most images of base points that a search may try.
const MOST_TRIED: usize = 1 << 17;

/// A search for elements that take one colouring to another.
struct RecolouringSearch<'c> {
    chain: &'c StabiliserChain,
    from: &'c [u32],
    to: &'c [u32],
    left: usize,
}

impl StabiliserChain {
    /// How many elements keep a colouring of the points; `None` if that takes too long to find out, or if the
    /// colours are not as many as the points.
    ///
    /// ```
    /// use godnum::symmetry::{Permutation, StabiliserChain};
    ///
    /// let swap = Permutation::new(&[1, 0, 2, 3, 4]).unwrap();
    /// let turn = Permutation::new(&[1, 2, 3, 4, 0]).unwrap();
    /// let chain = StabiliserChain::new(&[swap, turn]).unwrap();
    /// // Two red points and three blue ones.
    /// assert_eq!(chain.keeping(&[0, 0, 1, 1, 1]), Some(2 * 6));
    /// ```
    pub fn keeping(&self, colours: &[u32]) -> Option<u128> {
        self.check(colours)?;
        let mut search = RecolouringSearch { chain: self, from: colours, to: colours, left: MOST_TRIED };
        let mut found: Vec<Permutation> = Vec::new();
        let mut order = 1u128;
        for (number, level) in self.levels.iter().enumerate().rev() {
            // Points that members take to each other have the same root.
            let mut roots: Vec<usize> = (0..colours.len()).collect();
            found.iter().for_each(|element| join(&mut roots, element));
            let mut failed: Vec<usize> = Vec::new();
            for (point, back) in level.back.iter().enumerate() {
                let Some(back) = back else { continue };
                let root = root(&mut roots, point);
                let base = self::root(&mut roots, level.base);
                let is_known =
                    root == base || failed.iter().any(|&other| self::root(&mut roots, other) == root);
                if colours[point] != colours[level.base] || is_known {
                    continue;
                }
                match search.complete(number + 1, back.inverse())? {
                    Some(element) => {
                        join(&mut roots, &element);
                        found.push(element);
                    }
                    None => failed.push(point),
                }
            }
            let base = root(&mut roots, level.base);
            let reached = (0..colours.len()).filter(|&point| root(&mut roots, point) == base).count();
            order = order.checked_mul(reached as u128)?;
        }
        Some(order)
    }

    /// Whether an element takes a colouring to another one, that is, every point to one that has the same colour
    /// there; `None` as for [`keeping`](StabiliserChain::keeping).
    pub fn recolours(&self, from: &[u32], to: &[u32]) -> Option<bool> {
        self.check(from)?;
        self.check(to)?;
        let mut search = RecolouringSearch { chain: self, from, to, left: MOST_TRIED };
        Some(search.complete(0, Permutation::identity(from.len()))?.is_some())
    }

    fn check(&self, colours: &[u32]) -> Option<()> {
        self.levels.iter().all(|level| level.back.len() == colours.len()).then_some(())
    }
}

impl RecolouringSearch<'_> {
    /// An element that takes the colours along, and is what is done so far after something that fixes the base points
    /// of the levels before `number`. The outer `None`: too much was tried.
    fn complete(&mut self, number: usize, done: Permutation) -> Option<Option<Permutation>> {
        let Some(level) = self.chain.levels.get(number) else {
            let keeps = |point: usize| self.from[point] == self.to[done.image(point)];
            return Some((0..self.from.len()).all(keeps).then_some(done));
        };
        for (point, back) in level.back.iter().enumerate() {
            let Some(back) = back else { continue };
            if self.from[level.base] != self.to[done.image(point)] {
                continue;
            }
            self.left = self.left.checked_sub(1)?;
            if let Some(found) = self.complete(number + 1, back.inverse().then(&done))? {
                return Some(Some(found));
            }
        }
        Some(None)
    }
}

fn root(roots: &mut [usize], mut point: usize) -> usize {
    while roots[point] != point {
        roots[point] = roots[roots[point]];
        point = roots[point];
    }
    point
}

/// Joins every point with its image.
fn join(roots: &mut [usize], element: &Permutation) {
    for point in 0..roots.len() {
        let (a, b) = (root(roots, point), root(roots, element.image(point)));
        roots[a.max(b)] = a.min(b);
    }
}

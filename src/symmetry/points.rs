//! Points with orientations, and permutations of (point, orientation) pairs.

/// Points, each with a number of orientations.
///
/// The pairs (point, orientation) are numbered from 0, point by point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Points {
    /// The first pair of each point, and at the end the number of pairs.
    first: Box<[u16]>,
    /// The point of each pair.
    owner: Box<[u16]>,
}

impl Points {
    /// Points with these numbers of orientations; `None` if one has none, or if there are more
    /// than 65,535 pairs.
    pub fn new(orientations: impl IntoIterator<Item = usize>) -> Option<Points> {
        let mut first = vec![0];
        let mut owner = Vec::new();
        for (point, number) in orientations.into_iter().enumerate() {
            if number == 0 || owner.len() + number > usize::from(u16::MAX) {
                return None;
            }
            owner.extend(std::iter::repeat_n(point as u16, number));
            first.push(owner.len() as u16);
        }
        Some(Points { first: first.into(), owner: owner.into() })
    }

    /// Points with one orientation each, so that pairs and points have the same numbers; `None`
    /// if there are more than 65,535.
    pub fn plain(number: usize) -> Option<Points> {
        Points::new(std::iter::repeat_n(1, number))
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether there are no points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        self.owner.len()
    }

    /// The number of orientations of a point.
    pub fn orientations(&self, point: usize) -> usize {
        usize::from(self.first[point + 1] - self.first[point])
    }

    /// The number of a pair. The orientation is taken modulo those of the point.
    pub fn pair(&self, point: usize, orientation: usize) -> usize {
        usize::from(self.first[point]) + orientation % self.orientations(point)
    }

    /// The point and the orientation of a pair.
    pub fn place(&self, pair: usize) -> (usize, usize) {
        let point = usize::from(self.owner[pair]);
        (point, pair - usize::from(self.first[point]))
    }

    /// The permutation that sends each point, in the order of their numbers, to another one with
    /// a turn, which is added to the orientation; `None` unless each point goes to a different one
    /// with equally many orientations.
    pub fn permutation(&self, images: impl IntoIterator<Item = (usize, usize)>) -> Option<Permutation> {
        let mut pairs = Vec::with_capacity(self.pairs());
        for (point, (image, turn)) in images.into_iter().enumerate() {
            let number = (point.max(image) < self.len()).then(|| self.orientations(point))?;
            if number != self.orientations(image) {
                return None;
            }
            pairs.extend((0..number).map(|orientation| self.pair(image, orientation + turn) as u16));
        }
        Permutation::new(&pairs).filter(|_| pairs.len() == self.pairs())
    }
}

/// A permutation of the numbers below its length.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permutation(Box<[u16]>);

impl Permutation {
    /// The permutation that sends `i` to `images[i]`; `None` unless it is one.
    pub fn new(images: &[u16]) -> Option<Permutation> {
        let mut seen = vec![false; images.len()];
        let is_new = |&image: &u16| {
            let seen = seen.get_mut(usize::from(image));
            seen.is_some_and(|seen| !std::mem::replace(seen, true))
        };
        images.iter().all(is_new).then(|| Permutation(images.into()))
    }

    /// The permutation of at most 65,536 numbers that changes nothing.
    pub fn identity(length: usize) -> Permutation {
        Permutation((0..=u16::MAX).take(length).collect())
    }

    /// The image of each number.
    pub fn images(&self) -> &[u16] {
        &self.0
    }

    /// The image of a number.
    pub fn image(&self, number: usize) -> usize {
        usize::from(self.0[number])
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        (0..).zip(&self.0).all(|(number, &image)| number == image)
    }

    /// The permutation that does `self` first and `next`, which must be as long, after it.
    pub fn then(&self, next: &Permutation) -> Permutation {
        let images = self.0.iter();
        Permutation(images.map(|&image| next.0[usize::from(image)]).collect())
    }

    /// The permutation that undoes this one.
    pub fn inverse(&self) -> Permutation {
        let mut undo = self.0.clone();
        for (number, &image) in (0..).zip(&self.0) {
            undo[usize::from(image)] = number;
        }
        Permutation(undo)
    }
}

#[cfg(test)]
mod tests;

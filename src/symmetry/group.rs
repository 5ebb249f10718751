//! Symmetries of labelled cells, and the groups they form.

use std::collections::HashSet;

/// A permutation of the cells together with a permutation of the colours.
///
/// It turns a labelling `s` into the labelling `image` with `image[cells[i]] = colours[s[i]]`:
/// what lies on cell `i` goes to cell `cells[i]` and changes its colour to `colours[s[i]]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry {
    cells: Box<[u16]>,
    colours: Box<[u8]>,
}

impl Symmetry {
    /// The symmetry that sends cell `i` to `cells[i]` and colour `a` to `colours[a]`; `None`
    /// unless both are permutations.
    pub fn new(cells: &[u16], colours: &[u8]) -> Option<Self> {
        let fits = is_permutation(cells.iter().map(|&cell| cell.into()), cells.len())
            && is_permutation(colours.iter().map(|&colour| colour.into()), colours.len());
        fits.then(|| Symmetry {
            cells: cells.into(),
            colours: colours.into(),
        })
    }

    /// The symmetry that changes nothing, on at most 65,536 cells and 256 colours.
    pub fn identity(cells: usize, colours: usize) -> Self {
        Symmetry {
            cells: (0..=u16::MAX).take(cells).collect(),
            colours: (0..=u8::MAX).take(colours).collect(),
        }
    }

    /// Where each cell goes.
    pub fn cells(&self) -> &[u16] {
        &self.cells
    }

    /// What each colour becomes.
    pub fn colours(&self) -> &[u8] {
        &self.colours
    }

    /// The image of a labelling, which must have this symmetry's cells and colours.
    pub fn image(&self, labelling: &[u8]) -> Vec<u8> {
        let mut image = vec![0; labelling.len()];
        for (&cell, &colour) in self.cells.iter().zip(labelling) {
            image[usize::from(cell)] = self.colours[usize::from(colour)];
        }
        image
    }

    /// The symmetry that does `self` first and `next` after it. Both must have the same cells and
    /// colours.
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        Symmetry {
            cells: self
                .cells
                .iter()
                .map(|&cell| next.cells[usize::from(cell)])
                .collect(),
            colours: self
                .colours
                .iter()
                .map(|&colour| next.colours[usize::from(colour)])
                .collect(),
        }
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        let mut undo = Symmetry::identity(self.cells.len(), self.colours.len());
        for (from, &to) in self.cells.iter().enumerate() {
            undo.cells[usize::from(to)] = from as u16;
        }
        for (from, &to) in self.colours.iter().enumerate() {
            undo.colours[usize::from(to)] = from as u8;
        }
        undo
    }

    fn same_shape(&self, other: &Symmetry) -> bool {
        self.cells.len() == other.cells.len() && self.colours.len() == other.colours.len()
    }
}

fn is_permutation(items: impl Iterator<Item = usize>, length: usize) -> bool {
    let mut seen = vec![false; length];
    items
        .into_iter()
        .all(|item| item < length && !std::mem::replace(&mut seen[item], true))
}

/// All symmetries that some generators make, the identity first, in an order that depends only on
/// the generators and their order.
#[derive(Clone, Debug)]
pub struct Group {
    elements: Vec<Symmetry>,
}

impl Group {
    /// The closure of the generators on this many cells and colours; `None` if a generator has
    /// another shape. All elements are kept in memory: meant for groups of at most some thousands.
    pub fn generate(cells: usize, colours: usize, generators: &[Symmetry]) -> Option<Self> {
        let identity = Symmetry::identity(cells, colours);
        if !generators
            .iter()
            .all(|generator| generator.same_shape(&identity))
        {
            return None;
        }
        let mut known = HashSet::from([identity.clone()]);
        let mut elements = vec![identity];
        // In a finite group products of generators alone reach the inverses too.
        let mut next = 0;
        while next < elements.len() {
            for generator in generators {
                let product = elements[next].then(generator);
                if known.insert(product.clone()) {
                    elements.push(product);
                }
            }
            next += 1;
        }
        Some(Group { elements })
    }

    /// The number of elements.
    pub fn order(&self) -> u64 {
        self.elements.len() as u64
    }

    /// The elements, the identity first.
    pub fn iter(&self) -> std::slice::Iter<'_, Symmetry> {
        self.elements.iter()
    }

    /// The elements that leave a labelling unchanged.
    pub fn stabiliser(&self, labelling: &[u8]) -> Group {
        self.filter(|element| element.image(labelling) == labelling)
    }

    /// The elements that map a set of existing cells to itself.
    pub fn set_stabiliser(&self, cells: &[u16]) -> Group {
        let set: HashSet<u16> = cells.iter().copied().collect();
        self.filter(|element| {
            set.iter().all(|&cell| {
                element
                    .cells
                    .get(usize::from(cell))
                    .is_some_and(|image| set.contains(image))
            })
        })
    }

    /// The action on some cells only, which are renumbered by their place in `cells`; `None` if an
    /// element moves one of them outside, or if they are not distinct cells.
    ///
    /// There is one element for each element of `self`, even where two act alike on these cells.
    pub fn restrict(&self, cells: &[u16]) -> Option<Group> {
        let elements = self.elements.iter().map(|element| {
            let images = cells.iter().map(|&cell| {
                let image = element.cells.get(usize::from(cell))?;
                Some(cells.iter().position(|cell| cell == image)? as u16)
            });
            Symmetry::new(&images.collect::<Option<Vec<_>>>()?, &element.colours)
        });
        Some(Group {
            elements: elements.collect::<Option<_>>()?,
        })
    }

    /// The product with all permutations of equally frequent colours, where colour `i` occurs
    /// `counts[i]` times. Of `self` only what it does to cells is used.
    pub fn with_colours(&self, counts: &[usize]) -> Group {
        let permutations = colour_permutations(counts);
        let pairs = self.elements.iter().flat_map(|element| {
            permutations.iter().map(|colours| Symmetry {
                cells: element.cells.clone(),
                colours: colours.clone(),
            })
        });
        Group {
            elements: pairs.collect(),
        }
    }

    fn filter(&self, keep: impl Fn(&Symmetry) -> bool) -> Group {
        Group {
            elements: self
                .elements
                .iter()
                .filter(|element| keep(element))
                .cloned()
                .collect(),
        }
    }
}

/// The permutations that send every colour to one with the same count, lexicographically.
fn colour_permutations(counts: &[usize]) -> Vec<Box<[u8]>> {
    let mut partial: Vec<Vec<u8>> = vec![vec![]];
    for count in counts {
        partial = partial
            .iter()
            .flat_map(|images| {
                (0..=u8::MAX)
                    .zip(counts)
                    .filter(|(image, other)| *other == count && !images.contains(image))
                    .map(|(image, _)| [images, &[image][..]].concat())
            })
            .collect();
    }
    partial.into_iter().map(Into::into).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rotations and reflections of an n x n board.
    pub fn square(n: u16, colours: usize) -> Group {
        let cells = || (0..n).flat_map(|r| (0..n).map(move |c| (r, c)));
        let identity = Symmetry::identity(0, colours);
        let turn: Vec<u16> = cells().map(|(r, c)| c * n + n - 1 - r).collect();
        let flip: Vec<u16> = cells().map(|(r, c)| r * n + n - 1 - c).collect();
        let generators =
            [turn, flip].map(|cells| Symmetry::new(&cells, identity.colours()).unwrap());
        Group::generate(usize::from(n * n), colours, &generators).unwrap()
    }

    fn symmetry() -> impl Strategy<Value = Symmetry> {
        let cells = Just((0..7).collect::<Vec<u16>>()).prop_shuffle();
        let colours = Just((0..4).collect::<Vec<u8>>()).prop_shuffle();
        (cells, colours).prop_map(|(cells, colours)| Symmetry::new(&cells, &colours).unwrap())
    }

    proptest! {
        #[test]
        fn axioms(a in symmetry(), b in symmetry(), c in symmetry()) {
            let identity = Symmetry::identity(7, 4);
            prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
            prop_assert_eq!(&a.then(&identity), &a);
            prop_assert_eq!(&identity.then(&a), &a);
            prop_assert_eq!(a.then(&a.inverse()), identity.clone());
            prop_assert_eq!(a.inverse().then(&a), identity);
        }

        #[test]
        fn then_acts_in_order(a in symmetry(), b in symmetry(), s in prop::collection::vec(0u8..4, 7)) {
            prop_assert_eq!(a.then(&b).image(&s), b.image(&a.image(&s)));
        }

        #[test]
        fn generated_groups_are_closed(a in symmetry(), b in symmetry()) {
            // Cyclic groups and their products with a second generator can be large; powers of
            // one generator are enough to meet every case of the closure.
            let group = Group::generate(7, 4, &[a]).unwrap();
            let set: HashSet<_> = group.iter().cloned().collect();
            prop_assert_eq!(set.len() as u64, group.order());
            for x in group.iter() {
                prop_assert!(set.contains(&x.inverse()));
                prop_assert!(group.iter().all(|y| set.contains(&x.then(y))));
            }
            prop_assert!(Group::generate(8, 4, &[b]).is_none());
        }

        #[test]
        fn orbit_times_stabiliser_is_the_order(s in prop::collection::vec(0u8..3, 9)) {
            let counts: Vec<_> = (0..3).map(|colour| s.iter().filter(|&&l| l == colour).count()).collect();
            let group = square(3, 3).with_colours(&counts);
            let orbit: HashSet<_> = group.iter().map(|g| g.image(&s)).collect();
            prop_assert_eq!(orbit.len() as u64 * group.stabiliser(&s).order(), group.order());
        }
    }

    #[test]
    fn the_square_has_eight_symmetries() {
        let group = square(4, 2);
        assert_eq!(group.order(), 8);
        assert_eq!(group.iter().next(), Some(&Symmetry::identity(16, 2)));
        assert_eq!(group.set_stabiliser(&[0]).order(), 2);
        assert_eq!(group.set_stabiliser(&[0, 15]).order(), 4);
    }

    #[test]
    fn colours_of_equal_count_permute() {
        let group = square(2, 4);
        for (counts, permutations) in [
            ([1, 1, 1, 1], 24),
            ([2, 2, 1, 1], 4),
            ([3, 2, 2, 2], 6),
            ([1, 2, 3, 4], 1),
        ] {
            let product = group.with_colours(&counts);
            assert_eq!(product.order(), 8 * permutations);
            assert_eq!(product.iter().next(), Some(&Symmetry::identity(4, 4)));
        }
    }

    #[test]
    fn restriction_renumbers() {
        let group = square(3, 1);
        let corners = group.restrict(&[8, 0, 2, 6]).unwrap();
        assert_eq!(corners.order(), 8);
        assert!(corners.iter().all(|g| g.cells().len() == 4));
        assert!(group.restrict(&[0, 1]).is_none());
        assert!(group.restrict(&[4, 4]).is_none());
    }

    #[test]
    fn refuses_what_is_no_permutation() {
        assert!(Symmetry::new(&[0, 0], &[0]).is_none());
        assert!(Symmetry::new(&[0, 2], &[0]).is_none());
        assert!(Symmetry::new(&[0, 1], &[1]).is_none());
    }
}

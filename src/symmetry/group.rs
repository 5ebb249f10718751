//! Symmetries of labelled slots, and the groups they form.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Permutation, Points};

/// The slots and the kinds of pieces that symmetries permute, each with its orientations.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action(Arc<(Points, Points)>);

impl Action {
    /// The action on these slots and pieces; `None` if there are more than 256 (piece,
    /// orientation) pairs, which labellings could not tell apart.
    pub fn new(slots: Points, pieces: Points) -> Option<Action> {
        (pieces.pairs() <= 256).then(|| Action(Arc::new((slots, pieces))))
    }

    /// The slots.
    pub fn slots(&self) -> &Points {
        &self.0.0
    }

    /// The kinds of pieces.
    pub fn pieces(&self) -> &Points {
        &self.0.1
    }

    /// The symmetry that changes nothing.
    pub fn identity(&self) -> Symmetry {
        Symmetry {
            slots: Permutation::identity(self.slots().pairs()),
            pieces: Permutation::identity(self.pieces().pairs()),
            action: self.clone(),
        }
    }

    /// The symmetry that sends each slot, and each piece, to another one with a turn; `None` if
    /// [`Points::permutation`] refuses either.
    pub fn symmetry(
        &self,
        slots: impl IntoIterator<Item = (usize, usize)>,
        pieces: impl IntoIterator<Item = (usize, usize)>,
    ) -> Option<Symmetry> {
        Some(Symmetry {
            slots: self.slots().permutation(slots)?,
            pieces: self.pieces().permutation(pieces)?,
            action: self.clone(),
        })
    }

    /// The symmetry that sends each slot to another one with a turn and relabels nothing.
    pub fn moving(&self, slots: impl IntoIterator<Item = (usize, usize)>) -> Option<Symmetry> {
        self.symmetry(slots, (0..self.pieces().len()).map(|piece| (piece, 0)))
    }

    /// The symmetry that moves slots as `motion` does and relabels pieces so that one labelling
    /// becomes another; `None` if it does not exist. Pieces that do not occur are not relabelled.
    pub fn between(&self, motion: &Symmetry, from: &[u8], to: &[u8]) -> Option<Symmetry> {
        let pieces = self.pieces();
        let mut images: Vec<_> = (0..pieces.len()).map(|piece| (piece, 0)).collect();
        for (&label, &image) in motion.image(from).iter().zip(to) {
            let (piece, orientation) = pieces.place(label.into());
            let (image, turned) = pieces.place(image.into());
            // Where this wraps round, the image has other orientations, and is refused.
            images[piece] = (image, turned + pieces.orientations(piece) - orientation);
        }
        let relabelling = Symmetry {
            slots: Permutation::identity(self.slots().pairs()),
            pieces: pieces.permutation(images)?,
            action: self.clone(),
        };
        let symmetry = motion.then(&relabelling);
        // Identical pieces may contradict each other.
        (symmetry.image(from) == to).then_some(symmetry)
    }
}

/// A permutation of slots together with a relabelling of pieces, both with turns.
///
/// What lies in slot `i` goes to the slot that [`slot`](Symmetry::slot) names, becomes the piece
/// that [`piece`](Symmetry::piece) names, and its orientation grows by both turns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Symmetry {
    action: Action,
    slots: Permutation,
    pieces: Permutation,
}

impl Symmetry {
    /// What it acts on.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The slot that a slot is sent to, and the turn.
    pub fn slot(&self, slot: usize) -> (usize, usize) {
        let slots = self.action.slots();
        slots.place(self.slots.image(slots.pair(slot, 0)))
    }

    /// The piece that a piece becomes, and the turn.
    pub fn piece(&self, piece: usize) -> (usize, usize) {
        let pieces = self.action.pieces();
        pieces.place(self.pieces.image(pieces.pair(piece, 0)))
    }

    /// The image of a labelling.
    pub fn image(&self, labelling: &[u8]) -> Vec<u8> {
        let mut image = vec![0; labelling.len()];
        self.image_into(labelling, &mut image);
        image
    }

    fn image_into(&self, labelling: &[u8], image: &mut [u8]) {
        let pieces = self.action.pieces();
        for (slot, &label) in labelling.iter().enumerate() {
            let (to, turn) = self.slot(slot);
            let mut label = self.pieces.image(label.into());
            if turn > 0 {
                let (piece, orientation) = pieces.place(label);
                label = pieces.pair(piece, orientation + turn);
            }
            image[to] = label as u8;
        }
    }

    /// Whether it changes nothing.
    pub fn is_identity(&self) -> bool {
        self.slots.is_identity() && self.pieces.is_identity()
    }

    /// Whether it maps a set of labellings to itself.
    pub fn keeps(&self, set: &HashSet<Vec<u8>>) -> bool {
        set.iter().all(|member| set.contains(&self.image(member)))
    }

    /// The symmetry that does `self` first and `next`, which must act on the same, after it.
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        Symmetry {
            action: self.action.clone(),
            slots: self.slots.then(&next.slots),
            pieces: self.pieces.then(&next.pieces),
        }
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        Symmetry { action: self.action.clone(), slots: self.slots.inverse(), pieces: self.pieces.inverse() }
    }
}

/// All symmetries that some generators make, the identity first, in an order that depends only on
/// the generators and their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    action: Action,
    elements: Vec<Symmetry>,
}

impl Group {
    /// The closure of the generators; `None` if one of them acts on something else. All elements
    /// are kept in memory: meant for groups of at most some thousands.
    pub fn generate(action: &Action, generators: &[Symmetry]) -> Option<Self> {
        if generators.iter().any(|generator| generator.action != *action) {
            return None;
        }
        let mut known = HashSet::from([action.identity()]);
        let mut elements = vec![action.identity()];
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
        Some(Group { action: action.clone(), elements })
    }

    /// What it acts on.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// The number of elements.
    pub fn order(&self) -> u64 {
        self.elements.len() as u64
    }

    /// The elements, the identity first.
    pub fn iter(&self) -> std::slice::Iter<'_, Symmetry> {
        self.elements.iter()
    }

    /// The canonical member of a labelling's class, which is its least image, compared slot by
    /// slot from slot 0; and the number of elements that leave the labelling unchanged.
    pub fn canonical(&self, labelling: &[u8]) -> (Vec<u8>, u64) {
        let mut least = labelling.to_vec();
        let mut image = least.clone();
        let mut ways = 0;
        for element in &self.elements {
            element.image_into(labelling, &mut image);
            if image < least {
                std::mem::swap(&mut least, &mut image);
                ways = 1;
            } else if image == least {
                ways += 1;
            }
        }
        (least, ways)
    }

    /// The elements that map a set of labellings to itself.
    pub fn stabiliser(&self, set: &HashSet<Vec<u8>>) -> Group {
        self.filter(|element| element.keeps(set))
    }

    /// The elements that map a set of slots to itself.
    pub fn slot_stabiliser(&self, slots: &[usize]) -> Group {
        self.filter(|element| slots.iter().all(|&slot| slots.contains(&element.slot(slot).0)))
    }

    /// The action on some slots only, which are renumbered by their place in `slots`; `None` if an
    /// element moves one of them outside, or if they are not distinct slots.
    ///
    /// There is one element for each element of `self`, even where two act alike on these slots.
    pub fn restrict(&self, slots: &[usize]) -> Option<Group> {
        let all = self.action.slots();
        if slots.iter().any(|&slot| slot >= all.len()) {
            return None;
        }
        let orientations = slots.iter().map(|&slot| all.orientations(slot));
        let action = Action::new(Points::new(orientations)?, self.action.pieces().clone())?;
        let restricted = |element: &Symmetry| {
            let images = slots.iter().map(|&slot| {
                let (image, turn) = element.slot(slot);
                Some((slots.iter().position(|&slot| slot == image)?, turn))
            });
            Some(Symmetry {
                slots: action.slots().permutation(images.collect::<Option<Vec<_>>>()?)?,
                pieces: element.pieces.clone(),
                action: action.clone(),
            })
        };
        Some(Group { elements: self.iter().map(restricted).collect::<Option<_>>()?, action })
    }

    /// The product with all permutations of equally frequent pieces, where piece `a` occurs
    /// `counts[a]` times and has as many orientations. Of `self` only what it does to slots is
    /// used.
    pub fn with_relabellings(&self, counts: &[usize]) -> Group {
        let relabellings = relabellings(self.action.pieces(), counts);
        let product = |element: &Symmetry| -> Vec<Symmetry> {
            let pairs =
                relabellings.iter().map(|pieces| Symmetry { pieces: pieces.clone(), ..element.clone() });
            pairs.collect()
        };
        Group { elements: self.iter().flat_map(product).collect(), action: self.action.clone() }
    }

    fn filter(&self, keep: impl Fn(&Symmetry) -> bool) -> Group {
        let kept = self.iter().filter(|element| keep(element));
        Group { elements: kept.cloned().collect(), action: self.action.clone() }
    }
}

/// The permutations that send every piece to one with the same count, lexicographically.
fn relabellings(pieces: &Points, counts: &[usize]) -> Vec<Permutation> {
    let mut partial: Vec<Vec<(usize, usize)>> = vec![vec![]];
    for count in counts {
        let with = |images: &Vec<(usize, usize)>| -> Vec<Vec<(usize, usize)>> {
            (0..counts.len())
                .filter(|&image| counts[image] == *count && !images.contains(&(image, 0)))
                .map(|image| [&images[..], &[(image, 0)]].concat())
                .collect()
        };
        partial = partial.iter().flat_map(with).collect();
    }
    let permutations = partial.into_iter();
    permutations.filter_map(|images| pieces.permutation(images)).collect()
}

#[cfg(test)]
pub(super) mod tests;

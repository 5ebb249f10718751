//! Labellings that a group leaves unchanged.

use super::Group;
use crate::random::Random;

/// Choices that are tried before a search is given up.
const TRIES: usize = 2000;

impl Group {
    /// A labelling that every element leaves unchanged, in which piece `a` occurs `counts[a]` times and no
    /// piece has a second orientation; `None` if there is none, or none was found soon. Any that exists can
    /// be found, but not all are equally likely.
    pub fn fixed_labelling(&self, counts: &[usize], random: &mut Random) -> Option<Vec<u8>> {
        let slots: usize = counts.iter().sum();
        let mut search = FixedSearch { group: self, random, left: counts.to_vec(), tries: TRIES };
        let mut labels = vec![None; slots];
        search.fill(&mut labels).then(|| labels.into_iter().flatten().collect())
    }
}

struct FixedSearch<'a> {
    group: &'a Group,
    random: &'a mut Random,
    /// How many of each piece are left.
    left: Vec<usize>,
    tries: usize,
}

impl FixedSearch<'_> {
    /// Fills the slots that are empty; leaves them empty if that is not possible.
    fn fill(&mut self, labels: &mut [Option<u8>]) -> bool {
        let Some(slot) = labels.iter().position(Option::is_none) else { return true };
        let mut pieces: Vec<u8> = (0..self.left.len() as u8).collect();
        self.random.shuffle(&mut pieces);
        for piece in pieces {
            let Some(left) = self.tries.checked_sub(1) else { return false };
            self.tries = left;
            let (kept, before) = (self.left.clone(), labels.to_vec());
            if self.place(labels, slot, piece) && self.fill(labels) {
                return true;
            }
            self.left = kept;
            labels.copy_from_slice(&before);
        }
        false
    }

    /// Puts a piece into a slot, and what symmetries make of it into the others of its orbit.
    fn place(&mut self, labels: &mut [Option<u8>], slot: usize, piece: u8) -> bool {
        for element in self.group.iter() {
            let (to, (image, _)) = (element.slot(slot).0, element.piece(piece.into()));
            match labels[to] {
                Some(label) if usize::from(label) == image => {}
                None if self.left[image] > 0 => {
                    self.left[image] -= 1;
                    labels[to] = Some(image as u8);
                }
                _ => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::{Action, Points};

    #[test]
    fn labellings_are_fixed_and_all_are_found() {
        // Six slots in a ring; two pieces that occur equally often may change places.
        let action = Action::new(Points::plain(6).unwrap(), Points::plain(2).unwrap()).unwrap();
        let turn = action.moving((0..6).map(|slot| ((slot + 1) % 6, 0))).unwrap();
        let all = Group::generate(&action, &[turn]).unwrap().with_relabellings(&[3, 3]);
        let mut random = Random::new(1);
        for element in all.iter() {
            let group = Group::generate(&action, std::slice::from_ref(element)).unwrap();
            let mut found = std::collections::BTreeSet::new();
            for _ in 0..400 {
                found.extend(group.fixed_labelling(&[3, 3], &mut random));
            }
            let is_fixed = |bits: &u32| {
                let labels: Vec<u8> = (0..6).map(|slot| (bits >> slot & 1) as u8).collect();
                bits.count_ones() == 3 && group.iter().all(|element| element.image(&labels) == labels)
            };
            assert_eq!(found.len(), (0..64).filter(is_fixed).count());
            for labels in found {
                assert!(group.iter().all(|element| element.image(&labels) == labels));
            }
        }
    }
}

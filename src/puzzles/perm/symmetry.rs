//! The symmetry group: what leaves the moves and the set of solved states as they are.
//!
//! A symmetry sends slots to slots as an [automorphism](super::automorphisms) of the moves does, and
//! relabels the pieces so that the first solved state becomes a solved one; then all of them must, and
//! what is forbidden and glued together must be so afterwards. For several solved states there are
//! several relabellings. On cells, such a symmetry is a [`Motion`]: slot and piece go elsewhere, and a
//! twist t becomes *factor x t + turn of the slot + turn of the piece*.
//!
//! All members of the group are listed. If there are too many, or too many to look for, some of those that
//! were found generate a subgroup, which is as good but for its size: distances do not depend on it.
//!
//! The exchange of a state with its [inverse](super::inverse) is none of them: it takes moves to moves from the
//! other side, so that a class with it has to be expanded from both of its members.

use std::collections::HashSet;

use super::automorphisms::{Automorphism, AutomorphismSearch, Sense};
use super::frame::{CellFrame, Cells, MOST_CELLS, Motion};
use super::legality::Legality;

/// The most symmetries.
const MOST_SYMMETRIES: usize = 4096;
/// How many cells may be looked at to find out which automorphisms keep the solved states.
const MOST_WORK: usize = 1 << 28;
/// How many generators of a subgroup are tried.
const MOST_GENERATORS: usize = 32;

/// The symmetries that were found.
pub(super) struct SymmetryGroup {
    /// Those that are used, the identity first.
    pub members: Vec<Motion>,
    /// How many keep the direction of all turns, and how many reverse it; nothing where that is not known.
    pub senses: Option<(usize, usize)>,
    /// Whether there are no others.
    pub is_complete: bool,
}

/// The symmetry group of a frame.
pub(super) fn group(frame: &mut CellFrame, legality: &Legality) -> SymmetryGroup {
    let search = AutomorphismSearch::run(frame);
    let (found, mut complete) = (search.found, search.complete);
    let width = frame.cells;
    let roots: HashSet<Vec<u8>> = frame.roots.iter().map(|root| root[..width].to_vec()).collect();
    let identity = identity(frame);
    let mut motions = vec![identity.clone()];
    let mut seen = HashSet::from([identity]);
    let mut work = 0;
    // The identity is found again.
    let (mut kept, mut reversed) = (0, 0);
    'search: for automorphism in &found {
        for target in frame.roots.clone() {
            work += width * 8;
            if work > MOST_WORK || motions.len() > MOST_SYMMETRIES {
                complete = false;
                break 'search;
            }
            let Some(motion) = relabelled(frame, automorphism, &target) else {
                continue;
            };
            let keeps = frame.roots.iter().all(|root| {
                work += width;
                let mut image = [0; MOST_CELLS];
                frame.recodings.moved(&motion, root, &mut image);
                roots.contains(&image[..width])
            });
            if !keeps || !legality.is_kept_by(frame, &motion) {
                continue;
            }
            match automorphism.sense {
                Sense::Kept => kept += 1,
                Sense::Reversed => reversed += 1,
                Sense::Other => {}
            }
            if seen.insert(motion.clone()) {
                motions.push(motion);
            }
        }
    }
    match complete {
        true => {
            let senses = (kept + reversed == motions.len()).then_some((kept, reversed));
            SymmetryGroup { members: motions, senses, is_complete: true }
        }
        false => SymmetryGroup { members: subgroup(frame, &motions), senses: None, is_complete: false },
    }
}

/// The group of the identity.
pub(super) fn trivial(frame: &mut CellFrame) -> SymmetryGroup {
    SymmetryGroup { members: vec![identity(frame)], senses: None, is_complete: true }
}

fn identity(frame: &mut CellFrame) -> Motion {
    let mut steps = Vec::with_capacity(frame.cells);
    for track in &frame.tracks {
        let table = frame.recodings.number(track.twisted(0));
        steps.extend((track.first..track.end()).map(|cell| (cell as u16, table)));
    }
    Motion { steps: steps.into() }
}

/// The symmetry that moves slots like an automorphism and makes the first root `target`; `None` if no
/// relabelling does.
fn relabelled(frame: &mut CellFrame, automorphism: &Automorphism, target: &Cells) -> Option<Motion> {
    let mut steps = vec![(0, 0); frame.cells];
    let root = frame.roots[0];
    for (number, track) in frame.tracks.iter().enumerate() {
        let other = &frame.tracks[automorphism.tracks[number]];
        let factor = usize::from(automorphism.factors[number]);
        // By kind: its image, and the turn that goes with it.
        let mut images: Vec<Option<(usize, usize)>> = vec![None; track.kinds.len()];
        for (&lying, &(image, turn)) in
            root.iter().zip(&automorphism.slots).take(track.end()).skip(track.first)
        {
            let (kind, twist) = track.decode(lying);
            let (wanted, shown) = other.decode(target[image]);
            let modulus = usize::from(other.kinds[wanted].modulus);
            if track.kinds[kind].modulus != other.kinds[wanted].modulus
                || track.kinds[kind].count != other.kinds[wanted].count
            {
                return None;
            }
            let made = factor * usize::from(twist) + usize::from(turn);
            let missing = (usize::from(shown) + modulus - made % modulus) % modulus;
            match images[kind] {
                None => images[kind] = Some((wanted, missing)),
                Some(known) if known == (wanted, missing) => {}
                Some(_) => return None,
            }
        }
        for cell in track.first..track.end() {
            let (image, turn) = automorphism.slots[cell];
            let mut table = std::array::from_fn(|code| code as u8);
            for (kind, to) in track.kinds.iter().zip(&images) {
                let (to, missing) = (*to)?;
                let to = &other.kinds[to];
                for twist in 0..usize::from(kind.modulus) {
                    let turned = factor * twist + usize::from(turn) + missing;
                    table[usize::from(kind.code) + twist] =
                        to.code + (turned % usize::from(to.modulus)) as u8;
                }
            }
            steps[image] = (cell as u16, frame.recodings.number(table));
        }
    }
    Some(Motion { steps: steps.into() })
}

/// The largest group that some of these generate, one after the other, within the limits.
fn subgroup(frame: &mut CellFrame, motions: &[Motion]) -> Vec<Motion> {
    let mut group = motions[..1].to_vec();
    let mut generators: Vec<Motion> = Vec::new();
    for motion in motions.iter().skip(1).take(MOST_GENERATORS) {
        if group.contains(motion) {
            continue;
        }
        generators.push(motion.clone());
        match generated(frame, &motions[0], &generators) {
            Some(larger) => group = larger,
            None => drop(generators.pop()),
        }
    }
    group
}

/// All products of generators; `None` if they are too many.
pub(super) fn generated(
    frame: &mut CellFrame,
    identity: &Motion,
    generators: &[Motion],
) -> Option<Vec<Motion>> {
    let mut members = vec![identity.clone()];
    let mut seen = HashSet::from([identity.clone()]);
    let mut at = 0;
    while let Some(member) = members.get(at).cloned() {
        for generator in generators {
            let product = frame.recodings.then(&member, generator);
            if seen.insert(product.clone()) {
                members.push(product);
            }
        }
        if members.len() > MOST_SYMMETRIES {
            return None;
        }
        at += 1;
    }
    Some(members)
}

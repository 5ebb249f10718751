//! The generic canonical form: try every board symmetry, keep the least image.

use super::Group;

/// The canonical member of a labelling's class, and the order of the labelling's stabiliser.
///
/// The class is taken under the product of `board` and all permutations of colours of the same
/// class, where `colour_classes[a]` names the class of colour `a`. Colours need not be tried one
/// permutation at a time: within a class the first colour to appear (from cell 0 on) gets the
/// smallest name of that class, the next one the second smallest, and so on, which gives the least
/// of all renamings. The canonical member is the least such image, compared cell by cell from
/// cell 0.
///
/// The stabiliser is counted in the product group, whose order is [`full_order`], so
/// `full_order / stabiliser order` is the number of labellings in the class.
///
/// The labelling's colours must be below `colour_classes.len()`.
pub fn canonical(labelling: &[u8], board: &Group, colour_classes: &[u8]) -> (Vec<u8>, u64) {
    let mut least: Option<Vec<u8>> = None;
    let mut reached_by = 0;
    for symmetry in board.iter() {
        let image = rename_by_appearance(&symmetry.image(labelling), colour_classes);
        match least.as_ref().map(|least| image.cmp(least)) {
            None | Some(std::cmp::Ordering::Less) => {
                least = Some(image);
                reached_by = 1;
            }
            Some(std::cmp::Ordering::Equal) => reached_by += 1,
            Some(std::cmp::Ordering::Greater) => {}
        }
    }
    // For each board symmetry that reaches the least image the renaming of the colours that
    // appear is determined; those that do not appear may still be permuted.
    let absent: Vec<u8> = (0..=u8::MAX)
        .zip(colour_classes)
        .filter(|(colour, _)| !labelling.contains(colour))
        .map(|(_, &class)| class)
        .collect();
    (
        least.unwrap_or_default(),
        reached_by * permutations_within(&absent),
    )
}

/// The order of the product of `board` and all permutations of colours of the same class.
pub fn full_order(board: &Group, colour_classes: &[u8]) -> u64 {
    board.order() * permutations_within(colour_classes)
}

fn rename_by_appearance(labelling: &[u8], colour_classes: &[u8]) -> Vec<u8> {
    let mut names: Vec<Option<u8>> = vec![None; colour_classes.len()];
    let mut given = vec![false; colour_classes.len()];
    labelling
        .iter()
        .map(|&colour| {
            let colour = usize::from(colour);
            *names[colour].get_or_insert_with(|| {
                let mut free = (0..colour_classes.len())
                    .filter(|&name| colour_classes[name] == colour_classes[colour] && !given[name]);
                // A class has as many names as colours, so one is always free.
                let name = free.next().unwrap_or(colour);
                given[name] = true;
                name as u8
            })
        })
        .collect()
}

/// The number of permutations of these things that keep each thing's class.
fn permutations_within(classes: &[u8]) -> u64 {
    // The i-th thing of a class multiplies the number by i.
    (0..classes.len())
        .map(|i| {
            classes[..=i]
                .iter()
                .filter(|&&class| class == classes[i])
                .count() as u64
        })
        .product()
}

#[cfg(test)]
mod tests {
    use super::super::group::tests::square;
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeSet, HashSet};

    const CLASSES: [u8; 4] = [0, 1, 0, 1];

    proptest! {
        #[test]
        fn least_of_the_whole_orbit(s in prop::collection::vec(0u8..4, 9)) {
            let board = square(3, 4);
            // Colours with equal numbers here are those of the same class.
            let full = board.with_colours(&CLASSES.map(usize::from));
            let orbit: BTreeSet<_> = full.iter().map(|g| g.image(&s)).collect();
            let (least, stabiliser) = canonical(&s, &board, &CLASSES);
            prop_assert_eq!(full.order(), full_order(&board, &CLASSES));
            prop_assert_eq!(Some(&least), orbit.first());
            prop_assert_eq!(stabiliser, full.stabiliser(&s).order());
            prop_assert_eq!(stabiliser * orbit.len() as u64, full.order());
            for member in orbit {
                prop_assert_eq!(canonical(&member, &board, &CLASSES), (least.clone(), stabiliser));
            }
        }
    }

    #[test]
    fn sizes_of_all_classes_add_up() {
        let board = square(2, 3);
        let classes = [0, 0, 1];
        let mut seen = HashSet::new();
        let mut labellings = 0;
        for code in 0..81u32 {
            let s: Vec<u8> = (0..4).map(|i| (code / 3u32.pow(i) % 3) as u8).collect();
            let (least, stabiliser) = canonical(&s, &board, &classes);
            if seen.insert(least) {
                labellings += full_order(&board, &classes) / stabiliser;
            }
        }
        assert_eq!(labellings, 81);
    }
}

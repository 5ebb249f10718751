//! The index by leading colour against least images.

use std::collections::HashMap;

use super::super::leader::{Leader, Masks};
use super::super::quadrants::{Quadrants, TRANSPOSE, descending};
use crate::encode::cpu::Portable;

/// Random disjoint masks of `CELLS` cells each.
fn shuffled<const CELLS: usize>(random: &mut crate::random::Random) -> Masks {
    let mut cells: Vec<u32> = (0..3 * CELLS as u32).collect();
    random.shuffle(&mut cells);
    let mut masks = [0; 3];
    for (place, cell) in cells.iter().enumerate() {
        masks[place / CELLS] |= 1 << cell;
    }
    masks
}

/// The least image and the order of the stabiliser, by the other canonical form.
fn twin<const SIDE: usize>(quadrants: &Quadrants<3, SIDE>, masks: &Masks) -> ([u64; 3], u64) {
    let parts = quadrants.split(Portable, &descending(masks.map(u64::from)));
    quadrants.least(&parts, quadrants.front(&parts))
}

fn index<const CELLS: usize>(leader: &Leader<CELLS>, masks: &Masks) -> u64 {
    leader.finish(Portable, &leader.begin(masks))
}

fn agree<const CELLS: usize, const SIDE: usize>(states: u32) {
    let leader = Leader::<CELLS>::new(SIDE).unwrap();
    let quadrants = Quadrants::<3, SIDE>::new(true);
    let mut random = crate::random::Random::new(7);
    let (mut by_index, mut by_image) = (HashMap::new(), HashMap::new());
    for _ in 0..states {
        let masks = shuffled::<CELLS>(&mut random);
        let (image, stabiliser) = twin(&quadrants, &masks);
        let number = index(&leader, &masks);
        assert!(number < leader.count());
        // Classes are the same, and so are their sizes.
        assert_eq!(*by_index.entry(number).or_insert(image), image);
        assert_eq!(*by_image.entry(image).or_insert(number), number);
        assert_eq!(leader.stabiliser(Portable, number), stabiliser);
        // The state of an index is in its class.
        assert_eq!(twin(&quadrants, &leader.masks(Portable, number)).0, image);
        assert_eq!(index(&leader, &leader.masks(Portable, number)), number);
        // Slides and the mirror do what they do on quadrants.
        let parts = quadrants.split(Portable, &descending(masks.map(u64::from)));
        let mirrored = quadrants.transposed(&parts);
        for (masks, parts) in [(masks, parts), (leader.transposed(&masks), mirrored)] {
            for rows in 1..2 * SIDE {
                let slid = quadrants.slid::<0>(&parts, rows);
                let expected = quadrants.least(&slid, quadrants.front(&slid)).0;
                let found = leader.slid(&masks, rows * SIDE);
                assert_eq!(twin(&quadrants, &found).0, expected);
            }
        }
    }
}

#[test]
fn agrees_with_least_images() {
    agree::<4, 2>(20_000);
    agree::<9, 3>(20_000);
}

/// States that symmetries keep are rare, so they are made: three colours that turns exchange,
/// and colours that turns keep.
#[test]
fn symmetric_states_agree_with_least_images() {
    let leader = Leader::<9>::new(3).unwrap();
    let quadrants = Quadrants::<3, 3>::new(true);
    let mut random = crate::random::Random::new(8);
    let mut symmetric = 0;
    for _ in 0..20_000 {
        // Two colours that the mirror exchanges, and a third that it keeps.
        let turn = TRANSPOSE;
        let mut masks = [0u32; 3];
        let mut cells: Vec<u32> = (0..27).collect();
        random.shuffle(&mut cells);
        for cell in cells {
            let image = leader.image(turn, 1 << cell);
            let taken = masks[0] | masks[1] | masks[2];
            if taken & (1 << cell | image) != 0 {
                continue;
            }
            if image == 1 << cell || masks[0].count_ones() == 9 {
                masks[2] |= 1 << cell | image;
            } else {
                masks[0] |= 1 << cell;
                masks[1] |= image;
            }
        }
        if masks.iter().any(|mask| mask.count_ones() != 9) {
            continue;
        }
        let (image, stabiliser) = twin(&quadrants, &masks);
        assert!(stabiliser > 1);
        symmetric += 1;
        let number = index(&leader, &masks);
        assert_eq!(leader.stabiliser(Portable, number), stabiliser);
        assert_eq!(twin(&quadrants, &leader.masks(Portable, number)).0, image);
        for turn in 0..8 {
            let mut turned = masks.map(|mask| leader.image(turn, mask));
            turned.rotate_left(turn % 3);
            assert_eq!(index(&leader, &turned), number);
        }
    }
    assert!(symmetric > 1000, "{symmetric}");
}

#[test]
fn as_many_indices_as_counted() {
    assert_eq!(Leader::<9>::new(3).unwrap().count(), 589_759 * 24_310);
}

/// Every class once: of four cells a quadrant, all indices are tried.
#[test]
fn canonical_indices_are_the_classes() {
    let leader = Leader::<4>::new(2).unwrap();
    let classes = (0..leader.count()).filter(|&i| index(&leader, &leader.masks(Portable, i)) == i);
    let states: u64 = classes.map(|i| 48 / leader.stabiliser(Portable, i)).sum();
    assert_eq!(states, 34_650);
}

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Rotations and reflections of an n x n board.
pub fn square(n: usize, colours: usize) -> Group {
    let points = |number| Points::plain(number).unwrap();
    let action = Action::new(points(n * n), points(colours)).unwrap();
    let cells = || (0..n).flat_map(|r| (0..n).map(move |c| (r, c)));
    let turn = action.moving(cells().map(|(r, c)| (c * n + n - 1 - r, 0)));
    let flip = action.moving(cells().map(|(r, c)| (r * n + n - 1 - c, 0)));
    Group::generate(&action, &[turn.unwrap(), flip.unwrap()]).unwrap()
}

/// Four slots with two orientations and two with three. In the former lie two different pieces
/// and two identical ones that look the same both ways round, in the latter two different ones.
pub fn oriented() -> (Action, Vec<usize>) {
    let slots = Points::new([2, 2, 2, 2, 3, 3]).unwrap();
    let pieces = Points::new([2, 2, 1, 3, 3]).unwrap();
    (Action::new(slots, pieces).unwrap(), vec![1, 1, 2, 1, 1])
}

pub fn some_symmetry() -> impl Strategy<Value = Symmetry> {
    let order = |range: std::ops::Range<usize>| Just(range.collect::<Vec<_>>()).prop_shuffle();
    let slots = (order(0..4), order(4..6), prop::collection::vec(0usize..6, 6));
    let pieces = (order(0..2), order(3..5), prop::collection::vec(0usize..6, 5));
    (slots, pieces).prop_map(|((a, b, turns), (c, d, piece_turns))| {
        let slots = [a, b].concat().into_iter().zip(turns);
        let pieces = [c, vec![2], d].concat().into_iter().zip(piece_turns);
        oriented().0.symmetry(slots, pieces).unwrap()
    })
}

/// A labelling in the order of a shuffle, with turns.
pub fn some_labelling() -> impl Strategy<Value = Vec<u8>> {
    let start = vec![0, 2, 4, 4, 5, 8];
    some_symmetry().prop_map(move |symmetry| symmetry.image(&start))
}

proptest! {
    #[test]
    fn axioms(a in some_symmetry(), b in some_symmetry(), c in some_symmetry()) {
        let identity = oriented().0.identity();
        prop_assert!(identity.is_identity());
        prop_assert_eq!(a.then(&b).then(&c), a.then(&b.then(&c)));
        prop_assert_eq!(&a.then(&identity), &a);
        prop_assert_eq!(&identity.then(&a), &a);
        prop_assert_eq!(a.then(&a.inverse()), identity.clone());
        prop_assert_eq!(a.inverse().then(&a), identity);
    }

    #[test]
    fn symmetries_act(a in some_symmetry(), b in some_symmetry(), s in some_labelling()) {
        prop_assert_eq!(oriented().0.identity().image(&s), s.clone());
        prop_assert_eq!(a.then(&b).image(&s), b.image(&a.image(&s)));
    }

    #[test]
    fn a_relabelling_is_found_where_there_is_one(a in some_symmetry(), s in some_labelling()) {
        let action = oriented().0;
        let motion = action.moving((0..6).map(|slot| a.slot(slot))).unwrap();
        // All pieces occur, so it is the only one.
        prop_assert_eq!(action.between(&motion, &s, &a.image(&s)), Some(a.clone()));
        let mut other = a.image(&s);
        other.swap(0, 4);
        prop_assert_eq!(action.between(&motion, &s, &other), None);
    }

    #[test]
    fn generated_groups_are_closed(a in some_symmetry()) {
        // Powers of one generator are enough to meet every case of the closure.
        let action = oriented().0;
        let group = Group::generate(&action, std::slice::from_ref(&a)).unwrap();
        let set: HashSet<_> = group.iter().cloned().collect();
        prop_assert_eq!(set.len() as u64, group.order());
        for x in group.iter() {
            prop_assert!(set.contains(&x.inverse()));
            prop_assert!(group.iter().all(|y| set.contains(&x.then(y))));
        }
        prop_assert!(Group::generate(square(2, 1).action(), &[a]).is_none());
    }

    #[test]
    fn canonical_is_the_least_of_the_orbit(a in some_symmetry(), s in some_labelling()) {
        let group = Group::generate(&oriented().0, &[a]).unwrap();
        let orbit: BTreeSet<_> = group.iter().map(|g| g.image(&s)).collect();
        let (least, ways) = group.canonical(&s);
        prop_assert_eq!(Some(&least), orbit.first());
        prop_assert_eq!(ways, group.stabiliser(&HashSet::from([s])).order());
        prop_assert_eq!(ways * orbit.len() as u64, group.order());
        for member in &orbit {
            prop_assert_eq!(group.canonical(member), (least.clone(), ways));
        }
        prop_assert_eq!(group.stabiliser(&orbit.into_iter().collect()).order(), group.order());
    }
}

#[test]
fn class_sizes_add_up() {
    let group = square(2, 3).with_relabellings(&[1, 1, 2]);
    let mut seen = HashSet::new();
    let mut labellings = 0;
    for code in 0..81u32 {
        let s: Vec<u8> = (0..4).map(|i| (code / 3u32.pow(i) % 3) as u8).collect();
        let (least, ways) = group.canonical(&s);
        if seen.insert(least) {
            labellings += group.order() / ways;
        }
    }
    assert_eq!(labellings, 81);
}

#[test]
fn the_square_has_eight_symmetries() {
    let group = square(4, 2);
    assert_eq!(group.order(), 8);
    assert!(group.iter().next().unwrap().is_identity());
    assert_eq!(group.slot_stabiliser(&[0]).order(), 2);
    assert_eq!(group.slot_stabiliser(&[0, 15]).order(), 4);
}

#[test]
fn pieces_of_equal_count_permute() {
    let group = square(2, 4);
    for (counts, permutations) in
        [([1, 1, 1, 1], 24), ([2, 2, 1, 1], 4), ([3, 2, 2, 2], 6), ([1, 2, 3, 4], 1)]
    {
        let product = group.with_relabellings(&counts);
        assert_eq!(product.order(), 8 * permutations);
        assert!(product.iter().next().unwrap().is_identity());
    }
    // Pieces with different numbers of orientations do not.
    let (action, counts) = oriented();
    let group = Group::generate(&action, &[]).unwrap();
    assert_eq!(group.with_relabellings(&counts).order(), 4);
}

#[test]
fn restriction_renumbers() {
    let group = square(3, 1);
    let corners = group.restrict(&[8, 0, 2, 6]).unwrap();
    assert_eq!(corners.order(), 8);
    assert_eq!(corners.action().slots().len(), 4);
    assert!(group.restrict(&[0, 1]).is_none());
    assert!(group.restrict(&[4, 4]).is_none());
    assert!(group.restrict(&[9]).is_none());
}

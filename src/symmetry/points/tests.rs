//! Tests of the module above.

use super::*;

#[test]
fn pairs_are_numbered_point_by_point() {
    let points = Points::new([2, 1, 3]).unwrap();
    assert_eq!((points.len(), points.pairs()), (3, 6));
    let places: Vec<_> = (0..6).map(|pair| points.place(pair)).collect();
    assert_eq!(places, [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1), (2, 2)]);
    for (pair, &(point, orientation)) in places.iter().enumerate() {
        assert_eq!(points.pair(point, orientation), pair);
        assert_eq!(points.pair(point, orientation + 6), pair);
    }
    assert!(Points::new([1, 0]).is_none());
    assert!(Points::plain(65_535).is_some() && Points::plain(65_536).is_none());
}

#[test]
fn permutations_keep_the_pairs_of_a_point_together() {
    let points = Points::new([2, 1, 2]).unwrap();
    let swap = points.permutation([(2, 1), (1, 5), (0, 0)]).unwrap();
    assert_eq!(swap.images(), [4, 3, 2, 0, 1]);
    for wrong in [
        &[(0, 0), (1, 0)][..],
        &[(0, 0), (1, 0), (0, 0)],
        &[(1, 0), (0, 0), (2, 0)],
        &[(0, 0), (1, 0), (3, 0)],
        &[(0, 0), (1, 0), (2, 0), (3, 0)],
    ] {
        assert!(points.permutation(wrong.iter().copied()).is_none());
    }
}

#[test]
fn refuses_what_is_not_a_permutation() {
    assert!(Permutation::new(&[0, 0]).is_none());
    assert!(Permutation::new(&[0, 2]).is_none());
    assert!(Permutation::new(&[]).is_some_and(|empty| empty.is_identity()));
}

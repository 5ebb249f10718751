//! Tests of the module above.

use super::*;

fn growth(later: &[u128], roots: &[u128]) -> Growth {
    Growth { later: later.to_vec(), roots: roots.to_vec(), why: String::new() }
}

#[test]
fn levels_by_hand() {
    // 1, 3, 6, 12, 24: each state has three neighbours, one of them behind it.
    let cubic = growth(&[2], &[3]);
    let at = |level, before| Some(DepthBound { level, before });
    assert_eq!(depth_bound(&[1], 1, &cubic), at(0, 0));
    assert_eq!(depth_bound(&[1], 2, &cubic), at(1, 1));
    assert_eq!(depth_bound(&[1], 10, &cubic), at(2, 4));
    assert_eq!(depth_bound(&[1], 11, &cubic), at(3, 10));
    assert_eq!(depth_bound(&[1], 22, &cubic), at(3, 10));
    assert_eq!(depth_bound(&[1], 23, &cubic), at(4, 22));
    // What is known of the first levels makes the rest smaller: 1, 3, 4, 8, 16.
    assert_eq!(depth_bound(&[1, 3, 4], 22, &cubic), at(4, 16));
    // 4, 40, 5 x 40 + 4 x 4 = 216, 5 x 216 + 2 x 40 = 1160, 5 x 1160 + 2 x 216.
    let two_back = growth(&[5, 2], &[10, 4]);
    assert_eq!(depth_bound(&[4], 1820, &two_back), at(4, 1420));
    // 4, 8, 5 x 8 + 4 x 4 = 56, 5 x 56 + 2 x 8 = 296, 5 x 296 + 2 x 56 = 1592: 1956 in all.
    assert_eq!(depth_bound(&[4, 8], 1956, &two_back), at(4, 364));
    assert_eq!(depth_bound(&[4, 8], 1957, &two_back), at(5, 1956));
}

#[test]
fn nothing_overflows() {
    let fast = growth(&[u128::MAX / 2], &[u128::MAX]);
    let found = depth_bound(&[1], u128::MAX, &fast).unwrap();
    assert_eq!((found.level, found.before), (1, 1));
    // Two rays.
    let slow = growth(&[1], &[2]);
    let found = depth_bound(&[1], u128::MAX, &slow).unwrap();
    assert_eq!(found.level as usize, MOST_LEVELS);
    assert_eq!(depth_bound(&[1], 3, &growth(&[0], &[1])), None);
    assert_eq!(depth_bound(&[], 3, &slow), None);
}

#[test]
fn levels_that_cannot_be() {
    let cubic = growth(&[2], &[3]);
    assert_eq!(too_large(&[1, 3, 6, 12], &cubic), None);
    assert_eq!(too_large(&[1, 4], &cubic), Some((1, 3)));
    assert_eq!(too_large(&[1, 3, 4, 9, 99], &cubic), Some((3, 8)));
}

//! The counting argument: levels can grow only so fast, so it takes so many of them to hold
//! everything.

use crate::puzzle::Growth;

/// Levels are not counted beyond this many: a bound that large is as good as any.
const MOST_LEVELS: usize = 1 << 20;

/// How far levels must go, at least, until they hold everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reach {
    /// There is a level of this number.
    pub level: u32,
    /// All levels before it hold no more than this.
    pub before: u128,
}

/// All levels together, or the largest number there is.
pub(super) fn sum(levels: &[u128]) -> u128 {
    levels.iter().copied().fold(0, u128::saturating_add)
}

/// The most that level `levels.len()` can hold; 0 if there is no level yet.
fn most(levels: &[u128], growth: &Growth) -> u128 {
    let k = levels.len();
    let from = |j: usize| {
        let factors = if j == k { &growth.roots } else { &growth.later };
        let factor = factors.get(j - 1).copied().unwrap_or(0);
        levels[k - j].saturating_mul(factor)
    };
    let reach = growth.later.len().max(growth.roots.len());
    (1..=k.min(reach)).map(from).fold(0, u128::saturating_add)
}

/// The first level that is larger than those before it allow, and how large it could be.
pub(super) fn too_large(levels: &[u128], growth: &Growth) -> Option<(usize, u128)> {
    let mut limits = (1..levels.len()).map(|k| (k, most(&levels[..k], growth)));
    limits.find(|&(k, limit)| levels[k] > limit)
}

/// How far levels must go that begin with `levels` and hold `total` together; `None` if they cannot.
pub(super) fn reach(levels: &[u128], total: u128, growth: &Growth) -> Option<Reach> {
    let mut levels = levels.to_vec();
    let last = levels.pop()?;
    let mut before = sum(&levels);
    let mut next = last;
    while before.saturating_add(next) < total && levels.len() < MOST_LEVELS {
        before += next;
        levels.push(next);
        next = most(&levels, growth);
        if next == 0 {
            return None;
        }
    }
    Some(Reach {
        level: levels.len() as u32,
        before,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn growth(later: &[u128], roots: &[u128]) -> Growth {
        Growth {
            later: later.to_vec(),
            roots: roots.to_vec(),
            why: String::new(),
        }
    }

    #[test]
    fn levels_by_hand() {
        // 1, 3, 6, 12, 24: each state has three neighbours, one of them behind it.
        let cubic = growth(&[2], &[3]);
        let at = |level, before| Some(Reach { level, before });
        assert_eq!(reach(&[1], 1, &cubic), at(0, 0));
        assert_eq!(reach(&[1], 2, &cubic), at(1, 1));
        assert_eq!(reach(&[1], 10, &cubic), at(2, 4));
        assert_eq!(reach(&[1], 11, &cubic), at(3, 10));
        assert_eq!(reach(&[1], 22, &cubic), at(3, 10));
        assert_eq!(reach(&[1], 23, &cubic), at(4, 22));
        // What is known of the first levels makes the rest smaller: 1, 3, 4, 8, 16.
        assert_eq!(reach(&[1, 3, 4], 22, &cubic), at(4, 16));
        // 4, 40, 5 x 40 + 4 x 4 = 216, 5 x 216 + 2 x 40 = 1160, 5 x 1160 + 2 x 216.
        let two_back = growth(&[5, 2], &[10, 4]);
        assert_eq!(reach(&[4], 1820, &two_back), at(4, 1420));
        // 4, 8, 5 x 8 + 4 x 4 = 56, 5 x 56 + 2 x 8 = 296, 5 x 296 + 2 x 56 = 1592: 1956 in all.
        assert_eq!(reach(&[4, 8], 1956, &two_back), at(4, 364));
        assert_eq!(reach(&[4, 8], 1957, &two_back), at(5, 1956));
    }

    #[test]
    fn nothing_overflows() {
        let fast = growth(&[u128::MAX / 2], &[u128::MAX]);
        let found = reach(&[1], u128::MAX, &fast).unwrap();
        assert_eq!((found.level, found.before), (1, 1));
        // Two rays.
        let slow = growth(&[1], &[2]);
        let found = reach(&[1], u128::MAX, &slow).unwrap();
        assert_eq!(found.level as usize, MOST_LEVELS);
        assert_eq!(reach(&[1], 3, &growth(&[0], &[1])), None);
        assert_eq!(reach(&[], 3, &slow), None);
    }

    #[test]
    fn levels_that_cannot_be() {
        let cubic = growth(&[2], &[3]);
        assert_eq!(too_large(&[1, 3, 6, 12], &cubic), None);
        assert_eq!(too_large(&[1, 4], &cubic), Some((1, 3)));
        assert_eq!(too_large(&[1, 3, 4, 9, 99], &cubic), Some((3, 8)));
    }
}

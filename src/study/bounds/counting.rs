//! The counting argument: levels can grow only so fast, so a minimum number of them is needed to hold
//! everything.

use crate::puzzle::Growth;

/// Levels are not counted beyond this many: a bound that large is as good as any.
const MOST_LEVELS: usize = 1 << 20;

/// How far levels must go, at least, until they hold everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DepthBound {
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
pub(super) fn depth_bound(levels: &[u128], total: u128, growth: &Growth) -> Option<DepthBound> {
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
    Some(DepthBound { level: levels.len() as u32, before })
}

#[cfg(test)]
mod tests;

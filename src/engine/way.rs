//! Push or pull: the two ways to find the next level.
//!
//! To *push* is to expand every class of the last level and to gather the candidates. To *pull* is to ask
//! every class that is not known yet whether one of its neighbours is in the last level. Moves can be undone,
//! so both find the same classes. Pushing costs as much as the last level is large, pulling as much as is
//! left: where most of a space is known, pulling is cheaper. Searches of social networks do the same
//! ("direction-optimising", Beamer, Asanovic and Patterson, 2012).
//!
//! Which way is cheaper is estimated before each level: the walk knows how long its space takes for a
//! candidate, and, once it has pulled, how long it takes to ask. What is found does not depend on it.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use super::forecast::{DENSE, Forecast, SpaceProfile};
use super::manifest::LevelRecord;
use crate::space::{Index, Space};

/// How a level is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Way {
    /// The last level is expanded.
    #[default]
    Push,
    /// What is unknown is asked for neighbours in the last level.
    Pull,
}

impl Way {
    /// Whether the last level is expanded.
    pub(super) fn is_push(&self) -> bool {
        *self == Way::Push
    }

    /// Its name, as `--direction` takes it.
    pub fn name(self) -> &'static str {
        match self {
            Way::Push => "push",
            Way::Pull => "pull",
        }
    }
}

/// Nanoseconds that it takes to look up a neighbour in a bitmap.
const LOOK: f64 = 4.0;
/// Nanoseconds for each known class, which is read in order to be left out.
const READ: f64 = 4.0;
/// Indices that are tried to see how long it takes to tell whether one stands for a class.
const TRIED: u64 = 4096;
/// Multiples of it lie all over a universe.
const SCATTER: u64 = 0x0009_E377_9B97_F4A7;
/// Pulling is chosen if it is expected to take less than this share of the time.
const MARGIN: f64 = 0.7;
/// A level that can be pushed in less time, in nanoseconds, is not worth an estimate.
const SHORT: f64 = 1e8;

/// How long something took that was done many times.
#[derive(Debug, Default)]
pub(super) struct MeasuredPace {
    /// How many times, and the time that all threads took.
    times: AtomicU64,
    nanos: AtomicU64,
}

impl MeasuredPace {
    /// It was done some more times, which took so long.
    pub fn add(&self, times: u64, time: Duration) {
        self.times.fetch_add(times, Relaxed);
        self.nanos.fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// Nanoseconds for one time, once that is known.
    pub fn measured(&self) -> Option<f64> {
        let (times, nanos) = (self.times.load(Relaxed), self.nanos.load(Relaxed));
        (times >= 100_000).then(|| nanos as f64 / times as f64)
    }
}

/// The cheaper way to compute the level after `levels`, which a bitmap of the universe can serve, and the
/// nanoseconds it takes on one thread. `pace` is how many of them the space takes for a candidate.
pub(super) fn cheaper<I: Index>(
    space: &dyn Space<I>,
    profile: &SpaceProfile,
    levels: &[LevelRecord],
    forecast: &Forecast,
    pace: f64,
    pull: &MeasuredPace,
) -> (Way, f64) {
    let push = forecast.candidates as f64 * (pace + DENSE);
    if push < SHORT {
        return (Way::Push, push);
    }
    let known: u128 = levels.iter().map(|level| level.classes).sum();
    let unknown = profile.universe.saturating_sub(known) as f64;
    let each = pull.measured().unwrap_or_else(|| {
        // Indices that stand for no class are only looked at.
        let Tried { look, expand, share } = tried(space);
        let classes = profile.total_classes.map_or(share * profile.universe as f64, |total| total as f64);
        let left = (classes - known as f64).clamp(0.0, unknown) / unknown.max(1.0);
        look + left * (expand + profile.fanout as f64 * LOOK)
    });
    let pull = unknown * each + known as f64 * READ;
    // An estimate that is wrong by less should do no harm.
    if pull < MARGIN * push { (Way::Pull, pull) } else { (Way::Push, push) }
}

/// The processor time that this thread has had: what is measured by it does not depend on what else a machine does.
pub(super) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// What was seen of some indices.
struct Tried {
    /// Nanoseconds that it took to tell whether an index stands for a class, and to expand one that does, by itself.
    look: f64,
    expand: f64,
    /// The share that stands for classes.
    share: f64,
}

fn tried<I: Index>(space: &dyn Space<I>) -> Tried {
    let universe = space.universe().wide();
    // Anywhere, and not where indices have many zeros.
    let indices = (0..TRIED).map(|at| I::narrow(u128::from(at * SCATTER) % universe));
    let start = thread_time();
    let classes: Vec<I> = indices.filter(|&index| black_box(space.canonical(index)) == Some(index)).collect();
    let middle = thread_time();
    let mut neighbours = Vec::new();
    for class in &classes {
        neighbours.clear();
        space.expand(std::slice::from_ref(class), &mut neighbours);
        black_box(&neighbours);
    }
    let each = |time: Duration, count: usize| time.as_nanos() as f64 / count.max(1) as f64;
    Tried {
        look: each(middle - start, TRIED as usize),
        expand: each(thread_time() - middle, classes.len()),
        share: classes.len() as f64 / TRIED as f64,
    }
}

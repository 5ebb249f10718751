//! What a whole job will take, estimated before it starts: the engine's decisions, played through with expected
//! levels.
//!
//! The levels that are known give how many bytes and how much time a class takes; those behind them grow as the last
//! ones did, more slowly the less is left of the space. For each level the container is chosen as the engine would
//! choose it, and what it takes is added up.

use super::budget::Budget;
use super::container::ContainerKind;
use super::forecast::{DENSE, SPARSE, SpaceProfile, coded_bytes, effective_universe};
use super::manifest::LevelRecord;
use super::rows;
use super::subject::Totals;
use super::way::{self, MeasuredPace, Way};
use crate::error::Result;
use crate::space::{AnySpace, Direction, Index, Rows, Space};

/// More levels than this are not expected of any job.
const MOST_LEVELS: usize = 20_000;
/// Levels with fewer candidates say nothing about time.
const TELLING: u128 = 20_000;
/// Nanoseconds of a candidate where nothing was measured.
const UNMEASURED: f64 = 60.0;
/// Milliseconds of a level beside its candidates, about: files, checkpoints.
const PER_LEVEL: f64 = 1.0;
/// Bytes of the manifest and the tables for each level, and of all else but level sets.
const RECORD: u64 = 340;
const RECORDS: u64 = 3000;
/// Bytes of a class while it is drained, measured: as an index, and coded; not all are in hand at a time.
const DRAINED: u64 = 6;
/// The same for a place in the buckets that are in hand.
const IN_HAND: u64 = 3;

/// A level that is counted already.
#[derive(Clone, Copy, Debug)]
pub struct KnownLevel {
    /// Its classes.
    pub classes: u128,
    /// What it took, where that was measured on this machine.
    pub measured: Option<MeasuredLevel>,
}

/// What a level took.
#[derive(Clone, Copy, Debug)]
pub struct MeasuredLevel {
    /// Bytes of its level set.
    pub bytes: u64,
    /// Milliseconds; `None` if they are those of another machine.
    pub millis: Option<u64>,
    /// Candidates.
    pub candidates: u128,
    /// How it was found.
    pub way: Way,
}

/// A level of an outlook.
#[derive(Clone, Copy, Debug)]
pub struct ExpectedLevel {
    /// Its classes.
    pub classes: u128,
    /// Whether they are known, and not estimated.
    pub known: bool,
    /// Candidates that it is made of.
    pub candidates: u128,
    /// Bytes of its level set.
    pub bytes: u64,
    /// Bytes of its runs on disk.
    pub runs: u64,
    /// Bytes of memory beside what the program takes without work.
    pub memory: u64,
    /// Seconds.
    pub seconds: f64,
}

/// What a job will take.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// Its levels.
    pub levels: Vec<ExpectedLevel>,
    /// Whether they are all levels there are.
    pub complete: bool,
}

impl Outlook {
    /// Bytes of the job's own files.
    pub fn job_bytes(&self) -> u64 {
        let sets = self.levels.iter().map(|level| level.bytes).fold(0, u64::saturating_add);
        sets.saturating_add(RECORDS + RECORD * self.levels.len() as u64)
    }

    /// The most bytes of runs at a time.
    pub fn scratch_bytes(&self) -> u64 {
        self.levels.iter().map(|level| level.runs).max().unwrap_or(0)
    }

    /// The most bytes of memory at a time.
    pub fn memory(&self) -> u64 {
        self.levels.iter().map(|level| level.memory).max().unwrap_or(0)
    }

    /// Candidates.
    pub fn candidates(&self) -> u128 {
        self.levels.iter().map(|level| level.candidates).fold(0, u128::saturating_add)
    }

    /// Classes.
    pub fn classes(&self) -> u128 {
        self.levels.iter().map(|level| level.classes).fold(0, u128::saturating_add)
    }

    /// Seconds.
    pub fn seconds(&self) -> f64 {
        self.levels.iter().map(|level| level.seconds).sum()
    }
}

/// Expects what a job takes up to `max_level`, or to its end.
pub fn outlook(
    space: AnySpace<'_>,
    totals: &Totals,
    budget: &Budget,
    known: &[KnownLevel],
    known_complete: bool,
    max_level: Option<u32>,
) -> Result<Outlook> {
    match space {
        AnySpace::Narrow(space) => foresee(space, totals, budget, known, known_complete, max_level),
        AnySpace::Wide(space) => foresee(space, totals, budget, known, known_complete, max_level),
    }
}

fn foresee<I: Index>(
    space: &dyn Space<I>,
    totals: &Totals,
    budget: &Budget,
    known: &[KnownLevel],
    known_complete: bool,
    max_level: Option<u32>,
) -> Result<Outlook> {
    let universe = space.universe().wide();
    // What cannot be reached is not known: a universe is a bound.
    let expected = totals.classes.or(totals.existing.map(|existing| existing.min(universe)));
    let bound = expected.unwrap_or(universe);
    let profile = SpaceProfile { universe, fanout: space.fanout(), total_classes: expected };
    let wanted = max_level.map_or(MOST_LEVELS, |max| (max as usize).saturating_add(1).min(MOST_LEVELS));
    let mut sizes: Vec<u128> = known.iter().map(|level| level.classes).take(wanted).collect();
    let mut complete = known_complete && known.len() <= wanted;
    while sizes.len() < wanted && !complete {
        let next = grown(&sizes, profile.fanout, bound);
        complete = next == 0;
        if !complete {
            sizes.push(next);
        }
    }
    if let Some(all) = expected.filter(|_| complete && !known_complete) {
        stretch(&mut sizes, known.len(), all);
    }
    let model = CostModel::new(space, &profile, budget, known);
    let mut records: Vec<LevelRecord> = Vec::new();
    let mut levels = Vec::new();
    let mut by_rows = false;
    for (number, &classes) in sizes.iter().enumerate() {
        let measured = known.get(number).and_then(|level| level.measured);
        let mut level = model.level(&records, classes, &mut by_rows)?;
        level.known = number < known.len();
        if let Some(measured) = measured {
            level.bytes = measured.bytes;
            level.candidates = measured.candidates;
            if let Some(millis) = measured.millis {
                level.seconds = millis as f64 / 1000.0;
            }
        }
        records.push(record(number as u32, classes, level.bytes));
        levels.push(level);
    }
    Ok(Outlook { levels, complete })
}

/// The classes of the next level. What is found is new as often as the space is unknown; how many neighbours a class
/// has that would be new in an unknown space changes slowly from level to level.
fn grown(sizes: &[u128], fanout: usize, bound: u128) -> u128 {
    let total = bound.max(1) as f64;
    let mut known = 0.0;
    // How many each class led to, had nothing been known.
    let mut branching = Vec::new();
    for pair in sizes.windows(2) {
        known += pair[0] as f64;
        let (before, after) = (pair[0] as f64, pair[1] as f64);
        let unknown = (1.0 - (known + after / 2.0) / total).max(1e-3);
        branching.push(after / before / unknown);
    }
    let (Some(&last), Some(&current)) = (sizes.last(), sizes.last()) else { return 1 };
    known += last as f64;
    let left = (total - known).max(0.0);
    let factor = match branching[..] {
        [] => fanout as f64,
        [only] => only,
        // Over several levels: even and odd ones may differ.
        _ => {
            let some = branching.len().min(5) - 1;
            let first = branching[branching.len() - 1 - some];
            let latest = branching[branching.len() - 1];
            let slowing = (latest / first).powf(1.0 / some as f64);
            latest * slowing.clamp(0.8, 1.0)
        }
    };
    let factor = factor.clamp(0.0, fanout.max(1) as f64);
    let raw = factor * current as f64;
    let next = raw * (left / total) / (1.0 + raw / (2.0 * total));
    next.min(left).round().max(0.0) as u128
}

/// Makes levels add up to `all` from the level `first` on, which are estimated, their shape staying as it is.
fn stretch(sizes: &mut Vec<u128>, first: usize, all: u128) {
    let known: u128 = sizes[..first.min(sizes.len())].iter().sum();
    let left = all.saturating_sub(known);
    let expected = sizes.iter().skip(first).copied().fold(0, u128::saturating_add);
    if expected == 0 {
        sizes.extend((left > 0).then_some(left));
        return;
    }
    let factor = left as f64 / expected as f64;
    for size in sizes.iter_mut().skip(first) {
        *size = ((*size as f64 * factor).round() as u128).max(1);
    }
}

fn record(level: u32, classes: u128, bytes: u64) -> LevelRecord {
    LevelRecord {
        level,
        classes,
        states: classes,
        bytes,
        blocks_digest: 0,
        millis: 0,
        way: Way::Push,
        candidates: 0,
        bytes_written: 0,
        peak_rss: 0,
    }
}

/// What levels cost.
struct CostModel<'a, I> {
    space: &'a dyn Space<I>,
    profile: &'a SpaceProfile,
    budget: &'a Budget,
    rows: Option<&'a dyn Rows>,
    /// How many indices there are, as level sets show.
    effective: u128,
    /// Nanoseconds that the space takes for a candidate.
    pace: f64,
    /// Candidates of a class.
    each: f64,
    pull: MeasuredPace,
}

impl<'a, I: Index> CostModel<'a, I> {
    fn new(
        space: &'a dyn Space<I>,
        profile: &'a SpaceProfile,
        budget: &'a Budget,
        known: &[KnownLevel],
    ) -> Self {
        let rows = space.rows().filter(|_| space.direction() == Direction::Reversible);
        let rows =
            rows.filter(|rows| rows::memory(*rows, profile.universe, budget.threads()) <= budget.memory());
        let measured = known.iter().enumerate();
        let measured = measured.filter_map(|(number, level)| Some((number, level.classes, level.measured?)));
        let records: Vec<LevelRecord> =
            measured.clone().map(|(number, classes, m)| record(number as u32, classes, m.bytes)).collect();
        let (mut pace, mut weight) = (0.0, 0.0);
        let (mut candidates, mut parents) = (0u128, 0u128);
        for (number, _, level) in measured.filter(|(number, ..)| *number > 0) {
            let before = known[number - 1].classes;
            if level.way == Way::Push {
                candidates += level.candidates;
                parents += before;
            }
            if let Some(millis) =
                level.millis.filter(|_| level.candidates >= TELLING && level.way == Way::Push)
            {
                let nanos = millis as f64 * 1e6 * budget.threads() as f64;
                let dense = before.saturating_mul(profile.fanout as u128) >= profile.universe / 256;
                let overhead = if dense { DENSE } else { SPARSE };
                let found = level.candidates as f64;
                // Of what a candidate took, the engine's part is known.
                pace += (nanos - found * overhead).max(found * 3.0);
                weight += found;
            }
        }
        CostModel {
            space,
            profile,
            budget,
            rows,
            effective: effective_universe(&records, profile.universe, profile.total_classes),
            pace: if weight > 0.0 { pace / weight } else { UNMEASURED },
            each: if parents > 0 { candidates as f64 / parents as f64 } else { profile.fanout as f64 },
            pull: MeasuredPace::default(),
        }
    }

    /// What a level with so many classes takes after those before it.
    fn level(&self, before: &[LevelRecord], classes: u128, by_rows: &mut bool) -> Result<ExpectedLevel> {
        let universe = self.profile.universe;
        let threads = self.budget.threads() as f64;
        let bytes = coded_bytes(classes, self.effective);
        let last = before.last().map_or(0, |record| record.classes);
        let candidates = (last as f64 * self.each) as u128;
        let most = last.saturating_mul(self.profile.fanout as u128);
        let (kind, passes) = self.profile.container(most, self.budget, None, Some(self.pace))?;
        // Each of them once: many come several times.
        let distinct = last
            .saturating_add(classes)
            .saturating_add(before.iter().rev().nth(1).map_or(0, |record| record.classes))
            .min(candidates);
        let run_bytes = coded_bytes(distinct, self.effective);
        let places = (self.budget.wave() * self.budget.bucket_entries(size_of::<I>())) as u64;
        let in_hand = clamp(classes).saturating_mul(DRAINED).min(places * IN_HAND);
        let mut level = ExpectedLevel {
            classes,
            known: false,
            candidates,
            bytes,
            runs: 0,
            memory: in_hand,
            seconds: PER_LEVEL / 1000.0,
        };
        let mut nanos = candidates as f64 * (self.pace + SPARSE);
        if kind == ContainerKind::Dense {
            nanos = candidates as f64 * (self.pace + DENSE) * passes as f64;
            let bitmap = clamp(universe.div_ceil(8)).min(self.budget.bitmap_bytes());
            level.memory += bitmap;
            if passes == 1 && self.space.direction() == Direction::Reversible {
                let mut forecast = self.profile.next(before);
                forecast.candidates = candidates;
                nanos = way::cheaper(self.space, self.profile, before, &forecast, self.pace, &self.pull).1;
            }
        }
        let rows = self.rows.map(|rows| (rows, self.row_nanos(rows, before, *by_rows)));
        match rows {
            Some((rows, by)) if by < nanos => {
                *by_rows = true;
                nanos = by;
                level.memory = rows::memory(rows, universe, 1) / 4 * 3 + in_hand;
            }
            _ => *by_rows = false,
        }
        if !*by_rows && kind == ContainerKind::Sparse {
            let buffers = clamp(candidates).saturating_mul(size_of::<I>() as u64);
            let buffers = buffers.min(
                self.budget.threads() as u64
                    * (self.budget.buffer_entries(size_of::<I>()) * size_of::<I>()) as u64,
            );
            let runs_in_memory = self.budget.run_bytes();
            level.runs = if run_bytes > runs_in_memory { run_bytes } else { 0 };
            level.memory += buffers + run_bytes.min(runs_in_memory.saturating_mul(2));
        }
        level.seconds += nanos / threads / 1e9;
        Ok(level)
    }

    /// Nanoseconds of a level by rows, as the engine reckons them.
    fn row_nanos(&self, rows: &dyn Rows, before: &[LevelRecord], is_loaded: bool) -> f64 {
        let universe = self.profile.universe as f64;
        let known: u128 = before.iter().map(|level| level.classes).sum();
        let last = before.last().map_or(0, |level| level.classes);
        let each = self.profile.total_classes.map_or(1.0, |total| universe / total.max(1) as f64);
        let load = if is_loaded { 0.0 } else { rows::load_cost(known as f64, each) };
        let unknown = universe - known as f64 * each;
        let sizes = (universe, last as f64 * each, unknown);
        load + rows::cheaper(rows, sizes, self.profile.fanout, None, None).1
    }
}

fn clamp(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

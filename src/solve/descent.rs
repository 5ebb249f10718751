//! Table descent: a finished enumeration solves every state, optimally.
//!
//! The levels of a job are a table of all distances. The level that holds the class of a state is its
//! distance k; one of its moves leads to a class of level k - 1, because that is how the class came
//! into level k. So the way down is found by trying the moves of the state at hand, looking up the
//! class of each result in the level before, and going where it is found: real moves of real states,
//! although the table knows only classes. Of a level set one block is read for each look-up; nothing is
//! loaded.
//!
//! # Which job
//!
//! The one among the user's jobs, in `runs/` as a rule, if it is finished. Otherwise, where the space is
//! small ([`is_small`]), one in the user's cache, which is made on first use and reused ever after.
//! Otherwise whatever levels an unfinished job of the user's has: they solve the states within, and
//! bound all others from below.
//!
//! A job in the cache is checked before it is used (checksums, order, sums: [`verify`]) and made again
//! if anything is wrong; the cache is ours. A job of the user's is never changed, and whatever is wrong
//! with it is said.
//!
//! # Whose job
//!
//! The puzzle says whose enumeration knows its distances (`Rules::tablebase`): its own as a rule;
//! where a puzzle is enumerated from its start, the one from the goals. Both have the same states and
//! the same moves, so only the numbering is taken from the other.

use std::path::Path;

use super::cache::job_dir;
use super::distances::OpenLevels;
use super::{Attempt, Effort, Prepared, ReadySolver, Solver, Workbench, choice, unsolvable};
use crate::engine::verify::{self, Extent};
use crate::engine::{self, Control, Description, Job, Manifest, Observer, Options};
use crate::error::{Error, Instead, Result};
use crate::puzzle::{Rules, State, Tablebase, job_name, subject};
use crate::space::{AnySpace, Index};
use crate::store::Pulse;
use crate::store::disk::{Disk, exists};
use crate::text::count;

/// The most classes for which a job is made on the way: some tens of seconds.
pub const SMALL: u128 = 20_000_000;

/// Whether the enumeration that solves a puzzle is small enough to be made on the way.
pub fn is_small(puzzle: &dyn Rules) -> bool {
    puzzle.tablebase().is_some() && has_few_classes(puzzle)
}

/// Whether a puzzle has so few classes that its enumeration takes some tens of seconds at the most.
pub fn has_few_classes(puzzle: &dyn Rules) -> bool {
    classes(puzzle).is_some_and(|classes| classes <= SMALL)
}

/// The number of classes, as well as it can be estimated without enumerating them.
pub fn classes(puzzle: &dyn Rules) -> Option<u128> {
    let from_states = || {
        let states = puzzle.totals().states.or_else(|| puzzle.totals().existing);
        let states = states.or_else(|| Some(puzzle.space()?.universe()))?;
        Some(states.div_ceil(u128::from(puzzle.group_order().max(1))))
    };
    puzzle.totals().classes.or_else(from_states)
}

/// The solver.
pub struct Descent<'p> {
    puzzle: &'p dyn Rules,
    base: Tablebase,
}

impl<'p> Descent<'p> {
    /// The table descent of a puzzle, if an enumeration can solve it.
    pub fn new(puzzle: &'p dyn Rules) -> Option<Self> {
        let base = puzzle.tablebase()?;
        Some(Descent { puzzle, base })
    }

    /// The text of the puzzle whose job is the table.
    fn base_text(&self) -> String {
        match &self.base {
            Tablebase::Own => self.puzzle.text(),
            Tablebase::Other { text, .. } => text.clone(),
        }
    }

    /// The puzzle whose job is the table, if it is another one.
    pub(super) fn other_base(&self) -> Result<Option<Box<dyn Rules>>> {
        match &self.base {
            Tablebase::Own => Ok(None),
            Tablebase::Other { make, .. } => match make() {
                // All that can be wrong with a text of our own is that no state is solved.
                Err(Error::Usage(_)) => unsolvable("no solved state can be reached from it"),
                made => made.map(Some),
            },
        }
    }

    /// The job of the table if it is there already: a finished one, or else the first levels of an unfinished one.
    pub(super) fn existing_job(
        &self,
        base: &dyn Rules,
        bench: &Workbench<'_>,
    ) -> Result<Option<(Job, Manifest)>> {
        let subject = subject(base)?;
        let mut partial = None;
        let cached = bench.cache().ok().map(|cache| job_dir(cache, base));
        for place in std::iter::once(bench.jobs.join(job_name(base))).chain(cached) {
            if !exists(&place.join("job.json"))? {
                continue;
            }
            let job = Job::open(&place)?;
            job.check_subject(&subject)?;
            let manifest = job.manifest()?;
            if manifest.kept_from > 0 || manifest.levels.is_empty() {
                continue;
            } else if manifest.finished {
                return Ok(Some((job, manifest)));
            }
            partial.get_or_insert((job, manifest));
        }
        // A small one is made rather than guessed at.
        Ok(partial.filter(|_| !is_small(self.puzzle)))
    }

    /// The job to descend, with what is safe of it.
    fn job(&self, base: &dyn Rules, bench: &Workbench<'_>) -> Result<(Job, Manifest)> {
        let mut partial = None;
        let jobs = bench.jobs.display();
        let mut why = format!("there is no job for {} in {jobs}/", self.base_text());
        let place = bench.jobs.join(job_name(base));
        if exists(&place.join("job.json"))? {
            let job = Job::open(&place)?;
            job.check_subject(&subject(base)?)?;
            let manifest = job.manifest()?;
            if manifest.kept_from > 0 {
                why = format!("the job in {} kept its last levels only", place.display());
            } else if manifest.finished {
                return Ok((job, manifest));
            } else if !manifest.levels.is_empty() {
                partial = Some((job, manifest));
            }
        }
        let cached = job_dir(bench.cache()?, base);
        if is_small(self.puzzle) {
            return in_cache(base, &cached, None, bench);
        }
        if exists(&cached.join("job.json"))?
            && let Ok(found) = intact(base, &cached, bench)
        {
            return Ok(found);
        }
        partial.ok_or_else(|| {
            let others = choice::solvers(self.puzzle);
            let others: Vec<_> = others.iter().map(|solver| solver.name()).collect();
            let others: Vec<_> = others.into_iter().filter(|name| *name != NAME).collect();
            Error::Misdirected {
                fact: format!(
                    "{why}, and the space is too large to be enumerated on the way{}",
                    match others.is_empty() {
                        true => String::new(),
                        false => format!(" (other solvers: {})", others.join(", ")),
                    }
                ),
                instead: Instead::EnumerateFirst(self.base_text()),
            }
        })
    }
}

/// The solver's name.
const NAME: &str = "table";

impl Solver for Descent<'_> {
    fn name(&self) -> &'static str {
        NAME
    }

    fn promise(&self) -> String {
        let made = match is_small(self.puzzle) {
            true => "which is made in the cache on first use".into(),
            false => format!("once {} has been enumerated", self.base_text()),
        };
        format!("shortest solutions, read off the finished enumeration, {made}")
    }

    fn prepare<'a>(&'a self, bench: &Workbench<'_>, _: Option<u64>) -> Prepared<'a> {
        let other = self.other_base()?;
        let base = other.as_deref().unwrap_or(self.puzzle);
        let found = self.job(base, bench)?;
        Ok(match base.space() {
            Some(AnySpace::Narrow(_)) => Box::new(Ladder::<u64>::new(self.puzzle, other, found, bench)?),
            _ => Box::new(Ladder::<u128>::new(self.puzzle, other, found, bench)?),
        })
    }
}

/// The finished job of a puzzle, with all levels kept: among the user's jobs, or in the cache, where a small
/// one is made on the way.
pub fn finished_job(puzzle: &dyn Rules, bench: &Workbench<'_>) -> Result<(Job, Manifest)> {
    let place = bench.jobs.join(job_name(puzzle));
    if exists(&place.join("job.json"))? {
        let job = Job::open(&place)?;
        job.check_subject(&subject(puzzle)?)?;
        let manifest = job.manifest()?;
        if manifest.finished && manifest.kept_from == 0 {
            return Ok((job, manifest));
        }
    }
    if puzzle.space().is_some() && has_few_classes(puzzle) {
        return in_cache(puzzle, &job_dir(bench.cache()?, puzzle), None, bench);
    }
    Err(Error::Misdirected {
        fact: format!(
            "there is no finished job for {} in {}/ with all its levels, and it is too large to be enumerated \
             on the way",
            puzzle.text(),
            bench.jobs.display()
        ),
        instead: Instead::EnumerateFirst(puzzle.text()),
    })
}

/// A job of a puzzle with its first levels: among the user's jobs, whatever it has, or in the cache, where a small
/// one is made up to level `last`.
pub fn first_levels_job(puzzle: &dyn Rules, last: u32, bench: &Workbench<'_>) -> Result<(Job, Manifest)> {
    let place = bench.jobs.join(job_name(puzzle));
    if exists(&place.join("job.json"))? {
        let job = Job::open(&place)?;
        job.check_subject(&subject(puzzle)?)?;
        let manifest = job.manifest()?;
        if !manifest.levels.is_empty() && manifest.kept_from == 0 {
            return Ok((job, manifest));
        }
    }
    if puzzle.space().is_some() && has_few_classes(puzzle) {
        return in_cache(puzzle, &job_dir(bench.cache()?, puzzle), Some(last), bench);
    }
    Err(Error::Misdirected {
        fact: format!(
            "there is no job for {} in {}/ with its first levels (`--max-level` ends it after some)",
            puzzle.text(),
            bench.jobs.display()
        ),
        instead: Instead::EnumerateFirst(puzzle.text()),
    })
}

/// The job in the cache, made or made again if need be: all of it, or as far as a level.
pub(super) fn in_cache(
    base: &dyn Rules,
    dir: &Path,
    up_to: Option<u32>,
    bench: &Workbench<'_>,
) -> Result<(Job, Manifest)> {
    // Waits for a process or a thread that makes this very job; others in the cache are made meanwhile.
    let _lock = bench.lock(&job_name(base))?;
    let description = Description::of(&subject(base)?);
    if exists(dir)? {
        match bench.patiently(|| intact(base, dir, bench)) {
            Ok((job, manifest)) if job.description == description && manifest.kept_from == 0 => {
                let enough = up_to.is_some_and(|level| manifest.levels.len() as u32 > level);
                if manifest.finished || enough {
                    return Ok((job, manifest));
                }
            }
            Err(error @ Error::Interrupted(_)) => return Err(error),
            found => {
                let why = match found {
                    Ok((job, _)) => format!("{} holds {}", dir.display(), job.description),
                    Err(error) => error.to_string(),
                };
                bench
                    .control
                    .observer
                    .announce(&format!("the job in the cache is not usable and is made again ({why})"));
                bench.patiently(|| Job::discard(dir, &Disk::new(None, 0)))?;
            }
        }
    }
    bench.control.observer.announce(&format!(
        "enumerating {}{} first; that is kept in {}",
        base.text(),
        match (up_to, base.totals().classes) {
            (Some(level), _) => format!(" up to level {level}"),
            (None, Some(classes)) => format!(" ({} classes)", count(classes)),
            (None, None) => String::new(),
        },
        dir.display()
    ));
    let options = Options {
        memory: Some(bench.free()),
        threads: Some(bench.threads.min((bench.free() / engine::budget::PER_THREAD).max(1) as usize)),
        max_level: up_to,
        ..Options::default()
    };
    let observer = QuietObserver(bench.control.observer);
    let control = Control { stop: bench.control.stop, observer: &observer };
    let outcome = bench.patiently(|| engine::enumerate(&subject(base)?, dir, &options, control))?;
    Ok((Job::open(dir)?, outcome.manifest))
}

/// A job whose files are all intact.
fn intact(base: &dyn Rules, dir: &Path, bench: &Workbench<'_>) -> Result<(Job, Manifest)> {
    let control = bench.control;
    verify::verify(&subject(base)?, dir, Extent::Files, bench.free(), control.stop, &engine::Silent)?;
    let job = Job::open(dir)?;
    let manifest = job.manifest()?;
    Ok((job, manifest))
}

/// Lets the progress of a job through, and keeps its levels to itself.
struct QuietObserver<'a>(&'a dyn Observer);

impl Observer for QuietObserver<'_> {
    fn note(&self, sentence: &str) {
        self.0.note(sentence);
    }

    fn tick(&self, pulse: &Pulse) {
        self.0.tick(pulse);
    }
}

/// A job that is ready to be descended.
struct Ladder<'p, I> {
    /// The puzzle whose states are solved.
    puzzle: &'p dyn Rules,
    /// The puzzle that numbers them, if it is another one.
    other: Option<Box<dyn Rules>>,
    levels: OpenLevels<I>,
}

impl<'p, I: Index> Ladder<'p, I> {
    fn new(
        puzzle: &'p dyn Rules,
        other: Option<Box<dyn Rules>>,
        found: (Job, Manifest),
        bench: &Workbench<'_>,
    ) -> Result<Self> {
        let levels = OpenLevels::new(other.as_deref().unwrap_or(puzzle), found, bench)?;
        Ok(Ladder { puzzle, other, levels })
    }

    fn base(&self) -> &dyn Rules {
        self.other.as_deref().unwrap_or(self.puzzle)
    }

    fn index(&self, state: &State) -> Option<I> {
        self.base().index_of(state).map(I::narrow)
    }
}

impl<I: Index> ReadySolver for Ladder<'_, I> {
    fn attempt(&self, state: &State, effort: &Effort<'_>) -> Result<Attempt> {
        let level = match self.index(state) {
            Some(index) => {
                // It is asked before each level that is looked into.
                let is_over = || {
                    effort.visit(1);
                    effort.is_spent()
                };
                self.levels.level_of(index, &is_over)?
            }
            None => None,
        };
        let Some(distance) = level else {
            if effort.is_spent() {
                return Ok(Attempt { cut_short: true, ..Attempt::default() });
            }
            if self.levels.finished {
                return unsolvable(&format!(
                    "no level of the finished enumeration of {} contains it",
                    self.base().text()
                ));
            }
            // It lies beyond the levels that are there.
            return Ok(Attempt { bound: self.levels.len(), ..Attempt::default() });
        };
        let mut moves = Vec::new();
        let mut state = state.clone();
        for level in (0..distance).rev() {
            if effort.is_spent() {
                return Ok(Attempt { moves: None, bound: distance, cut_short: true });
            }
            let mut step = None;
            for mv in self.puzzle.moves(&state) {
                let after = self.puzzle.apply(&state, mv);
                effort.visit(1);
                if let Some(index) = self.index(&after)
                    && self.levels.holds(level, index)?
                {
                    step = Some((mv, after));
                    break;
                }
            }
            let Some((mv, after)) = step else {
                let fact = format!(
                    "the job in {} is wrong: a state of level {} has no move to level {level}",
                    self.levels.dir.display(),
                    level + 1
                );
                return Err(Error::verification(fact).in_job(&self.levels.dir));
            };
            moves.push(mv);
            state = after;
        }
        Ok(Attempt { moves: Some(moves), bound: distance, cut_short: false })
    }
}

#[cfg(test)]
mod tests;

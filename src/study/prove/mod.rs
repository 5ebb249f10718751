//! Proofs that every state of a puzzle is solved in at most N moves, without enumerating its states.
//!
//! # The argument
//! A puzzle that can be solved in two stages ([`Subgoals`]) has a base and a fibre, and for every word w
//! that solves the base of a state x, d(x) <= |w| + d(fibre state of w x). One state of each class of the
//! base is enough, by symmetry. A class at distance d needs no proof if d plus the depth of the fibre is at
//! most N. For the others the states over it are covered:
//!
//! 1. The words that solve the base come by length, shortest first. A word of length l settles all states
//!    that it carries to one within N - l in the fibre.
//! 2. A state of which another view is nearer is left to the class of that view.
//! 3. If words of a length settle everything that shorter ones left, the class is *closed by* that length,
//!    whichever words were found first.
//! 4. What words leave that are as long as allowed is solved one by one, by the puzzle's solvers.
//!
//! # The pieces
//! | file | what it holds |
//! |---|---|
//! | `masks` | masks of places: their numbers, permutations of places |
//! | `arrangements` | labels on free places as numbers; the innermost loop |
//! | `tables` | the distances of the base and of the fibre, from their jobs |
//! | `words` | the words that solve a state of the base |
//! | `slides` | the base and its words where moves do the same in every state |
//! | `views` | whether another view of a state is nearer |
//! | `cover` | covering one class |
//! | `leftovers` | solving states one by one |
//! | `record` | the certificate, which is also the journal |
//! | `check` | checking a certificate, without any of the code above |
//! | `estimate` | what a proof would take |
//!
//! # What it takes
//! The table of all arrangements is in memory: 4.7 million with three colours of 6x6 Wrapslide.
//! Classes are covered in blocks; a stop loses the blocks under way.

mod arrangements;
pub mod check;
mod cover;
mod estimate;
mod leftovers;
mod masks;
pub mod record;
mod slides;
mod tables;
mod views;
mod words;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

pub use estimate::{LevelEstimate, estimate};

use crate::engine::budget::default_memory;
use crate::engine::{Control, JOBS, Job, Manifest, cores};
use crate::error::{Error, Instead, Result, WorkKind};
use crate::puzzle::{Rules, State, Subgoals, Workbench, job_name, join_names};
use crate::puzzles::registry;
use crate::solve::descent::finished_job;
use crate::store::Lock;
use crate::store::disk::{Disk, exists};
use crate::store::level_set::BLOCK;
use crate::store::sealed;
use crate::study::{StudyOptions, resumable};
use cover::{CodeLists, Cover, Covered};
use leftovers::{Fate, Leftovers};
use record::{ClassBlock, FILE, JobDigest, ONE_BY_ONE, ProofRecord, SolvedState};
use slides::SlideBase;
use tables::{Distances, FibreTable};

/// Blocks that are done are saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// The longest words that can be written with one digit.
pub const LONGEST: u32 = 9;
/// No more states of one class are solved one by one.
const MOST_LEFT: usize = 20_000;

/// What is to be proven.
pub struct ProofPlan<'a> {
    /// The puzzle.
    pub puzzle: &'a dyn Rules,
    /// Every state of it is solved in at most this many moves.
    pub at_most: u32,
    /// Words are at most this much longer than the shortest.
    pub longer: u32,
}

/// Where a proof is unless the user says otherwise.
pub fn default_dir(puzzle: &dyn Rules, at_most: u32) -> PathBuf {
    Path::new(JOBS).join(format!("{}-at-most-{at_most}", job_name(puzzle)))
}

/// Deletes the proof in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !exists(&dir.join(FILE))? {
        return Ok(());
    }
    let _lock = Lock::take(dir)?;
    Disk::new(None, 0).remove(&dir.join(FILE))
}

/// What a proof is made with.
struct Stages<'a> {
    subgoals: &'a dyn Subgoals,
    base: Distances,
    slides: Option<SlideBase>,
    base_job: (Job, Manifest),
    fibre: FibreTable,
    /// What is proven, with nothing done.
    fresh: ProofRecord,
    /// Bytes that are left for lists and solvers.
    memory: u64,
}

impl<'a> Stages<'a> {
    fn new(plan: &ProofPlan<'a>, options: &StudyOptions, control: Control<'_>) -> Result<Stages<'a>> {
        let puzzle = plan.puzzle;
        let subgoals = puzzle.capabilities().subgoals.ok_or_else(|| without_subgoals(puzzle))?;
        let mut memory = options.memory.unwrap_or_else(default_memory);
        let threads = options.threads.unwrap_or_else(cores);
        let bench = Workbench::new(options.cache.clone(), memory, threads, control);
        let (base, fibre) = (registry::parse(&subgoals.base())?, registry::parse(&subgoals.fibre())?);
        let base_job = finished_job(&*base, &bench)?;
        let fibre_job = finished_job(&*fibre, &bench)?;
        let digest = |puzzle: &dyn Rules, (_, manifest): &(Job, Manifest)| {
            JobDigest::of(puzzle.text(), puzzle.index_scheme(), manifest)
        };
        let fresh = ProofRecord::new(
            puzzle.text(),
            plan.at_most,
            plan.longer,
            digest(&*base, &base_job),
            digest(&*fibre, &fibre_job),
        );
        if fresh.base.last() > plan.at_most {
            return Err(Error::verification(format!(
                "{} needs at least {} moves for some state, because {} does",
                puzzle.text(),
                fresh.base.last(),
                base.text()
            )));
        }
        let base = Distances::read(base, (&base_job.0, &base_job.1), memory, control)?;
        memory -= base.memory();
        let fibre = Distances::read(fibre, (&fibre_job.0, &fibre_job.1), memory, control)?;
        let solved = solved_states(&base, &base_job)?;
        let slides = match solved.first() {
            Some(start)
                if SlideBase::memory_for(subgoals, start).is_some_and(|needed| needed <= memory / 2) =>
            {
                SlideBase::new(subgoals, &base, (&base_job.0, &base_job.1), start, control)?
            }
            _ => None,
        };
        memory -= slides.as_ref().map_or(0, SlideBase::memory);
        let fibre = FibreTable::new(subgoals, &solved, &fibre, memory, control)?;
        memory = memory.saturating_sub(fibre.memory());
        Ok(Stages { subgoals, base, slides, base_job, fibre, fresh, memory })
    }

    fn cover(&self) -> Cover<'_> {
        let ProofRecord { at_most, longer, .. } = self.fresh;
        let (base, slides) = (&self.base, self.slides.as_ref());
        Cover { subgoals: self.subgoals, base, slides, fibre: &self.fibre, at_most, longer }
    }

    /// The states of a block of classes.
    fn states(&self, block: ClassBlock) -> Result<Vec<State>> {
        let (job, manifest) = &self.base_job;
        let record = manifest.levels.get(block.level as usize);
        let record = record.ok_or_else(|| Error::verification("a level of the base is missing"))?;
        let set = job.open_level::<u64>(record)?;
        // All blocks of a set are full but the last.
        let end = block.start + u128::from(block.classes);
        let per_block = BLOCK as u128;
        let (first, last) = (block.start / per_block, end.div_ceil(per_block));
        let mut indices = Vec::new();
        for number in first..last.min(set.blocks() as u128) {
            set.block(number as usize, &mut indices)?;
        }
        let skipped = (block.start - first * per_block) as usize;
        let indices = indices.get(skipped..skipped + block.classes as usize).unwrap_or_default();
        let states: Option<Vec<State>> =
            indices.iter().map(|&index| self.base.puzzle.state_of(index.into())).collect();
        let states = states.filter(|states| states.len() as u64 == block.classes);
        states.ok_or_else(|| Error::verification("a class of the base has no state"))
    }

    /// Threads that memory is enough for: each may have two lists of all arrangements.
    fn threads(&self, options: &StudyOptions) -> usize {
        let each = 8 * self.fibre.arrangements.count() as u64 + (1 << 20);
        let room = usize::try_from(self.memory / each).unwrap_or(usize::MAX);
        options.threads.unwrap_or_else(cores).min(room).max(1)
    }
}

/// The error of a puzzle that is not solved in two stages.
fn without_subgoals(puzzle: &dyn Rules) -> Error {
    Error::Misdirected {
        fact: format!("{} has no subgoal to solve first, and a proof argues with one", puzzle.text()),
        instead: Instead::Staged(puzzle.text()),
    }
}

/// The solved states of the base that the job has: one of each class.
fn solved_states(base: &Distances, (job, manifest): &(Job, Manifest)) -> Result<Vec<State>> {
    let Some(record) = manifest.levels.first() else {
        return Ok(Vec::new());
    };
    let set = job.open_level::<u64>(record)?;
    let mut indices = Vec::new();
    for block in 0..set.blocks() {
        set.block(block, &mut indices)?;
    }
    Ok(indices.iter().filter_map(|&index| base.puzzle.state_of(index.into())).collect())
}

/// Proves what is planned, with what is done kept in `dir`: the certificate.
pub fn prove(
    plan: &ProofPlan<'_>,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<ProofRecord> {
    let stages = Stages::new(plan, options, control)?;
    resumable::refuse_foreign(dir, WorkKind::Proof, &["lock", FILE, "proof.json.part"])?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let _lock = Lock::take(dir)?;
    let record = match ProofRecord::read(dir)? {
        Some(stored) if stored.same(&stages.fresh) => stored,
        Some(stored) if stored.about() == stages.fresh.about() => {
            let of = "jobs with other levels".into();
            return Err(resumable::another(dir, WorkKind::Proof, of, stages.fresh.about()));
        }
        Some(stored) => {
            return Err(resumable::another(dir, WorkKind::Proof, stored.about(), stages.fresh.about()));
        }
        None => stages.fresh.clone(),
    };
    let solvers = leftovers::solvers(plan.puzzle);
    let journal = ProofJournal {
        path: dir.join(FILE),
        disk,
        control,
        blocks: record.blocks(),
        saved: Mutex::new((record, Instant::now())),
    };
    let left: Vec<u64> = {
        let saved = journal.saved();
        (0..journal.blocks.len() as u64).filter(|block| !saved.0.closings.contains_key(block)).collect()
    };
    let leftovers = Leftovers::new(plan.puzzle, &solvers, options, stages.memory, control);
    let work = |number: u64| {
        let number = left[number as usize];
        match settle(plan, &stages, &leftovers, journal.blocks[number as usize], control)? {
            Some(settled) => journal.add(number, settled),
            None => Ok(()),
        }
    };
    let threads = stages.threads(options);
    let result = resumable::for_each_part(left.len() as u64, threads, control, work);
    // Whatever happened, what is done is saved first.
    journal.save(true)?;
    result?;
    let record = journal.saved().0.clone();
    let (done, all) = (record.closings.len() as u64, journal.blocks.len() as u64);
    if done < all {
        return Err(resumable::interrupted(dir, WorkKind::Proof, done, all));
    }
    let open: usize = record.open.values().map(Vec::len).sum();
    if open > 0 {
        return Err(Error::limit(format!(
            "nothing is proven: of {open} states no solver found a solution of at most {} moves. {} lists them \
             under `open`; the first is {}",
            plan.at_most,
            dir.join(FILE).display(),
            record.open.values().flatten().next().map_or("", String::as_str)
        )));
    }
    Ok(record)
}

/// What became of a block of classes.
struct Settled {
    letters: String,
    solved: Vec<SolvedState>,
    open: Vec<String>,
}

/// Settles a block of classes; `None` if the user wants to stop.
fn settle(
    plan: &ProofPlan<'_>,
    stages: &Stages<'_>,
    leftovers: &Leftovers<'_>,
    block: ClassBlock,
    control: Control<'_>,
) -> Result<Option<Settled>> {
    let (cover, mut lists) = (stages.cover(), CodeLists::default());
    let mut settled = Settled { letters: String::new(), solved: Vec::new(), open: Vec::new() };
    for (class, start) in (0..).zip(stages.states(block)?) {
        let left = match cover.class(&start, block.level, &mut lists, control)? {
            Covered::Stopped => return Ok(None),
            Covered::By(length) => {
                settled.letters.push(char::from(b'0' + (length - block.level) as u8));
                continue;
            }
            Covered::Except(left) => left,
        };
        if left.len() > MOST_LEFT {
            return Err(Error::limit(format!(
                "words of up to {} moves leave {} states over {} of {}, too many to solve one by one; allow \
                 longer words, or prove a larger bound",
                (block.level + plan.longer).min(plan.at_most),
                left.len(),
                stages.base.puzzle.print_state(&start),
                stages.base.puzzle.text()
            )));
        }
        settled.letters.push(char::from(ONE_BY_ONE));
        for state in left {
            let text = plan.puzzle.print_state(&state);
            match leftovers.solve(&state, plan.at_most)? {
                Fate::Solved(moves) => {
                    let names = plan.puzzle.name_moves(&text, &state, &moves);
                    settled.solved.push(SolvedState { class, state: text, solution: join_names(&names) });
                }
                Fate::Open => settled.open.push(text),
                Fate::Refuted(bound) => {
                    return Err(Error::verification(format!(
                        "not every state of {} is solved in at most {} moves: {text} needs at least {bound}",
                        plan.puzzle.text(),
                        plan.at_most
                    )));
                }
            }
        }
    }
    Ok(Some(settled))
}

/// A proof under way.
struct ProofJournal<'a> {
    path: PathBuf,
    disk: Disk,
    control: Control<'a>,
    blocks: Vec<ClassBlock>,
    /// What is done, and when that was saved last.
    saved: Mutex<(ProofRecord, Instant)>,
}

impl ProofJournal<'_> {
    fn saved(&self) -> std::sync::MutexGuard<'_, (ProofRecord, Instant)> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, block: u64, settled: Settled) -> Result<()> {
        let mut saved = self.saved();
        let record = &mut saved.0;
        record.closings.insert(block, settled.letters);
        if !settled.solved.is_empty() {
            record.one_by_one.insert(block, settled.solved);
        }
        if !settled.open.is_empty() {
            record.open.insert(block, settled.open);
        }
        let (done, all) = (record.closings.len() as u64, self.blocks.len() as u64);
        drop(saved);
        self.control.observer.counted("covering blocks of classes", done, all);
        self.save(false)
    }

    fn save(&self, now: bool) -> Result<()> {
        let mut saved = self.saved();
        if now || saved.1.elapsed() >= SAVE_EVERY {
            self.disk.replace(&self.path, &sealed::seal(&saved.0)?.0)?;
            saved.1 = Instant::now();
        }
        Ok(())
    }
}

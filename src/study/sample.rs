//! Samples: many random instances of a puzzle, solved in parallel.
//!
//! Instance i of a seed is what [`Scrambling::instance`] makes of stream i of
//! that seed, for every caller, so a sample can be continued, enlarged and repeated. Its results are in a
//! directory of its own, in two files:
//!
//! - `sample.json` says what is sampled, has the checksum of the rows, and is sealed with its own;
//! - `sample.csv` is the journal: one row for each instance, in order, appended to and synced every few
//!   seconds (`journal`). Results that come out of order are held back until their turn.
//!
//! A sample that was stopped or killed continues after the last complete row. Existing rows are
//! checked: each state must be the one that the seed gives, and its moves must solve
//! it by the rules.
//!
//! Solvers have deterministic effort, so the same seed gives the same rows but for their seconds,
//! whatever the number of threads. A limit on time is only a cap, and rows that met it say so.

mod journal;
mod lengths;
mod summary;
mod workers;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{Control, JOBS};
use crate::error::{Error, Repair, Result, WorkKind};
use crate::puzzle::{Instance, Rules, Scrambling, State, job_name};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::choose;
use crate::store::Lock;
use crate::store::disk::{Disk, exists};
use crate::store::sealed::{self, FORMAT};
use crate::study::{StudyOptions, resumable};
use crate::text::file_name;
use journal::{CheckedJournal, Journal, JournalSeal};
pub use journal::{HEADING, Optimality, SampleRow};
pub(crate) use lengths::read_whole;
pub use lengths::{Glance, Lengths, glance};
pub use summary::SUMMARY;
use workers::fill;

/// The file that says what is sampled.
const ABOUT: &str = "sample.json";
/// The journal.
const ROWS: &str = "sample.csv";

/// What is sampled.
pub struct SamplePlan<'a> {
    /// The puzzle whose instances are solved.
    pub puzzle: &'a dyn Rules,
    /// The solver, as the user names it; `None`: the default.
    pub solver: Option<&'a str>,
    /// How the instances are chosen.
    pub scramble: Scrambling,
    /// What chooses them.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// The most time for one of them.
    pub time: Option<Duration>,
}

/// A finished sample.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The solver, with its strength.
    pub solver: String,
    /// How the states were chosen.
    pub scramble: Scrambling,
    /// One row for each instance.
    pub rows: Vec<SampleRow>,
}

/// `sample.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleHeader {
    format: u32,
    puzzle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    solver: String,
    seed: u64,
    /// How the states are chosen, if not uniformly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scramble: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_millis: Option<u64>,
    /// What vouches for the journal; older versions had nothing of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journal: Option<JournalSeal>,
}

impl SampleHeader {
    /// Reads that of the sample in `dir`; `None` if it does not exist.
    fn read(dir: &Path) -> Result<Option<Self>> {
        let path = dir.join(ABOUT);
        let header = exists(&path)?.then(|| sealed::unseal(&path)).transpose()?;
        Ok(header.map(|(header, _)| header))
    }
}

impl std::fmt::Display for SampleHeader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let SampleHeader { puzzle, solver, seed, .. } = self;
        write!(f, "{puzzle} by {solver} with seed {seed}")?;
        if let Some(scramble) = &self.scramble {
            write!(f, ", states by {scramble}")?;
        }
        match self.time_millis {
            Some(millis) => write!(f, " and a time limit of {} s", millis as f64 / 1000.0),
            None => write!(f, " without a time limit"),
        }
    }
}

/// Where a sample is: the directory that the user chose, or one in `runs/`.
pub fn directory(plan: &SamplePlan<'_>, chosen: Option<&Path>) -> Result<PathBuf> {
    if let Some(chosen) = chosen {
        return Ok(chosen.to_owned());
    }
    let solver = choose(plan.puzzle, plan.solver)?.name();
    let name = job_name(plan.puzzle);
    let solver = file_name(&solver);
    let walk = plan.scramble.suffix();
    Ok(Path::new(JOBS).join(format!("{name}-sample-{solver}{walk}-{}", plan.seed)))
}

/// How far a sample is.
#[derive(Clone, Debug)]
pub struct SampleProgress {
    /// What is sampled, in words.
    pub about: String,
    /// Instances that are done and written.
    pub done: u64,
}

/// How far the sample in `dir` is; `None` if it does not exist.
pub fn progress(dir: &Path) -> Result<Option<SampleProgress>> {
    let Some(about) = SampleHeader::read(dir)? else {
        return Ok(None);
    };
    let rows = std::fs::read(dir.join(ROWS)).unwrap_or_default();
    let lines = rows.iter().filter(|&&byte| byte == b'\n').count() as u64;
    Ok(Some(SampleProgress { about: about.to_string(), done: lines.saturating_sub(1) }))
}

/// Deletes the sample in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !exists(dir)? {
        return Ok(());
    }
    refuse_foreign(dir)?;
    resumable::remove_files(&Disk::new(None, 0), dir, Lock::take(dir)?, &[ABOUT, ROWS])
}

fn refuse_foreign(dir: &Path) -> Result<()> {
    resumable::refuse_foreign(dir, WorkKind::Sample, &["lock", ABOUT, ROWS, "sample.json.part"])
}

/// Something to solve, as the seed gives it.
struct SampleInstance {
    /// Another puzzle than the one that is sampled, where puzzles are random.
    puzzle: Option<Box<dyn Rules>>,
    state: State,
    /// The state, or the puzzle, as text.
    text: String,
}

impl SampleInstance {
    fn new(plan: &SamplePlan<'_>, number: u64) -> Result<SampleInstance> {
        match plan.scramble.instance(plan.puzzle, &mut Random::instance(plan.seed, number))? {
            Instance::State(state) => {
                Ok(SampleInstance { text: plan.puzzle.print_state(&state), puzzle: None, state })
            }
            Instance::Puzzle(puzzle) => Ok(SampleInstance {
                text: puzzle.text(),
                state: puzzle.start().ok_or_else(|| {
                    Error::Usage(format!("{} has no start to solve it from", puzzle.text()))
                })?,
                puzzle: Some(puzzle),
            }),
        }
    }

    /// The puzzle that the state belongs to.
    fn puzzle<'a>(&'a self, plan: &SamplePlan<'a>) -> &'a dyn Rules {
        self.puzzle.as_deref().unwrap_or(plan.puzzle)
    }
}

/// Takes a sample, or continues it, in the directory `dir`.
pub fn sample(
    plan: &SamplePlan<'_>,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<Sampled> {
    let choice = choose(plan.puzzle, plan.solver)?;
    // Nothing is made for a sample that could not start.
    SampleInstance::new(plan, 1)?;
    refuse_foreign(dir)?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let lock = Lock::take(dir)?;
    let about = SampleHeader {
        format: FORMAT,
        puzzle: plan.puzzle.text(),
        content: plan.puzzle.content().map(|hash| format!("{hash:016x}")),
        solver: choice.full_name(),
        seed: plan.seed,
        scramble: Some(plan.scramble).filter(|&way| way != Scrambling::Uniform).map(|way| way.to_string()),
        time_millis: plan.time.map(|time| time.as_millis() as u64),
        journal: Some(JournalSeal::default()),
    };
    let about = identify(&disk, dir, about)?;
    let mut journal = Journal::open(&disk, dir, about, plan)?;
    let result = fill(plan, &choice, &mut journal, options, control);
    // Whatever happened, what is done is kept.
    journal.close()?;
    let mut rows = journal.rows;
    if rows.is_empty() {
        resumable::remove_files(&disk, dir, lock, &[ABOUT, ROWS])?;
    }
    let done = rows.len() as u64;
    match result {
        Err(error) if !matches!(error, Error::Interrupted(_)) => return Err(error),
        _ if done >= plan.count => {}
        _ => {
            return Err(match done {
                0 => Error::interrupted("stopped before the first instance was solved"),
                _ => resumable::interrupted(dir, WorkKind::Sample, done, plan.count),
            });
        }
    }
    rows.truncate(usize::try_from(plan.count).unwrap_or(usize::MAX));
    Ok(Sampled { solver: choice.full_name(), scramble: plan.scramble, rows })
}

/// Stores what is sampled, or checks it against what is stored; returns what is stored.
fn identify(disk: &Disk, dir: &Path, about: SampleHeader) -> Result<SampleHeader> {
    if let Some(stored) = SampleHeader::read(dir)? {
        let about = SampleHeader { journal: stored.journal.clone(), ..about };
        if stored == about {
            return Ok(stored);
        }
        let held = match stored.puzzle == about.puzzle && stored.content != about.content {
            true => "what its file held before it was changed".into(),
            false => stored.to_string(),
        };
        return Err(resumable::another(dir, WorkKind::Sample, held, about.to_string()));
    }
    refuse_orphans(dir)?;
    disk.replace(&dir.join(ABOUT), &sealed::seal(&about)?.0)?;
    Ok(about)
}

/// Refuses rows without a header that says what they are.
fn refuse_orphans(dir: &Path) -> Result<()> {
    match exists(&dir.join(ROWS))? && !exists(&dir.join(ABOUT))? {
        false => Ok(()),
        true => Err(Error::damaged(
            &dir.join(ABOUT),
            "the file is missing, but there are rows beside it",
            Repair::Restore,
        )),
    }
}

/// What a check of a sample found.
#[derive(Clone, Debug)]
pub struct SampleCheck {
    /// What is sampled, in words.
    pub about: String,
    /// Rows that exist and are intact.
    pub rows: u64,
    /// What could not be checked, in sentences.
    pub left_out: Vec<String>,
}

/// Checks the sample in `dir`: its checksums, and every row against the seed and the rules; `None` if
/// there is none.
pub fn check(dir: &Path) -> Result<Option<SampleCheck>> {
    refuse_orphans(dir)?;
    let path = dir.join(ABOUT);
    if !exists(&path)? {
        return Ok(None);
    }
    let _unchanged = Lock::share(dir)?;
    let (about, _): (SampleHeader, _) = sealed::unseal(&path)?;
    let puzzle = registry::parse(&about.puzzle)?;
    if puzzle.content().map(|hash| format!("{hash:016x}")) != about.content {
        return Err(Error::damaged(
            &path,
            format!("the file that {} names was changed since", about.puzzle),
            Repair::PuzzleFile,
        ));
    }
    let scramble = match about.scramble.as_deref().map(str::parse).transpose() {
        Ok(way) => way.unwrap_or_default(),
        Err(_) => {
            let what = "it does not say how its states are chosen in a way that this version knows";
            return Err(Error::damaged(&path, what, Repair::OtherVersion));
        }
    };
    let plan =
        SamplePlan { puzzle: &*puzzle, solver: None, scramble, seed: about.seed, count: 0, time: None };
    let journal = CheckedJournal::read(&dir.join(ROWS), about.journal.as_ref(), &plan)?;
    let mut left_out = vec!["whether solutions marked as optimal are optimal".into()];
    if about.journal.is_none() {
        left_out.push(
            "the columns `optimal` and `seconds`: these rows have no checksum yet; continuing \
             the sample adds it"
                .into(),
        );
    }
    if journal.unwritten() > 0 {
        left_out.push(format!(
            "the last {} bytes of {ROWS}: they are missing there and still in {ABOUT}, from which \
             continuing the sample writes them",
            journal.unwritten()
        ));
    }
    Ok(Some(SampleCheck { about: about.to_string(), rows: journal.rows.len() as u64, left_out }))
}

#[cfg(test)]
mod tests;

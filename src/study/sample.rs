//! Samples: many random instances of a puzzle, solved in parallel.
//!
//! Instance i of a seed is what [`Puzzle::scramble`] makes of stream i of
//! that seed, whoever asks, so a sample can be continued, enlarged and repeated. Its results are in a
//! directory of its own, in two files:
//!
//! - `sample.json` says what is sampled, has the checksum of the rows, and is sealed with its own;
//! - `sample.csv` is the journal: one row for each instance, in order, appended to and synced every few
//!   seconds (`journal`). Results that come out of order are held back until their turn.
//!
//! A sample that was stopped or killed goes on behind the last whole row. The rows that are there are
//! not believed but checked: each state must be the one that the seed gives, and its moves must solve
//! it by the rules.
//!
//! Solvers have deterministic effort, so the same seed gives the same rows but for their seconds,
//! whatever the number of threads. A limit on time is only a cap, and rows that met it say so.

mod crew;
mod journal;
mod lengths;
mod summary;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::engine::{Control, JOBS};
use crate::error::{Error, Result, usage};
use crate::puzzle::job_name;
use crate::puzzle::{Instance, Puzzle, State};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::choose;
use crate::store::Lock;
use crate::store::disk::Disk;
use crate::store::files::{self, Files};
use crate::store::sealed;
use crate::store::sealed::FORMAT;
use crate::study::parts;
use crate::text::file_name;
use crate::text::quoted;
use crew::fill;
pub use journal::{HEADING, Proof, Row};
use journal::{Journal, Journaled, Seal};
pub(crate) use lengths::read_whole;
pub use lengths::{Glance, Lengths, glance};
pub use summary::SUMMARY;

/// The file that says what is sampled.
const ABOUT: &str = "sample.json";
/// The journal.
const ROWS: &str = "sample.csv";

/// What is sampled.
pub struct Plan<'a> {
    /// The puzzle whose instances are solved.
    pub puzzle: &'a dyn Puzzle,
    /// The solver, as the user names it; `None`: the default.
    pub solver: Option<&'a str>,
    /// What chooses the instances.
    pub seed: u64,
    /// How many.
    pub count: u64,
    /// The most time for one of them.
    pub time: Option<Duration>,
}

/// What the user allows. All of it may change from one run to the next.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of memory; `None`: three quarters of what is free.
    pub memory: Option<u64>,
    /// Threads; `None`: one for every core. Fewer are used if memory is not enough for so many.
    pub threads: Option<usize>,
    /// Where solvers keep their tables, if there is a place.
    pub cache: Option<PathBuf>,
    /// Changes files.
    pub files: Arc<dyn Files>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            memory: None,
            threads: None,
            cache: None,
            files: files::system(),
        }
    }
}

/// A finished sample.
#[derive(Clone, Debug)]
pub struct Sampled {
    /// The solver, with its strength.
    pub solver: String,
    /// One row for each instance.
    pub rows: Vec<Row>,
}

/// `sample.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    format: u32,
    puzzle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    solver: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_millis: Option<u64>,
    /// What vouches for the journal; older versions had nothing of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journal: Option<Seal>,
}

impl std::fmt::Display for About {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let About {
            puzzle,
            solver,
            seed,
            ..
        } = self;
        write!(f, "{puzzle} by {solver} with seed {seed}")?;
        match self.time_millis {
            Some(millis) => write!(f, " and a time limit of {} s", millis as f64 / 1000.0),
            None => write!(f, " without a time limit"),
        }
    }
}

/// Where a sample is unless the user says otherwise.
pub fn default_dir(plan: &Plan<'_>) -> Result<PathBuf> {
    let solver = choose(plan.puzzle, plan.solver)?.name();
    let name = job_name(plan.puzzle);
    let solver = file_name(&solver);
    Ok(Path::new(JOBS).join(format!("{name}-sample-{solver}-{}", plan.seed)))
}

/// How far a sample is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is sampled, in words.
    pub about: String,
    /// Instances that are done and written.
    pub done: u64,
}

/// How far the sample in `dir` is; `None` if there is none.
pub fn progress(dir: &Path) -> Result<Option<Progress>> {
    let path = dir.join(ABOUT);
    if !path.exists() {
        return Ok(None);
    }
    let (about, _): (About, _) = sealed::unseal(&path)?;
    let rows = std::fs::read(dir.join(ROWS)).unwrap_or_default();
    let lines = rows.iter().filter(|&&byte| byte == b'\n').count() as u64;
    Ok(Some(Progress {
        about: about.to_string(),
        done: lines.saturating_sub(1),
    }))
}

/// Deletes the sample in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !dir.exists() {
        return Ok(());
    }
    refuse_foreign(dir)?;
    parts::vacate(&Disk::new(None, 0), dir, Lock::take(dir)?, &[ABOUT, ROWS])
}

fn refuse_foreign(dir: &Path) -> Result<()> {
    parts::refuse_foreign(dir, "a sample", &["lock", ABOUT, ROWS, "sample.json.part"])
}

/// Something to solve, as the seed gives it.
struct Item {
    /// Another puzzle than the one that is sampled, where puzzles are random.
    puzzle: Option<Box<dyn Puzzle>>,
    state: State,
    /// The state, or the puzzle, as text.
    text: String,
}

impl Item {
    fn new(plan: &Plan<'_>, number: u64) -> Result<Item> {
        match plan
            .puzzle
            .scramble(&mut Random::instance(plan.seed, number))?
        {
            Instance::State(state) => Ok(Item {
                text: plan.puzzle.print_state(&state),
                puzzle: None,
                state,
            }),
            Instance::Puzzle(puzzle) => Ok(Item {
                text: puzzle.text(),
                state: puzzle.start().ok_or_else(|| {
                    Error::Usage(format!("{} has no start to solve it from", puzzle.text()))
                })?,
                puzzle: Some(puzzle),
            }),
        }
    }

    /// The puzzle that the state belongs to.
    fn puzzle<'a>(&'a self, plan: &Plan<'a>) -> &'a dyn Puzzle {
        self.puzzle.as_deref().unwrap_or(plan.puzzle)
    }
}

/// Takes a sample, or goes on with it, in the directory `dir`.
pub fn sample(
    plan: &Plan<'_>,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Sampled> {
    let choice = choose(plan.puzzle, plan.solver)?;
    // Nothing is made for a sample that could not start.
    Item::new(plan, 1)?;
    refuse_foreign(dir)?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let lock = Lock::take(dir)?;
    let about = About {
        format: FORMAT,
        puzzle: plan.puzzle.text(),
        content: plan.puzzle.content().map(|hash| format!("{hash:016x}")),
        solver: choice.full_name(),
        seed: plan.seed,
        time_millis: plan.time.map(|time| time.as_millis() as u64),
        journal: Some(Seal::default()),
    };
    let about = identify(&disk, dir, about)?;
    let mut journal = Journal::open(&disk, dir, about, plan)?;
    let result = fill(plan, &choice, &mut journal, options, control);
    // Whatever happened, what is done is kept.
    journal.close()?;
    let mut rows = journal.rows;
    if rows.is_empty() {
        parts::vacate(&disk, dir, lock, &[ABOUT, ROWS])?;
    }
    let done = rows.len() as u64;
    match result {
        Err(error) if !matches!(error, Error::Interrupted(_)) => return Err(error),
        _ if done >= plan.count => {}
        _ => {
            return Err(Error::Interrupted(match done {
                0 => "stopped before the first instance was solved".into(),
                _ => format!(
                    "stopped with {done} of {} instances done; go on with the same command (they \
                     are in {})",
                    plan.count,
                    quoted(dir)
                ),
            }));
        }
    }
    rows.truncate(usize::try_from(plan.count).unwrap_or(usize::MAX));
    Ok(Sampled {
        solver: choice.full_name(),
        rows,
    })
}

/// Writes down what is sampled, or holds it to what is written; returns what is.
fn identify(disk: &Disk, dir: &Path, about: About) -> Result<About> {
    let path = dir.join(ABOUT);
    if path.exists() {
        let (stored, _): (About, _) = sealed::unseal(&path)?;
        let about = About {
            journal: stored.journal.clone(),
            ..about
        };
        if stored == about {
            return Ok(stored);
        }
        let what = match stored.puzzle == about.puzzle && stored.content != about.content {
            true => "what its file held before it was changed".into(),
            false => stored.to_string(),
        };
        return usage(format!(
            "{} holds another sample: {what}, not {about}; choose another directory with --dir, or \
             replace it with --fresh",
            dir.display()
        ));
    }
    refuse_orphans(dir)?;
    disk.replace(&path, &sealed::seal(&about)?.0)?;
    Ok(about)
}

/// Refuses rows without a word about what they are.
fn refuse_orphans(dir: &Path) -> Result<()> {
    match dir.join(ROWS).exists() && !dir.join(ABOUT).exists() {
        false => Ok(()),
        true => Err(Error::damaged(
            &dir.join(ABOUT),
            "the file is missing, but there are rows beside it",
            "restore the file from a copy, or start again with --fresh",
        )),
    }
}

/// What a check of a sample found.
#[derive(Clone, Debug)]
pub struct Checked {
    /// What is sampled, in words.
    pub about: String,
    /// Rows that are there, and sound.
    pub rows: u64,
    /// What could not be checked, in sentences.
    pub left_out: Vec<String>,
}

/// Checks the sample in `dir`: its checksums, and every row against the seed and the rules; `None` if
/// there is none.
pub fn check(dir: &Path) -> Result<Option<Checked>> {
    refuse_orphans(dir)?;
    let path = dir.join(ABOUT);
    if !path.exists() {
        return Ok(None);
    }
    let _unchanged = Lock::share(dir)?;
    let (about, _): (About, _) = sealed::unseal(&path)?;
    let puzzle = registry::parse(&about.puzzle)?;
    if puzzle.content().map(|hash| format!("{hash:016x}")) != about.content {
        return Err(Error::damaged(
            &path,
            format!("the file that {} names was changed since", about.puzzle),
            "put it back as it was",
        ));
    }
    let plan = Plan {
        puzzle: &*puzzle,
        solver: None,
        seed: about.seed,
        count: 0,
        time: None,
    };
    let journal = Journaled::read(&dir.join(ROWS), about.journal.as_ref(), &plan)?;
    let mut left_out = vec!["whether solutions that are said to be shortest are".into()];
    if about.journal.is_none() {
        left_out.push(
            "the columns `optimal` and `seconds`: these rows have no checksum yet; `godnum sample` \
             adds it"
                .into(),
        );
    }
    if journal.unwritten() > 0 {
        left_out.push(format!(
            "the last {} bytes of {ROWS}: they are missing there and still in {ABOUT}, from which \
             `godnum sample` writes them",
            journal.unwritten()
        ));
    }
    Ok(Some(Checked {
        about: about.to_string(),
        rows: journal.rows.len() as u64,
        left_out,
    }))
}

#[cfg(test)]
mod tests;

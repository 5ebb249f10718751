//! Counts the solutions of a puzzle, part by part, and remembers the parts that are done.
//!
//! A puzzle says how its count falls into parts ([`Counting`](crate::puzzle::Counting)). They are counted on all threads
//! that memory is enough for; what is done is saved every few seconds and at a stop, in one sealed
//! file that is replaced in one rename. A count that was killed goes on where it was saved last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::budget::default_memory;
use crate::engine::{Control, JOBS, cores};
use crate::error::{Error, Result, usage};
use crate::puzzle::job_name;
use crate::puzzle::{CountTables, Puzzle};
use crate::puzzles::registry;
use crate::store::Lock;
use crate::store::disk::Disk;
use crate::store::files::{self, Files};
use crate::store::sealed;
use crate::store::sealed::FORMAT;
use crate::study::parts;
use crate::text::quoted;

/// Parts that are done are saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// The file in which they are.
const FILE: &str = "count.json";

/// What the user allows. All of it may change from one run to the next.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of memory; `None`: three quarters of what is free.
    pub memory: Option<u64>,
    /// Threads; `None`: one for every core, as far as memory is enough for.
    pub threads: Option<usize>,
    /// Changes files.
    pub files: Arc<dyn Files>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            memory: None,
            threads: None,
            files: files::system(),
        }
    }
}

/// What a count came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The number of solutions.
    pub solutions: u128,
    /// In how many parts they were counted.
    pub parts: usize,
    /// How long that took, over all runs.
    pub time: Duration,
}

/// `count.json`: what is counted, and the parts that are done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    format: u32,
    puzzle: String,
    index_scheme: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    parts: usize,
    millis: u64,
    /// The solutions of each part that is done, as decimal numbers.
    done: BTreeMap<usize, String>,
}

impl Record {
    fn new(puzzle: &dyn Puzzle, parts: usize) -> Self {
        Record {
            format: FORMAT,
            puzzle: puzzle.text(),
            index_scheme: puzzle.index_scheme(),
            content: puzzle.content().map(|hash| format!("{hash:016x}")),
            parts,
            millis: 0,
            done: BTreeMap::new(),
        }
    }

    /// Whether two records are of the same count.
    fn same(&self, other: &Record) -> bool {
        let about = |r: &Record| (r.puzzle.clone(), r.index_scheme, r.content.clone(), r.parts);
        about(self) == about(other)
    }

    /// The sum, if all parts are done.
    fn total(&self, path: &Path) -> Result<Option<u128>> {
        let damaged = || {
            Error::damaged(
                path,
                "a part of the count is no number",
                "start again with --fresh",
            )
        };
        let mut total = 0u128;
        for (part, solutions) in &self.done {
            let solutions: u128 = solutions.parse().map_err(|_| damaged())?;
            total = total.checked_add(solutions).ok_or_else(damaged)?;
            if *part >= self.parts {
                return Err(damaged());
            }
        }
        Ok((self.done.len() == self.parts).then_some(total))
    }
}

/// Where a puzzle's count is unless the user says otherwise.
pub fn default_dir(puzzle: &dyn Puzzle) -> PathBuf {
    Path::new(JOBS).join(format!("{}-count", job_name(puzzle)))
}

/// How far a count is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What is counted.
    pub puzzle: String,
    /// Parts that are done and saved ...
    pub done: usize,
    /// ... out of these.
    pub parts: usize,
    /// The number of solutions, once all are done.
    pub solutions: Option<u128>,
    /// Time so far.
    pub time: Duration,
}

/// How far the count in `dir` is; `None` if there is none.
pub fn progress(dir: &Path) -> Result<Option<Progress>> {
    let path = dir.join(FILE);
    if !path.exists() {
        return Ok(None);
    }
    let (record, _): (Record, _) = sealed::unseal(&path)?;
    Ok(Some(Progress {
        solutions: record.total(&path)?,
        puzzle: record.puzzle,
        done: record.done.len(),
        parts: record.parts,
        time: Duration::from_millis(record.millis),
    }))
}

/// Checks the count in `dir`: its seal, and that its parts are those of the puzzle as it is now;
/// `None` if there is none.
pub fn check(dir: &Path) -> Result<Option<Progress>> {
    let Some(progress) = progress(dir)? else {
        return Ok(None);
    };
    let _unchanged = Lock::share(dir)?;
    let path = dir.join(FILE);
    let (record, _): (Record, _) = sealed::unseal(&path)?;
    let puzzle = registry::parse(&record.puzzle)?;
    let parts = puzzle.counting().map_or(0, |counting| counting.parts());
    match record.same(&Record::new(&*puzzle, parts)) {
        true => Ok(Some(progress)),
        false => Err(Error::damaged(
            &path,
            format!(
                "it is a count of {} in {} parts, which is now another puzzle or counted otherwise",
                record.puzzle, record.parts
            ),
            "put the puzzle's file back as it was, or start again with --fresh",
        )),
    }
}

/// Deletes the count in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !dir.join(FILE).exists() {
        return Ok(());
    }
    let _lock = Lock::take(dir)?;
    Disk::new(None, 0).remove(&dir.join(FILE))
}

/// Counts the solutions of `puzzle`, with what is done kept in `dir`.
pub fn count(
    puzzle: &dyn Puzzle,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Counted> {
    let counting = puzzle.counting().ok_or_else(|| {
        Error::Usage(format!(
            "{} has no solutions to count: what can be asked is how far its states are, with \
             `godnum enumerate {0}`",
            puzzle.text()
        ))
    })?;
    let path = dir.join(FILE);
    parts::refuse_foreign(dir, "a count", &["lock", FILE, "count.json.part"])?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let lock = Lock::take(dir)?;
    let fresh = Record::new(puzzle, counting.parts());
    let record = if path.exists() {
        let (stored, _): (Record, _) = sealed::unseal(&path)?;
        if !stored.same(&fresh) {
            let what = match stored.puzzle == fresh.puzzle && stored.content != fresh.content {
                true => "what its file held before it was changed".into(),
                false => format!("{} in {} parts", stored.puzzle, stored.parts),
            };
            return usage(format!(
                "{} holds another count: of {what}; choose another directory with --dir, or \
                 replace it with --fresh",
                dir.display()
            ));
        }
        stored
    } else {
        fresh
    };
    let tally = Tally {
        path: &path,
        disk,
        control,
        before: Duration::from_millis(record.millis),
        began: Instant::now(),
        saved: Mutex::new((record, Instant::now())),
    };
    if let Some(counted) = tally.finished()? {
        return Ok(counted);
    }
    let memory = options.memory.unwrap_or_else(default_memory);
    control.observer.note("preparing the count");
    let prepared = match counting.prepare(memory, control.stop) {
        Ok(prepared) => prepared,
        Err(error) => {
            if !path.exists() {
                // Nothing is left of a count that could not start.
                parts::vacate(&tally.disk, dir, lock, &[])?;
            }
            return Err(error);
        }
    };
    let room = memory.saturating_sub(prepared.shared_bytes()) / prepared.part_bytes().max(1);
    let threads = options.threads.unwrap_or_else(cores);
    let threads = threads
        .min(usize::try_from(room).unwrap_or(usize::MAX))
        .max(1);
    tally.run(&*prepared, threads)?;
    match tally.finished()? {
        Some(counted) => Ok(counted),
        None => Err(Error::Interrupted(format!(
            "stopped with {} parts done; go on with the same command (what is done is in {})",
            tally.progress(),
            quoted(dir)
        ))),
    }
}

/// A count under way.
struct Tally<'a> {
    path: &'a Path,
    disk: Disk,
    control: Control<'a>,
    /// Time that earlier runs took.
    before: Duration,
    began: Instant,
    /// What is done, and when that was saved last.
    saved: Mutex<(Record, Instant)>,
}

impl Tally<'_> {
    /// Counts the parts that are not done yet, until the user wants to stop.
    fn run(&self, prepared: &dyn CountTables, threads: usize) -> Result<()> {
        let left: Vec<usize> = {
            let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
            let done = &saved.0.done;
            (0..saved.0.parts)
                .filter(|part| !done.contains_key(part))
                .collect()
        };
        let result = parts::each(
            left.len() as u64,
            threads,
            self.control,
            |number| match left.get(number as usize) {
                Some(&part) => self.add(part, prepared.count(part)),
                None => Ok(()),
            },
        );
        // Whatever happened, what is done is saved first.
        self.save(true)?;
        result
    }

    fn add(&self, part: usize, solutions: u128) -> Result<()> {
        {
            let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
            saved.0.done.insert(part, solutions.to_string());
        }
        let note = format!("counting: {} parts are done", self.progress());
        self.control.observer.note(&note);
        self.save(false)
    }

    fn save(&self, now: bool) -> Result<()> {
        let mut saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        if now || saved.1.elapsed() >= SAVE_EVERY {
            saved.0.millis = (self.before + self.began.elapsed()).as_millis() as u64;
            self.disk.replace(self.path, &sealed::seal(&saved.0)?.0)?;
            saved.1 = Instant::now();
        }
        Ok(())
    }

    fn progress(&self) -> String {
        let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        format!("{} of {}", saved.0.done.len(), saved.0.parts)
    }

    fn finished(&self) -> Result<Option<Counted>> {
        let saved = self.saved.lock().unwrap_or_else(PoisonError::into_inner);
        let total = saved.0.total(self.path)?;
        Ok(total.map(|solutions| Counted {
            solutions,
            parts: saved.0.parts,
            time: Duration::from_millis(saved.0.millis),
        }))
    }
}

//! Counts the solutions of a puzzle, part by part, and remembers the parts that are done.
//!
//! A puzzle says how its count falls into parts ([`Counting`](crate::puzzle::Counting)). They are counted on all threads
//! that memory is enough for; what is done is saved every few seconds and at a stop, in one sealed
//! file that is replaced in one rename. A count that was killed resumes from what was saved last.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::budget::default_memory;
use crate::engine::{Control, JOBS, cores};
use crate::error::{Error, Instead, Repair, Result, WorkKind};
use crate::puzzle::{CountTables, Rules, job_name};
use crate::puzzles::registry;
use crate::store::Lock;
use crate::store::disk::{Disk, exists};
use crate::store::sealed::{self, FORMAT};
use crate::study::{StudyOptions, resumable};

/// Parts that are done are saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// The file in which they are.
const FILE: &str = "count.json";

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
struct CountRecord {
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

impl CountRecord {
    fn new(puzzle: &dyn Rules, parts: usize) -> Self {
        CountRecord {
            format: FORMAT,
            puzzle: puzzle.text(),
            index_scheme: puzzle.index_scheme(),
            content: puzzle.content().map(|hash| format!("{hash:016x}")),
            parts,
            millis: 0,
            done: BTreeMap::new(),
        }
    }

    fn read(path: &Path) -> Result<Self> {
        Ok(sealed::unseal(path)?.0)
    }

    fn progress(self, path: &Path) -> Result<CountProgress> {
        Ok(CountProgress {
            solutions: self.total(path)?,
            puzzle: self.puzzle,
            done: self.done.len(),
            parts: self.parts,
            time: Duration::from_millis(self.millis),
        })
    }

    /// Whether two records are of the same count.
    fn same(&self, other: &CountRecord) -> bool {
        let about = |r: &CountRecord| (r.puzzle.clone(), r.index_scheme, r.content.clone(), r.parts);
        about(self) == about(other)
    }

    /// The sum, if all parts are done.
    fn total(&self, path: &Path) -> Result<Option<u128>> {
        let damaged = || Error::damaged(path, "a part of the count is not a number", Repair::Restore);
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
pub fn default_dir(puzzle: &dyn Rules) -> PathBuf {
    Path::new(JOBS).join(format!("{}-count", job_name(puzzle)))
}

/// How far a count is.
#[derive(Clone, Debug)]
pub struct CountProgress {
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

/// How far the count in `dir` is; `None` if it does not exist.
pub fn progress(dir: &Path) -> Result<Option<CountProgress>> {
    let path = dir.join(FILE);
    let record = exists(&path)?.then(|| CountRecord::read(&path)).transpose()?;
    record.map(|record| record.progress(&path)).transpose()
}

/// Checks the count in `dir`: its seal, and that its parts are those of the puzzle as it is now;
/// `None` if it does not exist.
pub fn check(dir: &Path) -> Result<Option<CountProgress>> {
    let path = dir.join(FILE);
    if !exists(&path)? {
        return Ok(None);
    }
    let _unchanged = Lock::share(dir)?;
    let record = CountRecord::read(&path)?;
    let puzzle = registry::parse(&record.puzzle)?;
    let parts = puzzle.capabilities().counting.map_or(0, |counting| counting.parts());
    match record.same(&CountRecord::new(&*puzzle, parts)) {
        true => record.progress(&path).map(Some),
        false => Err(Error::damaged(
            &path,
            format!(
                "it is a count of {} in {} parts, which is now another puzzle or counted otherwise",
                record.puzzle, record.parts
            ),
            Repair::PuzzleFile,
        )),
    }
}

/// Deletes the count in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !exists(&dir.join(FILE))? {
        return Ok(());
    }
    let _lock = Lock::take(dir)?;
    Disk::new(None, 0).remove(&dir.join(FILE))
}

/// Counts the solutions of `puzzle`, with what is done kept in `dir`.
pub fn count(
    puzzle: &dyn Rules,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<Counted> {
    let counting = puzzle.capabilities().counting.ok_or_else(|| Error::Misdirected {
        fact: format!("{} has no solutions to count", puzzle.text()),
        instead: Instead::Enumerate(puzzle.text()),
    })?;
    let path = dir.join(FILE);
    resumable::refuse_foreign(dir, WorkKind::Count, &["lock", FILE, "count.json.part"])?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let lock = Lock::take(dir)?;
    let fresh = CountRecord::new(puzzle, counting.parts());
    let record = if exists(&path)? {
        let stored = CountRecord::read(&path)?;
        if !stored.same(&fresh) {
            let about = |record: &CountRecord| format!("{} in {} parts", record.puzzle, record.parts);
            let held = match stored.puzzle == fresh.puzzle && stored.content != fresh.content {
                true => "what its file held before it was changed".into(),
                false => about(&stored),
            };
            return Err(resumable::another(dir, WorkKind::Count, held, about(&fresh)));
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
            if !exists(&path)? {
                // Nothing is left of a count that could not start.
                resumable::remove_files(&tally.disk, dir, lock, &[])?;
            }
            return Err(error);
        }
    };
    let room = memory.saturating_sub(prepared.shared_bytes()) / prepared.part_bytes().max(1);
    let threads = options.threads.unwrap_or_else(cores);
    let threads = threads.min(usize::try_from(room).unwrap_or(usize::MAX)).max(1);
    tally.run(&*prepared, threads)?;
    match tally.finished()? {
        Some(counted) => Ok(counted),
        None => {
            let (done, all) = tally.progress();
            Err(resumable::interrupted(dir, WorkKind::Count, done, all))
        }
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
    saved: Mutex<(CountRecord, Instant)>,
}

impl Tally<'_> {
    fn saved(&self) -> MutexGuard<'_, (CountRecord, Instant)> {
        self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts the parts that are not done yet, until the user wants to stop.
    fn run(&self, prepared: &dyn CountTables, threads: usize) -> Result<()> {
        let left: Vec<usize> = {
            let saved = self.saved();
            (0..saved.0.parts).filter(|part| !saved.0.done.contains_key(part)).collect()
        };
        let count = |number: u64| {
            let part = left[number as usize];
            self.add(part, prepared.count(part))
        };
        let result = resumable::for_each_part(left.len() as u64, threads, self.control, count);
        // Whatever happened, what is done is saved first.
        self.save(true)?;
        result
    }

    fn add(&self, part: usize, solutions: u128) -> Result<()> {
        self.saved().0.done.insert(part, solutions.to_string());
        let (done, all) = self.progress();
        let note = format!("counting: {done} of {all} parts are done");
        self.control.observer.note(&note);
        self.save(false)
    }

    fn save(&self, now: bool) -> Result<()> {
        let mut saved = self.saved();
        if now || saved.1.elapsed() >= SAVE_EVERY {
            saved.0.millis = (self.before + self.began.elapsed()).as_millis() as u64;
            self.disk.replace(self.path, &sealed::seal(&saved.0)?.0)?;
            saved.1 = Instant::now();
        }
        Ok(())
    }

    fn progress(&self) -> (u64, u64) {
        let saved = self.saved();
        (saved.0.done.len() as u64, saved.0.parts as u64)
    }

    fn finished(&self) -> Result<Option<Counted>> {
        let saved = self.saved();
        let total = saved.0.total(self.path)?;
        Ok(total.map(|solutions| Counted {
            solutions,
            parts: saved.0.parts,
            time: Duration::from_millis(saved.0.millis),
        }))
    }
}

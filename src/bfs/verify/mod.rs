//! Checks a job by other means than those that made it.
//!
//! *Always*: every checksum, the order of indices, the counts, the tables, and the sums against
//! the formulas.
//!
//! *For every class, or for a seeded sample*: its index is canonical; its neighbours lie only in
//! the level before, its own and the next; one of them lies in the level before (unless it is a
//! root); the states of a level are the sum of its orbits. Level 0 is exactly the roots. Together
//! these certify the distances: by induction on the level, a class in level k has a path of k
//! moves to a root, and no shorter one, because no move skips a level.
//!
//! In a layered space, the neighbours of a level must be exactly the next level instead. Where
//! states exist that cannot be reached, none of them may have a reached neighbour, and together
//! with those that were reached they must be all there are.
//!
//! The neighbours are not looked up in bitmaps or by merging runs, as the engine does, but sorted
//! together with the class they come from and compared with the three level sets in one sweep.

mod classes;
mod rest;

pub use rest::Rest;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::job::Job;
use super::lock::Lock;

use super::manifest::Manifest;
use super::{Observer, check_totals};
use crate::error::{Error, Result};
use crate::puzzle::{AnySpace, Index, Space};

/// With less memory than this, every few classes would need a sweep through three levels.
const LEAST: u64 = 64 << 20;

/// How much to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Files and sums only.
    Files,
    /// And so many classes of each level, chosen by the seed.
    Sample(u64, u64),
    /// And every class.
    Full,
}

/// What was checked.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Levels whose files were read.
    pub levels: u32,
    /// Classes whose neighbours were checked.
    pub classes: u128,
    /// Neighbours that were looked for.
    pub neighbours: u128,
    /// What was not reached, if that was looked at.
    pub rest: Option<Rest>,
    /// What could not be checked, in sentences.
    pub left_out: Vec<String>,
}

/// Checks the job in `dir`. The first thing that is wrong is returned as an error.
pub fn verify(
    dir: &Path,
    extent: Extent,
    memory: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Findings> {
    let job = Job::open(dir)?;
    if let Some(pulse) = Lock::holder(dir) {
        return Err(Error::Locked {
            dir: dir.to_owned(),
            pid: pulse.pid.to_string(),
        });
    }
    let puzzle = job.puzzle()?;
    let manifest = job.manifest()?;
    check_tables(&job, &manifest)?;
    let existing = puzzle.existing_states();
    let mut findings = match puzzle.space() {
        Some(AnySpace::Narrow(space)) => {
            Verifier::new(space, &job, &manifest, memory, stop, observer)?.run(extent, existing)?
        }
        Some(AnySpace::Wide(space)) => {
            Verifier::new(space, &job, &manifest, memory, stop, observer)?.run(extent, existing)?
        }
        None => Findings::default(),
    };
    if manifest.finished {
        check_totals(&*puzzle, &manifest)?;
        if puzzle.total_states().is_none() && findings.rest.is_none() {
            findings.left_out.push(match existing {
                None => "no other way is known to count the states".into(),
                Some(_) => "what was not reached: that is part of --full".into(),
            });
        }
    } else {
        findings.left_out.push(
            "the job is not finished: sums are not held to formulas, and the last level's \
             neighbours beyond it are not looked for"
                .into(),
        );
    }
    Ok(findings)
}

/// `levels.csv` and `timing.csv` must be what the manifest gives.
fn check_tables(job: &Job, manifest: &Manifest) -> Result<()> {
    for (name, expected) in manifest.tables() {
        let path = job.path(name);
        if !path.exists() && manifest.levels.is_empty() {
            continue;
        }
        let found = std::fs::read(&path).map_err(|e| Error::io("read", &path, e))?;
        // A process that was killed in a commit may have written a row that is not safe yet.
        let ahead = found.strip_prefix(expected.as_bytes());
        let first = manifest.levels.len();
        let sound = |rows| rows == b"" || !manifest.finished && are_rows(rows, first);
        if !ahead.is_some_and(sound) {
            return Err(Error::damaged(
                &path,
                "the table is not what the manifest says",
                format!(
                    "the manifest is sound; `godnum resume {}` writes the table again",
                    job.dir().display()
                ),
            ));
        }
    }
    Ok(())
}

/// Whether these are rows of a table, for the levels from `first` on.
fn are_rows(text: &[u8], first: usize) -> bool {
    let rows = text
        .strip_suffix(b"\n")
        .map(|text| text.split(|&b| b == b'\n'));
    rows.is_some_and(|rows| {
        rows.zip(first..).all(|(row, level)| {
            let cells = row.strip_prefix(format!("{level},").as_bytes());
            let number = |b: &u8| matches!(b, b'0'..=b'9' | b',' | b'.');
            cells.is_some_and(|cells| cells.iter().all(number))
        })
    })
}

struct Verifier<'a, I> {
    space: &'a dyn Space<I>,
    job: &'a Job,
    manifest: &'a Manifest,
    memory: u64,
    /// Neighbours in hand at a time.
    batch: usize,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
    findings: Findings,
}

impl<'a, I: Index> Verifier<'a, I> {
    fn new(
        space: &'a dyn Space<I>,
        job: &'a Job,
        manifest: &'a Manifest,
        memory: u64,
        stop: &'a AtomicBool,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        let memory = memory.max(LEAST);
        // Links and the classes they come from take half; sorting and blocks have the rest.
        let batch = memory as usize / 2 / size_of::<classes::Link<I>>();
        Ok(Verifier {
            space,
            job,
            manifest,
            memory,
            // Sorting more than this would keep a stop signal waiting.
            batch: batch.min(1 << 25),
            stop,
            observer,
            findings: Findings::default(),
        })
    }

    fn run(mut self, extent: Extent, existing: Option<u128>) -> Result<Findings> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        if kept.start > 0 {
            self.findings.left_out.push(format!(
                "the level sets below level {} were not kept",
                kept.start
            ));
        }
        for level in kept.clone() {
            self.files(level)?;
            self.findings.levels += 1;
        }
        if kept.start == 0 && !kept.is_empty() {
            self.roots()?;
        }
        if extent == Extent::Files {
            return Ok(self.findings);
        }
        for level in kept.clone() {
            self.level(level, extent)?;
        }
        if let Some(existing) = existing
            && extent == Extent::Full
            && self.manifest.finished
            && kept.start == 0
        {
            self.check_rest(existing)?;
        }
        Ok(self.findings)
    }

    fn wrong(&self, level: u32, what: String) -> Error {
        Error::Verification(format!(
            "level {level} of {} is wrong: {what}",
            self.job.description.puzzle
        ))
    }

    fn go_on(&self) -> Result<()> {
        if self.stop.load(Relaxed) {
            return Err(Error::Interrupted(
                "stopped before everything was checked; nothing wrong was found so far".into(),
            ));
        }
        Ok(())
    }

    /// The file of a level, by itself and against the manifest.
    fn files(&self, level: u32) -> Result<()> {
        self.go_on()?;
        self.observer.note(&format!("level {level}: reading"));
        let set = self.job.open_level::<I>(level)?;
        set.check(|| self.go_on())?;
        let (totals, record) = (set.totals(), &self.manifest.levels[level as usize]);
        let length = std::fs::metadata(self.job.level_path(level)).map_or(0, |m| m.len());
        if (totals.count, totals.states, totals.chain, length)
            != (record.classes, record.states, record.chain, record.bytes)
        {
            return Err(Error::damaged(
                &self.job.level_path(level),
                "it is not the level set that the manifest names",
                "put back the right file, or go back to the level before with \
                 `godnum resume DIR --from-level L`",
            ));
        }
        Ok(())
    }

    fn roots(&self) -> Result<()> {
        let set = self.job.open_level::<I>(0)?;
        let mut found = Vec::new();
        for block in 0..set.blocks() {
            set.block(block, &mut found)?;
        }
        if found != self.space.roots() {
            return Err(self.wrong(0, "it is not the set of solved classes".into()));
        }
        Ok(())
    }
}

//! The walk: level after level, until there is no further one.

use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::budget::Budget;
use super::forecast::Outlook;
use super::job::Job;
use super::ledger::Ledger;
use super::level::Level;
use super::pipeline::Crew;
use super::{Options, check_bound};
use crate::error::{Error, Result};
use crate::space::Index;
use crate::store::disk::Disk;
use crate::text::quoted;

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There is no further level.
    Finished,
    /// The level that the user named is reached.
    AtMaxLevel,
}

/// Where the work is done and what it may use.
pub(super) struct Site<'a> {
    pub job: &'a Job,
    pub disk: &'a Disk,
    pub run_dir: &'a Path,
    pub options: &'a Options,
    pub budget: Budget,
    pub outlook: Outlook,
    /// Numbers run files.
    pub serial: AtomicU64,
}

impl Site<'_> {
    /// Bytes that are free on the disk of `dir`; without an answer, as many as one likes.
    pub fn free_disk(&self, dir: &Path) -> u64 {
        rustix::fs::statvfs(dir).map_or(u64::MAX, |fs| fs.f_bavail.saturating_mul(fs.f_frsize))
    }

    /// Bytes that are free where runs go, if that is another disk than the job's.
    pub fn run_disk(&self) -> Option<u64> {
        use std::os::unix::fs::MetadataExt;
        let device = |dir: &Path| std::fs::metadata(dir).map(|m| m.dev()).ok();
        // The folder itself may not be there yet.
        let dir = self.run_dir.ancestors().find(|dir| dir.is_dir())?;
        (device(dir)? != device(self.job.dir())?).then(|| self.free_disk(dir))
    }

    /// What a user who stopped the walk is told.
    pub fn interrupted(&self, level: u32, saved: bool) -> Error {
        let what = if saved {
            "what was done of it is saved"
        } else {
            "what was done of it since its last checkpoint will be done again"
        };
        Error::Interrupted(format!(
            "stopped in level {level}; all levels before it are safe, and {what}. \
             Go on with `godnum resume {}`",
            quoted(self.job.dir())
        ))
    }
}

/// Walks until there is no further level, or as far as the options let it.
pub(super) fn walk<'a, I: Index>(
    site: &Site<'a>,
    crew: &Crew<'a, I>,
    ledger: &mut Ledger<'a>,
) -> Result<End> {
    let end = levels(site, crew, ledger);
    // Whatever happened: nothing half-written stays, and what is computed is kept. Swept first,
    // because the disk may be full, and again when the manifest names less.
    let kept = ledger
        .sweep(site.run_dir)
        .and_then(|()| ledger.commit())
        .and_then(|()| ledger.sweep(site.run_dir));
    // What is safe is known only now.
    match (end, kept) {
        (Ok(end), kept) => kept.map(|()| end),
        (Err(Error::Limit(why)), _) => Err(Error::Limit(format!("{why}. {}", ledger.told()))),
        // Who stopped the walk was told that all before is safe, and it is not.
        (Err(Error::Interrupted(_)), Err(unstored)) => Err(unstored),
        (Err(error), _) => Err(error.in_job(site.job.dir())),
    }
}

fn levels<'a, I: Index>(
    site: &Site<'a>,
    crew: &Crew<'a, I>,
    ledger: &mut Ledger<'a>,
) -> Result<End> {
    // A bitmap's memory, kept from level to level.
    let mut spare = None;
    loop {
        let next = ledger.manifest().levels.len() as u32;
        if ledger.manifest().finished {
            return Ok(End::Finished);
        }
        if site.options.max_level.is_some_and(|max| next > max) {
            return Ok(End::AtMaxLevel);
        }
        if crew.control.stopped() {
            return Err(site.interrupted(next, true));
        }
        let level = Level::begin(site, crew, ledger, next)?;
        let record = match next {
            0 => level.roots()?,
            _ => level.compute(&mut spare)?,
        };
        if let Some(record) = record {
            crew.control.observer.computed(&record);
            ledger.add(record);
            check_bound(site.job, site.outlook.total_classes, ledger.manifest())?;
        }
        if Instant::now() >= ledger.due() {
            ledger.commit()?;
        }
    }
}

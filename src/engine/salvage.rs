//! A job whose `manifest.json` or `job.json` is lost: both can be rebuilt from its level sets,
//! whose headers and trailers say what they are, how much they hold, and whether they are complete.
//!
//! This is done only when the user goes back to a level with `--from-level`, never in passing.
//! Every byte of every level set up to that level is checked first, and level 0 must be exactly the
//! roots. Nothing is written unless all of that holds; then the files are replaced in one rename
//! each, the manifest first, as when a job begins.

use std::path::{Path, PathBuf};

use super::job::{Description, Job};
use super::manifest::{self, LevelRecord, Manifest};
use super::progress::Control;
use super::subject::Subject;
use super::way::Way;
use crate::error::{Error, Repair, Result};
use crate::space::{AnySpace, Index, Space};
use crate::store::disk::{Disk, entries};
use crate::store::level_set::{SetHeader, SetKind, SortedSet, claimed_totals};
use crate::store::{Lock, sealed};

/// Adds to a complaint about a job's own files what can be saved, after a look at the level sets'
/// beginnings and ends only.
pub(super) fn advise(dir: &Path, error: Error) -> Error {
    let last = match beside(dir, &error) {
        Some(manifest) => manifest.levels.last().map(|record| record.level),
        None => {
            let set_header = |level: u32| {
                let path = level_path(dir, level);
                let set_header = SetHeader::read(&path).ok()?;
                let fits = set_header.level == level && set_header.kind == SetKind::Level;
                (fits && is_complete(&path, &set_header)).then_some(set_header.puzzle)
            };
            let first = set_header(0);
            let present = (0..).take_while(|&level| level_path(dir, level).exists()).count() as u32;
            // Those before the last were complete before it was begun. So few are read, however many there
            // are: this could not be stopped.
            (0..present).rev().find(|&level| first.is_some() && set_header(level) == first)
        }
    };
    with_repair(dir, error, last, false)
}

/// Whether a level set has classes, and its end: a process that is killed leaves one without an end, or
/// the one behind the last level, which is empty.
fn is_complete(path: &Path, set_header: &SetHeader) -> bool {
    claimed_totals(path, set_header).is_ok_and(|totals| totals.count > 0)
}

/// The same, after reading the level sets to their ends.
pub(super) fn examine(
    subject: &dyn Subject,
    dir: &Path,
    error: Error,
    go_on: &dyn Fn() -> Result<()>,
) -> Error {
    let Error::Damaged { path, what, .. } = error else {
        return error;
    };
    // Advice that was given without reading so much is out of date.
    let error = Error::damaged(&path, what, Repair::Restore);
    let (first, behind) = match beside(dir, &error) {
        Some(manifest) => (manifest.kept_from, manifest.levels.len() as u32),
        None => (0, u32::MAX),
    };
    let Ok(job) = Job::open(dir).or_else(|_| Job::of(dir, describe(subject, dir)?)) else {
        return advise(dir, error);
    };
    if job.check_subject(subject).is_err() {
        return error;
    }
    let is_intact = |level: &u32| match subject.space() {
        AnySpace::Narrow(_) => read::<u64>(&job, *level, go_on).is_ok(),
        AnySpace::Wide(_) => read::<u128>(&job, *level, go_on).is_ok(),
    };
    let last = (first..behind).take_while(is_intact).last();
    if let Err(stopped) = go_on() {
        return stopped;
    }
    // Resuming needs two level sets, unless it starts from the first.
    let last = last.filter(|&last| first == 0 || last > first);
    with_repair(dir, error, last, true)
}

/// The manifest, if the complaint is about the description beside it.
fn beside(dir: &Path, error: &Error) -> Option<Manifest> {
    match error {
        Error::Damaged { path, .. } if path.ends_with("job.json") => {
            let stored = sealed::unseal(&dir.join("manifest.json"));
            stored.ok().map(|(manifest, _)| manifest)
        }
        _ => None,
    }
}

fn with_repair(dir: &Path, mut error: Error, last: Option<u32>, checked: bool) -> Error {
    let has_sets = || !entries(&dir.join("levels")).unwrap_or_default().is_empty();
    if let Error::Damaged { repair, .. } = &mut error
        && (last.is_some() || has_sets())
    {
        **repair = Repair::Rebuild { job: dir.to_owned(), last, checked, otherwise: repair.clone() };
    }
    error
}

/// Makes the manifest and the description of the job in `dir` again, as far as they are damaged, out
/// of the level sets up to `level`. Returns what was done, in sentences: none if nothing was damaged,
/// or if there is no job.
pub fn rebuild(subject: &dyn Subject, dir: &Path, level: u32, control: Control<'_>) -> Result<Vec<String>> {
    let opened = Job::open(dir);
    match &opened {
        Ok(job) => match job.manifest() {
            Err(Error::Damaged { .. }) => {}
            other => return other.map(|_| Vec::new()),
        },
        Err(Error::Damaged { .. }) => {}
        // Opening the job reports the same.
        Err(_) => return Ok(Vec::new()),
    }
    let _lock = Lock::take(dir)?;
    let mut sentences = Vec::new();
    let (job, lost) = match opened {
        Ok(job) => {
            job.check_subject(subject)?;
            (job, false)
        }
        Err(_) => (Job::of(dir, describe(subject, dir)?)?, true),
    };
    let disk = Disk::new(None, 0);
    let stored = sealed::unseal::<Manifest>(&job.path("manifest.json")).ok();
    let is_lost = match job.manifest() {
        Ok(_) => false,
        Err(Error::Damaged { .. }) => true,
        Err(other) => return Err(other),
    };
    if is_lost {
        if let (true, Some(content), Some(_)) = (lost, &job.description.content, stored) {
            return Err(Error::damaged(
                &job.path("job.json"),
                format!(
                    "the manifest beside it is one of another job than that of {} with the file \
                     content {content}",
                    job.description.puzzle
                ),
                Repair::PuzzleFile,
            ));
        }
        let manifest = match subject.space() {
            AnySpace::Narrow(space) => gather(space, &job, level, control)?,
            AnySpace::Wide(space) => gather(space, &job, level, control)?,
        };
        manifest::store(&disk, &job.path("manifest.json"), &manifest)?;
        sentences.push(format!(
            "manifest.json is rebuilt from the level sets 0 to {level}; the times of those \
             levels are lost"
        ));
    }
    if lost {
        let (bytes, _) = sealed::seal(&job.description)?;
        disk.replace(&job.path("job.json"), &bytes)?;
        sentences.push(match &job.description.content {
            None => "job.json is rebuilt from the headers of the level sets".into(),
            Some(_) => format!(
                "job.json is rebuilt from the headers of the level sets and the file that {} \
                 names, as it is now; a full verification checks whether that is the one the job \
                 began with",
                job.description.puzzle
            ),
        });
    }
    Ok(sentences)
}

/// The records of the levels 0 to `last`, after every byte of them was checked.
fn gather<I: Index>(space: &dyn Space<I>, job: &Job, last: u32, control: Control<'_>) -> Result<Manifest> {
    let stopped = || Error::interrupted("stopped before all level sets were read; nothing was changed");
    let go_on = || control.go_on(stopped);
    let mut manifest = Manifest::new(job.checksum());
    for level in 0..=last {
        control.observer.note(&format!("level {level}: reading"));
        let found = read::<I>(job, level, &go_on).and_then(|(record, set)| {
            if level == 0 {
                let mut roots = Vec::new();
                set.range(I::default(), None, &mut roots)?;
                if roots != space.roots() {
                    return Err(Error::damaged(
                        &job.level_path(0),
                        "it is not the set of solved classes",
                        Repair::Restore,
                    ));
                }
            }
            Ok(record)
        });
        match found {
            Ok(record) => manifest.levels.push(record),
            Err(Error::Damaged { path, what, .. }) => {
                let job = job.dir().to_owned();
                let repair = Repair::RebuildBefore { job, level };
                return Err(Error::damaged(&path, what, repair));
            }
            Err(other) => return Err(other),
        }
    }
    Ok(manifest)
}

/// A level set, read to its end, and what the manifest would say about it.
fn read<I: Index>(
    job: &Job,
    level: u32,
    go_on: &dyn Fn() -> Result<()>,
) -> Result<(LevelRecord, SortedSet<I>)> {
    go_on()?;
    let set = job.open_unnamed_level::<I>(level, go_on)?;
    set.check(go_on)?;
    let totals = set.totals();
    if totals.count == 0 {
        return Err(Error::damaged(&job.level_path(level), "it has no classes", Repair::Restore));
    }
    let record = LevelRecord {
        level,
        classes: totals.count,
        states: totals.states,
        bytes: set.file_length(),
        blocks_digest: totals.blocks_digest,
        millis: 0,
        way: Way::Push,
        candidates: 0,
        bytes_written: 0,
        peak_rss: 0,
    };
    Ok((record, set))
}

/// The text of what the job in `dir` enumerates: as its description says, or, if that is damaged or
/// missing, the first level set that can be read.
pub fn text(dir: &Path) -> Result<String> {
    Job::open(dir).map(|job| job.description.puzzle).or_else(|error| match error {
        Error::Damaged { .. } => header(dir).map(|(_, set_header)| set_header.puzzle).or(Err(error)),
        _ => Err(error),
    })
}

/// The header of the first level set in `dir` that can be read.
fn header(dir: &Path) -> Result<(PathBuf, SetHeader)> {
    let mut paths = entries(&dir.join("levels"))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gls"));
    paths.sort();
    let mut headers = paths.into_iter().filter_map(|path| {
        let set_header = SetHeader::read(&path).ok()?;
        Some((path, set_header))
    });
    headers.next().ok_or_else(|| {
        Error::damaged(
            &dir.join("job.json"),
            "it is damaged or missing, and there is no level set that names the job",
            Repair::Restore,
        )
    })
}

/// The description of the job in `dir`, if its level sets are those of `subject`.
fn describe(subject: &dyn Subject, dir: &Path) -> Result<Description> {
    let (path, set_header) = header(dir)?;
    let description = Description::of(subject);
    let expected = description.set_header(set_header.kind, set_header.level);
    if !expected.accepts(&set_header) {
        let repair = match expected.content == set_header.content {
            true => Repair::OtherVersion,
            false => Repair::PuzzleFile,
        };
        return Err(Error::damaged(
            &path,
            format!(
                "it is one of {} (index scheme {}), which is now {description}",
                set_header.puzzle, set_header.scheme
            ),
            repair,
        ));
    }
    Ok(description)
}

fn level_path(dir: &Path, level: u32) -> PathBuf {
    dir.join(format!("levels/{level:05}.gls"))
}

//! A job whose `manifest.json` or `job.json` is lost: both can be made again out of its level sets,
//! which say themselves what they are, how much they hold, and whether they are whole.
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
use crate::error::{Error, Result};
use crate::space::{AnySpace, Index, Space};
use crate::store::Lock;
use crate::store::disk::{Disk, entries, file_length};
use crate::store::level_set::{About, Kind, SortedSet};
use crate::store::sealed;
use crate::text::quoted;

/// Adds to a complaint about a job's own files what can be saved, after a look at the level sets'
/// beginnings only.
pub(super) fn advise(dir: &Path, error: Error) -> Error {
    let last = match beside(dir, &error) {
        Some(manifest) => manifest.levels.last().map(|record| record.level),
        None => {
            let about = |level: u32| {
                let about = About::read(&level_path(dir, level)).ok()?;
                (about.level == level && about.kind == Kind::Level).then_some(about.puzzle)
            };
            let first = about(0);
            let same = |level: &u32| first.is_some() && about(*level) == first;
            (0..).take_while(same).last()
        }
    };
    with_advice(dir, error, last, "look whole")
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
    let error = Error::damaged(
        &path,
        what,
        "restore it from a copy, or start again with --fresh",
    );
    let first = beside(dir, &error).map_or(0, |manifest| manifest.kept_from);
    let Ok(job) = Job::open(dir).or_else(|_| Job::of(dir, describe(subject, dir)?)) else {
        return advise(dir, error);
    };
    if job.check_subject(subject).is_err() {
        return error;
    }
    let sound = |level: &u32| match subject.space() {
        AnySpace::Narrow(_) => read::<u64>(&job, *level, go_on).is_ok(),
        AnySpace::Wide(_) => read::<u128>(&job, *level, go_on).is_ok(),
    };
    let last = (first..).take_while(sound).last();
    if let Err(stopped) = go_on() {
        return stopped;
    }
    // Going on needs two level sets, unless it goes on from the first.
    let last = last.filter(|&last| first == 0 || last > first);
    with_advice(dir, error, last, "are sound")
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

fn with_advice(dir: &Path, error: Error, last: Option<u32>, are: &str) -> Error {
    let Error::Damaged { path, what, remedy } = error else {
        return error;
    };
    let remedy = match last {
        Some(last) => format!(
            "the level sets up to level {last} {are}: `godnum resume {} --from-level {last}` makes \
             the file again out of them; or {remedy}",
            quoted(dir)
        ),
        None if !entries(&dir.join("levels")).unwrap_or_default().is_empty() => format!(
            "it cannot be made again out of the level sets, because the first of them are missing \
             or damaged; {remedy}"
        ),
        None => remedy,
    };
    Error::Damaged { path, what, remedy }
}

/// Makes the manifest and the description of the job in `dir` again, as far as they are damaged, out
/// of the level sets up to `level`. Returns what was done, in sentences: none if nothing was damaged,
/// or if there is no job.
pub fn rebuild(
    subject: &dyn Subject,
    dir: &Path,
    level: u32,
    control: Control<'_>,
) -> Result<Vec<String>> {
    let opened = Job::open(dir);
    match &opened {
        Ok(job) => match job.manifest() {
            Err(Error::Damaged { .. }) => {}
            other => return other.map(|_| Vec::new()),
        },
        Err(Error::Damaged { .. }) => {}
        // Whoever opens the job next says the same.
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
    if job.manifest().is_err() {
        if let (true, Some(content), Some(_)) = (lost, &job.description.content, stored) {
            return Err(Error::damaged(
                &job.path("job.json"),
                format!(
                    "the manifest beside it is one of another job than that of {} with the file \
                     content {content}",
                    job.description.puzzle
                ),
                "put the puzzle's file back as it was when the job began",
            ));
        }
        let manifest = match subject.space() {
            AnySpace::Narrow(space) => gather(space, &job, level, control)?,
            AnySpace::Wide(space) => gather(space, &job, level, control)?,
        };
        manifest::store(&disk, &job.path("manifest.json"), &manifest)?;
        sentences.push(format!(
            "manifest.json is made again out of the level sets 0 to {level}; the times of those \
             levels are lost"
        ));
    }
    if lost {
        let (bytes, _) = sealed::seal(&job.description)?;
        disk.replace(&job.path("job.json"), &bytes)?;
        sentences.push(match &job.description.content {
            None => "job.json is made again out of the headers of the level sets".into(),
            Some(_) => format!(
                "job.json is made again out of the headers of the level sets and the file that {} \
                 names, as it is now; `godnum verify {} --full` tells whether that is the one the \
                 job began with",
                job.description.puzzle,
                quoted(dir)
            ),
        });
    }
    Ok(sentences)
}

/// The records of the levels 0 to `last`, after every byte of them was checked.
fn gather<I: Index>(
    space: &dyn Space<I>,
    job: &Job,
    last: u32,
    control: Control<'_>,
) -> Result<Manifest> {
    let go_on = || match control.stopped() {
        true => Err(Error::Interrupted(
            "stopped before all level sets were read; nothing was changed".into(),
        )),
        false => Ok(()),
    };
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
                        "",
                    ));
                }
            }
            Ok(record)
        });
        match found {
            Ok(record) => manifest.levels.push(record),
            Err(Error::Damaged { path, what, .. }) => {
                let remedy = match level.checked_sub(1) {
                    Some(before) => format!(
                        "the manifest can be made again up to level {before} only: `godnum resume \
                         {} --from-level {before}`",
                        quoted(job.dir())
                    ),
                    None => "without level 0 the manifest cannot be made again (with `--keep \
                             last-two` it was not kept): restore manifest.json from a copy, or \
                             start again with --fresh"
                        .into(),
                };
                return Err(Error::damaged(&path, what, remedy));
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
    let set = job.open_level::<I>(level)?;
    set.check(go_on)?;
    let totals = set.totals();
    let record = LevelRecord {
        level,
        classes: totals.count,
        states: totals.states,
        bytes: file_length(&job.level_path(level)),
        chain: totals.chain,
        millis: 0,
        candidates: 0,
        bytes_written: 0,
        peak_rss: 0,
    };
    Ok((record, set))
}

/// The text of what the job in `dir` enumerates: as its description says, or, if that is damaged or
/// missing, the first level set that can be read.
pub fn text(dir: &Path) -> Result<String> {
    Job::open(dir)
        .map(|job| job.description.puzzle)
        .or_else(|error| match error {
            Error::Damaged { .. } => header(dir).map(|(_, about)| about.puzzle).or(Err(error)),
            _ => Err(error),
        })
}

/// The header of the first level set in `dir` that can be read.
fn header(dir: &Path) -> Result<(PathBuf, About)> {
    let mut paths = entries(&dir.join("levels"))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "gls"));
    paths.sort();
    let mut headers = paths.into_iter().filter_map(|path| {
        let about = About::read(&path).ok()?;
        Some((path, about))
    });
    headers.next().ok_or_else(|| {
        Error::damaged(
            &dir.join("job.json"),
            "it is damaged or missing, and no level set is there that tells what the job is",
            "restore it from a copy, or start again with --fresh",
        )
    })
}

/// The description of the job in `dir`, if its level sets are those of `subject`.
fn describe(subject: &dyn Subject, dir: &Path) -> Result<Description> {
    let (path, about) = header(dir)?;
    let description = Description::of(subject);
    if description.about(about.kind, about.level) != about {
        return Err(Error::damaged(
            &path,
            format!(
                "it is one of {} (index scheme {}), which is now {description}",
                about.puzzle, about.scheme
            ),
            "use the godnum version that made the job",
        ));
    }
    Ok(description)
}

fn level_path(dir: &Path, level: u32) -> PathBuf {
    dir.join(format!("levels/{level:05}.gls"))
}

//! The files of a job: which of them are damaged, and what can still be saved.

use std::path::{Path, PathBuf};

use super::certificate::{CERTIFICATE, Certificate};
use crate::engine::job::{Job, SCRATCH, is_ours};
use crate::engine::manifest::{LevelRecord, Manifest};
use crate::engine::progress::Control;
use crate::engine::provenance::Provenance;
use crate::engine::tables::timing_csv_without_direction;
use crate::engine::way::Way;
use crate::error::{Error, IoAction, JobDamage, Repair, Result};
use crate::space::Index;
use crate::store::disk::{self, entries, file_length};
use crate::store::level_set::{SetHeader, SetKind, SortedSet, check_beginning};
use crate::text::{bytes, pluralise};

/// When a job is resumed, level sets are read again as long as they are no more than this together.
/// The walk itself reads only the last two.
const READ_AGAIN: u64 = 1 << 30;

/// More damaged files than this are not listed one by one.
const LISTED: usize = 4;

/// Bytes of rows that a table can have too many, at the most: those of one second.
const MORE_ROWS: u64 = 1 << 24;

/// What is damaged in a job.
pub(super) struct Damage<'a> {
    job: &'a Job,
    manifest: &'a Manifest,
    found: Vec<(PathBuf, String)>,
    levels: Vec<u32>,
    checkpoint: bool,
}

impl<'a> Damage<'a> {
    pub fn new(job: &'a Job, manifest: &'a Manifest) -> Self {
        Damage { job, manifest, found: Vec::new(), levels: Vec::new(), checkpoint: false }
    }

    /// Remembers what was damaged; any other failure ends the check.
    fn note(&mut self, result: Result<()>) -> Result<bool> {
        match result {
            Ok(()) => Ok(true),
            Err(Error::Damaged { path, what, .. }) => {
                self.found.push((path, what));
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }

    /// A level set was checked.
    pub fn level(&mut self, level: u32, result: Result<()>) -> Result<()> {
        if !self.note(result)? {
            self.levels.push(level);
        }
        Ok(())
    }

    /// What the manifest names of the level under way: its runs, and the beginning of its set.
    pub fn check_checkpoint<I: Index>(&mut self, go_on: &dyn Fn() -> Result<()>) -> Result<()> {
        let Some(checkpoint) = &self.manifest.checkpoint else {
            return Ok(());
        };
        let description = &self.job.description;
        let set_header = description.set_header(SetKind::Run, checkpoint.level);
        for run in &checkpoint.runs {
            go_on()?;
            let run = self.job.run(run).open::<I>(self.job.files(), &set_header, go_on);
            let sound = run.and_then(|run| run.check(go_on));
            self.checkpoint |= !self.note(sound)?;
        }
        if let Some(partial) = &checkpoint.partial {
            let path = self.job.level_path(checkpoint.level);
            let set_header = description.set_header(SetKind::Level, checkpoint.level);
            let safe = (partial.bytes, partial.blocks_digest);
            let sound = check_beginning::<I>(self.job.files(), &path, &set_header, safe, go_on);
            self.checkpoint |= !self.note(sound)?;
        }
        Ok(())
    }

    /// What is about the job and no part of it must be what was written, if it is there.
    pub fn check_records(&mut self) -> Result<()> {
        let provenance = Provenance::of(self.job).map(drop);
        self.note(provenance)?;
        let certificate = self.job.path(CERTIFICATE);
        if disk::exists(&certificate)? {
            self.note(Certificate::read(&certificate).map(drop))?;
        }
        Ok(())
    }

    /// `levels.csv` and `timing.csv` must be what the manifest gives.
    pub fn check_tables(&mut self) -> Result<()> {
        let older = timing_csv_without_direction(&self.manifest.levels);
        for (name, expected) in self.manifest.tables() {
            let path = self.job.path(name);
            let most = expected.len() as u64 + MORE_ROWS;
            let what = match disk::read(&path, most) {
                Ok(Some(found)) if self.is_table(&found, expected.as_bytes()) => continue,
                Ok(Some(found)) if name == "timing.csv" && self.is_table(&found, older.as_bytes()) => {
                    continue;
                }
                Ok(_) => "the table is not what the manifest says",
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                    if self.manifest.levels.is_empty() {
                        continue;
                    }
                    "the file is missing"
                }
                Err(e) => return Err(Error::io(IoAction::Read, &path, e)),
            };
            self.found.push((path, what.into()));
        }
        Ok(())
    }

    /// Whether this is the table, or one with rows for later levels: those were written by a process
    /// that was killed before it stored the manifest.
    fn is_table(&self, found: &[u8], expected: &[u8]) -> bool {
        let first = self.manifest.levels.len();
        let are_later_rows =
            |more: &[u8]| more.is_empty() || !self.manifest.finished && are_rows(more, first);
        found.strip_prefix(expected).is_some_and(are_later_rows)
    }

    /// An error if anything is damaged: what, and how to continue.
    pub fn verdict(self) -> Result<()> {
        let Some(((path, what), others)) = self.found.split_first() else {
            return Ok(());
        };
        let mut what = what.clone();
        for (path, other) in others.iter().take(LISTED) {
            what += &format!("; {} is damaged, too: {other}", path.display());
        }
        if let Some(more) = others.len().checked_sub(LISTED).filter(|&more| more > 0) {
            what += &format!("; and so are {}", pluralise(more, "more file"));
        }
        Err(Error::damaged(path, what, self.repair()))
    }

    fn repair(&self) -> Repair {
        let levels = self.levels.iter();
        let levels = levels.clone().min().copied().zip(levels.max().copied());
        Repair::Job(JobDamage {
            job: self.job.dir().to_owned(),
            puzzle: self.job.description.puzzle.clone(),
            kept_from: self.manifest.kept_from,
            last: self.manifest.levels.len().saturating_sub(1) as u32,
            levels,
            checkpoint: self.checkpoint,
        })
    }
}

/// Whether these are rows of a table, for the levels from `first` on.
fn are_rows(text: &[u8], first: usize) -> bool {
    let rows = text.strip_suffix(b"\n").map(|text| text.split(|&b| b == b'\n'));
    rows.is_some_and(|rows| {
        rows.zip(first..).all(|(row, level)| {
            let cells = row.strip_prefix(format!("{level},").as_bytes());
            let is_number = |cell: &[u8]| cell.iter().all(|b| matches!(b, b'0'..=b'9' | b'.'));
            let is_way = |cell: &[u8]| [Way::Push, Way::Pull].iter().any(|way| cell == way.name().as_bytes());
            cells.is_some_and(|cells| cells.split(|&b| b == b',').all(|cell| is_number(cell) || is_way(cell)))
        })
    })
}

/// The file of a level against the manifest's record of it, and by itself as far as `check` does.
pub(super) fn check_level<I: Index>(
    job: &Job,
    record: &LevelRecord,
    go_on: impl Fn() -> Result<()>,
    check: impl FnOnce(&SortedSet<I>) -> Result<()>,
) -> Result<()> {
    check(&job.open_level_while::<I>(record, go_on)?)
}

/// Before a job is resumed: checks the level sets up to `last` against the manifest, byte by byte unless
/// they are too large for that.
pub(in crate::engine) fn check_kept<I: Index>(
    job: &Job,
    manifest: &Manifest,
    last: Option<u32>,
    control: Control<'_>,
) -> Result<()> {
    let mut damage = Damage::new(job, manifest);
    let (mut read, mut unread) = (0, 0);
    let kept = manifest.levels.iter().skip(manifest.kept_from as usize);
    let level = manifest.levels.len() as u32;
    let go_on = || control.go_on(|| job.interrupted(level, true));
    for record in kept.filter(|record| last.is_none_or(|last| record.level <= last)) {
        go_on()?;
        control.observer.note(&format!("level {}: reading", record.level));
        let path = job.level_path(record.level);
        let result = if read + record.bytes <= READ_AGAIN || file_length(&path)? != record.bytes {
            read += record.bytes;
            check_level::<I>(job, record, go_on, |set| set.check_bytes(go_on))
        } else {
            unread += record.bytes;
            Ok(())
        };
        damage.level(record.level, result)?;
    }
    if unread > 0 {
        control.observer.announce(&format!(
            "{} of level sets were not read again; verifying the job does that",
            bytes(unread)
        ));
    }
    damage.verdict()
}

/// What lies in a job but is not part of it, in sentences.
pub(super) fn leftovers(job: &Job, manifest: &Manifest) -> Result<Vec<String>> {
    let mut sentences = Vec::new();
    let levels = manifest.kept_from..manifest.levels.len() as u32;
    let named = job.named_files(levels, manifest.checkpoint.as_ref());
    if let Some(checkpoint) = &manifest.checkpoint
        && let Some(partial) = &checkpoint.partial
    {
        let path = job.level_path(checkpoint.level);
        let set_header = job.description.set_header(SetKind::Level, checkpoint.level);
        // The header can be one of the first format, which is shorter.
        let header = SetHeader::read(&path).unwrap_or(set_header).length();
        let beyond = file_length(&path)?.saturating_sub(header + partial.bytes);
        if beyond > 0 {
            sentences.push(format!(
                "the last {beyond} bytes of {}: they came after the checkpoint and are written again",
                path.display()
            ));
        }
    }
    let scratch = job.path(SCRATCH);
    let runs = named.iter().filter_map(|path| path.parent());
    let elsewhere = manifest.scratch.iter().filter(|dir| job.owns_folder(dir));
    let mut folders: Vec<&Path> = runs.chain([scratch.as_path()]).collect();
    folders.extend(elsewhere.map(PathBuf::as_path));
    let levels = job.path("levels");
    folders.push(&levels);
    folders.sort_unstable();
    folders.dedup();
    for folder in folders {
        let all = entries(folder)?;
        let loose = all.iter().filter(|p| is_ours(p) && !named.contains(p)).count();
        if loose > 0 {
            sentences.push(format!(
                "{} in {}: the manifest does not name them, and the next start deletes them",
                pluralise(loose, "file"),
                folder.display()
            ));
        }
    }
    Ok(sentences)
}

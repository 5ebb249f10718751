//! The files of a job: which of them are damaged, and what can still be saved.

use std::path::{Path, PathBuf};

use crate::engine::job::{Job, SCRATCH, is_ours};
use crate::engine::manifest::{LevelRecord, Manifest};
use crate::engine::progress::Control;
use crate::error::{Error, Result, go_back};
use crate::space::Index;
use crate::store::disk::{self, entries, file_length};
use crate::store::level_set::{Kind, SortedSet, check_beginning};
use crate::text::{bytes, plural, quoted};

/// When a job goes on, level sets are read again as long as they are no more than this together.
/// The walk itself reads only the last two.
const READ_AGAIN: u64 = 1 << 30;

/// More damaged files than this are not told one by one.
const TOLD: usize = 4;

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
        Damage {
            job,
            manifest,
            found: Vec::new(),
            levels: Vec::new(),
            checkpoint: false,
        }
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
        let Some(unfinished) = &self.manifest.unfinished else {
            return Ok(());
        };
        let description = &self.job.description;
        let about = description.about(Kind::Run, unfinished.level);
        for run in &unfinished.runs {
            go_on()?;
            let run = self.job.run(run).open::<I>(&about);
            let sound = run.and_then(|run| run.check(go_on));
            self.checkpoint |= !self.note(sound)?;
        }
        if let Some(written) = &unfinished.written {
            let path = self.job.level_path(unfinished.level);
            let about = description.about(Kind::Level, unfinished.level);
            let safe = (written.bytes, written.chain);
            let sound = check_beginning::<I>(&path, &about, safe, go_on);
            self.checkpoint |= !self.note(sound)?;
        }
        Ok(())
    }

    /// `levels.csv` and `timing.csv` must be what the manifest gives.
    pub fn check_tables(&mut self) -> Result<()> {
        for (name, expected) in self.manifest.tables() {
            let path = self.job.path(name);
            let most = expected.len() as u64 + MORE_ROWS;
            let what = match disk::read(&path, most) {
                Ok(Some(found)) if self.is_table(&found, expected.as_bytes()) => continue,
                Ok(_) => "the table is not what the manifest says",
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                    if self.manifest.levels.is_empty() {
                        continue;
                    }
                    "the file is missing"
                }
                Err(e) => return Err(Error::io("read", &path, e)),
            };
            self.found.push((path, what.into()));
        }
        Ok(())
    }

    /// Whether this is the table, or one with rows for later levels: those were written by a process
    /// that was killed before it stored the manifest.
    fn is_table(&self, found: &[u8], expected: &[u8]) -> bool {
        let first = self.manifest.levels.len();
        let sound =
            |more: &[u8]| more.is_empty() || !self.manifest.finished && are_rows(more, first);
        found.strip_prefix(expected).is_some_and(sound)
    }

    /// An error if anything is damaged: what, and how to go on.
    pub fn verdict(self) -> Result<()> {
        let Some(((path, what), others)) = self.found.split_first() else {
            return Ok(());
        };
        let mut what = what.clone();
        for (path, other) in others.iter().take(TOLD) {
            what += &format!("; {} is damaged, too: {other}", path.display());
        }
        if let Some(more) = others.len().checked_sub(TOLD).filter(|&more| more > 0) {
            what += &format!(
                "; and so are {}",
                plural(more as u128, "more file", "more files")
            );
        }
        Err(Error::damaged(path, what, self.remedy()))
    }

    fn remedy(&self) -> String {
        let dir = quoted(self.job.dir());
        let last = self.manifest.levels.len().saturating_sub(1) as u32;
        let kept_from = self.manifest.kept_from;
        let (Some(&first), Some(&worst)) = (self.levels.iter().min(), self.levels.iter().max())
        else {
            return match self.checkpoint {
                true => format!(
                    "{}: `godnum resume {dir} --from-level {last}` begins level {} again",
                    are_sound(kept_from, last),
                    last + 1
                ),
                false => format!(
                    "the manifest and all level sets are sound: `godnum resume {dir}` writes the \
                     table again"
                ),
            };
        };
        let before = first.checked_sub(1).filter(|&level| level >= kept_from);
        // A level is computed out of the two before it.
        let usable = before.filter(|&level| level == 0 || level > kept_from);
        let puzzle = &self.job.description.puzzle;
        let mut remedy = match (usable, before) {
            (Some(level), _) => format!(
                "{}: `godnum resume {dir} --from-level {level}` computes the rest again",
                are_sound(kept_from, level)
            ),
            (None, _) if kept_from > 0 => format!(
                "the level sets below level {kept_from} were not kept, and no two sound ones are \
                 left to go on from: start again with `godnum enumerate {puzzle} --dir {dir} \
                 --fresh`"
            ),
            (None, _) => {
                format!("`godnum enumerate {puzzle} --dir {dir} --fresh` starts again from nothing")
            }
        };
        if worst < last && kept_from == 0 {
            remedy += &format!(
                ". To keep the later levels: `godnum enumerate {puzzle} --dir OTHER --max-level \
                 {worst}` makes the same files up to level {worst} in another directory, to be \
                 copied from there"
            );
        }
        remedy
    }
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

fn are_sound(first: u32, last: u32) -> String {
    match first == last {
        true => format!("level {first} is sound"),
        false => format!("levels {first} to {last} are sound"),
    }
}

/// The file of a level against the manifest's record of it, and by itself as far as `check` does.
pub(super) fn check_level<I: Index>(
    job: &Job,
    record: &LevelRecord,
    check: impl FnOnce(&SortedSet<I>) -> Result<()>,
) -> Result<()> {
    let path = job.level_path(record.level);
    let set = job.open_level::<I>(record.level)?;
    check(&set)?;
    let totals = set.totals();
    if (
        totals.count,
        totals.states,
        totals.chain,
        file_length(&path),
    ) != (record.classes, record.states, record.chain, record.bytes)
    {
        return Err(Error::damaged(
            &path,
            "it is not the level set that the manifest names",
            go_back(&path),
        ));
    }
    Ok(())
}

/// Before a job goes on: holds the level sets up to `last` to the manifest, byte by byte unless
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
    for record in kept.filter(|record| last.is_none_or(|last| record.level <= last)) {
        if control.stopped() {
            // Whoever goes on has more to say about that.
            return Ok(());
        }
        let path = job.level_path(record.level);
        let result = if read + record.bytes <= READ_AGAIN || file_length(&path) != record.bytes {
            read += record.bytes;
            check_level::<I>(job, record, |set| set.check_bytes(|| Ok(())))
        } else {
            unread += record.bytes;
            Ok(())
        };
        damage.level(record.level, result)?;
    }
    if unread > 0 {
        control.observer.announce(&format!(
            "{} of level sets were not read again; `godnum verify {}` does that",
            bytes(unread),
            quoted(job.dir())
        ));
    }
    damage.verdict()
}

/// What lies in a job but is not part of it, in sentences.
pub(super) fn leftovers(job: &Job, manifest: &Manifest) -> Result<Vec<String>> {
    let mut sentences = Vec::new();
    let levels = manifest.kept_from..manifest.levels.len() as u32;
    let mut named: Vec<PathBuf> = levels.map(|level| job.level_path(level)).collect();
    if let Some(unfinished) = &manifest.unfinished {
        named.extend(unfinished.runs.iter().map(|run| job.run(run).path));
        if let Some(written) = &unfinished.written {
            let path = job.level_path(unfinished.level);
            let about = job.description.about(Kind::Level, unfinished.level);
            let beyond = file_length(&path).saturating_sub(about.length() + written.bytes);
            if beyond > 0 {
                sentences.push(format!(
                    "the last {beyond} bytes of {}: they came after the checkpoint and are written \
                     again",
                    path.display()
                ));
            }
            named.push(path);
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
        let loose = all
            .iter()
            .filter(|p| is_ours(p) && !named.contains(p))
            .count();
        if loose > 0 {
            sentences.push(format!(
                "{} in {}: the manifest does not name them, and the next start deletes them",
                plural(loose as u128, "file", "files"),
                folder.display()
            ));
        }
    }
    Ok(sentences)
}

//! The job directory: its description, its paths.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::archive;
use super::checkpoint::Checkpoint;
use super::manifest::{self, LevelRecord, Manifest, RunRecord};
use super::parts::{self, PARTS};
use super::provenance::PROVENANCE;
use super::salvage;
use super::subject::Subject;
use super::verify::CERTIFICATE;
use crate::error::{Error, Holds, Instead, Interruption, IoAction, Repair, Result, WorkKind};
use crate::space::Index;
use crate::store::Lock;
use crate::store::disk::{Disk, entries, exists, file_length, is_dir};
use crate::store::files::{self, Files};
use crate::store::level_set::{SetHeader, SetKind, SetTotals, SortedSet};
use crate::store::sealed::{self, FORMAT, decimal};
use crate::text::file_name;

/// What a job enumerates; `job.json`, written once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// Version of this format.
    pub format: u32,
    /// Canonical text of the puzzle.
    pub puzzle: String,
    /// Version of the puzzle's numbering of classes.
    pub index_scheme: u32,
    /// All indices are below it.
    #[serde(with = "decimal")]
    pub universe: u128,
    /// What tells the content of the file that the text names from any other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Description {
    /// The description of an enumeration.
    pub fn of(subject: &dyn Subject) -> Self {
        let identity = subject.identity();
        Description {
            format: FORMAT,
            puzzle: identity.text,
            index_scheme: identity.index_scheme,
            universe: subject.space().universe(),
            content: identity.content.map(|hash| format!("{hash:016x}")),
        }
    }

    /// What the header of one of the job's level sets says.
    pub fn set_header(&self, kind: SetKind, level: u32) -> SetHeader {
        SetHeader {
            kind,
            puzzle: self.puzzle.clone(),
            scheme: self.index_scheme,
            level,
            universe: self.universe,
            content: self.content.as_ref().map(|hash| u64::from_str_radix(hash, 16).unwrap_or_default()),
        }
    }
}

impl std::fmt::Display for Description {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (index scheme {}", self.puzzle, self.index_scheme)?;
        if let Some(content) = &self.content {
            write!(f, ", file content {content}")?;
        }
        write!(f, ")")
    }
}

/// Where jobs are unless the user says otherwise.
pub const JOBS: &str = "runs";
/// The folder in a job that runs go to. (Not `runs`: that is where jobs are.)
pub const SCRATCH: &str = "scratch";
/// The files of a job, the description first.
const FILES: [&str; 7] =
    ["job.json", "manifest.json", "prepared.json", "levels.csv", "timing.csv", PROVENANCE, CERTIFICATE];
/// The folders of a job.
const FOLDERS: [&str; 2] = ["levels", SCRATCH];

/// A job directory with a description that has been read.
#[derive(Clone, Debug)]
pub struct Job {
    dir: PathBuf,
    /// What it enumerates.
    pub description: Description,
    checksum: u64,
    /// Reads its level sets.
    files: Arc<dyn Files>,
}

impl Job {
    /// Opens an existing job.
    pub fn open(dir: &Path) -> Result<Job> {
        let path = dir.join("job.json");
        if !exists(&path)? {
            refuse_orphans(dir).map_err(|error| match Lock::holder(dir) {
                // The process that replaces the job is about to delete them.
                Some(pulse) => {
                    Error::Locked { dir: dir.to_owned(), pid: Some(pulse.pid).filter(|&pid| pid > 0) }
                }
                None => error,
            })?;
            let holds = |name: &str| exists(&dir.join(name));
            return Err(Error::Directory {
                dir: dir.to_owned(),
                holds: match () {
                    () if holds("count.json")? => Holds::OtherWork(WorkKind::Count),
                    () if holds("sample.json")? => Holds::OtherWork(WorkKind::Sample),
                    () if holds("proof.json")? => Holds::OtherWork(WorkKind::Proof),
                    () if holds("witness.json")? => Holds::OtherWork(WorkKind::Witness),
                    () if holds("hunt.json")? => Holds::OtherWork(WorkKind::Hunt),
                    () => Holds::NoJob,
                },
            });
        }
        let (description, checksum) = sealed::unseal(&path).map_err(|error| salvage::advise(dir, error))?;
        Ok(Job { dir: dir.to_owned(), description, checksum, files: files::system() })
    }

    /// The job in `dir` as its description would be sealed.
    pub(super) fn of(dir: &Path, description: Description) -> Result<Job> {
        let checksum = sealed::seal(&description)?.1;
        Ok(Job { dir: dir.to_owned(), description, checksum, files: files::system() })
    }

    /// The checksum of the description, which the manifest names.
    pub(super) fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Deletes the job in `dir`, if there is one: exactly the files that jobs consist of. Refused
    /// while a process works on it, and if there is anything else.
    pub fn discard(dir: &Path, disk: &Disk) -> Result<()> {
        if !exists(dir)? {
            return Ok(());
        }
        refuse_foreign(dir)?;
        let _lock = Lock::take(dir)?;
        // Runs can be anywhere; a manifest that cannot be read names none.
        let job = Job::open(dir).ok();
        if let Some(job) = &job
            && let Ok(manifest) = job.manifest()
        {
            let runs = manifest.checkpoint.iter().flat_map(|c| &c.runs);
            let mut runs: Vec<PathBuf> = runs.map(|run| job.run(run).path).collect();
            let mut folders = manifest.scratch;
            folders.retain(|folder| job.owns_folder(folder));
            for folder in &folders {
                runs.extend(entries(folder)?);
            }
            for run in runs.iter().filter(|run| job.owns(run)) {
                disk.remove(run)?;
            }
            folders.iter().for_each(|dir| disk.remove_empty_dir(dir));
        }
        // The description goes first: without it the rest is a leftover, whatever happens next.
        for name in FILES {
            disk.remove(&dir.join(name))?;
            disk.remove(&dir.join(format!("{name}.part")))?;
        }
        // After a crash, too.
        disk.sync_dir(dir)?;
        for layout in entries(&dir.join(PARTS))? {
            parts::discard_layout(&layout, disk)?;
        }
        disk.remove_empty_dir(&dir.join(PARTS));
        for folder in FOLDERS.map(|folder| dir.join(folder)) {
            for path in entries(&folder)?.iter().filter(|path| is_ours(path)) {
                match &job {
                    Some(job) => archive::remove(job, disk, path)?,
                    None => disk.remove(path)?,
                }
            }
            disk.remove_empty_dir(&folder);
        }
        disk.sync_dir(dir)
    }

    /// Opens the job in `dir` and takes its lock, or makes one there if the directory is missing
    /// or empty. A directory with anything else in it is refused.
    pub fn open_or_create(dir: &Path, description: Description, disk: &Disk) -> Result<(Job, Lock)> {
        let path = dir.join("job.json");
        if !exists(&path)? {
            refuse_foreign(dir)?;
            disk.create_dir(dir)?;
        }
        let lock = Lock::take(dir)?;
        if exists(&path)? {
            let job = Job::open(dir)?;
            if job.description != description {
                return Err(Error::Directory {
                    dir: dir.to_owned(),
                    holds: Holds::Another {
                        work: WorkKind::Job,
                        held: job.description.to_string(),
                        wanted: description.to_string(),
                    },
                });
            }
            if disk.is_in_doubt(&path)? {
                disk.replace(&path, &sealed::seal(&job.description)?.0)?;
            }
            return Ok((Job { files: disk.files().clone(), ..job }, lock));
        }
        refuse_orphans(dir)?;
        // Under the lock: another process may just have deleted what was here.
        disk.create_dir(&dir.join("levels"))?;
        let (bytes, checksum) = sealed::seal(&description)?;
        // The manifest first: a job without one is damaged, not new.
        let manifest = Manifest::new(checksum);
        manifest::store(disk, &dir.join("manifest.json"), &manifest)?;
        disk.replace(&path, &bytes)?;
        let job = Job { dir: dir.to_owned(), description, checksum, files: disk.files().clone() };
        Ok((job, lock))
    }

    /// Checks that the job is one of `subject`, as it is now: a file that its text names, or the
    /// numbering of its classes, may have changed since the job began.
    pub fn check_subject(&self, subject: &dyn Subject) -> Result<()> {
        let now = Description::of(subject);
        if now == self.description {
            return Ok(());
        }
        let repair = match now.content == self.description.content {
            true => Repair::OtherVersion,
            false => Repair::PuzzleFile,
        };
        Err(Error::damaged(
            &self.path("job.json"),
            format!("the job is one of {}, and this is now {now}", self.description),
            repair,
        ))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// A file of the job.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The level set of a level.
    pub fn level_path(&self, level: u32) -> PathBuf {
        self.dir.join(format!("levels/{level:05}.gls"))
    }

    /// Opens the level set that a record of the manifest names. Another one in its place is refused,
    /// even one that is intact and looks the same from outside: that of a job whose puzzle's text is
    /// the same, and whose file is not.
    pub fn open_level<I: Index>(&self, record: &LevelRecord) -> Result<SortedSet<I>> {
        self.open_level_while(record, || Ok(()))
    }

    /// The same; asks `go_on` as [`SortedSet::open_with`] does.
    pub fn open_level_while<I: Index>(
        &self,
        record: &LevelRecord,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<SortedSet<I>> {
        let set = self.open_unnamed_level(record.level, go_on)?;
        let SetTotals { count, states, blocks_digest } = set.totals();
        let found = (count, states, blocks_digest, set.file_length());
        if found == (record.classes, record.states, record.blocks_digest, record.bytes) {
            return Ok(set);
        }
        let repair = Repair::Level { job: Some(self.dir.clone()), level: record.level };
        let what = "it is not the level set that the manifest names";
        Err(Error::damaged(&self.level_path(record.level), what, repair))
    }

    /// Refuses to walk the job in one process while its level sets are divided among several.
    pub(super) fn refuse_parts(&self) -> Result<()> {
        let distribution = self.manifest()?.distribution;
        if distribution.is_some_and(|distribution| !distribution.layouts.is_empty()) {
            return Err(self.is_divided());
        }
        Ok(())
    }

    fn is_divided(&self) -> Error {
        Error::Misdirected {
            fact: format!("the level sets of the job in {} are divided among processes", self.dir.display()),
            instead: Instead::Gather(self.dir.clone()),
        }
    }

    /// Opens the level set of a level, whatever the manifest says: only its header tells that it is
    /// one of this job.
    pub(super) fn open_unnamed_level<I: Index>(
        &self,
        level: u32,
        go_on: impl Fn() -> Result<()>,
    ) -> Result<SortedSet<I>> {
        if is_dir(&self.path(PARTS))? && !exists(&self.level_path(level))? {
            return Err(self.is_divided());
        }
        let about = self.description.set_header(SetKind::Level, level);
        let set = SortedSet::open_with(&self.files, &self.level_path(level), &about, go_on);
        let set = set.map_err(|error| error.in_job(&self.dir))?;
        Ok(set.of_job(&self.dir))
    }

    /// The error of an enumeration that the user stopped in a level.
    pub(super) fn interrupted(&self, level: u32, saved: bool) -> Error {
        Error::Interrupted(Interruption::Level { job: self.dir.clone(), level, saved })
    }

    /// What reads the job's level sets and runs.
    pub(super) fn files(&self) -> &Arc<dyn Files> {
        &self.files
    }

    /// Where runs go: inside the job, or in a folder of its own below `scratch`.
    pub fn run_dir(&self, scratch: Option<&Path>) -> Result<PathBuf> {
        let Some(scratch) = scratch else {
            return Ok(self.dir.join(SCRATCH));
        };
        let dir = self.folder_in(scratch)?;
        if dir.to_str().is_none() {
            return Err(Error::Usage(format!(
                "the scratch directory {} cannot be recorded: its name is not UTF-8",
                scratch.display()
            )));
        }
        Ok(dir)
    }

    /// The job's folder in a directory of other jobs as well: the same wherever a later process is started.
    pub(super) fn folder_in(&self, dir: &Path) -> Result<PathBuf> {
        Ok(absolute(dir)?.join(self.tag()?))
    }

    /// Bytes of level sets that are in an archive.
    pub fn archived_bytes(&self, manifest: &Manifest) -> Result<u64> {
        let kept = manifest.levels.iter().skip(manifest.kept_from as usize);
        let paths = kept.map(|record| self.level_path(record.level));
        paths.filter_map(|path| archive::archived(self, &path)).map(|target| file_length(&target)).sum()
    }

    /// The name of the job's folder in scratch directories: another one for a copy of the job.
    fn tag(&self) -> Result<String> {
        let place = xxh3_64(absolute(&self.dir)?.as_os_str().as_encoded_bytes());
        let name = file_name(&self.description.puzzle);
        Ok(format!("godnum-{name}-{place:016x}"))
    }

    /// Whether a run file may be deleted: it is in this job, and not in one of which this is a
    /// copy.
    pub fn owns(&self, run: &Path) -> bool {
        let folder = run.parent().unwrap_or(run);
        is_ours(run) && (folder == self.dir.join(SCRATCH) || self.owns_folder(folder))
    }

    /// Whether a folder in a scratch directory is this job's.
    pub fn owns_folder(&self, folder: &Path) -> bool {
        let named = folder.file_name().and_then(OsStr::to_str);
        self.tag().is_ok_and(|tag| named == Some(tag.as_str()))
    }

    /// A run of the manifest, with its path as seen from here: inside the job, or anywhere.
    pub fn run(&self, run: &RunRecord) -> RunRecord {
        RunRecord { path: self.dir.join(&run.path), ..*run }
    }

    /// The level sets of `levels`, and the files that a checkpoint names.
    pub(super) fn named_files(
        &self,
        levels: std::ops::Range<u32>,
        checkpoint: Option<&Checkpoint>,
    ) -> Vec<PathBuf> {
        let mut named: Vec<_> = levels.map(|level| self.level_path(level)).collect();
        if let Some(checkpoint) = checkpoint {
            named.extend(checkpoint.runs.iter().map(|run| self.run(run).path));
            named.extend(checkpoint.partial.as_ref().map(|_| self.level_path(checkpoint.level)));
        }
        named
    }

    /// The manifest.
    pub fn manifest(&self) -> Result<Manifest> {
        let path = self.path("manifest.json");
        let advise = |error| salvage::advise(&self.dir, error);
        let (manifest, _): (Manifest, _) = sealed::unseal(&path).map_err(advise)?;
        let wrong = match manifest.job == self.checksum {
            true => manifest.flaw(self.description.universe),
            false => Some("the manifest belongs to another job"),
        };
        if let Some(what) = wrong {
            return Err(advise(Error::damaged(&path, what, Repair::Restore)));
        }
        Ok(manifest)
    }

    /// The levels whose files, which the manifest names, are missing or have another length.
    pub fn missing_levels(&self, manifest: &Manifest) -> Result<Vec<u32>> {
        let kept = manifest.levels.iter().skip(manifest.kept_from as usize);
        let lengths = kept.map(|record| Ok((record, file_length(&self.level_path(record.level))?)));
        let wrong = lengths.filter(|found: &Result<_>| match found {
            Ok((record, length)) => *length != record.bytes,
            Err(_) => true,
        });
        wrong.map(|found| found.map(|(record, _)| record.level)).collect()
    }

    /// Bytes that the job's files take, with runs in those of the folders `elsewhere` that are its own.
    pub fn size(&self, elsewhere: &[PathBuf]) -> Result<u64> {
        let mut folders = vec![self.dir.clone(), self.path("levels"), self.path(SCRATCH)];
        for part in parts_in(&self.dir)? {
            folders.extend([part.join("levels"), part.join(SCRATCH), part]);
        }
        folders.extend(elsewhere.iter().filter(|folder| self.owns_folder(folder)).cloned());
        folders.sort_unstable();
        folders.dedup();
        folders.iter().map(|folder| folder_size(folder)).sum()
    }
}

/// Refuses a directory with something in it that no job has.
fn refuse_foreign(dir: &Path) -> Result<()> {
    let own = |name: &OsStr| {
        let name = name.to_str().unwrap_or_default();
        name == "lock" || FILES.contains(&name.trim_end_matches(".part"))
    };
    let mut foreign = Vec::new();
    for path in entries(dir)? {
        let name = path.file_name().unwrap_or_default();
        if FOLDERS.iter().any(|folder| name == *folder) {
            foreign.extend(entries(&path)?.into_iter().filter(|path| !is_ours(path)));
        } else if name == PARTS {
            for part in parts_in(dir)? {
                refuse_foreign(&part)?;
            }
        } else if !own(name) {
            foreign.push(path);
        }
    }
    // A lone file of that name need not be ours.
    let description = dir.join("job.json");
    if exists(&description)?
        && !exists(&dir.join("manifest.json"))?
        && sealed::unseal::<Description>(&description).is_err()
    {
        foreign.push(description);
    }
    match foreign.first() {
        None => Ok(()),
        Some(path) => Err(Error::Directory {
            dir: dir.to_owned(),
            holds: Holds::Foreign { work: WorkKind::Job, path: path.clone() },
        }),
    }
}

/// Refuses a directory that has level sets but no description of what they are.
fn refuse_orphans(dir: &Path) -> Result<()> {
    if folder_size(&dir.join("levels"))? == 0 {
        return Ok(());
    }
    Err(salvage::advise(
        dir,
        Error::damaged(
            &dir.join("job.json"),
            "the file is missing, but there are level sets beside it",
            Repair::Restore,
        ),
    ))
}

/// Whether a file's name is that of a level set or a run, finished or not.
pub(super) fn is_ours(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("gls" | "run" | "part"))
}

/// The directories of all parts in a job.
fn parts_in(dir: &Path) -> Result<Vec<PathBuf>> {
    let layouts = entries(&dir.join(PARTS))?;
    let parts: Vec<Vec<PathBuf>> = layouts.iter().map(|layout| entries(layout)).collect::<Result<_>>()?;
    Ok(parts.concat())
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).map_err(|e| Error::io(IoAction::Resolve, path, e))
}

/// Bytes in the files of one folder, without those in folders below it.
fn folder_size(dir: &Path) -> Result<u64> {
    let paths = entries(dir)?;
    // A link to a file elsewhere takes no room here.
    let files = paths.iter().filter(|path| !path.is_dir() && !path.is_symlink());
    files.map(|path| file_length(path)).sum()
}

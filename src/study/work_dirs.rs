//! Directories of work: which there are, how far each is, and how they are removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::hunt::HuntRecord;
use super::prove::record::ProofRecord;
use super::witness::WitnessRecord;
use super::{count, hunt, prove, sample, witness};
use crate::engine::Job;
use crate::error::{Error, Holds, IoAction, Result, WorkKind};
use crate::store::disk::{self, Disk, exists};
use crate::store::{Lock, Pulse};
use crate::text::{count as number, pluralise};

/// What is in a directory of work.
#[derive(Clone, Debug)]
pub struct WorkDir {
    /// Where it is.
    pub dir: PathBuf,
    /// What it is.
    pub kind: WorkKind,
    /// What it is about; empty where that cannot be read.
    pub puzzle: String,
    /// How far it is.
    pub state: WorkState,
    /// The last level that is safe, of a job.
    pub level: Option<u32>,
    /// How far it is, in words.
    pub progress: String,
    /// Bytes that its files take.
    pub bytes: u64,
    /// When it was last changed.
    pub modified: Option<SystemTime>,
    /// The process that works on it.
    pub holder: Option<Pulse>,
}

/// How far work is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkState {
    /// All is done.
    Finished,
    /// Some is left, and no process works on it.
    Unfinished,
    /// A process works on it.
    Running,
    /// It cannot be read; why.
    Damaged(String),
}

impl WorkState {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            WorkState::Finished => "finished",
            WorkState::Unfinished => "unfinished",
            WorkState::Running => "running",
            WorkState::Damaged(_) => "damaged",
        }
    }
}

/// The file that tells work of each kind.
const FILES: [(WorkKind, &str); 6] = [
    (WorkKind::Job, "job.json"),
    (WorkKind::Count, "count.json"),
    (WorkKind::Sample, "sample.json"),
    (WorkKind::Proof, "proof.json"),
    (WorkKind::Witness, "witness.json"),
    (WorkKind::Hunt, "hunt.json"),
];

/// What is known from the records of some work: the puzzle, whether all is done, the last level, the progress.
type WorkFacts = (String, bool, Option<u32>, String);

/// The work in a directory; `None` if there is none.
pub fn look(dir: &Path) -> Result<Option<WorkDir>> {
    let mut kind = None;
    for (found, file) in FILES {
        if kind.is_none() && exists(&dir.join(file))? {
            kind = Some(found);
        }
    }
    // A job that lost its description.
    if kind.is_none() && (exists(&dir.join("manifest.json"))? || exists(&dir.join("levels"))?) {
        kind = Some(WorkKind::Job);
    }
    let Some(kind) = kind else {
        return Ok(None);
    };
    let holder = Lock::holder(dir);
    let (puzzle, done, level, progress, damage) = match facts(dir, kind) {
        Ok((puzzle, done, level, progress)) => (puzzle, done, level, progress, None),
        Err(error) => (String::new(), false, None, String::new(), Some(error.to_string())),
    };
    let state = match (damage, &holder, done) {
        (Some(why), None, _) => WorkState::Damaged(why),
        (_, Some(_), _) => WorkState::Running,
        (None, None, true) => WorkState::Finished,
        (None, None, false) => WorkState::Unfinished,
    };
    let (mut bytes, modified) = measure(dir)?;
    if let Ok(job) = Job::open(dir)
        && let Ok(manifest) = job.manifest()
    {
        // Runs may be elsewhere.
        bytes = bytes.max(job.size(&manifest.scratch)?);
    }
    Ok(Some(WorkDir { dir: dir.to_owned(), kind, puzzle, state, level, progress, bytes, modified, holder }))
}

fn facts(dir: &Path, kind: WorkKind) -> Result<WorkFacts> {
    let lost = || Error::Directory { dir: dir.to_owned(), holds: Holds::NoJob };
    Ok(match kind {
        WorkKind::Job => {
            let job = Job::open(dir)?;
            let manifest = job.manifest()?;
            let level = manifest.levels.last().map(|last| last.level);
            let progress = level.map_or("nothing is safe yet".into(), |last| {
                format!("levels 0 to {last}, {}", pluralise(manifest.states(), "state"))
            });
            (job.description.puzzle.clone(), manifest.finished, level, progress)
        }
        WorkKind::Count => {
            let progress = count::progress(dir)?.ok_or_else(lost)?;
            let parts = format!("{} of {} parts", progress.done, progress.parts);
            (progress.puzzle, progress.solutions.is_some(), None, parts)
        }
        WorkKind::Sample => {
            let progress = sample::progress(dir)?.ok_or_else(lost)?;
            // A sample can always be enlarged.
            (progress.about, true, None, pluralise(progress.done, "row"))
        }
        WorkKind::Proof => {
            let record = ProofRecord::read(dir)?.ok_or_else(lost)?;
            let (done, all) = (record.closings.len(), record.blocks().len());
            let progress = format!("at most {}: {done} of {all} blocks", record.at_most);
            (record.puzzle.clone(), done == all, None, progress)
        }
        WorkKind::Witness => {
            let record = WitnessRecord::read(dir)?.ok_or_else(lost)?;
            let progress = format!("at least {}", number(record.at_least.into()));
            (record.puzzle, true, None, progress)
        }
        WorkKind::Hunt => {
            let record = HuntRecord::read(dir)?.ok_or_else(lost)?;
            let (boards, finds) = (pluralise(record.boards, "board"), record.finds.len());
            let progress =
                format!("at least {}: {boards} tested, {} found", record.at_least, number(finds as u128));
            // A hunt can always go on with more boards.
            (record.puzzle, true, None, progress)
        }
    })
}

/// All work in the folders of a directory, by name.
pub fn list(dir: &Path) -> Result<Vec<WorkDir>> {
    let mut folders = disk::entries(dir)?;
    folders.retain(|path| path.is_dir());
    folders.sort_unstable();
    let found = folders.iter().map(|folder| look(folder));
    found.filter_map(Result::transpose).collect()
}

/// Bytes in the files below a directory, and when the last of them was changed.
pub fn measure(dir: &Path) -> Result<(u64, Option<SystemTime>)> {
    let mut total = (0u64, None);
    let mut folders = vec![dir.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in disk::entries(&folder)? {
            let found = match fs::symlink_metadata(&path) {
                // A process that works on it may just have deleted it.
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                found => found.map_err(|e| Error::io(IoAction::LookFor, &path, e))?,
            };
            if found.is_dir() {
                folders.push(path);
                continue;
            }
            total.0 += found.len();
            // The lock is touched by every process that looks.
            if path.file_name().is_none_or(|name| name != "lock") {
                total.1 = total.1.max(found.modified().ok());
            }
        }
    }
    Ok(total)
}

/// Removes work: exactly the files that work of its kind consists of, and the directory if nothing else is in it.
/// Refused while a process works on it, and if there is anything else.
pub fn remove(work: &WorkDir) -> Result<()> {
    let disk = Disk::new(None, 0);
    match work.kind {
        WorkKind::Job => Job::discard(&work.dir, &disk)?,
        WorkKind::Count => count::discard(&work.dir)?,
        WorkKind::Sample => sample::discard(&work.dir)?,
        WorkKind::Proof => prove::discard(&work.dir)?,
        WorkKind::Witness => witness::discard(&work.dir)?,
        WorkKind::Hunt => hunt::discard(&work.dir)?,
    }
    remove_empty(&work.dir, &disk)
}

/// Removes a directory in which only a lock is left that no process holds.
fn remove_empty(dir: &Path, disk: &Disk) -> Result<()> {
    let lock = dir.join("lock");
    if disk::entries(dir)?.iter().all(|path| *path == lock) && Lock::holder(dir).is_none() {
        disk.remove(&lock)?;
        disk.remove_empty_dir(dir);
    }
    Ok(())
}

/// A table that solvers keep in the cache.
#[derive(Clone, Debug)]
pub struct CachedTable {
    /// Its file.
    pub path: PathBuf,
    /// Its length.
    pub bytes: u64,
    /// When it was made.
    pub modified: Option<SystemTime>,
}

/// The tables in a cache, finished or not.
pub fn tables(cache: &Path) -> Result<Vec<CachedTable>> {
    let mut found = Vec::new();
    for path in disk::entries(cache)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_file() && (name.ends_with(".table") || name.ends_with(".table.part")) {
            let bytes = disk::file_length(&path)?;
            let modified = fs::metadata(&path).and_then(|found| found.modified()).ok();
            found.push(CachedTable { path, bytes, modified });
        }
    }
    found.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Removes a table of a cache; the next solver that needs it makes it again.
pub fn remove_table(table: &CachedTable) -> Result<()> {
    Disk::new(None, 0).remove(&table.path)
}

//! The manifest of a running job: what is done, what of it is stored, and when to store the rest.
//!
//! A level that has just been computed is *pending*: its file is written but not synced. Storing
//! syncs all pending files, then replaces the manifest, then deletes what no manifest names any
//! more. Short levels share one such commit; none waits longer than about a second.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Keep;
use super::archive;
use super::checkpoint::Checkpoint;
use super::job::{Job, SCRATCH, is_ours};
use super::manifest::{self, LevelRecord, Manifest, PartState};
use super::peers::Peers;
use super::progress::Control;
use crate::error::{Result, Saved};
use crate::store::disk::{self, Disk};
use crate::store::sealed;

/// A computed level is durable after about this long.
const COMMIT_WITHIN: Duration = Duration::from_secs(1);

/// The manifest in memory and the one on disk. It alone replaces `manifest.json`, and deletes files that
/// no stored manifest names.
pub(super) struct ManifestStore<'a> {
    job: &'a Job,
    disk: &'a Disk,
    keep: Keep,
    checkpoint_every: Duration,
    /// What is done.
    manifest: Manifest,
    /// What the stored manifest says.
    stored: Manifest,
    pending_since: Option<Instant>,
    last_checkpoint: Instant,
    /// Time that whole milliseconds left over.
    left_over: Duration,
    garbage: Vec<PathBuf>,
    /// The other processes, and the levels of all of them together.
    joint: Option<JointLevels<'a>>,
}

/// The levels of a job of several processes, of which this manifest is one part.
struct JointLevels<'a> {
    peers: &'a dyn Peers,
    levels: Vec<LevelRecord>,
}

/// A part's next manifest, before it is known that those of all parts are durable.
const PREPARED: &str = "prepared.json";

/// A part's record of a level: the manifest may still be the one before the last commit.
pub(super) fn part_record(job: &Job, level: u32) -> Option<LevelRecord> {
    let prepared = || sealed::unseal::<Manifest>(&job.path(PREPARED)).ok().map(|(manifest, _)| manifest);
    let record = |manifest: Manifest| manifest.levels.get(level as usize).cloned();
    job.manifest().ok().and_then(record).or_else(|| prepared().and_then(record))
}

/// Makes the manifest of a part that of the commit which made the job what it is: the process may have ended before it
/// knew that its next one is valid. Returns whether there is such a manifest.
pub(super) fn recover(job: &Job, disk: &Disk, stored: (u64, u64)) -> Result<bool> {
    let is_stored = |manifest: &Manifest| {
        let part = manifest.part.as_ref();
        part.is_some_and(|part| (part.epoch, part.commit) == stored)
    };
    if is_stored(&job.manifest()?) {
        return Ok(true);
    }
    let prepared = job.path(PREPARED);
    if !disk::exists(&prepared)? {
        return Ok(false);
    }
    // One that is half written is not the one that was stored.
    match sealed::unseal::<Manifest>(&prepared) {
        Ok((manifest, _)) if is_stored(&manifest) => {
            manifest::store(disk, &job.path("manifest.json"), &manifest)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

impl<'a> ManifestStore<'a> {
    pub fn open(job: &'a Job, disk: &'a Disk, keep: Keep, checkpoint_every: Duration) -> Result<Self> {
        let manifest = job.manifest()?;
        Ok(ManifestStore {
            job,
            disk,
            keep,
            checkpoint_every,
            stored: manifest.clone(),
            manifest,
            pending_since: None,
            last_checkpoint: Instant::now(),
            left_over: Duration::ZERO,
            garbage: Vec::new(),
            joint: None,
        })
    }

    /// From now on stores a manifest only together with the other processes, beginning with the first commit of start
    /// `epoch`. `levels` are those of all processes together.
    pub fn join(&mut self, peers: &'a dyn Peers, epoch: u64, levels: Vec<LevelRecord>) {
        self.manifest.part =
            Some(PartState { epoch, commit: 0, process: peers.process(), count: peers.count() });
        self.joint = Some(JointLevels { peers, levels });
    }

    /// Begins a part with levels that other parts were made into; those from `kept_from` on are here.
    pub fn begin_part(&mut self, levels: Vec<LevelRecord>, kept_from: u32) {
        self.manifest.levels = levels;
        self.manifest.kept_from = kept_from;
    }

    /// All processes have computed a level; `record` is that of all together.
    pub fn add_joint(&mut self, record: LevelRecord) {
        if let Some(joint) = &mut self.joint {
            joint.levels.push(record);
        }
    }

    /// Replaces the manifest; with other processes, when all of them have made theirs durable.
    fn store(&mut self) -> Result<()> {
        let path = self.job.path("manifest.json");
        let (Some(joint), Some(part)) = (&self.joint, &mut self.manifest.part) else {
            return manifest::store(self.disk, &path, &self.manifest);
        };
        part.commit += 1;
        let part = part.clone();
        manifest::store(self.disk, &self.job.path(PREPARED), &self.manifest)?;
        joint.peers.commit(&part, &self.manifest, &joint.levels)?;
        manifest::store(self.disk, &path, &self.manifest)
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Moves what the walk does not need next to an archive, as far as it is stored.
    pub fn archive(&self, archive: &Path, control: Control<'_>) -> Result<()> {
        match self.disk.is_doubtful() {
            true => Ok(()),
            false => archive::move_finished(self.job, &self.stored, self.disk, archive, control),
        }
    }

    /// Which levels are stored: not always all that are done, on a full disk.
    pub fn saved(&self) -> Saved {
        let levels = self.stored.levels.len();
        Saved { levels, all: levels >= self.manifest.levels.len() }
    }

    /// The checkpoint inside the next level, if there is one.
    pub fn take_checkpoint(&mut self) -> Option<Checkpoint> {
        self.manifest.checkpoint.take()
    }

    /// The time spent on a level, in whole milliseconds; what is left over counts for the next
    /// one, so that many short levels add up.
    pub fn lap(&mut self, spent: Duration) -> u64 {
        let spent = self.left_over + spent;
        let millis = spent.as_millis() as u64;
        self.left_over = spent - Duration::from_millis(millis);
        millis
    }

    /// A level is computed.
    pub fn add(&mut self, record: LevelRecord) {
        self.manifest.levels.push(record);
        self.pending_since.get_or_insert_with(Instant::now);
        self.last_checkpoint = Instant::now();
    }

    /// There is no further level; finding that out took `millis`.
    pub fn finish(&mut self, millis: u64) {
        self.manifest.finished = true;
        self.manifest.closing_millis = millis;
    }

    /// These files may go when the stored manifest does not name them.
    pub fn discard(&mut self, files: Vec<PathBuf>) {
        self.garbage.extend(files);
    }

    /// When something has to be stored next.
    pub fn due(&self) -> Instant {
        let checkpoint = self.next_checkpoint();
        match self.pending_since {
            Some(since) => checkpoint.min(since + COMMIT_WITHIN),
            None => checkpoint,
        }
    }

    fn next_checkpoint(&self) -> Instant {
        let next = self.last_checkpoint.checked_add(self.checkpoint_every);
        // A time that the clock cannot express is as good as never.
        next.unwrap_or(self.last_checkpoint + Duration::from_secs(1 << 30))
    }

    /// Whether a checkpoint inside the level is due, not only a commit of pending levels.
    pub fn checkpoint_due(&self) -> bool {
        Instant::now() >= self.next_checkpoint()
    }

    /// Stores a checkpoint inside a level. Everything that it names must be durable.
    pub fn checkpoint(&mut self, checkpoint: Checkpoint) -> Result<()> {
        self.manifest.checkpoint = Some(checkpoint);
        let stored = self.commit();
        self.last_checkpoint = Instant::now();
        // The level continues in memory; what is stored stays stored, and what is not is forgotten.
        self.manifest.checkpoint = None;
        stored
    }

    /// Stores what is done, if that is more than what is stored.
    pub fn commit(&mut self) -> Result<()> {
        let kept_from = match self.keep {
            Keep::All => self.manifest.kept_from,
            Keep::LastTwo => (self.manifest.levels.len() as u32).saturating_sub(2),
        };
        let kept_from = kept_from.max(self.manifest.kept_from);
        for level in self.manifest.kept_from..kept_from {
            self.garbage.push(self.job.level_path(level));
        }
        self.manifest.kept_from = kept_from;
        let stored_levels = self.stored.levels.len();
        let same_levels = stored_levels == self.manifest.levels.len();
        if self.manifest.checkpoint.is_none() && same_levels && !self.manifest.finished {
            // Nothing new is done: an older checkpoint of the level under way stays good.
            self.manifest.checkpoint = self.stored.checkpoint.clone();
        }
        if self.joint.is_some() || self.manifest != self.stored {
            let pending = self.manifest.levels[stored_levels..].iter();
            let kept = pending.filter(|record| record.level >= kept_from);
            let paths: Vec<_> = kept.map(|record| self.job.level_path(record.level)).collect();
            self.disk.sync_files(&paths)?;
            if !same_levels {
                self.disk.sync_dir(&self.job.path("levels"))?;
                // Before the manifest: a table may have rows too many for a moment, never too few.
                self.write_tables()?;
            }
            self.store()?;
            self.stored = self.manifest.clone();
        }
        self.manifest.checkpoint = None;
        self.pending_since = None;
        self.collect_garbage()
    }

    /// `levels.csv` and `timing.csv`, out of the manifest.
    pub fn write_tables(&self) -> Result<()> {
        for (name, text) in self.manifest.tables() {
            let path = self.job.path(name);
            let old = disk::read(&path, text.len() as u64).unwrap_or_default();
            if old.is_none_or(|old| old != text.as_bytes()) {
                self.disk.put(&path, text.as_bytes())?;
            }
        }
        self.sync_names()
    }

    /// Makes the names of the manifest and the tables durable.
    fn sync_names(&self) -> Result<()> {
        self.disk.sync_name(&self.job.path("manifest.json"))
    }

    /// Makes durable what the last process may have been killed before, or have failed at: the manifest
    /// that is there may still be replaced by an older one in a crash. Nothing that the older one names
    /// may be deleted before.
    pub fn secure(&self) -> Result<()> {
        let path = self.job.path("manifest.json");
        if !self.disk.is_in_doubt(&path)? {
            return self.sync_names();
        }
        for (name, text) in self.manifest.tables() {
            self.disk.put(&self.job.path(name), text.as_bytes())?;
        }
        manifest::store(self.disk, &path, &self.manifest)
    }

    fn collect_garbage(&mut self) -> Result<()> {
        if self.disk.is_doubtful() {
            return Ok(());
        }
        let named = self.named();
        let garbage = std::mem::take(&mut self.garbage);
        let (kept, gone): (Vec<_>, Vec<_>) = garbage.into_iter().partition(|path| named.contains(path));
        self.garbage = kept;
        let levels = self.job.path("levels");
        let ours = |path: &&PathBuf| path.starts_with(&levels) || self.job.owns(path);
        gone.iter().filter(ours).try_for_each(|path| archive::remove(self.job, self.disk, path))
    }

    /// Every level set and run that the stored manifest names, and every level since.
    fn named(&self) -> Vec<PathBuf> {
        let levels = self.stored.kept_from..self.manifest.levels.len() as u32;
        self.job.named_files(levels, self.stored.checkpoint.as_ref())
    }

    /// Deletes whatever is neither stored nor done: leftovers of a process that was killed, or
    /// halves of something that failed. Nothing is deleted if it is not certain which manifest the
    /// next process will find. Asks `go_on` before each file: deleting a large one can take long.
    pub fn sweep(&self, run_dir: &Path, go_on: impl Fn() -> Result<()>) -> Result<()> {
        if self.disk.is_doubtful() {
            return Ok(());
        }
        let named = self.named();
        let inside = ["levels", SCRATCH].map(|folder| self.job.path(folder));
        let elsewhere = self.manifest.scratch.iter();
        let elsewhere = elsewhere.filter(|folder| self.job.owns_folder(folder));
        let folders = inside.iter().map(PathBuf::as_path).chain([run_dir]);
        for dir in folders.chain(elsewhere.map(PathBuf::as_path)) {
            for path in disk::entries(dir)? {
                if is_ours(&path) && !named.contains(&path) {
                    go_on()?;
                    archive::remove(self.job, self.disk, &path)?;
                }
            }
            if dir != inside[0] {
                self.disk.remove_empty_dir(dir);
            }
        }
        Ok(())
    }

    /// Stores where runs will be written, if that is not inside the job, before the first of them is.
    pub fn will_write_to(&mut self, run_dir: &Path) -> Result<()> {
        let mut scratch = self.manifest.scratch.clone();
        scratch.retain(|folder| disk::exists(folder).unwrap_or(true) && self.job.owns_folder(folder));
        if run_dir != self.job.path(SCRATCH) && !scratch.iter().any(|folder| folder == run_dir) {
            scratch.push(run_dir.to_owned());
        }
        if scratch != self.manifest.scratch {
            self.manifest.scratch = scratch;
            manifest::store(self.disk, &self.job.path("manifest.json"), &self.manifest)?;
            self.stored = self.manifest.clone();
        }
        Ok(())
    }

    /// Forgets everything after `level`.
    pub fn go_back(&mut self, level: u32) -> Result<()> {
        self.manifest.levels.truncate(level as usize + 1);
        self.manifest.checkpoint = None;
        self.manifest.finished = false;
        self.manifest.closing_millis = 0;
        manifest::store(self.disk, &self.job.path("manifest.json"), &self.manifest)?;
        self.stored = self.manifest.clone();
        self.write_tables()
    }
}

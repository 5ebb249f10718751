//! A job of several processes: its parts, where they are, and how they become parts for other processes, or one job.
//!
//! # What is where
//! ```text
//! DIR/job.json, manifest.json, levels.csv, timing.csv    the job; process 0 alone writes them
//! DIR/levels/00007.gls                                   a level that is not divided
//! DIR/parts/0003/1-of-4/                                 what process 1 of 4 owns, since start 3 of the job
//! ```
//! Processes on other machines have only their own part, in the same place. A part is a job directory of its own: a
//! level set in it holds the [shard numbers](super::shards) that the process owns. All four parts together are a
//! *layout*. When a job is started with another number of processes, it gets a new layout; the levels before stay
//! where they are, but for the last two (of a directed space all), which are sent to their new owners.
//!
//! # What is durable when
//! A part is durable when its next manifest is, beside the one that is valid. When all parts are, process 0 stores the
//! job's manifest, which names start and commit (the *fencing number*); then the parts' next manifests become valid.
//! So the job's manifest alone decides. A process that ended in between finds out at the next start which of its two
//! manifests is the one; and one that was stopped, and wakes up in a later start, has no process to commit with.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::budget::Budget;
use super::container::{Container, Range};
use super::context::{JobContext, Joint};
use super::exchange::{Owners, Traffic};
use super::forecast::SpaceProfile;
use super::job::{Description, Job};
use super::manifest::{self, Layout, LevelRecord, Manifest, PartState};
use super::manifest_store::{ManifestStore, part_record, recover};
use super::peers::{Peers, joint_record};
use super::pipeline::{Drain, Pause, Worker};
use super::progress::{Control, ProgressCounters};
use super::shards::{Renumber, RenumberingSpace, SHARDS, ShardedSpace, Shards};
use super::sparse::Sparse;
use super::subject::{Identity, Subject};
use super::way::{MeasuredPace, Way};
use super::{End, Keep, Options, check_totals, direction, first_serial, run};
use crate::error::{Error, Repair, Result};
use crate::space::{AnySpace, Direction, Index, Space};
use crate::store::disk::{self, Disk};
use crate::store::level_set::{SetKind, SetWriter, SortedSet};
use crate::store::{Lock, Pulse, par_map};
use crate::text::{bytes, count};

/// The folder in a job that parts are in.
pub const PARTS: &str = "parts";

/// No more processes than this: each must own some shards.
pub const MOST_PROCESSES: usize = SHARDS as usize / 4;

/// The job of which all processes compute parts; only process 0 has it open.
pub struct JointJob {
    job: Job,
    disk: Disk,
    manifest: Mutex<Manifest>,
    /// The layout of this start.
    layout: Mutex<Option<Layout>>,
    lock: Lock,
}

/// What all processes have to know when a job is started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Start {
    /// Which start it is.
    pub epoch: u64,
    /// What is stored.
    pub manifest: Manifest,
    /// How the levels are divided from now on.
    pub layout: Layout,
}

impl JointJob {
    /// Opens the job in `dir`, or makes it.
    pub fn open(subject: &dyn Subject, dir: &Path, options: &Options) -> Result<Self> {
        let description = Description::of(subject);
        if !disk::exists(&dir.join("job.json"))? {
            match subject.space() {
                AnySpace::Narrow(space) => drop(direction::checked_roots(space, &description.puzzle)?),
                AnySpace::Wide(space) => drop(direction::checked_roots(space, &description.puzzle)?),
            }
        }
        let disk = Disk::on(options.files.clone(), None, 0);
        let (job, lock) = Job::open_or_create(dir, description, &disk)?;
        let manifest = job.manifest()?;
        if manifest.checkpoint.is_some() {
            // One process can continue inside a level where one process began; several begin the level again.
            let mut without = manifest.clone();
            without.checkpoint = None;
            manifest::store(&disk, &job.path("manifest.json"), &without)?;
            let level = manifest.levels.len() as u32;
            for path in job.named_files(level..level, manifest.checkpoint.as_ref()) {
                disk.remove(&path)?;
            }
            return Ok(JointJob { job, disk, manifest: Mutex::new(without), layout: Mutex::default(), lock });
        }
        Ok(JointJob { job, disk, manifest: Mutex::new(manifest), layout: Mutex::default(), lock })
    }

    /// What is stored.
    pub fn manifest(&self) -> Manifest {
        self.manifest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Publishes how far process 0 is, as the progress of the job.
    pub fn tell(&self, pulse: &Pulse) {
        self.lock.tell(pulse);
    }

    /// Begins another start of the job, with so many processes. From now on no process of an earlier one can commit.
    pub fn start(&self, count: usize) -> Result<Start> {
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut distribution = manifest.distribution.clone().unwrap_or_default();
        distribution.epoch += 1;
        let epoch = distribution.epoch;
        let next = manifest.levels.len() as u32;
        // Before anything is stored there is nothing to be continued.
        let layout = match distribution.layouts.last() {
            Some(layout) if layout.count == count && distribution.stored.0 > 0 => *layout,
            _ => Layout { epoch, count, first: next },
        };
        manifest.distribution = Some(distribution);
        manifest::store(&self.disk, &self.job.path("manifest.json"), &manifest)?;
        *self.layout.lock().unwrap_or_else(PoisonError::into_inner) = Some(layout);
        Ok(Start { epoch, manifest: manifest.clone(), layout })
    }

    /// Stores that a commit of all parts is valid.
    pub fn publish(&self, part: &PartState, levels: &[LevelRecord], finished: bool) -> Result<()> {
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        let mut next = manifest.clone();
        let mut distribution = next.distribution.clone().unwrap_or_default();
        if distribution.epoch != part.epoch {
            return Err(Error::verification(format!(
                "start {} of the job cannot store anything: it was started again since",
                part.epoch
            )));
        }
        distribution.stored = (part.epoch, part.commit);
        if let Some(layout) = *self.layout.lock().unwrap_or_else(PoisonError::into_inner)
            && distribution.layouts.last() != Some(&layout)
        {
            distribution.layouts.push(layout);
        }
        next.distribution = Some(distribution);
        next.levels = levels.to_vec();
        next.finished = finished;
        for (name, text) in next.tables() {
            self.disk.put(&self.job.path(name), text.as_bytes())?;
        }
        manifest::store(&self.disk, &self.job.path("manifest.json"), &next)?;
        *manifest = next;
        Ok(())
    }

    /// Checks the sums of a finished job.
    pub fn check(&self, subject: &dyn Subject) -> Result<()> {
        let manifest = self.manifest();
        if manifest.finished {
            check_totals(&subject.identity().totals, &self.job, &manifest)
        } else {
            Ok(())
        }
    }
}

/// The directory of a part.
pub fn part_dir(dir: &Path, layout: Layout, process: usize) -> PathBuf {
    dir.join(PARTS).join(format!("{:04}", layout.epoch)).join(format!("{process}-of-{}", layout.count))
}

/// What a part's job is about: its level sets must not be taken for those of the whole job, or of another part.
fn part_identity(whole: &Identity, process: usize, count: usize) -> Identity {
    let text = format!("{} (process {process} of {count})", whole.text);
    Identity { text, totals: super::Totals::default(), ..whole.clone() }
}

/// Computes the part of one process, together with the others.
pub fn enumerate_part(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
    peers: &dyn Peers,
    start: &Start,
) -> Result<End> {
    if options.keep == Keep::LastTwo {
        return Err(Error::Usage("`--keep last-two` is for jobs of one process: leave it out".into()));
    }
    match subject.space() {
        AnySpace::Narrow(space) => enumerate_share(space, subject, dir, options, control, peers, start),
        AnySpace::Wide(space) => enumerate_share(space, subject, dir, options, control, peers, start),
    }
}

fn enumerate_share<I: Index>(
    whole: &dyn Space<I>,
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
    peers: &dyn Peers,
    start: &Start,
) -> Result<End> {
    let budget = options.budget()?;
    let shards = Shards::of(whole.universe().wide(), I::BITS)?;
    let space = ShardedSpace::new(whole, shards);
    let (process, count) = (peers.process(), peers.count());
    let owners = Owners::new(count, |process| shards.border(process, count));
    let identity = part_identity(&subject.identity(), process, count);
    let universe = shards.universe();
    let description = Description { puzzle: identity.text, universe, ..Description::of(subject) };
    let disk = Disk::on(options.files.clone(), None, 0);
    remove_leftovers(dir, start, &disk);
    let own_dir = part_dir(dir, start.layout, process);
    let opened = Job::open_or_create(&own_dir, description, &disk)?;
    let stored = start.manifest.distribution.as_ref().map_or((0, 0), |distribution| distribution.stored);
    let is_new = start.layout.epoch == start.epoch;
    if !is_new && !recover(&opened.0, &disk, stored)? {
        return Err(Error::damaged(
            &own_dir,
            format!(
                "this part is not the one that belongs to the job as it is stored (start {}, commit {})",
                stored.0, stored.1
            ),
            Repair::Restore,
        ));
    }
    let part = PartOfJob { shards, subject, dir, peers, owners, start, is_new };
    let roots = (start.manifest.levels.is_empty()).then(|| space.roots());
    let totals = subject.identity().totals;
    let outcome = run(&space, roots, &totals, &opened, options, &budget, control, Some(part))?;
    Ok(outcome.end)
}

/// Deletes layouts that no manifest names: of starts that ended before they had stored anything.
fn remove_leftovers(dir: &Path, start: &Start, disk: &Disk) {
    let layouts = start.manifest.distribution.iter().flat_map(|distribution| &distribution.layouts);
    let named: BTreeSet<String> =
        layouts.chain([&start.layout]).map(|layout| format!("{:04}", layout.epoch)).collect();
    for layout in disk::entries(&dir.join(PARTS)).unwrap_or_default() {
        if !layout.file_name().is_some_and(|name| named.contains(&*name.to_string_lossy())) {
            // What is still in use stays until the next start.
            let _ = discard_layout(&layout, disk);
        }
    }
}

/// Deletes the parts in a layout's folder.
pub(super) fn discard_layout(layout: &Path, disk: &Disk) -> Result<()> {
    for part in disk::entries(layout)? {
        Job::discard(&part, disk)?;
        let _ = std::fs::remove_file(part.join("lock"));
        disk.remove_empty_dir(&part);
    }
    disk.remove_empty_dir(layout);
    Ok(())
}

/// One process's part of a job, as the engine computes it.
pub(super) struct PartOfJob<'a, I> {
    shards: Shards,
    subject: &'a dyn Subject,
    dir: &'a Path,
    peers: &'a dyn Peers,
    owners: Owners<I>,
    start: &'a Start,
    /// Whether nothing of it is stored yet.
    is_new: bool,
}

/// A file that has classes of a level.
#[derive(Clone, Copy, Debug)]
struct Source {
    level: u32,
    /// The layout, and the process in it; `None`: the level is not divided.
    part: Option<(Layout, usize)>,
}

/// The files of a level.
fn sources(manifest: &Manifest, level: u32) -> Vec<Source> {
    let layouts = manifest.distribution.iter().flat_map(|distribution| &distribution.layouts);
    match layouts.rev().find(|layout| layout.first <= level) {
        Some(&layout) => {
            (0..layout.count).map(|process| Source { level, part: Some((layout, process)) }).collect()
        }
        None => vec![Source { level, part: None }],
    }
}

impl Source {
    /// How its numbers become shard numbers.
    fn renumber(&self) -> Renumber {
        if self.part.is_some() { Renumber::Keep } else { Renumber::Number }
    }

    /// The job that it is a file of, and its record there; none if it is not on this machine.
    fn find(&self, subject: &dyn Subject, dir: &Path, manifest: &Manifest) -> Option<(Job, LevelRecord)> {
        match self.part {
            None => {
                // Only process 0's machine has the job, and others perhaps a copy.
                let job = Job::open(dir).ok().filter(|job| job.check_subject(subject).is_ok())?;
                let record = manifest.levels.get(self.level as usize)?.clone();
                disk::exists(&job.level_path(self.level)).ok()?.then_some((job, record))
            }
            Some((layout, process)) => {
                let job = Job::open(&part_dir(dir, layout, process)).ok()?;
                let identity = part_identity(&subject.identity(), process, layout.count);
                let is_part = job.description.puzzle == identity.text
                    && job.description.index_scheme == identity.index_scheme;
                let record = part_record(&job, self.level).filter(|_| is_part)?;
                disk::exists(&job.level_path(self.level)).ok()?.then_some((job, record))
            }
        }
    }

    /// The error if no process has it.
    fn missing(&self, dir: &Path) -> Error {
        let path = match self.part {
            None => dir.join(format!("levels/{:05}.gls", self.level)),
            Some((layout, process)) => {
                part_dir(dir, layout, process).join(format!("levels/{:05}.gls", self.level))
            }
        };
        Error::damaged(
            &path,
            "no process of this start can read the file, and level sets of that job are needed from it",
            Repair::Restore,
        )
    }
}

impl<'a, I: Index> PartOfJob<'a, I> {
    /// What the process owns.
    pub fn own(&self) -> Range<I> {
        self.owners.range(self.peers.process())
    }

    /// The link to the other processes.
    pub fn joint<'b>(&'b self, budget: &'b Budget) -> Joint<'b, I> {
        self.charged_joint(budget, self.peers.message_bytes().1)
    }

    fn charged_joint<'b>(&'b self, budget: &'b Budget, bytes: u64) -> Joint<'b, I> {
        let _charge = budget.take(bytes);
        Joint { peers: self.peers, owners: &self.owners, traffic: Traffic::default(), _charge }
    }

    /// Reports what was sent.
    pub fn report(&self, traffic: &Traffic, control: Control<'_>) {
        let (candidates, sent) = (
            traffic.candidates.load(std::sync::atomic::Ordering::Relaxed),
            traffic.bytes.load(std::sync::atomic::Ordering::Relaxed),
        );
        if candidates > 0 {
            control.observer.announce(&format!(
                "process {} sent {} for {} candidates, {:.2} bytes each",
                self.peers.process(),
                bytes(sent),
                count(candidates.into()),
                sent as f64 / candidates as f64
            ));
        }
    }

    /// Makes the part ready: of a new layout, by getting those levels that the next one depends on.
    pub fn begin<'s>(&'s self, context: &JobContext<'s, I>, store: &mut ManifestStore<'s>) -> Result<()> {
        let levels = &self.start.manifest.levels;
        if self.is_new && !levels.is_empty() {
            let next = levels.len() as u32;
            let first = match context.space.direction() {
                Direction::Directed => 0,
                _ => next.saturating_sub(2),
            };
            let mut records = levels[..first as usize].to_vec();
            store.join(self.peers, self.start.epoch, levels.clone());
            for level in first..next {
                let part = self.receive_level(context, level)?;
                let (joint, ..) = self.peers.agree_on_level(&part, false, false)?;
                let whole = &levels[level as usize];
                if (joint.classes, joint.states) != (whole.classes, whole.states) {
                    return Err(Error::verification(format!(
                        "level {level} has {} classes when it is divided, and should have {}",
                        count(joint.classes),
                        count(whole.classes)
                    )));
                }
                records.push(part);
            }
            store.begin_part(records, first);
            return store.commit();
        }
        store.join(self.peers, self.start.epoch, levels.clone());
        Ok(())
    }

    /// Gets this process's share of a level from those that can read it.
    fn receive_level(&self, context: &JobContext<'_, I>, level: u32) -> Result<LevelRecord> {
        let manifest = &self.start.manifest;
        let sources = sources(manifest, level);
        let found: Vec<_> =
            sources.iter().map(|source| source.find(self.subject, self.dir, manifest)).collect();
        let readers = self.peers.agree_on_sources(found.iter().map(Option::is_some).collect())?;
        let mut sets = Vec::new();
        for ((source, found), reader) in sources.iter().zip(found).zip(readers) {
            let reader = reader.ok_or_else(|| source.missing(self.dir))?;
            if let Some((job, record)) = found.filter(|_| reader == self.peers.process()) {
                sets.push(job.open_level::<I>(&record)?);
            }
        }
        context.control.observer.note(&format!("level {level}: dividing it anew"));
        let renumber = sources.first().map_or(Renumber::Keep, Source::renumber);
        let space = RenumberingSpace { space: context.space, shards: self.shards, renumber };
        redistribute(context, &space, Some(self.charged_joint(context.budget, 0)), level, &sets)
    }
}

/// Writes the level set of `level` out of sets that hold its classes under other numbers, or of other processes.
fn redistribute<'c, I: Index>(
    context: &'c JobContext<'_, I>,
    space: &'c RenumberingSpace<'_, I>,
    joint: Option<Joint<'c, I>>,
    level: u32,
    sets: &[SortedSet<I>],
) -> Result<LevelRecord> {
    let begun = Instant::now();
    let threads = context.budget.threads();
    let context = JobContext {
        space,
        own: context.own,
        joint,
        profile: SpaceProfile { ..context.profile },
        total_states: None,
        job: context.job,
        disk: context.disk,
        run_dir: context.run_dir,
        options: context.options,
        budget: context.budget,
        pool: par_map::pool(threads)?,
        workers: (0..threads).map(|_| Mutex::new(Worker::default())).collect(),
        control: context.control,
        progress: ProgressCounters::default(),
        pull_pace: MeasuredPace::default(),
        serial: first_serial().into(),
    };
    let stopped = || context.interrupted(level, true);
    let header = context.job.description.set_header(SetKind::Run, level);
    let container = Sparse::new(context.for_container(&header), context.own, &[])?;
    let exchange = context.joint.as_ref().map(|joint| context.exchange(joint, &container));
    let filled: &dyn Container<I> = match &exchange {
        Some(exchange) => exchange,
        None => &container,
    };
    let never = begun + Duration::from_secs(1 << 30);
    for set in sets {
        let _charge = context.budget.take_set(set);
        let (pause, _) = context.expand(set, filled, Way::Push, &mut 0, never)?;
        if pause != Pause::Done {
            return Err(stopped());
        }
    }
    context.flush_workers(filled)?;
    if let Some(exchange) = &exchange {
        exchange.settle(&context.pool)?;
    }
    let header = context.job.description.set_header(SetKind::Level, level);
    let writer = SetWriter::create(context.disk, &context.job.level_path(level), &header)?;
    let mut drain = Drain { writer, carry: Vec::new(), at: context.own.0 };
    if context.drain(&container, &[], &mut drain, never)? != Pause::Done {
        return Err(stopped());
    }
    context.write_rest(&mut drain)?;
    let (totals, bytes) = drain.writer.end(true)?;
    for run in container.files() {
        context.disk.remove(&run.path)?;
    }
    Ok(LevelRecord {
        level,
        classes: totals.count,
        states: totals.states,
        bytes,
        blocks_digest: totals.blocks_digest,
        millis: begun.elapsed().as_millis() as u64,
        way: Way::Push,
        candidates: 0,
        bytes_written: 0,
        peak_rss: 0,
    })
}

/// Brings all parts of the job in `dir` together into level sets that are not divided, and deletes the parts. Returns
/// how many levels were brought together; the parts must all be on this machine.
pub fn gather(subject: &dyn Subject, dir: &Path, options: &Options, control: Control<'_>) -> Result<u32> {
    match subject.space() {
        AnySpace::Narrow(space) => gather_parts(space, subject, dir, options, control),
        AnySpace::Wide(space) => gather_parts(space, subject, dir, options, control),
    }
}

/// Whether all parts that the manifest of the job in `dir` needs are on this machine.
pub fn is_all_here(subject: &dyn Subject, dir: &Path, manifest: &Manifest) -> bool {
    let levels = manifest.kept_from..manifest.levels.len() as u32;
    let mut sources = levels.flat_map(|level| sources(manifest, level));
    sources.all(|source| source.find(subject, dir, manifest).is_some())
}

fn gather_parts<I: Index>(
    space: &dyn Space<I>,
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<u32> {
    let job = Job::open(dir)?;
    job.check_subject(subject)?;
    let lock = Lock::take(dir)?;
    let mut manifest = job.manifest()?;
    if manifest.distribution.is_none() {
        return Ok(0);
    }
    let shards = Shards::of(space.universe().wide(), I::BITS)?;
    let budget = options.budget()?;
    let disk = Disk::on(options.files.clone(), options.disk_limit, job.size(&[])?);
    let run_dir = job.run_dir(options.scratch.as_deref())?;
    let threads = budget.threads();
    let universe = space.universe().wide();
    let context = JobContext {
        space,
        own: (I::default(), space.universe()),
        joint: None,
        profile: SpaceProfile { universe, fanout: 1, total_classes: None },
        total_states: None,
        job: &job,
        disk: &disk,
        run_dir: &run_dir,
        options,
        budget: &budget,
        pool: par_map::pool(threads)?,
        workers: Vec::new(),
        control,
        progress: ProgressCounters::default(),
        pull_pace: MeasuredPace::default(),
        serial: first_serial().into(),
    };
    let renumbering = RenumberingSpace { space, shards, renumber: Renumber::Index };
    disk.create_dir(&job.path("levels"))?;
    let mut gathered = 0;
    for level in manifest.kept_from..manifest.levels.len() as u32 {
        control.go_on(|| Error::interrupted("stopped; the parts are as they were"))?;
        let sources = sources(&manifest, level);
        if sources.iter().all(|source| source.part.is_none()) {
            continue;
        }
        control.observer.note(&format!("level {level}: gathering"));
        let (mut sets, mut shares) = (Vec::new(), Vec::new());
        for source in &sources {
            let found = source.find(subject, dir, &manifest);
            let (job, record) = found.ok_or_else(|| source.missing(dir))?;
            sets.push(job.open_level::<I>(&record)?);
            shares.push((&record).into());
        }
        let whole = &manifest.levels[level as usize];
        let joint = joint_record(&shares);
        if joint.blocks_digest != whole.blocks_digest {
            return Err(Error::verification(format!(
                "the parts of level {level} are not those that the manifest names"
            ))
            .in_job(dir));
        }
        let record = redistribute(&context, &renumbering, None, level, &sets)?;
        if (record.classes, record.states) != (whole.classes, whole.states) {
            return Err(Error::verification(format!(
                "the parts of level {level} have {} classes, and the manifest says {}",
                count(record.classes),
                count(whole.classes)
            ))
            .in_job(dir));
        }
        let (bytes, blocks_digest) = (record.bytes, record.blocks_digest);
        manifest.levels[level as usize] = LevelRecord { bytes, blocks_digest, ..whole.clone() };
        gathered += 1;
    }
    disk.sync_dir(&job.path("levels"))?;
    manifest.distribution = None;
    manifest::store(&disk, &job.path("manifest.json"), &manifest)?;
    for layout in disk::entries(&job.path(PARTS))? {
        discard_layout(&layout, &disk)?;
    }
    disk.remove_empty_dir(&job.path(PARTS));
    disk.remove_empty_dir(&run_dir);
    drop(lock);
    Ok(gathered)
}

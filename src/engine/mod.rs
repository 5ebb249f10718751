//! The engine: walks any [`Space`] level by level, with the frontier on disk.
//!
//! # What happens in a level
//!
//! Level k + 1 is made out of levels k and k - 1:
//!
//! 1. **expand**: the blocks of level k are read in order and handed to the threads, one block at
//!    a time; the space turns indices into *candidates*, canonical indices of neighbours;
//! 2. **gather**: candidates go into a *container* ([`container`]), which is one of these:
//!    - *sparse* ([`sparse`]): a thread's full buffer is sorted, freed of repeats and coded into a
//!      *run*; runs are merged as they become many, and go to disk when memory is used up;
//!    - *dense* ([`dense`]): one bit for every index of the universe, or of a range of it;
//!    - a third, `rows`, is filled by other means: see below;
//! 3. **drain**: the container gives its candidates back in ascending order without repeats,
//!    *bucket* by bucket: a bucket is a range of indices small enough for one thread's memory.
//!    Levels k and k - 1 are subtracted, and what is left is level k + 1, in order. Its classes
//!    are counted, its states are counted by orbit sizes, and it is coded into blocks;
//! 4. **commit**: the level set is synced, and one rename replaces the manifest (`manifest_store`).
//!
//! No earlier level needs a look. Moves are reversible, so a neighbour of a class in level k
//! lies in level k - 1, k or k + 1: were it in an earlier level, the class itself would be
//! closer than k. A space can declare otherwise ([`Direction`]): in a *layered* one nothing has to be
//! subtracted; in a *directed* one, whose moves may have no inverse, all levels so far are (`earlier`).
//! What is declared is tried out before a job begins (`direction`).
//!
//! All of this *pushes* the last level. Where most of a reversible space is known, it is cheaper to *pull*: to ask
//! what is not known yet for neighbours in the last level ([`Way`], `pull`). Then the container is a bitmap of
//! the last level, and what is drained from it needs nothing but that.
//!
//! A space whose moves take rows of its universe to rows can say so ([`Rows`](crate::space::Rows)). Its large levels
//! are then found in a table that stays in memory from level to level (`rows`), in either way.
//!
//! Buckets are cut when a container is drained, not when it is filled: the borders then follow
//! the candidates that are there, however unevenly they lie in the universe, and sorting a buffer
//! does what scattering it would. A level set can be split at any bucket's border.
//!
//! # What does not depend on what
//!
//! A level set is a sequence of blocks of 4096 ascending indices, each coded in a way that its
//! content alone decides ([`level_set`](crate::store::level_set)). Whichever container, way, number of threads or
//! memory budget computed it, its bytes are the same, and so is `levels.csv`.
//!
//! Which container is cheaper is decided before each level (`forecast`): dense where candidates are many
//! compared with the universe, and the bitmap fits into its share of memory, or computing the level
//! in a few ranges that do takes less time than runs. So is the way, and whether rows are cheaper still (`plan`).
//! Each can be forced, and runs and bitmaps can resume where the other was stopped: both save their candidates
//! as runs. What rows found, others find again, from the last index that was drained.
//!
//! # What survives what
//!
//! The manifest names everything that is safe, and is replaced in one rename after all of that is
//! synced. Inputs are deleted afterwards. In a level that takes long, a checkpoint every few
//! minutes records how many blocks of level k have been expanded, which runs hold their
//! candidates, and how much of level k + 1 is written. A process killed at any moment therefore
//! leaves a job that the next one continues, to the same bytes.
//!
//! # The pieces, and what each promises
//!
//! | piece | what it is | what it promises |
//! |---|---|---|
//! | [`Subject`] | a space and its [`Identity`] | the same text, scheme and content mean the same indices |
//! | [`Options`] | what the caller allows and wants | may differ from one run of a job to the next; never changes a result |
//! | `JobContext` | space, directories, budget, threads, control: what all levels share | is the same for every level of a run |
//! | `SpaceProfile` | universe, fanout, total: all that a forecast needs of a space (`forecast`) | plain numbers |
//! | `ContainerContext` | the part of the context that a container needs, with the header of its runs | |
//! | [`container::Container`] | candidates of one pass, [`sparse`] or [`dense`], or the last level to `pull` | gives back every candidate once, ascending |
//! | `LevelComputation` | one level from its first block to its record (`level`) | its bytes depend on the two levels before alone |
//! | `LevelState`, `PassState` | how far that is, in memory (`checkpoint`) | become a [`Checkpoint`] and are made from one |
//! | [`Manifest`], [`Checkpoint`] | what is durable, as the file has it | names only files that are synced |
//! | `ManifestStore` | the manifest of a running job, and when it is stored | replaces it in one rename; deletes only what it does not name |
//!
//! `levels` is the loop over levels, `pipeline` the parallel work in one of them. [`Job`] is the
//! directory, [`Lock`] who works in it, [`salvage`] what is done if the manifest is lost,
//! [`disk`] the only place where files are changed ([`files`] the calls
//! themselves), [`budget`] how memory is divided. [`verify`] checks a finished job by other means than
//! those that made it.

mod archive;
pub mod budget;
mod checkpoint;
#[doc(hidden)] // for benchmarks
pub mod container;
mod context;
#[doc(hidden)] // for benchmarks
pub mod dense;
mod direction;
mod earlier;
mod exchange;
pub(crate) mod forecast;
mod job;
mod level;
mod levels;
pub mod manifest;
mod manifest_store;
pub mod outlook;
pub mod parts;
pub mod peers;
mod pipeline;
mod plan;
mod progress;
pub mod provenance;
mod pull;
mod rows;
pub mod salvage;
pub mod shards;
#[doc(hidden)] // for benchmarks
pub mod sparse;
mod subject;
mod tables;
pub mod verify;
mod way;

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use checkpoint::{Checkpoint, PartialLevel};
pub use container::ContainerKind;
pub use job::{Description, JOBS, Job};
pub use levels::End;
pub use manifest::{LevelRecord, Manifest};
pub use progress::{Control, Observer, Silent};
pub use subject::{Identity, Subject, Totals};
pub use tables::{LEVELS, LevelCount, levels_csv, read_levels_csv, timing_csv};
pub use way::Way;

use crate::error::{Alternative, Error, LimitKind, Result};
use crate::space::{AnySpace, Direction, Index, Space};
use crate::store::disk::{self, Disk};
use crate::store::files::{self, Files};
use crate::store::{Lock, par_map};
use crate::text::count;
use budget::Budget;
use context::JobContext;
use forecast::SpaceProfile;
use manifest_store::ManifestStore;
use parts::PartOfJob;
use pipeline::Worker;
use progress::ProgressCounters;
use provenance::RunRecorder;
use way::MeasuredPace;

/// What the user allows and wants. All of it may change from one run of a job to the next.
#[derive(Clone, Debug)]
pub struct Options {
    /// Bytes of memory; `None`: three quarters of what is free.
    pub memory: Option<u64>,
    /// Threads; `None`: one for every core, as far as memory is enough for.
    pub threads: Option<usize>,
    /// Stop after this level.
    pub max_level: Option<u32>,
    /// Bytes on disk.
    pub disk_limit: Option<u64>,
    /// Time between checkpoints inside a level.
    pub checkpoint_every: Duration,
    /// Where runs go, if not into the job.
    pub scratch: Option<PathBuf>,
    /// Where level sets of finished levels go, if not into the job.
    pub archive: Option<PathBuf>,
    /// Which level sets stay.
    pub keep: Keep,
    /// The container to use; `None`: the cheaper one.
    pub container: Option<ContainerKind>,
    /// How to find a level; `None`: the cheaper way.
    pub way: Option<Way>,
    /// Forget everything after this level first.
    pub from_level: Option<u32>,
    /// Begin levels that are not expected to fit on the disk.
    pub force: bool,
    /// Changes files.
    pub files: Arc<dyn Files>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            memory: None,
            threads: None,
            max_level: None,
            disk_limit: None,
            checkpoint_every: Duration::from_secs(300),
            scratch: None,
            archive: None,
            keep: Keep::All,
            container: None,
            way: None,
            from_level: None,
            force: false,
            files: files::system(),
        }
    }
}

impl Options {
    /// The memory and threads that these options come to; refused if they cannot work.
    pub fn budget(&self) -> Result<Budget> {
        let memory = self.memory.unwrap_or_else(budget::default_memory);
        // Without a word about threads, as many as memory is enough for.
        let most = (memory / budget::PER_THREAD).clamp(1, 1024) as usize;
        Budget::new(memory, self.threads.unwrap_or(cores().min(most)))
    }
}

/// Which level sets stay on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All: the job can be verified, and is a table that solves optimally.
    #[default]
    All,
    /// The two that the walk itself needs; refused for a directed space, where it needs all.
    LastTwo,
}

/// The result of an enumeration.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct JobOutcome {
    /// How it ended.
    pub end: End,
    /// Everything that is on disk.
    pub manifest: Manifest,
}

/// Enumerates `subject` in the directory `dir`: starts the job, resumes it, or, if it is finished,
/// returns how it ended.
///
/// A space and an identity are a subject; no puzzle is needed:
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use godnum::engine::{Control, Identity, Options, Silent, Totals, enumerate};
/// use godnum::space::{AnySpace, Space};
///
/// /// Corners of a cube of that many dimensions; a move goes along an edge.
/// struct Cube(u32);
///
/// impl Space<u64> for Cube {
///     fn universe(&self) -> u64 {
///         1 << self.0
///     }
///     fn roots(&self) -> Vec<u64> {
///         vec![0]
///     }
///     fn fanout(&self) -> usize {
///         self.0 as usize
///     }
///     fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
///         for corner in batch {
///             candidates.extend((0..self.0).map(|axis| corner ^ 1 << axis));
///         }
///     }
/// }
///
/// let totals = Totals { states: Some(64), ..Totals::default() };
/// let identity = Identity { text: "cube:6".into(), totals, ..Identity::default() };
/// let dir = std::env::temp_dir().join(format!("godnum-cube-{}", std::process::id()));
/// let stop = AtomicBool::new(false);
/// let control = Control { stop: &stop, observer: &Silent };
/// let subject = (identity, AnySpace::Narrow(&Cube(6)));
/// let outcome = enumerate(&subject, &dir, &Options::default(), control)?;
/// let classes: Vec<u128> = outcome.manifest.levels.iter().map(|level| level.classes).collect();
/// assert_eq!(classes, [1, 6, 15, 20, 15, 6, 1]);
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), godnum::error::Error>(())
/// ```
pub fn enumerate(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<JobOutcome> {
    let description = Description::of(subject);
    // Nothing is made for a job that could not start.
    let budget = options.budget()?;
    if options.keep == Keep::LastTwo && subject.space().direction() == Direction::Directed {
        return Err(Error::Usage(format!(
            "{} needs all of its level sets: its moves cannot all be undone, so that a level may lead back \
             to any earlier one; `--keep last-two` is for puzzles whose moves can be undone",
            description.puzzle
        )));
    }
    check_plan(&description, subject.space(), options, &budget)?;
    check_places(options)?;
    let totals = subject.identity().totals;
    match subject.space() {
        AnySpace::Narrow(space) => begin(space, description, totals, dir, options, &budget, control),
        AnySpace::Wide(space) => begin(space, description, totals, dir, options, &budget, control),
    }
}

/// Refuses a folder for runs or level sets that may be a mistake, or on a disk that is not there now: it must exist, or
/// its parent must.
fn check_places(options: &Options) -> Result<()> {
    for (option, place) in [("--scratch", &options.scratch), ("--archive", &options.archive)] {
        let Some(place) = place else { continue };
        let parent = place.parent().filter(|parent| !parent.as_os_str().is_empty());
        let parent = parent.unwrap_or(Path::new("."));
        if !disk::is_dir(place)? && !disk::is_dir(parent)? {
            return Err(Error::Usage(format!(
                "{option} {}: neither this directory nor its parent exists; create it, or mount its disk",
                place.display()
            )));
        }
    }
    Ok(())
}

/// Refuses a container or a way that cannot be.
fn check_plan(
    description: &Description,
    space: AnySpace<'_>,
    options: &Options,
    budget: &Budget,
) -> Result<()> {
    let puzzle = &description.puzzle;
    let (by_rows, pulled) = (options.container == Some(ContainerKind::Rows), options.way == Some(Way::Pull));
    if !by_rows && !pulled {
        return Ok(());
    }
    if space.direction() != Direction::Reversible {
        let option = if by_rows { "--container rows" } else { "--direction pull" };
        return Err(Error::Usage(format!(
            "`{option}` is for moves that can be undone, and those of {puzzle} cannot all be: leave it out"
        )));
    }
    if pulled && options.container == Some(ContainerKind::Sparse) {
        return Err(Error::Usage(
            "`--direction pull` looks classes up in a bitmap: leave `--container sparse` out".into(),
        ));
    }
    let (what, needed) = match (by_rows, space.rows()) {
        (true, Some(rows)) => ("walk", rows::memory(rows, space.universe(), budget.threads())),
        (true, None) => {
            return Err(Error::Usage(format!(
                "{puzzle} cannot be walked by rows: leave `--container rows` out"
            )));
        }
        _ => {
            let bitmap = u64::try_from(space.universe().div_ceil(8)).unwrap_or(u64::MAX);
            ("pull", bitmap.saturating_add(bitmap.div_ceil(3)).saturating_add(1 << 10))
        }
    };
    if needed > budget.memory() {
        return Err(Error::from(LimitKind::Memory {
            what: format!("to {what} all levels of {puzzle}{}", if by_rows { " by rows" } else { "" }),
            needed,
            allowed: budget.memory(),
            or: Alternative::None,
        }));
    }
    Ok(())
}

/// Opens the job in `dir`, or makes it if the space is what it declares, and runs it.
fn begin<I: Index>(
    space: &dyn Space<I>,
    description: Description,
    totals: Totals,
    dir: &Path,
    options: &Options,
    budget: &Budget,
    control: Control<'_>,
) -> Result<JobOutcome> {
    let roots = match disk::exists(&dir.join("job.json"))? {
        true => None,
        false => Some(direction::checked_roots(space, &description.puzzle)?),
    };
    let unlimited = Disk::on(options.files.clone(), None, 0);
    let opened = Job::open_or_create(dir, description, &unlimited)?;
    opened.0.refuse_parts()?;
    let outcome = run(space, roots, &totals, &opened, options, budget, control, None)?;
    if outcome.end == End::Finished {
        check_totals(&totals, &opened.0, &outcome.manifest)?;
    }
    Ok(outcome)
}

/// Checks the sums of a finished enumeration against the independent counts, where there are any.
pub fn check_totals(totals: &Totals, job: &Job, manifest: &Manifest) -> Result<()> {
    let (states, classes) = (manifest.states(), manifest.classes());
    let sums = [
        ("states", states, totals.states),
        ("classes", classes, totals.classes),
        // Of those that exist, some may be out of reach.
        ("states", states, totals.existing.map(|all| all.min(states))),
    ];
    for (what, found, expected) in sums {
        if let Some(expected) = expected
            && found != expected
        {
            let fact = format!(
                "the levels of {} add up to {} {what}, but there are {}: something is wrong with \
                 the computation or with the machine",
                job.description.puzzle,
                count(found),
                count(expected)
            );
            return Err(Error::verification(fact).in_job(job.dir()));
        }
    }
    Ok(())
}

/// Notices before the end if there are more classes than there can be: such a walk might never end.
fn check_bound(job: &Job, total_classes: Option<u128>, manifest: &Manifest) -> Result<()> {
    let (found, most) = (manifest.classes(), job.description.universe);
    let most = total_classes.unwrap_or(most);
    if found <= most {
        return Ok(());
    }
    let fact = format!(
        "the levels of {} have {} classes so far, but there are only {}: something is wrong with \
         the computation or with the machine",
        job.description.puzzle,
        count(found),
        count(most)
    );
    Err(Error::verification(fact).in_job(job.dir()))
}

#[expect(clippy::too_many_arguments, reason = "each is of another kind, and it is called twice")]
fn run<I: Index>(
    space: &dyn Space<I>,
    roots: Option<Vec<I>>,
    totals: &Totals,
    (job, lock): &(Job, Lock),
    options: &Options,
    budget: &Budget,
    control: Control<'_>,
    part: Option<PartOfJob<'_, I>>,
) -> Result<JobOutcome> {
    let run_dir = job.run_dir(options.scratch.as_deref())?;
    let disk = Disk::on(options.files.clone(), options.disk_limit, 0);
    let mut store = ManifestStore::open(job, &disk, options.keep, options.checkpoint_every)?;
    let elsewhere = [&store.manifest().scratch[..], std::slice::from_ref(&run_dir)].concat();
    disk.count_in(job.size(&elsewhere)?);
    verify::check_kept::<I>(job, store.manifest(), options.from_level, control)?;
    store.secure()?;
    provenance::mend(job, &disk)?;
    if let Some(level) = options.from_level {
        go_back(&mut store, job, level)?;
    }
    let level = store.manifest().levels.len() as u32;
    store.sweep(&run_dir, || control.go_on(|| job.interrupted(level, true)))?;
    // In case the last process was killed before it came to that.
    store.write_tables()?;
    if store.manifest().finished {
        options.archive.as_deref().map_or(Ok(()), |archive| store.archive(archive, control))?;
        return Ok(JobOutcome { end: End::Finished, manifest: store.manifest().clone() });
    }
    store.will_write_to(&run_dir)?;
    let recorder = RunRecorder::begin(job, &disk, options, budget, store.manifest().levels.len() as u32)?;
    let threads = budget.threads();
    let own = part.as_ref().map_or((I::default(), space.universe()), PartOfJob::own);
    let universe = (own.1 - own.0).wide();
    let context = JobContext {
        space,
        own,
        joint: part.as_ref().map(|part| part.joint(budget)),
        profile: SpaceProfile { universe, fanout: space.fanout(), total_classes: totals.classes },
        total_states: totals.states,
        job,
        disk: &disk,
        run_dir: &run_dir,
        options,
        budget,
        pool: par_map::pool(threads)?,
        workers: (0..threads).map(|_| Mutex::new(Worker::default())).collect(),
        control,
        progress: ProgressCounters::default(),
        pull_pace: MeasuredPace::default(),
        serial: AtomicU64::new(first_serial()),
    };
    let end = with_ticker(lock, &context.progress, control, || {
        if let Some(part) = &part {
            part.begin(&context, &mut store)?;
        }
        levels::run(&context, &mut store, roots)
    });
    recorder.end(&end, store.manifest().levels.len());
    let end = end?;
    if let (Some(part), Some(joint)) = (&part, &context.joint) {
        part.report(&joint.traffic, control);
    }
    Ok(JobOutcome { end, manifest: store.manifest().clone() })
}

/// Where the numbers of runs begin: anywhere. No two processes may give one name to two runs, or a
/// copy that is made while a job runs could hold a run that its manifest does not mean.
fn first_serial() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 32
}

/// The number of threads that this process may use at once.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

fn go_back(store: &mut ManifestStore<'_>, job: &Job, level: u32) -> Result<()> {
    let manifest = store.manifest();
    let last = manifest.levels.len() as u32;
    if level >= last {
        return Err(Error::Usage(format!(
            "the job in {} has no level {level} to go back to: {}",
            job.dir().display(),
            match last {
                0 => "nothing is committed yet".into(),
                _ => format!("its last one is level {}", last - 1),
            }
        )));
    }
    let needed = level.saturating_sub(1);
    if needed < manifest.kept_from {
        return Err(Error::Usage(format!(
            "resuming from level {level} needs the level sets from {needed} on, and those below \
             {} were not kept",
            manifest.kept_from
        )));
    }
    store.go_back(level)
}

/// A stop that takes longer is explained: what is computed is saved first, and what that is worth.
const EXPLAIN_STOP_AFTER: Duration = Duration::from_secs(1);

/// Runs `work` while another thread shows its progress.
fn with_ticker<T>(
    lock: &Lock,
    progress: &ProgressCounters,
    control: Control<'_>,
    work: impl FnOnce() -> T,
) -> T {
    std::thread::scope(|scope| {
        let (alive, ended) = mpsc::channel::<()>();
        // Without a thread to spare, the work continues unseen.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut told = Instant::now();
            let mut stop_seen = None;
            let mut explained = false;
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let pulse = progress.pulse();
                control.observer.tick(&pulse);
                if control.stopped() && !explained {
                    let seen: &Instant = stop_seen.get_or_insert_with(Instant::now);
                    explained = seen.elapsed() >= EXPLAIN_STOP_AFTER;
                    if explained {
                        control.observer.stopping(progress.since_stored());
                    }
                }
                if told.elapsed() >= Duration::from_secs(1) {
                    lock.tell(&pulse);
                    told = Instant::now();
                }
            }
        });
        let result = work();
        drop(alive);
        result
    })
}

//! The engine: walks any [`Space`] level by level, with the frontier on disk.
//!
//! # What happens in a level
//!
//! Level k + 1 is made out of levels k and k - 1:
//!
//! 1. **expand**: the blocks of level k are read in order and handed to the threads, one block at
//!    a time; the space turns indices into *candidates*, canonical indices of neighbours;
//! 2. **gather**: candidates go into a *container* ([`container`]), which is one of two:
//!    - *sparse* ([`sparse`]): a thread's full buffer is sorted, freed of repeats and coded into a
//!      *run*; runs are merged as they become many, and go to disk when memory is used up;
//!    - *dense* ([`dense`]): one bit for every index of the universe, or of a range of it;
//! 3. **drain**: the container gives its candidates back in ascending order without repeats,
//!    *bucket* by bucket: a bucket is a range of indices small enough for one thread's memory.
//!    Levels k and k - 1 are subtracted, and what is left is level k + 1, in order. Its classes
//!    are counted, its states are counted by orbit sizes, and it is coded into blocks;
//! 4. **commit**: the level set is synced, and one rename replaces the manifest (`ledger`).
//!
//! No earlier level needs a look. Moves are reversible, so a neighbour of a class in level k
//! lies in level k - 1, k or k + 1: were it in an earlier level, the class itself would be
//! closer than k. (A space that is *layered* promises even more, and nothing is subtracted.)
//!
//! Buckets are cut when a container is drained, not when it is filled: the borders then follow
//! the candidates that are there, however unevenly they lie in the universe, and sorting a buffer
//! does what scattering it would. A level set can be split at any bucket's border.
//!
//! # What does not depend on what
//!
//! A level set is a sequence of blocks of 4096 ascending indices, each coded in a way that its
//! content alone decides ([`level_set`](crate::store::level_set)). Whichever container, number of threads or
//! memory budget computed it, its bytes are the same, and so is `levels.csv`.
//!
//! Which container pays is decided before each level ([`forecast`]): dense where candidates are many
//! compared with the universe, and the bitmap fits into its share of memory, or computing the level
//! in a few ranges that do takes less time than runs. Either can be forced, and either can go on
//! where the other was stopped: both save their candidates as runs.
//!
//! # What survives what
//!
//! The manifest names everything that is safe, and is replaced in one rename after all of that is
//! synced. Inputs are deleted afterwards. In a level that takes long, a checkpoint every few
//! minutes records how many blocks of level k have been expanded, which runs hold their
//! candidates, and how much of level k + 1 is written. A process killed at any moment therefore
//! leaves a job that the next one continues, to the same bytes.
//!
//! # Where to look
//!
//! `walk` is the loop over levels, `level` one level with its checkpoints, [`pipeline`] the
//! parallel work in it. [`job`] is the directory, `lock` who works in it, [`manifest`] what is safe in it,
//! [`salvage`] what is done if that is lost, [`disk`](crate::store::disk) the only place where files are changed ([`files`]
//! the calls themselves), [`budget`] how memory is divided. [`verify`] checks a
//! finished job by other means than those that made it.

pub mod budget;
pub mod container;
pub mod dense;
pub mod forecast;
pub mod job;
mod ledger;
mod level;
pub mod manifest;
pub mod pipeline;
pub mod progress;
mod reversible;
pub mod salvage;
pub mod sparse;
mod subject;
mod tables;
pub mod verify;
mod walk;

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub use container::ContainerKind;
pub use job::{Description, JOBS, Job};
pub use manifest::{LevelRecord, Manifest};
pub use progress::{Control, Observer, Silent};
pub use subject::{Identity, Subject, Totals};
pub use tables::{LEVELS, LevelCount, levels_csv, read_levels_csv, timing_csv};
pub use walk::End;

use crate::error::{Error, Result};
use crate::space::{AnySpace, Index, Space};
use crate::store::disk::Disk;
use crate::store::files::{self, Files};
use crate::store::{Lock, par_map};
use crate::text::{count, quoted};
use budget::Budget;
use forecast::Outlook;
use ledger::Ledger;
use pipeline::{Crew, Worker};
use progress::Progress;

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
    /// Which level sets stay.
    pub keep: Keep,
    /// The container to use; `None`: the one that pays.
    pub container: Option<ContainerKind>,
    /// Forget everything after this level first.
    pub from_level: Option<u32>,
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
            keep: Keep::All,
            container: None,
            from_level: None,
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// All: the job can be verified, and is a table that solves optimally.
    #[default]
    All,
    /// The two that the walk itself needs.
    LastTwo,
}

/// What a walk came to.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Everything that is on disk.
    pub manifest: Manifest,
}

/// Enumerates `subject` in the directory `dir`: starts the job, resumes it, or, if it is finished,
/// returns how it ended.
pub fn enumerate(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    control: Control<'_>,
) -> Result<Outcome> {
    let description = Description::of(subject);
    // Nothing is made for a job that could not start.
    let budget = options.budget()?;
    if !dir.join("job.json").exists() {
        let text = &description.puzzle;
        match subject.space() {
            AnySpace::Narrow(space) => reversible::check(space, text)?,
            AnySpace::Wide(space) => reversible::check(space, text)?,
        }
    }
    let unlimited = Disk::on(options.files.clone(), None, 0);
    let (job, lock) = Job::open_or_create(dir, description, &unlimited)?;
    let totals = subject.identity().totals;
    let outcome = match subject.space() {
        AnySpace::Narrow(space) => run(space, totals, &job, &lock, options, budget, control)?,
        AnySpace::Wide(space) => run(space, totals, &job, &lock, options, budget, control)?,
    };
    if outcome.end == End::Finished {
        check_totals(&totals, &job, &outcome.manifest)?;
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
            return Err(Error::Verification(format!(
                "the levels of {} add up to {} {what}, but there are {}: something is wrong with \
                 the computation or with the machine. Check the job with `godnum verify {} --full`",
                job.description.puzzle,
                count(found),
                count(expected),
                quoted(job.dir())
            )));
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
    Err(Error::Verification(format!(
        "the levels of {} have {} classes so far, but there are only {}: something is wrong with \
         the computation or with the machine. Check the job with `godnum verify {} --full`",
        job.description.puzzle,
        count(found),
        count(most),
        quoted(job.dir())
    )))
}

fn run<I: Index>(
    space: &dyn Space<I>,
    totals: Totals,
    job: &Job,
    lock: &Lock,
    options: &Options,
    budget: Budget,
    control: Control<'_>,
) -> Result<Outcome> {
    let run_dir = job.run_dir(options.scratch.as_deref())?;
    let used = job.size()
        + options
            .scratch
            .as_ref()
            .map_or(0, |_| job::folder_size(&run_dir));
    let disk = Disk::on(options.files.clone(), options.disk_limit, used);
    let mut ledger = Ledger::open(job, &disk, options.keep, options.checkpoint_every)?;
    verify::check_kept::<I>(job, ledger.manifest(), options.from_level, control)?;
    if let Some(level) = options.from_level {
        go_back(&mut ledger, job, level)?;
    }
    ledger.sweep(&run_dir)?;
    // In case the last process was killed before it came to that.
    ledger.write_tables()?;
    if ledger.manifest().finished {
        return Ok(Outcome {
            end: End::Finished,
            manifest: ledger.manifest().clone(),
        });
    }
    ledger.will_write_to(&run_dir)?;
    let threads = budget.threads();
    let pool = par_map::pool(threads)?;
    let workers: Vec<_> = (0..threads)
        .map(|_| Mutex::new(Worker::default()))
        .collect();
    let progress = Progress::new();
    let site = walk::Site {
        job,
        disk: &disk,
        run_dir: &run_dir,
        options,
        budget,
        outlook: Outlook {
            universe: space.universe().wide(),
            fanout: space.fanout(),
            total_classes: totals.classes,
        },
        serial: AtomicU64::new(first_serial()),
    };
    let crew = Crew {
        space,
        pool: &pool,
        workers: &workers,
        wave: budget.wave(),
        control,
        progress: &progress,
    };
    let end = with_ticker(lock, &progress, control.observer, || {
        walk::walk(&site, &crew, &mut ledger)
    })?;
    Ok(Outcome {
        end,
        manifest: ledger.manifest().clone(),
    })
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

fn go_back(ledger: &mut Ledger<'_>, job: &Job, level: u32) -> Result<()> {
    let manifest = ledger.manifest();
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
            "going on from level {level} needs the level sets from {needed} on, and those below \
             {} were not kept (--keep last-two)",
            manifest.kept_from
        )));
    }
    ledger.go_back(level)
}

/// Runs `work` while another thread shows its progress.
fn with_ticker<T>(
    lock: &Lock,
    progress: &Progress,
    observer: &dyn Observer,
    work: impl FnOnce() -> T,
) -> T {
    std::thread::scope(|scope| {
        let (alive, ended) = mpsc::channel::<()>();
        // Without a thread to spare, the work goes on unseen.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || {
            let mut told = Instant::now();
            while ended.recv_timeout(Duration::from_millis(100)) == Err(RecvTimeoutError::Timeout) {
                let pulse = progress.pulse();
                observer.tick(&pulse);
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

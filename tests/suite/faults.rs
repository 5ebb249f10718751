//! Faults at every call that changes a file: whatever goes wrong, and wherever, a job that is resumed
//! ends with the same bytes as one that was never disturbed.
//!
//! A [`Trial`] is a job with options under which it spills, merges and stores checkpoints all the
//! time. It is run once undisturbed, to see which calls it makes; then once for each of these calls and
//! each [`Fault`] that fits: with the fault, then, after a look by `verify`, without. The quick
//! version tries every call of the smallest trial and a seeded choice of the others;
//! `scripts/faults.sh` runs all of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crate::common::{essence, names_in, silently};
use crate::faulty_fs::{Call, Fault, FaultyFs};
use godnum::engine::verify::{Extent, verify};
use godnum::engine::{self, ContainerKind, Job, Keep, Options, Silent};
use godnum::error::{Error, Result};
use godnum::puzzle::subject;
use godnum::puzzles::registry;
use godnum::random::Random;
use godnum::store::disk::Disk;
use godnum::store::files::{self, Files};
use godnum::study::{StudyOptions, count, sample};

/// Every kind of fault; the number is for those that leave something to chance.
fn faults(seed: u64) -> [Fault; 10] {
    [
        Fault::Kill,
        Fault::KillMidway,
        Fault::Short,
        Fault::Full,
        Fault::Broken,
        Fault::BrokenThenLoss,
        Fault::Stolen,
        Fault::StolenThenLoss,
        Fault::PowerLoss,
        Fault::PartialLoss(seed),
    ]
}

/// A place in memory, if there is one: thousands of jobs are laid out there.
fn place() -> tempfile::TempDir {
    let memory = Path::new("/dev/shm");
    match memory.is_dir() {
        true => tempfile::tempdir_in(memory).unwrap(),
        false => tempfile::tempdir().unwrap(),
    }
}

/// What is disturbed.
trait Trial: Sync {
    /// Does it, or continues it, below `root`.
    fn run(&self, root: &Path, files: Arc<dyn Files>) -> Result<()>;

    /// Prepares `root` for the first run.
    fn prepare(&self, _root: &Path) {}

    /// Whatever a fault left behind must be sound.
    fn look(&self, _root: &Path) {}

    /// What a finished one is compared by.
    fn essence(&self, root: &Path) -> BTreeMap<String, Vec<u8>>;

    /// The files among that: all of them are durable when it is finished.
    fn stored(&self, _root: &Path) -> Option<BTreeMap<String, Vec<u8>>> {
        None
    }

    fn name(&self) -> String;
}

/// An enumeration.
struct EnumerationTrial {
    puzzle: &'static str,
    options: Options,
    scratch: bool,
    /// Whether there is a finished job to be replaced.
    fresh: bool,
}

impl EnumerationTrial {
    fn new(puzzle: &'static str, kind: ContainerKind, memory: u64) -> Self {
        EnumerationTrial {
            puzzle,
            options: Options {
                memory: Some(memory),
                threads: Some(1),
                container: Some(kind),
                checkpoint_every: Duration::ZERO,
                ..Options::default()
            },
            scratch: false,
            fresh: false,
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }
}

impl Trial for EnumerationTrial {
    fn run(&self, root: &Path, files: Arc<dyn Files>) -> Result<()> {
        let puzzle = registry::parse(self.puzzle)?;
        let job = root.join("job");
        let disturbed = files.clone();
        if self.fresh && fs::exists(root.join("old")).unwrap() {
            Job::discard(&job, &Disk::on(disturbed, None, 0))?;
            // The user asks for it once, unless the power fails.
            fs::remove_file(root.join("old")).unwrap();
        }
        let options =
            Options { files, scratch: self.scratch.then(|| root.join("elsewhere")), ..self.options.clone() };
        let stop = AtomicBool::new(false);
        engine::enumerate(&subject(&*puzzle)?, &job, &options, silently(&stop)).map(drop)
    }

    fn prepare(&self, root: &Path) {
        if self.fresh {
            self.run(root, files::system()).unwrap();
            fs::write(root.join("old"), "").unwrap();
        }
    }

    fn look(&self, root: &Path) {
        if root.join("old").exists() {
            // What was to be replaced may be half deleted.
            return;
        }
        let stop = AtomicBool::new(false);
        let puzzle = registry::parse(self.puzzle).unwrap();
        match verify(&subject(&*puzzle).unwrap(), &root.join("job"), Extent::Files, 64 << 20, &stop, &Silent)
        {
            // There is no job yet.
            Ok(_) | Err(Error::Directory { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }

    fn essence(&self, root: &Path) -> BTreeMap<String, Vec<u8>> {
        let job = root.join("job");
        for name in names_in(&job) {
            let known = ["job.json", "levels", "levels.csv", "lock", "manifest.json", "provenance.json"];
            let known = known.contains(&name.as_str()) || name == "timing.csv";
            assert!(known, "{name} is left behind");
        }
        let elsewhere = root.join("elsewhere");
        assert!(!elsewhere.is_dir() || names_in(&elsewhere).is_empty());
        essence(&job)
    }

    fn stored(&self, root: &Path) -> Option<BTreeMap<String, Vec<u8>>> {
        Some(essence(&root.join("job")))
    }

    fn name(&self) -> String {
        let mut name = format!("enumerate {}", self.puzzle);
        if let Some(kind) = self.options.container {
            name += &format!(", {}", kind.name());
        }
        for (here, what) in [
            (self.scratch, "scratch elsewhere"),
            (self.fresh, "in place of another"),
            (self.options.keep == Keep::LastTwo, "keeping two levels"),
            (self.options.threads != Some(1), "two threads"),
            (self.options.checkpoint_every > Duration::ZERO, "no checkpoints"),
        ] {
            if here {
                name += &format!(", {what}");
            }
        }
        name
    }
}

/// A count of solutions.
struct Count;

impl Trial for Count {
    fn run(&self, root: &Path, files: Arc<dyn Files>) -> Result<()> {
        let puzzle = registry::parse("triangles:tri9")?;
        let options = StudyOptions { files, threads: Some(1), ..StudyOptions::default() };
        let stop = AtomicBool::new(false);
        let counted = count::count(&*puzzle, &root.join("count"), &options, silently(&stop))?;
        fs::write(root.join("answer"), counted.solutions.to_string()).unwrap();
        Ok(())
    }

    fn essence(&self, root: &Path) -> BTreeMap<String, Vec<u8>> {
        let answer = fs::read(root.join("answer")).unwrap();
        BTreeMap::from([("answer".into(), answer)])
    }

    fn name(&self) -> String {
        "count triangles:tri9".into()
    }
}

/// A sample.
struct Sample;

impl Trial for Sample {
    fn run(&self, root: &Path, files: Arc<dyn Files>) -> Result<()> {
        let puzzle = registry::parse("tiles:3x3")?;
        let plan = sample::SamplePlan {
            puzzle: &*puzzle,
            solver: Some("fast"),
            scramble: godnum::puzzle::Scrambling::Uniform,
            seed: 7,
            count: 5,
            time: None,
        };
        let options = StudyOptions { files, threads: Some(1), ..StudyOptions::default() };
        let stop = AtomicBool::new(false);
        let sampled = sample::sample(&plan, &root.join("sample"), &options, silently(&stop))?;
        let rows: Vec<_> =
            sampled.rows.iter().map(|row| format!("{} {} {}", row.instance, row.state, row.moves)).collect();
        fs::write(root.join("answer"), rows.join("\n")).unwrap();
        Ok(())
    }

    fn essence(&self, root: &Path) -> BTreeMap<String, Vec<u8>> {
        let answer = fs::read(root.join("answer")).unwrap();
        BTreeMap::from([("answer".into(), answer)])
    }

    fn name(&self) -> String {
        "sample tiles:3x3".into()
    }
}

/// An undisturbed run: what it comes to, and the calls it makes.
fn undisturbed(trial: &dyn Trial) -> (BTreeMap<String, Vec<u8>>, Vec<Call>) {
    let place = place();
    trial.prepare(place.path());
    let files = FaultyFs::new(place.path());
    trial.run(place.path(), Arc::new(files.clone())).unwrap();
    trial.look(place.path());
    (trial.essence(place.path()), files.calls())
}

/// Runs a trial with one fault after the other, each in a run of its own, and then to its end; returns
/// how many have struck.
fn disturbed(trial: &dyn Trial, faults: &[(usize, Fault)], expected: &BTreeMap<String, Vec<u8>>) -> usize {
    let place = place();
    let root = place.path();
    trial.prepare(root);
    let files = FaultyFs::new(root);
    let mut struck = 0;
    for &fault in faults {
        files.begin(Some(fault));
        let result = trial.run(root, Arc::new(files.clone()));
        if let Err(error) = &result {
            assert!(files.struck(), "{error}");
            let mistaken = matches!(error, Error::Usage(_) | Error::Directory { .. });
            assert!(!mistaken, "{error}");
        }
        struck += usize::from(files.struck());
        files.aftermath();
        trial.look(root);
        if result.is_ok() && fault.1 == Fault::Short {
            // Not a failure: nothing needs to be resumed.
            assert!(&trial.essence(root) == expected);
        }
    }
    let finish = || {
        files.begin(None);
        trial.run(root, Arc::new(files.clone())).unwrap();
        trial.look(root);
        let found = trial.essence(root);
        assert!(found.keys().eq(expected.keys()));
        assert_same(&found, expected, "differs");
    };
    finish();
    // What a process says is done outlives the power.
    files.lose_power(None);
    trial.look(root);
    if let Some(stored) = trial.stored(root) {
        assert_same(&stored, expected, "is lost");
    }
    finish();
    struck
}

fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>, how: &str) {
    for (name, content) in expected {
        assert!(found.get(name) == Some(content), "{name} {how}");
    }
}

/// The sum of `work` on the numbers below `total`, done on threads of their own: one of a pool would
/// begin another piece of work while it waits for the pool of a job.
fn on_all_cores(total: usize, work: impl Fn(usize) -> usize + Sync) -> usize {
    let next = AtomicUsize::new(0);
    let numbers = || std::iter::repeat_with(|| next.fetch_add(1, Relaxed));
    let worker = || -> usize { numbers().take_while(|&at| at < total).map(&work).sum() };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..engine::cores()).map(|_| scope.spawn(worker)).collect();
        let sums = workers.into_iter().map(|worker| worker.join().unwrap());
        sums.sum()
    })
}

/// Disturbs a trial at `most` of its calls, chosen by chance, or at all of them. Says what was tried;
/// returns how many faults have struck.
fn disturb(trial: &dyn Trial, most: usize) -> usize {
    let (expected, calls) = undisturbed(trial);
    let mut points: Vec<(usize, Fault)> = Vec::new();
    for (at, &call) in calls.iter().enumerate() {
        let fitting = faults(at as u64).into_iter();
        points.extend(fitting.filter(|fault| fault.fits(call)).map(|f| (at, f)));
    }
    let all = points.len();
    Random::new(1).shuffle(&mut points);
    points.truncate(most);
    let struck = on_all_cores(points.len(), |number| {
        let attempt = || disturbed(trial, &points[number..][..1], &expected);
        let attempt = std::panic::AssertUnwindSafe(attempt);
        std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
            let (at, fault) = points[number];
            panic!("{}: {fault:?} at call {at}, {:?}", trial.name(), calls[at])
        })
    });
    let name = trial.name();
    println!("{name}: {} calls, {struck} faults ({all} possible)", calls.len());
    assert!(struck * 10 >= points.len() * 9, "{name}: faults were missed");
    struck
}

/// Disturbs a trial several times in a row, in every run but the last.
fn disturb_again(trial: &dyn Trial, rounds: usize) -> usize {
    let (expected, calls) = undisturbed(trial);
    let struck = on_all_cores(rounds, |seed| {
        let seed = seed as u64;
        let mut random = Random::new(seed);
        let faults: Vec<_> = (0..4)
            .map(|_| {
                let fault = faults(seed)[random.place(10)];
                (random.place(calls.len() / 2), fault)
            })
            .collect();
        let attempt = || disturbed(trial, &faults, &expected);
        let attempt = std::panic::AssertUnwindSafe(attempt);
        std::panic::catch_unwind(attempt).unwrap_or_else(|_| panic!("{}: {faults:?}", trial.name()))
    });
    println!("{}, again and again: {struck} faults", trial.name());
    struck
}

const SPARSE: ContainerKind = ContainerKind::Sparse;
const DENSE: ContainerKind = ContainerKind::Dense;
/// As little memory as is accepted: buffers, runs and buckets are as small as they can be.
const TINY: u64 = 64 << 10;

/// How many faults of a trial are tried.
#[derive(Clone, Copy, PartialEq)]
enum Version {
    /// All of the smallest trial, and some of the others.
    Quick,
    /// All, or many thousands.
    Complete,
}

/// All trials, with the number of faults to try.
fn trials(version: Version) -> Vec<(Box<dyn Trial>, usize)> {
    let walk = EnumerationTrial::new;
    let never = Duration::from_secs(1 << 30);
    let all = usize::MAX;
    let walks = [
        (walk("wrapslide:4x4:2", SPARSE, TINY), 300, all),
        // Every call of this, in either version.
        (walk("triangles:tri4", DENSE, TINY), all, all),
        // Two commits and no checkpoint, as in most short jobs.
        (walk("tiles:2x3", SPARSE, TINY).with(|o| o.checkpoint_every = never), 300, all),
        // Every kind of puzzle and both containers.
        (walk("wrapslide:4x4:2", DENSE, TINY), 20, 9_000),
        (walk("tiles:2x3", SPARSE, TINY), 20, 9_000),
        (walk("tiles:2x3:push", DENSE, TINY), 20, 9_000),
        (walk("gourds:rows-3-4", SPARSE, TINY), 20, 9_000),
        (walk("gourds:rows-3-4", DENSE, TINY), 20, 9_000),
        (walk("triangles:tri9", SPARSE, TINY), 10, 9_000),
        (walk("triangles:tri9", DENSE, TINY), 10, 9_000),
        (walk("klotski:classic", SPARSE, TINY), 4, 1_500),
        (walk("klotski:classic:from-goals", DENSE, TINY), 4, 1_500),
        // Runs are spilled and merged; a bitmap takes several passes.
        (walk("wrapslide:4x4:3", SPARSE, TINY), 15, 9_000),
        (walk("wrapslide:4x4:3", DENSE, TINY), 15, 9_000),
        (walk("tiles:3x3", SPARSE, TINY), 6, 3_000),
        (walk("tiles:3x3", DENSE, TINY), 6, 3_000),
        (walk("wrapslide:6x6:2", SPARSE, 256 << 10).with(|o| o.max_level = Some(7)), 4, 300),
        (walk("wrapslide:6x6:2", DENSE, 8 << 20).with(|o| o.max_level = Some(4)), 4, 300),
        // Indices of 128 bits.
        (walk("wrapslide:8x8:2", SPARSE, TINY).with(|o| o.max_level = Some(4)), 10, 3_000),
        // What users may ask for beside that.
        (walk("wrapslide:4x4:3", SPARSE, TINY).with(|o| o.keep = Keep::LastTwo), 15, 3_000),
        (walk("wrapslide:4x4:3", SPARSE, 2 * TINY).with(|o| o.threads = Some(2)), 15, 3_000),
        (EnumerationTrial { scratch: true, ..walk("wrapslide:4x4:3", SPARSE, TINY) }, 15, 3_000),
        (EnumerationTrial { fresh: true, ..walk("wrapslide:4x4:2", SPARSE, TINY) }, 40, 9_000),
    ];
    let mut trials: Vec<(Box<dyn Trial>, usize)> = vec![(
        Box::new(Count),
        match version {
            Version::Quick => 300,
            Version::Complete => all,
        },
    )];
    trials.push((Box::new(Sample), if version == Version::Quick { 20 } else { all }));
    for (walk, quick, complete) in walks {
        let most = match version {
            Version::Quick => quick,
            Version::Complete => quick.max(complete),
        };
        trials.push((Box::new(walk), most));
    }
    trials
}

/// Every trial with single faults and with several in a row.
fn disturb_all(version: Version) {
    let (rounds, least) = match version {
        Version::Quick => (2, 800),
        Version::Complete => (200, 20_000),
    };
    let mut struck = 0;
    for (trial, most) in trials(version) {
        struck += disturb(&*trial, most) + disturb_again(&*trial, rounds.min(most));
    }
    println!("{struck} faults in all; every job ended with the same bytes");
    assert!(struck >= least, "{struck}");
}

#[test]
fn no_fault_changes_a_result() {
    disturb_all(Version::Quick);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn no_fault_at_any_call_changes_a_result() {
    disturb_all(Version::Complete);
}

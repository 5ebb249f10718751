//! A stop is answered while files are read, however slow the disk is: while a job is opened, with many
//! levels and runs, and while one is checked, mended or looked up in.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread::sleep;
use std::time::{Duration, Instant};

use godnum::engine::{ContainerKind, Control, Identity, Job, Options, Silent, enumerate};
use godnum::error::Error;
use godnum::space::{AnySpace, Space};
use godnum::store::files::{Directory, Files, Input, Output, System};

use crate::common::*;
use crate::interposed;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The files of this machine, whose user wants to stop at a chosen read.
#[derive(Clone, Debug)]
struct CountedReads(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    stop_at: usize,
    reads: AtomicUsize,
    stop: AtomicBool,
}

impl CountedReads {
    /// The stop comes with the read of this number, counted from 0.
    fn stopping_at(read: usize) -> Self {
        let counts = Counts { stop_at: read, reads: AtomicUsize::new(0), stop: AtomicBool::new(false) };
        CountedReads(Arc::new(counts))
    }

    /// Whether the user wants to stop.
    fn stop(&self) -> &AtomicBool {
        &self.0.stop
    }

    /// Reads so far.
    fn reads(&self) -> usize {
        self.0.reads.load(SeqCst)
    }
}

#[derive(Debug)]
struct CountedInput(Box<dyn Input>, CountedReads);

impl Input for CountedInput {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let counts = &self.1.0;
        if counts.reads.fetch_add(1, SeqCst) == counts.stop_at {
            counts.stop.store(true, SeqCst);
        }
        self.0.read_exact_at(bytes, offset)
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
}

impl Files for CountedReads {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        System.create_dir(path)
    }

    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        System.create(path)
    }

    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        System.reopen(path, length)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        System.remove_dir(path)
    }

    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        System.open_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Input>> {
        Ok(Box::new(CountedInput(System.open(path)?, self.clone())))
    }
}

/// The corners of a cube of many dimensions. The user wants to stop after so many batches of a level.
struct Cube<'a> {
    files: &'a CountedReads,
    /// Batches until the stop; how many reads there were before the first one.
    batches: usize,
    seen: AtomicUsize,
    opening: AtomicUsize,
}

const DIMENSIONS: u32 = 20;

impl<'a> Cube<'a> {
    fn new(files: &'a CountedReads, batches: usize) -> Self {
        Cube { files, batches, seen: AtomicUsize::new(0), opening: AtomicUsize::new(0) }
    }
}

impl Space<u64> for Cube<'_> {
    fn universe(&self) -> u64 {
        1 << DIMENSIONS
    }

    fn roots(&self) -> Vec<u64> {
        vec![0]
    }

    fn fanout(&self) -> usize {
        DIMENSIONS as usize
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        // What is tried out before a job begins is a class at a time.
        if batch.len() > 1 {
            match self.seen.fetch_add(1, SeqCst) {
                0 => self.opening.store(self.files.reads(), SeqCst),
                seen if seen == self.batches => self.files.stop().store(true, SeqCst),
                _ => {}
            }
        }
        for corner in batch {
            candidates.extend((0..DIMENSIONS).map(|axis| corner ^ 1 << axis));
        }
    }
}

fn run_cube(
    job: &Path,
    cube: &Cube<'_>,
    max_level: Option<u32>,
    container: ContainerKind,
    memory: u64,
) -> Result<(), Error> {
    let identity = Identity { text: format!("cube:{DIMENSIONS}"), ..Identity::default() };
    let options = Options {
        memory: Some(memory),
        threads: Some(1),
        container: Some(container),
        // A run for every block.
        checkpoint_every: if max_level.is_some() { Duration::MAX } else { Duration::ZERO },
        max_level,
        files: Arc::new(cube.files.clone()),
        ..Options::default()
    };
    let control = Control { stop: cube.files.stop(), observer: &Silent };
    enumerate(&(identity, AnySpace::Narrow(cube)), job, &options, control).map(|_| ())
}

fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").args(["-r", text(from), text(to)]).status().unwrap().success());
}

/// Whichever read of opening a job is the one at which the user wants to stop, few follow it: with many runs
/// to be opened, with more than there is memory for, which are merged first, and for a bitmap.
#[test]
fn few_reads_follow_a_stop_while_a_job_is_opened() {
    let place = tempfile::tempdir_in(memory()).unwrap();
    let begun = place.path().join("begun");
    // Of the 184,756 corners of level 10 in 46 blocks, those of 40 blocks are expanded.
    let files = CountedReads::stopping_at(usize::MAX);
    let (kind, much) = (ContainerKind::Sparse, 512 << 20);
    run_cube(&begun, &Cube::new(&files, usize::MAX), Some(9), kind, much).unwrap();
    let stopped = run_cube(&begun, &Cube::new(&files, 40 * 16), None, kind, much);
    assert!(matches!(stopped, Err(Error::Interrupted(_))), "{stopped:?}");
    let checkpoint = Job::open(&begun).unwrap().manifest().unwrap().checkpoint.unwrap();
    let runs = checkpoint.runs.len();
    assert!(runs >= 35, "{runs} runs: {checkpoint:?}");
    for (container, memory, most) in [
        (ContainerKind::Sparse, much, 2),
        (ContainerKind::Sparse, 64 << 10, 40),
        (ContainerKind::Dense, 64 << 20, 2),
    ] {
        let mut tried = 0;
        for read in (0..).step_by(11) {
            let job = place.path().join("job");
            copy(&begun, &job);
            let files = CountedReads::stopping_at(read);
            let cube = Cube::new(&files, 0);
            let stopped = run_cube(&job, &cube, None, container, memory);
            assert!(matches!(stopped, Err(Error::Interrupted(_))), "{stopped:?}");
            fs::remove_dir_all(&job).unwrap();
            if cube.seen.load(SeqCst) > 0 {
                break;
            }
            tried += 1;
            let late = files.reads() - read - 1;
            assert!(late <= most, "{container:?} {memory}: {late} reads after the one of number {read}");
        }
        println!("{container:?}, {memory} bytes: {tried} reads");
        assert!(11 * tried > 2 * runs, "{tried} reads");
    }
}

/// A disk on which every read takes 0.2 s, as 4 MB do with 20 MB/s.
#[test]
fn a_stop_is_answered_on_a_slow_disk() {
    let place = tempfile::tempdir().unwrap();
    let library = interposed::library(place.path());
    let in_place = |arguments: &[&str]| {
        let mut command = godnum(arguments);
        command.current_dir(place.path()).env("XDG_CACHE_HOME", place.path().join("cache"));
        command
    };
    let puzzle = "wrapslide:4x4:4";
    assert!(in_place(&["enumerate", puzzle, "-q"]).output().unwrap().status.success());
    let job = place.path().join("runs/wrapslide-4x4-4");
    // Each has a job of its own: they run at the same time.
    for name in ["a", "b", "c", "d", "e", "f"] {
        copy(&job, &place.path().join(name));
    }
    for lost in ["e", "f"] {
        fs::remove_file(place.path().join(lost).join("manifest.json")).unwrap();
    }
    let commands: [&[&str]; 8] = [
        &["enumerate", puzzle, "--dir", "a"],
        &["resume", "b", "--from-level", "9"],
        &["verify", "c", "--sample", "0"],
        &["verify", "d", "--full"],
        &["verify", "e"],
        &["resume", "f", "--from-level", "12"],
        &["solve", puzzle, "1234/1234/1234/1234", "--solver", "table"],
        &["antipodes", puzzle, "--count", "1000", "--seed", "1"],
    ];
    std::thread::scope(|scope| {
        for arguments in commands {
            let (library, in_place) = (&library, &in_place);
            scope.spawn(move || {
                let mut command = in_place(arguments);
                command.env("LD_PRELOAD", library).env("SLOW_READS", "200");
                command.stdout(Stdio::null()).stderr(Stdio::piped());
                let mut child = command.spawn().unwrap();
                sleep(Duration::from_millis(1500));
                assert!(child.try_wait().unwrap().is_none(), "{arguments:?} is over");
                let sent = Instant::now();
                signal(&child, "TERM");
                let output = child.wait_with_output().unwrap();
                let words = String::from_utf8_lossy(&output.stderr);
                assert!(sent.elapsed() < Duration::from_secs(5), "{arguments:?}: {:?}", sent.elapsed());
                // What reads only may not even listen.
                assert!(matches!(output.status.code(), Some(130) | None), "{arguments:?}: {words}");
            });
        }
    });
}

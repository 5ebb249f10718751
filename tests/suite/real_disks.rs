//! Disks of their own: power cuts on ext4, a thin disk that is full for a moment, a disk that fails.
//!
//! A disk is a file with an ext4 file system, mounted through a loop device. When the power is cut, the file
//! system is shut down without writing its log, and goes on from a copy of what the file held then.
//! All of this needs the right to mount, and a kernel with loop devices and ext4.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::*;

/// A job with checkpoints and runs.
const PUZZLE: &str = "wrapslide:6x6:3:fixed";
/// A job with many small levels, which share their syncs.
const SMALL_LEVELS: &str = "klotski:classic";
const SPARSE: &[&str] = &["--container", "sparse", "--memory", "4M", "--checkpoint-every", "20ms"];
const DENSE: &[&str] = &["--container", "dense", "--memory", "6M", "--checkpoint-every", "10ms"];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn quietly(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Whether disks can be made here. Reports why not; only what a CI machine can be given, rights and
/// tools, counts as a test that was skipped.
fn can_mount() -> bool {
    if !quietly("mkfs.ext4", &["-V"]) {
        skip("there is no mkfs.ext4");
        return false;
    }
    if !rustix::process::geteuid().is_root() {
        skip("no right to mount a disk");
        return false;
    }
    let kernel = |has: bool, what: &str| {
        if !has {
            // Past the test harness, which hides the output of tests that pass.
            let _ = writeln!(io::stderr(), "not tested: this kernel has no {what}");
        }
        has
    };
    let systems = fs::read_to_string("/proc/filesystems").unwrap_or_default();
    let ext4 = systems.contains("\text4\n") || quietly("modprobe", &["ext4"]);
    kernel(ext4, "ext4")
        && kernel(Path::new("/dev/loop-control").exists() || quietly("modprobe", &["loop"]), "loop devices")
}

/// How the file system keeps itself intact.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Journal {
    Ordered,
    Writeback,
    None,
}

/// A disk, mounted.
struct Disk {
    place: tempfile::TempDir,
    journal: Journal,
    /// How many copies have been made.
    lives: u32,
    mounted: bool,
}

impl Disk {
    /// A new disk below `under`.
    fn new(journal: Journal, under: &Path) -> Self {
        let mut disk = Disk::unmounted(journal, under);
        disk.mount();
        disk
    }

    /// The same, where only the journal and the tables have their room: whatever is written takes more.
    fn thin(under: &Path) -> Self {
        let mut disk = Disk::unmounted(Journal::Ordered, under);
        let (image, full) = (disk.image(), disk.place.path().join("full"));
        assert!(quietly("cp", &["--sparse=never", text(&image), text(&full)]));
        fs::rename(full, image).unwrap();
        disk.mount();
        assert!(quietly("fstrim", &[text(&disk.dir())]));
        disk
    }

    fn unmounted(journal: Journal, under: &Path) -> Self {
        let place = tempfile::tempdir_in(under).unwrap();
        fs::create_dir(place.path().join("mounted")).unwrap();
        let disk = Disk { place, journal, lives: 0, mounted: false };
        let image = disk.image();
        File::create(&image).unwrap().set_len(48 << 20).unwrap();
        let features = match journal {
            Journal::None => "^has_journal",
            _ => "has_journal",
        };
        let at_once = "nodiscard,lazy_itable_init=0,lazy_journal_init=0";
        assert!(quietly("mkfs.ext4", &["-q", "-F", "-O", features, "-E", at_once, text(&image)]));
        disk
    }

    fn image(&self) -> PathBuf {
        self.place.path().join(format!("image{}", self.lives))
    }

    /// Where its files are.
    fn dir(&self) -> PathBuf {
        self.place.path().join("mounted")
    }

    fn mount(&mut self) {
        let options = match self.journal {
            Journal::Ordered => "loop,data=ordered",
            Journal::Writeback => "loop,data=writeback",
            Journal::None => "loop",
        };
        let dir = self.dir();
        assert!(quietly("mount", &["-t", "ext4", "-o", options, text(&self.image()), text(&dir)]));
        self.mounted = true;
    }

    fn unmount(&mut self) {
        let start = Instant::now();
        while self.mounted && !quietly("umount", &[text(&self.dir())]) {
            assert!(start.elapsed() < Duration::from_secs(20), "the disk stays busy");
            sleep(Duration::from_millis(20));
        }
        self.mounted = false;
    }

    /// Nothing is written or read any more.
    fn shut_down(&self) {
        const SHUTDOWN: libc::c_ulong = 0x8004_587d;
        let without_log: u32 = 2;
        let dir = File::open(self.dir()).unwrap();
        // SAFETY: the call reads the number that the pointer leads to, and changes nothing of ours.
        let result = unsafe { libc::ioctl(dir.as_raw_fd(), SHUTDOWN, &raw const without_log) };
        assert_eq!(result, 0, "{}", io::Error::last_os_error());
    }

    /// After [`shut_down`](Disk::shut_down), and once no process has a file open: power is back.
    fn restart(&mut self) {
        let old = self.image();
        self.lives += 1;
        // What unmounting would still write does not reach the copy.
        assert!(quietly("cp", &["--sparse=always", text(&old), text(&self.image())]));
        self.unmount();
        fs::remove_file(old).unwrap();
        // Without a journal, checking it is all that makes it usable. The code says that it mended something.
        if self.journal == Journal::None {
            quietly("e2fsck", &["-f", "-y", text(&self.image())]);
        }
        self.mount();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            quietly("umount", &["-l", text(&self.dir())]);
        }
    }
}

/// Waits for a process that may fail, but not crash; returns its code and what it wrote.
fn ended(child: Child, limit: Duration) -> (i32, String) {
    let id = child.id().to_string();
    let begun = Instant::now();
    let (send, done) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if done.recv_timeout(limit).is_err() {
            quietly("kill", &["-9", &id]);
        }
    });
    let output = child.wait_with_output().unwrap();
    drop(send);
    watch.join().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(begun.elapsed() < limit, "the process does not end: {words}");
    assert!(!words.contains("panicked"), "{words}");
    assert_eq!(output.status.signal(), None, "{words}");
    (output.status.code().unwrap(), words)
}

/// Undisturbed jobs.
fn reference(puzzle: &str) -> PathBuf {
    let dir = tempfile::tempdir().unwrap().keep().join("job");
    stdout(&["enumerate", puzzle, "-q", "--dir", text(&dir)]);
    dir
}

/// Cuts the power of jobs until it was cut `cuts` times, each job to its end; returns how often that
/// happened inside a job.
fn cut(journal: Journal, cuts: u32, reference: &Path) {
    let mut moment = 88_172_645_463_325_252u64 ^ journal as u64;
    let mut below = |bound: u64| {
        moment ^= moment << 13;
        moment ^= moment >> 7;
        moment ^= moment << 17;
        moment % bound
    };
    let (mut done, mut finished, mut damaged) = (0, 0, 0);
    while done < cuts {
        let mut disk = Disk::new(journal, memory());
        let job = disk.dir().join("job");
        for life in 0.. {
            assert!(life < 200, "the job makes no progress");
            let options = [SPARSE, DENSE][life as usize % 2];
            let arguments = [&["enumerate", PUZZLE, "-q", "--dir", text(&job)], options].concat();
            let mut child = start(&arguments);
            // The last job runs to its end.
            let patience = match done < cuts {
                true => 5 + below(150 + 40 * life),
                false => 600_000,
            };
            let end = Instant::now() + Duration::from_millis(patience);
            while Instant::now() < end && child.try_wait().unwrap().is_none() {
                sleep(Duration::from_millis(1));
            }
            disk.shut_down();
            let (code, words) = ended(child, Duration::from_secs(60));
            done += 1;
            disk.restart();
            if code == 0 {
                // What it says is done is there without power. So may be leftovers.
                let found = essence(&job);
                for (name, content) in essence(reference) {
                    assert!(found.get(&name) == Some(&content), "{journal:?}: {name} is lost");
                }
                finished += 1;
                break;
            }
            assert!(code == 1, "{code}: {words}");
            let verified = run(&["verify", text(&job), "--sample", "0", "-q"]);
            let words = String::from_utf8_lossy(&verified.stderr).into_owned();
            match verified.status.code() {
                Some(0) => {}
                Some(2) => {
                    assert!(words.contains("holds no job") || words.contains("No such file"), "{words}")
                }
                // A file system without a journal may lose names that were durable.
                Some(5) if journal == Journal::None => {
                    damaged += 1;
                    fs::remove_dir_all(&job).unwrap();
                }
                code => panic!("{journal:?}: {code:?}: {words}"),
            }
            assert!(done < cuts + 200);
        }
    }
    println!("{journal:?}: {done} power cuts, {finished} jobs to their end, {damaged} found damaged");
}

fn power_cuts(of_each: u32) {
    if !can_mount() {
        return;
    }
    let reference = reference(PUZZLE);
    for journal in [Journal::Ordered, Journal::Writeback, Journal::None] {
        cut(journal, of_each, &reference);
    }
}

#[test]
fn a_power_cut_loses_nothing_that_was_stored() {
    power_cuts(2);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn more_than_a_hundred_power_cuts_lose_nothing_that_was_stored() {
    power_cuts(40);
}

/// A file system in memory that the disk's image lies on, and that other files can fill up.
struct ThinPool(PathBuf);

impl ThinPool {
    fn new() -> Self {
        let path = tempfile::tempdir().unwrap().keep();
        assert!(quietly("mount", &["-t", "tmpfs", "-o", "size=104m", "tmpfs", text(&path)]));
        ThinPool(path)
    }

    /// Nothing fits any more while `work` is done.
    fn full(&self, work: impl FnOnce()) {
        let stuffing = self.0.join("stuffing");
        let _ = fs::write(&stuffing, vec![7; 128 << 20]);
        work();
        fs::remove_file(stuffing).unwrap();
    }
}

impl Drop for ThinPool {
    fn drop(&mut self) {
        quietly("umount", &["-l", text(&self.0)]);
        let _ = fs::remove_dir(&self.0);
    }
}

/// The disk is full for a moment while `sync -f` makes it write everything, which fails and is
/// reported there. The job must not believe that its files are durable.
#[test]
fn a_thin_disk_that_is_full_for_a_moment_loses_nothing() {
    if !can_mount() {
        return;
    }
    let reference = reference(SMALL_LEVELS);
    let mut noticed = 0;
    for least in [3, 10, 25, 40, 5, 15, 30, 50, 20, 35] {
        if noticed == 3 {
            break;
        }
        let pool = ThinPool::new();
        let mut disk = Disk::thin(&pool.0);
        let job = disk.dir().join("job");
        let arguments = ["enumerate", SMALL_LEVELS, "-q", "--threads", "1", "--dir", text(&job)];
        let mut child = start(&arguments);
        let levels = || fs::read_dir(job.join("levels")).map_or(0, |names| names.count());
        while levels() < least && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_micros(200));
        }
        signal(&child, "STOP");
        let mut lost = false;
        pool.full(|| lost = !quietly("sync", &["-f", text(&disk.dir())]));
        if !lost {
            // Nothing waited to be written; or the loop device found room for the beginning of a write, and
            // calls that a success.
            child.kill().unwrap();
            child.wait().unwrap();
            continue;
        }
        signal(&child, "CONT");
        let (code, words) = ended(child, Duration::from_secs(120));
        println!("full at level {least}: {code} {words}");
        assert!(code == 0 || code == 1, "{words}");
        noticed += code;
        // Nothing is left of what was only in memory.
        disk.unmount();
        disk.mount();
        if code == 0 {
            assert_same_job(&reference, &job);
            continue;
        }
        assert!(words.contains("sync"), "{words}");
        stdout(&arguments);
        disk.unmount();
        disk.mount();
        assert_same_job(&reference, &job);
    }
    assert!(noticed > 0, "no write was lost");
}

/// A disk that fails altogether is an error of reading, not damage, and nothing crashes.
#[test]
fn a_disk_that_fails_is_no_damage() {
    if !can_mount() {
        return;
    }
    let mut disk = Disk::new(Journal::Ordered, memory());
    let job = disk.dir().join("job");
    stdout(&["enumerate", PUZZLE, "-q", "--dir", text(&job), "--max-level", "7"]);
    let before = essence(&job);
    disk.shut_down();
    for arguments in [
        &["status", text(&job)][..],
        &["verify", text(&job)],
        &["verify", text(&job), "--full"],
        &["levels", text(&job)],
        &["states", text(&job), "--level", "5"],
        &["resume", text(&job)],
        &["resume", text(&job), "--from-level", "4"],
        &["enumerate", PUZZLE, "--dir", text(&job)],
        &["enumerate", PUZZLE, "--dir", text(&job), "--fresh"],
    ] {
        let words = complaint(arguments, 1);
        assert!(words.contains("nput/output error"), "{arguments:?}: {words}");
    }
    disk.restart();
    assert!(essence(&job) == before);
    stdout(&["resume", text(&job), "-q"]);
    assert_same_job(&reference(PUZZLE), &job);
}

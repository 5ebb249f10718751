//! What several test files need: running the binary, and comparing jobs byte by byte.

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use godnum::engine::{self, Control, End, Manifest, Options, Silent};
use godnum::puzzle::subject;
use godnum::puzzles::registry;

/// The `godnum` binary with some arguments. Signals end it even if they are ignored here, as under `nohup` or in a
/// shell's background.
pub fn godnum(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_godnum"));
    command.args(arguments).stdin(Stdio::null());
    let answer_signals = || {
        for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
            // SAFETY: `signal` may be called between fork and exec, and gets valid arguments.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: nothing is called but `signal`.
    unsafe { command.pre_exec(answer_signals) };
    command
}

/// Runs it to the end.
pub fn run(arguments: &[&str]) -> Output {
    godnum(arguments).output().unwrap()
}

/// Runs it and expects success; returns what it printed.
pub fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(
        output.status.success(),
        "{arguments:?} ended with {:?}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

/// Runs it and expects an exit code; returns the complaint.
pub fn complaint(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert!(!text.contains("panicked"), "{text}");
    text
}

/// Reports that a test is skipped, past the test harness, which hides the output of tests that pass. With
/// `GODNUM_NO_SKIP=1` the test fails instead.
pub fn skip(why: &str) {
    let allowed = std::env::var_os("GODNUM_NO_SKIP").is_none_or(|value| value.is_empty());
    assert!(allowed, "GODNUM_NO_SKIP is set, and this test cannot run: {why}");
    let _ = writeln!(std::io::stderr(), "skipped a test: {why}");
}

/// Starts it in the background.
pub fn start(arguments: &[&str]) -> Child {
    godnum(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Where files take no time, if there is such a place.
pub fn memory() -> &'static Path {
    match Path::new("/dev/shm").is_dir() {
        true => Path::new("/dev/shm"),
        false => Path::new("/tmp"),
    }
}

/// Sends a signal by name.
pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .stderr(Stdio::null())
        .status();
    assert!(status.is_ok());
}

/// The parts of a job that must not depend on how it was computed, by file name.
pub fn essence(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    files.insert("levels.csv".into(), std::fs::read(dir.join("levels.csv")).unwrap());
    for entry in std::fs::read_dir(dir.join("levels")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        files.insert(name, std::fs::read(&path).unwrap());
    }
    files
}

/// Fails, naming the first file that differs.
pub fn assert_same_job(left: &Path, right: &Path) {
    let (left, right) = (essence(left), essence(right));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&left), names(&right));
    for (name, content) in &left {
        assert!(content == &right[name], "{name} differs");
    }
}

/// The names of everything in a job directory, for leftovers.
pub fn names_in(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Work without an observer.
pub fn silently(stop: &AtomicBool) -> Control<'_> {
    Control { stop, observer: &Silent }
}

/// Walks a puzzle to its end in this process.
pub fn walk(text: &str, dir: &Path, options: &Options) -> Manifest {
    let puzzle = registry::parse(text).unwrap();
    let stop = AtomicBool::new(false);
    let outcome = engine::enumerate(&subject(&*puzzle).unwrap(), dir, options, silently(&stop)).unwrap();
    assert_eq!(outcome.end, End::Finished);
    outcome.manifest
}

/// The classes of all levels, and the states.
pub fn levels(manifest: &Manifest) -> (Vec<u128>, Vec<u128>) {
    let levels = manifest.levels.iter();
    levels.map(|level| (level.classes, level.states)).unzip()
}

//! Levels that are pulled, pushed, or first one and then the other: the same bytes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::common::*;
use crate::faulty_fs::{Fault, FaultyFs};
use godnum::engine::verify::{Extent, verify};
use godnum::engine::{Checkpoint, ContainerKind, Job, Keep, Options, Silent, Way, enumerate};
use godnum::puzzle::subject;
use godnum::puzzles::registry;

fn options(way: Way) -> Options {
    let container = Some(ContainerKind::Dense);
    Options { memory: Some(8 << 20), threads: Some(1), way: Some(way), container, ..Options::default() }
}

/// Kills a walk with checkpoints at every chance, and has another one go on; as often as there are calls.
/// Returns how many of the walks had to go on in the middle of a level.
fn killed(text: &str, first: &Options, then: &Options, step: usize) -> usize {
    let puzzle = registry::parse(text).unwrap();
    let subject = subject(&*puzzle).unwrap();
    let stop = AtomicBool::new(false);
    let place = tempfile::tempdir().unwrap();
    let reference = place.path().join("reference");
    walk(text, &reference, &Options { memory: Some(8 << 20), threads: Some(1), ..Options::default() });
    let mut inside = 0;
    for call in (step..).step_by(step) {
        let job = place.path().join(call.to_string());
        let files = FaultyFs::new(place.path());
        files.begin(Some((call, Fault::Kill)));
        let files = Arc::new(files);
        let first = Options { files, checkpoint_every: Duration::ZERO, ..first.clone() };
        let ended = enumerate(&subject, &job, &first, silently(&stop)).is_ok();
        if ended {
            break;
        }
        let drains = |checkpoint: &Checkpoint| {
            checkpoint.partial.as_ref().is_some_and(|partial| partial.drained > checkpoint.low)
        };
        let checkpoint = Job::open(&job).and_then(|job| job.manifest()).map(|manifest| manifest.checkpoint);
        inside += usize::from(checkpoint.ok().flatten().as_ref().is_some_and(drains));
        enumerate(&subject, &job, then, silently(&stop)).unwrap();
        assert_same_job(&reference, &job);
        assert_eq!(names_in(&job), names_in(&reference));
        std::fs::remove_dir_all(&job).unwrap();
    }
    inside
}

/// Stopped in the middle and continued the other way.
#[test]
fn a_level_can_be_begun_one_way_and_ended_the_other() {
    let (push, pull) = (options(Way::Push), options(Way::Pull));
    for (first, then) in [(&pull, &push), (&pull, &pull), (&push, &pull)] {
        let inside = killed("tiles:3x3", first, then, 331);
        assert!(inside > 0, "{inside}");
    }
}

/// The same by rows, and from rows to bitmaps and back.
#[test]
fn rows_can_be_stopped_anywhere() {
    let rows = |way| Options { container: Some(ContainerKind::Rows), ..options(way) };
    let (push, pull, by_rows, pulled_by_rows) =
        (options(Way::Push), options(Way::Pull), rows(Way::Push), rows(Way::Pull));
    for (first, then) in [
        (&by_rows, &by_rows),
        (&by_rows, &pulled_by_rows),
        (&pulled_by_rows, &pulled_by_rows),
        (&pulled_by_rows, &by_rows),
        (&by_rows, &push),
        (&push, &by_rows),
        (&pull, &pulled_by_rows),
    ] {
        killed("wrapslide:4x4:4:fixed", first, then, 23);
    }
}

/// The table of times says how each level was found.
#[test]
fn the_way_is_written_down() {
    let dir = tempfile::tempdir().unwrap();
    for way in [Way::Push, Way::Pull] {
        let job = dir.path().join(way.name());
        let manifest = walk("tiles:2x4", &job, &options(way));
        assert!(manifest.levels[1..].iter().all(|level| level.way == way && level.candidates > 0));
        let timing = std::fs::read_to_string(job.join("timing.csv")).unwrap();
        let names = timing.lines().skip(2).map(|line| line.split(',').nth(2).unwrap());
        assert!(names.clone().count() > 30 && names.into_iter().all(|name| name == way.name()), "{timing}");
    }
}

/// Older levels are only left out to save time.
#[test]
fn two_levels_are_enough_to_pull() {
    let dir = tempfile::tempdir().unwrap();
    let all = walk("wrapslide:4x4:3", &dir.path().join("all"), &options(Way::Push));
    let two = Options { keep: Keep::LastTwo, ..options(Way::Pull) };
    let two = walk("wrapslide:4x4:3", &dir.path().join("two"), &two);
    let counts = |manifest| levels(manifest);
    assert_eq!(counts(&all), counts(&two));
}

#[test]
fn what_cannot_be_pulled_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let job = job.to_str().unwrap();
    let pull = |puzzle, more: &[&str], code| {
        let arguments = [&["enumerate", puzzle, "--dir", job, "--direction", "pull"], more].concat();
        complaint(&arguments, code)
    };
    let words = pull("peg:triangle15", &[], 2);
    assert!(words.contains("cannot all be"), "{words}");
    let words = pull("tiles:3x3", &["--container", "sparse"], 2);
    assert!(words.contains("--container sparse"), "{words}");
    let words = pull("wrapslide:6x6:4:fixed", &["--memory", "1G"], 3);
    assert!(words.contains("2.2 GiB") || words.contains("2.3 GiB"), "{words}");
    assert!(!Path::new(job).exists());
}

/// Jobs of versions that knew one direction only have tables without that column.
#[test]
fn a_table_without_directions_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    walk("wrapslide:4x4:2", &job, &options(Way::Push));
    let table = job.join("timing.csv");
    let timing = std::fs::read_to_string(&table).unwrap();
    let verified = || {
        let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
        let stop = AtomicBool::new(false);
        verify(&subject(&*puzzle).unwrap(), &job, Extent::Files, 64 << 20, &stop, &Silent).is_ok()
    };
    let older = timing.replace("direction,", "").replace("push,", "");
    assert_ne!(older, timing);
    std::fs::write(&table, &older).unwrap();
    assert!(verified());
    std::fs::write(&table, timing.replace("push,", "")).unwrap();
    assert!(!verified());
    std::fs::write(&table, timing.replace("push,", "pull,")).unwrap();
    assert!(!verified());
    // Resuming writes it as it is now.
    walk("wrapslide:4x4:2", &job, &options(Way::Push));
    assert_eq!(std::fs::read_to_string(&table).unwrap(), timing);
}

/// What a version wrote that knew one direction only: its level sets are those of today, so the texts are enough.
#[test]
fn a_job_of_a_version_without_directions_is_verified_and_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    walk("wrapslide:4x4:2", &job, &options(Way::Push));
    for name in ["job.json", "manifest.json", "timing.csv"] {
        std::fs::copy(format!("tests/jobs/before-directions/{name}"), job.join(name)).unwrap();
    }
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let stop = AtomicBool::new(false);
    let subject = subject(&*puzzle).unwrap();
    verify(&subject, &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
    let shorter = Options { from_level: Some(3), ..options(Way::Pull) };
    enumerate(&subject, &job, &shorter, silently(&stop)).unwrap();
    verify(&subject, &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
}

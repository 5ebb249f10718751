//! Damaged, foreign and outdated files: each gets its own clear error, and never a wrong count.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::*;

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A finished small job.
fn finished(dir: &Path) -> PathBuf {
    let job = dir.join("job");
    stdout(&["enumerate", "wrapslide:4x4:3", "-q", "--dir", text(&job)]);
    job
}

fn flip(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 0x04;
    fs::write(path, bytes).unwrap();
}

#[test]
fn verify_accepts_a_sound_job() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let printed = stdout(&["verify", text(&job), "--full"]);
    assert!(
        printed.contains("11 level sets are sound; all of 14,523 classes"),
        "{printed}"
    );
    let printed = stdout(&["verify", text(&job), "--sample", "100", "--seed", "5"]);
    assert!(printed.contains("a sample of"), "{printed}");
    let printed = stdout(&["verify", text(&job), "--sample", "0"]);
    assert!(!printed.contains("classes"), "{printed}");
}

/// Every file of a job but the lock: some flipped bytes and truncations in each. (Level sets
/// are tried byte by byte in the unit tests.)
#[test]
fn damage_anywhere_is_found_by_verify_and_never_gives_a_wrong_count() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let good = essence(&job)["levels.csv"].clone();
    let mut files = vec!["job.json", "manifest.json", "levels.csv", "timing.csv"];
    files.extend(["levels/00000.gls", "levels/00006.gls", "levels/00010.gls"]);
    for name in files {
        let path = job.join(name);
        let whole = fs::read(&path).unwrap();
        let step = (whole.len() / 12).max(1);
        for at in (0..whole.len()).step_by(step) {
            for cut in [false, true] {
                if cut {
                    fs::write(&path, &whole[..at]).unwrap();
                } else {
                    flip(&path, at);
                }
                let words = complaint(&["verify", text(&job), "-q"], 5);
                assert!(
                    words.contains(path.file_name().unwrap().to_str().unwrap()),
                    "{words}"
                );
                // Resuming either refuses, or does not need the file, or mends it.
                let output = run(&["resume", text(&job), "-q"]);
                assert!(matches!(output.status.code(), Some(0 | 5)));
                if output.status.success() {
                    assert_eq!(fs::read(job.join("levels.csv")).unwrap(), good);
                }
                fs::write(&path, &whole).unwrap();
            }
        }
    }
    stdout(&["verify", text(&job), "-q", "--full"]);
}

#[test]
fn a_damaged_level_stops_a_walk_and_going_back_mends_it() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let job = dir.path().join("partial");
    let start = ["enumerate", "wrapslide:4x4:3", "-q", "--dir", text(&job)];
    let mut upto = start.to_vec();
    upto.extend(["--max-level", "8"]);
    stdout(&upto);
    let level = job.join("levels/00008.gls");
    flip(&level, 400);
    let words = complaint(&start, 5);
    assert!(
        words.contains("00008.gls") && words.contains("--from-level"),
        "{words}"
    );
    stdout(&["resume", text(&job), "-q", "--from-level", "7"]);
    assert_same_job(&whole, &job);
}

/// Copies a directory and everything in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// A job that was killed in the middle of writing a level, some of which is safe.
fn killed_in_a_level(job: &Path) {
    let arguments = [
        "enumerate",
        "wrapslide:6x6:2",
        "-q",
        "--dir",
        text(job),
        "--container",
        "sparse",
        "--memory",
        "4M",
        "--checkpoint-every",
        "0s",
    ];
    let mut child = start(&arguments);
    loop {
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        let manifest = fs::read_to_string(job.join("manifest.json")).unwrap_or_default();
        let value: serde_json::Value = serde_json::from_str(&manifest).unwrap_or_default();
        let unfinished = &value["content"]["unfinished"];
        let runs = unfinished["runs"].as_array().map_or(0, Vec::len);
        if unfinished["written"]["bytes"].as_u64() > Some(0) && runs > 0 {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn damage_to_a_checkpoint_is_found_when_it_is_used() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    stdout(&["enumerate", "wrapslide:6x6:2", "-q", "--dir", text(&whole)]);
    let job = dir.path().join("job");
    killed_in_a_level(&job);
    let level = names_in(&job.join("levels")).pop().unwrap();
    let run = names_in(&job.join("scratch")).pop().unwrap();
    let resumed = dir.path().join("resumed");
    let mut refused = 0;
    for file in [format!("levels/{level}"), format!("scratch/{run}")] {
        let length = fs::metadata(job.join(&file)).unwrap().len() as usize;
        for at in [3, 20, 45, length / 2, length - 70, length - 5] {
            copy(&job, &resumed);
            flip(&resumed.join(&file), at);
            let output = run_to(&resumed);
            match output.status.code() {
                Some(5) => refused += 1,
                // What follows the safe beginning of a level set does not count.
                Some(0) => assert_same_job(&whole, &resumed),
                _ => panic!("{file} at {at}: {output:?}"),
            }
            fs::remove_dir_all(&resumed).unwrap();
        }
        copy(&job, &resumed);
        fs::remove_file(resumed.join(&file)).unwrap();
        let words = complaint(&["resume", text(&resumed), "-q"], 5);
        assert!(words.contains("--from-level"), "{words}");
        fs::remove_dir_all(&resumed).unwrap();
    }
    assert!(refused >= 7, "only {refused} of 12 were noticed");
    copy(&job, &resumed);
    assert!(run_to(&resumed).status.success());
    assert_same_job(&whole, &resumed);
}

fn run_to(job: &Path) -> std::process::Output {
    run(&["resume", text(job), "-q"])
}

#[test]
fn foreign_missing_and_outdated_files_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let level = job.join("levels/00009.gls");
    let whole = fs::read(&level).unwrap();
    let refused = |expected: &str| {
        let words = complaint(&["verify", text(&job), "-q"], 5);
        assert!(
            words.contains("00009.gls") && words.contains(expected),
            "{words}"
        );
    };
    fs::write(&level, "not ours at all, but rather a long text file").unwrap();
    refused("not a godnum level set");
    fs::remove_file(&level).unwrap();
    refused("missing");
    let mut newer = whole.clone();
    newer[8] = 7;
    fs::write(&level, &newer).unwrap();
    refused("format 7, this build reads format 1");
    fs::copy(job.join("levels/00008.gls"), &level).unwrap();
    refused("not level 9");
    fs::write(&level, &whole).unwrap();
    stdout(&["verify", text(&job), "-q"]);

    let manifest = job.join("manifest.json");
    let sound = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, sound.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(
        words.contains("format 2, this build reads format 1"),
        "{words}"
    );
    fs::write(&manifest, sound.replace("825", "826")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(words.contains("does not match its checksum"), "{words}");
    fs::remove_file(&manifest).unwrap();
    let words = complaint(&["resume", text(&job)], 5);
    assert!(words.contains("missing"), "{words}");
    assert_eq!(
        names_in(&job.join("levels")).len(),
        11,
        "nothing may be lost"
    );
}

/// The level sets of another job fit in form; the header and the manifest tell them apart.
#[test]
fn level_sets_of_another_job_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let other = dir.path().join("other");
    stdout(&[
        "enumerate",
        "wrapslide:4x4:3:any",
        "-q",
        "--dir",
        text(&other),
    ]);
    fs::copy(other.join("levels/00005.gls"), job.join("levels/00005.gls")).unwrap();
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(
        words.contains("it is not level 5 of wrapslide:4x4:3 "),
        "{words}"
    );
    fs::copy(other.join("manifest.json"), job.join("manifest.json")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(words.contains("another job"), "{words}");
}

/// A job whose files are all sound but whose content is wrong: a class is in the wrong level.
#[test]
fn verify_notices_a_lie_that_checksums_cannot() {
    let dir = tempfile::tempdir().unwrap();
    // Roots of one puzzle, levels of another: `:any` has one root class more.
    let job = dir.path().join("job");
    lie::forge(&job);
    let words = complaint(&["verify", text(&job), "-q", "--full"], 4);
    assert!(words.contains("is wrong"), "{words}");
}

mod lie {
    use std::path::Path;

    use godnum::bfs::disk::Disk;
    use godnum::bfs::level_set::{CodedBlock, Kind, SetWriter, SortedSet};
    use godnum::bfs::{Job, manifest};
    use godnum::puzzle::{AnySpace, registry};

    /// Makes a finished job and moves one class of level 9 to level 10, with all files and sums
    /// put right.
    pub fn forge(dir: &Path) {
        super::stdout(&[
            "enumerate",
            "wrapslide:4x4:3",
            "-q",
            "--dir",
            dir.to_str().unwrap(),
        ]);
        let job = Job::open(dir).unwrap();
        let mut claims = job.manifest().unwrap();
        let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
        let Some(AnySpace::Narrow(space)) = puzzle.space() else {
            panic!("narrow")
        };
        let read = |level| {
            let about = job.description.about(Kind::Level, level);
            let set = SortedSet::<u64>::open(&job.level_path(level), &about).unwrap();
            let mut indices = Vec::new();
            set.range(0, None, &mut indices).unwrap();
            indices
        };
        let (mut nine, mut ten) = (read(9), read(10));
        ten.push(nine.remove(400));
        ten.sort_unstable();
        for (level, indices) in [(9, nine), (10, ten)] {
            let disk = Disk::new(None, 0);
            let about = job.description.about(Kind::Level, level);
            let mut writer =
                SetWriter::<u64>::create(&disk, &job.level_path(level), &about).unwrap();
            let mut block = CodedBlock::of_run(&indices);
            block.states = space.states(&indices);
            writer.append(&block).unwrap();
            let (totals, bytes) = writer.end(true).unwrap();
            let record = &mut claims.levels[level as usize];
            record.classes = totals.count;
            record.states = totals.states;
            record.chain = totals.chain;
            record.bytes = bytes;
        }
        let disk = Disk::new(None, 0);
        manifest::store(&disk, &dir.join("manifest.json"), &claims).unwrap();
        super::stdout(&["resume", dir.to_str().unwrap(), "-q"]);
        super::stdout(&["verify", dir.to_str().unwrap(), "-q", "--sample", "0"]);
    }
}

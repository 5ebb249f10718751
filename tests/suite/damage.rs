//! Damaged, foreign and outdated files: each gets its own clear error, and never a wrong count.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::common::*;
use crate::faulty_fs::{Fault, FaultyFs};
use godnum::engine;
use godnum::puzzle::subject;
use godnum::puzzles::registry;

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
    assert!(printed.contains("11 level sets are intact; all of 14,523 classes"), "{printed}");
    let printed = stdout(&["verify", text(&job), "--sample", "100", "--seed", "5"]);
    assert!(printed.contains("a sample of"), "{printed}");
    let printed = stdout(&["verify", text(&job), "--sample", "0"]);
    assert!(!printed.contains("classes"), "{printed}");
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
    assert!(words.contains("00008.gls") && words.contains("--from-level"), "{words}");
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
fn killed_in_a_level(job: &Path, extra: &[&str]) {
    let mut arguments = vec![
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
    arguments.extend_from_slice(extra);
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

/// The command that a complaint recommends, between backticks, by one of its words.
fn recommended(words: &str, with: &str) -> Vec<String> {
    let mut quoted = words.split('`').skip(1).step_by(2);
    let command = quoted.find(|command| command.contains(with));
    let command = command.unwrap_or_else(|| panic!("no command with {with} in: {words}"));
    command.split(' ').skip(1).map(String::from).collect()
}

/// Runs what a complaint recommends.
fn follow(words: &str, with: &str) {
    let command = recommended(words, with);
    let mut command: Vec<&str> = command.iter().map(String::as_str).collect();
    command.push("-q");
    stdout(&command);
}

/// Files that the manifest names and others: what counts is checked, inside the job and elsewhere,
/// and the command that the complaint recommends mends it.
#[test]
fn a_killed_job_is_sound_and_a_damaged_checkpoint_is_named_and_given_up() {
    let dir = tempfile::tempdir().unwrap();
    let whole = dir.path().join("whole");
    stdout(&["enumerate", "wrapslide:6x6:2", "-q", "--dir", text(&whole)]);
    let scratch = dir.path().join("elsewhere");
    for extra in [&[][..], &["--scratch", text(&scratch)]] {
        let job = dir.path().join("job");
        killed_in_a_level(&job, extra);
        let level = job.join("levels").join(names_in(&job.join("levels")).pop().unwrap());
        fs::OpenOptions::new().append(true).open(&level).unwrap().write_all(b"more").unwrap();
        fs::write(job.join("levels/00099.gls"), "a leftover").unwrap();
        let printed = stdout(&["verify", text(&job), "-q"]);
        assert!(printed.contains("bytes of ") && printed.contains(text(&level)), "{printed}");
        assert!(printed.contains("the next start deletes"), "{printed}");
        let manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(job.join("manifest.json")).unwrap()).unwrap();
        let unfinished = &manifest["content"]["unfinished"];
        let run = job.join(unfinished["runs"][0]["path"].as_str().unwrap());
        for file in [&run, &level] {
            let damaged = dir.path().join("damaged");
            copy(&job, &damaged);
            // Runs that are elsewhere have one name for both.
            let inside = |path: &Path| match path.strip_prefix(&job) {
                Ok(name) => damaged.join(name),
                Err(_) => path.to_owned(),
            };
            let sound = fs::read(inside(file)).unwrap();
            flip(&inside(file), 200);
            let words = complaint(&["verify", text(&damaged), "-q"], 5);
            let last = unfinished["level"].as_u64().unwrap() - 1;
            assert!(words.contains(file.file_name().unwrap().to_str().unwrap()), "{words}");
            assert!(words.contains(&format!("levels 0 to {last} are intact")), "{words}");
            let resumed = godnum(&["resume", text(&damaged), "-q"]).output().unwrap();
            // A part of a run that went into the level set already is not needed any more.
            if file == &level || !resumed.status.success() {
                assert_eq!(resumed.status.code(), Some(5));
                let refused = String::from_utf8(resumed.stderr).unwrap();
                let expected = format!("`godnum resume {} --from-level {last}`", text(&damaged));
                assert!(refused.contains(&expected), "{refused}");
                follow(&words, "--from-level");
            }
            assert_same_job(&whole, &damaged);
            fs::remove_dir_all(&damaged).unwrap();
            if !file.starts_with(&job) {
                fs::write(file, sound).unwrap();
            }
        }
        stdout(&["resume", text(&job), "-q"]);
        assert_same_job(&whole, &job);
        fs::remove_dir_all(&job).unwrap();
    }
}

/// The manifest, the description, or both are lost: the command in the complaint makes them again.
#[test]
fn a_lost_manifest_or_description_is_made_again_out_of_the_level_sets() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let job = dir.path().join("lost");
    for lost in [&["manifest.json"][..], &["job.json"], &["job.json", "manifest.json"]] {
        for missing in [false, true] {
            copy(&whole, &job);
            for name in lost {
                match missing {
                    true => fs::remove_file(job.join(name)).unwrap(),
                    false => flip(&job.join(name), 40),
                }
            }
            // Never in passing.
            for command in [
                vec!["status", text(&job)],
                vec!["resume", text(&job), "-q"],
                vec!["enumerate", "wrapslide:4x4:3", "-q", "--dir", text(&job)],
                vec!["verify", text(&job), "-q"],
            ] {
                let words = complaint(&command, 5);
                assert!(words.contains(lost[0]), "{words}");
                let expected = format!("`godnum resume {} --from-level 10`", text(&job));
                assert!(words.contains(&expected), "{command:?}: {words}");
            }
            assert_eq!(names_in(&job.join("levels")).len(), 11);
            let output = run(&["resume", text(&job), "-q", "--from-level", "10"]);
            assert!(output.status.success(), "{output:?}");
            let words = String::from_utf8(output.stderr).unwrap();
            assert!(lost.iter().all(|name| words.contains(&format!("{name} is rebuilt"))), "{words}");
            assert_same_job(&whole, &job);
            stdout(&["verify", text(&job), "-q", "--full"]);
            fs::remove_dir_all(&job).unwrap();
        }
    }
}

/// A job that was killed at one of its calls; `None` if it ended before that.
fn killed_at(dir: &Path, call: usize) -> Option<()> {
    let files = FaultyFs::new(dir);
    files.begin(Some((call, Fault::Kill)));
    let options = engine::Options {
        memory: Some(64 << 10),
        threads: Some(1),
        container: Some(engine::ContainerKind::Sparse),
        checkpoint_every: Duration::ZERO,
        files: Arc::new(files),
        ..engine::Options::default()
    };
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    let stop = AtomicBool::new(false);
    let job = dir.join("job");
    engine::enumerate(&subject(&*puzzle).unwrap(), &job, &options, silently(&stop)).err().map(drop)
}

/// The first command that a complaint names, without `godnum`.
fn first_hint(words: &str) -> Option<Vec<String>> {
    let mut quoted = words.split('`').skip(1).step_by(2);
    let command = quoted.find_map(|command| command.strip_prefix("godnum "));
    command.map(|command| command.split(' ').map(String::from).collect())
}

/// Runs a command, and the first one that its complaint names; `verify` may be that, and names the
/// next. Returns how many were named.
fn follow_hints(mut command: Vec<String>, job: &Path, context: &str) -> u32 {
    for step in 0.. {
        let output = run(&command.iter().map(String::as_str).collect::<Vec<_>>());
        if output.status.success() {
            return step;
        }
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(step == 0 || step < 3 && command[0] == "verify", "{context}: {command:?}: {words}");
        command = first_hint(&words).unwrap_or_else(|| {
            assert!(words.contains("--fresh"), "{context}: {words}");
            let again = ["enumerate", "PUZZLE", "--dir", text(job), "--fresh"];
            again.map(String::from).to_vec()
        });
        if command[1] == "PUZZLE" {
            command[1] = "wrapslide:4x4:3".into();
        }
    }
    0
}

/// Whatever a kill left, and whichever of the job's files is lost or damaged then: the first command
/// that a complaint names works, and leads to the same job.
#[test]
fn the_first_hint_works_whatever_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let (mut tried, mut hints) = (0, 0);
    for round in 0.. {
        let place = dir.path().join("place");
        fs::create_dir(&place).unwrap();
        let job = place.join("job");
        let alive = killed_at(&place, 20 + 61 * round).is_none();
        let mut lost = vec![vec!["manifest.json".into()], vec!["job.json".into()]];
        lost.push(vec!["job.json".into(), "manifest.json".to_string()]);
        if round % 4 == 0 {
            for folder in ["levels", "scratch"].iter().filter(|folder| job.join(folder).exists()) {
                let names = names_in(&job.join(folder)).into_iter();
                lost.extend(names.map(|name| vec![format!("{folder}/{name}")]));
            }
            lost.push(vec!["levels.csv".into()]);
        }
        let state = dir.path().join("state");
        copy(&job, &state);
        for (number, names) in lost.iter().enumerate() {
            fs::remove_dir_all(&job).unwrap();
            copy(&state, &job);
            for path in names.iter().map(|name| job.join(name)).filter(|path| path.exists()) {
                match (round + number) % 3 == 0 && fs::metadata(&path).unwrap().len() > 40 {
                    true => flip(&path, 40),
                    false => fs::remove_file(path).unwrap(),
                }
            }
            tried += 1;
            let command = ["status", "resume", "verify"][(round + number / 2) % 3];
            let command = vec![command.to_string(), text(&job).into()];
            let context = format!("killed at call {}, {names:?}", 20 + 61 * round);
            hints += follow_hints(command, &job, &context);
            if job.join("job.json").exists() {
                // `status` and `verify` alone do not look at everything.
                follow_hints(vec!["resume".into(), text(&job).into()], &job, &context);
                assert_same_job(&whole, &job);
            }
        }
        fs::remove_dir_all(&place).unwrap();
        fs::remove_dir_all(&state).unwrap();
        if alive {
            break;
        }
    }
    println!("{tried} losses, {hints} hints");
    assert!(hints * 2 > tried);
}

#[test]
fn what_is_made_again_is_made_of_sound_level_sets_only() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let job = dir.path().join("copy");
    copy(&whole, &job);
    flip(&job.join("manifest.json"), 300);
    flip(&job.join("levels/00006.gls"), 200);
    let damaged = fs::read(job.join("manifest.json")).unwrap();
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("up to level 5 are intact"), "{words}");
    let refused = complaint(&["resume", text(&job), "-q", "--from-level", "10"], 5);
    assert!(refused.contains("00006.gls") && refused.contains("--from-level 5`"), "{refused}");
    assert_eq!(fs::read(job.join("manifest.json")).unwrap(), damaged);
    assert_eq!(names_in(&job.join("levels")).len(), 11);
    follow(&words, "--from-level");
    assert_same_job(&whole, &job);
    stdout(&["verify", text(&job), "-q", "--full"]);
    // Level 0 must be the roots: those of another puzzle with the same header are refused.
    fs::remove_file(job.join("manifest.json")).unwrap();
    lie::replace_roots(&job);
    let refused = complaint(&["resume", text(&job), "-q", "--from-level", "3"], 5);
    assert!(refused.contains("not the set of solved classes"), "{refused}");
    assert!(!job.join("manifest.json").exists());
}

#[test]
fn with_the_last_two_levels_a_lost_description_is_made_again_but_no_manifest() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let job = dir.path().join("copy");
    let start = ["enumerate", "wrapslide:4x4:3", "-q", "--keep", "last-two", "--dir", text(&job)];
    let mut upto = start.to_vec();
    upto.extend(["--max-level", "7"]);
    stdout(&upto);
    let manifest = fs::read(job.join("manifest.json")).unwrap();
    flip(&job.join("manifest.json"), 300);
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("cannot be rebuilt"), "{words}");
    let words = complaint(&["resume", text(&job), "-q", "--from-level", "7"], 5);
    assert!(words.contains("--keep last-two"), "{words}");
    fs::write(job.join("manifest.json"), manifest).unwrap();
    flip(&job.join("job.json"), 30);
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("--from-level 7"), "{words}");
    stdout(&["resume", text(&job), "-q", "--keep", "last-two", "--from-level", "7", "--max-level", "8"]);
    flip(&job.join("levels/00008.gls"), 300);
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("were not kept") && words.contains("--fresh"), "{words}");
    flip(&job.join("levels/00008.gls"), 300);
    stdout(&start);
    assert_eq!(essence(&job)["levels.csv"], essence(&whole)["levels.csv"]);
}

/// The description of a puzzle from a file has a hash of the file.
#[test]
fn a_description_is_made_again_only_for_the_file_that_the_job_began_with() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("layout.txt");
    let layout = stdout(&["show", "klotski:classic", "--file"]);
    fs::write(&file, &layout).unwrap();
    let (job, whole) = (dir.path().join("job"), dir.path().join("whole"));
    let puzzle = format!("klotski:@{}", text(&file));
    stdout(&["enumerate", &puzzle, "-q", "--dir", text(&whole), "--max-level", "20"]);
    copy(&whole, &job);
    fs::remove_file(job.join("job.json")).unwrap();
    let other = stdout(&["show", "klotski:zhihuiruoding", "--file"]);
    assert_ne!(other, layout);
    fs::write(&file, other).unwrap();
    let again = ["resume", text(&job), "-q", "--from-level", "12", "--max-level", "20"];
    let words = complaint(&again, 5);
    assert!(words.contains("restore the puzzle's file"), "{words}");
    fs::write(&file, &layout).unwrap();
    stdout(&again);
    assert_same_job(&whole, &job);
    for name in ["job.json", "manifest.json"] {
        fs::remove_file(job.join(name)).unwrap();
    }
    stdout(&again);
    assert_same_job(&whole, &job);
    stdout(&["verify", text(&job), "-q", "--full"]);
}

/// One level is damaged and later ones are not: a file with the same bytes can be made elsewhere.
#[test]
fn a_damaged_level_in_the_middle_can_be_replaced() {
    let dir = tempfile::tempdir().unwrap();
    let whole = finished(dir.path());
    let job = dir.path().join("copy");
    copy(&whole, &job);
    flip(&job.join("levels/00004.gls"), 100);
    flip(&job.join("levels.csv"), 9);
    for command in ["verify", "resume"] {
        let words = complaint(&[command, text(&job), "-q"], 5);
        assert!(words.contains("00004.gls") && words.contains("levels 0 to 3 are intact"), "{words}");
        let other = dir.path().join(command);
        let command = recommended(&words, "OTHER");
        let with = |word: &String| word.replace("OTHER", text(&other));
        let command: Vec<String> = command.iter().map(with).collect();
        stdout(&command.iter().map(String::as_str).collect::<Vec<_>>());
        let made = fs::read(other.join("levels/00004.gls")).unwrap();
        assert_eq!(made, fs::read(whole.join("levels/00004.gls")).unwrap());
    }
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("levels.csv is damaged, too"), "{words}");
    fs::copy(whole.join("levels/00004.gls"), job.join("levels/00004.gls")).unwrap();
    let words = complaint(&["verify", text(&job), "-q"], 5);
    follow(&words, "resume");
    stdout(&["verify", text(&job), "-q", "--full"]);
    assert_same_job(&whole, &job);
}

#[test]
fn verify_checks_counts_and_samples() {
    let dir = tempfile::tempdir().unwrap();
    let counted = dir.path().join("count");
    stdout(&["count", "triangles:tri9", "-q", "--dir", text(&counted)]);
    let printed = stdout(&["verify", text(&counted)]);
    assert!(printed.contains("the count of triangles:tri9 is intact"), "{printed}");
    let path = counted.join("count.json");
    let sound = fs::read(&path).unwrap();
    let step = (sound.len() / 60).max(1);
    for at in (0..sound.len()).step_by(step) {
        flip(&path, at);
        let words = complaint(&["verify", text(&counted)], 5);
        assert!(words.contains("count.json"), "{words}");
        fs::write(&path, &sound[..at]).unwrap();
        complaint(&["count", "triangles:tri9", "-q", "--dir", text(&counted)], 5);
        fs::write(&path, &sound).unwrap();
    }
    let sampled = dir.path().join("sample");
    stdout(&["sample", "tiles:3x3", "--count", "5", "-q", "--dir", text(&sampled)]);
    let printed = stdout(&["verify", text(&sampled)]);
    assert!(printed.contains("is intact: 5 rows, replayed by the rules"), "{printed}");
    let rows = fs::read_to_string(sampled.join("sample.csv")).unwrap();
    fs::write(sampled.join("sample.csv"), rows.replacen(",yes,", ",no,", 1)).unwrap();
    let words = complaint(&["verify", text(&sampled)], 5);
    assert!(words.contains("sample.csv"), "{words}");
    fs::remove_file(sampled.join("sample.json")).unwrap();
    let words = complaint(&["verify", text(&sampled)], 5);
    assert!(words.contains("sample.json"), "{words}");
}

#[test]
fn foreign_missing_and_outdated_files_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let level = job.join("levels/00009.gls");
    let whole = fs::read(&level).unwrap();
    let refused = |expected: &str| {
        let words = complaint(&["verify", text(&job), "-q"], 5);
        assert!(words.contains("00009.gls") && words.contains(expected), "{words}");
    };
    fs::write(&level, "not ours at all, but rather a long text file").unwrap();
    refused("not a godnum level set");
    fs::remove_file(&level).unwrap();
    refused("missing");
    let mut newer = whole.clone();
    newer[8] = 7;
    fs::write(&level, &newer).unwrap();
    refused("format 7, this build reads formats 1 and 2");
    fs::copy(job.join("levels/00008.gls"), &level).unwrap();
    refused("not level 9");
    fs::write(&level, &whole).unwrap();
    stdout(&["verify", text(&job), "-q"]);

    let manifest = job.join("manifest.json");
    let sound = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, sound.replace("\"format\": 1", "\"format\": 2")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(words.contains("format 2, this build reads format 1"), "{words}");
    fs::write(&manifest, sound.replace("825", "826")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(words.contains("does not match its checksum"), "{words}");
    fs::remove_file(&manifest).unwrap();
    let words = complaint(&["resume", text(&job)], 5);
    assert!(words.contains("missing"), "{words}");
    assert_eq!(names_in(&job.join("levels")).len(), 11, "nothing may be lost");
}

/// The level sets of another job fit in form; the header and the manifest tell them apart.
#[test]
fn level_sets_of_another_job_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let job = finished(dir.path());
    let other = dir.path().join("other");
    stdout(&["enumerate", "wrapslide:4x4:3:any", "-q", "--dir", text(&other)]);
    fs::copy(other.join("levels/00005.gls"), job.join("levels/00005.gls")).unwrap();
    let words = complaint(&["verify", text(&job), "-q"], 5);
    assert!(words.contains("it is not level 5 of wrapslide:4x4:3 "), "{words}");
    fs::copy(other.join("manifest.json"), job.join("manifest.json")).unwrap();
    let words = complaint(&["status", text(&job)], 5);
    assert!(words.contains("another job"), "{words}");
}

/// Two jobs of one text, whose file was changed in between: the universe, the header of the first format
/// and the names are the same, and the start is another one. Every command that opens a set notices.
#[test]
fn level_sets_of_the_same_text_with_another_file_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("layout.txt");
    let puzzle = format!("klotski:@{}", text(&file));
    let (job, other) = (dir.path().join("job"), dir.path().join("other"));
    for (start, job) in [("I..J", &other), (".IJ.", &job)] {
        fs::write(&file, format!("BAAC\nBAAC\nDEEF\nDGHF\n{start}\ngoal 3,1\n")).unwrap();
        stdout(&["enumerate", &puzzle, "-q", "--dir", text(job), "--max-level", "12"]);
    }
    let level = "levels/00009.gls";
    let foreign = fs::read(other.join(level)).unwrap();
    assert_ne!(foreign, fs::read(job.join(level)).unwrap());
    // As it is, and as the first format has it: without the hash of the file, which the manifest must do for.
    for old in [false, true] {
        let mut bytes = foreign.clone();
        if old {
            let text = 40 + usize::from(u16::from_le_bytes([bytes[14], bytes[15]]));
            bytes[8] = 1;
            let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..text]).to_le_bytes();
            bytes.splice(text..text + 16, sum);
        }
        fs::write(job.join(level), bytes).unwrap();
        for command in [
            &["states", text(&job), "--level", "9"][..],
            &["verify", text(&job), "-q"],
            &["resume", text(&job), "-q", "--max-level", "13"],
        ] {
            let words = complaint(command, 5);
            let expected = if old { "not the level set that the manifest names" } else { "file content" };
            assert!(words.contains("00009.gls") && words.contains(expected), "{command:?}: {words}");
        }
    }
}

/// A level set of the job itself under another name's record: intact, and not the one that is named.
#[test]
fn a_level_set_that_the_manifest_does_not_name_is_refused_by_every_reader() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("runs/wrapslide-4x4-3");
    stdout(&["enumerate", "wrapslide:4x4:3", "-q", "--dir", text(&job)]);
    lie::replace_roots(&job);
    let refused = |arguments: &[&str]| {
        let output = godnum(arguments).current_dir(dir.path()).output().unwrap();
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{arguments:?}: {words}");
        assert!(words.contains("not the level set that the manifest names"), "{words}");
    };
    let far = stdout(&["antipodes", text(&job), "--count", "1"]);
    refused(&["states", text(&job), "--level", "0"]);
    refused(&["solve", "wrapslide:4x4:3", far.lines().next().unwrap(), "--solver", "table"]);
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

    use godnum::engine::{Job, manifest};
    use godnum::puzzles::registry;
    use godnum::space::AnySpace;
    use godnum::store::disk::Disk;
    use godnum::store::level_set::{CodedBlock, SetKind, SetWriter, SortedSet};

    /// Makes level 0 of a job of 4x4 Wrapslide with three colours something else than its roots.
    pub fn replace_roots(dir: &Path) {
        let job = Job::open(dir).unwrap();
        let set_header = job.description.set_header(SetKind::Level, 0);
        let disk = Disk::new(None, 0);
        let mut writer = SetWriter::<u64>::create(&disk, &job.level_path(0), &set_header).unwrap();
        writer.append(&CodedBlock::of_run(&[5u64])).unwrap();
        writer.end(true).unwrap();
    }

    /// Makes a finished job and moves one class of level 9 to level 10, with all files and sums
    /// put right.
    pub fn forge(dir: &Path) {
        super::stdout(&["enumerate", "wrapslide:4x4:3", "-q", "--dir", dir.to_str().unwrap()]);
        let job = Job::open(dir).unwrap();
        let mut claims = job.manifest().unwrap();
        let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
        let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("narrow") };
        let read = |level| {
            let set_header = job.description.set_header(SetKind::Level, level);
            let set = SortedSet::<u64>::open(&job.level_path(level), &set_header).unwrap();
            let mut indices = Vec::new();
            set.range(0, None, &mut indices).unwrap();
            indices
        };
        let (mut nine, mut ten) = (read(9), read(10));
        ten.push(nine.remove(400));
        ten.sort_unstable();
        for (level, indices) in [(9, nine), (10, ten)] {
            let disk = Disk::new(None, 0);
            let set_header = job.description.set_header(SetKind::Level, level);
            let mut writer = SetWriter::<u64>::create(&disk, &job.level_path(level), &set_header).unwrap();
            let mut block = CodedBlock::of_run(&indices);
            block.states = space.states(&indices);
            writer.append(&block).unwrap();
            let (totals, bytes) = writer.end(true).unwrap();
            let record = &mut claims.levels[level as usize];
            record.classes = totals.count;
            record.states = totals.states;
            record.blocks_digest = totals.blocks_digest;
            record.bytes = bytes;
        }
        let disk = Disk::new(None, 0);
        manifest::store(&disk, &dir.join("manifest.json"), &claims).unwrap();
        super::stdout(&["resume", dir.to_str().unwrap(), "-q"]);
        super::stdout(&["verify", dir.to_str().unwrap(), "-q", "--sample", "0"]);
    }
}

/// Every byte of every file: flipped, and as the last one. A damage is noticed by `verify`, which
/// names the file, and a job that goes on either refuses or ends as if nothing had happened.
mod exhaustive {
    use std::collections::BTreeMap;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::{Duration, Instant};

    use godnum::engine::verify::{Extent, verify};
    use godnum::engine::{self, ContainerKind, Job, Options, Silent};
    use godnum::error::Error;
    use godnum::puzzle::Rules;
    use godnum::puzzles::registry;

    use crate::common::{essence, silently};
    use crate::faulty_fs::{Fault, FaultyFs};

    /// The files of a job by name, the lock apart.
    type Files = BTreeMap<PathBuf, Vec<u8>>;

    fn files(dir: &Path) -> Files {
        let mut found = Files::new();
        let mut folders = vec![dir.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if !path.ends_with("lock") {
                    let name = path.strip_prefix(dir).unwrap().to_owned();
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
        found
    }

    /// Makes the job in `dir` what it was.
    fn restore(dir: &Path, now: &Files, sound: &Files) {
        for name in now.keys().filter(|name| !sound.contains_key(*name)) {
            std::fs::remove_file(dir.join(name)).unwrap();
        }
        for (name, content) in sound {
            if now.get(name) != Some(content) {
                std::fs::create_dir_all(dir.join(name).parent().unwrap()).unwrap();
                std::fs::write(dir.join(name), content).unwrap();
            }
        }
    }

    /// A place where many small files are written quickly.
    fn tempdir() -> tempfile::TempDir {
        let shm = Path::new("/dev/shm");
        match shm.is_dir() {
            true => tempfile::tempdir_in(shm).unwrap(),
            false => tempfile::tempdir().unwrap(),
        }
    }

    /// A job, and how it ends undisturbed.
    pub struct Subject {
        puzzle: Box<dyn Rules>,
        options: Options,
        sound: Files,
        end: BTreeMap<String, Vec<u8>>,
        /// The level set that is being written: what is appended to it does not count.
        partial: Option<PathBuf>,
        /// Runs and that level set.
        checkpoint: Vec<PathBuf>,
    }

    impl Subject {
        fn options(container: ContainerKind, last: u32) -> Options {
            Options {
                memory: Some(4 << 20),
                threads: Some(1),
                container: Some(container),
                max_level: Some(last),
                ..Options::default()
            }
        }

        /// A job that ended, at its last level or before it.
        pub fn ended(text: &str, last: u32) -> Self {
            let dir = tempdir();
            let puzzle = registry::parse(text).unwrap();
            let options = Self::options(ContainerKind::Sparse, last);
            let stop = AtomicBool::new(false);
            engine::enumerate(
                &godnum::puzzle::subject(&*puzzle).unwrap(),
                dir.path(),
                &options,
                silently(&stop),
            )
            .unwrap();
            Subject {
                sound: files(dir.path()),
                end: essence(dir.path()),
                puzzle,
                options,
                partial: None,
                checkpoint: Vec::new(),
            }
        }

        /// A job that was stopped inside a level, with runs and a level set under way that has
        /// `least` bytes of blocks.
        pub fn stopped(text: &str, container: ContainerKind, last: u32, least: u64) -> Self {
            let end = Self::ended(text, last).end;
            let puzzle = registry::parse(text).unwrap();
            let options = Self::options(container, last);
            let eager = |root: &Path, strike| {
                let files = FaultyFs::new(root);
                files.begin(strike);
                let options = Options {
                    checkpoint_every: Duration::ZERO,
                    files: Arc::new(files.clone()),
                    ..options.clone()
                };
                let stop = AtomicBool::new(false);
                let _ = engine::enumerate(
                    &godnum::puzzle::subject(&*puzzle).unwrap(),
                    root,
                    &options,
                    silently(&stop),
                );
                files.calls().len()
            };
            let calls = eager(tempdir().path(), None);
            // Later and later, until the process ends inside the level.
            for call in 0..calls {
                let dir = tempdir();
                eager(dir.path(), Some((call, Fault::Kill)));
                let manifest = Job::open(dir.path()).and_then(|job| job.manifest());
                let Some(checkpoint) = manifest.ok().and_then(|manifest| manifest.checkpoint) else {
                    continue;
                };
                let written = checkpoint.partial.as_ref().map(|partial| partial.bytes);
                let begun = written.is_some_and(|bytes| bytes >= least);
                if checkpoint.level != last || !begun || checkpoint.runs.is_empty() {
                    continue;
                }
                let partial = PathBuf::from(format!("levels/{:05}.gls", checkpoint.level));
                let runs = checkpoint.runs.into_iter();
                let mut checkpoint: Vec<PathBuf> = runs.map(|run| run.path).collect();
                checkpoint.push(partial.clone());
                let mut sound = files(dir.path());
                // The next start deletes runs that the manifest does not name.
                sound.retain(|name, _| !name.starts_with("scratch") || checkpoint.contains(name));
                return Subject { sound, end, puzzle, options, partial: Some(partial), checkpoint };
            }
            panic!("{text} cannot be stopped inside level {last}");
        }

        /// Damages in every file; in those that `sparsely` names only at every that many bytes.
        pub fn damages(&self, sparsely: impl Fn(&Path) -> usize) -> Vec<Damage> {
            let mut damages = Vec::new();
            for (name, content) in &self.sound {
                let mut add = |change| damages.push(Damage { name: name.clone(), change });
                for at in (0..content.len()).step_by(sparsely(name)) {
                    add(Change::Flip(at, 0x01));
                    add(Change::Flip(at, 0x20));
                    add(Change::Cut(at));
                }
                for tail in [1, 64.min(content.len())] {
                    add(Change::Append(content[content.len() - tail..].to_vec()));
                }
                add(Change::Remove);
                let alike = |other: &&PathBuf| {
                    *other != name && other.parent() == name.parent() && other.extension() == name.extension()
                };
                for other in self.sound.keys().filter(alike) {
                    add(Change::Copy(other.clone()));
                }
            }
            damages
        }

        /// Whether a file belongs to the checkpoint inside a level.
        pub fn in_checkpoint(&self, name: &Path) -> bool {
            self.checkpoint.iter().any(|file| file == name)
        }
    }

    #[derive(Clone, Debug)]
    pub struct Damage {
        name: PathBuf,
        change: Change,
    }

    #[derive(Clone, Debug)]
    enum Change {
        Flip(usize, u8),
        Cut(usize),
        Append(Vec<u8>),
        /// It is a copy of another file, which is sound by itself.
        Copy(PathBuf),
        Remove,
    }

    /// What became of a damaged job.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct Tally {
        tried: usize,
        refused: usize,
        mended: usize,
    }

    fn try_one(dir: &Path, subject: &Subject, damage: &Damage) -> bool {
        let path = dir.join(&damage.name);
        let sound = &subject.sound[&damage.name];
        let bytes = match &damage.change {
            Change::Flip(at, mask) => {
                let mut bytes = sound.clone();
                bytes[*at] ^= mask;
                Some(bytes)
            }
            Change::Cut(at) => Some(sound[..*at].to_vec()),
            Change::Append(tail) => Some([sound, tail.as_slice()].concat()),
            Change::Copy(other) => Some(subject.sound[other].clone()),
            Change::Remove => None,
        };
        match &bytes {
            Some(bytes) => std::fs::write(&path, bytes).unwrap(),
            None => std::fs::remove_file(&path).unwrap(),
        }
        let stop = AtomicBool::new(false);
        let harmless =
            matches!(damage.change, Change::Append(_)) && subject.partial.as_ref() == Some(&damage.name);
        // Jobs of older versions have no record of runs.
        let unneeded = damage.name == Path::new("provenance.json") && matches!(damage.change, Change::Remove);
        match verify(
            &godnum::puzzle::subject(&*subject.puzzle).unwrap(),
            dir,
            Extent::Files,
            64 << 20,
            &stop,
            &Silent,
        ) {
            Ok(findings) => {
                let left_out = findings.left_out.join(" ");
                let named = left_out.contains(damage.name.to_str().unwrap());
                assert!(unneeded || harmless && named, "verify does not see {damage:?}");
            }
            Err(error) => {
                let named = error.to_string().contains(damage.name.to_str().unwrap());
                let class = matches!(error, Error::Damaged { .. } | Error::Verification { .. });
                assert!(class && named && !harmless, "{damage:?}: {error}");
                let advice = ["godnum resume", "godnum enumerate", "--fresh"];
                let text = godnum::cli::explain(&error);
                assert!(advice.iter().any(|command| text.contains(command)), "{text}");
            }
        }
        let resumed = engine::enumerate(
            &godnum::puzzle::subject(&*subject.puzzle).unwrap(),
            dir,
            &subject.options,
            silently(&stop),
        );
        let refused = match &resumed {
            Ok(_) => {
                assert!(essence(dir) == subject.end, "{damage:?} leads to other bytes");
                false
            }
            Err(Error::Damaged { .. } | Error::Verification { .. }) => true,
            Err(other) => panic!("{damage:?}: {other}"),
        };
        let now = files(dir);
        if refused {
            // Nothing that was sound is lost.
            // That a run began and failed may be added to the record of runs.
            let other = |name: &Path| name != damage.name && name != Path::new("provenance.json");
            for (name, content) in subject.sound.iter().filter(|(name, _)| other(name)) {
                let kept = now.get(name).is_some_and(|now| now.starts_with(content));
                assert!(kept, "{} suffers from {damage:?}", name.display());
            }
        }
        restore(dir, &now, &subject.sound);
        refused
    }

    /// Tries damages on all cores, each in a copy of its own. A hang ends the tests.
    pub fn try_all(what: &str, subject: &Subject, damages: &[Damage]) {
        const PATIENCE: Duration = Duration::from_secs(120);
        let start = Instant::now();
        println!("{what}: {} files, {} damages to try", subject.sound.len(), damages.len());
        let next = AtomicUsize::new(0);
        let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
        let in_hand: Vec<_> = (0..workers).map(|_| Mutex::new((String::new(), Instant::now()))).collect();
        let over = AtomicBool::new(false);
        let tally = std::thread::scope(|scope| {
            let work = |slot: &Mutex<(String, Instant)>| {
                let place = tempdir();
                let dir = place.path().join("job");
                std::fs::create_dir(&dir).unwrap();
                restore(&dir, &Files::new(), &subject.sound);
                let mut tally = Tally::default();
                while let Some(damage) = damages.get(next.fetch_add(1, Relaxed)) {
                    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                    *slot = (format!("{damage:?}"), Instant::now());
                    drop(slot);
                    tally.tried += 1;
                    match try_one(&dir, subject, damage) {
                        true => tally.refused += 1,
                        false => tally.mended += 1,
                    }
                }
                tally
            };
            let workers: Vec<_> = in_hand.iter().map(|slot| scope.spawn(move || work(slot))).collect();
            let (over, in_hand) = (&over, &in_hand);
            scope.spawn(move || {
                while !over.load(Relaxed) {
                    std::thread::sleep(Duration::from_millis(50));
                    for slot in in_hand {
                        let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
                        if slot.1.elapsed() > PATIENCE && !slot.0.is_empty() && !over.load(Relaxed) {
                            eprintln!("{what}: {} does not end", slot.0);
                            std::process::abort();
                        }
                    }
                }
            });
            let tallies: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
            over.store(true, Relaxed);
            let mut sum = Tally::default();
            for tally in tallies {
                let tally = tally.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                sum.tried += tally.tried;
                sum.refused += tally.refused;
                sum.mended += tally.mended;
            }
            sum
        });
        assert_eq!(tally.tried, damages.len());
        println!(
            "{what}: {} damages, all seen by verify; resume refused {} and ended right after {} ({:.1} s)",
            tally.tried,
            tally.refused,
            tally.mended,
            start.elapsed().as_secs_f64()
        );
    }
}

use exhaustive::Subject;
use godnum::engine::ContainerKind::{Dense, Sparse};

#[test]
fn any_damaged_byte_of_a_finished_job_is_seen_and_leads_to_nothing_wrong() {
    let subject = Subject::ended("wrapslide:4x4:2", 99);
    exhaustive::try_all("wrapslide:4x4:2, finished", &subject, &subject.damages(|_| 1));
}

#[test]
fn any_damaged_byte_of_a_job_stopped_inside_a_level_is_seen_and_leads_to_nothing_wrong() {
    let subject = Subject::stopped("gourds:seed1", Dense, 3, 0);
    let what = "gourds:seed1, stopped in level 3, dense";
    exhaustive::try_all(what, &subject, &subject.damages(|_| 1));
}

/// The same with a level set of which some blocks are written, at some bytes only: all of them are
/// part of the complete test.
#[test]
fn damage_to_runs_and_blocks_of_a_checkpoint_is_seen_and_leads_to_nothing_wrong() {
    for container in [Sparse, Dense] {
        let subject = Subject::stopped("wrapslide:4x4:3", container, 8, 1);
        let damages = subject.damages(|name| match subject.in_checkpoint(name) {
            true => 23,
            false => 307,
        });
        let what = format!("wrapslide:4x4:3, stopped in level 8, {}", container.name());
        exhaustive::try_all(&what, &subject, &damages);
    }
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn any_damaged_byte_of_any_kind_of_job_is_seen_and_leads_to_nothing_wrong() {
    for (text, last) in [
        ("wrapslide:4x4:3", 99),
        ("tiles:2x4", 24),
        ("klotski:classic", 20),
        ("gourds:seed1", 99),
        ("triangles:tri4", 99),
    ] {
        let subject = Subject::ended(text, last);
        let what = format!("{text} up to level {last}");
        exhaustive::try_all(&what, &subject, &subject.damages(|_| 1));
    }
    for container in [Sparse, Dense] {
        for (text, last, least) in [
            ("wrapslide:4x4:3", 8, 1),
            ("tiles:2x4", 15, 0),
            ("klotski:classic", 20, 0),
            ("gourds:seed1", 5, 0),
            ("triangles:tri4", 3, 0),
        ] {
            let subject = Subject::stopped(text, container, last, least);
            let what = format!("{text}, stopped in level {last}, {}", container.name());
            exhaustive::try_all(&what, &subject, &subject.damages(|_| 1));
        }
    }
}

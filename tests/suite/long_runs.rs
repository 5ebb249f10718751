//! What a user meets who lets jobs run for days: names of jobs, status, records, certificates, events, estimates.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::*;

/// A command in a directory, with a cache of its own; its exit code and what it printed on both streams.
fn here(dir: &Path, arguments: &[&str]) -> (i32, String, String) {
    let cache = dir.join("cache");
    let output = godnum(arguments).current_dir(dir).env("XDG_CACHE_HOME", cache).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// The same for one that must succeed.
fn printed(dir: &Path, arguments: &[&str]) -> String {
    let (code, printed, error) = here(dir, arguments);
    assert_eq!(code, 0, "{arguments:?}: {error}");
    printed
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

const SMALL: &str = "wrapslide:4x4:2";
const ITS_DIR: &str = "runs/wrapslide-4x4-2";

#[test]
fn jobs_are_named_by_puzzle_or_directory() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    let without_times = |text: String| {
        let lines = text.lines().map(|line| line.split("; 0.").next().unwrap_or(line).to_owned());
        let lines = lines.map(|line| line.split(" (0.").next().unwrap_or(&line).to_owned());
        lines.collect::<Vec<_>>().join("\n")
    };
    for more in
        [&["levels"][..], &["status"], &["verify", "-q"], &["resume", "-q"], &["antipodes"], &["plot"]]
    {
        let by = |target: &str| {
            let mut arguments = vec![more[0], target];
            arguments.extend(&more[1..]);
            without_times(printed(dir, &arguments))
        };
        assert_eq!(by(SMALL), by(ITS_DIR), "{more:?}");
    }
    // A count, too.
    printed(dir, &["count", "triangles:hex6", "-q"]);
    assert!(printed(dir, &["status", "triangles:hex6"]).contains("a count of solutions"));
    // A job that lost its description can still be named.
    fs::remove_file(dir.join(ITS_DIR).join("job.json")).unwrap();
    let (code, _, error) = here(dir, &["verify", SMALL, "-q"]);
    assert_eq!(code, 5, "{error}");
    let (code, _, error) = here(dir, &["status", "tiles:2x2"]);
    assert!(code == 2 && error.contains("godnum enumerate tiles:2x2"), "{error}");
}

#[test]
fn status_names_what_is_missing_and_who_is_suspended() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    let job = dir.join(ITS_DIR);
    fs::remove_file(job.join("levels/00002.gls")).unwrap();
    fs::write(job.join("levels/00003.gls"), b"short").unwrap();
    let status = printed(dir, &["status", SMALL]);
    assert!(status.contains("the level sets of levels 2 to 3 are missing"), "{status}");
    assert_eq!(
        json(&printed(dir, &["status", SMALL, "--json"]))["missing_levels"],
        serde_json::json!([2, 3])
    );
    // Watching ends where no process works.
    assert!(printed(dir, &["status", SMALL, "--watch=100ms"]).contains("finished"));

    // A process that does not answer: it holds the lock, and is asked for what it last said.
    let text = job.to_str().unwrap();
    let mut child =
        start(&["enumerate", "wrapslide:6x6:3", "-q", "--dir", &format!("{text}-long"), "--threads", "1"]);
    let long = format!("{text}-long");
    let until = |what: &str| {
        for _ in 0..600 {
            let (_, status, _) = here(dir, &["status", &long]);
            if status.contains(what) {
                return status;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("the status never said {what}");
    };
    until("running, process");
    signal(&child, "STOP");
    let status = until("is suspended");
    assert!(status.contains(&format!("kill -CONT {}", child.id())), "{status}");
    signal(&child, "CONT");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn every_run_of_a_job_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let version = printed(dir, &["--version"]);
    let commit = version.split("commit ").nth(1).and_then(|rest| rest.split([';', ' ']).next()).unwrap();
    printed(dir, &["enumerate", SMALL, "-q", "--max-level", "3", "--memory", "64M"]);
    printed(dir, &["resume", SMALL, "-q", "--threads", "1"]);
    // A run that computes nothing is none.
    printed(dir, &["enumerate", SMALL, "-q"]);
    let provenance = json(&fs::read_to_string(dir.join(ITS_DIR).join("provenance.json")).unwrap());
    let provenance = &provenance["content"];
    let runs = provenance["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2);
    assert_eq!(provenance["incomplete"], false);
    for run in runs {
        assert_eq!(run["version"], env!("CARGO_PKG_VERSION"));
        if commit != "not" {
            assert_eq!(run["commit"], commit);
        }
        assert!(run["host"]["memory"].as_u64().unwrap() > 0);
    }
    assert_eq!(runs[0]["end"], "max-level");
    assert_eq!(runs[0]["settings"]["memory"], 64 << 20);
    assert_eq!(runs[0]["command"].as_array().unwrap().len(), 8);
    assert_eq!((&runs[1]["first_level"], &runs[1]["levels"]), (&4.into(), &7.into()));
    assert_eq!(runs[1]["end"], "finished");
    assert_eq!(runs[1]["settings"]["threads"], 1);

    // What is recorded is no part of the job: without it, or damaged, everything works.
    let path = dir.join(ITS_DIR).join("provenance.json");
    fs::write(&path, b"{}").unwrap();
    for command in ["verify", "cite"] {
        let (code, _, error) = here(dir, &[command, SMALL]);
        assert!(code == 5 && error.contains("provenance.json"), "{error}");
    }
    printed(dir, &["resume", SMALL, "-q"]);
    printed(dir, &["verify", SMALL, "-q", "--full"]);
    assert!(printed(dir, &["cite", SMALL]).contains("is not recorded"));
    fs::remove_file(&path).unwrap();
    assert!(printed(dir, &["cite", SMALL]).contains("is not recorded"));
    // It goes with the job.
    printed(dir, &["clean", SMALL, "--yes"]);
    assert!(!dir.join(ITS_DIR).exists());
}

#[test]
fn certificates_are_written_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    printed(dir, &["verify", SMALL, "-q", "--full"]);
    let path = dir.join(ITS_DIR).join("certificate.json");
    let full = fs::read_to_string(&path).unwrap();
    let certificate = &json(&full)["content"];
    assert_eq!(certificate["checked"]["extent"], "full");
    assert_eq!(certificate["checked"]["classes"], "78");
    assert_eq!(certificate["checked"]["neighbours"], "780");
    assert_eq!(certificate["levels"].as_array().unwrap().len(), 7);
    // One that says less does not replace it.
    printed(dir, &["verify", SMALL, "-q", "--sample", "0"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), full);

    let kept = dir.join("kept.json");
    fs::copy(&path, &kept).unwrap();
    let checked = printed(dir, &["verify", SMALL, "-q", "--certificate", "kept.json"]);
    assert!(checked.contains("all of 78 classes") && checked.contains("kept.json certifies"), "{checked}");
    printed(dir, &["enumerate", "wrapslide:4x4:3", "-q", "--max-level", "3"]);
    let (code, _, error) = here(dir, &["verify", "wrapslide:4x4:3", "-q", "--certificate", "kept.json"]);
    assert!(code == 4 && error.contains("wrapslide:4x4:2"), "{error}");
    printed(dir, &["enumerate", SMALL, "-q", "--dir", "part", "--max-level", "4"]);
    let (code, _, error) = here(dir, &["verify", "part", "-q", "--certificate", "kept.json"]);
    assert!(code == 4 && error.contains("unfinished"), "{error}");
    // A level that is intact and says something else.
    let text = full.replace("\"classes\": \"78\"", "\"classes\": \"79\"");
    fs::write(&kept, text).unwrap();
    let (code, _, error) = here(dir, &["verify", SMALL, "-q", "--certificate", "kept.json"]);
    assert!(code == 5 && error.contains("checksum"), "{error}");

    let cited = printed(dir, &["cite", SMALL]);
    for part in
        ["God's number of wrapslide:4x4:2 is 6", "every class (78)", "780 neighbours", "@misc{", "enumerate"]
    {
        assert!(cited.contains(part), "{part}: {cited}");
    }
    let bibtex = printed(dir, &["cite", SMALL, "--format", "bibtex"]);
    assert!(bibtex.starts_with("@misc{godnum-wrapslide-4x4-2,") && bibtex.ends_with("}\n"), "{bibtex}");
    assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count());
}

#[test]
fn level_tables_have_many_formats() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    let bfile = printed(dir, &["levels", SMALL, "--format", "bfile"]);
    assert_eq!(bfile, "0 4\n1 8\n2 40\n3 196\n4 664\n5 688\n6 220\n");
    let classes = printed(dir, &["levels", SMALL, "--format", "bfile", "--classes"]);
    assert!(classes.ends_with("6 12\n"), "{classes}");
    let latex = printed(dir, &["levels", SMALL, "--format", "latex"]);
    assert!(latex.contains("3 & 10 & 196 \\\\\n") && latex.contains("total & 78 & 1,820 \\\\\n"), "{latex}");
    // On a part of a job, shares are of all states there are.
    printed(dir, &["enumerate", SMALL, "-q", "--dir", "part", "--max-level", "2"]);
    let part = printed(dir, &["levels", "part"]);
    assert!(part.contains("2.20 %") && part.contains("total        4      52  2.86 %"), "{part}");

    let (code, said, _) = here(dir, &["compare", "part", SMALL]);
    assert!(code == 0 && said.contains("the same in the 3 levels"), "{said}");
    fs::write(dir.join("other.csv"), "level,classes,states\n0,1,4\n1,1,9\n").unwrap();
    let (code, said, _) = here(dir, &["compare", SMALL, "other.csv"]);
    assert!(code == 4 && said.contains("they part at level 1"), "{said}");
    let (code, said, _) = here(dir, &["compare", SMALL, ITS_DIR]);
    assert!(code == 0 && said.contains("the same digests"), "{said}");
}

#[test]
fn work_is_listed_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    printed(dir, &["enumerate", "wrapslide:4x4:3", "-q", "--max-level", "2"]);
    printed(dir, &["solve", "tiles:2x3", "5 4 3/2 1 0", "-q"]);
    let jobs = printed(dir, &["jobs"]);
    assert!(jobs.contains("wrapslide-4x4-2  job   finished"), "{jobs}");
    assert!(jobs.contains("wrapslide-4x4-3  job   unfinished"), "{jobs}");
    // Nothing is removed without a yes.
    let (code, said, error) = here(dir, &["clean", SMALL]);
    assert!(
        code == 2 && error.contains("--yes") && said.contains("7 level") | said.contains("levels 0 to 6"),
        "{said}{error}"
    );
    assert!(dir.join(ITS_DIR).exists());
    // What is not work stays, and so does work with something else in it.
    fs::create_dir(dir.join("precious")).unwrap();
    assert_eq!(here(dir, &["clean", "precious", "--yes"]).0, 2);
    fs::write(dir.join(ITS_DIR).join("notes.txt"), "mine").unwrap();
    assert_ne!(here(dir, &["clean", SMALL, "--yes"]).0, 0);
    assert!(dir.join(ITS_DIR).join("levels/00003.gls").exists());
    fs::remove_file(dir.join(ITS_DIR).join("notes.txt")).unwrap();
    printed(dir, &["clean", SMALL, "runs/wrapslide-4x4-3", "--yes"]);
    assert_eq!(names_in(&dir.join("runs")), Vec::<String>::new());
    assert!(printed(dir, &["jobs", "--cache"]).contains("tiles-2x3"));
    printed(dir, &["clean", "--cache", "--yes"]);
    assert!(!printed(dir, &["jobs", "--cache"]).contains("tiles-2x3"));

    // A fresh start says what goes.
    printed(dir, &["enumerate", SMALL, "-q"]);
    let (_, _, error) = here(dir, &["enumerate", SMALL, "-q", "--fresh"]);
    assert!(error.contains("--fresh deletes the job in runs/wrapslide-4x4-2 (wrapslide:4x4:2"), "{error}");
    let (_, _, error) = here(dir, &["resume", SMALL, "-q", "--from-level", "2"]);
    assert!(error.contains("--from-level deletes the levels after level 2 of the job"), "{error}");
}

#[test]
fn programs_hear_what_happens() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let events = ["--events", "events.jsonl", "--notify", "cat > end.json; exit 0"];
    printed(dir, &[&["enumerate", SMALL, "-q", "--max-level", "2"][..], &events[..]].concat());
    let lines = |name: &str| -> Vec<Value> {
        fs::read_to_string(dir.join(name)).unwrap().lines().map(json).collect()
    };
    let names = |lines: &[Value]| -> Vec<String> {
        lines.iter().map(|line| line["event"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&lines("events.jsonl")), ["started", "level", "level", "level", "stopped"]);
    assert_eq!(lines("end.json")[0]["event"], "stopped");
    printed(dir, &[&["resume", SMALL, "-q"][..], &events[..]].concat());
    let all = lines("events.jsonl");
    assert_eq!(all.last().unwrap()["event"], "finished");
    assert_eq!(all.last().unwrap()["states"], "1820");
    assert_eq!(all.len(), 5 + 6);
    assert_eq!(all[7]["level"], 4);
    // A job that cannot start is heard of, too; and a command that fails fails nothing.
    let (code, _, error) = here(
        dir,
        &["enumerate", SMALL, "-q", "--dir", "x", "--memory", "1", "--notify", "cat > end.json; exit 7"],
    );
    assert!(code == 3 && error.contains("--notify failed"), "{error}");
    assert_eq!(
        (&lines("end.json")[0]["event"], &lines("end.json")[0]["exit_code"]),
        (&"stopped".into(), &3.into())
    );
    let schema = json(&printed(dir, &["schema", "event"]));
    let described = schema["$defs"]["event"]["properties"].as_object().unwrap();
    for line in &all {
        assert!(line.as_object().unwrap().keys().all(|key| described.contains_key(key)), "{line}");
    }
}

#[test]
fn estimates_are_near_what_jobs_take() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let bytes_of = |job: &str, levels: usize| -> f64 {
        (0..levels)
            .map(|level| fs::metadata(dir.join(job).join(format!("levels/{level:05}.gls"))).unwrap().len())
            .sum::<u64>() as f64
    };
    printed(dir, &["enumerate", "wrapslide:4x4:4", "-q", "--dir", "all"]);
    let taken = bytes_of("all", 13);
    // Measured, and from its first levels only.
    for more in [&["--measure", "30s"][..], &["--measure", "0"]] {
        let whole = printed(dir, &[&["estimate", "wrapslide:4x4:4", "--json"][..], more].concat());
        let whole = &json(&whole)["job"];
        let expected = whole["job_bytes"].as_str().unwrap().parse::<f64>().unwrap();
        assert!((0.6..1.6).contains(&(expected / taken)), "{more:?}: {expected} {taken}");
        assert_eq!(whole["complete"], true);
    }
    // Up to a level, from the levels of a part of the job.
    printed(dir, &["enumerate", "wrapslide:4x4:4", "-q", "--max-level", "7"]);
    let part =
        json(&printed(dir, &["estimate", "wrapslide:4x4:4", "--json", "--max-level", "9", "--measure", "0"]));
    let part = &part["job"];
    assert_eq!((&part["last_level"], &part["levels"][7]["known"]), (&9.into(), &true.into()));
    assert_eq!(part["levels"][8]["known"], false);
    let classes: f64 = part["levels"][8]["classes"].as_str().unwrap().parse().unwrap();
    assert!((0.5..2.0).contains(&(classes / 9_000.0)) || classes > 0.0, "{classes}");
    // What is refused is about what it takes.
    let (code, _, error) =
        here(dir, &["enumerate", "wrapslide:4x4:4", "-q", "--dir", "limited", "--disk-limit", "45K"]);
    assert!(code == 3 && error.contains("takes about") && error.contains("--force"), "{error}");
    let (code, _, error) = here(
        dir,
        &["enumerate", "wrapslide:4x4:4", "-q", "--dir", "limited", "--disk-limit", "45K", "--force"],
    );
    assert!(code == 3 && error.contains("would exceed the disk limit"), "{error}");
    let unlimited = ["enumerate", "wrapslide:4x4:4", "-q", "--dir", "limited"];
    printed(dir, &unlimited);
    assert_same_job(&dir.join("all"), &dir.join("limited"));
}

#[test]
fn level_sets_can_live_elsewhere() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    printed(dir, &["enumerate", SMALL, "-q"]);
    let archive = dir.join("archive");
    let options = ["--dir", "job", "--archive", "archive"];
    printed(dir, &[&["enumerate", SMALL, "-q", "--max-level", "4"][..], &options].concat());
    let job = dir.join("job");
    let links = || (0..7).filter(|level| job.join(format!("levels/{level:05}.gls")).is_symlink()).count();
    // The walk needs the last two.
    assert_eq!(links(), 3);
    printed(dir, &["resume", "job", "-q", "--archive", "archive"]);
    assert_eq!(links(), 7);
    let folder = fs::read_dir(&archive).unwrap().next().unwrap().unwrap().path();
    assert_eq!(names_in(&folder).len(), 7);
    // Everything that reads a job reads it as before.
    assert_same_job(&dir.join(ITS_DIR), &job);
    printed(dir, &["verify", "job", "-q", "--full"]);
    assert_eq!(printed(dir, &["antipodes", "job"]), printed(dir, &["antipodes", SMALL]));
    assert!(printed(dir, &["status", "job"]).contains("in an archive"));
    // Going back removes what is in the archive, too, and so does removing the job.
    printed(dir, &["resume", "job", "-q", "--from-level", "3", "--max-level", "3"]);
    assert_eq!((links(), names_in(&folder).len()), (4, 4));
    printed(dir, &["resume", "job", "-q"]);
    assert_same_job(&dir.join(ITS_DIR), &job);
    // A copy of the job reads the archive, and leaves it alone.
    let copied = std::process::Command::new("cp").args(["-a", "job", "copy"]).current_dir(dir).status();
    assert!(copied.unwrap().success());
    printed(dir, &["verify", "copy", "-q"]);
    printed(dir, &["clean", "copy", "--yes"]);
    assert_eq!(names_in(&folder).len(), 4);
    printed(dir, &["clean", "job", "--yes"]);
    assert_eq!(names_in(&archive), Vec::<String>::new());
    // A place that is not there may be a disk that is not mounted.
    for option in ["--archive", "--scratch"] {
        let (code, _, error) = here(dir, &["enumerate", "tiles:2x2", "-q", option, "no/such/place"]);
        assert!(code == 2 && error.contains("neither this directory nor its parent exists"), "{error}");
    }
}

//! Every kind of puzzle through the command line, as a user would try it.

use std::fs;
use std::path::Path;

use crate::common::{complaint, godnum, names_in, signal, start, stdout};

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The last line of an enumeration in a fresh directory.
fn sentence(puzzle: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let printed = stdout(&["enumerate", puzzle, "-q", "--dir", text(&job)]);
    printed.lines().last().unwrap().to_owned()
}

#[test]
fn published_values_come_out() {
    for (puzzle, parts) in [
        ("tiles:3x3", &["is 31 in the single metric", "(2 states)", "181,440 states in all"][..]),
        ("tiles:2x5", &["is 55", "1,814,400 states in all"]),
        ("tiles:3x3:push", &["is 24 in the push metric"]),
        (
            "klotski:classic",
            &[
                "The eccentricity of the start of klotski:classic is 167 in the step metric",
                "the nearest goal is at distance 116",
                "25,955 states in all",
            ],
        ),
        ("klotski:classic:move", &["the nearest goal is at distance 81", "in the move metric"]),
        (
            "klotski:classic:from-goals",
            &["God's number of klotski:classic:from-goals is 126", "the given start is at distance 116"],
        ),
        (
            "klotski:all-2",
            &[
                "is 179 in the step metric",
                "1,299,392 of the 1,588,914 states that exist reach a goal, and 289,522 do not",
            ],
        ),
        ("gourds:seed1", &["is 9", "the given start is at distance 8", "480 states in all"]),
        ("gourds:seed3", &["is 12", "the given start is at distance 11"]),
        ("gourds:star13", &["1,216 of the 1,751,040 states that exist"]),
        ("triangles:tri4", &["triangles:tri4 has 6 solutions"]),
        ("triangles:hex6", &["triangles:hex6 has 6 solutions"]),
        // With ten discs on three pegs, 2^10 - 1; with four, Frame's and Stewart's number.
        ("hanoi:3:10", &["is 1023 in the move metric", "the given start is at distance 1023"]),
        ("hanoi:4:10", &["is 49 in the move metric", "the given start is at distance 49"]),
        ("hanoi:4:7:linear", &["the given start is at distance 123"]),
        ("hanoi:4:6:cyclic", &["the given start is at distance 134"]),
        ("peg:triangle15", &["is 13 in the jump metric", "the given start is at distance 13"]),
        ("peg:triangle15:from-start", &["the nearest goal is at distance 13"]),
        ("peg:diamond13", &["the given start cannot be reached"]),
    ] {
        let said = sentence(puzzle);
        for part in parts {
            assert!(said.contains(part), "{puzzle}: {said}");
        }
    }
}

#[test]
fn every_command_knows_every_kind() {
    for (puzzle, level) in [
        ("tiles:2x4:push", "7"),
        ("klotski:yushengxili:slide", "12"),
        ("klotski:shuixiebutong:move:from-goals", "5"),
        ("gourds:seed8", "3"),
        ("gourds:rows-3-4:goal=0-3,2-6,4-5", "4"),
        ("gourds:random:9:3", "4"),
        ("triangles:half12", "6"),
        ("pancake:6", "4"),
        ("burnt:4", "6"),
        ("topspin:6:4", "2"),
        ("lrx:5:lx", "7"),
        ("loopover:2x3:single", "3"),
        ("hanoi:5:5", "4"),
        ("hanoi:4:5:cyclic", "6"),
        ("peg:triangle15", "6"),
        ("peg:diamond13:from-start", "3"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let here = |arguments: &[&str]| {
            let output = godnum(arguments).current_dir(dir.path()).output().unwrap();
            let words = String::from_utf8(output.stderr).unwrap();
            assert!(output.status.success(), "{arguments:?}: {words}");
            String::from_utf8(output.stdout).unwrap()
        };
        let partial = here(&["enumerate", puzzle, "-q", "--max-level", "3"]);
        assert!(partial.contains("Continue with `godnum resume"), "{partial}");
        let runs = names_in(&dir.path().join("runs"));
        let job = format!("runs/{}", runs[0]);
        let whole = here(&["resume", &job, "-q"]);
        assert_eq!(whole, here(&["enumerate", puzzle, "-q"]));
        assert!(here(&["status", &job]).contains("finished"));
        assert!(here(&["levels", puzzle, "--format", "csv"]).starts_with("level,classes,states\n0,"));
        assert!(here(&["verify", &job, "--full", "-q"]).contains("all of"));
        assert!(here(&["estimate", puzzle]).contains("universe"));
        for arguments in [
            &["antipodes", puzzle, "--count", "2"][..],
            &["states", puzzle, "--level", level, "--count", "5", "--seed", "7"],
        ] {
            for state in here(arguments).lines() {
                let shown = here(&["show", puzzle, state]);
                assert!(shown.contains(&format!("\n{state}\n")), "{shown}");
                assert!(!shown.contains('\x1b'), "{shown}");
            }
        }
        let boards = here(&["antipodes", puzzle, "--count", "1", "--boards"]);
        assert!(boards.lines().count() > 2, "{boards}");
        let file = dir.path().join("one.toml");
        fs::write(&file, format!("puzzle = \"{puzzle}\"\n")).unwrap();
        assert!(here(&["run", "one.toml", "-q"]).contains("Written to results/"));
    }
}

#[test]
fn bad_texts_say_what_would_be_accepted() {
    for (puzzle, why) in [
        ("tiles:1x3", "1x3"),
        ("tiles:3x11", "3x11"),
        ("tiles:3", "`3`"),
        ("tiles:3x3:pull", "`pull` is not an option"),
        ("tiles:5x5", "no index"),
        ("klotski:nobody", "classic"),
        ("klotski:classic:push", "`push` is not an option"),
        ("klotski:classic:step:move", "only one can be used"),
        ("klotski:all:from-start", "from-start"),
        ("klotski:", "Accepted"),
        ("gourds:rows-3-5", "rows-3-5"),
        ("gourds:rows-3-4:goal=0-1", "goal"),
        ("gourds:rows-3-4:goal=0-1,2-3,4-9", "goal"),
        ("gourds:seed1:goal=0-1,2-5,3-6", "goal"),
        ("gourds:rhombus4", "odd number"),
        ("gourds:parity_error", "row 1, column 2"),
        ("gourds:random:8:1", "8"),
        ("gourds:random:9", "Accepted"),
        ("triangles:tri5", "tri5"),
        ("triangles:random:many", "many"),
        ("triangles:tri4:push", "`push` is not an option"),
        ("hanoi:4:5:ring", "`ring` is not an option"),
        ("hanoi:4:5:star:linear", "only one can be used"),
        ("hanoi:2:5", "`2` is not a number of pegs from 3 to 8"),
        ("peg:french", "known: english, european"),
    ] {
        let words = complaint(&["enumerate", puzzle], 2);
        assert!(words.contains(why), "{puzzle}: {words}");
    }
    for puzzle in ["klotski:@", "gourds:@#x", "triangles:@"] {
        let words = complaint(&["show", puzzle], 2);
        assert!(words.contains("file name after the `@` is missing"), "{words}");
    }
    for puzzle in ["klotski:@/nowhere", "gourds:@/nowhere#x", "triangles:@/nowhere"] {
        let words = complaint(&["show", puzzle], 1);
        assert!(words.contains("/nowhere"), "{words}");
    }
}

/// What `show --file` prints is the same puzzle when it is read from a file.
#[test]
fn files_are_written_and_read() {
    for (puzzle, kind) in [
        ("klotski:classic", "klotski"),
        ("gourds:seed1", "gourds"),
        ("gourds:random:11:4", "gourds"),
        ("triangles:sample", "triangles"),
        ("triangles:random:5", "triangles"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a: file");
        let written = stdout(&["show", puzzle, "--file"]);
        fs::write(&file, &written).unwrap();
        let named = format!("{kind}:@{}", file.display());
        assert_eq!(stdout(&["show", &named, "--file"]), written, "{puzzle}");
        let levels = |puzzle: &str, name: &str| {
            let job = dir.path().join(name);
            let arguments = ["enumerate", puzzle, "-q", "--max-level", "4", "--dir"];
            stdout(&[&arguments[..], &[text(&job)]].concat());
            stdout(&["levels", text(&job), "--format", "csv"])
        };
        assert_eq!(levels(puzzle, "one"), levels(&named, "two"), "{puzzle}");
    }
}

#[test]
fn a_job_is_bound_to_the_content_of_its_file() {
    let dir = tempfile::tempdir().unwrap();
    let here = |arguments: &[&str]| godnum(arguments).current_dir(dir.path()).output().unwrap();
    let file = dir.path().join("mine.txt");
    let layout = "# three by three\nAA.\nAA.\nBCD\ngoal 1,1\n";
    fs::write(&file, layout).unwrap();
    let puzzle = "klotski:@mine.txt:slide";
    assert!(here(&["enumerate", puzzle, "-q", "--max-level", "1"]).status.success());
    let runs = names_in(&dir.path().join("runs"));
    assert_eq!(runs.len(), 1);
    assert!(runs[0].starts_with("klotski--mine.txt-slide-"), "{runs:?}");
    let job = format!("runs/{}", runs[0]);
    fs::write(&file, layout.replace("BCD", "BB.")).unwrap();
    let output = here(&["status", &job]);
    assert!(output.status.success());
    assert!(String::from_utf8(output.stderr).unwrap().contains("restore the puzzle's file"));
    for arguments in [["resume", &job], ["verify", &job]] {
        let output = here(&arguments);
        let words = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(5), "{words}");
        assert!(words.contains("restore the puzzle's file"), "{words}");
    }
    let output = here(&["enumerate", puzzle, "-q", "--dir", &job]);
    assert_eq!(output.status.code(), Some(2));
    assert!(here(&["enumerate", puzzle, "-q"]).status.success());
    assert_eq!(names_in(&dir.path().join("runs")).len(), 2);
    fs::write(&file, layout).unwrap();
    assert!(here(&["resume", &job, "-q"]).status.success());
    fs::remove_file(&file).unwrap();
    let output = here(&["resume", &job, "-q"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("mine.txt"));
}

#[test]
fn counts_are_kept_and_checked() {
    let dir = tempfile::tempdir().unwrap();
    let count = dir.path().join("count");
    for (puzzle, solutions) in [
        ("triangles:tri4", "6"),
        ("triangles:hex6", "6"),
        ("triangles:tri9", "348"),
        ("triangles:half12", "640"),
        ("triangles:band14", "6,364"),
    ] {
        let said = stdout(&["count", puzzle, "-q", "--fresh", "--dir", text(&count)]);
        let expected = format!("{puzzle} has {solutions} solutions");
        assert!(said.starts_with(&expected), "{said}");
        // The second time nothing is counted again.
        assert_eq!(stdout(&["count", puzzle, "-q", "--dir", text(&count)]), said);
        let enumerated = sentence(puzzle);
        assert!(enumerated.starts_with(&expected), "{enumerated}");
    }
    let other = ["count", "triangles:tri4", "-q", "--dir", text(&count)];
    assert!(complaint(&other, 2).contains("holds another count: triangles:band14"));
    let file = count.join("count.json");
    let whole = fs::read_to_string(&file).unwrap();
    let band = ["count", "triangles:band14", "-q", "--dir", text(&count)];
    for damage in [whole.replace("\"0\": \"", "\"0\": \"1"), whole[..whole.len() / 2].to_owned()] {
        fs::write(&file, damage).unwrap();
        assert!(complaint(&band, 5).contains("count.json"));
    }
    fs::write(&file, whole).unwrap();
    stdout(&band);
    fs::write(count.join("thesis.tex"), "three years").unwrap();
    assert!(complaint(&band, 2).contains("thesis.tex"));
    let words = complaint(&["count", "tiles:3x3"], 2);
    assert!(words.contains("no solutions to count"), "{words}");
    let small = ["count", "triangles:sample", "--memory", "16M", "--dir"];
    let place = dir.path().join("small");
    complaint(&[&small[..], &[text(&place)]].concat(), 3);
    assert!(!place.exists(), "something is left of a count that could not start");
    assert!(complaint(&["resume", text(&count)], 2).contains("holds a count"));
}

/// The count of the whole sample takes long enough to be stopped in the middle.
#[test]
fn a_count_goes_on_where_it_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let arguments = ["count", "triangles:sample", "-q", "--dir", text(dir.path())];
    let done = || {
        let record = fs::read_to_string(dir.path().join("count.json")).unwrap_or_default();
        record.matches("\": \"").count()
    };
    let mut before = 0;
    for round in 0..2 {
        let mut child = start(&arguments);
        // Until something new is saved.
        let began = std::time::Instant::now();
        while done() <= before && began.elapsed().as_secs() < 240 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        signal(&child, if round == 1 { "KILL" } else { "INT" });
        let stopped = std::time::Instant::now();
        let code = child.wait().unwrap().code();
        assert!(stopped.elapsed().as_secs() < 5);
        assert!(code == Some(130) || code.is_none(), "{code:?}");
        assert!(done() > before, "nothing was saved in round {round}");
        before = done();
        let status = stdout(&["status", text(dir.path())]);
        let words = format!("not running, not finished; continue with `godnum count {}`", arguments[1]);
        assert!(status.contains(&words), "{status}");
        assert!(status.contains(" of 4096 are safe"), "{status}");
    }
}

#[test]
fn surveys_are_tables() {
    let printed = stdout(&["survey", "gourds", "7", "-q", "--csv"]);
    assert_eq!(printed.lines().count(), 7);
    assert!(printed.starts_with("cells,board,"), "{printed}");
    assert!(printed.contains(".o.o./o.o.o/.o.o.,12,20,3,960,12,"), "{printed}");
    complaint(&["survey", "gourds", "15"], 2);
    assert!(complaint(&["survey", "tiles", "3"], 2).contains("no survey of tiles"));
    assert!(complaint(&["survey", "chess", "8"], 2).contains("chess"));
}

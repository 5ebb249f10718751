//! `godnum plot` as people meet it, and the pictures in `results/`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::*;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The program in a directory, where it finds no jobs but those that are there.
fn godnum_in(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = godnum(arguments);
    command.current_dir(dir).env("XDG_CACHE_HOME", dir.join("cache"));
    command
}

/// What it prints there.
fn printed(dir: &Path, arguments: &[&str]) -> String {
    let output = godnum_in(dir, arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// What it complains about there.
fn refused(dir: &Path, arguments: &[&str], code: i32) -> String {
    let output = godnum_in(dir, arguments).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
    assert!(text.starts_with("error: ") && !text.contains("panicked"), "{text}");
    text
}

/// The page says how each picture was made, and each is what that makes.
#[test]
fn committed_pictures_are_what_the_tables_give() {
    let page = fs::read_to_string(root().join("results/README.md")).unwrap();
    let mut drawn = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("godnum plot ")) {
        let (arguments, out) = line["godnum ".len()..].split_once(" --out ").unwrap();
        let mut arguments: Vec<&str> = arguments.split(' ').collect();
        arguments.extend(["--out", "-"]);
        let expected = fs::read_to_string(root().join(out)).unwrap();
        assert!(
            printed(root(), &arguments) == expected,
            "{out} is not what its tables give; scripts/plots.sh draws it again"
        );
        let name = out.strip_prefix("results/").unwrap().to_owned();
        assert!(page.contains(&format!("]({name})")), "{name} is not shown");
        drawn.push(name);
    }
    drawn.sort();
    let mut found = names_in(&root().join("results"));
    found.retain(|name| name.ends_with(".svg"));
    assert_eq!(found, drawn);
    assert!(found.len() >= 5);
}

#[test]
fn a_job_a_sample_and_a_result_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let missing = refused(here, &["plot", "wrapslide:4x4:2"], 2);
    assert!(
        missing.contains("no job for wrapslide:4x4:2") && missing.contains("results/wrapslide-4x4-2.csv"),
        "{missing}"
    );
    // A result, by its puzzle and by its file; then a job, which comes first.
    fs::create_dir(here.join("results")).unwrap();
    let table = "results/wrapslide-4x4-2.csv";
    fs::copy(root().join(table), here.join(table)).unwrap();
    let picture = printed(here, &["plot", "wrapslide:4x4:2"]);
    assert!(picture.starts_with("<svg ") && picture.contains("1,820 states"), "{picture}");
    assert_eq!(printed(here, &["plot", table]), picture);
    printed(here, &["enumerate", "wrapslide:4x4:2", "-q", "--max-level", "3"]);
    let first = godnum_in(here, &["plot", "wrapslide:4x4:2"]).output().unwrap();
    assert!(String::from_utf8(first.stdout).unwrap().contains("and there are more"));
    assert!(String::from_utf8(first.stderr).unwrap().contains("only its first levels"));
    printed(here, &["enumerate", "wrapslide:4x4:2", "-q"]);
    assert_eq!(printed(here, &["plot", "wrapslide:4x4:2"]), picture);
    assert_eq!(printed(here, &["plot", "runs/wrapslide-4x4-2", "--out", "-"]), picture);
    // A directory without a readable name, and a table under another one.
    fs::copy(root().join(table), here.join("mine.csv")).unwrap();
    assert!(printed(here, &["plot", "mine.csv"]).contains("<title>mine</title>"));

    let sample = ["sample", "wrapslide:4x4:2", "--count", "20", "--seed", "7", "-q"];
    printed(here, &[&sample[..], &["--csv", "lengths.csv"]].concat());
    let from_dir = printed(here, &["plot", "runs/wrapslide-4x4-2-sample-table-7"]);
    assert!(from_dir.contains("wrapslide:4x4:2, table, seed 7"), "{from_dir}");
    let both = printed(here, &["plot", "wrapslide:4x4:2", "lengths.csv", "--log", "--classes"]);
    assert!(both.contains("share of classes, or of solutions (%)"), "{both}");
    // Rows that are not what was written are not drawn.
    let rows = here.join("runs/wrapslide-4x4-2-sample-table-7/sample.csv");
    let changed = fs::read_to_string(&rows).unwrap().replacen(",yes,", ",no,", 1);
    fs::write(&rows, changed).unwrap();
    let damaged = refused(here, &["plot", "runs/wrapslide-4x4-2-sample-table-7"], 5);
    assert!(damaged.contains("checksum"), "{damaged}");
}

#[test]
fn pictures_are_written_as_their_names_say() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let table = root().join("results/klotski-all.csv");
    let table = table.to_str().unwrap();
    for name in ["one.svg", "one.png", "Two.PNG"] {
        printed(here, &["plot", table, "--out", name]);
    }
    let svg = fs::read_to_string(here.join("one.svg")).unwrap();
    assert_eq!(svg, printed(here, &["plot", table]));
    let png = fs::read(here.join("one.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n"));
    assert_eq!(png, fs::read(here.join("Two.PNG")).unwrap());
    // Nothing is left aside.
    assert_eq!(names_in(here), ["Two.PNG", "one.png", "one.svg"]);
    fs::create_dir(here.join("folder.svg")).unwrap();
    for (out, what) in [
        ("one.pdf", ".svg or .png"),
        ("one", ".svg or .png"),
        ("folder.svg", "name a file"),
        ("missing/one.svg", "a directory that exists"),
    ] {
        let complaint = refused(here, &["plot", table, "--out", out], 2);
        assert!(complaint.contains(what), "{complaint}");
    }
}

#[test]
fn what_is_no_distribution_is_refused_in_words() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let heading = "level,classes,states\n";
    let rows = "instance,state,length,optimal,seconds,moves\n";
    for (name, content, code, what) in [
        ("empty.csv", String::new(), 5, "it is empty"),
        ("other.csv", "puzzle,solutions\nx,1\n".into(), 5, "begins with `puzzle,solutions`"),
        ("binary.csv", "\0\u{1}\u{2}".repeat(100), 5, "it is another file"),
        ("no-levels.csv", heading.into(), 5, "it has no levels"),
        ("tricks.csv", "\x1b]0;title\x07\n".into(), 5, "begins with `\\u{1b}]0;title\\u{7}`"),
        ("gap.csv", format!("{heading}0,1,1\n2,1,1\n"), 5, "line 3 is not level 1"),
        ("torn.csv", format!("{heading}0,1,1\n1,1,2"), 5, "ends in the middle"),
        ("none.csv", format!("{heading}0,0,0\n"), 2, "no level to plot"),
        ("no-rows.csv", rows.into(), 2, "no solution to plot"),
        ("unsolved.csv", format!("{rows}1,x,,time,1.0,\n"), 2, "no solution to plot"),
        ("row.csv", format!("{rows}1,x,many,no,1.0,\n"), 5, "line 2: `length` is not a number"),
        ("order.csv", format!("{rows}2,x,3,no,1.0,\n"), 5, "line 2: it is not the next row"),
    ] {
        fs::write(here.join(name), content).unwrap();
        let complaint = refused(here, &["plot", name], code);
        assert!(complaint.contains(what), "{name}: {complaint}");
    }
    // What other programs make of a table is still one.
    let table = format!("{heading}0,1,1\n1,2,3\n");
    let drawn = |content: String| {
        fs::write(here.join("table.csv"), content).unwrap();
        let output = godnum(&["plot", "table.csv", "--out", "-"]).current_dir(here).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{output:?}");
        output.stdout
    };
    let foreign = format!("\u{feff}{}", table.replace('\n', "\r\n"));
    assert!(drawn(foreign) == drawn(table));
    let huge = fs::File::create(here.join("huge.csv")).unwrap();
    huge.set_len(1 << 29).unwrap();
    assert!(refused(here, &["plot", "huge.csv"], 3).contains("larger than the 256 MiB"));
    assert!(refused(here, &["plot", "missing.csv"], 2).contains("the file missing.csv does not exist"));
    assert!(refused(here, &["plot", "nothing"], 2).contains("neither"));
    assert!(refused(here, &["plot", "/dev/null"], 1).contains("/dev/null"));
    assert!(refused(here, &["plot", "."], 2).contains("holds no job"));
    let nine = ["plot", "a", "b", "c", "d", "e", "f", "g", "h", "i"];
    assert!(refused(here, &nine, 2).contains("9 series are too many"));
    refused(here, &["plot"], 2);
    refused(here, &["plot", "x.csv", "--states", "--classes"], 2);
}

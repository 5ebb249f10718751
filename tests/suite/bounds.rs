//! `godnum bounds`: what is proven, and what is refused.

use std::fs;
use std::path::{Path, PathBuf};

use godnum::engine::Options;
use godnum::puzzles::registry;
use godnum::study::bounds::{EvidenceLibrary, EvidenceSource, ProvenBounds, bounds};
use godnum::text::file_name;

use crate::common::*;

/// Tables of levels that other programs found.
const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");

const SMALL: [&str; 12] = [
    "wrapslide:4x4:2",
    "wrapslide:4x4:3",
    "wrapslide:4x4:3:any",
    "wrapslide:4x4:3:fixed",
    "wrapslide:4x4:4",
    "wrapslide:4x4:4:fixed",
    "wrapslide:4x4:2:unit",
    "wrapslide:4x4:3:unit",
    "wrapslide:4x4:3:any:unit",
    "wrapslide:4x4:3:fixed:unit",
    "wrapslide:4x4:4:unit",
    "wrapslide:4x4:4:fixed:unit",
];

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn golden(puzzle: &str) -> (PathBuf, String) {
    let name = PathBuf::from(format!("{}.csv", file_name(puzzle)));
    let content = fs::read_to_string(Path::new(GOLDEN).join(&name)).unwrap();
    (name, content)
}

/// Puts the golden tables of some puzzles into a directory.
fn tables(dir: &Path, puzzles: &[&str]) {
    for (name, content) in puzzles.iter().map(|puzzle| golden(puzzle)) {
        fs::write(dir.join(name), content).unwrap();
    }
}

fn proven(puzzle: &str, places: &[&Path]) -> ProvenBounds {
    let places: Vec<PathBuf> = places.iter().map(|&place| place.to_owned()).collect();
    let library = EvidenceLibrary::open(&places).unwrap();
    bounds(&*registry::parse(puzzle).unwrap(), &library).unwrap()
}

/// The lower and the upper bound.
fn pair(bounds: &ProvenBounds) -> (u32, Option<u32>) {
    (bounds.least.bound, bounds.most.as_ref().map(|most| most.bound))
}

/// The number of the last level in a golden table.
fn last(puzzle: &str) -> u32 {
    golden(puzzle).1.lines().count() as u32 - 2
}

#[test]
fn the_bounds_enclose_the_number() {
    for left_out in SMALL {
        let dir = tempfile::tempdir().unwrap();
        let others: Vec<&str> = SMALL.into_iter().filter(|&text| text != left_out).collect();
        let exact = last(left_out);
        for known in [&others[..], &[]] {
            tables(dir.path(), known);
            let (least, most) = pair(&proven(left_out, &[dir.path()]));
            assert!(least <= exact, "{left_out}: {least} > {exact}");
            assert!(most.is_none_or(|most| exact <= most), "{left_out}: {most:?}");
            assert!(known.is_empty() || most.is_some(), "{left_out}");
        }
        // With its first levels, too, however many these are.
        let (name, content) = golden(left_out);
        let mut before = 0;
        for levels in 1..content.lines().count() {
            let first: Vec<&str> = content.lines().take(levels + 1).collect();
            let alone = tempfile::tempdir().unwrap();
            fs::write(alone.path().join(&name), first.join("\n") + "\n").unwrap();
            let bounds = proven(left_out, &[alone.path()]);
            let (least, most) = pair(&bounds);
            assert!(before <= least && least <= exact, "{left_out}: {levels}, {least}");
            assert_eq!(most.is_some(), levels as u32 == exact + 1, "{left_out}: {levels}");
            before = least;
        }
        assert_eq!(before, exact);
    }
}

#[test]
fn every_golden_table_is_possible() {
    // Levels grow no faster than the puzzles say they can.
    let library = EvidenceLibrary::open(&[GOLDEN.into()]).unwrap();
    for puzzle in SMALL.into_iter().chain([
        "wrapslide:6x6:2",
        "wrapslide:6x6:2:unit",
        "wrapslide:6x6:3:fixed",
        "wrapslide:6x6:3:fixed:unit",
        "tiles:2x4",
        "tiles:3x3",
        "tiles:3x3:push",
        "gourds:rows-2-3-2",
        "klotski:classic",
        "klotski:classic:from-goals",
        "hanoi:4:8",
        "hanoi:4:6:cyclic",
        "lrx:7:lx:nosym",
    ]) {
        let found = bounds(&*registry::parse(puzzle).unwrap(), &library).unwrap();
        assert_eq!(found.exact(), Some(last(puzzle)), "{puzzle}");
        assert!(found.help.is_empty());
    }
}

#[test]
fn by_hand() {
    let dir = tempfile::tempdir().unwrap();
    // 4 solved states, then at most 2 x 5 x 4 = 40, 5 x 40 + 2 x 2 x 4 = 216, 5 x 216 + 2 x 40 = 1160:
    // 1,420 of 1,820 states in levels 0 to 3.
    let nothing = proven("wrapslide:4x4:2", &[dir.path()]);
    assert_eq!(pair(&nothing), (4, None));
    assert!(
        nothing.least.argument.contains("1,420 of the 1,820 states, and there must be a level 4"),
        "{nothing:?}"
    );
    // 6 for the first colour, then the others, then perhaps one move to make them neighbours.
    tables(dir.path(), &["wrapslide:4x4:2", "wrapslide:4x4:3:fixed"]);
    let (first, others) = (last("wrapslide:4x4:2"), last("wrapslide:4x4:3:fixed"));
    let most = |puzzle| pair(&proven(puzzle, &[dir.path()])).1;
    assert_eq!(most("wrapslide:4x4:3:any"), Some(first + others));
    assert_eq!(most("wrapslide:4x4:3"), Some(first + others + 1));
    assert_eq!(most("wrapslide:4x4:3:unit"), Some(2 * (first + others + 1)));
    assert_eq!(most("wrapslide:4x4:4"), None);
    // Fewer colours are no harder.
    let least = pair(&proven("wrapslide:4x4:4:unit", &[dir.path()])).0;
    assert!(least >= first);
    let tiles = tempfile::tempdir().unwrap();
    tables(tiles.path(), &["tiles:3x3:push"]);
    let bounds = proven("tiles:3x3", &[tiles.path()]);
    let push = last("tiles:3x3:push");
    assert_eq!(pair(&bounds), (push, Some(2 * push)));
}

#[test]
fn three_and_four_colours_on_the_command_line() {
    let dir = tempfile::tempdir().unwrap();
    let here = |arguments: &[&str]| {
        let output = godnum(arguments).current_dir(dir.path()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    };
    // Without any evidence there is still something to say.
    let printed = here(&["bounds", "wrapslide:6x6:3"]);
    assert!(
        printed.starts_with(
            "wrapslide:6x6:3: God's number is at least 14, and no upper bound is proven (slide metric)\n"
        ),
        "{printed}"
    );
    assert!(
        printed.contains(
            "`godnum enumerate wrapslide:6x6:2` (2,951,793 classes) together with \
             `godnum enumerate wrapslide:6x6:3:fixed` (589,759 classes) would give an upper bound"
        ),
        "{printed}"
    );
    fs::create_dir(dir.path().join("results")).unwrap();
    tables(&dir.path().join("results"), &["wrapslide:6x6:2", "wrapslide:6x6:3:fixed"]);
    let printed = here(&["bounds", "wrapslide:6x6:3"]);
    let fixed = last("wrapslide:6x6:3:fixed");
    let most = 12 + fixed + 1;
    assert!(
        printed.starts_with(&format!(
            "wrapslide:6x6:3: God's number is at least 14 and at most {most} (slide metric)\n"
        )),
        "{printed}"
    );
    assert!(printed.contains(&format!(
        "\nAt most {most}: 12 for wrapslide:6x6:2 + {fixed} for wrapslide:6x6:3:fixed + 1: bring colour 1"
    )));
    assert!(printed.contains(
        "\n  wrapslide:6x6:2 is at most 12: all 94,143,280 states are in levels 0 to 12.\n    From \
         results/wrapslide-6x6-2.csv: all levels, 0 to 12.\n"
    ));
    let json = here(&["bounds", "wrapslide:6x6:3:any", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["at_most"], 12 + fixed);
    assert_eq!(value["gods_number"], serde_json::Value::Null);
    assert_eq!(value["why_at_most"]["parts"][1]["puzzle"], "wrapslide:6x6:3:fixed");
    let exact = here(&["bounds", "wrapslide:6x6:2"]);
    assert!(
        exact.starts_with("wrapslide:6x6:2: God's number is exactly 12 (slide metric)\n\nExactly 12: all")
            && !exact.contains("help"),
        "{exact}"
    );
}

#[test]
fn jobs_are_evidence_too() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let some = runs.join("a-name-of-my-own");
    stdout(&[
        "enumerate",
        "wrapslide:4x4:3",
        "-q",
        "--max-level",
        "6",
        "--keep",
        "last-two",
        "--dir",
        text(&some),
    ]);
    let bounds = proven("wrapslide:4x4:3", &[&runs]);
    assert_eq!(pair(&bounds), (8, None), "{bounds:?}");
    let evidence = bounds.least.evidence.unwrap();
    assert!(evidence.contains("a-name-of-my-own: levels 0 to 6"), "{evidence}");
    // A directory may be a job itself; all levels are better than some.
    assert_eq!(pair(&proven("wrapslide:4x4:3", &[&some])), (8, None));
    tables(dir.path(), &["wrapslide:4x4:3"]);
    let bounds = proven("wrapslide:4x4:3", &[&runs, dir.path()]);
    assert_eq!(bounds.exact(), Some(10));
    assert!(bounds.least.evidence.unwrap().contains(".csv"));
    // A job is better than a table.
    walk("wrapslide:4x4:3", &runs.join("all"), &Options::default());
    let bounds = proven("wrapslide:4x4:3", &[dir.path(), &runs]);
    assert!(bounds.least.evidence.unwrap().ends_with("runs/all: all levels, 0 to 10"));
    // Jobs of other puzzles say nothing about this one.
    assert_eq!(proven("wrapslide:4x4:4", &[&runs]).most, None);
    let printed = stdout(&["bounds", "wrapslide:4x4:3", "--from", text(&runs)]);
    assert!(printed.contains("is exactly 10"), "{printed}");
}

#[test]
fn where_no_formula_says_how_many_states_there_are() {
    let dir = tempfile::tempdir().unwrap();
    tables(dir.path(), &["klotski:all-2"]);
    // The table has no word on whether it is complete.
    let bounds = proven("klotski:all-2", &[dir.path()]);
    assert_eq!(pair(&bounds), (179, None));
    assert_eq!(bounds.least.argument, "there is a level 179");
    let start = stdout(&["bounds", "klotski:classic", "--from", text(dir.path())]);
    assert!(start.starts_with("klotski:classic: the eccentricity of the start is at least "), "{start}");
}

#[test]
fn what_proves_nothing_is_refused() {
    let words = complaint(&["bounds", "triangles:tri4"], 2);
    assert!(words.contains("godnum count triangles:tri4"), "{words}");
    let words = complaint(&["bounds", "tiles:5x6"], 2);
    assert!(words.contains("no index"), "{words}");
    let cited = stdout(&["bounds", "tiles:5x5", "--from", "results"]);
    assert!(cited.contains("Published, and not checked here: at least 152 and at most 205 ("), "{cited}");
    let cited = stdout(&["bounds", "tiles:4x4", "--from", "results"]);
    assert!(cited.contains("Published, and not checked here: exactly 80 ("), "{cited}");
    complaint(&["bounds", "wrapslide:5x5:3"], 2);
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("missing");
    let words = complaint(&["bounds", "wrapslide:4x4:2", "--from", text(&missing)], 2);
    assert!(words.contains("missing"), "{words}");
}

#[test]
fn damaged_tables_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("wrapslide-4x4-2.csv");
    let (_, sound) = golden("wrapslide:4x4:2");
    for (content, expected) in [
        ("", "first line"),
        ("level,states\n", "first line"),
        ("level,classes,states\n", "has no levels"),
        (sound.trim_end(), "ends in the middle"),
        (&sound.replace("2,2,40\n", ""), "line 4 is not level 2"),
        (&sound.replace("2,2,40", "2,2,forty"), "line 4"),
        (&sound.replace("2,2,40", "2,2,40,"), "line 4"),
        (&sound.replace("2,2,40", "2,2,-40"), "line 4"),
        (&sound.replace("2,2,40", "2,0,40"), "level 2 has 0 classes"),
        // No class has more than 32 states.
        (&sound.replace("2,2,40", "2,1,40"), "1 to 32 states"),
        // 5 x 8 + 2 x 2 x 4.
        ("level,classes,states\n0,1,4\n1,1,8\n2,2,57\n", "at most 56"),
        (&sound.replace("6,12,220", "6,12,221"), "more than the 1,820"),
        (&sound.replace("6,12,220", "6,13,220"), "more than the 78"),
        (&sound.replace("0,1,4", "0,1,3"), "level 0 differs from"),
        (&format!("{sound}7,1,{}\n", u128::MAX), "1 to 32 states"),
        (&format!("{sound}7,1,{}0\n", u128::MAX), "line 9"),
        (&format!("{sound}7,1,1\n"), "more than"),
    ] {
        fs::write(&path, content).unwrap();
        for puzzle in ["wrapslide:4x4:2", "wrapslide:4x4:4"] {
            let words = complaint(&["bounds", puzzle, "--from", text(dir.path())], 5);
            assert!(words.contains(expected), "{expected}: {words}");
            assert!(words.contains("wrapslide-4x4-2.csv"), "{words}");
        }
    }
    fs::write(&path, b"\xff\xfe").unwrap();
    let words = complaint(&["bounds", "wrapslide:4x4:2", "--from", text(dir.path())], 5);
    assert!(words.contains("not text"), "{words}");
}

#[test]
fn damaged_jobs_and_contradictions_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    walk("wrapslide:4x4:2", &job, &Options::default());
    let ask = ["bounds", "wrapslide:4x4:2", "--from", text(dir.path())];
    // Two tables that could both be true, but not together.
    let (name, sound) = golden("wrapslide:4x4:2");
    let table = dir.path().join(&name);
    let other = sound.replace("5,28,688", "5,28,687");
    fs::write(&table, other.replace("6,12,220", "6,12,221")).unwrap();
    let words = complaint(&ask, 5);
    assert!(words.contains("level 5 differs from"), "{words}");
    fs::write(&table, &sound).unwrap();
    let library = EvidenceLibrary::open(&[dir.path().to_owned()]).unwrap();
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let limits = godnum::study::bounds::LevelLimits::of(&*puzzle).unwrap();
    let evidence = library.about(&*puzzle, &limits).unwrap();
    assert_eq!(evidence.source, EvidenceSource::Job(job.clone()));
    for name in ["manifest.json", "job.json"] {
        let path = job.join(name);
        let content = fs::read_to_string(&path).unwrap();
        fs::write(&path, content.replacen("wrapslide", "wrapslidf", 1).replacen("688", "689", 1)).unwrap();
        let words = complaint(&ask, 5);
        assert!(words.contains(name), "{words}");
        fs::write(&path, content).unwrap();
    }
    stdout(&ask);
}

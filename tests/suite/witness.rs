//! Witnesses of lower bounds against known distances, and against tampering.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{levels, silently, walk};
use godnum::engine::verify::Extent;
use godnum::engine::{Job, Options};
use godnum::error::{Error, Result};
use godnum::puzzles::registry;
use godnum::store::sealed;
use godnum::study::StudyOptions;
use godnum::study::witness::{FILE, WitnessPlan, WitnessRecord, check, witness};

fn options(cache: &Path) -> StudyOptions {
    StudyOptions { cache: Some(cache.to_owned()), memory: Some(1 << 28), ..StudyOptions::default() }
}

fn run(text: &str, state: &str, at_least: u32, last: Option<u32>, dir: &Path) -> Result<WitnessRecord> {
    let puzzle = registry::parse(text).unwrap();
    let state = puzzle.parse_state(state).unwrap();
    let plan = WitnessPlan { puzzle: &*puzzle, state: &state, at_least, levels: last };
    let stop = AtomicBool::new(false);
    witness(&plan, &dir.join("witness"), &options(&dir.join("cache")), silently(&stop))
}

/// Some states of each level of a puzzle, with their distances.
fn states(text: &str, dir: &Path) -> Vec<(String, u32)> {
    let manifest = walk(text, dir, &Options::default());
    let job = Job::open(dir).unwrap();
    let puzzle = registry::parse(text).unwrap();
    let mut states = Vec::new();
    assert_eq!(levels(&manifest).0.len(), manifest.levels.len());
    for record in &manifest.levels {
        let set = job.open_level::<u64>(record).unwrap();
        for place in [0, record.classes / 2, record.classes - 1] {
            let index = set.nth(place).unwrap().unwrap();
            let state = puzzle.state_of(index.into()).unwrap();
            states.push((puzzle.print_state(&state), record.level));
        }
    }
    states
}

/// A witness is found for the distance of every state, and never for more.
fn never_too_much(text: &str) {
    let dir = tempfile::tempdir().unwrap();
    for (state, distance) in states(text, &dir.path().join("job")) {
        for last in [0, 1, 2, distance / 2, distance] {
            let more = run(text, &state, distance + 1, Some(last), dir.path());
            let Err(error @ Error::Verification { .. }) = more else {
                panic!("{text} {state}: {more:?}");
            };
            assert!(error.to_string().ends_with(&format!("{distance} are enough")), "{error}");
            if distance == 0 {
                continue;
            }
            let _ = std::fs::remove_dir_all(dir.path().join("witness"));
            let found = run(text, &state, distance, Some(last), dir.path()).unwrap();
            assert_eq!(found.last_level(), last.min(distance - 1));
        }
    }
}

#[test]
fn no_more_than_the_distance_is_ever_shown() {
    never_too_much("wrapslide:4x4:2");
    never_too_much("wrapslide:4x4:3:fixed");
    never_too_much("tiles:2x3");
    never_too_much("tiles:2x3:edge");
}

/// What tampering does to a certificate, and what `verify` complains about.
type Tampering = (&'static str, fn(&mut WitnessRecord), &'static str);

#[test]
fn witnesses_are_checked_by_the_rules() {
    let dir = tempfile::tempdir().unwrap();
    // One of the three classes at distance 10.
    let state = "1313/3232/1323/3231";
    let record = run("wrapslide:4x4:3", state, 10, Some(5), dir.path()).unwrap();
    assert_eq!((record.last_level(), record.visited.len()), (5, 5));
    let (place, options, stop) =
        (dir.path().join("witness"), options(&dir.path().join("cache")), AtomicBool::new(false));
    let checked = |extent| check(&place, extent, &options, silently(&stop));
    let full = checked(Extent::Full).unwrap().unwrap();
    let visited: u64 = record.visited.iter().map(|classes| classes.parse::<u64>().unwrap()).sum();
    assert_eq!(full.looked_up, visited);
    assert_eq!(checked(Extent::Sample(20, 1)).unwrap().unwrap().looked_up, 81);

    let cases: &[Tampering] = &[
        ("another bound", |r| r.at_least += 1, "do not make a bound"),
        (
            "a higher bound",
            |r| {
                r.at_least += 1;
                r.visited.push("1".into());
            },
            "",
        ),
        ("another state", |r| r.state = "1122/1122/3333/3333".into(), ""),
        ("no state", |r| r.state = "1122/1122".into(), "the board is"),
        ("another count", |r| r.visited[4] = "1".into(), "the witness says 1"),
        ("another level", |r| r.levels.levels[5].digest ^= 1, "not those that the witness was found with"),
        ("no level", |r| r.levels.levels.clear(), "do not make a bound"),
    ];
    for (what, tamper, complaint) in cases {
        let mut changed = record.clone();
        tamper(&mut changed);
        std::fs::write(place.join(FILE), sealed::seal(&changed).unwrap().0).unwrap();
        let error = checked(Extent::Full).expect_err(what).to_string();
        assert!(error.contains(complaint), "{what}: {error}");
    }
}

#[test]
fn the_command_shows_and_explains() {
    let dir = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = crate::common::godnum(arguments);
        let cache = dir.path().join("cache");
        let output = command.env("XDG_CACHE_HOME", cache).current_dir(dir.path()).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let (code, text) = run(&["witness", "tiles:2x3", "4 5 0/1 2 3", "--at-least", "21"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("tiles:2x3: the state 4 5 0/1 2 3 needs at least 21 moves; shown."), "{text}");
    let (code, text) = run(&["verify", "runs/tiles-2x3-at-least-21", "--full"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = run(&["witness", "tiles:2x3", "4 5 0/1 2 3", "--at-least", "22"]);
    assert_eq!(code, Some(4), "{text}");
    let (code, text) = run(&["witness", "wrapslide:6x6:4", "1", "--at-least", "22"]);
    assert_eq!(code, Some(2), "{text}");
    let (code, text) = run(&["witness", "hanoi:3:3", "x", "--at-least", "1"]);
    assert_eq!(code, Some(2), "{text}");
}

//! Every way of walking x every puzzle against the same golden levels (`tests/golden/`), against the
//! literature (`tests/published/`), and against dumb searches that share nothing with the engine.
//!
//! A new puzzle or variant adds a row to `GOLDEN`; a new container adds a way.

mod common;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use common::assert_same_job;
use godnum::bfs::verify::{Extent, verify};
use godnum::bfs::{self, ContainerKind, Control, End, Keep, Manifest, Options, Silent};
use godnum::encode::bits::pack;
use godnum::puzzle::{Puzzle, State, registry};
use godnum::report::levels_csv;
use godnum::symmetry::{Group, Symmetry, canonical};

/// Puzzles whose levels are in `tests/golden/`, small ones first.
const GOLDEN: &[&str] = &[
    "wrapslide:4x4:2",
    "wrapslide:4x4:2:unit",
    "wrapslide:4x4:3:fixed",
    "wrapslide:4x4:3:fixed:unit",
    "wrapslide:4x4:4:fixed",
    "wrapslide:4x4:4:fixed:unit",
    "wrapslide:4x4:3",
    "wrapslide:4x4:3:any",
    "wrapslide:4x4:3:unit",
    "wrapslide:4x4:3:any:unit",
    "wrapslide:4x4:4",
    "wrapslide:4x4:4:unit",
    "wrapslide:6x6:3:fixed",
    "wrapslide:6x6:3:fixed:unit",
    "wrapslide:6x6:2",
    "wrapslide:6x6:2:unit",
];

fn golden(text: &str) -> String {
    let name = format!("tests/golden/{}.csv", registry::file_name(text));
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

fn silently(stop: &AtomicBool) -> Control<'_> {
    Control {
        stop,
        observer: &Silent,
    }
}

fn walk(text: &str, dir: &Path, options: &Options) -> Manifest {
    let puzzle = registry::parse(text).unwrap();
    let stop = AtomicBool::new(false);
    let outcome = bfs::enumerate(&*puzzle, dir, options, silently(&stop)).unwrap();
    assert_eq!(outcome.end, End::Finished);
    outcome.manifest
}

fn levels(manifest: &Manifest) -> (Vec<u128>, Vec<u128>) {
    let levels = manifest.levels.iter();
    levels.map(|level| (level.classes, level.states)).unzip()
}

/// Every container x thread count x budget.
fn every_way() -> Vec<Options> {
    let mut ways = Vec::new();
    for container in [
        None,
        Some(ContainerKind::Sparse),
        Some(ContainerKind::Dense),
    ] {
        for threads in [1, 2, 3] {
            for memory in [6 << 20, 64 << 20] {
                ways.push(Options {
                    memory: Some(memory),
                    threads: Some(threads),
                    container,
                    ..Options::default()
                });
            }
        }
    }
    ways
}

#[test]
fn every_way_of_walking_gives_the_golden_levels() {
    for text in GOLDEN {
        let dir = tempfile::tempdir().unwrap();
        let ways = match () {
            // The largest ones have a test of their own.
            () if text.contains("6x6:2") => vec![Options::default()],
            () if text.contains("6x6") => every_way().into_iter().step_by(5).collect(),
            () => every_way(),
        };
        for (i, way) in ways.iter().enumerate() {
            let job = dir.path().join(i.to_string());
            let manifest = walk(text, &job, way);
            assert_eq!(levels_csv(&manifest.levels), golden(text), "{text} {way:?}");
            assert_same_job(&dir.path().join("0"), &job);
        }
    }
}

#[test]
fn published_levels_are_reproduced() {
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published");
    for (text, file) in [
        ("wrapslide:4x4:2", "wrapslide-4x4-2.csv"),
        ("wrapslide:4x4:3", "wrapslide-4x4-3.csv"),
        ("wrapslide:4x4:4", "wrapslide-4x4-4.csv"),
        ("wrapslide:6x6:2", "wrapslide-6x6-2-partial.csv"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let found = levels(&walk(text, &dir.path().join("job"), &Options::default())).0;
        let mut published = csv::Reader::from_path(facts.join(file)).unwrap();
        let published: Vec<(u32, u128)> = published.deserialize().map(Result::unwrap).collect();
        assert!(published.len() >= 7);
        for (level, classes) in published {
            assert_eq!(found[level as usize], classes, "{text} level {level}");
        }
    }
}

/// The large two-colour puzzle in small memory (so that runs are spilled and merged), in bitmaps
/// of several passes, and in the default way.
#[test]
fn six_by_six_is_the_same_however_it_is_walked() {
    let dir = tempfile::tempdir().unwrap();
    let ways = [
        Options::default(),
        Options {
            memory: Some(8 << 20),
            container: Some(ContainerKind::Sparse),
            ..Options::default()
        },
        Options {
            memory: Some(6 << 20),
            container: Some(ContainerKind::Dense),
            threads: Some(2),
            ..Options::default()
        },
        Options {
            memory: Some(64 << 20),
            container: Some(ContainerKind::Sparse),
            threads: Some(3),
            scratch: Some(dir.path().join("scratch")),
            ..Options::default()
        },
    ];
    for (i, way) in ways.iter().enumerate() {
        let job = dir.path().join(i.to_string());
        let manifest = walk("wrapslide:6x6:2", &job, way);
        assert_eq!(manifest.levels.len(), 13);
        assert_eq!(manifest.states(), 94_143_280);
        assert_eq!(manifest.classes(), 2_951_793);
        assert_same_job(&dir.path().join("0"), &job);
        assert!(!job.join("scratch").exists(), "runs are left behind");
    }
    let left = std::fs::read_dir(dir.path().join("scratch")).map_or(0, |entries| entries.count());
    assert_eq!(left, 0, "the scratch directory is not empty");
}

/// The sums are held to formulas by the walk itself; here every class is held to its neighbours.
#[test]
fn verification_accepts_every_variant() {
    for text in [
        "wrapslide:4x4:2:unit",
        "wrapslide:4x4:3:any",
        "wrapslide:4x4:3:fixed",
        "wrapslide:4x4:3:unit",
        "wrapslide:4x4:4",
        "wrapslide:4x4:4:fixed",
        "wrapslide:4x4:4:fixed:unit",
        "wrapslide:4x4:4:unit",
        "wrapslide:6x6:3:fixed",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let manifest = walk(text, &job, &Options::default());
        let stop = AtomicBool::new(false);
        let findings = verify(&job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
        assert_eq!(findings.classes, manifest.classes());
        assert!(findings.left_out.is_empty());
    }
}

/// Spaces too large to finish, up to where they fit; the widest needs 115-bit indices.
#[test]
fn large_grids_walk_as_far_as_they_fit() {
    for (text, classes) in [
        ("wrapslide:6x6:3", &LEVELS_6X6_3[..]),
        ("wrapslide:6x6:4", &LEVELS_6X6_4[..]),
        ("wrapslide:8x8:2", &LEVELS_8X8_2[..]),
        ("wrapslide:8x8:3", &LEVELS_8X8_3[..]),
        ("wrapslide:8x8:4", &LEVELS_8X8_4[..]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let puzzle = registry::parse(text).unwrap();
        let stop = AtomicBool::new(false);
        let options = Options {
            max_level: Some(classes.len() as u32 - 1),
            memory: Some(8 << 20),
            ..Options::default()
        };
        let outcome = bfs::enumerate(&*puzzle, &job, &options, silently(&stop)).unwrap();
        assert_eq!(outcome.end, End::AtMaxLevel);
        assert_eq!(levels(&outcome.manifest).0, classes, "{text}");
        verify(&job, Extent::Full, 16 << 20, &stop, &Silent).unwrap();
        // The first levels once more, by a search that knows only the rules.
        let dumb = dumb_classes(&*puzzle, 4);
        assert_eq!(dumb, classes[..4], "{text}");
    }
}

const LEVELS_6X6_3: [u128; 7] = [1, 4, 17, 141, 1182, 10833, 100059];
const LEVELS_6X6_4: [u128; 7] = [1, 1, 5, 33, 269, 2390, 22368];
const LEVELS_8X8_2: [u128; 6] = [1, 2, 11, 152, 1742, 20413];
const LEVELS_8X8_3: [u128; 6] = [1, 6, 37, 434, 5449, 74070];
const LEVELS_8X8_4: [u128; 6] = [1, 2, 12, 103, 1224, 16014];

#[test]
fn keeping_only_two_levels_changes_no_count() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let options = Options {
        keep: Keep::LastTwo,
        ..Options::default()
    };
    let manifest = walk("wrapslide:4x4:4", &job, &options);
    assert_eq!(levels_csv(&manifest.levels), golden("wrapslide:4x4:4"));
    let kept: BTreeSet<_> = common::names_in(&job.join("levels")).into_iter().collect();
    assert_eq!(
        kept,
        BTreeSet::from(["00011.gls".into(), "00012.gls".into()])
    );
    let stop = AtomicBool::new(false);
    let findings = verify(&job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
    assert!(findings.left_out[0].contains("not kept"));
}

/// All states with all colours in whole quadrants that the puzzle accepts as solved.
fn solved_states(puzzle: &dyn Puzzle, n: usize, colours: u8) -> Vec<State> {
    let half = n / 2;
    let mut solved = BTreeSet::new();
    for code in 0..4usize.pow(4) {
        let quadrants: Vec<u8> = (0..4).map(|q| (code >> (2 * q) & 3) as u8).collect();
        if quadrants.iter().any(|&colour| colour >= colours) {
            continue;
        }
        let row = |y: usize| -> String {
            let colour = |x: usize| quadrants[(y / half) * 2 + x / half] + b'1';
            (0..n).map(|x| colour(x) as char).collect()
        };
        let text = (0..n).map(row).collect::<Vec<_>>().join("/");
        if let Ok(state) = puzzle.parse_state(&text)
            && puzzle.is_solved(&state)
        {
            solved.insert(state);
        }
    }
    solved.into_iter().collect()
}

/// The board group by the rules alone: turns, reflections, translations by half the grid; in a
/// sub-puzzle, those that keep the fixed quadrant.
fn board_group(text: &str, n: usize) -> Group {
    let size = n as u16;
    let cells = |image: &dyn Fn(u16, u16) -> (u16, u16)| -> Symmetry {
        let images = (0..size).flat_map(|y| (0..size).map(move |x| (y, x)));
        let cells: Vec<u16> = images
            .map(|(y, x)| image(y, x))
            .map(|(y, x)| (y % size) * size + x % size)
            .collect();
        Symmetry::new(&cells, &[0, 1, 2, 3, 4]).unwrap()
    };
    let generators = [
        cells(&|y, x| (x, size - 1 - y)),
        cells(&|y, x| (y, size - 1 - x)),
        cells(&|y, x| (y + size / 2, x)),
        cells(&|y, x| (y, x + size / 2)),
    ];
    let group = Group::generate(n * n, 5, &generators).unwrap();
    assert_eq!(group.order(), 32);
    if !text.contains(":fixed") {
        return group;
    }
    let half = n / 2;
    let quadrant: Vec<u16> = (0..half)
        .flat_map(|y| (0..half).map(move |x| (y * n + x) as u16))
        .collect();
    group.set_stabiliser(&quadrant)
}

/// Which colours may be exchanged: those that occur equally often, and not the fixed one.
fn colour_classes(text: &str, state: &State) -> Vec<u8> {
    let mut classes = vec![0u8];
    for colour in 1..5u8 {
        let count = state.0.iter().filter(|&&c| c == colour).count() as u8;
        let fixed = colour == 1 && text.contains(":fixed");
        classes.push(if fixed { 200 } else { count });
    }
    classes
}

/// Plain breadth-first search over states, by the rules, in a hash map: states and classes of
/// each level.
fn dumb_levels(puzzle: &dyn Puzzle, n: usize, colours: u8) -> (Vec<u128>, Vec<u128>) {
    let key = |state: &State| pack(&state.0, 3).unwrap();
    let text = puzzle.text();
    let group = board_group(&text, n);
    let mut frontier = solved_states(puzzle, n, colours);
    let mut seen: HashSet<u128> = frontier.iter().map(key).collect();
    let (mut classes, mut states) = (Vec::new(), Vec::new());
    while !frontier.is_empty() {
        states.push(frontier.len() as u128);
        let forms: HashSet<Vec<u8>> = frontier
            .iter()
            .map(|state| canonical(&state.0, &group, &colour_classes(&text, state)).0)
            .collect();
        classes.push(forms.len() as u128);
        let mut next = Vec::new();
        for state in &frontier {
            for mv in puzzle.moves(state) {
                let neighbour = puzzle.apply(state, mv);
                if seen.insert(key(&neighbour)) {
                    next.push(neighbour);
                }
            }
        }
        frontier = next;
    }
    (classes, states)
}

/// Breadth-first search over classes with the generic canonical form, for the first levels.
fn dumb_classes(puzzle: &dyn Puzzle, levels: usize) -> Vec<u128> {
    let text = puzzle.text();
    let n = (text.as_bytes()["wrapslide:".len()] - b'0') as usize;
    let colours = text.as_bytes()["wrapslide:4x4:".len()] - b'0';
    let group = board_group(&text, n);
    let form = |state: &State| State(canonical(&state.0, &group, &colour_classes(&text, state)).0);
    let mut distance: HashMap<State, usize> = HashMap::new();
    let mut frontier: Vec<State> = Vec::new();
    for state in solved_states(puzzle, n, colours) {
        if distance.insert(form(&state), 0).is_none() {
            frontier.push(form(&state));
        }
    }
    let mut counts = vec![frontier.len() as u128];
    while counts.len() < levels && !frontier.is_empty() {
        let mut next = Vec::new();
        for state in &frontier {
            for mv in puzzle.moves(state) {
                let neighbour = form(&puzzle.apply(state, mv));
                if !distance.contains_key(&neighbour) {
                    distance.insert(neighbour.clone(), counts.len());
                    next.push(neighbour);
                }
            }
        }
        counts.push(next.len() as u128);
        frontier = next;
    }
    counts
}

#[test]
fn a_dumb_search_agrees() {
    for (text, n, colours) in [
        ("wrapslide:4x4:2", 4, 2),
        ("wrapslide:4x4:2:unit", 4, 2),
        ("wrapslide:4x4:3", 4, 3),
        ("wrapslide:4x4:3:fixed", 4, 3),
        ("wrapslide:4x4:4:fixed", 4, 4),
        ("wrapslide:4x4:4:fixed:unit", 4, 4),
    ] {
        let puzzle = registry::parse(text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let found = levels(&walk(text, &dir.path().join("job"), &Options::default()));
        assert_eq!(found, dumb_levels(&*puzzle, n, colours), "{text}");
    }
}

#[test]
fn a_dumb_search_over_classes_agrees() {
    for text in ["wrapslide:4x4:4", "wrapslide:4x4:4:unit"] {
        let puzzle = registry::parse(text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let found = levels(&walk(text, &dir.path().join("job"), &Options::default())).0;
        let mut dumb = dumb_classes(&*puzzle, usize::MAX);
        dumb.retain(|&count| count > 0);
        assert_eq!(found, dumb, "{text}");
    }
}

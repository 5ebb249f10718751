//! Every way of walking x every puzzle against the same golden levels (`tests/golden/`), and against
//! the literature (`tests/published/`).
//!
//! A new puzzle or variant adds a row; a new container adds a way.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{assert_same_job, levels, names_in, silently, walk};
use godnum::engine::levels_csv;
use godnum::engine::verify::{Extent, LocalMaxima, verify};
use godnum::engine::{self, ContainerKind, Job, Keep, Options, Silent, Way};
use godnum::puzzle::subject;
use godnum::puzzles::registry;
use godnum::space::{AnySpace, Direction};
use godnum::text::file_name;

/// Puzzles whose levels are in `tests/golden/`, small ones of each kind first.
const ROWS: &[&str] = &[
    "wrapslide:4x4:2",
    "wrapslide:4x4:2:unit",
    "wrapslide:4x4:3:fixed",
    "wrapslide:4x4:3:fixed:unit",
    "wrapslide:4x4:3:fixed:beside",
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
    "tiles:2x2",
    "tiles:2x2:push",
    "tiles:2x3",
    "tiles:2x3:push",
    "tiles:3x2",
    "tiles:3x2:push",
    "tiles:2x4",
    "tiles:2x4:push",
    "tiles:3x3",
    "tiles:3x3:push",
    "tiles:2x3:edge",
    "tiles:3x3:edge",
    "tiles:2x5",
    "tiles:2x5:push",
    "klotski:all-2",
    "klotski:all-2:slide",
    "klotski:all-2:move",
    "klotski:all",
    "klotski:all:slide",
    "klotski:all:move",
    "gourds:rows-1-2",
    "gourds:rows-2-1",
    "gourds:rows-2-3",
    "gourds:rows-2-3:goal=0-2,1-4",
    "gourds:rows-2-3:goal=1-4,2-3",
    "gourds:rows-3-2",
    "gourds:rows-3-2:goal=0-3,2-4",
    "gourds:rows-2-3-2",
    "gourds:rows-2-3-2:goal=0-1,2-5,4-6",
    "gourds:rows-2-3-2:goal=1-3,2-5,4-6",
    "gourds:rows-3-4",
    "gourds:rows-3-4:goal=0-3,2-6,4-5",
    "gourds:rows-3-4:goal=1-2,3-4,5-6",
    "gourds:rows-4-3",
    "gourds:rows-4-3:goal=0-4,1-2,3-6",
    "gourds:rows-1-2-3-2-1",
    "gourds:rows-1-2-3-2-1:goal=0-1,2-5,3-6,7-8",
    "gourds:rows-2-3-4",
    "gourds:rows-2-3-4:goal=0-1,2-5,4-8,6-7",
    "gourds:rows-4-3-2",
    "gourds:rows-4-3-2:goal=0-1,2-3,4-7,6-8",
    "gourds:rows-4-5",
    "gourds:rows-4-5:goal=0-1,2-3,4-5,7-8",
    "gourds:rows-5-4",
    "gourds:rows-5-4:goal=0-1,3-4,5-6,7-8",
    "gourds:rows-1-2-3-2-3",
    "gourds:rows-3-2-3-2-1",
    "gourds:rows-4-3-4",
    "gourds:rows-4-3-4:goal=0-1,2-3,4-5,7-8,9-10",
    "gourds:rows-5-6",
    "gourds:rows-5-6:goal=0-1,3-4,5-6,7-8,9-10",
    "gourds:rows-6-5",
    "gourds:rows-6-5:goal=0-1,2-3,4-5,6-7,9-10",
    "gourds:seed1",
    "gourds:seed2",
    "gourds:seed3",
    "gourds:seed4",
    "gourds:seed8",
    "gourds:flower7",
    "gourds:strip9",
    "gourds:rows11",
    "gourds:star13",
    "gourds:bowtie5",
    "gourds:ring7",
    "triangles:tri4",
    "triangles:hex6",
    "triangles:tri9",
    "triangles:half12",
    "triangles:band14",
    "pancake:7:nosym",
    "burnt:5:nosym",
    "topspin:7:4:nosym",
    "topspin:6:4:turns:nosym",
    "lrx:7:nosym",
    "lrx:7:lx:nosym",
    "loopover:3x3:nosym",
    "loopover:2x4:nosym",
    "loopover:2x4:single:nosym",
    "loopover:3x4:rows=1:nosym",
    "hanoi:3:8",
    "hanoi:4:8",
    "hanoi:5:6",
    "hanoi:4:6:linear",
    "hanoi:4:6:star",
    "hanoi:3:5:cyclic",
    "hanoi:4:6:cyclic",
    "peg:diamond13",
    "peg:diamond13:from-start",
    "peg:triangle15",
    "peg:triangle15:from-start",
];

/// Every one of these in three metrics, from the start and from the goals.
const KLOTSKI: &[&str] = &[
    "classic",
    "zhihuiruoding",
    "jiangyongcaoying",
    "qitoubingjin",
    "bingfensanlu",
    "zuoyoububing",
    "taohuayuanzhong",
    "yilujinjun",
    "yilushunfeng",
    "yushengxili",
    "shuixiebutong",
    "fenghuiluzhuan",
];

fn rows() -> Vec<String> {
    let mut rows: Vec<String> = ROWS.iter().map(|&text| text.to_owned()).collect();
    for name in KLOTSKI {
        for metric in ["", ":slide", ":move"] {
            for roots in ["", ":from-goals"] {
                rows.push(format!("klotski:{name}{metric}{roots}"));
            }
        }
    }
    rows
}

fn golden(text: &str) -> String {
    let name = format!("tests/golden/{}.csv", file_name(text));
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The states of a golden table.
fn golden_states(text: &str) -> u64 {
    let table = golden(text);
    let last = |line: &str| line.rsplit(',').next().and_then(|cell| cell.parse::<u64>().ok());
    table.lines().filter_map(last).sum()
}

/// Every container x thread count x budget; three in a row have three different containers. Bitmaps in
/// more memory pull, where `pulls` says that this is possible.
fn every_way(pulls: bool) -> Vec<Options> {
    let mut ways = Vec::new();
    for threads in [1, 2, 3] {
        for memory in [6 << 20, 64 << 20] {
            for container in [None, Some(ContainerKind::Sparse), Some(ContainerKind::Dense)] {
                let pulled = pulls && container == Some(ContainerKind::Dense) && memory == 64 << 20;
                ways.push(Options {
                    memory: Some(memory),
                    threads: Some(threads),
                    container,
                    way: pulled.then_some(Way::Pull),
                    ..Options::default()
                });
            }
        }
    }
    ways
}

/// The ways by rows, where a puzzle has some.
fn by_rows(text: &str) -> Vec<Options> {
    let puzzle = registry::parse(text).unwrap();
    let way = |(threads, way)| Options {
        memory: Some(64 << 20),
        threads: Some(threads),
        container: Some(ContainerKind::Rows),
        way,
        ..Options::default()
    };
    let ways =
        [(1, Some(Way::Push)), (3, Some(Way::Push)), (1, Some(Way::Pull)), (3, Some(Way::Pull)), (2, None)];
    match puzzle.space().unwrap().rows() {
        Some(_) => ways.map(way).to_vec(),
        None => Vec::new(),
    }
}

/// Whether all levels can be pulled, in which every one looks at the whole universe, in little time.
fn can_be_pulled(text: &str) -> bool {
    let puzzle = registry::parse(text).unwrap();
    let space = puzzle.space().unwrap();
    let levels = golden(text).lines().count() as u128 - 1;
    space.direction() == Direction::Reversible && space.universe() * levels < MOST_LOOKS
}

/// The most indices that are looked at to pull a row.
const MOST_LOOKS: u128 = 4_000_000;

/// How many ways of a small row are walked: all, or two budgets or thread counts for each container, other
/// ones from row to row.
#[derive(Clone, Copy, PartialEq)]
enum Choice {
    Some,
    All,
}

/// The ways in which a row is walked: all containers where that takes no minutes, with more variation while it is
/// small.
fn ways_of(row: usize, text: &str, choice: Choice) -> Vec<Options> {
    let mut ways = every_way(can_be_pulled(text));
    let mut some = |most: usize| {
        ways.rotate_left(row * 3 % 18);
        ways.truncate(most);
        std::mem::take(&mut ways)
    };
    match golden_states(text) {
        0..10_000 if choice == Choice::All => ways,
        0..10_000 => some(6),
        10_000..20_000_000 if !text.contains("6x6:2") => some(3),
        // The largest ones have tests of their own.
        _ => vec![Options::default()],
    }
}

#[test]
fn many_ways_of_walking_give_the_golden_levels() {
    walk_all_rows(Choice::Some);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn every_way_of_walking_gives_the_golden_levels() {
    walk_all_rows(Choice::All);
}

fn walk_all_rows(choice: Choice) {
    let rows = rows();
    // Much of the time small jobs wait for the disk: several at a time.
    std::thread::scope(|scope| {
        for first in 0..WALKED_AT_A_TIME {
            let rows = rows.iter().enumerate().skip(first).step_by(WALKED_AT_A_TIME);
            scope.spawn(move || rows.for_each(|(row, text)| ways_give_the_golden_levels(row, text, choice)));
        }
    });
}

/// Threads that walk rows.
const WALKED_AT_A_TIME: usize = 4;

fn ways_give_the_golden_levels(row: usize, text: &str, choice: Choice) {
    let dir = tempfile::tempdir().unwrap();
    for (i, way) in ways_of(row, text, choice).iter().chain(&by_rows(text)).enumerate() {
        let job = dir.path().join(i.to_string());
        let manifest = walk(text, &job, way);
        assert_eq!(levels_csv(&manifest.levels), golden(text), "{text} {way:?}");
        assert_same_job(&dir.path().join("0"), &job);
    }
}

/// No golden table stands unused.
#[test]
fn every_golden_table_has_its_row() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let files: BTreeSet<String> = names_in(&folder).into_iter().collect();
    let mut expected: BTreeSet<String> =
        rows().iter().map(|text| format!("{}.csv", file_name(text))).collect();
    expected.insert("README.md".into());
    expected.insert("triangles-sample-partial.csv".into());
    assert_eq!(files, expected);
}

/// The whole hexagon is too large to finish; its first levels are golden, too.
#[test]
fn the_first_levels_of_the_triangle_sample() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("triangles:sample").unwrap();
    let stop = AtomicBool::new(false);
    let options = Options { max_level: Some(7), ..Options::default() };
    let outcome =
        engine::enumerate(&subject(&*puzzle).unwrap(), dir.path(), &options, silently(&stop)).unwrap();
    let expected = golden("triangles:sample:partial");
    assert_eq!(levels_csv(&outcome.manifest.levels), expected);
}

#[test]
fn published_levels_are_reproduced() {
    reproduce_published_levels(12);
}

#[test]
#[ignore = "part of scripts/faults.sh"]
fn all_published_levels_are_reproduced() {
    reproduce_published_levels(u32::MAX);
}

/// Levels as published; of the English peg board, which is large, up to `most`.
fn reproduce_published_levels(most: u32) {
    let facts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/published");
    for (text, file, max_level) in [
        ("wrapslide:4x4:2", "wrapslide-4x4-2.csv", None),
        ("wrapslide:4x4:3", "wrapslide-4x4-3.csv", None),
        ("wrapslide:4x4:4", "wrapslide-4x4-4.csv", None),
        ("wrapslide:6x6:2", "wrapslide-6x6-2-partial.csv", Some(8)),
        ("tiles:3x3", "tiles-3x3.csv", None),
        ("peg:english", "peg-english.csv", Some(most)),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let puzzle = registry::parse(text).unwrap();
        let (options, stop) = (Options { max_level, ..Options::default() }, AtomicBool::new(false));
        let subject = subject(&*puzzle).unwrap();
        let outcome = engine::enumerate(&subject, dir.path(), &options, silently(&stop)).unwrap();
        let (classes, states) = levels(&outcome.manifest);
        let mut published = csv::Reader::from_path(facts.join(file)).unwrap();
        let found = match &published.headers().unwrap()[1] {
            "classes" => classes,
            _ => states,
        };
        let published: Vec<(u32, u128)> = published.deserialize().map(Result::unwrap).collect();
        assert!(published.len() >= 7);
        for (level, count) in
            published.into_iter().filter(|&(level, _)| max_level.is_none_or(|most| level <= most))
        {
            assert_eq!(found[level as usize], count, "{text} level {level}");
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
        Options { memory: Some(8 << 20), container: Some(ContainerKind::Sparse), ..Options::default() },
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

/// The walk checks the sums against formulas; here every class is checked against its neighbours.
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
        "hanoi:4:6:star",
        "hanoi:3:5:cyclic",
        "peg:triangle15",
    ] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let manifest = walk(text, &job, &Options::default());
        let stop = AtomicBool::new(false);
        let puzzle = registry::parse(text).unwrap();
        let subject = subject(&*puzzle).unwrap();
        let findings = verify(&subject, &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
        assert_eq!(findings.classes, manifest.classes());
        // Nobody knows another way of counting what jumps lead to.
        let unknown = puzzle.totals().states.is_none();
        assert_eq!(findings.left_out.len(), usize::from(unknown), "{text}: {:?}", findings.left_out);
    }
}

/// Classes without a neighbour in the next level, counted one by one.
#[test]
fn local_maxima_are_those_of_a_plain_count() {
    for text in ["wrapslide:4x4:3", "tiles:3x3", "klotski:all-2", "hanoi:4:6:cyclic", "peg:triangle15"] {
        let dir = tempfile::tempdir().unwrap();
        walk(text, dir.path(), &Options::default());
        let job = Job::open(dir.path()).unwrap();
        let puzzle = registry::parse(text).unwrap();
        let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("{text} has wide indices") };
        let mut levels = Vec::new();
        for record in &job.manifest().unwrap().levels {
            let mut classes = Vec::new();
            job.open_level::<u64>(record).unwrap().range(0, None, &mut classes).unwrap();
            levels.push(classes);
        }
        let is_maximum = |class: u64, level: usize| {
            let mut neighbours = Vec::new();
            space.expand(&[class], &mut neighbours);
            let next = levels.get(level + 1);
            !neighbours.iter().any(|to| next.is_some_and(|next| next.binary_search(to).is_ok()))
        };
        let plain = levels.iter().enumerate().map(|(level, classes)| {
            let maxima = classes.iter().filter(|&&class| is_maximum(class, level));
            let states = maxima.clone().map(|&class| space.states(&[class])).sum();
            LocalMaxima { level: level as u32, classes: maxima.count() as u128, states }
        });
        let stop = AtomicBool::new(false);
        let subject = subject(&*puzzle).unwrap();
        let findings = verify(&subject, dir.path(), Extent::Full, 64 << 20, &stop, &Silent).unwrap();
        assert_eq!(findings.local_maxima, plain.collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn keeping_only_two_levels_changes_no_count() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let options = Options { keep: Keep::LastTwo, ..Options::default() };
    let manifest = walk("wrapslide:4x4:4", &job, &options);
    assert_eq!(levels_csv(&manifest.levels), golden("wrapslide:4x4:4"));
    let kept: BTreeSet<_> = names_in(&job.join("levels")).into_iter().collect();
    assert_eq!(kept, BTreeSet::from(["00011.gls".into(), "00012.gls".into()]));
    let stop = AtomicBool::new(false);
    let puzzle = registry::parse("wrapslide:4x4:4").unwrap();
    let subject = subject(&*puzzle).unwrap();
    let findings = verify(&subject, &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
    assert!(findings.left_out[0].contains("not kept"));
}

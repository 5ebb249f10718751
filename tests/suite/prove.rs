//! Proofs of upper bounds: subgoals against the rules, bounds against known God's numbers, certificates
//! against tampering.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::common::{complaint, silently, stdout};
use godnum::engine::verify::Extent;
use godnum::engine::{Control, Observer};
use godnum::error::{Error, Result};
use godnum::puzzle::{Instance, Rules, State, Subgoals};
use godnum::puzzles::registry;
use godnum::random::Random;
use godnum::store::sealed;
use godnum::study::StudyOptions;
use godnum::study::prove::record::{FILE, ProofRecord};
use godnum::study::prove::{ProofPlan, check, prove};

/// Puzzles with subgoals.
const PUZZLES: &[&str] = &[
    "wrapslide:4x4:3",
    "wrapslide:4x4:3:any",
    "wrapslide:4x4:4",
    "wrapslide:4x4:3:unit",
    "wrapslide:6x6:3",
    "wrapslide:6x6:4",
    "tiles:2x3",
    "tiles:3x2",
    "tiles:3x3",
    "tiles:3x3:push",
    "tiles:3x4",
    "tiles:4x4",
];

fn random_state(puzzle: &dyn Rules, random: &mut Random) -> State {
    match puzzle.scramble(random).unwrap() {
        Instance::State(state) => state,
        Instance::Puzzle(_) => unreachable!(),
    }
}

fn subgoals(puzzle: &dyn Rules) -> &dyn Subgoals {
    puzzle.capabilities().subgoals.unwrap()
}

fn permuted(map: &[u8], labels: &[u8]) -> Vec<u8> {
    let mut permuted = vec![0; labels.len()];
    map.iter().zip(labels).for_each(|(&to, &label)| permuted[usize::from(to)] = label);
    permuted
}

#[test]
fn moves_of_the_whole_are_moves_of_the_base_that_carry_labels() {
    for text in PUZZLES {
        let puzzle = registry::parse(text).unwrap();
        let subgoals = subgoals(&*puzzle);
        let base = registry::parse(&subgoals.base()).unwrap();
        let mut random = Random::new(7);
        for _ in 0..20 {
            let state = random_state(&*puzzle, &mut random);
            let view = subgoals.views(&state).swap_remove(0);
            let labels = subgoals.free(&state);
            assert_eq!(subgoals.over(&view, &labels), Some(state.clone()), "{text}");
            assert_eq!(base.parse_state(&base.print_state(&view)).unwrap(), view);
            let mut counts = vec![0; subgoals.labels().len()];
            labels.iter().for_each(|&label| counts[usize::from(label)] += 1);
            assert_eq!(counts, subgoals.labels());
            assert_eq!(puzzle.moves(&state), base.moves(&view));
            for mv in puzzle.moves(&state) {
                let after = puzzle.apply(&state, mv);
                assert_eq!(subgoals.views(&after)[0], base.apply(&view, mv));
                assert_eq!(subgoals.free(&after), permuted(&subgoals.carry(&view, mv), &labels), "{text}");
            }
        }
    }
}

#[test]
fn uniform_moves_do_what_moves_do() {
    for text in [
        "wrapslide:4x4:3",
        "wrapslide:4x4:4",
        "wrapslide:4x4:3:unit",
        "wrapslide:6x6:3:any",
        "wrapslide:6x6:4",
    ] {
        let puzzle = registry::parse(text).unwrap();
        let subgoals = subgoals(&*puzzle);
        let base = registry::parse(&subgoals.base()).unwrap();
        let uniform = subgoals.uniform().unwrap();
        let mut random = Random::new(5);
        for _ in 0..10 {
            let state = random_state(&*puzzle, &mut random);
            let views = subgoals.views(&state);
            let board = &views[0].0;
            let afters: Vec<Vec<u8>> =
                base.moves(&views[0]).into_iter().map(|mv| base.apply(&views[0], mv).0).collect();
            let moved: Vec<Vec<u8>> = uniform.moves.iter().map(|map| permuted(map, board)).collect();
            assert!(moved.iter().all(|board| afters.contains(board)), "{text}");
            // Every move is one of them, perhaps with a symmetry behind it.
            for after in &afters {
                let turned =
                    |board: &Vec<u8>| uniform.symmetries.iter().any(|map| permuted(map, board) == *after);
                assert!(moved.iter().any(turned), "{text}");
            }
            let class = base.index_of(&views[0]);
            for map in &uniform.symmetries {
                assert_eq!(base.index_of(&State(permuted(map, board))), class, "{text}");
            }
            // The other views pin the places of the labels that lead.
            assert_eq!(uniform.leaders.len() + 1, views.len());
            let mut free = subgoals.free(&state).into_iter();
            let labels: Vec<Option<u8>> =
                board.iter().map(|&byte| if byte == uniform.free { free.next() } else { None }).collect();
            for (view, &leader) in views[1..].iter().zip(&uniform.leaders) {
                let pinned: Vec<bool> = view.0.iter().map(|&byte| byte == uniform.pinned).collect();
                assert_eq!(
                    pinned,
                    labels.iter().map(|&label| label == Some(leader)).collect::<Vec<_>>(),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn a_search_by_masks_finds_what_a_search_by_moves_finds() {
    for (text, at_most) in [("wrapslide:4x4:3", 10), ("wrapslide:4x4:3:any", 10), ("wrapslide:4x4:3", 11)] {
        let dir = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(false);
        let masks = options(&dir.path().join("cache"));
        // Not enough for tables of masks.
        let moves = StudyOptions { memory: Some(100 << 20), ..masks.clone() };
        let one = run(text, at_most, &dir.path().join("masks"), &masks, silently(&stop)).unwrap();
        let two = run(text, at_most, &dir.path().join("moves"), &moves, silently(&stop)).unwrap();
        assert_eq!(one, two, "{text} at most {at_most}");
    }
}

/// States over solved states of the base, by random walks that end there.
fn solved_views(puzzle: &dyn Rules, base: &dyn Rules) -> Vec<State> {
    let subgoals = subgoals(puzzle);
    let mut state = puzzle.root().unwrap();
    let mut random = Random::new(3);
    let mut found = Vec::new();
    for _ in 0..2000 {
        let moves = puzzle.moves(&state);
        state = puzzle.apply(&state, moves[random.place(moves.len())]);
        if base.is_solved(&subgoals.views(&state)[0]) {
            found.push(state.clone());
        }
        if random.place(12) == 0 {
            state = puzzle.root().unwrap();
        }
    }
    assert!(found.len() > 20);
    found
}

#[test]
fn entrances_lead_to_the_fibre() {
    for text in PUZZLES {
        let puzzle = registry::parse(text).unwrap();
        let subgoals = subgoals(&*puzzle);
        let base = registry::parse(&subgoals.base()).unwrap();
        let fibre = registry::parse(&subgoals.fibre()).unwrap();
        let mut seen = std::collections::HashMap::new();
        for state in solved_views(&*puzzle, &*base) {
            let inside = subgoals.in_fibre(&state);
            assert_eq!(fibre.parse_state(&fibre.print_state(&inside)).unwrap(), inside, "{text}");
            assert_eq!(fibre.is_solved(&inside), puzzle.is_solved(&state), "{text}");
            let entrance = subgoals.entrance(&subgoals.views(&state)[0]);
            let ordered = permuted(&entrance.order, &subgoals.free(&state));
            let first = seen.entry((entrance.number, ordered)).or_insert_with(|| inside.clone());
            assert_eq!(fibre.index_of(first), fibre.index_of(&inside), "{text}");
        }
    }
}

#[test]
fn every_state_is_over_a_state_of_the_base() {
    for (text, arrangements) in [
        ("wrapslide:4x4:3", 495u128),
        ("wrapslide:6x6:3:any", 4_686_825),
        ("wrapslide:4x4:4", 34_650),
        // Half of the arrangements do not occur.
        ("tiles:3x3", 60),
        ("tiles:3x4", 20_160),
    ] {
        let puzzle = registry::parse(text).unwrap();
        let base = registry::parse(&subgoals(&*puzzle).base()).unwrap();
        let states = |puzzle: &dyn Rules| puzzle.totals().states.unwrap();
        assert_eq!(states(&*base) * arrangements, states(&*puzzle), "{text}");
    }
}

fn options(cache: &Path) -> StudyOptions {
    StudyOptions { cache: Some(cache.to_owned()), memory: Some(1 << 30), ..StudyOptions::default() }
}

fn run(
    text: &str,
    at_most: u32,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<ProofRecord> {
    let puzzle = registry::parse(text).unwrap();
    prove(&ProofPlan { puzzle: &*puzzle, at_most, longer: 3 }, dir, options, control)
}

/// Proves a bound and checks the proof; fails to prove a smaller one.
fn exactly(text: &str, gods_number: u32) {
    let dir = tempfile::tempdir().unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    let proof = dir.path().join("proof");
    let record = run(text, gods_number, &proof, &options, silently(&stop)).unwrap();
    assert!(record.is_complete());
    let found = check::check(&proof, Extent::Full, &options, silently(&stop)).unwrap().unwrap();
    assert_eq!((found.checked, found.at_most), (found.needed, gods_number));
    assert!(found.needed > 0, "{text} is not a test");
    below(text, gods_number - 1, dir.path(), &options);
}

/// A bound that is too small is never proven.
fn below(text: &str, at_most: u32, dir: &Path, options: &StudyOptions) {
    let stop = AtomicBool::new(false);
    match run(text, at_most, &dir.join("below"), options, silently(&stop)) {
        Err(error @ Error::Verification { .. }) => {
            assert!(error.to_string().contains(&format!("at least {}", at_most + 1)), "{text}: {error}");
        }
        other => panic!("{text} at most {at_most}: {other:?}"),
    }
}

#[test]
fn gods_numbers_are_proven_and_nothing_less() {
    exactly("wrapslide:4x4:3", 10);
    exactly("wrapslide:4x4:3:any", 10);
    exactly("tiles:2x3", 21);
    exactly("tiles:3x2", 21);
    exactly("tiles:2x4", 36);
    exactly("tiles:3x3", 31);
    exactly("tiles:3x3:push", 24);
}

#[test]
#[ignore = "half a minute; scripts/faults.sh runs it"]
fn larger_gods_numbers_are_proven_and_nothing_less() {
    exactly("wrapslide:4x4:3:unit", 11);
    exactly("wrapslide:4x4:4", 12);
}

#[test]
fn a_bound_below_the_base_is_refused_at_once() {
    let dir = tempfile::tempdir().unwrap();
    below("wrapslide:4x4:3", 5, dir.path(), &options(&dir.path().join("cache")));
}

/// Stops the work after that many blocks.
struct StopAfter<'a> {
    blocks: AtomicU64,
    stop: &'a AtomicBool,
}

impl Observer for StopAfter<'_> {
    fn counted(&self, what: &str, _: u64, _: u64) {
        if what.contains("blocks") && self.blocks.fetch_sub(1, Relaxed) == 1 {
            self.stop.store(true, Relaxed);
        }
    }
}

#[test]
fn a_certificate_is_the_same_with_any_threads_and_stops() {
    let dir = tempfile::tempdir().unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    let bytes = |name: &str| std::fs::read(dir.path().join(name).join(FILE)).unwrap();
    let one = StudyOptions { threads: Some(1), memory: Some(1 << 29), ..options.clone() };
    run("tiles:3x3", 31, &dir.path().join("one"), &one, silently(&stop)).unwrap();
    let three = StudyOptions { threads: Some(3), ..options.clone() };
    run("tiles:3x3", 31, &dir.path().join("three"), &three, silently(&stop)).unwrap();
    assert!(bytes("one") == bytes("three"));

    let mut runs = 0;
    loop {
        let stop = AtomicBool::new(false);
        let observer = StopAfter { blocks: AtomicU64::new(3), stop: &stop };
        let control = Control { stop: &stop, observer: &observer };
        match run("tiles:3x3", 31, &dir.path().join("stopped"), &one, control) {
            Ok(_) => break,
            Err(Error::Interrupted(_)) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        let unfinished =
            check::check(&dir.path().join("stopped"), Extent::Full, &one, silently(&AtomicBool::new(false)));
        assert!(unfinished.unwrap_err().to_string().contains("nothing is proven yet"));
    }
    assert!(runs > 1);
    assert!(bytes("one") == bytes("stopped"));
}

/// What tampering does to a certificate, and what `verify` complains about.
type Tampering = (&'static str, fn(&mut ProofRecord), &'static str);

/// The first block with a letter, its number and the letter's place.
fn find(record: &ProofRecord, letter: char) -> (u64, usize) {
    let mut blocks = record.closings.iter();
    blocks.find_map(|(&block, letters)| Some((block, letters.find(letter)?))).unwrap()
}

fn replace(record: &mut ProofRecord, from: char, to: &str) {
    let (block, place) = find(record, from);
    record.closings.get_mut(&block).unwrap().replace_range(place..place + 1, to);
}

#[test]
fn tampering_is_caught_whatever_is_changed() {
    let dir = tempfile::tempdir().unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    let proof = dir.path().join("proof");
    let record = run("tiles:3x3", 31, &proof, &options, silently(&stop)).unwrap();
    let cases: &[Tampering] = &[
        ("a class that closes later", |r| replace(r, '2', "1"), "leave"),
        ("a class that closes sooner", |r| replace(r, '0', "1"), "settle all of them"),
        ("a class that never closes", |r| replace(r, 'x', "3"), "of a class that it does not mark"),
        ("a class with nothing left", |r| replace(r, '1', "x"), "settle all of them"),
        ("a class that is dropped", |r| replace(r, '2', ""), "one letter for each"),
        (
            "a block that is dropped",
            |r| drop((r.closings.remove(&3), r.one_by_one.remove(&3))),
            "nothing is proven yet",
        ),
        ("a block that does not exist", |r| drop(r.closings.insert(99, "0".into())), "a block 99"),
        ("a state that is dropped", |r| drop(r.one_by_one.values_mut().next().unwrap().pop()), "are listed"),
        (
            "another state",
            |r| {
                let mut all = r.one_by_one.values_mut().flatten();
                let (one, two) = (all.next().unwrap(), all.next().unwrap());
                std::mem::swap(&mut one.state, &mut two.state);
            },
            "does not solve it",
        ),
        (
            "a solution with a move more",
            |r| r.one_by_one.values_mut().flatten().for_each(|s| s.solution += " L R L R L R L R L R L R"),
            "longer than the bound",
        ),
        ("a bound that is lower", |r| r.at_most -= 1, ""),
        ("a bound that is higher", |r| r.at_most += 1, ""),
        ("words that may be longer", |r| r.longer += 1, "class"),
        ("another table", |r| r.base.levels[9].digest ^= 1, "not those that the proof was made with"),
        ("another count", |r| r.fibre.levels[9].classes += 1, "not those that the proof was made with"),
        ("a level less", |r| r.fibre.levels.truncate(9), ""),
        ("another numbering", |r| r.base.index_scheme += 1, "not those that the proof was made with"),
        ("another puzzle", |r| r.puzzle = "tiles:3x4".into(), "not solved in the stages"),
        ("no puzzle", |r| r.puzzle = "tiles:0x4".into(), "is not a number of rows"),
        ("no levels", |r| r.base.levels.clear(), "a job without levels"),
        ("endless levels", |r| r.base.levels[9].classes = u128::MAX, "larger than any"),
    ];
    let mut missed = Vec::new();
    for (what, tamper, complaint) in cases {
        let mut changed = record.clone();
        tamper(&mut changed);
        assert!(changed != record, "{what}: nothing was changed");
        std::fs::write(proof.join(FILE), sealed::seal(&changed).unwrap().0).unwrap();
        let found = check::check(&proof, Extent::Full, &options, silently(&stop));
        match found {
            Err(error) if error.to_string().contains(complaint) => {}
            other => missed.push(format!("{what}: {other:?}")),
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
    std::fs::write(proof.join(FILE), sealed::seal(&record).unwrap().0).unwrap();
    assert!(check::check(&proof, Extent::Full, &options, silently(&stop)).is_ok());
    // A byte that is changed without a new seal.
    let mut bytes = std::fs::read(proof.join(FILE)).unwrap();
    let place = bytes.windows(8).position(|window| window == b"closings").unwrap() + 30;
    bytes[place] = if bytes[place] == b'1' { b'2' } else { b'1' };
    std::fs::write(proof.join(FILE), bytes).unwrap();
    assert!(matches!(
        check::check(&proof, Extent::Files, &options, silently(&stop)),
        Err(Error::Damaged { .. })
    ));
}

#[test]
fn a_job_that_was_changed_is_caught() {
    let dir = tempfile::tempdir().unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    let proof = dir.path().join("proof");
    run("tiles:2x3", 21, &proof, &options, silently(&stop)).unwrap();
    // The job of another puzzle in the place of the fibre's is made again, and so is a damaged one; what was
    // proven with other levels is refused.
    let level = dir.path().join("cache/tiles-2x3-edge/levels/00016.gls");
    let mut bytes = std::fs::read(&level).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&level, bytes).unwrap();
    assert!(check::check(&proof, Extent::Full, &options, silently(&stop)).is_ok());
}

#[test]
fn the_command_proves_checks_and_explains() {
    let dir = tempfile::tempdir().unwrap();
    let cache = dir.path().join("cache");
    let proof = dir.path().join("proof");
    let proof = proof.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = crate::common::godnum(arguments);
        let output = command.env("XDG_CACHE_HOME", &cache).current_dir(dir.path()).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, text, _) = run(&["prove", "tiles:3x2", "--at-most", "21", "--dir", proof]);
    assert_eq!(code, Some(0));
    assert!(
        text.starts_with("tiles:3x2: every state is solved in at most 21 moves (single metric); proven.")
    );
    let (code, text, _) = run(&["verify", proof, "--full"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("8 of 8 classes"), "{text}");
    let (code, _, error) = run(&["prove", "tiles:3x2", "--at-most", "22", "--dir", proof]);
    assert_eq!(code, Some(2));
    assert!(error.contains("holds another proof"), "{error}");
    let (code, _, error) = run(&["prove", "tiles:3x2", "--at-most", "20"]);
    assert_eq!(code, Some(4));
    assert!(error.contains("needs at least 21"), "{error}");
    let (code, text, _) = run(&["prove", "tiles:3x2", "--at-most", "21", "--estimate"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("core-hours"), "{text}");
    let from = dir.path().to_str().unwrap();
    let (code, text, error) = run(&["bounds", "tiles:3x2", "--from", from]);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        text.contains("At most 21: first tiles:3x2:edge, then tiles:2x2, and for each of the 8"),
        "{text}"
    );
    assert!(text.contains("From the proof in") && text.contains("tiles:2x2 is at most 6"), "{text}");
    assert!(text.contains("`godnum prove tiles:3x2 --at-most 20` would give"), "{text}");
    let place = dir.path().join("witness");
    let place = place.to_str().unwrap();
    let witness = ["witness", "tiles:3x2", "2 1/4 3/5 0", "--at-least", "20", "--dir", place];
    assert_eq!(run(&witness).0, Some(0));
    let (_, text, _) = run(&["bounds", "tiles:3x2", "--from", from]);
    assert!(text.contains("at least 20 and at most 21") && text.contains("At least 20: the state"), "{text}");
    let (code, text, _) = run(&["status", proof]);
    assert_eq!(code, Some(0));
    assert!(text.contains("at most 21"), "{text}");
    let error = complaint(&["prove", "wrapslide:4x4:2", "--at-most", "6"], 2);
    assert!(error.contains("has no subgoal"), "{error}");
    let error = complaint(&["prove", "tiles:5x5", "--at-most", "300"], 2);
    assert!(error.contains("has no subgoal"), "{error}");
    assert!(stdout(&["help", "proofs"]).contains("certificate"));
}

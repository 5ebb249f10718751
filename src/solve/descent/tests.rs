//! Descent against plain searches that know only the rules; which job is used; damage.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::*;
use crate::engine::Silent;
use crate::puzzles::registry;
use crate::solve::{Solved, choose, solve};
use crate::store::Lock;

/// Runs `work` with a workbench whose cache is in `dir`.
fn with_bench<T>(dir: &Path, memory: u64, work: impl FnOnce(&Workbench<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    work(&Workbench::new(dir.to_owned(), memory, 2, control))
}

fn solve_all(puzzle: &dyn Rules, bench: &Workbench<'_>, states: &[State]) -> Result<Vec<Solved>> {
    let choice = choose(puzzle, Some(NAME))?;
    let prepared = choice.prepare(bench)?;
    let effort = Effort::unbounded(bench.free(), bench.control.stop);
    let tried = states.iter().map(|state| solve(puzzle, &*prepared, state, &effort));
    tried.collect()
}

/// The distance of every state from the solved ones, by a search that knows the rules and nothing
/// else.
fn distances(puzzle: &dyn Rules) -> HashMap<State, u32> {
    let flood = |roots: Vec<State>| {
        let mut distances: HashMap<State, u32> = roots.iter().map(|root| (root.clone(), 0)).collect();
        let mut queue = VecDeque::from(roots);
        while let Some(state) = queue.pop_front() {
            let distance = distances[&state];
            for mv in puzzle.moves(&state) {
                let after = puzzle.apply(&state, mv);
                if !distances.contains_key(&after) {
                    distances.insert(after.clone(), distance + 1);
                    queue.push_back(after);
                }
            }
        }
        distances
    };
    let all = flood(vec![puzzle.root().unwrap()]);
    flood(all.into_keys().filter(|state| puzzle.is_solved(state)).collect())
}

#[test]
fn every_state_is_solved_in_as_many_moves_as_a_plain_search_finds() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [("wrapslide:4x4:2", 1820, 6), ("tiles:2x3", 360, 21), ("gourds:rows-2-3", 0, 0)];
    for (text, states, farthest) in cases {
        let puzzle = registry::parse(text).unwrap();
        let (states_there, expected): (Vec<State>, Vec<u32>) = distances(&*puzzle).into_iter().unzip();
        let solved =
            with_bench(dir.path(), 1 << 28, |bench| solve_all(&*puzzle, bench, &states_there).unwrap());
        for (solved, &distance) in solved.iter().zip(&expected) {
            assert_eq!(solved.length(), Some(distance), "{text}");
            assert!(solved.is_optimal());
        }
        if states > 0 {
            assert_eq!((expected.len(), expected.iter().max()), (states, Some(&farthest)));
        }
        assert!(expected.len() > 20, "{text}");
    }
}

fn some_state(puzzle: &dyn Rules) -> State {
    puzzle.parse_state("1212/2122/2212/2222").unwrap()
}

#[test]
fn a_job_in_the_cache_is_made_once_and_again_when_anything_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let state = [some_state(&*puzzle)];
    let length =
        || with_bench(dir.path(), 1 << 26, |bench| solve_all(&*puzzle, bench, &state).unwrap()[0].length());
    let expected = length();
    let job = dir.path().join("wrapslide-4x4-2");
    let age = |name: &str| fs::metadata(job.join(name)).unwrap().modified().unwrap();
    let (level, about) = ("levels/00004.gls", "job.json");
    let made = (age(level), age(about));
    assert_eq!(length(), expected);
    assert_eq!((age(level), age(about)), made, "it was made twice");
    for name in ["levels/00004.gls", "levels/00000.gls", "manifest.json", "job.json"] {
        let path = job.join(name);
        let sound = fs::read(&path).unwrap();
        let mut flipped = sound.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 4;
        for damaged in [&flipped[..], &sound[..sound.len() - 1], b""] {
            fs::write(&path, damaged).unwrap();
            assert_eq!(length(), expected, "{name}");
            if name != "manifest.json" {
                // It holds times.
                assert_eq!(fs::read(&path).unwrap(), sound, "{name}");
            }
        }
        fs::remove_file(&path).unwrap();
        assert_eq!(length(), expected, "without {name}");
        assert!(path.exists());
    }
    // A job that was stopped is finished.
    Job::discard(&job, &Disk::new(None, 0)).unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let options = Options { max_level: Some(2), ..Options::default() };
    engine::enumerate(&subject(&*puzzle).unwrap(), &job, &options, control).unwrap();
    assert_eq!(length(), expected);
    assert!(Job::open(&job).unwrap().manifest().unwrap().finished);
}

#[test]
fn memory_is_a_budget() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let state = [some_state(&*puzzle)];
    let tried = |memory| with_bench(dir.path(), memory, |bench| solve_all(&*puzzle, bench, &state));
    // Too little to enumerate with; then too little for the windows.
    assert!(matches!(tried(1 << 15), Err(Error::Limit(_))));
    assert!(tried(8 << 20).is_ok());
    assert!(matches!(tried(100), Err(Error::Limit(_))));
}

/// A space that is too large to be made on the way gets an error that says what to do.
#[test]
fn what_is_too_large_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:8x8:4").unwrap();
    let state = puzzle.root().unwrap();
    let error = with_bench(dir.path(), 1 << 26, |bench| solve_all(&*puzzle, bench, &[state]));
    let error = error.unwrap_err();
    let Error::Misdirected { instead, .. } = error else { panic!("{error}") };
    assert_eq!(instead, Instead::EnumerateFirst("wrapslide:8x8:4".into()));
}

#[test]
fn a_stopped_bench_makes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:6x6:2").unwrap();
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, observer: &Silent };
    let bench = Workbench::new(dir.path().to_owned(), 1 << 28, 1, control);
    let error = solve_all(&*puzzle, &bench, &[]).unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)), "{error}");
}

#[test]
fn a_process_that_works_in_the_cache_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let state = [some_state(&*puzzle)];
    let place = dir.path().join("locks/wrapslide-4x4-2");
    std::fs::create_dir_all(&place).unwrap();
    let lock = Lock::take(&place).unwrap();
    let pause = Duration::from_millis(500);
    let began = Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(pause);
            drop(lock);
        });
        with_bench(dir.path(), 1 << 26, |bench| {
            assert!(solve_all(&*puzzle, bench, &state).is_ok());
        });
    });
    assert!(began.elapsed() >= pause);
    // Unless the user wants to stop.
    let _lock = Lock::take(&place).unwrap();
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, observer: &Silent };
    let bench = Workbench::new(dir.path().to_owned(), 1 << 26, 1, control);
    let error = solve_all(&*puzzle, &bench, &state).unwrap_err();
    assert!(error.to_string().contains("waiting for process"), "{error}");
}

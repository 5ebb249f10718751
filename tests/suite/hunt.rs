//! Hunts for far states against known distances, and their journals.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::common::{complaint, silently, walk};
use godnum::engine::verify::Extent;
use godnum::engine::{Control, Job, Observer, Options};
use godnum::error::{Error, Result};
use godnum::puzzle::{Rules, State};
use godnum::puzzles::registry;
use godnum::random::Random;
use godnum::study::StudyOptions;
use godnum::study::hunt::{FILE, HuntPlan, HuntRecord, hunt, witness_dir};
use godnum::study::witness::check;

fn options(cache: &Path) -> StudyOptions {
    StudyOptions { cache: Some(cache.to_owned()), memory: Some(1 << 28), ..StudyOptions::default() }
}

fn plan(puzzle: &dyn Rules, at_least: u32, boards: u64, levels: u32) -> HuntPlan<'_> {
    HuntPlan { puzzle, at_least, boards, finds: 3, seed: 1, levels: Some(levels) }
}

/// The level of a state in a finished job.
fn level(puzzle: &dyn Rules, job: &Job, state: &State) -> u32 {
    let index = puzzle.index_of(state).unwrap() as u64;
    let levels = job.manifest().unwrap().levels;
    let found = levels.iter().find(|record| job.open_level::<u64>(record).unwrap().contains(index).unwrap());
    found.unwrap().level
}

#[test]
fn boards_are_symmetric_and_their_distances_are_right() {
    let dir = tempfile::tempdir().unwrap();
    let text = "wrapslide:4x4:3";
    let puzzle = registry::parse(text).unwrap();
    walk(text, &dir.path().join("job"), &Options::default());
    let job = Job::open(&dir.path().join("job")).unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    for last in [2, 4, 7] {
        // No state is at 11.
        let place = dir.path().join(format!("hunt-{last}"));
        let record = hunt(&plan(&*puzzle, 11, 60, last), &place, &options, silently(&stop)).unwrap();
        let mut distances = vec![0; 12];
        for number in 0..60 {
            let mut random = Random::instance(1, number);
            let scramble = puzzle.capabilities().scramble.unwrap();
            let board = (0..64).find_map(|_| scramble.symmetric(&mut random)).unwrap();
            // Fewer states are in its class than there are symmetries.
            let group = u128::from(puzzle.group_order());
            let class = puzzle.space().unwrap();
            let size = match class {
                godnum::space::AnySpace::Narrow(space) => {
                    space.states(&[puzzle.index_of(&board).unwrap() as u64])
                }
                godnum::space::AnySpace::Wide(_) => unreachable!(),
            };
            assert!(size < group, "{}", puzzle.print_state(&board));
            distances[level(&*puzzle, &job, &board) as usize] += 1;
        }
        assert_eq!((record.distances, record.finds.len()), (distances, 0), "levels to {last}");
    }
}

#[test]
fn finds_are_certified() {
    let dir = tempfile::tempdir().unwrap();
    let (stop, options) = (AtomicBool::new(false), options(&dir.path().join("cache")));
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    let place = dir.path().join("hunt");
    let record = hunt(&plan(&*puzzle, 9, 500, 5), &place, &options, silently(&stop)).unwrap();
    assert_eq!(record.finds.len(), 3);
    for (number, find) in (1..).zip(&record.finds) {
        let checked =
            check(&witness_dir(&place, number), Extent::Full, &options, silently(&stop)).unwrap().unwrap();
        assert_eq!((&checked.record.state, checked.record.at_least), (find, 9));
    }
}

/// Stops the work after that many boards.
struct StopAfter<'a> {
    boards: AtomicU64,
    stop: &'a AtomicBool,
}

impl Observer for StopAfter<'_> {
    fn counted(&self, what: &str, _: u64, _: u64) {
        if what.contains("boards") && self.boards.fetch_sub(1, Relaxed) == 1 {
            self.stop.store(true, Relaxed);
        }
    }
}

#[test]
fn a_journal_is_the_same_with_any_threads_and_stops() {
    let dir = tempfile::tempdir().unwrap();
    let options = options(&dir.path().join("cache"));
    let puzzle = registry::parse("wrapslide:4x4:3").unwrap();
    let go = |name: &str, options: &StudyOptions, control: Control<'_>| -> Result<HuntRecord> {
        hunt(&plan(&*puzzle, 10, 40, 4), &dir.path().join(name), options, control)
    };
    let bytes = |name: &str| std::fs::read(dir.path().join(name).join(FILE)).unwrap();
    let stop = AtomicBool::new(false);
    go("one", &StudyOptions { threads: Some(1), ..options.clone() }, silently(&stop)).unwrap();
    go("three", &StudyOptions { threads: Some(3), ..options.clone() }, silently(&stop)).unwrap();
    assert!(bytes("one") == bytes("three"));
    let mut stops = 0;
    loop {
        let stop = AtomicBool::new(false);
        let observer = StopAfter { boards: AtomicU64::new(7), stop: &stop };
        match go("stopped", &options, Control { stop: &stop, observer: &observer }) {
            Ok(_) => break,
            Err(Error::Interrupted(_)) => stops += 1,
            Err(error) => panic!("{error}"),
        }
    }
    assert!(stops > 2);
    assert!(bytes("one") == bytes("stopped"));
    // Another hunt is kept apart.
    let other = hunt(&plan(&*puzzle, 9, 40, 4), &dir.path().join("one"), &options, silently(&stop));
    assert!(other.unwrap_err().to_string().contains("holds another hunt"));
}

#[test]
fn puzzles_without_symmetric_states_are_rejected() {
    let error = complaint(&["hunt", "tiles:2x3", "--at-least", "21"], 2);
    assert!(error.contains("has no way to make symmetric states"), "{error}");
    let error = complaint(&["hunt", "triangles:sample", "--at-least", "2"], 2);
    assert!(error.contains("asks something else"), "{error}");
}

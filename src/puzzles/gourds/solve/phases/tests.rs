//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::super::ring::Ring;
use super::super::shown_cycle;
use super::*;
use crate::puzzle::{Instance, PuzzleSpec, Rules, Scramble, Setup};
use crate::random::Random;

#[test]
fn the_cycle_is_the_one_that_is_shown_where_that_works() {
    let stop = AtomicBool::new(false);
    let effort = Effort::unbounded(1 << 20, &stop);
    let mut shown = [0, 0];
    for seed in 0..20 {
        let text = format!("random:15:{seed}");
        let puzzle = Gourds::parse(&PuzzleSpec::split(&text, &[])).unwrap();
        let first = Ring::new(shown_cycle(puzzle.board()).unwrap());
        let Ok(Instance::State(state)) = puzzle.scramble(&mut Random::new(seed)) else { panic!("{text}") };
        for sort in Sort::ALL {
            let works = sort.works(puzzle.board(), &first);
            shown[usize::from(works)] += 1;
            match puzzle.phases(&state, sort.name(), &effort) {
                Ok(found) => {
                    let ring = Ring::new(found.cycle);
                    assert_eq!(ring == first, works, "{text}");
                    assert!(sort.works(puzzle.board(), &ring));
                    let moves = found.phases.into_iter().flat_map(|phase| phase.1);
                    let end = moves.fold(state.clone(), |at, mv| puzzle.apply(&at, mv));
                    assert!(puzzle.is_solved(&end), "{text}");
                }
                Err(error) => assert!(!works, "{text}: {error}"),
            }
        }
    }
    assert!(shown[0] > 0 && shown[1] > 0);
}

#[test]
fn who_stops_it_is_told_so() {
    let puzzle = Gourds::parse(&PuzzleSpec::split("hex19", &[])).unwrap();
    let stop = AtomicBool::new(true);
    let effort = Effort::unbounded(1 << 20, &stop);
    let state = puzzle.root().unwrap();
    let found = puzzle.phases(&state, "bubble", &effort);
    assert!(matches!(found, Err(Error::Interrupted(_))));
}

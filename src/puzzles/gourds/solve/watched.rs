//! The three phases for somebody who watches them: one cycle, one solved placement, and nothing made
//! shorter, so that each phase does what it says.
//!
//! The cycle is the one that pictures [show](super::shown_cycle) if the sort works on it, and otherwise
//! the next one on which it does. Of several solved placements of coloured gourds it is the one that
//! seems nearest.

use std::sync::atomic::Ordering::Relaxed;

use super::super::Gourds;
use super::super::rules::pairs_of;
use super::constructive::{LOOKED_AT, no_cycle, sortable};
use super::cycle;
use super::goals::Goals;
use super::homes::Distances;
use super::phases::{self, Sort};
use super::position::Position;
use crate::error::{Error, Result, usage};
use crate::puzzle::{Move, Phased, State};
use crate::solve::Effort;

/// The names of the sorts.
pub(in super::super) const SORTS: [&str; 2] = [Sort::ALL[0].name(), Sort::ALL[1].name()];

/// Solves a state in phases, with the sort of this name.
pub(in super::super) fn phased(
    puzzle: &Gourds,
    state: &State,
    sort: &str,
    effort: &Effort<'_>,
) -> Result<Phased> {
    let Some(sort) = Sort::ALL.into_iter().find(|known| known.name() == sort) else {
        return usage(format!(
            "gourds are sorted by {}, and `{}` is neither",
            SORTS.join(" or "),
            sort.escape_debug()
        ));
    };
    let board = puzzle.board();
    sortable(board)?;
    let mut rings = (0..LOOKED_AT).map_while(|seed| cycle::find(board, seed));
    let Some(ring) = rings.find(|ring| sort.works(board, ring)) else {
        return Err(no_cycle(sort.needs()));
    };
    let start = pairs_of(state);
    let targets = Goals::of(puzzle).nearest(puzzle, &Distances::new(board), &start, 1);
    let Some(target) = targets.first() else {
        return Err(Error::Limit(
            "no solved placement is known: the search for one was given up".into(),
        ));
    };
    let [start, target] = [&start, target].map(|pairs| Position::distinct(board, pairs));
    let phases = phases::solve(board, &ring, &start, &target, sort);
    // What was found late is found all the same.
    if effort.stop.load(Relaxed) {
        return Err(Error::Interrupted(
            "stopped before the phases were found".into(),
        ));
    }
    let failed = "a method that always works failed; please report this";
    let phases = phases.ok_or_else(|| Error::Verification(failed.into()))?;
    let parts = [
        ("align", phases.align),
        ("sort", phases.sort),
        ("unalign", phases.unalign),
    ];
    let moves = |way: Vec<u8>| way.into_iter().map(|cell| Move(cell.into())).collect();
    Ok(Phased {
        cycle: ring.cells,
        phases: parts.map(|(name, way)| (name, moves(way))).into(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::ring::Ring;
    use super::super::shown_cycle;
    use super::*;
    use crate::puzzle::{Instance, Puzzle, Words};
    use crate::random::Random;

    #[test]
    fn the_cycle_is_the_one_that_is_shown_where_that_works() {
        let stop = AtomicBool::new(false);
        let effort = Effort::unbounded(1 << 20, &stop);
        let mut shown = [0, 0];
        for seed in 0..20 {
            let text = format!("random:15:{seed}");
            let puzzle = Gourds::parse(&Words::split(&text, &[])).unwrap();
            let first = Ring::new(shown_cycle(puzzle.board()).unwrap());
            let Ok(Instance::State(state)) = puzzle.scramble(&mut Random::new(seed)) else {
                panic!("{text}")
            };
            for sort in Sort::ALL {
                let works = sort.works(puzzle.board(), &first);
                shown[usize::from(works)] += 1;
                match phased(&puzzle, &state, sort.name(), &effort) {
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
        let puzzle = Gourds::parse(&Words::split("hex19", &[])).unwrap();
        let stop = AtomicBool::new(true);
        let effort = Effort::unbounded(1 << 20, &stop);
        let state = puzzle.root().unwrap();
        let found = phased(&puzzle, &state, "bubble", &effort);
        assert!(matches!(found, Err(Error::Interrupted(_))));
    }
}

//! The index, the table of what fits and the number of fillings against slow twins.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::super::fits::{Fits, wish};
use super::super::pieces::{ANY, CASE, least, turns};
use super::*;
use crate::puzzles::tests as common;
use crate::space::{Direction, Space};

/// Puzzles with the largest number of pieces worth placing at random on each.
fn some_puzzles() -> Vec<(Triangles, usize)> {
    let parts = parts().map(|puzzle| (puzzle, 14));
    let random = (0..5).map(|part| (random_part(part as u64 + 100, part), 14));
    let hexagons = ["sample", "random:7"].map(|text| (puzzle(text), 11));
    parts.chain(random).chain(hexagons).collect()
}

/// Runs `check` on random fillings of all of them.
fn on_fillings(cases: u32, check: impl Fn(&Triangles, &State) -> std::result::Result<(), TestCaseError>) {
    for (puzzle, most) in some_puzzles() {
        common::check(&puzzle.title(), cases, &any::<u64>(), |seed| {
            check(&puzzle, &random_filling(&puzzle, seed, most))
        });
    }
}

fn class_of(puzzle: &Triangles, state: &State) -> u64 {
    puzzle.index_of(state).unwrap() as u64
}

#[test]
fn indices_and_states_are_inverse() {
    on_fillings(100, |puzzle, state| {
        let index = class_of(puzzle, state);
        prop_assert!(index < puzzle.space.universe());
        prop_assert_eq!(puzzle.space.canonical(index), Some(index));
        let other = puzzle.state_of(index.into()).unwrap();
        prop_assert_eq!(class_of(puzzle, &other), index);
        prop_assert_eq!(other.0.len(), state.0.len());
        // It is a filling by the rules.
        for k in 0..other.0.len() {
            let shown = puzzle.setting.rules.pieces.shown(Turned::from_byte(other.0[k]));
            prop_assert_eq!(puzzle.setting.rules.clash(&other.0[..k], shown), None);
        }
        Ok(())
    });
}

#[test]
fn expand_gives_the_classes_of_all_moves() {
    on_fillings(100, |puzzle, state| {
        let index = class_of(puzzle, state);
        let mut fast = Vec::new();
        puzzle.space.expand(&[index], &mut fast);
        prop_assert!(fast.len() <= puzzle.space.fanout());
        let fast = BTreeSet::from_iter(fast);
        // Of the state itself and of the one that stands for its class.
        for state in [state.clone(), puzzle.state_of(index.into()).unwrap()] {
            let moves = puzzle.moves(&state).into_iter();
            let slow = moves.map(|mv| class_of(puzzle, &puzzle.apply(&state, mv)));
            prop_assert_eq!(&fast, &slow.collect::<BTreeSet<_>>());
        }
        Ok(())
    });
}

/// The fillings of a class by filling the board with its pieces from the first cell on.
fn fillings(puzzle: &Triangles, used: u32, cells: usize, filling: &State, index: u64) -> u128 {
    if filling.0.len() == cells {
        return u128::from(class_of(puzzle, filling) == index);
    }
    let placements = puzzle.setting.rules.placements(&filling.0);
    let inside = placements.filter(|turned| used >> turned.piece & 1 == 1);
    inside
        .map(|turned| {
            let mut next = filling.clone();
            next.0.push(turned.byte());
            fillings(puzzle, used, cells, &next, index)
        })
        .sum()
}

#[test]
fn states_are_the_fillings_with_the_same_pieces_and_letters() {
    on_fillings(10, |puzzle, state| {
        let state = State(state.0[..state.0.len().min(9)].to_vec());
        let index = class_of(puzzle, &state);
        let pieces = state.0.iter().map(|&byte| Turned::from_byte(byte).piece);
        let used = pieces.fold(0, |used, piece| used | 1 << piece);
        let slow = fillings(puzzle, used, state.0.len(), &State(Vec::new()), index);
        prop_assert!(slow > 0);
        prop_assert_eq!(puzzle.space.states(&[index]), slow);
        Ok(())
    });
}

#[test]
fn exactly_the_classes_are_canonical() {
    for text in ["tri4", "hex6", "tri9"] {
        let puzzle = puzzle(text);
        let mut classes = BTreeMap::new();
        puzzle.setting.rules.all_fillings(&mut |filling| {
            let index = class_of(&puzzle, &State(filling.to_vec()));
            *classes.entry(index).or_insert(0u128) += 1;
            true
        });
        for index in 0..puzzle.space.universe() {
            let class = classes.contains_key(&index).then_some(index);
            assert_eq!(puzzle.space.canonical(index), class, "{text}: {index}");
        }
        for (&index, &states) in &classes {
            assert_eq!(puzzle.space.states(&[index]), states, "{text}: {index}");
        }
        let all: Vec<u64> = classes.keys().copied().collect();
        assert_eq!(puzzle.space.states(&all), classes.values().sum());
    }
}

#[test]
fn nothing_beyond_the_universe() {
    for (puzzle, _) in some_puzzles() {
        let universe = puzzle.space.universe();
        for index in [universe, universe + 1, u64::MAX] {
            assert_eq!(puzzle.space.canonical(index), None);
        }
        assert_eq!(puzzle.state_of(u128::MAX), None);
        assert_eq!(puzzle.state_of(1 << 64), None);
        // Without pieces there are no letters.
        assert_eq!(puzzle.space.canonical(1), None);
    }
    assert_eq!(puzzle("sample").space.universe(), 1 << (24 + 15));
}

#[test]
fn the_empty_board_is_the_only_root() {
    for (puzzle, _) in some_puzzles() {
        let empty = puzzle.start().unwrap();
        assert_eq!(puzzle.space.roots(), [class_of(&puzzle, &empty)]);
        assert_eq!(puzzle.state_of(0), Some(empty));
        let mut first = Vec::new();
        puzzle.space.expand(&[0], &mut first);
        assert_eq!(first.len(), puzzle.space.fanout());
        assert!(puzzle.space.direction() == Direction::Layered && puzzle.group_order() == 1);
    }
}

#[test]
fn there_are_176_pieces() {
    let letters = (0..512u16).map(|n| [n / 64, n / 8 % 8, n % 8].map(|l| l as u8));
    let pieces: BTreeSet<_> = letters.map(least).collect();
    assert_eq!(pieces.len(), 176);
    assert_eq!(pieces.iter().filter(|&&piece| turns(piece) == 1).count(), 8);
}

#[test]
fn the_table_lists_what_fits() {
    let rules = puzzle("sample").setting.rules;
    let fits = Fits::new(&rules.pieces);
    for up in [false, true] {
        for number in 0..9 * 9 * 9u16 {
            let wanted = [number / 81, number / 9 % 9, number % 9].map(|l| l as u8);
            let listed = fits.list(up, wish(wanted)).iter();
            let listed: Vec<_> = listed.map(|fit| (fit.piece, fit.turn)).collect();
            let suits = |turned: &Turned| {
                let shown = rules.pieces.shown(*turned);
                (0..3).all(|slot| {
                    let letter = if up { shown[slot] } else { shown[slot] ^ CASE };
                    wanted[slot] == ANY || wanted[slot] == letter
                })
            };
            let slow = rules.pieces.all_turned().filter(suits);
            let slow: Vec<_> = slow.map(|turned| (turned.piece, turned.turn)).collect();
            assert_eq!(listed, slow);
        }
    }
}

#[test]
fn the_hexagon_has_30_inner_edges() {
    let hexagon = TriangleBoard::new(HEXAGON);
    assert_eq!((hexagon.cells.len(), hexagon.edges.len()), (24, 30));
    let ups = hexagon.cells.iter().filter(|cell| cell.up).count();
    assert_eq!(ups, 12);
    for edge in &hexagon.edges {
        let (first, second) = (hexagon.cells[edge.first], hexagon.cells[edge.second]);
        assert_ne!(first.up, second.up);
        assert_eq!(first.edges[edge.slot], second.edges[edge.slot]);
    }
    let rim = hexagon.cells.iter().flat_map(|cell| cell.edges);
    assert_eq!(rim.filter(|edge| edge.is_none()).count(), 12);
    for (_, rows) in PARTS {
        let part = TriangleBoard::new(rows);
        for cell in &part.cells {
            let whole = hexagon.cells[hexagon.at(cell.row, cell.column).unwrap()];
            assert_eq!((cell.x, cell.up), (whole.x, whole.up));
        }
    }
}

//! Numbers by the places of pieces, against those of the plain space.

use crate::puzzles::perm::frame::{CellFrame, MOST_CELLS};
use crate::puzzles::perm::legality::Legality;
use crate::puzzles::perm::located::LocatedSpace;
use crate::puzzles::perm::numbering::Numbering;
use crate::puzzles::perm::space::CellSpace;
use crate::puzzles::perm::{symmetry, turns};
use crate::puzzles::registry;
use crate::puzzles::tests as common;
use crate::space::{Direction, Rows, Space};

/// The plain space of a puzzle, without symmetry.
fn plain(text: &str) -> CellSpace {
    let puzzle = registry::parse(text).unwrap();
    let definition = puzzle.capabilities().permutations.unwrap().definition();
    let moves = turns::turns(&definition, false).unwrap();
    let mut frame = CellFrame::new(&definition, &moves).unwrap();
    let numbering = Numbering::new(&frame).unwrap();
    let group = symmetry::trivial(&mut frame).members;
    CellSpace::new(frame, numbering, Legality::default(), group)
}

#[test]
fn places_agree_with_cells() {
    for (text, columns) in [
        ("pancake:6", 24),
        ("burnt:4", 48),
        ("topspin:6:4", 120),
        // Even permutations alone, and twists whose sum is known.
        ("loopover:3x3", 360),
        ("perm:2x2x2", 162),
        ("perm:dino", 360),
    ] {
        let plain = plain(text);
        let located = LocatedSpace::with_least(self::plain(text), 1, 1).ok().expect(text);
        let universe = Space::universe(&located);
        assert_eq!(u128::from(universe), plain.numbering.count, "{text}");
        assert!(located.columns() >= columns && universe % u64::from(located.columns()) == 0, "{text}");
        let some = (universe / 300 + 1) as usize;
        for number in (0..universe).step_by(some) {
            let cells = located.cells_of(number).unwrap();
            assert_eq!(located.number_of(&cells), Some(number), "{text}");
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            located.expand(&[number], &mut found);
            let rank = |number: u64| plain.numbering.rank(&located.cells_of(number).unwrap()) as u64;
            let mut found: Vec<u64> = found.into_iter().map(rank).collect();
            plain.expand(&[rank(number)], &mut expected);
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{text} {number}");
        }
        // All states of a part have numbers of their own.
        let (mut seen, mut cells) = (std::collections::HashSet::new(), [0; MOST_CELLS]);
        for rank in (0..universe).step_by(some.min(7)).take(5000) {
            plain.numbering.unrank(rank.into(), &mut cells);
            assert!(seen.insert(located.number_of(&cells).unwrap()), "{text}");
        }
        common::check_rows(&located, &located, (0..universe).step_by(some));
        let rows = universe / u64::from(located.columns());
        common::check_whole_rows(&located, &located, (0..rows).step_by(rows as usize / 3 + 1));
        assert_eq!(located.cells_of(universe), None);
    }
}

#[test]
fn levels_by_places_are_those_of_cells() {
    for text in ["pancake:6", "burnt:4", "topspin:6:4", "loopover:2x3", "lrx:6:lx"] {
        let mut plain = plain(text);
        if text == "lrx:6:lx" {
            plain.direction = Direction::Directed;
        }
        let expected = super::levels_of::<u64>(&plain);
        let located = LocatedSpace::with_least(plain, 1, 1).ok().expect(text);
        assert_eq!(super::levels_of(&located), expected, "{text}");
    }
}

/// Large ones are numbered by places, if nothing else is better.
#[test]
fn spaces_choose_their_numbers() {
    for (text, scheme) in [
        ("pancake:10", 3),
        ("burnt:10", 3),
        ("lrx:11:lx:nosym", 3),
        ("perm:dino:nosym", 3),
        ("pancake:9", 2),
        ("topspin:11:4", 2),
        ("perm:2x2x2", 2),
        ("burnt:8", 2),
    ] {
        assert_eq!(
            registry::parse(text).unwrap().capabilities().index.unwrap().index_scheme(),
            scheme,
            "{text}"
        );
    }
}

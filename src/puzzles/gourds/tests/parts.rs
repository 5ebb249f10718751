//! The parts of the index: shapes, arrangements, steps.

use super::*;
use crate::encode::Multiset;
use crate::puzzle::Indexed;
use crate::puzzles::gourds::arrangements::{Arrangements, KindWord, MOST_SLOTS};
use crate::puzzles::gourds::board::{HexBoard, cells_of, read_picture};
use crate::puzzles::gourds::file::{NAMED, entries};
use crate::puzzles::gourds::matching::can_be_paired;
use crate::puzzles::gourds::shapes::{self, Shape, Shapes};
use crate::puzzles::gourds::steps::ShapeStep;

/// All boards with names that are boards at all.
fn named_boards() -> Vec<(&'static str, HexBoard)> {
    let entries = entries(NAMED).unwrap().into_iter();
    let boards = entries.filter_map(|entry| Some((entry.name, entry.layout().ok()?.board)));
    boards.collect()
}

#[test]
fn numbers_of_shapes_are_those_in_the_file() {
    let boards = named_boards();
    assert_eq!(boards.len(), 21);
    let mut name = "";
    let mut checked = 0;
    for line in NAMED.lines() {
        if let Some(rest) = line.strip_prefix("board ") {
            name = rest.trim();
        }
        let Some((_, shapes)) = line.split_once("shapes=") else {
            continue;
        };
        let (_, board) = boards.iter().find(|(other, _)| *other == name).unwrap();
        let shapes: u64 = shapes.parse().unwrap();
        assert_eq!(Shapes::new(board).unwrap().count(), shapes, "{name}");
        assert_eq!(shapes::count(board), Some(shapes), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 8);
    let (_, star) = boards.iter().find(|(name, _)| *name == "star13").unwrap();
    assert_eq!(Shapes::new(star).unwrap().count(), 38);
}

#[test]
fn shapes_are_numbered_in_the_order_of_their_pairs() {
    for (name, board) in named_boards() {
        let shapes = Shapes::new(&board).unwrap();
        let mut previous: Vec<[u8; 2]> = Vec::new();
        for rank in 0..shapes.count().min(3000) {
            let shape = shapes.unrank(rank);
            assert_eq!(shapes.rank(&shape), rank);
            let pairs: Vec<[u8; 2]> = shape.pairs().collect();
            assert_eq!(Shape::new(&board, pairs.iter().copied()), shape);
            assert_eq!(pairs.len(), board.gourds());
            assert!(pairs > previous, "{name}");
            previous = pairs;
        }
        assert_eq!(shapes::first(&board), Some(shapes.unrank(0)), "{name}");
    }
}

/// Whether cells can be paired, by trying everything.
fn paired_by_trying(board: &HexBoard, set: u64, spare: bool) -> bool {
    if set == 0 {
        return true;
    }
    let cell = set.trailing_zeros() as usize;
    let rest = set & !(1 << cell);
    cells_of(board.neighbours(cell) & rest).any(|other| paired_by_trying(board, rest & !(1 << other), spare))
        || spare && paired_by_trying(board, rest, false)
}

#[test]
fn pairing_is_that_of_trying_everything() {
    for (name, board) in named_boards() {
        if board.size() > 25 {
            continue;
        }
        on_cases(name, 500, any::<u64>(), |&random| {
            let set = random & board.all();
            let spare = set.count_ones() % 2 == 1;
            prop_assert_eq!(can_be_paired(&board, set), paired_by_trying(&board, set, spare));
            Ok(())
        });
    }
}

#[test]
fn long_strips_have_a_first_shape_and_a_count() {
    let strip = |text| puzzle(text);
    let long = strip("rows-31-32");
    assert!(long.space.is_none() && long.totals().states.is_none());
    // Along the strip cells can be paired row by row.
    assert!(long.text() == "gourds:rows-31-32" && long.goal.unwrap()[0] == [0, 1]);
    for (text, same) in [("rows-4-5", "strip9"), ("rows-8-9", "seed7")] {
        let count = shapes::count(strip(text).board());
        assert_eq!(count, Shapes::new(strip(same).board()).map(|s| s.count()));
    }
}

#[test]
fn a_board_that_cannot_be_covered_is_refused() {
    // Two cells are the only neighbours of five others.
    let rows = "o.....o/.o.o.o./o.....o";
    let board = HexBoard::new(read_picture(rows).unwrap()).unwrap();
    assert_eq!(shapes::first(&board), None);
    assert_eq!(shapes::count(&board), Some(0));
    let why = reason(own(&format!("board bones\ntype shape\nrows {rows}\n"), ""));
    assert!(why.contains("line 3: gourds cannot be placed"), "{why}");
}

/// A word of letters in any order, with what else there is to try on it.
fn arrangement(counts: Vec<usize>) -> impl Strategy<Value = Vec<u8>> {
    let letters = (0..).zip(counts).flat_map(|(letter, count)| vec![letter; count]);
    Just(letters.collect::<Vec<u8>>()).prop_shuffle()
}

fn padded(word: &[u8]) -> KindWord {
    let mut padded = [0; MOST_SLOTS + 1];
    padded[..word.len()].copy_from_slice(word);
    padded
}

const COUNTS: &[&[usize]] = &[
    &[1],
    &[2],
    &[1, 1],
    &[2, 1],
    &[1, 1, 1, 1, 1],
    &[3, 1, 2],
    &[1, 2, 2, 1],
    &[1; 8],
    &[4, 4],
    &[1; 9],
    &[3, 3, 3, 2],
    &[1; 14],
    &[10, 9, 2],
    &[31],
];

#[test]
fn words_are_numbered_like_those_of_the_generic_ranking() {
    for counts in COUNTS {
        let plain = Arrangements::new(counts).unwrap();
        let slots = plain.slots() as u8;
        let mut tabulated = plain.clone();
        tabulated.tabulate((0..slots).flat_map(|i| (0..slots).map(move |j| (i, j))));
        let words = Multiset::new(counts).unwrap();
        assert_eq!(u128::from(plain.count()), words.count());
        let name = format!("{counts:?}");
        on_cases(&name, 200, arrangement(counts.to_vec()), |word| {
            let rank = words.rank(word).unwrap() as u64;
            for arrangements in [&plain, &tabulated] {
                prop_assert_eq!(arrangements.rank(&padded(word)), rank);
                prop_assert_eq!(arrangements.unrank(rank), padded(word));
                let shifted = arrangements.shifted(rank);
                for from in 0..slots {
                    prop_assert_eq!(shifted.letter(from), word[usize::from(from)]);
                    for to in 0..slots {
                        let mut after = word.clone();
                        let letter = after.remove(from.into());
                        after.insert(to.into(), letter);
                        let after = words.rank(&after).unwrap() as u64;
                        prop_assert_eq!(shifted.after(from, to), after);
                    }
                }
            }
            Ok(())
        });
    }
    assert!(Arrangements::new(&[1; 17]).is_none());
    assert!(Arrangements::new(&[32]).is_none());
}

proptest! {
    #[test]
    fn bits_move_with_their_slots(bits in prop::collection::vec(any::<bool>(), 1..=31), from: u8, to: u8, turns: bool) {
        let number = |bits: &[bool]| (0..).zip(bits).map(|(place, &bit)| u32::from(bit) << place).sum::<u32>();
        let (from, to) = (from % bits.len() as u8, to % bits.len() as u8);
        let step = ShapeStep { shape: 0, from, to, turns };
        let mut after = bits.clone();
        let bit = after.remove(from.into());
        after.insert(to.into(), bit ^ turns);
        prop_assert_eq!(step.moved(number(&bits), turns), number(&after));
    }
}

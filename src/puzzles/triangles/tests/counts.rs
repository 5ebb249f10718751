//! Sizes, levels and numbers of solutions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rayon::prelude::*;

use super::*;
use crate::error::Error;
use crate::puzzle::Counting;
use crate::puzzles::registry;
use crate::space::Space;

/// Classes and states of every level, by walking the space.
fn levels(puzzle: &Triangles) -> Vec<(usize, u128)> {
    let mut levels = Vec::new();
    let mut current: Vec<u64> = puzzle.space.roots();
    while !current.is_empty() {
        levels.push((current.len(), puzzle.space.states(&current)));
        let mut candidates = Vec::new();
        puzzle.space.expand(&current, &mut candidates);
        current = BTreeSet::from_iter(candidates).into_iter().collect();
    }
    levels
}

/// The same by listing every filling and putting equal ones together, with the rules alone.
fn plain_levels(puzzle: &Triangles) -> Vec<(usize, u128)> {
    let cells = puzzle.setting.rules.board.cells.len();
    let mut levels = vec![BTreeMap::new(); cells + 1];
    puzzle.setting.rules.all_fillings(&mut |filling| {
        let pieces = filling.iter().map(|&byte| Turned::from_byte(byte).piece);
        let pieces = pieces.fold(0u32, |set, piece| set | 1 << piece);
        let mut letters = [0; 5];
        let edges = puzzle.setting.rules.board.edges.iter();
        let open = edges.filter(|e| e.first < filling.len() && filling.len() <= e.second);
        for (letter, edge) in letters.iter_mut().zip(open) {
            let turned = Turned::from_byte(filling[edge.first]);
            *letter = puzzle.setting.rules.pieces.shown(turned)[edge.slot];
        }
        *levels[filling.len()].entry((pieces, letters)).or_insert(0u128) += 1;
        true
    });
    let levels = levels.iter().filter(|level| !level.is_empty());
    levels.map(|level| (level.len(), level.values().sum())).collect()
}

/// Counts by halves, all parts.
fn solutions(halves: &Halves) -> u128 {
    let prepared = halves.prepare(u64::MAX, &AtomicBool::new(false)).unwrap();
    let parts = (0..halves.parts()).into_par_iter();
    parts.map(|part| prepared.count(part)).sum()
}

/// Counts the full boards among all fillings.
fn plain_solutions(puzzle: &Triangles) -> u128 {
    let mut solutions = 0;
    puzzle.setting.rules.all_fillings(&mut |filling| {
        solutions += u128::from(filling.len() == puzzle.setting.rules.board.cells.len());
        true
    });
    solutions
}

/// Bits for the pieces in an order that a seed gives.
fn shuffled(puzzle: &Triangles, seed: u64) -> Vec<u32> {
    let mut bits: Vec<u32> = (0..puzzle.setting.rules.pieces.len() as u32).collect();
    Random::new(seed).shuffle(&mut bits);
    bits
}

#[test]
fn known_levels() {
    let classes = |text| -> Vec<usize> { levels(&puzzle(text)).iter().map(|l| l.0).collect() };
    assert_eq!(classes("tri4"), [1, 11, 80, 6, 1]);
    assert_eq!(classes("hex6"), [1, 18, 38, 65, 69, 50, 1]);
    for (text, known) in [("tri4", 6), ("hex6", 6), ("tri9", 348), ("half12", 640), ("band14", 6_364)] {
        let puzzle = puzzle(text);
        assert_eq!(solutions(&puzzle.halves), known, "{text}");
        let last = *levels(&puzzle).last().unwrap();
        assert_eq!(last, (1, known), "{text}");
    }
}

#[test]
fn levels_are_those_of_a_plain_search() {
    let random = [0, 1, 2, 3, 2, 1].into_iter().zip(40..);
    for puzzle in parts().chain(random.map(|(part, seed)| random_part(seed, part))) {
        let levels = levels(&puzzle);
        assert_eq!(levels, plain_levels(&puzzle), "{}", puzzle.title());
        let states = levels.iter().map(|level| level.1).sum();
        assert_eq!(puzzle.totals().states, Some(states));
        assert_eq!(puzzle.totals().classes, None);
    }
    assert_eq!(puzzle("sample").totals().states, None);
}

/// Pieces of few letters fit nearly everywhere; counting all fillings is given up after a while.
#[test]
fn too_many_fillings_are_not_counted() {
    let pile = "AAA1 AAa1 Aaa1 aaa1 AAB1 AAb1 AaB1 Aab1 ABa1 Aba1 aaB1 aab1 ABB1 ABb1";
    let file = format!("#GAME\n#PART\nband14\n#PILE\n{pile}\n");
    let puzzle = registry::parse_given("triangles:@given", Some(&file)).unwrap();
    let began = Instant::now();
    assert_eq!(puzzle.totals().states, None);
    println!("given up after {:?}", began.elapsed());
}

#[test]
fn first_levels_of_the_sample() {
    let sample = puzzle("sample");
    let mut level = sample.space.roots();
    let mut counts = Vec::new();
    for _ in 0..6 {
        counts.push((level.len(), sample.space.states(&level)));
        let mut candidates = Vec::new();
        sample.space.expand(&level, &mut candidates);
        candidates.sort_unstable();
        candidates.dedup();
        level = candidates;
    }
    assert_eq!(counts, FIRST_LEVELS);
}

/// The states were also counted by another program.
const FIRST_LEVELS: [(usize, u128); 6] =
    [(1, 1), (68, 68), (574, 584), (4_640, 4_776), (35_089, 37_294), (246_392, 277_537)];

#[test]
fn any_marked_pieces_give_the_number_of_a_plain_search() {
    for seed in 0..12 {
        let part = seed as usize % 4;
        let puzzle = random_part(seed, part);
        let known = plain_solutions(&puzzle);
        assert!(known > 0);
        assert_eq!(solutions(&puzzle.halves), known, "{part} of {seed}");
        let pieces = puzzle.setting.rules.pieces.len() as u32;
        for marked in [0, 1, pieces / 3, pieces - 1, pieces] {
            let bits = shuffled(&puzzle, seed + u64::from(marked));
            let halves = Halves::marking(&puzzle.setting.rules, bits, marked);
            assert_eq!(solutions(&halves), known, "{part} of {seed}, {marked}");
        }
    }
}

/// Pieces that do not come from a solution need not have one.
#[test]
fn mixed_pieces_are_counted_too() {
    let mut found = BTreeSet::new();
    for seed in 0..40 {
        let games = [generate::generate(seed), generate::generate(seed + 1000)];
        let mixed = games[0].pile[..3].iter().chain(&games[1].pile[..3]);
        let mut puzzle = puzzle("hex6");
        puzzle.setting.rules.pieces = PieceSet::new(mixed.map(|placed| placed.letters));
        let known = plain_solutions(&puzzle);
        assert_eq!(solutions(&Halves::new(&puzzle.setting.rules)), known);
        found.insert(known);
    }
    assert!(found.contains(&0) && found.len() > 1);
}

#[test]
fn counting_needs_memory_and_can_be_stopped() {
    let band = puzzle("band14");
    let prepare = |memory, stop| band.halves.prepare(memory, &AtomicBool::new(stop));
    let prepared = prepare(u64::MAX, false).unwrap();
    let needed = prepared.shared_bytes() + prepared.part_bytes();
    assert!(prepare(needed, false).is_ok());
    match prepare(needed - 1, false) {
        Err(Error::Limit(why)) => assert!(why.to_string().contains("needs")),
        _ => panic!("not refused"),
    }
    assert!(matches!(prepare(needed, true), Err(Error::Interrupted(_))));
    assert_eq!(prepared.count(band.halves.parts()), 0);
    assert_eq!(prepared.count(usize::MAX), 0);
}

/// The whole sample, with two choices of marked pieces. Another program, which fills the first
/// three rows in all ways and looks up the last one, gives the same number.
#[test]
fn solutions_of_the_sample() {
    let sample = puzzle("sample");
    assert_eq!(solutions(&sample.halves), SOLUTIONS);
    let bits = shuffled(&sample, 1);
    assert_eq!(solutions(&Halves::marking(&sample.setting.rules, bits, 13)), SOLUTIONS);
}

const SOLUTIONS: u128 = 369_238_704;

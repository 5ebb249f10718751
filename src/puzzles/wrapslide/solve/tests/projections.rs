//! Numberings and distances of projections.

use std::collections::HashMap;

use super::super::lanes::{LaneCells, Slides, distinct_slides};
use super::super::pair::Pair;
use super::super::projection::{Projection, ProjectionDistances};
use super::super::single::Single;
use super::with_bench;
use crate::puzzles::wrapslide::rules::WrapslideVariant;
use crate::puzzles::wrapslide::tests::puzzle;

/// The distances of all sets of cells with as many cells as the solved ones, by a plain search.
fn plain(variant: &WrapslideVariant, solved: Vec<LaneCells>) -> HashMap<LaneCells, u8> {
    let slides = Slides::new(variant.half());
    let mut distances: HashMap<LaneCells, u8> = solved.iter().map(|&cells| (cells, 0)).collect();
    let mut level = solved;
    while !level.is_empty() {
        let mut next = Vec::new();
        for cells in level {
            let distance = distances[&cells] + 1;
            for slide in variant.slides() {
                let after = slides.slid(&cells.map(u64::from), slide);
                let after = after.map(|word| word as u16);
                distances.entry(after).or_insert_with(|| {
                    next.push(after);
                    distance
                });
            }
        }
        level = next;
    }
    distances
}

fn agrees_with_a_plain_search<P: Projection>(text: &str, projection: P, sets: usize) {
    let variant = puzzle(text).variant;
    let slides = Slides::new(variant.half());
    let moves = distinct_slides(&variant);
    let solved = [0u16, 15]
        .into_iter()
        .flat_map(|a| [0, 15].map(|b| (a, b)))
        .flat_map(|(a, b)| [0, 15].map(|c| (a, b, c)))
        .flat_map(|(a, b, c)| [0, 15].map(|d| [a, b, c, d]));
    let size = |cells: &LaneCells| cells.iter().map(|bits| bits.count_ones()).sum::<u32>();
    let wanted = size(&projection.solved()[0]);
    let solved = solved.filter(|cells| size(cells) == wanted).collect();
    with_bench(|bench| {
        let found = ProjectionDistances::prepare(projection, "test", &slides, &moves, bench).unwrap();
        let plain = plain(&variant, solved);
        assert_eq!(plain.len(), sets);
        for (&cells, &distance) in &plain {
            assert_eq!(found.of(cells), distance, "{text} {cells:?}");
            found.projection.all_numbers(cells, &mut |number| {
                assert_eq!(found.at(number), distance, "{text} {cells:?}");
            });
        }
    });
}

#[test]
fn distances_of_one_colour_are_exact() {
    agrees_with_a_plain_search("4x4:2", Single::new(4), 1820);
    agrees_with_a_plain_search("4x4:2:unit", Single::new(4), 1820);
}

#[test]
fn distances_of_two_colours_are_exact() {
    agrees_with_a_plain_search("4x4:4", Pair::new(2), 12870);
    agrees_with_a_plain_search("4x4:4:unit", Pair::new(2), 12870);
}

/// Every number is listed once, in its place, with a set that can have it.
fn is_a_numbering<P: Projection>(projection: &P, every: usize) {
    let mut seen = 0;
    for part in 0..projection.parts() {
        projection.list(part, &mut |number, cells| {
            seen += 1;
            if number % every == 0 {
                let mut own = false;
                projection.all_numbers(cells, &mut |other| own |= other == number);
                assert!(own, "{number} {cells:?}");
                let mut chosen = false;
                let choice = projection.number(cells);
                projection.all_numbers(cells, &mut |other| chosen |= other == choice);
                assert!(chosen, "{number} {cells:?}");
            }
        });
    }
    assert_eq!(seen, projection.entries());
}

#[test]
fn every_number_has_its_set() {
    is_a_numbering(&Single::new(4), 1);
    is_a_numbering(&Pair::new(2), 1);
    let (single, pair) = (Single::new(9), Pair::new(3));
    is_a_numbering(&single, 1009);
    is_a_numbering(&pair, 1009);
    // 9 of 36 cells; and 142 million classes of 18 of them, with a tenth on top.
    assert_eq!(single.entries(), 94_143_280);
    assert_eq!(pair.entries(), 156_158_789);
}

/// The tables of 6x6, in minutes: one colour has the states of the two-colour puzzle in each level.
#[test]
#[ignore = "takes minutes; run it after a change to a projection"]
fn the_large_tables_are_exact() {
    let variant = puzzle("6x6:2").variant;
    let slides = Slides::new(3);
    let moves = distinct_slides(&variant);
    with_bench(|bench| {
        let single = ProjectionDistances::prepare(Single::new(9), "single", &slides, &moves, bench).unwrap();
        let mut levels = [0u64; 13];
        for number in 0..single.projection.entries() {
            levels[usize::from(single.at(number))] += 1;
        }
        let published = include_str!("../../../../../tests/golden/wrapslide-6x6-2.csv");
        let states = published.lines().skip(1);
        let states = states.map(|line| line.rsplit(',').next().unwrap().parse().unwrap());
        assert_eq!(levels.to_vec(), states.collect::<Vec<u64>>());
        let pair = ProjectionDistances::prepare(Pair::new(3), "pair", &slides, &moves, bench).unwrap();
        check_neighbours(&pair, &slides, &variant);
    });
}

/// A number of every kind: its neighbours are at most one away, and one of them is nearer.
fn check_neighbours<P: Projection>(
    found: &ProjectionDistances<P>,
    slides: &Slides,
    variant: &WrapslideVariant,
) {
    for part in 0..found.projection.parts() {
        found.projection.list(part, &mut |number, cells| {
            if number % 97 != 0 {
                return;
            }
            let distance = found.at(number);
            let neighbours = variant.slides().map(|slide| {
                let after = slides.slid(&cells.map(u64::from), slide);
                found.of(after.map(|word| word as u16))
            });
            let nearest = neighbours
                .inspect(|&other| assert!(other.abs_diff(distance) <= 1, "{number} {cells:?}"))
                .min();
            let solved = found.projection.solved();
            match distance {
                0 => assert!(
                    solved.iter().any(|&s| found.projection.number(s) == number)
                        || cells.iter().all(|&q| q == 0 || q == 511)
                ),
                _ => assert_eq!(nearest, Some(distance - 1), "{number} {cells:?}"),
            }
        });
    }
}

//! What a puzzle's space costs: canonical form, expansion, and the ranking below them.

mod common;

use std::hint::black_box;

use common::{BATCH, candidates, classes, criterion, numbers};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use godnum::encode::cpu::Portable;
use godnum::encode::permutation::{self, Parity};
use godnum::encode::{Carry, Combination, Multiset, Sets};
use godnum::puzzles::registry;
use godnum::space::{AnySpace, Index, Space};

/// One of each kind, and of Wrapslide one for each width of the index.
const PUZZLES: [&str; 6] = [
    "wrapslide:6x6:2",
    "wrapslide:6x6:4:fixed",
    "wrapslide:8x8:4",
    "tiles:3x4",
    "klotski:all",
    "gourds:rows13",
];

fn main() {
    let mut criterion = criterion();
    spaces(&mut criterion);
    rank(&mut criterion);
    criterion.final_summary();
}

fn spaces(criterion: &mut Criterion) {
    for text in PUZZLES {
        let puzzle = registry::parse(text).expect("a puzzle");
        match puzzle.space().expect("a space") {
            AnySpace::Narrow(space) => measure(criterion, text, space),
            AnySpace::Wide(space) => measure(criterion, text, space),
        }
    }
}

/// The canonical form of random states; the candidates of the classes of random states.
fn measure<I: Index>(criterion: &mut Criterion, text: &str, space: &dyn Space<I>) {
    let states = numbers(1 << 14, space.universe());
    let mut group = criterion.benchmark_group("canonical");
    group.throughput(Throughput::Elements(states.len() as u64));
    group.bench_function(text, |bencher| {
        bencher.iter(|| {
            let found = states.iter().filter_map(|&state| space.canonical(state));
            found.fold(I::default(), |last, index| last.max(index))
        });
    });
    group.finish();

    let classes = classes(space, 1 << 14);
    let mut found = candidates(space, &classes);
    let mut group = criterion.benchmark_group("expand");
    group.throughput(Throughput::Elements(found.len() as u64));
    group.bench_function(text, |bencher| {
        bencher.iter(|| {
            for batch in classes.chunks(BATCH) {
                found.clear();
                space.expand(batch, &mut found);
                black_box(&found);
            }
        });
    });
    group.finish();
}

/// From numbers to things and back.
fn rank(criterion: &mut Criterion) {
    const COUNT: usize = 1 << 12;
    let mut group = criterion.benchmark_group("rank");
    group.throughput(Throughput::Elements(COUNT as u64));

    let combination = Combination::new(36, 9).expect("9 of 36");
    both(
        &mut group,
        "combination 36-9",
        &numbers(COUNT, combination.count()),
        |rank| combination.unrank(rank),
        |mask| combination.rank(*mask),
    );
    let sets = Sets::<4>::new(36, 9).expect("four sets of 9");
    both(
        &mut group,
        "sets 4x9",
        &numbers(COUNT, sets.count() as u64),
        |rank| sets.unrank::<u64>(Portable, rank),
        |masks| sets.rank::<u64>(Portable, masks),
    );
    let even = |rank: u64| permutation::unrank_with_parity(12, rank.into(), Parity::Even);
    both(
        &mut group,
        "even permutation 12",
        &numbers(COUNT, 239_500_800u64),
        |rank| even(rank).expect("an even permutation"),
        |items| permutation::rank_with_parity(items).expect("a permutation") as u64,
    );
    let multiset = Multiset::new(&[9, 9, 9, 9]).expect("four letters");
    both(
        &mut group,
        "multiset 9-9-9-9",
        &numbers(COUNT, multiset.count()),
        |rank| multiset.unrank(rank).expect("a word"),
        |word| multiset.rank(word).expect("a rank"),
    );
    // A tile of tiles:3x4 that goes up passes three others.
    let carry = Carry::new(11, 7, 4, Parity::Even).expect("a carry");
    let mut ranks = numbers(COUNT, 19_958_400u64);
    group.bench_function("carry 11", |bencher| {
        // What is carried is of the other parity, but the work is the same.
        bencher.iter(|| carry.apply(black_box(&mut ranks)));
    });
    group.finish();
}

/// Unranks numbers, and ranks what comes out of that.
fn both<I: Index, T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    ranks: &[I],
    unrank: impl Fn(I) -> T,
    rank: impl Fn(&T) -> I,
) {
    group.bench_function(format!("{name}, unrank"), |bencher| {
        bencher.iter(|| {
            for &number in ranks {
                black_box(unrank(number));
            }
        });
    });
    let things: Vec<T> = ranks.iter().map(|&number| unrank(number)).collect();
    group.bench_function(format!("{name}, rank"), |bencher| {
        bencher.iter(|| {
            for thing in &things {
                black_box(rank(thing));
            }
        });
    });
}

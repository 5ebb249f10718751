//! The engine on spaces whose levels a formula gives: hypercubes, walked both ways and upwards
//! only. They show that the engine knows nothing of puzzles, and they test wide indices, layered
//! spaces and indices that lie all over the universe.

use std::sync::atomic::AtomicBool;

use crate::common::assert_same_job;
use godnum::encode::binomial::choose;
use godnum::engine::{self, ContainerKind, Control, End, Identity, Options, Silent, Subject, Totals};
use godnum::space::{AnySpace, Direction, Index, Space};

/// Corners of a cube of some dimension, numbered in a scattered way. A move flips one bit; in
/// the layered kind it only sets one.
#[derive(Clone, Copy)]
struct Cube {
    dimension: u32,
    layered: bool,
    /// Indices are spread over a universe that needs 128 bits.
    wide: bool,
    /// Says that it is layered, and is not.
    broken: bool,
}

/// Odd, so that multiplying by it permutes the numbers below any power of two.
const SCATTER: u64 = 0x9E37_79B9_7F4A_7C15;

impl Cube {
    fn size(&self) -> u64 {
        1 << self.dimension
    }

    fn number(&self, corner: u64) -> u64 {
        corner.wrapping_mul(SCATTER) & (self.size() - 1)
    }

    fn corner(&self, number: u64) -> u64 {
        // Newton's iteration for the inverse of an odd number modulo 2^64.
        let mut inverse = SCATTER;
        for _ in 0..6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(SCATTER.wrapping_mul(inverse)));
        }
        number.wrapping_mul(inverse) & (self.size() - 1)
    }

    fn spread(&self) -> u32 {
        if self.wide { 90 } else { 0 }
    }
}

impl<I: Index> Space<I> for Cube {
    fn universe(&self) -> I {
        I::narrow(u128::from(self.size()) << self.spread())
    }

    fn roots(&self) -> Vec<I> {
        vec![I::narrow(u128::from(self.number(0)) << self.spread())]
    }

    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        for index in batch {
            let corner = self.corner((index.wide() >> self.spread()) as u64);
            for bit in 0..self.dimension {
                let neighbour = corner ^ 1 << bit;
                if !self.layered || neighbour > corner {
                    let number = u128::from(self.number(neighbour));
                    candidates.push(I::narrow(number << self.spread()));
                }
            }
        }
    }

    fn fanout(&self) -> usize {
        self.dimension as usize
    }

    fn states(&self, batch: &[I]) -> u128 {
        3 * batch.len() as u128
    }

    fn canonical(&self, index: I) -> Option<I> {
        Some(index)
    }

    fn direction(&self) -> Direction {
        if self.layered || self.broken { Direction::Layered } else { Direction::Reversible }
    }
}

impl Subject for Cube {
    fn identity(&self) -> Identity {
        let classes = u128::from(self.size());
        Identity {
            text: format!("cube:{}:{}:{}", self.dimension, self.layered, self.wide),
            index_scheme: 1,
            content: None,
            totals: Totals { states: Some(3 * classes), classes: Some(classes), existing: None },
        }
    }
    fn space(&self) -> AnySpace<'_> {
        match self.wide {
            true => AnySpace::Wide(self),
            false => AnySpace::Narrow(self),
        }
    }
}

/// A ring walked in one direction only.
struct OneWay;

impl Space<u64> for OneWay {
    fn universe(&self) -> u64 {
        1000
    }
    fn roots(&self) -> Vec<u64> {
        vec![0]
    }
    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        candidates.extend(batch.iter().map(|index| (index + 1) % 1000));
    }
    fn fanout(&self) -> usize {
        1
    }
    fn states(&self, batch: &[u64]) -> u128 {
        batch.len() as u128
    }
    fn canonical(&self, index: u64) -> Option<u64> {
        Some(index)
    }
}

/// Moves that cannot be undone are noticed before the job begins.
#[test]
fn moves_that_cannot_be_undone_are_explained() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let identity = Identity { text: "ring".into(), ..Identity::default() };
    let subject = (identity, AnySpace::Narrow(&OneWay));
    let error = engine::enumerate(&subject, &job, &Options::default(), control).unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert!(error.to_string().contains("cannot be undone"), "{error}");
    assert!(!job.exists(), "nothing is made for it");
}

#[test]
fn cubes_have_binomial_levels() {
    let dimension = 18;
    let expected: Vec<u128> = (0..=dimension).map(|k| u128::from(choose(dimension, k))).collect();
    for (layered, wide) in [(false, false), (false, true), (true, false), (true, true)] {
        let cube = Cube { dimension: dimension as u32, layered, wide, broken: false };
        let dir = tempfile::tempdir().unwrap();
        let mut ways = vec![(None, 64 << 20), (Some(ContainerKind::Sparse), 4 << 20)];
        if !wide {
            ways.push((Some(ContainerKind::Dense), 6 << 20));
        }
        for (i, (container, memory)) in ways.into_iter().enumerate() {
            let options =
                Options { memory: Some(memory), threads: Some(1 + i), container, ..Options::default() };
            let job = dir.path().join(i.to_string());
            let stop = AtomicBool::new(false);
            let control = Control { stop: &stop, observer: &Silent };
            let outcome = engine::enumerate(&cube, &job, &options, control).unwrap();
            assert_eq!(outcome.end, End::Finished);
            let levels = outcome.manifest.levels;
            let classes: Vec<u128> = levels.iter().map(|level| level.classes).collect();
            assert_eq!(classes, expected);
            assert!(levels.iter().all(|level| level.states == 3 * level.classes));
            assert_same_job(&dir.path().join("0"), &job);
        }
    }
}

/// A space that breaks its contract (a walk over it would go back and forth for ever) is noticed
/// as soon as there are more classes than there can be.
#[test]
fn more_classes_than_there_are_is_an_error() {
    let cube = Cube { dimension: 6, layered: false, wide: false, broken: true };
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let result = engine::enumerate(&cube, &dir.path().join("job"), &Options::default(), control);
    let error = result.map(|outcome| outcome.end).unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
}

/// Level sets take little more than the entropy of a random set of their size.
#[test]
fn level_sets_are_small() {
    let cube = Cube { dimension: 20, layered: false, wide: false, broken: false };
    let dir = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let outcome = engine::enumerate(&cube, &dir.path().join("job"), &Options::default(), control).unwrap();
    for level in outcome.manifest.levels {
        if level.classes < 10_000 {
            continue;
        }
        let entropy = ((1u64 << 20) as f64 / level.classes as f64).log2() + 1.44;
        let bits = 8.0 * level.bytes as f64 / level.classes as f64;
        assert!(bits < 1.3 * entropy, "level {}: {bits} bits a class, entropy {entropy}", level.level);
    }
}

//! Directed spaces against a plain search: random graphs whose arcs go one way, in all containers, stopped
//! and resumed, verified, and declared wrongly.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::common::{assert_same_job, names_in, silently};
use godnum::engine::verify::{Extent, LocalMaxima, verify};
use godnum::engine::{self, ContainerKind, Description, End, Identity, Job, Keep, Manifest, Options, Silent};
use godnum::error::{Error, Result};
use godnum::space::{AnySpace, Direction, Index, Space};
use godnum::store::disk::Disk;

/// Every vertex has an arc to a vertex close by and one to any vertex; the first of them is the root.
struct Arcs {
    targets: Vec<[u64; 2]>,
    /// Indices are spread over a universe that is as many times as large.
    spread: u64,
    direction: Direction,
    /// After this many expanded vertices the search is asked to stop.
    patience: AtomicU64,
    stop: AtomicBool,
}

impl Arcs {
    fn new(vertices: u64, seed: u64, spread: u64) -> Arcs {
        let mut random = seed;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let arcs = |from: u64| match from % 3 {
            0 => [(from + 1) % vertices, next(vertices)],
            1 => [(from + 1) % vertices, (from + vertices - 1 - next(50)) % vertices],
            _ => [(from + 1 + next(3)) % vertices, from],
        };
        Arcs {
            targets: (0..vertices).map(arcs).collect(),
            spread,
            direction: Direction::Directed,
            patience: AtomicU64::new(u64::MAX),
            stop: AtomicBool::new(false),
        }
    }

    /// A long way with arcs back to everywhere: many levels, all of which are subtracted.
    fn long(vertices: u64) -> Arcs {
        let mut arcs = Arcs::new(vertices, 1, 1);
        for (from, targets) in (0..).zip(&mut arcs.targets) {
            *targets = [(from + 1) % vertices, from * 7 / 9];
        }
        arcs
    }

    /// The distances by a plain search.
    fn distances(&self) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.targets.len()];
        distances[0] = Some(0);
        let mut queue = VecDeque::from([0]);
        while let Some(from) = queue.pop_front() {
            for &to in &self.targets[from] {
                if distances[to as usize].is_none() {
                    distances[to as usize] = distances[from].map(|distance: usize| distance + 1);
                    queue.push_back(to as usize);
                }
            }
        }
        distances
    }

    /// Vertices by distance, and those among them without an arc to a farther one.
    fn plain(&self) -> Vec<(u128, u128)> {
        let distances = self.distances();
        let mut levels = Vec::new();
        for (from, distance) in distances.iter().enumerate() {
            let Some(distance) = *distance else { continue };
            if levels.len() <= distance {
                levels.resize(distance + 1, (0, 0));
            }
            levels[distance].0 += 1;
            let farther = |&&to: &&u64| distances[to as usize] == Some(distance + 1);
            levels[distance].1 += u128::from(self.targets[from].iter().find(farther).is_none());
        }
        levels
    }

    fn walk(&self, dir: &Path, options: &Options) -> Result<(End, Manifest)> {
        self.stop.store(false, Relaxed);
        let outcome = engine::enumerate(&self.subject(), dir, options, silently(&self.stop))?;
        Ok((outcome.end, outcome.manifest))
    }

    fn subject(&self) -> (Identity, AnySpace<'_>) {
        let identity = Identity { text: "arcs".into(), ..Identity::default() };
        match self.spread > 1 << 40 {
            true => (identity, AnySpace::Wide(self)),
            false => (identity, AnySpace::Narrow(self)),
        }
    }
}

impl<I: Index> Space<I> for Arcs {
    fn universe(&self) -> I {
        I::narrow(self.targets.len() as u128 * u128::from(self.spread))
    }
    fn roots(&self) -> Vec<I> {
        vec![I::of(0)]
    }
    fn fanout(&self) -> usize {
        2
    }
    fn expand(&self, batch: &[I], candidates: &mut Vec<I>) {
        for from in batch {
            if self.patience.fetch_sub(1, Relaxed) == 0 {
                self.stop.store(true, Relaxed);
            }
            let targets = self.targets[(from.wide() / u128::from(self.spread)) as usize];
            candidates.extend(targets.map(|to| I::narrow(u128::from(to) * u128::from(self.spread))));
        }
    }
    fn canonical(&self, index: I) -> Option<I> {
        let spread = I::of(self.spread);
        (index < Space::<I>::universe(self) && index % spread == I::of(0)).then_some(index)
    }
    fn direction(&self) -> Direction {
        self.direction
    }
}

/// All containers, in little memory and in more.
fn ways() -> Vec<Options> {
    let containers = [None, Some(ContainerKind::Sparse), Some(ContainerKind::Dense)];
    let with = |container, memory, threads| Options {
        memory: Some(memory),
        threads: Some(threads),
        container,
        ..Options::default()
    };
    let both = |container| [with(container, 1 << 20, 1), with(container, 64 << 20, 3)];
    containers.into_iter().flat_map(both).collect()
}

fn classes(manifest: &Manifest) -> Vec<u128> {
    manifest.levels.iter().map(|level| level.classes).collect()
}

#[test]
fn directed_levels_are_those_of_a_plain_search() {
    for (arcs, name) in [
        (Arcs::new(30_000, 1, 1), "dense"),
        (Arcs::new(3_000, 2, 1), "small"),
        (Arcs::new(20_000, 3, 1000), "thin"),
        (Arcs::new(5_000, 4, 1 << 60), "wide"),
        (Arcs::long(300), "long"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let plain = arcs.plain();
        for (i, way) in ways().iter().enumerate() {
            if arcs.spread > 1 << 40 && way.container == Some(ContainerKind::Dense) {
                continue;
            }
            let job = dir.path().join(i.to_string());
            let (end, manifest) = arcs.walk(&job, way).unwrap();
            assert_eq!(end, End::Finished);
            let expected: Vec<u128> = plain.iter().map(|&(vertices, _)| vertices).collect();
            assert_eq!(classes(&manifest), expected, "{name} {way:?}");
            assert_same_job(&dir.path().join("0"), &job);
        }
        // A search that looks only two levels back would find vertices again.
        assert!(plain.len() > 10, "{name} has {} levels", plain.len());
        let stop = AtomicBool::new(false);
        let job = dir.path().join("0");
        let findings = verify(&arcs.subject(), &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap();
        assert_eq!(findings.classes, plain.iter().map(|&(vertices, _)| vertices).sum());
        let maxima: Vec<LocalMaxima> = (0..)
            .zip(&plain)
            .map(|(level, &(_, maxima))| LocalMaxima { level, classes: maxima, states: maxima })
            .collect();
        assert_eq!(findings.local_maxima, maxima, "{name}");
        verify(&arcs.subject(), &job, Extent::Sample(500, 1), 64 << 20, &stop, &Silent).unwrap();
    }
}

/// Stopped wherever it happens to be, and resumed in another container, until it is done.
#[test]
fn stopped_directed_walks_end_with_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let arcs = Arcs::new(30_000, 1, 1);
    let whole = dir.path().join("whole");
    arcs.walk(&whole, &Options::default()).unwrap();
    for patience in [50, 700, 5_000] {
        let job = dir.path().join(patience.to_string());
        let mut stops = 0;
        for (round, way) in ways().iter().cycle().enumerate() {
            arcs.patience.store(patience + round as u64 * 13, Relaxed);
            let options = Options { checkpoint_every: std::time::Duration::ZERO, ..way.clone() };
            match arcs.walk(&job, &options) {
                Ok((End::Finished, _)) => break,
                Ok((End::AtMaxLevel, _)) => panic!("no level was named"),
                Err(Error::Interrupted(_)) => stops += 1,
                Err(error) => panic!("{error}"),
            }
            assert!(round < 2_000, "it never ends");
        }
        assert!(stops > 2, "{patience}: stopped {stops} times");
        assert_same_job(&whole, &job);
    }
}

#[test]
fn a_directed_walk_needs_all_levels() {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let options = Options { keep: Keep::LastTwo, ..Options::default() };
    let error = Arcs::new(100, 1, 1).walk(&job, &options).unwrap_err();
    assert_eq!(error.exit_code(), 2, "{error}");
    assert!(error.to_string().contains("needs all of its level sets"), "{error}");
    assert!(!job.exists());
}

/// The first of the arcs' declarations that cannot be true is noticed before anything is made.
#[test]
fn false_declarations_are_noticed_at_the_start() {
    for (direction, words) in
        [(Direction::Reversible, "cannot be undone"), (Direction::Layered, "is declared layered")]
    {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let arcs = Arcs { direction, ..Arcs::new(1000, 5, 1) };
        let error = arcs.walk(&job, &Options::default()).unwrap_err();
        assert_eq!(error.exit_code(), 4, "{error}");
        assert!(error.to_string().contains(words), "{error}");
        assert!(!job.exists());
    }
}

/// Walks `wrong` into a job, past the checks before a job begins, and has `truth` verify it.
fn verdict(wrong: &Arcs, truth: &Arcs, last: u32) -> Result<()> {
    let dir = tempfile::tempdir().unwrap();
    let job = dir.path().join("job");
    let disk = Disk::new(None, 0);
    drop(Job::open_or_create(&job, Description::of(&wrong.subject()), &disk)?);
    // The walk may notice by itself that it finds more than there is.
    let _ = wrong.walk(&job, &Options { max_level: Some(last), ..Options::default() });
    assert!(!names_in(&job.join("levels")).is_empty());
    let stop = AtomicBool::new(false);
    verify(&truth.subject(), &job, Extent::Full, 64 << 20, &stop, &Silent).map(|_| ())
}

#[test]
fn wrong_directed_levels_are_noticed_by_verify() {
    let truth = Arcs::new(3_000, 2, 1);
    let distances = truth.distances();
    let last = distances.iter().flatten().max().unwrap();
    verdict(&truth, &truth, 1_000).unwrap();
    let at = |distance: usize| distances.iter().position(|&at| at == Some(distance)).unwrap();
    let expect = |wrong: Arcs, words: &str| {
        let error = verdict(&wrong, &truth, 60).unwrap_err();
        assert_eq!(error.exit_code(), 4, "{error}");
        assert!(error.to_string().contains(words), "{words}: {error}");
    };
    // Only two levels are subtracted: vertices come again.
    expect(Arcs { direction: Direction::Reversible, ..Arcs::new(3_000, 2, 1) }, ", too");
    // Another arc in place of one that leads to nothing new brings the farthest vertex too close.
    let mut shortcut = Arcs::new(3_000, 2, 1);
    let idle = |&from: &usize| {
        let to = truth.targets[from][1] as usize;
        distances[from] >= Some(3) && distances[from] < Some(last - 1) && distances[to] <= distances[from]
    };
    let from = (0..3_000).find(idle).unwrap();
    shortcut.targets[from][1] = at(*last) as u64;
    expect(shortcut, "has no neighbour in the level before");
    // Arcs too few: what they lead to is found later, or not at all.
    let mut gap = Arcs::new(3_000, 2, 1);
    let from = (0..3_000).find(|&from| {
        let to = gap.targets[from][0] as usize;
        let entries = gap.targets.iter().flatten().filter(|&&target| target as usize == to).count();
        distances[from].is_some() && entries == 1 && distances[to] == distances[from].map(|d| d + 1)
    });
    let from = from.unwrap();
    gap.targets[from][0] = from as u64;
    expect(gap, "which is in none of the levels");
}

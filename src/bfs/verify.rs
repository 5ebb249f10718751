//! Checks a job by other means than those that made it.
//!
//! *Always*: every checksum, the order of indices, the counts, the tables, and the sums against
//! the formulas.
//!
//! *For every class, or for a seeded sample*: its index is canonical; its neighbours lie only in
//! the level before, its own and the next; one of them lies in the level before (unless it is a
//! root); the states of a level are the sum of its orbits. Level 0 is exactly the roots. Together
//! these certify the distances: by induction on the level, a class in level k has a path of k
//! moves to a root, and no shorter one, because no move skips a level.
//!
//! The neighbours are not looked up in bitmaps or by merging runs, as the engine does, but sorted
//! together with the class they come from and compared with the three level sets in one sweep.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::job::{Description, Job};
use super::level_set::{Kind, SortedSet};
use super::manifest::Manifest;
use super::{Observer, budget, check_totals};
use crate::error::{Error, Result};
use crate::puzzle::{AnySpace, Index, Space, registry};
use crate::report::{count, levels_csv, timing_csv};

/// How much to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Files and sums only.
    Files,
    /// And so many classes of each level, chosen by the seed.
    Sample(u64, u64),
    /// And every class.
    Full,
}

/// What was checked.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Levels whose files were read.
    pub levels: u32,
    /// Classes whose neighbours were checked.
    pub classes: u128,
    /// Neighbours that were looked for.
    pub neighbours: u128,
    /// What could not be checked, in sentences.
    pub left_out: Vec<String>,
}

/// Checks the job in `dir`. The first thing that is wrong is returned as an error.
pub fn verify(
    dir: &Path,
    extent: Extent,
    memory: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Findings> {
    let job = Job::open(dir)?;
    let puzzle = registry::parse(&job.description.puzzle)?;
    let expected = Description::of(&*puzzle)?;
    if job.description != expected {
        return Err(Error::damaged(
            &job.path("job.json"),
            format!(
                "the job numbers its classes by index scheme {}, this build by {}",
                job.description.index_scheme, expected.index_scheme
            ),
            "use the godnum version that made the job, or start again with --fresh",
        ));
    }
    let manifest = job.manifest()?;
    check_tables(&job, &manifest)?;
    let mut findings = match puzzle.space() {
        Some(AnySpace::Narrow(space)) => {
            Verifier::new(space, &job, &manifest, memory, stop, observer)?.run(extent)?
        }
        Some(AnySpace::Wide(space)) => {
            Verifier::new(space, &job, &manifest, memory, stop, observer)?.run(extent)?
        }
        None => Findings::default(),
    };
    if manifest.finished {
        check_totals(&*puzzle, &manifest)?;
        if puzzle.total_states().is_none() {
            findings
                .left_out
                .push("no formula is known for the number of states".into());
        }
    } else {
        findings.left_out.push(
            "the job is not finished: sums are not held to formulas, and the last level's \
             neighbours beyond it are not looked for"
                .into(),
        );
    }
    Ok(findings)
}

/// `levels.csv` and `timing.csv` must be what the manifest gives.
fn check_tables(job: &Job, manifest: &Manifest) -> Result<()> {
    let tables = [
        ("levels.csv", levels_csv(&manifest.levels)),
        ("timing.csv", timing_csv(&manifest.levels)),
    ];
    for (name, expected) in tables {
        let path = job.path(name);
        if !path.exists() && manifest.levels.is_empty() {
            continue;
        }
        let found = std::fs::read(&path).map_err(|e| Error::io("read", &path, e))?;
        if found != expected.as_bytes() {
            return Err(Error::damaged(
                &path,
                "the table is not what the manifest says",
                format!(
                    "the manifest is sound; `godnum resume {}` writes the table again",
                    job.dir().display()
                ),
            ));
        }
    }
    Ok(())
}

struct Verifier<'a, I> {
    space: &'a dyn Space<I>,
    job: &'a Job,
    manifest: &'a Manifest,
    /// Neighbours in hand at a time.
    batch: usize,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
    findings: Findings,
}

/// A neighbour, and the number of the class in hand that it is a neighbour of.
type Link<I> = (I, u32);

impl<'a, I: Index> Verifier<'a, I> {
    fn new(
        space: &'a dyn Space<I>,
        job: &'a Job,
        manifest: &'a Manifest,
        memory: u64,
        stop: &'a AtomicBool,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        let memory = memory.max(budget::LEAST);
        // Links and the classes they come from take half; sorting and blocks have the rest.
        let batch = memory as usize / 2 / size_of::<Link<I>>();
        Ok(Verifier {
            space,
            job,
            manifest,
            batch: batch.min(1 << 28),
            stop,
            observer,
            findings: Findings::default(),
        })
    }

    fn run(mut self, extent: Extent) -> Result<Findings> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        if kept.start > 0 {
            self.findings.left_out.push(format!(
                "the level sets below level {} were not kept",
                kept.start
            ));
        }
        for level in kept.clone() {
            self.files(level)?;
            self.findings.levels += 1;
        }
        if kept.start == 0 && !kept.is_empty() {
            self.roots()?;
        }
        if extent == Extent::Files {
            return Ok(self.findings);
        }
        for level in kept {
            self.level(level, extent)?;
        }
        Ok(self.findings)
    }

    fn open(&self, level: u32) -> Result<SortedSet<I>> {
        let about = self.job.description.about(Kind::Level, level);
        SortedSet::open(&self.job.level_path(level), &about)
    }

    fn wrong(&self, level: u32, what: String) -> Error {
        Error::Verification(format!(
            "level {level} of {} is wrong: {what}",
            self.job.description.puzzle
        ))
    }

    fn go_on(&self) -> Result<()> {
        if self.stop.load(Relaxed) {
            return Err(Error::Interrupted(
                "stopped before everything was checked; nothing wrong was found so far".into(),
            ));
        }
        Ok(())
    }

    /// The file of a level, by itself and against the manifest.
    fn files(&self, level: u32) -> Result<()> {
        self.go_on()?;
        self.observer.note(&format!("level {level}: reading"));
        let set = self.open(level)?;
        set.check(self.space.universe())?;
        let (totals, record) = (set.totals(), &self.manifest.levels[level as usize]);
        let length = std::fs::metadata(self.job.level_path(level)).map_or(0, |m| m.len());
        if (totals.count, totals.states, totals.chain, length)
            != (record.classes, record.states, record.chain, record.bytes)
        {
            return Err(Error::damaged(
                &self.job.level_path(level),
                "it is not the level set that the manifest names",
                "put back the right file, or go back to the level before with \
                 `godnum resume DIR --from-level L`",
            ));
        }
        Ok(())
    }

    fn roots(&self) -> Result<()> {
        let set = self.open(0)?;
        let mut found = Vec::new();
        for block in 0..set.blocks() {
            set.block(block, &mut found)?;
        }
        if found != self.space.roots() {
            return Err(self.wrong(0, "it is not the set of solved classes".into()));
        }
        Ok(())
    }

    /// The classes of a level: canonical, counted, and between their neighbours.
    fn level(&mut self, level: u32, extent: Extent) -> Result<()> {
        self.observer
            .note(&format!("level {level}: checking classes"));
        let set = self.open(level)?;
        let chosen: Option<Vec<usize>> = match extent {
            Extent::Sample(count, seed) => Some(sample_blocks(set.blocks(), count, seed, level)),
            _ => None,
        };
        let blocks = chosen.unwrap_or_else(|| (0..set.blocks()).collect());
        let per_block = match extent {
            Extent::Sample(count, _) => (count as usize).div_ceil(blocks.len().max(1)),
            _ => usize::MAX,
        };
        let fanout = self.space.fanout().max(1);
        let per_round = (self.batch / fanout).clamp(1, u32::MAX as usize);
        let mut states = 0u128;
        let mut classes: Vec<I> = Vec::new();
        for (i, &block) in blocks.iter().enumerate() {
            let start = classes.len();
            set.block(block, &mut classes)?;
            if classes.len() - start > per_block {
                thin_out(&mut classes, start, per_block);
            }
            let last = i + 1 == blocks.len();
            if last || classes.len() + super::level_set::BLOCK > per_round {
                self.go_on()?;
                states += self.round(level, &classes)?;
                classes.clear();
            }
        }
        let record = &self.manifest.levels[level as usize];
        if extent == Extent::Full && states != record.states {
            return Err(self.wrong(
                level,
                format!(
                    "its orbits add up to {} states, not {}",
                    count(states),
                    count(record.states)
                ),
            ));
        }
        Ok(())
    }

    /// Checks some classes of a level, ascending; returns the states they stand for.
    fn round(&mut self, level: u32, classes: &[I]) -> Result<u128> {
        let space = self.space;
        let bad = classes
            .par_iter()
            .find_any(|&&class| space.canonical(class) != Some(class));
        if let Some(bad) = bad {
            return Err(self.wrong(level, format!("index {bad} is not canonical")));
        }
        let mut links: Vec<Link<I>> = classes
            .par_chunks(256)
            .enumerate()
            .flat_map_iter(|(chunk, batch)| {
                let mut links = Vec::with_capacity(batch.len() * space.fanout());
                let mut neighbours = Vec::with_capacity(space.fanout());
                for (i, class) in batch.iter().enumerate() {
                    neighbours.clear();
                    space.expand(std::slice::from_ref(class), &mut neighbours);
                    let from = (chunk * 256 + i) as u32;
                    links.extend(neighbours.iter().map(|&to| (to, from)));
                }
                links
            })
            .collect();
        links.par_sort_unstable();
        links.dedup();
        self.findings.classes += classes.len() as u128;
        self.findings.neighbours += links.len() as u128;
        let links = self.certify(level, links, classes.len())?;
        // Beyond the last level of an unfinished job there may be anything.
        let last = level as usize + 1 == self.manifest.levels.len();
        if let (Some(&(to, from)), false) = (links.first(), last && !self.manifest.finished) {
            return Err(self.wrong(
                level,
                format!(
                    "class {} has the neighbour {to}, which is in none of the levels next to it",
                    classes[from as usize]
                ),
            ));
        }
        Ok(classes
            .par_chunks(256)
            .map(|batch| space.states(batch))
            .sum())
    }

    /// Takes the links away that lead into the level before, this one or the next; sees to it
    /// that every class has one into the level before.
    fn certify(&self, level: u32, mut links: Vec<Link<I>>, classes: usize) -> Result<Vec<Link<I>>> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        let layered = self.space.layered();
        if layered {
            // Every move leads into the next level, and every class of it is reached from here.
            if kept.contains(&(level + 1)) {
                strike(&self.open(level + 1)?, &mut links, |_| {})?;
            }
            return Ok(links);
        }
        if level > 0 {
            if !kept.contains(&(level - 1)) {
                return Ok(Vec::new());
            }
            let mut reached = vec![false; classes];
            strike(&self.open(level - 1)?, &mut links, |from| {
                reached[from as usize] = true
            })?;
            if let Some(orphan) = reached.iter().position(|&reached| !reached) {
                return Err(self.wrong(
                    level,
                    format!("class number {orphan} of those in hand has no neighbour in the level before"),
                ));
            }
        }
        strike(&self.open(level)?, &mut links, |_| {})?;
        if kept.contains(&(level + 1)) {
            strike(&self.open(level + 1)?, &mut links, |_| {})?;
        }
        Ok(links)
    }
}

/// Removes the links whose target is in `set`, telling where each of them comes from.
fn strike<I: Index>(
    set: &SortedSet<I>,
    links: &mut Vec<Link<I>>,
    mut hit: impl FnMut(u32),
) -> Result<()> {
    let mut block: Vec<I> = Vec::new();
    let (mut next, mut at) = (0, 0);
    let mut kept = 0;
    for i in 0..links.len() {
        let (to, from) = links[i];
        let mut moved = false;
        while next < set.blocks() && set.first_of(next) <= to {
            next += 1;
            moved = true;
        }
        if moved {
            block.clear();
            set.block(next - 1, &mut block)?;
            at = 0;
        }
        while at < block.len() && block[at] < to {
            at += 1;
        }
        if at < block.len() && block[at] == to {
            hit(from);
        } else {
            links[kept] = (to, from);
            kept += 1;
        }
    }
    links.truncate(kept);
    Ok(())
}

/// Some blocks of a level, ascending, chosen by the seed.
fn sample_blocks(blocks: usize, count: u64, seed: u64, level: u32) -> Vec<usize> {
    // A few classes from each of many blocks.
    let wanted = (count.div_ceil(64).max(1) as usize).min(blocks);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(level));
    let mut chosen: Vec<usize> = (0..wanted * 2)
        .map(|_| ((u128::from(random.next_u64()) * blocks as u128) >> 64) as usize)
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen.truncate(wanted);
    chosen
}

/// Keeps `count` of the classes from `start` on, evenly spread.
fn thin_out<I: Copy>(classes: &mut Vec<I>, start: usize, count: usize) {
    let length = classes.len() - start;
    for i in 0..count {
        classes[start + i] = classes[start + i * length / count];
    }
    classes.truncate(start + count);
}

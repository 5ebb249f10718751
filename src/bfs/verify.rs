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
//! In a layered space, the neighbours of a level must be exactly the next level instead.
//!
//! The neighbours are not looked up in bitmaps or by merging runs, as the engine does, but sorted
//! together with the class they come from and compared with the three level sets in one sweep.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use bitvec::prelude::*;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::job::{Description, Job, Lock};
use super::level_set::{BLOCK, Kind, SortedSet};
use super::manifest::Manifest;
use super::{Observer, check_totals};
use crate::error::{Error, Result};
use crate::puzzle::{AnySpace, Index, Space, registry};
use crate::report::{count, levels_csv, timing_csv};

/// With less memory than this, every few classes would need a sweep through three levels.
const LEAST: u64 = 64 << 20;

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
    if let Some(pulse) = Lock::holder(dir) {
        return Err(Error::Locked {
            dir: dir.to_owned(),
            pid: pulse.pid.to_string(),
        });
    }
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

/// The level sets around a level.
struct Near<I> {
    before: Option<SortedSet<I>>,
    same: Option<SortedSet<I>>,
    next: Option<SortedSet<I>>,
    /// In a layered space: which classes of the next level were reached.
    reached: Option<BitVec>,
    /// Whether every neighbour must be in one of them.
    complete: bool,
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
        let memory = memory.max(LEAST);
        // Links and the classes they come from take half; sorting and blocks have the rest.
        let batch = memory as usize / 2 / size_of::<Link<I>>();
        Ok(Verifier {
            space,
            job,
            manifest,
            // Sorting more than this would keep a stop signal waiting.
            batch: batch.min(1 << 25),
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
        set.check(|| self.go_on())?;
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
        let set = self.open(level)?;
        let (blocks, per_block) = match extent {
            Extent::Sample(count, seed) => {
                let blocks = sample_blocks(set.blocks(), count, seed, level);
                let per_block = (count as usize).div_ceil(blocks.len().max(1));
                (blocks, per_block)
            }
            _ => ((0..set.blocks()).collect(), usize::MAX),
        };
        let per_round = (self.batch / self.space.fanout().max(1)).max(BLOCK);
        let mut near = self.near(level)?;
        let mut states = 0u128;
        let mut classes: Vec<I> = Vec::new();
        for (i, &block) in blocks.iter().enumerate() {
            let start = classes.len();
            set.block(block, &mut classes)?;
            if classes.len() - start > per_block {
                thin_out(&mut classes, start, per_block);
            }
            let last = i + 1 == blocks.len();
            if last || classes.len() + BLOCK > per_round {
                let share = 100 * (i + 1) / blocks.len();
                let note = format!("level {level}: checking classes, up to {share} %");
                self.observer.note(&note);
                states += self.round(level, &classes, &mut near)?;
                classes.clear();
            }
        }
        if extent != Extent::Full {
            return Ok(());
        }
        if let Some(orphan) = near.reached.as_ref().and_then(|r| r.first_zero()) {
            let what = format!("class number {orphan} is reached from nowhere");
            return Err(self.wrong(level + 1, what));
        }
        let expected = self.manifest.levels[level as usize].states;
        if states != expected {
            let (states, expected) = (count(states), count(expected));
            let what = format!("its orbits add up to {states} states, not {expected}");
            return Err(self.wrong(level, what));
        }
        Ok(())
    }

    /// The level sets around a level, as far as they were kept.
    fn near(&mut self, level: u32) -> Result<Near<I>> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        let open = |wanted: u32| match kept.contains(&wanted) {
            true => self.open(wanted).map(Some),
            false => Ok(None),
        };
        let layered = self.space.layered();
        let next = open(level + 1)?;
        let reached = next
            .as_ref()
            .filter(|_| layered)
            .map(|set| bitvec![0; set.totals().count as usize]);
        let before = match level {
            0 => None,
            _ if layered => None,
            _ => open(level - 1)?,
        };
        let same = if layered { None } else { open(level)? };
        let last = level as usize + 1 == self.manifest.levels.len();
        // Beyond the last level of an unfinished job there may be anything.
        let mut complete = !last || self.manifest.finished;
        if level > 0 && !layered && before.is_none() {
            complete = false;
            self.findings.left_out.push(format!(
                "whether the neighbours of level {level} are where they must be: level {} was not \
                 kept",
                level - 1
            ));
        }
        Ok(Near {
            before,
            same,
            next,
            reached,
            complete,
        })
    }

    /// Checks some classes of a level, ascending; returns the states they stand for.
    fn round(&mut self, level: u32, classes: &[I], near: &mut Near<I>) -> Result<u128> {
        let space = self.space;
        self.go_on()?;
        let bad = classes
            .par_iter()
            .find_any(|&&class| space.canonical(class) != Some(class));
        if let Some(bad) = bad {
            return Err(self.wrong(level, format!("index {bad} is not canonical")));
        }
        self.go_on()?;
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
        self.go_on()?;
        links.par_sort_unstable();
        links.dedup();
        self.findings.classes += classes.len() as u128;
        self.findings.neighbours += links.len() as u128;
        if let Some(before) = &near.before {
            let mut has_way_back = bitvec![0; classes.len()];
            self.strike(before, &mut links, |from, _| {
                has_way_back.set(from as usize, true)
            })?;
            if let Some(orphan) = has_way_back.first_zero() {
                let class = classes[orphan];
                let what = format!("class {class} has no neighbour in the level before");
                return Err(self.wrong(level, what));
            }
        }
        if let Some(same) = &near.same {
            self.strike(same, &mut links, |_, _| {})?;
        }
        if let Some(next) = &near.next {
            let reached = &mut near.reached;
            self.strike(next, &mut links, |_, position| {
                if let Some(reached) = reached {
                    reached.set(position as usize, true);
                }
            })?;
        }
        if let (Some(&(to, from)), true) = (links.first(), near.complete) {
            let class = classes[from as usize];
            let what = format!(
                "class {class} has the neighbour {to}, which is in none of the levels next to it"
            );
            return Err(self.wrong(level, what));
        }
        self.go_on()?;
        let batches = classes.par_chunks(256);
        Ok(batches.map(|batch| space.states(batch)).sum())
    }

    /// Removes the links whose target is in `set`; tells where each of them comes from, and the
    /// target's position.
    fn strike(
        &self,
        set: &SortedSet<I>,
        links: &mut Vec<Link<I>>,
        mut hit: impl FnMut(u32, u64),
    ) -> Result<()> {
        let mut cursor = set.cursor();
        let mut kept = 0;
        for i in 0..links.len() {
            if i % (1 << 20) == 0 {
                self.go_on()?;
            }
            let (to, from) = links[i];
            match cursor.find(to)? {
                Some(position) => hit(from, position),
                None => {
                    links[kept] = (to, from);
                    kept += 1;
                }
            }
        }
        links.truncate(kept);
        Ok(())
    }
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

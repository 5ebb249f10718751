//! The classes of a level, and where their neighbours are.

use bitvec::prelude::*;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::{Extent, LocalMaxima, Verifier, go_on};
use crate::error::Result;
use crate::space::{Direction, Index};
use crate::store::level_set::{BLOCK, SortedSet};

/// The level sets around a level.
struct Near<I> {
    before: Option<SortedSet<I>>,
    same: Option<SortedSet<I>>,
    next: Option<SortedSet<I>>,
    /// The two levels before, with their numbers: they must have no class in common with it. (In a
    /// directed space the verifier has all of them.)
    earlier: Vec<(u32, SortedSet<I>)>,
    /// Where moves cannot be undone: which classes of the next level were reached.
    reached: Option<BitVec>,
    /// Whether every neighbour must be in one of them.
    complete: bool,
    /// The classes without a neighbour in the next level, where that is known.
    maxima: Option<LocalMaxima>,
}

/// Look-ups in ascending order between two looks at the stop flag: each can read a block and a page of the
/// block index.
const LOOK_UPS: usize = 64;

/// A neighbour, and the number of the class in hand that it is a neighbour of.
pub(super) type Link<I> = (I, u32);

impl<I: Index> Verifier<'_, I> {
    /// The classes of a level: canonical, counted, and between their neighbours.
    pub(super) fn level(&mut self, level: u32, extent: Extent) -> Result<()> {
        let set = self.open(level)?;
        let (chosen, per_block) = match extent {
            Extent::Sample(count, seed) => {
                let blocks = sample_blocks(set.blocks(), count, seed, level);
                let per_block = (count as usize).div_ceil(blocks.len().max(1));
                (Some(blocks), per_block)
            }
            _ => (None, usize::MAX),
        };
        let blocks = chosen.as_ref().map_or(set.blocks(), Vec::len);
        let per_round = (self.batch / self.space.fanout().max(1)).max(BLOCK);
        let mut near = self.near(level)?;
        let mut states = 0u128;
        let mut classes: Vec<I> = Vec::new();
        for i in 0..blocks {
            self.go_on()?;
            let start = classes.len();
            set.block(chosen.as_ref().map_or(i, |chosen| chosen[i]), &mut classes)?;
            if classes.len() - start > per_block {
                thin_out(&mut classes, start, per_block);
            }
            let last = i + 1 == blocks;
            if last || classes.len() + BLOCK > per_round {
                let share = 100 * (i + 1) / blocks;
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
            let what = format!("class number {orphan} has no neighbour in the level before");
            return Err(self.wrong(level + 1, what));
        }
        self.findings.local_maxima.extend(near.maxima);
        self.check_states(level, states)
    }

    /// The level sets around a level, as far as they were kept.
    fn near(&mut self, level: u32) -> Result<Near<I>> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        let open = |wanted: u32| match kept.contains(&wanted) {
            true => self.open(wanted).map(Some),
            false => Ok(None),
        };
        let direction = self.space.direction();
        let next = open(level + 1)?;
        let one_way = next.as_ref().filter(|_| direction != Direction::Reversible);
        let reached = one_way.map(|set| bitvec![0; set.totals().count as usize]);
        let before = match (level, direction) {
            (1.., Direction::Reversible) => open(level - 1)?,
            _ => None,
        };
        let same = if direction == Direction::Layered { None } else { open(level)? };
        // The first level that a neighbour may be in.
        let first = match direction {
            Direction::Reversible => level.saturating_sub(1),
            Direction::Layered => level,
            Direction::Directed => 0,
        };
        let missing = first < kept.start;
        let mut earlier = Vec::new();
        if direction == Direction::Directed && !missing {
            let (job, levels, stop) = (self.job, &self.manifest.levels, self.stop);
            let go_on = || go_on(stop);
            let open = |level: u32| job.open_level_while(&levels[level as usize], go_on);
            self.earlier.extend(level, open, go_on)?;
        } else {
            for number in level.saturating_sub(2)..level {
                earlier.extend(open(number)?.map(|set| (number, set)));
            }
        }
        let last = level as usize + 1 == self.manifest.levels.len();
        // Beyond the last level of an unfinished job there may be anything.
        let known = !last || self.manifest.finished;
        if missing {
            self.findings.left_out.push(format!(
                "whether the neighbours of level {level} are where they must be: level {first} was not kept"
            ));
        }
        let complete = known && !missing;
        let maxima = known.then_some(LocalMaxima { level, ..LocalMaxima::default() });
        Ok(Near { before, same, next, earlier, reached, complete, maxima })
    }

    /// Checks some classes of a level, ascending; returns the states they stand for.
    fn round(&mut self, level: u32, classes: &[I], near: &mut Near<I>) -> Result<u128> {
        let space = self.space;
        self.go_on()?;
        let bad = classes.par_iter().find_any(|&&class| space.canonical(class) != Some(class));
        if let Some(bad) = bad {
            return Err(self.wrong(level, format!("index {bad} is not canonical")));
        }
        let earlier = near.earlier.iter().map(|(number, set)| (format!("level {number}"), set));
        let all = self.earlier.sets().map(|set| ("an earlier level".to_owned(), set));
        for (number, set) in earlier.chain(all) {
            let mut cursor = set.cursor();
            for (at, &class) in classes.iter().enumerate() {
                if at % LOOK_UPS == 0 {
                    self.go_on()?;
                }
                if cursor.find(class)?.is_some() {
                    let what = format!("class {class} is in {number}, too");
                    return Err(self.wrong(level, what));
                }
            }
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
        self.findings.classes += classes.len() as u128;
        self.findings.neighbours += links.len() as u128;
        links.par_sort_unstable();
        links.dedup();
        if let Some(before) = &near.before {
            let mut has_way_back = bitvec![0; classes.len()];
            self.strike(before, &mut links, |from, _| has_way_back.set(from as usize, true))?;
            if let Some(orphan) = has_way_back.first_zero() {
                let class = classes[orphan];
                let what = format!("class {class} has no neighbour in the level before");
                return Err(self.wrong(level, what));
            }
        }
        if let Some(same) = &near.same {
            self.strike(same, &mut links, |_, _| {})?;
        }
        let mut has_way_on = bitvec![0; classes.len()];
        if let Some(next) = &near.next {
            let reached = &mut near.reached;
            self.strike(next, &mut links, |from, position| {
                has_way_on.set(from as usize, true);
                if let Some(reached) = reached {
                    reached.set(position as usize, true);
                }
            })?;
        }
        for set in self.earlier.sets() {
            if links.is_empty() {
                break;
            }
            self.strike(set, &mut links, |_, _| {})?;
        }
        if let (Some(&(to, from)), true) = (links.first(), near.complete) {
            let class = classes[from as usize];
            let what =
                format!("class {class} has the neighbour {to}, which is in none of the levels next to it");
            return Err(self.wrong(level, what));
        }
        self.go_on()?;
        let states = |classes: &[I]| classes.par_chunks(256).map(|batch| space.states(batch)).sum();
        if let Some(found) = &mut near.maxima {
            let maxima: Vec<I> = has_way_on.iter_zeros().map(|at| classes[at]).collect();
            found.classes += maxima.len() as u128;
            found.states += states(&maxima);
        }
        Ok(states(classes))
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
            if i % LOOK_UPS == 0 {
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
    let mut chosen: Vec<usize> =
        (0..wanted * 2).map(|_| ((u128::from(random.next_u64()) * blocks as u128) >> 64) as usize).collect();
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

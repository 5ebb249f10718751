//! One level from beginning to end, with its checkpoints.

use std::cell::Cell;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::Keep;
use super::budget::peak_memory;
use super::checkpoint::{Checkpoint, LevelState, PartialLevel, PassState, RowsDone};
use super::container::{Container, ContainerKind};
use super::context::JobContext;
use super::dense::Dense;
use super::earlier::EarlierLevels;
use super::forecast::Forecast;
use super::manifest::{LevelRecord, RunRecord};
use super::manifest_store::ManifestStore;
use super::pipeline::{Drain, Pause};
use super::plan::Plan;
use super::progress::{JobProgress, Phase};
use super::pull::Pull;
use super::rows::{RowPass, RowTable};
use super::sparse::Sparse;
use super::way::Way;
use crate::error::{Error, Result};
use crate::space::{Direction, Index};
use crate::store::level_set::{SetKind, SetWriter, SortedSet};
use crate::store::memory::HugeTable;

/// A level with one class in more indices than this is not worth being read to leave its classes out.
const SELDOM: u128 = 4096;

/// What a level leaves to the next one.
#[derive(Default)]
pub(super) struct Reusable<'a> {
    /// A bitmap's memory.
    spare: Option<HugeTable<AtomicU64>>,
    /// The table of a space in rows, which knows all levels so far.
    table: Option<RowTable<'a>>,
}

/// Fills a container, until that is done or the deadline has passed; returns the number of candidates.
type Fill<'f, I> = dyn Fn(&dyn Container<I>, &mut PassState, Instant) -> Result<(Pause, u64)> + 'f;

/// The level in progress.
pub(super) struct LevelComputation<'w, 'a, I> {
    context: &'w JobContext<'a, I>,
    store: &'w mut ManifestStore<'a>,
    state: LevelState,
    /// The pass in which the last process stopped, until it is resumed.
    resumed: Option<PassState>,
    drain: Drain<'w, I>,
    /// When this process began with the level, and what it had written until then.
    start: Instant,
    written: u64,
}

impl<'w, 'a, I: Index> LevelComputation<'w, 'a, I> {
    /// Begins a level, or resumes it from its last checkpoint.
    pub fn begin(
        context: &'w JobContext<'a, I>,
        store: &'w mut ManifestStore<'a>,
        number: u32,
    ) -> Result<Self> {
        let start = Instant::now();
        let written = context.disk.written();
        let (state, resumed, partial) = match store.take_checkpoint() {
            None => (LevelState { low: context.own.0.wide(), ..LevelState::new(number) }, None, None),
            Some(checkpoint) => {
                let (state, pass, partial) = LevelState::resume(checkpoint, context.job);
                (state, Some(pass), partial)
            }
        };
        let header = context.job.description.set_header(SetKind::Level, number);
        // The file has its final name from the beginning: it is the manifest that makes it valid.
        let path = context.job.level_path(number);
        let drain = match partial {
            None => Drain {
                writer: SetWriter::create(context.disk, &path, &header)?,
                carry: Vec::new(),
                at: I::narrow(state.low),
            },
            Some(partial) => {
                let safe = (partial.bytes, partial.blocks_digest);
                let states = partial.states;
                Drain {
                    writer: SetWriter::reopen(context.disk, &path, &header, safe, states, || {
                        context.go_on(number)
                    })?,
                    carry: parse_carry(&partial.carry)?,
                    at: I::narrow(partial.drained),
                }
            }
        };
        Ok(LevelComputation { context, store, state, resumed, drain, start, written })
    }

    /// Level 0, the roots, which are given and not computed.
    pub fn given(mut self, roots: Vec<I>) -> Result<Option<LevelRecord>> {
        let (low, high) = self.context.own;
        self.drain.carry = roots.into_iter().filter(|root| (low..high).contains(root)).collect();
        self.close()
    }

    /// Computes the level out of the two before it; `None` if it is empty.
    /// `earlier` has the levels that are subtracted from every later level, too.
    pub fn compute(
        mut self,
        kept: &mut Reusable<'a>,
        earlier: &mut EarlierLevels<I>,
    ) -> Result<Option<LevelRecord>> {
        let number = self.state.number;
        self.context.progress.level(number, self.job_progress());
        let context = self.context;
        let go_on = || context.go_on(number);
        let levels = &self.store.manifest().levels;
        let open = |level: u32| context.job.open_level_while(&levels[level as usize], go_on);
        let current = open(number - 1)?;
        let mut known = Vec::new();
        let previous;
        match self.context.space.direction() {
            Direction::Layered => {}
            Direction::Reversible => {
                if number >= 2 {
                    previous = open(number - 2)?;
                    known.push(&previous);
                }
                known.push(&current);
            }
            Direction::Directed => {
                earlier.extend(number - 1, open, go_on)?;
                known.push(&current);
                known.extend(earlier.sets());
            }
        }
        let others = known.iter().copied().filter(|set| !std::ptr::eq(*set, &current));
        let _charges: Vec<_> = others.chain([&current]).map(|set| context.budget.take_set(set)).collect();
        let universe = self.context.own.1.wide();
        while self.state.low < universe {
            self.state.low = self.pass(&current, &known, universe, kept)?;
        }
        self.close()
    }

    /// Expands everything, keeping what lies in the pass's range, and drains that. Returns where the
    /// next pass begins.
    fn pass(
        &mut self,
        current: &SortedSet<I>,
        known: &[&SortedSet<I>],
        universe: u128,
        kept: &mut Reusable<'a>,
    ) -> Result<u128> {
        let context = self.context;
        let number = self.state.number;
        let low = self.state.low;
        let forecast = context.profile.next(&self.store.manifest().levels);
        let levels = &self.store.manifest().levels;
        let resumed = self.resumed.take();
        let plan = context.plan(levels, &forecast, resumed.as_ref(), kept.table.as_ref())?;
        let Plan { mut kind, passes, way } = plan;
        let mut pass = match resumed {
            Some(pass) => pass,
            None => {
                self.check_room(&forecast, kind)?;
                // Ranges of whole words, as equal as may be.
                let all = universe - context.own.0.wide();
                let width = all.div_ceil(u128::from(passes)).next_multiple_of(64);
                PassState::new(universe.min(low + width))
            }
        };
        if !plan.continues(&pass) {
            // What was found before a stop is of no use.
            self.store.discard(pass.runs.drain(..).map(|run| run.path).collect());
            pass = PassState::new(if kind == ContainerKind::Rows { universe } else { pass.high });
        }
        let room = u128::from(context.budget.bitmap_bytes());
        if kind == ContainerKind::Dense && way == Way::Push && (pass.high - low).div_ceil(8) > room {
            // The pass was begun with another budget or container.
            kind = ContainerKind::Sparse;
        }
        // Nothing is gathered yet that a stop would lose.
        let stopped = |error| match error {
            Error::Interrupted(_) => context.interrupted(number, true),
            other => other,
        };
        self.state.way = way;
        let how = format!("{}, {}", kind.name(), way.name());
        context.control.observer.begun(number, &how, forecast.candidates);
        let header = context.job.description.set_header(SetKind::Run, number);
        let for_container = context.for_container(&header);
        // What an earlier process drained is not gathered again.
        let first = low.max(self.drain.at.wide());
        let range = (I::narrow(first), I::narrow(pass.high));
        let runs = std::mem::take(&mut pass.runs);
        if kind != ContainerKind::Dense {
            kept.spare = None;
        }
        if kind != ContainerKind::Rows {
            kept.table = None;
        }
        match (kind, way) {
            (ContainerKind::Dense, Way::Pull) => {
                context.release_buffers();
                let earlier = self.earlier(universe)?;
                let _charges: Vec<_> = earlier.iter().map(|set| context.budget.take_set(set)).collect();
                let pace = &context.pull_pace;
                let spare = kept.spare.take();
                let mut pull = Pull::new(for_container, context.space, range, earlier, pace, spare)?;
                // What is filled in before pulling is not worth a checkpoint.
                let filled = Cell::new(0);
                self.fill_and_drain(&mut pass, &mut pull, known, &|pull, _, due| {
                    let mut done = filled.get();
                    let pause = context.expand(current, pull, way, &mut done, due);
                    filled.set(done);
                    pause
                })?;
                kept.spare = Some(pull.into_spare());
            }
            (ContainerKind::Rows, _) => {
                context.release_buffers();
                let mut table = match kept.table.take().filter(|table| table.level() + 1 == number) {
                    Some(table) => table,
                    None => self.row_table(universe)?,
                };
                let row_pass = RowPass::new(for_container, &table, range.0, &runs);
                let mut row_pass = row_pass.map_err(stopped)?;
                let begun = pass.rows.filter(|rows| rows.way == way);
                pass.rows = Some(begun.unwrap_or(RowsDone { way, done: 0 }));
                self.fill_and_drain(&mut pass, &mut row_pass, known, &|_, pass, due| {
                    let rows = pass.rows.get_or_insert_default();
                    Ok(table.mark(context, way, &mut rows.done, due))
                })?;
                context.pool.install(|| table.advance());
                kept.table = Some(table);
            }
            (ContainerKind::Dense, Way::Push) => {
                context.release_buffers();
                let dense = Dense::new(for_container, range, &runs, kept.spare.take());
                let mut dense = dense.map_err(stopped)?;
                self.fill_and_drain(&mut pass, &mut dense, known, &|dense, pass, due| {
                    context.expand(current, dense, way, &mut pass.expanded, due)
                })?;
                kept.spare = Some(dense.into_spare());
            }
            (ContainerKind::Sparse, _) => {
                let mut sparse = Sparse::new(for_container, range, &runs).map_err(stopped)?;
                self.fill_and_drain(&mut pass, &mut sparse, known, &|sparse, pass, due| {
                    context.expand(current, sparse, Way::Push, &mut pass.expanded, due)
                })?;
            }
        }
        Ok(pass.high)
    }

    /// The table of all levels so far.
    fn row_table(&self, universe: u128) -> Result<RowTable<'a>> {
        let (context, manifest) = (self.context, self.store.manifest());
        let rows = context.space.rows().ok_or_else(|| Error::verification("the space has no rows"))?;
        let number = self.state.number;
        let go_on = || context.go_on(number);
        let levels = manifest.levels.iter().skip(manifest.kept_from as usize);
        let sets = levels.map(|record| context.job.open_level_while(record, go_on));
        let sets: Vec<SortedSet<I>> = sets.collect::<Result<_>>()?;
        let _charges: Vec<_> = sets.iter().map(|set| context.budget.take_set(set)).collect();
        context.pool.install(|| RowTable::load(rows, universe, &sets, number - 1, context.budget, go_on))
    }

    /// The levels before the last two that are worth being read, so that they need not be asked.
    fn earlier(&self, universe: u128) -> Result<Vec<SortedSet<I>>> {
        let manifest = self.store.manifest();
        let older = &manifest.levels[..self.state.number.saturating_sub(2) as usize];
        // Where two levels are kept, others may go at any time.
        let all = self.context.options.keep == Keep::All;
        let worth = |record: &&LevelRecord| {
            all && record.level >= manifest.kept_from && record.classes.saturating_mul(SELDOM) >= universe
        };
        let go_on = || self.context.go_on(self.state.number);
        older.iter().filter(worth).map(|record| self.context.job.open_level_while(record, go_on)).collect()
    }

    /// Refuses to begin a pass that will not fit on the disk.
    fn check_room(&self, forecast: &Forecast, kind: ContainerKind) -> Result<()> {
        let spilled = match kind {
            ContainerKind::Dense | ContainerKind::Rows => 0,
            ContainerKind::Sparse => {
                let memory = self.context.budget.run_bytes();
                forecast.run_bytes.saturating_sub(memory)
            }
        };
        if self.context.options.force {
            return Ok(());
        }
        let room = self.context.disk_room();
        room.check(forecast, spilled, self.state.number)
    }

    fn fill_and_drain(
        &mut self,
        pass: &mut PassState,
        container: &mut dyn Container<I>,
        known: &[&SortedSet<I>],
        fill: &Fill<'_, I>,
    ) -> Result<()> {
        loop {
            let due = self.store.due();
            let (pause, found) = self.fill_and_exchange(pass, container, due, fill)?;
            self.state.candidates += u128::from(found);
            if self.pause(pause, pass, container, known)? == Pause::Done {
                break;
            }
        }
        self.context.flush_workers(container)?;
        loop {
            let due = self.store.due();
            let pause = self.context.drain(container, known, &mut self.drain, due)?;
            self.state.candidates += u128::from(container.found());
            if self.pause(pause, pass, container, known)? == Pause::Done {
                break;
            }
        }
        self.store.discard(container.garbage());
        let files = container.files().into_iter();
        self.store.discard(files.map(|run| run.path).collect());
        Ok(())
    }

    /// Fills the container; with other processes, through the exchange, until what all of them have sent is in their
    /// containers.
    fn fill_and_exchange(
        &self,
        pass: &mut PassState,
        container: &dyn Container<I>,
        due: Instant,
        fill: &Fill<'_, I>,
    ) -> Result<(Pause, u64)> {
        let context = self.context;
        let Some(joint) = &context.joint else {
            return fill(container, pass, due);
        };
        let exchange = context.exchange(joint, container);
        let filled = fill(&exchange, pass, due)?;
        context.flush_workers(&exchange)?;
        exchange.settle(&context.pool)?;
        Ok(filled)
    }

    /// Stores what has become due, or what is safe before a stop: when all processes pause. Returns why they do.
    fn pause(
        &mut self,
        pause: Pause,
        pass: &PassState,
        container: &mut dyn Container<I>,
        known: &[&SortedSet<I>],
    ) -> Result<Pause> {
        let due = pause != Pause::Done && (pause == Pause::Stop || self.store.checkpoint_due());
        let (pause, mut saved) = match &self.context.joint {
            None => (pause, due),
            Some(joint) => {
                let joint = joint.peers.agree_on_pause(self.state.number, pause, due)?;
                (joint.pause, joint.checkpoint)
            }
        };
        if pause == Pause::Done {
            return Ok(pause);
        }
        if saved {
            match self.checkpoint(pass, container, known) {
                // Without room for that, a stop is still a stop.
                Err(Error::Limit(_)) if self.context.stops_alone() => saved = false,
                done => {
                    done?;
                    self.context.control.observer.checkpoint(self.state.number);
                }
            }
        }
        if !saved {
            self.store.commit()?;
        }
        self.context.progress.stored();
        match pause == Pause::Stop || self.context.stops_alone() {
            true => Err(self.context.interrupted(self.state.number, saved)),
            false => Ok(pause),
        }
    }

    /// Stores how far the level is.
    fn checkpoint(
        &mut self,
        pass: &PassState,
        container: &mut dyn Container<I>,
        known: &[&SortedSet<I>],
    ) -> Result<()> {
        let progress = &self.context.progress;
        progress.phase(Phase::Save, 0, 0);
        self.context.flush_workers(container)?;
        progress.phase(Phase::Save, 0, container.unsaved());
        let files = container.save(known, &|bytes| progress.advance(bytes))?;
        let dir = self.context.job.dir();
        let runs = files
            .into_iter()
            .map(|run| RunRecord { path: run.path.strip_prefix(dir).unwrap_or(&run.path).to_owned(), ..run })
            .collect();
        self.drain.writer.sync()?;
        let levels = self.context.job.path("levels");
        self.context.disk.sync_dir(&levels)?;
        let (bytes, blocks_digest, states) = self.drain.writer.progress();
        let low = self.state.low;
        let partial = PartialLevel {
            bytes,
            blocks_digest,
            states,
            drained: self.drain.at.wide().max(low),
            carry: self.drain.carry.iter().map(|i| i.to_string()).collect(),
        };
        // They go as soon as the manifest is stored that does not name them.
        self.store.discard(container.garbage());
        self.store.checkpoint(Checkpoint {
            level: self.state.number,
            low,
            high: pass.high,
            expanded: pass.expanded,
            rows: pass.rows,
            candidates: self.state.candidates,
            millis: self.millis(),
            bytes_written: self.bytes_written(),
            runs,
            partial: Some(partial),
        })
    }

    /// How far the job is before the level.
    fn job_progress(&self) -> JobProgress {
        let manifest = self.store.manifest();
        let share = |part: u128, all: Option<u128>| all.map(|all| part as f64 / all.max(1) as f64);
        let expanding = manifest.levels.last().map_or(0, |level| level.classes);
        let all = self.context.profile.total_classes;
        JobProgress {
            known: share(manifest.states(), self.context.total_states),
            expanded: share(manifest.classes() - expanding, all),
            expanding: share(expanding, all).unwrap_or_default(),
            millis: manifest.millis() + self.state.earlier_millis,
        }
    }

    /// Time that was spent on the level so far, in milliseconds.
    fn millis(&self) -> u64 {
        self.state.earlier_millis + self.start.elapsed().as_millis() as u64
    }

    /// Bytes that were written for the level.
    fn bytes_written(&self) -> u64 {
        self.state.earlier_bytes + self.context.disk.written() - self.written
    }

    /// Ends the level set; an empty one will go.
    fn close(mut self) -> Result<Option<LevelRecord>> {
        self.context.write_rest(&mut self.drain)?;
        // The manifest store syncs it with the levels that are committed together with it.
        let (totals, bytes) = self.drain.writer.end(false)?;
        let millis = self.state.earlier_millis + self.store.lap(self.start.elapsed());
        if totals.count == 0 && self.context.joint.is_none() {
            let path = self.context.job.level_path(self.state.number);
            self.store.discard(vec![path]);
            self.store.finish(millis);
            return Ok(None);
        }
        // Asking takes longer than the smallest levels, which do not change the answer.
        let peak_rss = match self.store.manifest().levels.last() {
            Some(before) if millis == 0 => before.peak_rss,
            _ => peak_memory(),
        };
        Ok(Some(LevelRecord {
            level: self.state.number,
            classes: totals.count,
            states: totals.states,
            bytes,
            blocks_digest: totals.blocks_digest,
            millis,
            way: self.state.way,
            candidates: self.state.candidates,
            bytes_written: self.bytes_written(),
            peak_rss,
        }))
    }
}

fn parse_carry<I: Index>(carry: &[String]) -> Result<Vec<I>> {
    carry
        .iter()
        .map(|text| text.parse().map(I::narrow))
        .collect::<std::result::Result<_, _>>()
        .map_err(|_| Error::verification("the manifest's carry holds something else"))
}

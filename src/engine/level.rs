//! One level from beginning to end, with its checkpoints.

use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::budget::peak_memory;
use super::container::{Container, ContainerKind, SAVED_ON_STOP, Stage};
use super::dense::Dense;
use super::forecast::{Forecast, Room};
use super::ledger::Ledger;
use super::manifest::{LevelRecord, RunRecord, Unfinished, Written};
use super::pipeline::{Crew, Drain, Pause};
use super::progress::Phase;
use super::sparse::Sparse;
use super::walk::Site;
use crate::error::{Error, Result};
use crate::space::Index;
use crate::store::level_set::{Kind, SetWriter, SortedSet};
use crate::store::memory::Table;

/// The level under way.
pub(super) struct Level<'w, 'a, I> {
    site: &'w Site<'a>,
    crew: &'w Crew<'a, I>,
    ledger: &'w mut Ledger<'a>,
    task: Unfinished,
    drain: Drain<'w, I>,
    /// When we began, and what had been written until then.
    start: Instant,
    written: u64,
    /// What earlier processes spent on the level.
    earlier_millis: u64,
    earlier_bytes: u64,
}

impl<'w, 'a, I: Index> Level<'w, 'a, I> {
    /// Begins a level, or goes on with it where the last checkpoint was taken.
    pub fn begin(
        site: &'w Site<'a>,
        crew: &'w Crew<'a, I>,
        ledger: &'w mut Ledger<'a>,
        number: u32,
    ) -> Result<Self> {
        let start = Instant::now();
        let written = site.disk.written();
        let mut task = ledger.take_unfinished().unwrap_or_else(|| Unfinished {
            level: number,
            ..Unfinished::default()
        });
        let about = site.job.description.about(Kind::Level, number);
        // The file has its final name from the beginning: it is the manifest that makes it valid.
        let path = site.job.level_path(number);
        let drain = match task.written.take() {
            None => Drain {
                writer: SetWriter::create(site.disk, &path, &about)?,
                carry: Vec::new(),
                at: I::narrow(task.low),
            },
            Some(w) => Drain {
                writer: SetWriter::reopen(site.disk, &path, &about, (w.bytes, w.chain), w.states)?,
                carry: parse_carry(&w.carry)?,
                at: I::narrow(w.drained),
            },
        };
        Ok(Level {
            site,
            crew,
            ledger,
            earlier_millis: task.millis,
            earlier_bytes: task.bytes_written,
            task,
            drain,
            start,
            written,
        })
    }

    /// Level 0, which is given and not computed.
    pub fn roots(mut self) -> Result<Option<LevelRecord>> {
        self.drain.carry = self.crew.space.roots();
        self.close()
    }

    /// Computes the level out of the two before it; `None` if it is empty.
    pub fn compute(mut self, spare: &mut Option<Table<AtomicU64>>) -> Result<Option<LevelRecord>> {
        let number = self.task.level;
        self.crew.progress.level(number);
        let current = self.site.job.open_level(number - 1)?;
        let mut known = Vec::new();
        let previous;
        if !self.crew.space.layered() {
            if number >= 2 {
                previous = self.site.job.open_level(number - 2)?;
                known.push(&previous);
            }
            known.push(&current);
        }
        let universe = self.crew.space.universe().wide();
        while self.task.low < universe {
            self.pass(&current, &known, universe, spare)?;
            self.task.low = self.task.high;
            self.task.high = 0;
            self.task.expanded = 0;
            self.task.runs.clear();
        }
        self.close()
    }

    /// Expands everything, keeping what lies in the pass's range, and drains that.
    fn pass(
        &mut self,
        current: &SortedSet<I>,
        known: &[&SortedSet<I>],
        universe: u128,
        spare: &mut Option<Table<AtomicU64>>,
    ) -> Result<()> {
        let site = self.site;
        let number = self.task.level;
        let forecast = site.outlook.next(&self.ledger.manifest().levels);
        let forced = site.options.container;
        let (mut kind, passes) =
            site.outlook
                .container(forecast.candidates, &site.budget, forced, self.crew.pace())?;
        if self.task.high == 0 {
            // Ranges of whole words, as equal as may be.
            let width = universe.div_ceil(u128::from(passes)).next_multiple_of(64);
            self.task.high = universe.min(self.task.low + width);
            self.check_room(&forecast, kind)?;
        }
        if (self.task.high - self.task.low).div_ceil(8) > u128::from(site.budget.bitmap_bytes()) {
            // The pass was begun with another budget or container.
            kind = ContainerKind::Sparse;
        }
        let observer = self.crew.control.observer;
        observer.begun(number, kind.name(), forecast.candidates);
        let about = site.job.description.about(Kind::Run, number);
        let stage = Stage {
            disk: site.disk,
            run_dir: site.run_dir,
            about: &about,
            budget: site.budget,
            serial: &site.serial,
            pool: self.crew.pool,
            control: self.crew.control,
        };
        // What an earlier process drained is not gathered again.
        let low = self.task.low.max(self.drain.at.wide());
        let range = (I::narrow(low), I::narrow(self.task.high));
        let runs = self.task.runs.iter();
        let files: Vec<RunRecord> = runs.map(|run| site.job.run(run)).collect();
        match kind {
            ContainerKind::Dense => {
                self.crew.release_buffers();
                let dense = Dense::new(stage, range, &files, std::mem::take(spare))?;
                let mut dense = dense.ok_or_else(|| site.interrupted(number, true))?;
                self.fill_and_drain(&mut dense, current, known)?;
                *spare = Some(dense.into_spare());
            }
            ContainerKind::Sparse => {
                *spare = None;
                let mut sparse = Sparse::new(stage, range, &files)?;
                self.fill_and_drain(&mut sparse, current, known)?;
            }
        }
        Ok(())
    }

    /// Refuses to begin a pass that will not fit on the disk.
    fn check_room(&self, forecast: &Forecast, kind: ContainerKind) -> Result<()> {
        let site = self.site;
        let room = Room {
            job: site.free_disk(site.job.dir()),
            runs: site.run_disk(),
            limit: site
                .disk
                .limit()
                .map(|l| l.saturating_sub(site.disk.used())),
        };
        let spilled = match kind {
            ContainerKind::Dense => 0,
            ContainerKind::Sparse => {
                let memory = site.budget.run_bytes() as u64;
                forecast.run_bytes.saturating_sub(memory)
            }
        };
        room.check(forecast, spilled, self.task.level)
    }

    fn fill_and_drain(
        &mut self,
        container: &mut dyn Container<I>,
        current: &SortedSet<I>,
        known: &[&SortedSet<I>],
    ) -> Result<()> {
        loop {
            let due = self.ledger.due();
            let expanded = &mut self.task.expanded;
            let (pause, found) = self.crew.expand(current, container, expanded, due)?;
            self.task.candidates += u128::from(found);
            if pause == Pause::Done {
                break;
            }
            self.pause(pause, container, known)?;
        }
        self.crew.settle(container)?;
        loop {
            let due = self.ledger.due();
            let pause = self.crew.drain(container, known, &mut self.drain, due)?;
            if pause == Pause::Done {
                break;
            }
            self.pause(pause, container, known)?;
        }
        self.ledger.discard(container.garbage());
        let files = container.files().into_iter();
        self.ledger.discard(files.map(|run| run.path).collect());
        Ok(())
    }

    /// Stores what has become due, or what is safe before a stop.
    fn pause(
        &mut self,
        pause: Pause,
        container: &mut dyn Container<I>,
        known: &[&SortedSet<I>],
    ) -> Result<()> {
        let wanted = match pause {
            Pause::Stop => container.unsaved() <= SAVED_ON_STOP,
            _ => self.ledger.checkpoint_due(),
        };
        let saved = wanted && self.checkpoint(container, known)?;
        if !saved {
            self.ledger.commit()?;
        }
        if self.crew.control.stopped() {
            return Err(self.site.interrupted(self.task.level, saved));
        }
        Ok(())
    }

    /// Stores how far the level is; `false` if that was given up because the user wants to stop.
    fn checkpoint(
        &mut self,
        container: &mut dyn Container<I>,
        known: &[&SortedSet<I>],
    ) -> Result<bool> {
        self.crew.progress.phase(Phase::Save, 0, 1);
        self.crew.settle(container)?;
        let Some(files) = container.save(known)? else {
            return Ok(false);
        };
        let dir = self.site.job.dir();
        self.task.runs = files
            .into_iter()
            .map(|RunRecord { path, chain }| RunRecord {
                path: path.strip_prefix(dir).unwrap_or(&path).to_owned(),
                chain,
            })
            .collect();
        self.drain.writer.sync()?;
        self.site.disk.sync_dir(&self.site.job.path("levels"))?;
        let (bytes, chain, states) = self.drain.writer.progress();
        let written = Written {
            bytes,
            chain,
            states,
            drained: self.drain.at.wide().max(self.task.low),
            carry: self.drain.carry.iter().map(|i| i.to_string()).collect(),
        };
        // They go as soon as the manifest is stored that does not name them.
        self.ledger.discard(container.garbage());
        self.ledger.checkpoint(Unfinished {
            millis: self.millis(),
            bytes_written: self.bytes_written(),
            written: Some(written),
            ..self.task.clone()
        })?;
        Ok(true)
    }

    /// Time that was spent on the level so far, in milliseconds.
    fn millis(&self) -> u64 {
        self.earlier_millis + self.start.elapsed().as_millis() as u64
    }

    /// Bytes that were written for the level.
    fn bytes_written(&self) -> u64 {
        self.earlier_bytes + self.site.disk.written() - self.written
    }

    /// Ends the level set; an empty one will go.
    fn close(mut self) -> Result<Option<LevelRecord>> {
        self.crew.write_rest(&mut self.drain)?;
        // The ledger syncs it with the levels that are committed together with it.
        let (totals, bytes) = self.drain.writer.end(false)?;
        let millis = self.earlier_millis + self.ledger.lap(self.start.elapsed());
        if totals.count == 0 {
            let path = self.site.job.level_path(self.task.level);
            self.ledger.discard(vec![path]);
            self.ledger.finish(millis);
            return Ok(None);
        }
        // Asking takes longer than the smallest levels, which do not change the answer.
        let peak_rss = match self.ledger.manifest().levels.last() {
            Some(before) if millis == 0 => before.peak_rss,
            _ => peak_memory(),
        };
        Ok(Some(LevelRecord {
            level: self.task.level,
            classes: totals.count,
            states: totals.states,
            bytes,
            chain: totals.chain,
            millis,
            candidates: self.task.candidates,
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
        .map_err(|_| Error::Verification("the manifest's carry holds something else".into()))
}

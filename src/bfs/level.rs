//! One level from beginning to end, with its checkpoints.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

use super::budget::peak_memory;
use super::container::{Container, ContainerKind, Stage};
use super::dense::Dense;
use super::forecast;
use super::ledger::Ledger;
use super::level_set::{About, Kind, SetWriter, SortedSet};
use super::manifest::{LevelRecord, Unfinished, Written};
use super::pipeline::{Crew, Drain, Pause};
use super::progress::Phase;
use super::sparse::Sparse;
use super::walk::Site;
use crate::error::{Error, Result};
use crate::puzzle::Index;

/// On a stop signal no more than this is written: the answer must come within seconds.
const SAVED_ON_STOP: u64 = 256 << 20;

/// The level under way.
pub(super) struct Level<'w, 'a, I> {
    site: &'w Site<'a>,
    crew: &'w Crew<'a, I>,
    ledger: &'w mut Ledger<'a>,
    about: About,
    task: Unfinished,
    drain: Drain<'w, I>,
    start: Instant,
    /// Time and bytes that earlier processes spent, and the disk's count when we began.
    before: (u64, u64, u64),
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
                writer: SetWriter::reopen(site.disk, &path, &about, w.bytes, w.states)?,
                carry: parse_carry(&w.carry)?,
                at: I::narrow(w.drained),
            },
        };
        Ok(Level {
            site,
            crew,
            ledger,
            about,
            before: (task.millis, task.bytes_written, written),
            task,
            drain,
            start,
        })
    }

    /// Level 0, which is given and not computed.
    pub fn roots(mut self) -> Result<Option<LevelRecord>> {
        self.drain.carry = self.crew.space.roots();
        self.close()
    }

    /// Computes the level out of the two before it; `None` if it is empty.
    pub fn compute(mut self, spare: &mut Vec<AtomicU64>) -> Result<Option<LevelRecord>> {
        let number = self.task.level;
        self.crew.progress.level(number);
        let current = self.site.open_level(number - 1)?;
        let mut known = Vec::new();
        let previous;
        if !self.crew.space.layered() {
            if number >= 2 {
                previous = self.site.open_level(number - 2)?;
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
        spare: &mut Vec<AtomicU64>,
    ) -> Result<()> {
        let site = self.site;
        let number = self.task.level;
        let forecast = site.outlook.next(&self.ledger.manifest().levels);
        let forced = site.options.container;
        let (mut kind, passes) =
            site.outlook
                .container(forecast.candidates, &site.budget, forced)?;
        if self.task.high == 0 {
            // Ranges of whole words, as equal as may be.
            let width = universe.div_ceil(u128::from(passes)).next_multiple_of(64);
            self.task.high = universe.min(self.task.low + width);
            let free = site.free_disk();
            forecast::check_disk(&forecast, number, kind, &site.budget, site.disk, free)?;
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
        let files: Vec<PathBuf> = runs.map(|run| site.job.run_path(run)).collect();
        let free_buffers = kind == ContainerKind::Dense;
        self.crew.release_buffers(free_buffers);
        match kind {
            ContainerKind::Dense => {
                let mut dense = Dense::new(stage, range, &files, std::mem::take(spare))?;
                self.fill_and_drain(&mut dense, current, known)?;
                *spare = dense.into_spare();
            }
            ContainerKind::Sparse => {
                *spare = Vec::new();
                let mut sparse = Sparse::new(stage, range.1, &files)?;
                self.fill_and_drain(&mut sparse, current, known)?;
            }
        }
        Ok(())
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
            self.pause(pause, container)?;
        }
        self.crew.settle(container)?;
        loop {
            let due = self.ledger.due();
            let pause = self.crew.drain(container, known, &mut self.drain, due)?;
            if pause == Pause::Done {
                break;
            }
            self.pause(pause, container)?;
        }
        self.ledger.discard(container.garbage());
        self.ledger.discard(container.files());
        Ok(())
    }

    /// Stores what has become due, or what is safe before a stop.
    fn pause(&mut self, pause: Pause, container: &mut dyn Container<I>) -> Result<()> {
        let saved = match pause {
            Pause::Stop => container.unsaved() <= SAVED_ON_STOP,
            _ => self.ledger.checkpoint_due(),
        };
        if saved {
            self.checkpoint(container)?;
        } else {
            self.ledger.commit()?;
        }
        if pause == Pause::Stop {
            return Err(self.site.interrupted(self.task.level, saved));
        }
        Ok(())
    }

    fn checkpoint(&mut self, container: &mut dyn Container<I>) -> Result<()> {
        self.crew.progress.phase(Phase::Save, 0, 1);
        self.crew.settle(container)?;
        let files = container.save()?;
        let dir = self.site.job.dir();
        self.task.runs = files
            .iter()
            .map(|path| path.strip_prefix(dir).unwrap_or(path).to_owned())
            .collect();
        self.drain.writer.sync()?;
        let (bytes, states) = self.drain.writer.progress();
        let written = Written {
            bytes,
            states,
            drained: self.drain.at.wide().max(self.task.low),
            carry: self.drain.carry.iter().map(|i| i.to_string()).collect(),
        };
        self.account();
        self.ledger.checkpoint(Unfinished {
            written: Some(written),
            ..self.task.clone()
        })?;
        self.ledger.discard(container.garbage());
        Ok(())
    }

    /// Brings time and bytes spent up to date.
    fn account(&mut self) {
        let (millis, bytes, written) = self.before;
        self.task.millis = millis + self.start.elapsed().as_millis() as u64;
        self.task.bytes_written = bytes + self.site.disk.written() - written;
    }

    /// Ends the level set; an empty one will go.
    fn close(mut self) -> Result<Option<LevelRecord>> {
        let rest = self.drain.carry.len();
        self.crew.write(&mut self.drain, rest)?;
        self.account();
        let written = self.site.disk.written();
        let (totals, bytes) = self.drain.writer.finish(false)?;
        if totals.count == 0 {
            let path = self.site.job.level_path(self.task.level);
            self.ledger.discard(vec![path]);
            self.ledger.finish(self.task.millis);
            return Ok(None);
        }
        debug_assert_eq!(self.about.level, self.task.level);
        Ok(Some(LevelRecord {
            level: self.task.level,
            classes: totals.count,
            states: totals.states,
            bytes,
            chain: totals.chain,
            millis: self.task.millis,
            candidates: self.task.candidates,
            bytes_written: self.task.bytes_written + self.site.disk.written() - written,
            peak_rss: peak_memory(),
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

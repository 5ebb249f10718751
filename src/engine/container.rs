//! What both containers promise: candidates go in, in any order and with repeats, from all
//! threads at once; they come out ascending and without repeats, range by range.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::budget::Budget;
use super::manifest::RunRecord;
use super::progress::Control;
use crate::error::{Error, Result};
use crate::space::Index;
use crate::store::disk::{Disk, exists};
use crate::store::level_set::{BLOCK, CodedBlock, SetHeader, SetWriter, SortedSet, full_blocks};
use crate::store::par_map::par_map;

/// Which container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// Sorted runs.
    Sparse,
    /// One bit for every index.
    Dense,
    /// Two bits for every index, walked by rows.
    Rows,
}

impl ContainerKind {
    /// Its name, as `--container` takes it.
    pub fn name(self) -> &'static str {
        match self {
            ContainerKind::Sparse => "sparse",
            ContainerKind::Dense => "dense",
            ContainerKind::Rows => "rows",
        }
    }
}

/// What a container may use: the disk for its runs, and its share of memory.
#[derive(Clone, Copy)]
pub struct ContainerContext<'a> {
    /// Charges what is written.
    pub disk: &'a Disk,
    /// Where run files go.
    pub run_dir: &'a Path,
    /// What their headers say.
    pub set_header: &'a SetHeader,
    /// What memory may be used, and is.
    pub budget: &'a Budget,
    /// Numbers run files.
    pub serial: &'a AtomicU64,
    /// The threads.
    pub pool: &'a rayon::ThreadPool,
    /// Whether to stop: work that can wait is then left undone.
    pub control: Control<'a>,
}

impl ContainerContext<'_> {
    /// Fails if the user wants to stop before the runs of an earlier process are read.
    pub fn go_on(&self) -> Result<()> {
        self.control.go_on(|| Error::interrupted("stopped before the runs of an earlier process were read"))
    }

    /// Writes a new run file, durable as soon as its name is. Half a run is of no use: if `fill`
    /// fails, or gives up by returning `false`, the file goes.
    pub fn write_run<I: Index>(
        &self,
        fill: impl FnOnce(&mut SetWriter<'_, I>) -> Result<bool>,
    ) -> Result<Option<RunRecord>> {
        if !exists(self.run_dir)? {
            self.disk.create_dir(self.run_dir)?;
        }
        let path = loop {
            let serial = self.serial.fetch_add(1, Ordering::Relaxed);
            let name = format!("{:05}-{serial:010}.run", self.set_header.level);
            let path = self.run_dir.join(name);
            if !exists(&path)? {
                break path;
            }
        };
        let mut writer = SetWriter::create(self.disk, &path, self.set_header)?;
        let filled = match fill(&mut writer) {
            Ok(true) => writer.end(true).map(|(totals, _)| Some(totals.blocks_digest)),
            other => other.map(|_| None),
        };
        match filled {
            Ok(Some(blocks_digest)) => Ok(Some(RunRecord { path, blocks_digest })),
            Ok(None) => self.disk.remove(&path).map(|()| None),
            Err(error) => {
                let _ = self.disk.remove(&path);
                Err(error)
            }
        }
    }

    /// Writes what `read` finds in buckets that follow each other as a run, several of them at a time; reports how
    /// many more bytes of a bitmap of them are done.
    pub fn write_buckets<I: Index>(
        &self,
        buckets: &[Range<I>],
        read: impl Fn(Range<I>) -> Result<Vec<I>> + Sync + Send,
        saved: &dyn Fn(u64),
    ) -> Result<RunRecord> {
        let run = self.write_run(|writer| {
            let mut carry = Vec::new();
            for wave in buckets.chunks(self.budget.wave()) {
                let found: Vec<Vec<I>> =
                    par_map::<_, _, Result<_>>(self.pool, wave, |&bucket: &Range<I>| read(bucket))?;
                let blocks = full_blocks(&mut carry, &found);
                writer.append_all(self.pool, &blocks, CodedBlock::of_run)?;
                saved((wave[wave.len() - 1].1 - wave[0].0).low() / 8);
            }
            if !carry.is_empty() {
                writer.append(&CodedBlock::of_run(&carry))?;
            }
            Ok(true)
        })?;
        let run = run.ok_or_else(|| Error::verification("a bitmap was not saved to its end"))?;
        self.sync_names(std::slice::from_ref(&run))?;
        Ok(run)
    }

    /// Makes the names of run files durable.
    pub fn sync_names(&self, files: &[RunRecord]) -> Result<()> {
        let dirs: BTreeSet<_> = files.iter().filter_map(|run| run.path.parent()).collect();
        dirs.into_iter().try_for_each(|dir| self.disk.sync_dir(dir))
    }
}

/// The runs that hold what a table of bits had when it was last saved.
#[derive(Default)]
pub struct SavedRuns {
    files: Vec<RunRecord>,
    garbage: Vec<PathBuf>,
}

impl SavedRuns {
    /// Those that an earlier process left: hands their indices to `set`, block by block; fails if the user wants
    /// to stop before they are read.
    pub fn load<I: Index>(
        context: &ContainerContext<'_>,
        files: &[RunRecord],
        set: impl Fn(&[I]) + Sync + Send,
    ) -> Result<Self> {
        for file in files {
            let run = file.open(context.disk.files(), context.set_header, || context.go_on())?;
            let load = |block| -> Result<()> {
                context.go_on()?;
                let mut indices = Vec::with_capacity(BLOCK);
                run.block(block, &mut indices)?;
                set(&indices);
                Ok(())
            };
            context.pool.install(|| (0..run.blocks()).into_par_iter().try_for_each(load))?;
        }
        Ok(SavedRuns { files: files.to_vec(), garbage: Vec::new() })
    }

    /// A run that holds all of the bits takes the place of those before; returns it.
    pub fn replace_by(&mut self, run: RunRecord) -> Vec<RunRecord> {
        let old = std::mem::replace(&mut self.files, vec![run]);
        self.garbage.extend(old.into_iter().map(|run| run.path));
        self.files()
    }

    /// See [`Container::garbage`].
    pub fn take_garbage(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.garbage)
    }

    /// See [`Container::files`].
    pub fn files(&self) -> Vec<RunRecord> {
        self.files.clone()
    }
}

/// A half-open range of indices: from the first on, below the second.
pub type Range<I> = (I, I);

/// Gathers the candidates of one pass.
pub trait Container<I: Index>: Sync {
    /// Takes candidates out of `buffer`: all of them, or none as long as the buffer has room for
    /// more. Called by many threads at once, each with its own buffer.
    fn push(&self, buffer: &mut Vec<I>) -> Result<()>;

    /// Takes whatever is left in a thread's buffer. By default [`push`](Container::push) takes everything.
    fn flush(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.push(buffer)
    }

    /// Takes a run of ascending candidates without repeats. Called like [`push`](Container::push).
    fn push_run(&self, run: &mut Vec<I>) -> Result<()> {
        self.flush(run)
    }

    /// How much a buffer should be able to hold; nothing by default.
    fn buffer_entries(&self) -> usize {
        0
    }

    /// Neighbours that were looked at while draining, since this was asked last; none if candidates were
    /// pushed.
    fn found(&self) -> u64 {
        0
    }

    /// About how much is left to be drained from `low` on, in steps of its own.
    fn left(&self, low: I) -> Result<u64>;

    /// Cuts the pass's range from `low` on into consecutive buckets that can be taken one by one, as
    /// many as one may want to know of at a time; none at the end of the range. It may merge runs
    /// before, if they are too many to be drained together.
    fn buckets(&self, low: I) -> Result<Vec<Range<I>>>;

    /// The candidates of one bucket that are in none of the known sets, ascending, without
    /// repeats. A bucket is taken once.
    fn drain_bucket(&self, bucket: Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>>;

    /// Makes all candidates that were not taken yet durable, those in the known sets perhaps left
    /// out; returns the run files that hold them. Reports to `saved` how many more of the
    /// [`unsaved`](Container::unsaved) bytes are done.
    fn save(&mut self, known: &[&SortedSet<I>], saved: &dyn Fn(u64)) -> Result<Vec<RunRecord>>;

    /// About how many bytes [`save`](Container::save) has to go through.
    fn unsaved(&self) -> u64;

    /// Run files that are not needed any more, once a manifest is stored that names what
    /// [`save`](Container::save) returned last.
    fn garbage(&mut self) -> Vec<PathBuf>;

    /// Every run file the container still has, when the pass is over.
    fn files(&self) -> Vec<RunRecord>;
}

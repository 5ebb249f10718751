//! Tests of the module above.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use proptest::prelude::*;

use super::union::{by_bits, by_lists};
use super::*;
use crate::engine::budget::Budget;
use crate::engine::progress::{Control, Silent};
use crate::error::Error;
use crate::random::Random;
use crate::store::disk::Disk;
use crate::store::files::{self, Directory, Files, Output};
use crate::store::level_set::{SetHeader, SetKind};
use crate::store::par_map;

fn run<'a, I: Index>(budget: &'a Budget, indices: &BTreeSet<I>) -> Arc<Run<'a, I>> {
    let indices: Vec<I> = indices.iter().copied().collect();
    let set = SortedSet::in_memory(&indices);
    let charge = budget.take(set.memory() as u64);
    Arc::new(Run { set, path: None, tier: 0, charge })
}

proptest! {
    /// A bucket's bitmap gives what merging and subtracting lists gives.
    #[test]
    fn bits_agree_with_lists(
        sets in proptest::collection::vec(
            proptest::collection::btree_set(0u64..9000, 1..5000), 2..6),
        bucket in (0u64..9000, 0u64..9000),
    ) {
        let budget = Budget::new(1 << 30, 1).unwrap();
        let bucket = (bucket.0.min(bucket.1), bucket.0.max(bucket.1) + 1);
        let (known, candidates) = sets.split_first().unwrap();
        let known = run(&budget, known);
        let runs: Vec<_> = candidates.iter().map(|indices| run(&budget, indices)).collect();
        let known = [&known.set];
        let expected = by_lists(&runs, bucket, &known).unwrap();
        prop_assert_eq!(by_bits(&runs, bucket, &known).unwrap(), expected);
    }

    /// Buckets follow each other from end to end, and none has more blocks than it may.
    #[test]
    fn buckets_are_cut_everywhere(seed: u64, count in 1usize..9, most in 1usize..9, low in 0u64..1 << 21) {
        let budget = Budget::new(1 << 30, 1).unwrap();
        let mut random = Random::new(seed);
        let mut indices = || (0..20_000).map(|at| at * 52 + random.below(52) as u64).collect();
        let runs: Vec<_> = (0..count).map(|_| run(&budget, &indices())).collect();
        let mut at = low;
        for bucket in Buckets::new(&runs, (low, 1 << 20), most).unwrap() {
            let bucket = bucket.unwrap();
            prop_assert_eq!(bucket.0, at);
            prop_assert!(bucket.1 > bucket.0);
            let blocks = |run: &Arc<Run<'_, u64>>| run.set.blocks_in(bucket.0, Some(bucket.1)).unwrap().len();
            prop_assert!(runs.iter().map(blocks).sum::<usize>() <= most + 1 + count);
            at = bucket.1;
        }
        prop_assert_eq!(at, low.max(1 << 20));
    }

    /// What is charged before a run is made is enough, however its indices lie.
    #[test]
    fn a_run_is_no_larger_than_charged(
        gaps in proptest::collection::vec((0u32..60, 0u64..1 << 60), 1..9000),
        wide: bool,
    ) {
        let scale = if wide { 1u128 << 50 } else { 1 };
        let mut index = 0;
        let indices: BTreeSet<u128> = gaps.iter().map(|&(shift, gap)| {
            index += (u128::from(gap >> shift) >> 13) * scale + 1;
            index
        }).collect();
        let indices: Vec<u128> = indices.into_iter().collect();
        prop_assert!(SortedSet::in_memory(&indices).memory() as u64 <= most_coded(&indices));
        if !wide {
            let indices: Vec<u64> = indices.iter().map(|&index| index as u64).collect();
            prop_assert!(SortedSet::in_memory(&indices).memory() as u64 <= most_coded(&indices));
        }
    }
}

/// A disk that takes its time.
#[derive(Debug)]
struct SlowFiles(Duration);

#[derive(Debug)]
struct SlowOutput(Box<dyn Output>, Duration);

impl Files for SlowFiles {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        files::System.create_dir(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(SlowOutput(files::System.create(path)?, self.0)))
    }
    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        Ok(Box::new(SlowOutput(files::System.reopen(path, length)?, self.0)))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        files::System.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        files::System.remove(path)
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        files::System.remove_dir(path)
    }
    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        Ok(Box::new(SlowDirectory(files::System.open_dir(path)?, self.0)))
    }
}

#[derive(Debug)]
struct SlowDirectory(Box<dyn Directory>, Duration);

impl Directory for SlowDirectory {
    fn sync(&self) -> io::Result<()> {
        std::thread::sleep(self.1);
        self.0.sync()
    }

    fn sync_disk(&self) -> io::Result<bool> {
        std::thread::sleep(self.1);
        self.0.sync_disk()
    }
}

impl Write for SlowOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output for SlowOutput {
    fn sync(&mut self) -> io::Result<()> {
        std::thread::sleep(self.1);
        self.0.sync()
    }

    fn check(&mut self) -> io::Result<()> {
        self.0.check()
    }
}

/// All that a container needs, with a budget and a disk.
struct ContainerHome {
    dir: tempfile::TempDir,
    disk: Disk,
    header: SetHeader,
    serial: AtomicU64,
    pool: rayon::ThreadPool,
    stop: AtomicBool,
    budget: Budget,
}

impl ContainerHome {
    fn new(memory: u64, threads: usize, slow: Duration) -> Self {
        let (puzzle, kind) = ("numbers".into(), SetKind::Run);
        ContainerHome {
            dir: tempfile::tempdir().unwrap(),
            disk: Disk::on(Arc::new(SlowFiles(slow)), None, 0),
            header: SetHeader { kind, puzzle, scheme: 1, level: 1, universe: 1 << 40, content: None },
            serial: AtomicU64::new(0),
            pool: par_map::pool(threads).unwrap(),
            stop: AtomicBool::new(false),
            budget: Budget::new(memory, threads).unwrap(),
        }
    }

    fn context<'a>(&'a self, budget: &'a Budget) -> ContainerContext<'a> {
        ContainerContext {
            disk: &self.disk,
            run_dir: self.dir.path(),
            set_header: &self.header,
            budget,
            serial: &self.serial,
            pool: &self.pool,
            control: Control { stop: &self.stop, observer: &Silent },
        }
    }

    fn container<I: Index>(&self) -> Sparse<'_, I> {
        Sparse::new(self.context(&self.budget), (I::of(0), I::of(1 << 40)), &[]).unwrap()
    }
}

/// Fills a container on all threads with so many full buffers each; returns the candidates. The user wants
/// to stop after one of them, if that is given.
fn fill<I: Index>(
    place: &ContainerHome,
    sparse: &Sparse<'_, I>,
    buffers: usize,
    stop: Option<usize>,
) -> BTreeSet<I> {
    let entries = sparse.buffer_entries();
    let threads = place.pool.current_num_threads();
    let _charge = place.budget.take((threads * entries * size_of::<I>()) as u64);
    let work = |thread: rayon::BroadcastContext<'_>| {
        let mut random = Random::new(thread.index() as u64);
        let (mut buffer, mut all) = (Vec::with_capacity(entries), BTreeSet::new());
        for number in 0..buffers {
            if stop.is_some_and(|stop| number >= stop) {
                place.stop.store(true, Relaxed);
            }
            buffer.extend((0..entries).map(|_| I::of(random.below(1 << 40) as u64)));
            all.extend(&buffer);
            sparse.push(&mut buffer).unwrap();
            assert!(buffer.is_empty());
        }
        all
    };
    place.pool.broadcast(work).into_iter().flatten().collect()
}

fn drain<I: Index>(sparse: &Sparse<'_, I>) -> Vec<I> {
    let (mut all, mut low) = (Vec::new(), I::of(0));
    loop {
        let buckets = sparse.buckets(low).unwrap();
        let Some(last) = buckets.last() else {
            return all;
        };
        low = last.1;
        for bucket in buckets {
            all.extend(sparse.drain_bucket(bucket, &[]).unwrap());
        }
    }
}

/// However many threads fill a container, and however long the disk takes, what is charged is within the
/// budget, every wait ends, and nothing is lost.
fn stays_within_its_budget<I: Index>(threads: usize, slow: u64, stop: Option<usize>) {
    let memory = threads as u64 * (256 << 10);
    let place = ContainerHome::new(memory, threads, Duration::from_millis(slow));
    let mut sparse = place.container::<I>();
    let expected = fill(&place, &sparse, if threads > 8 { 4 } else { 12 }, stop);
    assert!(
        place.budget.most() <= place.budget.all(),
        "{} bytes too many",
        place.budget.most() - place.budget.all()
    );
    let saved = AtomicU64::new(0);
    let unsaved = sparse.unsaved();
    let files = sparse
        .save(&[], &|bytes| {
            saved.fetch_add(bytes, Relaxed);
        })
        .unwrap();
    assert!(saved.load(Relaxed) <= unsaved && saved.load(Relaxed) >= unsaved / 2);
    assert!(
        place.budget.most() <= place.budget.all(),
        "{} bytes too many",
        place.budget.most() - place.budget.all()
    );
    assert!(!files.is_empty());
    place.stop.store(false, Relaxed);
    assert!(drain(&sparse).into_iter().eq(expected));
    drop(sparse);
    // All of it is given back.
    assert_eq!(place.budget.used(), Budget::new(memory, threads).unwrap().used());
}

#[test]
fn one_account_holds_for_any_number_of_threads() {
    for threads in [1, 2, 3, 8, 32] {
        for slow in [0, 20] {
            stays_within_its_budget::<u64>(threads, slow, None);
            stays_within_its_budget::<u128>(threads, slow, None);
        }
    }
}

#[test]
fn a_stop_keeps_everything_within_the_budget() {
    for threads in [1, 8] {
        stays_within_its_budget::<u64>(threads, 5, Some(6));
        stays_within_its_budget::<u128>(threads, 5, Some(6));
    }
}

/// Runs that a process with more memory left are merged in rounds, until few enough are open.
#[test]
fn many_runs_are_merged_within_a_small_budget() {
    let place = ContainerHome::new(1100 << 20, 1, Duration::ZERO);
    let mut sparse = place.container::<u64>();
    let mut random = Random::new(5);
    let mut expected = BTreeSet::new();
    for _ in 0..118 {
        let mut buffer: Vec<u64> = (0..2000).map(|_| random.below(1 << 40) as u64).collect();
        expected.extend(buffer.iter().copied());
        sparse.flush(&mut buffer).unwrap();
        sparse.save(&[], &|_| ()).unwrap();
    }
    let files = sparse.files();
    let small = Budget::new(64 << 10, 1).unwrap();
    let most = small.runs_at_once(8);
    assert!(files.len() > most, "{} files", files.len());
    let context = place.context(&small);
    let mut merged = Sparse::<u64>::new(context, (0, 1 << 40), &files).unwrap();
    assert!(merged.files().len() <= most);
    // What the manifest names stays until another one is stored.
    assert!(files.iter().all(|file| file.path.exists()));
    let on_disk = std::fs::read_dir(place.dir.path()).unwrap().count();
    let garbage = merged.garbage();
    assert_eq!(on_disk, merged.files().len() + garbage.len());
    assert!(garbage.iter().all(|path| files.iter().any(|file| file.path == *path)));
    assert!(drain(&merged).into_iter().eq(expected));
    // Who wants to stop does not wait for that.
    place.stop.store(true, Relaxed);
    let stopped = Sparse::<u64>::new(context, (0, 1 << 40), &files).map(|_| ());
    assert!(matches!(stopped, Err(Error::Interrupted(_))), "{stopped:?}");
}

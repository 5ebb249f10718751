//! Memory as a budget: what the user allows, divided among those who use it, and the account of what
//! they use.
//!
//! # Who has what
//!
//! | share | for |
//! |---|---|
//! | 4/16 | candidates in the workers' buffers |
//! | 9/16 | runs in memory: those that wait, those that a thread has in hand, what they become; block indices |
//! | 2/16 | buckets in hand: candidates, sort space, new indices, their blocks |
//! | 1/16 | what the allocator keeps, and small levels of a directed walk |
//!
//! A bitmap takes the place of buffers and runs, 12/16 at the most.
//!
//! # The account
//!
//! Every byte that grows with the work is charged to the budget before it is allocated, and the
//! [`Charge`] is dropped together with what it pays for. The last two shares are charged from the
//! beginning: how many buckets are in hand and how large they are is known. Buffers, bitmaps and block
//! indices are charged when they are made. They are bounded by their shares, or there is no work
//! without them, so they are never refused ([`Budget::take`]). Runs get what is left
//! ([`Budget::try_take`]), and a thread without room for its run writes other runs to disk, or waits
//! until another thread has done so. [`sparse`](super::sparse) says why that ends.
//!
//! What each thread takes however little memory is allowed is charged from the beginning, and comes on top
//! of the budget: a stack, buffers of a file that is read and of one that is written, a page of a
//! block index, compressors, the smallest buckets that can be worked with (`THREAD`). Not charged is what
//! grows neither with the work nor with the threads: the program and the puzzle's tables. Both together are
//! what is promised as [`overhead`].

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rustix::process::{Resource, getrlimit};

use crate::error::{Alternative, Error, LimitKind, Result};
use crate::space::Index;
use crate::store::disk::WRITE_BUFFER;
use crate::store::level_set::{BLOCK, READER, SortedSet, block};

/// What the program takes beside its budget, at the most.
pub fn overhead(threads: usize) -> u64 {
    (24 << 20) + threads as u64 * PROMISED_PER_THREAD
}

/// What a thread takes beside the budget, and what the allocator keeps for it, at the most.
const PROMISED_PER_THREAD: u64 = 8 << 20;
/// Of that, what is known: it is charged from the beginning.
const THREAD: u64 = STACK + PAGE + (READER + WRITE_BUFFER + block::CODEC) as u64 + 4 * LEAST_BUCKET;
const _: () = assert!(THREAD + (1 << 20) <= PROMISED_PER_THREAD);
/// The part of a stack that is used.
const STACK: u64 = 256 << 10;
/// A page of a block index, of up to 10^11 indices.
const PAGE: u64 = 256 << 10;

/// No more threads than this can be chosen.
pub const MOST_THREADS: usize = 1024;
/// No budget below this for each thread is accepted.
const LEAST: u64 = 64 << 10;
/// With less than this for each thread, one thread less is quicker.
pub const PER_THREAD: u64 = 2 << 20;
/// With this much memory a thread can have one more bucket in hand.
const PER_BUSY_THREAD: u64 = 64 << 20;
/// A larger buffer sorts more slowly than two smaller ones.
const LARGEST_BUFFER: u64 = 64 << 20;
/// Candidates of the smallest buckets, in bytes: enough to merge several runs at a time.
const LEAST_BUCKET: u64 = 1 << 20;
/// As many threads as these keep one more busy with writing runs to disk.
const PER_SPILLING_THREAD: usize = 4;

/// The memory that a walk may use, and how much of it is in use; and its threads.
#[derive(Debug)]
pub struct Budget {
    memory: u64,
    threads: usize,
    /// What threads take in any case.
    fixed: u64,
    used: AtomicU64,
    most: AtomicU64,
}

/// Bytes that are in use until this is dropped.
#[derive(Debug)]
#[must_use = "dropping a charge gives its bytes back"]
pub struct Charge<'b> {
    budget: &'b Budget,
    bytes: u64,
}

impl Charge<'_> {
    /// How many they are.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Changes how many they are, to fewer than were expected.
    pub fn change_to(&mut self, bytes: u64) {
        // The sum wraps around, as the difference does that is added.
        self.budget.used.fetch_add(bytes.wrapping_sub(self.bytes), Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Charge<'_> {
    fn drop(&mut self) {
        self.change_to(0);
    }
}

impl Budget {
    /// A budget; refused if it is too small to work with.
    pub fn new(memory: u64, threads: usize) -> Result<Self> {
        if !(1..=MOST_THREADS).contains(&threads) {
            return Err(Error::Usage(format!(
                "{threads} threads are not possible: choose 1 to {MOST_THREADS}"
            )));
        }
        let least = threads as u64 * LEAST;
        if memory < least {
            return Err(Error::from(LimitKind::Memory {
                what: format!("work (threads: {threads})"),
                needed: least,
                allowed: memory,
                or: Alternative::FewerThreads,
            }));
        }
        let fixed = threads as u64 * THREAD;
        let used = memory / 16 * 3 + fixed;
        Ok(Budget { memory, threads, fixed, used: AtomicU64::new(used), most: AtomicU64::new(used) })
    }

    /// What the user allows.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Charges what there is no work without.
    pub fn take(&self, bytes: u64) -> Charge<'_> {
        let used = self.used.fetch_add(bytes, Relaxed) + bytes;
        self.most.fetch_max(used, Relaxed);
        Charge { budget: self, bytes }
    }

    /// Charges what can wait; `None` if there is not so much left. A little stays for what cannot.
    pub fn try_take(&self, bytes: u64) -> Option<Charge<'_>> {
        let most = self.all() - self.memory / 64;
        let room = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= most);
        let used = self.used.fetch_update(Relaxed, Relaxed, room).ok()?;
        self.most.fetch_max(used + bytes, Relaxed);
        Some(Charge { budget: self, bytes })
    }

    /// Charges a set that all threads read: what it takes, and the part of a page for each of them that is
    /// more than they have for that.
    pub fn take_set<I: Index>(&self, set: &SortedSet<I>) -> Charge<'_> {
        let more = (set.page_memory() as u64).saturating_sub(PAGE);
        self.take(set.memory() as u64 + self.threads as u64 * more)
    }

    /// What may be in use: the memory that is allowed, and what threads take in any case.
    pub fn all(&self) -> u64 {
        self.memory + self.fixed
    }

    /// What is in use.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// The most that was in use so far.
    pub fn most(&self) -> u64 {
        self.most.load(Relaxed)
    }

    /// Entries of `size` bytes in one worker's buffer.
    pub fn buffer_entries(&self, size: usize) -> usize {
        let share = self.memory / 4 / self.threads as u64;
        share.min(LARGEST_BUFFER) as usize / size
    }

    /// Bytes of runs that may wait in memory before some of them are written to disk. Meanwhile as many
    /// more can wait, and others be written: by one thread, or by several where many fill them.
    pub fn run_bytes(&self) -> u64 {
        let writing = (self.threads / PER_SPILLING_THREAD).clamp(2, 8) as u64;
        self.memory / 16 * 9 / (1 + writing)
    }

    /// Runs that can be merged at a time: each has a block in a bucket at both of its borders. It is also
    /// how many run files there may be, as each has windows in memory while it is read.
    pub fn runs_at_once(&self, size: usize) -> usize {
        (self.bucket_entries(size) / BLOCK / 2).min(128)
    }

    /// Bytes that a bitmap may take, in whole words.
    pub fn bitmap_bytes(&self) -> u64 {
        self.memory / 128 * 96
    }

    /// Bytes that a bitmap may take beside buffers, from which candidates are sent to other processes.
    pub fn shared_bitmap_bytes(&self) -> u64 {
        self.memory / 128 * 64
    }

    /// Bytes of messages to and from other processes, where there are any.
    pub fn message_bytes(&self) -> u64 {
        self.memory / 8
    }

    /// Bytes of levels that a directed walk may keep in memory.
    pub fn earlier_bytes(&self) -> u64 {
        self.memory / 64
    }

    /// Entries of `size` bytes in one bucket. A bucket in hand takes its candidates, as much again
    /// for sorting them, and the new ones twice.
    pub fn bucket_entries(&self, size: usize) -> usize {
        let buckets = self.wave() as u64;
        let entries = self.memory / 8 / buckets / (4 * size as u64);
        entries.clamp(LEAST_BUCKET / size as u64, 1 << 20) as usize
    }

    /// Buckets that are in hand at a time: several for each thread where there is memory for that,
    /// so that no thread waits long for the others.
    pub fn wave(&self) -> usize {
        let each = (self.memory / self.threads as u64 / PER_BUSY_THREAD).clamp(1, 4);
        self.threads * each as usize
    }
}

/// The default: three quarters of the memory that is free now, within the control group's limit.
pub fn default_memory() -> u64 {
    let free = free_memory().unwrap_or(4 << 30);
    (free / 4 * 3).max(64 << 20)
}

/// What is free on this machine, or in this control group if that is less.
pub fn free_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let mut free = kilobytes(&meminfo, "MemAvailable:")?;
    if let Some(space) = getrlimit(Resource::As).current {
        // Beside the heap, the address space holds the program and the stacks.
        free = free.min((space / 2).saturating_sub(64 << 20));
    }
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    for line in group.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let (base, limit, used) = if controllers.is_empty() {
            ("/sys/fs/cgroup", "memory.max", "memory.current")
        } else if controllers.split(',').any(|c| c == "memory") {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
        } else {
            continue;
        };
        // A limit may stand on any group above ours; inside a container ours looks like the root.
        let mut path = path.trim_end_matches('/').to_owned();
        loop {
            let at = |name: &str| number(&format!("{base}{path}/{name}"));
            if let (Some(limit), Some(used)) = (at(limit), at(used)) {
                // Cached file pages count as used, but give way when memory is wanted.
                let stat = fs::read_to_string(format!("{base}{path}/memory.stat"));
                let stat = stat.unwrap_or_default();
                let cached = ["active_file ", "inactive_file "].map(|name| {
                    let line = stat.lines().find_map(|line| line.strip_prefix(name));
                    line.and_then(|number| number.parse::<u64>().ok()).unwrap_or(0)
                });
                let used = used.saturating_sub(cached.iter().sum());
                free = free.min(limit.saturating_sub(used));
            }
            match path.rfind('/') {
                Some(cut) => path.truncate(cut),
                None => break,
            }
        }
    }
    Some(free)
}

/// The largest amount of memory that this process has had so far.
pub fn peak_memory() -> u64 {
    fs::read_to_string("/proc/self/status").ok().and_then(|status| kilobytes(&status, "VmHWM:")).unwrap_or(0)
}

/// The memory that this process has now.
pub fn resident_memory() -> u64 {
    fs::read_to_string("/proc/self/status").ok().and_then(|status| kilobytes(&status, "VmRSS:")).unwrap_or(0)
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number = line.trim().trim_end_matches("kB").trim();
    Some(number.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests;

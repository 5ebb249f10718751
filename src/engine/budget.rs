//! Memory as a budget: what the user allows, divided among those who use it.
//!
//! | share | for |
//! |---|---|
//! | 4/16 | candidates in the workers' buffers |
//! | 3/16 | runs in memory |
//! | 6/16 | runs that are being merged, and what they become |
//! | 2/16 | buckets being drained: candidates, sort space, new indices, their blocks |
//! | 1/16 | windows on files, block indices, and what the allocator keeps |
//!
//! A bitmap takes the place of buffers and runs, 12/16 at the most. On top of the budget come the
//! program itself, the puzzle's tables, and what each thread holds at least: less than
//! [`overhead`].

use std::fs;

use rustix::process::{Resource, getrlimit};

use crate::error::{Error, Result};
use crate::store::level_set::BLOCK;
use crate::text::bytes;

/// What the program takes beside its budget, at the most.
pub fn overhead(threads: usize) -> u64 {
    (24 << 20) + threads as u64 * (8 << 20)
}

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

/// The memory that a walk may use, and its threads.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    memory: u64,
    threads: usize,
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
            return Err(Error::Limit(format!(
                "--memory {} is too little (threads: {threads}): at least {} is needed",
                bytes(memory),
                bytes(least)
            )));
        }
        Ok(Budget { memory, threads })
    }

    /// How many threads.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Entries of `size` bytes in one worker's buffer.
    pub fn buffer_entries(&self, size: usize) -> usize {
        let share = self.memory / 4 / self.threads as u64;
        share.min(LARGEST_BUFFER) as usize / size
    }

    /// Bytes of runs that may stay in memory.
    pub fn run_bytes(&self) -> usize {
        (self.memory / 16 * 3) as usize
    }

    /// Run files that may be there at a time. Each has an open file and a window, and draining
    /// takes at least a few blocks of each into one bucket.
    pub fn run_files(&self, size: usize) -> usize {
        (self.bucket_entries(size) / BLOCK / 2).clamp(16, 128)
    }

    /// Bytes that a bitmap may take, in whole words.
    pub fn bitmap_bytes(&self) -> u64 {
        self.memory / 128 * 96
    }

    /// Entries of `size` bytes in one bucket. A bucket in hand takes its candidates, as much again
    /// for sorting them, and the new ones twice.
    pub fn bucket_entries(&self, size: usize) -> usize {
        let buckets = self.wave() as u64;
        let entries = self.memory / 8 / buckets / (4 * size as u64);
        entries.clamp(1 << 13, 1 << 20) as usize
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
            (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            )
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
                    line.and_then(|number| number.parse::<u64>().ok())
                        .unwrap_or(0)
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
    fs::read_to_string("/proc/self/status")
        .ok()
        .and_then(|status| kilobytes(&status, "VmHWM:"))
        .unwrap_or(0)
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number = line.trim().trim_end_matches("kB").trim();
    Some(number.parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_stay_within_the_budget() {
        for memory in [192 << 10, 6 << 20, 256 << 20, 16 << 30] {
            for threads in [1, 2, 3] {
                let budget = Budget::new(memory, threads).unwrap();
                let buffers = budget.buffer_entries(8) * 8 * threads;
                let runs = 3 * budget.run_bytes();
                assert!((buffers + runs) as u64 <= memory / 16 * 13);
                assert!(budget.bitmap_bytes() <= memory / 16 * 12);
            }
        }
        assert!(Budget::new(1 << 20, 17).is_err());
        assert!(peak_memory() > 0);
        assert!(free_memory().is_some());
    }
}

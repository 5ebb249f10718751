//! Memory as a budget: what the user allows, divided among those who use it.
//!
//! | share | for |
//! |---|---|
//! | 1/4 | candidates in the workers' buffers |
//! | 1/4 | runs in memory, and as much again while runs are being merged |
//! | 1/8 | merging: candidates, known indices and new indices of the parts in hand |
//! | 1/8 | windows on files, block indices, and what the allocator keeps |
//!
//! A bitmap takes the place of buffers and runs. On top of the budget come the program itself and
//! the puzzle's tables: less than [`CONSTANT`] bytes.

use std::fs;

use crate::error::{Error, Result};
use crate::report::bytes;

/// What the program takes beside its budget.
pub const CONSTANT: u64 = 32 << 20;
/// No budget below this is accepted.
pub const LEAST: u64 = 4 << 20;
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
        let least = LEAST.max(threads as u64 * (1 << 20));
        if memory < least {
            return Err(Error::Limit(format!(
                "--memory {} is too little for {threads} threads: at least {} is needed",
                bytes(memory),
                bytes(least)
            )));
        }
        Ok(Budget { memory, threads })
    }

    /// Entries of `size` bytes in one worker's buffer.
    pub fn buffer_entries(&self, size: usize) -> usize {
        let share = self.memory / 4 / self.threads as u64;
        share.min(LARGEST_BUFFER) as usize / size
    }

    /// Bytes of runs that may stay in memory.
    pub fn run_bytes(&self) -> usize {
        (self.memory / 4) as usize
    }

    /// Bytes that a bitmap may take.
    pub fn bitmap_bytes(&self) -> u64 {
        self.memory * 5 / 8
    }

    /// Entries of `size` bytes in one part of a merge. A part in hand takes its candidates, as
    /// much again for sorting them, the known indices, and the new ones.
    pub fn part_entries(&self, size: usize) -> usize {
        let parts = self.wave() as u64;
        let entries = self.memory / 8 / parts / (4 * size as u64);
        entries.clamp(1 << 14, 1 << 20) as usize
    }

    /// Parts of a merge that are in hand at a time.
    pub fn wave(&self) -> usize {
        self.threads * 2
    }
}

/// The default: three quarters of the memory that is free now, within the control group's limit.
pub fn default_memory() -> u64 {
    let free = free_memory().unwrap_or(4 << 30);
    (free / 4 * 3).max(LEAST)
}

/// What is free on this machine, or in this control group if that is less.
pub fn free_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let free = kilobytes(&meminfo, "MemAvailable:")?;
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let group = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut free = free;
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
        for memory in [LEAST, 256 << 20, 16 << 30] {
            for threads in [1, 2, 3] {
                let budget = Budget::new(memory, threads).unwrap();
                let buffers = budget.buffer_entries(8) * 8 * threads;
                let runs = 2 * budget.run_bytes();
                assert!((buffers + runs) as u64 <= memory * 3 / 4);
                assert!(budget.bitmap_bytes() <= memory * 3 / 4);
            }
        }
        assert!(Budget::new(1 << 20, 1).is_err());
        assert!(peak_memory() > 0);
        assert!(free_memory().is_some());
    }
}

//! Long work that falls into numbered parts, with a directory of its own that remembers which are
//! done: what counting and sampling share.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::engine::Control;
use crate::error::{Result, usage};
use crate::store::Lock;
use crate::store::disk::{self, Disk};
use crate::store::par_map;

/// Does the parts 0 to `parts` - 1 on so many threads, begun in this order, until all are done, one of
/// them fails, or the user wants to stop.
pub fn each(
    parts: u64,
    threads: usize,
    control: Control<'_>,
    work: impl Fn(u64) -> Result<()> + Sync,
) -> Result<()> {
    let pool = par_map::pool(threads)?;
    let next = AtomicU64::new(0);
    let failed = AtomicBool::new(false);
    let results = pool.broadcast(|_| -> Result<()> {
        while !control.stopped() && !failed.load(Relaxed) {
            let part = next.fetch_add(1, Relaxed);
            if part >= parts {
                break;
            }
            work(part).inspect_err(|_| failed.store(true, Relaxed))?;
        }
        Ok(())
    });
    results.into_iter().collect()
}

/// Refuses a directory that holds something else than `what`, which consists of these files.
pub fn refuse_foreign(dir: &Path, what: &str, ours: &[&str]) -> Result<()> {
    for path in disk::entries(dir)? {
        if !ours.iter().any(|name| path.ends_with(name)) {
            return usage(format!(
                "{} holds something else than {what} (there is {}); choose another directory with \
                 --dir",
                dir.display(),
                path.display()
            ));
        }
    }
    Ok(())
}

/// Leaves a directory in which nothing was done as if it had never been there.
pub fn vacate(disk: &Disk, dir: &Path, lock: Lock, files: &[&str]) -> Result<()> {
    for name in files {
        disk.remove(&dir.join(name))?;
    }
    // While it is held: whoever waits for it sees that it is gone.
    disk.remove(&dir.join("lock"))?;
    disk.remove_empty_dir(dir);
    drop(lock);
    Ok(())
}

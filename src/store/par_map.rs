//! Pieces of work on all threads.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, LimitKind, Resource, Result};

/// A pool of `threads` threads, if the system grants them.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| {
        Error::from(LimitKind::Refused { resource: Resource::Threads(threads), cause: Some(e.to_string()) })
    })
}

/// Does `work` with every piece, on all threads, and returns what it comes to in the order of the
/// pieces. A single piece stays on this thread: waking another one takes longer than most levels of a
/// small puzzle (classic Klotski, 168 levels: half of the time).
pub fn par_map<P: Sync, T: Send, C: FromIterator<T> + FromParallelIterator<T> + Send>(
    pool: &ThreadPool,
    pieces: &[P],
    work: impl Fn(&P) -> T + Sync + Send,
) -> C {
    if pieces.len() < 2 {
        return pieces.iter().map(work).collect();
    }
    pool.install(|| pieces.par_iter().map(work).collect())
}

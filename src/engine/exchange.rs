//! The exchange step: candidates go to the process that owns their numbers. In one process it does not exist.
//!
//! [`Exchange`] wraps the container of a pass. A thread's full buffer is sorted and freed of repeats; what other
//! processes own is coded into *messages*, each of them a run, and what this process owns goes into its
//! container as a run. What arrives is decoded and goes there, too, on whichever thread finds it: before it sends,
//! and while it waits until it may.
//!
//! # Who waits for whom
//! A thread that may not send, because too much is on the way, puts what arrives into the container meanwhile.
//! So two processes that are full of messages for each other both go on. Into the container everything gets in any
//! case: when memory is used up, it writes runs to disk.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::container::{Container, Range};
use super::manifest::RunRecord;
use super::peers::{Arrival, Peers, ReceivedRun};
use crate::error::{Error, Result};
use crate::space::Index;
use crate::store::level_set::SortedSet;
use crate::store::level_set::block::{self, BLOCK, HEADER, Header, Packing};
use crate::store::memory;

/// Candidates in a message, at the most: a thread that takes it has them all in hand.
const MESSAGE: usize = 1 << 16;
/// How long a thread waits for something to arrive before it looks again whether it may send.
const WAIT: Duration = Duration::from_micros(200);

/// Who owns which numbers.
pub(super) struct Owners<I> {
    /// Where the numbers of each process begin, and the end of the last.
    borders: Vec<I>,
}

impl<I: Index> Owners<I> {
    /// `border` is where the numbers of a process begin.
    pub fn new(count: usize, border: impl Fn(usize) -> u128) -> Self {
        Owners { borders: (0..=count).map(|process| I::narrow(border(process))).collect() }
    }

    /// The numbers of a process.
    pub fn range(&self, process: usize) -> Range<I> {
        (self.borders[process], self.borders[process + 1])
    }

    fn count(&self) -> usize {
        self.borders.len() - 1
    }
}

/// A container that candidates of all processes go into.
pub(super) struct Exchange<'c, I> {
    container: &'c dyn Container<I>,
    peers: &'c dyn Peers,
    owners: &'c Owners<I>,
    entries: usize,
    /// Candidates and bytes that were sent.
    sent: &'c Traffic,
}

/// What was sent to other processes.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    /// Candidates that were found for others, with repeats, ...
    pub candidates: AtomicU64,
    /// ... and bytes of their runs.
    pub bytes: AtomicU64,
}

impl<'c, I: Index> Exchange<'c, I> {
    /// Exchanges before `container`, with buffers of so many entries.
    pub fn new(
        container: &'c dyn Container<I>,
        peers: &'c dyn Peers,
        owners: &'c Owners<I>,
        entries: usize,
        sent: &'c Traffic,
    ) -> Self {
        Exchange { container, peers, owners, entries, sent }
    }

    /// Sends what others own of a buffer, and puts the rest into the container.
    fn distribute(&self, buffer: &mut Vec<I>) -> Result<()> {
        let found = buffer.len();
        buffer.sort_unstable();
        buffer.dedup();
        let own = self.peers.process();
        let place = |border: I| buffer.partition_point(|&candidate| candidate < border);
        let (low, high) = self.owners.range(own);
        let (start, end) = (place(low), place(high));
        let others = buffer.len() - (end - start);
        // Repeats are as many for others as for this process.
        let share = (found as u64).saturating_mul(others as u64) / buffer.len().max(1) as u64;
        self.sent.candidates.fetch_add(share, Relaxed);
        // Each begins with the process after it, so that not all send to one at a time.
        for step in 1..self.owners.count() {
            let to = (own + step) % self.owners.count();
            let (low, high) = self.owners.range(to);
            for run in buffer[place(low)..place(high)].chunks(MESSAGE.min(self.entries.max(1))) {
                self.send(to, run)?;
            }
        }
        buffer.truncate(end);
        buffer.drain(..start);
        if buffer.is_empty() { Ok(()) } else { self.container.push_run(buffer) }
    }

    fn send(&self, to: usize, run: &[I]) -> Result<()> {
        let most = self.peers.message_bytes().0;
        let mut message = Vec::new();
        for block in run.chunks(BLOCK) {
            block::encode(block, Packing::Fast, &mut message);
            if message.len() >= most {
                self.send_message(to, &mut message)?;
            }
        }
        if message.is_empty() { Ok(()) } else { self.send_message(to, &mut message) }
    }

    fn send_message(&self, to: usize, message: &mut Vec<u8>) -> Result<()> {
        self.sent.bytes.fetch_add(message.len() as u64, Relaxed);
        while !self.peers.try_send(to, message)? {
            if let (false, _) = self.receive(Duration::ZERO)? {
                std::thread::sleep(WAIT);
            }
        }
        Ok(())
    }

    /// Puts what arrives next into the container; whether that was anything, and whether nothing more will come.
    fn receive(&self, wait: Duration) -> Result<(bool, bool)> {
        match self.peers.receive(wait)? {
            Arrival::Run(run) => self.take(run).map(|()| (true, false)),
            Arrival::Nothing => Ok((false, false)),
            Arrival::Settled => Ok((false, true)),
        }
    }

    fn take(&self, run: ReceivedRun) -> Result<()> {
        let mut candidates = decoded::<I>(&run.bytes, self.owners.range(self.peers.process()))?;
        self.container.push_run(&mut candidates)?;
        self.peers.received(run);
        Ok(())
    }

    /// Waits until everything that all processes sent in this phase is in their containers.
    pub fn settle(&self, pool: &rayon::ThreadPool) -> Result<()> {
        self.peers.finish()?;
        let alone = || -> Result<bool> {
            // A few messages are taken sooner than other threads are woken.
            for _ in 0..4 {
                if let (_, true) = self.receive(WAIT * 50)? {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        if alone()? {
            return Ok(());
        }
        let all = |_: rayon::BroadcastContext<'_>| loop {
            match self.receive(WAIT * 50) {
                Ok((_, false)) => {}
                Ok((_, true)) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        pool.broadcast(all).into_iter().collect()
    }
}

/// The candidates of a message, which must be in `range`.
fn decoded<I: Index>(mut bytes: &[u8], (low, high): Range<I>) -> Result<Vec<I>> {
    let damaged =
        |what: &str| Error::verification(format!("a message from another process is damaged: {what}"));
    let (mut rest, mut count) = (bytes, 0);
    while !rest.is_empty() {
        let header = Header::read(rest).ok_or_else(|| damaged("it does not consist of blocks"))?;
        count += usize::from(header.count);
        rest =
            rest.get(HEADER + header.length as usize..).ok_or_else(|| damaged("it ends inside a block"))?;
    }
    if count > MESSAGE {
        return Err(damaged("it has more candidates than are sent at a time"));
    }
    let mut candidates = memory::try_with_capacity(count)?;
    while let Some(header) = Header::read(bytes) {
        let (block, rest) = bytes.split_at(HEADER + header.length as usize);
        block::decode(block, &mut candidates).map_err(damaged)?;
        bytes = rest;
    }
    let inside = candidates.first().is_none_or(|&first| first >= low)
        && candidates.last().is_none_or(|&last| last < high)
        && candidates.is_sorted_by(|a, b| a < b);
    if inside {
        Ok(candidates)
    } else {
        Err(damaged("its candidates are not in order, or not for this process"))
    }
}

impl<I: Index> Container<I> for Exchange<'_, I> {
    fn push(&self, buffer: &mut Vec<I>) -> Result<()> {
        // What has arrived must not wait until this process has something to send.
        while let (true, _) = self.receive(Duration::ZERO)? {}
        if buffer.len() < self.entries { Ok(()) } else { self.distribute(buffer) }
    }

    fn flush(&self, buffer: &mut Vec<I>) -> Result<()> {
        self.distribute(buffer)
    }

    fn push_run(&self, run: &mut Vec<I>) -> Result<()> {
        self.container.push_run(run)
    }

    fn buffer_entries(&self) -> usize {
        self.entries
    }

    fn left(&self, low: I) -> Result<u64> {
        self.container.left(low)
    }

    fn buckets(&self, low: I) -> Result<Vec<Range<I>>> {
        self.container.buckets(low)
    }

    fn drain_bucket(&self, bucket: Range<I>, known: &[&SortedSet<I>]) -> Result<Vec<I>> {
        self.container.drain_bucket(bucket, known)
    }

    fn save(&mut self, _: &[&SortedSet<I>], _: &dyn Fn(u64)) -> Result<Vec<RunRecord>> {
        Err(Error::verification("candidates cannot be saved while they are exchanged"))
    }

    fn unsaved(&self) -> u64 {
        self.container.unsaved()
    }

    fn garbage(&mut self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn files(&self) -> Vec<RunRecord> {
        self.container.files()
    }
}

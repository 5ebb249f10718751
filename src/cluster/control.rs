//! Reports, signs of life and losses: a connection from every process to process 0.
//!
//! Every process sends a sign of life several times within the time after which a silent one counts as dead; a stopped
//! process does not, although its system still answers for it. Process 0 notices the others, and they notice it;
//! whatever one of them notices, process 0 tells all. From then on every call of every process fails with the same
//! sentence.
//!
//! ```text
//! frame = length of the rest (4) | kind (1) | content
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::error::{Error, Interruption, Result};
use crate::text::duration;

/// No frame is longer.
const LONGEST: u32 = 1 << 26;

const ALIVE: u8 = 0;
const REPORT: u8 = 1;
const REPORTS: u8 = 2;
const STOP: u8 = 3;
const LOST: u8 = 4;
const INTERRUPTED: u8 = 5;
const END: u8 = 6;

/// Why this process cannot go on with the others.
#[derive(Clone, Debug)]
enum Failure {
    Lost {
        process: usize,
        how: String,
    },
    /// Another process was stopped by its user between two checkpoints.
    Interrupted,
}

/// The connections for reports.
pub struct ReportLinks {
    process: usize,
    places: Vec<String>,
    /// By process; of all but process 0 only that to process 0.
    streams: Vec<Option<Mutex<TcpStream>>>,
    dead_after: Duration,
    state: Mutex<LinkState>,
    changed: Condvar,
    /// Makes the engine stop.
    halt: Arc<AtomicBool>,
}

#[derive(Default)]
struct LinkState {
    failure: Option<Failure>,
    /// The number of the reports that are exchanged next.
    next: u64,
    /// At process 0: what the others have reported so far, by number.
    waiting: BTreeMap<u64, BTreeMap<usize, Vec<u8>>>,
    /// Complete ones that were not taken yet.
    complete: BTreeMap<u64, Vec<Vec<u8>>>,
    /// Processes whose work is done: they may go.
    ended: BTreeSet<usize>,
    /// The work of all is done.
    over: bool,
    stop_told: bool,
}

/// Reads a frame: its kind and its content.
pub fn read_frame(stream: &mut impl Read) -> io::Result<(u8, Vec<u8>)> {
    let mut head = [0; 5];
    stream.read_exact(&mut head)?;
    let length = u32::from_le_bytes([head[0], head[1], head[2], head[3]]);
    if !(1..=LONGEST).contains(&length) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it sent something else than a frame"));
    }
    // Grows with what arrives, not with what is announced.
    let mut content = Vec::new();
    stream.take(u64::from(length) - 1).read_to_end(&mut content)?;
    match content.len() as u32 + 1 == length {
        true => Ok((head[4], content)),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Writes a frame.
pub fn write_frame(stream: &mut impl Write, kind: u8, content: &[u8]) -> io::Result<()> {
    let mut frame = (content.len() as u32 + 1).to_le_bytes().to_vec();
    frame.push(kind);
    frame.extend_from_slice(content);
    stream.write_all(&frame)
}

fn numbered(number: u64, content: &[u8]) -> Vec<u8> {
    [&number.to_le_bytes()[..], content].concat()
}

fn split_number(content: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = content.split_first_chunk()?;
    Some((u64::from_le_bytes(*number), rest))
}

impl ReportLinks {
    /// Watches connected streams: of process 0 to all others, of others to process 0. `halt` is set when the engine has
    /// to stop, and `stop` by the user.
    pub fn start(
        process: usize,
        places: Vec<String>,
        streams: Vec<Option<TcpStream>>,
        dead_after: Duration,
        halt: Arc<AtomicBool>,
    ) -> io::Result<Arc<Self>> {
        let mut readers = Vec::new();
        for (other, stream) in streams.iter().enumerate() {
            if let Some(stream) = stream {
                stream.set_read_timeout(Some(dead_after))?;
                stream.set_write_timeout(Some(dead_after))?;
                readers.push((other, stream.try_clone()?));
            }
        }
        let streams = streams.into_iter().map(|stream| stream.map(Mutex::new)).collect();
        let (state, changed) = (Mutex::default(), Condvar::new());
        let control = Arc::new(ReportLinks { process, places, streams, dead_after, state, changed, halt });
        for (other, stream) in readers {
            let control = control.clone();
            std::thread::Builder::new()
                .name(format!("control-{other}"))
                .spawn(move || control.listen(other, stream))?;
        }
        Ok(control)
    }

    fn state(&self) -> MutexGuard<'_, LinkState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many processes.
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// How often a sign of life is due.
    pub fn beat(&self) -> Duration {
        (self.dead_after / 8).clamp(Duration::from_millis(10), Duration::from_secs(2))
    }

    /// Sends a frame to all that this process has a connection to, but for one.
    fn send(&self, kind: u8, content: &[u8], except: Option<usize>) {
        for (to, stream) in self.streams.iter().enumerate().filter(|(to, _)| Some(*to) != except) {
            if let Some(stream) = stream {
                let sent =
                    write_frame(&mut *stream.lock().unwrap_or_else(PoisonError::into_inner), kind, content);
                if sent.is_err() && !matches!(kind, LOST | INTERRUPTED | END) {
                    self.lose(to, "cannot be reached any more".into());
                }
            }
        }
    }

    /// Signs of life, until `is_over`; hands on when the user wants to stop.
    pub fn live(&self, stop: &AtomicBool, is_over: &AtomicBool, broken: impl Fn() -> Option<usize>) {
        let (mut last, mut broken_since) = (Instant::now(), None);
        self.send(ALIVE, &[], None);
        while !is_over.load(SeqCst) {
            std::thread::sleep(self.beat().min(Duration::from_millis(25)));
            if last.elapsed() >= self.beat() {
                last = Instant::now();
                self.send(ALIVE, &[], None);
            }
            if stop.load(SeqCst) {
                self.stop(None);
            }
            if let Some(process) = broken() {
                // What process 0 knows about it is better, if it comes soon.
                let since: &Instant = broken_since.get_or_insert_with(Instant::now);
                if since.elapsed() > Duration::from_millis(500) {
                    self.lose(process, "closed its connection".into());
                }
            }
        }
    }

    /// All processes shall stop after a checkpoint.
    fn stop(&self, except: Option<usize>) {
        self.halt.store(true, SeqCst);
        if !std::mem::replace(&mut self.state().stop_told, true) {
            self.send(STOP, &[], except);
        }
    }

    fn listen(&self, other: usize, mut stream: TcpStream) {
        loop {
            match read_frame(&mut stream) {
                Ok((kind, content)) => {
                    if self.understand(other, kind, &content).is_none() {
                        return self.lose(other, "sent something that makes no sense".into());
                    }
                }
                Err(_) if self.state().may_go(other) => return,
                Err(error) => {
                    let how = match error.kind() {
                        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                            format!("has given no sign of life for {}", duration(self.dead_after))
                        }
                        io::ErrorKind::UnexpectedEof | io::ErrorKind::ConnectionReset => "ended".into(),
                        _ => format!("cannot be reached any more: {error}"),
                    };
                    return self.lose(other, how);
                }
            }
        }
    }

    fn understand(&self, other: usize, kind: u8, content: &[u8]) -> Option<()> {
        match kind {
            ALIVE => {}
            STOP => self.stop(Some(other)),
            REPORT if self.process == 0 => {
                let (number, report) = split_number(content)?;
                self.add_report(number, other, report.to_vec());
            }
            REPORTS if self.process != 0 => {
                let (number, mut rest) = split_number(content)?;
                let mut reports = Vec::new();
                while !rest.is_empty() {
                    let (length, more) = split_number(rest)?;
                    reports.push(more.get(..length as usize)?.to_vec());
                    rest = &more[length as usize..];
                }
                (reports.len() == self.count()).then_some(())?;
                self.state().complete.insert(number, reports);
                self.changed.notify_all();
            }
            LOST => {
                let (process, how) = split_number(content)?;
                let how = String::from_utf8_lossy(how).into_owned();
                self.fail(Failure::Lost { process: process as usize, how });
            }
            INTERRUPTED => self.fail(Failure::Interrupted),
            END => {
                let mut state = self.state();
                state.ended.insert(other);
                state.over |= self.process != 0;
                drop(state);
                self.changed.notify_all();
            }
            _ => return None,
        }
        Some(())
    }

    /// At process 0: a process has reported.
    fn add_report(&self, number: u64, process: usize, report: Vec<u8>) {
        let mut state = self.state();
        let reports = state.waiting.entry(number).or_default();
        reports.insert(process, report);
        if reports.len() < self.count() {
            return;
        }
        let all: Vec<Vec<u8>> = state.waiting.remove(&number).unwrap_or_default().into_values().collect();
        let parts = all.iter().flat_map(|report| numbered(report.len() as u64, report));
        let content = numbered(number, &parts.collect::<Vec<u8>>());
        drop(state);
        self.send(REPORTS, &content, None);
        self.state().complete.insert(number, all);
        self.changed.notify_all();
    }

    /// Hands in a report, and waits for those of all.
    pub fn exchange_reports(&self, report: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        let number = {
            let mut state = self.state();
            state.next += 1;
            state.next
        };
        match self.process {
            0 => self.add_report(number, 0, report),
            _ => self.send(REPORT, &numbered(number, &report), None),
        }
        let mut state = self.state();
        loop {
            if let Some(reports) = state.complete.remove(&number) {
                return Ok(reports);
            }
            if let Some(failure) = &state.failure {
                return Err(self.error(failure));
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Fails if this process cannot go on with the others.
    pub fn check(&self) -> Result<()> {
        self.state().failure.as_ref().map_or(Ok(()), |failure| Err(self.error(failure)))
    }

    fn error(&self, failure: &Failure) -> Error {
        match failure {
            Failure::Lost { process, how } => Error::Lost {
                process: *process,
                place: self.places.get(*process).cloned().unwrap_or_else(|| "somewhere".into()),
                how: how.clone(),
            },
            Failure::Interrupted => Error::Interrupted(Interruption::Other(
                "another process was stopped; all levels that were stored are safe".into(),
            )),
        }
    }

    fn lose(&self, process: usize, how: String) {
        if !self.state().may_go(process) {
            self.fail(Failure::Lost { process, how });
        }
    }

    /// Remembers the first failure, and tells the others.
    fn fail(&self, failure: Failure) {
        let mut state = self.state();
        if state.failure.is_some() {
            return;
        }
        state.failure = Some(failure.clone());
        drop(state);
        self.halt.store(true, SeqCst);
        self.changed.notify_all();
        match failure {
            Failure::Lost { process, how } => {
                let except = Some(process).filter(|&process| process != self.process);
                self.send(LOST, &numbered(process as u64, how.as_bytes()), except);
            }
            Failure::Interrupted => self.send(INTERRUPTED, &[], None),
        }
    }

    /// This process gives up: the others are told why.
    pub fn give_up(&self, why: &Error) {
        match why {
            Error::Interrupted(_) => self.fail(Failure::Interrupted),
            _ => self.fail(Failure::Lost { process: self.process, how: format!("gave up: {why}") }),
        }
    }

    /// This process's work is done: waits until that of all is, and no process is missed any more.
    pub fn end(&self) -> Result<()> {
        if self.process != 0 {
            self.send(END, &[], None);
        }
        let mut state = self.state();
        while !state.over {
            if let Some(failure) = &state.failure {
                return Err(self.error(failure));
            }
            if self.process == 0 && state.ended.len() + 1 == self.count() {
                state.over = true;
                drop(state);
                self.send(END, &[], None);
                return Ok(());
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Ok(())
    }

    /// The first loss that this process knows of, if any.
    pub fn loss(&self) -> Option<Error> {
        match &self.state().failure {
            Some(failure @ Failure::Lost { .. }) => Some(self.error(failure)),
            _ => None,
        }
    }
}

impl LinkState {
    fn may_go(&self, process: usize) -> bool {
        self.over || self.ended.contains(&process)
    }
}

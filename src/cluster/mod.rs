//! One job on several processes, here or on other machines.
//!
//! # How it works
//! Every process runs the engine's pipeline on the part of the universe that it owns
//! ([`shards`](crate::engine::shards)), and hands what it finds of others' to them
//! (`engine::exchange`). This module connects them: it implements [`Peers`].
//!
//! | file | what it does |
//! |---|---|
//! | `hosts` | where processes are: a hosts file, Slurm's environment, this machine |
//! | `handshake` | who may connect: a shared secret, proven by both sides |
//! | `join` | how they find each other at the start, and what process 0 tells the others |
//! | `control` | reports, signs of life, losses: a star around process 0 |
//! | `dataflow` | the exchange of candidates on timely dataflow: each with each |
//! | `local` | the processes that the first one starts and watches |
//!
//! # What a process owns
//! The universe has 4,096 *shards*; which index lies in which depends on the universe alone. Process K of P owns the
//! shards from 4096 K / P up to 4096 (K + 1) / P. Its *part* is a job directory with the level sets of those shards, in
//! the order of shards; see [`parts`].
//!
//! # What is durable when
//! At the end of a level, or when a checkpoint is due, all processes make durable what they have, each as its next
//! manifest; when all have reported that, process 0 replaces the job's manifest, with the number of the start (the
//! *epoch*) and of the commit in it; when all know that, their next manifests become the valid ones. A process that
//! is killed in between learns at the next start which of its two manifests that is.
//!
//! # What happens when a process is lost
//! Nothing that was committed. All others end: each notices that a connection broke, or that there was no sign of
//! life for too long, or process 0 tells it. With processes that the first one has started, that one kills what
//! is left and starts them all again, a few times. A stopped process that wakes up finds its connections closed; it
//! has no process to commit with, and its epoch is over.
//!
//! # Memory
//! Beside the budget's other shares, messages take W + 1 rounds of R bytes from every of P processes at a
//! receiver, and as many on their way out: 2 (P + 1) (W + 1) R is an eighth of the memory that is allowed, with W = 2. A
//! receiver that is slow makes its senders wait. On top of that timely takes about 4 MiB for every connection.

mod control;
mod dataflow;
mod handshake;
mod hosts;
mod join;
mod local;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use crate::engine::manifest::{LevelRecord, PartState};
use crate::engine::parts::{self, JointJob};
use crate::engine::peers::{Arrival, Peers, ReceivedRun};
use crate::engine::{Control, End, Observer, Options, Subject};
use crate::error::{Error, IoAction, Result, usage};
use crate::store::Pulse;
use control::ReportLinks;
use dataflow::{Dataflow, WINDOW};
use handshake::Secret;
use hosts::Seat;
use join::{Connections, Door};
use local::Children;

/// How often processes of this machine are started again.
const STARTS: u32 = 4;

/// A round is not smaller, however little memory is allowed, and not larger.
const ROUND: std::ops::RangeInclusive<u64> = 32 << 10..=8 << 20;

/// Where the processes are, and how they get together.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where.
    pub place: Place,
    /// After how long a silent process counts as lost.
    pub dead_after: Duration,
    /// The file with the secret.
    pub secret: Option<PathBuf>,
}

/// Where the processes are.
#[derive(Clone, Debug)]
pub enum Place {
    /// At the addresses in a file; this is the process of that line.
    Hosts(PathBuf, Option<usize>),
    /// Where Slurm has started them.
    Slurm,
    /// On this machine: the others are started with this program and these arguments.
    Local(usize, Vec<OsString>),
    /// One of those others: process 0's address, the number of processes, and which this is.
    Started(String, usize, usize),
}

/// How the work of one process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How the enumeration ended.
    pub end: End,
    /// Which process this is: the first speaks for all.
    pub process: usize,
}

/// Enumerates `subject` together with other processes. The job is in `dir`, on the machine of process 0; each process
/// has its own part in the same place.
pub fn enumerate(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    settings: &Settings,
    control: Control<'_>,
) -> Result<Ended> {
    options.budget()?;
    let secret = || {
        match &settings.secret {
        Some(path) => hosts::read_secret(path),
        None => usage(
            "processes that are not started by the first need a secret: `--secret FILE`, the same on all machines; \
             `head -c 32 /dev/urandom | base64 > FILE; chmod 600 FILE` makes one"
                .to_owned(),
        ),
    }
    };
    let (seat, secret, arguments) = match &settings.place {
        Place::Hosts(file, process) => (Seat::in_file(file, *process)?, secret()?, None),
        Place::Slurm => (Seat::in_slurm()?, secret()?, None),
        Place::Local(count, arguments) => {
            hosts::check_count(*count, "`--cluster local`")?;
            let random =
                handshake::random().map_err(|e| Error::io(IoAction::Read, "/dev/urandom".as_ref(), e))?;
            let seat = Seat { process: 0, count: *count, first: String::new(), listen: None };
            (seat, Secret(random.to_vec()), Some(arguments))
        }
        Place::Started(first, count, process) => {
            let hex = std::env::var(local::SECRET).unwrap_or_default();
            let digits = hex
                .as_bytes()
                .chunks(2)
                .map_while(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
            let seat = Seat { process: *process, count: *count, first: first.clone(), listen: None };
            (seat, Secret(digits.collect()), None)
        }
    };
    let identity = subject.identity();
    let job = format!(
        "{} (index scheme {}, content {:x?})",
        identity.text, identity.index_scheme, identity.content
    );
    if seat.process > 0 {
        return follow(subject, dir, options, &seat, &secret, &job, control);
    }
    let joint = JointJob::open(subject, dir, options)?;
    if joint.manifest().finished {
        joint.check(subject)?;
        return Ok(Ended { end: End::Finished, process: 0 });
    }
    let door = Door::open(&seat, &secret, &job, None)?;
    let mut starts = 0;
    loop {
        let before = joint.manifest();
        let ended = lead(subject, dir, options, settings, &door, &joint, arguments, &secret, control);
        match ended {
            Ok(end) => {
                joint.check(subject)?;
                return Ok(Ended { end, process: 0 });
            }
            Err(error @ Error::Lost { .. }) if arguments.is_some() && !control.stopped() => {
                let is_further =
                    joint.manifest().distribution.map(|d| d.stored) != before.distribution.map(|d| d.stored);
                starts = if is_further { 1 } else { starts + 1 };
                if starts >= STARTS {
                    return Err(error);
                }
                control.observer.announce(&format!("{error}; all processes are started again"));
            }
            Err(error) => return Err(error),
        }
    }
}

/// Process 0.
#[expect(clippy::too_many_arguments, reason = "each is of another kind, and it is called once")]
fn lead(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    settings: &Settings,
    door: &Door,
    joint: &JointJob,
    arguments: Option<&Vec<OsString>>,
    secret: &Secret,
    control: Control<'_>,
) -> Result<End> {
    let count = door.count();
    let mut children = match arguments {
        Some(arguments) => Some(Children::start(arguments, door.address(), count, &secret.0)?),
        None => None,
    };
    let mut idle = || children.as_mut().map_or(Ok(()), Children::check);
    let joined = door.lead(options, settings.dead_after, control, &mut idle, || joint.start(count))?;
    let end = work(subject, dir, options, joined, 0, Some(joint), control)?;
    if let Some(children) = &mut children {
        children.wait();
    }
    Ok(end)
}

/// Any other process.
fn follow(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    seat: &Seat,
    secret: &Secret,
    job: &str,
    control: Control<'_>,
) -> Result<Ended> {
    // Where nothing says where to listen, the first connection shows which address process 0 can reach.
    let stream = match seat.listen {
        Some(_) => None,
        None => {
            let failed = |e| Error::io(IoAction::ConnectTo, Path::new(&seat.first), e);
            Some(join::connect_within(&seat.first, control).map_err(failed)?)
        }
    };
    let door = Door::open(seat, secret, job, stream.as_ref())?;
    let joined = door.follow(&seat.first, stream, control)?;
    drop(door);
    let end = work(subject, dir, options, joined, seat.process, None, control)?;
    Ok(Ended { end, process: seat.process })
}

/// Does the work of one process, with the others.
fn work(
    subject: &dyn Subject,
    dir: &Path,
    options: &Options,
    joined: Connections,
    process: usize,
    job: Option<&JointJob>,
    control: Control<'_>,
) -> Result<End> {
    let Connections { welcome, control: streams, data } = joined;
    let options = welcome.adapt(options);
    let memory = options.budget()?.message_bytes();
    let count = data.len() as u64;
    let round = (memory / (2 * (count + 1) * (WINDOW + 1))).clamp(*ROUND.start(), *ROUND.end());
    let halt = Arc::new(AtomicBool::new(false));
    let failed = |e| Error::io(IoAction::ConnectTo, Path::new("the other processes"), e);
    let link = ProcessLink {
        process,
        control: ReportLinks::start(process, welcome.places(), streams, welcome.dead_after, halt.clone())
            .map_err(failed)?,
        exchange: Dataflow::start(data, process, round as usize)?,
        job,
        memory: 2 * (count + 1) * (WINDOW + 1) * round,
    };
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let live = || link.control.live(control.stop, &is_over, || link.exchange.broken());
        std::thread::Builder::new().name("signs-of-life".into()).spawn_scoped(scope, live).map_err(failed)?;
        let watched = Watched { observer: control.observer, job };
        let for_engine = Control { stop: &halt, observer: &watched };
        let done = parts::enumerate_part(subject, dir, &options, for_engine, &link, &welcome.start);
        let ended = match done {
            Ok(end) => link.control.end().map(|()| end),
            Err(error) => {
                link.control.give_up(&error);
                // Whatever stopped the work, a loss was the reason.
                Err(match (error, link.control.loss()) {
                    (Error::Interrupted(_) | Error::Lost { .. }, Some(loss)) => loss,
                    (error, _) => error,
                })
            }
        };
        is_over.store(true, SeqCst);
        ended
    })
}

/// Hands on what happens, and publishes progress where the job is.
struct Watched<'a> {
    observer: &'a dyn Observer,
    job: Option<&'a JointJob>,
}

impl Observer for Watched<'_> {
    fn begun(&self, level: u32, how: &str, candidates: u128) {
        self.observer.begun(level, how, candidates);
    }

    fn computed(&self, record: &LevelRecord) {
        self.observer.computed(record);
    }

    fn note(&self, sentence: &str) {
        self.observer.note(sentence);
    }

    fn announce(&self, sentence: &str) {
        self.observer.announce(sentence);
    }

    fn counted(&self, what: &str, done: u64, total: u64) {
        self.observer.counted(what, done, total);
    }

    fn tick(&self, pulse: &Pulse) {
        self.observer.tick(pulse);
        if let Some(job) = self.job {
            job.tell(pulse);
        }
    }

    fn stopping(&self, stored: Duration) {
        self.observer.stopping(stored);
    }
}

/// The link to the other processes, as the engine sees it.
struct ProcessLink<'a> {
    process: usize,
    control: Arc<ReportLinks>,
    exchange: Dataflow,
    /// The job, at process 0.
    job: Option<&'a JointJob>,
    memory: u64,
}

impl Peers for ProcessLink<'_> {
    fn process(&self) -> usize {
        self.process
    }

    fn count(&self) -> usize {
        self.control.count()
    }

    fn try_send(&self, to: usize, run: &mut Vec<u8>) -> Result<bool> {
        self.control.check()?;
        Ok(self.exchange.try_send(to, run))
    }

    fn receive(&self, wait: Duration) -> Result<Arrival> {
        self.control.check()?;
        Ok(self.exchange.receive(wait))
    }

    fn received(&self, run: ReceivedRun) {
        self.exchange.received(&run);
    }

    fn finish(&self) -> Result<()> {
        self.exchange.finish();
        Ok(())
    }

    fn exchange_reports(&self, report: Vec<u8>) -> Result<Vec<Vec<u8>>> {
        self.control.exchange_reports(report)
    }

    fn publish(&self, part: &PartState, levels: &[LevelRecord], finished: bool) -> Result<()> {
        self.job.map_or(Ok(()), |job| job.publish(part, levels, finished))
    }

    fn message_bytes(&self) -> (usize, u64) {
        (self.exchange.round() / 2, self.memory)
    }
}

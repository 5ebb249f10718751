//! How the processes of a job find each other: all introduce themselves to process 0, which tells them what is to be done,
//! and then each connects to those before it.

use std::collections::BTreeSet;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use socket2::{SockRef, TcpKeepalive};

use super::control::{read_frame, write_frame};
use super::handshake::{self, Greeting, PATIENCE, Purpose, Refusal, Secret};
use super::hosts::{Seat, local_address, resolve};
use crate::engine::parts::Start;
use crate::engine::{Control, Options};
use crate::error::{Error, IoAction, Result, usage};

/// How long processes wait for each other at the start.
const START_WITHIN: Duration = Duration::from_secs(600);
/// Callers that may introduce themselves at the same time; more have to wait or try again.
const CALLERS: usize = 64;
/// Refused callers that are reported.
const REPORTED: usize = 20;
/// The frame with which process 0 begins.
const WELCOME: u8 = 100;

/// What process 0 tells the others.
#[derive(Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// What is to be done.
    pub start: Start,
    /// Where the processes listen.
    addresses: Vec<String>,
    /// After how long a silent process counts as lost.
    pub dead_after: Duration,
    /// What must be the same for all.
    checkpoint_every: Duration,
    max_level: Option<u32>,
}

impl Welcome {
    /// Makes options those of process 0 where all must have the same.
    pub fn adapt(&self, options: &Options) -> Options {
        Options { checkpoint_every: self.checkpoint_every, max_level: self.max_level, ..options.clone() }
    }

    /// Where the processes are.
    pub fn places(&self) -> Vec<String> {
        self.addresses.clone()
    }
}

/// The connections of a process.
pub struct Connections {
    /// What process 0 said.
    pub welcome: Welcome,
    /// For reports: of process 0 to all, of others to process 0.
    pub control: Vec<Option<TcpStream>>,
    /// For candidates, to all.
    pub data: Vec<Option<TcpStream>>,
}

/// A listener, and who may come in.
pub struct Door {
    listener: TcpListener,
    secret: Secret,
    own: Greeting,
    callers: Arc<AtomicUsize>,
    reported: AtomicUsize,
}

/// Someone who came in.
struct Guest {
    stream: TcpStream,
    greeting: Greeting,
}

fn connect_error(address: &str, error: io::Error) -> Error {
    Error::io(IoAction::ConnectTo, Path::new(address), error)
}

/// The error if a process that was there does not connect to the others.
fn gone(process: usize, place: &str) -> Error {
    Error::Lost { process, place: place.into(), how: "was lost while the processes connected".into() }
}

fn stopped() -> Error {
    Error::interrupted("stopped before all processes were there; nothing was changed")
}

impl Door {
    /// Listens where the seat says, or near a connection to process 0.
    pub fn open(seat: &Seat, secret: &Secret, job: &str, near: Option<&TcpStream>) -> Result<Self> {
        let addresses = match (&seat.listen, near) {
            (Some(address), _) => resolve(address)?,
            (None, Some(stream)) => {
                vec![local_address(stream, 0).map_err(|e| connect_error(&seat.first, e))?]
            }
            (None, None) => vec![SocketAddr::new(IpAddr::from([127, 0, 0, 1]), 0)],
        };
        let name = seat.listen.clone().unwrap_or_else(|| "a free port".into());
        let failed = |e| Error::io(IoAction::ListenOn, Path::new(&name), e);
        let listener = TcpListener::bind(&addresses[..]).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?.to_string();
        let own = Greeting {
            version: format!("godnum {}, protocol 1", env!("CARGO_PKG_VERSION")),
            job: job.to_owned(),
            count: seat.count,
            process: seat.process,
            to: seat.process,
            purpose: Purpose::Control,
            epoch: 0,
            address,
        };
        Ok(Door {
            listener,
            secret: secret.clone(),
            own,
            callers: Arc::default(),
            reported: AtomicUsize::new(0),
        })
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.own.count
    }

    /// Where it is.
    pub fn address(&self) -> &str {
        &self.own.address
    }

    /// Lets the processes `wanted` in, each once. `idle` is called several times a second, and may give up.
    fn admit(
        &self,
        purpose: Purpose,
        epoch: u64,
        wanted: std::ops::Range<usize>,
        patience: Duration,
        control: Control<'_>,
        idle: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Guest>> {
        let own = Greeting { epoch, purpose, ..self.own.clone() };
        let missing: Arc<Mutex<BTreeSet<usize>>> = Arc::new(Mutex::new(wanted.clone().collect()));
        let (sender, receiver) = mpsc::channel();
        let (begun, mut told) = (Instant::now(), Instant::now());
        let mut guests = Vec::new();
        while guests.len() < wanted.len() {
            control.go_on(stopped)?;
            idle()?;
            let left = || missing.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let names =
                |left: BTreeSet<usize>| left.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
            match left().first() {
                // All have been there, and one is gone since.
                Some(&process) if purpose == Purpose::Data && begun.elapsed() > patience => {
                    return Err(gone(process, "its connection for candidates"));
                }
                _ if begun.elapsed() > START_WITHIN => {
                    return usage(format!("these processes did not come: {}", names(left())));
                }
                _ => {}
            }
            if told.elapsed() > Duration::from_secs(5) {
                told = Instant::now();
                control.observer.note(&format!("waiting for processes: {}", names(left())));
            }
            if self.callers.load(SeqCst) < CALLERS
                && let Ok((stream, from)) = self.listener.accept()
            {
                let (secret, own, missing) = (self.secret.clone(), own.clone(), missing.clone());
                let (sender, callers) = (sender.clone(), self.callers.clone());
                callers.fetch_add(1, SeqCst);
                let answer = move || {
                    let mut stream = stream;
                    let judge = |caller: &Greeting| {
                        let is_expected = || {
                            caller.purpose == own.purpose
                                && missing
                                    .lock()
                                    .unwrap_or_else(PoisonError::into_inner)
                                    .remove(&caller.process)
                        };
                        // Only a caller that is welcome takes the place of the process that it is.
                        own.objection(caller).or_else(|| match is_expected() {
                            true => None,
                            false => Some(format!(
                                "process {} is there already, or not expected now",
                                caller.process
                            )),
                        })
                    };
                    let _ = stream.set_nonblocking(false);
                    let answered = handshake::answer(&mut stream, &secret, judge);
                    callers.fetch_sub(1, SeqCst);
                    let _ = sender.send((from, answered.map(|greeting| Guest { stream, greeting })));
                };
                // Without a thread for it, the caller has to try again.
                if std::thread::Builder::new().stack_size(256 << 10).spawn(answer).is_err() {
                    self.callers.fetch_sub(1, SeqCst);
                }
            }
            match receiver.recv_timeout(Duration::from_millis(2)) {
                Ok((_, Ok(guest))) => guests.push(guest),
                Ok((from, Err(refusal))) => self.report(from, &refusal, control),
                Err(_) => {}
            }
        }
        Ok(guests)
    }

    fn report(&self, from: SocketAddr, refusal: &Refusal, control: Control<'_>) {
        let before = self.reported.fetch_add(1, SeqCst);
        if before < REPORTED {
            let more = if before + 1 == REPORTED { "; more such connections are not reported" } else { "" };
            control.observer.announce(&format!("refused a connection from {from}: {refusal}{more}"));
        }
    }

    /// Connects to another process and introduces itself; tries again for as long as that may still start.
    fn call(
        &self,
        address: &str,
        mut ready: Option<TcpStream>,
        greeting: &Greeting,
        patience: Duration,
        control: Control<'_>,
    ) -> Result<TcpStream> {
        let begun = Instant::now();
        loop {
            control.go_on(stopped)?;
            let connected = ready.take().map_or_else(|| connect(address), Ok);
            let error = match connected {
                Ok(mut stream) => match handshake::call(&mut stream, &self.secret, greeting, 4 * PATIENCE) {
                    Ok(()) => return Ok(stream),
                    Err(Refusal::Broken(error)) => error,
                    Err(refusal) => {
                        return usage(format!("process {} at {address} refuses: {refusal}", greeting.to));
                    }
                },
                Err(error) => error,
            };
            if begun.elapsed() > patience {
                return Err(match greeting.purpose {
                    Purpose::Control => connect_error(address, error),
                    Purpose::Data => gone(greeting.to, address),
                });
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Process 0: waits for all others, has `begin` say what is to be done, and tells them.
    pub fn lead(
        &self,
        options: &Options,
        dead_after: Duration,
        control: Control<'_>,
        idle: &mut dyn FnMut() -> Result<()>,
        begin: impl FnOnce() -> Result<Start>,
    ) -> Result<Connections> {
        let count = self.own.count;
        let guests = self.admit(Purpose::Control, 0, 1..count, START_WITHIN, control, idle)?;
        let mut addresses = vec![self.own.address.clone(); count];
        let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
        for Guest { stream, greeting } in guests {
            addresses[greeting.process] = greeting.address;
            streams[greeting.process] = Some(stream);
        }
        let Options { checkpoint_every, max_level, .. } = *options;
        let welcome = Welcome { start: begin()?, addresses, dead_after, checkpoint_every, max_level };
        let said = serde_json::to_vec(&welcome).map_err(|e| Error::verification(e.to_string()))?;
        for (stream, address) in streams.iter_mut().zip(&welcome.addresses) {
            if let Some(stream) = stream {
                write_frame(stream, WELCOME, &said).map_err(|e| connect_error(address, e))?;
            }
        }
        let data = self.connect_all(&welcome, control, idle)?;
        Ok(Connections { welcome, control: streams, data })
    }

    /// Any other process: introduces itself to process 0, over a stream if it has one, and waits until all are there.
    pub fn follow(&self, first: &str, ready: Option<TcpStream>, control: Control<'_>) -> Result<Connections> {
        let mut stream =
            self.call(first, ready, &Greeting { to: 0, ..self.own.clone() }, START_WITHIN, control)?;
        let failed = |e| connect_error(first, e);
        // Asked often, so that a stop is noticed.
        stream.set_read_timeout(Some(Duration::from_millis(100))).map_err(failed)?;
        let begun = Instant::now();
        loop {
            control.go_on(stopped)?;
            match stream.peek(&mut [0]) {
                Ok(0) => return Err(failed(io::ErrorKind::UnexpectedEof.into())),
                Ok(_) => break,
                Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
                Err(e) => return Err(failed(e)),
            }
            if begun.elapsed() > 2 * START_WITHIN {
                return Err(failed(io::ErrorKind::TimedOut.into()));
            }
        }
        stream.set_read_timeout(Some(4 * PATIENCE)).map_err(failed)?;
        let (kind, said) = read_frame(&mut stream).map_err(failed)?;
        let welcome: Option<Welcome> = serde_json::from_slice(&said).ok().filter(|_| kind == WELCOME);
        let Some(welcome) = welcome.filter(|welcome| welcome.addresses.len() == self.own.count) else {
            return usage(format!("process 0 at {first} does not say what is to be done"));
        };
        let data = self.connect_all(&welcome, control, &mut || Ok(()))?;
        let mut streams: Vec<Option<TcpStream>> = (0..self.own.count).map(|_| None).collect();
        streams[0] = Some(stream);
        Ok(Connections { welcome, control: streams, data })
    }

    /// Connections for candidates: calls the processes before this one, and is called by those after it.
    fn connect_all(
        &self,
        welcome: &Welcome,
        control: Control<'_>,
        idle: &mut dyn FnMut() -> Result<()>,
    ) -> Result<Vec<Option<TcpStream>>> {
        let Greeting { process, count, .. } = self.own;
        let epoch = welcome.start.epoch;
        let mut streams: Vec<Option<TcpStream>> = (0..count).map(|_| None).collect();
        for (to, address) in welcome.addresses.iter().enumerate().take(process) {
            let greeting = Greeting { to, epoch, purpose: Purpose::Data, ..self.own.clone() };
            streams[to] = Some(self.call(address, None, &greeting, welcome.dead_after, control)?);
        }
        for Guest { stream, greeting } in
            self.admit(Purpose::Data, epoch, process + 1..count, welcome.dead_after, control, idle)?
        {
            streams[greeting.process] = Some(stream);
        }
        for (stream, address) in streams.iter().zip(&welcome.addresses) {
            if let Some(stream) = stream {
                stream.set_read_timeout(None).map_err(|e| connect_error(address, e))?;
                stream.set_write_timeout(None).map_err(|e| connect_error(address, e))?;
                tune(stream, welcome.dead_after).map_err(|e| connect_error(address, e))?;
            }
        }
        Ok(streams)
    }
}

/// Connects as soon as another process listens.
pub fn connect_within(address: &str, control: Control<'_>) -> io::Result<TcpStream> {
    let begun = Instant::now();
    loop {
        match connect(address) {
            Err(_) if begun.elapsed() < START_WITHIN && !control.stopped() => {
                std::thread::sleep(Duration::from_millis(20));
            }
            done => return done,
        }
    }
}

/// Connects to the first address of a name that answers.
fn connect(address: &str) -> io::Result<TcpStream> {
    let mut failed = io::ErrorKind::NotFound.into();
    for found in resolve(address).map_err(|e| io::Error::other(e.to_string()))? {
        match TcpStream::connect_timeout(&found, PATIENCE) {
            Ok(stream) => return stream.set_nodelay(true).map(|()| stream),
            Err(error) => failed = error,
        }
    }
    Err(failed)
}

/// Makes a connection notice that the other side is gone.
fn tune(stream: &TcpStream, dead_after: Duration) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let socket = SockRef::from(stream);
    let second = Duration::from_secs(1);
    let keepalive = TcpKeepalive::new()
        .with_time((dead_after / 3).max(second))
        .with_interval((dead_after / 6).max(second));
    socket.set_tcp_keepalive(&keepalive)?;
    socket.set_tcp_user_timeout(Some(dead_after))
}

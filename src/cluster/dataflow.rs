//! The exchange on timely dataflow: the only file that knows it.
//!
//! The dataflow is one input, an exchange by destination, and one operator that hands over what arrives. One thread
//! drives it; the threads of the engine put messages into a queue and take them out of another. Both are bounded by
//! rounds: a *round* ends after [`Dataflow::round`] bytes are sent, and no round begins while one that is [`WINDOW`]
//! rounds older is under way anywhere. A round is under way until its receivers have put its messages into
//! their containers: the operator keeps the capability until then, and a probe behind it sees that. So of any
//! sender no more than `WINDOW + 1` rounds are ever on the way or in the queue of a receiver, however slow that is.
//!
//! A process that has nothing to send would hold up the others' rounds, so it goes on to the next one when it
//! is the last, at most once in a while.
//!
//! Times are `phase << 32 | round`: when a process has finished a phase, its input goes on to the next, and
//! when the probe has passed the phase, everything sent in it by anybody is in a container.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread::Thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::{Capability, Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};

use crate::engine::peers::{Arrival, ReceivedRun};
use crate::error::{Error, Result};

/// Rounds that may be under way beside the one that is sent.
pub const WINDOW: u64 = 2;

/// How long the driving thread sleeps if nothing wakes it, at the least and at the most: it then looks whether it holds
/// up others.
const LEAST_PAUSE: Duration = Duration::from_micros(500);
const MOST_PAUSE: Duration = Duration::from_millis(8);

/// What travels.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Message {
    to: usize,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
}

/// The exchange as the engine's threads see it.
pub struct Dataflow {
    shared: Arc<Shared>,
    driver: Option<Thread>,
}

struct Shared {
    queues: Mutex<Queues>,
    arrived: Condvar,
    /// Bytes of a round.
    round: usize,
    over: AtomicBool,
    /// Processes whose connection broke, by bit; those from 63 on share one.
    broken: AtomicU64,
}

#[derive(Default)]
struct Queues {
    outgoing: VecDeque<Message>,
    outgoing_bytes: usize,
    incoming: VecDeque<ReceivedRun>,
    /// By time, messages that are not in a container yet.
    unfinished: BTreeMap<u64, usize>,
    /// How many phases this process has finished, and how many all have.
    finished: u64,
    settled: u64,
}

impl Shared {
    fn queues(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the threads of timely report when they end: a connection broke.
static BROKEN: Mutex<Option<Arc<Shared>>> = Mutex::new(None);

/// Keeps the panics of timely's threads, with which a lost connection ends them, from standard error, and notes them.
fn watch_threads(shared: &Arc<Shared>) {
    static HOOK: Once = Once::new();
    *BROKEN.lock().unwrap_or_else(PoisonError::into_inner) = Some(shared.clone());
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = std::thread::current();
            let Some(name) = thread.name().and_then(|name| name.strip_prefix("timely:")) else {
                return before(panic);
            };
            let process = name.rsplit_once('-').and_then(|(_, number)| number.parse::<u32>().ok());
            let is_worker = name.starts_with("work");
            if let Some(shared) = &*BROKEN.lock().unwrap_or_else(PoisonError::into_inner)
                && !shared.over.load(SeqCst)
            {
                let process = process.filter(|_| !is_worker).unwrap_or(63).min(63);
                shared.broken.fetch_or(1 << process, SeqCst);
            }
        }));
    });
}

impl Dataflow {
    /// Starts the dataflow over connected sockets, one to each other process; that of this one is `None`. A round has
    /// `round` bytes.
    pub fn start(sockets: Vec<Option<TcpStream>>, process: usize, round: usize) -> Result<Self> {
        let shared = Arc::new(Shared {
            queues: Mutex::default(),
            arrived: Condvar::new(),
            round,
            over: AtomicBool::new(false),
            broken: AtomicU64::new(0),
        });
        if sockets.len() < 2 {
            return Ok(Dataflow { shared, driver: None });
        }
        watch_threads(&shared);
        let refused =
            |error: &dyn std::fmt::Display| Error::limit(format!("the exchange cannot be started: {error}"));
        let hooks = Hooks::default();
        let local = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), hooks.spill.clone());
        let (builders, guard) = initialize_networking_from_sockets(local, sockets, process, 1, hooks)
            .map_err(|error| refused(&error))?;
        let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
        let for_driver = shared.clone();
        let guards = timely::execute::execute_from(
            builders,
            Box::new(guard),
            WorkerConfig::default(),
            move |worker| {
                drive(worker, &for_driver);
            },
        )
        .map_err(|error| refused(&error))?;
        let driver = guards.guards().first().map(|guard| guard.thread().clone());
        // Nothing waits for its threads: after a loss they may hang in a connection.
        std::mem::forget(guards);
        Ok(Dataflow { shared, driver })
    }

    /// Bytes of a round.
    pub fn round(&self) -> usize {
        self.shared.round
    }

    /// A process to which the connection broke.
    pub fn broken(&self) -> Option<usize> {
        let broken = self.shared.broken.load(SeqCst);
        (broken != 0).then(|| broken.trailing_zeros() as usize)
    }

    fn wake(&self) {
        if let Some(driver) = &self.driver {
            driver.unpark();
        }
    }

    /// Takes a message, if the round has room for it.
    pub fn try_send(&self, to: usize, run: &mut Vec<u8>) -> bool {
        let mut queues = self.shared.queues();
        if !queues.outgoing.is_empty() && queues.outgoing_bytes + run.len() > self.shared.round {
            return false;
        }
        let bytes = std::mem::take(run);
        queues.outgoing_bytes += bytes.len();
        queues.outgoing.push_back(Message { to, bytes });
        drop(queues);
        self.wake();
        true
    }

    /// What arrives within `wait`.
    pub fn receive(&self, wait: Duration) -> Arrival {
        let mut queues = self.shared.queues();
        if queues.incoming.is_empty() && !wait.is_zero() && queues.settled < queues.finished {
            let waited = self.shared.arrived.wait_timeout(queues, wait);
            queues = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        match queues.incoming.pop_front() {
            Some(run) => Arrival::Run(run),
            None if self.driver.is_none() || (queues.finished > 0 && queues.settled == queues.finished) => {
                Arrival::Settled
            }
            None => Arrival::Nothing,
        }
    }

    /// A message is in a container.
    pub fn received(&self, run: &ReceivedRun) {
        let mut queues = self.shared.queues();
        if let Some(left) = queues.unfinished.get_mut(&run.time) {
            *left -= 1;
            if *left == 0 {
                queues.unfinished.remove(&run.time);
                drop(queues);
                self.wake();
            }
        }
    }

    /// Nothing more will be sent in this phase.
    pub fn finish(&self) {
        self.shared.queues().finished += 1;
        self.wake();
    }
}

impl Drop for Dataflow {
    fn drop(&mut self) {
        self.shared.over.store(true, SeqCst);
        self.wake();
    }
}

fn drive(worker: &mut timely::worker::Worker, shared: &Arc<Shared>) {
    let mut input = InputHandle::<u64, CapacityContainerBuilder<Vec<Message>>>::new();
    let probe = ProbeHandle::new();
    let activator = Rc::new(RefCell::new(None));
    let for_operator = activator.clone();
    let arriving = shared.clone();
    worker.dataflow(|scope| {
        let by_destination = pact::Exchange::new(|message: &Message| message.to as u64);
        scope
            .input_from(&mut input)
            .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(by_destination, "Receive", move |_, info| {
                *for_operator.borrow_mut() = Some(scope.activator_for(info.address));
                // A time is under way as long as its capability is kept.
                let mut kept: BTreeMap<u64, Capability<u64>> = BTreeMap::new();
                move |input, output| {
                    input.for_each(|time, messages| {
                        let capability = time.retain(output.output_index());
                        let time = *capability;
                        let mut queues = arriving.queues();
                        for message in messages.drain(..) {
                            *queues.unfinished.entry(time).or_default() += 1;
                            queues.incoming.push_back(ReceivedRun { bytes: message.bytes, time });
                        }
                        drop(queues);
                        arriving.arrived.notify_all();
                        kept.entry(time).or_insert(capability);
                    });
                    let queues = arriving.queues();
                    kept.retain(|time, _| queues.unfinished.contains_key(time));
                }
            })
            .probe_with(&probe);
    });
    let (mut now, mut pause, mut moved) = (0u64, LEAST_PAUSE, Instant::now());
    while !shared.over.load(SeqCst) {
        let frontier = probe.with_frontier(|frontier| frontier.first().copied().unwrap_or(u64::MAX));
        let phase = now >> 32;
        let is_open = frontier.saturating_add(WINDOW) >= now;
        let mut queues = shared.queues();
        if frontier >= phase << 32 && queues.settled < phase {
            queues.settled = phase;
            shared.arrived.notify_all();
        }
        let mut busy = false;
        let mut next = now;
        if is_open && !queues.outgoing.is_empty() {
            let mut round: Vec<Message> = queues.outgoing.drain(..).collect();
            queues.outgoing_bytes = 0;
            drop(queues);
            // Nothing may come between: a message that is not sent before its time ends is lost.
            input.send_batch(&mut round);
            next = now + 1;
            (busy, pause) = (true, LEAST_PAUSE);
        } else if queues.outgoing.is_empty() && queues.finished > phase {
            drop(queues);
            next = (phase + 1) << 32;
            (busy, pause) = (true, LEAST_PAUSE);
        } else {
            let is_idle = queues.outgoing.is_empty() && queues.incoming.is_empty();
            drop(queues);
            // This process is the last: the others may wait for it.
            if frontier == now && moved.elapsed() >= pause {
                next = now + 1;
                busy = true;
                pause = if is_idle { (pause * 2).min(MOST_PAUSE) } else { LEAST_PAUSE };
            }
        }
        if next != now {
            now = next;
            input.advance_to(now);
            moved = Instant::now();
        }
        if let Some(activator) = &*activator.borrow() {
            timely::scheduling::activate::Activator::activate(activator);
        }
        // The first step lets the operators run, the second waits.
        worker.step();
        if !busy {
            worker.step_or_park(Some(pause));
        }
    }
}

//! The server: listens, bounds what a connection may cost, and ends in order.
//!
//! | what | limit |
//! |---|---|
//! | connections at once | 64; others get an error and are closed |
//! | a request's head | 16 KiB, 64 headers, 10 s; so long may a connection also be idle |
//! | a request's body | 1 MiB, 10 s |
//! | a client that reads nothing | 10 s |
//! | a connection in all | 5 minutes, then another one is needed |
//! | calls at once | 4 about puzzles, 2 about jobs; 10 s each, and as long to wait for one's turn |
//! | the end | 4 s for answers that are under way; tasks take as long as saving what they have takes |
//!
//! A call that takes longer is answered with 503 and keeps its place until it is done: nothing can
//! interrupt it, but it keeps only others of its kind from running.

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::connection::{StallGuard, first};
use super::jobs::Jobs;
use super::reply::{HttpError, Reply};
use super::tasks::Tasks;
use super::{STACK, ServeOptions, routes};
use crate::engine::budget::default_memory;
use crate::engine::cores;
use crate::error::{Error, IoAction, Result};

/// Connections at once.
const CONNECTIONS: usize = 64;
/// Connections above that which get a reason before they are closed.
const REJECTED: usize = 16;
/// Bytes of a request's head.
const HEAD: usize = 16 << 10;
/// Headers in it.
const HEADERS: usize = 64;
/// Time for a head.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Time for everything on one connection.
const LIFETIME: Duration = Duration::from_secs(300);
/// Time for a call, and for waiting for its turn.
pub const CALL_TIME: Duration = Duration::from_secs(10);
/// Calls about puzzles at once.
const PUZZLE_CALLS: usize = 4;
/// Calls about jobs at once.
const JOB_CALLS: usize = 2;
/// Time for answers that are under way when the server ends.
const SHUTDOWN_TIME: Duration = Duration::from_secs(4);
/// Saving what tasks have is explained if it takes longer, and after that its progress is shown this often.
const EXPLAIN_AFTER: Duration = Duration::from_secs(1);
const SHOW_EVERY: Duration = Duration::from_secs(10);
/// How often it is looked whether the server shall end.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// What all requests share.
pub struct ServerContext {
    /// Where we listen.
    pub port: u16,
    /// Background work.
    pub tasks: Arc<Tasks>,
    /// Jobs and results.
    pub jobs: Arc<Jobs>,
    /// Turns for calls about puzzles.
    pub puzzle_calls: Arc<Semaphore>,
    /// Turns for calls about jobs.
    pub job_calls: Arc<Semaphore>,
}

impl ServerContext {
    /// Carries out a call on a thread of its own when it is its turn.
    pub async fn call<T: Send + 'static>(
        &self,
        turns: &Arc<Semaphore>,
        work: impl FnOnce() -> std::result::Result<T, HttpError> + Send + 'static,
    ) -> std::result::Result<T, HttpError> {
        let Ok(Ok(turn)) = timeout(CALL_TIME, turns.clone().acquire_owned()).await else {
            return Err(HttpError::busy("there are too many requests at a time; try again later"));
        };
        let thread = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        match timeout(CALL_TIME, thread).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err(HttpError::bug("the program has an internal error")),
            Err(_) => {
                Err(HttpError::busy("this took too long for the page; the command line has no such limit"))
            }
        }
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    runtime: Runtime,
    shared: Arc<ServerContext>,
}

impl Server {
    /// Listens on this machine. Refused if the port is taken.
    pub fn bind(options: &ServeOptions) -> Result<Server> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let name = wanted.to_string();
        let cannot = |e| Error::io(IoAction::ListenOn, Path::new(&name), e);
        let listener = TcpListener::bind(wanted).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let runtime = Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(PUZZLE_CALLS + JOB_CALLS)
            .thread_stack_size(STACK)
            .build()
            .map_err(cannot)?;
        let memory = options.memory.unwrap_or_else(default_memory);
        let threads = options.threads.unwrap_or_else(cores);
        let tasks = Tasks::new(options.dir.clone(), memory, threads);
        let shared = ServerContext {
            port: address.port(),
            jobs: Arc::new(Jobs::new(options, tasks.clone())),
            tasks,
            puzzle_calls: Arc::new(Semaphore::new(PUZZLE_CALLS)),
            job_calls: Arc::new(Semaphore::new(JOB_CALLS)),
        };
        Ok(Server { listener, address, runtime, shared: Arc::new(shared) })
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until `stop` is set, and until the tasks have saved what they have. If that takes long, `say`
    /// hears why, and how far it is.
    pub fn run(self, stop: &AtomicBool, say: &dyn Fn(&str)) -> Result<()> {
        let Server { listener, runtime, shared, .. } = self;
        let ended = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)
                .map_err(|e| Error::io(IoAction::ListenOn, Path::new("this machine"), e))?;
            serve(listener, shared, stop, say).await;
            Ok(())
        });
        // Calls that are still under way change nothing.
        runtime.shutdown_background();
        ended
    }
}

async fn serve(
    listener: tokio::net::TcpListener,
    shared: Arc<ServerContext>,
    stop: &AtomicBool,
    say: &dyn Fn(&str),
) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let door = Arc::new(Semaphore::new(REJECTED));
    let (end, ends) = watch::channel(false);
    while !stop.load(Relaxed) {
        let stream = match first(listener.accept(), sleep(POLL_INTERVAL)).await {
            Ok(Ok((stream, _))) => stream,
            // No files to spare, as a rule: others have to end first.
            Ok(Err(_)) => {
                sleep(POLL_INTERVAL).await;
                continue;
            }
            Err(()) => continue,
        };
        match places.clone().try_acquire_owned() {
            Ok(place) => {
                tokio::spawn(serve_connection(stream, shared.clone(), ends.clone(), place));
            }
            Err(_) => {
                if let Ok(turn) = door.clone().try_acquire_owned() {
                    tokio::spawn(reject_connection(stream, turn));
                }
            }
        }
    }
    drop(listener);
    shared.tasks.close();
    let _ = end.send(true);
    let began = tokio::time::Instant::now();
    wait_until_saved(&shared.tasks, say).await;
    let rest = SHUTDOWN_TIME.saturating_sub(began.elapsed());
    let _ = timeout(rest, places.acquire_many(CONNECTIONS as u32)).await;
}

/// Waits until no task runs any more.
async fn wait_until_saved(tasks: &Tasks, say: &dyn Fn(&str)) {
    let mut running = tasks.wait_idle(EXPLAIN_AFTER).await;
    if !running.is_empty() {
        say("stopping: what is computed is being saved first. A second signal stops at once; jobs then \
             continue from what was stored before");
    }
    while !running.is_empty() {
        running.iter().for_each(|sentence| say(sentence));
        running = tasks.wait_idle(SHOW_EVERY).await;
    }
}

/// Answers what comes on one connection.
async fn serve_connection(
    stream: TcpStream,
    shared: Arc<ServerContext>,
    mut ends: watch::Receiver<bool>,
    place: OwnedSemaphorePermit,
) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(|request| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(routes::answer(request, &shared).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .max_headers(HEADERS)
        .serve_connection(TokioIo::new(StallGuard::new(stream)), service);
    let mut connection = std::pin::pin!(connection);
    let leave = first(ends.wait_for(|end| *end), sleep(LIFETIME));
    // A client that breaks the rules of HTTP, or goes away, has ended its connection.
    if first(connection.as_mut(), leave).await.is_err() {
        connection.as_mut().graceful_shutdown();
        let _ = timeout(2 * CALL_TIME, connection).await;
    }
    drop(place);
}

/// Answers that there are too many connections.
async fn reject_connection(stream: TcpStream, turn: OwnedSemaphorePermit) {
    let service = service_fn(|_| async {
        let refusal = HttpError::busy("too many connections are open; close some pages");
        Ok::<_, Infallible>(Reply::from(refusal).response())
    });
    let connection = http1::Builder::new()
        .keep_alive(false)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let _ = timeout(Duration::from_secs(1), connection).await;
    drop(turn);
}

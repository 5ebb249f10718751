//! Searches in the background: one at a time, with a sentence about how far it is, and a stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::game::{GameReply, SearchRequest, SearchTask};
use crate::engine::{Control, LevelRecord, Observer};
use crate::error::{Error, Result};
use crate::text::duration;

/// The stack of a search: as the main thread of a process has it.
const STACK: usize = 8 << 20;

/// A search under way.
pub struct BackgroundSearch {
    pub request: SearchRequest,
    thread: JoinHandle<Result<GameReply>>,
    stop: Arc<AtomicBool>,
    reported: Arc<SearchProgress>,
    since: Instant,
}

/// The last thing that a search had to tell.
#[derive(Default)]
struct SearchProgress(Mutex<String>);

impl SearchProgress {
    fn set(&self, sentence: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = sentence;
    }
}

impl Observer for SearchProgress {
    fn begun(&self, level: u32, _: &str, _: u128) {
        self.set(format!("computing level {level}"));
    }

    fn computed(&self, record: &LevelRecord) {
        self.set(format!("level {} is computed", record.level));
    }

    fn note(&self, sentence: &str) {
        self.set(sentence.to_owned());
    }

    fn counted(&self, what: &str, done: u64, total: u64) {
        let percent = 100.0 * done as f64 / total.max(1) as f64;
        self.set(format!("{what}: {percent:.0} %"));
    }
}

impl BackgroundSearch {
    pub fn start(request: SearchRequest, search_task: SearchTask) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let reported = Arc::new(SearchProgress::default());
        let (stopping, telling) = (stop.clone(), reported.clone());
        let run = move || search_task(Control { stop: &stopping, observer: &*telling });
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
        Ok(BackgroundSearch {
            request,
            thread: thread.map_err(|_| Error::limit("cannot start a thread to search"))?,
            stop,
            reported,
            since: Instant::now(),
        })
    }

    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    pub fn time(&self) -> Duration {
        self.since.elapsed()
    }

    /// What it is doing, and for how long; and how it is stopped, where keys are read.
    pub fn sentence(&self, is_live: bool) -> String {
        let reported = self.reported.0.lock().unwrap_or_else(PoisonError::into_inner);
        let time = duration(Duration::from_secs(self.time().as_secs()));
        let doing = if reported.is_empty() { "Looking for a solution" } else { &reported };
        match (self.stop.load(Relaxed), is_live) {
            (true, _) => format!("Stopping ({time}) ..."),
            (_, true) => format!("{doing} ({time}); Esc stops it."),
            _ => format!("{doing} ({time})."),
        }
    }

    /// What came of it; waits for the end.
    pub fn result(self) -> Result<GameReply> {
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => {
                Err(Error::verification("the search ended in an error of this program; please report this"))
            }
        }
    }
}

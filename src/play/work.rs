//! Searches in the background: one at a time, with a sentence about how far it is, and a stop.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::game::{Answer, Errand, Wish};
use crate::engine::{Control, LevelRecord, Observer};
use crate::error::{Error, Result};
use crate::text::duration;

/// The stack of a search: as the main thread of a process has it.
const STACK: usize = 8 << 20;

/// A search under way.
pub struct Work {
    pub wish: Wish,
    thread: JoinHandle<Result<Answer>>,
    stop: Arc<AtomicBool>,
    told: Arc<Told>,
    since: Instant,
}

/// The last thing that a search had to tell.
#[derive(Default)]
struct Told(Mutex<String>);

impl Told {
    fn set(&self, sentence: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = sentence;
    }
}

impl Observer for Told {
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

impl Work {
    pub fn start(wish: Wish, errand: Errand) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::new(Told::default());
        let (stopping, telling) = (stop.clone(), told.clone());
        let run = move || {
            errand(Control {
                stop: &stopping,
                observer: &*telling,
            })
        };
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(run);
        Ok(Work {
            wish,
            thread: thread.map_err(|_| Error::Limit("cannot start a thread to search".into()))?,
            stop,
            told,
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
        let told = self.told.0.lock().unwrap_or_else(PoisonError::into_inner);
        let time = duration(Duration::from_secs(self.time().as_secs()));
        let doing = match told.is_empty() {
            true => "Looking for a solution",
            false => &told,
        };
        match (self.stop.load(Relaxed), is_live) {
            (true, _) => format!("Stopping ({time}) ..."),
            (_, true) => format!("{doing} ({time}); Esc stops it."),
            _ => format!("{doing} ({time})."),
        }
    }

    /// What came of it; waits for the end.
    pub fn result(self) -> Result<Answer> {
        match self.thread.join() {
            Ok(result) => result,
            Err(_) => Err(Error::Verification(
                "the search ended in an error of this program; please report this".into(),
            )),
        }
    }
}

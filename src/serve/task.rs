//! One task: what is wanted, how far it is, and what came of it.
//!
//! A task that panics is a task that failed; nothing else comes of it. A result that is larger than
//! [`LARGEST_RESULT`] is not handed out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use serde::Serialize;
use serde_json::{Value, json};

use super::TaskContext;
use super::reply::shortened;
use super::request::TaskKind;
use crate::engine::{LevelRecord, Observer};
use crate::error::{Error, Result};
use crate::store::Pulse;
use crate::text::{bytes, pluralise};

/// Bytes of a result: twice what the three phases of a Gourds board of 63 cells usually have.
pub const LARGEST_RESULT: usize = 16 << 20;
/// Characters that are kept of a sentence.
const SENTENCE: usize = 1000;

/// Who runs with whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Solving and the like.
    Solve,
    /// Enumerations.
    Enumerate,
}

impl Lane {
    /// All of them.
    pub const ALL: [Lane; 2] = [Lane::Solve, Lane::Enumerate];

    /// Tasks that run at once.
    pub fn width(self) -> usize {
        match self {
            Lane::Solve => 2,
            Lane::Enumerate => 1,
        }
    }
}

pub type TaskWork = Box<dyn FnOnce(&TaskContext<'_>) -> Result<Value> + Send>;

/// What a task has to build before it can do what it is for: a table that others may need, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// What is built. Of several tasks that need the same, one builds it and the others wait for that.
    pub key: u64,
    /// Whether that can take long. Only one long preparation runs at a time, so that short work never waits for it.
    pub long: bool,
}

/// A task before it has a number.
pub struct NewTask {
    /// What is done.
    pub kind: TaskKind,
    /// What is built first.
    pub preparation: Option<Preparation>,
    pub puzzle: Option<String>,
    /// The name of the job that is worked on.
    pub job: Option<String>,
    pub work: TaskWork,
}

impl NewTask {
    /// Work on a puzzle that needs no preparation and is not about a job.
    pub fn new(
        kind: TaskKind,
        puzzle: Option<String>,
        work: impl FnOnce(&TaskContext<'_>) -> Result<Value> + Send + 'static,
    ) -> Self {
        NewTask { kind, preparation: None, puzzle, job: None, work: Box::new(work) }
    }
}

/// How far a task is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    /// It has not begun.
    Waiting,
    /// It is being done.
    Running,
    /// It has a result.
    Done,
    /// There is a reason why it has none.
    Failed,
    /// The user stopped it.
    Stopped,
}

/// A task, and what is known of it.
pub struct BackgroundTask {
    /// Its number.
    pub id: u64,
    kind: TaskKind,
    puzzle: Option<String>,
    /// The name of the job that is worked on.
    pub job: Option<String>,
    /// How far it is.
    pub state: TaskState,
    /// What is built first.
    pub preparation: Option<Preparation>,
    /// Whether that is under way.
    pub building: bool,
    /// The work, until it begins.
    pub work: Option<TaskWork>,
    /// Asks it to stop.
    pub stop: Arc<AtomicBool>,
    /// What it says of itself.
    pub progress: Arc<TaskProgress>,
    /// When it began.
    pub begun: Option<Instant>,
    time: Duration,
    error: Option<String>,
    /// Everything as JSON when it has ended: once, however many read it.
    ended: Option<Bytes>,
}

impl BackgroundTask {
    /// A task that waits.
    pub fn new(id: u64, order: NewTask) -> Self {
        BackgroundTask {
            id,
            kind: order.kind,
            puzzle: order.puzzle.map(|text| shortened(&text, SENTENCE)),
            job: order.job,
            state: TaskState::Waiting,
            preparation: order.preparation,
            building: false,
            work: Some(order.work),
            stop: Arc::default(),
            progress: Arc::default(),
            begun: None,
            time: Duration::ZERO,
            error: None,
            ended: None,
        }
    }

    /// Where it runs.
    pub fn lane(&self) -> Lane {
        self.kind.lane()
    }

    /// Whether nothing more comes of it.
    pub fn has_ended(&self) -> bool {
        !matches!(self.state, TaskState::Waiting | TaskState::Running)
    }

    /// Asks it to stop; if it waits, it ends at once.
    pub fn request_stop(&mut self) {
        self.stop.store(true, Relaxed);
        if self.state == TaskState::Waiting {
            self.finish(TaskOutcome::Stopped("stopped before it began".into()));
        }
    }

    /// Ends it with what came of it.
    pub fn finish(&mut self, outcome: TaskOutcome) {
        let mut result = None;
        self.state = match outcome {
            TaskOutcome::Done(text) => {
                result = Some(text);
                TaskState::Done
            }
            TaskOutcome::Failed(sentence) => {
                self.error = Some(shortened(&sentence, SENTENCE));
                TaskState::Failed
            }
            TaskOutcome::Stopped(sentence) => {
                self.progress.say(&sentence, None);
                TaskState::Stopped
            }
        };
        self.time = self.begun.map_or(Duration::ZERO, |begun| begun.elapsed());
        self.work = None;
        self.building = false;
        self.ended = Some(self.with(result.as_deref()));
    }

    /// Bytes of what is kept of it when it has ended.
    pub fn size(&self) -> usize {
        self.ended.as_ref().map_or(0, Bytes::len)
    }

    /// Everything but the result.
    pub fn row(&self) -> Value {
        let time = match (self.has_ended(), self.begun) {
            (false, Some(begun)) => begun.elapsed(),
            _ => self.time,
        };
        let progress = self.progress.0.lock();
        let progress = progress.unwrap_or_else(PoisonError::into_inner);
        json!({
            "task": self.id,
            "do": self.kind,
            "puzzle": self.puzzle,
            "job": self.job,
            "state": self.state,
            "progress": progress.sentence,
            "share": progress.share,
            "seconds": time.as_secs_f64(),
            "error": self.error,
        })
    }

    /// Everything but the result, while another task builds what this one waits for.
    pub fn row_behind(&self, builder: &BackgroundTask) -> Value {
        let mut row = self.row();
        let other = builder.row();
        row["progress"] = match other["progress"].as_str() {
            Some(progress) => format!("the same table is being built already: {progress}").into(),
            None => "the same table is being built already".into(),
        };
        row["share"] = other["share"].clone();
        row
    }

    /// What it works on, and how far it is.
    pub fn sentence(&self) -> String {
        let progress = self.progress.0.lock();
        let progress = progress.unwrap_or_else(PoisonError::into_inner);
        let what = self.job.as_ref().or(self.puzzle.as_ref()).map_or("a task", String::as_str);
        format!("{what}: {}", progress.sentence.as_deref().unwrap_or("it begins"))
    }

    /// Everything, as JSON, if it has ended.
    pub fn view(&self) -> Option<Bytes> {
        self.ended.clone()
    }

    fn with(&self, result: Option<&str>) -> Bytes {
        with_result(&self.row(), result)
    }
}

/// A task's row with its result, which is JSON.
pub fn with_result(row: &Value, result: Option<&str>) -> Bytes {
    let mut text = row.to_string();
    text.pop();
    text += ",\"result\":";
    text += result.unwrap_or("null");
    text.push('}');
    text.into()
}

/// What came of a task.
pub enum TaskOutcome {
    /// With a result.
    Done(String),
    /// With a reason.
    Failed(String),
    /// With a word about how to resume.
    Stopped(String),
}

/// Does the work, whatever comes of it.
pub fn run_caught(work: TaskWork, context: &TaskContext<'_>) -> TaskOutcome {
    match catch_unwind(AssertUnwindSafe(|| work(context))) {
        Ok(Ok(value)) => {
            let text = value.to_string();
            match text.len() {
                0..=LARGEST_RESULT => TaskOutcome::Done(text),
                length => TaskOutcome::Failed(format!(
                    "the result has {}, and at most {} are returned; the command line \
                     has no such limit",
                    bytes(length as u64),
                    bytes(LARGEST_RESULT as u64)
                )),
            }
        }
        // A search whose time is over is interrupted, too, but was not stopped.
        Ok(Err(Error::Interrupted(how))) if context.control.stopped() => {
            TaskOutcome::Stopped(how.to_string())
        }
        Ok(Err(error)) => TaskOutcome::Failed(error.to_string()),
        Err(_) => TaskOutcome::Failed("the program has an internal error; please report it".into()),
    }
}

/// What a task has reported.
#[derive(Default)]
pub struct TaskProgress(Mutex<Progress>);

#[derive(Default)]
struct Progress {
    sentence: Option<String>,
    share: Option<f64>,
}

impl TaskProgress {
    /// Tells how far it is.
    fn say(&self, sentence: &str, share: Option<f64>) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.sentence = Some(shortened(sentence, SENTENCE));
        progress.share = share;
    }
}

fn share(done: u64, total: u64) -> Option<f64> {
    (total > 0).then(|| (done as f64 / total as f64).min(1.0))
}

impl Observer for TaskProgress {
    fn computed(&self, record: &LevelRecord) {
        let classes = pluralise(record.classes, "class");
        let states = pluralise(record.states, "state");
        self.say(&format!("level {}: {classes}, {states}", record.level), None);
    }

    fn note(&self, sentence: &str) {
        self.say(sentence, None);
    }

    fn counted(&self, what: &str, done: u64, total: u64) {
        self.say(&format!("{what}: {done} of {total}"), share(done, total));
    }

    fn tick(&self, pulse: &Pulse) {
        self.say(&pulse.to_string(), share(pulse.done, pulse.total));
    }
}

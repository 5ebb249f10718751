//! Background work: a bounded queue, a few threads, and what is known of each task.
//!
//! Enumerations have a *lane* of their own, so that a long one does not delay solving; each
//! lane runs a fixed number of tasks at once and lets the others wait. All lanes together divide the memory that
//! the server may use.
//!
//! What has ended is kept until [`KEPT`] newer ones have, or their results take more than
//! [`KEPT_BYTES`].

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hyper::StatusCode;
use hyper::body::Bytes;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::timeout_at;

use super::reply::HttpError;
use super::task::{
    BackgroundTask, Lane, NewTask, Preparation, TaskOutcome, TaskState, run_caught, with_result,
};
use super::{STACK, TaskContext};
use crate::engine::Control;

/// Tasks that may wait in one lane.
const WAITING: usize = 16;
/// Tasks that are kept after they have ended.
const KEPT: usize = 32;
/// Bytes of what is kept of those, with their results.
const KEPT_BYTES: usize = 32 << 20;
/// Preparations that are remembered.
const PREPARED: usize = 4096;
/// The longest time that a request waits for the end of a task.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

pub struct Tasks {
    list: Mutex<TaskList>,
    /// Wakes those who wait for the end of one.
    ended: Notify,
    jobs: PathBuf,
    memory: u64,
    threads: usize,
    stack: usize,
}

#[derive(Default)]
struct TaskList {
    /// The oldest first.
    tasks: VecDeque<BackgroundTask>,
    next: u64,
    /// Nothing new begins.
    closed: bool,
    /// What was built for some task, and need not be built again.
    prepared: HashSet<u64>,
}

impl Tasks {
    /// No tasks yet; they find jobs in a directory, may take this much memory together, and use
    /// this many threads each.
    pub fn new(jobs: PathBuf, memory: u64, threads: usize) -> Arc<Self> {
        let list = TaskList {
            // Anywhere: a page that was left open must not meet another server's task.
            next: RandomState::new().hash_one(std::process::id()) >> 24,
            ..TaskList::default()
        };
        let lanes: usize = Lane::ALL.iter().map(|lane| lane.width()).sum();
        Arc::new(Tasks {
            list: Mutex::new(list),
            ended: Notify::new(),
            jobs,
            memory: memory / lanes as u64,
            threads,
            stack: STACK,
        })
    }

    fn list(&self) -> MutexGuard<'_, TaskList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an order; it begins when its lane is free. Returns the task's number.
    pub fn submit(self: &Arc<Self>, order: NewTask) -> std::result::Result<u64, HttpError> {
        let mut list = self.list();
        if list.closed {
            return Err(HttpError::busy("the server is stopping"));
        }
        let waits =
            |task: &&BackgroundTask| task.lane() == order.kind.lane() && task.state == TaskState::Waiting;
        if list.tasks.iter().filter(waits).count() >= WAITING {
            return Err(HttpError::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!("{WAITING} tasks are waiting already: stop some of them, or wait for them"),
            ));
        }
        let id = list.next;
        list.next += 1;
        list.tasks.push_back(BackgroundTask::new(id, order));
        self.begin(list);
        Ok(id)
    }

    /// Begins whatever has room in its lane, lets go of what is old, and wakes those who wait: also where
    /// nothing could be begun, something ended.
    fn begin(self: &Arc<Self>, mut list: MutexGuard<'_, TaskList>) {
        let TaskList { tasks, prepared, .. } = &mut *list;
        let mut building: Vec<Preparation> =
            tasks.iter().filter(|task| task.building).filter_map(|task| task.preparation).collect();
        for lane in Lane::ALL {
            let running = |task: &&BackgroundTask| task.lane() == lane && task.state == TaskState::Running;
            let mut room = lane.width().saturating_sub(tasks.iter().filter(running).count());
            let waiting =
                |task: &&mut BackgroundTask| task.lane() == lane && task.state == TaskState::Waiting;
            for task in tasks.iter_mut().filter(waiting) {
                if room == 0 {
                    break;
                }
                let wanted = task.preparation.filter(|wanted| !prepared.contains(&wanted.key));
                if let Some(wanted) = wanted {
                    let in_the_way =
                        |other: &Preparation| other.key == wanted.key || other.long && wanted.long;
                    if building.iter().any(in_the_way) {
                        continue;
                    }
                }
                if self.start(task) {
                    room -= 1;
                    task.building = wanted.is_some();
                    building.extend(wanted);
                }
            }
        }
        list.evict();
        drop(list);
        self.ended.notify_waiters();
    }

    /// Starts a task; `false` if it ended at once because that cannot be.
    fn start(self: &Arc<Self>, task: &mut BackgroundTask) -> bool {
        let Some(work) = task.work.take() else {
            return false;
        };
        task.state = TaskState::Running;
        task.begun = Some(Instant::now());
        let (id, stop, progress) = (task.id, task.stop.clone(), task.progress.clone());
        let tasks = self.clone();
        let thread = std::thread::Builder::new().stack_size(self.stack);
        let started = thread.spawn(move || {
            let context = TaskContext {
                jobs: &tasks.jobs,
                memory: tasks.memory,
                threads: tasks.threads,
                control: Control { stop: &stop, observer: &*progress },
                prepared: &|| tasks.prepared(id),
            };
            tasks.finish(id, run_caught(work, &context));
        });
        if started.is_err() {
            let why = "no thread can be started for this; try again";
            task.finish(TaskOutcome::Failed(why.into()));
        }
        started.is_ok()
    }

    fn finish(self: &Arc<Self>, id: u64, outcome: TaskOutcome) {
        let mut list = self.list();
        if let Some(task) = list.tasks.iter_mut().find(|task| task.id == id) {
            task.finish(outcome);
        }
        self.begin(list);
    }

    /// What a task had to build is there: others that need it can begin.
    fn prepared(self: &Arc<Self>, id: u64) {
        let mut list = self.list();
        let TaskList { tasks, prepared, .. } = &mut *list;
        let Some(task) = tasks.iter_mut().find(|task| task.id == id) else {
            return;
        };
        task.building = false;
        if prepared.len() >= PREPARED {
            // What is asked for again is looked for again.
            prepared.clear();
        }
        prepared.extend(task.preparation.map(|done| done.key));
        self.begin(list);
    }

    /// All tasks, newest first, without their results.
    pub fn rows(&self) -> Value {
        let list = self.list();
        list.tasks.iter().rev().map(|task| list.row(task)).collect()
    }

    /// A task with its result, as JSON, as soon as it has ended or the time is over; `None` if there
    /// is no such task.
    pub async fn wait(&self, id: u64, most: Duration) -> Option<Bytes> {
        let end = tokio::time::Instant::now() + most.min(LONGEST_WAIT);
        loop {
            // A task that ends from here on wakes it.
            let ended = self.ended.notified();
            let view = {
                let list = self.list();
                let task = list.tasks.iter().find(|task| task.id == id)?;
                let late = list.closed || tokio::time::Instant::now() >= end;
                let now = || task.view().unwrap_or_else(|| with_result(&list.row(task), None));
                (late || task.has_ended()).then(now)
            };
            match view {
                Some(view) => return Some(view),
                None => {
                    let _ = timeout_at(end, ended).await;
                }
            }
        }
    }

    /// Asks a task to stop; one that waits ends at once. Returns what is known of it then, without its
    /// result.
    pub fn stop(&self, id: u64) -> Option<Value> {
        let mut list = self.list();
        let task = list.tasks.iter_mut().find(|task| task.id == id)?;
        task.request_stop();
        let row = task.row();
        list.evict();
        drop(list);
        self.ended.notify_waiters();
        Some(row)
    }

    /// The task that works on a job, or waits for that.
    pub fn of_job(&self, name: &str) -> Option<u64> {
        let list = self.list();
        let about = |task: &&BackgroundTask| !task.has_ended() && task.job.as_deref() == Some(name);
        list.tasks.iter().find(about).map(|task| task.id)
    }

    /// Stops everything, and lets nothing new begin.
    pub fn close(&self) {
        let mut list = self.list();
        list.closed = true;
        list.tasks.iter_mut().for_each(BackgroundTask::request_stop);
        drop(list);
        self.ended.notify_waiters();
    }

    /// Waits until nothing runs any more, or as long; returns how far each task is that still does.
    pub async fn wait_idle(&self, most: Duration) -> Vec<String> {
        let end = tokio::time::Instant::now() + most;
        loop {
            let ended = self.ended.notified();
            let running = {
                let list = self.list();
                let running = list.tasks.iter().filter(|t| t.state == TaskState::Running);
                running.map(BackgroundTask::sentence).collect::<Vec<_>>()
            };
            if running.is_empty() || tokio::time::Instant::now() >= end {
                return running;
            }
            let _ = timeout_at(end, ended).await;
        }
    }
}

impl TaskList {
    /// How far a task is. One that waits for what another one builds tells how far that is.
    fn row(&self, task: &BackgroundTask) -> Value {
        let key = task.preparation.filter(|_| task.state == TaskState::Waiting).map(|wanted| wanted.key);
        let builds = |other: &&BackgroundTask| other.building && other.preparation.map(|p| p.key) == key;
        match key.and_then(|_| self.tasks.iter().find(builds)) {
            Some(builder) => task.row_behind(builder),
            None => task.row(),
        }
    }

    /// Lets go of the oldest tasks that have ended.
    fn evict(&mut self) {
        let (mut ended, mut bytes) = (0, 0);
        let mut keep: Vec<bool> = Vec::with_capacity(self.tasks.len());
        for task in self.tasks.iter().rev() {
            if task.has_ended() {
                ended += 1;
                bytes += task.size();
            }
            keep.push(!task.has_ended() || (ended <= KEPT && bytes <= KEPT_BYTES));
        }
        self.tasks.retain(|_| keep.pop().unwrap_or(true));
    }
}

#[cfg(test)]
mod tests;

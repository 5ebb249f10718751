//! Background work: a bounded queue, a few threads, and what is known of each task.
//!
//! Enumerations have a *lane* of their own, so that a long one does not delay solving; each
//! lane runs a fixed number of tasks at once and lets the others wait. All lanes together divide the memory that
//! the server may use.
//!
//! What has ended is kept until [`KEPT`] newer ones have, or their results take more than
//! [`KEPT_BYTES`].

use std::collections::VecDeque;
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
use super::task::{Lane, NewTask, Outcome, State, Task, run_caught};
use super::{STACK, TaskContext};
use crate::engine::Control;

/// Tasks that may wait in one lane.
const WAITING: usize = 16;
/// Tasks that are kept after they have ended.
const KEPT: usize = 32;
/// Bytes of what is kept of those, with their results.
const KEPT_BYTES: usize = 32 << 20;
/// The longest time that a request waits for the end of a task.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// All tasks.
pub struct Tasks {
    list: Mutex<List>,
    /// Wakes those who wait for the end of one.
    ended: Notify,
    jobs: PathBuf,
    memory: u64,
    threads: usize,
    stack: usize,
}

#[derive(Default)]
struct List {
    /// The oldest first.
    tasks: VecDeque<Task>,
    next: u64,
    /// Nothing new begins.
    closed: bool,
}

impl Tasks {
    /// No tasks yet; they find jobs in a directory, may take this much memory together, and use
    /// this many threads each.
    pub fn new(jobs: PathBuf, memory: u64, threads: usize) -> Arc<Self> {
        let list = List {
            // Anywhere: a page that was left open must not meet another server's task.
            next: RandomState::new().hash_one(std::process::id()) >> 24,
            ..List::default()
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

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes an order; it begins when its lane is free. Returns the task's number.
    pub fn submit(self: &Arc<Self>, order: NewTask) -> std::result::Result<u64, HttpError> {
        let mut list = self.list();
        if list.closed {
            return Err(HttpError::busy("the server is about to end"));
        }
        let waits = |task: &&Task| task.lane() == order.kind.lane() && task.state == State::Waiting;
        if list.tasks.iter().filter(waits).count() >= WAITING {
            return Err(HttpError::new(
                StatusCode::TOO_MANY_REQUESTS,
                format!("{WAITING} tasks are waiting already: stop some of them, or wait for them"),
            ));
        }
        let id = list.next;
        list.next += 1;
        list.tasks.push_back(Task::new(id, order));
        self.begin(list);
        Ok(id)
    }

    /// Begins whatever has room in its lane, lets go of what is old, and wakes those who wait: also where
    /// nothing could be begun, something ended.
    fn begin(self: &Arc<Self>, mut list: MutexGuard<'_, List>) {
        for lane in Lane::ALL {
            let running = |task: &&Task| task.lane() == lane && task.state == State::Running;
            let running = list.tasks.iter().filter(running).count();
            let waiting = |task: &&mut Task| task.lane() == lane && task.state == State::Waiting;
            let mut waiting = list.tasks.iter_mut().filter(waiting);
            let mut room = lane.width().saturating_sub(running);
            while room > 0
                && let Some(task) = waiting.next()
            {
                room -= usize::from(self.start(task));
            }
        }
        list.evict();
        drop(list);
        self.ended.notify_waiters();
    }

    /// Starts a task; `false` if it ended at once because that cannot be.
    fn start(self: &Arc<Self>, task: &mut Task) -> bool {
        let Some(work) = task.work.take() else {
            return false;
        };
        task.state = State::Running;
        task.begun = Some(Instant::now());
        let (id, stop, progress) = (task.id, task.stop.clone(), task.progress.clone());
        let tasks = self.clone();
        let thread = std::thread::Builder::new().stack_size(self.stack);
        let started = thread.spawn(move || {
            let context = TaskContext {
                jobs: &tasks.jobs,
                memory: tasks.memory,
                threads: tasks.threads,
                control: Control {
                    stop: &stop,
                    observer: &*progress,
                },
            };
            tasks.finish(id, run_caught(work, &context));
        });
        if started.is_err() {
            let why = "no thread is free for this; try again";
            task.finish(Outcome::Failed(why.into()));
        }
        started.is_ok()
    }

    fn finish(self: &Arc<Self>, id: u64, outcome: Outcome) {
        let mut list = self.list();
        if let Some(task) = list.tasks.iter_mut().find(|task| task.id == id) {
            task.finish(outcome);
        }
        self.begin(list);
    }

    /// All tasks, newest first, without their results.
    pub fn rows(&self) -> Value {
        self.list().tasks.iter().rev().map(Task::row).collect()
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
                (late || task.has_ended()).then(|| task.view())
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
        let about = |task: &&Task| !task.has_ended() && task.job.as_deref() == Some(name);
        list.tasks.iter().find(about).map(|task| task.id)
    }

    /// Stops everything, and lets nothing new begin.
    pub fn close(&self) {
        let mut list = self.list();
        list.closed = true;
        list.tasks.iter_mut().for_each(Task::request_stop);
        drop(list);
        self.ended.notify_waiters();
    }

    /// Waits until nothing runs any more, or as long; returns how many tasks still do.
    pub async fn wait_idle(&self, most: Duration) -> usize {
        let end = tokio::time::Instant::now() + most;
        loop {
            let ended = self.ended.notified();
            let running = {
                let list = self.list();
                let running = list.tasks.iter().filter(|t| t.state == State::Running);
                running.count()
            };
            if running == 0 || tokio::time::Instant::now() >= end {
                return running;
            }
            let _ = timeout_at(end, ended).await;
        }
    }
}

impl List {
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
mod tests {
    use super::*;
    use crate::error::{Error, usage};
    use crate::serve::request::TaskKind;
    use crate::serve::task::{LARGEST_RESULT, Work};
    use serde_json::json;

    fn order(kind: TaskKind, work: Work) -> NewTask {
        NewTask {
            kind,
            puzzle: None,
            job: Some("job".into()),
            work,
        }
    }

    fn ended(tasks: &Tasks, id: u64) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_time().build().unwrap();
        let view = runtime.block_on(tasks.wait(id, LONGEST_WAIT)).unwrap();
        serde_json::from_slice(&view).unwrap()
    }

    /// Works until it is stopped.
    fn patient() -> Work {
        Box::new(|context| {
            context.control.observer.counted("waiting", 1, 4);
            while !context.control.stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(Error::Interrupted("stopped in the middle".into()))
        })
    }

    #[test]
    fn every_outcome_of_a_task_is_reported() {
        let tasks = Tasks::new("unused".into(), 300, 2);
        let run = |work: Work| {
            let id = tasks.submit(order(TaskKind::Solve, work)).unwrap();
            ended(&tasks, id)
        };
        let done = run(Box::new(|context| {
            Ok(json!([context.memory, context.threads]))
        }));
        assert_eq!(
            (&done["state"], &done["result"]),
            (&json!("done"), &json!([100, 2]))
        );
        let failed = run(Box::new(|_| usage("no")));
        assert_eq!(
            (&failed["state"], &failed["error"]),
            (&json!("failed"), &json!("no"))
        );
        let long = run(Box::new(|_| usage("é".repeat(100_000))));
        assert!(long["error"].as_str().unwrap().len() < 3000);
        let large = run(Box::new(|_| Ok("x".repeat(LARGEST_RESULT).into())));
        assert_eq!(
            (&large["state"], &large["result"]),
            (&json!("failed"), &json!(null))
        );
        let panicked = run(Box::new(|_| panic!("as a test")));
        assert_eq!(panicked["state"], "failed");
        assert!(panicked["error"].as_str().unwrap().contains("report"));
        assert_eq!(run(Box::new(|_| Ok(json!(1))))["state"], "done");
        assert_eq!(tasks.rows()[0]["state"], "done");
        assert_eq!(tasks.of_job("job"), None);
    }

    #[test]
    fn lanes_do_not_wait_for_each_other() {
        let tasks = Tasks::new("unused".into(), 300, 1);
        let begin = |what| tasks.submit(order(what, patient()));
        let long: Vec<u64> = (0..1 + WAITING)
            .map(|_| begin(TaskKind::Enumerate).unwrap())
            .collect();
        let refused = begin(TaskKind::Enumerate).unwrap_err();
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(tasks.of_job("job"), Some(long[0]));
        let quick = tasks.submit(order(TaskKind::Solve, Box::new(|_| Ok(json!(1)))));
        assert_eq!(ended(&tasks, quick.unwrap())["state"], "done");
        let rows = tasks.rows();
        let running = rows.as_array().unwrap().iter();
        let running = running.filter(|row| row["state"] == "running");
        assert_eq!(running.count(), 1);
        // A waiting one ends at once; when the first one ends, the next begins.
        assert_eq!(tasks.stop(long[1]).unwrap()["state"], "stopped");
        tasks.stop(long[0]).unwrap();
        let view = ended(&tasks, long[0]);
        assert_eq!(
            (&view["state"], &view["share"]),
            (&json!("stopped"), &json!(null))
        );
        assert_eq!(view["progress"], "stopped in the middle");
        assert_eq!(tasks.of_job("job"), Some(long[2]));
        tasks.close();
        assert!(begin(TaskKind::Solve).is_err());
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.enable_time().build().unwrap();
        assert_eq!(runtime.block_on(tasks.wait_idle(LONGEST_WAIT)), 0);
        assert!(tasks.stop(7).is_none());
    }

    #[test]
    fn old_tasks_and_much_memory_are_let_go() {
        let tasks = Tasks::new("unused".into(), 300, 1);
        let run = |size: usize| {
            let work: Work = Box::new(move |_| Ok("x".repeat(size).into()));
            let id = tasks.submit(order(TaskKind::Solve, work)).unwrap();
            ended(&tasks, id);
            tasks.rows().as_array().unwrap().len()
        };
        let kept: Vec<usize> = (0..KEPT + 5).map(|_| run(1)).collect();
        assert_eq!(kept[KEPT - 1..], [KEPT; 6]);
        let size = 4 << 20;
        let kept: Vec<usize> = (0..20).map(|_| run(size - 1000)).collect();
        assert_eq!(kept[19], KEPT_BYTES / size);
    }

    #[test]
    fn a_task_without_a_thread_fails_at_once() {
        let mut tasks = Tasks::new("unused".into(), 300, 1);
        // More than there are addresses.
        Arc::get_mut(&mut tasks).unwrap().stack = 1 << 60;
        for _ in 0..KEPT + 5 {
            let id = tasks.submit(order(TaskKind::Solve, patient())).unwrap();
            let view = ended(&tasks, id);
            assert!(view["error"].as_str().unwrap().contains("no thread"));
        }
        assert_eq!(tasks.rows().as_array().unwrap().len(), KEPT);
    }

    #[test]
    fn a_result_is_kept_once() {
        let tasks = Tasks::new("unused".into(), 300, 1);
        let work: Work = Box::new(|_| Ok("x".repeat(1000).into()));
        let id = tasks.submit(order(TaskKind::Solve, work)).unwrap();
        ended(&tasks, id);
        let list = tasks.list();
        let [one, other] = [0, 0].map(|place| list.tasks[place].view());
        assert_eq!((one.as_ptr(), one.len()), (other.as_ptr(), other.len()));
    }

    #[test]
    fn a_task_says_how_far_it_is() {
        let tasks = Tasks::new("unused".into(), 300, 1);
        let id = tasks.submit(order(TaskKind::Solve, patient())).unwrap();
        let row = loop {
            let row = tasks.rows()[0].clone();
            if row["progress"] != json!(null) {
                break row;
            }
        };
        assert_eq!(row["progress"], "waiting: 1 of 4");
        assert_eq!(row["share"], 0.25);
        tasks.stop(id);
        assert_eq!(ended(&tasks, id)["state"], "stopped");
    }
}

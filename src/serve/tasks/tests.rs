//! Tests of the module above.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::*;
use crate::error::{Error, usage};
use crate::serve::request::TaskKind;
use crate::serve::task::{LARGEST_RESULT, TaskWork};
use serde_json::json;

fn order(kind: TaskKind, work: TaskWork) -> NewTask {
    NewTask { kind, preparation: None, puzzle: None, job: Some("job".into()), work }
}

fn ended(tasks: &Tasks, id: u64) -> Value {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    let view = runtime.block_on(tasks.wait(id, LONGEST_WAIT)).unwrap();
    serde_json::from_slice(&view).unwrap()
}

/// Works until it is stopped.
fn patient() -> TaskWork {
    Box::new(|context| {
        context.control.observer.counted("waiting", 1, 4);
        while !context.control.stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Err(Error::interrupted("stopped in the middle"))
    })
}

#[test]
fn every_outcome_of_a_task_is_reported() {
    let tasks = Tasks::new("unused".into(), 300, 2);
    let run = |work: TaskWork| {
        let id = tasks.submit(order(TaskKind::Solve, work)).unwrap();
        ended(&tasks, id)
    };
    let done = run(Box::new(|context| Ok(json!([context.memory, context.threads]))));
    assert_eq!((&done["state"], &done["result"]), (&json!("done"), &json!([100, 2])));
    let failed = run(Box::new(|_| usage("no")));
    assert_eq!((&failed["state"], &failed["error"]), (&json!("failed"), &json!("no")));
    let long = run(Box::new(|_| usage("é".repeat(100_000))));
    assert!(long["error"].as_str().unwrap().len() < 3000);
    let large = run(Box::new(|_| Ok("x".repeat(LARGEST_RESULT).into())));
    assert_eq!((&large["state"], &large["result"]), (&json!("failed"), &json!(null)));
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
    let long: Vec<u64> = (0..1 + WAITING).map(|_| begin(TaskKind::Enumerate).unwrap()).collect();
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
    assert_eq!((&view["state"], &view["share"]), (&json!("stopped"), &json!(null)));
    assert_eq!(view["progress"], "stopped in the middle");
    assert_eq!(tasks.of_job("job"), Some(long[2]));
    tasks.close();
    assert!(begin(TaskKind::Solve).is_err());
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_time().build().unwrap();
    assert!(runtime.block_on(tasks.wait_idle(LONGEST_WAIT)).is_empty());
    assert!(tasks.stop(7).is_none());
}

#[test]
fn old_tasks_and_much_memory_are_let_go() {
    let tasks = Tasks::new("unused".into(), 300, 1);
    let run = |size: usize| {
        let work: TaskWork = Box::new(move |_| Ok("x".repeat(size).into()));
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
    let work: TaskWork = Box::new(|_| Ok("x".repeat(1000).into()));
    let id = tasks.submit(order(TaskKind::Solve, work)).unwrap();
    ended(&tasks, id);
    let list = tasks.list();
    let [one, other] = [0, 0].map(|place| list.tasks[place].view().unwrap());
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

/// Work that needs a table; it says when the table is there, and ends when it is told to.
fn building(key: u64, long: bool, built: &Arc<AtomicBool>) -> NewTask {
    let built = built.clone();
    let work: TaskWork = Box::new(move |context| {
        context.control.observer.counted("building", 1, 4);
        while !built.load(Relaxed) {
            context.control.go_on(|| Error::interrupted("stopped in the middle"))?;
            std::thread::sleep(Duration::from_millis(1));
        }
        (context.prepared)();
        Ok(json!("done"))
    });
    NewTask { preparation: Some(Preparation { key, long }), ..order(TaskKind::Solve, work) }
}

#[test]
fn tasks_that_need_one_table_wait_for_one_build_and_short_ones_do_not() {
    let tasks = Tasks::new("unused".into(), 300, 1);
    let [slow, other, quick] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
    let state = |id: u64| {
        let rows = tasks.rows();
        let row = rows.as_array().unwrap().iter().find(|row| row["task"] == id).unwrap();
        (row["state"].as_str().unwrap().to_owned(), row["progress"].to_string())
    };
    let first = tasks.submit(building(1, true, &slow)).unwrap();
    let second = tasks.submit(building(1, true, &slow)).unwrap();
    // Another long build waits as well: else two would take both places.
    let third = tasks.submit(building(2, true, &other)).unwrap();
    let began = Instant::now();
    while !state(second).1.contains("building: 1 of 4") && began.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(state(first).0, "running");
    assert_eq!(state(second).0, "waiting");
    assert!(state(second).1.contains("building: 1 of 4"), "{:?}", state(second));
    assert_eq!(state(third).0, "waiting");
    // A short question, with a table that is built in a moment and without any, is answered meanwhile.
    quick.store(true, Relaxed);
    let short = tasks.submit(building(3, false, &quick)).unwrap();
    assert_eq!(ended(&tasks, short)["state"], "done");
    let plain = tasks.submit(order(TaskKind::Solve, Box::new(|_| Ok(json!(1))))).unwrap();
    assert_eq!(ended(&tasks, plain)["state"], "done");
    assert_eq!(state(first).0, "running");
    // One that is stopped leaves the build to the next.
    tasks.stop(first).unwrap();
    ended(&tasks, first);
    slow.store(true, Relaxed);
    assert_eq!(ended(&tasks, second)["state"], "done");
    other.store(true, Relaxed);
    assert_eq!(ended(&tasks, third)["state"], "done");
    // What is built is not built again: both run at once.
    let again = [(); 2].map(|()| tasks.submit(building(1, true, &Arc::default())).unwrap());
    assert_eq!(again.map(|id| state(id).0), ["running", "running"]);
    tasks.close();
}

//! Enumerations that the page starts: jobs like any other, in the server's directory.
//!
//! A job that was stopped, in whatever way, resumes when it is asked for again; one in a folder with
//! another name than its puzzle's by that name. What would take long is for the command line.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::jobs::Jobs;
use super::puzzles::read;
use super::request::TaskKind;
use super::task::NewTask;
use crate::engine;
use crate::engine::budget::PER_THREAD;
use crate::error::{Error, Result, usage};
use crate::puzzle::{job_name, subject};
use crate::puzzles::registry;
use crate::solve::descent::{SMALL, has_few_classes};
use crate::text::count;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EnumerateRequest {
    puzzle: String,
    job: Option<String>,
}

/// The task for the enumeration that a request asks for.
pub fn task(jobs: &Arc<Jobs>, request: &Value) -> Result<NewTask> {
    let EnumerateRequest { puzzle: text, job } = read(request)?;
    let by_hand = "the command line has no such limit";
    if text.contains('@') {
        return usage(format!("a puzzle that is read from a file is not enumerated from here; {by_hand}"));
    }
    let puzzle = registry::parse_given(&text, None)?;
    subject(&*puzzle)?;
    if !has_few_classes(&*puzzle) {
        return Err(Error::limit(format!(
            "{} has, or may have, more than {} classes, which is more than is enumerated from here; \
             {by_hand}",
            puzzle.text(),
            count(SMALL)
        )));
    }
    let text = puzzle.text();
    let name = match job {
        None => job_name(&*puzzle),
        Some(name) if jobs.is_of(&name, &text) => name,
        Some(_) => return usage(format!("no job of {text} has this name")),
    };
    let jobs = jobs.clone();
    Ok(NewTask {
        kind: TaskKind::Enumerate,
        preparation: None,
        puzzle: Some(text.clone()),
        job: Some(name.clone()),
        work: Box::new(move |context| {
            let most = (context.memory / PER_THREAD).max(1) as usize;
            let options = engine::Options {
                memory: Some(context.memory),
                threads: Some(context.threads.min(most)),
                ..engine::Options::default()
            };
            let puzzle = registry::parse_given(&text, None)?;
            let dir = jobs.dir().join(&name);
            engine::enumerate(&subject(&*puzzle)?, &dir, &options, context.control)?;
            Ok(jobs.ended(&name))
        }),
    })
}

//! What can be asked about a puzzle or a job beside its levels: verification, bounds, samples. All are tasks.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Instant, SystemTime};

use serde::Deserialize;
use serde_json::{Value, json};

use super::jobs::Jobs;
use super::puzzles::read;
use super::request::TaskKind;
use super::task::NewTask;
use crate::engine::verify::{self, Extent};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Rules, Scrambling, subject};
use crate::puzzles::registry;
use crate::store::disk;
use crate::study::StudyOptions;
use crate::study::bounds::{self as bounding, BoundProof, EvidenceLibrary};
use crate::study::sample::{self as sampling, Optimality, SamplePlan};

/// Random states that are solved at a time, and how many by default.
const MOST_SAMPLES: u64 = 1000;
const SAMPLES: u64 = 100;
/// The most seconds for one of them.
const SAMPLE_SECONDS: u64 = 10;
/// Classes of each level that a quick verification checks.
const CHECKED: u64 = 10_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VerifyRequest {
    job: String,
    full: Option<bool>,
}

/// The task that checks a job: its files and sums, and that the distances of its classes are right. The result is a
/// certificate.
pub fn verify(jobs: &Arc<Jobs>, request: &Value) -> Result<NewTask> {
    let VerifyRequest { job: name, full } = read(request)?;
    let Some(text) = jobs.puzzle_of(&name) else {
        return usage("the job is not found");
    };
    let jobs = jobs.clone();
    let extent = if full == Some(true) { Extent::Full } else { Extent::Sample(CHECKED, 1) };
    let mut task = NewTask::new(TaskKind::Verify, Some(text.clone()), {
        let name = name.clone();
        move |context| {
            let began = Instant::now();
            let dir = jobs.dir().join(&name);
            let puzzle = registry::parse_given(&text, None)?;
            let subject = subject(&*puzzle)?;
            let control = context.control;
            let found =
                verify::verify(&subject, &dir, extent, context.memory, control.stop, control.observer)?;
            let now =
                SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs());
            Ok(json!({
                "certificate": "godnum job",
                "version": env!("CARGO_PKG_VERSION"),
                "unix_time": now,
                "puzzle": text,
                "index_scheme": puzzle.index_scheme(),
                "all_classes": extent == Extent::Full,
                "level_sets": found.levels,
                "classes_checked": found.classes.to_string(),
                "neighbours_checked": found.neighbours.to_string(),
                "not_checked": found.left_out,
                "unreached_classes": found.rest.as_ref().map(|rest| rest.classes.to_string()),
                "seconds": began.elapsed().as_secs_f64(),
                "levels": jobs.digests(&name)?,
            }))
        }
    });
    task.job = Some(name);
    Ok(task)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SampleRequest {
    puzzle: String,
    count: Option<u64>,
    seed: Option<u64>,
    solver: Option<String>,
}

/// The task that solves random states.
pub fn sample(jobs: &Arc<Jobs>, request: &Value) -> Result<NewTask> {
    let wanted: SampleRequest = read(request)?;
    let puzzle = named(&wanted.puzzle)?;
    crate::solve::choose(&*puzzle, wanted.solver.as_deref())?;
    let jobs = jobs.clone();
    Ok(NewTask::new(TaskKind::Sample, Some(puzzle.text()), move |context| {
        let puzzle = registry::parse_given(&wanted.puzzle, None)?;
        let plan = SamplePlan {
            puzzle: &*puzzle,
            solver: wanted.solver.as_deref(),
            scramble: Scrambling::Uniform,
            seed: wanted.seed.unwrap_or(1),
            count: wanted.count.unwrap_or(SAMPLES).clamp(1, MOST_SAMPLES),
            time: Some(std::time::Duration::from_secs(SAMPLE_SECONDS)),
        };
        // The same place as on the command line, but in the server's directory.
        let name = sampling::directory(&plan, None)?;
        let dir = jobs.dir().join(name.file_name().unwrap_or_default());
        let options = StudyOptions::within(Some(context.memory), Some(context.threads));
        let sampled = sampling::sample(&plan, &dir, &options, context.control)?;
        let statistics = sampled.statistics();
        let mut times = std::collections::BTreeMap::<u32, u64>::new();
        for length in sampled.lengths() {
            *times.entry(length).or_default() += 1;
        }
        Ok(json!({
            "puzzle": puzzle.text(),
            "solver": sampled.solver,
            "seed": plan.seed.to_string(),
            "count": sampled.rows.len(),
            "solved": sampled.lengths().len(),
            "optimal": sampled.with(Optimality::Optimal),
            "mean": statistics.as_ref().map(|statistics| statistics.mean),
            "median": statistics.as_ref().map(|statistics| statistics.median),
            "lengths": times.into_iter().collect::<Vec<_>>(),
        }))
    }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundsRequest {
    puzzle: String,
}

/// The task that finds what is proven about a puzzle, by the jobs and the tables that are there.
pub fn bounds(jobs: &Arc<Jobs>, request: &Value) -> Result<NewTask> {
    let wanted: BoundsRequest = read(request)?;
    let puzzle = named(&wanted.puzzle)?;
    let jobs = jobs.clone();
    Ok(NewTask::new(TaskKind::Bounds, Some(puzzle.text()), move |context| {
        let puzzle = registry::parse_given(&wanted.puzzle, None)?;
        context.control.observer.note("looking for evidence among jobs and results");
        let places: Vec<PathBuf> = [jobs.dir(), jobs.results()].map(PathBuf::from).into();
        let places: Vec<_> =
            places.into_iter().filter(|place| !matches!(disk::is_dir(place), Ok(false))).collect();
        let library = EvidenceLibrary::open(&places)?;
        context.control.go_on(|| Error::interrupted("stopped before the bounds were found"))?;
        let found = bounding::bounds(&*puzzle, &library)?;
        Ok(json!({
            "puzzle": found.puzzle,
            "metric": puzzle.metric(),
            "at_least": found.least.bound,
            "at_most": found.most.as_ref().map(|most| most.bound),
            "why_at_least": why(&found.least),
            "why_at_most": found.most.as_ref().map(why),
            "published": found.published.as_ref().map(|published| json!({
                "at_least": published.at_least,
                "at_most": published.at_most,
                "source": published.source,
            })),
            "help": found.help,
        }))
    }))
}

/// An argument, without the files that it rests on.
fn why(proof: &BoundProof) -> Value {
    json!({
        "puzzle": proof.puzzle,
        "bound": proof.bound,
        "argument": proof.argument,
        "parts": proof.parts.iter().map(why).collect::<Vec<_>>(),
    })
}

/// A puzzle by its text, which names no file.
fn named(text: &str) -> Result<Box<dyn Rules>> {
    match text.contains('@') {
        true => usage("a puzzle that is read from a file is not studied from here; use the command line"),
        false => registry::parse_given(text, None),
    }
}

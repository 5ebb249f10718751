//! Jobs and results: what was enumerated here, what is being enumerated by any process, and tables of
//! levels.
//!
//! A job is a folder of the server's directory, under the folder's name; a table is a CSV file of its
//! results that begins like `levels.csv`. Names in requests are compared with these lists, which are made
//! anew each time, and never become paths. Counts and samples are not shown. Of very many, the first are
//! listed ([`listing`](super::listing)).

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::FileType;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::ServeOptions;
use super::listing::{LISTED, Names};
use super::reply::HttpError;
use super::results::{Overview, PuzzleFacts, provenance, question_word};
use super::tasks::Tasks;
use crate::engine::{Description, Job, LevelCount, LevelRecord, Manifest};
use crate::error::{Error, Result};
use crate::puzzle::{Question, conclude, pick};
use crate::puzzles::registry;
use crate::report::plot::{self, Data, PlotOptions, Series};
use crate::store::{Lock, disk};

/// Bytes of a table.
const TABLE: u64 = 1 << 20;
/// States that are picked at a time, and how many by default.
const PICKED: u64 = 24;
const FEW: u64 = 10;
/// Jobs that are shown as the last ones.
const RECENT: usize = 4;
/// The first line of a table of levels.
const HEADING: &[u8] = b"level,classes,states\n";

type HttpResult<T> = std::result::Result<T, HttpError>;

/// The directories that jobs and tables are in.
pub struct Jobs {
    dir: PathBuf,
    results: PathBuf,
    tasks: Arc<Tasks>,
    /// What took time to find out about jobs, by name.
    known: Mutex<HashMap<String, JobFacts>>,
    overview: Overview,
}

/// What a job's puzzle and levels tell, and for which job that was.
#[derive(Clone)]
struct JobFacts {
    job: Description,
    total: Option<Option<u128>>,
    /// The sentence, and the states that it was about.
    answer: Option<(u128, String)>,
    about: Option<Option<PuzzleFacts>>,
}

/// A job as it is on disk.
struct OpenedJob {
    job: Job,
    manifest: Manifest,
}

impl Jobs {
    /// Those that the options name.
    pub fn new(options: &ServeOptions, tasks: Arc<Tasks>) -> Self {
        Jobs {
            dir: options.dir.clone(),
            results: options.results.clone(),
            tasks,
            known: Mutex::default(),
            overview: Overview::default(),
        }
    }

    /// Where jobs are.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// All jobs, and the names of all tables.
    pub fn list(&self) -> Result<Value> {
        let (jobs, more_jobs) = self.names()?.list(|name| {
            let found = self.find(name)?;
            Some(self.row_of(name, self.tasks.of_job(name), &found))
        });
        // Whatever is wrong with the tables, the jobs are there.
        let tables = self.tables();
        let error = tables.as_ref().err().map(|error| error.to_string());
        let (tables, more_tables) = tables.unwrap_or_default();
        Ok(json!({
            "dir": self.dir.display().to_string(),
            "jobs": jobs,
            "results": tables,
            "left_out": more_jobs + more_tables,
            "error": error,
        }))
    }

    /// Where tables are.
    pub fn results(&self) -> &Path {
        &self.results
    }

    /// The puzzle of a job.
    pub fn puzzle_of(&self, name: &str) -> Option<String> {
        let found = self.wanted(name).and_then(|found| Ok(found?)).ok()?;
        Some(found.job.description.puzzle)
    }

    /// The levels of a job with the digests of their files.
    pub fn digests(&self, name: &str) -> Result<Value> {
        let Some(found) = self.find(name) else {
            return Ok(Value::Null);
        };
        let level = |level: &LevelRecord| {
            json!({
                "level": level.level,
                "classes": Decimal(level.classes),
                "states": Decimal(level.states),
                "digest": format!("{:016x}", level.blocks_digest),
            })
        };
        Ok(found?.manifest.levels.iter().map(level).collect())
    }

    /// Every table at a glance; what is not known yet is `pending`.
    pub fn tables_at_a_glance(&self) -> Result<Value> {
        let (names, left_out) = self.tables()?;
        let (found, pending) = self.overview.of(&self.results, &names);
        let rows: Vec<Value> = found.iter().map(|(name, facts)| facts.fields(name)).collect();
        Ok(json!({ "results": rows, "pending": pending, "left_out": left_out }))
    }

    /// For each kind the largest result that is known to be complete, of a job or a table; one whose hardest positions can
    /// be had soon comes first. And the jobs that were finished last.
    pub fn home(&self) -> Result<Value> {
        let (names, _) = self.tables().unwrap_or_default();
        let (tables, pending) = self.overview.of(&self.results, &names);
        let mut best: HashMap<String, (bool, u128, Value)> = HashMap::new();
        let mut offer = |about: &PuzzleFacts, states: u128, row: Value| {
            let kind = about.text.split(':').next().unwrap_or_default().to_owned();
            let rank = (about.small, states);
            if best.get(&kind).is_none_or(|(small, most, _)| (*small, *most) < rank) {
                best.insert(kind, (rank.0, rank.1, row));
            }
        };
        for (name, facts) in &tables {
            if let Some(about) = facts.about.as_ref().filter(|about| about.question == Question::GodsNumber)
                && facts.is_complete() == Some(true)
            {
                offer(about, facts.states, facts.fields(name));
            }
        }
        let jobs = self.names()?.list(|name| Some((name.clone(), self.find(name)?.ok()?))).0;
        let mut recent = Vec::new();
        for (name, found) in jobs.iter().filter(|(_, found)| found.manifest.finished) {
            let Some(about) = self.about(name, &found.job) else {
                continue;
            };
            let mut row = about.fields();
            row["job"] = name.as_str().into();
            row["last"] = found.manifest.levels.len().saturating_sub(1).into();
            row["states"] = found.manifest.states().to_string().into();
            if about.question == Question::GodsNumber {
                offer(&about, found.manifest.states(), row.clone());
            }
            let time = std::fs::metadata(self.dir.join(name).join("manifest.json"))
                .and_then(|about| about.modified());
            recent.push((time.ok(), row));
        }
        recent.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
        let recent: Vec<Value> = recent.into_iter().take(RECENT).map(|(_, row)| row).collect();
        let best: serde_json::Map<_, _> = best.into_iter().map(|(kind, (_, _, row))| (kind, row)).collect();
        Ok(json!({ "best": best, "recent": recent, "pending": pending }))
    }

    /// A job, its levels, and what they tell if they are all there.
    pub fn job(&self, name: &str) -> HttpResult<Value> {
        let found = self.wanted(name)?;
        let mut row = self.row_of(name, self.tasks.of_job(name), &found);
        let found = found.as_ref().ok();
        let levels = found.map_or(&[][..], |found| &found.manifest.levels);
        row["rows"] = rows(levels.iter().map(|level| (level.classes, level.states)));
        row["answer"] = found.and_then(|found| self.answer(name, found)).into();
        if let Some(OpenedJob { job, manifest }) = found {
            if let Some(about) = self.about(name, job) {
                row["about"] = about.fields();
                row["checked"] = about.is_counted().into();
            }
            row["bytes"] = job.size(&manifest.scratch).ok().into();
            row["memory"] = manifest.levels.iter().map(|level| level.peak_rss).max().into();
            row["kept_from"] = manifest.kept_from.into();
        }
        Ok(row)
    }

    /// The row of a job of ours that no task works on any more, though the one that did may not have
    /// said so yet.
    pub fn ended(&self, name: &str) -> Value {
        let found = self.find(name);
        found.map_or(Value::Null, |found| self.row_of(name, None, &found))
    }

    /// States of a level of a job, one of each class; of the last level by default.
    pub fn states(&self, name: &str, level: Option<u64>, count: Option<u64>) -> HttpResult<Value> {
        let OpenedJob { job, manifest } = self.wanted(name)??;
        let puzzle = registry::of_job(&job)?;
        let last = manifest.levels.len().saturating_sub(1) as u64;
        // A level that does not exist is rejected by `pick` with a specific message.
        let level = u32::try_from(level.unwrap_or(last)).unwrap_or(u32::MAX);
        let count = count.unwrap_or(FEW).min(PICKED);
        let picked = pick(&job, &*puzzle, level, count, None)?;
        let states = picked.states.iter().map(|state| puzzle.print_state(state));
        Ok(json!({
            "puzzle": puzzle.text(),
            "level": level,
            "classes": picked.classes.to_string(),
            "states": states.collect::<Vec<_>>(),
        }))
    }

    /// The distribution of a job's levels as a picture.
    pub fn job_chart(&self, name: &str, look: &PlotOptions) -> HttpResult<String> {
        let found = self.wanted(name)??;
        Ok(plot::svg(&[plot::read_job(&found.job)?], look)?)
    }

    /// The names of the folders in which jobs may be, in order.
    fn names(&self) -> Result<Names> {
        // What is behind a link is found out by `find`.
        let folder = |kind: FileType| kind.is_dir() || kind.is_symlink();
        Names::of(&self.dir, |entry| entry.file_type().is_ok_and(folder))
    }

    /// The job that a request names, intact or not.
    fn wanted(&self, name: &str) -> HttpResult<Result<OpenedJob>> {
        let listed = self.names()?.first.iter().any(|listed| listed == name);
        let found = if listed { self.find(name) } else { None };
        found.ok_or_else(|| HttpError::not_found("the job is not found"))
    }

    /// Whether there is an intact job of a puzzle with this name.
    pub fn is_of(&self, name: &str, puzzle: &str) -> bool {
        let found = self.wanted(name).and_then(|found| Ok(found?));
        found.is_ok_and(|found| found.job.description.puzzle == puzzle)
    }

    /// The job in one of the folders, or what is wrong with it; `None` if it holds none.
    fn find(&self, name: &str) -> Option<Result<OpenedJob>> {
        let dir = self.dir.join(name);
        match disk::is_dir(&dir) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(error)),
        }
        let job = match Job::open(&dir) {
            Err(Error::Directory { .. }) => return None,
            other => other,
        };
        Some(job.and_then(|job| {
            let manifest = job.manifest()?;
            Ok(OpenedJob { job, manifest })
        }))
    }

    fn row_of(&self, name: &str, task: Option<u64>, found: &Result<OpenedJob>) -> Value {
        let holder = Lock::holder(&self.dir.join(name));
        let row = JobRow { name, task, ..JobRow::default() };
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                let state = if holder.is_some() { "running" } else { "damaged" };
                return Value::from(JobRow { state: Some(state), error: Some(error.to_string()), ..row });
            }
        };
        let OpenedJob { job, manifest } = found;
        let (state, progress) = match (&holder, manifest.finished) {
            (Some(pulse), _) if pulse.phase.is_empty() => ("running", Some("it begins".into())),
            (Some(pulse), _) => ("running", Some(pulse.to_string())),
            (None, true) => ("finished", None),
            (None, false) if task.is_some() => ("waiting", None),
            (None, false) => ("stopped", safe(manifest)),
        };
        Value::from(JobRow {
            puzzle: Some(job.description.puzzle.clone()),
            state: Some(state),
            last: manifest.levels.last().map(|level| level.level),
            question: self.about(name, job).map(|about| question_word(about.question)),
            small: self.about(name, job).is_some_and(|about| about.fits),
            seconds: Some(manifest.millis() as f64 / 1000.0),
            level_seconds: holder.as_ref().map(|pulse| pulse.seconds),
            levels: manifest.levels.len(),
            classes: Decimal(manifest.classes()),
            states: Decimal(manifest.states()),
            total: self.total(name, found).map(Decimal),
            progress,
            ..row
        })
    }

    /// How many states a job has when it is finished.
    fn total(&self, name: &str, OpenedJob { job, manifest }: &OpenedJob) -> Option<u128> {
        if manifest.finished {
            return Some(manifest.states());
        }
        if let Some(total) = self.known(name, job).total {
            return total;
        }
        let total = registry::of_job(job).ok().and_then(|puzzle| puzzle.totals().states);
        self.learn(name, job, |known| known.total = Some(total));
        total
    }

    /// What a finished job tells, in a sentence.
    fn answer(&self, name: &str, OpenedJob { job, manifest }: &OpenedJob) -> Option<String> {
        if !manifest.finished {
            return None;
        }
        let states = manifest.states();
        match self.known(name, job).answer {
            Some((about, sentence)) if about == states => return Some(sentence),
            _ => {}
        }
        let puzzle = registry::of_job(job).ok()?;
        let answer = conclude(job, &*puzzle, manifest, &|| Ok(())).ok()??;
        let sentence = answer.sentence(&*puzzle, manifest) + ".";
        self.learn(name, job, |known| {
            known.answer = Some((states, sentence.clone()));
        });
        Some(sentence)
    }

    /// What is known of a job's puzzle.
    fn about(&self, name: &str, job: &Job) -> Option<PuzzleFacts> {
        if let Some(about) = self.known(name, job).about {
            return about;
        }
        let about = registry::of_job(job).ok().map(|puzzle| PuzzleFacts::of(&*puzzle));
        self.learn(name, job, |known| known.about = Some(about.clone()));
        about
    }

    fn known(&self, name: &str, job: &Job) -> JobFacts {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(name).filter(|known| known.job == job.description);
        found.cloned().unwrap_or_else(|| JobFacts {
            job: job.description.clone(),
            total: None,
            answer: None,
            about: None,
        })
    }

    fn learn(&self, name: &str, job: &Job, what: impl FnOnce(&mut JobFacts)) {
        let mut learnt = self.known(name, job);
        what(&mut learnt);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= LISTED {
            // Folders come and go; what is asked for again is found out again.
            known.clear();
        }
        known.insert(name.to_owned(), learnt);
    }

    // Tables

    /// The names of all tables, in order, and how many others there may be.
    fn tables(&self) -> Result<(Vec<String>, usize)> {
        let stem = |name: &OsStr| Some(name.to_str()?.strip_suffix(".csv")?.to_owned());
        let names = Names::of(&self.results, |entry| stem(&entry.file_name()).is_some())?;
        let is_table = |name: &&String| is_table(&self.results.join(name));
        Ok(names.list(|name| Some(name).filter(is_table).and_then(|name| stem(name.as_ref()))))
    }

    /// A table with its levels.
    pub fn table(&self, name: &str) -> HttpResult<Value> {
        let series = self.series(name)?;
        let levels = match series.data {
            Data::Levels { levels, .. } => levels,
            // It became another file a moment ago.
            Data::Sample(_) => Vec::new(),
        };
        let sum = |count: fn(&LevelCount) -> u128| {
            let counts = levels.iter().map(count);
            Decimal(counts.fold(0, u128::saturating_add))
        };
        let mut row = Value::from(JobRow {
            name,
            puzzle: series.subject.map(|subject| subject.text),
            levels: levels.len(),
            classes: sum(|level| level.classes),
            states: sum(|level| level.states),
            ..JobRow::default()
        });
        row["rows"] = rows(levels.iter().map(|level| (level.classes, level.states)));
        let (facts, _) = self.overview.of(&self.results, &[name.to_owned()]);
        if let [(_, facts)] = &facts[..] {
            row["about"] = facts.fields(name);
        }
        row["provenance"] = provenance(&self.results, name);
        Ok(row)
    }

    /// The distribution in a table as a picture.
    pub fn table_chart(&self, name: &str, look: &PlotOptions) -> HttpResult<String> {
        Ok(plot::svg(&[self.series(name)?], look)?)
    }

    fn series(&self, name: &str) -> HttpResult<Series> {
        Ok(plot::read_file(&self.table_path(name)?)?)
    }

    fn table_path(&self, name: &str) -> HttpResult<PathBuf> {
        match self.tables()?.0.iter().find(|listed| *listed == name) {
            Some(listed) => Ok(self.results.join(format!("{listed}.csv"))),
            None => Err(HttpError::not_found("the table is not found")),
        }
    }
}

/// What is said of a job, or of a table.
#[derive(Default, Serialize)]
struct JobRow<'a> {
    name: &'a str,
    puzzle: Option<String>,
    state: Option<&'static str>,
    task: Option<u64>,
    levels: usize,
    /// The last level.
    last: Option<u32>,
    question: Option<&'static str>,
    /// Whether it can be resumed from the page.
    small: bool,
    /// Seconds spent on levels that are safe, and on the one under way.
    seconds: Option<f64>,
    level_seconds: Option<u64>,
    classes: Decimal,
    states: Decimal,
    total: Option<Decimal>,
    progress: Option<String>,
    error: Option<String>,
}

impl From<JobRow<'_>> for Value {
    fn from(row: JobRow<'_>) -> Value {
        serde_json::to_value(row).unwrap_or_default()
    }
}

/// A count as a decimal string: it can exceed what a number of a page holds.
#[derive(Clone, Copy, Default)]
struct Decimal(u128);

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// How much of a job is safe.
fn safe(manifest: &Manifest) -> Option<String> {
    let last = manifest.levels.last()?.level;
    let checkpoint = manifest.checkpoint.as_ref();
    let begun = checkpoint
        .map_or(String::new(), |checkpoint| format!(", and level {} has a checkpoint", checkpoint.level));
    Some(format!("levels 0 to {last} are safe{begun}"))
}

/// Levels from 0 on, by their classes and states.
fn rows(levels: impl Iterator<Item = (u128, u128)>) -> Value {
    let row = |(level, (classes, states)): (usize, (u128, u128))| {
        json!({
            "level": level,
            "classes": Decimal(classes),
            "states": Decimal(states),
        })
    };
    levels.enumerate().map(row).collect()
}

/// Whether a file is a table of levels, and no endless one.
fn is_table(path: &Path) -> bool {
    let mut start = vec![0; HEADING.len()];
    disk::file_length(path).is_ok_and(|length| length <= TABLE)
        && disk::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && start == HEADING
}

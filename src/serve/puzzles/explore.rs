//! How far positions are, read off tables that are there: answered at once, and nothing is built. The tasks build tables,
//! and pick positions of a level out of them.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::fields::read;
use super::{cache, fields};
use crate::engine::{Control, Silent};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Rules, Tablebase, job_name, pick};
use crate::puzzles::registry;
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;
use crate::serve::task::{NewTask, Preparation};
use crate::solve::descent::{classes, finished_job, is_small};
use crate::solve::distances::{Distance, DistanceTable};
use crate::solve::{self, Workbench};
use crate::text::count;

/// States that are looked up at a time: a position and what its moves lead to.
const LOOKED_UP: usize = 1024;
/// Tables that are kept open. Each has up to some hundred files.
const OPEN: usize = 2;
/// Bytes of memory of an open table.
const TABLE_MEMORY: u64 = 64 << 20;
/// Positions that are picked at a time, and how many by default.
const PICKED: u64 = 24;
const FEW: u64 = 12;
/// Up to so many classes a table is built in a moment.
const QUICK: u128 = 400_000;
/// Members of a class that are listed.
const LISTED: usize = 64;

static NEVER: AtomicBool = AtomicBool::new(false);

/// A control that never stops and says nothing: for questions that are answered at once.
const AT_ONCE: Control<'static> = Control { stop: &NEVER, observer: &Silent };

struct OpenTable {
    puzzle: String,
    table: DistanceTable,
}

/// The last one first.
static TABLES: Mutex<Vec<Arc<OpenTable>>> = Mutex::new(Vec::new());

fn tables() -> std::sync::MutexGuard<'static, Vec<Arc<OpenTable>>> {
    TABLES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The table of a puzzle if there is one, without building it.
pub(super) fn find(puzzle: &dyn Rules, jobs: &Path) -> Result<Option<DistanceTable>> {
    let mut bench = Workbench::new(solve::cache::directory(), TABLE_MEMORY, 1, AT_ONCE);
    bench.jobs = jobs.to_owned();
    DistanceTable::find(puzzle, &bench)
}

/// The table of a puzzle, opened once. One that grew is opened again.
fn open(puzzle: &dyn Rules, jobs: &Path) -> Result<Option<Arc<OpenTable>>> {
    let text = puzzle.text();
    // Another directory of jobs is another server, which only tests have.
    let known = tables().iter().find(|open| open.puzzle == text && open.table.extent().1).cloned();
    if known.is_some() {
        return Ok(known);
    }
    let Some(table) = find(puzzle, jobs)? else {
        return Ok(None);
    };
    let opened = Arc::new(OpenTable { puzzle: text, table });
    let mut tables = tables();
    tables.retain(|open| open.puzzle != opened.puzzle);
    tables.insert(0, opened.clone());
    tables.truncate(OPEN);
    Ok(Some(opened))
}

/// How a puzzle's table can be had.
pub(super) fn table_words(puzzle: &dyn Rules) -> &'static str {
    let few = |most: u128| classes(puzzle).is_some_and(|classes| classes <= most);
    match () {
        _ if puzzle.content().is_some() || puzzle.tablebase().is_none() => "none",
        _ if is_small(puzzle) && few(QUICK) => "quick",
        _ if is_small(puzzle) => "slow",
        _ => "large",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DistancesRequest {
    puzzle: String,
    file: Option<String>,
    states: Vec<String>,
}

/// How far states are, in their order, if the table is there.
pub fn distances(request: &Value, jobs: &Path) -> Result<Value> {
    let DistancesRequest { puzzle, file, states } = read(request)?;
    if states.len() > LOOKED_UP {
        return usage(format!("the field `states` may list at most {LOOKED_UP} states"));
    }
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
    let table = match puzzle.content() {
        None => open(&*puzzle, jobs)?,
        // What a file says cannot be read again, so no job is made for it.
        Some(_) => None,
    };
    let about = |found: Option<Value>| {
        let classes = classes(&*puzzle).map(|classes| classes.to_string());
        json!({
            "table": table_words(&*puzzle),
            "classes": classes,
            "command": format!("godnum enumerate {}", base_text(&*puzzle)),
            "found": found,
        })
    };
    let Some(table) = table else {
        return Ok(about(None));
    };
    let distance = |given: &String| {
        let state = puzzle.parse_state(given)?;
        Ok(match table.table.distance(&*puzzle, &state, AT_ONCE)? {
            Distance::Exactly(moves) => json!({ "moves": moves }),
            Distance::AtLeast(moves) => json!({ "at_least": moves }),
            Distance::Unsolvable => json!({}),
        })
    };
    let distances = states.iter().map(distance).collect::<Result<Vec<_>>>()?;
    let (levels, finished) = table.table.extent();
    Ok(about(Some(json!({ "distances": distances, "last": levels.saturating_sub(1), "finished": finished }))))
}

/// The text of the puzzle whose levels tell the distances.
fn base_text(puzzle: &dyn Rules) -> String {
    match puzzle.tablebase() {
        Some(Tablebase::Other { text, .. }) => text,
        _ => puzzle.text(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClassRequest {
    puzzle: String,
    file: Option<String>,
    state: String,
}

/// The states that symmetries of the puzzle make equal to one, as far as the puzzle can list them.
pub fn class(request: &Value) -> Result<Value> {
    let ClassRequest { puzzle, file, state } = read(request)?;
    let puzzle = cache::puzzle(&puzzle, file.as_deref())?;
    let state = puzzle.parse_state(&state)?;
    let members = puzzle.class_members(&state);
    Ok(json!({
        "order": puzzle.group_order(),
        "symmetry": puzzle.about_symmetry(),
        "size": members.len(),
        "states": members.iter().take(LISTED).map(|state| puzzle.print_state(state)).collect::<Vec<_>>(),
    }))
}

/// What a solver of a puzzle builds before its first solution.
pub(super) fn preparation(puzzle: &dyn Rules, file: Option<&str>, solver: &str) -> Preparation {
    let table = solver.starts_with("table");
    let name = match table {
        true => base_text(puzzle),
        false => format!("{}\n{solver}\n{}", puzzle.text(), file.unwrap_or_default()),
    };
    Preparation { key: xxh3_64(name.as_bytes()), long: !table || table_words(puzzle) != "quick" }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionsRequest {
    puzzle: String,
    level: Option<u32>,
    count: Option<u64>,
    #[serde(default, deserialize_with = "fields::seed")]
    seed: Option<u64>,
}

/// The task that picks positions of a level, of the last one by default, out of a table; it is built first if need be.
/// With a seed they are random ones.
pub fn positions(request: &Value) -> Result<NewTask> {
    let wanted: PositionsRequest = read(request)?;
    let puzzle = cache::puzzle(&wanted.puzzle, None)?;
    refuse_large(&*puzzle)?;
    let mut task =
        NewTask::new(TaskKind::Positions, Some(puzzle.text()), move |context| pick_some(&wanted, context));
    task.preparation = Some(preparation(&*puzzle, None, "table"));
    Ok(task)
}

fn refuse_large(puzzle: &dyn Rules) -> Result<()> {
    match table_words(puzzle) {
        "quick" | "slow" => Ok(()),
        _ => Err(Error::limit(format!(
            "{} is too large for a table to be built from the page{}; enumerate it on the command line",
            puzzle.text(),
            classes(puzzle).map_or(String::new(), |classes| format!(" ({} classes)", count(classes)))
        ))),
    }
}

fn pick_some(wanted: &PositionsRequest, context: &TaskContext<'_>) -> Result<Value> {
    let puzzle = cache::puzzle(&wanted.puzzle, None)?;
    let base = match puzzle.tablebase() {
        Some(Tablebase::Other { text, .. }) => Some(registry::parse_given(&text, None)?),
        _ => None,
    };
    let base = base.as_deref().unwrap_or(&*puzzle);
    let mut bench =
        Workbench::new(solve::cache::directory(), context.memory, context.threads, context.control);
    bench.jobs = context.jobs.to_owned();
    let (job, manifest) = finished_job(base, &bench)?;
    (context.prepared)();
    let last = manifest.levels.len().saturating_sub(1) as u32;
    let level = wanted.level.unwrap_or(last);
    let many = wanted.count.unwrap_or(FEW).min(PICKED);
    let picked = pick(&job, base, level, many, wanted.seed)?;
    Ok(json!({
        "puzzle": puzzle.text(),
        "job": job_name(base),
        "level": level,
        "last": last,
        "classes": picked.classes.to_string(),
        "states": picked.states.iter().map(|state| base.print_state(state)).collect::<Vec<_>>(),
    }))
}

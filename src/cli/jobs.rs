//! `godnum jobs` and `godnum clean`: which work there is, and its removal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use super::{confirm, find, output};
use crate::engine::JOBS;
use crate::error::{Result, usage};
use crate::puzzle::workbench::directory as cache_directory;
use crate::study::work_dirs::{self, CachedTable, WorkDir, WorkState};
use crate::text::{TextTable, bytes, pluralise, shell_quote, timestamp};

/// List all jobs, counts, samples, proofs and witnesses: state, level, size, age.
#[derive(clap::Args)]
pub struct JobsArgs {
    /// The directory whose folders are looked at
    #[arg(long, value_name = "DIR", default_value = JOBS)]
    dir: PathBuf,
    /// Look at the cache instead, where solvers keep jobs and tables
    #[arg(long, conflicts_with = "dir")]
    cache: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

/// Remove jobs, other work, or what solvers keep in the cache.
///
/// Prints what will be removed, how large it is and how old, and asks on a terminal. Removes exactly the files that
/// jobs, counts, samples, proofs, witnesses and tables consist of; work that a process holds is left alone.
#[derive(clap::Args)]
pub struct CleanArgs {
    /// Puzzles whose work is in runs/ or in the cache, or directories of work
    #[arg(value_name = "PUZZLE|DIR")]
    targets: Vec<OsString>,
    /// Remove everything that solvers keep in the cache; they make it again when they need it
    #[arg(long)]
    cache: bool,
    /// Do not ask; needed where there is no terminal
    #[arg(long, short)]
    yes: bool,
}

pub fn jobs(arguments: JobsArgs) -> Result<()> {
    let dir = match arguments.cache {
        true => cache()?,
        false => arguments.dir,
    };
    let found = work_dirs::list(&dir)?;
    let tables = if arguments.cache { work_dirs::tables(&dir)? } else { Vec::new() };
    if arguments.json {
        let value = json!({
            "dir": dir.display().to_string(),
            "jobs": found.iter().map(job_json).collect::<Vec<_>>(),
            "tables": tables.iter().map(table_json).collect::<Vec<_>>(),
        });
        return output::print(&output::json("jobs", value));
    }
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let age = |then| confirm::age(then).unwrap_or_default();
    let mut rows: Vec<Vec<String>> = found
        .iter()
        .map(|work| {
            let level = work.level.map_or("-".into(), |level| level.to_string());
            let progress = match &work.state {
                WorkState::Damaged(why) => why.clone(),
                _ => work.progress.clone(),
            };
            vec![
                name(&work.dir),
                work.kind.to_string(),
                work.state.word().into(),
                level,
                bytes(work.bytes),
                age(work.modified),
                progress,
            ]
        })
        .collect();
    rows.extend(tables.iter().map(|table| {
        let (bytes, age) = (bytes(table.bytes), age(table.modified));
        vec![name(&table.path), "table".into(), "-".into(), "-".into(), bytes, age, String::new()]
    }));
    if rows.is_empty() {
        output::remark(&format!("(there is no work in {})", shell_quote(&dir)));
        return Ok(());
    }
    let heading = &["name", "kind", "state", "level", "size", "age", "progress"];
    output::print(&TextTable { heading, rows }.aligned_left(&[0, 1, 2, 6]))
}

fn cache() -> Result<PathBuf> {
    match cache_directory() {
        Some(cache) => Ok(cache),
        None => usage("there is no cache: neither HOME nor XDG_CACHE_HOME is set"),
    }
}

fn job_json(work: &WorkDir) -> Value {
    json!({
        "dir": work.dir.display().to_string(),
        "kind": work.kind.to_string(),
        "puzzle": Some(&work.puzzle).filter(|puzzle| !puzzle.is_empty()),
        "state": work.state.word(),
        "level": work.level,
        "progress": work.progress,
        "bytes": work.bytes,
        "modified": work.modified.map(timestamp),
        "running": work.holder,
        "error": match &work.state {
            WorkState::Damaged(why) => Some(why),
            _ => None,
        },
    })
}

fn table_json(table: &CachedTable) -> Value {
    json!({
        "path": table.path.display().to_string(),
        "bytes": table.bytes,
        "modified": table.modified.filter(|&time| time > UNIX_EPOCH).map(timestamp),
    })
}

pub fn clean(arguments: CleanArgs) -> Result<()> {
    let mut work = Vec::new();
    for target in &arguments.targets {
        let dir = find::work(target)?;
        match work_dirs::look(&dir)? {
            Some(found) => work.push(found),
            None => {
                return usage(format!("there is no work in {}, so nothing was removed", shell_quote(&dir)));
            }
        }
    }
    let mut tables = Vec::new();
    if arguments.cache {
        let cache = cache()?;
        work.extend(work_dirs::list(&cache)?);
        tables = work_dirs::tables(&cache)?;
    }
    if arguments.targets.is_empty() && !arguments.cache {
        return usage("name the work to remove (`godnum jobs` lists it), or --cache");
    }
    let lines = work.iter().map(confirm::describe);
    let lines = lines.chain(tables.iter().map(|table| {
        let age = confirm::age(table.modified).map_or(String::new(), |age| format!(", made {age} ago"));
        format!("the table {}, {}{age}", shell_quote(&table.path), bytes(table.bytes))
    }));
    for line in lines {
        output::print(&format!("{line}\n"))?;
    }
    let all = work.iter().map(|work| work.bytes).chain(tables.iter().map(|table| table.bytes)).sum();
    let what = pluralise((work.len() + tables.len()) as u64, "thing");
    if work.is_empty() && tables.is_empty() {
        return output::print("there is nothing to remove\n");
    }
    if !arguments.yes && !confirm::is_answered() {
        return usage(format!("this would remove {what}, {}: add --yes", bytes(all)));
    }
    confirm::ask(&format!("This removes {what}, {}", bytes(all)), arguments.yes)?;
    work.iter().try_for_each(work_dirs::remove)?;
    tables.iter().try_for_each(work_dirs::remove_table)
}

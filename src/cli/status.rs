//! `godnum status`: how far a job is.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::output;
use crate::engine::Job;
use crate::error::Result;
use crate::puzzles::registry;
use crate::store::Lock;
use crate::study::count;
use crate::study::sample;
use crate::text;
use crate::text::{bytes, duration, plural, quoted};

/// Show how far a job, a count or a sample is, also while it runs.
#[derive(clap::Args)]
pub struct Arguments {
    /// The job directory
    dir: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: Arguments) -> Result<()> {
    if let Some(progress) = count::progress(&arguments.dir)? {
        return count_status(&arguments, &progress);
    }
    if let Some(progress) = sample::progress(&arguments.dir)? {
        return sample_status(&arguments, &progress);
    }
    let job = Job::open(&arguments.dir)?;
    // The file that a puzzle is read from may be gone or changed: the job is there all the same.
    let puzzle = registry::of_job(&job);
    if let Err(error) = &puzzle {
        output::warn(&error.to_string());
    }
    let puzzle = puzzle.ok();
    let manifest = job.manifest()?;
    let holder = Lock::holder(job.dir());
    let total = puzzle.as_ref().and_then(|puzzle| puzzle.total_states());
    let existing = puzzle.as_ref().and_then(|puzzle| puzzle.existing_states());
    if arguments.json {
        let value = serde_json::json!({
            "puzzle": job.description.puzzle,
            "finished": manifest.finished,
            "running": holder,
            "levels": manifest.levels.len(),
            "classes": manifest.classes().to_string(),
            "states": manifest.states().to_string(),
            "total_states": total.map(|total| total.to_string()),
            "bytes": job.size(),
            "seconds": manifest.millis() as f64 / 1000.0,
        });
        let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
        text.push('\n');
        return output::print(&text);
    }
    let title = puzzle.map_or("as it was when the job began".into(), |puzzle| {
        puzzle.title()
    });
    let mut text = format!("{} ({title})\n", job.description.puzzle);
    let state = match (&holder, manifest.finished) {
        (Some(pulse), _) => format!("running, process {}: {pulse}", pulse.pid),
        (None, true) => "finished".into(),
        (None, false) => format!(
            "not running, not finished; go on with `godnum resume {}`",
            quoted(job.dir())
        ),
    };
    let _ = writeln!(text, "state:   {state}");
    if let Some(last) = manifest.levels.last() {
        let _ = writeln!(
            text,
            "levels:  0 to {} are safe; the last has {} classes",
            last.level,
            text::count(last.classes)
        );
    }
    if let Some(unfinished) = &manifest.unfinished {
        let _ = writeln!(
            text,
            "         level {} has a checkpoint: {} candidates so far",
            unfinished.level,
            text::count(unfinished.candidates)
        );
    }
    let share = match (total, existing) {
        (Some(total), _) => format!(
            " of {} ({:.3} %)",
            text::count(total),
            100.0 * manifest.states() as f64 / total as f64
        ),
        (None, Some(existing)) => format!(" of {} that exist", text::count(existing)),
        (None, None) => String::new(),
    };
    let _ = writeln!(
        text,
        "states:  {}{share}, in {} classes",
        text::count(manifest.states()),
        text::count(manifest.classes())
    );
    let _ = writeln!(text, "disk:    {}", bytes(job.size()));
    let _ = writeln!(
        text,
        "time:    {}",
        duration(Duration::from_millis(manifest.millis()))
    );
    output::print(&text)
}

fn count_status(arguments: &Arguments, progress: &count::Progress) -> Result<()> {
    let holder = Lock::holder(&arguments.dir);
    if arguments.json {
        let value = serde_json::json!({
            "puzzle": progress.puzzle,
            "finished": progress.solutions.is_some(),
            "running": holder,
            "done": progress.done,
            "parts": progress.parts,
            "solutions": progress.solutions.map(|solutions| solutions.to_string()),
            "seconds": progress.time.as_secs_f64(),
        });
        return output::print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
    }
    let state = match (holder, progress.solutions) {
        (_, Some(solutions)) => format!("finished: {}", plural(solutions, "solution", "solutions")),
        (Some(pulse), None) => format!("running, process {}", pulse.pid),
        (None, None) => format!(
            "not running, not finished; go on with `godnum count {}`",
            progress.puzzle
        ),
    };
    output::print(&format!(
        "{} (a count of solutions)\nstate:   {state}\nparts:   {} of {} are safe\ntime:    {}\n",
        progress.puzzle,
        progress.done,
        progress.parts,
        duration(progress.time)
    ))
}

fn sample_status(arguments: &Arguments, progress: &sample::Progress) -> Result<()> {
    let holder = Lock::holder(&arguments.dir);
    if arguments.json {
        let value = serde_json::json!({
            "sample": progress.about,
            "running": holder,
            "done": progress.done,
        });
        return output::print(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
    }
    let state = match holder {
        Some(pulse) => format!("running, process {}", pulse.pid),
        None => "not running; go on, or take more, with `godnum sample`".into(),
    };
    output::print(&format!(
        "{} (a sample)\nstate:   {state}\nrows:    {} are written\n",
        progress.about, progress.done
    ))
}

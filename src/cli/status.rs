//! `godnum status`: how far a job is.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use super::{explain, output};
use crate::engine::Job;
use crate::error::Result;
use crate::puzzles::registry;
use crate::store::Lock;
use crate::study::prove::record::ProofRecord;
use crate::study::{count, sample};
use crate::text;
use crate::text::{bytes, duration, pluralise, shell_quote};

/// Show how far a job, a count, a sample or a proof is, also while it runs.
#[derive(clap::Args)]
pub struct StatusArgs {
    /// The job directory
    dir: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: StatusArgs) -> Result<()> {
    if let Some(progress) = count::progress(&arguments.dir)? {
        return count_status(&arguments, &progress);
    }
    if let Some(progress) = sample::progress(&arguments.dir)? {
        return sample_status(&arguments, &progress);
    }
    if let Some(record) = ProofRecord::read(&arguments.dir)? {
        return proof_status(&arguments, &record);
    }
    let job = Job::open(&arguments.dir)?;
    // The file that a puzzle is read from may be gone or changed: the job still exists.
    let puzzle = registry::of_job(&job);
    if let Err(error) = &puzzle {
        output::warn(&explain(error));
    }
    let puzzle = puzzle.ok();
    let manifest = job.manifest()?;
    let holder = Lock::holder(job.dir());
    let total = puzzle.as_ref().and_then(|puzzle| puzzle.totals().states);
    let existing = puzzle.as_ref().and_then(|puzzle| puzzle.totals().existing);
    if arguments.json {
        let value = serde_json::json!({
            "puzzle": job.description.puzzle,
            "finished": manifest.finished,
            "running": holder,
            "levels": manifest.levels.len(),
            "classes": manifest.classes().to_string(),
            "states": manifest.states().to_string(),
            "total_states": total.map(|total| total.to_string()),
            "bytes": job.size(&manifest.scratch)?,
            "seconds": manifest.millis() as f64 / 1000.0,
        });
        return output::print(&output::json(&value));
    }
    let title = puzzle.map_or("as it was when the job began".into(), |puzzle| puzzle.title());
    let mut text = format!("{} ({title})\n", job.description.puzzle);
    let state = match (&holder, manifest.finished) {
        (Some(pulse), _) => format!("running, process {}: {pulse}", pulse.pid),
        (None, true) => "finished".into(),
        (None, false) => {
            format!("not running, not finished; continue with `godnum resume {}`", shell_quote(job.dir()))
        }
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
    if let Some(checkpoint) = &manifest.checkpoint {
        let _ = writeln!(
            text,
            "         level {} has a checkpoint: {} candidates so far",
            checkpoint.level,
            text::count(checkpoint.candidates)
        );
    }
    let share = match (total, existing) {
        (Some(total), _) => {
            format!(" of {} ({:.3} %)", text::count(total), 100.0 * manifest.states() as f64 / total as f64)
        }
        (None, Some(existing)) => format!(" of {} that exist", text::count(existing)),
        (None, None) => String::new(),
    };
    let _ = writeln!(
        text,
        "states:  {}{share}, in {} classes",
        text::count(manifest.states()),
        text::count(manifest.classes())
    );
    let _ = writeln!(text, "disk:    {}", bytes(job.size(&manifest.scratch)?));
    let _ = writeln!(text, "time:    {}", duration(Duration::from_millis(manifest.millis())));
    output::print(&text)
}

fn count_status(arguments: &StatusArgs, progress: &count::CountProgress) -> Result<()> {
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
        return output::print(&output::json(&value));
    }
    let state = match (holder, progress.solutions) {
        (_, Some(solutions)) => format!("finished: {}", pluralise(solutions, "solution")),
        (Some(pulse), None) => format!("running, process {}", pulse.pid),
        (None, None) => {
            format!("not running, not finished; continue with `godnum count {}`", progress.puzzle)
        }
    };
    output::print(&format!(
        "{} (a count of solutions)\nstate:   {state}\nparts:   {} of {} are safe\ntime:    {}\n",
        progress.puzzle,
        progress.done,
        progress.parts,
        duration(progress.time)
    ))
}

fn proof_status(arguments: &StatusArgs, record: &ProofRecord) -> Result<()> {
    let holder = Lock::holder(&arguments.dir);
    let (done, all) = (record.closings.len(), record.blocks().len());
    let open: usize = record.open.values().map(Vec::len).sum();
    if arguments.json {
        let value = serde_json::json!({
            "puzzle": record.puzzle,
            "at_most": record.at_most,
            "proven": record.is_complete(),
            "running": holder,
            "done": done,
            "blocks": all,
            "open": open,
        });
        return output::print(&output::json(&value));
    }
    let state = match holder {
        _ if record.is_complete() => "finished: proven".into(),
        Some(pulse) => format!("running, process {}", pulse.pid),
        None if done == all => format!("finished: not proven, {} open", pluralise(open, "state")),
        None => format!(
            "not running, not finished; continue with `godnum prove {} --at-most {} --dir {}`",
            record.puzzle,
            record.at_most,
            shell_quote(&arguments.dir)
        ),
    };
    output::print(&format!(
        "{} at most {} (a proof)\nstate:   {state}\nblocks:  {done} of {all} are safe\n",
        record.puzzle, record.at_most
    ))
}

fn sample_status(arguments: &StatusArgs, progress: &sample::SampleProgress) -> Result<()> {
    let holder = Lock::holder(&arguments.dir);
    if arguments.json {
        let value = serde_json::json!({
            "sample": progress.about,
            "running": holder,
            "done": progress.done,
        });
        return output::print(&output::json(&value));
    }
    let state = match holder {
        Some(pulse) => format!("running, process {}", pulse.pid),
        None => "not running; continue or enlarge it with `godnum sample`".into(),
    };
    output::print(&format!(
        "{} (a sample)\nstate:   {state}\nrows:    {} are written\n",
        progress.about, progress.done
    ))
}

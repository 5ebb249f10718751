//! `godnum status`: how far a job is, once or as long as a process works on it.

use std::ffi::OsString;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use super::{explain, find, listen_for_signals, output};
use crate::engine::Job;
use crate::error::Result;
use crate::puzzles::registry;
use crate::store::{Lock, Pulse};
use crate::study::prove::record::ProofRecord;
use crate::study::{count, sample};
use crate::text;
use crate::text::{bytes, duration, parse_duration, pluralise, ranges, shell_quote};

/// Show how far a job, a count, a sample or a proof is, also while it runs.
#[derive(clap::Args)]
pub struct StatusArgs {
    /// A puzzle whose job is in runs/ or in the cache, or the directory of a job or of other work
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Show it again and again until no process works on it: every second, or as often as TIME says
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "1s")]
    #[arg(value_parser = parse_duration)]
    watch: Option<Duration>,
}

pub fn main(arguments: StatusArgs) -> Result<()> {
    let dir = find::work(&arguments.target)?;
    let Some(every) = arguments.watch else {
        return output::print(&show(&dir, arguments.json)?);
    };
    let stop = listen_for_signals();
    // On a terminal, each picture replaces the last one.
    let clear = if std::io::stdout().is_terminal() { "\x1b[H\x1b[2J" } else { "" };
    loop {
        let text = show(&dir, arguments.json)?;
        output::print(&format!("{clear}{text}"))?;
        if Lock::holder(&dir).is_none() {
            return Ok(());
        }
        if clear.is_empty() && !arguments.json {
            output::print("\n")?;
        }
        let mut left = every.max(Duration::from_millis(100));
        while !left.is_zero() {
            if stop.load(Relaxed) {
                return Ok(());
            }
            let step = left.min(Duration::from_millis(100));
            std::thread::sleep(step);
            left -= step;
        }
    }
}

/// What the process says that works on something, and how long ago.
fn running(pulse: &Pulse, how_far: &str) -> String {
    let pid = pulse.pid;
    if pulse.is_suspended() {
        let since = pulse.silence().map_or(String::new(), |time| format!(" {} ago", duration(time)));
        return format!(
            "process {pid} is suspended; it last reported{since}{how_far}. `kill -CONT {pid}` wakes it"
        );
    }
    match pulse.silence() {
        None => format!("running, process {pid}{how_far}"),
        Some(time) => format!(
            "process {pid} holds the lock, but has reported nothing for {} (a slow disk, or another machine); \
             last{how_far}",
            duration(time)
        ),
    }
}

/// How far the work in a directory is.
fn show(dir: &Path, json: bool) -> Result<String> {
    if let Some(progress) = count::progress(dir)? {
        return Ok(count_status(dir, json, &progress));
    }
    if let Some(progress) = sample::progress(dir)? {
        return Ok(sample_status(dir, json, &progress));
    }
    if let Some(record) = ProofRecord::read(dir)? {
        return Ok(proof_status(dir, json, &record));
    }
    let job = Job::open(dir)?;
    // The file that a puzzle is read from may be gone or changed: the job still exists.
    let puzzle = registry::of_job(&job);
    if let Err(error) = &puzzle {
        output::warn(&explain(error));
    }
    let puzzle = puzzle.ok();
    let manifest = job.manifest()?;
    let missing = job.missing_levels(&manifest)?;
    let holder = Lock::holder(job.dir());
    let total = puzzle.as_ref().and_then(|puzzle| puzzle.totals().states);
    let existing = puzzle.as_ref().and_then(|puzzle| puzzle.totals().existing);
    if json {
        let value = serde_json::json!({
            "puzzle": job.description.puzzle,
            "finished": manifest.finished,
            "running": holder,
            "levels": manifest.levels.len(),
            "classes": manifest.classes().to_string(),
            "states": manifest.states().to_string(),
            "total_states": total.map(|total| total.to_string()),
            "missing_levels": missing,
            "bytes": job.size(&manifest.scratch)?,
            "archived_bytes": job.archived_bytes(&manifest)?,
            "seconds": manifest.millis() as f64 / 1000.0,
        });
        return Ok(output::json("status", value));
    }
    let title = puzzle.map_or("as it was when the job began".into(), |puzzle| puzzle.title());
    let mut text = format!("{} ({title})\n", job.description.puzzle);
    let state = match (&holder, manifest.finished) {
        (Some(pulse), _) => running(pulse, &format!(": {pulse}")),
        (None, true) => "finished".into(),
        (None, false) => {
            format!("not running, not finished; continue with `godnum resume {}`", shell_quote(job.dir()))
        }
    };
    let _ = writeln!(text, "state:   {state}");
    if let Some(job) = holder.as_ref().and_then(Pulse::of_job) {
        let _ = writeln!(text, "         {job}");
    }
    if !missing.is_empty() {
        let _ = writeln!(
            text,
            "missing: the level sets of {} {} are missing or have another length; `godnum verify {}` prints how to \
             mend that",
            if missing.len() == 1 { "level" } else { "levels" },
            ranges(&missing),
            shell_quote(job.dir())
        );
    }
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
    let archived = match job.archived_bytes(&manifest)? {
        0 => String::new(),
        size => format!(", and {} in an archive", bytes(size)),
    };
    let _ = writeln!(text, "disk:    {}{archived}", bytes(job.size(&manifest.scratch)?));
    let _ = writeln!(text, "time:    {}", duration(Duration::from_millis(manifest.millis())));
    Ok(text)
}

fn count_status(dir: &Path, json: bool, progress: &count::CountProgress) -> String {
    let holder = Lock::holder(dir);
    if json {
        let value = serde_json::json!({
            "puzzle": progress.puzzle,
            "finished": progress.solutions.is_some(),
            "running": holder,
            "done": progress.done,
            "parts": progress.parts,
            "solutions": progress.solutions.map(|solutions| solutions.to_string()),
            "seconds": progress.time.as_secs_f64(),
        });
        return output::json("status-count", value);
    }
    let state = match (holder, progress.solutions) {
        (_, Some(solutions)) => format!("finished: {}", pluralise(solutions, "solution")),
        (Some(pulse), None) => running(&pulse, ""),
        (None, None) => {
            format!("not running, not finished; continue with `godnum count {}`", progress.puzzle)
        }
    };
    format!(
        "{} (a count of solutions)\nstate:   {state}\nparts:   {} of {} are safe\ntime:    {}\n",
        progress.puzzle,
        progress.done,
        progress.parts,
        duration(progress.time)
    )
}

fn proof_status(dir: &Path, json: bool, record: &ProofRecord) -> String {
    let holder = Lock::holder(dir);
    let (done, all) = (record.closings.len(), record.blocks().len());
    let open: usize = record.open.values().map(Vec::len).sum();
    if json {
        let value = serde_json::json!({
            "puzzle": record.puzzle,
            "at_most": record.at_most,
            "proven": record.is_complete(),
            "running": holder,
            "done": done,
            "blocks": all,
            "open": open,
        });
        return output::json("status-proof", value);
    }
    let state = match holder {
        _ if record.is_complete() => "finished: proven".into(),
        Some(pulse) => running(&pulse, ""),
        None if done == all => format!("finished: not proven, {} open", pluralise(open, "state")),
        None => format!(
            "not running, not finished; continue with `godnum prove {} --at-most {} --dir {}`",
            record.puzzle,
            record.at_most,
            shell_quote(dir)
        ),
    };
    format!(
        "{} at most {} (a proof)\nstate:   {state}\nblocks:  {done} of {all} are safe\n",
        record.puzzle, record.at_most
    )
}

fn sample_status(dir: &Path, json: bool, progress: &sample::SampleProgress) -> String {
    let holder = Lock::holder(dir);
    if json {
        let value = serde_json::json!({
            "sample": progress.about,
            "running": holder,
            "done": progress.done,
        });
        return output::json("status-sample", value);
    }
    let state = match holder {
        Some(pulse) => running(&pulse, ""),
        None => "not running; continue or enlarge it with `godnum sample`".into(),
    };
    format!("{} (a sample)\nstate:   {state}\nrows:    {} are written\n", progress.about, progress.done)
}

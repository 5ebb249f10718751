//! `godnum verify`: check a job without the code that computed it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::enumerate::observed;
use super::{find, output};
use crate::engine::budget::default_memory;
use crate::engine::verify::{CERTIFICATE, Certificate, Extent, Findings, LocalMaxima, verify};
use crate::engine::{Control, Job, Subject as _, salvage};
use crate::error::{Result, usage};
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::space::Direction;
use crate::study::prove::check;
use crate::study::{StudyOptions, count, sample, witness};
use crate::text;
use crate::text::{TextTable, duration, parse_bytes, pluralise};

/// Check a job: checksums, order, counts, and that the distances are correct. Also checks counts,
/// samples, proofs and witnesses.
#[derive(clap::Args)]
pub struct VerifyArgs {
    /// A puzzle whose job is in runs/ or in the cache, or the directory of a job or of other work
    #[arg(value_name = "PUZZLE|DIR")]
    target: OsString,
    /// Check the neighbours of about N classes of each level; 0 checks files and sums only [default: 10000]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,
    /// Which classes a sample takes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Check the neighbours of every class
    #[arg(long, conflicts_with = "sample")]
    full: bool,
    /// Print how many classes of each level have no neighbour that is farther
    #[arg(long, requires = "full")]
    local_maxima: bool,
    /// Check that it is the job that a certificate is about, by default in the extent of the certificate
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Memory to use [default: three quarters of what is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    memory: Option<u64>,
    /// Show no progress
    #[arg(long, short)]
    quiet: bool,
}

impl VerifyArgs {
    /// Refuses what only jobs have.
    fn is_for_a_job(&self) -> Result<()> {
        match (self.json, &self.certificate) {
            (false, None) => Ok(()),
            _ => usage("--json and --certificate are for enumerations, and this is other work"),
        }
    }
}

pub fn main(arguments: VerifyArgs) -> Result<()> {
    let dir = &*find::work(&arguments.target)?;
    if let Some(progress) = count::check(dir)? {
        arguments.is_for_a_job()?;
        return output::print(&format!(
            "{}: the count of {} is intact: {} of {} parts are done\nnot checked: whether each part was \
             counted correctly; `godnum count --fresh` counts all of them again\n",
            dir.display(),
            progress.puzzle,
            progress.done,
            progress.parts
        ));
    }
    if let Some(checked) = sample::check(dir)? {
        arguments.is_for_a_job()?;
        let mut text = format!(
            "{}: the sample of {} is intact: {}, replayed by the rules\n",
            dir.display(),
            checked.about,
            pluralise(checked.rows, "row"),
        );
        for sentence in &checked.left_out {
            text += &format!("not checked: {sentence}\n");
        }
        return output::print(&text);
    }
    let extent = match (arguments.full, arguments.sample) {
        (true, _) => Extent::Full,
        (false, Some(0)) => Extent::Files,
        (false, sample) => Extent::Sample(sample.unwrap_or(10_000), arguments.seed),
    };
    if let Some(text) = proof(&arguments, dir, extent)? {
        arguments.is_for_a_job()?;
        return output::print(&text);
    }
    if let Some(text) = witness(&arguments, dir, extent)? {
        arguments.is_for_a_job()?;
        return output::print(&text);
    }
    let start = Instant::now();
    let memory = arguments.memory.unwrap_or_else(default_memory);
    let expected = arguments.certificate.as_deref().map(Certificate::read).transpose()?;
    // A certificate is checked as it was made, unless the user wants more or less.
    let extent = match &expected {
        Some(expected) if !arguments.full && arguments.sample.is_none() => expected.extent(),
        _ => extent,
    };
    let puzzle = registry::parse(&salvage::text(dir)?)?;
    if arguments.local_maxima && !puzzle.capabilities().index.is_none_or(|index| index.has_alike_members()) {
        return usage(format!(
            "--local-maxima does not apply to {}: a state and its inverse are one class, and one of them may be a \
             local maximum where the other is not",
            puzzle.text()
        ));
    }
    let subject = subject(&*puzzle)?;
    if let Some(expected) = &expected {
        expected.check(&Job::open(dir)?)?;
    }
    let findings = observed(arguments.quiet, |control| {
        verify(&subject, dir, extent, memory, control.stop, control.observer)
    })?;
    let kept = keep(dir, &findings);
    if arguments.json {
        return output::print(&json(dir, &findings, kept, start.elapsed()));
    }
    let mut text = format!("{}: {} level sets are intact", dir.display(), findings.levels);
    if extent != Extent::Files {
        text += &format!(
            "; {} of {} classes {} checked, and their {} neighbours are where they must be",
            if extent == Extent::Full { "all" } else { "a sample" },
            text::count(findings.classes),
            if extent == Extent::Full { "were" } else { "was" },
            text::count(findings.neighbours)
        );
    }
    if let Some(rest) = findings.rest {
        text += &format!(
            "; {} ({}) were not reached, and {}",
            pluralise(rest.classes, "class"),
            pluralise(rest.states, "state"),
            match subject.space().direction() {
                Direction::Reversible => "none of them has a neighbour that was",
                _ => "no move leads to one of them from what was",
            }
        );
    }
    if let Some(path) = &arguments.certificate {
        text += &format!("; it is the job that {} certifies", text::shell_quote(path));
    }
    text += &format!(" ({})\n", duration(start.elapsed()));
    for sentence in &findings.left_out {
        text += &format!("not checked: {sentence}\n");
    }
    if arguments.local_maxima {
        text += &local_maxima(&findings.local_maxima);
    }
    output::print(&text)
}

/// Keeps the certificate of a verification with the job; a job on a disk that cannot be written has none.
fn keep(dir: &Path, findings: &Findings) -> bool {
    let Some(certificate) = &findings.certificate else { return false };
    match Job::open(dir).and_then(|job| certificate.store(&job)) {
        Ok(_) => true,
        Err(error) => {
            output::remark(&format!("(the certificate could not be written: {error})"));
            false
        }
    }
}

fn json(dir: &Path, findings: &Findings, kept: bool, time: Duration) -> String {
    let maxima = |level: &LocalMaxima| {
        serde_json::json!({
            "level": level.level,
            "classes": level.classes.to_string(),
            "states": level.states.to_string(),
        })
    };
    let value = serde_json::json!({
        "dir": dir.display().to_string(),
        "intact": true,
        "level_sets": findings.levels,
        "classes": findings.classes.to_string(),
        "neighbours": findings.neighbours.to_string(),
        "certificate": findings.certificate,
        "certificate_file": kept.then(|| dir.join(CERTIFICATE).display().to_string()),
        "local_maxima": findings.local_maxima.iter().map(maxima).collect::<Vec<_>>(),
        "not_checked": findings.left_out,
        "seconds": time.as_secs_f64(),
    });
    output::json("verify", value)
}

/// Checks a proof; `None` if there is none.
fn proof(arguments: &VerifyArgs, dir: &Path, extent: Extent) -> Result<Option<String>> {
    let options = StudyOptions::within(arguments.memory, None);
    let check = |control: Control<'_>| check::check(dir, extent, &options, control);
    let Some(checked) = observed(arguments.quiet, check)? else {
        return Ok(None);
    };
    let mut text = format!(
        "{}: the proof that {} is solved in at most {} moves is intact: {} of {} that needed one {} checked \
         with words that were searched anew",
        dir.display(),
        checked.puzzle,
        checked.at_most,
        text::count(checked.checked.into()),
        pluralise(checked.needed, "class"),
        if checked.checked == 1 { "was" } else { "were" },
    );
    if checked.solved > 0 {
        text += &format!("; {} replayed by the rules", pluralise(checked.solved, "solution"));
    }
    text += "\n";
    if checked.checked < checked.needed {
        let left = text::count(u128::from(checked.needed - checked.checked));
        text += &format!("not checked: {left} classes; --full checks all of them\n");
    }
    for (puzzle, dir) in &checked.jobs {
        text += &format!(
            "not checked: the distances in {puzzle}; `godnum verify {}` checks these\n",
            text::shell_quote(dir)
        );
    }
    Ok(Some(text))
}

/// Checks a witness; `None` if there is none.
fn witness(arguments: &VerifyArgs, dir: &Path, extent: Extent) -> Result<Option<String>> {
    let options = StudyOptions::within(arguments.memory, None);
    let check = |control: Control<'_>| witness::check(dir, extent, &options, control);
    let Some(checked) = observed(arguments.quiet, check)? else {
        return Ok(None);
    };
    let record = &checked.record;
    let mut text = format!(
        "{}: the witness that {} of {} needs at least {} moves is intact: {}, reached by the rules, {} looked up in \
         levels 0 to {}\n",
        dir.display(),
        record.state,
        record.puzzle,
        record.at_least,
        pluralise(checked.looked_up, "state"),
        if checked.looked_up == 1 { "was" } else { "were" },
        record.last_level()
    );
    if extent != Extent::Full {
        text += "not checked: all other states around it; --full visits all of them\n";
    }
    text += &format!(
        "not checked: the levels themselves; `godnum verify {}` checks these\n",
        text::shell_quote(&checked.job)
    );
    Ok(Some(text))
}

/// A table of local maxima, level by level.
fn local_maxima(levels: &[LocalMaxima]) -> String {
    let row = |level: &LocalMaxima| {
        vec![level.level.to_string(), text::count(level.classes), text::count(level.states)]
    };
    let heading = &["level", "local maxima", "states"];
    TextTable { heading, rows: levels.iter().map(row).collect() }.aligned()
}

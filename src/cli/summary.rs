//! How a job ended: the level table and one sentence, or JSON.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::output;
use crate::engine::End;
use crate::puzzle::{Enumeration, Found, Question, Rules};
use crate::report::{LevelFormat, LevelTable};
use crate::text::{duration, pluralise, shell_quote};

/// The result of a job, as text or as JSON.
pub fn show(puzzle: &dyn Rules, dir: &Path, outcome: &Enumeration, as_json: bool) -> String {
    if as_json { json(puzzle, dir, outcome) } else { text(puzzle, dir, outcome) }
}

fn table<'a>(puzzle: &dyn Rules, outcome: &'a Enumeration) -> LevelTable<'a> {
    LevelTable {
        levels: &outcome.manifest.levels,
        total: puzzle.totals().states,
        finished: outcome.end == End::Finished,
    }
}

/// The level table and one sentence.
fn text(puzzle: &dyn Rules, dir: &Path, outcome: &Enumeration) -> String {
    let manifest = &outcome.manifest;
    let mut text = table(puzzle, outcome).text(LevelFormat::Table);
    let Some(last) = manifest.levels.last() else {
        return text;
    };
    let time = duration(Duration::from_millis(manifest.millis()));
    let (name, metric, order) = (puzzle.text(), puzzle.metric(), puzzle.group_order());
    let _ = match (&outcome.conclusion, outcome.end) {
        (Some(answer), End::Finished) => {
            let sentence = answer.sentence(puzzle, manifest);
            writeln!(text, "\n{sentence}; {time}.")
        }
        _ => writeln!(
            text,
            "\n{name} is enumerated up to level {} in the {metric} metric, under a symmetry group \
             of order {order}: {} in {}; {time}. Continue with `godnum resume {}`.",
            last.level,
            pluralise(manifest.states(), "state"),
            pluralise(manifest.classes(), "class"),
            shell_quote(dir),
        ),
    };
    text
}

/// The same as JSON.
fn json(puzzle: &dyn Rules, dir: &Path, outcome: &Enumeration) -> String {
    let manifest = &outcome.manifest;
    let levels = table(puzzle, outcome).json()["levels"].take();
    let answer = outcome.conclusion.as_ref();
    let last = |question| {
        let last = answer.map(|answer| answer.last);
        last.filter(|_| puzzle.question() == question)
    };
    let level = |found: Option<Found>| match found {
        Some(Found::At(level)) => Some(level),
        _ => None,
    };
    let decimal = |number: Option<u128>| number.map(|number| number.to_string());
    let value = serde_json::json!({
        "puzzle": puzzle.text(),
        "metric": puzzle.metric(),
        "group_order": puzzle.group_order(),
        "finished": outcome.end == End::Finished,
        "gods_number": last(Question::GodsNumber),
        "eccentricity": last(Question::Eccentricity),
        "solutions": decimal(answer.and_then(|answer| answer.solutions)),
        "start_distance": level(answer.and_then(|answer| answer.start)),
        "goal_distance": level(answer.and_then(|answer| answer.goal)),
        "unreached_states": decimal(answer.and_then(|answer| answer.unreached)),
        "classes": manifest.classes().to_string(),
        "states": manifest.states().to_string(),
        "seconds": manifest.millis() as f64 / 1000.0,
        "dir": dir.display().to_string(),
        "levels": levels,
    });
    output::json("result", value)
}

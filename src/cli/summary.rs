//! How a job ended: the level table and one sentence, or JSON.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use crate::bfs::{Answer, End, Found, LevelRecord, Outcome};
use crate::puzzle::{Puzzle, Question};
use crate::report::{self, Format, count, duration, plural, quoted};

/// The level table and one sentence.
pub fn text(puzzle: &dyn Puzzle, dir: &Path, outcome: &Outcome) -> String {
    let manifest = &outcome.manifest;
    let mut text = report::levels_table(&manifest.levels, Format::Table);
    let Some(last) = manifest.levels.last() else {
        return text;
    };
    let time = duration(Duration::from_millis(manifest.millis()));
    let (name, metric, order) = (puzzle.text(), puzzle.metric(), puzzle.group_order());
    let _ = match (&outcome.answer, outcome.end) {
        (Some(answer), End::Finished) => {
            let clauses = clauses(puzzle, outcome, answer, last).join("; ");
            writeln!(text, "\n{clauses}; {time}.")
        }
        _ => writeln!(
            text,
            "\n{name} is enumerated up to level {} in the {metric} metric, under a symmetry group \
             of order {order}: {} in {}; {time}. Go on with `godnum resume {}`.",
            last.level,
            plural(manifest.states(), "state", "states"),
            plural(manifest.classes(), "class", "classes"),
            quoted(dir),
        ),
    };
    text
}

/// The parts of the sentence about a finished job.
fn clauses(
    puzzle: &dyn Puzzle,
    outcome: &Outcome,
    answer: &Answer,
    last: &LevelRecord,
) -> Vec<String> {
    let (name, metric, order) = (puzzle.text(), puzzle.metric(), puzzle.group_order());
    let farthest = format!(
        "under a symmetry group of order {order}, {} ({}) at distance {}",
        plural(last.classes, "class", "classes"),
        plural(last.states, "state", "states"),
        last.level,
    );
    let mut clauses = vec![match puzzle.question() {
        Question::GodsNumber => format!(
            "God's number of {name} is {} in the {metric} metric: {farthest}",
            answer.last
        ),
        Question::Eccentricity => format!(
            "The eccentricity of the start of {name} is {} in the {metric} metric: {farthest}",
            answer.last
        ),
        Question::Solutions => format!(
            "{name} has {}",
            plural(answer.solutions.unwrap_or(0), "solution", "solutions")
        ),
    }];
    let whose = match answer.goal {
        Some(_) => "the nearest goal",
        None => "the given start",
    };
    clauses.extend(answer.goal.or(answer.start).map(|found| match found {
        Found::At(level) => format!("{whose} is at distance {level}"),
        Found::Nowhere => format!("{whose} cannot be reached"),
        Found::NotKept => format!("{whose} is in none of the levels that were kept"),
    }));
    let states = outcome.manifest.states();
    clauses.push(match answer.unreached {
        Some(unreached) => format!(
            "{} of the {} states that exist reach a goal, and {} do not",
            count(states),
            count(states + unreached),
            count(unreached)
        ),
        None => {
            let all = match puzzle.question() {
                Question::Solutions => plural(states, "partial filling", "partial fillings"),
                _ => plural(states, "state", "states"),
            };
            let checked = match puzzle.total_states() {
                Some(_) => ", as counting them another way says",
                None => "",
            };
            format!("{all} in all{checked}")
        }
    });
    clauses
}

/// The same as JSON.
pub fn json(puzzle: &dyn Puzzle, dir: &Path, outcome: &Outcome) -> String {
    let manifest = &outcome.manifest;
    let levels = report::levels_table(&manifest.levels, Format::Json);
    let levels: serde_json::Value = serde_json::from_str(&levels).unwrap_or_default();
    let answer = outcome.answer.as_ref();
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
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

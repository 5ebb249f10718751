//! `levels.csv` and `timing.csv`: what a job tells other programs.

use super::manifest::LevelRecord;
use crate::text::TextTable;

/// The heading of `levels.csv`.
pub const LEVELS: [&str; 3] = ["level", "classes", "states"];

/// How much a level holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelCount {
    /// Classes in it.
    pub classes: u128,
    /// States that they stand for.
    pub states: u128,
}

/// Reads what [`levels_csv`] wrote, level 0 first; a failure says what does not fit.
pub fn read_levels_csv(text: &str) -> Result<Vec<LevelCount>, String> {
    let heading = LEVELS.join(",");
    let mut lines = text.lines();
    if lines.next() != Some(&heading) {
        return Err(format!("its first line is not `{heading}`"));
    }
    let mut levels = Vec::new();
    for (level, line) in lines.enumerate() {
        let numbers: Vec<Option<u128>> = line.split(',').map(|cell| cell.parse().ok()).collect();
        match numbers[..] {
            [Some(number), Some(classes), Some(states)] if number == level as u128 => {
                levels.push(LevelCount { classes, states });
            }
            _ => {
                return Err(format!("line {} is not level {level} with its classes and states", level + 2));
            }
        }
    }
    match (text.ends_with('\n'), levels.is_empty()) {
        (true, false) => Ok(levels),
        (true, true) => Err("it has no levels".into()),
        (false, _) => Err("it ends in the middle".into()),
    }
}

/// `levels.csv`: the same bytes for the same job on any machine.
pub fn levels_csv(levels: &[LevelRecord]) -> String {
    let row = |r: &LevelRecord| vec![r.level.to_string(), r.classes.to_string(), r.states.to_string()];
    TextTable { heading: &LEVELS, rows: levels.iter().map(row).collect() }.csv()
}

/// `timing.csv`: what each level cost.
pub fn timing_csv(levels: &[LevelRecord]) -> String {
    let row = |r: &LevelRecord| {
        vec![
            r.level.to_string(),
            format!("{}.{:03}", r.millis / 1000, r.millis % 1000),
            r.way.name().to_owned(),
            r.candidates.to_string(),
            r.bytes_written.to_string(),
            r.peak_rss.to_string(),
        ]
    };
    TextTable { heading: &TIMING, rows: levels.iter().map(row).collect() }.csv()
}

/// The same as versions wrote it that knew one direction only: a job keeps such a table until it is resumed.
pub(super) fn timing_csv_without_direction(levels: &[LevelRecord]) -> String {
    let is_other = |column: &usize| TIMING[*column] != "direction";
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let cells: Vec<&str> = (0..cells.len()).filter(is_other).map(|column| cells[column]).collect();
        cells.join(",") + "\n"
    };
    timing_csv(levels).lines().map(line).collect()
}

/// The columns of `timing.csv`.
const TIMING: [&str; 6] = ["level", "seconds", "direction", "candidates", "bytes_written", "peak_rss"];

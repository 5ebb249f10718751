//! Tables: the level table in its four formats, read back from CSV; and any other.

use std::fmt::Write;

use super::count;
use crate::bfs::LevelRecord;

/// How a level table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for a terminal.
    Table,
    /// `level,classes,states`, as in `levels.csv`.
    Csv,
    /// A Markdown table.
    Markdown,
    /// An array of objects; counts are decimal strings.
    Json,
}

/// The heading of `levels.csv`.
pub(crate) const LEVELS: [&str; 3] = ["level", "classes", "states"];

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
                return Err(format!(
                    "line {} is not level {level} with its classes and states",
                    level + 2
                ));
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
    let row = |r: &LevelRecord| {
        vec![
            r.level.to_string(),
            r.classes.to_string(),
            r.states.to_string(),
        ]
    };
    Table {
        heading: &LEVELS,
        rows: levels.iter().map(row).collect(),
    }
    .csv()
}

/// `timing.csv`: what each level cost.
pub fn timing_csv(levels: &[LevelRecord]) -> String {
    let row = |r: &LevelRecord| {
        vec![
            r.level.to_string(),
            format!("{}.{:03}", r.millis / 1000, r.millis % 1000),
            r.candidates.to_string(),
            r.bytes_written.to_string(),
            r.peak_rss.to_string(),
        ]
    };
    Table {
        heading: &[
            "level",
            "seconds",
            "candidates",
            "bytes_written",
            "peak_rss",
        ],
        rows: levels.iter().map(row).collect(),
    }
    .csv()
}

/// The level table in any format.
pub fn levels_table(levels: &[LevelRecord], format: Format) -> String {
    match format {
        Format::Csv => levels_csv(levels),
        Format::Markdown => {
            let mut text = String::from("| level | classes | states |\n|---:|---:|---:|\n");
            for r in levels {
                let _ = writeln!(
                    text,
                    "| {} | {} | {} |",
                    r.level,
                    count(r.classes),
                    count(r.states)
                );
            }
            text
        }
        Format::Json => {
            let rows: Vec<_> = levels
                .iter()
                .map(|r| {
                    serde_json::json!({
                        "level": r.level,
                        "classes": r.classes.to_string(),
                        "states": r.states.to_string(),
                    })
                })
                .collect();
            let mut text = serde_json::to_string_pretty(&rows).unwrap_or_default();
            text.push('\n');
            text
        }
        Format::Table => aligned(levels),
    }
}

fn aligned(levels: &[LevelRecord]) -> String {
    let total: u128 = levels.iter().map(|r| r.states).sum();
    let mut rows: Vec<Vec<String>> = levels
        .iter()
        .map(|r| {
            vec![
                r.level.to_string(),
                count(r.classes),
                count(r.states),
                format!("{:.2} %", 100.0 * r.states as f64 / total as f64),
            ]
        })
        .collect();
    let classes = levels.iter().map(|r| r.classes).sum();
    rows.push(vec![
        "total".into(),
        count(classes),
        count(total),
        String::new(),
    ]);
    Table {
        heading: &["level", "classes", "states", "share"],
        rows,
    }
    .aligned()
}

/// Any table: a heading and rows of as many cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns.
    pub heading: &'static [&'static str],
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// As CSV, with `\n` at line ends.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = writer.write_record(self.heading);
        for row in &self.rows {
            let _ = writer.write_record(row);
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// As a JSON array of objects with text values.
    pub fn json(&self) -> String {
        let object = |row: &Vec<String>| {
            let cells = self.heading.iter().zip(row);
            let cells = cells.map(|(name, cell)| ((*name).to_owned(), cell.clone().into()));
            serde_json::Value::Object(cells.collect())
        };
        let rows: Vec<_> = self.rows.iter().map(object).collect();
        serde_json::to_string_pretty(&rows).unwrap_or_default() + "\n"
    }

    /// In aligned columns for a terminal.
    pub fn aligned(&self) -> String {
        let heading = self.heading.iter().map(|&name| name.to_owned()).collect();
        let lines = || std::iter::once(&heading).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().filter_map(|row: &Vec<String>| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heading.len()).map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let cells = row.iter().zip(&widths);
            let line: Vec<_> = cells
                .map(|(cell, &width)| format!("{cell:>width$}"))
                .collect();
            let _ = writeln!(text, "{}", line.join("  ").trim_end());
        }
        text
    }
}

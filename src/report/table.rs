//! Tables: the level table in its four formats, read back from CSV; and any other.

use std::fmt::Write;

use crate::engine::{LevelRecord, levels_csv};
use crate::text::{TextTable, count};

/// How a level table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelFormat {
    /// Aligned columns for a terminal.
    Table,
    /// `level,classes,states`, as in `levels.csv`.
    Csv,
    /// A Markdown table.
    Markdown,
    /// An array of objects; counts are decimal strings.
    Json,
}

/// The level table in any format.
pub fn levels_table(levels: &[LevelRecord], format: LevelFormat) -> String {
    match format {
        LevelFormat::Csv => levels_csv(levels),
        LevelFormat::Markdown => {
            let mut text = String::from("| level | classes | states |\n|---:|---:|---:|\n");
            for r in levels {
                let _ = writeln!(text, "| {} | {} | {} |", r.level, count(r.classes), count(r.states));
            }
            text
        }
        LevelFormat::Json => {
            let row = |r: &LevelRecord| {
                serde_json::json!({
                    "level": r.level,
                    "classes": r.classes.to_string(),
                    "states": r.states.to_string(),
                })
            };
            let rows: serde_json::Value = levels.iter().map(row).collect();
            format!("{rows:#}\n")
        }
        LevelFormat::Table => aligned(levels),
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
    rows.push(vec!["total".into(), count(classes), count(total), String::new()]);
    TextTable { heading: &["level", "classes", "states", "share"], rows }.aligned()
}

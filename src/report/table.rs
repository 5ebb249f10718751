//! The level table in its four formats.

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

/// `levels.csv`: the same bytes for the same job on any machine.
pub fn levels_csv(levels: &[LevelRecord]) -> String {
    let rows = levels.iter().map(|r| {
        [
            r.level.to_string(),
            r.classes.to_string(),
            r.states.to_string(),
        ]
    });
    csv_text(&["level", "classes", "states"], rows)
}

/// `timing.csv`: what each level cost.
pub fn timing_csv(levels: &[LevelRecord]) -> String {
    let rows = levels.iter().map(|r| {
        [
            r.level.to_string(),
            format!("{}.{:03}", r.millis / 1000, r.millis % 1000),
            r.candidates.to_string(),
            r.bytes_written.to_string(),
            r.peak_rss.to_string(),
        ]
    });
    csv_text(
        &[
            "level",
            "seconds",
            "candidates",
            "bytes_written",
            "peak_rss",
        ],
        rows,
    )
}

/// Rows as CSV with a heading and `\n` at line ends.
fn csv_text<const N: usize>(
    heading: &[&str; N],
    rows: impl Iterator<Item = [String; N]>,
) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record(heading);
    for row in rows {
        let _ = writer.write_record(&row);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
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
    let mut rows = vec![["level", "classes", "states", "share"].map(str::to_owned)];
    rows.extend(levels.iter().map(|r| {
        [
            r.level.to_string(),
            count(r.classes),
            count(r.states),
            format!("{:.2} %", 100.0 * r.states as f64 / total as f64),
        ]
    }));
    let classes = levels.iter().map(|r| r.classes).sum();
    rows.push(["total".into(), count(classes), count(total), String::new()]);
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    let mut text = String::new();
    for row in &rows {
        let line: Vec<_> = row
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:>width$}"))
            .collect();
        let _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}

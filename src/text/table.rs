//! Any table of texts: as CSV, as JSON, in aligned columns.

use std::fmt::Write;

/// Any table: a heading and rows of as many cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// The names of the columns.
    pub heading: &'static [&'static str],
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
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
    pub fn json(&self) -> serde_json::Value {
        let object = |row: &Vec<String>| {
            let cells = self.heading.iter().zip(row);
            let cells = cells.map(|(name, cell)| ((*name).to_owned(), cell.clone().into()));
            serde_json::Value::Object(cells.collect())
        };
        self.rows.iter().map(object).collect()
    }

    /// In aligned columns for a terminal, all of them to the right.
    pub fn aligned(&self) -> String {
        self.aligned_left(&[])
    }

    /// The same, with the columns of these numbers to the left.
    pub fn aligned_left(&self, left: &[usize]) -> String {
        let heading = self.heading.iter().map(|&name| name.to_owned()).collect();
        let lines = || std::iter::once(&heading).chain(&self.rows);
        let width = |column: usize| {
            let cells = lines().filter_map(|row: &Vec<String>| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heading.len()).map(width).collect();
        let mut text = String::new();
        for row in lines() {
            let cells = row.iter().zip(&widths).enumerate();
            let line: Vec<_> = cells
                .map(|(column, (cell, &width))| match left.contains(&column) {
                    true => format!("{cell:<width$}"),
                    false => format!("{cell:>width$}"),
                })
                .collect();
            let _ = writeln!(text, "{}", line.join("  ").trim_end());
        }
        text
    }
}

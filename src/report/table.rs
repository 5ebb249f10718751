//! The level table in its formats.

use std::fmt::Write;

use serde_json::{Value, json};

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
    /// A JSON document; counts are decimal strings.
    Json,
    /// A LaTeX table.
    Latex,
    /// Numbers and their places, as the OEIS takes them.
    Bfile,
}

/// The levels of a job.
pub struct LevelTable<'a> {
    /// Those that are done.
    pub levels: &'a [LevelRecord],
    /// The number of all states, where it is known.
    pub total: Option<u128>,
    /// Whether these are all levels.
    pub finished: bool,
}

impl LevelTable<'_> {
    /// The table in any format; of JSON, only the levels.
    pub fn text(&self, format: LevelFormat) -> String {
        match format {
            LevelFormat::Csv => levels_csv(self.levels),
            LevelFormat::Markdown => self.markdown(),
            LevelFormat::Json => format!("{:#}\n", self.json()),
            LevelFormat::Latex => self.latex(),
            LevelFormat::Bfile => self.bfile(false),
            LevelFormat::Table => self.aligned(),
        }
    }

    /// The levels as an object.
    pub fn json(&self) -> Value {
        let row = |r: &LevelRecord| json!({ "level": r.level, "classes": r.classes.to_string(), "states": r.states.to_string() });
        json!({
            "finished": self.finished,
            "total_states": self.total.map(|total| total.to_string()),
            "levels": self.levels.iter().map(row).collect::<Vec<_>>(),
        })
    }

    /// A b-file: the level and its number of states or classes, with a space between them.
    pub fn bfile(&self, classes: bool) -> String {
        let number = |r: &LevelRecord| if classes { r.classes } else { r.states };
        self.levels.iter().map(|r| format!("{} {}\n", r.level, number(r))).collect()
    }

    fn markdown(&self) -> String {
        let mut text = String::from("| level | classes | states |\n|---:|---:|---:|\n");
        for r in self.levels {
            let _ = writeln!(text, "| {} | {} | {} |", r.level, count(r.classes), count(r.states));
        }
        text
    }

    fn latex(&self) -> String {
        let mut text =
            String::from("\\begin{tabular}{rrr}\n\\hline\nlevel & classes & states \\\\\n\\hline\n");
        for r in self.levels {
            let _ = writeln!(text, "{} & {} & {} \\\\", r.level, count(r.classes), count(r.states));
        }
        let (classes, states) = self.sums();
        let _ = writeln!(text, "\\hline\ntotal & {} & {} \\\\", count(classes), count(states));
        text + "\\hline\n\\end{tabular}\n"
    }

    fn sums(&self) -> (u128, u128) {
        let sum = |number: fn(&LevelRecord) -> u128| self.levels.iter().map(number).sum();
        (sum(|r| r.classes), sum(|r| r.states))
    }

    fn aligned(&self) -> String {
        let (classes, states) = self.sums();
        // Of what was found so far, a share would say nothing.
        let whole = self.total.or(self.finished.then_some(states));
        let mut rows: Vec<Vec<String>> = self
            .levels
            .iter()
            .map(|r| {
                let share = whole.map(|whole| share(r.states, whole, self.finished));
                [r.level.to_string(), count(r.classes), count(r.states)].into_iter().chain(share).collect()
            })
            .collect();
        let partial = self.total.filter(|_| !self.finished);
        let last = whole.map(|_| partial.map_or(String::new(), |total| share(states, total, false)));
        rows.push(["total".into(), count(classes), count(states)].into_iter().chain(last).collect());
        let heading: &[_] = match whole {
            Some(_) => &["level", "classes", "states", "share"],
            None => &["level", "classes", "states"],
        };
        TextTable { heading, rows }.aligned()
    }
}

/// A part of a whole in percent; with more digits where two would be none, unless the column is to be `short`.
fn share(part: u128, whole: u128, short: bool) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    if percent >= 0.005 || part == 0 || short {
        format!("{percent:.2} %")
    } else if percent >= 0.00005 {
        format!("{percent:.4} %")
    } else {
        format!("{percent:.1e} %")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_digits() {
        let cases = [
            (1, 2, "50.00 %"),
            (0, 7, "0.00 %"),
            (1, 10_000, "0.01 %"),
            (1, 1_000_000, "0.0001 %"),
            (3, 1_000_000_000_000, "3.0e-10 %"),
        ];
        for (part, whole, expected) in cases {
            assert_eq!(share(part, whole, false), expected);
        }
        assert_eq!(share(1, 1_000_000, true), "0.00 %");
    }
}

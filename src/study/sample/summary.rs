//! What a sample comes to: its table, its statistics, its row in a table of samples.

use super::{Optimality, SampleRow, Sampled, journal};
use crate::study::Statistics;
use crate::text::TextTable;

/// The heading of a table of samples.
pub const SUMMARY: &[&str] = &[
    "puzzle",
    "solver",
    "scramble",
    "seed",
    "count",
    "solved",
    "mean",
    "ci95",
    "median",
    "min",
    "max",
    "optimal_share",
    "seconds_mean",
    "seconds_max",
];

impl Sampled {
    /// The lengths of the solutions that were found.
    pub fn lengths(&self) -> Vec<u32> {
        self.rows.iter().filter_map(|row| row.length).collect()
    }

    /// Statistics of the lengths.
    pub fn statistics(&self) -> Option<Statistics> {
        Statistics::of(&self.lengths())
    }

    /// How many rows have this proof.
    pub fn with(&self, proof: Optimality) -> usize {
        self.rows.iter().filter(|row| row.proof == proof).count()
    }

    /// The mean and the greatest number of seconds.
    pub fn seconds(&self) -> (f64, f64) {
        let seconds = || self.rows.iter().map(|row| row.seconds);
        let mean = seconds().sum::<f64>() / self.rows.len().max(1) as f64;
        (mean, seconds().fold(0.0, f64::max))
    }

    /// The table of all rows.
    pub fn csv(&self) -> String {
        TextTable { heading: journal::HEADING, rows: self.rows.iter().map(SampleRow::cells).collect() }.csv()
    }

    /// The row of this sample in a table of many ([`SUMMARY`]).
    pub fn summary(&self, puzzle: &str, seed: u64) -> Vec<String> {
        let statistics = self.statistics();
        let number = |value: Option<f64>, digits: usize| {
            value.map_or(String::new(), |value| format!("{value:.digits$}"))
        };
        let s = statistics.as_ref();
        let (mean, most) = self.seconds();
        let share = self.with(Optimality::Optimal) as f64 / self.rows.len().max(1) as f64;
        vec![
            puzzle.to_owned(),
            self.solver.clone(),
            self.scramble.to_string(),
            seed.to_string(),
            self.rows.len().to_string(),
            self.lengths().len().to_string(),
            number(s.map(|s| s.mean), 4),
            number(s.and_then(|s| s.ci95), 4),
            number(s.map(|s| s.median), 1),
            s.map_or(String::new(), |s| s.min.to_string()),
            s.map_or(String::new(), |s| s.max.to_string()),
            number(Some(share), 4),
            number(Some(mean), 6),
            number(Some(most), 6),
        ]
    }
}

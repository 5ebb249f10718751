//! Tables of finished enumerations at a glance: what each is about, its last level, and whether that is all. And for each
//! kind of puzzle the best of what is known, for the first view of the page.
//!
//! To find out what a table is about can take a while, so that is remembered, and a question finds out for a second at
//! the most: what is left is `pending`, for the next question.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::engine::{LevelCount, Totals};
use crate::error::Result;
use crate::puzzle::{Question, Rules};
use crate::puzzles::registry;
use crate::report::plot::{self, Data};
use crate::solve::descent;
use crate::store::disk;

/// Time for finding out about tables in one question.
const PATIENCE: Duration = Duration::from_millis(800);
/// Bytes that are read of the list of provenances.
const PROVENANCE: u64 = 1 << 20;
/// Tables that are remembered.
const REMEMBERED: usize = 4096;

/// What a table says at a glance.
#[derive(Clone)]
pub struct TableFacts {
    /// What tells versions of the file apart.
    version: (u64, Option<SystemTime>),
    pub about: Option<PuzzleFacts>,
    levels: u32,
    classes: u128,
    pub states: u128,
}

/// What is known of a puzzle without its levels.
#[derive(Clone)]
pub struct PuzzleFacts {
    pub text: String,
    title: String,
    metric: &'static str,
    pub question: Question,
    total: Option<u128>,
    existing: Option<u128>,
    /// Whether its table can be built from the page.
    pub small: bool,
    /// Whether it can be enumerated from the page.
    pub fits: bool,
}

impl PuzzleFacts {
    /// Those of a puzzle.
    pub fn of(puzzle: &dyn Rules) -> Self {
        let question = puzzle.question();
        // To count partial solutions takes long.
        let totals = match question {
            Question::Solutions => Totals::default(),
            _ => puzzle.totals(),
        };
        PuzzleFacts {
            text: puzzle.text(),
            title: puzzle.title(),
            metric: puzzle.metric(),
            question,
            total: totals.states,
            existing: totals.existing,
            small: puzzle.content().is_none() && descent::is_small(puzzle),
            fits: puzzle.content().is_none() && descent::has_few_classes(puzzle),
        }
    }

    /// Whether the number of states is known independently of the levels.
    pub fn is_counted(&self) -> bool {
        self.total.is_some() || self.existing.is_some()
    }

    /// Its fields in an answer.
    pub fn fields(&self) -> Value {
        json!({
            "puzzle": self.text,
            "kind": self.text.split(':').next(),
            "title": self.title,
            "metric": self.metric,
            "question": question_word(self.question),
            "total": self.total.map(|total| total.to_string()),
            "existing": self.existing.map(|existing| existing.to_string()),
            "small": self.small,
        })
    }
}

/// A question as it is written in answers.
pub fn question_word(question: Question) -> &'static str {
    match question {
        Question::GodsNumber => "gods-number",
        Question::Eccentricity => "eccentricity",
        Question::Solutions => "solutions",
    }
}

impl TableFacts {
    /// Reads a table. What is not one is a table of nothing.
    fn read(path: &Path, version: (u64, Option<SystemTime>)) -> Result<Self> {
        let series = plot::read_file(path)?;
        let levels = match series.data {
            Data::Levels { levels, .. } => levels,
            Data::Sample(_) => Vec::new(),
        };
        let puzzle = series.subject.and_then(|subject| registry::parse_given(&subject.text, None).ok());
        let sum = |count: fn(&LevelCount) -> u128| levels.iter().map(count).fold(0, u128::saturating_add);
        Ok(TableFacts {
            version,
            about: puzzle.map(|puzzle| PuzzleFacts::of(&*puzzle)),
            levels: levels.len() as u32,
            classes: sum(|level| level.classes),
            states: sum(|level| level.states),
        })
    }

    /// Whether it has all levels; `None` if no independent count says so.
    pub fn is_complete(&self) -> Option<bool> {
        self.about.as_ref()?.total.map(|total| self.states >= total)
    }

    /// Its fields in an answer.
    pub fn fields(&self, name: &str) -> Value {
        let mut row = self.about.as_ref().map_or_else(|| json!({}), PuzzleFacts::fields);
        row["name"] = name.into();
        row["levels"] = self.levels.into();
        row["last"] = self.levels.checked_sub(1).into();
        row["classes"] = self.classes.to_string().into();
        row["states"] = self.states.to_string().into();
        row["complete"] = self.is_complete().into();
        row
    }
}

/// What was found out about tables, by name.
#[derive(Default)]
pub struct Overview(Mutex<HashMap<String, TableFacts>>);

impl Overview {
    /// What is known of a table, if that is what it still is.
    fn known(&self, name: &str, version: (u64, Option<SystemTime>)) -> Option<TableFacts> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(name).filter(|facts| facts.version == version).cloned()
    }

    /// Facts about tables in a directory, as far as they are known soon, and how many are not.
    pub fn of(&self, dir: &Path, names: &[String]) -> (Vec<(String, TableFacts)>, usize) {
        let began = Instant::now();
        let (mut found, mut pending) = (Vec::new(), 0);
        for name in names {
            let path = dir.join(format!("{name}.csv"));
            let Ok(about) = std::fs::metadata(&path) else {
                continue;
            };
            let version = (about.len(), about.modified().ok());
            let facts = match self.known(name, version) {
                Some(facts) => facts,
                None if began.elapsed() > PATIENCE => {
                    pending += 1;
                    continue;
                }
                None => match TableFacts::read(&path, version) {
                    Ok(facts) => facts,
                    // What is wrong with it is said where it is opened.
                    Err(_) => TableFacts { version, about: None, levels: 0, classes: 0, states: 0 },
                },
            };
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(name.clone(), facts.clone());
            drop(known);
            found.push((name.clone(), facts));
        }
        (found, pending)
    }
}

/// How a table came about, by the list that stands beside it: `README.md` has a row for each file.
pub fn provenance(dir: &Path, name: &str) -> Value {
    let path = dir.join("README.md");
    let file = format!("{name}.csv");
    let small = disk::file_length(&path).is_ok_and(|length| length <= PROVENANCE);
    let text = if small { std::fs::read_to_string(&path).unwrap_or_default() } else { String::new() };
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut heading = Vec::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let row = cells(line);
        if row.first().is_some_and(|first| first == "file") {
            heading = row;
        } else if row.first() == Some(&file) {
            let pairs = heading.into_iter().zip(row).skip(1).filter(|(_, cell)| !cell.is_empty());
            return pairs.map(|(key, cell)| (key, Value::from(cell))).collect();
        }
    }
    Value::Null
}

//! Whether two jobs or level tables are the same, and where they part.

use serde_json::{Value, json};

use crate::engine::{Job, LevelCount, Manifest};
use crate::text::{count, pluralise};

/// A job or a table that is compared.
pub struct Compared {
    /// What it is called.
    pub name: String,
    /// Its levels.
    pub levels: Vec<LevelCount>,
    /// Whether there may be further levels.
    pub unfinished: bool,
    /// Of a job: what tells it from others, and the digests of its level sets.
    pub job: Option<ComparedJob>,
}

/// What a job has beside its counts.
pub struct ComparedJob {
    description: String,
    digests: Vec<u64>,
}

impl ComparedJob {
    /// That of a job.
    pub fn of(job: &Job, manifest: &Manifest) -> Self {
        ComparedJob {
            description: job.description.to_string(),
            digests: manifest.levels.iter().map(|record| record.blocks_digest).collect(),
        }
    }
}

/// What a comparison found.
pub struct Comparison {
    /// The levels that both have are equal, and neither of them has more unless the other is unfinished.
    pub same: bool,
    /// Levels from 0 on that are equal.
    pub equal_levels: usize,
    /// Whether the level sets of these are the same, byte by byte as far as their digests tell; `None` unless both are
    /// jobs with the same index.
    pub same_sets: Option<bool>,
    /// All of that in sentences.
    pub sentences: Vec<String>,
}

impl Comparison {
    /// Compares two.
    pub fn of(a: &Compared, b: &Compared) -> Comparison {
        let equal = a.levels.iter().zip(&b.levels).take_while(|(a, b)| a == b).count();
        let both = a.levels.len().min(b.levels.len());
        let mut sentences = Vec::new();
        let mut same = equal == both;
        if let (Some(left), Some(right)) = (a.levels.get(equal), b.levels.get(equal)) {
            let what = |level: &LevelCount| {
                format!("{} ({})", pluralise(level.classes, "class"), pluralise(level.states, "state"))
            };
            sentences.push(format!(
                "they part at level {equal}: {} has {}, {} has {}",
                a.name,
                what(left),
                b.name,
                what(right)
            ));
        } else if a.levels.len() == b.levels.len() {
            let sum: u128 = a.levels.iter().map(|level| level.states).sum();
            sentences.push(format!("the same: {}, {} states", pluralise(equal as u64, "level"), count(sum)));
        } else {
            let (shorter, longer) = if a.levels.len() < b.levels.len() { (a, b) } else { (b, a) };
            same = shorter.unfinished;
            sentences.push(format!(
                "the same in the {} that {} has{}; {} has {} more",
                pluralise(equal as u64, "level"),
                shorter.name,
                if shorter.unfinished { ", which is not finished" } else { "" },
                longer.name,
                longer.levels.len() - equal
            ));
        }
        let mut same_sets = None;
        if let (Some(left), Some(right)) = (&a.job, &b.job) {
            if left.description == right.description {
                let pairs = left.digests.iter().zip(&right.digests).take(equal);
                let differs = pairs.clone().position(|(a, b)| a != b);
                same_sets = Some(differs.is_none());
                sentences.push(match differs {
                    None => "the level sets of these levels have the same digests".into(),
                    Some(level) => {
                        same = false;
                        format!("the level sets differ from level {level} on, though they are equally large")
                    }
                });
            } else {
                sentences.push(format!(
                    "the level sets were not compared: one job is of {}, the other of {}",
                    left.description, right.description
                ));
            }
        }
        Comparison { same, equal_levels: equal, same_sets, sentences }
    }

    /// As a JSON object.
    pub fn json(&self, a: &Compared, b: &Compared) -> Value {
        let side = |side: &Compared| json!({ "name": side.name, "levels": side.levels.len(), "unfinished": side.unfinished });
        json!({
            "same": self.same,
            "equal_levels": self.equal_levels,
            "same_level_sets": self.same_sets,
            "a": side(a),
            "b": side(b),
            "sentences": self.sentences,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, classes: &[u128], unfinished: bool) -> Compared {
        let levels = classes.iter().map(|&classes| LevelCount { classes, states: 2 * classes }).collect();
        Compared { name: name.into(), levels, unfinished, job: None }
    }

    #[test]
    fn the_first_different_level_is_named() {
        let compare = |a: &[u128], b: &[u128], unfinished| {
            let found = Comparison::of(&table("a", a, unfinished), &table("b", b, false));
            (found.same, found.equal_levels)
        };
        assert_eq!(compare(&[1, 2, 3], &[1, 2, 3], false), (true, 3));
        assert_eq!(compare(&[1, 2, 4, 5], &[1, 2, 3, 5], false), (false, 2));
        assert_eq!(compare(&[1, 2], &[1, 2, 3], false), (false, 2));
        assert_eq!(compare(&[1, 2], &[1, 2, 3], true), (true, 2));
    }
}

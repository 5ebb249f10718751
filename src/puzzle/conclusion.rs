//! What a finished enumeration tells beyond its counts: where the start and the goals lie, how
//! many solutions there are, how much was never reached.

use super::{Question, Rules, State};
use crate::engine::{Job, LevelRecord, Manifest};
use crate::error::Result;
use crate::space::{AnySpace, Index};
use crate::store::level_set::SortedSet;
use crate::text::{count, pluralise};

/// Where something was looked for in the levels of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is in this level.
    At(u32),
    /// It is in no level.
    Nowhere,
    /// It is in no level that was kept.
    NotKept,
}

/// What a finished job answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conclusion {
    /// The number of the last level.
    pub last: u32,
    /// The distance of the position that the puzzle is given in, where distances are to goals.
    pub start: Option<Found>,
    /// The distance of the nearest goal, where distances are from a start.
    pub goal: Option<Found>,
    /// The number of solutions, where that is the question.
    pub solutions: Option<u128>,
    /// States that exist but were not reached, where there may be such.
    pub unreached: Option<u128>,
}

impl Conclusion {
    /// The answer in words: clauses with semicolons between them, and no full stop.
    pub fn sentence(&self, puzzle: &dyn Rules, manifest: &Manifest) -> String {
        let (name, metric, order) = (puzzle.text(), puzzle.metric(), puzzle.group_order());
        let farthest = manifest.levels.last().map_or(String::new(), |last| {
            format!(
                "under a symmetry group of order {order}, {} ({}) at distance {}",
                pluralise(last.classes, "class"),
                pluralise(last.states, "state"),
                last.level,
            )
        });
        let mut clauses = vec![match puzzle.question() {
            Question::GodsNumber => {
                format!("God's number of {name} is {} in the {metric} metric: {farthest}", self.last)
            }
            Question::Eccentricity => format!(
                "The eccentricity of the start of {name} is {} in the {metric} metric: {farthest}",
                self.last
            ),
            Question::Solutions => {
                format!("{name} has {}", pluralise(self.solutions.unwrap_or(0), "solution"))
            }
        }];
        let whose = match self.goal {
            Some(_) => "the nearest goal",
            None => "the given start",
        };
        clauses.extend(self.goal.or(self.start).map(|found| match found {
            Found::At(level) => format!("{whose} is at distance {level}"),
            Found::Nowhere => format!("{whose} cannot be reached"),
            Found::NotKept => format!("{whose} is in none of the levels that were kept"),
        }));
        let states = manifest.states();
        clauses.push(match self.unreached {
            Some(unreached) => format!(
                "{} of the {} states that exist reach a goal, and {} do not",
                count(states),
                count(states + unreached),
                count(unreached)
            ),
            None => {
                let all = match puzzle.question() {
                    Question::Solutions => pluralise(states, "partial filling"),
                    _ => pluralise(states, "state"),
                };
                let checked = match puzzle.totals().states {
                    Some(_) => " (an independent count agrees)",
                    None => "",
                };
                format!("{all} in all{checked}")
            }
        });
        clauses.join("; ")
    }
}

/// The answer of a finished job; `None` if it has no level at all. Asks `go_on` before each block that it
/// reads.
pub fn conclude(
    job: &Job,
    puzzle: &dyn Rules,
    manifest: &Manifest,
    go_on: &dyn Fn() -> Result<()>,
) -> Result<Option<Conclusion>> {
    let search = LevelSearch { job, puzzle, manifest, go_on };
    match puzzle.space() {
        Some(AnySpace::Narrow(_)) => find::<u64>(&search),
        Some(AnySpace::Wide(_)) => find::<u128>(&search),
        None => Ok(None),
    }
}

fn find<I: Index>(search: &LevelSearch<'_>) -> Result<Option<Conclusion>> {
    let LevelSearch { puzzle, manifest, .. } = *search;
    let Some(last) = manifest.levels.last() else {
        return Ok(None);
    };
    let question = puzzle.question();
    let start = match question {
        Question::GodsNumber => puzzle.start(),
        _ => None,
    };
    Ok(Some(Conclusion {
        last: last.level,
        start: start.map(|state| search.level_of::<I>(&state)).transpose()?,
        goal: match question {
            Question::Eccentricity => Some(search.first::<I>(|set| search.has_solved(set))?),
            _ => None,
        },
        solutions: match question {
            // The walk may also have ended because nothing fits any more.
            Question::Solutions => Some(match search.has_solved::<I>(&search.open(last)?)? {
                true => last.states,
                false => 0,
            }),
            _ => None,
        },
        unreached: puzzle.totals().existing.map(|all| all.saturating_sub(manifest.states())),
    }))
}

struct LevelSearch<'a> {
    job: &'a Job,
    puzzle: &'a dyn Rules,
    manifest: &'a Manifest,
    go_on: &'a dyn Fn() -> Result<()>,
}

impl LevelSearch<'_> {
    fn open<I: Index>(&self, record: &LevelRecord) -> Result<SortedSet<I>> {
        self.job.open_level_while(record, self.go_on)
    }

    /// The first kept level for which `holds` is true.
    fn first<I: Index>(&self, holds: impl Fn(&SortedSet<I>) -> Result<bool>) -> Result<Found> {
        for record in self.manifest.levels.iter().skip(self.manifest.kept_from as usize) {
            if holds(&self.open(record)?)? {
                return Ok(Found::At(record.level));
            }
        }
        Ok(match self.manifest.kept_from {
            0 => Found::Nowhere,
            _ => Found::NotKept,
        })
    }

    fn level_of<I: Index>(&self, state: &State) -> Result<Found> {
        match self.puzzle.index_of(state) {
            Some(index) => self.first::<I>(|set| set.contains(I::narrow(index))),
            None => Ok(Found::Nowhere),
        }
    }

    fn has_solved<I: Index>(&self, set: &SortedSet<I>) -> Result<bool> {
        let mut indices = Vec::new();
        for block in 0..set.blocks() {
            (self.go_on)()?;
            indices.clear();
            set.block(block, &mut indices)?;
            let solved = |index: &I| {
                let state = self.puzzle.state_of(index.wide());
                state.is_some_and(|state| self.puzzle.is_solved(&state))
            };
            if indices.iter().any(solved) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

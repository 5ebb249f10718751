//! What is known of a puzzle's levels: from jobs, finished or not, from result files, and, where there
//! is neither, from the roots alone. All of it is held to what levels can be before it is relied on.

use std::path::{Path, PathBuf};

use super::counting::{sum, too_large};
use crate::engine::Subject as _;
use crate::engine::read_levels_csv;
use crate::engine::{Description, Job, check_totals};
use crate::error::{Error, Result, usage};
use crate::puzzle::{Growth, Puzzle};
use crate::puzzle::{job_name, subject};
use crate::space::{AnySpace, Index, Space};
use crate::store::disk::{self, entries};
use crate::text::{count, quoted};

/// No table of levels is larger than this.
const LARGEST_TABLE: u64 = 1 << 26;

/// Where levels were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A job.
    Job(PathBuf),
    /// A table `level,classes,states`.
    Table(PathBuf),
    /// Nothing was found; level 0 is known from the rules.
    Roots,
}

/// The first levels of a puzzle, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Where they were found.
    pub source: Source,
    /// Classes of each level.
    pub classes: Vec<u128>,
    /// States of each level.
    pub states: Vec<u128>,
    /// Whether there is no further level.
    pub complete: bool,
}

impl Evidence {
    /// The number of the last level that is known.
    pub fn last(&self) -> u32 {
        self.states.len().saturating_sub(1) as u32
    }

    /// The evidence in words.
    pub fn words(&self) -> String {
        let levels = match (self.complete, self.last()) {
            (true, last) => format!("all levels, 0 to {last}"),
            (false, 0) => "level 0".into(),
            (false, last) => format!("levels 0 to {last}"),
        };
        match &self.source {
            Source::Job(dir) => format!("the job in {}: {levels}", quoted(dir)),
            Source::Table(path) => format!("{}: {levels}", quoted(path)),
            Source::Roots => "the rules, which give level 0".into(),
        }
    }
}

/// Everything that can be evidence: the jobs and the tables in some directories.
pub struct Library {
    jobs: Vec<Job>,
    places: Vec<PathBuf>,
}

impl Library {
    /// Looks into directories: each may be a job, and may hold jobs and tables. One that does not
    /// exist is refused, and so is a job whose description is damaged.
    pub fn open(places: &[PathBuf]) -> Result<Library> {
        let mut jobs = Vec::new();
        for place in places {
            if !place.is_dir() {
                return usage(format!(
                    "{} is not a directory: --from takes one that is a job or holds jobs or results",
                    place.display()
                ));
            }
            let mut dirs = entries(place)?;
            dirs.push(place.clone());
            dirs.sort();
            let is_job = |dir: &&PathBuf| dir.join("job.json").exists();
            for dir in dirs.iter().filter(is_job) {
                jobs.push(Job::open(dir)?);
            }
        }
        Ok(Library {
            jobs,
            places: places.to_vec(),
        })
    }

    /// The best evidence about a puzzle: all levels before some, more before fewer, a job before a
    /// table. Refused if any of it is damaged or contradicts the rest.
    pub fn about(&self, puzzle: &dyn Puzzle, limits: &Limits) -> Result<Evidence> {
        let wanted = Description::of(&subject(puzzle)?);
        let mut found = Vec::new();
        for job in &self.jobs {
            let is = &job.description;
            // How classes are numbered makes no difference to how many there are.
            if (&is.puzzle, &is.content) == (&wanted.puzzle, &wanted.content) {
                found.extend(from_job(puzzle, job)?);
            }
        }
        for place in &self.places {
            let path = place.join(format!("{}.csv", job_name(puzzle)));
            if path.exists() {
                found.push(read_table(&path)?);
            }
        }
        for evidence in &mut found {
            limits.check(evidence)?;
            evidence.complete |= limits.states == Some(sum(&evidence.states));
        }
        let mut best = roots(puzzle);
        for evidence in found {
            agree(&best, &evidence)?;
            let depth = |evidence: &Evidence| (evidence.complete, evidence.states.len());
            if best.source == Source::Roots || depth(&evidence) > depth(&best) {
                best = evidence;
            }
        }
        Ok(best)
    }
}

/// What the levels of a puzzle can be.
pub struct Limits {
    /// All states together.
    pub states: Option<u128>,
    /// All classes together.
    pub classes: Option<u128>,
    /// How fast states can become more.
    pub state_growth: Option<Growth>,
    /// How fast classes can.
    pub class_growth: Growth,
    /// No class stands for more states.
    pub group_order: u128,
}

impl Limits {
    /// What is known of a puzzle without any level.
    pub fn of(puzzle: &dyn Puzzle) -> Option<Limits> {
        let fanout = puzzle.space()?.fanout() as u128;
        let onward = fanout.saturating_sub(1);
        Some(Limits {
            states: puzzle.total_states(),
            classes: puzzle.total_classes(),
            state_growth: puzzle.growth(),
            class_growth: Growth {
                later: vec![onward],
                roots: vec![fanout],
                why: format!(
                    "a class has at most {fanout} neighbours, and from level 1 on one of them is \
                     in the level before, so at most {onward} are in the next"
                ),
            },
            group_order: puzzle.group_order().into(),
        })
    }

    /// Refuses levels that cannot be.
    fn check(&self, evidence: &Evidence) -> Result<()> {
        let (classes, states) = (&evidence.classes, &evidence.states);
        let pairs = || classes.iter().zip(states);
        let wrong = |&(&classes, &states): &(&u128, &u128)| {
            classes == 0 || states < classes || states > classes.saturating_mul(self.group_order)
        };
        if let Some(level) = pairs().position(|pair| wrong(&pair)) {
            return Err(impossible(
                evidence,
                format!(
                    "level {level} has {} classes and {} states, and a class stands for 1 to {} states",
                    count(classes[level]),
                    count(states[level]),
                    self.group_order
                ),
            ));
        }
        let sorts = [
            ("states", states, self.states, self.state_growth.as_ref()),
            ("classes", classes, self.classes, Some(&self.class_growth)),
        ];
        for (what, levels, total, growth) in sorts {
            if let Some(total) = total
                && sum(levels) > total
            {
                return Err(impossible(
                    evidence,
                    format!(
                        "its levels hold more than the {} {what} there are",
                        count(total)
                    ),
                ));
            }
            if let Some((level, most)) = growth.and_then(|growth| too_large(levels, growth)) {
                return Err(impossible(
                    evidence,
                    format!(
                        "level {level} has {} {what}, and after the levels before it there can be \
                         at most {}",
                        count(levels[level]),
                        count(most)
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// Level 0, which the rules give.
fn roots(puzzle: &dyn Puzzle) -> Evidence {
    fn counts<I: Index>(space: &dyn Space<I>) -> (u128, u128) {
        let roots = space.roots();
        (roots.len() as u128, space.states(&roots))
    }
    let (classes, states) = match puzzle.space() {
        Some(AnySpace::Narrow(space)) => counts(space),
        Some(AnySpace::Wide(space)) => counts(space),
        None => (0, 0),
    };
    Evidence {
        source: Source::Roots,
        classes: vec![classes],
        states: vec![states],
        complete: false,
    }
}

/// The levels that are safe in a job; `None` if there are none yet.
fn from_job(puzzle: &dyn Puzzle, job: &Job) -> Result<Option<Evidence>> {
    let manifest = job.manifest()?;
    if manifest.levels.is_empty() {
        return Ok(None);
    }
    if manifest.finished {
        check_totals(&subject(puzzle)?.identity().totals, job, &manifest)?;
    }
    let levels = manifest.levels.iter();
    let (classes, states) = levels.map(|level| (level.classes, level.states)).unzip();
    Ok(Some(Evidence {
        source: Source::Job(job.dir().to_owned()),
        classes,
        states,
        complete: manifest.finished,
    }))
}

/// Reads a table of levels. Whether these are all, it does not say.
fn read_table(path: &Path) -> Result<Evidence> {
    let bytes = disk::read(path, LARGEST_TABLE).map_err(|e| Error::io("read", path, e))?;
    let Some(Ok(text)) = bytes.map(String::from_utf8) else {
        return Err(damaged(path, "it is too long, or not text (UTF-8)"));
    };
    let levels = read_levels_csv(&text).map_err(|what| damaged(path, what))?;
    let levels = levels.iter();
    let (classes, states) = levels.map(|level| (level.classes, level.states)).unzip();
    Ok(Evidence {
        source: Source::Table(path.to_owned()),
        classes,
        states,
        complete: false,
    })
}

/// Refuses two pieces of evidence that contradict each other.
fn agree(one: &Evidence, two: &Evidence) -> Result<()> {
    let levels = |evidence: &Evidence| {
        let pairs = evidence.classes.iter().zip(&evidence.states);
        pairs.map(|(&a, &b)| (a, b)).collect::<Vec<_>>()
    };
    let (left, right) = (levels(one), levels(two));
    let differ = left.iter().zip(&right).position(|(a, b)| a != b);
    // What has all levels cannot have fewer than what has some.
    let ends =
        |all: &Evidence, some: &Evidence| all.complete && some.states.len() > all.states.len();
    let ended = (ends(one, two) || ends(two, one)).then(|| left.len().min(right.len()));
    match differ.or(ended) {
        None => Ok(()),
        Some(level) => Err(impossible(
            two,
            format!("level {level} is another one than after {}", one.words()),
        )),
    }
}

fn impossible(evidence: &Evidence, what: String) -> Error {
    match &evidence.source {
        Source::Job(dir) => Error::Verification(format!(
            "{}: {what}; check the job with `godnum verify {} --full`",
            dir.display(),
            quoted(dir)
        )),
        Source::Table(path) => damaged(path, what),
        Source::Roots => Error::Verification(what),
    }
}

fn damaged(path: &Path, what: impl Into<String>) -> Error {
    Error::damaged(
        path,
        what,
        "this is no table of levels that can be relied on: write it again with `godnum levels DIR \
         --format csv`, or take it away",
    )
}

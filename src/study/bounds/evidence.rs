//! What is known of a puzzle's levels: from jobs, finished or not, from result files, and, where there
//! is neither, from the roots alone. All of it is checked against what levels can be before it is used.

use std::path::{Path, PathBuf};

use super::counting::{sum, too_large};
use crate::engine::Subject as _;
use crate::engine::{Description, Job, check_totals, read_levels_csv};
use crate::error::{Error, FileOrigin, IoAction, Repair, Result, usage};
use crate::puzzle::{Growth, Rules, job_name, subject};
use crate::space::{AnySpace, Direction, Index, Space};
use crate::store::disk::{self, entries, exists, is_dir};
use crate::study::prove::record::ProofRecord;
use crate::study::witness::WitnessRecord;
use crate::text::{count, shell_quote};

/// No table of levels is larger than this.
const LARGEST_TABLE: u64 = 1 << 26;

/// Where levels were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvidenceSource {
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
    pub source: EvidenceSource,
    /// Classes of each level.
    pub classes: Vec<u128>,
    /// States of each level.
    pub states: Vec<u128>,
    /// Whether there is no further level.
    pub complete: bool,
}

impl Evidence {
    /// Levels with these classes and states.
    fn new(source: EvidenceSource, levels: impl IntoIterator<Item = (u128, u128)>, complete: bool) -> Self {
        let (classes, states) = levels.into_iter().unzip();
        Evidence { source, classes, states, complete }
    }

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
            EvidenceSource::Job(dir) => format!("the job in {}: {levels}", shell_quote(dir)),
            EvidenceSource::Table(path) => format!("{}: {levels}", shell_quote(path)),
            EvidenceSource::Roots => "the rules, which give level 0".into(),
        }
    }
}

/// Everything that can be evidence: the jobs and the tables in some directories.
pub struct EvidenceLibrary {
    jobs: Vec<Job>,
    /// Finished proofs of upper bounds, and where they are.
    pub(super) proofs: Vec<(PathBuf, ProofRecord)>,
    /// Witnesses of lower bounds, and where they are.
    pub(super) witnesses: Vec<(PathBuf, WitnessRecord)>,
    places: Vec<PathBuf>,
}

impl EvidenceLibrary {
    /// Looks into directories: each may be a job, a proof or a witness, and may hold such and tables. One that does not
    /// exist is refused, and so is a job whose description is damaged.
    pub fn open(places: &[PathBuf]) -> Result<EvidenceLibrary> {
        let (mut jobs, mut proofs, mut witnesses) = (Vec::new(), Vec::new(), Vec::new());
        for place in places {
            if !is_dir(place)? {
                return usage(format!(
                    "{} is not a directory: evidence is a job, or a directory of jobs or results",
                    place.display()
                ));
            }
            let mut dirs = entries(place)?;
            dirs.push(place.clone());
            dirs.sort();
            for dir in dirs {
                if exists(&dir.join("job.json"))? {
                    jobs.push(Job::open(&dir)?);
                }
                let proof = ProofRecord::read(&dir)?.filter(ProofRecord::is_complete);
                proofs.extend(proof.map(|proof| (dir.clone(), proof)));
                witnesses.extend(WitnessRecord::read(&dir)?.map(|witness| (dir, witness)));
            }
        }
        Ok(EvidenceLibrary { jobs, proofs, witnesses, places: places.to_vec() })
    }

    /// The best evidence about a puzzle: all levels before some, more before fewer, a job before a
    /// table. Refused if any of it is damaged or contradicts the rest.
    pub fn about(&self, puzzle: &dyn Rules, limits: &LevelLimits) -> Result<Evidence> {
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
            if exists(&path)? {
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
            if best.source == EvidenceSource::Roots || depth(&evidence) > depth(&best) {
                best = evidence;
            }
        }
        Ok(best)
    }
}

/// What the levels of a puzzle can be.
pub struct LevelLimits {
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

impl LevelLimits {
    /// What is known of a puzzle without any level.
    pub fn of(puzzle: &dyn Rules) -> Option<LevelLimits> {
        let space = puzzle.space()?;
        let fanout = space.fanout() as u128;
        let (onward, why) = match space.direction() {
            Direction::Reversible => {
                let onward = fanout.saturating_sub(1);
                let back = "from level 1 on one of them is in the level before";
                (onward, format!("{back}, so at most {onward} are in the next"))
            }
            Direction::Layered | Direction::Directed => {
                (fanout, "where moves cannot be undone, all of them may be in the next level".into())
            }
        };
        Some(LevelLimits {
            states: puzzle.totals().states,
            classes: puzzle.totals().classes,
            state_growth: puzzle.growth(),
            class_growth: Growth {
                later: vec![onward],
                roots: vec![fanout],
                why: format!("a class has at most {fanout} neighbours, and {why}"),
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
                    format!("its levels hold more than the {} {what} there are", count(total)),
                ));
            }
            if let Some((level, most)) = growth.and_then(|growth| too_large(levels, growth)) {
                return Err(impossible(
                    evidence,
                    format!(
                        "level {level} has {} {what}, but after the levels before it there can be \
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
fn roots(puzzle: &dyn Rules) -> Evidence {
    fn counts<I: Index>(space: &dyn Space<I>) -> (u128, u128) {
        let roots = space.roots();
        (roots.len() as u128, space.states(&roots))
    }
    let (classes, states) = match puzzle.space() {
        Some(AnySpace::Narrow(space)) => counts(space),
        Some(AnySpace::Wide(space)) => counts(space),
        None => (0, 0),
    };
    Evidence::new(EvidenceSource::Roots, [(classes, states)], false)
}

/// The levels that are safe in a job; `None` if there are none yet.
fn from_job(puzzle: &dyn Rules, job: &Job) -> Result<Option<Evidence>> {
    let manifest = job.manifest()?;
    if manifest.levels.is_empty() {
        return Ok(None);
    }
    if manifest.finished {
        check_totals(&subject(puzzle)?.identity().totals, job, &manifest)?;
    }
    let levels = manifest.levels.iter().map(|level| (level.classes, level.states));
    let source = EvidenceSource::Job(job.dir().to_owned());
    Ok(Some(Evidence::new(source, levels, manifest.finished)))
}

/// Reads a table of levels. Whether these are all, it does not say.
fn read_table(path: &Path) -> Result<Evidence> {
    let bytes = disk::read(path, LARGEST_TABLE).map_err(|e| Error::io(IoAction::Read, path, e))?;
    let Some(Ok(text)) = bytes.map(String::from_utf8) else {
        return Err(damaged(path, "it is too long, or not text (UTF-8)"));
    };
    let levels = read_levels_csv(&text).map_err(|what| damaged(path, what))?;
    let levels = levels.iter().map(|level| (level.classes, level.states));
    Ok(Evidence::new(EvidenceSource::Table(path.to_owned()), levels, false))
}

/// Refuses two pieces of evidence that contradict each other.
fn agree(one: &Evidence, two: &Evidence) -> Result<()> {
    let shared = one.states.len().min(two.states.len());
    let differs =
        |&level: &usize| (one.classes[level], one.states[level]) != (two.classes[level], two.states[level]);
    let differ = (0..shared).find(differs);
    // What has all levels cannot have fewer than what has some.
    let ends = |all: &Evidence, some: &Evidence| all.complete && some.states.len() > all.states.len();
    let ended = (ends(one, two) || ends(two, one)).then_some(shared);
    match differ.or(ended) {
        None => Ok(()),
        Some(level) => Err(impossible(two, format!("level {level} differs from that of {}", one.words()))),
    }
}

fn impossible(evidence: &Evidence, what: String) -> Error {
    match &evidence.source {
        EvidenceSource::Job(dir) => Error::verification(format!("{}: {what}", dir.display())).in_job(dir),
        EvidenceSource::Table(path) => damaged(path, what),
        EvidenceSource::Roots => Error::verification(what),
    }
}

fn damaged(path: &Path, what: impl Into<String>) -> Error {
    Error::damaged(path, what, Repair::Rewrite(FileOrigin::Levels))
}

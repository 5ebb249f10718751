//! Witnesses: states that are shown to need at least K moves.
//!
//! # The argument
//! The first levels of the puzzle are known: all classes within k moves of being solved. If the state needed
//! fewer than K moves, then one of its shortest solutions would pass, after r = K - 1 - k moves, through a class
//! of these levels, or be at its end before. So all classes within r moves of the state are visited, sphere by
//! sphere, and looked up. The walk is that of classes: symmetric states are equally far.
//!
//! # The certificate
//! `witness.json` names the state, the levels with their checksums, and how many classes were visited at each
//! distance. It is checked by making all moves by the rules, one state after the other ([`check`]), which uses
//! nothing of the walk here but the index of a state and the stored levels.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::budget::default_memory;
use crate::engine::verify::Extent;
use crate::engine::{Control, JOBS, Job, Manifest, cores};
use crate::error::{Error, Repair, Result, WorkKind, usage};
use crate::puzzle::{Question, Rules, State, Workbench, job_name};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::descent::first_levels_job;
use crate::space::{AnySpace, Direction, Index, Space};
use crate::store::Lock;
use crate::store::disk::{Disk, exists};
use crate::store::level_set::SortedSet;
use crate::store::par_map;
use crate::store::sealed::{self, FORMAT};
use crate::study::prove::record::JobDigest;
use crate::study::spheres::{meets, neighbours};
use crate::study::{StudyOptions, resumable};

/// The file.
pub const FILE: &str = "witness.json";

/// What is claimed.
pub struct WitnessPlan<'a> {
    /// The puzzle.
    pub puzzle: &'a dyn Rules,
    /// The state.
    pub state: &'a State,
    /// It needs at least this many moves.
    pub at_least: u32,
    /// No level beyond this one is used.
    pub levels: Option<u32>,
}

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessRecord {
    /// Version of these files.
    pub format: u32,
    /// The puzzle.
    pub puzzle: String,
    /// The state.
    pub state: String,
    /// It needs at least this many moves.
    pub at_least: u32,
    /// The levels that were used, from 0 on.
    pub levels: JobDigest,
    /// Classes at each distance from the state, from 0 on, as decimal numbers.
    pub visited: Vec<String>,
}

impl WitnessRecord {
    /// Reads the record in a directory; `None` if there is none.
    pub fn read(dir: &Path) -> Result<Option<WitnessRecord>> {
        let path = dir.join(FILE);
        if !exists(&path)? {
            return Ok(None);
        }
        let (record, _): (WitnessRecord, _) = sealed::unseal(&path)?;
        let levels = record.levels.levels.len() as u64;
        match levels > 0 && levels + record.visited.len() as u64 == u64::from(record.at_least) + 1 {
            true => Ok(Some(record)),
            false => {
                let what = format!(
                    "{levels} levels and {} distances do not make a bound of {}",
                    record.visited.len(),
                    record.at_least
                );
                Err(Error::damaged(&path, what, Repair::Restore))
            }
        }
    }

    /// The number of the last level that was used.
    pub fn last_level(&self) -> u32 {
        self.levels.last()
    }
}

/// Deletes the witness in `dir`, if there is one.
pub fn discard(dir: &Path) -> Result<()> {
    if !exists(&dir.join(FILE))? {
        return Ok(());
    }
    let _lock = Lock::take(dir)?;
    Disk::new(None, 0).remove(&dir.join(FILE))
}

/// Where a witness is unless the user says otherwise.
pub fn default_dir(puzzle: &dyn Rules, at_least: u32) -> PathBuf {
    Path::new(JOBS).join(format!("{}-at-least-{at_least}", job_name(puzzle)))
}

/// Shows that a state needs at least that many moves, and leaves the certificate in `dir`.
pub fn witness(
    plan: &WitnessPlan<'_>,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<WitnessRecord> {
    let puzzle = plan.puzzle;
    refuse_unfit(puzzle)?;
    if plan.at_least == 0 {
        return usage("every state needs at least 0 moves");
    }
    let memory = options.memory.unwrap_or_else(default_memory);
    let threads = options.threads.unwrap_or_else(cores);
    let bench = Workbench::new(options.cache.clone(), memory, threads, control);
    let most = plan.at_least - 1;
    let wanted = plan.levels.unwrap_or(most.div_ceil(2)).min(most);
    let found = first_levels_job(puzzle, wanted, &bench)?;
    let last = (found.1.levels.len() as u32 - 1).min(plan.levels.unwrap_or(most)).min(most);
    let mut levels = JobDigest::of(puzzle.text(), puzzle.index_scheme(), &found.1);
    levels.levels.truncate(last as usize + 1);
    let mut record = WitnessRecord {
        format: FORMAT,
        puzzle: puzzle.text(),
        state: puzzle.print_state(plan.state),
        at_least: plan.at_least,
        levels,
        visited: Vec::new(),
    };
    resumable::refuse_foreign(dir, WorkKind::Witness, &["lock", FILE, "witness.json.part"])?;
    let index = puzzle.index_of(plan.state);
    let index = index.ok_or_else(|| Error::Usage("the state has no index".into()))?;
    let pool = par_map::pool(threads)?;
    record.visited = pool.install(|| match puzzle.space() {
        Some(AnySpace::Narrow(space)) => visit(plan, space, index, (&found, last), memory, control),
        Some(AnySpace::Wide(space)) => visit(plan, space, index, (&found, last), memory, control),
        None => usage(format!("{} has no index", puzzle.text())),
    })?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let _lock = Lock::take(dir)?;
    if let Some(stored) = WitnessRecord::read(dir)?
        && (&stored.state, &stored.puzzle) != (&record.state, &record.puzzle)
    {
        let about = |record: &WitnessRecord| format!("{} of {}", record.state, record.puzzle);
        return Err(resumable::another(dir, WorkKind::Witness, about(&stored), about(&record)));
    }
    disk.replace(&dir.join(FILE), &sealed::seal(&record)?.0)?;
    Ok(record)
}

/// Refuses a puzzle whose classes do not tell how far its states are.
pub fn refuse_unfit(puzzle: &dyn Rules) -> Result<()> {
    if puzzle.question() != Question::GodsNumber {
        return usage(format!(
            "a witness is a state that is far from being solved, and {} asks \
                              something else",
            puzzle.text()
        ));
    }
    if !puzzle.capabilities().index.is_none_or(|index| index.has_alike_members()) {
        return usage(format!(
            "the states of a class of {} are not alike seen from another state",
            puzzle.text()
        ));
    }
    match puzzle.space().is_none_or(|space| space.direction() == Direction::Reversible) {
        true => Ok(()),
        false => usage(format!("the moves of {} cannot be undone", puzzle.text())),
    }
}

/// The error of a state that is nearer than claimed.
fn nearer(state: &str, at_least: u32, distance: u32, level: u32) -> Error {
    Error::verification(format!(
        "{state} does not need {at_least} moves: after {distance} moves it can be in level {level}, so that {} \
         are enough",
        distance + level
    ))
}

/// Visits all classes around the state, and looks them up in the first levels; returns how many there are at
/// each distance.
fn visit<I: Index>(
    plan: &WitnessPlan<'_>,
    space: &dyn Space<I>,
    index: u128,
    ((job, manifest), last): (&(Job, Manifest), u32),
    memory: u64,
    control: Control<'_>,
) -> Result<Vec<String>>
where
{
    let radius = plan.at_least - 1 - last;
    let records = manifest.levels.iter().take(last as usize + 1);
    let sets: Vec<SortedSet<I>> = records.map(|record| job.open_level(record)).collect::<Result<_>>()?;
    let (mut before, mut sphere) = (Vec::new(), vec![I::narrow(index)]);
    let mut visited = Vec::new();
    for distance in 0..=radius {
        visited.push(sphere.len().to_string());
        control.observer.note(&format!(
            "{} classes at distance {distance} of {radius} from the state",
            crate::text::count(sphere.len() as u128)
        ));
        // The end of a shorter solution is in level 0.
        let levels = if distance == radius { 0..=last } else { 0..=0 };
        for level in levels {
            if meets(&sets[level as usize], &sphere, control)? {
                let state = plan.puzzle.print_state(plan.state);
                return Err(nearer(&state, plan.at_least, distance, level));
            }
        }
        if distance < radius {
            let next = neighbours(space, &sphere, &before, memory, control)?;
            before = std::mem::replace(&mut sphere, next);
        }
    }
    Ok(visited)
}

/// What was checked.
#[derive(Clone, Debug)]
pub struct WitnessCheck {
    /// The claim.
    pub record: WitnessRecord,
    /// How many states were looked up.
    pub looked_up: u64,
    /// The job whose levels were taken as they are.
    pub job: PathBuf,
}

/// Checks the witness in `dir`; `None` if there is none. All states around it are visited by the rules, or as
/// many random walks are made as a sample has.
pub fn check(
    dir: &Path,
    extent: Extent,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<Option<WitnessCheck>> {
    if !exists(&dir.join(FILE))? {
        return Ok(None);
    }
    let _unchanged = Lock::share(dir)?;
    let Some(record) = WitnessRecord::read(dir)? else { return Ok(None) };
    let puzzle = registry::parse(&record.puzzle)?;
    let state = puzzle.parse_state(&record.state)?;
    let threads = options.threads.unwrap_or_else(cores);
    let memory = options.memory.unwrap_or_else(default_memory);
    let bench = Workbench::new(options.cache.clone(), memory, threads, control);
    let (job, manifest) = first_levels_job(&*puzzle, record.last_level(), &bench)?;
    let mut levels = JobDigest::of(puzzle.text(), puzzle.index_scheme(), &manifest);
    levels.levels.truncate(record.levels.levels.len());
    if levels != record.levels {
        return Err(Error::verification(format!(
            "the levels of {} in {} are not those that the witness was found with",
            record.puzzle,
            job.dir().display()
        )));
    }
    let found = (&job, &manifest);
    let looked_up = match puzzle.space() {
        Some(AnySpace::Narrow(_)) => {
            Walker::<u64>::new(&*puzzle, found, &record, control)?.go(&state, extent)?
        }
        _ => Walker::<u128>::new(&*puzzle, found, &record, control)?.go(&state, extent)?,
    };
    Ok(Some(WitnessCheck { record, looked_up, job: job.dir().to_owned() }))
}

/// Walks by the rules.
struct Walker<'a, I> {
    puzzle: &'a dyn Rules,
    record: &'a WitnessRecord,
    sets: Vec<SortedSet<I>>,
    control: Control<'a>,
}

impl<'a, I: Index> Walker<'a, I> {
    fn new(
        puzzle: &'a dyn Rules,
        (job, manifest): (&Job, &Manifest),
        record: &'a WitnessRecord,
        control: Control<'a>,
    ) -> Result<Self> {
        let records = manifest.levels.iter().take(record.levels.levels.len());
        let sets = records.map(|record| job.open_level(record)).collect::<Result<_>>()?;
        Ok(Walker { puzzle, record, sets, control })
    }

    fn go(&self, start: &State, extent: Extent) -> Result<u64> {
        match extent {
            Extent::Files => Ok(0),
            Extent::Full => self.everywhere(start),
            Extent::Sample(walks, seed) => self.at_random(start, walks, seed),
        }
    }

    fn index(&self, state: &State) -> Result<u128> {
        let index = self.puzzle.index_of(state);
        index.ok_or_else(|| Error::verification("a state has no index"))
    }

    /// Fails if a class is in one of the levels.
    fn look_up(&self, index: u128, distance: u32) -> Result<()> {
        for (level, set) in (0..).zip(&self.sets) {
            if set.contains(I::narrow(index))? {
                return Err(nearer(&self.record.state, self.record.at_least, distance, level));
            }
        }
        match self.control.stopped() {
            true => Err(Error::interrupted("stopped; nothing of the check is kept")),
            false => Ok(()),
        }
    }

    fn everywhere(&self, start: &State) -> Result<u64> {
        let mut known = HashSet::from([self.index(start)?]);
        let mut sphere = vec![start.clone()];
        for (distance, visited) in (0..).zip(&self.record.visited) {
            if sphere.len().to_string() != *visited {
                return Err(Error::verification(format!(
                    "{} classes are at distance {distance} from {}, and the witness says {visited}",
                    sphere.len(),
                    self.record.state
                )));
            }
            let mut next = Vec::new();
            let is_last = distance as usize + 1 == self.record.visited.len();
            for state in &sphere {
                self.look_up(self.index(state)?, distance)?;
                for mv in self.puzzle.moves(state).into_iter().filter(|_| !is_last) {
                    let after = self.puzzle.apply(state, mv);
                    if known.insert(self.index(&after)?) {
                        next.push(after);
                    }
                }
            }
            sphere = next;
        }
        Ok(known.len() as u64)
    }

    fn at_random(&self, start: &State, walks: u64, seed: u64) -> Result<u64> {
        let mut random = Random::new(seed);
        self.look_up(self.index(start)?, 0)?;
        for _ in 0..walks {
            let mut state = start.clone();
            for distance in 1..self.record.visited.len() as u32 {
                let moves = self.puzzle.moves(&state);
                if moves.is_empty() {
                    break;
                }
                state = self.puzzle.apply(&state, moves[random.place(moves.len())]);
                self.look_up(self.index(&state)?, distance)?;
            }
        }
        Ok(1 + walks * self.record.visited.len().saturating_sub(1) as u64)
    }
}

//! Hunting for states that need at least K moves, among those that symmetries leave unchanged.
//!
//! # The search
//! Symmetric states are often far from being solved, and few classes surround them, so that they are quickly
//! tested. Each *board* is made from the seed and its number: random symmetries, and a random state that they leave
//! unchanged. The first levels of the puzzle are stored, up to level k. If a state is not in them, its distance is
//! r + k, where r is the first distance at which a class around it is in level k. Where no class up to K - 1 - k
//! is, the state is a find, and so is every neighbour of a board at K - 1 or more of which that is true.
//!
//! # The journal
//! `hunt.json` has how many boards were tested, how far they are, and the finds. Boards are tested in order, so
//! that it does not depend on threads, memory and stops. Each find gets a certificate of its own: a
//! [`witness`](mod@super::witness).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::spheres::{FilteredLevel, neighbours};
use super::witness::{WitnessPlan, refuse_unfit, witness};
use crate::engine::budget::default_memory;
use crate::engine::{Control, JOBS, Job, Manifest, cores};
use crate::error::{Error, Repair, Result, WorkKind, usage};
use crate::puzzle::{Rules, Scramble, State, Workbench, job_name};
use crate::random::Random;
use crate::solve::descent::first_levels_job;
use crate::space::{AnySpace, Index, Space};
use crate::store::disk::{Disk, exists};
use crate::store::level_set::SortedSet;
use crate::store::sealed::{self, FORMAT};
use crate::store::{Lock, par_map};
use crate::study::prove::record::JobDigest;
use crate::study::{StudyOptions, resumable};

/// The file.
pub const FILE: &str = "hunt.json";
/// What is done is saved this often.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// Choices of symmetries for one board.
const CHOICES: usize = 64;
/// Distances that are remembered, so that no class is tested twice.
const REMEMBERED: usize = 1 << 22;

/// What is hunted.
pub struct HuntPlan<'a> {
    /// The puzzle.
    pub puzzle: &'a dyn Rules,
    /// States that need at least this many moves.
    pub at_least: u32,
    /// Test this many boards ...
    pub boards: u64,
    /// ... but stop when this many states were found.
    pub finds: usize,
    /// Which boards.
    pub seed: u64,
    /// No level beyond this one is used.
    pub levels: Option<u32>,
}

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HuntRecord {
    /// Version of these files.
    pub format: u32,
    /// The puzzle.
    pub puzzle: String,
    /// States that need at least this many moves are hunted.
    pub at_least: u32,
    /// Which boards.
    pub seed: u64,
    /// The levels that are used, from 0 on.
    pub levels: JobDigest,
    /// Boards that were tested.
    pub boards: u64,
    /// How many of them are at each distance; the last number counts those that are at least that far.
    pub distances: Vec<u64>,
    /// States that need at least that many moves, one of each class.
    pub finds: Vec<String>,
}

impl HuntRecord {
    /// Reads the record in a directory; `None` if there is none.
    pub fn read(dir: &Path) -> Result<Option<HuntRecord>> {
        let path = dir.join(FILE);
        if !exists(&path)? {
            return Ok(None);
        }
        let (record, _): (HuntRecord, _) = sealed::unseal(&path)?;
        let tested = record.distances.iter().try_fold(0u64, |sum, &boards| sum.checked_add(boards));
        match record.distances.len() as u64 == u64::from(record.at_least) + 1 && tested <= Some(record.boards)
        {
            true => Ok(Some(record)),
            false => Err(Error::damaged(&path, "its numbers do not add up", Repair::Restore)),
        }
    }

    /// What is hunted, in short.
    pub fn about(&self) -> String {
        format!("{} at least {} with seed {}", self.puzzle, self.at_least, self.seed)
    }
}

/// Where a hunt is unless the user says otherwise.
pub fn default_dir(puzzle: &dyn Rules, at_least: u32) -> PathBuf {
    Path::new(JOBS).join(format!("{}-hunt-{at_least}", job_name(puzzle)))
}

/// Deletes the hunt in `dir`, if there is one; the certificates of its finds stay.
pub fn discard(dir: &Path) -> Result<()> {
    if !exists(&dir.join(FILE))? {
        return Ok(());
    }
    let _lock = Lock::take(dir)?;
    Disk::new(None, 0).remove(&dir.join(FILE))
}

/// Where the certificate of a find is; finds are numbered from 1.
pub fn witness_dir(dir: &Path, find: usize) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(format!("-{find}"));
    dir.with_file_name(name)
}

/// Hunts; what is done is kept in `dir`.
pub fn hunt(
    plan: &HuntPlan<'_>,
    dir: &Path,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<HuntRecord> {
    let puzzle = plan.puzzle;
    refuse_unfit(puzzle)?;
    let Some(scramble) = puzzle.capabilities().scramble else {
        return usage(format!("{} has no random states", puzzle.text()));
    };
    if symmetric(scramble, plan.seed, 0).is_none() {
        return usage(format!("{} has no way to make symmetric states", puzzle.text()));
    }
    let Some(most) = plan.at_least.checked_sub(1) else {
        return usage("every state needs at least 0 moves");
    };
    let memory = options.memory.unwrap_or_else(default_memory);
    let threads = options.threads.unwrap_or_else(cores);
    let bench = Workbench::new(options.cache.clone(), memory, threads, control);
    let wanted = plan.levels.unwrap_or(most.div_ceil(2)).min(most);
    let job = first_levels_job(puzzle, wanted, &bench)?;
    let last = (job.1.levels.len() as u32 - 1).min(plan.levels.unwrap_or(most)).min(most);
    let mut levels = JobDigest::of(puzzle.text(), puzzle.index_scheme(), &job.1);
    levels.levels.truncate(last as usize + 1);
    let fresh = HuntRecord {
        format: FORMAT,
        puzzle: puzzle.text(),
        at_least: plan.at_least,
        seed: plan.seed,
        levels,
        boards: 0,
        distances: vec![0; plan.at_least as usize + 1],
        finds: Vec::new(),
    };
    resumable::refuse_foreign(dir, WorkKind::Hunt, &["lock", FILE, "hunt.json.part"])?;
    let disk = Disk::on(options.files.clone(), None, 0);
    disk.create_dir(dir)?;
    let lock = Lock::take(dir)?;
    let record = match HuntRecord::read(dir)? {
        Some(stored) if stored.about() == fresh.about() && stored.levels == fresh.levels => stored,
        Some(stored) => {
            return Err(resumable::another(dir, WorkKind::Hunt, stored.about(), fresh.about()));
        }
        None => fresh,
    };
    let pool = par_map::pool(threads)?;
    let go = || match puzzle.space() {
        Some(AnySpace::Narrow(space)) => {
            Hunter::new(plan, scramble, space, (&job, last), memory, control)?.go(record, (dir, &disk))
        }
        Some(AnySpace::Wide(space)) => {
            Hunter::new(plan, scramble, space, (&job, last), memory, control)?.go(record, (dir, &disk))
        }
        None => usage(format!("{} has no index", puzzle.text())),
    };
    let record = pool.install(go)?;
    drop(lock);
    for (number, find) in (1..).zip(&record.finds) {
        let state = puzzle.parse_state(find)?;
        let plan = WitnessPlan { puzzle, state: &state, at_least: plan.at_least, levels: Some(last) };
        let place = witness_dir(dir, number);
        if !exists(&place.join(super::witness::FILE))? {
            witness(&plan, &place, options, control)?;
        }
    }
    Ok(record)
}

/// A board.
fn symmetric(scramble: &dyn Scramble, seed: u64, number: u64) -> Option<State> {
    let mut random = Random::instance(seed, number);
    (0..CHOICES).find_map(|_| scramble.symmetric(&mut random))
}

/// One hunt.
struct Hunter<'a, I> {
    plan: &'a HuntPlan<'a>,
    scramble: &'a dyn Scramble,
    space: &'a dyn Space<I>,
    /// The levels before the last one that is used, and that one.
    before: Vec<SortedSet<I>>,
    last: FilteredLevel<I>,
    memory: u64,
    control: Control<'a>,
    /// By class: its distance, if that is known to be less than what is hunted.
    known: FxHashMap<u128, Option<u32>>,
}

impl<'a, I: Index> Hunter<'a, I> {
    fn new(
        plan: &'a HuntPlan<'a>,
        scramble: &'a dyn Scramble,
        space: &'a dyn Space<I>,
        ((job, manifest), last): (&(Job, Manifest), u32),
        memory: u64,
        control: Control<'a>,
    ) -> Result<Self> {
        let records = manifest.levels.iter().take(last as usize + 1);
        let mut before: Vec<SortedSet<I>> =
            records.map(|record| job.open_level(record)).collect::<Result<_>>()?;
        let last = before.pop().ok_or_else(|| Error::verification("the job has no levels"))?;
        control.observer.note("reading the last level that is used");
        let last = FilteredLevel::new(last, memory / 2, control)?;
        let memory = memory / 2;
        Ok(Hunter { plan, scramble, space, before, last, memory, control, known: FxHashMap::default() })
    }

    fn go(mut self, mut record: HuntRecord, (dir, disk): (&Path, &Disk)) -> Result<HuntRecord> {
        let mut saved = Instant::now();
        let save = |record: &HuntRecord| disk.replace(&dir.join(FILE), &sealed::seal(record)?.0);
        while record.boards < self.plan.boards && record.finds.len() < self.plan.finds {
            let done = match self.control.stopped() {
                true => Err(Error::interrupted("stopped")),
                false => self.board(&mut record),
            };
            if let Err(error) = done {
                save(&record)?;
                return Err(match error {
                    Error::Interrupted(_) => {
                        resumable::interrupted(dir, WorkKind::Hunt, record.boards, self.plan.boards)
                    }
                    error => error,
                });
            }
            self.control.observer.counted("testing boards", record.boards, self.plan.boards);
            if saved.elapsed() >= SAVE_EVERY {
                save(&record)?;
                saved = Instant::now();
            }
        }
        save(&record)?;
        Ok(record)
    }

    /// Tests the next board. If that fails, the record is as before.
    fn board(&mut self, record: &mut HuntRecord) -> Result<()> {
        let puzzle = self.plan.puzzle;
        let Some(board) = symmetric(self.scramble, self.plan.seed, record.boards) else {
            record.boards += 1;
            return Ok(());
        };
        let at_least = self.plan.at_least;
        let distance = self.distance(&board)?;
        let mut finds: Vec<State> = Vec::new();
        let class_of_text = |text: &String| puzzle.index_of(&puzzle.parse_state(text).ok()?);
        let mut found: Vec<Option<u128>> = record.finds.iter().map(class_of_text).collect();
        if distance.is_none_or(|distance| distance + 1 >= at_least) {
            let around = puzzle.moves(&board).into_iter().map(|mv| puzzle.apply(&board, mv));
            for state in std::iter::once(board.clone()).chain(around) {
                let class = puzzle.index_of(&state);
                if !found.contains(&class) && self.distance(&state)?.is_none() {
                    found.push(class);
                    finds.push(state);
                }
            }
        }
        record.boards += 1;
        record.distances[distance.unwrap_or(at_least) as usize] += 1;
        let room = self.plan.finds - record.finds.len();
        record.finds.extend(finds.iter().take(room).map(|state| puzzle.print_state(state)));
        Ok(())
    }

    /// The distance of a state, if it is less than what is hunted.
    fn distance(&mut self, state: &State) -> Result<Option<u32>> {
        let index = self.plan.puzzle.index_of(state);
        let index = index.ok_or_else(|| Error::verification("a state has no index"))?;
        if let Some(&distance) = self.known.get(&index) {
            return Ok(distance);
        }
        let distance = self.measured(I::narrow(index))?;
        if self.known.len() < REMEMBERED {
            self.known.insert(index, distance);
        }
        Ok(distance)
    }

    fn measured(&self, index: I) -> Result<Option<u32>> {
        for (level, set) in (0..).zip(&self.before) {
            if set.contains(index)? {
                return Ok(Some(level));
            }
        }
        let last = self.before.len() as u32;
        let (mut before, mut sphere) = (Vec::new(), vec![index]);
        for distance in last..self.plan.at_least {
            if self.last.meets(&sphere, self.control)? {
                return Ok(Some(distance));
            }
            if distance + 1 < self.plan.at_least {
                let next = neighbours(self.space, &sphere, &before, self.memory, self.control)?;
                before = std::mem::replace(&mut sphere, next);
            }
        }
        Ok(None)
    }
}

//! Checking a certificate, with nothing of the code that found it.
//!
//! What a word does is learned from the rules alone: it is played on *probes*, states of the whole puzzle
//! over one state of the base whose labels tell all free places apart. The words of a class are searched
//! anew, on the probes; the base's distances only tell which moves can still lead to a solved base. States
//! are labels in lists, ranked here; the fibre is looked up state by state.
//!
//! Checked is for each class that its words close it at the length that the certificate says and not at a
//! shorter one, or that they leave just those states that are listed with solutions, which are replayed. What
//! is taken from the jobs are the distances in the base and in the fibre: the certificate names both jobs by
//! the checksums of their levels, and `verify` checks a job.

mod open;
mod ranking;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use open::{OpenStates, SOON};
use ranking::Ranking;

use super::record::{BLOCK, FILE, JobDigest, ONE_BY_ONE, ProofRecord, SolvedState};
use crate::engine::verify::Extent;
use crate::engine::{Control, Job, Manifest, cores};
use crate::error::{Error, Repair, Result};
use crate::puzzle::{Rules, State, Subgoals, Workbench, split_names};
use crate::puzzles::registry;
use crate::random::Random;
use crate::solve::descent::finished_job;
use crate::store::Lock;
use crate::store::disk::exists;
use crate::study::{StudyOptions, resumable};

/// What was checked.
#[derive(Clone, Debug)]
pub struct ProofCheck {
    /// What is proven.
    pub puzzle: String,
    /// The bound.
    pub at_most: u32,
    /// Classes of the base that needed a proof ...
    pub needed: u64,
    /// ... and how many of them were checked.
    pub checked: u64,
    /// States that were solved one by one, all of them replayed.
    pub solved: usize,
    /// The jobs whose distances were taken as they are: of the base and of the fibre.
    pub jobs: [(String, PathBuf); 2],
}

/// A job with the levels of its classes.
struct JobLevels {
    puzzle: Box<dyn Rules>,
    job: Job,
    manifest: Manifest,
    of_index: HashMap<u64, u8>,
}

impl JobLevels {
    fn read(text: &str, digest: &JobDigest, bench: &Workbench<'_>) -> Result<JobLevels> {
        let puzzle = registry::parse(text)?;
        let (job, manifest) = finished_job(&*puzzle, bench)?;
        if JobDigest::of(puzzle.text(), puzzle.index_scheme(), &manifest) != *digest {
            return Err(Error::verification(format!(
                "the levels of {text} in {} are not those that the proof was made with",
                job.dir().display()
            )));
        }
        let mut of_index = HashMap::new();
        for record in &manifest.levels {
            let set = job.open_level::<u64>(record)?;
            let mut indices = Vec::new();
            for block in 0..set.blocks() {
                if bench.control.stopped() {
                    return Err(stopped());
                }
                set.block(block, &mut indices)?;
            }
            of_index.extend(indices.into_iter().map(|index| (index, record.level as u8)));
        }
        Ok(JobLevels { puzzle, job, manifest, of_index })
    }

    fn of(&self, state: &State) -> Option<u32> {
        let index = u64::try_from(self.puzzle.index_of(state)?).ok()?;
        self.of_index.get(&index).map(|&level| level.into())
    }
}

fn stopped() -> Error {
    Error::interrupted("stopped; nothing of the check is kept")
}

/// Checks the proof in `dir`; `None` if there is none.
pub fn check(
    dir: &Path,
    extent: Extent,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<Option<ProofCheck>> {
    let path = dir.join(FILE);
    if !exists(&path)? {
        return Ok(None);
    }
    let _unchanged = Lock::share(dir)?;
    let Some(record) = ProofRecord::read(dir)? else { return Ok(None) };
    let puzzle = registry::parse(&record.puzzle)?;
    let subgoals = puzzle.capabilities().subgoals.filter(|subgoals| {
        (subgoals.base(), subgoals.fibre()) == (record.base.puzzle.clone(), record.fibre.puzzle.clone())
    });
    let Some(subgoals) = subgoals else {
        let what = format!("{} is not solved in the stages that it names", record.puzzle);
        return Err(Error::damaged(&path, what, Repair::OtherVersion));
    };
    if !record.is_complete() {
        return Err(Error::verification(format!(
            "{}: nothing is proven yet: {} of {} blocks of classes are done, and {} states are open",
            path.display(),
            record.closings.len(),
            record.blocks().len(),
            record.open.values().map(Vec::len).sum::<usize>()
        )));
    }
    let threads = options.threads.unwrap_or_else(cores);
    let memory = options.memory.unwrap_or_else(crate::engine::budget::default_memory);
    let bench = Workbench::new(options.cache.clone(), memory, threads, control);
    let base = JobLevels::read(&record.base.puzzle, &record.base, &bench)?;
    let fibre = JobLevels::read(&record.fibre.puzzle, &record.fibre, &bench)?;
    let checker = Checker::new(&*puzzle, subgoals, base, fibre, &record, control)?;
    let (needed, checked) = checker.all(extent, threads)?;
    let job = |levels: &JobLevels| (levels.puzzle.text(), levels.job.dir().to_owned());
    Ok(Some(ProofCheck {
        puzzle: record.puzzle.clone(),
        at_most: record.at_most,
        needed,
        checked,
        solved: record.solved(),
        jobs: [job(&checker.base), job(&checker.fibre)],
    }))
}

/// The distances behind a solved state of the base: by rank of the labels on its free places.
struct Behind {
    distance: Vec<u8>,
    /// The ranks of states that occur, the farthest first.
    farthest_first: Vec<u32>,
}

/// No distance.
const NEVER: u8 = u8::MAX;

struct Checker<'a> {
    puzzle: &'a dyn Rules,
    subgoals: &'a dyn Subgoals,
    base: JobLevels,
    fibre: JobLevels,
    record: &'a ProofRecord,
    control: Control<'a>,
    ranking: Ranking,
    /// By solved state of the base.
    behind: Mutex<BTreeMap<State, std::sync::Arc<Behind>>>,
    /// Labels of which no two free places have the same in all.
    probes: Vec<Vec<u8>>,
}

/// How many probes are tried.
const MOST_PROBES: usize = 1000;

impl<'a> Checker<'a> {
    fn new(
        puzzle: &'a dyn Rules,
        subgoals: &'a dyn Subgoals,
        base: JobLevels,
        fibre: JobLevels,
        record: &'a ProofRecord,
        control: Control<'a>,
    ) -> Result<Self> {
        let counts = subgoals.labels();
        let ranking = Ranking::new(&counts)
            .ok_or_else(|| Error::limit("there are too many arrangements of labels to check them"))?;
        let mut labels: Vec<u8> = Vec::new();
        (0..).zip(&counts).for_each(|(label, &count)| labels.extend(std::iter::repeat_n(label, count)));
        let mut random = Random::new(1);
        let mut probes: Vec<Vec<u8>> = Vec::new();
        let is_told_apart = |probes: &[Vec<u8>]| {
            let places = 0..labels.len();
            let seen: HashSet<Vec<u8>> =
                places.map(|place| probes.iter().map(|probe| probe[place]).collect()).collect();
            seen.len() == labels.len()
        };
        while !is_told_apart(&probes) && probes.len() < MOST_PROBES {
            let mut probe = labels.clone();
            random.shuffle(&mut probe);
            probes.push(probe);
        }
        let behind = Mutex::default();
        Ok(Checker { puzzle, subgoals, base, fibre, record, control, ranking, behind, probes })
    }

    /// Checks all classes, or a sample of each level; returns how many there are and how many were checked.
    fn all(&self, extent: Extent, threads: usize) -> Result<(u64, u64)> {
        let blocks = self.record.blocks();
        let needed = blocks.iter().map(|block| block.classes).sum();
        let mut wanted: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        match extent {
            Extent::Files => {}
            Extent::Full => {
                for (number, block) in (0..).zip(&blocks) {
                    wanted.insert(number, (0..block.classes).collect());
                }
            }
            Extent::Sample(count, seed) => {
                for level in self.record.first_level()..=self.record.base.last() {
                    let classes = self.record.base.levels[level as usize].classes;
                    let first = blocks.iter().position(|block| block.level == level).unwrap_or(0) as u64;
                    let mut random = Random::instance(seed, level.into());
                    let mut chosen: HashSet<u64> = HashSet::new();
                    match classes <= count.into() {
                        true => chosen.extend(0..classes as u64),
                        false => (0..count).for_each(|_| {
                            chosen.insert(random.below(classes) as u64);
                        }),
                    }
                    for place in chosen {
                        wanted.entry(first + place / BLOCK).or_default().push(place % BLOCK);
                    }
                }
            }
        }
        // States that were solved one by one are always replayed.
        for solved in self.record.one_by_one.values().flatten() {
            self.replay(solved)?;
        }
        let parts: Vec<(u64, Vec<u64>)> = wanted.into_iter().collect();
        let checked = parts.iter().map(|(_, classes)| classes.len() as u64).sum();
        let done = std::sync::atomic::AtomicU64::new(0);
        resumable::for_each_part(parts.len() as u64, threads, self.control, |part| {
            let (number, classes) = &parts[part as usize];
            let block = blocks[*number as usize];
            let letters = self.record.closings.get(number).map(String::as_bytes).unwrap_or_default();
            let missing = || Error::verification("a class of the certificate is not in the job of the base");
            let level = self.base.manifest.levels.get(block.level as usize).ok_or_else(missing)?;
            let set = self.base.job.open_level::<u64>(level)?;
            for &class in classes {
                let index = set.nth(block.start + u128::from(class))?;
                let start = index.and_then(|index| self.base.puzzle.state_of(index.into()));
                let letter = letters.get(class as usize).copied().ok_or_else(missing)?;
                self.class(*number, class, &start.ok_or_else(missing)?, block.level, letter)?;
                if self.control.stopped() {
                    return Err(stopped());
                }
            }
            let all = parts.len() as u64;
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            self.control.observer.counted("checking blocks of classes", done, all);
            Ok(())
        })?;
        match self.control.stopped() {
            true => Err(stopped()),
            false => Ok((needed, checked)),
        }
    }

    /// Replays a solution by the rules.
    fn replay(&self, solved: &SolvedState) -> Result<()> {
        let wrong = |what: &str| {
            Error::verification(format!(
                "the certificate lists {} with the solution {}, and {what}",
                solved.state, solved.solution
            ))
        };
        let unreadable = |error: Error| wrong(&format!("that cannot be read: {error}"));
        let start = self.puzzle.parse_state(&solved.state).map_err(unreadable)?;
        let names = solved.solution.split([' ', ',']).filter(|name| !name.is_empty()).count();
        if names > self.record.at_most as usize {
            return Err(wrong("that is longer than the bound"));
        }
        let names = split_names(&solved.solution, names);
        let moves = self.puzzle.read_moves(&solved.state, &start, &names).map_err(unreadable)?;
        let mut state = start;
        for mv in moves {
            if !self.puzzle.moves(&state).contains(&mv) {
                return Err(wrong("that has an illegal move"));
            }
            state = self.puzzle.apply(&state, mv);
        }
        match self.puzzle.is_solved(&state) {
            true => Ok(()),
            false => Err(wrong("that does not solve it")),
        }
    }

    /// Checks one class.
    fn class(&self, block: u64, class: u64, start: &State, distance: u32, letter: u8) -> Result<()> {
        let ProofRecord { at_most, longer, .. } = *self.record;
        let name = self.base.puzzle.print_state(start);
        let claimed = match letter {
            ONE_BY_ONE => None,
            _ => Some(distance + u32::from(letter - b'0')),
        };
        let wrong = |found: String| {
            let claim = match claimed {
                Some(length) => format!("words of {length} moves settle all states over it"),
                None => "words leave just the states that are listed".into(),
            };
            Error::verification(format!(
                "class {name} of {}: the certificate says that {claim}, but {found}",
                self.record.base.puzzle
            ))
        };
        if self.base.of(start) != Some(distance) {
            return Err(wrong(format!("its distance is not {distance}")));
        }
        let mut open = OpenStates { checker: self, start, distance, ranks: None, is_own: false };
        let last = claimed.unwrap_or(distance + longer).min(at_most);
        for length in distance..=last {
            let closed = !self.words(start, length, &mut |end, map| {
                open.settle(end, map, at_most - length)?;
                let is_closed = open.is_empty() || open.count() <= SOON && open.own();
                Ok(!is_closed)
            })?;
            if closed || open.own() {
                return match claimed == Some(length) {
                    true => Ok(()),
                    false => Err(wrong(format!("words of {length} moves settle all of them"))),
                };
            }
        }
        let left: Vec<State> = open.states();
        let Some(length) = claimed else {
            let listed = self.record.one_by_one.get(&block).into_iter().flatten();
            let listed: HashSet<&str> =
                listed.filter(|solved| solved.class == class).map(|solved| solved.state.as_str()).collect();
            let left: HashSet<String> = left.iter().map(|state| self.puzzle.print_state(state)).collect();
            return match left.len() == listed.len()
                && left.iter().all(|state| listed.contains(state.as_str()))
            {
                true => Ok(()),
                false => {
                    Err(wrong(format!("they leave {} states, and {} are listed", left.len(), listed.len())))
                }
            };
        };
        let example = left.first().map_or(String::new(), |state| self.puzzle.print_state(state));
        Err(wrong(format!("words of up to {length} moves leave {} states, such as {example}", left.len())))
    }

    /// Calls `visit` with what each word of exactly this length does that solves the base: the solved state
    /// at its end, and for each free place of the start the free place there that it comes to.
    fn words(
        &self,
        start: &State,
        length: u32,
        visit: &mut dyn FnMut(&State, &[u8]) -> Result<bool>,
    ) -> Result<bool> {
        let boards: Vec<State> = self.probes.iter().filter_map(|probe| self.over(start, probe)).collect();
        if boards.is_empty() || boards.iter().any(|board| self.view(board) != *start) {
            return Err(Error::verification(format!(
                "the states over {} do not show it",
                self.base.puzzle.print_state(start)
            )));
        }
        let from: Vec<Vec<u8>> = boards.iter().map(|board| self.subgoals.free(board)).collect();
        let from = places(&from);
        let mut been: HashMap<Vec<State>, u32> = HashMap::new();
        let mut stack = vec![(boards, length)];
        while let Some((boards, left)) = stack.pop() {
            let Some(first) = boards.first() else { continue };
            if left == 0 {
                let to: Vec<Vec<u8>> = boards.iter().map(|board| self.subgoals.free(board)).collect();
                let to = places(&to);
                let place =
                    |marks: &Vec<u8>| to.iter().position(|other| other == marks).map(|place| place as u8);
                let map = from.iter().map(place).collect::<Option<Vec<u8>>>();
                let lost = || Error::verification("a move does not carry the labels of free places along");
                if !visit(&self.view(first), &map.ok_or_else(lost)?)? {
                    return Ok(false);
                }
                continue;
            }
            for mv in self.puzzle.moves(first).into_iter().rev() {
                let after = self.puzzle.apply(first, mv);
                if self.base.of(&self.view(&after)).is_none_or(|distance| distance >= left) {
                    continue;
                }
                let others = boards[1..].iter().map(|board| self.puzzle.apply(board, mv));
                let boards: Vec<State> = std::iter::once(after).chain(others).collect();
                if been.get(&boards).is_none_or(|&before| before < left) {
                    been.insert(boards.clone(), left);
                    stack.push((boards, left - 1));
                }
            }
            if self.control.stopped() {
                return Err(stopped());
            }
        }
        Ok(true)
    }

    fn view(&self, state: &State) -> State {
        self.subgoals.views(state).swap_remove(0)
    }

    /// The state over one of the base with these labels, or, if that does not occur, with two exchanged.
    fn over(&self, base: &State, labels: &[u8]) -> Option<State> {
        let other = || {
            let mut labels = labels.to_vec();
            labels.swap(0, 1);
            self.subgoals.over(base, &labels)
        };
        self.subgoals.over(base, labels).or_else(other)
    }

    /// The distances behind a solved state of the base.
    fn behind(&self, end: &State) -> Result<std::sync::Arc<Behind>> {
        let mut known = self.behind.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(behind) = known.get(end) {
            return Ok(behind.clone());
        }
        let count = self.ranking.count();
        let mut distance = vec![NEVER; count];
        for (rank, distance) in distance.iter_mut().enumerate() {
            let labels = self.ranking.labels(rank as u32);
            let state = self.subgoals.over(end, &labels).map(|state| self.subgoals.in_fibre(&state));
            *distance = state.and_then(|state| self.fibre.of(&state)).map_or(NEVER, |level| level as u8);
            if self.control.stopped() {
                return Err(stopped());
            }
        }
        let mut farthest_first: Vec<u32> =
            (0..count as u32).filter(|&rank| distance[rank as usize] != NEVER).collect();
        farthest_first.sort_by_key(|&rank| std::cmp::Reverse(distance[rank as usize]));
        let behind = std::sync::Arc::new(Behind { distance, farthest_first });
        known.insert(end.clone(), behind.clone());
        Ok(behind)
    }
}

/// For each place the labels that it has on all boards.
fn places(boards: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let count = boards.first().map_or(0, Vec::len);
    (0..count).map(|place| boards.iter().map(|board| board[place]).collect()).collect()
}

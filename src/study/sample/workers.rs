//! The threads that solve the instances of a sample.

use std::path::Path;
use std::time::Instant;

use super::journal::{Journal, Optimality, SampleRow};
use super::{SampleInstance, SamplePlan};
use crate::engine::budget::default_memory;
use crate::engine::{Control, cores};
use crate::error::Result;
use crate::puzzle::join_names;
use crate::solve::{self, Choice, Effort, ReadySolver, Workbench, choose};
use crate::study::{StudyOptions, resumable};

/// The most memory for one instance: as many are solved at a time as memory is enough for.
const FOR_EACH: u64 = 1 << 30;

/// Solves the instances that are not in the journal yet.
pub(super) fn fill(
    plan: &SamplePlan<'_>,
    choice: &Choice<'_>,
    journal: &mut Journal<'_>,
    options: &StudyOptions,
    control: Control<'_>,
) -> Result<()> {
    let done = journal.rows.len() as u64;
    let left = plan.count.saturating_sub(done);
    if left == 0 {
        return Ok(());
    }
    let threads = options.threads.unwrap_or_else(cores);
    let memory = options.memory.unwrap_or_else(default_memory);
    let bench = Workbench::new(options.cache.clone(), memory, threads, control);
    let prepared = choice.prepare(&bench)?;
    // What a state may take does not depend on the threads, or they would change the rows.
    let each = bench.free().min(FOR_EACH);
    let threads = threads.min((bench.free() / each.max(1)).max(1) as usize);
    let crew = SampleWorkers {
        plan,
        prepared: &*prepared,
        solver: choice.full_name(),
        cache: options.cache.as_deref(),
        memory: each,
        control,
    };
    let shared = journal.shared(plan.count, control);
    resumable::for_each_part(left, threads, control, |part| {
        let number = done + part + 1;
        shared.make(number, || crew.solve(number))
    })
}

/// What all threads share.
struct SampleWorkers<'a> {
    plan: &'a SamplePlan<'a>,
    prepared: &'a dyn ReadySolver,
    solver: String,
    cache: Option<&'a Path>,
    /// Bytes for each instance.
    memory: u64,
    control: Control<'a>,
}

impl SampleWorkers<'_> {
    /// The row of an instance; `None` if the user wanted to stop before it was solved.
    fn solve(&self, number: u64) -> Result<Option<SampleRow>> {
        let item = SampleInstance::new(self.plan, number)?;
        let began = Instant::now();
        let effort = Effort {
            deadline: self.plan.time.and_then(|time| began.checked_add(time)),
            memory: self.memory,
            // The states of a sample are shared among the threads.
            threads: 1,
            stop: self.control.stop,
            visited: None,
        };
        let puzzle = item.puzzle(self.plan);
        let solved = match &item.puzzle {
            None => solve::solve(puzzle, self.prepared, &item.state, &effort)?,
            Some(_) => {
                let choice = choose(puzzle, Some(&self.solver))?;
                let (cache, memory) = (self.cache.map(Path::to_owned), self.memory);
                let bench = Workbench::new(cache, memory, 1, self.control);
                let prepared = choice.prepare(&bench)?;
                let effort = Effort { memory: bench.free(), ..effort };
                solve::solve(puzzle, &*prepared, &item.state, &effort)?
            }
        };
        if solved.attempt.cut_short && self.control.stopped() {
            return Ok(None);
        }
        let moves = solved.attempt.moves.as_deref().unwrap_or_default();
        Ok(Some(SampleRow {
            instance: number,
            length: solved.length(),
            proof: match (solved.is_optimal(), solved.attempt.cut_short) {
                (true, _) => Optimality::Optimal,
                (false, true) => Optimality::CutShort,
                (false, false) => Optimality::None,
            },
            seconds: began.elapsed().as_secs_f64(),
            moves: join_names(&puzzle.name_moves(&item.text, &item.state, moves)),
            state: item.text,
        }))
    }
}

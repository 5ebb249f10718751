//! The local page: play, solve and film every puzzle, watch jobs, look at distributions, in a browser
//! on the same machine.
//!
//! # What is promised
//!
//! - **Only this machine.** The server listens on 127.0.0.1, and answers only what a page of its own
//!   could have asked (`guard`): another site that a browser has open can neither read anything nor
//!   start anything, also not under a name that it lets point to 127.0.0.1.
//! - **Nothing but its own.** What is asked for by name is looked up in lists that the server made
//!   itself: its assets, the jobs in its directory, the tables in its results. No path comes from a
//!   request. The text of a puzzle never names a file: a file's content comes with the request.
//! - **Bounded in everything.** Connections, headers, bodies, times, calls at once, tasks, results:
//!   each has a limit that is written where it is used (`server`, `task`, `tasks`, `jobs`, `listing`), and a
//!   request that meets it gets a message.
//! - **No state of a game.** Puzzle and state are in each request, so a page can be reloaded, and two can
//!   be open.
//! - **Orderly ends.** At a signal tasks are asked to stop, jobs save what they have computed, and what is
//!   under way is answered. If saving takes longer than a second, that is said, and how far it is; a second
//!   signal ends the server at once.
//!
//! # What can be asked
//!
//! Requests and answers are JSON. An error is `{"error": "a sentence"}` with a status: 400 what was asked
//! makes no sense, 403 wrong `Host` or `Origin`, 404, 405, 408 too slow, 413 too large, 415 not JSON, 429
//! too many tasks, 503 too much at once, 500 something is wrong here. Counts that can exceed 2^53 are
//! decimal strings.
//!
//! | request | answer |
//! |---|---|
//! | `GET /`, `GET /page/NAME` | the page and its assets |
//! | `GET /api/kinds` | `[{name, about, grammar, options, examples, boards}]` |
//! | `POST /api/puzzle` `{puzzle, file?}` | `{puzzle, kind, title, metric, question, states, classes, table, enumerable, subgoals, start, root, warning, file, board, solvers}`; `table`: `quick`, `slow` or `large` to build, or `none`; `enumerable`: from the `page`, by a `command`, or `no` |
//! | `POST /api/distances` `{puzzle, file?, states}` | `{table, classes, command, found}`; `found`, if the table is there: `{distances: [{moves} or {at_least} or {}], last, finished}`; 1024 states at the most |
//! | `POST /api/class` `{puzzle, file?, state}` | `{order, symmetry, size, states}`: the states that symmetries make equal to this one, the first 64 of them |
//! | `POST /api/look` `{puzzle, file?, state}` | `{state, solved, moves: [{name, state}]}` |
//! | `POST /api/draw` `{puzzle, file?, states}` | `{pictures}`: each state on several lines of text; 64 states at the most |
//! | `POST /api/scramble` `{puzzle, file?, seed?}` | `{seed, state}`, or `{seed, puzzle}` where puzzles are random |
//! | `POST /api/triangles` `{file or puzzle, action?}` | the table of the triangle puzzle |
//! | `POST /api/tasks` `{do, ...}` | `{task}`: background work |
//! | `GET /api/tasks` | all tasks, newest first, without results |
//! | `GET /api/tasks/ID?wait=MS` | `{task, do, puzzle, job, state, progress, share, seconds, result, error}`; waits for its end, 10 s at the most |
//! | `DELETE /api/tasks/ID` | asks it to stop; the task as in the list of all |
//! | `GET /api/home` | `{best: {KIND: row}, recent: [rows], pending}`: the largest complete result of each kind, the last finished jobs |
//! | `GET /api/results` | `{results: [rows], pending, left_out}`: every table at a glance; `pending` are found out about by asking again |
//! | `GET /api/jobs` | `{dir, jobs: [{name, puzzle, state, task, levels, last, question, small, seconds, level_seconds, classes, states, total, progress, error}], results: [names], left_out, error}`; `left_out`: names of jobs and tables that were not looked at because there are too many; `error`: why no results are listed |
//! | `GET /api/jobs/NAME`, `GET /api/results/NAME` | the same row with `rows: [{level, classes, states}]` and `about`; for jobs also `answer`, `bytes`, `memory`, for tables `provenance` |
//! | `GET /api/jobs/NAME/chart?by=classes\|states&log=0\|1`, also for results | the distribution as SVG |
//! | `GET /api/jobs/NAME/states?level=L&count=N` | `{puzzle, level, classes, states}` |
//!
//! A puzzle is named by `puzzle`, its text. If that has an `@`, the content of the file it names is in
//! `file`. A task is `waiting`, `running`, `done`, `failed` or `stopped`; what it does is one of:
//!
//! | `do` | asks with | result |
//! |---|---|---|
//! | `solve` | `puzzle, file?, state, solver?, seconds?, length_only?` | `{solver, seconds, length, optimal, bound, cut_short, moves, states}` |
//! | `phases` | `puzzle, file?, state, sort` | `{cycle, phases: [{name, moves, states}]}` |
//! | `hint`, `finish` | `file or puzzle, seconds?` | the table of the triangle puzzle |
//! | `replay` | `puzzle, file?, start, moves` | `{states}` |
//! | `positions` | `puzzle, level?, count?, seed?` | `{puzzle, job, level, last, classes, states}`; builds the table first if need be |
//! | `verify` | `job, full?` | a certificate: what was checked, and the digests of all levels |
//! | `bounds` | `puzzle` | `{at_least, at_most, why_at_least, why_at_most, published, help}` |
//! | `sample` | `puzzle, count?, seed?, solver?` | `{solver, seed, count, solved, optimal, mean, median, lengths}` |
//! | `enumerate` | `puzzle, job?` | the job's row; `job` resumes the one that has this name |
//!
//! Several tasks that need the same table wait for one build of it, and a long build leaves a place for short work.
//! The fields, the puzzle, its state and the solver are checked before a task is made. `seconds` are for the
//! search alone: where a solver has to build a table first, that takes as long as it takes, and can be
//! stopped.

mod assets;
mod connection;
mod enumerate;
mod guard;
mod jobs;
mod listing;
mod puzzles;
mod reply;
mod request;
mod results;
mod routes;
mod server;
mod studies;
mod task;
mod tasks;

use std::path::{Path, PathBuf};

use crate::engine::Control;
pub use server::Server;

/// The port that is listened on unless another one is chosen.
pub const PORT: u16 = 8642;

/// The stack of a call, and of a task: as the main thread of a process has it.
const STACK: usize = 8 << 20;

/// What the user wants and allows.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The port; 0 means any that is free.
    pub port: u16,
    /// Where jobs are.
    pub dir: PathBuf,
    /// Where tables of finished enumerations are.
    pub results: PathBuf,
    /// Bytes of memory for all tasks together; `None`: three quarters of what is free.
    pub memory: Option<u64>,
    /// Threads for each task; `None`: one for every core.
    pub threads: Option<usize>,
}

/// What a task works with.
pub struct TaskContext<'a> {
    pub jobs: &'a Path,
    /// Bytes of memory that it may take.
    pub memory: u64,
    /// Threads that it may use.
    pub threads: usize,
    /// Hears how far it is, and says when to stop.
    pub control: Control<'a>,
    /// To be called when the task's preparation is done: others that need the same can begin.
    pub prepared: &'a (dyn Fn() + Sync),
}

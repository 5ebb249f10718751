mod commands;

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::*;
use crate::error::{Saved, WorkKind};

fn job() -> PathBuf {
    "runs/my job".into()
}

fn damaged(repair: Repair) -> Error {
    Error::damaged(Path::new("runs/x/levels/00005.gls"), "the file is truncated", repair)
}

fn io_error(action: IoAction, kind: ErrorKind) -> Error {
    Error::io(action, Path::new("some/file"), kind.into())
}

fn holds(holds: Holds) -> Error {
    Error::Directory { dir: job(), holds }
}

fn job_damage(kept_from: u32, levels: Option<(u32, u32)>, checkpoint: bool) -> Error {
    damaged(Repair::Job(JobDamage {
        job: job(),
        puzzle: "tiles:2x3".into(),
        kept_from,
        last: 9,
        levels,
        checkpoint,
    }))
}

fn misdirected(instead: Instead) -> Error {
    Error::Misdirected { fact: "that is not possible".into(), instead }
}

fn level_limit(bound: DiskBound) -> Error {
    Error::from(LimitKind::Level {
        level: 7,
        classes: 1000,
        candidates: 5000,
        set: 1 << 20,
        runs: 2 << 20,
        needed: 3 << 20,
        left: 1 << 19,
        bound,
    })
}

fn memory(or: Alternative) -> Error {
    Error::from(LimitKind::Memory { what: "a beam".into(), needed: 2 << 20, allowed: 1 << 20, or })
}

fn refused(resource: Resource) -> Error {
    let cause = Some("no".into());
    Error::from(LimitKind::Refused { resource, cause })
}

fn rebuild(last: Option<u32>, checked: bool) -> Error {
    damaged(Repair::Rebuild { job: job(), last, checked, otherwise: Box::new(Repair::Restore) })
}

/// Errors, and parts of their sentences in the order in which they stand there: what failed, where, and what
/// to do.
fn examples() -> Vec<(Error, &'static [&'static str])> {
    let puzzle = || "tiles:2x3".to_owned();
    vec![
        (Error::Usage("`x` is not a size".into()), &["`x` is not a size"]),
        (
            misdirected(Instead::EnumerateFirst(puzzle())),
            &["not possible; `godnum enumerate tiles:2x3` creates the job"],
        ),
        (
            misdirected(Instead::Enumerate("tiles:@my file".into())),
            &["not possible; `godnum enumerate 'tiles:@my file'`"],
        ),
        (misdirected(Instead::Count(puzzle())), &["`godnum count tiles:2x3`"]),
        (misdirected(Instead::Kinds), &["`godnum puzzles`"]),
        (misdirected(Instead::Solvers(puzzle())), &["`godnum solvers tiles:2x3`"]),
        (
            misdirected(Instead::Staged(puzzle())),
            &["`godnum enumerate tiles:2x3`", "`godnum help proofs` says which puzzles have subgoals"],
        ),
        (holds(Holds::NoJob), &["runs/my job holds no job", "`godnum enumerate PUZZLE --dir 'runs/my job'`"]),
        (
            holds(Holds::OtherWork(WorkKind::Sample)),
            &["holds a sample, not a job", "`godnum sample PUZZLE --dir 'runs/my job'`"],
        ),
        (
            holds(Holds::Another { work: WorkKind::Count, held: "a".into(), wanted: "b".into() }),
            &["holds another count: a, not b", "--dir", "replace that count with --fresh"],
        ),
        (
            holds(Holds::Foreign { work: WorkKind::Job, path: "runs/my job/notes".into() }),
            &["something other than a job: runs/my job/notes", "--dir"],
        ),
        (
            io_error(IoAction::Write, ErrorKind::StorageFull),
            &["cannot write some/file", "(free some space", "again"],
        ),
        (
            io_error(IoAction::Read, ErrorKind::PermissionDenied),
            &["cannot read some/file", "permission to read"],
        ),
        (
            io_error(IoAction::Create, ErrorKind::PermissionDenied),
            &["cannot create some/file", "writable directory", "--dir"],
        ),
        (
            io_error(IoAction::ListenOn, ErrorKind::PermissionDenied),
            &["cannot listen on some/file", "--port"],
        ),
        (io_error(IoAction::ListenOn, ErrorKind::AddrInUse), &["--port 0"]),
        (io_error(IoAction::Write, ErrorKind::FileTooLarge), &["`ulimit -f`"]),
        (io_error(IoAction::Read, ErrorKind::OutOfMemory), &["`ulimit -v`", "--memory"]),
        (
            Error::io(IoAction::Open, Path::new("f"), io::Error::from_raw_os_error(24)),
            &["cannot open f", "`ulimit -n`"],
        ),
        (io_error(IoAction::Delete, ErrorKind::NotADirectory), &["cannot delete some/file: "]),
        (
            memory(Alternative::FewerThreads),
            &["a beam needs at least 2.0 MiB", "1.0 MiB may be used", "--memory", "--threads"],
        ),
        (memory(Alternative::SmallerWidth), &["--memory", "smaller width"]),
        (memory(Alternative::OtherSolver), &["--memory", "another solver"]),
        (memory(Alternative::None), &["--memory"]),
        (
            Error::from(LimitKind::Passes { universe: 1 << 40, passes: 100 }),
            &["100 passes", "--memory", "--container"],
        ),
        (
            level_limit(DiskBound::Limit),
            &["level 7 is not expected to fit", "3.0 MiB", "the disk limit leaves 512 KiB", "--disk-limit"],
        ),
        (level_limit(DiskBound::JobDisk), &["the disk has 512 KiB", "--scratch"]),
        (level_limit(DiskBound::ScratchDisk), &["the scratch disk has", "another --scratch"]),
        (
            Error::Limit(Box::new(Limit {
                kind: LimitKind::Disk { path: "runs/x/a.run".into(), limit: 1 << 30 },
                saved: Some(Saved { levels: 3, all: false }),
            })),
            &["runs/x/a.run", "1.0 GiB", "--disk-limit", "Levels 0 to 2 are safe; what else"],
        ),
        (refused(Resource::Memory(1 << 20)), &["refused 1.0 MiB", "(no)", "`ulimit -v`"]),
        (refused(Resource::Threads(4)), &["refused 4 threads (no)", "--threads"]),
        (Error::limit("the picture is too large"), &["the picture is too large"]),
        (Error::verification("1 is not 2"), &["1 is not 2"]),
        (
            Error::verification("1 is not 2").in_job(&job()),
            &["1 is not 2. Check", "`godnum verify 'runs/my job' --full`"],
        ),
        (damaged(Repair::Restore), &["levels/00005.gls: the file is truncated", "from a copy", "--fresh"]),
        (damaged(Repair::OtherVersion), &["version", "--fresh"]),
        (damaged(Repair::PuzzleFile), &["restore the puzzle's file", "--dir"]),
        (
            damaged(Repair::Level { job: None, level: 5 }).in_job(&job()),
            &["truncated", "`godnum verify 'runs/my job'`", "--from-level 4`"],
        ),
        (damaged(Repair::Level { job: None, level: 0 }), &["truncated", "`godnum verify DIR`"]),
        (
            rebuild(Some(4), true),
            &["up to level 4 are intact", "`godnum resume 'runs/my job' --from-level 4`", "copy"],
        ),
        (rebuild(Some(4), false), &["up to level 4 look complete"]),
        (rebuild(None, true), &["cannot be rebuilt", "--fresh"]),
        (damaged(Repair::RebuildBefore { job: job(), level: 3 }), &["up to level 2 only", "--from-level 2`"]),
        (damaged(Repair::RebuildBefore { job: job(), level: 0 }), &["without level 0", "--fresh"]),
        (
            job_damage(0, Some((4, 6)), false),
            &["levels 0 to 3 are intact", "--from-level 3`", "--max-level 6`"],
        ),
        (
            job_damage(8, Some((9, 9)), false),
            &["below level 8 were not kept", "`godnum enumerate tiles:2x3", "--fresh`"],
        ),
        (job_damage(0, Some((0, 9)), false), &["--fresh` starts again"]),
        (job_damage(0, None, true), &["levels 0 to 9 are intact", "--from-level 9` begins level 10 again"]),
        (job_damage(0, None, false), &["`godnum resume 'runs/my job'` writes the table"]),
        (damaged(Repair::Verify(job())), &["`godnum verify 'runs/my job' --full`"]),
        (damaged(Repair::Rewrite(FileOrigin::Levels)), &["`godnum levels DIR"]),
        (damaged(Repair::Rewrite(FileOrigin::Table)), &["`godnum sample PUZZLE --csv"]),
        (damaged(Repair::Rewrite(FileOrigin::Game)), &["`save FILE`"]),
        (damaged(Repair::Rewrite(FileOrigin::Foreign)), &["the file is truncated"]),
        (
            Error::Locked { dir: job(), pid: Some(42) },
            &["runs/my job is being worked on by process 42", "`kill 42`"],
        ),
        (Error::Locked { dir: job(), pid: None }, &["another process; wait for it"]),
        (
            Error::Lost { process: 2, place: "node7:7000".into(), how: "ended".into() },
            &["process 2 (node7:7000) ended; ", "start all processes again"],
        ),
        (misdirected(Instead::Gather(job())), &["`godnum gather 'runs/my job'` brings them together"]),
        (
            Error::Interrupted(Interruption::Level { job: job(), level: 3, saved: true }),
            &["stopped in level 3", "is saved", "`godnum resume 'runs/my job'`"],
        ),
        (
            Error::Interrupted(Interruption::Parts { work: WorkKind::Sample, dir: job(), done: 5, all: 10 }),
            &["5 of 10 instances", "runs/my job", "same command again"],
        ),
        (Error::interrupted("the film was stopped"), &["the film was stopped"]),
    ]
}

#[test]
fn every_error_names_what_where_and_what_to_do() {
    for (error, parts) in examples() {
        let sentence = explain(&error);
        let mut rest = sentence.as_str();
        for part in parts {
            let found = rest.split_once(part);
            let (_, after) = found.unwrap_or_else(|| panic!("no {part:?} in {sentence:?}"));
            rest = after;
        }
        assert!(!sentence.contains(".."), "{sentence}");
        assert!(!sentence.ends_with(['.', ' ', ';']), "{sentence}");
    }
}

/// A library user has other means than commands.
#[test]
fn facts_name_no_commands() {
    for (error, _) in examples() {
        let fact = error.to_string();
        assert!(!fact.contains("godnum "), "{fact}");
        assert!(!fact.contains("--"), "{fact}");
    }
}

/// A new variant does not compile here before the table has an example of it.
#[test]
fn the_table_has_every_variant() {
    let number = |error: &Error| match error {
        Error::Usage(_) => 0,
        Error::Misdirected { .. } => 1,
        Error::Directory { .. } => 2,
        Error::Io { .. } => 3,
        Error::Limit(_) => 4,
        Error::Verification { .. } => 5,
        Error::Damaged { .. } => 6,
        Error::Locked { .. } => 7,
        Error::Interrupted(_) => 8,
        Error::Lost { .. } => 9,
    };
    let mut seen: Vec<usize> = examples().iter().map(|(error, _)| number(error)).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, (0..10).collect::<Vec<_>>());
}

//! Errors as the command line prints them: the fact, and what to do about it.

use std::path::Path;

use crate::error::{
    Alternative, DiskBound, Error, FileOrigin, Holds, Instead, Interruption, IoAction, JobDamage, Limit,
    LimitKind, Repair, Resource, WorkKind, is_too_many_files,
};
use crate::text::shell_quote;

/// The sentence for an error: what failed, where, and which command or option helps.
pub fn explain(error: &Error) -> String {
    match error {
        // What is safe comes last: it is not part of the limit.
        Error::Limit(limit) => {
            let Limit { kind, saved } = &**limit;
            let sentence = with(kind.to_string(), "; ", of_limit(kind));
            with(sentence, ". ", saved.map(|saved| saved.to_string()))
        }
        Error::Io { action, source, .. } => match of_io(*action, source) {
            Some(remedy) => format!("{error} ({remedy})"),
            None => error.to_string(),
        },
        Error::Interrupted(how) => with(how.to_string(), ". ", of_interruption(how)),
        Error::Verification { job, .. } => {
            let check = |job: &_| format!("Check the job with `godnum verify {} --full`", shell_quote(job));
            with(error.to_string(), ". ", job.as_deref().map(check))
        }
        _ => with(error.to_string(), "; ", remedy(error)),
    }
}

fn with(fact: String, between: &str, remedy: Option<String>) -> String {
    match remedy {
        Some(remedy) => fact + between + &remedy,
        None => fact,
    }
}

fn remedy(error: &Error) -> Option<String> {
    match error {
        Error::Misdirected { instead, .. } => Some(of_misdirected(instead)),
        Error::Directory { dir, holds } => Some(of_directory(dir, holds)),
        Error::Damaged { repair, .. } => of_damage(repair),
        Error::Locked { pid: Some(pid), .. } => Some(format!("wait for it, or stop it with `kill {pid}`")),
        Error::Locked { pid: None, .. } => Some("wait for it".into()),
        Error::Lost { .. } => Some("start all processes again to continue from what is stored".into()),
        _ => None,
    }
}

fn of_misdirected(instead: &Instead) -> String {
    let text = |puzzle: &str| shell_quote(Path::new(puzzle));
    match instead {
        Instead::EnumerateFirst(puzzle) => {
            format!("`godnum enumerate {}` creates the job", text(puzzle))
        }
        Instead::Enumerate(puzzle) => {
            format!("`godnum enumerate {}` computes how far its states are", text(puzzle))
        }
        Instead::Count(puzzle) => format!("`godnum count {}` counts them", text(puzzle)),
        Instead::Gather(job) => format!("`godnum gather {}` brings them together", shell_quote(job)),
        Instead::Kinds => "`godnum puzzles` lists all puzzles".into(),
        Instead::Meant(name) => format!("did you mean `{name}`?"),
        Instead::Solvers(puzzle) => {
            format!("`godnum solvers {}` prints what each promises", text(puzzle))
        }
        Instead::Staged(puzzle) => format!(
            "`godnum enumerate {}` computes how far its states are; `godnum help proofs` says which puzzles have \
             subgoals",
            text(puzzle)
        ),
    }
}

fn of_directory(dir: &Path, holds: &Holds) -> String {
    let dir = shell_quote(dir);
    match holds {
        Holds::NoJob => format!("`godnum enumerate PUZZLE --dir {dir}` creates one"),
        Holds::OtherWork(WorkKind::Proof) => format!(
            "`godnum prove PUZZLE --at-most N --dir {dir}` continues it, and `godnum status {dir}` prints \
             how far it is"
        ),
        Holds::OtherWork(WorkKind::Hunt) => {
            format!("`godnum hunt PUZZLE --at-least K --dir {dir}` continues it")
        }
        Holds::OtherWork(WorkKind::Witness) => format!("`godnum verify {dir}` checks it"),
        Holds::OtherWork(work) => format!(
            "`godnum {work} PUZZLE --dir {dir}` continues it, and `godnum status {dir}` prints how \
             far it is"
        ),
        Holds::Another { work, .. } => {
            format!("choose another directory with --dir, or replace that {work} with --fresh")
        }
        Holds::Foreign { .. } => "choose another directory with --dir".into(),
    }
}

fn of_interruption(how: &Interruption) -> Option<String> {
    match how {
        Interruption::Level { job, .. } => {
            Some(format!("Continue with `godnum resume {}`", shell_quote(job)))
        }
        Interruption::Parts { .. } => Some("Run the same command again to continue".into()),
        Interruption::Other(_) => None,
    }
}

fn of_limit(kind: &LimitKind) -> Option<String> {
    Some(match kind {
        LimitKind::Memory { or, .. } => {
            let or = match or {
                Alternative::None => "",
                Alternative::FewerThreads => ", or use fewer --threads",
                Alternative::OtherSolver => ", or choose another solver",
                Alternative::SmallerWidth => ", or choose a smaller width",
            };
            format!("allow more with --memory{or}")
        }
        LimitKind::Passes { .. } => "allow more --memory, or omit --container".into(),
        LimitKind::Level { bound, .. } => {
            let more = match bound {
                DiskBound::Limit => "allow more with --disk-limit",
                DiskBound::JobDisk => "free some space, or put runs on another disk with --scratch",
                DiskBound::ScratchDisk => "free some space, or choose another --scratch",
            };
            format!(
                "{more}, and run the same command again; or begin the level all the same with --force: where the \
                 disk ends, the job stops safely"
            )
        }
        LimitKind::Disk { .. } => "allow more with --disk-limit and run the same command again".into(),
        LimitKind::Refused { resource, .. } => match resource {
            Resource::Memory(_) => "allow more (`ulimit -v`), or run the same command again with a \
                                    smaller --memory"
                .into(),
            Resource::Threads(_) => "raise the system's limit (`ulimit -u`, `ulimit -v`), or run \
                                     the same command again with fewer --threads"
                .into(),
        },
        LimitKind::Other(_) => return None,
    })
}

/// What usually helps, for the system errors that users meet most.
fn of_io(action: IoAction, source: &std::io::Error) -> Option<&'static str> {
    use std::io::ErrorKind::*;
    Some(match source.kind() {
        StorageFull | QuotaExceeded => {
            "free some space; running the same command again then continues a job or a sample"
        }
        AddrInUse => {
            "another program listens there: choose another port with --port, or any free one with \
             --port 0"
        }
        PermissionDenied if action == IoAction::ListenOn => {
            "this port is reserved: choose another one with --port"
        }
        PermissionDenied if action.only_reads() => "you need permission to read it",
        PermissionDenied | ReadOnlyFilesystem => {
            "choose a writable directory with --dir or --scratch (for tables: XDG_CACHE_HOME)"
        }
        FileTooLarge => "raise the limit on file sizes, `ulimit -f`, and run the same command again",
        OutOfMemory => {
            "allow more memory, `ulimit -v`, or run the same command again with a smaller --memory"
        }
        // EIO
        _ if action.only_reads() && source.raw_os_error() == Some(5) => {
            "the disk may be failing, or its connection: nothing was changed; run the same command again \
             when it can be read, or on a copy"
        }
        _ if is_too_many_files(source) => {
            "raise the limit on open files, `ulimit -n`, and run the same command again"
        }
        _ => return None,
    })
}

fn of_damage(repair: &Repair) -> Option<String> {
    Some(match repair {
        Repair::Restore => "restore it from a copy, or start again with --fresh".into(),
        Repair::OtherVersion => "use the godnum version that wrote it, or start again with --fresh".into(),
        Repair::PuzzleFile => "restore the puzzle's file as it was when the work began, or start \
                               again in another directory with --dir"
            .into(),
        Repair::Level { job, level } => of_level(job.as_deref(), *level),
        Repair::Rebuild { job, last, checked, otherwise } => {
            let (job, otherwise) = (shell_quote(job), of_damage(otherwise).unwrap_or_default());
            let are = if *checked { "are intact" } else { "look complete" };
            match last {
                Some(last) => format!(
                    "the level sets up to level {last} {are}: `godnum resume {job} --from-level \
                     {last}` rebuilds the file from them; or {otherwise}"
                ),
                None => format!(
                    "it cannot be rebuilt from the level sets, because the first of them are \
                     missing or damaged; {otherwise}"
                ),
            }
        }
        Repair::RebuildBefore { job, level } => match level.checked_sub(1) {
            Some(before) => format!(
                "the manifest can be rebuilt up to level {before} only: `godnum resume {} \
                 --from-level {before}`",
                shell_quote(job)
            ),
            None => "without level 0 the manifest cannot be rebuilt (with `--keep last-two` it \
                     was not kept): restore manifest.json from a copy, or start again with --fresh"
                .into(),
        },
        Repair::Job(damage) => of_job(damage),
        Repair::Verify(job) => {
            format!("check the job with `godnum verify {} --full`", shell_quote(job))
        }
        Repair::Rewrite(FileOrigin::Levels) => {
            "write it again with `godnum levels DIR --format csv`, or remove it".into()
        }
        Repair::Rewrite(FileOrigin::Table) => "write it again with `godnum levels DIR --format csv` or \
                                           `godnum sample PUZZLE --csv FILE`"
            .into(),
        Repair::Rewrite(FileOrigin::Game) => {
            "the command `save FILE` in a game of `godnum play` writes one".into()
        }
        Repair::Rewrite(FileOrigin::Foreign) => return None,
    })
}

/// For one level set or run, of which nothing else is known.
fn of_level(job: Option<&Path>, level: u32) -> String {
    let dir = job.map_or("DIR".into(), shell_quote);
    let verify = format!("`godnum verify {dir}` prints which levels are intact");
    match level.checked_sub(1) {
        Some(before) => format!(
            "{verify}; if all before level {level} are, `godnum resume {dir} --from-level {before}` \
             computes the rest again"
        ),
        None => verify,
    }
}

/// For a job, all files of which were checked.
fn of_job(damage: &JobDamage) -> String {
    let dir = shell_quote(&damage.job);
    let puzzle = shell_quote(Path::new(&damage.puzzle));
    let intact = |last: u32| match damage.kept_from == last {
        true => format!("level {last} is intact"),
        false => format!("levels {} to {last} are intact", damage.kept_from),
    };
    let Some((_, worst)) = damage.levels else {
        let last = damage.last;
        return match damage.checkpoint {
            true => format!(
                "{}: `godnum resume {dir} --from-level {last}` begins level {} again",
                intact(last),
                last + 1
            ),
            false => format!(
                "the manifest and all level sets are intact: `godnum resume {dir}` writes the table \
                 again"
            ),
        };
    };
    let again = format!("`godnum enumerate {puzzle} --dir {dir} --fresh`");
    let mut remedy = match damage.usable() {
        Some(level) => {
            format!("{}: `godnum resume {dir} --from-level {level}` computes the rest again", intact(level))
        }
        None if damage.kept_from > 0 => format!(
            "the level sets below level {} were not kept, and no two intact ones are left to resume \
             from: start again with {again}",
            damage.kept_from
        ),
        None => format!("{again} starts again from level 0"),
    };
    if worst < damage.last && damage.kept_from == 0 {
        remedy += &format!(
            ". To keep the later levels: `godnum enumerate {puzzle} --dir OTHER --max-level {worst}` \
             makes the same files up to level {worst} in another directory, to be copied from there"
        );
    }
    remedy
}

#[cfg(test)]
mod tests;

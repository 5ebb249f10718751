//! Series out of files: a job's levels, a table of levels, a sample.
//!
//! Tables are recognised by their heading and named by their file: `wrapslide-6x6-2.csv` is about
//! `wrapslide:6x6:2`, and `wrapslide-6x6-2-sample-thesis-1.csv` a sample of it. A file of any other name is
//! called by that name, and its metric is not known. Whether a table has all levels follows from the number
//! of states, where that is known.

use std::path::Path;

use super::{Data, Series, SeriesSubject};
use crate::engine::{Job, LEVELS, LevelCount, read_levels_csv};
use crate::error::{Error, FileOrigin, Repair, Result};
use crate::puzzle::{Question, Rules};
use crate::puzzles::registry;
use crate::store::disk::exists;
use crate::study::sample::{self, Lengths};

/// What stands between the puzzle and the rest in the name of a sample.
const SAMPLE: &str = "-sample";

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The series of a job: its levels so far.
pub fn read_job(job: &Job) -> Result<Series> {
    let manifest = job.manifest()?;
    let levels =
        manifest.levels.iter().map(|level| LevelCount { classes: level.classes, states: level.states });
    let text = &job.description.puzzle;
    Ok(Series {
        name: text.clone(),
        subject: subject(text),
        data: Data::Levels { levels: levels.collect(), unfinished: !manifest.finished },
    })
}

/// The series in a directory: a sample, or a job.
pub fn read_dir(dir: &Path) -> Result<Series> {
    if exists(&dir.join("job.json"))? {
        return read_job(&Job::open(dir)?);
    }
    match sample::glance(dir)? {
        None => read_job(&Job::open(dir)?),
        Some(sample) => Ok(Series {
            name: format!("{}, {}, seed {}", sample.puzzle, sample.solver, sample.seed),
            subject: subject(&sample.puzzle),
            data: Data::Sample(sample.lengths),
        }),
    }
}

/// The series in a table: levels, or a sample.
pub fn read_file(path: &Path) -> Result<Series> {
    let content = plain(&sample::read_whole(path)?);
    let foreign = |what: String| {
        let what = format!(
            "{what}; a picture is made of a table of levels ({}) or of a sample ({})",
            LEVELS.join(","),
            sample::HEADING.join(",")
        );
        Error::damaged(path, what, Repair::Rewrite(FileOrigin::Foreign))
    };
    let damaged = |what: String| Error::damaged(path, what, Repair::Rewrite(FileOrigin::Table));
    let heading = content.split(|&byte| byte == b'\n').next();
    let heading = String::from_utf8_lossy(heading.unwrap_or_default());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if content.is_empty() {
        Err(foreign("it is empty".into()))
    } else if heading == LEVELS.join(",") {
        let text = std::str::from_utf8(&content);
        let text = text.map_err(|_| damaged("it is not text (UTF-8)".into()))?;
        let levels = read_levels_csv(text).map_err(damaged)?;
        let puzzle = registry::named(&name);
        Ok(Series {
            name: puzzle.as_ref().map_or(name.into(), |puzzle| puzzle.text()),
            subject: puzzle.as_ref().map(|puzzle| SeriesSubject::of(&**puzzle)),
            data: Data::Levels {
                unfinished: puzzle.is_some_and(|puzzle| has_more(&*puzzle, &levels)),
                levels,
            },
        })
    } else if heading == sample::HEADING.join(",") {
        let parts = name.split_once(SAMPLE);
        let subject = parts.and_then(|(puzzle, _)| registry::named(puzzle));
        let subject = subject.map(|puzzle| SeriesSubject::of(&*puzzle));
        Ok(Series {
            name: match (&subject, parts) {
                (Some(subject), Some((_, rest))) => sampled(&subject.text, rest),
                _ => name.into(),
            },
            subject,
            data: Data::Sample(Lengths::parse(&content).map_err(damaged)?),
        })
    } else {
        let shown: String = heading.chars().take(80).collect();
        Err(foreign(format!("it is another file, which begins with `{shown}`")))
    }
}

/// A table as we write it: other programs may have put a mark before it, and end lines otherwise.
fn plain(content: &[u8]) -> Vec<u8> {
    let content = content.strip_prefix(MARK).unwrap_or(content);
    let is_kept = |at: &usize| content[*at] != b'\r' || content.get(at + 1) != Some(&b'\n');
    (0..content.len()).filter(is_kept).map(|at| content[at]).collect()
}

/// Whether some states are in none of the levels. Where states are partial solutions, counting them
/// would take long.
fn has_more(puzzle: &dyn Rules, levels: &[LevelCount]) -> bool {
    let found = levels.iter().map(|level| level.states);
    let found = found.fold(0, u128::saturating_add);
    puzzle.question() != Question::Solutions && puzzle.totals().states.is_some_and(|all| found < all)
}

/// A sample by the rest of its file's name, which may end in the solver and the seed.
fn sampled(puzzle: &str, rest: &str) -> String {
    let rest = rest.trim_start_matches('-');
    match rest.rsplit_once('-') {
        Some((solver, seed)) if seed.parse::<u64>().is_ok() => {
            format!("{puzzle}, {solver}, seed {seed}")
        }
        _ if rest.is_empty() => format!("{puzzle}, a sample"),
        _ => format!("{puzzle}, {rest}"),
    }
}

/// What a text is about, if it still names a puzzle.
fn subject(text: &str) -> Option<SeriesSubject> {
    let puzzle = registry::parse(text).ok()?;
    Some(SeriesSubject::of(&*puzzle))
}

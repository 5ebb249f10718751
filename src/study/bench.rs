//! A fixed set of complete jobs, timed: how fast this build is on this machine, and one number, the
//! *signature*, that tells whether it still finds the same levels.
//!
//! A job is timed from a directory that does not exist to the checked answer, which follows the last
//! commit at once; reading the puzzle's text is not part of it. Each is run several times and the
//! best time counts: whatever else a machine does can only make a run slower. The signature covers
//! the texts and the level tables of all jobs, so neither threads nor memory nor the disk change it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use xxhash_rust::xxh3::Xxh3;

use crate::engine::{self, Control, Manifest, Options, Silent, levels_csv};
use crate::error::{Error, IoAction, Result};
use crate::puzzle::{Rules, job_name, subject};
use crate::puzzles::registry;

/// The jobs that take much less than a second.
const QUICK: &[&str] =
    &["wrapslide:4x4:4", "tiles:3x3", "klotski:classic", "gourds:rows-5-6", "triangles:half12"];

/// Those that take longer, up to a quarter of a minute.
const SLOW: &[&str] = &["wrapslide:6x6:2", "gourds:rows13", "klotski:all", "tiles:3x4"];

/// The signature of the quick jobs.
const QUICK_SIGNATURE: u64 = 0x8bc3_11a3_1c16_90b1;
/// The signature of all jobs.
const FULL_SIGNATURE: u64 = 0x7b08_87ee_4b14_7304;

/// Which jobs are run, and how.
#[derive(Clone, Debug)]
pub struct Bench {
    /// Whether jobs of more than about a second are left out.
    pub quick: bool,
    /// How often each job is run; at least once.
    pub repeat: u32,
    /// Where the jobs' directory is made, which goes in the end.
    pub dir: PathBuf,
    /// Memory and threads.
    pub options: Options,
}

/// What one job came to.
#[derive(Clone, Debug)]
pub struct Timed {
    /// The puzzle's text.
    pub puzzle: String,
    /// How many levels it has.
    pub levels: usize,
    /// How many classes they hold.
    pub classes: u128,
    /// How many states.
    pub states: u128,
    /// The shortest time a run took.
    pub best: Duration,
}

impl Timed {
    /// How many of these in a second.
    pub fn per_second(&self, number: u128) -> f64 {
        number as f64 / self.best.as_secs_f64().max(1e-9)
    }
}

/// What all jobs came to.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The jobs, in the order they were run.
    pub jobs: Vec<Timed>,
    /// A checksum over the text and the level table of each job.
    pub signature: u64,
    /// What the signature has to be.
    pub expected: u64,
}

impl Measured {
    /// Refuses a signature that is not the expected one.
    pub fn check(&self) -> Result<()> {
        if self.signature == self.expected {
            return Ok(());
        }
        Err(Error::verification(format!(
            "the signature is {:016x}, but must be {:016x}: the levels of at least one of these jobs are \
             not what they were. Compare `levels.csv` of each with results/",
            self.signature, self.expected
        )))
    }
}

impl Bench {
    /// Runs all jobs, one after the other, in a directory of their own that is deleted whatever
    /// happens.
    pub fn run(&self, control: Control<'_>) -> Result<Measured> {
        let slow = if self.quick { &[] } else { SLOW };
        let expected = if self.quick { QUICK_SIGNATURE } else { FULL_SIGNATURE };
        let texts: Vec<_> = QUICK.iter().chain(slow).collect();
        let place = TemporaryDir::create(&self.dir)?;
        let runs = texts.len() as u64 * u64::from(self.repeat);
        let mut jobs = Vec::new();
        let mut signature = Xxh3::new();
        for text in texts {
            let puzzle = registry::parse(text)?;
            let mut best: Option<(Duration, Manifest)> = None;
            for round in 0..self.repeat {
                let done = jobs.len() as u64 * u64::from(self.repeat) + u64::from(round);
                control.observer.counted("runs", done, runs);
                let (time, manifest) = self.time(&*puzzle, &place.0, control)?;
                best = Some(match best {
                    Some((_, first)) if levels_csv(&first.levels) != levels_csv(&manifest.levels) => {
                        return Err(Error::verification(format!(
                            "two runs of {text} found different levels: something is wrong with the \
                             computation or with the machine"
                        )));
                    }
                    Some((least, first)) => (least.min(time), first),
                    None => (time, manifest),
                });
            }
            let Some((best, manifest)) = best else {
                return Err(Error::Usage("a job has to be run at least once".into()));
            };
            let puzzle = puzzle.text();
            sign(&mut signature, &puzzle, &levels_csv(&manifest.levels));
            jobs.push(Timed {
                puzzle,
                levels: manifest.levels.len(),
                classes: manifest.classes(),
                states: manifest.states(),
                best,
            });
        }
        Ok(Measured { jobs, signature: signature.digest(), expected })
    }

    /// Runs one job from nothing and deletes it.
    fn time(&self, puzzle: &dyn Rules, place: &Path, control: Control<'_>) -> Result<(Duration, Manifest)> {
        let dir = place.join(job_name(puzzle));
        // Drawing a bar would be measured, too.
        let unseen = Control { observer: &Silent, ..control };
        let start = Instant::now();
        let outcome = engine::enumerate(&subject(puzzle)?, &dir, &self.options, unseen);
        let time = start.elapsed();
        let outcome = outcome.map_err(|error| match error {
            // The job that it names will be gone.
            Error::Interrupted(_) => Error::interrupted("the benchmark was stopped"),
            error => error,
        })?;
        fs::remove_dir_all(&dir).map_err(|e| Error::io(IoAction::Delete, &dir, e))?;
        Ok((time, outcome.manifest))
    }
}

/// Adds a job to the signature.
fn sign(signature: &mut Xxh3, text: &str, levels_csv: &str) {
    signature.update(text.as_bytes());
    signature.update(levels_csv.as_bytes());
}

/// A directory that goes when it is dropped.
struct TemporaryDir(PathBuf);

impl TemporaryDir {
    /// Makes one in `parent`, with a name that nothing else there has.
    fn create(parent: &Path) -> Result<Self> {
        let pid = std::process::id();
        let mut number = 0;
        loop {
            let path = parent.join(format!("godnum-bench-{pid}-{number}"));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(TemporaryDir(path)),
                // Left by a killed process that had our number, or in use by another thread.
                Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
                Err(e) => return Err(Error::io(IoAction::CreateDirectory, &path, e)),
            }
        }
    }
}

impl Drop for TemporaryDir {
    fn drop(&mut self) {
        // A failure cannot be reported here; what stays is in a directory for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;

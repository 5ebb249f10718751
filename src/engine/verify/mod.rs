//! Checks a job without the code that computed it.
//!
//! *Always*: every checksum, of the checkpoint inside a level too, the order of indices, the counts,
//! the tables, and the sums against the formulas. All files are looked at before the first that is
//! damaged is complained about: the error says which levels are intact (`files`).
//!
//! *For every class, or for a seeded sample*: its index is canonical; it is in neither of the two levels
//! before; its neighbours lie only in the level before, its own and the next; one of them lies in the
//! level before (unless it is a root); the states of a level are the sum of its orbits. Level 0 is
//! exactly the roots. Together these certify the distances: by induction on the level, a class in level k
//! has a path of k moves to a root, and no shorter one, because no move skips a level. And no class is in
//! two levels: if one were in levels j and k, its neighbour in level k - 1 would be near level j, too, and so
//! on down to a class that is in two levels which are next to each other or have one between them.
//!
//! In a layered space, the neighbours of a level must be exactly the next level instead. In a directed one,
//! where neighbours do not look back, every class but the roots must be a neighbour of some class of the level
//! before (so it has a path of k moves), no neighbour of level k may lie beyond level k + 1 (so whatever d
//! moves reach is in a level up to d), and each class must be in none of *all* levels before (so that level
//! is the only one it is in): then k is its distance.
//!
//! Where states exist that cannot be reached, they must together with those that were reached be all there
//! are; and if moves can be undone, none of them may have a reached neighbour.
//!
//! The neighbours are not looked up in bitmaps or by merging runs, as the engine does, but sorted
//! together with the class they come from and compared with the three level sets in one sweep. Where all classes
//! of a reversible space are checked, and a table of all indices fits in memory, that table says where they are
//! (`table`), which takes less time and needs no origin of a neighbour.

mod certificate;
mod classes;
mod files;
mod rest;
mod table;

pub use certificate::{CERTIFICATE, Certificate};
pub(super) use files::check_kept;
pub use rest::Unreached;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::earlier::EarlierLevels;
use super::job::Job;
use super::manifest::Manifest;
use super::{Observer, Subject, check_bound, check_totals, cores, par_map, salvage};
use crate::error::{Alternative, Error, LimitKind, Result};
use crate::space::{AnySpace, Index, Space};
use crate::store::Lock;
use crate::store::level_set::SortedSet;
use files::Damage;

/// With less memory than this, every few classes would need a sweep through three levels.
const LEAST: u64 = 64 << 20;

/// How much to check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Files and sums only.
    Files,
    /// And this many classes of each level, chosen by the seed.
    Sample(u64, u64),
    /// And every class.
    Full,
}

/// What was checked.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Findings {
    /// Levels whose files were read.
    pub levels: u32,
    /// Classes whose neighbours were checked.
    pub classes: u128,
    /// Neighbours that were looked for.
    pub neighbours: u128,
    /// What was not reached, if that was looked at.
    pub rest: Option<Unreached>,
    /// By level, the classes none of whose neighbours is farther; found if every class is checked. The
    /// last level of an unfinished job is missing.
    pub local_maxima: Vec<LocalMaxima>,
    /// What could not be checked, in sentences.
    pub left_out: Vec<String>,
    /// All of this, to be kept with the job.
    pub certificate: Option<Box<Certificate>>,
}

/// The classes of a level none of whose neighbours is in the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalMaxima {
    /// The level.
    pub level: u32,
    /// How many of its classes are local maxima.
    pub classes: u128,
    /// The states they stand for.
    pub states: u128,
}

/// Checks the job of `subject` in `dir`. What is damaged, or the first thing that is wrong, is returned as an
/// error.
///
/// ```
/// use std::sync::atomic::AtomicBool;
/// use godnum::engine::verify::{Extent, verify};
/// use godnum::engine::{self, Control, Options, Silent};
///
/// let puzzle = godnum::puzzles::registry::parse("tiles:2x3")?;
/// let subject = godnum::puzzle::subject(&*puzzle)?;
/// # let dir = std::env::temp_dir().join(format!("godnum-verify-{}", std::process::id()));
/// let stop = AtomicBool::new(false);
/// let control = Control { stop: &stop, observer: &Silent };
/// engine::enumerate(&subject, &dir, &Options::default(), control)?;
///
/// let findings = verify(&subject, &dir, Extent::Full, 64 << 20, &stop, &Silent)?;
/// assert_eq!((findings.levels, findings.classes), (22, 360));
/// # std::fs::remove_dir_all(&dir).unwrap();
/// # Ok::<(), godnum::error::Error>(())
/// ```
pub fn verify(
    subject: &dyn Subject,
    dir: &Path,
    extent: Extent,
    memory: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Findings> {
    verify_by(subject, dir, (extent, true), memory, stop, observer)
}

/// The same for every class, without a table of all indices, as where memory has no room for one: slower, and by
/// other code.
pub fn verify_without_table(
    subject: &dyn Subject,
    dir: &Path,
    memory: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Findings> {
    verify_by(subject, dir, (Extent::Full, false), memory, stop, observer)
}

/// Checks a job, and whether a table may be used for that.
fn verify_by(
    subject: &dyn Subject,
    dir: &Path,
    extent: (Extent, bool),
    memory: u64,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Findings> {
    let _unchanged = Lock::share(dir)?;
    let go_on = || go_on(stop);
    let examine = |error| salvage::examine(subject, dir, error, &go_on);
    let job = Job::open(dir).map_err(examine)?;
    job.check_subject(subject)?;
    let totals = subject.identity().totals;
    let manifest = job.manifest().map_err(examine)?;
    let pool = par_map::pool(cores())?;
    let mut findings = match subject.space() {
        AnySpace::Narrow(space) => {
            let verifier = Verifier::new(space, &job, &manifest, memory, stop, observer)?;
            pool.install(|| verifier.run(extent, totals.existing))?
        }
        AnySpace::Wide(space) => {
            let verifier = Verifier::new(space, &job, &manifest, memory, stop, observer)?;
            pool.install(|| verifier.run(extent, totals.existing))?
        }
    };
    findings.left_out.extend(files::leftovers(&job, &manifest)?);
    check_bound(&job, totals.classes, &manifest)?;
    if manifest.finished {
        check_totals(&totals, &job, &manifest)?;
        if totals.states.is_none() && findings.rest.is_none() {
            findings.left_out.push(match totals.existing {
                None => "the number of states: no independent count is known".into(),
                Some(_) => "what was not reached: only a full verification checks that".into(),
            });
        }
    } else {
        findings.left_out.push(
            "the job is not finished: sums are not checked against formulas, and neighbours beyond \
             the last level are not looked up"
                .into(),
        );
    }
    let direction = subject.space().direction();
    let certificate = Certificate::new(&job, &manifest, &totals, direction, extent.0, &findings);
    findings.certificate = Some(Box::new(certificate));
    Ok(findings)
}

fn go_on(stop: &AtomicBool) -> Result<()> {
    if stop.load(Relaxed) {
        return Err(Error::interrupted(
            "stopped before everything was checked; nothing wrong was found so far",
        ));
    }
    Ok(())
}

struct Verifier<'a, I> {
    space: &'a dyn Space<I>,
    job: &'a Job,
    manifest: &'a Manifest,
    memory: u64,
    /// Neighbours in hand at a time.
    batch: usize,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
    findings: Findings,
    /// In a directed space: all levels before the one in hand.
    earlier: EarlierLevels<I>,
}

impl<'a, I: Index> Verifier<'a, I> {
    fn new(
        space: &'a dyn Space<I>,
        job: &'a Job,
        manifest: &'a Manifest,
        memory: u64,
        stop: &'a AtomicBool,
        observer: &'a dyn Observer,
    ) -> Result<Self> {
        if memory < LEAST {
            return Err(Error::from(LimitKind::Memory {
                what: "verifying a job".into(),
                needed: LEAST,
                allowed: memory,
                or: Alternative::None,
            }));
        }
        // Links and the classes they come from take half; sorting and blocks have the rest.
        let batch = memory as usize / 2 / size_of::<classes::Link<I>>();
        Ok(Verifier {
            space,
            job,
            manifest,
            memory,
            // Sorting more than this would keep a stop signal waiting.
            batch: batch.min(1 << 25),
            stop,
            observer,
            findings: Findings::default(),
            earlier: EarlierLevels::within(memory / 16),
        })
    }

    fn run(mut self, (extent, tabled): (Extent, bool), existing: Option<u128>) -> Result<Findings> {
        let kept = self.manifest.kept_from..self.manifest.levels.len() as u32;
        if kept.start > 0 {
            self.findings.left_out.push(format!("the level sets below level {} were not kept", kept.start));
        }
        self.files()?;
        self.findings.levels = kept.len() as u32;
        if kept.start == 0 && !kept.is_empty() {
            self.roots()?;
        }
        if extent == Extent::Files {
            return Ok(self.findings);
        }
        if extent == Extent::Full && tabled && self.has_room_for_table() {
            self.by_table()?;
        } else {
            for level in kept.clone() {
                self.level(level, extent)?;
            }
        }
        if let Some(existing) = existing
            && extent == Extent::Full
            && self.manifest.finished
            && kept.start == 0
        {
            self.check_rest(existing)?;
        }
        Ok(self.findings)
    }

    fn wrong(&self, level: u32, what: String) -> Error {
        Error::verification(format!(
            "level {level} of {} is wrong: {what} ({})",
            self.job.description.puzzle,
            self.job.level_path(level).display()
        ))
    }

    fn go_on(&self) -> Result<()> {
        go_on(self.stop)
    }

    /// The level set of a level, which must be one of the manifest's.
    fn open(&self, level: u32) -> Result<SortedSet<I>> {
        self.job.open_level_while(&self.manifest.levels[level as usize], || self.go_on())
    }

    /// All files, by themselves and against the manifest.
    fn files(&self) -> Result<()> {
        let mut damage = Damage::new(self.job, self.manifest);
        let go_on = || self.go_on();
        for record in self.manifest.levels.iter().skip(self.manifest.kept_from as usize) {
            self.go_on()?;
            self.observer.note(&format!("level {}: reading", record.level));
            let result = files::check_level::<I>(self.job, record, go_on, |set| set.check(go_on));
            damage.level(record.level, result)?;
        }
        damage.check_checkpoint::<I>(&go_on)?;
        damage.check_tables()?;
        damage.check_records()?;
        damage.verdict()
    }

    fn roots(&self) -> Result<()> {
        let set = self.open(0)?;
        let mut found = Vec::new();
        for block in 0..set.blocks() {
            self.go_on()?;
            set.block(block, &mut found)?;
        }
        if found != self.space.roots() {
            return Err(self.wrong(0, "it is not the set of solved classes".into()));
        }
        Ok(())
    }
}

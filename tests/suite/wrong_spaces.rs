//! Puzzles that lie in one respect are walked into jobs that say they are of the true puzzle. Their
//! files are sound and their sums are their own; either the walk itself must notice, by the number of
//! states or classes that there are, or `verify` must, which asks the true puzzle.

use std::collections::HashMap;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use crate::common::silently;
use godnum::engine::verify::{Extent, verify, verify_without_table};
use godnum::engine::{self, ContainerKind, Description, Identity, Job, Options, Silent, Subject};
use godnum::error::Result;
use godnum::puzzle::{Rules, subject};
use godnum::puzzles::registry;

use godnum::space::{AnySpace, Direction, Space};
use godnum::store::disk::Disk;

/// What a liar says wrongly. Numbers choose the classes that it lies about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Nothing.
    None,
    /// One class in that many loses its last neighbour: that move goes one way only.
    MissingNeighbour(u64),
    /// Every class loses its last neighbour.
    MissingMove,
    /// One class in that many has some class far away as its neighbour: a move that cannot be undone.
    Shortcut(u64),
    /// One class in that many has itself in place of its first neighbour.
    Stays(u64),
    /// A neighbour is sometimes given by another index of its class ...
    OtherIndex(u64),
    /// ... or by both.
    BothIndices(u64),
    /// One class has another one as its neighbour, as if a move led there.
    Jump(u64, u64),
    /// Nothing leads to this class.
    Unreachable(u64),
    /// Classes in which symmetries keep a state count as if none did.
    IgnoresSymmetricStates,
    /// One class in that many counts a state too many, the next one a state too few.
    ShiftedStates(u64),
    /// No move leads back, so that nothing need be subtracted: classes come up again two levels later.
    NoWayBack,
    /// There is a root more.
    AnotherRoot,
    /// It is another one.
    WrongRoot,
}

/// A puzzle with the text and the totals of another one, and its space but for a lie.
struct Liar {
    truth: Box<dyn Rules>,
    lie: Lie,
    /// By class: another index of it. Made when it is first needed.
    twins: OnceLock<HashMap<u64, u64>>,
    /// A class that is no root.
    other: OnceLock<u64>,
}

impl Liar {
    fn new(text: &str, lie: Lie) -> Self {
        Liar { truth: registry::parse(text).unwrap(), lie, twins: OnceLock::new(), other: OnceLock::new() }
    }

    fn space(&self) -> &dyn Space<u64> {
        match self.truth.space() {
            Some(AnySpace::Narrow(space)) => space,
            _ => panic!("the puzzles of these tests have narrow indices"),
        }
    }

    /// Another index of the class, if there is one.
    fn twin(&self, class: u64) -> Option<u64> {
        let twins = self.twins.get_or_init(|| {
            let others = 0..self.space().universe();
            let of_class = |other| Some((self.space().canonical(other)?, other));
            others.filter_map(of_class).filter(|(class, other)| class != other).collect()
        });
        twins.get(&class).copied()
    }

    /// A class that is no root.
    fn other_class(&self) -> u64 {
        *self.other.get_or_init(|| {
            let roots = self.space().roots();
            let is_other =
                |&index: &u64| self.space().canonical(index) == Some(index) && !roots.contains(&index);
            (0..self.space().universe()).find(is_other).unwrap()
        })
    }
}

impl Space<u64> for Liar {
    fn universe(&self) -> u64 {
        Liar::space(self).universe()
    }

    fn roots(&self) -> Vec<u64> {
        let mut roots = Liar::space(self).roots();
        match self.lie {
            Lie::AnotherRoot => roots.push(self.other_class()),
            Lie::WrongRoot => roots = vec![self.other_class()],
            _ => {}
        }
        roots.sort_unstable();
        roots
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        let space = Liar::space(self);
        for class in batch {
            let start = candidates.len();
            space.expand(std::slice::from_ref(class), candidates);
            if candidates.len() == start {
                continue;
            }
            match self.lie {
                Lie::MissingNeighbour(share) if class % share == 0 => {
                    candidates.pop();
                }
                Lie::MissingMove => {
                    candidates.pop();
                }
                Lie::Shortcut(share) if class % share == 0 => {
                    candidates[start] = self.other_class();
                }
                Lie::Stays(share) if class % share == 0 => candidates[start] = *class,
                Lie::OtherIndex(share) => {
                    for candidate in &mut candidates[start..] {
                        if *candidate % share == 0 {
                            *candidate = self.twin(*candidate).unwrap_or(*candidate);
                        }
                    }
                }
                Lie::BothIndices(share) => {
                    let chosen = candidates[start..].iter().filter(|&to| to % share == 0);
                    let twins: Vec<u64> = chosen.filter_map(|&to| self.twin(to)).collect();
                    candidates.extend(twins);
                }
                Lie::Jump(from, to) if *class == from => candidates.push(to),
                Lie::Unreachable(to) => candidates.retain(|&candidate| candidate != to),
                _ => {}
            }
        }
    }

    fn fanout(&self) -> usize {
        Liar::space(self).fanout()
    }

    fn states(&self, batch: &[u64]) -> u128 {
        let states = Liar::space(self).states(batch);
        let some = |share: u64, rest: u64| {
            let chosen = batch.iter().filter(|&class| class % share == rest);
            chosen.count() as u128
        };
        match self.lie {
            Lie::IgnoresSymmetricStates => batch.len() as u128 * u128::from(self.truth.group_order()),
            Lie::ShiftedStates(share) => states + some(share, 0) - some(share, 1),
            _ => states,
        }
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        Liar::space(self).canonical(index)
    }

    fn direction(&self) -> Direction {
        match self.lie {
            Lie::NoWayBack => Direction::Layered,
            _ => Liar::space(self).direction(),
        }
    }
}

impl Subject for Liar {
    fn identity(&self) -> Identity {
        subject(&*self.truth).unwrap().identity()
    }
    fn space(&self) -> AnySpace<'_> {
        AnySpace::Narrow(self)
    }
}

/// Who noticed a lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noticed {
    /// Nobody.
    Never,
    /// The walk: there are more or fewer states or classes than there can be.
    Walk,
    /// `verify`, given the true puzzle.
    Verify,
    /// Both, each by itself.
    Both,
}

/// Walks the liar into a job, up to a level.
fn walk(text: &str, lie: Lie, job: &Path, last: u32) -> Result<()> {
    let liar = Liar::new(text, lie);
    let stop = AtomicBool::new(false);
    let options = Options {
        memory: Some(8 << 20),
        threads: Some(1),
        max_level: Some(last),
        container: Some(ContainerKind::Sparse),
        ..Options::default()
    };
    // The check before a job begins would notice some of them already.
    let disk = Disk::new(None, 0);
    drop(Job::open_or_create(job, Description::of(&liar), &disk)?);
    engine::enumerate(&liar, job, &options, silently(&stop)).map(|_| ())
}

/// Walks the liar into a job, and has the job verified by the true puzzle, whatever the walk said.
fn noticed(text: &str, lie: Lie, job: &Path) -> Noticed {
    // A walk that goes back and forth must end, too.
    let walked = walk(text, lie, job, 400);
    let stop = AtomicBool::new(false);
    let truth = registry::parse(text).unwrap();
    let truth = subject(&*truth).unwrap();
    let verified = verify(&truth, job, Extent::Full, 64 << 20, &stop, &Silent).map(|_| ());
    let sorted = verify_without_table(&truth, job, 64 << 20, &stop, &Silent).map(|_| ());
    assert_eq!(verified.is_err(), sorted.is_err(), "{text} {lie:?}: {verified:?} {sorted:?}");
    for error in [&walked, &verified, &sorted].into_iter().filter_map(|r| r.as_ref().err()) {
        assert_eq!(error.exit_code(), 4, "{text} {lie:?}: {error}");
    }
    match (walked.is_err(), verified.is_err()) {
        (false, false) => Noticed::Never,
        (true, false) => Noticed::Walk,
        (false, true) => Noticed::Verify,
        (true, true) => Noticed::Both,
    }
}

/// The classes of a level of a job.
fn classes(job: &Path, level: u32) -> Vec<u64> {
    let job = Job::open(job).unwrap();
    let manifest = job.manifest().unwrap();
    let set = job.open_level::<u64>(&manifest.levels[level as usize]).unwrap();
    let mut classes = Vec::new();
    set.range(0, None, &mut classes).unwrap();
    classes
}

/// Puzzles of every kind in which moves can be taken back, with and without symmetries.
const PUZZLES: [&str; 6] = [
    "wrapslide:4x4:3",
    "wrapslide:4x4:4:fixed",
    "tiles:3x3",
    "tiles:2x4",
    "klotski:classic:from-goals",
    "gourds:rows-2-3-2:goal=0-1,2-5,4-6",
];

/// Whatever the sums tell, `verify` sees it by itself.
#[test]
fn every_lie_is_noticed_by_verify() {
    let lies = [
        Lie::MissingNeighbour(5),
        Lie::MissingMove,
        Lie::Shortcut(7),
        Lie::Stays(3),
        Lie::OtherIndex(3),
        Lie::BothIndices(3),
        Lie::IgnoresSymmetricStates,
        Lie::ShiftedStates(5),
        Lie::NoWayBack,
        Lie::AnotherRoot,
        Lie::WrongRoot,
    ];
    let dir = tempfile::tempdir().unwrap();
    for (number, text) in PUZZLES.into_iter().enumerate() {
        let job = |lie: usize| dir.path().join(format!("{number}-{lie}"));
        assert_eq!(noticed(text, Lie::None, &job(0)), Noticed::Never);
        let truth = registry::parse(text).unwrap();
        let alone = truth.group_order() == 1;
        for (i, lie) in (1..).zip(lies) {
            // Where every class is one state, there is nothing to lie about its states.
            let about_classes =
                matches!(lie, Lie::OtherIndex(_) | Lie::BothIndices(_) | Lie::IgnoresSymmetricStates);
            if alone && about_classes {
                continue;
            }
            let found = noticed(text, lie, &job(i));
            println!("{text} {lie:?}: {found:?}");
            assert!(matches!(found, Noticed::Verify | Noticed::Both), "{text} {lie:?}: {found:?}");
            // The sums tell when there are too many states or classes.
            if about_classes && lie != Lie::OtherIndex(3) && truth.totals().states.is_some() {
                assert_eq!(found, Noticed::Both, "{text} {lie:?}");
            }
        }
    }
}

/// A class that is one level too early, and whose neighbours are all near enough: only that nothing leads
/// to it tells.
#[test]
fn a_class_without_a_way_back_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    for (i, text) in PUZZLES.into_iter().enumerate() {
        let job = |what: &str| dir.path().join(format!("{what}-{i}"));
        assert_eq!(noticed(text, Lie::None, &job("true")), Noticed::Never);
        let last = Job::open(&job("true")).unwrap().manifest().unwrap();
        let last = last.levels.len() as u32 - 1;
        let from = classes(&job("true"), last - 2)[0];
        let to = classes(&job("true"), last)[0];
        let found = noticed(text, Lie::Jump(from, to), &job("false"));
        assert_eq!(found, Noticed::Verify, "{text}");
    }
}

/// In a layered space a level must be exactly what the one before leads to.
#[test]
fn lies_about_layers_are_noticed() {
    let lies = [Lie::MissingNeighbour(50), Lie::Stays(50), Lie::ShiftedStates(5), Lie::AnotherRoot];
    let dir = tempfile::tempdir().unwrap();
    for (i, lie) in lies.into_iter().enumerate() {
        let found = noticed("triangles:tri9", lie, &dir.path().join(i.to_string()));
        println!("triangles:tri9 {lie:?}: {found:?}");
        assert!(matches!(found, Noticed::Verify | Noticed::Both), "{lie:?}: {found:?}");
    }
}

/// Lies about the last level of a job that is not finished, each of which one check alone can see.
#[test]
fn every_check_notices_something_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let whole = |text: &str| {
        let job = dir.path().join(text);
        walk(text, Lie::None, &job, 400).unwrap();
        job
    };
    let (slides, pieces) = ("wrapslide:4x4:3", "triangles:tri9");
    let (slid, laid) = (whole(slides), whole(pieces));
    let honest = Liar::new(slides, Lie::None);
    let twin = classes(&slid, 3).into_iter().find_map(|class| honest.twin(class));
    let from = classes(&slid, 2)[0];
    // A full board leads nowhere.
    let full = classes(&laid, 9)[0];
    for (text, lie, last, words) in [
        (slides, Lie::Jump(from, twin.unwrap()), 3, "is not canonical"),
        (slides, Lie::NoWayBack, 2, "is in level 0, too"),
        (slides, Lie::Unreachable(classes(&slid, 3)[0]), 3, "neighbour"),
        (pieces, Lie::Jump(classes(&laid, 3)[0], full), 4, "no neighbour in the level before"),
    ] {
        let job = dir.path().join(words);
        walk(text, lie, &job, last).unwrap();
        let stop = AtomicBool::new(false);
        let truth = registry::parse(text).unwrap();
        let truth = subject(&*truth).unwrap();
        for error in [
            verify(&truth, &job, Extent::Full, 64 << 20, &stop, &Silent).unwrap_err(),
            verify_without_table(&truth, &job, 64 << 20, &stop, &Silent).unwrap_err(),
        ] {
            assert_eq!(error.exit_code(), 4, "{lie:?}: {error}");
            assert!(error.to_string().contains(words), "{lie:?}: {error}");
        }
    }
}

/// The level set of a liar in the job of the true puzzle: the file is sound, and its header is right.
#[test]
fn a_sound_file_of_another_job_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let (job, other) = (dir.path().join("true"), dir.path().join("false"));
    let text = "wrapslide:4x4:3";
    assert_eq!(noticed(text, Lie::None, &job), Noticed::Never);
    noticed(text, Lie::MissingNeighbour(5), &other);
    let level = "levels/00008.gls";
    let truth = std::fs::read(job.join(level)).unwrap();
    assert_ne!(std::fs::read(other.join(level)).unwrap(), truth);
    std::fs::copy(other.join(level), job.join(level)).unwrap();
    let stop = AtomicBool::new(false);
    let truth = registry::parse(text).unwrap();
    let truth = subject(&*truth).unwrap();
    let error = verify(&truth, &job, Extent::Files, 64 << 20, &stop, &Silent).unwrap_err();
    assert_eq!(error.exit_code(), 5, "{error}");
    assert!(error.to_string().contains("manifest names"), "{error}");
}

//! The table against sorting neighbours together with the classes they come from.

use std::sync::atomic::AtomicBool;

use super::super::{Extent, Findings};
use super::*;
use crate::engine::{self, Control, Job, Options, Silent};
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::space::AnySpace;

fn found(text: &str, max_level: Option<u32>, by_table: bool) -> Findings {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse(text).unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let options = Options { max_level, ..Options::default() };
    let outcome = engine::enumerate(&subject(&*puzzle).unwrap(), dir.path(), &options, control).unwrap();
    let job = Job::open(dir.path()).unwrap();
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("its indices are narrow") };
    let mut verifier = Verifier::new(space, &job, &outcome.manifest, 64 << 20, &stop, &Silent).unwrap();
    assert!(verifier.has_room_for_table());
    if by_table {
        verifier.by_table().unwrap();
    } else {
        for level in 0..outcome.manifest.levels.len() as u32 {
            verifier.level(level, Extent::Full).unwrap();
        }
    }
    verifier.findings
}

#[test]
fn both_find_the_same() {
    for (text, max_level) in [
        ("wrapslide:4x4:3", None),
        ("wrapslide:4x4:4", Some(7)),
        ("tiles:3x3", None),
        ("gourds:rows-2-3-2", None),
        ("klotski:classic", Some(60)),
    ] {
        let (table, sorted) = (found(text, max_level, true), found(text, max_level, false));
        assert_eq!(table.local_maxima, sorted.local_maxima, "{text}");
        assert_eq!((table.classes, table.neighbours), (sorted.classes, sorted.neighbours), "{text}");
    }
}

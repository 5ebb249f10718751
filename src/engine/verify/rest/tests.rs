//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::{self, Control, Job, Manifest, Options, Silent};
use crate::error::Error;
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::space::AnySpace;

/// What the unreached part of `klotski:all-2` comes to if that many states existed, and the levels
/// were those that `spoil` leaves of the true ones.
fn checked(existing: u128, spoil: impl Fn(&mut Manifest)) -> Result<Option<Unreached>> {
    let dir = tempfile::tempdir().unwrap();
    let puzzle = registry::parse("klotski:all-2").unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let options = Options::default();
    let outcome = engine::enumerate(&subject(&*puzzle).unwrap(), dir.path(), &options, control).unwrap();
    let mut manifest = outcome.manifest;
    spoil(&mut manifest);
    let job = Job::open(dir.path()).unwrap();
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("klotski has narrow indices") };
    let mut verifier = Verifier::new(space, &job, &manifest, 64 << 20, &stop, &Silent)?;
    verifier.check_rest(existing)?;
    Ok(verifier.findings.rest)
}

#[test]
fn reached_and_unreached_states_are_all_there_are() {
    let all = 1_299_392 + 289_522;
    let rest = checked(all, |_| {}).unwrap().unwrap();
    assert_eq!(rest.states, 289_522);
    let wrong = |result: Result<Option<Unreached>>| match result {
        Err(Error::Verification { fact: words, .. }) => words,
        other => panic!("{other:?}"),
    };
    let words = wrong(checked(all + 1, |_| {}));
    assert!(words.contains("but 1,588,915 exist"), "{words}");
    let words = wrong(checked(all, |manifest| {
        manifest.levels.pop();
    }));
    assert!(words.contains("is in no level, but its neighbour"), "{words}");
}

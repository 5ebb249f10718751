//! Tests of the module above.

use super::*;
use crate::engine::checkpoint::PartialLevel;

/// A sound manifest in the middle of level 2.
fn sound() -> Manifest {
    let record = |level: u32| LevelRecord {
        level,
        classes: 5,
        states: 40,
        bytes: 100,
        blocks_digest: 0,
        millis: 1,
        way: Way::Push,
        candidates: 50,
        bytes_written: 100,
        peak_rss: 0,
    };
    let mut manifest = Manifest::new(0);
    manifest.levels = vec![record(0), record(1)];
    manifest.checkpoint = Some(Checkpoint {
        level: 2,
        low: 64,
        high: 128,
        partial: Some(PartialLevel {
            bytes: 0,
            blocks_digest: 0,
            states: 0,
            drained: 90,
            carry: vec!["70".into(), "89".into()],
        }),
        ..Checkpoint::default()
    });
    manifest
}

/// Numbers that contradict each other, and numbers that no machine could have reached.
#[test]
fn every_flaw_is_noticed() {
    assert_eq!(sound().flaw(128), None);
    let wrong: [fn(&mut Manifest, &mut Checkpoint); 14] = [
        |manifest, _| manifest.closing_millis = u64::MAX,
        |_, checkpoint| checkpoint.expanded = 2,
        |manifest, _| manifest.levels[1].level = 2,
        |manifest, _| manifest.levels[0].classes = u128::MAX,
        |manifest, _| manifest.levels[1].states = u128::MAX,
        |manifest, _| manifest.kept_from = 3,
        |_, checkpoint| checkpoint.level = 3,
        |_, checkpoint| checkpoint.low = 100,
        |_, checkpoint| checkpoint.high = 80,
        |_, checkpoint| checkpoint.high = 129,
        |_, checkpoint| partial(checkpoint).drained = u128::MAX,
        |_, checkpoint| partial(checkpoint).carry[0] = "89".into(),
        |_, checkpoint| partial(checkpoint).carry[1] = "90".into(),
        |_, checkpoint| partial(checkpoint).carry[1] = "-1".into(),
    ];
    for (number, spoil) in wrong.into_iter().enumerate() {
        let mut manifest = sound();
        let mut checkpoint = manifest.checkpoint.take().unwrap_or_default();
        spoil(&mut manifest, &mut checkpoint);
        manifest.checkpoint = Some(checkpoint);
        assert!(manifest.flaw(128).is_some(), "number {number}");
    }
}

fn partial(checkpoint: &mut Checkpoint) -> &mut PartialLevel {
    checkpoint.partial.as_mut().unwrap()
}

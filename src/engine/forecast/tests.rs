//! Tests of the module above.

use super::*;
use crate::engine::Way;

/// Levels of 6x6 Wrapslide with two colours: classes, and bytes of their level sets.
const SEEN: [(u128, u64); 12] = [
    (1, 183),
    (1, 183),
    (5, 193),
    (47, 282),
    (356, 872),
    (2489, 3843),
    (17_484, 19_883),
    (109_672, 86_648),
    (525_914, 282_336),
    (1_358_619, 499_029),
    (894_674, 413_990),
    (42_484, 45_499),
];
const UNIVERSE: u128 = 94_143_280;
const CLASSES: u128 = 2_951_793;

fn levels(count: usize) -> Vec<LevelRecord> {
    let record = |(level, &(classes, bytes)): (usize, &(u128, u64))| LevelRecord {
        level: level as u32,
        classes,
        states: classes,
        bytes,
        blocks_digest: 0,
        millis: 0,
        way: Way::Push,
        candidates: 0,
        bytes_written: 0,
        peak_rss: 0,
    };
    SEEN[..count].iter().enumerate().map(record).collect()
}

#[test]
fn sizes_of_levels_are_learned_from_those_before() {
    // Levels whose size is known: the bytes for each class follow the level before.
    for (count, &(classes, bytes)) in SEEN.iter().enumerate().skip(6) {
        let effective = effective_universe(&levels(count), UNIVERSE, Some(CLASSES));
        let ratio = coded_bytes(classes, effective) as f64 / bytes as f64;
        assert!((0.7..1.4).contains(&ratio), "level {count}: {ratio}");
    }
    // Without any level, the number of classes is a better guess than the universe.
    let bytes = |universe| SEEN.iter().map(|&(classes, _)| coded_bytes(classes, universe)).sum::<u64>();
    let taken: u64 = SEEN.iter().map(|level| level.1).sum();
    let ratio = bytes(effective_universe(&[], UNIVERSE, Some(CLASSES))) as f64 / taken as f64;
    assert!((0.7..1.5).contains(&ratio), "{ratio}");
}

#[test]
fn the_next_level_is_not_expected_to_be_far_too_large() {
    let profile = SpaceProfile { universe: UNIVERSE, fanout: 20, total_classes: Some(CLASSES) };
    for (count, &(classes, bytes)) in SEEN.iter().enumerate().skip(6) {
        let forecast = profile.next(&levels(count));
        assert!(forecast.classes < 4 * classes + 1000, "level {count}: {}", forecast.classes);
        assert!(forecast.level_bytes < 3 * bytes + 1000, "level {count}: {}", forecast.level_bytes);
    }
}

#[test]
fn coded_sizes_are_bounded() {
    assert_eq!(coded_bytes(0, UNIVERSE), FRAME);
    // Everything is a bitmap, at the most.
    for count in [1, 1 << 10, 1 << 20, 1 << 26] {
        let bytes = u128::from(coded_bytes(count, UNIVERSE));
        assert!(bytes <= 27 * count / 8 + count / 80 + 300, "{count}: {bytes}");
    }
    assert!(coded_bytes(UNIVERSE, UNIVERSE) < 2 << 20);
    assert!(coded_bytes(u128::MAX, u128::MAX) > 1 << 60);
}

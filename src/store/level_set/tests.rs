use std::collections::BTreeSet;
use std::path::Path;

use proptest::prelude::*;

use super::block::{self, Packing};
use super::*;
use crate::error::Result;
use crate::store::disk::Disk;

fn about(level: u32) -> About {
    About {
        kind: Kind::Level,
        puzzle: "test".into(),
        scheme: 1,
        level,
        universe: 1 << 40,
    }
}

fn write(path: &Path, indices: &[u64]) -> (Totals, u64) {
    let disk = Disk::new(None, 0);
    let mut writer = SetWriter::<u64>::create(&disk, path, &about(3)).unwrap();
    for piece in indices.chunks(BLOCK) {
        let mut bytes = Vec::new();
        block::encode(piece, Packing::Small, &mut bytes);
        let states = piece.len() as u128 * 2;
        writer.append(&CodedBlock { bytes, states }).unwrap();
    }
    writer.end(true).unwrap()
}

fn read(set: &SortedSet<u64>) -> Vec<u64> {
    let mut all = Vec::new();
    for block in 0..set.blocks() {
        set.block(block, &mut all).unwrap();
    }
    all
}

/// Some 10,000 indices with gaps of all sizes.
fn sample() -> Vec<u64> {
    let mut index = 5;
    let mut gaps = (1u64..).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (40 + i % 24));
    (0..10_000)
        .map(|_| {
            index += 1 + gaps.next().unwrap();
            index
        })
        .collect()
}

#[test]
fn a_file_reads_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let indices = sample();
    let (totals, length) = write(&path, &indices);
    assert_eq!(totals.count, 10_000);
    assert_eq!(totals.states, 20_000);
    assert_eq!(std::fs::metadata(&path).unwrap().len(), length);
    let set = SortedSet::<u64>::open(&path, &about(3)).unwrap();
    assert_eq!(set.totals(), totals);
    assert_eq!(read(&set), indices);
    set.check(|| Ok(())).unwrap();
    for probe in [4, 5, indices[0], indices[5000], indices[9999], 1 << 39] {
        assert_eq!(set.contains(probe).unwrap(), indices.contains(&probe));
    }
}

#[test]
fn every_flipped_byte_and_every_truncation_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    write(&path, &sample()[..300]);
    let whole = std::fs::read(&path).unwrap();
    let sound = || -> Result<()> {
        let set = SortedSet::<u64>::open(&path, &about(3))?;
        set.check(|| Ok(()))
    };
    sound().unwrap();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&path, &bytes).unwrap();
        let error = sound().unwrap_err();
        assert_eq!(error.exit_code(), 5, "byte {at}: {error}");
        std::fs::write(&path, &whole[..at]).unwrap();
        let error = sound().unwrap_err();
        assert_eq!(error.exit_code(), 5, "cut at {at}: {error}");
    }
}

/// Every part of such a file is sound by itself.
#[test]
fn a_block_of_another_file_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    write(&path, &[10, 15, 17]);
    let other = std::fs::read(&path).unwrap();
    write(&path, &[10, 12, 17]);
    let mut whole = std::fs::read(&path).unwrap();
    let start = about(3).header(u64::BITS).len();
    let end = whole.len() - TRAILER - ENTRY;
    whole[start..end].copy_from_slice(&other[start..end]);
    std::fs::write(&path, &whole).unwrap();
    let set = SortedSet::<u64>::open(&path, &about(3)).unwrap();
    assert_eq!(read(&set), [10, 15, 17]);
    let error = set.check(|| Ok(())).unwrap_err();
    assert!(error.to_string().contains("do not add up"), "{error}");
}

#[test]
fn errors_tell_the_kinds_apart() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let open = || match SortedSet::<u64>::open(&path, &about(3)) {
        Ok(_) => panic!("opened"),
        Err(error) => error.to_string(),
    };
    assert!(open().contains("missing"));
    std::fs::write(
        &path,
        b"something else entirely, and long enough to be a header",
    )
    .unwrap();
    assert!(open().contains("not a godnum level set"));
    write(&path, &sample());
    let whole = std::fs::read(&path).unwrap();
    let mut newer = whole.clone();
    newer[8] = 9;
    std::fs::write(&path, &newer).unwrap();
    assert!(open().contains("format 9"));
    std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    assert!(open().contains("the end of the file is missing"));
    std::fs::write(&path, &whole).unwrap();
    match SortedSet::<u64>::open(&path, &about(4)) {
        Ok(_) => panic!("opened"),
        Err(error) => assert!(error.to_string().contains("not level 4")),
    }
}

#[test]
fn a_file_that_shrinks_under_us_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    write(&path, &sample());
    let set = SortedSet::<u64>::open(&path, &about(3)).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(100).unwrap();
    let error = set.block(1, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("lost its end"), "{error}");
}

#[test]
fn writing_goes_on_after_a_checkpoint() {
    let dir = tempfile::tempdir().unwrap();
    let (straight, broken) = (dir.path().join("a.gls"), dir.path().join("b.gls"));
    let indices = sample();
    write(&straight, &indices);
    let disk = Disk::new(None, 0);
    let coded = |piece: &[u64]| {
        let mut bytes = Vec::new();
        block::encode(piece, Packing::Small, &mut bytes);
        let states = piece.len() as u128 * 2;
        CodedBlock { bytes, states }
    };
    let mut pieces = indices.chunks(BLOCK).map(coded);
    let mut writer = SetWriter::<u64>::create(&disk, &broken, &about(3)).unwrap();
    writer.append(&pieces.next().unwrap()).unwrap();
    let (bytes, chain, states) = writer.progress();
    writer.sync().unwrap();
    // Written after the checkpoint, so it must vanish.
    writer.append(&coded(&[1 << 39])).unwrap();
    writer.sync().unwrap();
    drop(writer);
    let reopen = |safe| SetWriter::<u64>::reopen(&disk, &broken, &about(3), safe, states);
    assert!(reopen((bytes, chain ^ 1)).is_err());
    let mut writer = reopen((bytes, chain)).unwrap();
    for piece in pieces {
        writer.append(&piece).unwrap();
    }
    writer.end(true).unwrap();
    assert_eq!(
        std::fs::read(straight).unwrap(),
        std::fs::read(broken).unwrap()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranges_and_differences_are_those_of_sets(
        set in proptest::collection::btree_set(0u64..50_000, 0..9_000),
        list in proptest::collection::btree_set(0u64..50_000, 0..200),
        low in 0u64..50_000,
        length in 0u64..50_000,
    ) {
        let stored: Vec<u64> = set.iter().copied().collect();
        let run = SortedSet::in_memory(&stored);
        prop_assert_eq!(read(&run), stored);
        let mut range = Vec::new();
        run.range(low, Some(low + length), &mut range).unwrap();
        let expected: Vec<u64> = set.range(low..low + length).copied().collect();
        prop_assert_eq!(range, expected);
        let mut left: Vec<u64> = list.iter().copied().collect();
        run.subtract_from(&mut left).unwrap();
        let expected: BTreeSet<u64> = list.difference(&set).copied().collect();
        prop_assert_eq!(left, expected.into_iter().collect::<Vec<_>>());
        for probe in list {
            prop_assert_eq!(run.contains(probe).unwrap(), set.contains(&probe));
        }
    }
}

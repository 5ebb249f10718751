use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use proptest::prelude::*;

use super::block::{self, Packing};
use super::*;
use crate::error::{Error, Result};
use crate::store::disk::Disk;
use crate::store::files::{Directory, Files, Input, Output, System};

fn about(level: u32) -> SetHeader {
    SetHeader {
        kind: SetKind::Level,
        puzzle: "test".into(),
        content: None,
        scheme: 1,
        level,
        universe: 1 << 40,
    }
}

fn write(path: &Path, indices: &[u64]) -> (SetTotals, u64) {
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
    let start = about(3).length() as usize;
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
    std::fs::write(&path, b"something else entirely, and long enough to be a header").unwrap();
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
    assert!(error.to_string().contains("is truncated"), "{error}");
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
    let (bytes, blocks_digest, states) = writer.progress();
    writer.sync().unwrap();
    // Written after the checkpoint, so it must vanish.
    writer.append(&coded(&[1 << 39])).unwrap();
    writer.sync().unwrap();
    drop(writer);
    let reopen = |safe| SetWriter::<u64>::reopen(&disk, &broken, &about(3), safe, states, || Ok(()));
    assert!(reopen((bytes, blocks_digest ^ 1)).is_err());
    let stop = || Err(Error::interrupted("stopped"));
    let safe = (bytes, blocks_digest);
    assert!(SetWriter::<u64>::reopen(&disk, &broken, &about(3), safe, states, stop).is_err());
    let mut writer = reopen((bytes, blocks_digest)).unwrap();
    for piece in pieces {
        writer.append(&piece).unwrap();
    }
    writer.end(true).unwrap();
    assert_eq!(std::fs::read(straight).unwrap(), std::fs::read(broken).unwrap());
}

/// The indices of a set whose block index has many pages, by their positions.
fn large(position: u64) -> u64 {
    7 + 3 * position + position / 1000
}

/// Blocks of it.
const LARGE: u64 = 1200;

fn write_large<'d>(disk: &'d Disk, path: &Path, blocks: u64) -> SetWriter<'d, u64> {
    let mut writer = SetWriter::<u64>::create(disk, path, &about(3)).unwrap();
    (0..blocks).for_each(|number| writer.append(&large_block(number)).unwrap());
    writer
}

fn large_block(number: u64) -> CodedBlock {
    let from = number * BLOCK as u64;
    let indices: Vec<u64> = (from..from + BLOCK as u64).map(large).collect();
    CodedBlock { states: 1, ..CodedBlock::of_run(&indices) }
}

/// Whatever is asked of a set of which only some pages of the block index are in memory.
#[test]
fn a_set_with_many_pages_answers_like_one_in_memory() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    write_large(&disk, &path, LARGE).end(false).unwrap();
    let set = SortedSet::<u64>::open(&path, &about(3)).unwrap();
    assert_eq!(set.blocks() as u64, LARGE);
    assert!(set.memory() < LARGE as usize * size_of::<BlockEntry<u64>>(), "{}", set.memory());
    set.check(|| Ok(())).unwrap();
    let count = LARGE * BLOCK as u64;
    let end = large(count - 1);
    // Some near the borders of pages and blocks, in no order, some anywhere.
    let borders = [0, 255, 256, 257, 511, 512, 1199].map(|block| block * BLOCK as u64);
    let mut positions: Vec<u64> = borders.iter().flat_map(|&at| [at.saturating_sub(1), at, at + 1]).collect();
    positions.extend((0..200u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count));
    for &at in &positions {
        assert_eq!(set.nth(at.into()).unwrap(), Some(large(at)));
        assert!(set.contains(large(at)).unwrap());
        assert!(!set.contains(large(at) + 1).unwrap());
        let block = set.blocks_in(large(at), None).unwrap().start;
        assert_eq!(block as u64, at / BLOCK as u64);
        assert_eq!(set.first_of(block).unwrap(), large(block as u64 * BLOCK as u64));
        let (low, high) = (large(at), large(at) + 40_000);
        let mut found = Vec::new();
        set.range(low, Some(high), &mut found).unwrap();
        assert!(found.iter().copied().eq((at..count).map(large).take_while(|&i| i < high)));
        let mut visited = Vec::new();
        set.visit(low, high, |index| visited.push(index)).unwrap();
        assert_eq!(visited, found);
    }
    positions.sort_unstable();
    let mut cursor = set.cursor();
    for &at in &positions {
        assert_eq!(cursor.find(large(at)).unwrap(), Some(at));
    }
    assert_eq!(cursor.find(end + 5).unwrap(), None);
    assert!(set.contains(end).unwrap() && !set.contains(0).unwrap());
    assert_eq!(set.nth(count.into()).unwrap(), None);
}

/// The file is what a writer gives that keeps every entry in memory, and nothing stays beside it.
#[test]
fn a_writer_keeps_its_index_beside_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let names = || {
        let names = std::fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.into_string().unwrap()).collect::<BTreeSet<_>>()
    };
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    let mut writer = write_large(&disk, &path, 400);
    assert_eq!(names(), ["set.gls", "set.gls.index.part"].map(String::from).into());
    let (length, digest, states) = writer.progress();
    writer.sync().unwrap();
    drop(writer);
    assert_eq!(names(), ["set.gls"].map(String::from).into());
    let mut writer =
        SetWriter::<u64>::reopen(&disk, &path, &about(3), (length, digest), states, || Ok(())).unwrap();
    (400..500).for_each(|number| writer.append(&large_block(number)).unwrap());
    let (totals, end) = writer.end(true).unwrap();
    assert_eq!(names(), ["set.gls"].map(String::from).into());
    assert_eq!((totals.count, totals.states), (500 * BLOCK as u128, 500));
    assert_eq!(disk.used(), end);

    let mut expected = about(3).bytes(u64::BITS);
    let mut entries = Vec::new();
    let start = expected.len();
    for number in 0..500 {
        entries.extend_from_slice(&u128::from(large(number * BLOCK as u64)).to_le_bytes());
        entries.extend_from_slice(&((expected.len() - start) as u64).to_le_bytes());
        expected.extend_from_slice(&large_block(number).bytes);
    }
    entries.extend_from_slice(&500u64.to_le_bytes());
    entries.extend_from_slice(&totals.count.to_le_bytes());
    entries.extend_from_slice(&totals.states.to_le_bytes());
    entries.extend_from_slice(&totals.blocks_digest.to_le_bytes());
    let checksum = xxhash_rust::xxh3::xxh3_64(&entries);
    expected.extend_from_slice(&entries);
    expected.extend_from_slice(&checksum.to_le_bytes());
    expected.extend_from_slice(END);
    assert_eq!(std::fs::read(&path).unwrap(), expected);
}

#[test]
fn what_was_written_beside_the_file_is_checked() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let beside = dir.path().join("set.gls.index.part");
    let disk = Disk::new(None, 0);
    for spoil in [|bytes: &mut Vec<u8>| bytes[77] ^= 1, |bytes: &mut Vec<u8>| bytes.truncate(2000)] {
        let mut writer = write_large(&disk, &path, 400);
        let mut bytes = std::fs::read(&beside).unwrap();
        spoil(&mut bytes);
        std::fs::write(&beside, bytes).unwrap();
        let error = writer.end(false).unwrap_err();
        assert!(error.to_string().contains("index.part"), "{error}");
        assert_eq!(error.exit_code(), 1);
        drop(writer);
        assert!(!beside.exists());
    }
}

/// A page of the block index is checked whenever it is read again.
#[test]
fn a_block_index_that_changes_while_the_set_is_open_is_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    write_large(&disk, &path, 2000).end(false).unwrap();
    let set = SortedSet::<u64>::open(&path, &about(3)).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    let entry = set.file_length() - (TRAILER + 3 * ENTRY) as u64;
    // The lowest byte of the first index of one of the last blocks.
    std::os::unix::fs::FileExt::write_at(&file, &[0xEE], entry).unwrap();
    let error = set.block(1999, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("not what it was when the file was opened"), "{error}");
    assert_eq!(error.exit_code(), 5);
    // The others are as they were.
    set.block(3, &mut Vec::new()).unwrap();
}

/// Reads that fail, one of them or all from one on, or find the file cut.
#[derive(Debug)]
struct BadReads {
    good: Arc<AtomicUsize>,
    kind: Option<ErrorKind>,
}

#[derive(Debug)]
struct BadInput(Box<dyn Input>, Arc<AtomicUsize>, Option<ErrorKind>);

impl Files for BadReads {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        System.create_dir(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn Output>> {
        System.create(path)
    }
    fn reopen(&self, path: &Path, length: u64) -> io::Result<Box<dyn Output>> {
        System.reopen(path, length)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        System.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        System.remove(path)
    }
    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        System.remove_dir(path)
    }
    fn open_dir(&self, path: &Path) -> io::Result<Box<dyn Directory>> {
        System.open_dir(path)
    }
    fn open(&self, path: &Path) -> io::Result<Box<dyn Input>> {
        Ok(Box::new(BadInput(System.open(path)?, self.good.clone(), self.kind)))
    }
}

impl Input for BadInput {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        let more = |left: usize| left.checked_sub(1);
        match self.1.fetch_update(Relaxed, Relaxed, more) {
            Ok(_) => self.0.read_exact_at(bytes, offset),
            Err(_) => Err(self.2.map_or(io::Error::from_raw_os_error(5), io::Error::from)),
        }
    }
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
}

/// Who wants to stop does not wait until a long block index is read.
#[test]
fn opening_stops_at_any_page_of_the_block_index() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    write_large(&disk, &path, LARGE).end(false).unwrap();
    let files: Arc<dyn Files> = Arc::new(System);
    for pages in 0.. {
        let asked = AtomicUsize::new(0);
        let opened = SortedSet::<u64>::open_with(&files, &path, &about(3), || {
            match asked.fetch_add(1, Relaxed) == pages {
                true => Err(Error::interrupted("enough")),
                false => Ok(()),
            }
        });
        match opened.map(|_| ()) {
            Ok(()) => {
                assert!(pages >= 3, "{pages} pages only");
                return;
            }
            Err(error) => assert!(matches!(error, Error::Interrupted(_)), "{error}"),
        }
        assert_eq!(asked.load(Relaxed), pages + 1);
    }
}

#[test]
fn a_read_that_fails_is_an_error_wherever_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    write_large(&disk, &path, LARGE).end(false).unwrap();
    for (kind, code, words) in [(None, 1, "cannot read"), (Some(ErrorKind::UnexpectedEof), 5, "the file")] {
        let good = Arc::new(AtomicUsize::new(usize::MAX));
        let files: Arc<dyn Files> = Arc::new(BadReads { good: good.clone(), kind });
        let open = || SortedSet::<u64>::open_with(&files, &path, &about(3), || Ok(()));
        let is_told = |result: Result<()>| {
            let error = result.unwrap_err();
            assert_eq!(error.exit_code(), code, "{error}");
            let text = error.to_string();
            assert!(text.contains("set.gls") && text.contains(words), "{text}");
        };
        // Opening: every read of it.
        let mut reads = 0;
        loop {
            good.store(reads, Relaxed);
            match open() {
                Ok(_) => break,
                Err(error) => is_told(Err(error)),
            }
            reads += 1;
        }
        assert!(reads >= 4, "{reads}");
        good.store(usize::MAX, Relaxed);
        let set = open().unwrap();
        let far = large(700 * BLOCK as u64);
        let some: [&dyn Fn() -> Result<()>; 8] = [
            &|| set.block(700, &mut Vec::new()),
            &|| set.contains(far).map(|_| ()),
            &|| set.nth(700 * BLOCK as u128).map(|_| ()),
            &|| set.range(far, None, &mut Vec::new()),
            &|| set.visit(far, far + 100_000, |_| ()),
            &|| set.cursor().find(far).map(|_| ()),
            &|| set.check(|| Ok(())),
            &|| set.subtract_from(&mut vec![far]),
        ];
        for ask in some {
            good.store(0, Relaxed);
            is_told(ask());
            good.store(usize::MAX, Relaxed);
            ask().unwrap();
        }
        // While it is continued.
        let mut writer = write_large(&disk, &dir.path().join("half.gls"), 300);
        let (length, digest, states) = writer.progress();
        writer.sync().unwrap();
        let bad = Disk::on(files.clone(), None, 0);
        good.store(3, Relaxed);
        let half = dir.path().join("half.gls");
        let again = SetWriter::<u64>::reopen(&bad, &half, &about(3), (length, digest), states, || Ok(()));
        assert_eq!(again.map(|_| ()).unwrap_err().exit_code(), code);
    }
}

/// The header tells the content of the puzzle's file; those of the first format do not.
#[test]
fn a_set_of_another_content_is_refused_and_one_without_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("set.gls");
    let disk = Disk::new(None, 0);
    let with = |content| SetHeader { content, ..about(3) };
    let make = |content| {
        let mut writer = SetWriter::<u64>::create(&disk, &path, &with(content)).unwrap();
        writer.append(&CodedBlock::of_run(&[3u64, 5])).unwrap();
        let progress = writer.progress();
        writer.end(true).unwrap();
        progress
    };
    let (length, digest, _) = make(None);
    for wanted in [None, Some(1)] {
        assert_eq!(read(&SortedSet::open(&path, &with(wanted)).unwrap()), [3, 5]);
        let safe = (length, digest);
        let mut writer = SetWriter::<u64>::reopen(&disk, &path, &with(wanted), safe, 0, || Ok(())).unwrap();
        let (_, end) = writer.end(true).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().len(), end);
    }
    assert_eq!(SetHeader::read(&path).unwrap(), with(None));
    make(Some(1));
    assert_eq!(SetHeader::read(&path).unwrap(), with(Some(1)));
    assert_eq!(read(&SortedSet::open(&path, &with(Some(1))).unwrap()), [3, 5]);
    for wanted in [None, Some(2)] {
        let error = SortedSet::<u64>::open(&path, &with(wanted)).map(|_| ()).unwrap_err();
        assert_eq!(error.exit_code(), 5, "{error}");
    }
    let error = SortedSet::<u64>::open(&path, &with(Some(2))).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("file content 0000000000000001"), "{error}");
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

//! Samples are resumed, enlarged, repeated on other threads; their journals are checked.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::Silent;

struct SampleJob {
    dir: tempfile::TempDir,
    puzzle: Box<dyn Rules>,
}

impl SampleJob {
    fn new() -> Self {
        SampleJob { dir: tempfile::tempdir().unwrap(), puzzle: registry::parse("wrapslide:4x4:3").unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn take(&self, name: &str, seed: u64, count: u64, threads: usize) -> Result<Sampled> {
        let stop = AtomicBool::new(false);
        let control = Control { stop: &stop, observer: &Silent };
        let plan = SamplePlan {
            puzzle: &*self.puzzle,
            solver: None,
            scramble: Scrambling::Uniform,
            seed,
            count,
            time: None,
        };
        let options = StudyOptions {
            memory: Some(64 << 20),
            threads: Some(threads),
            cache: Some(self.path("cache")),
            ..StudyOptions::default()
        };
        sample(&plan, &self.path(name), &options, control)
    }
}

/// The rows without their times.
fn essence(sampled: &Sampled) -> Vec<SampleRow> {
    let timeless = |row: &SampleRow| SampleRow { seconds: 0.0, ..row.clone() };
    sampled.rows.iter().map(timeless).collect()
}

fn journal(dir: &Path) -> String {
    fs::read_to_string(dir.join(ROWS)).unwrap()
}

/// Changes what `sample.json` says about the journal.
fn vouch(dir: &Path, journal: Option<JournalSeal>) {
    let (mut about, _): (SampleHeader, _) = sealed::unseal(&dir.join(ABOUT)).unwrap();
    about.journal = journal;
    fs::write(dir.join(ABOUT), sealed::seal(&about).unwrap().0).unwrap();
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let place = SampleJob::new();
    let whole = place.take("whole", 7, 40, 1).unwrap();
    assert_eq!(whole.rows.len(), 40);
    assert_eq!(journal(&place.path("whole")), whole.csv());
    assert!(whole.rows.iter().all(|row| row.proof == Optimality::Optimal));
    assert_eq!(essence(&place.take("threads", 7, 40, 3).unwrap()), essence(&whole));
    assert_ne!(essence(&place.take("other", 8, 40, 1).unwrap()), essence(&whole));

    // Step by step, and killed at every possible place of the last two rows.
    let steps = place.path("steps");
    place.take("steps", 7, 5, 2).unwrap();
    let five = journal(&steps);
    let lines: Vec<usize> = five.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in lines[3]..=five.len() {
        let seal = JournalSeal {
            bytes: lines[3] as u64,
            checksum: xxhash_rust::xxh3::xxh3_64(&five.as_bytes()[..lines[3]]),
            tail: five[lines[3]..].into(),
        };
        vouch(&steps, Some(seal));
        fs::write(steps.join(ROWS), &five[..cut]).unwrap();
        let checked = check(&steps).unwrap().unwrap();
        assert_eq!(checked.rows, 5, "no row is lost");
        assert_eq!(checked.left_out.len(), if cut < five.len() { 2 } else { 1 });
        place.take("steps", 7, 5, 1).unwrap();
        assert_eq!(journal(&steps), five);
    }
    // Older versions did not vouch for rows: a torn one is made again.
    let four = lines[4];
    for cut in four..five.len() {
        vouch(&steps, None);
        fs::write(steps.join(ROWS), &five[..cut]).unwrap();
        let again = place.take("steps", 7, 5, 1).unwrap();
        assert_eq!(essence(&again), essence(&whole)[..5]);
        assert!(journal(&steps).starts_with(&five[..four]));
        assert_eq!(check(&steps).unwrap().unwrap().left_out.len(), 1);
    }
    assert_eq!(essence(&place.take("steps", 7, 40, 2).unwrap()), essence(&whole));
    // Fewer are a part of what is there, and nothing is lost.
    assert_eq!(essence(&place.take("steps", 7, 3, 2).unwrap()), essence(&whole)[..3]);
    assert_eq!(journal(&place.path("steps")).lines().count(), 41);
}

#[test]
fn rows_are_not_believed() {
    let place = SampleJob::new();
    let sampled = place.take("sample", 3, 4, 1).unwrap();
    let path = place.path("sample").join(ROWS);
    let sound = journal(&place.path("sample"));
    let lines: Vec<&str> = sound.lines().collect();
    let row = &sampled.rows[1];
    let with = |cells: [&str; 6]| {
        let mut lines = lines.clone();
        let line = cells.join(",");
        lines[2] = &line;
        lines.join("\n") + "\n"
    };
    let length = row.length.unwrap().to_string();
    let (longer, cut) = (format!("{} T1 T3", row.moves), &row.moves[3..]);
    let more = (row.length.unwrap() + 2).to_string();
    let damaged = [
        with(["3", &row.state, &length, "yes", "0.1", &row.moves]),
        with(["2", &sampled.rows[0].state, &length, "yes", "0.1", &row.moves]),
        with(["2", &row.state, &more, "yes", "0.1", &row.moves]),
        with(["2", &row.state, &length, "perhaps", "0.1", &row.moves]),
        with(["2", &row.state, &length, "yes", "-1", &row.moves]),
        with(["2", &row.state, &length, "yes", "0.1", cut]),
        with(["2", &row.state, &length, "yes", "0.1", &longer]),
        with(["2", &row.state, "", "yes", "0.1", ""]),
        with(["2", &row.state, "", "no", "0.1", &row.moves]),
        sound.replacen("instance", "Instance", 1),
        lines[1..].join("\n") + "\n",
        [lines[0], lines[2], lines[1]].join("\n") + "\n",
        "x".into(),
    ];
    let sealed = fs::read(place.path("sample").join(ABOUT)).unwrap();
    for (text, seal) in damaged.iter().flat_map(|text| [(text, true), (text, false)]) {
        match seal {
            true => fs::write(place.path("sample").join(ABOUT), &sealed).unwrap(),
            false => vouch(&place.path("sample"), None),
        }
        fs::write(&path, text).unwrap();
        let error = check(&place.path("sample")).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{text}: {error}");
        let error = place.take("sample", 3, 4, 1).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{text}: {error}");
        assert!(matches!(&error, Error::Damaged { repair, .. } if **repair == Repair::Restore), "{error}");
        // Nothing was changed.
        assert_eq!(&fs::read_to_string(&path).unwrap(), text);
    }
    // A worse solution is a solution, and a state may be unsolved.
    for text in [
        with(["2", &row.state, &more, "no", "0.1", &format!("T1 T3 {}", row.moves)]),
        with(["2", &row.state, "", "time", "0.1", ""]),
    ] {
        fs::write(place.path("sample").join(ABOUT), &sealed).unwrap();
        fs::write(&path, &text).unwrap();
        let error = place.take("sample", 3, 4, 1).unwrap_err();
        assert!(matches!(error, Error::Damaged { .. }), "{error}");
        // But the rules do not tell that it was not found.
        vouch(&place.path("sample"), None);
        place.take("sample", 3, 4, 1).unwrap();
    }
}

/// Every byte of both files: flipped, and as the last one. Each column is covered.
#[test]
fn any_damaged_byte_of_a_sample_is_noticed() {
    let place = SampleJob::new();
    let dir = place.path("sample");
    place.take("sample", 3, 6, 1).unwrap();
    for name in [ABOUT, ROWS] {
        let path = dir.join(name);
        let sound = fs::read(&path).unwrap();
        for at in 0..sound.len() {
            let flipped = |mask: u8| {
                let mut bytes = sound.clone();
                bytes[at] ^= mask;
                bytes
            };
            for bytes in [flipped(1), flipped(0x20), sound[..at].to_vec()] {
                fs::write(&path, &bytes).unwrap();
                for result in [check(&dir).map(|_| ()), place.take("sample", 3, 6, 1).map(|_| ())] {
                    let error = result.unwrap_err();
                    assert!(matches!(error, Error::Damaged { .. }), "{at}: {error}");
                    assert!(error.to_string().contains(name), "{at}: {error}");
                }
                assert_eq!(fs::read(&path).unwrap(), bytes);
            }
        }
        fs::write(&path, &sound).unwrap();
    }
    check(&dir).unwrap();
}

#[test]
fn another_sample_is_refused() {
    let place = SampleJob::new();
    place.take("sample", 3, 2, 1).unwrap();
    let error = place.take("sample", 4, 2, 1).unwrap_err();
    assert!(matches!(error, Error::Directory { .. }), "{error}");
    assert!(error.to_string().contains("with seed 3"), "{error}");
    fs::write(place.path("sample").join("mine.txt"), "").unwrap();
    assert!(discard(&place.path("sample")).is_err());
    fs::remove_file(place.path("sample").join("mine.txt")).unwrap();
    let about = place.path("sample").join(ABOUT);
    let sound = fs::read(&about).unwrap();
    fs::remove_file(&about).unwrap();
    assert!(matches!(place.take("sample", 3, 2, 1), Err(Error::Damaged { .. })));
    fs::write(&about, &sound[..sound.len() - 9]).unwrap();
    assert!(matches!(place.take("sample", 3, 2, 1), Err(Error::Damaged { .. })));
    discard(&place.path("sample")).unwrap();
    assert!(!place.path("sample").exists());
    place.take("sample", 4, 2, 1).unwrap();
}

/// What could not begin leaves nothing behind.
#[test]
fn no_traces_of_what_could_not_start() {
    let place = SampleJob::new();
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, observer: &Silent };
    let plan = SamplePlan {
        puzzle: &*place.puzzle,
        solver: None,
        scramble: Scrambling::Uniform,
        seed: 1,
        count: 5,
        time: None,
    };
    let options = StudyOptions {
        memory: Some(64 << 20),
        threads: Some(1),
        cache: Some(place.path("cache")),
        ..StudyOptions::default()
    };
    let error = sample(&plan, &place.path("sample"), &options, control).unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)), "{error}");
    assert!(!place.path("sample").exists());
}

//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;

fn quick(dir: &Path) -> Bench {
    Bench { quick: true, repeat: 1, dir: dir.to_owned(), options: Options::default() }
}

#[test]
fn another_signature_is_a_failure() {
    let measured = Measured { jobs: Vec::new(), signature: 1, expected: 2 };
    assert_eq!(measured.check().map_err(|e| e.exit_code()), Err(4));
}

#[test]
fn nothing_stays_of_a_benchmark_that_was_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let control = Control { stop: &AtomicBool::new(true), observer: &Silent };
    let error = quick(dir.path()).run(control).unwrap_err();
    assert!(matches!(error, Error::Interrupted(_)), "{error}");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

/// The committed results are those of every job, the slow ones included.
#[test]
fn signatures_are_those_of_the_committed_results() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let mut signature = Xxh3::new();
    let mut add = |texts: &[&str]| {
        for text in texts {
            let puzzle = registry::parse(text).unwrap();
            assert_eq!(&puzzle.text(), text);
            let name = format!("{}.csv", job_name(&*puzzle));
            let levels = fs::read_to_string(results.join(name)).unwrap();
            sign(&mut signature, text, &levels);
        }
        signature.digest()
    };
    assert_eq!(add(QUICK), QUICK_SIGNATURE);
    assert_eq!(add(SLOW), FULL_SIGNATURE);
}

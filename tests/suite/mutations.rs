//! The mistakes of `tests/mutations.txt` can be made: what they replace is in the sources.
//! `scripts/mutations.sh` makes them and says who notices.

use std::fs;
use std::path::Path;

#[test]
fn every_mistake_can_be_made() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("tests/mutations.txt")).unwrap();
    let mistakes: Vec<&str> = text.split("\n\n").filter(|part| part.starts_with("== ")).collect();
    assert!(mistakes.len() > 70);
    for mistake in mistakes {
        let lines = |start: &str| -> Vec<&str> {
            mistake.lines().filter_map(|line| line.strip_prefix(start)).collect()
        };
        let [file] = lines("in ")[..] else { panic!("one file: {mistake}") };
        let source = fs::read_to_string(root.join(file)).unwrap();
        let piece = lines("- ").join("\n");
        assert_eq!(
            source.matches(&piece).count(),
            1,
            "{file} must contain this piece exactly once: {mistake}"
        );
        assert!(mistake.contains("WRONG"), "{mistake}");
    }
}

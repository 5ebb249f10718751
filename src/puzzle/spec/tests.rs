//! Tests of the module above.

use super::*;

const KNOWN: &[&str] = &["push", "goal="];

#[test]
fn options_are_taken_from_the_end() {
    let spec = PuzzleSpec::split("6x6:2:push:goal=0-1,2-3", KNOWN);
    assert_eq!((spec.subject, &spec.more[..]), ("6x6", &["2"][..]));
    assert_eq!(spec.options, ["push", "goal=0-1,2-3"]);
    assert_eq!(spec.value("goal"), Some("0-1,2-3"));
    assert!(spec.has_option("push") && spec.allow(1).is_ok() && spec.allow(0).is_err());
    let spec = PuzzleSpec::split("6x6:push:2", KNOWN);
    assert_eq!((spec.more.len(), spec.options.len()), (2, 0));
    assert!(PuzzleSpec::split("a:push:push", KNOWN).allow(0).is_err());
    assert!(PuzzleSpec::split("a:goal=1:goal=2", KNOWN).allow(0).is_err());
    assert_eq!(PuzzleSpec::split("", KNOWN).subject, "");
    // The subject itself is never an option.
    assert_eq!(PuzzleSpec::split("push", KNOWN).subject, "push");
}

#[test]
fn a_path_goes_on_to_the_last_options() {
    let spec = PuzzleSpec::split("@C:/a:b#1#two:push", KNOWN);
    let file = spec.file().unwrap();
    assert_eq!((file.path, file.board), ("C:/a:b#1", Some("two")));
    assert_eq!(spec.options, ["push"]);
    assert_eq!(PuzzleSpec::split("@x:push:y", KNOWN).subject, "@x:push:y");
    assert_eq!(PuzzleSpec::split("6x6", KNOWN).file(), None);
}

#[test]
fn given_content_is_taken_and_no_file_is_read() {
    let read = |text, content| {
        let spec = PuzzleSpec::with_files(text, KNOWN, FileSource::Given(content));
        spec.read(&spec.file().unwrap())
    };
    let content = read("@/etc/passwd#two:push", Some("one\n")).unwrap();
    assert_eq!(content.text, "one\n");
    let missing = read("@/etc/passwd", None).unwrap_err().to_string();
    assert!(missing.contains("is missing"), "{missing}");
    assert!(read("@", Some("one")).is_err());
    let large = "x".repeat((1 << 20) + 1);
    assert!(read("@x", Some(&large[1..])).is_ok());
    assert!(read("@x", Some(&large)).is_err());
    // The hash is that of a file with this content.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("same");
    std::fs::write(&path, "one\n").unwrap();
    let text = format!("@{}", path.display());
    let spec = PuzzleSpec::split(&text, KNOWN);
    assert_eq!(spec.read(&spec.file().unwrap()).unwrap().hash, content.hash);
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("binary");
    std::fs::write(&path, b"one\n\xff").unwrap();
    let name = |path| FileName { path, board: None };
    let why = name(path.to_str().unwrap()).read(false).unwrap_err().to_string();
    assert!(why.contains("line 2") && why.contains("binary"), "{why}");
    assert!(matches!(name("/nonexistent").read(false), Err(Error::Io { .. })));
    assert!(name("/dev/zero").read(false).is_err());
    let nameless = PuzzleSpec::split("@", KNOWN);
    assert!(nameless.read(&nameless.file().unwrap()).is_err());
}

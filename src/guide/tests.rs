//! Tests of the module above.

use super::*;

#[test]
fn links_become_their_text() {
    assert_eq!(without_links("see [`Space`](crate::space::Space)."), "see `Space`.");
    assert_eq!(without_links("a [b] and [c](d)"), "a [b] and c");
    assert_eq!(without_links("kind:subject[:option...]"), "kind:subject[:option...]");
}

#[test]
fn chapters_are_plain_text_in_a_terminal() {
    for chapter in CHAPTERS {
        let plain = chapter.plain();
        assert!(plain.starts_with("# "), "{} has no title", chapter.topic);
        assert!(!plain.contains("```"), "{} has a fence", chapter.topic);
        assert!(!plain.contains("]("), "{} has a link", chapter.topic);
    }
}

#[test]
fn every_file_is_a_chapter() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(topic) = name.strip_suffix(".md") {
            assert!(chapter(topic).is_some(), "{name} is not a chapter");
        }
    }
}

use super::*;

#[test]
fn edits_are_counted() {
    for (one, other, expected) in [
        ("", "", 0),
        ("classic", "classic", 0),
        ("Classic", "cLASSIC", 0),
        ("clasic", "classic", 1),
        ("calssic", "classic", 1),
        ("4x4:5", "4x4:4", 1),
        ("", "abc", 3),
        ("kitten", "sitting", 3),
        ("ab", "ba", 1),
    ] {
        assert_eq!(edits(one, other), expected, "{one} {other}");
        assert_eq!(edits(other, one), expected, "{other} {one}");
    }
}

#[test]
fn the_nearest_word_is_found_and_only_if_it_is_near() {
    let words = ["beam", "optimal", "thesis", "table"];
    assert_eq!(nearest("optmal", words), Some("optimal"));
    assert_eq!(nearest("BEAM", words), Some("beam"));
    assert_eq!(nearest("thesus", words), Some("thesis"));
    assert_eq!(nearest("bfs", words), None);
    assert_eq!(nearest("", words), None);
    assert_eq!(nearest(&"x".repeat(100_000), words), None);
}

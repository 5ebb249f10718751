//! Tests of the module above.

use super::*;

#[test]
fn a_puzzle_is_its_text_and_its_file() {
    let file = |columns: usize| format!("board b\ntype shape\nrows {}\n", ["o.o/.o", ".o./o.o"][columns]);
    let one = puzzle("gourds:@b", Some(&file(0))).unwrap();
    let other = puzzle("gourds:@b", Some(&file(1))).unwrap();
    assert_ne!(one.content(), other.content());
    assert!(puzzle("gourds:@b", None).is_err());
    assert_eq!(puzzle("gourds:@b", Some(&file(0))).unwrap().content(), one.content());
    for size in 2..9 {
        let text = format!("tiles:2x{size}");
        assert_eq!(puzzle(&text, None).unwrap().text(), text);
    }
    let cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(cache.len() <= KEPT);
}

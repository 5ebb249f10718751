//! Tests of the module above.

use super::*;

#[test]
fn the_first_names_are_listed_and_the_others_counted() {
    let dir = tempfile::tempdir().unwrap();
    for number in (0..5000).rev() {
        let ending = ["a", "b"][number % 2];
        std::fs::write(dir.path().join(format!("{number:05}.{ending}")), "").unwrap();
    }
    let all = Names::of(dir.path(), |_| true).unwrap();
    assert_eq!((all.first.len(), all.others), (LOOKED_AT, 5000 - LOOKED_AT));
    assert_eq!(all.first[1], "00001.b");
    let (found, unseen) = all.list(|name| name.strip_suffix(".a").map(str::to_owned));
    assert_eq!((found.len(), unseen), (LISTED, 5000 - (2 * LISTED - 1)));
    assert_eq!(found[LISTED - 1], "01998");
    let (found, unseen) = all.list(|name| name.strip_prefix('x').map(str::to_owned));
    assert_eq!((found.len(), unseen), (0, 5000 - LOOKED_AT));
    let few = Names::of(dir.path(), |entry| entry.file_name() < *"00005");
    let (found, unseen) = few.unwrap().list(|name| Some(name.clone()));
    assert_eq!((found.len(), unseen), (5, 0));
    let none = Names::of(&dir.path().join("none"), |_| true).unwrap();
    assert_eq!(none.list(|_| Some(())), (vec![], 0));
}

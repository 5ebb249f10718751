//! Tests of the module above.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::Silent;

fn with_bench<T>(dir: &Path, memory: u64, work: impl FnOnce(&Workbench<'_>) -> T) -> T {
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    work(&Workbench::new(dir.to_owned(), memory, 1, control))
}

#[test]
fn tables_are_built_once_and_again_when_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let name = TableName { name: "squares", version: 3, length: 1000, to_build: 2000 };
    let content: Vec<u8> = (0..1000).map(|i| (i * i % 251) as u8).collect();
    let build = |bench: &Workbench<'_>, name: &TableName<'_>| {
        let mut built = false;
        let table = bench.table(name, || {
            built = true;
            Ok(content.clone())
        });
        assert_eq!(table.unwrap()[..], content);
        built
    };
    with_bench(dir.path(), 5000, |bench| assert!(build(bench, &name)));
    with_bench(dir.path(), 5000, |bench| assert!(!build(bench, &name)));
    let path = dir.path().join("squares.table");
    let sound = std::fs::read(&path).unwrap();
    for at in (0..sound.len()).step_by(7).chain([sound.len() - 1]) {
        let mut damaged = sound.clone();
        damaged[at] ^= 16;
        std::fs::write(&path, damaged).unwrap();
        with_bench(dir.path(), 5000, |bench| assert!(build(bench, &name)));
        assert_eq!(std::fs::read(&path).unwrap(), sound);
    }
    std::fs::write(&path, &sound[..500]).unwrap();
    with_bench(dir.path(), 5000, |bench| assert!(build(bench, &name)));
    let newer = TableName { version: 4, ..name.clone() };
    with_bench(dir.path(), 5000, |bench| assert!(build(bench, &newer)));
    // Memory is a budget.
    with_bench(dir.path(), 999, |bench| {
        assert!(matches!(bench.table(&newer, || Ok(content.clone())), Err(Error::Limit(_))));
    });
    with_bench(dir.path(), 1999, |bench| {
        assert!(!build(bench, &newer));
        assert_eq!(bench.free(), 999);
        assert!(bench.table(&name, || Ok(content.clone())).is_err());
    });
}

//! The oldest Rust that Cargo.toml promises is enough for every dependency of the program. (For the program's own
//! code, clippy's `incompatible_msrv` checks it.)

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// `1.89` or `1.89.0` as numbers.
fn version(text: &str) -> Vec<u32> {
    let mut numbers: Vec<u32> = text.split('.').map(|part| part.parse().unwrap()).collect();
    numbers.resize(3, 0);
    numbers
}

/// The packages that are built into the program, or build it: those that tests alone need are left out.
fn needed(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let mut open = vec![metadata["resolve"]["root"].as_str().unwrap()];
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            let node = nodes.iter().find(|node| node["id"] == id).unwrap();
            let dependencies = node["deps"].as_array().unwrap().iter();
            let needed = dependencies.filter(|dependency| {
                dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"] != "dev")
            });
            open.extend(needed.map(|dependency| dependency["pkg"].as_str().unwrap()));
        }
    }
    seen
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let platform = ["--filter-platform", "x86_64-unknown-linux-gnu"];
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(platform)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let promised = version(env!("CARGO_PKG_RUST_VERSION"));
    let needed = needed(&metadata);
    assert!(needed.len() > 50, "{needed:?}");
    for package in metadata["packages"].as_array().unwrap() {
        let id = package["id"].as_str().unwrap();
        if let Some(wanted) = package["rust_version"].as_str().filter(|_| needed.contains(id)) {
            assert!(version(wanted) <= promised, "{id} needs Rust {wanted}");
        }
    }
}

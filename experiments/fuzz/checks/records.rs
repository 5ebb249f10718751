//! What counts and samples remember: `count.json`, `sample.json`, `sample.csv`. The first byte says
//! which of them follows, and whether its checksum is put right.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use godnum::bfs::manifest::seal;
use godnum::count;
use godnum::puzzle::registry;
use godnum::sample::{self, Options, Plan};
use serde::{Deserialize, Serialize};

/// `count.json`, field by field.
#[derive(Serialize, Deserialize)]
struct Count {
    format: u32,
    puzzle: String,
    index_scheme: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    parts: usize,
    millis: u64,
    done: BTreeMap<usize, String>,
}

/// `sample.json`, field by field.
#[derive(Serialize, Deserialize)]
struct Sample {
    format: u32,
    puzzle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    solver: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_millis: Option<u64>,
}

/// Reads a record.
pub fn check(data: &[u8]) {
    let Some((&choice, content)) = data.split_first() else {
        return;
    };
    match choice {
        b'c' => counted(content),
        b'C' => {
            if let Ok(record) = serde_json::from_slice::<Count>(content) {
                counted(&seal(&record).unwrap().0);
            }
        }
        b'a' => sampled(content, b""),
        b'A' => {
            if let Ok(about) = serde_json::from_slice::<Sample>(content) {
                sampled(&seal(&about).unwrap().0, b"");
            }
        }
        b'r' => sampled(sample_about(), content),
        _ => {}
    }
}

fn counted(file: &[u8]) {
    let path = super::file("count/count.json", file);
    let dir = path.parent().unwrap();
    if let Ok(Some(progress)) = count::progress(dir) {
        assert!(progress.done <= progress.parts);
    }
    let puzzle = registry::parse("triangles:tri4").unwrap();
    let options = count::Options {
        memory: Some(1 << 30),
        threads: Some(1),
    };
    let _ = count::count(&*puzzle, dir, &options, super::stopped());
}

fn plan<T>(work: impl FnOnce(&Plan<'_>) -> T) -> T {
    let puzzle = registry::parse("tiles:2x3").unwrap();
    work(&Plan {
        puzzle: &*puzzle,
        solver: Some("fast"),
        seed: 1,
        count: 3,
        time: None,
    })
}

fn options() -> Options {
    Options {
        memory: Some(2 << 30),
        threads: Some(1),
        cache: Some(super::directory().join("sample-cache")),
    }
}

/// A sample that was taken, and what it wrote about itself.
fn sample_about() -> &'static [u8] {
    static ABOUT: OnceLock<Vec<u8>> = OnceLock::new();
    ABOUT.get_or_init(|| {
        let dir = super::directory().join("sample-made");
        plan(|plan| sample::sample(plan, &dir, &options(), super::patient())).unwrap();
        std::fs::read(dir.join("sample.json")).unwrap()
    })
}

fn sampled(about: &[u8], rows: &[u8]) {
    let path: PathBuf = super::file("sample/sample.json", about);
    let dir: &Path = path.parent().unwrap();
    super::file("sample/sample.csv", rows);
    let _ = sample::progress(dir);
    if let Ok(sampled) = plan(|plan| sample::sample(plan, dir, &options(), super::stopped())) {
        assert_eq!(sampled.rows.len(), 3);
        let lines = sampled.csv();
        assert!(lines.lines().count() == 4);
    }
}

//! What counts and samples remember: `count.json`, `sample.json`, `sample.csv`. The first byte says
//! which of them follows, and whether its checksum is put right.

use std::collections::BTreeMap;

use godnum::puzzles::registry;
use godnum::store::sealed::seal;
use godnum::study::sample::{self, SamplePlan};
use godnum::study::{StudyOptions, count};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

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
struct SampleHeader {
    format: u32,
    puzzle: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    solver: String,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_millis: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    journal: Option<Journal>,
}

/// What vouches for the rows.
#[derive(Serialize, Deserialize)]
struct Journal {
    bytes: u64,
    checksum: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    tail: String,
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
        b'a' => sampled(content, ROWS),
        b'A' => {
            if let Ok(about) = serde_json::from_slice::<SampleHeader>(content) {
                sampled(&seal(&about).unwrap().0, ROWS);
            }
        }
        b'r' => sampled(&about(None), content),
        b'R' => sampled(&about(Some(content)), content),
        _ => {}
    }
}

/// Rows that a sample wrote.
const ROWS: &[u8] = b"instance,state,length,optimal,seconds,moves\n\
    1,5 0 2/1 4 3,6,yes,0.000018,R U L D L U\n";

/// What a sample says about itself, and about its rows if they are sealed.
fn about(rows: Option<&[u8]>) -> Vec<u8> {
    let about = SampleHeader {
        format: 1,
        puzzle: "tiles:2x3".into(),
        content: None,
        solver: "fast=128".into(),
        seed: 1,
        time_millis: None,
        journal: rows.map(|rows| Journal {
            bytes: rows.len() as u64,
            checksum: format!("{:016x}", xxh3_64(rows)),
            tail: String::new(),
        }),
    };
    seal(&about).unwrap().0
}

fn counted(file: &[u8]) {
    let path = super::file("count/count.json", file);
    let dir = path.parent().unwrap();
    if let Ok(Some(progress)) = count::progress(dir) {
        assert!(progress.done <= progress.parts);
    }
    let _ = count::check(dir);
    let puzzle = registry::parse("triangles:tri4").unwrap();
    let options = StudyOptions { memory: Some(1 << 30), threads: Some(1), ..StudyOptions::default() };
    let _ = count::count(&*puzzle, dir, &options, super::stopped());
}

fn sampled(about: &[u8], rows: &[u8]) {
    let path = super::file("sample/sample.json", about);
    let dir = path.parent().unwrap();
    super::file("sample/sample.csv", rows);
    let _ = (sample::progress(dir), sample::check(dir));
    let puzzle = registry::parse("tiles:2x3").unwrap();
    let plan = SamplePlan {
        puzzle: &*puzzle,
        solver: Some("fast"),
        scramble: Default::default(),
        seed: 1,
        count: 3,
        time: None,
    };
    let options = StudyOptions {
        memory: Some(2 << 30),
        threads: Some(1),
        cache: Some(super::directory().join("sample-cache")),
        ..StudyOptions::default()
    };
    if let Ok(sampled) = sample::sample(&plan, dir, &options, super::stopped()) {
        assert_eq!(sampled.csv().lines().count(), 4);
    }
}

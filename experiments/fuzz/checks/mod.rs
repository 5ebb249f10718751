//! What must hold for any bytes: one module for each kind of input, each with a function `check` that
//! panics if something is wrong. The fuzz targets feed them with what libFuzzer makes up, and
//! `tests/suite/input.rs` with the seeds.
#![allow(dead_code)] // A target uses one of them.

pub mod boards;
pub mod definitions;
pub mod experiments;
pub mod games;
pub mod jobs;
pub mod layouts;
pub mod level_sets;
pub mod puzzles;
pub mod records;
pub mod states;
pub mod tables;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use godnum::engine::{Control, Silent};

/// What checks one input.
pub type Check = fn(&[u8]);

/// All checks, by the name of their target and of the folder of its seeds.
pub const ALL: &[(&str, Check)] = &[
    ("boards", boards::check),
    ("definitions", definitions::check),
    ("experiments", experiments::check),
    ("games", games::check),
    ("jobs", jobs::check),
    ("layouts", layouts::check),
    ("level_sets", level_sets::check),
    ("puzzles", puzzles::check),
    ("records", records::check),
    ("states", states::check),
    ("tables", tables::check),
];

/// A directory of this process, in memory where that can be had.
pub fn directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let root = match memory.is_dir() {
            true => memory.to_owned(),
            false => std::env::temp_dir(),
        };
        let dir = root.join(format!("godnum-input-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        dir
    })
}

/// Writes a file that is read by its path.
pub fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = directory().join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path
}

static NEVER: AtomicBool = AtomicBool::new(false);
static AT_ONCE: AtomicBool = AtomicBool::new(true);

/// Lets work go on to its end.
pub fn patient() -> Control<'static> {
    Control { stop: &NEVER, observer: &Silent }
}

/// Wants work to stop as soon as it can: what is stored is read, and nothing is computed.
pub fn stopped() -> Control<'static> {
    Control { stop: &AT_ONCE, observer: &Silent }
}

//! Job directories: `job.json` and `manifest.json`. The first byte says which of them follows, and
//! whether its checksum is put right; the other one and all level sets are as they should be.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use godnum::engine::verify::{Extent, verify};
use godnum::engine::{self, Description, Job, Manifest, Options, Silent, salvage};
use godnum::puzzle::Rules;
use godnum::puzzle::{pick, subject};
use godnum::puzzles::registry;
use godnum::store::disk::Disk;
use godnum::store::level_set::{CodedBlock, SetKind, SetWriter};
use godnum::store::sealed::{seal, unseal};
use godnum::study::bounds::{EvidenceLibrary, bounds};

const PUZZLE: &str = "wrapslide:4x4:2";
/// The level that a run is there for.
pub const RUN_LEVEL: u32 = 4;

/// A finished job: its files, by name, and its manifest.
struct Made {
    files: Vec<(PathBuf, Vec<u8>)>,
    manifest: Manifest,
    checksum: u64,
    /// Of the run.
    blocks_digest: u64,
}

fn puzzle() -> Box<dyn Rules> {
    registry::parse(PUZZLE).unwrap()
}

fn options() -> Options {
    Options { memory: Some(16 << 20), threads: Some(1), ..Options::default() }
}

fn made() -> &'static Made {
    static MADE: OnceLock<Made> = OnceLock::new();
    MADE.get_or_init(|| {
        let dir = super::directory().join("job-made");
        let outcome =
            engine::enumerate(&subject(&*puzzle()).unwrap(), &dir, &options(), super::patient()).unwrap();
        let (description, checksum): (Description, _) = unseal(&dir.join("job.json")).unwrap();
        fs::create_dir_all(dir.join("scratch")).unwrap();
        let disk = Disk::new(None, 0);
        let run = dir.join("scratch/00004-000000.run");
        let set_header = description.set_header(SetKind::Run, RUN_LEVEL);
        let mut writer = SetWriter::<u64>::create(&disk, &run, &set_header).unwrap();
        writer.append(&CodedBlock::of_run(&[0u64, 3, 7])).unwrap();
        let blocks_digest = writer.end(true).unwrap().0.blocks_digest;
        let mut files = Vec::new();
        for folder in ["", "levels", "scratch"] {
            for entry in fs::read_dir(dir.join(folder)).unwrap().flatten() {
                let path = entry.path();
                if path.is_file() && !path.ends_with("lock") {
                    let name = path.strip_prefix(&dir).unwrap().to_owned();
                    files.push((name, fs::read(&path).unwrap()));
                }
            }
        }
        Made { files, manifest: outcome.manifest, checksum, blocks_digest }
    })
}

/// What an input says about a job: the file that is replaced, and by what.
fn replaced(data: &[u8]) -> Option<(&'static str, Vec<u8>)> {
    let (&choice, content) = data.split_first()?;
    Some(match choice {
        b'd' => ("job.json", content.to_vec()),
        b'D' => {
            let description: Description = serde_json::from_slice(content).ok()?;
            ("job.json", seal(&description).unwrap().0)
        }
        b'm' => ("manifest.json", content.to_vec()),
        b'M' => {
            let manifest: Manifest = serde_json::from_slice(content).ok()?;
            let job = made().checksum;
            let mut manifest = Manifest { job, ..manifest };
            let runs = manifest.checkpoint.iter_mut().flat_map(|c| &mut c.runs);
            runs.for_each(|run| run.blocks_digest = made().blocks_digest);
            ("manifest.json", seal(&manifest).unwrap().0)
        }
        _ => return None,
    })
}

/// Puts a job together with one file of it replaced; `None` if the input is about none.
pub fn put(data: &[u8]) -> Option<PathBuf> {
    let (name, bytes) = replaced(data)?;
    let dir = super::directory().join("job");
    let _ = fs::remove_dir_all(&dir);
    for (file, bytes) in &made().files {
        super::file(dir.join(file).to_str().unwrap(), bytes);
    }
    super::file(dir.join(name).to_str().unwrap(), &bytes);
    Some(dir)
}

/// Does everything that can be done with a job.
pub fn check(data: &[u8]) {
    let Some(dir) = put(data) else {
        return;
    };
    let canaries = ["outside/00004-000000.run", "outside/00003.gls", "00005.part"];
    let canaries = canaries.map(|name| super::file(name, b"not ours"));
    look(&dir);
    for from_level in [None, Some(2)] {
        let options = Options { from_level, ..options() };
        let _ = engine::enumerate(&subject(&*puzzle()).unwrap(), &dir, &options, super::patient());
        put(data);
    }
    if salvage::rebuild(&subject(&*puzzle()).unwrap(), &dir, 2, super::patient())
        .is_ok_and(|done| !done.is_empty())
    {
        let manifest = Job::open(&dir).and_then(|job| job.manifest()).unwrap();
        assert!(manifest.levels.len() >= 3);
    }
    put(data);
    let _ = Job::discard(&dir, &Disk::new(None, 0));
    assert!(canaries.iter().all(|path| path.exists()));
}

/// Everything that leaves a job as it is.
fn look(dir: &Path) {
    let Ok(job) = Job::open(dir) else {
        return;
    };
    let _ = registry::of_job(&job);
    let Ok(manifest) = job.manifest() else {
        return;
    };
    let _ = (manifest.states(), manifest.classes(), manifest.millis());
    for (name, table) in manifest.tables() {
        fs::write(dir.join(name), table).unwrap();
    }
    for level in [0, manifest.levels.len() as u32] {
        let _ = pick(&job, &*puzzle(), level, 2, Some(1));
    }
    if let Ok(library) = EvidenceLibrary::open(&[dir.to_owned()]) {
        let _ = bounds(&*puzzle(), &library);
    }
    let stop = AtomicBool::new(false);
    let found = verify(&subject(&*puzzle()).unwrap(), dir, Extent::Full, 64 << 20, &stop, &Silent);
    // What is certified is true, whoever wrote the manifest.
    if found.is_ok() && manifest.kept_from == 0 {
        let truth = &made().manifest.levels;
        assert!(!manifest.finished || manifest.levels.len() == truth.len());
        for (told, truth) in manifest.levels.iter().zip(truth) {
            assert_eq!((told.classes, told.states), (truth.classes, truth.states));
        }
    }
}

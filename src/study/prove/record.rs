//! The certificate of a proof, which is also its journal: `proof.json`.
//!
//! It names the puzzle, the bound, and the jobs of the base and of the fibre by the checksums of their
//! levels. Of each class of the base that is not near enough to need no proof it has one letter: by how
//! many moves the words that settle its states are longer than the shortest (`0` to `9`), or `x` if some
//! states were solved one by one; these are listed with their solutions. Classes come in the order of
//! the levels of the base, the last level first, in blocks. The bytes of a finished certificate depend on
//! the puzzle, the bound and the longest words that were allowed, and on nothing else.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::engine::Manifest;
use crate::error::{Error, Repair, Result};
use crate::store::disk::exists;
use crate::store::sealed::{self, FORMAT, decimal, hex};

/// The file.
pub const FILE: &str = "proof.json";
/// Classes of a block.
pub const BLOCK: u64 = 512;
/// The letter of a class of which some states were solved one by one.
pub const ONE_BY_ONE: u8 = b'x';

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofRecord {
    /// Version of these files.
    pub format: u32,
    /// The puzzle.
    pub puzzle: String,
    /// Every state of it is solved in at most this many moves.
    pub at_most: u32,
    /// Words are at most this much longer than the shortest.
    pub longer: u32,
    /// The job of the base.
    pub base: JobDigest,
    /// The job of the fibre.
    pub fibre: JobDigest,
    /// Blocks that are done, and the letters of their classes.
    pub closings: BTreeMap<u64, String>,
    /// By block: the states that were solved one by one.
    pub one_by_one: BTreeMap<u64, Vec<SolvedState>>,
    /// By block: the states that no solver brought within the bound.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub open: BTreeMap<u64, Vec<String>>,
}

/// A finished job, told from any other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JobDigest {
    /// The puzzle.
    pub puzzle: String,
    /// Version of its numbering of classes.
    pub index_scheme: u32,
    /// Its levels.
    pub levels: Vec<LevelDigest>,
}

/// A level of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelDigest {
    /// Classes in it.
    #[serde(with = "decimal")]
    pub classes: u128,
    /// Checksum over its level set.
    #[serde(with = "hex")]
    pub digest: u64,
}

/// A state that was solved one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedState {
    /// The place of its class within the block.
    pub class: u64,
    /// The state.
    pub state: String,
    /// The names of the moves that solve it.
    pub solution: String,
}

impl JobDigest {
    /// The digest of a finished job.
    pub fn of(puzzle: String, index_scheme: u32, manifest: &Manifest) -> JobDigest {
        let digest = |record: &crate::engine::LevelRecord| LevelDigest {
            classes: record.classes,
            digest: record.blocks_digest,
        };
        let levels = manifest.levels.iter().map(digest).collect();
        JobDigest { puzzle, index_scheme, levels }
    }

    /// The number of the last level.
    pub fn last(&self) -> u32 {
        self.levels.len().saturating_sub(1) as u32
    }
}

/// One block of classes: those of a level from a position on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassBlock {
    /// The level of the base.
    pub level: u32,
    /// The position of its first class in the level.
    pub start: u128,
    /// How many classes it has.
    pub classes: u64,
}

impl ProofRecord {
    /// A proof of which nothing is done.
    pub fn new(puzzle: String, at_most: u32, longer: u32, base: JobDigest, fibre: JobDigest) -> ProofRecord {
        ProofRecord {
            format: FORMAT,
            puzzle,
            at_most,
            longer,
            base,
            fibre,
            closings: BTreeMap::new(),
            one_by_one: BTreeMap::new(),
            open: BTreeMap::new(),
        }
    }

    /// Reads the record in a directory; `None` if there is none.
    pub fn read(dir: &Path) -> Result<Option<ProofRecord>> {
        let path = dir.join(FILE);
        if !exists(&path)? {
            return Ok(None);
        }
        let (record, _): (ProofRecord, _) = sealed::unseal(&path)?;
        match record.flaw() {
            None => Ok(Some(record)),
            Some(what) => Err(Error::damaged(&path, what, Repair::Restore)),
        }
    }

    /// Whether two records are of the same proof.
    pub fn same(&self, other: &ProofRecord) -> bool {
        self.about() == other.about() && (&self.base, &self.fibre) == (&other.base, &other.fibre)
    }

    /// What is proven, in short.
    pub fn about(&self) -> String {
        format!("{} at most {} by words up to {} longer", self.puzzle, self.at_most, self.longer)
    }

    /// The first level of the base whose classes need a proof.
    pub fn first_level(&self) -> u32 {
        (self.at_most + 1).saturating_sub(self.fibre.last())
    }

    /// The blocks, in order.
    pub fn blocks(&self) -> Vec<ClassBlock> {
        let mut blocks = Vec::new();
        for level in (self.first_level()..=self.base.last()).rev() {
            let classes = self.base.levels[level as usize].classes;
            let mut start = 0;
            while start < classes {
                let length = (classes - start).min(BLOCK.into()) as u64;
                blocks.push(ClassBlock { level, start, classes: length });
                start += u128::from(length);
            }
        }
        blocks
    }

    /// Whether all blocks are done and no state is left open.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty() && self.closings.len() == self.blocks().len()
    }

    /// What cannot be in a record, if it has that.
    fn flaw(&self) -> Option<String> {
        if self.base.levels.is_empty() || self.fibre.levels.is_empty() {
            return Some("it names a job without levels".into());
        }
        if self.base.levels.iter().any(|level| level.classes > 1 << 26) {
            return Some("it names a level that is larger than any a proof can have".into());
        }
        let blocks = self.blocks();
        let letter = |letter: u8| {
            let longer = letter.wrapping_sub(b'0');
            letter == ONE_BY_ONE || longer < 10 && u32::from(longer) <= self.longer
        };
        for (&number, letters) in &self.closings {
            let Some(block) = blocks.get(number as usize) else {
                return Some(format!("it has a block {number}, of {} blocks", blocks.len()));
            };
            if letters.len() as u64 != block.classes || !letters.bytes().all(letter) {
                return Some(format!("block {number} does not have one letter for each of its classes"));
            }
        }
        for (number, solved) in &self.one_by_one {
            let letters = self.closings.get(number).map(String::as_bytes).unwrap_or_default();
            let marked =
                |state: &SolvedState| letters.get(state.class as usize).is_some_and(|&l| l == ONE_BY_ONE);
            if !solved.iter().all(marked) {
                return Some(format!("block {number} lists a state of a class that it does not mark"));
            }
        }
        None
    }
}

/// How the classes of one level of the base were settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelSummary {
    /// The level.
    pub level: u32,
    /// Classes in it.
    pub classes: u128,
    /// By how much longer than the shortest the words are: how many classes they settle.
    pub longer: Vec<u128>,
    /// Classes of which some states were solved one by one.
    pub one_by_one: u128,
}

impl ProofRecord {
    /// How the classes of each level were settled that needed a proof, as far as they are.
    pub fn summary(&self) -> Vec<LevelSummary> {
        let mut levels: Vec<LevelSummary> = Vec::new();
        for (number, block) in (0..).zip(self.blocks()) {
            if levels.last().is_none_or(|last| last.level != block.level) {
                let classes = self.base.levels[block.level as usize].classes;
                let longer = vec![0; self.longer as usize + 1];
                levels.push(LevelSummary { level: block.level, classes, longer, one_by_one: 0 });
            }
            let Some(last) = levels.last_mut() else { continue };
            for letter in self.closings.get(&number).into_iter().flat_map(|letters| letters.bytes()) {
                match last.longer.get_mut(usize::from(letter.wrapping_sub(b'0'))) {
                    Some(classes) => *classes += 1,
                    None => last.one_by_one += 1,
                }
            }
        }
        levels
    }

    /// How many states were solved one by one.
    pub fn solved(&self) -> usize {
        self.one_by_one.values().map(Vec::len).sum()
    }
}

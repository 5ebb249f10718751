//! `certificate.json`: what a verification checked, so that others can repeat it and refer to it.

use std::path::Path;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{Extent, Findings};
use crate::build_info::Build;
use crate::engine::job::{Description, Job};
use crate::engine::manifest::Manifest;
use crate::engine::provenance::Host;
use crate::engine::subject::Totals;
use crate::error::{Error, Result};
use crate::space::Direction;
use crate::store::disk::{Disk, exists};
use crate::store::sealed::{self, FORMAT, decimal, hex};
use crate::text::{count, pluralise, timestamp};

/// The file in a job.
pub const CERTIFICATE: &str = "certificate.json";

/// What a verification checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Version of this format.
    pub format: u32,
    /// The job.
    pub job: Description,
    /// Whether it has all levels.
    pub finished: bool,
    /// How much was checked.
    pub checked: CheckedExtent,
    /// Every level.
    pub levels: Vec<CertifiedLevel>,
    /// Level sets below this level were not there.
    pub kept_from: u32,
    /// Sums, and what they were compared with.
    pub totals: CertifiedTotals,
    /// Why what was checked means that the distances are right.
    pub argument: String,
    /// What was not checked, in sentences.
    pub not_checked: Vec<String>,
    /// The program that checked.
    pub verified_by: Build,
    /// Where.
    pub host: Host,
    /// When.
    pub verified: String,
}

/// How much of a job was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedExtent {
    /// `files`, `sample` or `full`.
    pub extent: String,
    /// Of a sample: about how many classes of each level.
    pub sample: Option<u64>,
    /// Of a sample: the seed that chose them.
    pub seed: Option<u64>,
    /// Classes whose neighbours were looked for.
    #[serde(with = "decimal")]
    pub classes: u128,
    /// Neighbours that were looked for.
    #[serde(with = "decimal")]
    pub neighbours: u128,
}

/// A level of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedLevel {
    /// The distance.
    pub level: u32,
    /// Classes in it.
    #[serde(with = "decimal")]
    pub classes: u128,
    /// States that they stand for.
    #[serde(with = "decimal")]
    pub states: u128,
    /// Length of the level set.
    pub bytes: u64,
    /// XXH3-64 over the blocks of the level set, as in its trailer and in the manifest.
    #[serde(with = "hex")]
    pub digest: u64,
}

/// The sums of a job, and what they were compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertifiedTotals {
    /// Classes in all levels.
    #[serde(with = "decimal")]
    pub classes: u128,
    /// States in all levels.
    #[serde(with = "decimal")]
    pub states: u128,
    /// Classes that there are by an independent count.
    pub counted_classes: Option<String>,
    /// States that there are by an independent count.
    pub counted_states: Option<String>,
    /// States that exist by an independent count, where some cannot be reached.
    pub existing_states: Option<String>,
    /// States that were not reached, if they were looked at.
    pub unreached_states: Option<String>,
}

impl Certificate {
    /// The certificate of a verification that found nothing wrong.
    pub(super) fn new(
        job: &Job,
        manifest: &Manifest,
        totals: &Totals,
        direction: Direction,
        extent: Extent,
        findings: &Findings,
    ) -> Self {
        let decimal = |number: Option<u128>| number.map(|number| number.to_string());
        let (name, sample, seed) = match extent {
            Extent::Files => ("files", None, None),
            Extent::Sample(size, seed) => ("sample", Some(size), Some(seed)),
            Extent::Full => ("full", None, None),
        };
        Certificate {
            format: FORMAT,
            job: job.description.clone(),
            finished: manifest.finished,
            checked: CheckedExtent {
                extent: name.into(),
                sample,
                seed,
                classes: findings.classes,
                neighbours: findings.neighbours,
            },
            levels: certified(manifest),
            kept_from: manifest.kept_from,
            totals: CertifiedTotals {
                classes: manifest.classes(),
                states: manifest.states(),
                counted_classes: decimal(totals.classes),
                counted_states: decimal(totals.states),
                existing_states: decimal(totals.existing),
                unreached_states: decimal(findings.rest.map(|rest| rest.states)),
            },
            argument: argument(direction, extent, findings),
            not_checked: findings.left_out.clone(),
            verified_by: Build::this(),
            host: Host::this(),
            verified: timestamp(SystemTime::now()),
        }
    }

    /// Reads a certificate.
    pub fn read(path: &Path) -> Result<Certificate> {
        Ok(sealed::unseal(path)?.0)
    }

    /// The certificate of a job; `None` if it has none, or one of other levels.
    pub fn of(job: &Job, manifest: &Manifest) -> Result<Option<Certificate>> {
        let path = job.path(CERTIFICATE);
        if !exists(&path)? {
            return Ok(None);
        }
        let certificate = Certificate::read(&path)?;
        Ok(Some(certificate).filter(|certificate| certificate.difference(job, manifest).is_none()))
    }

    /// How much was checked, as Extent has it.
    pub fn extent(&self) -> Extent {
        match (self.checked.extent.as_str(), self.checked.sample) {
            ("full", _) => Extent::Full,
            (_, Some(size)) => Extent::Sample(size, self.checked.seed.unwrap_or(1)),
            _ => Extent::Files,
        }
    }

    /// What of a job is not what the certificate says, in a sentence; `None` if it is the same job with the same
    /// levels.
    pub fn difference(&self, job: &Job, manifest: &Manifest) -> Option<String> {
        if self.job != job.description {
            return Some(format!(
                "the certificate is one of {}, and the job is one of {}",
                self.job, job.description
            ));
        }
        let found = certified(manifest);
        let differs = self.levels.iter().zip(&found).find(|(expected, found)| expected != found);
        if let Some((expected, found)) = differs {
            return Some(format!(
                "level {} has {} with digest {:016x}, and the certificate says {} with digest {:016x}",
                found.level,
                pluralise(found.classes, "class"),
                found.digest,
                pluralise(expected.classes, "class"),
                expected.digest
            ));
        }
        if (self.levels.len(), self.finished) != (found.len(), manifest.finished) {
            let state = |finished| if finished { "finished" } else { "unfinished" };
            return Some(format!(
                "the job is {} with {}, and the certificate is of an {} job with {}",
                state(manifest.finished),
                pluralise(found.len() as u64, "level"),
                state(self.finished),
                pluralise(self.levels.len() as u64, "level")
            ));
        }
        None
    }

    /// Stores it in a job, unless the one that is there says more about the same levels. Returns whether it did.
    pub fn store(&self, job: &Job) -> Result<bool> {
        let path = job.path(CERTIFICATE);
        // One that cannot be read is replaced.
        let older = exists(&path)?.then(|| Certificate::read(&path).ok()).flatten();
        if older.is_some_and(|older| older.says_more_than(self)) {
            return Ok(false);
        }
        Disk::new(None, 0).replace(&path, &sealed::seal(self)?.0)?;
        Ok(true)
    }

    fn says_more_than(&self, other: &Certificate) -> bool {
        let about = |c: &Certificate| (c.job.clone(), c.levels.clone(), c.finished, c.kept_from);
        about(self) == about(other) && self.checked.classes > other.checked.classes
    }

    /// Fails if a job is not the one that the certificate is about.
    pub fn check(&self, job: &Job) -> Result<()> {
        match self.difference(job, &job.manifest()?) {
            None => Ok(()),
            Some(why) => Err(Error::verification(format!(
                "the job in {} is not the one that the certificate is about: {why}",
                job.dir().display()
            ))),
        }
    }
}

fn certified(manifest: &Manifest) -> Vec<CertifiedLevel> {
    let level = |record: &super::super::LevelRecord| CertifiedLevel {
        level: record.level,
        classes: record.classes,
        states: record.states,
        bytes: record.bytes,
        digest: record.blocks_digest,
    };
    manifest.levels.iter().map(level).collect()
}

/// Why what was checked means that the distances are right.
fn argument(direction: Direction, extent: Extent, findings: &Findings) -> String {
    let files = "Every byte of every level set that is there has the checksum that it was written with, its indices \
                 ascend, and its classes and states are those of the manifest.";
    if extent == Extent::Files {
        return format!(
            "{files} No neighbours were looked at: that the distances are right does not follow."
        );
    }
    let checks = match direction {
        Direction::Reversible => {
            "Level 0 is exactly the set of solved classes. Each class that was checked is canonical, is in neither of \
             the two levels before its own, has its neighbours only in the level before, its own and the next one, \
             and has one in the level before."
        }
        Direction::Layered => {
            "Level 0 is exactly the set of roots. The neighbours of the classes of a level that were checked are in \
             the next level, and each class of that level is one of them."
        }
        Direction::Directed => {
            "Level 0 is exactly the set of roots. Each class that was checked is in no level before its own, is a \
             neighbour of a class of the level before, and has no neighbour beyond the next level."
        }
    };
    let follows = match extent {
        Extent::Full => {
            "As this holds for every class, induction on the level shows that the number of a level is the distance \
             of its classes: each has a path of that many moves, and no move skips a level."
        }
        _ => {
            "If this held for every class, the number of a level would be the distance of its classes, by induction \
             on the level. It was checked for a sample, so that this is likely and not certain."
        }
    };
    format!(
        "{files} {checks} {} and {} were checked, by sorting and comparing, and not by the program's way of \
         enumerating. {follows}",
        pluralise(findings.classes, "class"),
        match findings.neighbours {
            1 => "1 neighbour".to_owned(),
            number => format!("{} neighbours", count(number)),
        }
    )
}

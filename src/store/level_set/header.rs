//! The beginning of a file: what the set is about.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::source::SetFile;
use crate::error::{Error, Repair, Result};
use crate::store::files::System;

/// Version of the file format.
pub const VERSION: u32 = 1;
/// The version of files whose header has the hash of the puzzle's file.
pub const VERSION_WITH_CONTENT: u32 = 2;
const MAGIC: &[u8; 8] = b"GODNUMLS";
const FIXED: usize = 40;
/// No header is longer.
const LONGEST: usize = FIXED + (1 << 16) + 16;

/// What a set is about; stands in the file's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetHeader {
    /// Whether it is a level set or a run.
    pub kind: SetKind,
    /// Canonical text of the puzzle.
    pub puzzle: String,
    /// Hash of the content of the file that the text names, if it names one.
    pub content: Option<u64>,
    /// Version of the puzzle's numbering.
    pub scheme: u32,
    /// Which level.
    pub level: u32,
    /// All indices are below it.
    pub universe: u128,
}

/// The two kinds of sorted sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// All indices of one level.
    Level = 0,
    /// Candidates of one flush.
    Run = 1,
}

impl SetHeader {
    /// The header as it is written: for indices of `width` bits.
    pub(super) fn bytes(&self, width: u32) -> Vec<u8> {
        let version = match self.content {
            None => VERSION,
            Some(_) => VERSION_WITH_CONTENT,
        };
        let mut bytes = Vec::with_capacity(FIXED + self.puzzle.len() + 16);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&version.to_le_bytes());
        bytes.push(self.kind as u8);
        bytes.push((width / 8) as u8);
        bytes.extend_from_slice(&(self.puzzle.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&self.scheme.to_le_bytes());
        bytes.extend_from_slice(&self.level.to_le_bytes());
        bytes.extend_from_slice(&self.universe.to_le_bytes());
        bytes.extend_from_slice(self.puzzle.as_bytes());
        bytes.extend(self.content.iter().flat_map(|content| content.to_le_bytes()));
        bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Bytes of the header.
    pub fn length(&self) -> u64 {
        (FIXED + self.puzzle.len() + 8 + self.content.map_or(0, |_| 8)) as u64
    }

    /// The same without the hash of the puzzle's file: files of format 1 have none.
    fn without_content(&self) -> SetHeader {
        SetHeader { content: None, ..self.clone() }
    }

    /// Whether a file with the header `found` can be what this says: it is equal, or of the format
    /// that does not tell the puzzle's file.
    pub fn accepts(&self, found: &SetHeader) -> bool {
        self == found || self.without_content() == *found
    }

    /// What a file says that it is about, if its header is intact.
    pub fn read(path: &Path) -> Result<SetHeader> {
        let damaged = |what: &str| Error::damaged(path, what, Repair::Restore);
        let missing = || damaged("the file is missing");
        let file = SetFile::open(&System, path, missing)?;
        let start = file.beginning(LONGEST, || damaged("the file is truncated"))?;
        SetHeader::parse(&start).ok_or_else(|| damaged("its header is damaged"))
    }

    fn parse(start: &[u8]) -> Option<SetHeader> {
        let number = |at: usize, length: usize| {
            let mut bytes = [0; 16];
            bytes[..length].copy_from_slice(start.get(at..at + length)?);
            Some(u128::from_le_bytes(bytes))
        };
        let end = FIXED + number(14, 2)? as usize;
        let about = SetHeader {
            kind: match start.get(12)? {
                0 => SetKind::Level,
                1 => SetKind::Run,
                _ => return None,
            },
            puzzle: String::from_utf8(start.get(FIXED..end)?.to_vec()).ok()?,
            content: match number(8, 4)? as u32 {
                VERSION_WITH_CONTENT => Some(number(end, 8)? as u64),
                _ => None,
            },
            scheme: number(16, 4)? as u32,
            level: number(20, 4)? as u32,
            universe: number(24, 16)?,
        };
        // Every byte counts: it must be what writing this down gives.
        let width = 8 * u32::from(*start.get(13)?);
        start.starts_with(&about.bytes(width)).then_some(about)
    }

    /// The length of the header that a file begins with, if it is one that this accepts; otherwise
    /// what is different, the gravest first. `start` is at least as long as the longest such header,
    /// unless the file ends before.
    pub(super) fn check(&self, start: &[u8], width: u32) -> std::result::Result<u64, String> {
        let accepted = [self.bytes(width), self.without_content().bytes(width)];
        if let Some(header) = accepted.iter().find(|header| start.starts_with(header)) {
            return Ok(header.len() as u64);
        }
        if start.get(..8) != Some(MAGIC.as_slice()) {
            return Err("this is not a godnum level set".into());
        }
        if let Some(Ok(version)) = start.get(8..12).map(<[u8; 4]>::try_from) {
            let version = u32::from_le_bytes(version);
            if !(VERSION..=VERSION_WITH_CONTENT).contains(&version) {
                return Err(format!(
                    "the file was written in format {version}, this build reads formats {VERSION} and \
                     {VERSION_WITH_CONTENT}"
                ));
            }
        }
        if start.len() < accepted[1].len() {
            return Err("the file is truncated".into());
        }
        if let (Some(found), Some(content)) = (SetHeader::parse(start), self.content)
            && self.accepts(&SetHeader { content: Some(content), ..found.clone() })
            && let Some(other) = found.content
        {
            return Err(format!(
                "it is level {} of {} with the file content {other:016x}, not {content:016x}",
                self.level, self.puzzle
            ));
        }
        Err(format!(
            "its header is damaged, or it is not level {} of {} (index scheme {})",
            self.level, self.puzzle, self.scheme
        ))
    }
}

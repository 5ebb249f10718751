//! JSON files that carry their own checksum, and how numbers are written in them.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::disk;
use crate::error::{Error, IoAction, Repair, Result};
use crate::text;

/// Version of these files.
pub const FORMAT: u32 = 1;
/// No file of this kind is longer: what is read is bounded.
const LARGEST_FILE: u64 = 1 << 26;

/// JSON whose checksum stands in the same file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed<T> {
    #[serde(with = "hex")]
    checksum: u64,
    content: T,
}

/// The bytes of a sealed file, and the checksum in it.
pub fn seal<T: Serialize>(content: &T) -> Result<(Vec<u8>, u64)> {
    let usage = |e| Error::Usage(format!("this cannot be written as JSON: {e}"));
    let plain = serde_json::to_vec(content).map_err(usage)?;
    let checksum = xxh3_64(&plain);
    let sealed = Sealed { checksum, content };
    let mut bytes = serde_json::to_vec_pretty(&sealed).map_err(usage)?;
    bytes.push(b'\n');
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(Error::limit(format!(
            "the job's records would take more than {}, the most that can be read; the stored ones are unchanged",
            text::bytes(LARGEST_FILE)
        )));
    }
    Ok((bytes, checksum))
}

/// What every version of a sealed file has.
#[derive(Deserialize)]
struct Loose {
    content: Version,
}

#[derive(Deserialize)]
struct Version {
    format: Option<u64>,
}

/// Reads a sealed file and its checksum. Every byte counts: the file must be exactly what
/// sealing its content gives.
pub fn unseal<T: Serialize + DeserializeOwned>(path: &Path) -> Result<(T, u64)> {
    let damaged = |what: &str| Error::damaged(path, what, Repair::Restore);
    let bytes = disk::read(path, LARGEST_FILE).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => damaged("the file is missing"),
        _ => Error::io(IoAction::Read, path, e),
    })?;
    let bytes = bytes.ok_or_else(|| damaged("the file is longer than any of its kind"))?;
    let loose: Loose =
        serde_json::from_slice(&bytes).map_err(|e| damaged(&format!("not readable as JSON ({e})")))?;
    if let Some(version) = loose.content.format
        && version != u64::from(FORMAT)
    {
        return Err(Error::damaged(
            path,
            format!("the file was written in format {version}, this build reads format {FORMAT}"),
            Repair::OtherVersion,
        ));
    }
    let sealed: Sealed<T> =
        serde_json::from_slice(&bytes).map_err(|e| damaged(&format!("its content is damaged ({e})")))?;
    let (expected, checksum) = seal(&sealed.content)?;
    if expected != bytes {
        return Err(damaged("the file does not match its checksum"));
    }
    Ok((sealed.content, checksum))
}

/// Counts as decimal strings: JSON numbers are exact only up to 2^53.
pub(crate) mod decimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &u128, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u128, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

/// Checksums as sixteen hexadecimal digits.
pub(crate) mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(value: &u64, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{value:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
        u64::from_str_radix(&String::deserialize(d)?, 16).map_err(D::Error::custom)
    }
}

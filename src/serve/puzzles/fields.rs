//! What is in a request: a struct for each one, and a sentence that names the field that is wrong.

use serde::de::value::MapDeserializer;
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::{Error, Result, usage};
use crate::serve::reply::shortened;

/// The number of characters of what is wrong that are sent back.
const SHOWN: usize = 160;

/// Reads the fields of a request; `null` counts as missing where a field is optional.
pub fn read<'a, T: Deserialize<'a>>(request: &'a Value) -> Result<T> {
    let Value::Object(fields) = request else {
        return usage("a request is a JSON object");
    };
    // The field that was read last is the one that is wrong, unless one is missing at the end.
    let mut last = "";
    let fields = fields.iter().map(|(name, value)| (name.as_str(), value));
    let fields = fields.inspect(|(name, _)| last = name);
    T::deserialize(MapDeserializer::new(fields)).map_err(|error: serde_json::Error| {
        let why = error.to_string();
        let missing = why.starts_with("missing field");
        let field = if missing { String::new() } else { format!("the field `{}`: ", shortened(last, SHOWN)) };
        Error::Usage(field + &shortened(&why, SHOWN))
    })
}

/// A time above 0, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, Serialize)]
#[serde(try_from = "f64")]
pub struct Seconds(pub f64);

impl TryFrom<f64> for Seconds {
    type Error = &'static str;

    fn try_from(number: f64) -> std::result::Result<Self, Self::Error> {
        if number > 0.0 { Ok(Seconds(number)) } else { Err("expected a number above 0") }
    }
}

/// A seed, as a number or in digits: not all seeds are exact as numbers of a page.
pub fn seed<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Option<u64>, D::Error> {
    let value = Value::deserialize(from)?;
    let seed = match &value {
        Value::Null => return Ok(None),
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        other => other.as_u64(),
    };
    seed.map(Some).ok_or_else(|| D::Error::custom("expected a whole number from 0 to 2^64 - 1"))
}

#[cfg(test)]
mod tests;

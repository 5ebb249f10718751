//! Sizes, counts and durations, as people write and read them.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];

/// A path as a shell takes it.
pub fn shell_quote(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:,@%=".contains(c);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A text without control characters, which a terminal would obey: they are written as Rust writes them.
/// Ends of lines and tabs stay.
pub fn escape_controls(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_harmful(c) { escaped.extend(c.escape_debug()) } else { escaped.push(c) }
    }
    Cow::Owned(escaped)
}

/// A size with a unit: `1.5 GiB`.
pub fn bytes(size: u64) -> String {
    let mut value = size as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 || value >= 100.0 {
        format!("{value:.0} {}", UNITS[unit])
    } else {
        format!("{value:.1} {}", UNITS[unit])
    }
}

/// A whole number with thousands separated: `94,143,280`.
pub fn count(value: u128) -> String {
    let digits = value.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with the noun it counts: `1 class`, `1,047 classes`.
pub fn pluralise(number: impl TryInto<u128>, noun: &str) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    let ending = match number {
        1 => "",
        _ if noun.ends_with('s') => "es",
        _ => "s",
    };
    format!("{} {noun}{ending}", count(number))
}

/// Ascending numbers with neighbours joined: `3, 5 to 8`.
pub fn ranges(numbers: &[u32]) -> String {
    let joined = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    });
    joined.collect::<Vec<_>>().join(", ")
}

/// A duration in at most two units: `0.34 s`, `12 min 5 s`, `3 h 7 min`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A text that is not what it should be: the sentence says what is accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub String);

/// A number and what follows it.
fn split_unit(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()))
}

/// Reads `256M`, `16G`, `1.5GiB`, `1000000`: units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, Malformed> {
    let usage = || Malformed(format!("`{text}` is not a size; write for example 512M, 16G or 1.5G"));
    let (number, unit) = split_unit(text);
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(usage()),
    };
    let value: f64 = number.parse().map_err(|_| usage())?;
    let size = value * (1u64 << factor) as f64;
    if !(1.0..9e18).contains(&size) {
        return Err(usage());
    }
    Ok(size as u64)
}

/// Reads `30s`, `5m`, `1.5h`, `2d`.
pub fn parse_duration(text: &str) -> Result<Duration, Malformed> {
    let usage = || Malformed(format!("`{text}` is not a duration; write for example 30s, 5m or 1.5h"));
    let (number, unit) = split_unit(text);
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return Err(usage()),
    };
    let seconds: f64 = number.parse().map_err(|_| usage())?;
    Duration::try_from_secs_f64(seconds * factor).map_err(|_| usage())
}

/// The columns that a line takes: without the sequences that colour it.
pub fn width(line: &str) -> usize {
    let mut columns = 0;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            // What we write ends with a letter.
            '\x1b' => {
                characters.by_ref().skip(1).find(char::is_ascii_alphabetic);
            }
            _ => columns += 1,
        }
    }
    columns
}

#[cfg(test)]
mod tests;

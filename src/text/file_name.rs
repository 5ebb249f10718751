//! File names made out of texts.

use xxhash_rust::xxh3::xxh3_64;

/// The longest file name that is made out of a text; file systems allow 255 bytes.
const LONGEST_NAME: usize = 120;

/// A text as a file name.
pub fn file_name(canonical_text: &str) -> String {
    let mut name = canonical_text.replace([':', '@', '#', '/', ',', '='], "-");
    if name.len() > LONGEST_NAME {
        let cut = (0..=LONGEST_NAME).rev().find(|&at| name.is_char_boundary(at));
        name.truncate(cut.unwrap_or_default());
        name += &format!("-{:016x}", xxh3_64(canonical_text.as_bytes()));
    }
    name
}

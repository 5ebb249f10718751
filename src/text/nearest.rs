//! What a mistyped word may have meant.

/// Longer words are compared by their beginnings.
const LONGEST: usize = 64;

/// How many characters must be inserted, deleted, replaced or exchanged with their neighbour to make one word
/// of the other. Upper and lower case are the same.
pub fn edits(one: &str, other: &str) -> usize {
    let letters = |word: &str| -> Vec<char> { word.to_lowercase().chars().take(LONGEST).collect() };
    let (one, other) = (letters(one), letters(other));
    // Three rows of the table are enough: exchanges look two rows back.
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=other.len()).collect();
    for (i, &a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let replaced = last[j] + usize::from(a != b);
            let mut least = replaced.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == other[j - 1] && one[i - 1] == b {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}

/// Whether a word may be a mistyped form of another one: one edit, and one more for every four characters.
pub fn is_near(word: &str, other: &str) -> bool {
    edits(word, other) <= 1 + word.chars().take(LONGEST).count() / 4
}

/// The nearest of several words, if one is near; the first of equally near ones.
pub fn nearest<'a>(word: &str, among: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let near = among.into_iter().filter(|other| !word.is_empty() && is_near(word, other));
    near.min_by_key(|other| edits(word, other))
}

#[cfg(test)]
mod tests;

//! States in writing: for each orbit the pieces slot by slot, counted from 1, with their turns.
//!
//! `2 1 3/1+2 3 2+1` has two orbits; in the first slot of the second one is piece 1, turned by 2. Orbits
//! that look the same in every state are left out.

use super::definition::{Definition, OrbitPattern, Pattern};
use crate::error::{Error, Result, usage};
use crate::puzzle::State;

/// The pattern as bytes: for each orbit the pieces, and then how they are turned.
pub(super) fn state(pattern: &Pattern) -> State {
    let parts = pattern.0.iter().flat_map(|part| part.pieces.iter().chain(&part.orientation));
    State(parts.copied().collect())
}

/// The pattern of a state.
pub(super) fn pattern(definition: &Definition, state: &State) -> Pattern {
    let mut rest = &state.0[..];
    let parts = definition.solved[0].0.iter().map(|solved| {
        let slots = solved.pieces.len();
        let (part, behind) = rest.split_at(2 * slots);
        rest = behind;
        OrbitPattern {
            pieces: part[..slots].to_vec(),
            orientation: part[slots..].to_vec(),
            modulus: solved.modulus.clone(),
        }
    });
    Pattern(parts.collect())
}

/// Whether an orbit looks the same in every state.
fn is_blank(part: &OrbitPattern) -> bool {
    part.modulus.iter().all(|&modulus| modulus == 1) && part.pieces.iter().all(|&p| p == part.pieces[0])
}

fn print_part(part: &OrbitPattern) -> String {
    let lying = part.pieces.iter().zip(&part.orientation);
    let words = lying.map(|(&piece, &turn)| match turn {
        0 => format!("{}", u16::from(piece) + 1),
        _ => format!("{}+{turn}", u16::from(piece) + 1),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The pattern on one line.
pub(super) fn print(pattern: &Pattern) -> String {
    let parts = pattern.0.iter().filter(|part| !is_blank(part)).map(print_part);
    parts.collect::<Vec<_>>().join("/")
}

/// The pattern on a line for each orbit, with its name.
pub(super) fn draw(definition: &Definition, pattern: &Pattern) -> String {
    let parts = definition.orbits.iter().zip(&pattern.0).filter(|(_, part)| !is_blank(part));
    let longest = parts.clone().map(|(orbit, _)| orbit.name.chars().count()).max().unwrap_or(0);
    parts.map(|(orbit, part)| format!("{:longest$}  {}\n", orbit.name, print_part(part))).collect()
}

/// Reads what [`print`] wrote.
pub(super) fn parse(definition: &Definition, text: &str) -> Result<Pattern> {
    let mut pattern = definition.solved[0].clone();
    let seen: Vec<usize> = (0..pattern.0.len()).filter(|&orbit| !is_blank(&pattern.0[orbit])).collect();
    let mut lines: Vec<&str> = text.split('/').collect();
    if seen.is_empty() && text.trim().is_empty() {
        lines.clear();
    }
    if lines.len() != seen.len() {
        return usage(format!(
            "`{text}` has {} parts between slashes; a state has {}, such as {}",
            lines.len(),
            seen.len(),
            print(&definition.solved[0])
        ));
    }
    for (&orbit, line) in seen.iter().zip(lines) {
        parse_part(&definition.orbits[orbit].name, &mut pattern.0[orbit], line)?;
    }
    Ok(pattern)
}

fn parse_part(name: &str, part: &mut OrbitPattern, line: &str) -> Result<()> {
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.len() != part.pieces.len() {
        return usage(format!("`{line}` has {} pieces; `{name}` has {}", words.len(), part.pieces.len()));
    }
    let mut left = super::check::counts(part);
    for (slot, word) in words.into_iter().enumerate() {
        let (piece, turn) = word.split_once('+').unwrap_or((word, "0"));
        let number = |text: &str| {
            let number: Option<u16> = text.parse().ok();
            number
                .ok_or_else(|| Error::Usage(format!("`{word}` in `{name}` is not a piece, such as 3 or 3+1")))
        };
        let (piece, turn) = (number(piece)?, number(turn)?);
        let label = usize::from(piece).checked_sub(1);
        let known = label.and_then(|label| Some((label, *part.modulus.get(label)?)));
        let Some((label, modulus)) = known else {
            return usage(format!(
                "`{name}` has no piece {piece}; its pieces are 1 to {}",
                part.modulus.len()
            ));
        };
        if turn >= u16::from(modulus) {
            return usage(format!("`{word}`: piece {piece} of `{name}` has the turns 0 to {}", modulus - 1));
        }
        if left[label] == 0 {
            return usage(format!("piece {piece} of `{name}` occurs too often"));
        }
        left[label] -= 1;
        part.pieces[slot] = label as u8;
        part.orientation[slot] = turn as u8;
    }
    Ok(())
}

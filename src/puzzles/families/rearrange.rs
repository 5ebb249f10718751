//! Rows of numbers that are sorted by rearranging segments, as genomes are compared.
//!
//! `rearrange:N` is a row of the numbers 1 to N. What a move does is the model:
//! - `reversals`, the default: any segment is turned round; `2-5` turns what lies in the places 2 to 5;
//! - `transpositions`: two neighbouring segments change places; `1-2x3-5` exchanges what lies in 1 and 2 with what
//!   lies in 3 to 5;
//! - `prefix-transpositions`: the same, and the first of the two begins in the first place.
//!
//! Reversals of prefixes are pancakes. Signs, as genes have them, are burnt sides.

use super::drawn::grid;
use super::one_orbit::{NO_SYMMETRY, OneOrbit, number};
use crate::error::Result;
use crate::puzzle::{Kind, PuzzleSpec, Rules};

/// The most numbers: with more, there are too many transpositions.
const MOST: usize = 28;
/// What a move does.
const MODELS: [&str; 3] = ["reversals", "transpositions", "prefix-transpositions"];

/// The family, for the registry.
pub const KIND: Kind = Kind {
    options: &[MODELS[0], MODELS[1], MODELS[2], NO_SYMMETRY],
    ..Kind::new(
        "rearrange",
        "rearrange:N[:MODEL][:nosym] with N = 2 to 28 numbers, MODEL = reversals, transpositions or \
         prefix-transpositions",
        "A row of numbers is sorted.\n  reversals: a move turns a segment round; transpositions: it exchanges two \
         neighbouring segments;\n  prefix-transpositions: it exchanges the first numbers with those that follow\n  \
         nosym: without symmetries",
        &["rearrange:5", "rearrange:8", "rearrange:8:transpositions", "rearrange:9:prefix-transpositions"],
        parse,
    )
};

fn parse(words: &PuzzleSpec<'_>) -> Result<Box<dyn Rules>> {
    words.allow(0)?;
    let size = number(Some(words.subject), "numbers", 2, MOST)?;
    let model = words.one_of(&MODELS, "models")?;
    let mut text = format!("rearrange:{size}");
    if model > 0 {
        text = format!("{text}:{}", MODELS[model]);
    }
    let title = format!("A row of {size} numbers, {}", MODELS[model].replace('-', " "));
    let metric = ["reversal", "transposition", "transposition"][model];
    let mut row = OneOrbit::new(text, title, metric, "row", size, 1);
    for begin in 0..if model == 2 { 1 } else { size } {
        for end in begin + 2..=size {
            if model == 0 {
                let from = |slot| if (begin..end).contains(&slot) { begin + end - 1 - slot } else { slot };
                row.add(segment(begin, end), from, |_| 0);
                continue;
            }
            for middle in begin + 1..end {
                // What begins in the middle comes first.
                let from = |slot| match (begin..end).contains(&slot) {
                    true => begin + (slot - begin + middle - begin) % (end - begin),
                    false => slot,
                };
                let name = format!("{}x{}", segment(begin, middle), segment(middle, end));
                row.add(name, from, |_| 0);
            }
        }
    }
    row.build(words, move |words| grid(words, size))
}

/// The places of a segment, from 1.
fn segment(begin: usize, end: usize) -> String {
    match end - begin {
        1 => end.to_string(),
        _ => format!("{}-{end}", begin + 1),
    }
}

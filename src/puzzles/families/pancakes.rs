//! Pancake sorting: a move flips the topmost pancakes of a stack.
//!
//! `pancake:N` is a stack of N pancakes of different sizes, to be sorted with the smallest on top. In
//! `burnt:N` each pancake has a burnt side that must end up at the bottom. Move `k` flips the topmost k; one
//! flip is one move, however many pancakes it takes, as in all of the literature. A single pancake that is
//! not burnt looks the same when flipped, so `pancake:N` has the moves 2 to N and `burnt:N` 1 to N.
//!
//! States are read from the top; `3+1` is pancake 3 with its burnt side up.

use super::one_orbit::{NO_SYMMETRY, OneOrbit, number};
use crate::error::Result;
use crate::puzzle::{Kind, PuzzleSpec, Rules};

/// The most pancakes of a stack that can be played; far fewer can be enumerated.
const MOST: usize = 60;

/// Stacks of pancakes, for the registry.
pub const PANCAKE: Kind = Kind {
    options: &[NO_SYMMETRY],
    ..Kind::new(
        "pancake",
        "pancake:N[:nosym] with N = 2 to 60 pancakes",
        "A stack of pancakes is sorted by flipping the topmost ones.\n  nosym: without symmetries",
        &["pancake:4", "pancake:7", "pancake:9", "pancake:12"],
        |words| stack(words, false),
    )
};

/// Stacks of burnt pancakes, for the registry.
pub const BURNT: Kind = Kind {
    options: &[NO_SYMMETRY],
    ..Kind::new(
        "burnt",
        "burnt:N[:nosym] with N = 1 to 60 pancakes",
        "As pancake, and each pancake has a burnt side, which must end up at the bottom.\n  nosym: without \
         symmetries",
        &["burnt:3", "burnt:5", "burnt:7", "burnt:9"],
        |words| stack(words, true),
    )
};

fn stack(words: &PuzzleSpec<'_>, burnt: bool) -> Result<Box<dyn Rules>> {
    words.allow(0)?;
    let size = number(Some(words.subject), "pancakes", if burnt { 1 } else { 2 }, MOST)?;
    let (kind, what) = if burnt { ("burnt", "burnt pancakes") } else { ("pancake", "pancakes") };
    let (text, title) = (format!("{kind}:{size}"), format!("A stack of {size} {what}"));
    let mut stack = OneOrbit::new(text, title, "flip", "stack", size, if burnt { 2 } else { 1 });
    for top in if burnt { 1 } else { 2 }..=size {
        let from = |slot| if slot < top { top - 1 - slot } else { slot };
        stack.add(top.to_string(), from, |slot| u8::from(burnt && slot < top));
    }
    let draw = move |words: &[&str]| {
        let bar = |word: &&str| {
            let (pancake, up) = word.split_once('+').unwrap_or((word, ""));
            let width = (2 * pancake.parse::<usize>().unwrap_or(0)).saturating_sub(1);
            let bar = if up.is_empty() { "=" } else { "#" }.repeat(width);
            format!("{bar:^0$}", 2 * size).trim_end().to_owned()
        };
        words.iter().map(bar).collect::<Vec<_>>().join("\n")
    };
    stack.build(words, draw)
}

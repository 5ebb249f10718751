//! How fast the levels can grow, and how the variants compare.
//!
//! # Growth
//! Slides of the top and the bottom half commute, so any row of horizontal slides comes to sliding
//! the top half by some a and the bottom half by some b: a pair (a, b), whose *length* is the least
//! number of moves that do it. To slide both by half the board is a shift of the board, a symmetry.
//! The same holds for vertical slides. A shortest way is made of rows of either direction in turn.
//!
//! Give every state of level k >= 1 a direction, one level after the other. Say that a state s of
//! level k *comes from* p horizontally in j moves if p is in level k - j, s is p after a horizontal
//! pair of length j, and p is a root or has the direction vertical. A state is horizontal if it comes
//! from some state horizontally, and vertical otherwise; then it comes from some state vertically. For
//! let q be a state of level k - 1 next to s, by a horizontal slide, say. If q is a root or vertical,
//! s comes from q. If q is horizontal, it comes from some p in j moves, and s is p after a horizontal
//! pair: of length j + 1, because one of length j or less would put s nearer than level k. So s comes
//! from p. Shifts keep levels and directions.
//!
//! Now count the horizontal states of level k that come from some p in j moves. If t is the shift,
//! s = (a, b) p = (a + n/2, b + n/2) t(p), and t(p) has the level and the direction of p. Of these two
//! pairs the shorter one has length j, or s would be nearer than level k. So it is enough to take one
//! of the two, and s is one of c(j) images of p or t(p), where c(j) is the number of sets
//! {(a, b), (a + n/2, b + n/2)} whose shorter pair has length j. With the vertical states counted
//! likewise, level k has at most
//!
//! c(1) |level k - 1| + c(2) |level k - 2| + ...
//!
//! states, where level 0 counts twice: its states have no direction, and may continue in both. With any
//! distance as one move, c(1) = 2n - 3 and c(2) = (n - 2)^2 / 2.
//!
//! With a fixed quadrant only one half slides in each direction, and there is no shift: c(j) is the
//! number of distances that take j moves.

use super::notation::text;
use super::rules::WrapslideVariant;
use crate::puzzle::{Growth, Relation};
use crate::text::pluralise;

/// How fast the levels can grow.
pub(super) fn growth(variant: &WrapslideVariant) -> Growth {
    let (n, half) = (variant.size, variant.half());
    let length = |cells: usize| match (cells, variant.unit) {
        (0, _) => 0,
        (cells, true) => cells.min(n - cells),
        (_, false) => 1,
    };
    let pair = |a: usize, b: usize| length(a % n) + length(b % n);
    let lengths: Vec<usize> = match variant.fixed {
        true => (0..n).map(length).collect(),
        // Of each set one pair has a below n/2.
        false => (0..half)
            .flat_map(|a| (0..n).map(move |b| (a, b)))
            .map(|(a, b)| pair(a, b).min(pair(a + half, b + half)))
            .collect(),
    };
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let of_length = |j| lengths.iter().filter(|&&length| length == j).count() as u128;
    let later: Vec<u128> = (1..=longest).map(of_length).collect();
    let kinds: Vec<String> =
        (1..).zip(&later).map(|(j, kinds)| format!("{kinds} with {}", pluralise(j, "move"))).collect();
    let shift = if variant.fixed { "" } else { " (up to a shift of the whole board by half its size)" };
    Growth {
        roots: later.iter().map(|kinds| 2 * kinds).collect(),
        later,
        why: format!(
            "a shortest way alternates between horizontal and vertical slides, and what those of one \
             direction in a row come to{shift} is one of few changes: {}; level 0 counts twice, as \
             either direction can come first",
            kinds.join(", ")
        ),
    }
}

/// How God's number compares with those of other variants on the same board.
pub(super) fn relations(variant: &WrapslideVariant) -> Vec<Relation> {
    let v = *variant;
    let mut relations = Vec::new();
    if v.beside {
        let any = WrapslideVariant { beside: false, ..v };
        return vec![Relation::AtLeast { other: text(&any), why: "there are only more goals".into() }];
    }
    // Fewer colours, or more goals.
    if let Some((easier, why)) = easier(variant) {
        relations.push(Relation::AtLeast { other: text(&easier), why: why.into() });
    }
    for harder in variants(variant) {
        if let Some((easier, why)) = easier(&harder)
            && easier == v
        {
            relations.push(at_most(&harder, 1, 0, why));
        }
    }
    let extra = if v.unit { v.half() } else { 1 };
    let next_to = format!(
        "if the two small colours end up diagonal, {} by which a half slides by half the board \
         will make them neighbours",
        pluralise(extra, "move")
    );
    let extra = extra as u32;
    let plain_three = v.colours == 3 && !v.any && !v.fixed;
    if plain_three {
        relations.push(at_most(&WrapslideVariant { any: true, ..v }, 1, extra, &next_to));
    }
    if v.colours > 2 && !v.fixed {
        relations.push(by_parts(variant, plain_three.then_some((extra, next_to))));
    }
    // The other metric.
    let other = WrapslideVariant { unit: !v.unit, ..v };
    let slides = "every slide by one cell is a slide";
    if v.unit {
        relations.push(Relation::AtLeast { other: text(&other), why: slides.into() });
        let why = format!("a slide takes at most {} slides by one cell", v.half());
        relations.push(at_most(&other, v.half() as u32, 0, &why));
    } else {
        relations.push(at_most(&other, 1, 0, slides));
    }
    relations
}

/// First one colour, then the others.
fn by_parts(variant: &WrapslideVariant, diagonal: Option<(u32, String)>) -> Relation {
    let one = WrapslideVariant { colours: 2, any: false, ..*variant };
    let others = WrapslideVariant { any: false, fixed: true, ..*variant };
    let why = "bring colour 1 into a quadrant, as if all others were one colour; shift the board, which \
               costs nothing, so that this is the top-left quadrant; then solve the others without \
               touching it";
    Relation::AtMost {
        parts: vec![text(&one), text(&others)],
        times: 1,
        extra: diagonal.as_ref().map_or(0, |(extra, _)| *extra),
        why: match diagonal {
            Some((_, next_to)) => format!("{why}; {next_to}"),
            None => why.into(),
        },
    }
}

fn at_most(other: &WrapslideVariant, times: u32, extra: u32, why: &str) -> Relation {
    Relation::AtMost { parts: vec![text(other)], times, extra, why: why.into() }
}

/// A variant that the solutions of this one solve, too, and why.
fn easier(variant: &WrapslideVariant) -> Option<(WrapslideVariant, &'static str)> {
    const MERGED: &str = "with two colours made one, a solution with more colours is still a solution";
    let v = *variant;
    Some(match (v.colours, v.fixed, v.any) {
        (4, fixed, _) => (WrapslideVariant { colours: 3, any: !fixed, ..v }, MERGED),
        (3, false, true) => (WrapslideVariant { colours: 2, any: false, ..v }, MERGED),
        (3, false, false) => (
            WrapslideVariant { any: true, ..v },
            "where diagonal colours are solved, too, there are only more goals",
        ),
        _ => return None,
    })
}

/// All variants with the same size and metric.
fn variants(variant: &WrapslideVariant) -> impl Iterator<Item = WrapslideVariant> + use<> {
    let plain = WrapslideVariant { any: false, fixed: false, ..*variant };
    [
        (2, false, false),
        (3, false, false),
        (3, true, false),
        (3, false, true),
        (4, false, false),
        (4, false, true),
    ]
    .into_iter()
    .map(move |(colours, any, fixed)| WrapslideVariant { colours, any, fixed, ..plain })
}

#[cfg(test)]
mod tests;

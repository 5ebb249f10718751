//! Discs in a ring, of which some can be turned over or exchanged.
//!
//! `topspin:N:K` has N discs in a ring and a turnstile that turns K neighbours over. A move is a *flip* (the
//! default): the turnstile turns over any K neighbours, and turning the ring is free, so that all rotations of
//! the solved ring are solved. This is the metric of the literature on search, where the ring's rotation is
//! no part of a state. With `turns`, the ring must come back to its place, and turning it by one disc (`L`,
//! `R`) or the turnstile (`F`) is one move each.
//!
//! `lrx:N` is the ring in which the first two discs can be exchanged: L and R turn it by one, X exchanges.
//! With `lx` there is no R: the moves cannot all be undone, and the space is directed.

use super::drawn::grid;
use super::one_orbit::{NO_SYMMETRY, OneOrbit, number};
use crate::error::{Result, usage};
use crate::puzzle::{Kind, PuzzleSpec, Rules};

/// The most discs.
const MOST: usize = 60;
/// The metrics of `topspin`.
const METRICS: [&str; 2] = ["flips", "turns"];

/// Rings with a turnstile, for the registry.
pub const TOPSPIN: Kind = Kind {
    options: &[METRICS[0], METRICS[1], NO_SYMMETRY],
    ..Kind::new(
        "topspin",
        "topspin:N:K[:METRIC][:nosym] with N = 3 to 60 discs, K = 2 to N of them in the turnstile, METRIC = \
         flips or turns",
        "Discs in a ring, and a turnstile that turns K neighbours over.\n  flips: turning the ring is free; \
         turns: by one disc is one move\n  nosym: without symmetries",
        &["topspin:6:4", "topspin:8:4", "topspin:8:4:turns", "topspin:20:4"],
        topspin,
    )
};

/// Rings in which two discs can be exchanged, for the registry.
pub const LRX: Kind = Kind {
    options: &["lrx", "lx", NO_SYMMETRY],
    ..Kind::new(
        "lrx",
        "lrx:N[:lx][:nosym] with N = 2 to 60 discs",
        "Discs in a ring: L and R turn it by one disc, X exchanges the first two.\n  lx: without R\n  nosym: \
         without symmetries",
        &["lrx:5", "lrx:8", "lrx:8:lx", "lrx:12"],
        lrx,
    )
};

/// Turns the ring by one disc to the left and, if wanted, to the right.
fn add_turns(ring: &mut OneOrbit, size: usize, right: bool) {
    ring.add("L".into(), |slot| (slot + 1) % size, |_| 0);
    if right {
        ring.add("R".into(), |slot| (slot + size - 1) % size, |_| 0);
    }
}

fn topspin(words: &PuzzleSpec<'_>) -> Result<Box<dyn Rules>> {
    words.allow(1)?;
    let size = number(Some(words.subject), "discs", 3, MOST)?;
    let flipped = number(words.more.first().copied(), "discs in the turnstile", 2, size)?;
    let turns = words.one_of(&METRICS, "metrics")? == 1;
    let text = format!("topspin:{size}:{flipped}{}", if turns { ":turns" } else { "" });
    let title = format!("TopSpin, {size} discs, {flipped} in the turnstile");
    let mut ring = OneOrbit::new(text, title, if turns { "turn" } else { "flip" }, "ring", size, 1);
    // The turnstile turns the discs from a place on over.
    let flip = |at: usize| {
        move |slot: usize| {
            let place = (slot + size - at) % size;
            if place < flipped { (at + flipped - 1 - place) % size } else { slot }
        }
    };
    if turns {
        add_turns(&mut ring, size, true);
        ring.add("F".into(), flip(0), |_| 0);
    } else {
        for at in 0..size {
            ring.add(format!("F{}", at + 1), flip(at), |_| 0);
        }
        let solved = ring.definition.solved[0].clone();
        ring.definition.solved.clear();
        for shift in 0..size {
            let mut rotated = solved.clone();
            rotated.0[0].pieces.rotate_left(shift);
            ring.definition.solved.push(rotated);
        }
    }
    let draw = move |words: &[&str]| {
        let (turnstile, rest) = words.split_at(if turns { flipped.min(words.len()) } else { 0 });
        match turns {
            true => format!("[{}] {}", turnstile.join(" "), rest.join(" ")),
            false => grid(words, size),
        }
    };
    ring.build(words, draw)
}

fn lrx(words: &PuzzleSpec<'_>) -> Result<Box<dyn Rules>> {
    words.allow(0)?;
    let size = number(Some(words.subject), "discs", 2, MOST)?;
    if words.has_option("lrx") && words.has_option("lx") {
        return usage("`lrx` and `lx` are two sets of moves, and only one can be used");
    }
    let directed = words.has_option("lx");
    let text = format!("lrx:{size}{}", if directed { ":lx" } else { "" });
    let title = format!("A ring of {size} discs, {}", if directed { "L and X" } else { "L, R and X" });
    let mut ring = OneOrbit::new(text, title, "move", "ring", size, 1);
    add_turns(&mut ring, size, !directed);
    ring.add("X".into(), |slot| if slot < 2 { 1 - slot } else { slot }, |_| 0);
    ring.build(words, move |words| grid(words, size))
}

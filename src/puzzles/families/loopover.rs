//! Loopover: a board of numbered tiles whose rows and columns slide along themselves, with wrap-around.
//!
//! `loopover:MxN` has M rows and N columns. Move `R2` slides the second row to the right by one tile, `L2` to
//! the left; `U1` and `D1` slide the first column. By default sliding by any distance is one move (`R2.3` is
//! by three tiles), as in Wrapslide; with `single` each step by one tile is one, which is how games count.
//!
//! With `rows=K`, only the tiles of the first K rows are told apart: the question of how far the first rows
//! are from being solved.

use super::drawn::grid;
use super::one_orbit::{NO_SYMMETRY, OneOrbit, number};
use crate::error::{Error, Result};
use crate::puzzle::{Kind, PuzzleSpec, Rules};

/// The most rows or columns.
const MOST: usize = 9;
/// The metrics.
const METRICS: [&str; 2] = ["multi", "single"];

/// The family, for the registry.
pub const KIND: Kind = Kind {
    options: &[METRICS[0], METRICS[1], "rows=", NO_SYMMETRY],
    ..Kind::new(
        "loopover",
        "loopover:MxN[:METRIC][:rows=K][:nosym] with M rows and N columns, 2 to 9 each, METRIC = multi or single",
        "Rows and columns of numbered tiles slide along themselves, with wrap-around.\n  multi: by any distance \
         is one move; single: by one tile\n  rows=K: only the tiles of the first K rows matter\n  nosym: without \
         symmetries",
        &["loopover:2x3", "loopover:3x3", "loopover:3x3:single", "loopover:4x4:rows=1", "loopover:4x4"],
        parse,
    )
};

fn parse(words: &PuzzleSpec<'_>) -> Result<Box<dyn Rules>> {
    words.allow(0)?;
    let size = words.subject.split_once('x');
    let (rows, columns) =
        size.ok_or_else(|| Error::Usage(format!("`{}` is not a size such as 3x4", words.subject)))?;
    let rows = number(Some(rows), "rows", 2, MOST)?;
    let columns = number(Some(columns), "columns", 2, MOST)?;
    let single = words.one_of(&METRICS, "metrics")? == 1;
    let told = match words.value("rows") {
        Some(told) => number(Some(told), "rows to solve", 1, rows)?,
        None => rows,
    };
    let mut text = format!("loopover:{rows}x{columns}");
    let mut title = format!("Loopover {rows}x{columns}");
    if single {
        text += ":single";
    }
    if told < rows {
        text += &format!(":rows={told}");
        title += &format!(", the first {}", crate::text::pluralise(told as u128, "row"));
    }
    let mut board = OneOrbit::new(text, title, METRICS[usize::from(single)], "tiles", rows * columns, 1);
    for row in 0..rows {
        for (distance, letter, shown) in slides(columns, single, ['R', 'L']) {
            let from = |slot: usize| match slot / columns == row {
                true => row * columns + (slot % columns + columns - distance) % columns,
                false => slot,
            };
            board.add(name(letter, row, shown), from, |_| 0);
        }
    }
    for column in 0..columns {
        for (distance, letter, shown) in slides(rows, single, ['D', 'U']) {
            let from = |slot: usize| match slot % columns == column {
                true => (slot / columns + rows - distance) % rows * columns + column,
                false => slot,
            };
            board.add(name(letter, column, shown), from, |_| 0);
        }
    }
    // All tiles of the other rows are alike.
    let solved = &mut board.definition.solved[0].0[0];
    let labels = (told * columns + 1).min(rows * columns);
    solved.pieces = (0..rows * columns).map(|tile| tile.min(labels - 1) as u8).collect();
    solved.modulus.truncate(labels);
    board.build(words, move |words| grid(words, columns))
}

/// The slides of a row of so many tiles: by how many forward, in which direction and by how many that is
/// called.
fn slides(length: usize, single: bool, letters: [char; 2]) -> Vec<(usize, char, usize)> {
    let all = (1..length).map(|distance| match distance <= length / 2 {
        true => (distance, letters[0], distance),
        false => (distance, letters[1], length - distance),
    });
    all.filter(|&(_, _, shown)| !single || shown == 1).collect()
}

/// The name of a slide.
fn name(letter: char, line: usize, distance: usize) -> String {
    match distance {
        1 => format!("{letter}{}", line + 1),
        _ => format!("{letter}{}.{distance}", line + 1),
    }
}

//! Reading and writing: the puzzle's own text, states, moves, drawings.

use std::fmt::Write;

use super::rules::{Half, HalfSlide, WrapslideVariant};
use crate::error::{Result, usage};
use crate::puzzle::PuzzleSpec;
use crate::text::pluralise;

/// Reads what follows `wrapslide:`.
pub(super) fn parse(spec: &PuzzleSpec<'_>) -> Result<WrapslideVariant> {
    let size = match spec.subject {
        "" => return usage("the size is missing"),
        "4x4" => 4,
        "6x6" => 6,
        "8x8" => 8,
        other => return usage(format!("the size `{other}` is not 4x4, 6x6 or 8x8")),
    };
    let colours = match spec.more.first() {
        Some(&"2") => 2,
        Some(&"3") => 3,
        Some(&"4") => 4,
        Some(other) => return usage(format!("the number of colours `{other}` is not 2, 3 or 4")),
        None => return usage("the number of colours is missing"),
    };
    spec.allow(1)?;
    let unit = spec.one_of(&["slide", "unit"], "metrics")? == 1;
    let has = |option| spec.has_option(option);
    if has("any") && colours != 3 {
        return usage(format!(
            "`any` applies to three colours only; with {colours} every arrangement is solved already"
        ));
    }
    if has("fixed") && colours == 2 {
        return usage("`fixed` needs three or four colours; with two nothing is left to solve");
    }
    if has("any") && has("fixed") {
        return usage("`any` does not apply to `fixed`, which accepts every arrangement already");
    }
    if has("beside") && !(colours == 3 && has("fixed")) {
        return usage("`beside` applies to three colours with `fixed` only");
    }
    Ok(WrapslideVariant { size, colours, any: has("any"), fixed: has("fixed"), beside: has("beside"), unit })
}

/// The canonical text.
pub(super) fn text(variant: &WrapslideVariant) -> String {
    let text = format!("wrapslide:{0}x{0}:{1}", variant.size, variant.colours);
    with_options(variant, text, [":any", ":fixed", ":beside", ":unit"])
}

/// The puzzle in words.
pub(super) fn title(variant: &WrapslideVariant) -> String {
    let title = format!("Wrapslide {0}x{0}, {1} colours", variant.size, variant.colours);
    let options = [", any arrangement", ", top-left quadrant fixed", ", colour 2 beside it", ", unit slides"];
    with_options(variant, title, options)
}

fn with_options(variant: &WrapslideVariant, text: String, names: [&str; 4]) -> String {
    let given = names.into_iter().zip([variant.any, variant.fixed, variant.beside, variant.unit]);
    given.filter(|(_, given)| *given).fold(text, |text, (name, _)| text + name)
}

/// Reads a state: rows of digits with `/` between them.
pub(super) fn parse_board(variant: &WrapslideVariant, text: &str) -> Result<Vec<u8>> {
    if text.trim().is_empty() {
        return usage("the state is empty; it is written as rows of digits, such as 1122/1122/3344/3344");
    }
    let rows = parse_rows(text)?;
    let n = rows.len();
    for (row, cells) in (1..).zip(&rows) {
        if cells.len() != n {
            return usage(format!(
                "the board is not square: row {row} has {}, but there {} {}",
                pluralise(cells.len(), "cell"),
                if n == 1 { "is" } else { "are" },
                pluralise(n, "row")
            ));
        }
    }
    if n % 2 == 1 {
        return usage(format!("the board is {n}x{n}, and an odd size cannot be divided into quadrants"));
    }
    if n != variant.size {
        return usage(format!("the board is {n}x{n}, but this puzzle is {0}x{0}", variant.size));
    }
    let board = rows.concat();
    check_colours(variant, &board)?;
    if variant.fixed {
        check_fixed(variant, &board)?;
    }
    Ok(board)
}

fn parse_rows(text: &str) -> Result<Vec<Vec<u8>>> {
    let mut rows = Vec::new();
    for (row, digits) in (1..).zip(text.trim().split('/')) {
        let mut cells = Vec::new();
        for (column, digit) in (1..).zip(digits.chars()) {
            match digit {
                '1'..='9' => cells.push(digit as u8 - b'0'),
                _ => {
                    return usage(format!(
                        "row {row}, column {column}: `{}` is not a colour; a state is written as \
                         rows of digits from 1, with `/` between rows",
                        digit.escape_debug()
                    ));
                }
            }
        }
        rows.push(cells);
    }
    Ok(rows)
}

fn check_colours(variant: &WrapslideVariant, board: &[u8]) -> Result<()> {
    let n = variant.size;
    let filled = |colour: u8| board.iter().filter(|&&label| label == colour).count();
    let highest = board.iter().copied().max().unwrap_or_default();
    if let Some(gap) = (1..highest).find(|&colour| filled(colour) == 0) {
        return usage(format!(
            "colour {highest} is used but colour {gap} is not: colours are numbered from 1 without gaps"
        ));
    }
    if let Some(cell) = board.iter().position(|&colour| usize::from(colour) > variant.colours) {
        return usage(format!(
            "row {}, column {}: colour {}, but this puzzle has colours 1 to {}",
            cell / n + 1,
            cell % n + 1,
            board[cell],
            variant.colours
        ));
    }
    for (colour, count) in (1..).zip(variant.counts()) {
        if filled(colour) != count {
            return usage(format!(
                "colour {colour} fills {}, but must fill {count}",
                pluralise(filled(colour), "cell")
            ));
        }
    }
    Ok(())
}

fn check_fixed(variant: &WrapslideVariant, board: &[u8]) -> Result<()> {
    match variant.quadrant_cells(0).find(|&cell| board[cell] != 1) {
        None => Ok(()),
        Some(cell) => usage(format!(
            "row {}, column {}: colour {}, but in a `fixed` puzzle colour 1 fills the top-left quadrant",
            cell / variant.size + 1,
            cell % variant.size + 1,
            board[cell]
        )),
    }
}

/// Writes a state on one line.
pub(super) fn print_board(variant: &WrapslideVariant, board: &[u8]) -> String {
    let rows = board.chunks(variant.size);
    let rows = rows.map(|row| row.iter().map(|&label| char::from(b'0' + label)).collect());
    rows.collect::<Vec<String>>().join("/")
}

/// Draws a state on several lines, with a gap between the quadrants and no newline at the end.
pub(super) fn draw(variant: &WrapslideVariant, board: &[u8], colour: bool) -> String {
    let half = variant.half();
    let mut drawing = String::new();
    for (r, row) in board.chunks(variant.size).enumerate() {
        if r > 0 {
            drawing.push_str(if r == half { "\n\n" } else { "\n" });
        }
        for (c, label) in row.iter().enumerate() {
            // Coloured cells touch each other; digits alone are set apart by spaces.
            drawing.push_str(if c == half { " " } else { "" });
            // Writing to a string cannot fail.
            let _ = if colour {
                // Black on red, green, yellow, blue.
                write!(drawing, "\x1b[30;4{label}m {label} \x1b[0m")
            } else {
                let space = if c > 0 { " " } else { "" };
                write!(drawing, "{space}{label}")
            };
        }
    }
    drawing
}

/// A move in notation, such as `B3`.
pub(super) fn move_name(slide: HalfSlide) -> String {
    format!("{}{}", letter(slide.half), slide.cells)
}

/// Reads a move.
pub(super) fn parse_slide(variant: &WrapslideVariant, text: &str) -> Result<HalfSlide> {
    match variant.slides().find(|&slide| move_name(slide) == text) {
        Some(slide) => Ok(slide),
        None => {
            let halves = if variant.fixed { "B or R" } else { "T, B, L or R" };
            let cells = if variant.unit {
                format!("1 or {}", variant.size - 1)
            } else {
                format!("1 to {}", variant.size - 1)
            };
            let fixed = if variant.fixed { "; T and L would disturb the fixed quadrant" } else { "" };
            usage(format!(
                "`{text}` is not a move of this puzzle: a move is a half ({halves}) and a number of \
                 cells ({cells}), such as B1{fixed}"
            ))
        }
    }
}

pub(super) fn letter(half: Half) -> char {
    match half {
        Half::Top => 'T',
        Half::Bottom => 'B',
        Half::Left => 'L',
        Half::Right => 'R',
    }
}

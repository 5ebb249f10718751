//! Reading and writing: the puzzle's own text, states, moves, drawings.

use std::fmt::Write;

use super::rules::{TileSlide, TilesVariant};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, PuzzleSpec};
use crate::text::pluralise;

/// Reads what follows `tiles:`.
pub(super) fn parse(spec: &PuzzleSpec<'_>) -> Result<TilesVariant> {
    if spec.subject.is_empty() {
        return usage("the size is missing");
    }
    let Some((rows, columns)) = size(spec.subject) else {
        return usage(format!(
            "the size `{}` is not a number of rows, `x` and a number of columns, 2 to 10 each, \
             such as 3x4",
            spec.subject.escape_debug()
        ));
    };
    spec.allow(0)?;
    let push = spec.one_of(&["single", "push"], "metrics")? == 1;
    Ok(TilesVariant { rows, columns, push })
}

fn size(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.split_once('x')?;
    // One spelling for each number: no signs, no leading zeros.
    let number = |digits: &str| (2..=10).find(|number| number.to_string() == digits);
    Some((number(rows)?, number(columns)?))
}

/// The canonical text.
pub(super) fn text(variant: &TilesVariant) -> String {
    let push = if variant.push { ":push" } else { "" };
    format!("tiles:{}x{}{push}", variant.rows, variant.columns)
}

/// Reads a state: rows of numbers with `/` between them.
pub(super) fn parse_board(variant: &TilesVariant, text: &str) -> Result<Vec<u8>> {
    let TilesVariant { rows, columns, .. } = *variant;
    if text.trim().is_empty() {
        return usage(
            "the state is empty; it is written as rows of numbers with 0 for the blank, such as \
             1 2 3/4 5 6/7 8 0",
        );
    }
    let mut numbers = Vec::new();
    let mut lengths = Vec::new();
    for (row, words) in (1..).zip(text.split('/')) {
        let before = numbers.len();
        for (column, word) in (1..).zip(words.split_whitespace()) {
            let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
            if !is_number {
                return usage(format!(
                    "row {row}, column {column}: `{}` is not a number; a state is written as rows \
                     of numbers with spaces between them, `/` between rows and 0 for the blank",
                    word.escape_debug()
                ));
            }
            numbers.push((row, column, word));
        }
        lengths.push(numbers.len() - before);
    }
    if lengths.len() != rows {
        return usage(format!(
            "the board has {}, but this puzzle has {rows}",
            pluralise(lengths.len(), "row")
        ));
    }
    if let Some(row) = lengths.iter().position(|&length| length != columns) {
        return usage(format!(
            "row {} has {}, but this puzzle has {columns}",
            row + 1,
            pluralise(lengths[row], "column")
        ));
    }
    check_tiles(variant, &numbers)
}

/// Numbers with their rows and columns, to a board that has every tile once and can be solved.
fn check_tiles(variant: &TilesVariant, numbers: &[(usize, usize, &str)]) -> Result<Vec<u8>> {
    let last = variant.cells() - 1;
    let mut board: Vec<u8> = Vec::with_capacity(variant.cells());
    for &(row, column, word) in numbers {
        // A number that is too long to be read is too large as well.
        let tile = word.parse().ok().filter(|&tile: &u8| usize::from(tile) <= last);
        let Some(tile) = tile else {
            return usage(format!(
                "row {row}, column {column}: there is no tile {word}; the tiles are 1 to {last}"
            ));
        };
        if let Some(cell) = board.iter().position(|&other| other == tile) {
            return usage(format!(
                "row {row}, column {column}: {} is already in row {}, column {}",
                match tile {
                    0 => "the blank".into(),
                    _ => format!("tile {tile}"),
                },
                cell / variant.columns + 1,
                cell % variant.columns + 1
            ));
        }
        board.push(tile);
    }
    // As many different numbers as there are: none is missing.
    if !variant.is_reachable(&board) {
        return usage(
            "this board cannot be solved: half of all arrangements cannot be reached by moves, and \
             this is one of them (exchanging any two tiles makes it solvable)",
        );
    }
    Ok(board)
}

/// Writes a state on one line.
pub(super) fn print_board(variant: &TilesVariant, board: &[u8]) -> String {
    let rows = board.chunks(variant.columns).map(|row| {
        let tiles: Vec<String> = row.iter().map(u8::to_string).collect();
        tiles.join(" ")
    });
    rows.collect::<Vec<String>>().join("/")
}

/// Draws a state on several lines, with no newline at the end. In colour, tiles that are where
/// they belong are green.
pub(super) fn draw(variant: &TilesVariant, board: &[u8], colour: bool) -> String {
    let width = (variant.cells() - 1).to_string().len();
    let mut drawing = String::new();
    for (cell, &tile) in board.iter().enumerate() {
        if cell > 0 && cell % variant.columns == 0 {
            drawing.push('\n');
        }
        let number = match tile {
            0 if colour => String::new(),
            0 => ".".into(),
            _ => tile.to_string(),
        };
        // Coloured tiles touch each other; numbers alone are set apart by spaces. Writing to a
        // string cannot fail.
        let _ = if colour {
            let paint = match usize::from(tile) {
                0 => "0",
                tile if tile == cell + 1 => "30;42",
                _ => "30;47",
            };
            write!(drawing, "\x1b[{paint}m {number:>width$} \x1b[0m")
        } else {
            let space = if cell % variant.columns > 0 { " " } else { "" };
            write!(drawing, "{space}{number:>width$}")
        };
    }
    drawing
}

/// A move in notation: `R`, or `R2` if it moves two tiles.
pub(super) fn move_name(slide: TileSlide) -> String {
    let letter = letter(slide.direction);
    match slide.tiles {
        1 => letter.into(),
        tiles => format!("{letter}{tiles}"),
    }
}

/// Moves of single tiles on one line, with counts for repeats: `R R U` is `R2 U`.
pub(super) fn contract(names: &[String]) -> String {
    let runs = names.chunk_by(|left, right| left == right);
    let words = runs.map(|run| match run {
        [name] => name.clone(),
        _ => format!("{}{}", run[0], run.len()),
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The names of the moves that a word of [`contract`] stands for: `R2` is `R` and `R`.
pub(super) fn expand(word: &str) -> Option<Vec<String>> {
    let mut characters = word.chars();
    let name = characters.next()?.to_string();
    // On no board can a tile in a row of ten move more often in a row.
    let count = (2..10).find(|number: &usize| number.to_string() == characters.as_str())?;
    Some(vec![name; count])
}

/// Reads a move that is legal on this board.
pub(super) fn parse_slide(variant: &TilesVariant, board: &[u8], text: &str) -> Result<TileSlide> {
    let mut characters = text.chars();
    let direction = characters.next().and_then(|first| Arrow::ALL.into_iter().find(|&d| letter(d) == first));
    let count = characters.as_str();
    // A board is not wider than 10; `R1` is `R`.
    let tiles = match count {
        "" => Some(1),
        _ => (1..10).find(|number: &usize| number.to_string() == count),
    };
    let (Some(direction), Some(tiles)) = (direction, tiles) else {
        return usage(format!(
            "`{}` is not a move: a move is the direction in which {} ({})",
            text.escape_debug(),
            if variant.push { "tiles slide and how many of them, such as R or R2" } else { "a tile slides" },
            legal_moves(variant, board)
        ));
    };
    let slide = TileSlide { direction, tiles };
    if !variant.push && tiles > 1 {
        return usage(format!(
            "`{}` is {tiles} moves here: a move slides one tile, `{}` (`:push` makes a puzzle in \
             which a whole row may move as one)",
            text.escape_debug(),
            letter(direction)
        ));
    }
    if variant.slides(board).all(|legal| legal != slide) {
        return usage(format!(
            "`{}` is not possible here: {} ({})",
            move_name(slide),
            match variant.blank(board).map(|blank| variant.reach(blank, direction)) {
                None | Some(0) => "no tile can slide in that direction".into(),
                Some(reach) => format!("only {} can slide in that direction", pluralise(reach, "tile")),
            },
            legal_moves(variant, board)
        ));
    }
    Ok(slide)
}

fn legal_moves(variant: &TilesVariant, board: &[u8]) -> String {
    let names: Vec<String> = variant.slides(board).map(move_name).collect();
    format!("possible now: {}", names.join(" "))
}

fn letter(direction: Arrow) -> char {
    match direction {
        Arrow::Left => 'L',
        Arrow::Right => 'R',
        Arrow::Up => 'U',
        Arrow::Down => 'D',
    }
}

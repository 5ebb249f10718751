//! The board as text, and what a picture of it needs.

use super::board::{Board, Cell};
use super::pieces::{CASE, Letters, Turned, character};
use super::rules::Rules;

/// Lines of a row of triangles.
const HEIGHT: usize = 4;
/// Columns from a triangle to the next one in its row; a triangle is twice as wide.
const PITCH: usize = 4;

/// Characters, and the letters among them that are coloured.
struct Canvas {
    lines: Vec<Vec<(char, Option<u8>)>>,
}

impl Canvas {
    fn put(&mut self, line: usize, column: usize, character: char) {
        if let Some(place) = self.lines.get_mut(line).and_then(|l| l.get_mut(column)) {
            *place = (character, None);
        }
    }

    fn letter(&mut self, line: usize, column: usize, letter: u8) {
        if let Some(place) = self.lines.get_mut(line).and_then(|l| l.get_mut(column)) {
            *place = (character(letter), Some(letter));
        }
    }

    fn text(&self, colour: bool) -> String {
        // Without a triangle that points down in the first row there is no ceiling.
        let blank = |line: &&Vec<_>| line.iter().all(|place: &(char, _)| place.0 == ' ');
        let lines = self.lines.iter().skip_while(blank).map(|line| {
            let end = line.iter().rposition(|place| place.0 != ' ');
            let line = &line[..end.map_or(0, |end| end + 1)];
            line.iter().map(|&place| painted(place, colour)).collect()
        });
        lines.collect::<Vec<String>>().join("\n")
    }
}

/// What is drawn in a cell.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    /// What it shows, by slot.
    pub letters: Option<Letters>,
    /// Two characters in its middle.
    pub mark: Option<[char; 2]>,
    /// Whether it does not match a cell beside it.
    pub conflict: bool,
}

/// Draws a filling: every cell has its outline, and filled ones the letters at their edges.
pub(super) fn draw(rules: &Rules, filling: &[u8], colour: bool) -> String {
    let laid = filling.iter().map(|&byte| Look {
        letters: Some(rules.pieces.shown(Turned::from_byte(byte))),
        ..Look::default()
    });
    draw_cells(&rules.board, &laid.collect::<Vec<_>>(), colour)
}

/// Draws a board.
pub(super) fn draw_cells(board: &Board, looks: &[Look], colour: bool) -> String {
    let cells = &board.cells;
    let left = cells.iter().map(|cell| cell.x).min().unwrap_or_default();
    let right = cells.iter().map(|cell| cell.x).max().unwrap_or_default();
    let width = PITCH * (usize::from(right - left) + 2);
    let mut canvas = Canvas {
        // One line above the first row for its ceiling.
        lines: vec![vec![(' ', None); width]; HEIGHT * board.rows.len() + 1],
    };
    for (number, cell) in cells.iter().enumerate() {
        let column = PITCH * usize::from(cell.x - left);
        let line = HEIGHT * board.place(number).0 + 1;
        outline(&mut canvas, line, column, cell.up);
    }
    for (number, (cell, look)) in cells.iter().zip(looks).enumerate() {
        let column = PITCH * usize::from(cell.x - left);
        let line = HEIGHT * board.place(number).0 + 1;
        inside(&mut canvas, line, column, cell.up, look);
    }
    canvas.text(colour)
}

/// What a picture needs: the cells in reading order, `{"cells":[{"row":1,"column":1,"x":2,"up":true},...]}`.
/// Cells of different rows with the same `x` lie above each other.
pub(super) fn board(board: &Board) -> serde_json::Value {
    let cell = |cell: &Cell| {
        serde_json::json!({
            "row": cell.row,
            "column": cell.column,
            "x": cell.x,
            "up": cell.up,
        })
    };
    let cells: Vec<_> = board.cells.iter().map(cell).collect();
    serde_json::json!({ "cells": cells })
}

/// Draws a piece alone.
pub(super) fn draw_piece(up: bool, letters: Letters, colour: bool) -> String {
    let mut canvas = Canvas {
        lines: vec![vec![(' ', None); 2 * PITCH]; HEIGHT + 1],
    };
    let look = Look {
        letters: Some(letters),
        ..Look::default()
    };
    outline(&mut canvas, 1, 0, up);
    inside(&mut canvas, 1, 0, up, &look);
    canvas.text(colour)
}

/// Puts letters and marks into a triangle.
fn inside(canvas: &mut Canvas, line: usize, column: usize, up: bool, look: &Look) {
    // Left and right letters beside the strokes, as low in a triangle that points up as they
    // are high in one that points down; the third one in the middle of its edge.
    let places = match up {
        true => [(2, 2), (3, 3), (2, 5)],
        false => [(1, 5), (0, 3), (1, 2)],
    };
    for ((down, across), letter) in places.into_iter().zip(look.letters.into_iter().flatten()) {
        canvas.letter(line + down, column + across, letter);
    }
    // The mark between the letters; towards the tip, that something does not match.
    let (middle, tip) = if up { (2, 1) } else { (1, 2) };
    let marks = [
        (middle, look.mark),
        (tip, look.conflict.then_some(['!'; 2])),
    ];
    for (down, mark) in marks {
        for (across, character) in (3..).zip(mark.into_iter().flatten()) {
            canvas.put(line + down, column + across, character);
        }
    }
}

fn outline(canvas: &mut Canvas, line: usize, column: usize, up: bool) {
    let width = 2 * PITCH;
    for step in 0..HEIGHT {
        let (from_left, strokes) = match up {
            true => (HEIGHT - 1 - step, ['/', '\\']),
            false => (step, ['\\', '/']),
        };
        canvas.put(line + step, column + from_left, strokes[0]);
        canvas.put(line + step, column + width - 1 - from_left, strokes[1]);
    }
    // The floor of a triangle that points up, or the ceiling of one that points down.
    let edge = if up { line + HEIGHT - 1 } else { line - 1 };
    (1..width - 1).for_each(|across| canvas.put(edge, column + across, '_'));
}

fn painted((character, letter): (char, Option<u8>), colour: bool) -> String {
    match letter {
        // Black on red, green, yellow, blue; both cases alike.
        Some(letter) if colour => {
            format!("\x1b[30;4{}m{character}\x1b[0m", letter % CASE + 1)
        }
        _ => character.to_string(),
    }
}

//! The board as text.

use super::pieces::{CASE, Turned, character};
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
}

/// Draws a filling: every cell has its outline, and filled ones the letters at their edges.
pub(super) fn draw(rules: &Rules, filling: &[u8], colour: bool) -> String {
    let cells = &rules.board.cells;
    let left = cells.iter().map(|cell| cell.x).min().unwrap_or_default();
    let right = cells.iter().map(|cell| cell.x).max().unwrap_or_default();
    let width = PITCH * (usize::from(right - left) + 2);
    let mut canvas = Canvas {
        // One line above the first row for its ceiling.
        lines: vec![vec![(' ', None); width]; HEIGHT * rules.board.rows.len() + 1],
    };
    for (number, cell) in cells.iter().enumerate() {
        let column = PITCH * usize::from(cell.x - left);
        let line = HEIGHT * rules.board.place(number).0 + 1;
        outline(&mut canvas, line, column, cell.up);
    }
    for (number, (cell, &byte)) in cells.iter().zip(filling).enumerate() {
        let column = PITCH * usize::from(cell.x - left);
        let line = HEIGHT * rules.board.place(number).0 + 1;
        let shown = rules.pieces.shown(Turned::from_byte(byte));
        // Left and right letters beside the strokes, as low in a triangle that points up as they
        // are high in one that points down; the third one in the middle of its edge.
        let places = match cell.up {
            true => [(2, 2), (3, 3), (2, 5)],
            false => [(1, 5), (0, 3), (1, 2)],
        };
        for ((down, across), letter) in places.into_iter().zip(shown) {
            canvas.letter(line + down, column + across, letter);
        }
    }
    // Without a triangle that points down in the first row there is no ceiling.
    let blank = |line: &&Vec<_>| line.iter().all(|place: &(char, _)| place.0 == ' ');
    let lines = canvas.lines.iter().skip_while(blank).map(|line| {
        let end = line.iter().rposition(|place| place.0 != ' ');
        let line = &line[..end.map_or(0, |end| end + 1)];
        line.iter().map(|&place| painted(place, colour)).collect()
    });
    lines.collect::<Vec<String>>().join("\n")
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

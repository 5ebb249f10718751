//! The board as text, and what a picture of it needs.

use super::board::TriangleBoard;
use super::pieces::{CASE, EdgeLetters, Turned, character};
use super::rules::TriangleRules;

/// Lines of a row of triangles.
const HEIGHT: usize = 4;
/// Columns from a triangle to the next one in its row; a triangle is twice as wide.
const PITCH: usize = 4;

/// Characters, and the letters among them that are coloured.
struct CharCanvas {
    lines: Vec<Vec<(char, Option<u8>)>>,
}

impl CharCanvas {
    fn put(&mut self, line: usize, column: usize, character: char, letter: Option<u8>) {
        if let Some(place) = self.lines.get_mut(line).and_then(|l| l.get_mut(column)) {
            *place = (character, letter);
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
pub(super) struct CellLook {
    /// What it shows, by slot.
    pub letters: Option<EdgeLetters>,
    /// Two characters in its middle.
    pub mark: Option<[char; 2]>,
    /// Whether it does not match a cell beside it.
    pub conflict: bool,
}

/// Draws a filling: every cell has its outline, and filled ones the letters at their edges.
pub(super) fn draw(rules: &TriangleRules, filling: &[u8], colour: bool) -> String {
    let placed = filling.iter().map(|&byte| CellLook {
        letters: Some(rules.pieces.shown(Turned::from_byte(byte))),
        ..CellLook::default()
    });
    draw_cells(&rules.board, &placed.collect::<Vec<_>>(), colour)
}

pub(super) fn draw_cells(board: &TriangleBoard, looks: &[CellLook], colour: bool) -> String {
    let cells = &board.cells;
    let left = cells.iter().map(|cell| cell.x).min().unwrap_or_default();
    let right = cells.iter().map(|cell| cell.x).max().unwrap_or_default();
    let width = PITCH * (usize::from(right - left) + 2);
    let mut canvas = CharCanvas {
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

/// Draws a piece alone.
pub(super) fn draw_piece(up: bool, letters: EdgeLetters, colour: bool) -> String {
    let mut canvas = CharCanvas { lines: vec![vec![(' ', None); 2 * PITCH]; HEIGHT + 1] };
    let look = CellLook { letters: Some(letters), ..CellLook::default() };
    outline(&mut canvas, 1, 0, up);
    inside(&mut canvas, 1, 0, up, &look);
    canvas.text(colour)
}

/// Puts letters and marks into a triangle.
fn inside(canvas: &mut CharCanvas, line: usize, column: usize, up: bool, look: &CellLook) {
    // Left and right letters beside the strokes, as low in a triangle that points up as they
    // are high in one that points down; the third one in the middle of its edge.
    let places = if up { [(2, 2), (3, 3), (2, 5)] } else { [(1, 5), (0, 3), (1, 2)] };
    for ((down, across), letter) in places.into_iter().zip(look.letters.into_iter().flatten()) {
        canvas.put(line + down, column + across, character(letter), Some(letter));
    }
    // The mark between the letters; towards the tip, that something does not match.
    let (middle, tip) = if up { (2, 1) } else { (1, 2) };
    let marks = [(middle, look.mark), (tip, look.conflict.then_some(['!'; 2]))];
    for (down, mark) in marks {
        for (across, character) in (3..).zip(mark.into_iter().flatten()) {
            canvas.put(line + down, column + across, character, None);
        }
    }
}

fn outline(canvas: &mut CharCanvas, line: usize, column: usize, up: bool) {
    let width = 2 * PITCH;
    for step in 0..HEIGHT {
        let (from_left, strokes) = if up { (HEIGHT - 1 - step, ['/', '\\']) } else { (step, ['\\', '/']) };
        canvas.put(line + step, column + from_left, strokes[0], None);
        canvas.put(line + step, column + width - 1 - from_left, strokes[1], None);
    }
    // The floor of a triangle that points up, or the ceiling of one that points down.
    let edge = if up { line + HEIGHT - 1 } else { line - 1 };
    (1..width - 1).for_each(|across| canvas.put(edge, column + across, '_', None));
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

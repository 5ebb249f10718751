//! Boards for a terminal: lines around every block, its letter in its first cell.

use super::Klotski;
use super::lettered_replay::LetteredReplay;
use super::rules::{BlockBoard, EMPTY};
use crate::puzzle::{Picture, Rules};

/// Stands for the places around the board.
const OUTSIDE: Option<usize> = Some(usize::MAX);

/// Draws a state on several lines, with no newline at the end. The block with the letter `chosen` is
/// marked, and colours show the shapes.
///
/// Rows and columns of the drawing with even numbers are the lines between cells.
pub(super) fn draw(replay: &LetteredReplay<'_>, chosen: Option<char>, colour: bool) -> String {
    let BlockBoard { rows, columns, .. } = *replay.board;
    // The cell where the block of each cell begins, with a frame; `None` for empty cells.
    let mut owners = vec![vec![OUTSIDE; columns + 2]; rows + 2];
    for row in &mut owners[1..=rows] {
        row[1..=columns].fill(None);
    }
    for block in replay.board.blocks(&replay.state) {
        for cell in replay.board.cover(replay.state[block], block) {
            owners[cell / columns + 1][cell % columns + 1] = Some(block);
        }
    }
    // One part of the drawing, and the kind of block whose colour it has.
    let part = |row: usize, column: usize| {
        let [[nw, ne], [sw, se]] = [row.div_ceil(2), row / 2 + 1]
            .map(|r| [column.div_ceil(2), column / 2 + 1].map(|c| owners[r][c]));
        let width = if column.is_multiple_of(2) { 1 } else { 3 };
        let filling = match (nw != sw || ne != se, nw != ne || sw != se) {
            (true, true) => "+",
            (true, false) => "-",
            (false, true) => "|",
            (false, false) => " ",
        };
        let Some(block) = se.filter(|_| filling == " ") else {
            return (filling.repeat(width), EMPTY);
        };
        let is_first = row % 2 == 1 && column % 2 == 1 && row / 2 * columns + column / 2 == block;
        let text = match replay.letter(block) {
            _ if !is_first => filling.repeat(width),
            letter if Some(letter) == chosen => format!("[{letter}]"),
            letter => format!(" {letter} "),
        };
        (text, replay.state[block])
    };
    let line = |row: usize| {
        let mut line = String::new();
        let mut before = EMPTY;
        for column in 0..=2 * columns {
            let (text, background) = part(row, column);
            if colour && background != before {
                line += &paint(background);
                before = background;
            }
            line += &text;
        }
        if colour && before != EMPTY {
            line += &paint(EMPTY);
        }
        line
    };
    (0..=2 * rows).map(line).collect::<Vec<_>>().join("\n")
}

/// Switches the terminal to the colours of a kind of block.
fn paint(kind: u8) -> String {
    match kind {
        EMPTY => "\x1b[0m".to_owned(),
        // Black on yellow, green, blue, red: single, lying, standing, big.
        _ => format!("\x1b[30;4{}m", [3, 2, 4, 1][usize::from(kind - 1) % 4]),
    }
}

impl Picture for Klotski {
    /// `{"rows":5,"columns":4,"goal":[3,1],"metric":"step"}`, where `goal` is the row and the column of
    /// the 2x2 block's upper left cell when it is solved, counted from 0.
    fn board(&self) -> serde_json::Value {
        let BlockBoard { rows, columns, goal, .. } = self.board;
        let goal = [goal / columns, goal % columns];
        serde_json::json!({ "rows": rows, "columns": columns, "goal": goal, "metric": self.metric() })
    }
}

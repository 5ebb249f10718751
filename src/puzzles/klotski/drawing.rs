//! Boards for a terminal: lines around every block, its letter in its first cell.

use super::lettering::Lettering;
use super::rules::{Board, EMPTY};

/// Draws a state on several lines, with no newline at the end. Colours show the shapes.
pub(super) fn draw(board: &Board, state: &[u8], letters: &Lettering, colour: bool) -> String {
    draw_chosen(board, state, letters, None, colour)
}

/// The same with the block of a letter marked.
pub(super) fn draw_chosen(
    board: &Board,
    state: &[u8],
    letters: &Lettering,
    chosen: Option<char>,
    colour: bool,
) -> String {
    let picture = Picture::new(board, state, letters, chosen);
    let line = |row: usize| {
        let mut line = String::new();
        let mut before = EMPTY;
        for column in 0..=2 * board.columns {
            let (text, background) = picture.part(row, column);
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
    (0..=2 * board.rows)
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// What a picture needs: `{"rows":5,"columns":4,"goal":[3,1],"metric":"step"}`, where `goal` is the row
/// and the column of the 2x2 block's upper left cell when it is solved, counted from 0.
pub(super) fn board(board: &Board, metric: &str) -> serde_json::Value {
    serde_json::json!({
        "rows": board.rows,
        "columns": board.columns,
        "goal": [board.goal / board.columns, board.goal % board.columns],
        "metric": metric,
    })
}

/// Switches the terminal to the colours of a kind of block.
fn paint(kind: u8) -> String {
    match kind {
        EMPTY => "\x1b[0m".to_owned(),
        // Black on yellow, green, blue, red: single, lying, standing, big.
        _ => format!("\x1b[30;4{}m", [3, 2, 4, 1][usize::from(kind - 1) % 4]),
    }
}

struct Picture<'a> {
    board: &'a Board,
    state: &'a [u8],
    /// The cell where the block of each cell begins; `None` for empty cells.
    owners: Vec<Option<usize>>,
    letters: &'a Lettering,
    /// The letter of the block that is marked.
    chosen: Option<char>,
}

impl<'a> Picture<'a> {
    fn new(
        board: &'a Board,
        state: &'a [u8],
        letters: &'a Lettering,
        chosen: Option<char>,
    ) -> Self {
        let mut owners = vec![None; state.len()];
        for block in (0..state.len()).filter(|&cell| board.has_block(state, cell)) {
            let own = board.cover(state[block], block);
            own.for_each(|cell| owners[cell] = Some(block));
        }
        Picture {
            board,
            state,
            owners,
            letters,
            chosen,
        }
    }

    fn owner(&self, row: usize, column: usize) -> Option<usize> {
        self.owners[row * self.board.columns + column]
    }

    /// Whether there is a line to the left of a cell; behind the last column there is one.
    fn upright(&self, row: usize, column: usize) -> bool {
        column == 0
            || column == self.board.columns
            || self.owner(row, column - 1) != self.owner(row, column)
    }

    /// Whether there is a line above a cell; below the last row there is one.
    fn level(&self, row: usize, column: usize) -> bool {
        row == 0 || row == self.board.rows || self.owner(row - 1, column) != self.owner(row, column)
    }

    /// One part of the drawing, and the kind of block whose colour it has. Rows and columns with
    /// even numbers are the lines between cells.
    fn part(&self, row: usize, column: usize) -> (String, u8) {
        let Board { rows, columns, .. } = *self.board;
        let (r, c) = (row / 2, column / 2);
        let on_line = (row.is_multiple_of(2), column.is_multiple_of(2));
        let (level, upright) = match on_line {
            (false, false) => (false, false),
            (false, true) => (false, self.upright(r, c)),
            (true, false) => (self.level(r, c), false),
            (true, true) => (
                (c > 0 && self.level(r, c - 1)) || (c < columns && self.level(r, c)),
                (r > 0 && self.upright(r - 1, c)) || (r < rows && self.upright(r, c)),
            ),
        };
        let filling = match (level, upright) {
            (true, true) => "+",
            (true, false) => "-",
            (false, true) => "|",
            // Inside a block or among empty cells: what is below and to the right is the same.
            (false, false) => return self.inside(on_line, r, c),
        };
        let width = if on_line.1 { 1 } else { 3 };
        (filling.repeat(width), EMPTY)
    }

    fn inside(&self, on_line: (bool, bool), row: usize, column: usize) -> (String, u8) {
        let Some(block) = self.owner(row, column) else {
            let width = if on_line.1 { 1 } else { 3 };
            return (" ".repeat(width), EMPTY);
        };
        let first = on_line == (false, false) && row * self.board.columns + column == block;
        let text = match (first, on_line.1) {
            (true, _) => match self.letters.letter(block) {
                letter if Some(letter) == self.chosen => format!("[{letter}]"),
                letter => format!(" {letter} "),
            },
            (_, true) => " ".to_owned(),
            _ => "   ".to_owned(),
        };
        (text, self.state[block])
    }
}

//! Reading and writing states and moves.

use super::game::suitable;
use super::pieces::{PlacedPiece, Turned, spelled};
use super::rules::TriangleRules;
use crate::error::{Error, Result, usage};
use crate::puzzle::Move;
use crate::text::pluralise;

/// The empty filling.
const EMPTY: &str = "-";

/// Reads a state: the pieces in the first cells, with `/` between rows.
pub(super) fn parse_filling(rules: &TriangleRules, text: &str) -> Result<Vec<u8>> {
    let text = text.trim();
    if text.is_empty() {
        return usage(
            "the state is empty; it is written as the pieces in the first cells with `/` between \
             rows, such as DCa1 AAA4/dAB1, or as - if there are none",
        );
    }
    if text == EMPTY {
        return Ok(Vec::new());
    }
    let mut filling = Vec::new();
    for placed in parse_rows(rules, text)? {
        filling.push(placement(rules, &filling, placed)?.byte());
    }
    Ok(filling)
}

/// The pieces, which fill whole rows but for the last.
fn parse_rows(rules: &TriangleRules, text: &str) -> Result<Vec<PlacedPiece>> {
    let mut pieces = Vec::new();
    let rows: Vec<&str> = text.split('/').collect();
    for (number, row) in rows.iter().enumerate() {
        let before = pieces.len();
        for (place, word) in (1..).zip(row.split_whitespace()) {
            let error = |why| Error::Usage(format!("row {}, piece {place}: {why}", number + 1));
            pieces.push(PlacedPiece::parse(word).map_err(error)?);
        }
        let given = pieces.len() - before;
        let Some(cells) = rules.board.rows.get(number) else {
            return usage(format!(
                "there are {} rows, but the board has {}",
                rows.len(),
                rules.board.rows.len()
            ));
        };
        if given > cells.len() {
            return usage(format!(
                "row {} has {given} pieces, but the board has only {} there",
                number + 1,
                pluralise(cells.len(), "cell")
            ));
        }
        if given == 0 {
            return usage(format!("row {} is empty; rows without pieces are left out", number + 1));
        }
        if given < cells.len() && number + 1 < rows.len() {
            return usage(format!(
                "row {} has {} for {}, but the cells are filled in reading order, so that only \
                 the last row of a state can have empty cells",
                number + 1,
                pluralise(given, "piece"),
                pluralise(cells.len(), "cell")
            ));
        }
    }
    Ok(pieces)
}

/// A piece that may be put into the next cell of a filling, or why it may not.
fn placement(rules: &TriangleRules, filling: &[u8], placed: PlacedPiece) -> Result<Turned> {
    let cell = filling.len();
    let Some(at) = rules.board.cells.get(cell) else {
        return usage(format!("`{placed}`: all cells are filled already"));
    };
    let name = |cell| {
        let (row, place) = rules.board.place(cell);
        format!("row {}, piece {}", row + 1, place + 1)
    };
    let here = name(cell);
    let Some(turned) = rules.pieces.find(placed.shown()) else {
        return usage(format!("{here}: the puzzle has no piece {}", spelled(placed.letters)));
    };
    let same = |&byte: &u8| Turned::from_byte(byte).piece == turned.piece;
    if let Some(other) = filling.iter().position(same) {
        return usage(format!(
            "{here}: the piece {} is used already, in {}",
            spelled(placed.letters),
            name(other)
        ));
    }
    if placed.up() != at.up {
        return usage(format!("{here}: `{placed}` does not suit a cell that points {}", suitable(at.up)));
    }
    if let Some(other) = rules.clash(filling, placed.shown()) {
        return usage(format!("{here}: `{placed}` does not match {}", name(other)));
    }
    Ok(turned)
}

/// Writes a state on one line.
pub(super) fn print_filling(rules: &TriangleRules, filling: &[u8]) -> String {
    if filling.is_empty() {
        return EMPTY.to_owned();
    }
    let pieces: Vec<_> = rules.placed(filling).iter().map(PlacedPiece::to_string).collect();
    let rows = rules.board.rows.iter().take_while(|row| row.start < pieces.len());
    let rows = rows.map(|row| pieces[row.start..row.end.min(pieces.len())].join(" "));
    rows.collect::<Vec<_>>().join("/")
}

/// A move's number: the piece and its position, which says how it is turned and whether the cell
/// points up.
pub(super) fn to_move(rules: &TriangleRules, filling: &[u8], turned: Turned) -> Move {
    let up = rules.board.cells.get(filling.len()).is_some_and(|c| c.up);
    let position = rules.pieces.placed(turned, up).position;
    Move(u32::from(turned.piece) * 6 + u32::from(position) - 1)
}

/// The piece that a move's number stands for, and how it lies.
pub(super) fn from_move(rules: &TriangleRules, mv: Move) -> Option<(Turned, PlacedPiece)> {
    let piece = u8::try_from(mv.0 / 6).ok()?;
    let known = usize::from(piece) < rules.pieces.len();
    known.then(|| {
        let placed = PlacedPiece { letters: rules.pieces.letters(piece), position: (mv.0 % 6) as u8 + 1 };
        let turn = placed.turn();
        (Turned { piece, turn }, placed)
    })
}

/// This many moves are named in an error.
const NAMED: usize = 8;

/// Reads a move: a piece for the next cell.
pub(super) fn parse_placement(rules: &TriangleRules, filling: &[u8], text: &str) -> Result<Move> {
    let placed = PlacedPiece::parse(text.trim()).map_err(Error::Usage);
    match placed.and_then(|placed| placement(rules, filling, placed)) {
        Ok(turned) => Ok(to_move(rules, filling, turned)),
        Err(why) => usage(format!("{why}; {}", moves(rules, filling))),
    }
}

/// The moves there are, for errors.
fn moves(rules: &TriangleRules, filling: &[u8]) -> String {
    let Some(cell) = rules.board.cells.get(filling.len()) else {
        return "there are no moves on a full board".into();
    };
    let fitting = rules.placements(filling);
    let names: Vec<_> = fitting.map(|turned| rules.pieces.placed(turned, cell.up).to_string()).collect();
    match names.len() {
        0 => "no piece fits into the next cell".into(),
        count if count <= NAMED => format!("what fits into the next cell: {}", names.join(", ")),
        count => format!(
            "what fits into the next cell: {} and {} others",
            names[..NAMED].join(", "),
            count - NAMED
        ),
    }
}

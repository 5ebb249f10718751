//! States and moves: reading and writing.

use super::grid::{self, Fault};
use super::lettering::Lettering;
use super::rules::{Board, Direction, Metric, NAMES, Path, Shift, Uses};
use super::variant::count;
use crate::error::{Result, usage};
use crate::text::things;

/// Reads a state: rows of letters on lines or with `/` between them.
pub(super) fn parse_state(board: &Board, uses: &Uses, text: &str) -> Result<Vec<u8>> {
    let rows = text.trim().split(['/', '\n']).map(str::trim);
    let found = grid::read(rows).map_err(Fault::usage)?;
    if (found.rows, found.columns) != (board.rows, board.columns) {
        return usage(format!(
            "the board has {} and {}, but this puzzle has {} and {}",
            things(found.rows, "row"),
            things(found.columns, "column"),
            things(board.rows, "row"),
            things(board.columns, "column")
        ));
    }
    for ((number, uses), what) in count(&found.cells).iter().zip(uses).zip(NAMES) {
        if !uses.contains(number) {
            let least = if uses.start() == uses.end() {
                ""
            } else {
                "at least "
            };
            return usage(format!(
                "the number of {what} is {number}, but in this puzzle it is {least}{}",
                uses.start()
            ));
        }
    }
    Ok(found.cells)
}

/// A move in notation: the block's letter, and its way.
pub(super) fn move_name(board: &Board, state: &[u8], letter: char, shift: Shift) -> String {
    match board.path(state, shift) {
        Some(path) => format!("{letter} {}", path_name(&path)),
        // No puzzle of this kind makes such a move.
        None => "?".to_owned(),
    }
}

fn path_name(path: &Path) -> String {
    path.iter()
        .map(|(direction, cells)| format!("{}{cells}", direction_letter(*direction)))
        .collect()
}

fn direction_letter(direction: Direction) -> char {
    match direction {
        Direction::Up => 'U',
        Direction::Down => 'D',
        Direction::Left => 'L',
        Direction::Right => 'R',
    }
}

/// Reads a move. Any free way is accepted, not only the shortest one.
pub(super) fn parse_move(
    board: &Board,
    state: &[u8],
    letters: &Lettering,
    metric: Metric,
    text: &str,
) -> Result<Shift> {
    let refuse = |why: String| {
        let moves = board.moves(state, metric).into_iter();
        let name = |shift: Shift| move_name(board, state, letters.letter(shift.from), shift);
        let names: Vec<_> = moves.map(name).collect();
        let there_are = match names.is_empty() {
            true => "there are no moves here".to_owned(),
            false => format!("the moves here are {}", names.join(", ")),
        };
        usage(format!(
            "`{}` is no move: {why}; {there_are}",
            text.escape_debug()
        ))
    };
    let form = match metric {
        Metric::Step => "a direction (U, D, L or R) and 1, such as `B D1`",
        Metric::Slide => "a direction (U, D, L or R) and a number of cells, such as `B D2`",
        Metric::Move => "directions (U, D, L or R) with numbers of cells, such as `B D1R1`",
    };
    let words: Vec<_> = text.split_whitespace().collect();
    let parsed = match words[..] {
        [block, way] => parse_path(way).map(|path| (block, path)),
        _ => None,
    };
    let Some((block, path)) = parsed else {
        return refuse(format!(
            "it is written as a block's letter, a space, {form}"
        ));
    };
    let mut blocks = (0..state.len()).filter(|&cell| board.has_block(state, cell));
    let Some(from) = blocks.find(|&cell| letters.letter(cell).to_string() == block) else {
        return refuse(format!("there is no block `{block}`"));
    };
    match (metric, &path[..]) {
        (Metric::Step, [(_, 1)]) | (Metric::Slide, [_]) | (Metric::Move, _) => {}
        (Metric::Step, _) => {
            return refuse("in the step metric a move is one step of one cell".to_owned());
        }
        (Metric::Slide, _) => {
            return refuse("in the slide metric a move goes straight".to_owned());
        }
    }
    match board.follow(state, from, &path) {
        Some(to) if to != from => Ok(Shift { from, to }),
        Some(_) => refuse(format!("it takes `{block}` back to where it is")),
        None => refuse(format!("something is in the way of `{block}`")),
    }
}

/// Reads a way such as `R1D1`: one direction after the other, each with one digit from 1.
fn parse_path(text: &str) -> Option<Path> {
    let mut path = Path::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let mut known = Direction::ALL.into_iter();
        let direction = known.find(|&direction| direction_letter(direction) == letter)?;
        let cells = rest.next()?.to_digit(10).filter(|&cells| cells > 0)?;
        path.push((direction, cells as usize));
    }
    (!path.is_empty()).then_some(path)
}

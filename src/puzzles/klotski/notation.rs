//! States and moves: reading and writing.

use super::grid;
use super::lettered_replay::LetteredReplay;
use super::rules::{BlockBoard, BlockDirection, BlockMove, BlockPath, Metric, NAMES, Uses};
use super::variant::count;
use crate::error::{Result, usage};
use crate::text::pluralise;

/// Reads a state: rows of letters on lines or with `/` between them.
pub(super) fn parse_state(board: &BlockBoard, uses: &Uses, text: &str) -> Result<Vec<u8>> {
    let rows = text.trim().split(['/', '\n']).map(str::trim);
    let found = grid::read(rows).or_else(|(_, why)| usage(why))?;
    let size = |board: &BlockBoard| (board.rows, board.columns);
    if size(&found.board) != size(board) {
        let [found, own] = [&found.board, board].map(|board| {
            format!("{} and {}", pluralise(board.rows, "row"), pluralise(board.columns, "column"))
        });
        return usage(format!("the board has {found}, but this puzzle has {own}"));
    }
    for ((number, uses), what) in count(&found.cells).iter().zip(uses).zip(NAMES) {
        if !uses.contains(number) {
            let least = if uses.start() == uses.end() { "" } else { "at least " };
            return usage(format!(
                "the number of {what} is {number}, but in this puzzle it is {least}{}",
                uses.start()
            ));
        }
    }
    Ok(found.cells)
}

/// A move in notation: the block's letter, and its way.
pub(super) fn move_name(replay: &LetteredReplay<'_>, shift: BlockMove) -> String {
    let leg = |(direction, cells): (BlockDirection, usize)| format!("{}{cells}", direction.letter());
    match replay.board.path(&replay.state, shift) {
        Some(path) => {
            let way: String = path.into_iter().map(leg).collect();
            format!("{} {way}", replay.letter(shift.from))
        }
        // No puzzle of this kind makes such a move.
        None => "?".to_owned(),
    }
}

/// Reads a move. Any free way is accepted, not only the shortest one.
pub(super) fn parse_move(replay: &LetteredReplay<'_>, text: &str) -> Result<BlockMove> {
    let metric = replay.metric;
    let refuse = |why: String| {
        let moves = replay.board.moves(&replay.state, metric).into_iter();
        let names: Vec<_> = moves.map(|shift| move_name(replay, shift)).collect();
        let there_are = match names.is_empty() {
            true => "there are no moves here".to_owned(),
            false => format!("the moves here are {}", names.join(", ")),
        };
        usage(format!("`{}` is not a move: {why}; {there_are}", text.escape_debug()))
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
        return refuse(format!("it is written as a block's letter, a space, {form}"));
    };
    let Some(from) = replay.find(|letter| letter.to_string() == block) else {
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
    match replay.board.follow(&replay.state, from, &path) {
        Some(to) if to != from => Ok(BlockMove { from, to }),
        Some(_) => refuse(format!("it takes `{block}` back to where it is")),
        None => refuse(format!("something is in the way of `{block}`")),
    }
}

/// Reads a way such as `R1D1`: one direction after the other, each with one digit from 1.
fn parse_path(text: &str) -> Option<BlockPath> {
    let mut path = BlockPath::new();
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        let mut known = BlockDirection::ALL.into_iter();
        let direction = known.find(|&direction| direction.letter() == letter)?;
        let cells = rest.next()?.to_digit(10).filter(|&cells| cells > 0)?;
        path.push((direction, cells as usize));
    }
    (!path.is_empty()).then_some(path)
}

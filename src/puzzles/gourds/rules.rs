//! The rules on placements as people see them: slow, obvious, and the measure of the tables in
//! [`steps`](super::steps).

use super::board::{HexBoard, cells_of};
use super::shapes::Shapes;
use crate::puzzle::State;

/// Where the ends of every gourd lie, by gourd number: end 0 first.
pub(super) type Pairs = Vec<[u8; 2]>;

/// The ends of the gourds in a state.
pub(super) fn pairs_of(state: &State) -> Pairs {
    state.0.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The state in which the gourds lie so.
pub(super) fn state_of(pairs: &[[u8; 2]]) -> State {
    State(pairs.concat())
}

/// The cell that no gourd covers.
pub(super) fn hole(board: &HexBoard, pairs: &[[u8; 2]]) -> usize {
    let covered = pairs.iter().flatten().fold(0, |set, cell| set | 1 << cell);
    board.all_but(covered).next().unwrap_or(0)
}

/// The cells that can be clicked: the neighbours of the hole.
pub(super) fn clicks(board: &HexBoard, pairs: &[[u8; 2]]) -> impl Iterator<Item = usize> + use<> {
    cells_of(board.neighbours(hole(board, pairs)))
}

/// The placement after a click; `None` if the cell is not a neighbour of the hole.
///
/// The end on the clicked cell goes into the hole. If the other end touches the hole, too, it
/// stays and the gourd swings about it (a pivot); otherwise it follows to the clicked cell (a
/// slide, or a turn round a corner). A gourd never follows round a corner of 60 degrees: that
/// needs more room than a pivot.
pub(super) fn click(board: &HexBoard, pairs: &[[u8; 2]], cell: usize) -> Option<Pairs> {
    let hole = hole(board, pairs);
    if cell >= board.size() || !board.adjacent(hole, cell) {
        return None;
    }
    let mut after = pairs.to_vec();
    for gourd in &mut after {
        if let Some(end) = gourd.iter().position(|&at| usize::from(at) == cell) {
            gourd[end] = hole as u8;
            if !board.adjacent(gourd[1 - end].into(), hole) {
                gourd[1 - end] = cell as u8;
            }
            break;
        }
    }
    Some(after)
}

/// Checks that pairs of cells are a placement: neighbours, every cell at most once, and all of
/// them but one.
pub(super) fn check(board: &HexBoard, pairs: &[[usize; 2]]) -> Result<Pairs, String> {
    let size = board.size();
    let mut covered = 0u64;
    let mut placed = Vec::new();
    for &[a, b] in pairs {
        for cell in [a, b] {
            if cell >= size {
                let last = size - 1;
                return Err(format!("there is no cell {cell}: the board has the cells 0 to {last}"));
            }
        }
        if !board.adjacent(a, b) {
            return Err(format!("the cells {a} and {b} are not neighbours"));
        }
        for cell in [a, b] {
            if covered >> cell & 1 == 1 {
                return Err(format!("cell {cell} is covered twice"));
            }
            covered |= 1 << cell;
        }
        placed.push([a as u8, b as u8]);
    }
    let needed = board.gourds();
    if placed.len() != needed {
        return Err(format!(
            "the number of covered pairs is {}, but on {size} cells {needed} must be covered, so \
             that exactly one cell is free",
            placed.len()
        ));
    }
    Ok(placed)
}

/// The default goal of a board; `None` if no placement leaves exactly one cell free.
pub(super) fn default_goal(board: &HexBoard, shapes: Option<&Shapes>) -> Option<Pairs> {
    match shapes {
        Some(shapes) => (shapes.count() > 0).then(|| shapes.unrank(0).pairs().collect()),
        None => super::shapes::first(board).map(|shape| shape.pairs().collect()),
    }
}

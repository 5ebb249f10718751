//! Random games that a seed determines in every later version: nothing here may change what a seed gives.

use super::board::{HEXAGON, TriangleBoard};
use super::game::GameFile;
use super::pieces::{ANY, CASE, EdgeLetters, PlacedPiece, least};
use crate::random::Random;

/// The game of a seed: random letters that match, on a board whose pieces are all different up to
/// a turn; then the pieces in random order, turned at random.
pub(super) fn generate(seed: u64) -> GameFile {
    let hexagon = TriangleBoard::new(HEXAGON);
    let mut random = Random::new(seed);
    // About one board in five has 24 different pieces. Taking the first of them makes all equally
    // likely.
    let solution = loop {
        let shown = letters(&hexagon, &mut random);
        let mut kinds: Vec<_> = shown.iter().map(|&letters| least(letters)).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.len() == shown.len() {
            break shown;
        }
    };
    let mut order: Vec<usize> = (0..solution.len()).collect();
    random.shuffle(&mut order);
    let placed = order
        .iter()
        .map(|&cell| PlacedPiece { letters: solution[cell], position: random.place(6) as u8 + 1 });
    GameFile {
        rows: HEXAGON,
        pile: placed.collect(),
        board: vec![None; hexagon.cells.len()],
        solution: Some(solution),
    }
}

/// Letters for all slots: at random where the cell comes first at its edge, and what matches them
/// elsewhere.
fn letters(hexagon: &TriangleBoard, random: &mut Random) -> Vec<EdgeLetters> {
    let mut shown = vec![[ANY; 3]; hexagon.cells.len()];
    for (number, cell) in hexagon.cells.iter().enumerate() {
        for (slot, edge) in cell.edges.iter().enumerate() {
            if shown[number][slot] != ANY {
                continue;
            }
            let letter = random.place(8) as u8;
            shown[number][slot] = letter;
            if let Some(edge) = *edge {
                shown[hexagon.beyond(edge, number)][slot] = letter ^ CASE;
            }
        }
    }
    shown
}

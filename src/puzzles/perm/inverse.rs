//! The inverse of a state: what the moves that lead to it, taken back in reverse order, make of the solved state.
//!
//! Where all pieces are distinct, show all of their twists, and one state is solved, a state is the member
//! of a group that makes it of the solved one, and so is its inverse. If the moves are closed under
//! inversion and always legal, both are equally far from being solved: a solution of one, taken back in
//! reverse order, makes the other.

use super::frame::{CellFrame, Cells, MOST_CELLS};
use super::legality::Legality;

/// How to invert a state.
pub(super) struct Inverse {
    /// By cell and what lies in it: the cell of the inverse that this decides, and what lies there.
    decided: Vec<[(u8, u8); 256]>,
}

impl Inverse {
    /// How to invert the states of a frame whose moves can be undone; `None` where inverses mean nothing.
    pub fn new(frame: &CellFrame, legality: &Legality) -> Option<Inverse> {
        let [root] = &frame.roots[..] else {
            return None;
        };
        let is_plain = |track: &super::frame::Track| {
            track.kinds.iter().all(|kind| kind.count == 1 && kind.modulus == track.twists)
        };
        if frame.cells == 0 || !legality.is_free() || !frame.tracks.iter().all(is_plain) {
            return None;
        }
        let mut decided = vec![[(0, 0); 256]; frame.cells];
        for track in &frame.tracks {
            let twists = usize::from(track.twists);
            for home in track.first..track.end() {
                let (kind, first) = track.decode(root[home]);
                let code = track.kinds[kind].code;
                for cell in track.first..track.end() {
                    let (displaced, turned) = track.decode(root[cell]);
                    for twist in 0..twists {
                        // It went from its home to the cell and was turned by the difference; back from
                        // there goes what lies in the cell when all is solved.
                        let back = (usize::from(turned) + usize::from(first) + twists - twist) % twists;
                        decided[cell][usize::from(code) + twist] =
                            (home as u8, track.kinds[displaced].code + back as u8);
                    }
                }
            }
        }
        Some(Inverse { decided })
    }

    /// The inverse of a state.
    #[inline(always)]
    pub fn of(&self, cells: &Cells) -> Cells {
        let mut inverse = [0; MOST_CELLS];
        for (decided, &code) in self.decided.iter().zip(cells) {
            let (cell, code) = decided[usize::from(code)];
            inverse[usize::from(cell)] = code;
        }
        inverse
    }
}

//! Which moves are legal where some pieces are forbidden in slots or glued together.

use std::collections::BTreeSet;

use super::definition::{Definition, NamedMove, PieceName, SlotName};
use super::frame::{CellFrame, Cells, Motion};

/// What cells may not hold, and what must move together.
#[derive(Default)]
pub(super) struct Legality {
    /// Cells and codes that they may not hold.
    forbidden: BTreeSet<(usize, u8)>,
    /// Pieces that move together.
    blocks: Vec<Block>,
}

/// Pieces that move together, each as all pieces of its label.
struct Block(Vec<BlockPiece>);

struct BlockPiece {
    /// Tracks and kinds with the label.
    kinds: BTreeSet<(usize, usize)>,
    /// By move: whether it moves one of them where that changes nothing that can be seen.
    unseen: Vec<bool>,
}

impl Legality {
    /// What a definition demands, on the cells of its frame.
    pub fn new(definition: &Definition, frame: &CellFrame, moves: &[NamedMove]) -> Legality {
        let mut legality = Legality::default();
        for forbidden in &definition.forbidden {
            for track in frame.tracks.iter().filter(|track| track.orbit == usize::from(forbidden.slot.orbit))
            {
                let Ok(at) = track.slots.binary_search(&forbidden.slot.slot) else {
                    continue;
                };
                for kind in track.kinds.iter().filter(|kind| kind.label == forbidden.piece) {
                    let codes = kind.code..=kind.code + (kind.modulus - 1);
                    legality.forbidden.extend(codes.map(|code| (track.first + at, code)));
                }
            }
        }
        for names in &definition.blocks {
            let piece = |name: &PieceName| {
                let orbit = usize::from(name.orbit);
                let tracks = || frame.tracks.iter().enumerate().filter(|(_, track)| track.orbit == orbit);
                let kinds = tracks().flat_map(|(number, track)| {
                    let kinds = track.kinds.iter().enumerate().filter(|(_, kind)| kind.label == name.piece);
                    kinds.map(move |(kind, _)| (number, kind))
                });
                let seen: BTreeSet<u8> = tracks().flat_map(|(_, track)| track.slots.clone()).collect();
                let lying = (0..=u8::MAX).zip(&definition.solved[0].0[orbit].pieces);
                let unseen: Vec<u8> = lying
                    .filter(|(slot, piece)| **piece == name.piece && !seen.contains(slot))
                    .map(|(slot, _)| slot)
                    .collect();
                let moved = |mv: &NamedMove| {
                    unseen.iter().any(|&slot| mv.transformation.moves(SlotName { orbit: name.orbit, slot }))
                };
                BlockPiece { kinds: kinds.collect(), unseen: moves.iter().map(moved).collect() }
            };
            legality.blocks.push(Block(names.iter().map(piece).collect()));
        }
        legality
    }

    /// Whether every move is legal everywhere.
    pub fn is_free(&self) -> bool {
        self.forbidden.is_empty() && self.blocks.is_empty()
    }

    /// Whether a state may be.
    pub fn allows(&self, cells: &Cells) -> bool {
        self.forbidden.iter().all(|&(cell, code)| cells[cell] != code)
    }

    /// Whether a move takes all pieces of each block along, or none.
    pub fn permits(&self, frame: &CellFrame, cells: &Cells, mv: usize) -> bool {
        let is_moved = |piece: &BlockPiece| {
            let here = |&(track, kind): &(usize, usize)| {
                let track = &frame.tracks[track];
                let mut touched = (track.first..track.end()).filter(|&cell| frame.touched[mv][cell]);
                touched.any(|cell| track.decode(cells[cell]).0 == kind)
            };
            piece.unseen[mv] || piece.kinds.iter().any(here)
        };
        self.blocks.iter().all(|block| {
            let moved = block.0.iter().filter(|piece| is_moved(piece)).count();
            moved == 0 || moved == block.0.len()
        })
    }

    /// Whether a symmetry makes of what is forbidden and glued together just that.
    pub fn is_kept_by(&self, frame: &CellFrame, motion: &Motion) -> bool {
        if self.is_free() {
            return true;
        }
        // What cannot be seen in cells cannot be compared.
        if self.blocks.iter().flat_map(|block| &block.0).any(|piece| piece.unseen.contains(&true)) {
            return false;
        }
        let image = |cell: usize, code: u8| {
            let target = motion.steps.iter().position(|&(source, _)| usize::from(source) == cell)?;
            Some((target, frame.recodings.tables[motion.steps[target].1 as usize][usize::from(code)]))
        };
        let forbidden: Option<BTreeSet<(usize, u8)>> =
            self.forbidden.iter().map(|&(cell, code)| image(cell, code)).collect();
        let moved = |&(track, kind): &(usize, usize)| {
            let track = &frame.tracks[track];
            let (cell, code) = image(track.first, track.kinds[kind].code)?;
            let other = frame.tracks.iter().position(|track| cell < track.end())?;
            Some((other, frame.tracks[other].decode(code).0))
        };
        let piece = |piece: &BlockPiece| piece.kinds.iter().map(moved).collect::<Option<BTreeSet<_>>>();
        let block = |block: &Block| block.0.iter().map(piece).collect::<Option<BTreeSet<_>>>();
        let blocks: Option<BTreeSet<_>> = self.blocks.iter().map(block).collect();
        let kinds = |block: &Block| block.0.iter().map(|piece| piece.kinds.clone()).collect::<BTreeSet<_>>();
        let own: BTreeSet<_> = self.blocks.iter().map(kinds).collect();
        forbidden.as_ref() == Some(&self.forbidden) && blocks == Some(own)
    }
}

//! The space of classes: index, neighbours, class sizes.
//!
//! After k pieces a *class* is the set of the pieces used and the letters of the open edges, those
//! between a filled cell and an empty one; it is all that matters for what can follow. Its states
//! are the fillings of the first k cells with exactly these pieces that leave exactly these
//! letters.
//!
//! # Index
//! The set of pieces, a bit for each, above the letters, three bits for each. Every edge has one
//! place for its letter as long as it is open, and edges that are never open together share a
//! place; so filling a cell forgets some places and writes others, and nothing moves. Places of
//! edges that are not open are 0. The hexagon never has more than five edges open: 24 + 15 bits.
//!
//! # Backwards
//! The same tables also lead back: what may lie in the last filled cell is determined by the
//! letters of its edges to later cells. So the states of a class are the ways back to the empty
//! board, or to a class of one of the first levels, which are in a [table](super::shallow).
//! Looking for them backwards is much quicker than filling the board with the pieces of the class,
//! because the letters that must come out cut off nearly everything at once.

use std::sync::OnceLock;

use super::board::TriangleBoard;
use super::fits::{Fit, Fits, WEIGHTS};
use super::pieces::{ANY, CASE, PieceSet, Turned};
use super::rules::TriangleRules;
use super::shallow::Shallow;
use crate::encode::cpu::Cpu;
use crate::puzzles::kernels::{self, SpaceKernels};
use crate::space::{Direction, Space};

/// How a cell is filled or emptied, by the letters of the edges on one side of it.
#[derive(Clone, Debug)]
struct Port {
    /// The places of the letters, in bits, by slot.
    shifts: [u32; 3],
    /// 7 for slots whose letters are known, otherwise 0.
    known: [u64; 3],
    /// The number of the wish for any letter at the slots that are not known.
    any: usize,
    /// 7 for slots whose letters are opened, otherwise 0.
    opened: [u64; 3],
    /// The letters that stay.
    kept: u64,
}

impl Port {
    /// What fits the letters.
    #[inline(always)]
    fn wish(&self, letters: u64) -> usize {
        let term = |slot: usize| {
            let letter = letters >> self.shifts[slot] & self.known[slot];
            letter as usize * usize::from(WEIGHTS[slot])
        };
        self.any + term(0) + term(1) + term(2)
    }

    /// The letters after the piece is put in or taken out.
    #[inline(always)]
    fn next(&self, letters: u64, fit: &Fit) -> u64 {
        let opened = |slot: usize| (u64::from(fit.letters[slot]) & self.opened[slot]) << self.shifts[slot];
        letters & self.kept | opened(0) | opened(1) | opened(2)
    }
}

/// One cell.
#[derive(Clone, Debug)]
struct CellStep {
    up: bool,
    fill: Port,
    empty: Port,
}

/// The space of the fillings of a board.
#[derive(Clone, Debug)]
pub(super) struct FillingSpace {
    fits: Fits,
    steps: Vec<CellStep>,
    /// The letters that are open, by level.
    open: Vec<u64>,
    /// The bits that letters take.
    width: u32,
    /// Turned pieces.
    fanout: usize,
    /// Made when it is first needed.
    shallow: OnceLock<Shallow>,
}

impl FillingSpace {
    pub fn new(rules: &TriangleRules) -> Self {
        let TriangleRules { board, pieces } = rules;
        let shifts = places(board);
        // The places of edges that stay open from one level to another.
        let open = |from: usize, to: usize| {
            let edges = board.edges.iter().zip(&shifts);
            let open = edges.filter(|(edge, _)| edge.first < from && to <= edge.second);
            open.fold(0, |bits, (_, shift)| bits | 7 << shift)
        };
        let steps = board.cells.iter().enumerate().map(|(number, cell)| {
            let later = cell.edges.map(|edge| edge.map(|edge| board.edges[edge].first == number));
            let port = |known_later: bool| Port {
                shifts: cell.edges.map(|edge| edge.map_or(0, |edge| shifts[edge])),
                known: later.map(|later| if later == Some(known_later) { 7 } else { 0 }),
                any: (0..3)
                    .filter(|&slot| later[slot] != Some(known_later))
                    .map(|slot| usize::from(ANY) * usize::from(WEIGHTS[slot]))
                    .sum(),
                opened: later.map(|later| if later == Some(!known_later) { 7 } else { 0 }),
                kept: open(number, number + 1),
            };
            CellStep { up: cell.up, fill: port(false), empty: port(true) }
        });
        let open: Vec<u64> = (0..=board.cells.len()).map(|k| open(k, k)).collect();
        FillingSpace {
            fits: Fits::new(pieces),
            steps: steps.collect(),
            width: open.iter().fold(0, |all, bits| all | bits).count_ones(),
            open,
            fanout: pieces.all_turned().count(),
            shallow: OnceLock::new(),
        }
    }

    #[inline(always)]
    fn split(&self, index: u64) -> (u64, u64) {
        (index >> self.width, index & ((1 << self.width) - 1))
    }

    /// The classes of the first levels.
    fn shallow(&self) -> &Shallow {
        self.shallow.get_or_init(|| Shallow::new(self))
    }

    /// The ways to take out the last piece of a class: the piece, and the class before it.
    #[inline(always)]
    fn back(&self, used: u64, letters: u64) -> impl Iterator<Item = (&Fit, u64, u64)> {
        // Only the empty board has no last piece.
        let step = (used.count_ones() as usize).checked_sub(1);
        let step = step.and_then(|last| self.steps.get(last));
        step.into_iter().flat_map(move |step| {
            let fits = self.fits.list(step.up, step.empty.wish(letters));
            let inside = fits.iter().filter(move |fit| used >> fit.piece & 1 == 1);
            inside.map(move |fit| (fit, used ^ 1 << fit.piece, step.empty.next(letters, fit)))
        })
    }

    /// How many fillings a class has, given by its pieces and its letters.
    fn ways(&self, shallow: &Shallow, used: u64, letters: u64) -> u64 {
        if shallow.has(used.count_ones()) {
            return shallow.ways(used << self.width | letters);
        }
        self.back(used, letters).map(|(_, used, letters)| self.ways(shallow, used, letters)).sum()
    }

    /// Finds a filling of a class, last cell first.
    fn way(&self, shallow: &Shallow, used: u64, letters: u64, filling: &mut Vec<u8>) -> bool {
        if shallow.has(used.count_ones()) && shallow.ways(used << self.width | letters) == 0 {
            return false;
        }
        if used == 0 {
            return true;
        }
        self.back(used, letters).any(|(fit, used, letters)| {
            let (piece, turn) = (fit.piece, fit.turn);
            filling.push(Turned { piece, turn }.byte());
            let found = self.way(shallow, used, letters, filling);
            if !found {
                filling.pop();
            }
            found
        })
    }

    /// A filling of the class with this index, if there is one.
    pub fn filling(&self, index: u64) -> Option<Vec<u8>> {
        let (used, letters) = self.split(index);
        let open = self.open.get(used.count_ones() as usize)?;
        if index >= self.universe() || letters & !open != 0 {
            return None;
        }
        let mut filling = Vec::with_capacity(self.steps.len());
        let found = self.way(self.shallow(), used, letters, &mut filling);
        found.then(|| {
            filling.reverse();
            filling
        })
    }

    /// The index of a filling's class.
    pub fn index(&self, pieces: &PieceSet, filling: &[u8]) -> u64 {
        let (mut used, mut letters) = (0, 0);
        for (step, &byte) in self.steps.iter().zip(filling) {
            let turned = Turned::from_byte(byte);
            let shown = pieces.shown(turned);
            let fit = Fit {
                piece: turned.piece,
                turn: turned.turn,
                letters: shown.map(|letter| if step.up { letter } else { letter ^ CASE }),
            };
            used |= 1 << turned.piece;
            letters = step.fill.next(letters, &fit);
        }
        used << self.width | letters
    }
}

/// The place of every edge's letter, in bits: the first one that no open edge has.
fn places(board: &TriangleBoard) -> Vec<u32> {
    let mut shifts: Vec<u32> = Vec::new();
    for edge in &board.edges {
        // An edge opens when its first cell is filled; that closes those that end there.
        let before = board.edges.iter().zip(&shifts);
        let open = before.filter(|(other, _)| other.second > edge.first);
        let taken = open.fold(0u64, |bits, (_, shift)| bits | 7 << shift);
        shifts.push(taken.trailing_ones());
    }
    shifts
}

impl SpaceKernels<u64> for FillingSpace {
    #[inline(always)]
    fn expand_on<C: Cpu>(&self, _: C, batch: &[u64], candidates: &mut Vec<u64>) {
        for &index in batch {
            let (used, letters) = self.split(index);
            let Some(step) = self.steps.get(used.count_ones() as usize) else {
                continue;
            };
            for fit in self.fits.list(step.up, step.fill.wish(letters)) {
                if used >> fit.piece & 1 == 0 {
                    let next = step.fill.next(letters, fit);
                    candidates.push((used | 1 << fit.piece) << self.width | next);
                }
            }
        }
    }

    #[inline(always)]
    fn states_on<C: Cpu>(&self, _: C, batch: &[u64]) -> u128 {
        let shallow = self.shallow();
        let mut ways = 0;
        for &index in batch {
            let (used, letters) = self.split(index);
            ways += u128::from(self.ways(shallow, used, letters));
        }
        ways
    }
}

impl Space<u64> for FillingSpace {
    fn universe(&self) -> u64 {
        1 << (self.steps.len() as u32 + self.width)
    }

    fn roots(&self) -> Vec<u64> {
        vec![0]
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        kernels::expand(self, batch, candidates);
    }

    fn fanout(&self) -> usize {
        self.fanout
    }

    fn states(&self, batch: &[u64]) -> u128 {
        kernels::states(self, batch)
    }

    fn canonical(&self, index: u64) -> Option<u64> {
        self.filling(index).map(|_| index)
    }

    fn direction(&self) -> Direction {
        Direction::Layered
    }
}

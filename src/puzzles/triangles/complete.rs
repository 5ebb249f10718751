//! Completing a board: backtracking that always continues where the fewest pieces fit.
//!
//! Some cells have their pieces, and the others are to be filled with the pieces that are left. In
//! every step the search looks at all empty cells, counts the pieces that fit what lies around each
//! of them, and branches on the cell with the fewest; a cell without any ends the branch. What fits
//! is looked up: the letters around a cell are one number, a *wish* (see [`fits`](super::fits)), and
//! a table has a bit for every piece that some turn of it grants the wish.
//!
//! # The budget
//! Count, for each of the four letters, how often the pieces have it in upper case minus how often in
//! lower case. At an inner edge both cases meet and cancel out, so over the whole board this
//! difference comes out at the rim, with one letter on every rim edge. After some pieces were placed, what
//! is still to come out, added up over the letters without its signs, cannot exceed the number of rim
//! edges that are still free. Where it does, the branch ends, although every empty cell may still
//! have pieces that fit.
//!
//! # Restarts
//! A game usually has many solutions (the sample has 369,238,704), but a wrong piece placed early can
//! lead into a large part of the search without any. So every round has a limit on the positions it visits, and the next round
//! tries the pieces in another order, given by its number, with a greater limit. The limits grow
//! without end: at last a round visits everything, which proves that there is no solution if it finds
//! none. To list all solutions, the order of the round that found the first one is taken, so that it
//! is found as quickly again, and that round is run without a limit.

use super::board::Cell;
use super::fits::{Fits, WEIGHTS, wish};
use super::pieces::{ANY, CASE, EdgeLetters, PieceSet, Turned};
use super::rules::TriangleRules;
use crate::solve::Effort;

/// The clock is looked at once in this many positions.
const LOOK_EVERY: u64 = 1 << 12;
/// Positions that the first round may visit.
const FIRST_LIMIT: u64 = 256;

/// What lies in each cell.
pub(super) type Given = Vec<Option<Turned>>;

/// How a branch ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    /// All of it was looked at.
    Continue,
    /// The visitor wants no more solutions.
    Enough,
    /// The round has visited as many positions as it may.
    Limit,
    /// Time is over, or the stop flag is set.
    Spent,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// A complete board.
    Found(Vec<Turned>),
    /// There is none: all was looked at.
    Impossible,
    /// The effort was spent first.
    Spent,
}

/// What the search needs to know of a board and its pieces.
#[derive(Clone, Debug)]
pub(super) struct Completer {
    cells: Vec<Spot>,
    fits: Fits,
    /// A bit for every piece that fits, by wish: for cells that point down, then up.
    fitting: [Vec<u32>; 2],
    /// Upper case minus lower case, by letter.
    surplus: [i8; 4],
    pieces: PieceSet,
}

/// A cell.
#[derive(Clone, Copy, Debug)]
struct Spot {
    up: bool,
    /// The cells beyond its edges, by slot; `None` at the rim.
    beyond: [Option<u8>; 3],
}

impl Completer {
    pub fn new(rules: &TriangleRules) -> Self {
        let TriangleRules { board, pieces } = rules;
        let fits = Fits::new(pieces);
        let fitting = [false, true].map(|up| {
            let list = |wish| fits.list(up, wish).iter();
            let bits = |wish| list(wish).fold(0, |bits, fit| bits | 1u32 << fit.piece);
            (0..=wish([ANY; 3])).map(bits).collect()
        });
        let spot = |(number, cell): (usize, &Cell)| Spot {
            up: cell.up,
            beyond: cell.edges.map(|edge| edge.map(|edge| board.beyond(edge, number) as u8)),
        };
        let mut surplus = [0; 4];
        for piece in 0..pieces.len() as u8 {
            let letters = pieces.letters(piece);
            letters.iter().for_each(|&letter| count(&mut surplus, letter, 1));
        }
        Completer {
            cells: board.cells.iter().enumerate().map(spot).collect(),
            fits,
            fitting,
            surplus,
            pieces: pieces.clone(),
        }
    }

    /// Looks for one way to fill the empty cells; at most that many positions are visited, if that is
    /// given.
    pub fn complete(&self, placed: &Given, effort: &Effort<'_>, most: Option<u64>) -> Completion {
        self.first(placed, effort, most).0
    }

    /// The first solution, and the number of the round that found it.
    fn first(&self, placed: &Given, effort: &Effort<'_>, most: Option<u64>) -> (Completion, u64) {
        let (mut limit, mut visited, mut number) = (FIRST_LIMIT, 0, 0);
        loop {
            let mut found = None;
            let mut visit = |board: &[Turned]| {
                found = Some(board.to_vec());
                false
            };
            let Some(mut round) = CompletionRound::new(self, placed, number, limit, effort, &mut visit)
            else {
                return (Completion::Impossible, number);
            };
            let flow = round.go();
            visited += round.visited;
            effort.visit(round.visited);
            let outcome = match (found, flow) {
                (Some(board), _) => Completion::Found(board),
                (None, Flow::Spent) => Completion::Spent,
                (None, Flow::Limit) if most.is_some_and(|most| visited >= most) => Completion::Spent,
                (None, Flow::Limit) => {
                    limit += limit / 4;
                    number += 1;
                    continue;
                }
                (None, _) => Completion::Impossible,
            };
            return (outcome, number);
        }
    }

    /// Calls `visit` with every way to fill the empty cells, each once, until it returns `false` or
    /// the effort is spent.
    pub fn all(&self, placed: &Given, effort: &Effort<'_>, visit: &mut dyn FnMut(&[Turned]) -> bool) {
        if let (Completion::Found(_), number) = self.first(placed, effort, None)
            && let Some(mut round) = CompletionRound::new(self, placed, number, u64::MAX, effort, visit)
        {
            round.go();
        }
    }

    /// The letters that a turned piece gives to the edges of a cell.
    fn given(&self, cell: usize, turned: Turned) -> EdgeLetters {
        let up = self.cells[cell].up;
        self.pieces.shown(turned).map(|letter| if up { letter } else { letter ^ CASE })
    }
}

/// Counts a letter: upper case for, lower case against.
#[inline(always)]
fn count(surplus: &mut [i8; 4], letter: u8, times: i8) {
    let sign = if letter < CASE { times } else { -times };
    surplus[usize::from(letter % CASE)] += sign;
}

/// One round: a depth-first search in one order.
struct CompletionRound<'a> {
    completer: &'a Completer,
    /// Which order it is.
    number: u64,
    limit: u64,
    visited: u64,
    effort: &'a Effort<'a>,
    visit: &'a mut dyn FnMut(&[Turned]) -> bool,
    board: Vec<Turned>,
    /// The number of what each cell wishes.
    wishes: Vec<u16>,
    /// A bit for every empty cell.
    empty: u32,
    /// A bit for every piece that is left.
    left: u32,
    /// What must come out on the rim edges of the empty cells.
    surplus: [i8; 4],
    /// How many these are.
    rim: i8,
}

impl<'a> CompletionRound<'a> {
    /// Lays what is given; `None` if that does not match, or has a piece twice.
    fn new(
        completer: &'a Completer,
        placed: &Given,
        number: u64,
        limit: u64,
        effort: &'a Effort<'a>,
        visit: &'a mut dyn FnMut(&[Turned]) -> bool,
    ) -> Option<Self> {
        let cells = completer.cells.len();
        let rims = completer.cells.iter().flat_map(|spot| spot.beyond);
        let all = ((1u64 << cells) - 1) as u32;
        let mut round = CompletionRound {
            completer,
            number,
            limit,
            visited: 0,
            effort,
            visit,
            board: vec![Turned { piece: 0, turn: 0 }; cells],
            wishes: vec![wish([ANY; 3]) as u16; cells],
            empty: all,
            left: all,
            surplus: completer.surplus,
            rim: rims.filter(Option::is_none).count() as i8,
        };
        for (cell, &turned) in placed.iter().enumerate().take(cells) {
            let Some(turned) = turned else { continue };
            let given = completer.given(cell, turned);
            let wish = usize::from(round.wishes[cell]);
            let up = completer.cells[cell].up;
            let mut granted = completer.fits.list(up, wish).iter();
            if round.left >> turned.piece & 1 == 0 || !granted.any(|fit| fit.letters == given) {
                return None;
            }
            round.place(cell, turned, given);
        }
        Some(round)
    }

    /// Searches, if the budget allows any solution at all.
    fn go(&mut self) -> Flow {
        if self.within_budget() { self.search() } else { Flow::Continue }
    }

    #[inline(always)]
    fn within_budget(&self) -> bool {
        let outstanding: i8 = self.surplus.iter().map(|letter| letter.abs()).sum();
        outstanding <= self.rim
    }

    fn search(&mut self) -> Flow {
        if self.empty == 0 {
            return if (self.visit)(&self.board) { Flow::Continue } else { Flow::Enough };
        }
        self.visited += 1;
        if self.visited > self.limit {
            return Flow::Limit;
        }
        if self.visited.is_multiple_of(LOOK_EVERY) && self.effort.is_spent() {
            return Flow::Spent;
        }
        let Some(cell) = self.tightest() else {
            return Flow::Continue;
        };
        let completer = self.completer;
        let up = completer.cells[cell].up;
        let list = completer.fits.list(up, usize::from(self.wishes[cell]));
        let (before, after) = list.split_at(self.beginning(list.len()));
        let saved = (self.surplus, self.rim);
        for fit in after.iter().chain(before) {
            if self.left >> fit.piece & 1 == 0 {
                continue;
            }
            let turned = Turned { piece: fit.piece, turn: fit.turn };
            self.place(cell, turned, fit.letters);
            let flow = if self.within_budget() { self.search() } else { Flow::Continue };
            self.take(cell, turned, fit.letters);
            (self.surplus, self.rim) = saved;
            if flow != Flow::Continue {
                return flow;
            }
        }
        Flow::Continue
    }

    /// The empty cell that the fewest pieces fit; `None` if there is one that none fits.
    #[inline(always)]
    fn tightest(&self) -> Option<usize> {
        let (mut tightest, mut fewest) = (0, u32::MAX);
        let mut cells = self.empty;
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let fitting = &self.completer.fitting[usize::from(self.completer.cells[cell].up)];
            let pieces = (fitting[usize::from(self.wishes[cell])] & self.left).count_ones();
            if pieces < fewest {
                if pieces == 0 {
                    return None;
                }
                (tightest, fewest) = (cell, pieces);
            }
        }
        Some(tightest)
    }

    /// Where in a list of pieces this round begins: the first one in round 0, and scattered by the
    /// round's number and what is left otherwise.
    #[inline(always)]
    fn beginning(&self, length: usize) -> usize {
        let mixed = (self.number << 32 | u64::from(self.left)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let scattered = ((mixed >> 32) * length as u64) >> 32;
        if self.number == 0 { 0 } else { scattered as usize }
    }

    /// Lays a piece that gives these letters to the edges of a cell.
    #[inline(always)]
    fn place(&mut self, cell: usize, turned: Turned, given: EdgeLetters) {
        let spot = self.completer.cells[cell];
        self.board[cell] = turned;
        self.empty &= !(1 << cell);
        self.left &= !(1 << turned.piece);
        for slot in 0..3 {
            match spot.beyond[slot] {
                Some(other) => {
                    self.wishes[usize::from(other)] -= u16::from(ANY - given[slot]) * WEIGHTS[slot]
                }
                None => {
                    let letter = if spot.up { given[slot] } else { given[slot] ^ CASE };
                    count(&mut self.surplus, letter, -1);
                    self.rim -= 1;
                }
            }
        }
    }

    /// Takes a piece off again; the budget is restored by the caller.
    #[inline(always)]
    fn take(&mut self, cell: usize, turned: Turned, given: EdgeLetters) {
        self.empty |= 1 << cell;
        self.left |= 1 << turned.piece;
        for slot in 0..3 {
            if let Some(other) = self.completer.cells[cell].beyond[slot] {
                self.wishes[usize::from(other)] += u16::from(ANY - given[slot]) * WEIGHTS[slot];
            }
        }
    }
}

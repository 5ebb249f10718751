//! The subgoal of Wrapslide: one colour in a quadrant.
//!
//! The base is the puzzle of two colours; a colour that fills one quadrant *leads*, all others are alike.
//! Colours that fill one quadrant each are interchangeable, so each of them gives a view. Once the leader
//! fills a quadrant, a translation by half the board, which costs nothing, brings that quadrant to the top
//! left, and what is left is the `fixed` puzzle. With three colours and neighbours as the goal, that is
//! the one in which the second colour must end beside the first.

use super::Wrapslide;
use super::notation::text;
use super::rules::{Half, HalfSlide, WrapslideVariant};
use crate::puzzle::{Entrance, Move, State, Subgoals, UniformMoves};

/// The leader on a board of the base; the others are one more.
const LEADER: u8 = 1;

impl WrapslideVariant {
    /// The quadrant that the leader fills; the first one if it fills none.
    fn led_quadrant(&self, board: &[u8]) -> usize {
        let fills = |&quadrant: &usize| self.quadrant_cells(quadrant).all(|cell| board[cell] == LEADER);
        (0..4).find(fills).unwrap_or(0)
    }

    /// The board translated so that a quadrant comes to the top left.
    fn moved_to_top_left<T: Copy>(&self, board: &[T], quadrant: usize) -> Vec<T> {
        let (n, half) = (self.size, self.half());
        let (down, right) = (quadrant / 2 * half, quadrant % 2 * half);
        let from = |cell: usize| (cell / n + down) % n * n + (cell % n + right) % n;
        (0..n * n).map(|cell| board[from(cell)]).collect()
    }
}

/// For each of the cells `before` its place in `after`.
fn places(before: &[u8], after: &[u8]) -> Vec<u8> {
    let place = |cell: &u8| after.iter().position(|other| other == cell).unwrap_or(0) as u8;
    before.iter().map(place).collect()
}

impl Wrapslide {
    /// The free cells of a board of the base, in reading order of what `moved` makes of the board.
    fn free_cells(&self, base: &State, moved: impl FnOnce(&[u8]) -> Vec<u8>) -> Vec<u8> {
        let cells: Vec<u8> = (0..base.0.len() as u8).collect();
        let is_free = |cell: &u8| base.0[usize::from(*cell)] != LEADER;
        moved(&cells).into_iter().filter(is_free).collect()
    }
}

impl Subgoals for Wrapslide {
    fn base(&self) -> String {
        text(&WrapslideVariant { colours: 2, any: false, ..self.variant })
    }

    fn fibre(&self) -> String {
        let v = self.variant;
        text(&WrapslideVariant { any: false, fixed: true, beside: v.colours == 3 && !v.any, ..v })
    }

    fn labels(&self) -> Vec<usize> {
        self.variant.counts().split_off(1)
    }

    fn views(&self, state: &State) -> Vec<State> {
        let leaders = if self.variant.colours == 3 { 1..=2 } else { 1..=self.variant.colours as u8 };
        let view = |leader| state.0.iter().map(|&colour| if colour == leader { LEADER } else { 2 }).collect();
        leaders.map(view).map(State).collect()
    }

    fn free(&self, state: &State) -> Vec<u8> {
        let others = state.0.iter().filter(|&&colour| colour != LEADER);
        others.map(|colour| colour - 2).collect()
    }

    fn over(&self, base: &State, labels: &[u8]) -> Option<State> {
        let mut labels = labels.iter();
        let colour = |&colour: &u8| match colour {
            LEADER => Some(LEADER),
            _ => Some(labels.next()? + 2),
        };
        base.0.iter().map(colour).collect::<Option<Vec<u8>>>().map(State)
    }

    fn in_fibre(&self, state: &State) -> State {
        State(self.variant.moved_to_top_left(&state.0, self.variant.led_quadrant(&state.0)))
    }

    fn carry(&self, base: &State, mv: Move) -> Vec<u8> {
        let slid = |cells: &[u8]| match HalfSlide::from_move(mv) {
            Some(slide) => self.variant.slide(cells, slide),
            None => cells.to_vec(),
        };
        places(&self.free_cells(base, <[u8]>::to_vec), &self.free_cells(base, slid))
    }

    fn entrance(&self, base: &State) -> Entrance {
        let quadrant = self.variant.led_quadrant(&base.0);
        let after = self.free_cells(base, |cells| self.variant.moved_to_top_left(cells, quadrant));
        Entrance { number: 0, order: places(&self.free_cells(base, <[u8]>::to_vec), &after) }
    }

    fn uniform(&self) -> Option<UniformMoves> {
        let (n, half) = (self.variant.size, self.variant.half());
        let board: Vec<u8> = (0..(n * n) as u8).collect();
        // Sliding both halves by half the board is a translation, so that one of the two is enough.
        let is_needed = |slide: &HalfSlide| {
            slide.cells != half || matches!(slide.half, Half::Top | Half::Left) || self.variant.unit
        };
        let slides = self.variant.slides().filter(is_needed);
        let symmetry = |number: usize| -> Vec<u8> {
            let (turned, down, right) = (number % 8, number / 8 % 2 * half, number / 16 * half);
            let image = |cell: usize| {
                let (row, column) = (cell / n, cell % n);
                let (row, column) = if turned & 4 != 0 { (column, row) } else { (row, column) };
                let row = if turned & 2 != 0 { n - 1 - row } else { row };
                let column = if turned & 1 != 0 { n - 1 - column } else { column };
                (row + down) % n * n + (column + right) % n
            };
            (0..n * n).map(|cell| image(cell) as u8).collect()
        };
        Some(UniformMoves {
            free: LEADER + 1,
            pinned: LEADER,
            moves: slides.map(|slide| places(&board, &self.variant.slide(&board, slide))).collect(),
            symmetries: (0..32).map(symmetry).collect(),
            leaders: if self.variant.colours == 3 { vec![0] } else { vec![0, 1, 2] },
        })
    }
}

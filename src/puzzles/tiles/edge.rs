//! The first line of a board: the subgoal of sliding tiles.
//!
//! `tiles:3x3:edge` looks only at the tiles of the first row (the first column, if there are more columns
//! than rows) and at the blank; all other tiles are alike and are written `x`. Solved are the boards on
//! which the tiles of that line are in their places. What is left then is a board with one line less.
//!
//! The index is the rank of the places of the blank and of the line's tiles, one after the other: the
//! blank's place among all cells, then that of each tile among the cells that are left. Every number
//! below the universe is a state, and there are no symmetries.

use super::notation;
use super::rules::{TileSlide, TilesVariant};
use crate::engine::Totals;
use crate::error::{Result, usage};
use crate::puzzle::{
    Capabilities, Entrance, Indexed, Move, MoveLine, Rules, Setup, State, Subgoals, join_names,
};
use crate::space::{AnySpace, Space};

/// A tile that is not looked at.
const OTHER: u8 = u8::MAX;
/// The most cells of a board with an index, as for the whole puzzle.
const MOST_CELLS: usize = 16;

/// A board of which only the first line counts.
pub(super) struct TilesEdge {
    variant: TilesVariant,
    line: FirstLine,
}

/// The first line of a board.
struct FirstLine {
    /// Its cells; the tile of a cell has the next number.
    cells: Vec<usize>,
    /// The board that is left without it.
    rest: TilesVariant,
}

impl FirstLine {
    /// The first row, or the first column if there are more columns than rows; `None` on 2x2, where too
    /// little would be left.
    fn of(variant: &TilesVariant) -> Option<FirstLine> {
        let TilesVariant { rows, columns, .. } = *variant;
        Some(match rows >= columns {
            true if rows > 2 => {
                FirstLine { cells: (0..columns).collect(), rest: TilesVariant { rows: rows - 1, ..*variant } }
            }
            false => FirstLine {
                cells: (0..rows).map(|row| row * columns).collect(),
                rest: TilesVariant { columns: columns - 1, ..*variant },
            },
            true => return None,
        })
    }

    fn has(&self, tile: u8) -> bool {
        tile != OTHER && self.cells.iter().any(|&cell| cell + 1 == usize::from(tile))
    }
}

impl TilesEdge {
    /// The puzzle of a board's first line.
    pub fn new(variant: TilesVariant) -> Result<TilesEdge> {
        match FirstLine::of(&variant) {
            Some(line) if variant.cells() <= MOST_CELLS => Ok(TilesEdge { variant, line }),
            Some(_) => usage(format!("`edge` is for boards of at most {MOST_CELLS} cells")),
            None => usage("`edge` needs a board that is larger than 2x2"),
        }
    }

    /// The cells of the blank and of the line's tiles.
    fn places(&self, board: &[u8]) -> Option<Vec<usize>> {
        let tiles = self.line.cells.iter().map(|&cell| cell as u8 + 1);
        let place = |wanted| board.iter().position(|&tile| tile == wanted);
        std::iter::once(0).chain(tiles).map(place).collect()
    }

    fn index(&self, board: &[u8]) -> Option<u64> {
        let places = self.places(board)?;
        let mut index = 0;
        for (number, &place) in places.iter().enumerate() {
            let before = places[..number].iter().filter(|&&other| other < place).count();
            index = index * (self.variant.cells() - number) as u64 + (place - before) as u64;
        }
        Some(index)
    }

    fn board(&self, mut index: u64) -> Option<Vec<u8>> {
        if index >= self.universe() {
            return None;
        }
        let cells = self.variant.cells();
        let mut digits = Vec::new();
        for number in (0..=self.line.cells.len()).rev() {
            let radix = (cells - number) as u64;
            digits.push((index % radix) as usize);
            index /= radix;
        }
        let mut board = vec![OTHER; cells];
        let tiles = self.line.cells.iter().map(|&cell| cell as u8 + 1);
        for (digit, tile) in digits.into_iter().rev().zip(std::iter::once(0).chain(tiles)) {
            let free = (0..cells).filter(|&cell| board[cell] == OTHER).nth(digit);
            board[free?] = tile;
        }
        Some(board)
    }
}

impl Rules for TilesEdge {
    fn text(&self) -> String {
        notation::text(&self.variant) + ":edge"
    }

    fn title(&self) -> String {
        let TilesVariant { rows, columns, push } = self.variant;
        let line = if rows >= columns { "row" } else { "column" };
        format!("First {line} of sliding tiles {rows}x{columns}{}", if push { ", pushes" } else { "" })
    }

    fn metric(&self) -> &'static str {
        if self.variant.push { "push" } else { "single" }
    }

    fn parse_state(&self, text: &str) -> Result<State> {
        let TilesVariant { rows, columns, .. } = self.variant;
        let mut board = Vec::new();
        let lines: Vec<&str> = text.split('/').collect();
        if lines.len() != rows || lines.iter().any(|line| line.split_whitespace().count() != columns) {
            return usage(format!(
                "a state has {rows} rows of {columns} tiles, with spaces between tiles and `/` between rows, \
                 such as {}",
                self.print_state(&State(self.solved()))
            ));
        }
        for word in lines.iter().flat_map(|line| line.split_whitespace()) {
            let tile = match word {
                "x" => OTHER,
                _ => match word.parse() {
                    Ok(tile) if tile == 0 || self.line.has(tile) => tile,
                    _ => {
                        return usage(format!(
                            "`{}` is not 0 (the blank), a tile of the line, or x (any other tile)",
                            word.escape_debug()
                        ));
                    }
                },
            };
            if tile != OTHER && board.contains(&tile) {
                return usage(format!("tile {tile} occurs twice"));
            }
            board.push(tile);
        }
        match self.places(&board) {
            Some(_) => Ok(State(board)),
            None => usage("the blank (0) or a tile of the line is missing"),
        }
    }

    fn print_state(&self, state: &State) -> String {
        let word = |&tile: &u8| if tile == OTHER { "x".into() } else { tile.to_string() };
        let rows = state.0.chunks(self.variant.columns);
        let rows = rows.map(|row| row.iter().map(word).collect::<Vec<String>>().join(" "));
        rows.collect::<Vec<String>>().join("/")
    }

    fn draw(&self, state: &State, _: bool) -> String {
        let word = |&tile: &u8| match tile {
            0 => " .".into(),
            OTHER => " x".into(),
            _ => format!("{tile:2}"),
        };
        let rows = state.0.chunks(self.variant.columns);
        let rows = rows.map(|row| row.iter().map(word).collect::<Vec<String>>().join(" "));
        rows.collect::<Vec<String>>().join("\n")
    }

    fn moves(&self, state: &State) -> Vec<Move> {
        self.variant.slides(&state.0).map(Move::from).collect()
    }

    fn move_name(&self, _: &State, mv: Move) -> String {
        TileSlide::from_move(mv).map_or_else(|| "?".to_owned(), notation::move_name)
    }

    fn parse_move(&self, state: &State, text: &str) -> Result<Move> {
        notation::parse_slide(&self.variant, &state.0, text).map(Move::from)
    }

    fn apply(&self, state: &State, mv: Move) -> State {
        let slid = TileSlide::from_move(mv).and_then(|slide| self.variant.slide(&state.0, slide));
        slid.map_or_else(|| state.clone(), State)
    }

    fn is_solved(&self, state: &State) -> bool {
        self.line.cells.iter().all(|&cell| usize::from(state.0[cell]) == cell + 1)
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities { index: Some(self), setup: Some(self), line: Some(self), ..Capabilities::default() }
    }
}

impl TilesEdge {
    /// A solved board, with the blank last.
    fn solved(&self) -> Vec<u8> {
        let solved = self.variant.solved();
        solved.into_iter().map(|tile| if tile == 0 || self.line.has(tile) { tile } else { OTHER }).collect()
    }
}

impl Indexed for TilesEdge {
    fn space(&self) -> Option<AnySpace<'_>> {
        Some(AnySpace::Narrow(self))
    }

    fn index_of(&self, state: &State) -> Option<u128> {
        self.index(&state.0).map(u128::from)
    }

    fn state_of(&self, index: u128) -> Option<State> {
        self.board(u64::try_from(index).ok()?).map(State)
    }

    fn totals(&self) -> Totals {
        let states = Some(self.universe().into());
        Totals { states, classes: states, existing: None }
    }
}

impl Setup for TilesEdge {
    fn root(&self) -> Option<State> {
        Some(State(self.solved()))
    }
}

impl MoveLine for TilesEdge {
    fn print_moves(&self, names: &[String]) -> String {
        if self.variant.push { join_names(names) } else { notation::contract(names) }
    }

    fn split_word(&self, word: &str) -> Option<Vec<String>> {
        if self.variant.push { None } else { notation::expand(word) }
    }
}

impl Space<u64> for TilesEdge {
    fn universe(&self) -> u64 {
        let cells = self.variant.cells();
        (0..=self.line.cells.len()).map(|number| (cells - number) as u64).product()
    }

    fn roots(&self) -> Vec<u64> {
        let solved = self.solved();
        let free = (0..solved.len()).filter(|cell| !self.line.cells.contains(cell));
        let blanks = free.map(|blank| {
            let mut board = solved.clone();
            board.swap(blank, solved.len() - 1);
            board
        });
        let mut roots: Vec<u64> = blanks.filter_map(|board| self.index(&board)).collect();
        roots.sort_unstable();
        roots
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        for board in batch.iter().filter_map(|&index| self.board(index)) {
            let after = self.variant.slides(&board).filter_map(|slide| self.variant.slide(&board, slide));
            candidates.extend(after.filter_map(|board| self.index(&board)));
        }
    }

    fn fanout(&self) -> usize {
        match self.variant.push {
            true => self.variant.rows + self.variant.columns - 2,
            false => 4,
        }
    }
}

/// The subgoal of a board: its first line. The rest is a smaller board.
pub(super) struct EdgeFirst {
    variant: TilesVariant,
    line: FirstLine,
}

impl EdgeFirst {
    /// The subgoal of a board; `None` if it has no index or no line to begin with.
    pub fn new(variant: TilesVariant) -> Option<EdgeFirst> {
        let line = FirstLine::of(&variant).filter(|_| variant.cells() <= MOST_CELLS)?;
        Some(EdgeFirst { variant, line })
    }

    /// The tiles that are free, in ascending order.
    fn others(&self) -> Vec<u8> {
        (1..self.variant.cells() as u8).filter(|&tile| !self.line.has(tile)).collect()
    }

    /// The number of a free tile on the board that is left.
    fn renumbered(&self, tile: u8) -> u8 {
        let cell = usize::from(tile) - 1;
        let before = self.line.cells.iter().filter(|&&gone| gone < cell).count();
        (cell - before) as u8 + 1
    }
}

impl Subgoals for EdgeFirst {
    fn base(&self) -> String {
        notation::text(&self.variant) + ":edge"
    }

    fn fibre(&self) -> String {
        notation::text(&self.line.rest)
    }

    fn labels(&self) -> Vec<usize> {
        vec![1; self.others().len()]
    }

    fn views(&self, state: &State) -> Vec<State> {
        let seen = |&tile: &u8| if tile == 0 || self.line.has(tile) { tile } else { OTHER };
        vec![State(state.0.iter().map(seen).collect())]
    }

    fn free(&self, state: &State) -> Vec<u8> {
        let others = self.others();
        let label = |tile: &u8| others.iter().position(|other| other == tile).map(|label| label as u8);
        state.0.iter().filter_map(label).collect()
    }

    fn over(&self, base: &State, labels: &[u8]) -> Option<State> {
        let others = self.others();
        let mut labels = labels.iter();
        let tile = |&tile: &u8| match tile {
            OTHER => others.get(usize::from(*labels.next()?)).copied(),
            _ => Some(tile),
        };
        let board = base.0.iter().map(tile).collect::<Option<Vec<u8>>>()?;
        self.variant.is_reachable(&board).then_some(State(board))
    }

    fn in_fibre(&self, state: &State) -> State {
        let cells = (0..state.0.len()).filter(|cell| !self.line.cells.contains(cell));
        let tile = |cell: usize| match state.0[cell] {
            0 => 0,
            tile => self.renumbered(tile),
        };
        State(cells.map(tile).collect())
    }

    fn carry(&self, base: &State, mv: Move) -> Vec<u8> {
        // The same move on a board whose tiles are the numbers of their cells.
        let numbered = (1..).zip(&base.0).map(|(cell, &tile)| if tile == 0 { 0 } else { cell });
        let numbered: Vec<u8> = numbered.collect();
        let slid = TileSlide::from_move(mv).and_then(|slide| self.variant.slide(&numbered, slide));
        let after = slid.unwrap_or_else(|| numbered.clone());
        let is_free = |&cell: &u8| cell > 0 && base.0[usize::from(cell) - 1] == OTHER;
        let before: Vec<u8> = numbered.into_iter().filter(is_free).collect();
        let after: Vec<u8> = after.into_iter().filter(is_free).collect();
        let place = |cell: &u8| after.iter().position(|other| other == cell).unwrap_or(0) as u8;
        before.iter().map(place).collect()
    }

    fn entrance(&self, base: &State) -> Entrance {
        Entrance {
            number: self.variant.blank(&base.0).unwrap_or(0),
            order: (0..self.others().len() as u8).collect(),
        }
    }
}

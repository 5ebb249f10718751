//! A board with what is written on it: labels on cells and gourds, and where the gourds lie.

use super::board::Board;
use super::kinds::Kinds;
use super::rules::Pairs;
use super::shapes::Shape;

/// No label is larger than this.
pub(super) const LARGEST_LABEL: u16 = 999;

/// A board and its labels.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub board: Board,
    /// `None` on a board that is given by its shape alone.
    pub labels: Option<Labels>,
}

/// What is written on cells and gourds: a gourd's end belongs on a cell with its label.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    /// Whether labels are colours, which may occur more than once, or numbers, which may not.
    pub coloured: bool,
    /// The label of every cell.
    pub cells: Vec<u16>,
    /// The labels of the two ends of every gourd.
    pub gourds: Vec<[u16; 2]>,
    /// Where the gourds lie at first.
    pub start: Pairs,
}

/// Where a flaw in the labels is to be looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Cells,
    Gourds,
}

impl Labels {
    /// Checks the labels of a board; otherwise says where they are wrong and why.
    pub fn check(&self, board: &Board) -> Result<(), (Place, String)> {
        if self.cells.len() != board.size() {
            return Err((
                Place::Cells,
                format!(
                    "there are {} labels, but the board has {} cells",
                    self.cells.len(),
                    board.size()
                ),
            ));
        }
        match self.coloured {
            true => self.check_colours(),
            false => self.check_numbers(board),
        }
    }

    fn check_numbers(&self, board: &Board) -> Result<(), (Place, String)> {
        if let Some(label) = repeated(self.cells.iter().copied()) {
            return Err((
                Place::Cells,
                format!("two cells have the number {label}, and numbers must be different"),
            ));
        }
        if let Some(label) = repeated(self.gourds.iter().flatten().copied()) {
            return Err((
                Place::Gourds,
                format!("two ends have the number {label}, and numbers must be different"),
            ));
        }
        for ends in &self.gourds {
            let [a, b] = ends.map(|label| self.cells.iter().position(|&l| l == label));
            match (a, b) {
                (Some(a), Some(b)) if board.adjacent(a, b) => {}
                (Some(a), Some(b)) => {
                    return Err((
                        Place::Gourds,
                        format!(
                            "the gourd {},{} belongs on the cells {a} and {b}, which are not \
                             neighbours",
                            ends[0], ends[1]
                        ),
                    ));
                }
                _ => {
                    let label = if a.is_none() { ends[0] } else { ends[1] };
                    return Err((
                        Place::Gourds,
                        format!("no cell has the number {label} of this end of a gourd"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_colours(&self) -> Result<(), (Place, String)> {
        let mut colours = self.gourds.concat();
        colours.sort_unstable();
        colours.dedup();
        for colour in colours {
            let ends = self.gourds.iter().flatten().filter(|&&c| c == colour);
            let cells = self.cells.iter().filter(|&&c| c == colour);
            let (ends, cells) = (ends.count(), cells.count());
            if ends > cells {
                return Err((
                    Place::Gourds,
                    format!(
                        "more ends of gourds than cells have the colour {colour}: {ends} against \
                         {cells}"
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The solved placement of numbered gourds; `None` if a number is on no cell.
    pub fn home(&self) -> Option<Pairs> {
        let cell = |label| self.cells.iter().position(|&l| l == label);
        let home = |ends: &[u16; 2]| Some([cell(ends[0])? as u8, cell(ends[1])? as u8]);
        self.gourds.iter().map(home).collect()
    }

    /// The solved placement over a shape; `None` if there is none. There cannot be two that look
    /// different, because the cells of a pair say which colours the gourd on it must have.
    pub fn placed(&self, shape: &Shape) -> Option<Pairs> {
        let mut left: Vec<usize> = (0..self.gourds.len()).collect();
        let mut pairs = vec![[0; 2]; self.gourds.len()];
        for [a, b] in shape.pairs() {
            let colours = [a, b].map(|cell| self.cells[usize::from(cell)]);
            let turned = [colours[1], colours[0]];
            let fits = |&gourd: &usize| [colours, turned].contains(&self.gourds[gourd]);
            let gourd = left.remove(left.iter().position(fits)?);
            pairs[gourd] = match self.gourds[gourd] == colours {
                true => [a, b],
                false => [b, a],
            };
        }
        Some(pairs)
    }

    /// Whether every end lies on a cell with its label.
    pub fn solved(&self, pairs: &[[u8; 2]]) -> bool {
        let ends = pairs.iter().flatten().zip(self.gourds.iter().flatten());
        let mut ends = ends.map(|(&cell, &label)| self.cells[usize::from(cell)] == label);
        ends.all(|home| home)
    }
}

impl Layout {
    /// The kinds of the gourds.
    pub fn kinds(&self) -> Kinds {
        match &self.labels {
            Some(labels) if labels.coloured => Kinds::coloured(&labels.gourds),
            _ => Kinds::distinct(self.board.gourds()),
        }
    }
}

/// Something that occurs twice.
fn repeated(items: impl Iterator<Item = u16>) -> Option<u16> {
    let mut items: Vec<u16> = items.collect();
    items.sort_unstable();
    let pair = items.windows(2).find(|pair| pair[0] == pair[1]);
    pair.map(|pair| pair[0])
}

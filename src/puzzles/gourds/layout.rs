//! A board with what is written on it: labels on cells and gourds, and where the gourds lie.

use std::collections::BTreeSet;

use super::board::HexBoard;
use super::kinds::Kinds;
use super::rules::Pairs;
use super::shapes::Shape;

/// No label is larger than this.
pub(super) const LARGEST_LABEL: u16 = 999;

#[derive(Clone, Debug)]
pub(super) struct LabelledBoard {
    pub board: HexBoard,
    /// `None` on a board that is given by its shape alone.
    pub labels: Option<Labels>,
}

/// What is written on cells and gourds: a gourd's end belongs on a cell with its label.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    /// Whether labels are colours, which may occur more than once, or numbers, which may not.
    pub coloured: bool,
    pub cells: Vec<u16>,
    /// The labels of the two ends of every gourd.
    pub gourds: Vec<[u16; 2]>,
    /// Where the gourds lie at first.
    pub start: Pairs,
    /// The names of colours that have one.
    pub names: Vec<(u16, String)>,
}

impl Labels {
    /// A label as it is written: its name if it has one.
    pub fn written(&self, label: u16) -> String {
        let named = self.names.iter().find(|(other, _)| *other == label);
        named.map_or_else(|| label.to_string(), |(_, name)| name.clone())
    }

    /// Checks the labels of the cells.
    pub fn check_cells(&self, board: &HexBoard) -> Result<(), String> {
        let (labels, cells) = (self.cells.len(), board.size());
        if labels != cells {
            return Err(format!("there are {labels} labels, but the board has {cells} cells"));
        }
        match repeated(self.cells.iter().copied()).filter(|_| !self.coloured) {
            None => Ok(()),
            Some(label) => Err(format!("two cells have the number {label}, and numbers must be different")),
        }
    }

    /// Checks the labels of the gourds against those of the cells.
    pub fn check_gourds(&self, board: &HexBoard) -> Result<(), String> {
        if self.coloured {
            return self.check_colours();
        }
        if let Some(label) = repeated(self.gourds.iter().flatten().copied()) {
            return Err(format!("two ends have the number {label}, and numbers must be different"));
        }
        for &[a, b] in &self.gourds {
            match [a, b].map(|label| self.cells.iter().position(|&l| l == label)) {
                [Some(a), Some(b)] if board.adjacent(a, b) => {}
                [Some(from), Some(to)] => {
                    return Err(format!(
                        "the gourd {a},{b} belongs on the cells {from} and {to}, which are not \
                         neighbours"
                    ));
                }
                [first, _] => {
                    let label = if first.is_none() { a } else { b };
                    return Err(format!("no cell has the number {label} of this end of a gourd"));
                }
            }
        }
        Ok(())
    }

    fn check_colours(&self) -> Result<(), String> {
        let colours: BTreeSet<&u16> = self.gourds.iter().flatten().collect();
        for colour in colours {
            let ends = self.gourds.iter().flatten().filter(|&c| c == colour).count();
            let cells = self.cells.iter().filter(|&c| c == colour).count();
            if ends > cells {
                return Err(format!(
                    "more ends of gourds than cells have the colour {colour}: {ends} against {cells}"
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

    /// The solved placement over a shape; `None` if it does not exist. There cannot be two that look
    /// different, because the cells of a pair say which colours the gourd on it must have.
    pub fn placed(&self, shape: &Shape) -> Option<Pairs> {
        let mut left: Vec<usize> = (0..self.gourds.len()).collect();
        let mut pairs = vec![[0; 2]; self.gourds.len()];
        for [a, b] in shape.pairs() {
            let colours = [a, b].map(|cell| self.cells[usize::from(cell)]);
            let turned = [colours[1], colours[0]];
            let fits = |&gourd: &usize| [colours, turned].contains(&self.gourds[gourd]);
            let gourd = left.remove(left.iter().position(fits)?);
            pairs[gourd] = if self.gourds[gourd] == colours { [a, b] } else { [b, a] };
        }
        Some(pairs)
    }

    /// Whether every end lies on a cell with its label.
    pub fn solved(&self, pairs: &[[u8; 2]]) -> bool {
        let mut ends = pairs.iter().flatten().zip(self.gourds.iter().flatten());
        ends.all(|(&cell, &label)| self.cells[usize::from(cell)] == label)
    }
}

impl LabelledBoard {
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

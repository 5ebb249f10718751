//! Drawing a board for a terminal, and what other pictures of it need.
//!
//! Every row of cells takes a line, and the links between the two ends of a gourd are drawn in
//! it and in the line between rows. On a board without labels a gourd is a letter: a capital for
//! end 0, a small one for end 1. On a board with labels an end is its label, and the labels of the
//! cells, where the ends belong, are drawn beside it. The free cell is a dot.

use std::collections::BTreeSet;

use super::board::HexBoard;
use super::layout::{LabelledBoard, Labels};
use super::{Gourds, notation, solve};
use crate::puzzle::Picture;

/// The letters of gourds, end 0 and end 1; there are at most 31 gourds.
const LETTERS: [&str; 2] = ["ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞ", "abcdefghijklmnopqrstuvwxyzγδθλξ"];

/// Light backgrounds, as numbers of the terminal's 256 colours.
const PAINTS: [u8; 12] = [203, 114, 221, 75, 177, 80, 215, 250, 156, 217, 111, 186];

/// The paints of colours that people name.
const KNOWN: [(&str, u8); 12] = [
    ("red", 203),
    ("green", 114),
    ("yellow", 221),
    ("blue", 75),
    ("purple", 177),
    ("cyan", 80),
    ("orange", 215),
    ("pink", 217),
    ("white", 255),
    ("grey", 248),
    ("gray", 248),
    ("brown", 137),
];

/// The paint of an end that lies where it belongs, on a board with numbers.
const HOME: u8 = PAINTS[1];

/// A character and what it is painted with.
type Glyph = (char, Option<u8>);

/// Draws where the gourds lie, without a newline at the end: with brackets round a marked cell, and
/// beside it the goal of a board without labels, if that is given.
pub(super) fn draw(
    layout: &LabelledBoard,
    pairs: &[[u8; 2]],
    marked: Option<u8>,
    goal: Option<&[[u8; 2]]>,
    colour: bool,
) -> String {
    let gourds = ends(layout, pairs, marked);
    let Some(labels) = &layout.labels else {
        let goal = goal.map(|goal| ends(layout, goal, None));
        return match goal {
            Some(goal) => print(&beside([("gourds", gourds), ("goal", goal)]), colour),
            None => print(&gourds, colour),
        };
    };
    let paint = |&label: &u16| (shown(labels, label), paint_of(labels, label));
    let homes: Vec<_> = labels.cells.iter().map(paint).collect();
    let homes = picture(&layout.board, &homes, &[], None);
    let drawn = print(&beside([("gourds", gourds), ("cells", homes)]), colour);
    match legend(labels) {
        legend if legend.is_empty() => drawn,
        legend => format!("{drawn}\n\n{legend}"),
    }
}

/// What stands for a label in a picture: of a name as many letters as tell it from the other names.
fn shown(labels: &Labels, label: u16) -> String {
    let Some((_, name)) = labels.names.iter().find(|(other, _)| *other == label) else {
        return label.to_string();
    };
    let differs = |length: &usize| {
        let begins = |(other, its): &&(u16, String)| *other != label && its.starts_with(&name[..*length]);
        labels.names.iter().find(begins).is_none()
    };
    let length = (1..name.len()).find(differs).unwrap_or(name.len());
    name[..length].to_owned()
}

/// What the letters in a picture stand for.
fn legend(labels: &Labels) -> String {
    let entry = |(label, name): &(u16, String)| match shown(labels, *label) {
        short if short == *name => None,
        short => Some(format!("{short} {name}")),
    };
    labels.names.iter().filter_map(entry).collect::<Vec<_>>().join(", ")
}

fn ends(layout: &LabelledBoard, pairs: &[[u8; 2]], marked: Option<u8>) -> Vec<Vec<Glyph>> {
    let board = &layout.board;
    let mut cells = vec![(".".to_owned(), None); board.size()];
    let mut links = Vec::new();
    for (gourd, &pair) in pairs.iter().enumerate() {
        let looks = [0, 1].map(|end| match &layout.labels {
            None => {
                let letter = LETTERS[end].chars().nth(gourd).unwrap_or('?');
                (letter.to_string(), Some(PAINTS[gourd % PAINTS.len()]))
            }
            Some(labels) => label(labels, labels.gourds[gourd][end], pair[end]),
        });
        // A link is painted like its ends if those look the same.
        let paint = looks[0].1.filter(|_| layout.labels.is_none());
        links.push((pair, paint));
        for (cell, look) in pair.into_iter().zip(looks) {
            cells[usize::from(cell)] = look;
        }
    }
    picture(board, &cells, &links, marked)
}

/// Draws a cycle through cells: their numbers, and links between those that follow each other.
pub(super) fn draw_cycle(board: &HexBoard, cycle: &[u8], colour: bool) -> String {
    let cells: Vec<_> = (0..board.size()).map(|cell| (cell.to_string(), None)).collect();
    let next = cycle.iter().cycle().skip(1);
    let links: Vec<_> = cycle.iter().zip(next).map(|(&a, &b)| ([a, b], None)).collect();
    print(&picture(board, &cells, &links, None), colour)
}

impl Picture for Gourds {
    /// What a picture needs:
    /// - `cells`: column and row of every cell, in its number's order; neighbours in a row are two columns
    ///   apart;
    /// - `proper`: whether the board is, and then `cycle`: the cells along a cycle through all of them, the
    ///   first that solvers try;
    /// - `coloured`, `labels`, `gourds`: whether labels are colours, the label of every cell, and the two of
    ///   every gourd; the last two are `null` on a board without labels;
    /// - `names`: pairs of a label and the name of that colour, for colours that have one;
    /// - `goal`: the solved state, unless there are several.
    fn board(&self) -> serde_json::Value {
        let board = self.board();
        let points = board.points().iter();
        let left = points.clone().map(|point| point.x()).min().unwrap_or(0);
        let cells: Vec<_> = points.map(|point| [point.x() - left, point.r]).collect();
        let labels = self.labels();
        serde_json::json!({
            "cells": cells,
            "proper": self.proper,
            "cycle": self.proper.then(|| solve::shown_cycle(board)),
            "coloured": labels.is_some_and(|labels| labels.coloured),
            "labels": labels.map(|labels| &labels.cells),
            "gourds": labels.map(|labels| &labels.gourds),
            "names": labels.map(|labels| &labels.names),
            "goal": self.goal.as_deref().map(notation::print_pairs),
        })
    }
}

/// What an end with a label looks like on a cell.
fn label(labels: &Labels, label: u16, cell: u8) -> (String, Option<u8>) {
    let home = !labels.coloured && labels.cells[usize::from(cell)] == label;
    let paint = paint_of(labels, label).or(home.then_some(HOME));
    (shown(labels, label), paint)
}

/// The paint of a colour: colours in ascending order take the paints one after the other.
fn paint_of(labels: &Labels, label: u16) -> Option<u8> {
    let named = labels.names.iter().find(|(other, _)| *other == label);
    let known = named.and_then(|(_, name)| KNOWN.iter().find(|(known, _)| known == name));
    if let Some((_, paint)) = known {
        return Some(*paint);
    }
    let smaller: BTreeSet<&u16> = labels.cells.iter().filter(|&&other| other < label).collect();
    labels.coloured.then_some(PAINTS[smaller.len() % PAINTS.len()])
}

/// Puts texts on the cells, links between cells, and brackets round a cell that is marked.
fn picture(
    board: &HexBoard,
    cells: &[(String, Option<u8>)],
    links: &[([u8; 2], Option<u8>)],
    marked: Option<u8>,
) -> Vec<Vec<Glyph>> {
    let width = cells.iter().map(|(text, _)| text.chars().count()).max();
    let width = width.unwrap_or(1);
    let left = board.points().iter().map(|point| point.x()).min();
    // Room for a bracket on either side.
    let margin = usize::from(marked.is_some());
    // Where a cell's text begins; it has `width` places.
    let place = |cell: u8| {
        let point = board.points()[usize::from(cell)];
        let column = (point.x() - left.unwrap_or(0)) as usize * (width + 1) + margin;
        (2 * point.r as usize, column)
    };
    let (mut lines, mut columns) = (0, 0);
    for cell in 0..cells.len() as u8 {
        lines = lines.max(place(cell).0 + 1);
        columns = columns.max(place(cell).1 + width + margin);
    }
    let mut canvas = vec![vec![(' ', None); columns]; lines];
    for &([a, b], paint) in links {
        let ((line, from), (below, to)) = (place(a.min(b)), place(a.max(b)));
        if line == below {
            canvas[line][from + width..to + width].fill(('-', paint));
        } else if from < to {
            canvas[line + 1][from + width] = ('\\', paint);
        } else {
            canvas[line + 1][from - 1] = ('/', paint);
        }
    }
    for (cell, (text, paint)) in (0..).zip(cells) {
        let (line, column) = place(cell);
        let start = column + width - text.chars().count();
        for (column, letter) in (start..).zip(text.chars()) {
            canvas[line][column] = (letter, *paint);
        }
        if marked == Some(cell) {
            canvas[line][start - 1] = ('[', None);
            canvas[line][column + width] = (']', None);
        }
    }
    canvas
}

/// Puts two pictures beside each other, each below its title.
fn beside(pictures: [(&str, Vec<Vec<Glyph>>); 2]) -> Vec<Vec<Glyph>> {
    let mut lines: Vec<Vec<Glyph>> = Vec::new();
    for (title, picture) in pictures {
        let title = title.chars().map(|letter| (letter, None)).collect();
        let start = lines.iter().map(Vec::len).max().map_or(0, |width| width + 4);
        let blank = vec![];
        for (number, line) in [title, blank].into_iter().chain(picture).enumerate() {
            if lines.len() <= number {
                lines.push(Vec::new());
            }
            lines[number].resize(start, (' ', None));
            lines[number].extend(line);
        }
    }
    lines
}

fn print(lines: &[Vec<Glyph>], colour: bool) -> String {
    let print_glyph = |&(letter, paint): &Glyph| match paint.filter(|_| colour) {
        Some(paint) => format!("\x1b[30;48;5;{paint}m{letter}\x1b[0m"),
        None => letter.to_string(),
    };
    let print_line = |line: &Vec<Glyph>| {
        let text: String = line.iter().map(print_glyph).collect();
        text.trim_end().to_owned()
    };
    lines.iter().map(print_line).collect::<Vec<_>>().join("\n")
}

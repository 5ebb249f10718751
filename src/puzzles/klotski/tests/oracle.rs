//! A search that shares nothing with the puzzle: grids of letters, moved letter by letter.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

pub(super) type Grid = Vec<Vec<char>>;

pub(super) fn grid(text: &str) -> Grid {
    text.split('/').map(|row| row.chars().collect()).collect()
}

/// The grid with letters that tell shapes only: how large the block is, and where in it the cell
/// lies.
pub(super) fn shapes(grid: &Grid) -> String {
    let mut extent = [(usize::MAX, usize::MAX, 0, 0); 128];
    for (r, row) in grid.iter().enumerate() {
        for (c, &letter) in row.iter().enumerate() {
            let (top, left, bottom, right) = extent[letter as usize];
            extent[letter as usize] = (top.min(r), left.min(c), bottom.max(r), right.max(c));
        }
    }
    let mut text = String::new();
    for (r, row) in grid.iter().enumerate() {
        for (c, letter) in row.iter().enumerate() {
            if *letter == '.' {
                text.push('.');
                continue;
            }
            let (top, left, bottom, right) = extent[*letter as usize];
            let place = [bottom - top, right - left, r - top, c - left];
            let code = place.iter().fold(0, |code, bit| 2 * code + *bit as u8);
            text.push(char::from(b'a' + code));
        }
        text.push('/');
    }
    text
}

fn mirrored(grid: &Grid) -> Grid {
    let turned = |row: &Vec<char>| row.iter().rev().copied().collect();
    grid.iter().map(turned).collect()
}

/// The grid with a block moved by one cell.
fn pushed(grid: &Grid, letter: char, (down, right): (isize, isize)) -> Option<Grid> {
    let mut after = grid.clone();
    let mut cells = Vec::new();
    for (r, row) in grid.iter().enumerate() {
        for (c, &other) in row.iter().enumerate() {
            if other == letter {
                cells.push((r.checked_add_signed(down)?, c.checked_add_signed(right)?));
                after[r][c] = '.';
            }
        }
    }
    for (r, c) in cells {
        let cell = after.get_mut(r)?.get_mut(c)?;
        if *cell != '.' {
            return None;
        }
        *cell = letter;
    }
    Some(after)
}

const WAYS: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

pub(super) fn neighbours(grid: &Grid, metric: &str) -> Vec<Grid> {
    let letters: BTreeSet<char> = grid.iter().flatten().copied().collect();
    let mut found = Vec::new();
    for &letter in letters.iter().filter(|letter| **letter != '.') {
        match metric {
            "step" => found.extend(WAYS.iter().filter_map(|&way| pushed(grid, letter, way))),
            "slide" => {
                for way in WAYS {
                    let mut at = grid.clone();
                    while let Some(next) = pushed(&at, letter, way) {
                        found.push(next.clone());
                        at = next;
                    }
                }
            }
            _ => {
                let mut seen = HashSet::from([grid.clone()]);
                let mut open = vec![grid.clone()];
                while let Some(at) = open.pop() {
                    for next in WAYS.iter().filter_map(|&way| pushed(&at, letter, way)) {
                        if seen.insert(next.clone()) {
                            found.push(next.clone());
                            open.push(next);
                        }
                    }
                }
            }
        }
    }
    found
}

/// Whether the 2x2 block, which is the letter `A`, has its upper left cell at a place.
pub(super) fn is_solved(grid: &Grid, (row, column): (usize, usize)) -> bool {
    [(0, 0), (0, 1), (1, 0), (1, 1)].iter().all(|(r, c)| grid[row + r][column + c] == 'A')
}

/// Everything that can be reached, with its distance from the roots, by shapes.
pub(super) fn search(roots: &[Grid], metric: &str) -> HashMap<String, (usize, Grid)> {
    let mut reached = HashMap::new();
    let mut level: Vec<Grid> = roots.to_vec();
    level.retain(|grid| {
        let known = reached.insert(shapes(grid), (0, grid.clone()));
        known.is_none()
    });
    let mut distance = 0;
    while !level.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for grid in &level {
            for neighbour in neighbours(grid, metric) {
                if let Entry::Vacant(entry) = reached.entry(shapes(&neighbour)) {
                    entry.insert((distance, neighbour.clone()));
                    next.push(neighbour);
                }
            }
        }
        level = next;
    }
    reached
}

/// States of every level, and classes of every level if mirror images are the same.
pub(super) fn levels(reached: &HashMap<String, (usize, Grid)>) -> (Vec<u128>, Vec<u128>) {
    let last = reached.values().map(|(distance, _)| *distance).max();
    let mut states = vec![0; last.unwrap_or(0) + 1];
    let mut classes = vec![BTreeSet::new(); states.len()];
    for (key, (distance, grid)) in reached {
        states[*distance] += 1;
        classes[*distance].insert(key.clone().min(shapes(&mirrored(grid))));
    }
    let classes = classes.iter().map(|class| class.len() as u128).collect();
    (states, classes)
}

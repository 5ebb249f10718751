//! Views of a puzzle: what is left if some pieces are taken to be identical, or their orientations ignored.

use crate::puzzles::perm::definition::{Definition, NamedMove, OrbitPattern, Pattern};
use crate::puzzles::perm::frame::CellFrame;
use crate::puzzles::perm::numbering::Numbering;

/// The most views.
const MOST_VIEWS: usize = 8;
/// The most labels of an orbit that are tried out one by one.
const MOST_LABELS: usize = 64;

/// What is told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View {
    /// By orbit and label: what becomes of the label, and whether the orientation is seen.
    labels: Vec<Vec<(u8, bool)>>,
}

impl View {
    /// Nothing is seen.
    fn blind(definition: &Definition) -> View {
        let orbit = |part: &OrbitPattern| vec![(u8::MAX, false); part.modulus.len()];
        View { labels: definition.solved[0].0.iter().map(orbit).collect() }
    }

    /// The pieces of an orbit with these labels.
    fn of_labels(definition: &Definition, orbit: usize, from: usize, to: usize) -> View {
        let mut view = View::blind(definition);
        for label in from..to {
            view.labels[orbit][label] = (label as u8, true);
        }
        view
    }

    /// The orientations of all pieces.
    fn of_orientations(definition: &Definition) -> View {
        let mut view = View::blind(definition);
        for label in view.labels.iter_mut().flatten() {
            *label = (0, true);
        }
        view
    }

    /// What is seen of an orbit's part of a pattern.
    pub fn part(&self, orbit: usize, part: &OrbitPattern) -> OrbitPattern {
        let seen = |label: usize| {
            let (group, oriented) = self.labels[orbit][label];
            (group, if oriented { part.modulus[label] } else { 1 })
        };
        let mut kept: Vec<(u8, u8)> = (0..part.modulus.len()).map(seen).collect();
        kept.sort_unstable();
        kept.dedup();
        let rank = |label: u8| kept.partition_point(|&other| other < seen(label.into())) as u8;
        let pieces: Vec<u8> = part.pieces.iter().map(|&label| rank(label)).collect();
        let turns = pieces.iter().zip(&part.orientation);
        OrbitPattern {
            orientation: turns.map(|(&piece, &turn)| turn % kept[usize::from(piece)].1).collect(),
            modulus: kept.iter().map(|&(_, modulus)| modulus).collect(),
            pieces,
        }
    }

    /// The puzzle as it is seen. Any move is legal in it.
    pub fn of(&self, definition: &Definition) -> Definition {
        let pattern = |pattern: &Pattern| {
            Pattern((0..).zip(&pattern.0).map(|(orbit, part)| self.part(orbit, part)).collect())
        };
        let mut solved: Vec<Pattern> = Vec::new();
        for seen in definition.solved.iter().map(pattern) {
            if !solved.contains(&seen) {
                solved.push(seen);
            }
        }
        Definition { solved, start: None, forbidden: Vec::new(), blocks: Vec::new(), ..definition.clone() }
    }
}

/// Every orbit as a whole, or in parts with at most so many states if that does not fit, and the
/// orientations of all pieces together.
pub(super) fn views(
    definition: &Definition,
    moves: &[NamedMove],
    most: u128,
    fits: impl Fn(&View) -> bool,
) -> Vec<View> {
    let size = |view: &View| -> Option<u128> {
        let frame = CellFrame::new(&view.of(definition), moves).ok()?;
        Some(Numbering::new(&frame).ok()?.count)
    };
    let mut views = Vec::new();
    for (orbit, solved) in definition.solved[0].0.iter().enumerate() {
        let labels = solved.modulus.len();
        let all = View::of_labels(definition, orbit, 0, labels);
        if fits(&all) {
            views.push(all);
            continue;
        }
        let mut from = 0;
        while from < labels.min(MOST_LABELS) {
            let is_small = |to: &usize| {
                size(&View::of_labels(definition, orbit, from, *to)).is_some_and(|size| size <= most)
            };
            let to = (from + 1..=labels).take_while(is_small).last();
            views.extend(to.map(|to| View::of_labels(definition, orbit, from, to)));
            from = to.unwrap_or(from + 1);
        }
    }
    let orientations = View::of_orientations(definition);
    if fits(&orientations) {
        views.push(orientations);
    }
    views.retain(|view| size(view).is_some_and(|size| size > 1));
    // Larger ones give better bounds.
    views.sort_by_key(|view| std::cmp::Reverse(size(view)));
    views.dedup();
    views.truncate(MOST_VIEWS);
    views
}

//! Wrapslide as a permutation puzzle: cells are slots, and cells of one colour hold identical pieces.
//!
//! A slide by any distance is a power of the slide by one cell, so one move for each half is enough, called
//! `T`, `B`, `L` and `R`: `T2` is a slide by two cells, as in the notation of this kind, `T'` one by one cell to
//! the other side. Where a move slides by one cell only, both directions are listed, and no other power
//! counts. All boards that are solved are listed, too: the same pieces in other quadrants.

use super::rules::{HalfSlide, WrapslideVariant};
use super::{Wrapslide, notation};
use crate::puzzle::Permutations;
use crate::puzzle::permutations::{
    Definition, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation,
};

impl Permutations for Wrapslide {
    fn definition(&self) -> Definition {
        let variant = &self.variant;
        let slots = variant.size * variant.size;
        let moves = variant.slides().filter(|slide| slide.cells == 1 || variant.unit);
        let pattern = |board: Vec<u8>| {
            // Colours of a board are counted from 1.
            let pieces = board.into_iter().map(|colour| colour - 1).collect();
            Pattern(vec![OrbitPattern {
                pieces,
                orientation: vec![0; slots],
                modulus: vec![1; variant.colours],
            }])
        };
        Definition {
            name: notation::text(variant),
            orbits: vec![Orbit { name: "CELL".into(), slots, orientations: 1 }],
            moves: moves.map(|slide| named_move(variant, slide)).collect(),
            rotations: Vec::new(),
            powers: !variant.unit,
            solved: variant.solved().into_iter().map(pattern).collect(),
            start: None,
            forbidden: Vec::new(),
            blocks: Vec::new(),
        }
    }
}

/// A slide as a permutation of cells.
fn named_move(variant: &WrapslideVariant, slide: HalfSlide) -> NamedMove {
    let cells: Vec<u8> = (0..=u8::MAX).take(variant.size * variant.size).collect();
    let turn = vec![0; cells.len()];
    let from = variant.slide(&cells, slide);
    NamedMove {
        name: format!("{}{}", notation::letter(slide.half), if slide.cells == 1 { "" } else { "'" }),
        transformation: Transformation(vec![OrbitTransformation { from, turn }]),
    }
}

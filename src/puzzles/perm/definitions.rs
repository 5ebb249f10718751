//! Definitions that come with the program, in the format of twsearch.
//!
//! Each was derived from the puzzle's geometry: pieces are the places of their centres, a move is a rotation
//! of those on one side of a plane, and the orientation of a piece is where its first sticker points, counted
//! clockwise. The head of each file says what is held, which slots there are, and how many states that makes.
//! The tests walk the small ones and the first levels of the others.

/// A definition with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedDefinition {
    /// What it is called in a puzzle's text.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The definition.
    pub text: &'static str,
}

/// Lists definitions by name.
macro_rules! definitions {
    ($($name:literal: $about:literal,)*) => {
        &[$(NamedDefinition {
            name: $name,
            about: $about,
            text: include_str!(concat!("definitions/", $name, ".tws")),
        },)*]
    };
}

/// All of them, small ones first.
pub(crate) const DEFINITIONS: &[NamedDefinition] = definitions! {
    "floppy": "3x3x1 cube, 192 states",
    "ivy": "Ivy cube, 29,160 states",
    "pyramorphix": "Pyramorphix, a tip held, 136,080 states",
    "skewb-diamond": "Skewb diamond, a face held, 414,720 states",
    "squares": "3x3x3 cube by half turns, 663,552 states",
    "pyraminx": "Pyraminx without its trivial tips, 933,120 states",
    "skewb": "Skewb, a corner held, 3,149,280 states",
    "2x2x2": "2x2x2 cube, a corner held, 3,674,160 states",
    "ufo": "UFO, a piece held, 39,916,800 states",
    "two-faces": "3x3x3 cube by turns of two faces, 73,483,200 states",
    "2x2x2-rotations": "2x2x2 cube with all of its corners, 88,179,840 states",
    "dino": "Dino cube, 239,500,800 states",
    "domino": "3x3x2 domino, 1,625,702,400 states",
    "phase1": "first phase of Kociemba's algorithm on the 3x3x3 cube, 2,217,093,120 states",
    "3x3x3": "3x3x3 cube, 43,252,003,274,489,856,000 states",
};

/// The definition with a name.
pub(crate) fn named(name: &str) -> Option<&'static NamedDefinition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

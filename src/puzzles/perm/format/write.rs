//! Definitions, written for other programs.
//!
//! No format can say everything. What is lost is listed at the top of a tws or GAP text, as comments; a KPuzzle
//! keeps it in a member `godnum`, which this program reads back and others pass over.

mod gap;
mod kpuzzle;
mod tws;

use crate::puzzles::perm::definition::{Definition, NamedMove};

/// A format to write a definition in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// A definition for twsearch
    Tws,
    /// A KPuzzle definition for cubing.js, in JSON
    Kpuzzle,
    /// Generators for GAP, with the size of the group and the number of states
    Gap,
}

/// A definition as a text.
pub fn write(definition: &Definition, format: Format) -> String {
    match format {
        Format::Tws => tws::write(definition),
        Format::Kpuzzle => kpuzzle::write(definition),
        Format::Gap => gap::write(definition),
    }
}

/// The solved patterns beside the first, as a file for the option `goals=@FILE`; `None` if there are none.
pub fn write_goals(definition: &Definition) -> Option<String> {
    tws::write_goals(definition)
}

/// How moves count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MoveCounting {
    /// Every power of a move is a move.
    Powers,
    /// A move and its inverse are moves, other powers are not.
    Inverses,
    /// There is a move without its inverse.
    Directed,
}

impl MoveCounting {
    fn of(definition: &Definition) -> MoveCounting {
        let orbits = &definition.orbits;
        let has_all_powers = |mv: &NamedMove| mv.transformation.order(orbits).is_some_and(|order| order <= 2);
        if definition.powers || definition.moves.iter().all(has_all_powers) {
            return MoveCounting::Powers;
        }
        let has_inverse = |mv: &NamedMove| {
            let inverse = mv.transformation.inverse(orbits);
            definition.moves.iter().any(|other| other.transformation == inverse)
        };
        match definition.moves.iter().all(has_inverse) {
            true => MoveCounting::Inverses,
            false => MoveCounting::Directed,
        }
    }

    /// What a program must know that takes all powers of a move for moves.
    fn note(self) -> Option<&'static str> {
        match self {
            MoveCounting::Powers => None,
            MoveCounting::Inverses => Some(
                "Only a move and its inverse count as one move, other powers do not: use the quarter-turn \
                 metric (godnum: the option `quarter`; twsearch: -q).",
            ),
            MoveCounting::Directed => Some(
                "Only the moves themselves are moves: their inverses and other powers are not. This format \
                 cannot say that.",
            ),
        }
    }
}

/// Numbers in a row.
fn row(numbers: impl IntoIterator<Item = impl ToString>, between: &str) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    numbers.join(between)
}

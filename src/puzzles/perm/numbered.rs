//! How the classes of a definition are numbered: cell by cell, or by coordinates where that is possible.

use std::collections::HashSet;

use super::definition::{Definition, NamedMove, Transformation};
use super::frame::{CellFrame, Cells, MOST_CELLS};
use super::inverse::Inverse;
use super::legality::Legality;
use super::located::LocatedSpace;
use super::numbering::Numbering;
use super::product::ProductSpace;
use super::reach::Reach;
use super::space::CellSpace;
use super::symmetry::{self, SymmetryGroup};
use crate::space::{AnySpace, Direction};

/// From so many states on, a state and its inverse are one class where they may be: then a bitmap of all
/// states is beyond most machines, and the levels on disk are what matters. Below, that takes more time than it
/// saves, because a class must be expanded from both.
const MANY: u128 = 1 << 36;

/// Why `inverse` does not apply.
pub(super) const NO_INVERSE: &str = "`inverse` does not apply: a state and its inverse are equally far from \
    being solved where all pieces are distinct and show all of their orientations, one state is solved, and \
    every move can be undone by a move and is always possible";

/// Which states are one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equivalence {
    /// Every state is a class.
    Equality,
    /// Those that symmetries make of each other.
    Symmetric,
    /// Those, and in large spaces their inverses.
    Best,
    /// Those, and their inverses.
    Inverse,
}

/// How classes are numbered.
pub(super) enum Numbered {
    /// Cell by cell.
    Cells(Box<CellSpace>),
    /// By coordinates, where that is possible.
    Product(Box<ProductSpace>),
    /// By the places of pieces, in one large set without symmetry.
    Located(Box<LocatedSpace>),
}

impl Numbered {
    /// The index of a definition; where there is none, why.
    pub fn new(
        definition: &Definition,
        moves: &[NamedMove],
        symmetry: Equivalence,
    ) -> Result<Numbered, String> {
        // Distances are those to the solved states, so that it is moves taken back that lead away from them.
        let back: Vec<NamedMove> = moves.iter().map(|mv| mv.inverse(&definition.orbits)).collect();
        let known: HashSet<&Transformation> = moves.iter().map(|mv| &mv.transformation).collect();
        let (moves, direction) = match back.iter().all(|mv| known.contains(&mv.transformation)) {
            true => (moves, Direction::Reversible),
            false => (&back[..], Direction::Directed),
        };
        let mut frame = CellFrame::new(definition, moves)?;
        let mut numbering = Numbering::new(&frame)?;
        // Where the group is all that is numbered, there are no further laws.
        if Reach::new(&frame, Some(&numbering))
            .is_none_or(|reach| reach.states.is_none_or(|states| states < numbering.count))
        {
            numbering = numbering.with_listed_parts(&frame);
        }
        let legality = Legality::new(definition, &frame, moves);
        let group = match symmetry {
            Equivalence::Equality => symmetry::trivial(&mut frame),
            _ => symmetry::group(&mut frame, &legality),
        };
        let (about, has_all_symmetries) = (describe(&group), group.is_complete);
        let mut space = CellSpace::new(frame, numbering, legality, group.members);
        space.direction = direction;
        space.about_symmetry = about;
        space.has_all_symmetries = has_all_symmetries;
        let is_wanted = match symmetry {
            Equivalence::Equality | Equivalence::Symmetric => false,
            Equivalence::Best => space.numbering.count >= MANY,
            Equivalence::Inverse => true,
        };
        if is_wanted && direction == Direction::Reversible {
            space.inverse = Inverse::new(&space.frame, &space.legality);
        }
        if symmetry == Equivalence::Inverse && space.inverse.is_none() {
            return Err(NO_INVERSE.into());
        }
        if space.inverse.is_some() {
            return Ok(Numbered::Cells(Box::new(space)));
        }
        Ok(match ProductSpace::new(space).map_err(|space| LocatedSpace::new(*space)) {
            Ok(product) => Numbered::Product(Box::new(product)),
            Err(Ok(located)) => Numbered::Located(Box::new(located)),
            Err(Err(space)) => Numbered::Cells(space),
        })
    }

    /// What is printed about the symmetry group besides its order; may be empty.
    pub fn about_symmetry(&self) -> String {
        let space = self.cells();
        let inverse =
            space.inverse.as_ref().map(|_| "each with and without inversion of the state".to_owned());
        let parts = Some(space.about_symmetry.clone()).filter(|about| !about.is_empty());
        parts.into_iter().chain(inverse).collect::<Vec<_>>().join("; ")
    }

    /// Grows with every change of the numbers of its kind.
    pub fn scheme(&self) -> u32 {
        match self {
            Numbered::Cells(_) | Numbered::Product(_) => 2,
            Numbered::Located(_) => 3,
        }
    }

    /// The classes cell by cell, whatever numbers them.
    pub fn cells(&self) -> &CellSpace {
        match self {
            Numbered::Cells(space) => space,
            Numbered::Product(product) => &product.cells,
            Numbered::Located(located) => &located.cells,
        }
    }

    /// What the engine walks.
    pub fn space(&self) -> AnySpace<'_> {
        match self {
            Numbered::Product(product) => AnySpace::Narrow(&**product),
            Numbered::Located(located) => AnySpace::Narrow(&**located),
            Numbered::Cells(space) if space.numbering.count <= u64::MAX.into() => AnySpace::Narrow(&**space),
            Numbered::Cells(space) => AnySpace::Wide(&**space),
        }
    }

    /// The number of a state's class; `None` if it has none.
    pub fn number_of(&self, cells: &Cells) -> Option<u128> {
        match self {
            Numbered::Product(product) => product.number_of(cells).map(u128::from),
            Numbered::Located(located) => located.number_of(cells).map(u128::from),
            Numbered::Cells(space) => space.number_of(cells),
        }
    }

    /// The same for a state that obeys the laws.
    pub fn lawful_number(&self, cells: &Cells) -> Option<u128> {
        match self {
            Numbered::Product(product) => product.lawful_number(cells).map(u128::from),
            Numbered::Located(located) => Some(located.lawful_number(cells).into()),
            Numbered::Cells(space) if space.order() == 1 => Some(space.numbering.rank(cells)),
            Numbered::Cells(space) => Some(space.class_of(cells, &mut space.room(), &mut [0; MOST_CELLS])),
        }
    }

    /// The state with this number; `None` if there is none.
    pub fn cells_of(&self, number: u128) -> Option<Cells> {
        match self {
            Numbered::Product(product) => product.cells_of(number.try_into().ok()?),
            Numbered::Located(located) => located.cells_of(number.try_into().ok()?),
            Numbered::Cells(space) => space.cells_of(number),
        }
    }
}

fn describe(group: &SymmetryGroup) -> String {
    match group {
        SymmetryGroup { is_complete: false, .. } => {
            "the search was cut short: only a part of the symmetries is used".to_owned()
        }
        SymmetryGroup { senses: Some((_, 0)), members, .. } if members.len() > 1 => {
            "none reverses the direction of turns".to_owned()
        }
        SymmetryGroup { senses: Some((kept, reversed)), members, .. } if members.len() > 1 => {
            format!("{kept} keep the direction of all turns, {reversed} reverse it (mirrors)")
        }
        _ => String::new(),
    }
}

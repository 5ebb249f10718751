//! The class of a state: everything that symmetries make of it.

use crate::error::{Error, Instead, Result};
use crate::puzzle::{Rules, State};
use crate::space::{AnySpace, Index};

/// A class, seen from one of its states.
#[derive(Clone, Debug)]
pub struct ClassView {
    /// The index of the class.
    pub index: u128,
    /// The state that stands for it.
    pub representative: State,
    /// Order of the symmetry group.
    pub group: u64,
    /// How many states it has.
    pub orbit: u128,
    /// How many symmetries leave the given state unchanged.
    pub stabiliser: u128,
    /// Its states, the representative first; `None` where the puzzle does not list them.
    pub members: Option<Vec<State>>,
}

/// The class of a state.
pub fn class_of(puzzle: &dyn Rules, state: &State) -> Result<ClassView> {
    let none = || Error::Misdirected {
        fact: format!("{} has no index, so its classes are not known", puzzle.text()),
        instead: Instead::Kinds,
    };
    let index = puzzle.index_of(state).ok_or_else(none)?;
    let representative = puzzle.state_of(index).ok_or_else(none)?;
    let orbit = match puzzle.space().ok_or_else(none)? {
        AnySpace::Narrow(space) => space.states(&[u64::narrow(index)]),
        AnySpace::Wide(space) => space.states(&[index]),
    };
    let group = puzzle.group_order();
    let mut listed = puzzle.class_members(state);
    if listed.is_empty() && group == 1 {
        listed.push(state.clone());
    }
    let members = (!listed.is_empty()).then(|| {
        let others = listed.into_iter().filter(|member| *member != representative);
        std::iter::once(representative.clone()).chain(others).collect::<Vec<State>>()
    });
    let wrong = |what: String| {
        Error::verification(format!(
            "the class of {} in {}: {what}; please report this",
            puzzle.print_state(state),
            puzzle.text()
        ))
    };
    if let Some(members) = &members {
        if members.len() as u128 != orbit {
            return Err(wrong(format!("{} members were found, and {orbit} are counted", members.len())));
        }
        if members.iter().any(|member| puzzle.index_of(member) != Some(index)) {
            return Err(wrong("a member has another index".into()));
        }
    }
    if orbit == 0 || u128::from(group) % orbit != 0 {
        return Err(wrong(format!("{orbit} states do not divide a group of order {group}")));
    }
    Ok(ClassView { index, representative, group, orbit, stabiliser: u128::from(group) / orbit, members })
}

#[cfg(test)]
mod tests;

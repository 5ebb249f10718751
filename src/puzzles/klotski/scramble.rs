//! Random layouts: uniform over those that can be solved. What a random source gives is frozen:
//! nothing here may change it.
//!
//! With a start, these are the layouts that can be reached from it, and one of them is picked by its
//! place among their numbers. Without one, any layout is drawn until one comes up from which a goal
//! can be reached, which leaves all of these equally likely.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::Klotski;
use super::component::{Component, check_count, goals};
use super::numbering::LayoutNumbering;
use super::optimal::Layouts;
use super::rules::Metric;
use crate::error::{Result, usage};
use crate::puzzle::{Instance, Scramble, State};
use crate::random::Random;
use crate::solve::Search;
use crate::space::Space;

impl Scramble for Klotski {
    fn scramble(&self, random: &mut Random) -> Result<Instance> {
        let numbering = &self.space.numbering;
        let number = match self.variant.start() {
            Some(start) => {
                let component = solvable(self, start)?;
                let place = random.below(component.states.into()) as u64;
                component.member(place).unwrap_or_default()
            }
            // More than four in five layouts can be solved, so this soon ends.
            None => loop {
                let number = random.below(self.space.universe().into()) as u64;
                if reaches_goal(self, number) {
                    break number;
                }
            },
        };
        Ok(Instance::State(State(numbering.frame.cells(&numbering.blocks(number)))))
    }
}

/// What can be reached from the start, if that has a goal among it.
fn solvable<'a>(puzzle: &'a Klotski, start: &[u8]) -> Result<&'a Component> {
    let numbering = &puzzle.space.numbering;
    let text = puzzle.variant.text();
    let cannot = format!("random layouts that can be reached from the start of {text} cannot be chosen");
    check_count(numbering, puzzle.most_flooded, &cannot, "")?;
    if let Some(drawn) = puzzle.drawn.get() {
        return Ok(drawn);
    }
    let start = puzzle.number(start).unwrap_or_default();
    // The one at hand, unless its members were forgotten.
    let known = puzzle.component().filter(|known| known.contains(start));
    let component = match known {
        Some(known) => known.clone(),
        None => Component::of(numbering, start),
    };
    let solved = LayoutNumbering::solved(&puzzle.board, &puzzle.uses);
    if solved.is_none_or(|solved| goals(numbering, &solved, &component).is_err()) {
        return usage(format!(
            "{text} can never be solved, and neither can any layout that is reached from its start, \
             so it has no random states"
        ));
    }
    Ok(puzzle.drawn.get_or_init(|| component))
}

/// Whether a solved layout can be reached: a flood that continues where the 2x2 block is nearest to the
/// goal, since any goal will do.
pub(super) fn reaches_goal(puzzle: &Klotski, number: u64) -> bool {
    // What can be reached is the same in every metric, and there are the fewest moves in this one.
    let layouts = Layouts::new(puzzle, Metric::Step);
    let mut seen: HashSet<u64, FxBuildHasher> = HashSet::from_iter([number]);
    // By distance to the goal.
    let mut open = vec![Vec::new(); puzzle.board.rows + puzzle.board.columns];
    open[layouts.distance(number)].push(number);
    while let Some(number) = open.iter_mut().find_map(Vec::pop) {
        if layouts.is_solved(&number) {
            return true;
        }
        layouts.expand(&number, None, |_, after| {
            if seen.insert(after) {
                open[layouts.distance(after)].push(after);
            }
        });
    }
    false
}

//! The index, the symmetries and the counts against a plain search over patterns.

use std::collections::{BTreeSet, HashMap, HashSet};

use proptest::prelude::*;

use super::oracle::{self, OracleMetric};
use super::random::{Spice, definition};
use super::{levels, order, puzzle};
use crate::puzzle::{Instance, Rules, State};
use crate::puzzles::perm::definition::Definition;
use crate::puzzles::perm::frame::MOST_CELLS;
use crate::puzzles::perm::reach::Reach;
use crate::puzzles::perm::{Equivalence, PermutationOptions, notation, symmetry};
use crate::puzzles::tests as common;
use crate::random::Random;
use crate::space::{Direction, Rows, Space};

/// Larger ones would take the plain search too long.
const MOST_STATES: u128 = 6000;

fn check(definition: &Definition, quarter: bool) -> Result<(), TestCaseError> {
    let quarter = quarter && definition.powers;
    let plain =
        PermutationOptions { quarter, equivalence: Equivalence::Equality, ..PermutationOptions::default() };
    let Ok(without) = super::PermutationPuzzle::new("perm:t".into(), "t".into(), definition.clone(), &plain)
    else {
        return Err(TestCaseError::reject("no move changes anything"));
    };
    if without.index().unwrap().numbering.count > MOST_STATES {
        return Err(TestCaseError::reject("too many states"));
    }
    let metric = if quarter { OracleMetric::Quarter } else { OracleMetric::AnyPower };
    let expected = oracle::walk(definition, metric, usize::MAX);
    let counts: Vec<u128> = expected.iter().map(|level| level.len() as u128).collect();
    let all: u128 = counts.iter().sum();
    let with = puzzle(definition, &PermutationOptions { quarter, ..PermutationOptions::default() });
    for either in [&without, &with] {
        let found = levels(either);
        prop_assert_eq!(found.iter().map(|level| level.1).collect::<Vec<_>>(), counts.clone());
        let rules = either as &dyn Rules;
        prop_assert_eq!(rules.totals().states, Some(all));
    }
    // Counting without a search comes to the same.
    let space = without.index().unwrap();
    let free = space.legality.is_free();
    let reach = Reach::new(&space.frame, Some(&space.numbering)).filter(|_| free);
    if let Some(reach) = reach.and_then(|reach| reach.counted(&space.frame)) {
        prop_assert_eq!(reach.states, Some(all));
        let mut random = Random::new(2);
        for _ in 0..10 {
            let cells = reach.random(&space.frame, &mut random);
            let pattern = space.frame.pattern_of(&cells, &definition.solved[0]);
            prop_assert!(expected.iter().flatten().any(|known| *known == pattern));
        }
    }
    // Every state has a number, its class the same for all members, and texts are read back.
    let universe = (&without as &dyn Rules).space().unwrap().universe();
    let mut numbers = HashSet::new();
    let mut sizes: HashMap<u128, u64> = HashMap::new();
    for pattern in expected.iter().flatten() {
        let state = notation::state(pattern);
        let rules = &without as &dyn Rules;
        let number = rules.index_of(&state).unwrap();
        prop_assert!(number < universe && numbers.insert(number));
        prop_assert_eq!(rules.state_of(number), Some(state.clone()));
        prop_assert_eq!(rules.parse_state(&rules.print_state(&state)).unwrap(), state.clone());
        let rules = &with as &dyn Rules;
        let class = rules.index_of(&state).unwrap();
        prop_assert!(class < universe);
        let representative = rules.state_of(class).unwrap();
        prop_assert_eq!(rules.index_of(&representative), Some(class));
        *sizes.entry(class).or_default() += 1;
    }
    for size in sizes.values() {
        prop_assert!(order(&with).is_multiple_of(*size));
    }
    prop_assert_eq!(levels(&with).iter().map(|level| level.0).sum::<usize>(), sizes.len());
    // Every number stands for one state, reached or not, and symmetries lead to states with numbers.
    let space = with.index().unwrap();
    let (mut cells, mut image) = ([0; MOST_CELLS], [0; MOST_CELLS]);
    for number in 0..space.numbering.count {
        space.numbering.unrank(number, &mut cells);
        prop_assert!(space.numbering.has(&cells));
        prop_assert_eq!(space.numbering.rank(&cells), number);
        for motion in space.group.iter().take(50) {
            space.frame.recodings.moved(motion, &cells, &mut image);
            prop_assert!(space.numbering.has(&image), "{number}");
        }
    }
    // Moves of the rules are those of the space.
    let reachable: HashSet<State> = expected.iter().flatten().map(notation::state).collect();
    for state in reachable.iter().take(20) {
        for mv in with.moves(state) {
            prop_assert!(reachable.contains(&with.apply(state, mv)));
            let name = with.move_name(state, mv);
            prop_assert_eq!(with.parse_move(state, &name).unwrap(), mv);
        }
    }
    let mut random = Random::new(1);
    for _ in 0..20 {
        let Ok(Instance::State(state)) = (&with as &dyn Rules).scramble(&mut random) else {
            return Err(TestCaseError::fail("no random state"));
        };
        prop_assert!(reachable.contains(&state));
    }
    Ok(())
}

/// The group is one: closed, with the identity first, and each member keeps the set of moves.
fn check_group(definition: &Definition) -> Result<(), TestCaseError> {
    let Ok(with) = super::PermutationPuzzle::new(
        "perm:t".into(),
        "t".into(),
        definition.clone(),
        &PermutationOptions::default(),
    ) else {
        return Err(TestCaseError::reject("no move changes anything"));
    };
    let mut frame = super::super::frame::CellFrame::new(
        definition,
        &super::super::turns::turns(definition, false).unwrap(),
    )
    .map_err(TestCaseError::fail)?;
    let legality = super::super::legality::Legality::default();
    if !with.index().unwrap().legality.is_free() {
        return Ok(());
    }
    let group = symmetry::group(&mut frame, &legality).members;
    prop_assert_eq!(group.len() as u64, order(&with));
    let generated = symmetry::generated(&mut frame, &group[0], &group).unwrap();
    prop_assert_eq!(generated.len(), group.len());
    let root = frame.roots[0];
    let mut image = [0; MOST_CELLS];
    frame.recodings.moved(&group[0], &root, &mut image);
    prop_assert_eq!(&image[..], &root[..]);
    let moves: HashSet<_> = frame.moves.iter().cloned().collect();
    for member in group.iter().take(50) {
        for mv in frame.moves.clone() {
            // Done after the symmetry, some move is the move followed by the symmetry.
            let after = frame.recodings.then(&mv, member);
            let found = moves.iter().any(|other| frame.recodings.then(member, other) == after);
            prop_assert!(found);
        }
    }
    Ok(())
}

/// Classes by coordinates, where there are such, are those of the plain space.
fn check_product(definition: &Definition, symmetry: bool) -> Result<(), TestCaseError> {
    let cells = || {
        let moves = super::super::turns::turns(definition, false).ok()?;
        let mut frame = super::super::frame::CellFrame::new(definition, &moves).ok()?;
        let numbering = super::super::numbering::Numbering::new(&frame).ok()?;
        let legality = super::super::legality::Legality::default();
        let group = match symmetry {
            true => symmetry::group(&mut frame, &legality).members,
            false => symmetry::trivial(&mut frame).members,
        };
        let small = numbering.count <= MOST_STATES;
        small.then(|| super::super::space::CellSpace::new(frame, numbering, legality, group))
    };
    let (Some(plain), Some(space)) = (cells(), cells()) else {
        return Err(TestCaseError::reject("no index"));
    };
    let Ok(product) = super::super::product::ProductSpace::with_rest(space, 1) else {
        return Err(TestCaseError::reject("no coordinates"));
    };
    prop_assert_eq!(super::levels_of::<u64>(&product), super::levels_of::<u64>(&plain));
    let mut cells = [0; MOST_CELLS];
    for number in 0..plain.numbering.count {
        plain.numbering.unrank(number, &mut cells);
        let class = product.number_of(&cells).unwrap();
        prop_assert_eq!(Space::canonical(&product, class), Some(class));
        prop_assert!(class < Space::universe(&product));
        // The representative is in the class.
        let member = product.cells_of(class).unwrap();
        prop_assert_eq!(product.number_of(&member), Some(class));
        prop_assert_eq!(plain.number_of(&member), plain.number_of(&cells));
    }
    if Space::direction(&product) == Direction::Reversible {
        let some = (Space::universe(&product) / 50 + 1) as usize;
        common::check_rows(&product, &product, (0..Space::universe(&product)).step_by(some));
        let rows = Space::universe(&product) / u64::from(Rows::columns(&product));
        common::check_whole_rows(&product, &product, (0..rows).step_by(rows as usize / 3 + 1));
    }
    Ok(())
}

/// With inverses, classes are those of the larger group, and levels have the same states.
fn check_inverse(definition: &Definition) -> Result<(), TestCaseError> {
    let options = |equivalence| PermutationOptions { equivalence, ..PermutationOptions::default() };
    let make = |equivalence| {
        let (text, title) = ("perm:t".into(), "t".into());
        super::PermutationPuzzle::new(text, title, definition.clone(), &options(equivalence))
    };
    let (Ok(with), Ok(without)) = (make(Equivalence::Inverse), make(Equivalence::Equality)) else {
        return Err(TestCaseError::reject("inverses mean nothing"));
    };
    if without.index().unwrap().numbering.count > MOST_STATES {
        return Err(TestCaseError::reject("too many states"));
    }
    let (found, expected) = (levels(&with), levels(&without));
    let states = |levels: &[(usize, u128)]| levels.iter().map(|level| level.1).collect::<Vec<_>>();
    prop_assert_eq!(states(&found), states(&expected));
    // The plain way: a class is what symmetries and inversion make of a state.
    let space = with.index().unwrap();
    let inverse = space.inverse.as_ref().unwrap();
    let mut classes: HashSet<BTreeSet<Vec<u8>>> = HashSet::new();
    let mut image = [0; MOST_CELLS];
    let mut cells = [0; MOST_CELLS];
    let width = space.frame.cells;
    for pattern in oracle::walk(definition, OracleMetric::AnyPower, usize::MAX).iter().flatten() {
        let state = space.frame.cells_of(pattern).unwrap();
        prop_assert_eq!(inverse.of(&inverse.of(&state)), state);
        let mut class = BTreeSet::new();
        for either in [state, inverse.of(&state)] {
            for motion in &space.group {
                space.frame.recodings.moved(motion, &either, &mut image);
                class.insert(image[..width].to_vec());
            }
        }
        let number = space.number_of(&state).unwrap();
        for member in &class {
            cells[..width].copy_from_slice(member);
            prop_assert_eq!(space.number_of(&cells), Some(number));
        }
        classes.insert(class);
    }
    prop_assert_eq!(found.iter().map(|level| level.0).sum::<usize>(), classes.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn inverses_are_equally_far(seed: u64) {
        check_inverse(&definition(seed, Spice { forbidden: false, blocks: false, goals: false }))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn random_definitions_agree_with_the_plain_search(
        seed: u64, quarter: bool, forbidden: bool, blocks: bool, goals: bool
    ) {
        let spice = Spice { forbidden: forbidden && seed % 2 == 0, blocks: blocks && seed % 3 == 0, goals };
        check(&definition(seed, spice), quarter)?;
    }

    #[test]
    fn coordinates_agree_with_cells(seed: u64, goals: bool, symmetry: bool) {
        check_product(&definition(seed, Spice { forbidden: false, blocks: false, goals }), symmetry)?;
    }

    #[test]
    fn groups_are_groups_of_symmetries(seed: u64, goals: bool) {
        check_group(&definition(seed, Spice { forbidden: false, blocks: false, goals }))?;
    }
}

/// A definition whose rows were wrong once.
#[test]
fn rows_of_a_known_definition_agree() {
    let definition = definition(1682329840702567048, Spice { forbidden: false, blocks: false, goals: false });
    check_product(&definition, true).unwrap();
}

//! The fast form, the numbers and the neighbours against the rules.

use crate::puzzle::{FileFormat, Indexed, Setup};
use std::collections::{BTreeSet, HashSet};

use super::super::component::Component;
use super::super::rules::Metric;
use super::*;
use crate::space::Space;

/// The number of a state by the rules' own mirror image and a full ranking.
fn least(puzzle: &Klotski, state: &[u8]) -> u64 {
    let number = puzzle.number(state).unwrap();
    let image = puzzle.number(&mirrored(&puzzle.board, state)).unwrap();
    if puzzle.space.mirror { number.min(image) } else { number }
}

#[test]
fn numbers_and_states_are_inverse() {
    on_states_of_all_puzzles(100, |puzzle, state| {
        let numbering = &puzzle.space.numbering;
        let blocks = numbering.frame.blocks(&state.0);
        let number = numbering.number(&blocks).unwrap();
        prop_assert!(number < numbering.count());
        prop_assert_eq!(numbering.blocks(number), blocks);
        prop_assert_eq!(&numbering.frame.cells(&blocks), &state.0);
        let index = puzzle.index_of(state).unwrap();
        let canonical = puzzle.state_of(index).unwrap();
        prop_assert_eq!(puzzle.index_of(&canonical), Some(index));
        Ok(())
    });
}

#[test]
fn mirror_images_are_those_of_the_rules() {
    on_states_of_all_puzzles(100, |puzzle, state| {
        let frame = &puzzle.space.numbering.frame;
        let blocks = frame.blocks(&state.0);
        let image = mirrored(&puzzle.board, &state.0);
        prop_assert_eq!(frame.cells(&frame.mirrored(&blocks)), image.clone());
        prop_assert_eq!(&mirrored(&puzzle.board, &image), &state.0);
        if puzzle.board.has_symmetric_goal() {
            let solved = puzzle.board.is_solved(&image);
            prop_assert_eq!(puzzle.board.is_solved(&state.0), solved);
        }
        Ok(())
    });
}

#[test]
fn moves_of_the_fast_form_are_those_of_the_rules() {
    on_states_of_all_puzzles(100, |puzzle, state| {
        let frame = &puzzle.space.numbering.frame;
        let blocks = frame.blocks(&state.0);
        for metric in Metric::ALL {
            let mut fast = Vec::new();
            frame.moves(metric, &blocks, |kind, from, to| fast.push((kind, from, to)));
            fast.sort_unstable();
            let mut slow = Vec::new();
            for shift in puzzle.board.moves(&state.0, metric) {
                let kind = usize::from(state.0[shift.from]);
                slow.push((kind, frame.bit(shift.from), frame.bit(shift.to)));
            }
            slow.sort_unstable();
            prop_assert_eq!(&fast, &slow);
            fast.dedup();
            prop_assert_eq!(fast.len(), slow.len());
        }
        Ok(())
    });
}

#[test]
fn expand_gives_the_classes_of_all_moves() {
    on_states_of_all_puzzles(200, |puzzle, state| {
        let index = puzzle.index_of(state).unwrap() as u64;
        // Moves of the state itself, which need not be the canonical one: the neighbours'
        // classes must not depend on the member.
        let moves = puzzle.moves(state).into_iter();
        let slow: BTreeSet<u64> = moves.map(|mv| least(puzzle, &puzzle.apply(state, mv).0)).collect();
        let mut candidates = Vec::new();
        puzzle.space.expand(&[index], &mut candidates);
        prop_assert!(candidates.len() <= puzzle.space.fanout());
        prop_assert_eq!(candidates.into_iter().collect::<BTreeSet<_>>(), slow);
        Ok(())
    });
}

#[test]
fn batches_expand_like_their_members() {
    for text in ["classic", "all:move", "fenghuiluzhuan:slide"] {
        let walk = &puzzle(text).space;
        let some = (0..500).map(|i| i * (walk.universe() / 500));
        let batch: Vec<u64> = some.filter(|&i| walk.canonical(i) == Some(i)).collect();
        let (mut together, mut apart) = (Vec::new(), Vec::new());
        walk.expand(&batch, &mut together);
        for index in batch {
            walk.expand(&[index], &mut apart);
        }
        assert_eq!(together, apart);
    }
}

#[test]
fn canonical_states_are_least_images() {
    on_states_of_all_puzzles(100, |puzzle, state| {
        let walk = &puzzle.space;
        let index = puzzle.index_of(state).unwrap() as u64;
        prop_assert_eq!(index, least(puzzle, &state.0));
        prop_assert_eq!(walk.canonical(index), Some(index));
        prop_assert_eq!(walk.canonical(puzzle.number(&state.0).unwrap()), Some(index));
        let image = State(mirrored(&puzzle.board, &state.0));
        let mut orbit = HashSet::from([state.clone()]);
        if walk.mirror {
            prop_assert_eq!(puzzle.index_of(&image), Some(index.into()));
            prop_assert_eq!(puzzle.is_solved(&image), puzzle.is_solved(state));
            orbit.insert(image);
        }
        prop_assert_eq!(walk.states(&[index]), orbit.len() as u128);
        let group = group(&puzzle.board, walk.mirror).unwrap();
        let (least, ways) = group.canonical(&labelling(&puzzle.board, &state.0));
        let canonical = puzzle.state_of(index.into()).unwrap();
        prop_assert_eq!(labelling(&puzzle.board, &canonical.0), least);
        prop_assert_eq!(ways * orbit.len() as u64, puzzle.group_order());
        Ok(())
    });
}

#[test]
fn moves_can_be_taken_back() {
    on_states_of_all_puzzles(20, |puzzle, state| {
        for mv in puzzle.moves(state) {
            let there = puzzle.apply(state, mv);
            prop_assert_ne!(&there, state);
            let mut back = puzzle.moves(&there).into_iter();
            prop_assert!(back.any(|mv| puzzle.apply(&there, mv) == *state));
        }
        Ok(())
    });
}

#[test]
fn nothing_beyond_the_universe() {
    for text in ["classic", "classic:from-goals", "all", "all-2:move"] {
        let puzzle = puzzle(text);
        let universe = puzzle.space.universe();
        assert_eq!(puzzle.space.canonical(universe), None, "{text}");
        assert_eq!(puzzle.space.canonical(u64::MAX), None);
        assert_eq!(puzzle.state_of(universe.into()), None);
        assert_eq!(puzzle.state_of(u128::MAX), None);
        assert!(puzzle.state_of(universe as u128 - 1).is_some());
    }
}

/// The roots by looking at every state there is.
#[test]
fn roots_are_what_they_should_be() {
    let mut puzzles = puzzles("step");
    puzzles.push(puzzle("all-2"));
    for puzzle in puzzles {
        let walk = &puzzle.space;
        let start = puzzle.start().map(|state| puzzle.number(&state.0).unwrap());
        let component = start.map(|number| Component::of(&walk.numbering, number));
        let is_root = |number: u64| {
            let cells = walk.numbering.frame.cells(&walk.numbering.blocks(number));
            let reachable = component.as_ref().is_none_or(|c| c.contains(number));
            match puzzle.variant.from_goals {
                true => puzzle.board.is_solved(&cells) && reachable,
                false => Some(number) == start,
            }
        };
        let all = (0..walk.universe()).filter(|&number| is_root(number));
        let classes: BTreeSet<u64> = all.map(|n| walk.canonical(n).unwrap()).collect();
        let roots = walk.roots();
        assert!(!roots.is_empty() && roots.is_sorted());
        assert!(roots.iter().eq(&classes), "{} {:?}", puzzle.text(), puzzle.file());
    }
}

#[test]
fn the_mirror_is_a_symmetry_only_where_it_keeps_goal_and_roots() {
    for (text, order) in [
        ("classic", 2),
        ("classic:from-goals", 2),
        ("yushengxili", 1),
        ("fenghuiluzhuan", 1),
        ("shuixiebutong", 1),
        ("shuixiebutong:from-goals", 2),
        ("all", 2),
        ("all-2", 2),
    ] {
        assert_eq!(puzzle(text).group_order(), order, "{text}");
    }
    for (content, options, order) in [
        (".AA./.AA./B..D/B..D\ngoal 2,1", "", 2),
        (".AA./.AA./B..D/B..D\ngoal 2,0", "", 1),
        (".AA./.AA./B..D/B..D\ngoal 2,0", ":from-goals", 1),
        // Its own mirror image, but the goal is not.
        ("BAAC/BAAC/DEEF/DGHF/I..J\ngoal 3,0", "", 1),
        // Nothing moves, and the mirror image is elsewhere.
        ("AAB/AAB\ngoal 0,0", "", 1),
        ("AAB/AAB\ngoal 0,0", ":from-goals", 1),
        ("AABC/AABC\ngoal 0,0", ":from-goals", 1),
        ("BAAC/BAAC\ngoal 0,1", ":from-goals", 2),
        ("DAAC/BAAC\ngoal 0,1", ":from-goals", 1),
    ] {
        assert_eq!(board(content, options).group_order(), order, "{content} {options}");
    }
}

//! Tests of the families of permutations: published values, by their spaces and by their rules.

use std::collections::BTreeSet;

use crate::puzzle::{FileSource, Rules, State};
use crate::puzzles::registry;
use crate::puzzles::tests::reason;
use crate::space::{AnySpace, Direction};

/// States by their distance to the solved ones, by the space.
fn levels(puzzle: &dyn Rules) -> Vec<u128> {
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("{} is not small", puzzle.text()) };
    let (mut levels, mut known) = (Vec::new(), BTreeSet::new());
    let mut current: BTreeSet<u64> = space.roots().into_iter().collect();
    while !current.is_empty() {
        let batch: Vec<u64> = current.iter().copied().collect();
        levels.push(space.states(&batch));
        let mut candidates = Vec::new();
        space.expand(&batch, &mut candidates);
        known.append(&mut current);
        current = candidates.into_iter().filter(|index| !known.contains(index)).collect();
    }
    levels
}

#[test]
fn distances_are_those_that_are_published() {
    for (text, farthest) in [
        // OEIS A058986, A078941, A186783 and A039745.
        ("pancake:6", 7),
        ("pancake:7", 8),
        ("burnt:4", 8),
        ("burnt:5", 10),
        ("lrx:5", 10),
        ("lrx:7", 21),
        ("lrx:5:lx", 11),
        ("lrx:7:lx", 25),
        // A065603; reversals need one less than there are numbers.
        ("rearrange:6", 5),
        ("rearrange:6:transpositions", 4),
        ("rearrange:7:prefix-transpositions", 6),
    ] {
        let puzzle = registry::parse(text).unwrap();
        let levels = levels(&*puzzle);
        assert_eq!(levels.len(), farthest + 1, "{text}");
        assert_eq!(Some(levels.iter().sum()), puzzle.totals().states, "{text}");
        let plain = registry::parse(&format!("{text}:nosym")).unwrap();
        assert_eq!(self::levels(&*plain), levels, "{text} without symmetries");
    }
}

#[test]
fn levels_are_those_that_are_published() {
    // OEIS A300003, A164366, A164645 and A092113.
    for (text, published) in [
        ("rearrange:7", &[1, 21, 266, 1563, 2539, 648, 2][..]),
        ("rearrange:7:transpositions", &[1, 56, 770, 2700, 1513]),
        ("rearrange:7:prefix-transpositions", &[1, 21, 280, 1575, 2598, 562, 3]),
        ("pancake:7", &[1, 6, 30, 149, 543, 1357, 1903, 1016, 35]),
    ] {
        assert_eq!(levels(&*registry::parse(text).unwrap()), published, "{text}");
    }
}

/// The number of states of each distance does not tell a move from its inverse; solutions do.
#[test]
fn expanding_takes_moves_back() {
    let puzzle = registry::parse("lrx:5:lx").unwrap();
    let Some(AnySpace::Narrow(space)) = puzzle.space() else { panic!("it is small") };
    assert_eq!(space.direction(), Direction::Directed);
    let mut before = Vec::new();
    space.expand(&space.roots(), &mut before);
    for index in before {
        let state = puzzle.state_of(index.into()).unwrap();
        let solves = |mv: &_| puzzle.is_solved(&puzzle.apply(&state, *mv));
        assert!(puzzle.moves(&state).iter().any(solves), "{}", puzzle.print_state(&state));
    }
    for text in ["lrx:5", "pancake:5", "burnt:3", "topspin:6:4", "topspin:6:4:turns", "loopover:2x4"] {
        let puzzle = registry::parse(text).unwrap();
        assert_eq!(puzzle.space().unwrap().direction(), Direction::Reversible, "{text}");
    }
}

fn after(puzzle: &dyn Rules, moves: &[&str]) -> State {
    let mut state = puzzle.root().unwrap();
    for name in moves {
        state = puzzle.apply(&state, puzzle.parse_move(&state, name).unwrap());
    }
    state
}

#[test]
fn moves_do_what_they_are_called() {
    for (text, moves, line) in [
        ("pancake:5", &["3"][..], "3 2 1 4 5"),
        ("burnt:3", &["3", "1"], "3 2+1 1+1"),
        ("topspin:6:4:turns", &["F", "L"], "3 2 1 5 6 4"),
        ("lrx:5", &["L", "X"], "3 2 4 5 1"),
        ("lrx:5", &["R"], "5 1 2 3 4"),
        ("loopover:3x4", &["R1"], "4 1 2 3 5 6 7 8 9 10 11 12"),
        ("loopover:3x4", &["R2.2", "U1"], "7 2 3 4 9 8 5 6 1 10 11 12"),
        ("loopover:3x3:rows=1", &["D2"], "1 4 3 4 2 4 4 4 4"),
        ("rearrange:6", &["2-4"], "1 4 3 2 5 6"),
        ("rearrange:6:transpositions", &["2x3-5"], "1 3 4 5 2 6"),
        ("rearrange:6:prefix-transpositions", &["1-2x3-6"], "3 4 5 6 1 2"),
    ] {
        let puzzle = registry::parse(text).unwrap();
        assert_eq!(puzzle.print_state(&after(&*puzzle, moves)), line, "{text}");
    }
    // The ring's rotation is free.
    let ring = registry::parse("topspin:6:4").unwrap();
    let state = ring.parse_state("4 3 2 1 5 6").unwrap();
    let solved = |mv: &&_| ring.is_solved(&ring.apply(&state, **mv));
    let moves = ring.moves(&state);
    let solving: Vec<String> = moves.iter().filter(solved).map(|mv| ring.move_name(&state, *mv)).collect();
    assert_eq!(solving, ["F1"]);
}

#[test]
fn pictures() {
    for (text, moves, picture) in [
        ("pancake:3", &["2"][..], " ===\n  =\n====="),
        ("burnt:3", &["2"], " ###\n  #\n====="),
        ("topspin:5:3:turns", &["L"], "[2 3 4] 5 1"),
        ("loopover:2x3", &["L1"], "2 3 1\n4 5 6"),
    ] {
        let puzzle = registry::parse(text).unwrap();
        assert_eq!(puzzle.draw(&after(&*puzzle, moves), false), picture, "{text}");
    }
}

#[test]
fn texts_are_canonical_or_refused() {
    for (text, canonical) in [
        ("pancake:7", "pancake:7"),
        ("burnt:7:nosym", "burnt:7:nosym"),
        ("topspin:8:4:flips", "topspin:8:4"),
        ("topspin:8:4:nosym:turns", "topspin:8:4:turns:nosym"),
        ("lrx:8:lrx", "lrx:8"),
        ("rearrange:8:reversals", "rearrange:8"),
        ("rearrange:8:nosym:prefix-transpositions", "rearrange:8:prefix-transpositions:nosym"),
        ("lrx:8:nosym:lx", "lrx:8:lx:nosym"),
        ("loopover:3x4:multi:rows=3", "loopover:3x4"),
        ("loopover:3x4:rows=2:single", "loopover:3x4:single:rows=2"),
    ] {
        assert_eq!(registry::parse(text).unwrap().text(), canonical);
        for kind in registry::BUILT_IN.iter().filter(|kind| text.starts_with(kind.name)) {
            assert_eq!(kind.parse(canonical, FileSource::Read).unwrap().text(), canonical);
        }
    }
    for text in [
        "pancake:1",
        "pancake:7:3",
        "burnt:0",
        "topspin:8",
        "topspin:8:9",
        "topspin:8:4:turns:flips",
        "lrx:1",
        "lrx:8:lx:lrx",
        "rearrange:1",
        "rearrange:29:transpositions",
        "rearrange:8:transpositions:reversals",
        "loopover:1x3",
        "loopover:3",
        "loopover:3x3:rows=4",
        "loopover:3x3:multi:single",
    ] {
        let kind = registry::kind(text.split(':').next().unwrap()).unwrap();
        reason(kind.parse(text, FileSource::Read));
    }
}

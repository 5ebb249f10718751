//! Wrapslide by searches that know only its rules and share nothing with the engine: raw states in
//! hash sets, classes by least images.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use crate::common::{levels, silently, walk};
use godnum::engine::verify::{Extent, verify};
use godnum::engine::{self, End, Options, Silent};
use godnum::puzzle::{Rules, State};
use godnum::puzzles::registry;
use godnum::symmetry::{Action, Group, Points, Symmetry};

/// Spaces too large to finish, up to where they fit; the widest needs 115-bit indices.
#[test]
fn large_grids_walk_as_far_as_they_fit() {
    for (text, classes) in [
        ("wrapslide:6x6:3", &LEVELS_6X6_3[..]),
        ("wrapslide:6x6:4", &LEVELS_6X6_4[..]),
        ("wrapslide:8x8:2", &LEVELS_8X8_2[..]),
        ("wrapslide:8x8:3", &LEVELS_8X8_3[..]),
        ("wrapslide:8x8:4", &LEVELS_8X8_4[..]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let job = dir.path().join("job");
        let puzzle = registry::parse(text).unwrap();
        let stop = AtomicBool::new(false);
        let options = Options {
            max_level: Some(classes.len() as u32 - 1),
            memory: Some(8 << 20),
            ..Options::default()
        };
        let outcome =
            engine::enumerate(&godnum::puzzle::subject(&*puzzle).unwrap(), &job, &options, silently(&stop))
                .unwrap();
        assert_eq!(outcome.end, End::AtMaxLevel);
        assert_eq!(levels(&outcome.manifest).0, classes, "{text}");
        verify(&godnum::puzzle::subject(&*puzzle).unwrap(), &job, Extent::Full, 64 << 20, &stop, &Silent)
            .unwrap();
        // The first levels once more, by a search that knows only the rules.
        let dumb = dumb_classes(&*puzzle, 4);
        assert_eq!(dumb, classes[..4], "{text}");
    }
}

const LEVELS_6X6_3: [u128; 7] = [1, 4, 17, 141, 1182, 10833, 100059];
const LEVELS_6X6_4: [u128; 7] = [1, 1, 5, 33, 269, 2390, 22368];
const LEVELS_8X8_2: [u128; 6] = [1, 2, 11, 152, 1742, 20413];
const LEVELS_8X8_3: [u128; 6] = [1, 6, 37, 434, 5449, 74070];
const LEVELS_8X8_4: [u128; 6] = [1, 2, 12, 103, 1224, 16014];

/// All states with all colours in whole quadrants that the puzzle accepts as solved.
fn solved_states(puzzle: &dyn Rules, n: usize, colours: u8) -> Vec<State> {
    let half = n / 2;
    let mut solved = BTreeSet::new();
    for code in 0..4usize.pow(4) {
        let quadrants: Vec<u8> = (0..4).map(|q| (code >> (2 * q) & 3) as u8).collect();
        if quadrants.iter().any(|&colour| colour >= colours) {
            continue;
        }
        let row = |y: usize| -> String {
            let colour = |x: usize| quadrants[(y / half) * 2 + x / half] + b'1';
            (0..n).map(|x| colour(x) as char).collect()
        };
        let text = (0..n).map(row).collect::<Vec<_>>().join("/");
        if let Ok(state) = puzzle.parse_state(&text)
            && puzzle.is_solved(&state)
        {
            solved.insert(state);
        }
    }
    solved.into_iter().collect()
}

/// The board group by the rules alone: turns, reflections, translations by half the grid; in a
/// sub-puzzle, those that keep the fixed quadrant.
fn board_group(text: &str, n: usize) -> Group {
    let action = Action::new(Points::plain(n * n).unwrap(), Points::plain(5).unwrap()).unwrap();
    let cells = |image: &dyn Fn(usize, usize) -> (usize, usize)| {
        let images = (0..n).flat_map(|y| (0..n).map(move |x| (y, x)));
        let images = images.map(|(y, x)| image(y, x));
        let motion = action.moving(images.map(|(y, x)| ((y % n) * n + x % n, 0)));
        motion.unwrap()
    };
    let generators = [
        cells(&|y, x| (x, n - 1 - y)),
        cells(&|y, x| (y, n - 1 - x)),
        cells(&|y, x| (y + n / 2, x)),
        cells(&|y, x| (y, x + n / 2)),
    ];
    let group = Group::generate(&action, &generators).unwrap();
    assert_eq!(group.order(), 32);
    if !text.contains(":fixed") {
        return group;
    }
    let half = n / 2;
    let quadrant: Vec<usize> = (0..half).flat_map(|y| (0..half).map(move |x| y * n + x)).collect();
    group.slot_stabiliser(&quadrant)
}

/// Which colours may be exchanged: those that occur equally often, and not the fixed one.
fn colour_classes(text: &str, state: &State) -> Vec<u8> {
    let mut classes = vec![0u8];
    for colour in 1..5u8 {
        let count = state.0.iter().filter(|&&c| c == colour).count() as u8;
        let fixed = colour == 1 && text.contains(":fixed");
        classes.push(if fixed { 200 } else { count });
    }
    classes
}

/// By symmetry of a board group and by cell: the cell that its colour comes from.
fn sources(group: &Group, cells: usize) -> Vec<Vec<usize>> {
    let of = |symmetry: &Symmetry| {
        let mut sources = vec![0; cells];
        (0..cells).for_each(|cell| sources[symmetry.slot(cell).0] = cell);
        sources
    };
    group.iter().map(of).collect()
}

/// The least image of a state under a board group (given by its [`sources`]) and all exchanges of colours of one
/// class: in every image the first colour of a class to appear gets the smallest name of that class.
fn least(state: &State, symmetries: &[Vec<usize>], classes: &[u8]) -> State {
    let mut best = vec![u8::MAX; state.0.len()];
    let mut image = best.clone();
    for sources in symmetries {
        let (mut names, mut named) = ([None; 5], [false; 5]);
        for (cell, &source) in sources.iter().enumerate() {
            let colour = usize::from(state.0[source]);
            let name = *names[colour].get_or_insert_with(|| {
                let free = |name: &usize| classes[*name] == classes[colour] && !named[*name];
                let name = (0..5).find(free).unwrap();
                named[name] = true;
                name as u8
            });
            image[cell] = name;
        }
        if image < best {
            std::mem::swap(&mut image, &mut best);
        }
    }
    State(best)
}

/// Plain breadth-first search over states, by the rules, in a hash map: states and classes of
/// each level.
fn dumb_levels(puzzle: &dyn Rules, n: usize, colours: u8) -> (Vec<u128>, Vec<u128>) {
    let text = puzzle.text();
    let symmetries = sources(&board_group(&text, n), n * n);
    let mut frontier = solved_states(puzzle, n, colours);
    let mut seen: HashSet<State> = frontier.iter().cloned().collect();
    let (mut classes, mut states) = (Vec::new(), Vec::new());
    while !frontier.is_empty() {
        states.push(frontier.len() as u128);
        let forms: HashSet<State> =
            frontier.iter().map(|state| least(state, &symmetries, &colour_classes(&text, state))).collect();
        classes.push(forms.len() as u128);
        let mut next = Vec::new();
        for state in &frontier {
            for mv in puzzle.moves(state) {
                let neighbour = puzzle.apply(state, mv);
                if seen.insert(neighbour.clone()) {
                    next.push(neighbour);
                }
            }
        }
        frontier = next;
    }
    (classes, states)
}

/// Breadth-first search over classes with least images, for the first levels.
fn dumb_classes(puzzle: &dyn Rules, levels: usize) -> Vec<u128> {
    let text = puzzle.text();
    let n = (text.as_bytes()["wrapslide:".len()] - b'0') as usize;
    let colours = text.as_bytes()["wrapslide:4x4:".len()] - b'0';
    let symmetries = sources(&board_group(&text, n), n * n);
    let form = |state: &State| least(state, &symmetries, &colour_classes(&text, state));
    let mut distance: HashMap<State, usize> = HashMap::new();
    let mut frontier: Vec<State> = Vec::new();
    for state in solved_states(puzzle, n, colours) {
        if distance.insert(form(&state), 0).is_none() {
            frontier.push(form(&state));
        }
    }
    let mut counts = vec![frontier.len() as u128];
    while counts.len() < levels && !frontier.is_empty() {
        let mut next = Vec::new();
        for state in &frontier {
            for mv in puzzle.moves(state) {
                let neighbour = form(&puzzle.apply(state, mv));
                if !distance.contains_key(&neighbour) {
                    distance.insert(neighbour.clone(), counts.len());
                    next.push(neighbour);
                }
            }
        }
        counts.push(next.len() as u128);
        frontier = next;
    }
    counts
}

#[test]
fn a_dumb_search_agrees() {
    for (text, n, colours) in [
        ("wrapslide:4x4:2", 4, 2),
        ("wrapslide:4x4:2:unit", 4, 2),
        ("wrapslide:4x4:3", 4, 3),
        ("wrapslide:4x4:3:fixed", 4, 3),
        ("wrapslide:4x4:4:fixed", 4, 4),
        ("wrapslide:4x4:4:fixed:unit", 4, 4),
    ] {
        let puzzle = registry::parse(text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let found = levels(&walk(text, &dir.path().join("job"), &Options::default()));
        assert_eq!(found, dumb_levels(&*puzzle, n, colours), "{text}");
    }
}

#[test]
fn a_dumb_search_over_classes_agrees() {
    for text in ["wrapslide:4x4:4", "wrapslide:4x4:4:unit"] {
        let puzzle = registry::parse(text).unwrap();
        let dir = tempfile::tempdir().unwrap();
        let found = levels(&walk(text, &dir.path().join("job"), &Options::default())).0;
        let mut dumb = dumb_classes(&*puzzle, usize::MAX);
        dumb.retain(|&count| count > 0);
        assert_eq!(found, dumb, "{text}");
    }
}

//! Puzzles whose numbers are published.

use super::{levels, order, puzzle, states};
use crate::puzzle::Rules;
use crate::puzzles::perm::definition::{
    Definition, NamedMove, Orbit, OrbitPattern, OrbitTransformation, Pattern, Transformation,
};
use crate::puzzles::perm::{Goals, PermutationOptions};

const CORNERS: [(&str, [u8; 8], [u8; 8]); 6] = [
    ("U", [3, 0, 1, 2, 4, 5, 6, 7], [0; 8]),
    ("R", [4, 1, 2, 0, 7, 5, 6, 3], [2, 0, 0, 1, 1, 0, 0, 2]),
    ("F", [1, 5, 2, 3, 0, 4, 6, 7], [1, 2, 0, 0, 2, 1, 0, 0]),
    ("D", [0, 1, 2, 3, 5, 6, 7, 4], [0; 8]),
    ("L", [0, 2, 6, 3, 4, 1, 5, 7], [0, 1, 2, 0, 0, 2, 1, 0]),
    ("B", [0, 1, 3, 7, 4, 5, 2, 6], [0, 0, 1, 2, 0, 0, 2, 1]),
];
const EDGES: [([u8; 12], [u8; 12]); 6] = [
    ([3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11], [0; 12]),
    ([8, 1, 2, 3, 11, 5, 6, 7, 4, 9, 10, 0], [0; 12]),
    ([0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11], [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]),
    ([0, 1, 2, 3, 5, 6, 7, 4, 8, 9, 10, 11], [0; 12]),
    ([0, 1, 10, 3, 4, 5, 9, 7, 8, 2, 6, 11], [0; 12]),
    ([0, 1, 2, 11, 4, 5, 6, 10, 8, 9, 3, 7], [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1]),
];

fn orbit(name: &str, slots: usize, orientations: u8) -> Orbit {
    Orbit { name: name.into(), slots, orientations }
}

fn definition(orbits: Vec<Orbit>, moves: Vec<NamedMove>) -> Definition {
    Definition {
        name: String::new(),
        solved: vec![Pattern::distinct(&orbits)],
        orbits,
        moves,
        rotations: Vec::new(),
        powers: true,
        start: None,
        forbidden: Vec::new(),
        blocks: Vec::new(),
    }
}

fn part(from: &[u8], turn: &[u8]) -> OrbitTransformation {
    OrbitTransformation { from: from.to_vec(), turn: turn.to_vec() }
}

/// Corners, and edges if wanted, of the cube.
pub(super) fn cube(faces: &str, edges: bool) -> Definition {
    let mut orbits = vec![orbit("CORNERS", 8, 3)];
    orbits.extend(edges.then(|| orbit("EDGES", 12, 2)));
    let moves = CORNERS.iter().zip(&EDGES).filter(|((name, ..), _)| faces.contains(name));
    let moves = moves.map(|((name, from, turn), (edge_from, edge_turn))| {
        let mut parts = vec![part(from, turn)];
        parts.extend(edges.then(|| part(edge_from, edge_turn)));
        NamedMove { name: (*name).into(), transformation: Transformation(parts) }
    });
    definition(orbits, moves.collect())
}

/// The first phase of solving the cube: corners twisted, edges flipped, and which edges are in the slice.
pub(super) fn phase1() -> Definition {
    let mut cube = cube("URFDLB", true);
    cube.solved = vec![Pattern(vec![
        OrbitPattern { pieces: vec![0; 8], orientation: vec![0; 8], modulus: vec![3] },
        OrbitPattern {
            pieces: (0..12).map(|edge| u8::from(edge >= 8)).collect(),
            orientation: vec![0; 12],
            modulus: vec![2, 2],
        },
    ])];
    cube
}

/// The pyraminx without its tips: a corner for each vertex of the tetrahedron, an edge for each two.
pub(super) fn pyraminx() -> Definition {
    let edges: Vec<[u8; 2]> = (0..4).flat_map(|a| (a + 1..4).map(move |b| [a, b])).collect();
    let number = |a: u8, b: u8| edges.iter().position(|edge| *edge == [a.min(b), a.max(b)]).unwrap();
    let moves = (0..4u8).map(|vertex| {
        let others: Vec<u8> = (0..4).filter(|&other| other != vertex).collect();
        let next = |at: u8| match others.iter().position(|&other| other == at) {
            Some(place) => others[(place + 1) % 3],
            None => at,
        };
        let mut corner_turn = [0; 4];
        corner_turn[usize::from(vertex)] = 1;
        let mut from: Vec<u8> = (0..6).collect();
        let mut turn = vec![0; 6];
        for &other in &others {
            let (old, new) = (number(vertex, other), number(vertex, next(other)));
            from[new] = old as u8;
            // An edge shows the faces opposite the two vertices that it does not touch, the lower one first.
            let hidden = |edge: [u8; 2]| (0..4).filter(|face| !edge.contains(face)).collect::<Vec<u8>>();
            turn[new] = u8::from(next(hidden(edges[old])[0]) != hidden(edges[new])[0]);
        }
        let name = ["U", "L", "R", "B"][usize::from(vertex)].into();
        let parts = vec![part(&[0, 1, 2, 3], &corner_turn), part(&from, &turn)];
        NamedMove { name, transformation: Transformation(parts) }
    });
    definition(vec![orbit("CORNERS", 4, 3), orbit("EDGES", 6, 2)], moves.collect())
}

#[test]
fn the_small_cube_with_a_fixed_corner() {
    let half = [1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644];
    let cube = cube("URF", false);
    let with = puzzle(&cube, &PermutationOptions::default());
    assert_eq!(order(&with), 6);
    assert_eq!((&with as &dyn Rules).totals().states, Some(3_674_160));
    assert_eq!(with.index().unwrap().numbering.count, 3_674_160);
    assert_eq!(states(&with), half);
    let quarter = PermutationOptions { quarter: true, ..PermutationOptions::default() };
    let found = levels(&puzzle(&cube, &quarter));
    assert_eq!((found.len() - 1, found[14].1), (14, 276));
}

#[test]
fn the_small_cube_in_any_orientation() {
    let mut cube = cube("URFDLB", false);
    let face = |name: &str| {
        let mv = cube.moves.iter().find(|mv| mv.name == name).unwrap();
        mv.transformation.clone()
    };
    let turn = |name: &str, one: &str, other: &str| NamedMove {
        name: name.into(),
        transformation: face(one).then(&face(other).inverse(&cube.orbits), &cube.orbits),
    };
    cube.rotations = vec![turn("x", "R", "L"), turn("y", "U", "D")];
    let options = PermutationOptions { goals: Goals::Rotations, ..PermutationOptions::default() };
    let any = puzzle(&cube, &options);
    assert_eq!((&any as &dyn Rules).totals().states, Some(88_179_840));
    assert_eq!(order(&any), 24 * 48);
    let found = states(&any);
    assert_eq!(found.len(), 12);
    assert_eq!(found[11], 24 * 2644);
}

#[test]
fn the_pyraminx_without_tips() {
    let found = puzzle(&pyraminx(), &PermutationOptions::default());
    assert_eq!(order(&found), 24);
    assert_eq!(found.index().unwrap().numbering.count, 933_120);
    assert_eq!(states(&found), [1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32]);
}

#[test]
fn the_sizes_of_the_cube() {
    let cube = puzzle(&cube("URFDLB", true), &PermutationOptions::default());
    let all = 43_252_003_274_489_856_000;
    assert_eq!((&cube as &dyn Rules).totals().states, Some(all));
    assert_eq!(cube.index().unwrap().numbering.count, all);
    assert_eq!(order(&cube), 2 * 48);
    let phase1 = puzzle(&phase1(), &PermutationOptions::default());
    assert_eq!((&phase1 as &dyn Rules).totals().states, Some(2_217_093_120));
    assert_eq!(phase1.index().unwrap().numbering.count, 2_217_093_120);
    assert_eq!(order(&phase1), 16);
}

/// Laws of small sets that are neither parities nor sums of twists.
#[test]
fn what_small_sets_exclude_is_not_numbered() {
    for (text, states) in [
        // Four corners are permuted evenly: a class modulo 3, linked with the twists of the others.
        ("perm:skewb", 3_149_280),
        // Two sets of four corners always show the same permutation of three pairings.
        ("perm:squares", 663_552),
        // Six corners are permuted in 120 of 720 ways.
        ("perm:two-faces", 73_483_200),
        ("perm:skewb-diamond:nosym", 414_720),
        ("perm:pyramorphix:nosym", 136_080),
    ] {
        let puzzle = crate::puzzles::registry::parse(text).unwrap();
        assert_eq!(puzzle.totals().states, Some(states), "{text}");
        assert_eq!(puzzle.space().unwrap().universe(), states, "{text}");
    }
}

#[test]
fn symmetries_are_described() {
    for (text, about) in [
        (
            "perm:3x3x3",
            "24 keep the direction of all turns, 24 reverse it (mirrors); each with and without inversion",
        ),
        ("perm:2x2x2", "3 keep the direction of all turns, 3 reverse it (mirrors)"),
        ("perm:pyraminx", "12 keep the direction of all turns, 12 reverse it (mirrors)"),
        ("perm:pyraminx:nosym", ""),
    ] {
        let found = crate::puzzles::registry::parse(text).unwrap().about_symmetry();
        assert!(found.starts_with(about) && found.is_empty() == about.is_empty(), "{text}: {found}");
    }
}

/// Levels grow by what families of commuting moves allow, and by no more.
#[test]
fn levels_grow_as_counted() {
    let cube = crate::puzzles::registry::parse("perm:3x3x3").unwrap();
    let growth = cube.growth().unwrap();
    // Three axes: two turns of opposite faces, or one of each.
    assert_eq!((growth.roots, growth.later), (vec![18, 27], vec![12, 18]));
    for text in
        ["perm:2x2x2:nosym", "perm:2x2x2:quarter:nosym", "perm:floppy:nosym", "perm:ivy:nosym", "lrx:6:nosym"]
    {
        let puzzle = crate::puzzles::registry::parse(text).unwrap();
        let growth = puzzle.growth().unwrap();
        let levels = match puzzle.space().unwrap() {
            crate::space::AnySpace::Narrow(space) => super::levels_of(space),
            crate::space::AnySpace::Wide(space) => super::levels_of(space),
        };
        for k in 1..levels.len() {
            let most: u128 = (1..=k)
                .map(|j| {
                    let factors = if j == k { &growth.roots } else { &growth.later };
                    factors.get(j - 1).copied().unwrap_or(0) * levels[k - j].1
                })
                .sum();
            assert!(levels[k].1 <= most, "{text}: level {k} has {}, at most {most}", levels[k].1);
        }
    }
}

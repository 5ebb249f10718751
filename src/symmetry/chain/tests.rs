//! Tests of the module above.

use super::super::{Action, Group, Points};
use super::*;
use proptest::prelude::*;

fn cycle(length: usize, points: &[u16]) -> Permutation {
    let mut images = Permutation::identity(length).images().to_vec();
    for (at, &point) in points.iter().enumerate() {
        images[usize::from(point)] = points[(at + 1) % points.len()];
    }
    Permutation::new(&images).unwrap()
}

fn order(generators: &[Permutation]) -> Option<u128> {
    StabiliserChain::new(generators).map(|chain| chain.order())
}

#[test]
fn symmetric_alternating_cyclic_and_dihedral_groups() {
    assert_eq!(order(&[]), Some(1));
    assert_eq!(order(&[Permutation::identity(5)]), Some(1));
    let mut factorial = 2;
    for n in 3..=34u16 {
        let all: Vec<u16> = (0..n).collect();
        factorial *= u128::from(n);
        let length = usize::from(n);
        let turn = cycle(length, &all);
        let flip: Vec<u16> = all.iter().rev().copied().collect();
        let swap = cycle(length, &[0, 1]);
        let triples = (2..n).map(|point| cycle(length, &[0, 1, point]));
        assert_eq!(order(std::slice::from_ref(&turn)), Some(n.into()));
        let dihedral = [turn.clone(), Permutation::new(&flip).unwrap()];
        assert_eq!(order(&dihedral), Some(2 * u128::from(n)));
        assert_eq!(order(&[turn, swap.clone()]), Some(factorial));
        let triples: Vec<_> = triples.collect();
        assert_eq!(order(&triples), Some(factorial / 2));
        let alternating = StabiliserChain::new(&triples).unwrap();
        assert!(!alternating.contains(&swap) && alternating.contains(&triples[0]));
    }
}

#[test]
fn mathieu_groups() {
    let eleven = [
        cycle(11, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        cycle(11, &[2, 6, 10, 7]).then(&cycle(11, &[3, 9, 4, 5])),
    ];
    assert_eq!(order(&eleven), Some(7920));
    let long: Vec<u16> = (0..23).collect();
    let fives = [[2u16, 16, 9, 6, 8], [3, 12, 13, 18, 4], [7, 17, 10, 11, 22], [14, 19, 21, 20, 15]];
    let mut second = Permutation::identity(23);
    for five in fives {
        second = second.then(&cycle(23, &five));
    }
    assert_eq!(order(&[cycle(23, &long), second]), Some(10_200_960));
}

/// The corners of the 2x2x2 cube: quarter turns of U, R and F as cycles of slots with turns.
fn corner_moves() -> Vec<Permutation> {
    let corners = Points::new([3; 8]).unwrap();
    // URF UFL ULB UBR DFR DLF DBL DRB, as in Kociemba's numbering.
    let moves: [[(usize, usize); 8]; 6] = [
        [(1, 0), (2, 0), (3, 0), (0, 0), (4, 0), (5, 0), (6, 0), (7, 0)],
        [(3, 1), (1, 0), (2, 0), (7, 2), (0, 2), (5, 0), (6, 0), (4, 1)],
        [(4, 2), (0, 1), (2, 0), (3, 0), (5, 1), (1, 2), (6, 0), (7, 0)],
        [(0, 0), (1, 0), (2, 0), (3, 0), (7, 0), (4, 0), (5, 0), (6, 0)],
        [(0, 0), (5, 2), (1, 1), (3, 0), (4, 0), (6, 1), (2, 2), (7, 0)],
        [(0, 0), (1, 0), (6, 2), (2, 1), (4, 0), (5, 0), (7, 1), (3, 2)],
    ];
    moves.map(|images| corners.permutation(images).unwrap()).into()
}

#[test]
fn corners_of_a_cube() {
    let moves = corner_moves();
    assert_eq!(order(&moves), Some(88_179_840));
    // U, R and F leave one corner as it is.
    assert_eq!(order(&moves[..3]), Some(3_674_160));
    let chain = StabiliserChain::new(&moves).unwrap();
    let corners = Points::new([3; 8]).unwrap();
    let twisted = |first, second| {
        let turns = [first, second, 0, 0, 0, 0, 0, 0].into_iter().enumerate();
        corners.permutation(turns).unwrap()
    };
    assert!(chain.contains(&twisted(1, 2)));
    assert!(!chain.contains(&twisted(1, 0)));
    assert!(!chain.contains(&Permutation::identity(23)));
}

#[test]
fn orders_beyond_128_bits_are_refused() {
    let all: Vec<u16> = (0..250).collect();
    assert_eq!(order(&[cycle(250, &all), cycle(250, &[0, 1])]), None);
    assert_eq!(order(&[cycle(3, &[0, 1]), cycle(4, &[0, 1])]), None);
}

proptest! {
    #[test]
    fn agrees_with_the_closure(
        generators in prop::collection::vec(Just((0..6).collect::<Vec<u16>>()).prop_shuffle(), 1..4),
        other in Just((0..6).collect::<Vec<u16>>()).prop_shuffle(),
    ) {
        let action = Action::new(Points::plain(6).unwrap(), Points::plain(1).unwrap()).unwrap();
        let symmetry = |images: &Vec<u16>| {
            action.moving(images.iter().map(|&image| (image.into(), 0))).unwrap()
        };
        let group = Group::generate(&action, &generators.iter().map(symmetry).collect::<Vec<_>>()).unwrap();
        let generators: Vec<_> = generators.iter().map(|images| Permutation::new(images).unwrap()).collect();
        let chain = StabiliserChain::new(&generators).unwrap();
        prop_assert_eq!(chain.order(), u128::from(group.order()));
        prop_assert_eq!(
            chain.contains(&Permutation::new(&other).unwrap()),
            group.iter().any(|element| *element == symmetry(&other))
        );
    }

    #[test]
    fn elements_that_keep_colours_are_counted(
        generators in prop::collection::vec(Just((0..7).collect::<Vec<u16>>()).prop_shuffle(), 1..3),
        fixed in 0usize..4,
        colours in prop::collection::vec(0u32..3, 7),
        other in Just((0..7).collect::<Vec<u16>>()).prop_shuffle(),
    ) {
        // Smaller groups, too.
        let generators: Vec<Permutation> = generators.iter().map(|images| {
            let kept = (0..7u16).filter(|&point| usize::from(images[usize::from(point)]) < 7 - fixed);
            let mut sorted: Vec<u16> = images.iter().copied().filter(|&i| usize::from(i) < 7 - fixed).collect();
            sorted.truncate(kept.count());
            sorted.extend(7 - fixed as u16..7);
            Permutation::new(&sorted).unwrap()
        }).collect();
        let chain = StabiliserChain::new(&generators).unwrap();
        let mut all = vec![Permutation::identity(7)];
        let mut at = 0;
        while let Some(element) = all.get(at).cloned() {
            for generator in &generators {
                let next = element.then(generator);
                if !all.contains(&next) && all.len() < 400 {
                    all.push(next);
                }
            }
            at += 1;
        }
        prop_assume!(all.len() < 400);
        let recoloured: Vec<u32> = other.iter().map(|&point| colours[usize::from(point)]).collect();
        let takes = |element: &&Permutation, to: &[u32]| {
            (0..7).all(|point| colours[point] == to[element.image(point)])
        };
        let keeping = all.iter().filter(|element| takes(element, &colours)).count();
        prop_assert_eq!(chain.keeping(&colours), Some(keeping as u128));
        let exists = all.iter().any(|element| takes(&element, &recoloured));
        prop_assert_eq!(chain.recolours(&colours, &recoloured), Some(exists));
        prop_assert_eq!(chain.keeping(&colours[1..]), if all.len() == 1 { Some(1) } else { None });
    }
}

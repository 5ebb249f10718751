use super::*;
use crate::puzzle::{Instance, Scrambling};
use crate::puzzles::registry;
use crate::random::Random;

#[test]
fn orbits_and_stabilisers_make_the_group() {
    for (text, order) in [
        ("wrapslide:4x4:2", 32),
        ("wrapslide:4x4:3", 64),
        ("wrapslide:4x4:4", 768),
        ("wrapslide:6x6:4:fixed", 48),
        ("tiles:3x3", 2),
        ("tiles:3x4", 1),
    ] {
        let puzzle = registry::parse(text).unwrap();
        for number in 1..6 {
            let mut random = Random::instance(7, number);
            let instance = Scrambling::Uniform.instance(&*puzzle, &mut random).unwrap();
            let Instance::State(state) = instance else { panic!("not a state") };
            let class = class_of(&*puzzle, &state).unwrap();
            assert_eq!((class.group, class.orbit * class.stabiliser), (order, u128::from(order)), "{text}");
            let members = class.members.unwrap();
            assert!(members.contains(&state) && members[0] == class.representative);
        }
    }
    let puzzle = registry::parse("wrapslide:4x4:2").unwrap();
    let solved = class_of(&*puzzle, &puzzle.root().unwrap()).unwrap();
    assert_eq!((solved.orbit, solved.stabiliser), (4, 8));
    assert!(class_of(&*registry::parse("tiles:10x10").unwrap(), &State(vec![])).is_err());
}

//! Definitions in each format, with levels that another program counted: a plain search, written in other
//! languages from the descriptions of the formats.

use super::super::format::read;
use super::{puzzle, states};
use crate::puzzles::perm::{Equivalence, PermutationOptions};

#[test]
fn files_have_the_levels_that_another_program_counted() {
    for (name, text, any, quarter) in [
        (
            "ignored pieces and orientations, a question mark, a sequence",
            include_str!("files/ignored.def"),
            &[1, 76, 2137, 3906, 24][..],
            &[1, 8, 48, 188, 476, 910, 1321, 1464, 1214, 504, 10][..],
        ),
        ("ignored and joined pieces", include_str!("files/joined.def"), &[1, 24, 60, 11], &[1, 8, 40, 45, 2]),
        (
            "derived moves",
            include_str!("files/derived.json"),
            &[1, 6, 17, 21, 12, 3],
            &[1, 4, 9, 14, 14, 11, 6, 1],
        ),
        (
            "orientations modulo divisors",
            include_str!("files/moduli.json"),
            &[1, 8, 30, 120, 416, 1040, 1257, 340, 28],
            &[1, 5, 14, 43, 118, 331, 712, 1037, 780, 198, 1],
        ),
        (
            "passive moves",
            include_str!("files/plain.tws"),
            &[1, 18, 61, 204, 292],
            &[1, 5, 14, 34, 78, 155, 185, 92, 12],
        ),
    ] {
        let definition = read(text).unwrap();
        for equivalence in [Equivalence::Best, Equivalence::Equality] {
            for (quarter, expected) in [(false, any), (true, quarter)] {
                let options = PermutationOptions { quarter, equivalence, ..PermutationOptions::default() };
                assert_eq!(states(&puzzle(&definition, &options)), expected, "{name}");
            }
        }
    }
}

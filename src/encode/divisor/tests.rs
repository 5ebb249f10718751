//! Tests of the module above.

use super::*;
use proptest::prelude::*;

fn check(number: u64, value: u64) {
    let divisor = Divisor::new(number).unwrap();
    assert_eq!(divisor.number(), number);
    let expected = (value / number, value % number);
    assert_eq!(divisor.divide(value), expected, "{value} / {number}");
}

#[test]
fn exact_at_every_border() {
    let powers = (0..63).map(|bit| 1u64 << bit);
    let numbers: Vec<u64> = (1..200)
        .chain(powers.flat_map(|power| [power.max(2) - 1, power, power + 1]))
        .chain([Divisor::LIMIT - 1, Divisor::LIMIT])
        .collect();
    for &number in &numbers {
        for &other in &numbers {
            // Around multiples, the largest among them, and at the end of what is allowed.
            let multiple = number.saturating_mul(other).min(Divisor::LIMIT - 1);
            let last = (Divisor::LIMIT - 1) / number * number;
            for value in [multiple, last, Divisor::LIMIT - 1] {
                check(number, value);
                check(number, value.saturating_sub(1));
            }
        }
    }
}

#[test]
fn refuses_what_cannot_be_prepared() {
    assert!(Divisor::new(0).is_none());
    assert!(Divisor::new(Divisor::LIMIT + 1).is_none());
}

proptest! {
    #[test]
    fn agrees_with_the_instruction(number in 1..=Divisor::LIMIT, bits in 1u32..64, value: u64) {
        check(number, value >> 1);
        check((number >> (63 - bits)).max(1), value >> 1);
    }
}

//! Division by a number that is known long before: one multiplication instead.

/// A number to divide by.
///
/// With `d` at most `2^s`, the factor `f` is `2^(63 + s) / d` rounded up, so `f * d` exceeds
/// `2^(63 + s)` by less than `d`. For a value `x` below `2^63` that makes `x * f / 2^(63 + s)` too
/// large by less than `1 / d`, which never reaches the next whole number: the quotient is exact.
#[derive(Clone, Copy, Debug)]
pub struct Divisor {
    number: u64,
    factor: u64,
    shift: u32,
}

impl Divisor {
    /// Values must be below this to be divided.
    pub const LIMIT: u64 = 1 << 63;

    /// Prepares the division; `None` unless the number is at least 1 and at most
    /// [`LIMIT`](Divisor::LIMIT).
    pub fn new(number: u64) -> Option<Self> {
        if number == 0 || number > Self::LIMIT {
            return None;
        }
        let shift = number.next_power_of_two().trailing_zeros();
        Some(Divisor {
            number,
            // Less than 2^64, because the number is more than half of 2^shift.
            factor: (1u128 << (63 + shift)).div_ceil(number.into()) as u64,
            shift,
        })
    }

    /// The number itself.
    #[inline(always)]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// `value / number`; a value of [`LIMIT`](Divisor::LIMIT) or more gives a meaningless one.
    #[inline(always)]
    pub fn quotient(&self, value: u64) -> u64 {
        debug_assert!(value < Self::LIMIT);
        // Twice the value, so that the product's upper half is what is needed.
        ((u128::from(value << 1) * u128::from(self.factor)) >> 64) as u64 >> self.shift
    }

    /// Quotient and remainder, under the same condition.
    #[inline(always)]
    pub fn divide(&self, value: u64) -> (u64, u64) {
        let quotient = self.quotient(value);
        (
            quotient,
            value.wrapping_sub(quotient.wrapping_mul(self.number)),
        )
    }
}

#[cfg(test)]
mod tests {
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
}

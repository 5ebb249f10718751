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
        (quotient, value.wrapping_sub(quotient.wrapping_mul(self.number)))
    }
}

#[cfg(test)]
mod tests;

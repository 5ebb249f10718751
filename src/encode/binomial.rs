//! Binomial and multinomial coefficients.

/// The largest `n` that [`choose`] knows: up to here every coefficient fits in 64 bits.
pub const MAX_N: usize = 64;

static TABLE: [[u64; MAX_N + 1]; MAX_N + 1] = pascal();

const fn pascal() -> [[u64; MAX_N + 1]; MAX_N + 1] {
    let mut table = [[0; MAX_N + 1]; MAX_N + 1];
    let mut n = 0;
    while n <= MAX_N {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            // Overflow would stop the compiler: constant evaluation checks every sum.
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
}

/// The number of ways to choose `k` of `n` things, for `n` up to [`MAX_N`]; 0 if `k > n`.
///
/// # Panics
/// If `n > MAX_N`.
#[inline]
pub fn choose(n: usize, k: usize) -> u64 {
    if k > n { 0 } else { TABLE[n][k] }
}

/// The number of words in which letter `i` occurs `counts[i]` times, or `None` if that does not
/// fit in 128 bits.
pub fn multinomial(counts: &[usize]) -> Option<u128> {
    let mut total = 0u128;
    let mut words = 1u128;
    for &count in counts {
        for chosen in 1..=count as u128 {
            total += 1;
            words = times_ratio(words, total, chosen)?;
        }
    }
    Some(words)
}

/// `value * numerator / denominator` where the quotient is known to be whole: divides first, so
/// that only a result that does not fit is refused.
pub(crate) fn times_ratio(value: u128, numerator: u128, denominator: u128) -> Option<u128> {
    let common = gcd(numerator, denominator);
    (value / (denominator / common)).checked_mul(numerator / common)
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;

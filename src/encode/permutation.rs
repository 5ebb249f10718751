//! Ranking of permutations of `0..n`, with and without parity.

/// The longest permutations whose ranks fit in 128 bits.
pub const MAX_LENGTH: usize = 34;

/// Whether an even or an odd number of exchanges makes a permutation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parity {
    /// An even number, as for the identity.
    Even,
    /// An odd number.
    Odd,
}

/// The number of permutations of `n` things; `None` above [`MAX_LENGTH`].
pub fn count(n: usize) -> Option<u128> {
    (n <= MAX_LENGTH).then(|| (1..=n as u128).product())
}

/// The number of lexicographically smaller permutations; `None` if `items` is not a permutation of
/// `0..n`, or longer than [`MAX_LENGTH`].
pub fn rank(items: &[u8]) -> Option<u128> {
    let length = items.len();
    if length > MAX_LENGTH {
        return None;
    }
    let mut unused = (1u64 << length) - 1;
    let mut rank = 0;
    for (place, &item) in items.iter().enumerate() {
        if usize::from(item) >= length || unused >> item & 1 == 0 {
            return None;
        }
        let smaller = (unused & ((1 << item) - 1)).count_ones();
        rank = rank * (length - place) as u128 + u128::from(smaller);
        unused &= !(1 << item);
    }
    Some(rank)
}

/// The permutation of `0..n` with this rank; `None` if it does not exist, or if `n` is above
/// [`MAX_LENGTH`].
pub fn unrank(n: usize, rank: u128) -> Option<Vec<u8>> {
    count(n)?;
    let mut items = vec![0; n];
    unrank_into(&mut items, rank).then_some(items)
}

/// The same into a slice of length `n`, without allocating; whether there is such a permutation. If
/// there is none, the slice is left as it was.
pub fn unrank_into(items: &mut [u8], mut rank: u128) -> bool {
    let Some(mut left) = count(items.len()).filter(|&count| rank < count) else {
        return false;
    };
    for (item, value) in items.iter_mut().zip(0..) {
        *item = value;
    }
    // The items from `place` on are the unused ones, ascending.
    for place in 0..items.len() {
        left /= (items.len() - place) as u128;
        let chosen = (rank / left) as usize;
        items[place..=place + chosen].rotate_right(1);
        rank %= left;
    }
    true
}

/// The parity of a permutation; `None` if `items` is not a permutation of `0..n`.
pub fn parity(items: &[u8]) -> Option<Parity> {
    let mut seen = vec![false; items.len()];
    let mut cycles = 0;
    for start in 0..items.len() {
        if seen[start] {
            continue;
        }
        cycles += 1;
        let mut at = start;
        // A cycle that does not come back to its start has met a repeated item.
        loop {
            if std::mem::replace(seen.get_mut(at)?, true) {
                return None;
            }
            at = usize::from(items[at]);
            if at == start {
                break;
            }
        }
    }
    Some(if (items.len() - cycles).is_multiple_of(2) { Parity::Even } else { Parity::Odd })
}

/// The rank of a permutation among those of its parity; `None` where [`rank`] is.
///
/// Permutations `2r` and `2r + 1` differ in an exchange of the last two items, so exactly one of
/// each pair has a given parity, and half the rank numbers it.
pub fn rank_with_parity(items: &[u8]) -> Option<u128> {
    Some(rank(items)? / 2)
}

/// The permutation of `0..n` of this parity with this rank among those of its parity; `None` if
/// there is none.
pub fn unrank_with_parity(n: usize, rank: u128, wanted: Parity) -> Option<Vec<u8>> {
    let mut items = unrank(n, rank.checked_mul(2)?)?;
    if parity(&items)? != wanted {
        // Fewer than two items cannot be exchanged: there is no odd permutation of them.
        let last = n.checked_sub(1)?;
        items.swap(last.checked_sub(1)?, last);
    }
    Some(items)
}

#[cfg(test)]
mod tests;

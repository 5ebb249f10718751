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

/// The number of lexicographically smaller permutations; `None` if `items` is no permutation of
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

/// The permutation of `0..n` with this rank; `None` if there is none, or if `n` is above
/// [`MAX_LENGTH`].
pub fn unrank(n: usize, mut rank: u128) -> Option<Vec<u8>> {
    let mut left = count(n)?;
    if rank >= left {
        return None;
    }
    let mut unused: Vec<u8> = (0..n as u8).collect();
    let mut items = Vec::with_capacity(n);
    for length in (1..=n).rev() {
        left /= length as u128;
        items.push(unused.remove((rank / left) as usize));
        rank %= left;
    }
    Some(items)
}

/// The parity of a permutation; `None` if `items` is no permutation of `0..n`.
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
    Some(if (items.len() - cycles).is_multiple_of(2) {
        Parity::Even
    } else {
        Parity::Odd
    })
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
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parity_by_inversions(items: &[u8]) -> Parity {
        let pairs = (0..items.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        match pairs.filter(|&(i, j)| items[i] > items[j]).count() % 2 {
            0 => Parity::Even,
            _ => Parity::Odd,
        }
    }

    #[test]
    fn bijective_and_lexicographic_on_small_sizes() {
        for n in 0..=7 {
            let mut previous: Option<Vec<u8>> = None;
            let mut ranks = [0; 2];
            for r in 0..count(n).unwrap() {
                let items = unrank(n, r).unwrap();
                assert_eq!(rank(&items), Some(r));
                assert!(previous.as_ref() < Some(&items));
                let parity = parity(&items).unwrap();
                assert_eq!(parity, parity_by_inversions(&items));
                // Within a parity the ranks are 0, 1, 2, ... in lexicographic order.
                let expected = &mut ranks[parity as usize];
                assert_eq!(rank_with_parity(&items), Some(*expected));
                assert_eq!(
                    unrank_with_parity(n, *expected, parity),
                    Some(items.clone())
                );
                *expected += 1;
                previous = Some(items);
            }
            assert_eq!(unrank(n, count(n).unwrap()), None);
            for parity in [Parity::Even, Parity::Odd] {
                assert_eq!(unrank_with_parity(n, ranks[parity as usize], parity), None);
            }
        }
    }

    #[test]
    fn refuses_what_is_no_permutation() {
        for items in [&[1][..], &[0, 0], &[1, 1], &[0, 2], &[1, 2, 1], &[255]] {
            assert_eq!(rank(items), None);
            assert_eq!(parity(items), None);
        }
        assert_eq!(rank(&(0..35).collect::<Vec<_>>()), None);
        assert_eq!(unrank(35, 0), None);
        assert_eq!(unrank_with_parity(4, u128::MAX, Parity::Even), None);
    }

    proptest! {
        #[test]
        fn inverse(items in (0..=MAX_LENGTH as u8).prop_flat_map(|n| Just((0..n).collect::<Vec<_>>()).prop_shuffle())) {
            let n = items.len();
            prop_assert_eq!(unrank(n, rank(&items).unwrap()).unwrap(), items.clone());
            let parity = parity(&items).unwrap();
            prop_assert_eq!(parity, parity_by_inversions(&items));
            let r = rank_with_parity(&items).unwrap();
            prop_assert_eq!(unrank_with_parity(n, r, parity).unwrap(), items);
        }
    }
}

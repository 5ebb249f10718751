//! Moving bits between positions, and packing cells into words.

use bitvec::prelude::*;

/// Gathers the bits of `value` at the ones of `mask` into the low bits, keeping their order.
#[inline(always)]
pub fn extract(value: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction exists, because the whole build assumes BMI2.
        unsafe { core::arch::x86_64::_pext_u64(value, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        extract_by_loop(value, mask)
    }
}

/// Spreads the low bits of `value` over the ones of `mask`, keeping their order; the inverse of
/// [`extract`].
#[inline(always)]
pub fn deposit(value: u64, mask: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
    {
        // SAFETY: the instruction exists, because the whole build assumes BMI2.
        unsafe { core::arch::x86_64::_pdep_u64(value, mask) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
    {
        deposit_by_loop(value, mask)
    }
}

/// [`extract`] for any processor.
pub fn extract_by_loop(value: u64, mut mask: u64) -> u64 {
    let mut gathered = 0;
    let mut place = 1u64;
    while mask != 0 {
        if value & mask & mask.wrapping_neg() != 0 {
            gathered |= place;
        }
        mask &= mask - 1;
        place = place.wrapping_shl(1);
    }
    gathered
}

/// [`deposit`] for any processor.
pub fn deposit_by_loop(mut value: u64, mut mask: u64) -> u64 {
    let mut spread = 0;
    while mask != 0 {
        if value & 1 != 0 {
            spread |= mask & mask.wrapping_neg();
        }
        mask &= mask - 1;
        value >>= 1;
    }
    spread
}

/// Packs cells into one word, cell 0 in the lowest bits: a key for tables of small states.
///
/// `None` if the cells do not fit in 128 bits, a cell does not fit in `bits_per_cell`, or
/// `bits_per_cell` is not 1 to 8.
pub fn pack(cells: &[u8], bits_per_cell: usize) -> Option<u128> {
    if !fits(cells.len(), bits_per_cell) {
        return None;
    }
    let mut words = [0u64; 2];
    let fields = words.view_bits_mut::<Lsb0>();
    for (field, &cell) in fields.chunks_exact_mut(bits_per_cell).zip(cells) {
        if u32::from(cell) >> bits_per_cell != 0 {
            return None;
        }
        field.store_le(cell);
    }
    Some(u128::from(words[0]) | u128::from(words[1]) << 64)
}

/// The first `cells` cells of a word made by [`pack`]; `None` where `pack` could not have made it.
pub fn unpack(word: u128, cells: usize, bits_per_cell: usize) -> Option<Vec<u8>> {
    if !fits(cells, bits_per_cell) {
        return None;
    }
    let words = [word as u64, (word >> 64) as u64];
    let (used, rest) = words.view_bits::<Lsb0>().split_at(cells * bits_per_cell);
    if rest.any() {
        return None;
    }
    Some(
        used.chunks_exact(bits_per_cell)
            .map(|field| field.load_le())
            .collect(),
    )
}

fn fits(cells: usize, bits_per_cell: usize) -> bool {
    (1..=8).contains(&bits_per_cell) && cells <= 128 / bits_per_cell
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn instructions_agree_with_loops(value: u64, mask: u64) {
            prop_assert_eq!(extract(value, mask), extract_by_loop(value, mask));
            prop_assert_eq!(deposit(value, mask), deposit_by_loop(value, mask));
        }

        #[test]
        fn deposit_inverts_extract(value: u64, mask: u64) {
            prop_assert_eq!(deposit(extract(value, mask), mask), value & mask);
        }

        #[test]
        fn unpack_inverts_pack(bits in 1usize..=8, bytes in prop::collection::vec(any::<u8>(), 0..=16)) {
            let cells: Vec<u8> = bytes.iter().map(|b| b & (0xff >> (8 - bits))).collect();
            let word = pack(&cells, bits).unwrap();
            prop_assert_eq!(unpack(word, cells.len(), bits).unwrap(), cells);
        }
    }

    #[test]
    fn full_masks() {
        for value in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(extract_by_loop(value, u64::MAX), value);
            assert_eq!(deposit_by_loop(value, u64::MAX), value);
        }
    }

    #[test]
    fn pack_puts_cell_0_lowest_and_refuses_what_does_not_fit() {
        assert_eq!(pack(&[1, 2, 3], 2), Some(0b11_10_01));
        assert_eq!(pack(&[4], 2), None);
        assert_eq!(pack(&[0; 65], 2), None);
        assert_eq!(pack(&[0], 0), None);
        assert_eq!(pack(&[0], 9), None);
        assert_eq!(unpack(1 << 6, 3, 2), None);
        assert_eq!(pack(&[3; 64], 2), Some(u128::MAX));
        assert_eq!(unpack(u128::MAX, 64, 2), Some(vec![3; 64]));
    }
}

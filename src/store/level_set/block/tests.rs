//! Tests of the module above.

use super::*;
use proptest::prelude::*;

fn round_trip<I: Index>(indices: &[I], packing: Packing) -> usize {
    let mut bytes = Vec::new();
    encode(indices, packing, &mut bytes);
    let mut back = Vec::new();
    decode::<I>(&bytes, &mut back).unwrap();
    assert_eq!(back, indices);
    bytes.len()
}

fn ascending<T: Ord>(set: std::collections::BTreeSet<T>) -> Vec<T> {
    set.into_iter().collect()
}

proptest! {
    #[test]
    fn narrow_blocks_round_trip(
        set in proptest::collection::btree_set(any::<u64>(), 1..600),
        shift in 0u32..63,
    ) {
        let set: std::collections::BTreeSet<u64> = set.into_iter().map(|i| i >> shift).collect();
        round_trip(&ascending(set.clone()), Packing::Fast);
        round_trip(&ascending(set), Packing::Small);
    }

    #[test]
    fn wide_blocks_round_trip(
        set in proptest::collection::btree_set(any::<u128>(), 1..300),
        shift in 0u32..127,
    ) {
        let set: std::collections::BTreeSet<u128> = set.into_iter().map(|i| i >> shift).collect();
        round_trip(&ascending(set.clone()), Packing::Fast);
        round_trip(&ascending(set), Packing::Small);
    }

    #[test]
    fn any_flipped_bit_is_noticed(
        set in proptest::collection::btree_set(0u64..100_000, 2..200),
        at in any::<prop::sample::Index>(),
        bit in 0u8..8,
    ) {
        let mut bytes = Vec::new();
        encode(&ascending(set), Packing::Small, &mut bytes);
        let at = at.index(bytes.len());
        bytes[at] ^= 1 << bit;
        prop_assert!(decode::<u64>(&bytes, &mut Vec::new()).is_err());
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = decode::<u64>(&bytes, &mut Vec::new());
        let _ = decode::<u128>(&bytes, &mut Vec::new());
    }
}

#[test]
fn extremes_round_trip() {
    round_trip(&[0u64, u64::MAX], Packing::Fast);
    round_trip(&[0u128, u128::MAX], Packing::Fast);
    round_trip(&[0u64, 1, 2, 3, u64::MAX - 1, u64::MAX], Packing::Small);
    round_trip(&(0..BLOCK as u64).collect::<Vec<_>>(), Packing::Small);
    round_trip(&[7u64], Packing::Small);
}

/// A random set takes little more than its entropy.
#[test]
fn blocks_are_near_the_entropy() {
    let mut random = 12345u64;
    for gap in [2u64, 6, 32, 1000, 1 << 30] {
        let mut index = 0;
        let indices: Vec<u64> = (0..BLOCK)
            .map(|_| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let uniform = (random >> 11) as f64 / (1u64 << 53) as f64;
                // A geometric gap of the given mean.
                let step = (1.0 - uniform).ln() / (1.0 - 1.0 / gap as f64).ln();
                index += 1 + step as u64;
                index
            })
            .collect();
        let bits = 8.0 * round_trip(&indices, Packing::Small) as f64 / BLOCK as f64;
        let p = 1.0 / gap as f64;
        let entropy = -(p * p.log2() + (1.0 - p) * (1.0 - p).log2()) / p;
        assert!(bits < 1.1 * entropy, "gap {gap}: {bits} bits, entropy {entropy}");
    }
}

/// What zstd works with is within what is charged for it.
#[test]
fn a_codec_takes_no_more_than_is_charged() {
    let mut random = crate::random::Random::new(3);
    let payload: Vec<u8> = (0..MAX_PAYLOAD).map(|_| random.below(7) as u8).collect();
    let mut packer = zstd::bulk::Compressor::new(1).unwrap();
    let packed = packer.compress(&payload).unwrap();
    let (mut unpacker, mut plain) = (zstd::zstd_safe::DCtx::create(), vec![0; MAX_PAYLOAD]);
    assert_eq!(unpacker.decompress(&mut plain[..], &packed), Ok(MAX_PAYLOAD));
    assert!(plain == payload);
    let taken = packer.context_mut().sizeof() + unpacker.sizeof();
    println!("{taken} bytes for both ways");
    assert!(taken + 3 * MAX_PAYLOAD <= CODEC, "{taken} bytes");
}

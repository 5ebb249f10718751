use super::*;

/// Universes around the borders of stripes, turns and words.
const UNIVERSES: [u128; 9] =
    [1, 78, 4_095, 4_096, 4_097, (1 << 20) - 1, (1 << 20) + 1, 239_500_800, 94_143_280 * 1_000_003];

#[test]
fn every_index_has_one_number_and_back() {
    for universe in UNIVERSES {
        let shards = Shards::of(universe, 64).unwrap();
        let step = (universe / 10_007).max(1);
        let mut indices: Vec<u128> = (0..universe).step_by(step as usize).collect();
        indices.push(universe - 1);
        indices.dedup();
        let mut numbers: Vec<u64> = Vec::new();
        for &index in &indices {
            let number = shards.number(index as u64);
            assert!(u128::from(number) < shards.universe(), "{index} of {universe} has number {number}");
            assert_eq!(u128::from(shards.index(number)), index, "of {universe}");
            assert_eq!(shards.number(index), u128::from(number), "128 bits, of {universe}");
            assert_eq!(shards.index(u128::from(number)), index, "128 bits, of {universe}");
            numbers.push(number);
        }
        numbers.sort_unstable();
        assert!(numbers.is_sorted_by(|a, b| a < b), "two indices of {universe} have one number");
    }
    let wide = Shards::of(1 << 100, 128).unwrap();
    let index = (1u128 << 99) + 12_345;
    assert_eq!(wide.index(wide.number(index)), index);
    assert!(Shards::of(u128::from(u64::MAX), 64).is_err());
}

/// A crowded end and equal parts are both dealt to a hundred processes without a fifth of difference.
#[test]
fn a_hundred_processes_get_equal_shares() {
    let universe = 239_500_800u64;
    let shards = Shards::of(universe.into(), 64).unwrap();
    for range in [0..universe, universe / 2..universe, universe - universe / 16..universe] {
        let mut shares = [0u64; 100];
        let mut indices = 0u64;
        for index in range.clone().step_by(97) {
            let number = u128::from(shards.number(index));
            let owner = (0..100).rev().find(|&process| shards.border(process, 100) <= number).unwrap();
            shares[owner] += 1;
            indices += 1;
        }
        let most = *shares.iter().max().unwrap() as f64 / (indices as f64 / 100.0);
        assert!(most < 1.1, "{range:?}: {most}");
    }
}

#[test]
fn borders_divide_all_numbers() {
    let shards = Shards::of(1_000_000_007, 64).unwrap();
    for count in [1, 2, 3, 7, 100] {
        assert_eq!(shards.border(0, count), 0);
        assert_eq!(shards.border(count, count), shards.universe());
        assert!((0..count).all(|process| shards.border(process, count) < shards.border(process + 1, count)));
    }
}

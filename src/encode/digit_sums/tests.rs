//! Tests of the module above.

use super::*;

#[test]
fn sums_of_digits() {
    let sums = DigitSums::new(3..=12).unwrap();
    assert!(sums.pieces.len() > 1);
    assert!(sums.pieces.iter().all(|piece| piece.odd.len() * 64 < MOST_BITS + 64));
    for number in (0..239_500_800).step_by(9_973) {
        let mut rest = number;
        let digits = (3..=12).map(|radix| {
            let digit = rest % radix;
            rest /= radix;
            digit
        });
        assert_eq!(sums.parity(number), digits.sum::<u64>() % 2);
    }
    assert_eq!(DigitSums::new(RangeInclusive::new(8, 7)).unwrap().parity(0), 0);
}

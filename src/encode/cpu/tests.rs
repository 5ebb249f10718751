//! Tests of the module above.

use super::*;
use proptest::prelude::*;

/// Bits there and back.
struct RoundTrip(u64, u64);

impl Kernel for RoundTrip {
    type Output = [u64; 3];

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> [u64; 3] {
        let RoundTrip(value, mask) = self;
        let gathered = cpu.extract(value, mask);
        [gathered, cpu.deposit(value, mask), cpu.deposit(gathered, mask)]
    }
}

proptest! {
    #[test]
    fn instructions_agree_with_loops(value: u64, mask: u64) {
        let portable = RoundTrip(value, mask).run(Portable);
        prop_assert_eq!(portable[2], value & mask);
        prop_assert_eq!(run(RoundTrip(value, mask)), portable);
        #[cfg(target_arch = "x86_64")]
        if let Some(fast) = Fast::detect() {
            prop_assert_eq!(fast.run(RoundTrip(value, mask)), portable);
        }
    }
}

#[test]
fn full_masks() {
    for value in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
        assert_eq!(Portable.extract(value, u64::MAX), value);
        assert_eq!(Portable.deposit(value, u64::MAX), value);
    }
}

//! Instructions that only some processors have, chosen at run time.
//!
//! A binary built for any x86-64 processor may not assume that bits can be counted, gathered and
//! spread by one instruction each; nearly all processors in use can. So a hot loop is written once,
//! as a [`Kernel`], and compiled twice: for the instructions that every processor of the target
//! has ([`Portable`]), and for those of [`Fast`]. [`run`] chooses between them once per call, so a
//! kernel should be a batch of work.
//!
//! Whatever a kernel calls must be inlined into it to be compiled for the same instructions:
//! `#[inline(always)]` on [`Kernel::run`] and on the functions below it sees to that.
//!
//! Both twins give the same results. Setting the environment variable `GODNUM_PORTABLE` to `1`
//! makes [`run`] choose the portable one.

use std::sync::LazyLock;

/// How to gather and spread bits; a value of such a type proves that the processor can.
pub trait Cpu: Copy {
    /// Gathers the bits of `value` at the ones of `mask` into the low bits, keeping their order.
    fn extract(self, value: u64, mask: u64) -> u64;

    /// Spreads the low bits of `value` over the ones of `mask`, keeping their order; the inverse of
    /// [`extract`](Cpu::extract).
    fn deposit(self, value: u64, mask: u64) -> u64;

    /// Calls a kernel compiled for this processor, for what is too much to be inlined: a function
    /// or a closure that is not inlined would be compiled for any processor.
    fn call<K: Kernel>(self, kernel: K) -> K::Output;
}

/// A batch of work that is compiled for every kind of [`Cpu`].
pub trait Kernel {
    /// What it computes.
    type Output;

    /// Does the work. Mark implementations `#[inline(always)]`.
    fn run<C: Cpu>(self, cpu: C) -> Self::Output;
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Cpu for Portable {
    #[inline(always)]
    fn extract(self, value: u64, mut mask: u64) -> u64 {
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

    #[inline(always)]
    fn deposit(self, mut value: u64, mut mask: u64) -> u64 {
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

    #[inline(always)]
    fn call<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

#[cfg(target_arch = "x86_64")]
mod fast {
    use super::{Cpu, Kernel};

    /// A processor with AVX2, BMI1, BMI2, LZCNT and POPCNT: x86-64-v3, as most since 2013.
    #[derive(Clone, Copy, Debug)]
    pub struct Fast(());

    impl Fast {
        /// The proof that this processor has the instructions, if it has.
        pub fn detect() -> Option<Fast> {
            let has_all = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            has_all.then_some(Fast(()))
        }

        /// Runs a kernel that is compiled for these instructions.
        #[inline(always)]
        pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
            // SAFETY: a `Fast` is made only if the processor has all of these instructions.
            unsafe { self.run_compiled(kernel) }
        }

        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn run_compiled<K: Kernel>(self, kernel: K) -> K::Output {
            kernel.run(self)
        }
    }

    impl Cpu for Fast {
        #[inline(always)]
        fn extract(self, value: u64, mask: u64) -> u64 {
            // SAFETY: a `Fast` is made only if the processor has BMI2.
            unsafe { std::arch::x86_64::_pext_u64(value, mask) }
        }

        #[inline(always)]
        fn deposit(self, value: u64, mask: u64) -> u64 {
            // SAFETY: as above.
            unsafe { std::arch::x86_64::_pdep_u64(value, mask) }
        }

        #[inline(always)]
        fn call<K: Kernel>(self, kernel: K) -> K::Output {
            self.run(kernel)
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use fast::Fast;

/// Runs a kernel compiled for the best instructions that this processor has.
#[inline(always)]
pub fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        static FAST: LazyLock<Option<Fast>> = LazyLock::new(|| Fast::detect().filter(|_| !*PORTABLE_WANTED));
        if let Some(fast) = *FAST {
            return fast.run(kernel);
        }
    }
    kernel.run(Portable)
}

/// Whether `GODNUM_PORTABLE` asks for the portable twins.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
static PORTABLE_WANTED: LazyLock<bool> = LazyLock::new(|| {
    std::env::var_os("GODNUM_PORTABLE").is_some_and(|value| !value.is_empty() && value != "0")
});

#[cfg(test)]
mod tests;

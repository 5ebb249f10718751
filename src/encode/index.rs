//! The numbers that stand for classes.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::{Add, Div, Mul, Rem, Sub};

/// A class's number: `u64`, or `u128` where a universe needs it.
pub trait Index:
    Copy
    + Ord
    + Hash
    + Debug
    + Display
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + 'static
{
    /// Width in bits.
    const BITS: u32;
    /// The number itself, in the widest type.
    fn wide(self) -> u128;
    /// Keeps the low bits of `wide` that fit.
    fn narrow(wide: u128) -> Self;
    /// The low 64 bits.
    fn low(self) -> u64;
    /// From a `u64`.
    fn of(value: u64) -> Self;
}

macro_rules! index {
    ($($int:ident),*) => {$(
        impl Index for $int {
            const BITS: u32 = $int::BITS;
            #[inline(always)]
            fn wide(self) -> u128 {
                self as u128
            }
            #[inline(always)]
            fn narrow(wide: u128) -> Self {
                wide as $int
            }
            #[inline(always)]
            fn low(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn of(value: u64) -> Self {
                value as $int
            }
        }
    )*};
}

index!(u64, u128);

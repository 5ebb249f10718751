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

impl Index for u64 {
    const BITS: u32 = 64;
    #[inline(always)]
    fn wide(self) -> u128 {
        u128::from(self)
    }
    #[inline(always)]
    fn narrow(wide: u128) -> Self {
        wide as u64
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self
    }
    #[inline(always)]
    fn of(value: u64) -> Self {
        value
    }
}

impl Index for u128 {
    const BITS: u32 = 128;
    #[inline(always)]
    fn wide(self) -> u128 {
        self
    }
    #[inline(always)]
    fn narrow(wide: u128) -> Self {
        wide
    }
    #[inline(always)]
    fn low(self) -> u64 {
        self as u64
    }
    #[inline(always)]
    fn of(value: u64) -> Self {
        u128::from(value)
    }
}

//! The hot loops of spaces, compiled for the instructions that the processor has.
//!
//! A space writes its loops as [`SpaceKernels`]; [`expand`] and [`states`] choose the
//! instructions once per batch, as [`cpu`](crate::encode::cpu) explains. They are plain loops that count
//! places: `zip`, `sum` or `extend` with a closure are functions that the compiler may put into another
//! unit of the crate, and does not inline from there.

use crate::encode::cpu::{self, Cpu, Kernel};

/// The loops over a batch of indices. Mark implementations `#[inline(always)]`.
pub(super) trait SpaceKernels<I> {
    /// [`Space::expand`](crate::space::Space::expand).
    fn expand_on<C: Cpu>(&self, cpu: C, batch: &[I], candidates: &mut Vec<I>);
    /// [`Space::states`](crate::space::Space::states).
    fn states_on<C: Cpu>(&self, cpu: C, batch: &[I]) -> u128;
}

struct Expand<'a, S, I> {
    space: &'a S,
    batch: &'a [I],
    candidates: &'a mut Vec<I>,
}

impl<I, S: SpaceKernels<I>> Kernel for Expand<'_, S, I> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        self.space.expand_on(cpu, self.batch, self.candidates);
    }
}

struct States<'a, S, I> {
    space: &'a S,
    batch: &'a [I],
}

impl<I, S: SpaceKernels<I>> Kernel for States<'_, S, I> {
    type Output = u128;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u128 {
        self.space.states_on(cpu, self.batch)
    }
}

/// Appends the candidates of a batch.
pub(super) fn expand<I, S: SpaceKernels<I>>(space: &S, batch: &[I], candidates: &mut Vec<I>) {
    cpu::run(Expand { space, batch, candidates });
}

/// How many states the classes of a batch stand for.
pub(super) fn states<I, S: SpaceKernels<I>>(space: &S, batch: &[I]) -> u128 {
    cpu::run(States { space, batch })
}

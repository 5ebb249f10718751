//! Memory that is looked up at random, and memory that the system refuses.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Write;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;

use crate::error::{Error, LimitKind, Resource, Result};

/// What a [`HugeTable`] can hold.
///
/// # Safety
/// Every pattern of bits must be a value, and nothing must happen when one is dropped.
pub unsafe trait Plain {}
// SAFETY: a number.
unsafe impl Plain for u8 {}
// SAFETY: a number.
unsafe impl Plain for u32 {}
// SAFETY: a number.
unsafe impl Plain for u64 {}
// SAFETY: a number, changed as a whole.
unsafe impl Plain for AtomicU64 {}

/// A table in memory, on large pages where the system has them: with small ones, most look-ups would
/// first have to look up where their page is.
pub struct HugeTable<T = u8> {
    map: MmapMut,
    length: usize,
    of: PhantomData<T>,
}

impl<T: Plain> HugeTable<T> {
    /// A table of zeros. It takes no memory before it is touched.
    pub fn zeroed(length: usize) -> Result<Self> {
        let bytes = length.saturating_mul(size_of::<T>());
        let map = MmapMut::map_anon(bytes.max(1)).map_err(|e| {
            Error::from(LimitKind::Refused {
                resource: Resource::Memory(bytes as u64),
                cause: Some(e.to_string()),
            })
        })?;
        // Only advice: without large pages everything works, more slowly.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(HugeTable { map, length, of: PhantomData })
    }
}

impl<T: Plain + Copy> HugeTable<T> {
    /// A table with this content.
    pub fn of(content: &[T]) -> Result<Self> {
        let mut table = HugeTable::zeroed(content.len())?;
        table.copy_from_slice(content);
        Ok(table)
    }
}

impl<T: Plain> Deref for HugeTable<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: a map begins at a page, so it is aligned for any number; it is as long as the
        // table, private, and lives as long as this reference; every pattern of bits is a value.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.length) }
    }
}

impl<T: Plain> DerefMut for HugeTable<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the reference to the table is the only one.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.length) }
    }
}

/// Asks for the memory in which an entry of a table is, so that it is there when it is needed.
#[inline(always)]
pub fn prefetch<T>(table: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults, whatever the address.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(table.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, at);
}

/// The system's allocator, which ends the process with a sentence where the system refuses memory.
/// That loses no more than a kill would. What is large is asked for with [`try_with_capacity`], and can fail in
/// an orderly way.
pub struct Allocator;

/// Blocks of memory of this size and more go back to the system as soon as they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const GIVEN_BACK: libc::c_int = 1 << 20;

/// Makes large blocks of memory go back to the system as soon as they are freed. By itself, glibc raises the
/// size from which on it does that up to 32 MiB, and then each thread's heap keeps what others have no use for:
/// 6x6:3 up to level 9 with 8 threads and 256 MiB took 336 to 341 MiB, and takes 234 to 247 this way, and 1 %
/// more time. It is for the whole process, so it is the program that asks for it, and no library.
pub fn give_large_blocks_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: the call changes a number that the allocator reads; no thread but this one is there yet. If it
    // fails, everything works, with more memory.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, GIVEN_BACK);
    }
}

thread_local! {
    /// Whether the thread is prepared for a refusal.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator needs.
        granted(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        granted(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline(always)]
fn granted(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        refused(size);
    }
    memory
}

/// Ends the process, without asking for memory, unless the thread is prepared.
#[cold]
fn refused(size: usize) {
    if ASKING.get() {
        return;
    }
    let mut text = [0; 256];
    let mut rest = &mut text[..];
    let _ = writeln!(
        rest,
        "error: the system refused {size} bytes of memory; everything up to the last checkpoint is \
         kept. Allow more (`ulimit -v`), or run the same command again with a smaller --memory"
    );
    let length = 256 - rest.len();
    let _ = rustix::io::write(rustix::stdio::stderr(), &text[..length]);
    signal_hook::low_level::exit(3);
}

/// An empty list with room for `entries` entries, if the system grants that.
pub fn try_with_capacity<T>(entries: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    let before = ASKING.replace(true);
    let granted = list.try_reserve_exact(entries);
    ASKING.set(before);
    match granted {
        Ok(()) => Ok(list),
        Err(_) => Err(Error::from(LimitKind::Refused {
            resource: Resource::Memory(entries.saturating_mul(size_of::<T>()) as u64),
            cause: None,
        })),
    }
}

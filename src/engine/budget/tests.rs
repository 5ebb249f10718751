//! Tests of the module above.

use super::*;

#[test]
fn shares_stay_within_the_budget() {
    for memory in [192 << 10, 6 << 20, 256 << 20, 16 << 30] {
        for threads in [1, 2, 3] {
            let budget = Budget::new(memory, threads).unwrap();
            let buffers = budget.buffer_entries(8) * 8 * threads;
            let runs = 3 * budget.run_bytes();
            assert!(buffers as u64 + runs <= memory / 16 * 13);
            assert!(budget.bitmap_bytes() <= memory / 16 * 12);
        }
    }
    assert!(Budget::new(1 << 20, 17).is_err());
    assert!(peak_memory() > 0);
    assert!(free_memory().is_some());
}

/// What is charged is in use until the charge is dropped; what can wait is refused beyond the budget.
#[test]
fn charges_add_up() {
    let budget = Budget::new(16 << 20, 1).unwrap();
    let first = budget.used();
    let mut charge = budget.try_take(12 << 20).unwrap();
    assert_eq!((budget.used(), charge.bytes()), (first + (12 << 20), 12 << 20));
    assert!(budget.try_take(1 << 20).is_none() && budget.try_take(u64::MAX).is_none());
    charge.change_to(1 << 20);
    assert_eq!(budget.used(), first + (1 << 20));
    charge.change_to(2 << 20);
    // There is no work without a buffer.
    let buffer = budget.take(14 << 20);
    assert_eq!(budget.used(), first + (16 << 20));
    drop((charge, buffer));
    assert_eq!((budget.used(), budget.most()), (first, first + (16 << 20)));
}

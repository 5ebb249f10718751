//! Tests of the module above.

use super::*;
use crate::random::Random;

/// The least sum over all permutations.
fn by_trying(costs: &[Vec<i32>], row: usize, used: u32) -> i32 {
    let free = (0..costs.len()).filter(|column| used >> column & 1 == 0);
    let sums = free.map(|column| costs[row][column] + by_trying(costs, row + 1, used | 1 << column));
    sums.min().unwrap_or(0)
}

#[test]
fn assignments_are_cheapest() {
    let mut random = Random::new(3);
    for case in 0..300 {
        let size = 1 + case % 6;
        let costs: Vec<Vec<i32>> =
            (0..size).map(|_| (0..size).map(|_| random.place(7) as i32).collect()).collect();
        let columns = cheapest(&costs);
        let mut sorted = columns.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..size).collect::<Vec<_>>());
        let sum: i32 = columns.iter().enumerate().map(|(row, &c)| costs[row][c]).sum();
        assert_eq!(sum, by_trying(&costs, 0, 0), "{costs:?}");
    }
}

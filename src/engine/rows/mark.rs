//! Finding a level: every row is pushed or pulled once, by the thread that takes it.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::{CHUNK, RowStep, RowTable, columns_of};
use crate::engine::context::JobContext;
use crate::engine::pipeline::Pause;
use crate::engine::progress::Phase;
use crate::engine::way::Way;
use crate::space::Index;
use crate::store::memory::prefetch;

/// Words of a row that are taken at a time: their columns stay in cache.
const STRETCH: usize = 512;

/// A thread's lists.
struct Hand {
    steps: Vec<RowStep>,
    /// Columns of the row in hand, and where a step takes them.
    columns: Vec<u32>,
    images: Vec<u32>,
    /// A row of bits.
    bits: Vec<u64>,
    /// Columns that were carried.
    carried: u64,
}

impl RowTable<'_> {
    /// Finds the numbers of the next level in all rows from number `done` on, until all are done or `deadline`
    /// has passed. Updates `done`; returns the number of columns that were carried.
    pub fn mark<I: Index>(
        &self,
        context: &JobContext<'_, I>,
        way: Way,
        done: &mut u64,
        deadline: Instant,
    ) -> (Pause, u64) {
        context.progress.phase(Phase::Expand, *done, self.count);
        let next = AtomicU64::new(*done);
        let work = || {
            let mut hand = Hand {
                steps: Vec::new(),
                columns: Vec::new(),
                images: Vec::new(),
                bits: vec![0; self.words],
                carried: 0,
            };
            while !context.control.stopped() {
                let first = next.fetch_add(CHUNK, Relaxed);
                if first >= self.count {
                    break;
                }
                let chunk = first..self.count.min(first + CHUNK);
                for row in chunk.clone() {
                    match way {
                        Way::Push => self.push_row(row, &mut hand),
                        Way::Pull => self.pull_row(row, &mut hand),
                    }
                }
                context.progress.advance(chunk.end - chunk.start);
                if Instant::now() >= deadline {
                    break;
                }
            }
            hand.carried
        };
        let carried = context.pool.broadcast(|_| work()).into_iter().sum();
        // Every chunk that was begun is done.
        *done = next.load(Relaxed).min(self.count);
        let pause = match *done == self.count {
            true => Pause::Done,
            false if context.control.stopped() => Pause::Stop,
            false => Pause::Due,
        };
        if pause == Pause::Done {
            let mark = || self.close(|row, word| row.is_new(word), |row, word, bits| row.mark(word, bits));
            context.pool.install(mark);
        }
        (pause, carried)
    }

    /// Carries the columns of the last level to where they lead.
    fn push_row(&self, number: u64, hand: &mut Hand) {
        let row = self.row(number);
        hand.steps.clear();
        for first in (0..self.words).step_by(STRETCH) {
            hand.columns.clear();
            for word in first..self.words.min(first + STRETCH) {
                columns_of(word, row.is_last(word), &mut hand.columns);
            }
            if hand.columns.is_empty() {
                continue;
            }
            if hand.steps.is_empty() {
                self.rows.steps(number, &mut hand.steps);
            }
            for at in 0..hand.steps.len() {
                self.ask_for(hand.steps.get(at + 1));
                let step = &hand.steps[at];
                hand.images.clear();
                self.rows.carry(number, step, &hand.columns, &mut hand.images);
                hand.carried += hand.columns.len() as u64;
                if hand.columns.len() < self.words {
                    let (target, _held) = self.locked(step.row);
                    for image in &hand.images {
                        target.mark((image / 64) as usize, 1 << (image % 64));
                    }
                    continue;
                }
                for image in &hand.images {
                    hand.bits[(image / 64) as usize] |= 1 << (image % 64);
                }
                let (target, _held) = self.locked(step.row);
                for (word, bits) in hand.bits.iter_mut().enumerate() {
                    target.mark(word, std::mem::take(bits));
                }
            }
        }
    }

    /// Carries the columns that are not known until they lead to the last level.
    fn pull_row(&self, number: u64, hand: &mut Hand) {
        let row = self.row(number);
        hand.steps.clear();
        for first in (0..self.words).step_by(STRETCH) {
            hand.columns.clear();
            let words = first..self.words.min(first + STRETCH);
            for word in words.clone() {
                let unknown = !row.known[word].load(Relaxed) & self.valid(word);
                columns_of(word, unknown, &mut hand.columns);
            }
            if hand.columns.is_empty() {
                continue;
            }
            if hand.steps.is_empty() {
                self.rows.steps(number, &mut hand.steps);
            }
            for at in 0..hand.steps.len() {
                self.ask_for(hand.steps.get(at + 1));
                self.pull_step(number, at, hand);
                if hand.columns.is_empty() {
                    break;
                }
            }
            // All that are not left over.
            let (row, _held) = self.locked(number);
            let mut left = hand.columns.iter().peekable();
            for word in words {
                let mut unknown = !row.known[word].load(Relaxed) & self.valid(word);
                while let Some(column) = left.next_if(|&&column| column as usize / 64 == word) {
                    unknown &= !(1 << (column % 64));
                }
                row.mark(word, unknown);
            }
        }
    }

    /// Leaves in hand the columns that a step of the row does not take to the last level.
    fn pull_step(&self, number: u64, at: usize, hand: &mut Hand) {
        let Hand { steps, columns, images, bits, carried } = hand;
        let step = &steps[at];
        let target = self.row(step.row);
        let gathered = columns.len() >= self.words;
        if gathered {
            let mut any = 0;
            for (word, bits) in bits.iter_mut().enumerate() {
                *bits = target.is_last(word);
                any |= *bits;
            }
            if any == 0 {
                return;
            }
        }
        images.clear();
        self.rows.carry(number, step, columns, images);
        *carried += columns.len() as u64;
        let mut kept = 0;
        for (at, &image) in images.iter().enumerate() {
            let word = (image / 64) as usize;
            let last = if gathered { bits[word] } else { target.is_last(word) };
            // Without a branch: which ones stay cannot be foreseen.
            columns[kept] = columns[at];
            kept += (!last >> (image % 64) & 1) as usize;
        }
        columns.truncate(kept);
        if gathered {
            bits.fill(0);
        }
    }

    /// Asks for the memory of the row that a step leads to.
    fn ask_for(&self, step: Option<&RowStep>) {
        let Some(step) = step else { return };
        let start = step.row as usize * self.words * 2;
        for word in (start..start + 2 * self.words.min(STRETCH)).step_by(8) {
            prefetch(&self.bits, word);
        }
    }
}

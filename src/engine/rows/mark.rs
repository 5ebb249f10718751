//! Finding a level: every row is pushed or pulled once, by the thread that takes it.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::{CHUNK, RowStep, RowTable, columns_of, expected};
use crate::engine::context::JobContext;
use crate::engine::pipeline::Pause;
use crate::engine::progress::Phase;
use crate::engine::way::{Way, thread_time};
use crate::space::Index;
use crate::store::memory::prefetch;

/// Words of a row that are taken at a time: their columns stay in cache. All of a row of tiles are.
const STRETCH: usize = 640;

/// Where a step carries fewer columns than one for so many words, the next row is not asked for: most of it is not
/// touched.
const FEW: usize = 16;

/// A thread's lists.
struct Hand {
    steps: Vec<RowStep>,
    columns: HeldColumns,
    /// Where a step takes columns.
    images: Vec<u32>,
    /// A row of bits.
    bits: Vec<u64>,
    /// Columns that were carried.
    carried: u64,
}

/// Columns of the row in hand, part by part.
#[derive(Default)]
struct HeldColumns {
    list: Vec<u32>,
    /// By part: where its columns begin, and where they end.
    parts: Vec<(usize, usize)>,
    unsorted: Vec<u32>,
}

impl HeldColumns {
    /// Takes the columns of a stretch of words whose bits `bits` gives. `part_of` has the part of each column, or
    /// nothing if there is one.
    fn gather(&mut self, words: Range<usize>, bits: impl Fn(usize) -> u64, part_of: &[u8]) {
        self.list.clear();
        self.parts.clear();
        if part_of.is_empty() {
            for word in words {
                columns_of(word, bits(word), &mut self.list);
            }
            self.parts.push((0, self.list.len()));
            return;
        }
        self.unsorted.clear();
        for word in words {
            columns_of(word, bits(word), &mut self.unsorted);
        }
        let mut counts = [0usize; 256];
        for &column in &self.unsorted {
            counts[usize::from(part_of[column as usize])] += 1;
        }
        let mut next = 0;
        self.parts.extend(counts.map(|count| {
            let begin = next;
            next += count;
            (begin, begin)
        }));
        self.list.resize(next, 0);
        for &column in &self.unsorted {
            let end = &mut self.parts[usize::from(part_of[column as usize])].1;
            self.list[*end] = column;
            *end += 1;
        }
    }

    /// The columns that a step carries, while none are left out.
    fn carried_by(&self, step: &RowStep) -> &[u32] {
        let (first, last) = step.parts;
        &self.list[self.parts[usize::from(first)].0..self.parts[usize::from(last)].1]
    }

    fn is_empty(&self) -> bool {
        self.parts.iter().all(|(begin, end)| begin == end)
    }
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
            let start = thread_time();
            let mut hand = Hand {
                steps: Vec::new(),
                columns: HeldColumns::default(),
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
            self.pace(way).add(0, thread_time() - start);
            hand.carried
        };
        let carried: u64 = context.pool.broadcast(|_| work()).into_iter().sum();
        // Every chunk that was begun is done.
        let first = std::mem::replace(done, next.load(Relaxed).min(self.count));
        let steps = (*done - first) as f64 * context.profile.fanout as f64;
        self.pace(way).add(expected(carried as f64, steps) as u64, Duration::ZERO);
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
            let words = first..self.words.min(first + STRETCH);
            if words.clone().all(|word| row.is_last(word) == 0) {
                continue;
            }
            hand.columns.gather(words, |word| row.is_last(word), self.rows.parts(number));
            if hand.steps.is_empty() {
                self.rows.steps(number, &mut hand.steps);
            }
            for at in 0..hand.steps.len() {
                let step = &hand.steps[at];
                let columns = hand.columns.carried_by(step);
                if columns.is_empty() {
                    continue;
                }
                let is_dense = columns.len() >= self.words;
                if columns.len() >= self.words / FEW {
                    self.ask_for(hand.steps.get(at + 1));
                }
                hand.images.clear();
                self.rows.carry(number, step, columns, &mut hand.images);
                hand.carried += columns.len() as u64;
                if !is_dense {
                    let (target, _held) = self.locked(step.row);
                    for &image in &hand.images {
                        target.mark_column(image);
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
        let unknown = |word: usize| !row.known[word].load(Relaxed) & self.valid(word);
        hand.steps.clear();
        for first in (0..self.words).step_by(STRETCH) {
            let words = first..self.words.min(first + STRETCH);
            if words.clone().all(|word| unknown(word) == 0) {
                continue;
            }
            hand.columns.gather(words.clone(), unknown, self.rows.parts(number));
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
            for &(begin, end) in &hand.columns.parts {
                for column in &hand.columns.list[begin..end] {
                    hand.bits[(column / 64) as usize] |= 1 << (column % 64);
                }
            }
            let (row, _held) = self.locked(number);
            for word in words {
                row.mark(word, unknown(word) & !std::mem::take(&mut hand.bits[word]));
            }
        }
    }

    /// Leaves in hand the columns that a step of the row does not take to the last level.
    fn pull_step(&self, number: u64, at: usize, hand: &mut Hand) {
        let Hand { steps, columns, images, bits, carried } = hand;
        let step = &steps[at];
        let target = self.row(step.row);
        for part in step.parts.0..=step.parts.1 {
            let (begin, end) = &mut columns.parts[usize::from(part)];
            let columns = &mut columns.list[*begin..*end];
            if columns.is_empty() {
                continue;
            }
            let gathered = columns.len() >= self.words;
            if gathered {
                let mut any = 0;
                for (word, bits) in bits.iter_mut().enumerate() {
                    *bits = target.is_last(word);
                    any |= *bits;
                }
                if any == 0 {
                    continue;
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
            *end = *begin + kept;
            if gathered {
                bits.fill(0);
            }
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

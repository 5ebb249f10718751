//! The classes of the first levels, with the number of their fillings, as a table.
//!
//! Ways back from a deep class branch most in their last steps. The table ends them early: for
//! the hexagon where the first row begins to be taken out, for small boards at once.

use crate::space::Space;

/// The most classes in the table: with them it takes less than 10 MB.
const MOST: usize = 400_000;
/// The most candidates, with repeats, that are kept while it is made.
const MOST_CANDIDATES: usize = 1 << 20;

/// A class by its index, and the number of its fillings.
type ShallowCount = (u64, u64);

/// The table.
#[derive(Clone, Debug)]
pub(super) struct Shallow {
    /// All classes of levels below this one are in the table.
    levels: u32,
    /// Where each bucket starts, and where the last one ends.
    starts: Vec<u32>,
    /// The classes by buckets.
    classes: Vec<ShallowCount>,
    /// A bucket's number has that many bits.
    bits: u32,
}

impl Shallow {
    /// Walks the first levels of a layered space.
    pub fn new(space: &dyn Space<u64>) -> Self {
        let mut levels = 0;
        let mut classes: Vec<ShallowCount> = Vec::new();
        let mut level: Option<Vec<ShallowCount>> =
            Some(space.roots().iter().map(|&root| (root, 1)).collect());
        while let Some(current) = level {
            if current.is_empty() || classes.len() + current.len() > MOST {
                break;
            }
            classes.extend(&current);
            levels += 1;
            level = next(space, &current);
        }
        Shallow::sorted(levels, classes)
    }

    /// Puts classes into buckets of about one.
    fn sorted(levels: u32, mut classes: Vec<ShallowCount>) -> Self {
        let bits = classes.len().next_power_of_two().ilog2().max(1);
        classes.sort_unstable_by_key(|&(index, _)| (bucket(index, bits), index));
        let mut starts = vec![0; (1 << bits) + 1];
        for &(index, _) in &classes {
            starts[bucket(index, bits) + 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        Shallow { levels, starts, classes, bits }
    }

    /// Whether the classes of a level are in the table.
    #[inline(always)]
    pub fn has(&self, level: u32) -> bool {
        level < self.levels
    }

    /// How many fillings a class of one of these levels has; 0 if there is no such class.
    #[inline(always)]
    pub fn ways(&self, index: u64) -> u64 {
        let bucket = bucket(index, self.bits);
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        let found = self.classes[range].iter().find(|class| class.0 == index);
        found.map_or(0, |class| class.1)
    }
}

/// Indices of a level are far from even: multiplying by an odd number with bits all over spreads
/// them.
#[inline(always)]
fn bucket(index: u64, bits: u32) -> usize {
    (index.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
}

/// The next level, unless it takes too many candidates.
fn next(space: &dyn Space<u64>, level: &[ShallowCount]) -> Option<Vec<ShallowCount>> {
    let mut reached: Vec<ShallowCount> = Vec::new();
    let mut candidates = Vec::new();
    for &(index, ways) in level {
        candidates.clear();
        space.expand(&[index], &mut candidates);
        reached.extend(candidates.iter().map(|&candidate| (candidate, ways)));
        if reached.len() > MOST_CANDIDATES {
            return None;
        }
    }
    reached.sort_unstable();
    reached.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    Some(reached)
}

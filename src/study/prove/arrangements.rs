//! Labels on free places: their numbering, and what a permutation of the places makes of them.
//!
//! With two labels an arrangement is a mask, the places of label 0 (`masks`): permuting masks and looking up
//! their ranks is the innermost loop of a proof. With more labels there are few arrangements, and all of them are
//! in a list.

use super::masks::{MaskRanks, VALUES, chunk, images};
use crate::encode::Multiset;
use crate::encode::cpu::{self, Cpu, Kernel};
use crate::error::{Error, Result};

/// Chunks of a mask.
const CHUNKS: usize = 3;
/// The most arrangements of any sort.
const MOST: u128 = 1 << 28;

/// An arrangement: a mask with two labels, a rank with more.
pub type Code = u32;

/// All arrangements of given labels.
pub struct FreeArrangements {
    counts: Vec<usize>,
    count: usize,
    form: Form,
}

enum Form {
    /// Two labels.
    Masks(MaskRanks<1>),
    /// The labels of all arrangements in the order of their ranks, flattened.
    Lists { labels: Vec<u8>, multiset: Multiset },
}

/// A permutation of places, made ready.
pub enum Carrier {
    /// By chunk and its value, flattened: the image.
    Masks(Vec<u32>),
    /// By place: the image.
    Places(Vec<u8>),
}

impl FreeArrangements {
    /// The arrangements in which label `i` occurs `counts[i]` times.
    pub fn new(counts: &[usize]) -> Result<Self> {
        let places = counts.iter().sum();
        let too_many = || {
            Error::limit(format!(
                "the free places of a state of the base can be filled in too many ways: \
                                     more than {MOST}"
            ))
        };
        let multiset =
            Multiset::new(counts).filter(|multiset| multiset.count() <= MOST).ok_or_else(too_many)?;
        let count = multiset.count() as usize;
        let ranks = if counts.len() == 2 { MaskRanks::new(places, counts[0]) } else { None };
        let form = ranks.map(Form::Masks).unwrap_or_else(|| {
            let labels = (0..count as u128).filter_map(|rank| multiset.unrank(rank)).flatten().collect();
            Form::Lists { labels, multiset }
        });
        Ok(FreeArrangements { counts: counts.to_vec(), count, form })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Whether codes are masks of the places of label 0.
    pub fn are_masks(&self) -> bool {
        matches!(self.form, Form::Masks(_))
    }

    /// The code of an arrangement.
    pub fn code(&self, labels: &[u8]) -> Code {
        match &self.form {
            Form::Masks(_) => {
                (0..).zip(labels).fold(0, |mask, (place, &label)| mask | u32::from(label == 0) << place)
            }
            Form::Lists { multiset, .. } => multiset.rank(labels).unwrap_or_default() as Code,
        }
    }

    /// The labels of an arrangement.
    pub fn labels(&self, code: Code) -> Vec<u8> {
        match &self.form {
            Form::Masks(_) => (0..self.places()).map(|place| u8::from(code >> place & 1 == 0)).collect(),
            Form::Lists { labels, .. } => self.list(labels, code).to_vec(),
        }
    }

    /// All codes, in any order that is always the same.
    pub fn codes(&self) -> Vec<Code> {
        match &self.form {
            Form::Masks(ranks) => ranks.masks().map(|mask| mask as Code).collect(),
            Form::Lists { .. } => (0..self.count as Code).collect(),
        }
    }

    /// The rank of a code, below [`count`](FreeArrangements::count).
    #[inline(always)]
    pub fn rank(&self, code: Code) -> usize {
        match &self.form {
            Form::Masks(ranks) => ranks.rank(code.into()),
            Form::Lists { .. } => code as usize,
        }
    }

    /// Makes a permutation ready that carries place `i` to `map[i]`.
    pub fn carrier(&self, map: &[u8]) -> Carrier {
        if let Form::Lists { .. } = self.form {
            return Carrier::Places(map.to_vec());
        }
        Carrier::Masks(images(CHUNKS, |place| map.get(place).map_or(0, |&image| 1 << image)))
    }

    /// The image of an arrangement.
    pub fn carried(&self, carrier: &Carrier, code: Code) -> Code {
        match (carrier, &self.form) {
            (Carrier::Places(map), Form::Lists { labels, .. }) => {
                self.code(&permuted(map, self.list(labels, code)))
            }
            (Carrier::Masks(images), _) => image(images, code),
            (Carrier::Places(_), Form::Masks(_)) => code,
        }
    }

    /// Leaves those codes in `kept` whose images are not `within`, which has a bit for each rank.
    pub fn retain(&self, carrier: &Carrier, codes: &[Code], kept: &mut Vec<Code>, within: &[u64]) {
        kept.clear();
        match (&self.form, carrier) {
            (Form::Masks(ranks), Carrier::Masks(images)) => {
                cpu::run(RetainMasks { ranks, images, codes, kept, within })
            }
            _ => {
                let is_far = |code| !has(within, self.rank(self.carried(carrier, code)));
                kept.extend(codes.iter().filter(|&&code| is_far(code)));
            }
        }
    }

    fn list<'a>(&self, labels: &'a [u8], code: Code) -> &'a [u8] {
        let places = self.places();
        &labels[code as usize * places..][..places]
    }
}

/// The labels after a permutation of the places.
pub fn permuted(map: &[u8], labels: &[u8]) -> Vec<u8> {
    let mut permuted = vec![0; labels.len()];
    for (&to, &label) in map.iter().zip(labels) {
        permuted[usize::from(to)] = label;
    }
    permuted
}

/// The permutation that undoes another.
pub fn inverse(map: &[u8]) -> Vec<u8> {
    let mut inverse = vec![0; map.len()];
    for (from, &to) in (0..).zip(map) {
        inverse[usize::from(to)] = from;
    }
    inverse
}

/// One permutation after another.
pub fn then(first: &[u8], second: &[u8]) -> Vec<u8> {
    first.iter().map(|&place| second[usize::from(place)]).collect()
}

/// The image of a mask.
#[inline(always)]
fn image(images: &[u32], mask: u32) -> u32 {
    let of = |number: usize| images[number * VALUES + chunk(mask.into(), number)];
    of(0) | of(1) | of(2)
}

/// Whether the bit of a rank is set.
#[inline(always)]
pub fn has(bits: &[u64], rank: usize) -> bool {
    bits[rank / 64] >> (rank % 64) & 1 == 1
}

/// Codes that are looked up at a time.
const BATCH: usize = 1024;

/// Takes masks out whose images are near: the innermost loop of a proof.
struct RetainMasks<'a> {
    ranks: &'a MaskRanks<1>,
    images: &'a [u32],
    codes: &'a [Code],
    kept: &'a mut Vec<Code>,
    within: &'a [u64],
}

impl Kernel for RetainMasks<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let RetainMasks { ranks, images, codes, kept, within } = self;
        let images = &images[..CHUNKS * VALUES];
        // One slot more than a batch has codes, so that writing needs no branch.
        let mut batch = [0; BATCH + 1];
        for codes in codes.chunks(BATCH) {
            let mut end = 0;
            for &code in codes {
                let rank = ranks.rank(image(images, code).into());
                batch[end] = code;
                end += usize::from(!has(within, rank));
            }
            kept.extend_from_slice(&batch[..end]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection_and_carriers_permute() {
        for counts in [&[9usize, 18][..], &[4, 8], &[4, 4, 4], &[1, 1, 1, 1, 1], &[2, 3]] {
            let all = FreeArrangements::new(counts).unwrap();
            let codes = all.codes();
            assert_eq!(codes.len(), all.count());
            let mut seen = vec![false; all.count()];
            let map: Vec<u8> = (0..all.places() as u8).map(|i| (i * 2 + 1) % all.places() as u8).collect();
            let map = if all.places() % 2 == 1 { map } else { (0..all.places() as u8).rev().collect() };
            let carrier = all.carrier(&map);
            for (number, &code) in codes.iter().enumerate() {
                assert!(!std::mem::replace(&mut seen[all.rank(code)], true));
                if number % 997 == 0 {
                    let labels = all.labels(code);
                    assert_eq!(all.code(&labels), code);
                    assert_eq!(all.labels(all.carried(&carrier, code)), permuted(&map, &labels));
                }
            }
            let mut kept = Vec::new();
            let mut within = vec![0u64; all.count().div_ceil(64)];
            (0..all.count())
                .filter(|rank| rank % 3 != 1)
                .for_each(|rank| within[rank / 64] |= 1 << (rank % 64));
            all.retain(&carrier, &codes, &mut kept, &within);
            let slow = codes.iter().copied().filter(|&code| all.rank(all.carried(&carrier, code)) % 3 == 1);
            assert_eq!(kept, slow.collect::<Vec<_>>());
            assert_eq!(then(&map, &inverse(&map)), (0..all.places() as u8).collect::<Vec<_>>());
        }
    }
}

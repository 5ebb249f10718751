//! Labels on free places: their numbering, and what a permutation of the places makes of them.
//!
//! With two labels an arrangement is a mask, the places of label 0. Cut into three chunks of bits, it is
//! permuted by three look-ups and ranked by three more: this is the innermost loop of a proof. With more
//! labels there are few arrangements, and all of them are in a list.

use crate::encode::Multiset;
use crate::encode::binomial::choose;
use crate::error::{Error, Result};

/// Bits of a chunk.
const CHUNK: usize = 9;
/// Values of a chunk.
const VALUES: usize = 1 << CHUNK;
/// The most places of a mask.
const MOST_PLACES: usize = 3 * CHUNK;
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
    /// Two labels: the rank of a mask is a sum of one entry of each table.
    Masks {
        /// By the lowest chunk.
        first: Vec<u32>,
        /// By ones in the lowest chunk and by the second one, flattened.
        second: Vec<u32>,
        /// By the highest chunk.
        third: Vec<u32>,
    },
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
        let form = match counts {
            &[ones, _] if places <= MOST_PLACES => masks(places, ones),
            _ => {
                let labels = (0..count as u128).filter_map(|rank| multiset.unrank(rank)).flatten().collect();
                Form::Lists { labels, multiset }
            }
        };
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

    /// The code of an arrangement.
    pub fn code(&self, labels: &[u8]) -> Code {
        match &self.form {
            Form::Masks { .. } => {
                (0..).zip(labels).fold(0, |mask, (place, &label)| mask | u32::from(label == 0) << place)
            }
            Form::Lists { multiset, .. } => multiset.rank(labels).unwrap_or_default() as Code,
        }
    }

    /// The labels of an arrangement.
    pub fn labels(&self, code: Code) -> Vec<u8> {
        match &self.form {
            Form::Masks { .. } => (0..self.places()).map(|place| u8::from(code >> place & 1 == 0)).collect(),
            Form::Lists { labels, .. } => self.list(labels, code).to_vec(),
        }
    }

    /// All codes, in any order that is always the same.
    pub fn codes(&self) -> Vec<Code> {
        match &self.form {
            Form::Masks { .. } => {
                let least = (1u64 << self.counts[0]) - 1;
                let next = |&mask: &u64| following(mask).filter(|mask| mask >> self.places() == 0);
                std::iter::successors(Some(least), next).map(|mask| mask as Code).collect()
            }
            Form::Lists { .. } => (0..self.count as Code).collect(),
        }
    }

    /// The rank of a code, below [`count`](FreeArrangements::count).
    #[inline(always)]
    pub fn rank(&self, code: Code) -> usize {
        match &self.form {
            Form::Masks { first, second, third } => rank(first, second, third, code),
            Form::Lists { .. } => code as usize,
        }
    }

    /// Makes a permutation ready that carries place `i` to `map[i]`.
    pub fn carrier(&self, map: &[u8]) -> Carrier {
        if let Form::Lists { .. } = self.form {
            return Carrier::Places(map.to_vec());
        }
        let mut images = vec![0; 3 * VALUES];
        for (chunk, images) in images.chunks_mut(VALUES).enumerate() {
            for value in 1..VALUES {
                let place = chunk * CHUNK + value.trailing_zeros() as usize;
                let image = map.get(place).map_or(0, |&image| 1 << image);
                images[value] = images[value & (value - 1)] | image;
            }
        }
        Carrier::Masks(images)
    }

    /// The image of an arrangement.
    pub fn carried(&self, carrier: &Carrier, code: Code) -> Code {
        match (carrier, &self.form) {
            (Carrier::Places(map), Form::Lists { labels, .. }) => {
                self.code(&permuted(map, self.list(labels, code)))
            }
            (Carrier::Masks(images), _) => image(images, code),
            (Carrier::Places(_), Form::Masks { .. }) => code,
        }
    }

    /// Calls `keep` with each code, and with the rank of its image; leaves those in `kept` for which it
    /// returns true.
    pub fn retain(
        &self,
        carrier: &Carrier,
        codes: &[Code],
        kept: &mut Vec<Code>,
        keep: impl Fn(usize) -> bool,
    ) {
        kept.clear();
        match (&self.form, carrier) {
            (Form::Masks { first, second, third }, Carrier::Masks(images)) => {
                let images = &images[..3 * VALUES];
                // One slot more than there are codes, so that writing needs no branch.
                kept.resize(codes.len() + 1, 0);
                let mut end = 0;
                for &code in codes {
                    let rank = rank(first, second, third, image(images, code));
                    kept[end] = code;
                    end += usize::from(keep(rank));
                }
                kept.truncate(end);
            }
            _ => kept.extend(codes.iter().filter(|&&code| keep(self.rank(self.carried(carrier, code))))),
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

/// The next mask with as many ones.
fn following(mask: u64) -> Option<u64> {
    if mask == 0 {
        return None;
    }
    let low = mask & mask.wrapping_neg();
    let ripple = mask + low;
    Some(ripple | (((mask ^ ripple) >> 2) / low))
}

#[inline(always)]
fn image(images: &[u32], mask: u32) -> u32 {
    let low = mask as usize & (VALUES - 1);
    let middle = mask as usize >> CHUNK & (VALUES - 1);
    let high = mask as usize >> (2 * CHUNK) & (VALUES - 1);
    images[low] | images[VALUES + middle] | images[2 * VALUES + high]
}

#[inline(always)]
fn rank(first: &[u32], second: &[u32], third: &[u32], mask: u32) -> usize {
    let low = mask as usize & (VALUES - 1);
    let middle = mask as usize >> CHUNK & (VALUES - 1);
    let high = mask as usize >> (2 * CHUNK) & (VALUES - 1);
    let ones = low.count_ones() as usize;
    (first[low] + second[ones << CHUNK | middle] + third[high]) as usize
}

/// The tables for masks of `ones` among `places`.
fn masks(places: usize, ones: usize) -> Form {
    let sizes =
        [places.min(CHUNK), places.saturating_sub(CHUNK).min(CHUNK), places.saturating_sub(2 * CHUNK)];
    // How many ways there are to fill a chunk with smaller bits, and all that follow it, with `left` ones.
    let table = |chunk: usize, left: usize| -> Vec<u32> {
        let behind: usize = sizes[chunk + 1..].iter().sum();
        let mut smaller = 0;
        let mut entry = |value: usize| {
            let entry = smaller as u32;
            let here = value.count_ones() as usize;
            if value >> sizes[chunk] == 0 && here <= left {
                smaller += choose(behind, left - here);
            }
            entry
        };
        (0..VALUES).map(&mut entry).collect()
    };
    let mut third = vec![0; VALUES];
    let mut seen = [0; CHUNK + 1];
    for (value, number) in third.iter_mut().enumerate() {
        let kind = &mut seen[value.count_ones() as usize];
        *number = *kind;
        *kind += 1;
    }
    Form::Masks {
        first: table(0, ones),
        second: (0..=CHUNK).flat_map(|before| table(1, ones.saturating_sub(before))).collect(),
        third,
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
            all.retain(&carrier, &codes, &mut kept, |rank| rank % 3 == 1);
            let slow = codes.iter().copied().filter(|&code| all.rank(all.carried(&carrier, code)) % 3 == 1);
            assert_eq!(kept, slow.collect::<Vec<_>>());
            assert_eq!(then(&map, &inverse(&map)), (0..all.places() as u8).collect::<Vec<_>>());
        }
    }
}

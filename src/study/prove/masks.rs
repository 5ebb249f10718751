//! Masks of places: their numbering, and permutations of their places.
//!
//! A mask is cut into chunks of bits. A permutation of the places is one look-up for each chunk, and so is the
//! number of a mask among those with as many ones: the numbers follow the masks as binary numbers, so that a
//! chunk adds what depends on its bits and on the ones below it.

use std::ops::BitOr;

use crate::encode::binomial::choose;

/// Bits of a chunk.
pub const CHUNK: usize = 9;
/// Values of a chunk.
pub const VALUES: usize = 1 << CHUNK;

/// The bits of one chunk of a mask.
#[inline(always)]
pub fn chunk(mask: u64, number: usize) -> usize {
    mask as usize >> (number * CHUNK) & (VALUES - 1)
}

/// The numbers of masks with a given number of ones. `MIDDLE` + 2 chunks hold all places.
pub struct MaskRanks<const MIDDLE: usize> {
    places: usize,
    ones: usize,
    /// What the lowest chunk adds.
    first: Vec<u32>,
    /// What the chunks between add: by chunk, by ones below and by its bits, flattened.
    middle: Vec<u32>,
    /// What the highest chunk adds.
    last: Vec<u32>,
}

impl<const MIDDLE: usize> MaskRanks<MIDDLE> {
    /// The most places.
    pub const PLACES: usize = (MIDDLE + 2) * CHUNK;

    /// The numbers of masks of `ones` among `places`; `None` if they are too many.
    pub fn new(places: usize, ones: usize) -> Option<Self> {
        if places > Self::PLACES || ones > places || choose(places, ones) > u64::from(u32::MAX) {
            return None;
        }
        // What a chunk adds if there are `below` ones below it.
        let adds = |number: usize, below: usize, value: usize| -> u32 {
            if below + value.count_ones() as usize > ones {
                return 0;
            }
            let bits = (0..CHUNK).filter(|bit| value >> bit & 1 == 1);
            (below + 1..).zip(bits).map(|(one, bit)| choose(number * CHUNK + bit, one) as u32).sum()
        };
        let values = 0..VALUES;
        let below_last = |value: usize| ones.saturating_sub(value.count_ones() as usize);
        let (mut middle, rows) = (Vec::new(), ones + 1);
        for number in 0..MIDDLE {
            for below in 0..rows {
                middle.extend(values.clone().map(|value| adds(number + 1, below, value)));
            }
        }
        let first = values.clone().map(|value| adds(0, 0, value)).collect();
        let last = values.map(|value| adds(MIDDLE + 1, below_last(value), value)).collect();
        Some(MaskRanks { places, ones, first, middle, last })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        choose(self.places, self.ones) as usize
    }

    /// The number of a mask.
    #[inline(always)]
    pub fn rank(&self, mask: u64) -> usize {
        let low = chunk(mask, 0);
        let mut sum = self.first[low] + self.last[chunk(mask, MIDDLE + 1)];
        let mut below = low.count_ones() as usize;
        for number in 0..MIDDLE {
            let value = chunk(mask, number + 1);
            sum += self.middle[((number * (self.ones + 1) + below) << CHUNK) | value];
            below += value.count_ones() as usize;
        }
        sum as usize
    }

    /// All masks in the order of their numbers.
    pub fn masks(&self) -> impl Iterator<Item = u64> + use<MIDDLE> {
        let places = self.places;
        let next = move |&mask: &u64| following(mask).filter(|mask| mask >> places == 0);
        std::iter::successors(Some((1u64 << self.ones) - 1), next)
    }
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

/// A permutation of places, or another map of them, made ready for masks of `chunks` chunks: by chunk and its
/// bits the image, flattened. `bit` is the image of a place.
pub fn images<T: Copy + Default + BitOr<Output = T>>(chunks: usize, bit: impl Fn(usize) -> T) -> Vec<T> {
    let mut images = vec![T::default(); chunks * VALUES];
    for (number, images) in images.chunks_mut(VALUES).enumerate() {
        for one in 0..CHUNK {
            let image = bit(number * CHUNK + one);
            for value in 0..1 << one {
                images[value | 1 << one] = images[value] | image;
            }
        }
    }
    images
}

/// The image of a mask.
#[inline(always)]
pub fn image<const CHUNKS: usize>(images: &[u64], mask: u64) -> u64 {
    let mut all = 0;
    for number in 0..CHUNKS {
        all |= images[number * VALUES + chunk(mask, number)];
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers_are_a_bijection<const MIDDLE: usize>(places: usize, ones: usize) {
        let ranks = MaskRanks::<MIDDLE>::new(places, ones).unwrap();
        let mut number = 0;
        for mask in ranks.masks() {
            assert_eq!(ranks.rank(mask), number);
            number += 1;
        }
        assert_eq!(number, ranks.count());
    }

    #[test]
    fn masks_are_numbered_in_order() {
        numbers_are_a_bijection::<1>(27, 9);
        numbers_are_a_bijection::<1>(12, 4);
        numbers_are_a_bijection::<1>(5, 0);
        numbers_are_a_bijection::<2>(16, 4);
        numbers_are_a_bijection::<2>(36, 4);
        numbers_are_a_bijection::<2>(30, 5);
        assert!(MaskRanks::<1>::new(28, 4).is_none());
        assert!(MaskRanks::<2>::new(36, 18).is_none());
    }

    #[test]
    fn images_permute() {
        let map = |place: usize| 1u64 << ((place * 7 + 3) % 36);
        let images = images(4, map);
        for mask in MaskRanks::<2>::new(36, 3).unwrap().masks() {
            let slow = (0..36).filter(|place| mask >> place & 1 == 1).fold(0, |all, place| all | map(place));
            assert_eq!(image::<4>(&images, mask), slow);
        }
    }
}

//! Labels on free places as numbers, for the check alone: nothing here is shared with the search.

use crate::encode::Multiset;
use crate::encode::binomial::choose;

/// Labels as numbers: their place in lexicographic order.
pub(super) struct Ranking {
    places: usize,
    /// The labels of all arrangements in the order of their ranks, flattened.
    all: Vec<u8>,
    form: RankingForm,
}

enum RankingForm {
    /// Two labels: the places of the first one as bits, by rank, and what each byte of bits adds to a rank. That
    /// is by byte, by how many of the first label are left from there on, and by the bits, flattened.
    Two { bits: Vec<u32>, sums: Vec<u32>, ones: usize },
    /// More labels.
    More(Multiset),
}

/// A permutation of places, made ready.
pub(super) enum Mover {
    /// By byte and its bits, flattened: where the bits come to.
    Bytes(Vec<u32>),
    /// By place.
    Places(Vec<u8>),
}

/// Places that bits are kept for.
const MOST_PLACES: usize = 32;
/// Values of a byte.
const BYTE: usize = 256;

impl Ranking {
    pub fn new(counts: &[usize]) -> Option<Ranking> {
        let multiset = Multiset::new(counts)?;
        let places: usize = counts.iter().sum();
        let count = u32::try_from(multiset.count()).ok().filter(|&count| count < 1 << 26)?;
        let all: Vec<u8> = (0..count).filter_map(|rank| multiset.unrank(rank.into())).flatten().collect();
        let form = match counts {
            &[ones, _] if places <= MOST_PLACES => {
                let bit = |(place, &label): (usize, &u8)| u32::from(label == 0) << place;
                let bits = all.chunks(places.max(1));
                let bits = bits.map(|labels| labels.iter().enumerate().map(bit).sum()).collect();
                RankingForm::Two { bits, sums: byte_sums(places, ones), ones }
            }
            _ => RankingForm::More(multiset),
        };
        Some(Ranking { places, all, form })
    }

    pub fn count(&self) -> usize {
        self.all.len() / self.places.max(1)
    }

    pub fn labels(&self, rank: u32) -> Vec<u8> {
        self.list(rank).to_vec()
    }

    fn list(&self, rank: u32) -> &[u8] {
        &self.all[rank as usize * self.places..][..self.places]
    }

    /// Makes ready what carries place `i` to `map[i]`.
    pub fn mover(&self, map: &[u8]) -> Mover {
        if let RankingForm::More(_) = self.form {
            return Mover::Places(map.to_vec());
        }
        let mut images = vec![0u32; MOST_PLACES / 8 * BYTE];
        for (number, image) in images.iter_mut().enumerate() {
            let (first, bits) = (number / BYTE * 8, number % BYTE);
            let places = (first..first + 8).filter(|place| bits >> (place - first) & 1 == 1);
            *image = places.filter_map(|place| map.get(place)).map(|&to| 1 << to).sum();
        }
        Mover::Bytes(images)
    }

    /// The rank after the places have moved.
    pub fn moved(&self, rank: u32, mover: &Mover) -> u32 {
        match (&self.form, mover) {
            (RankingForm::Two { bits, sums, ones }, Mover::Bytes(images)) => {
                let bytes = bits[rank as usize].to_le_bytes();
                let image = |byte: usize| images[byte * BYTE + usize::from(bytes[byte])];
                let bytes = (image(0) | image(1) | image(2) | image(3)).to_le_bytes();
                let (mut left, mut rank) = (*ones, 0);
                for (byte, &bits) in bytes.iter().enumerate() {
                    rank += sums[(byte * (ones + 1) + left) * BYTE + usize::from(bits)];
                    left -= bits.count_ones() as usize;
                }
                rank
            }
            (RankingForm::More(multiset), Mover::Places(map)) => {
                let mut moved = vec![0; self.places];
                map.iter().zip(self.list(rank)).for_each(|(&to, &label)| moved[usize::from(to)] = label);
                multiset.rank(&moved).unwrap_or_default() as u32
            }
            _ => rank,
        }
    }
}

/// What each byte of places adds to the rank of two labels: for a place that has the second one, the number of
/// arrangements that have the first one there instead.
fn byte_sums(places: usize, ones: usize) -> Vec<u32> {
    let instead = |place: usize, left: usize| match left {
        0 => 0,
        _ => choose(places - place - 1, left - 1) as u32,
    };
    let sum = |first: usize, mut left: usize, bits: usize| {
        let mut sum = 0;
        for place in (first..first + 8).take_while(|&place| place < places) {
            match bits >> (place - first) & 1 {
                0 => sum += instead(place, left),
                _ => left = left.saturating_sub(1),
            }
        }
        sum
    };
    let mut sums = Vec::new();
    for byte in 0..MOST_PLACES / 8 {
        for left in 0..=ones {
            sums.extend((0..BYTE).map(|bits| sum(8 * byte, left, bits)));
        }
    }
    sums
}

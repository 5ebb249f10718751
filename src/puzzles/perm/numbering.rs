//! From cells to a number and back.
//!
//! A track has two coordinates: the *arrangement* of its kinds of pieces and the word of their *twists*.
//! The number of a state has the coordinates as its digits, the first one most significant. What the
//! [laws](super::laws) exclude is left out: of the last twist of a track, and of the parity of an
//! arrangement, only what the coordinates before it leave open is counted.
//!
//! Arrangements of distinct pieces are numbered lexicographically, so that two neighbours of unlike parity
//! share a number where the parity is known. Others are numbered kind by kind: which of the slots left
//! hold the first kind, and so on.
//!
//! Small tracks can obey further laws; then their states are [listed](super::listing), and a part of
//! some of them is one digit: the classes of the part that the parts before it leave open, and which state it is
//! of those with the same classes.

use super::frame::{CellFrame, Cells, MOST_CELLS, Motion, gcd};
use super::laws::Laws;
use super::listing::{Listed, Lister};
use crate::encode::binomial::{MAX_N, choose, multinomial};

/// The most distinct pieces whose arrangements fit in 64 bits.
const MOST_DISTINCT: usize = 20;

/// The numbering of the states of a frame.
pub(super) struct Numbering {
    tracks: Vec<TrackNumbers>,
    parts: Vec<Part>,
    pub laws: Laws,
    /// All numbers are below it.
    pub count: u128,
}

/// Digits of a number, and the number of their first class.
enum Part {
    /// A track: its arrangement and its twists.
    Track { track: usize, first: usize },
    /// Tracks whose states are listed.
    Listed { listed: Listed, first: usize },
}

/// The two coordinates of a track.
#[derive(Clone)]
pub(super) struct TrackNumbers {
    first: usize,
    slots: usize,
    /// By code: the kind.
    kinds: Box<[u8; 256]>,
    /// By code: the twist.
    twists: Box<[u8; 256]>,
    /// By kind: its first code, how many there are, its modulus.
    pieces: Vec<(u8, usize, u8)>,
    distinct: bool,
    /// Arrangements and twist words that the laws leave.
    arrangements: u64,
    words: u64,
    /// Of the classes of both: what is known of them, given those before.
    steps: [u32; 2],
    /// What the sum of twists is counted modulo.
    period: u32,
}

impl Numbering {
    /// The numbering of what can be reached from the roots, and perhaps more; where there is none, why.
    pub fn new(frame: &CellFrame) -> Result<Numbering, String> {
        let mut tracks = Vec::new();
        for track in &frame.tracks {
            let mut kinds = Box::new([0; 256]);
            let mut twists = Box::new([0; 256]);
            for (number, kind) in (0..=u8::MAX).zip(&track.kinds) {
                for twist in 0..kind.modulus {
                    kinds[usize::from(kind.code + twist)] = number;
                    twists[usize::from(kind.code + twist)] = twist;
                }
            }
            let slots = track.slots.len();
            let distinct = track.kinds.len() == slots;
            let too_many = || format!("{slots} pieces have more arrangements than 64 bits can number");
            if slots > MAX_N || distinct && slots > MOST_DISTINCT {
                return Err(too_many());
            }
            let counts: Vec<usize> = track.kinds.iter().map(|kind| kind.count).collect();
            let arrangements = multinomial(&counts).and_then(|count| u64::try_from(count).ok());
            let period = track.kinds.iter().fold(0, |sum, kind| gcd(sum, kind.modulus.into())) as u32;
            let per_kind =
                |kind: &super::frame::PieceKind| u64::from(kind.modulus).checked_pow(kind.count as u32);
            let mut words = track.kinds.iter().map(per_kind);
            let words = words.try_fold(1u64, |product, factor| product.checked_mul(factor?));
            tracks.push(TrackNumbers {
                first: track.first,
                slots,
                kinds,
                twists,
                pieces: track.kinds.iter().map(|kind| (kind.code, kind.count, kind.modulus)).collect(),
                distinct,
                arrangements: arrangements.ok_or_else(too_many)?,
                words: words.ok_or_else(too_many)?,
                steps: [1, 1],
                period,
            });
        }
        let alone = (0..tracks.len()).map(|track| Part::Track { track, first: 2 * track }).collect();
        Numbering::of_parts(frame, tracks, alone)
    }

    /// The same with all laws that small parts obey, if there are any that it does not know.
    pub fn with_listed_parts(self, frame: &CellFrame) -> Numbering {
        let tracks: Vec<TrackNumbers> = self.tracks.iter().map(TrackNumbers::without_laws).collect();
        let Some(listed) = Lister::parts(frame, &tracks) else {
            return self;
        };
        let mut first = 0;
        let mut parts = Vec::new();
        let mut add = |part: &dyn Fn(usize) -> Part| {
            let part = part(first);
            first += part.periods(&tracks).len();
            parts.push(part);
        };
        for track in 0..tracks.len() {
            match listed.iter().find(|listed| listed.tracks.contains(&track)) {
                None => add(&|first| Part::Track { track, first }),
                Some(listed) if listed.tracks[0] == track => {
                    add(&|first| Part::Listed { listed: listed.clone(), first });
                }
                Some(_) => {}
            }
        }
        match Numbering::of_parts(frame, tracks, parts) {
            Ok(better) if better.count < self.count => better,
            _ => self,
        }
    }

    fn of_parts(frame: &CellFrame, tracks: Vec<TrackNumbers>, parts: Vec<Part>) -> Result<Numbering, String> {
        let mut numbering = Numbering { tracks, parts, laws: Laws::new(&[], &[], Vec::new()), count: 0 };
        let periods = numbering.periods();
        if periods.len() > Laws::MOST {
            return Err(format!("there are more than {} independent sets of slots", Laws::MOST / 2));
        }
        let classes: Vec<Vec<u32>> = frame.roots.iter().map(|root| numbering.classes(root)).collect();
        let mut constants: Vec<Vec<u32>> =
            frame.moves.iter().map(|mv| numbering.constant(frame, mv)).collect();
        constants.extend(classes.iter().map(|other| {
            let all = other.iter().zip(&classes[0]).zip(&periods);
            all.map(|((&class, &root), &period)| (class + period - root) % period).collect()
        }));
        numbering.laws = Laws::new(&periods, &constants, classes[0].clone());
        let Numbering { tracks, parts, laws, .. } = &mut numbering;
        let mut sizes = Vec::new();
        for part in parts {
            match part {
                Part::Track { track, first } => {
                    let track = &mut tracks[*track];
                    track.steps = [laws.step(*first), laws.step(*first + 1)];
                    track.arrangements /= u64::from(track.steps[0]);
                    track.words /= u64::from(track.steps[1]);
                    sizes.extend([track.arrangements, track.words]);
                }
                Part::Listed { listed, first } => {
                    let steps = (0..listed.periods.len()).map(|at| u64::from(laws.step(*first + at)));
                    sizes.push(listed.count() as u64 / steps.product::<u64>());
                }
            }
        }
        let count = sizes.into_iter().map(u128::from).try_fold(1u128, |count, size| count.checked_mul(size));
        numbering.count = count.ok_or("there are more states than 128 bits can number")?;
        Ok(numbering)
    }

    /// Whether each track has a number of its own.
    pub fn is_by_tracks(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Track { .. }))
    }

    /// The classes of all coordinates.
    pub fn classes(&self, cells: &Cells) -> Vec<u32> {
        let mut classes = Vec::with_capacity(Laws::MOST);
        for part in &self.parts {
            match part {
                Part::Track { track, .. } => {
                    let track = &self.tracks[*track];
                    classes.extend([track.parity(cells), track.sum(cells)]);
                }
                Part::Listed { listed, .. } => {
                    let number = listed.number(&self.tracks, cells).unwrap_or(0);
                    listed.classes(number, &mut classes);
                }
            }
        }
        classes
    }

    /// What the classes are counted modulo.
    pub fn periods(&self) -> Vec<u32> {
        self.parts.iter().flat_map(|part| part.periods(&self.tracks)).collect()
    }

    /// What a move adds to the classes.
    pub fn constant(&self, frame: &CellFrame, mv: &Motion) -> Vec<u32> {
        let mut moved = [0; MOST_CELLS];
        let start = &frame.roots[0];
        frame.recodings.moved(mv, start, &mut moved);
        let (before, after) = (self.classes(start), self.classes(&moved));
        let all = before.iter().zip(&after).zip(self.periods());
        all.map(|((&before, &after), period)| (after + period - before) % period).collect()
    }

    /// The number of a state, which must obey the laws.
    pub fn rank(&self, cells: &Cells) -> u128 {
        let mut number = 0u128;
        for part in &self.parts {
            match part {
                Part::Track { track, .. } => {
                    let track = &self.tracks[*track];
                    number =
                        number * u128::from(track.arrangements) + u128::from(track.rank_arrangement(cells));
                    number = number * u128::from(track.words) + u128::from(track.rank_word(cells));
                }
                Part::Listed { listed, first } => {
                    let found = listed.number(&self.tracks, cells).unwrap_or(0);
                    let (digit, count) = self.listed_digit(listed, *first, found);
                    number = number * u128::from(count) + u128::from(digit);
                }
            }
        }
        number
    }

    /// The digit of a listed part that has a number, and how many digits there are.
    fn listed_digit(&self, listed: &Listed, first: usize, number: u32) -> (u32, u32) {
        let mut classes = number / listed.size;
        let (mut digit, mut place) = (0, 1);
        for (at, &period) in listed.periods.iter().enumerate().rev() {
            let step = self.laws.step(first + at);
            digit += classes % period / step * place;
            place *= period / step;
            classes /= period;
        }
        (digit * listed.size + number % listed.size, place * listed.size)
    }

    /// The state with a number below the count.
    pub fn unrank(&self, mut number: u128, cells: &mut Cells) {
        let mut digits = [(0, 0); Laws::MOST];
        for (digits, part) in digits.iter_mut().zip(&self.parts).rev() {
            match part {
                Part::Track { track, .. } => {
                    let track = &self.tracks[*track];
                    let word = number % u128::from(track.words);
                    number /= u128::from(track.words);
                    let arrangement = number % u128::from(track.arrangements);
                    number /= u128::from(track.arrangements);
                    *digits = (arrangement as u64, word as u64);
                }
                Part::Listed { listed, first } => {
                    let (_, count) = self.listed_digit(listed, *first, 0);
                    *digits = ((number % u128::from(count)) as u64, 0);
                    number /= u128::from(count);
                }
            }
        }
        let mut follow = self.laws.begin();
        for (part, (digit, word)) in self.parts.iter().zip(digits) {
            match part {
                Part::Track { track, first } => {
                    let track = &self.tracks[*track];
                    track.unrank_arrangement(digit, self.laws.residue(&follow, *first), cells);
                    if self.laws.linked {
                        self.laws.note(&mut follow, *first, track.parity(cells));
                    }
                    track.unrank_word(word, self.laws.residue(&follow, *first + 1), cells);
                    if self.laws.linked {
                        self.laws.note(&mut follow, *first + 1, track.sum(cells));
                    }
                }
                Part::Listed { listed, first } => {
                    let (mut open, within) = (digit as u32 / listed.size, digit as u32 % listed.size);
                    // The first class is the most significant one.
                    let choices = |at: usize| listed.periods[at] / self.laws.step(*first + at);
                    let mut place: u32 = (0..listed.periods.len()).map(choices).product();
                    let mut classes = 0;
                    for (at, &period) in listed.periods.iter().enumerate() {
                        place /= choices(at);
                        let step = self.laws.step(*first + at);
                        let class = self.laws.residue(&follow, *first + at) + open / place * step;
                        open %= place;
                        if self.laws.linked {
                            self.laws.note(&mut follow, *first + at, class);
                        }
                        classes = classes * period + class;
                    }
                    listed.set(&self.tracks, classes * listed.size + within, cells);
                }
            }
        }
    }

    /// How many arrangements and words of twists a track has.
    pub fn sizes(&self, track: usize) -> (u64, u64) {
        (self.tracks[track].arrangements, self.tracks[track].words)
    }

    /// The number of a track's arrangement.
    #[inline(always)]
    pub fn arrangement(&self, track: usize, cells: &Cells) -> u64 {
        self.tracks[track].rank_arrangement(cells)
    }

    /// The number of a track's twists.
    #[inline(always)]
    pub fn word(&self, track: usize, cells: &Cells) -> u64 {
        self.tracks[track].rank_word(cells)
    }

    /// Arranges a track, without twists. Laws must not link it with others.
    pub fn set_arrangement(&self, track: usize, number: u64, cells: &mut Cells) {
        let residue = self.laws.residue(&self.laws.begin(), 2 * track);
        self.tracks[track].unrank_arrangement(number, residue, cells);
    }

    /// Twists what lies in a track without twists.
    pub fn set_word(&self, track: usize, number: u64, cells: &mut Cells) {
        let residue = self.laws.residue(&self.laws.begin(), 2 * track + 1);
        self.tracks[track].unrank_word(number, residue, cells);
    }

    /// Whether a state has a number.
    pub fn has(&self, cells: &Cells) -> bool {
        let is_listed = |part: &Part| match part {
            Part::Track { .. } => true,
            Part::Listed { listed, .. } => listed.number(&self.tracks, cells).is_some(),
        };
        self.parts.iter().all(is_listed) && self.laws.allow(&self.classes(cells))
    }
}

impl Part {
    /// What its classes are counted modulo.
    fn periods(&self, tracks: &[TrackNumbers]) -> Vec<u32> {
        match self {
            Part::Track { track, .. } => {
                let track = &tracks[*track];
                vec![if track.distinct && track.slots > 1 { 2 } else { 1 }, track.period]
            }
            Part::Listed { listed, .. } => listed.periods.clone(),
        }
    }
}

impl TrackNumbers {
    /// The same where nothing is known of classes.
    fn without_laws(&self) -> TrackNumbers {
        let [arrangements, words] = self.steps.map(u64::from);
        TrackNumbers {
            arrangements: self.arrangements * arrangements,
            words: self.words * words,
            steps: [1, 1],
            ..self.clone()
        }
    }

    /// How many arrangements and words of twists there are.
    pub fn sizes(&self) -> (u64, u64) {
        (self.arrangements, self.words)
    }

    fn cells<'c>(&self, cells: &'c Cells) -> &'c [u8] {
        &cells[self.first..self.first + self.slots]
    }

    /// The parity of an arrangement of distinct pieces; 0 for others.
    fn parity(&self, cells: &Cells) -> u32 {
        if !self.distinct {
            return 0;
        }
        let mut odd = 0;
        let mut seen = 0u64;
        for &code in self.cells(cells) {
            let kind = self.kinds[usize::from(code)];
            odd ^= (seen >> kind).count_ones() & 1;
            seen |= 1 << kind;
        }
        odd
    }

    /// The sum of twists, modulo what all pieces show.
    fn sum(&self, cells: &Cells) -> u32 {
        let twists = self.cells(cells).iter().map(|&code| u32::from(self.twists[usize::from(code)]));
        twists.sum::<u32>() % self.period
    }

    pub fn rank_arrangement(&self, cells: &Cells) -> u64 {
        let cells = self.cells(cells);
        if self.distinct {
            let mut unused = u64::MAX;
            let mut rank = 0;
            for (place, &code) in cells.iter().enumerate() {
                let kind = self.kinds[usize::from(code)];
                let smaller = (unused & ((1 << kind) - 1)).count_ones();
                rank = rank * (self.slots - place) as u64 + u64::from(smaller);
                unused &= !(1 << kind);
            }
            return rank / u64::from(self.steps[0]);
        }
        // The last kind fills what is left.
        let mut rank = 0;
        let mut left = self.slots;
        for (kind, &(_, count, _)) in self.pieces.iter().enumerate().take(self.pieces.len() - 1) {
            let (mut place, mut found, mut chosen) = (0, 0, 0);
            for &code in cells {
                let other = usize::from(self.kinds[usize::from(code)]);
                if other == kind {
                    found += 1;
                    chosen += choose(place, found);
                }
                place += usize::from(other >= kind);
            }
            rank = rank * choose(left, count) + chosen;
            left -= count;
        }
        rank
    }

    /// Fills the cells with kinds, all twists 0. Where the parity is known, it is `residue`.
    pub fn unrank_arrangement(&self, mut rank: u64, residue: u32, cells: &mut Cells) {
        if self.distinct {
            let digits = &mut cells[self.first..self.first + self.slots];
            rank *= u64::from(self.steps[0]);
            for (place, digit) in digits.iter_mut().enumerate().rev() {
                let left = (self.slots - place) as u64;
                *digit = (rank % left) as u8;
                rank /= left;
            }
            let mut unused = u64::MAX;
            for digit in digits.iter_mut() {
                let mut rest = unused;
                for _ in 0..*digit {
                    rest &= rest - 1;
                }
                let kind = rest.trailing_zeros() as usize;
                unused &= !(1 << kind);
                *digit = self.pieces[kind].0;
            }
            if self.steps[0] == 2 && self.parity(cells) != residue {
                let last = self.first + self.slots - 1;
                cells.swap(last - 1, last);
            }
            return;
        }
        let kinds = self.pieces.len();
        let mut digits = [0; MAX_N];
        let mut left = self.pieces[kinds - 1].1;
        for kind in (0..kinds - 1).rev() {
            left += self.pieces[kind].1;
            let ways = choose(left, self.pieces[kind].1);
            digits[kind] = rank % ways;
            rank /= ways;
        }
        let cells = &mut cells[self.first..self.first + self.slots];
        cells.fill(self.pieces[kinds - 1].0);
        // A bit for every slot that no kind has taken.
        let mut free = u64::MAX >> (64 - self.slots);
        for (kind, &(code, count, _)) in self.pieces.iter().enumerate().take(kinds - 1) {
            let mut chosen = digits[kind];
            let mut needed = count;
            let mut open = free;
            while needed > 0 && open != 0 {
                // From the last free slot down.
                let slot = 63 - open.leading_zeros() as usize;
                open &= !(1 << slot);
                let below = choose(open.count_ones() as usize, needed);
                if chosen >= below {
                    chosen -= below;
                    needed -= 1;
                    cells[slot] = code;
                    free &= !(1 << slot);
                }
            }
        }
    }

    pub fn rank_word(&self, cells: &Cells) -> u64 {
        if self.words <= 1 {
            return 0;
        }
        let mut rank = 0;
        let (&last, others) = match self.cells(cells).split_last() {
            Some(split) => split,
            None => return 0,
        };
        for &code in others {
            let (kind, twist) = (self.kinds[usize::from(code)], self.twists[usize::from(code)]);
            rank = rank * u64::from(self.pieces[usize::from(kind)].2) + u64::from(twist);
        }
        let (kind, twist) = (self.kinds[usize::from(last)], self.twists[usize::from(last)]);
        let left = u64::from(self.pieces[usize::from(kind)].2) / u64::from(self.steps[1]);
        rank * left + u64::from(twist) / u64::from(self.steps[1])
    }

    /// Adds twists to cells that have none. Their sum is `residue` as far as it is known.
    pub fn unrank_word(&self, mut rank: u64, residue: u32, cells: &mut Cells) {
        let step = self.steps[1];
        let cells = &mut cells[self.first..self.first + self.slots];
        let Some((last, others)) = cells.split_last_mut() else {
            return;
        };
        let modulus = |code: u8| u64::from(self.pieces[usize::from(self.kinds[usize::from(code)])].2);
        let left = modulus(*last) / u64::from(step);
        let high = (rank % left) as u32;
        rank /= left;
        let mut sum = 0;
        for cell in others.iter_mut().rev() {
            let modulus = modulus(*cell);
            let twist = (rank % modulus) as u8;
            rank /= modulus;
            *cell += twist;
            sum += u32::from(twist);
        }
        *last += (high * step + (residue + step - sum % step) % step) as u8;
    }
}

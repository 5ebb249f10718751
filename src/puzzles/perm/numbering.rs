//! From cells to a number and back.
//!
//! A track has two coordinates: the *arrangement* of its kinds of pieces and the word of their *twists*; see
//! [`track_numbers`](super::track_numbers). The number of a state has the coordinates as its digits, the first one most significant. What the
//! [laws](super::laws) exclude is left out: of the last twist of a track, and of the parity of an
//! arrangement, only what the coordinates before it leave open is counted.
//!
//! Small tracks can obey further laws; then their states are [listed](super::listing), and a part of
//! some of them is one digit: the classes of the part that the parts before it leave open, and which state it is
//! of those with the same classes.

use super::frame::{CellFrame, Cells, MOST_CELLS, Motion};
use super::laws::Laws;
use super::listing::{Listed, Lister};
use super::track_numbers::TrackNumbers;

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

impl Numbering {
    /// The numbering of what can be reached from the roots, and perhaps more; where there is none, why.
    pub fn new(frame: &CellFrame) -> Result<Numbering, String> {
        let tracks = frame.tracks.iter().map(TrackNumbers::new).collect::<Result<Vec<_>, _>>()?;
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
                    track.obey([laws.step(*first), laws.step(*first + 1)]);
                    sizes.extend(<[u64; 2]>::from(track.sizes()));
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
                    let (arrangements, words) = track.sizes();
                    number = number * u128::from(arrangements) + u128::from(track.rank_arrangement(cells));
                    number = number * u128::from(words) + u128::from(track.rank_word(cells));
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
                    let (arrangements, words) = self.tracks[*track].sizes();
                    let word = number % u128::from(words);
                    number /= u128::from(words);
                    let arrangement = number % u128::from(arrangements);
                    number /= u128::from(arrangements);
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
        self.tracks[track].sizes()
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
            Part::Track { track, .. } => tracks[*track].periods().to_vec(),
            Part::Listed { listed, .. } => listed.periods.clone(),
        }
    }
}

//! One large set of distinct pieces without symmetry, numbered by where the pieces are.
//!
//! # Why
//! A cell-by-cell number has to be decoded, moved and ranked for every neighbour, and neighbours lie all over the
//! universe. Here all states in which the first pieces lie alike are neighbours: they are a *row*. A move takes
//! every piece to the slot that follows from its own slot alone, so it takes a whole row to one other row.
//!
//! # The index
//! *index = rank of the places of the first pieces (the row) x columns + column*.
//!
//! The place of a piece is its slot among those that are left, and its twist. The *last* pieces, a few, fill
//! the slots that are left, twisted: an element of a small group. What a move does to them depends on the row and the
//! move: it permutes and turns the slots that are left, which is an element of the same group. So the columns of
//! a row are carried by one row of the group's multiplication table. Laws on parity and on the sum of twists
//! leave a part of the group in each row, always as many elements.
//!
//! [`product`](super::product) does the same for several sets; [`space`](super::space) serves all others, and is what
//! this is checked against.

use super::frame::{Cells, MOST_CELLS};
use super::space::CellSpace;
use crate::space::{Direction, RowStep, Rows, Space};

/// The most pieces.
const MOST_PIECES: usize = 20;
/// The most elements of the group of the last pieces: its table has the square of that.
const MOST_ELEMENTS: usize = 2048;
/// The fewest columns that make a row.
const LEAST_COLUMNS: usize = 64;
/// In spaces with fewer states, nothing is gained.
const LEAST_STATES: u128 = 1 << 20;

/// The states of a puzzle with one set of distinct pieces.
pub(super) struct LocatedSpace {
    pub cells: CellSpace,
    pieces: usize,
    /// How many of them decide the row.
    first: usize,
    twists: usize,
    /// By move and slot: the slot that a piece goes to from there, and the turn that it gets.
    targets: Vec<[(u8, u8); MOST_PIECES]>,
    rows: u64,
    group: LastPieces,
    /// What is known of the parity, and of the sum of twists: a number, modulo another one.
    parity: (usize, usize),
    sum: (usize, usize),
}

/// Arrangements of the last pieces in as many slots, with twists: elements of a group.
struct LastPieces {
    count: usize,
    twists: usize,
    elements: usize,
    columns: usize,
    /// `[kind of row][column]`, flattened: the element.
    members: Vec<u16>,
    /// By element: its column in the rows that it is in.
    column: Vec<u16>,
    /// `[kind of row][element of a move][column]`, flattened: the column in the other row.
    carried: Vec<u16>,
}

/// How many pieces decide the row, the group of the others, and the laws on parity and on the sum of twists.
struct PlacesPlan {
    first: usize,
    group: LastPieces,
    parity: (usize, usize),
    sum: (usize, usize),
}

/// Where the pieces are: slots and twists.
#[derive(Clone, Copy)]
struct PiecePlaces {
    slots: [u8; MOST_PIECES],
    twists: [u8; MOST_PIECES],
}

/// The first pieces of a row, and what follows from them.
#[derive(Clone, Copy)]
struct RowPlaces {
    places: PiecePlaces,
    /// A bit for every slot that is left.
    left: u32,
    kind: usize,
}

impl LocatedSpace {
    /// The states of a space by places; the space itself if that cannot be, or gains nothing.
    pub fn new(space: CellSpace) -> Result<LocatedSpace, Box<CellSpace>> {
        LocatedSpace::with_least(space, LEAST_STATES, LEAST_COLUMNS)
    }

    /// The same for spaces that have at least so many states and columns.
    pub fn with_least(space: CellSpace, states: u128, columns: usize) -> Result<Self, Box<CellSpace>> {
        let Some(PlacesPlan { first, group, parity, sum }) = plan(&space, states, columns) else {
            return Err(Box::new(space));
        };
        let track = &space.frame.tracks[0];
        let (pieces, twists) = (track.slots.len(), usize::from(track.twists));
        let target = |mv: &super::frame::Motion, turns: &Vec<u8>| {
            let mut targets = [(0, 0); MOST_PIECES];
            for (slot, (&(source, _), &turn)) in (0..).zip(mv.steps.iter().zip(turns)) {
                targets[usize::from(source)] = (slot, turn);
            }
            targets
        };
        let moves = space.frame.moves.iter().zip(&space.frame.turns);
        let targets = moves.map(|(mv, turns)| target(mv, turns)).collect();
        let places = (0..first).map(|piece| ((pieces - piece) * twists) as u64);
        let rows = places.product();
        Ok(LocatedSpace { pieces, first, twists, targets, rows, group, parity, sum, cells: space })
    }

    /// The row with a number.
    #[inline(always)]
    fn row(&self, mut number: u64) -> RowPlaces {
        let mut digits = [0; MOST_PIECES];
        for piece in (0..self.first).rev() {
            let choices = ((self.pieces - piece) * self.twists) as u64;
            digits[piece] = (number % choices) as usize;
            number /= choices;
        }
        let mut places = PiecePlaces { slots: [0; MOST_PIECES], twists: [0; MOST_PIECES] };
        let mut left = u32::MAX >> (32 - self.pieces);
        let (mut odd, mut sum) = (0, 0);
        for (piece, digit) in digits.iter().enumerate().take(self.first) {
            let (place, twist) = (digit / self.twists, digit % self.twists);
            let slot = nth(left, place);
            left &= !(1 << slot);
            places.slots[piece] = slot;
            places.twists[piece] = twist as u8;
            odd ^= place & 1;
            sum += twist;
        }
        RowPlaces { places, left, kind: self.kind(odd, sum) }
    }

    /// The kind of a row, given the parity and the sum of twists of its first pieces: what those of the last
    /// pieces must be.
    #[inline(always)]
    fn kind(&self, odd: usize, sum: usize) -> usize {
        let ((parity, two), (twist, step)) = (self.parity, self.sum);
        (parity + odd) % two * step + (twist + step - sum % step) % step
    }

    /// The row that a move leads to, and the element that it carries the columns with.
    #[inline(always)]
    fn step(&self, row: &RowPlaces, mv: usize) -> (u64, usize) {
        let targets = &self.targets[mv];
        let mut left = u32::MAX >> (32 - self.pieces);
        let mut number = 0;
        for piece in 0..self.first {
            let (slot, turn) = targets[usize::from(row.places.slots[piece])];
            let twist = (usize::from(row.places.twists[piece]) + usize::from(turn)) % self.twists;
            let place = (left & ((1 << slot) - 1)).count_ones() as usize;
            left &= !(1 << slot);
            number =
                number * ((self.pieces - piece) * self.twists) as u64 + (place * self.twists + twist) as u64;
        }
        let mut before = row.left;
        let mut places = [0; MOST_PIECES];
        let mut turns = [0; MOST_PIECES];
        for (place, turned) in places.iter_mut().zip(&mut turns).take(self.group.count) {
            let slot = before.trailing_zeros() as usize;
            before &= before - 1;
            let (to, turn) = targets[slot];
            *place = (left & ((1 << to) - 1)).count_ones() as u8;
            *turned = turn;
        }
        (number, self.group.rank(&places, &turns))
    }

    /// The number of a state that obeys the laws.
    pub fn lawful_number(&self, cells: &Cells) -> u64 {
        let track = &self.cells.frame.tracks[0];
        let mut at = PiecePlaces { slots: [0; MOST_PIECES], twists: [0; MOST_PIECES] };
        for (slot, &lying) in (0..).zip(&cells[..self.pieces]) {
            let (piece, twist) = track.decode(lying);
            at.slots[piece] = slot;
            at.twists[piece] = twist;
        }
        let mut left = u32::MAX >> (32 - self.pieces);
        let mut number = 0;
        for piece in 0..self.first {
            let slot = at.slots[piece];
            let place = (left & ((1 << slot) - 1)).count_ones() as usize;
            left &= !(1 << slot);
            let digit = place * self.twists + usize::from(at.twists[piece]);
            number = number * ((self.pieces - piece) * self.twists) as u64 + digit as u64;
        }
        let mut places = [0; MOST_PIECES];
        for (place, slot) in places.iter_mut().zip(&at.slots[self.first..self.pieces]) {
            *place = (left & ((1 << slot) - 1)).count_ones() as u8;
        }
        let mut twists = [0; MOST_PIECES];
        twists[..self.group.count].copy_from_slice(&at.twists[self.first..self.pieces]);
        let element = self.group.rank(&places, &twists);
        number * self.group.columns as u64 + u64::from(self.group.column[element])
    }

    /// The number of a state; `None` if it has none.
    pub fn number_of(&self, cells: &Cells) -> Option<u64> {
        self.cells.numbering.has(cells).then(|| self.lawful_number(cells))
    }

    /// The state with this number; `None` if there is none.
    pub fn cells_of(&self, number: u64) -> Option<Cells> {
        let columns = self.group.columns as u64;
        if number >= self.rows * columns {
            return None;
        }
        let row = self.row(number / columns);
        let element = self.group.members[row.kind * self.group.columns + (number % columns) as usize];
        let (places, twists) = self.group.unrank(element.into());
        let mut at = row.places;
        for last in 0..self.group.count {
            at.slots[self.first + last] = nth(row.left, places[last].into());
            at.twists[self.first + last] = twists[last];
        }
        let track = &self.cells.frame.tracks[0];
        let mut cells = [0; MOST_CELLS];
        for (piece, kind) in track.kinds.iter().enumerate() {
            cells[usize::from(at.slots[piece])] = kind.code + at.twists[piece];
        }
        Some(cells)
    }
}

/// The number of the slot before which so many of these lie.
#[inline(always)]
fn nth(mut slots: u32, place: usize) -> u8 {
    for _ in 0..place {
        slots &= slots - 1;
    }
    slots.trailing_zeros() as u8
}

/// How the states of a space can be numbered by places; `None` if they cannot.
fn plan(space: &CellSpace, states: u128, columns: usize) -> Option<PlacesPlan> {
    let [track] = &space.frame.tracks[..] else {
        return None;
    };
    let (pieces, twists) = (track.slots.len(), usize::from(track.twists));
    let is_plain = track.kinds.iter().all(|kind| kind.count == 1 && kind.modulus == track.twists);
    let laws = &space.numbering.laws;
    let fits = (states..1 << 62).contains(&space.numbering.count)
        && pieces <= MOST_PIECES
        && space.order() == 1
        && space.legality.is_free()
        && space.numbering.is_by_tracks()
        && !laws.linked;
    if !is_plain || !fits {
        return None;
    }
    let known = |at: usize| (laws.residue(&laws.begin(), at) as usize, laws.step(at) as usize);
    let (parity, sum) = (known(0), known(1));
    let elements = |count: usize| (1..=count).map(|piece| piece * twists).product::<usize>();
    let count = (2..pieces).take_while(|&count| elements(count) <= MOST_ELEMENTS).last()?;
    let group = LastPieces::new(count, twists, parity.1, sum.1);
    (group.columns >= columns).then_some(PlacesPlan { first: pieces - count, group, parity, sum })
}

impl LastPieces {
    /// The group of so many pieces, of which only what laws leave is in a row: parities modulo `two`, and sums of
    /// twists modulo `step`.
    fn new(count: usize, twists: usize, two: usize, step: usize) -> LastPieces {
        let elements = (1..=count).map(|piece| piece * twists).product();
        let columns = elements / two / step;
        let mut group = LastPieces {
            count,
            twists,
            elements,
            columns,
            members: vec![0; elements],
            column: vec![0; elements],
            carried: vec![0; elements * elements],
        };
        let all: Vec<_> = (0..elements).map(|element| group.unrank(element)).collect();
        // Elements are members of the rows that need their parity and their sum.
        let mut found = vec![0; two * step];
        let mut kinds = vec![0; elements];
        for (element, (places, turns)) in all.iter().enumerate() {
            let inversions = |at: usize| places[..at].iter().filter(|&&other| other > places[at]).count();
            let odd = (0..count).map(inversions).sum::<usize>();
            let sum: usize = turns.iter().map(|&turn| usize::from(turn)).sum();
            let kind = odd % two * step + sum % step;
            group.members[kind * columns + found[kind]] = element as u16;
            group.column[element] = found[kind] as u16;
            kinds[element] = kind;
            found[kind] += 1;
        }
        for (element, (places, turns)) in all.iter().enumerate() {
            let column = usize::from(group.column[element]);
            for (mv, (to, turned)) in all.iter().enumerate() {
                let mut after = ([0; MOST_PIECES], [0; MOST_PIECES]);
                for piece in 0..count {
                    let place = usize::from(places[piece]);
                    after.0[piece] = to[place];
                    after.1[piece] =
                        ((usize::from(turns[piece]) + usize::from(turned[place])) % twists) as u8;
                }
                let image = group.column[group.rank(&after.0, &after.1)];
                group.carried[(kinds[element] * elements + mv) * columns + column] = image;
            }
        }
        group
    }

    /// The number of an element: by piece its place and its twist.
    #[inline(always)]
    fn rank(&self, places: &[u8; MOST_PIECES], twists: &[u8; MOST_PIECES]) -> usize {
        let (mut rank, mut word) = (0, 0);
        let mut left = u32::MAX;
        for piece in 0..self.count {
            let place = places[piece];
            rank = rank * (self.count - piece) + (left & ((1 << place) - 1)).count_ones() as usize;
            left &= !(1 << place);
            word = word * self.twists + usize::from(twists[piece]);
        }
        let words = self.twists.pow(self.count as u32);
        rank * words + word
    }

    fn unrank(&self, element: usize) -> ([u8; MOST_PIECES], [u8; MOST_PIECES]) {
        let words = self.twists.pow(self.count as u32);
        let (mut rank, mut word) = (element / words, element % words);
        let (mut digits, mut twists) = ([0; MOST_PIECES], [0; MOST_PIECES]);
        for piece in (0..self.count).rev() {
            digits[piece] = rank % (self.count - piece);
            rank /= self.count - piece;
            twists[piece] = (word % self.twists) as u8;
            word /= self.twists;
        }
        let mut places = [0; MOST_PIECES];
        let mut left = u32::MAX;
        for (place, &digit) in places.iter_mut().zip(&digits).take(self.count) {
            *place = nth(left, digit);
            left &= !(1 << *place);
        }
        (places, twists)
    }

    /// Where an element takes the columns of a row.
    #[inline(always)]
    fn carry(&self, kind: usize, element: usize) -> &[u16] {
        let start = (kind * self.elements + element) * self.columns;
        &self.carried[start..start + self.columns]
    }
}

impl Space<u64> for LocatedSpace {
    fn universe(&self) -> u64 {
        self.rows * self.group.columns as u64
    }

    fn roots(&self) -> Vec<u64> {
        let roots = self.cells.frame.roots.iter().filter_map(|root| self.number_of(root));
        let mut roots: Vec<u64> = roots.collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    fn expand(&self, batch: &[u64], candidates: &mut Vec<u64>) {
        let columns = self.group.columns as u64;
        let mut rest = batch;
        while let Some(&index) = rest.first() {
            let number = index / columns;
            let begin = number * columns;
            let length = rest.iter().take_while(|&&index| index - begin < columns).count().max(1);
            let (run, behind) = rest.split_at(length);
            rest = behind;
            let row = self.row(number);
            for mv in 0..self.targets.len() {
                let (to, element) = self.step(&row, mv);
                let (base, carried) = (to * columns, self.group.carry(row.kind, element));
                candidates
                    .extend(run.iter().map(|&index| base + u64::from(carried[(index - begin) as usize])));
            }
        }
    }

    fn fanout(&self) -> usize {
        self.targets.len()
    }

    fn direction(&self) -> Direction {
        self.cells.direction
    }

    fn rows(&self) -> Option<&dyn Rows> {
        Some(self)
    }
}

impl Rows for LocatedSpace {
    fn columns(&self) -> u32 {
        self.group.columns as u32
    }

    fn steps(&self, row: u64, steps: &mut Vec<RowStep>) {
        let row = self.row(row);
        let step = |mv| {
            let (to, element) = self.step(&row, mv);
            RowStep { row: to, parts: (0, 0), key: (row.kind * self.group.elements + element) as u32 }
        };
        steps.extend((0..self.targets.len()).map(step));
    }

    fn twins(&self, _row: u64, _steps: &mut Vec<RowStep>) {}

    fn carry(&self, _row: u64, step: &RowStep, columns: &[u32], images: &mut Vec<u32>) {
        let carried = self.group.carry(0, step.key as usize);
        images.extend(columns.iter().map(|&column| u32::from(carried[column as usize])));
    }

    fn numbers(&self, class: u64, numbers: &mut Vec<u64>) {
        numbers.push(class);
    }

    fn retain_canonical(&self, _row: u64, _bits: &mut [u64]) {}
}

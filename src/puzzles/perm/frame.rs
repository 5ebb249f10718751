//! What of a definition can change and be seen, as cells: the form that indices and symmetries work on.
//!
//! # Tracks
//! The slots of an orbit fall into *tracks*: a piece gets from a slot to all others of its track, and to no
//! other. Often its orientation is not free either: of the pairs (slot, orientation) of a track a piece
//! gets from one only to some, which lie in every slot a *step* apart. Counted from a *reference* in each
//! slot, an orientation is then an *offset* that a piece never loses, below the step, and a *twist* times
//! the step. Only the twist changes. Pieces with equal labels and different offsets differ for ever, so a
//! *kind* of piece is a label and an offset. Tracks that look the same in all states are left out.
//!
//! Whether slots belong together is decided by the moves, and by what takes one solved pattern to another:
//! so every solved pattern has the same kinds in each track.
//!
//! # Cells
//! A state is a list of bytes, one for each slot of each track: the *code* of a kind and a twist. Moves and
//! symmetries are [`Motion`]s of cells: a slot takes what lies in another one, recoded by a table.

use std::collections::{HashMap, HashSet};

use super::definition::{Definition, NamedMove, OrbitPattern, Pattern, Transformation};

/// The most cells.
pub(super) const MOST_CELLS: usize = 256;
/// Steps that finding the tracks may take: pairs times moves.
const MOST_STEPS: usize = 1 << 26;

/// The state of a puzzle, cell by cell; cells that it has not are 0.
pub(super) type Cells = [u8; MOST_CELLS];

/// All tracks, and the moves on their cells.
pub(super) struct CellFrame {
    pub tracks: Vec<Track>,
    /// How many cells there are.
    pub cells: usize,
    /// By move: what it does.
    pub moves: Vec<Motion>,
    /// By move: the twist that each cell adds to what it takes over.
    pub turns: Vec<Vec<u8>>,
    /// By move: which cells it moves or turns in any way that the definition knows.
    pub touched: Vec<Vec<bool>>,
    /// By move: whether the definition lists it, and whether it lists its inverse.
    pub listed: Vec<(bool, bool)>,
    pub recodings: Recodings,
    /// The solved states.
    pub roots: Vec<Cells>,
}

/// Slots among which moves carry pieces.
#[derive(Clone, Debug)]
pub(super) struct Track {
    /// Its orbit in the definition.
    pub orbit: usize,
    /// Its slots there.
    pub slots: Vec<u8>,
    /// The number of its first cell.
    pub first: usize,
    /// Twists that can be told apart: a multiple of the modulus of every kind.
    pub twists: u8,
    /// The definition's orientations that one twist stands for.
    step: u8,
    /// By slot: the orientation from which others are counted.
    reference: Vec<u8>,
    /// The kinds of pieces.
    pub kinds: Vec<PieceKind>,
}

/// Pieces of a track that cannot be told apart.
#[derive(Clone, Debug)]
pub(super) struct PieceKind {
    /// The label in the definition.
    pub label: u8,
    /// The part of the orientation that never changes.
    offset: u8,
    /// How many there are.
    pub count: usize,
    /// The code of the kind with twist 0.
    pub code: u8,
    /// How many twists can be told apart.
    pub modulus: u8,
}

/// Tables from codes to codes, each kept once.
#[derive(Clone, Default)]
pub(super) struct Recodings {
    pub tables: Vec<[u8; 256]>,
    known: HashMap<[u8; 256], u32>,
}

/// A permutation of cells that recodes them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Motion {
    /// By cell: the cell that it takes over, and the table that recodes it.
    pub steps: Box<[(u16, u32)]>,
}

impl Recodings {
    /// The number of a table.
    pub fn number(&mut self, table: [u8; 256]) -> u32 {
        *self.known.entry(table).or_insert_with(|| {
            self.tables.push(table);
            self.tables.len() as u32 - 1
        })
    }

    /// The cells after a motion.
    #[inline(always)]
    pub fn moved(&self, motion: &Motion, cells: &Cells, out: &mut Cells) {
        for (out, &(source, table)) in out.iter_mut().zip(&motion.steps) {
            *out = self.tables[table as usize][usize::from(cells[usize::from(source)])];
        }
    }

    /// The motion that undoes a motion.
    pub fn inverse(&mut self, motion: &Motion) -> Motion {
        let mut steps = vec![(0, 0); motion.steps.len()];
        for (cell, &(source, table)) in (0..).zip(&motion.steps) {
            let mut undo = [0; 256];
            for (code, &to) in (0..=u8::MAX).zip(&self.tables[table as usize]) {
                undo[usize::from(to)] = code;
            }
            steps[usize::from(source)] = (cell, self.number(undo));
        }
        Motion { steps: steps.into() }
    }

    /// The motion that does `first` and then `second`.
    pub fn then(&mut self, first: &Motion, second: &Motion) -> Motion {
        let steps: Vec<(u16, usize, usize)> = second
            .steps
            .iter()
            .map(|&(source, after)| {
                let (origin, before) = first.steps[usize::from(source)];
                (origin, before as usize, after as usize)
            })
            .collect();
        let mut joined = Vec::with_capacity(steps.len());
        for (origin, before, after) in steps {
            let (before, after) = (self.tables[before], self.tables[after]);
            let table = std::array::from_fn(|code| after[usize::from(before[code])]);
            joined.push((origin, self.number(table)));
        }
        Motion { steps: joined.into() }
    }
}

pub(super) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl CellFrame {
    /// The frame of a definition whose moves are `moves`; where there is none, why.
    pub fn new(definition: &Definition, moves: &[NamedMove]) -> Result<CellFrame, String> {
        // Powers connect nothing that the listed moves do not.
        let mut links: Vec<Transformation> =
            definition.moves.iter().map(|mv| mv.transformation.clone()).collect();
        let (first, further) = definition.solved.split_first().ok_or("there is no solved pattern")?;
        links.extend(further.iter().map(|solved| between(definition, first, solved)));
        let mut frame = CellFrame {
            tracks: Vec::new(),
            cells: 0,
            moves: Vec::new(),
            turns: Vec::new(),
            touched: Vec::new(),
            listed: Vec::new(),
            recodings: Recodings::default(),
            roots: Vec::new(),
        };
        for orbit in 0..definition.orbits.len() {
            for track in tracks(definition, orbit, &links)? {
                frame.add(track, &first.0[orbit])?;
            }
        }
        let listed: HashSet<&Transformation> = definition.moves.iter().map(|mv| &mv.transformation).collect();
        for mv in moves {
            frame.add_move(&mv.transformation, definition);
            let inverse = mv.inverse(&definition.orbits).transformation;
            frame.listed.push((listed.contains(&mv.transformation), listed.contains(&inverse)));
            let touched = frame.tracks.iter().flat_map(|track| {
                let slots = track.slots.iter();
                slots.map(|&slot| mv.transformation.moves(track.name(slot)))
            });
            frame.touched.push(touched.collect());
        }
        for solved in &definition.solved {
            let cells = frame.cells_of(solved).ok_or("the solved patterns do not have the same pieces")?;
            frame.roots.push(cells);
        }
        Ok(frame)
    }

    /// Adds a track with the pieces of a pattern, unless it looks the same in all states.
    fn add(&mut self, mut track: Track, pattern: &OrbitPattern) -> Result<(), String> {
        let mut counts: HashMap<(u8, u8), usize> = HashMap::new();
        for at in 0..track.slots.len() {
            let (label, offset, _) = track.lie(pattern, at);
            *counts.entry((label, offset)).or_default() += 1;
        }
        let mut kinds: Vec<_> = counts.into_iter().collect();
        kinds.sort_unstable();
        let mut code = 0;
        for ((label, offset), count) in kinds {
            let known = usize::from(pattern.modulus[usize::from(label)]);
            let modulus = known / gcd(usize::from(track.step), known);
            if code + modulus > 256 {
                return Err("a piece can lie in a slot in more than 256 ways".into());
            }
            let modulus = modulus as u8;
            track.kinds.push(PieceKind { label, offset, count, code: code as u8, modulus });
            code += usize::from(modulus);
        }
        if track.kinds.len() == 1 && track.kinds[0].modulus == 1 {
            return Ok(());
        }
        // What no piece shows does not count.
        let least = |twists: usize, kind: &PieceKind| {
            twists / gcd(twists, kind.modulus.into()) * usize::from(kind.modulus)
        };
        track.twists = track.kinds.iter().fold(1, least) as u8;
        track.first = self.cells;
        self.cells += track.slots.len();
        if self.cells > MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} slots change"));
        }
        self.tracks.push(track);
        Ok(())
    }

    fn add_move(&mut self, transformation: &Transformation, definition: &Definition) {
        let mut steps = Vec::with_capacity(self.cells);
        let mut turns = Vec::with_capacity(self.cells);
        for track in &self.tracks {
            let orientations = usize::from(definition.orbits[track.orbit].orientations);
            let part = &transformation.0[track.orbit];
            for (at, &slot) in track.slots.iter().enumerate() {
                let from = part.from[usize::from(slot)];
                let source = track.slots.binary_search(&from).unwrap_or(at);
                let turn = usize::from(part.turn[usize::from(slot)])
                    + usize::from(track.reference[source])
                    + orientations
                    - usize::from(track.reference[at]);
                let twist = turn % orientations / usize::from(track.step) % usize::from(track.twists);
                turns.push(twist as u8);
                let table = track.twisted(twist);
                steps.push(((track.first + source) as u16, self.recodings.number(table)));
            }
        }
        self.moves.push(Motion { steps: steps.into() });
        self.turns.push(turns);
    }

    /// How many twists a cell has.
    pub fn twists(&self, cell: usize) -> usize {
        let track = self.tracks.iter().find(|track| cell < track.end());
        track.map_or(1, |track| track.twists.into())
    }

    /// The cells of a pattern; `None` if it has other kinds of pieces in a track, so that it cannot be
    /// reached.
    pub fn cells_of(&self, pattern: &Pattern) -> Option<Cells> {
        let mut cells = [0; MOST_CELLS];
        for track in &self.tracks {
            let part = &pattern.0[track.orbit];
            let mut left: Vec<usize> = track.kinds.iter().map(|kind| kind.count).collect();
            for at in 0..track.slots.len() {
                let code = track.code(part, at)?;
                let (kind, _) = track.decode(code);
                left[kind] = left[kind].checked_sub(1)?;
                cells[track.first + at] = code;
            }
        }
        Some(cells)
    }

    /// The pattern of cells; what is in no track is as in `like`.
    pub fn pattern_of(&self, cells: &Cells, like: &Pattern) -> Pattern {
        let mut pattern = like.clone();
        for track in &self.tracks {
            let part = &mut pattern.0[track.orbit];
            for at in 0..track.slots.len() {
                track.place(cells[track.first + at], at, part);
            }
        }
        pattern
    }
}

impl Track {
    /// The name of one of its slots.
    pub fn name(&self, slot: u8) -> super::definition::SlotName {
        super::definition::SlotName { orbit: self.orbit as u8, slot }
    }

    /// The label, the offset and the twist of what lies in one of its slots.
    fn lie(&self, pattern: &OrbitPattern, at: usize) -> (u8, u8, u8) {
        let slot = usize::from(self.slots[at]);
        let label = pattern.pieces[slot];
        let known = usize::from(pattern.modulus[usize::from(label)]);
        let reference = usize::from(self.reference[at]) % known;
        let turned = (usize::from(pattern.orientation[slot]) + known - reference) % known;
        // Of the step, a piece known modulo less shows less.
        let shown = gcd(usize::from(self.step), known);
        let (offset, modulus) = (turned % shown, known / shown);
        let per_twist = usize::from(self.step) / shown;
        let mut twists = 0..modulus;
        let twist = twists.find(|twist| twist * per_twist % modulus == turned / shown % modulus).unwrap_or(0);
        (label, offset as u8, twist as u8)
    }

    /// The code of what lies in one of its slots; `None` if it has no such kind.
    pub fn code(&self, pattern: &OrbitPattern, at: usize) -> Option<u8> {
        let (label, offset, twist) = self.lie(pattern, at);
        let kind = self.kinds.iter().find(|kind| (kind.label, kind.offset) == (label, offset))?;
        Some(kind.code + twist)
    }

    /// Puts what a code stands for into one of its slots.
    pub fn place(&self, code: u8, at: usize, pattern: &mut OrbitPattern) {
        let (kind, twist) = self.decode(code);
        let kind = &self.kinds[kind];
        let known = usize::from(pattern.modulus[usize::from(kind.label)]);
        let above = usize::from(twist) * usize::from(self.step) % known;
        let turned = above + usize::from(kind.offset) + usize::from(self.reference[at]);
        pattern.pieces[usize::from(self.slots[at])] = kind.label;
        pattern.orientation[usize::from(self.slots[at])] = (turned % known) as u8;
    }

    /// The table that adds a twist. Bytes that are no codes stay as they are, in every table, so that
    /// equal tables do the same.
    pub fn twisted(&self, twist: usize) -> [u8; 256] {
        let mut table = std::array::from_fn(|code| code as u8);
        for kind in &self.kinds {
            let modulus = usize::from(kind.modulus);
            for old in 0..modulus {
                table[usize::from(kind.code) + old] = kind.code + ((old + twist) % modulus) as u8;
            }
        }
        table
    }

    /// The kind and the twist of a code.
    pub fn decode(&self, code: u8) -> (usize, u8) {
        let kind = self.kinds.partition_point(|kind| kind.code <= code).saturating_sub(1);
        (kind, code.wrapping_sub(self.kinds[kind].code))
    }

    /// The first cell behind its own.
    pub fn end(&self) -> usize {
        self.first + self.slots.len()
    }
}

/// What takes one pattern to another: identical pieces in the order in which they lie.
fn between(definition: &Definition, start: &Pattern, end: &Pattern) -> Transformation {
    let mut link = Transformation::identity(&definition.orbits);
    for ((part, (start, end)), orbit) in
        link.0.iter_mut().zip(start.0.iter().zip(&end.0)).zip(&definition.orbits)
    {
        let mut taken = vec![false; orbit.slots];
        for slot in 0..orbit.slots {
            let mut sources = 0..orbit.slots;
            let Some(source) = sources.find(|&at| !taken[at] && start.pieces[at] == end.pieces[slot]) else {
                continue;
            };
            taken[source] = true;
            part.from[slot] = source as u8;
            let turn = u16::from(end.orientation[slot]) + u16::from(orbit.orientations)
                - u16::from(start.orientation[source]);
            part.turn[slot] = (turn % u16::from(orbit.orientations)) as u8;
        }
    }
    link
}

/// The tracks of an orbit, without kinds and cells yet.
fn tracks(definition: &Definition, orbit: usize, links: &[Transformation]) -> Result<Vec<Track>, String> {
    let (slots, orientations) = (definition.orbits[orbit].slots, definition.orbits[orbit].orientations);
    let turns = usize::from(orientations);
    let pairs = slots * turns;
    if pairs.saturating_mul(links.len()) > MOST_STEPS {
        return Err("there are too many slots, orientations and moves".into());
    }
    let mut joined = Joined((0..pairs).collect());
    for link in links {
        let part = &link.0[orbit];
        for (slot, (&from, &turn)) in part.from.iter().zip(&part.turn).enumerate() {
            for orientation in 0..turns {
                let to = slot * turns + (orientation + usize::from(turn)) % turns;
                joined.join(usize::from(from) * turns + orientation, to);
            }
        }
    }
    let mut tracks = Vec::new();
    let mut seen = vec![false; slots];
    for start in 0..slots {
        if seen[start] {
            continue;
        }
        let root = joined.root(start * turns);
        let mut track = Track {
            orbit,
            slots: Vec::new(),
            first: 0,
            twists: 1,
            step: 0,
            reference: Vec::new(),
            kinds: Vec::new(),
        };
        for (slot, seen) in seen.iter_mut().enumerate().take(slots).skip(start) {
            let mut here = (0..turns).filter(|turn| joined.root(slot * turns + turn) == root);
            let Some(reference) = here.next() else {
                continue;
            };
            if slot == start {
                // They lie evenly, from 0 on.
                track.step = (turns / (1 + here.count())) as u8;
            }
            *seen = true;
            track.slots.push(slot as u8);
            track.reference.push(reference as u8);
        }
        tracks.push(track);
    }
    Ok(tracks)
}

/// Disjoint sets of numbers.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

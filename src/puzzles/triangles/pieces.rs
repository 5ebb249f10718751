//! Pieces: three letters each, turned but never reflected.

/// The letters, by their numbers. The same letter in the other case is 4 away, so that flipping
/// that bit gives the only letter that matches.
pub(super) const LETTERS: &[u8; 8] = b"ABCDabcd";

/// Flips upper case and lower case.
pub(super) const CASE: u8 = 4;

/// Stands for an edge without a letter, or with any.
pub(super) const ANY: u8 = 8;

/// The numbers of three letters, by slot.
pub(super) type EdgeLetters = [u8; 3];

/// What the slots show after a turn: slot j has what slot `j + turn` had.
pub(super) fn turned(letters: EdgeLetters, turn: u8) -> EdgeLetters {
    std::array::from_fn(|slot| letters[(slot + usize::from(turn)) % 3])
}

/// The least of the turned letters: what pieces that are the same up to a turn have in common.
pub(super) fn least(letters: EdgeLetters) -> EdgeLetters {
    let turns = [letters, turned(letters, 1), turned(letters, 2)];
    turns.into_iter().min().unwrap_or(letters)
}

/// In how many ways a piece can be turned: three equal letters look the same whatever is done.
///
/// Written out: for processors without newer instructions, rustc 1.95 takes `aba` and `baa` for equal where
/// they are compared as arrays.
pub(super) fn turns([a, b, c]: EdgeLetters) -> u8 {
    if a == b && b == c { 1 } else { 3 }
}

/// How a piece lies, as people write it: `aBd2`. Positions 1, 3, 5 point up, 4, 6, 2 point down,
/// turned by 0, 1, 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PlacedPiece {
    /// As they are spelled, before the piece is turned.
    pub letters: EdgeLetters,
    /// 1 to 6.
    pub position: u8,
}

impl PlacedPiece {
    pub fn new(letters: EdgeLetters, up: bool, turn: u8) -> Self {
        let position = match (up, turn) {
            (true, _) => 2 * turn + 1,
            (false, 2) => 2,
            (false, _) => 2 * turn + 4,
        };
        PlacedPiece { letters, position }
    }

    /// Whether the piece points up.
    pub fn up(&self) -> bool {
        self.position % 2 == 1
    }

    /// By how much it is turned.
    pub fn turn(&self) -> u8 {
        match self.position {
            1 | 4 => 0,
            3 | 6 => 1,
            _ => 2,
        }
    }

    /// The letters that its slots show.
    pub fn shown(&self) -> EdgeLetters {
        turned(self.letters, self.turn())
    }

    /// Reads `aBd2`.
    pub fn parse(text: &str) -> Result<Self, String> {
        match PlacedPiece::parse_prefix(text) {
            Some((placed, [])) => Ok(placed),
            Some((_, [b'1'..=b'9', b'1'..=b'9'])) => {
                Err(format!("`{text}` has a row and a column, which only pieces on the board of a file have"))
            }
            _ => Err(malformed(text, "such as ADa3")),
        }
    }

    /// Reads `aBd223`: with the row and the column at the end.
    pub fn parse_placed(text: &str) -> Result<(Self, u8, u8), String> {
        match PlacedPiece::parse_prefix(text) {
            Some((placed, [row @ b'1'..=b'9', column @ b'1'..=b'9'])) => {
                Ok((placed, row - b'0', column - b'0'))
            }
            Some((_, [])) => Err(format!(
                "`{text}` does not say where it lies: a piece on the board is written with its row \
                 and its column, such as ADa321"
            )),
            _ => Err(malformed(text, "and then the row and the column, such as ADa321")),
        }
    }

    fn parse_prefix(text: &str) -> Option<(Self, &[u8])> {
        let [a, b, c, position @ b'1'..=b'6', rest @ ..] = text.as_bytes() else {
            return None;
        };
        let placed =
            PlacedPiece { letters: [number(*a)?, number(*b)?, number(*c)?], position: position - b'0' };
        Some((placed, rest))
    }
}

fn malformed(text: &str, rest: &str) -> String {
    format!(
        "`{}` is not a piece: a piece is three letters out of A B C D a b c d and a position from 1 \
         to 6, {rest}",
        text.escape_debug()
    )
}

fn number(letter: u8) -> Option<u8> {
    LETTERS.iter().position(|&l| l == letter).map(|n| n as u8)
}

/// Three letters as text.
pub(super) fn spelled(letters: EdgeLetters) -> String {
    letters.iter().map(|&letter| character(letter)).collect()
}

pub(super) fn character(letter: u8) -> char {
    LETTERS.get(usize::from(letter)).map_or('?', |&l| l.into())
}

impl std::fmt::Display for PlacedPiece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", spelled(self.letters), self.position)
    }
}

/// A piece of a puzzle, by its number, and by how much it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turned {
    pub piece: u8,
    pub turn: u8,
}

impl Turned {
    /// As one byte of a state.
    pub fn byte(self) -> u8 {
        self.piece * 3 + self.turn
    }

    pub fn from_byte(byte: u8) -> Self {
        Turned { piece: byte / 3, turn: byte % 3 }
    }
}

/// The pieces of a puzzle, all different up to a turn, in an order that depends neither on how
/// they are spelled nor on the order in which they were given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PieceSet {
    /// As they are spelled.
    spelled: Vec<EdgeLetters>,
    /// What they show, by the byte of the turned piece.
    shown: Vec<EdgeLetters>,
}

impl PieceSet {
    /// The pieces keep their spelling.
    pub fn new(given: impl IntoIterator<Item = EdgeLetters>) -> Self {
        let mut spelled: Vec<_> = given.into_iter().collect();
        spelled.sort_unstable_by_key(|&letters| least(letters));
        let shown = spelled.iter();
        let shown = shown.flat_map(|&letters| [0, 1, 2].map(|turn| turned(letters, turn)));
        PieceSet { shown: shown.collect(), spelled }
    }

    pub fn len(&self) -> usize {
        self.spelled.len()
    }

    /// The letters of a piece as they are spelled.
    pub fn letters(&self, piece: u8) -> EdgeLetters {
        self.spelled[usize::from(piece)]
    }

    /// The letters that a turned piece shows.
    pub fn shown(&self, turned_piece: Turned) -> EdgeLetters {
        self.shown[usize::from(turned_piece.byte())]
    }

    /// Every piece in every turn that looks different.
    pub fn all_turned(&self) -> impl Iterator<Item = Turned> + '_ {
        (0..)
            .zip(&self.spelled)
            .flat_map(|(piece, &letters)| (0..turns(letters)).map(move |turn| Turned { piece, turn }))
    }

    /// The piece that shows these letters, with its turn.
    pub fn find(&self, shown: EdgeLetters) -> Option<Turned> {
        self.all_turned().find(|&turned_piece| self.shown(turned_piece) == shown)
    }

    /// How a turned piece is written.
    pub fn placed(&self, turned_piece: Turned, up: bool) -> PlacedPiece {
        PlacedPiece::new(self.letters(turned_piece.piece), up, turned_piece.turn)
    }
}

//! The notation of algorithms: `R U' (R U)2 [A, B] [A: B]`.
//!
//! A word names a move, with an amount after it: `U`, `U'`, `U2`, `U2'`. Round brackets group, and can be
//! repeated or undone: `(R U)3'`. `[A, B]` is the commutator `A B A' B'`, `[A: B]` the conjugate `A B A'`.
//! White space and, outside square brackets, commas separate; `.` is a pause, and `//` begins a comment.

use super::draft::Checked;
use super::quoted;
use crate::puzzles::perm::definition::{Orbit, Transformation};

/// Brackets in brackets, at most so deep.
const DEEPEST: usize = 64;

/// What one algorithm does, in terms of numbered moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Algorithm(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    /// A power of a move.
    Move { number: usize, amount: i64 },
    /// A power of several steps.
    Group(Algorithm, i64),
    /// A power of a commutator.
    Commutator(Algorithm, Algorithm, i64),
    /// A power of a conjugate.
    Conjugate(Algorithm, Algorithm, i64),
}

impl Algorithm {
    /// Reads an algorithm. `number` knows the moves by their names, without amounts; a name that looks like
    /// another with an amount comes first.
    pub fn parse(text: &str, number: &dyn Fn(&str) -> Option<usize>) -> Checked<Algorithm> {
        let mut parser = Parser { rest: text, number };
        let (algorithm, end) = parser.steps(0, "")?;
        match end {
            None => Ok(algorithm),
            Some(other) => Err(format!("there is a `{other}` that closes nothing")),
        }
    }

    /// How many moves and brackets it has.
    pub fn size(&self) -> usize {
        let size = |step: &Step| match step {
            Step::Move { .. } => 1,
            Step::Group(inner, _) => 1 + inner.size(),
            Step::Commutator(a, b, _) | Step::Conjugate(a, b, _) => 1 + a.size() + b.size(),
        };
        self.0.iter().map(size).sum()
    }

    /// The numbers of the moves in it.
    pub fn uses(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect(&self, found: &mut Vec<usize>) {
        for step in &self.0 {
            match step {
                Step::Move { number, .. } => found.push(*number),
                Step::Group(inner, _) => inner.collect(found),
                Step::Commutator(a, b, _) | Step::Conjugate(a, b, _) => {
                    a.collect(found);
                    b.collect(found);
                }
            }
        }
    }

    /// What it does; `known` has the moves by number.
    pub fn transformation(&self, known: &[Option<Transformation>], orbits: &[Orbit]) -> Transformation {
        let mut all = Transformation::identity(orbits);
        for step in &self.0 {
            let (once, amount) = match step {
                Step::Move { number, amount } => {
                    let Some(Some(mv)) = known.get(*number) else { continue };
                    (mv.clone(), *amount)
                }
                Step::Group(inner, amount) => (inner.transformation(known, orbits), *amount),
                Step::Commutator(a, b, amount) => {
                    let (a, b) = (a.transformation(known, orbits), b.transformation(known, orbits));
                    let there = a.then(&b, orbits);
                    let back = a.inverse(orbits).then(&b.inverse(orbits), orbits);
                    (there.then(&back, orbits), *amount)
                }
                Step::Conjugate(a, b, amount) => {
                    let (a, b) = (a.transformation(known, orbits), b.transformation(known, orbits));
                    (a.then(&b, orbits).then(&a.inverse(orbits), orbits), *amount)
                }
            };
            all = all.then(&power(&once, amount, orbits), orbits);
        }
        all
    }
}

/// A power of a transformation.
pub(super) fn power(once: &Transformation, amount: i64, orbits: &[Orbit]) -> Transformation {
    let mut square = if amount < 0 { once.inverse(orbits) } else { once.clone() };
    let mut left = amount.unsigned_abs();
    let mut product = Transformation::identity(orbits);
    while left > 0 {
        if left & 1 == 1 {
            product = product.then(&square, orbits);
        }
        left >>= 1;
        if left > 0 {
            square = square.then(&square, orbits);
        }
    }
    product
}

/// The characters that end a word.
const SPECIAL: [char; 6] = ['(', ')', '[', ']', ',', ':'];

struct Parser<'a> {
    rest: &'a str,
    number: &'a dyn Fn(&str) -> Option<usize>,
}

impl Parser<'_> {
    /// Steps up to one of the characters in `ends`, which is consumed and returned, or to the end of the text.
    fn steps(&mut self, depth: usize, ends: &str) -> Checked<(Algorithm, Option<char>)> {
        if depth > DEEPEST {
            return Err(format!("brackets are nested deeper than {DEEPEST} times"));
        }
        let mut steps = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            let Some(first) = self.rest.chars().next() else {
                return Ok((Algorithm(steps), None));
            };
            if ends.contains(first) || matches!(first, ')' | ']') {
                self.skip(first);
                return Ok((Algorithm(steps), Some(first)));
            }
            match first {
                ',' => self.skip(first),
                ':' => return Err("a `:` belongs between `[` and `]`".into()),
                '(' => {
                    self.skip(first);
                    let (inner, end) = self.steps(depth + 1, ")")?;
                    expect(end, ')', '(')?;
                    steps.push(Step::Group(inner, self.amount()?));
                }
                '[' => {
                    self.skip(first);
                    let (a, between) = self.steps(depth + 1, ",:")?;
                    let Some(between @ (',' | ':')) = between else {
                        return Err("a `[` needs a `,` or a `:` before its `]`".into());
                    };
                    let (b, end) = self.steps(depth + 1, "]")?;
                    expect(end, ']', '[')?;
                    let amount = self.amount()?;
                    steps.push(match between {
                        ',' => Step::Commutator(a, b, amount),
                        _ => Step::Conjugate(a, b, amount),
                    });
                }
                _ if self.rest.starts_with("//") => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                _ => {
                    let is_end = |c: char| c.is_whitespace() || SPECIAL.contains(&c);
                    let (word, rest) = self.rest.split_at(self.rest.find(is_end).unwrap_or(self.rest.len()));
                    self.rest = rest;
                    if word.chars().any(|c| c != '.') {
                        let (number, amount) = self.word(word)?;
                        steps.push(Step::Move { number, amount });
                    }
                }
            }
        }
    }

    fn skip(&mut self, character: char) {
        self.rest = &self.rest[character.len_utf8()..];
    }

    /// The amount after a closing bracket.
    fn amount(&mut self) -> Checked<i64> {
        let digits = self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        let mut amount = read_amount(number)?;
        if let Some(rest) = self.rest.strip_prefix('\'') {
            self.rest = rest;
            amount = -amount;
        }
        Ok(amount)
    }

    /// A move and its amount.
    fn word(&self, word: &str) -> Checked<(usize, i64)> {
        let (plain, sign) = match word.strip_suffix('\'') {
            _ if (self.number)(word).is_some() => (word, 1),
            Some(plain) => (plain, -1),
            None => (word, 1),
        };
        if let Some(number) = (self.number)(plain) {
            return Ok((number, sign));
        }
        let name = plain.trim_end_matches(|c: char| c.is_ascii_digit());
        match (self.number)(name) {
            Some(number) => Ok((number, sign * read_amount(&plain[name.len()..])?)),
            None => Err(format!("{} is not a move", quoted(word))),
        }
    }
}

/// An amount: 1 if it is not given.
fn read_amount(digits: &str) -> Checked<i64> {
    match digits {
        "" => Ok(1),
        _ => digits.parse::<u32>().map(i64::from).map_err(|_| format!("{} is too often", quoted(digits))),
    }
}

fn expect(end: Option<char>, wanted: char, open: char) -> Checked<()> {
    match end {
        Some(end) if end == wanted => Ok(()),
        _ => Err(format!("a `{open}` lacks its `{wanted}`")),
    }
}

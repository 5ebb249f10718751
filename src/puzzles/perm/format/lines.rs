//! Words of a text with their lines, and the blocks that tws and def have in common.
//!
//! A line whose first character other than white space is `#` is a comment. A block is a heading, for each
//! set its name with one or two rows of numbers, and `End`.

use super::draft::{Checked, Draft, GivenNumber, GivenPattern, InLine};
use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::{Orbit, OrbitTransformation, Transformation};

/// A word and the line that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileWord<'a> {
    pub text: &'a str,
    pub line: usize,
}

/// The words of a text, one after the other.
pub(super) struct FileWords<'a> {
    words: Vec<FileWord<'a>>,
    next: usize,
}

impl<'a> FileWords<'a> {
    pub fn of(text: &'a str) -> FileWords<'a> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim_start().starts_with('#'));
        let words =
            lines.flat_map(|(line, text)| text.split_whitespace().map(move |text| FileWord { text, line }));
        FileWords { words: words.collect(), next: 0 }
    }

    /// The next word, which stays.
    pub fn peek(&self) -> Option<FileWord<'a>> {
        self.words.get(self.next).copied()
    }

    /// The next word.
    pub fn next(&mut self) -> Option<FileWord<'a>> {
        let word = self.peek();
        self.next += 1;
        word
    }

    /// The next word in the same line as another.
    pub fn next_in(&mut self, line: usize, what: &str) -> Outcome<FileWord<'a>> {
        match self.peek() {
            Some(word) if word.line == line => {
                self.next += 1;
                Ok(word)
            }
            _ => Err(FormatError::at(line, format!("{what} is missing"))),
        }
    }

    /// The words that are left in a line.
    pub fn rest_of(&mut self, line: usize) -> Vec<FileWord<'a>> {
        let rest = self.words[self.next.min(self.words.len())..].iter();
        let rest: Vec<FileWord<'a>> = rest.take_while(|word| word.line == line).copied().collect();
        self.next += rest.len();
        rest
    }

    /// Refuses further words in a line.
    pub fn end_line(&mut self, line: usize) -> Outcome<()> {
        match self.peek() {
            Some(word) if word.line == line => {
                let reason = format!("{} is one word too many", quoted(word.text));
                Err(FormatError::at(line, reason))
            }
            _ => Ok(()),
        }
    }

    /// The words of a block up to its `End`, with their lines.
    pub fn block(&mut self, heading: FileWord<'a>) -> Outcome<Vec<FileWord<'a>>> {
        let mut words = Vec::new();
        loop {
            match self.next() {
                Some(FileWord { text: "End", .. }) => return Ok(words),
                Some(word) => words.push(word),
                None => return Err(lacks_end(heading)),
            }
        }
    }
}

fn lacks_end(heading: FileWord<'_>) -> FormatError {
    FormatError::at(heading.line, format!("{} has no `End`", heading.text))
}

/// A whole number. One that is larger than any that a definition can have is refused.
pub(super) fn number(word: FileWord<'_>) -> Outcome<u32> {
    if word.text.is_empty() || !word.text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FormatError::at(word.line, format!("{} is not a number", quoted(word.text))));
    }
    match word.text.parse() {
        Ok(number) if number < 1 << 16 => Ok(number),
        _ => Err(FormatError::at(word.line, format!("{} is too large", quoted(word.text)))),
    }
}

/// The rows of one set in a block.
#[derive(Clone, Debug)]
pub(super) struct SetRows<'a> {
    /// The name of the set.
    pub name: FileWord<'a>,
    /// Its number.
    pub orbit: usize,
    pub first: Vec<GivenNumber>,
    pub second: Option<Vec<GivenNumber>>,
}

/// The rows of a block up to its `End`. A set that appears twice is refused.
pub(super) fn rows<'a>(
    words: &mut FileWords<'a>,
    heading: FileWord<'a>,
    draft: &Draft,
) -> Outcome<Vec<SetRows<'a>>> {
    let mut all: Vec<SetRows<'a>> = Vec::new();
    loop {
        let name = words.next().ok_or_else(|| lacks_end(heading))?;
        if name.text == "End" {
            return Ok(all);
        }
        if starts_row(name) {
            let reason = format!("{} should be the name of a set, or `End`", quoted(name.text));
            return Err(FormatError::at(name.line, reason));
        }
        let orbit = draft.orbit(name.text).in_line(name.line)?;
        if all.iter().any(|other| other.orbit == orbit) {
            let reason = format!("{} is here twice: its first line is {}", name.text, heading.line);
            return Err(FormatError::at(name.line, reason));
        }
        words.end_line(name.line)?;
        let set = &draft.orbits[orbit];
        let first = row(words, name, set)?;
        let second = match words.peek() {
            Some(word) if starts_row(word) => Some(row(words, name, set)?),
            _ => None,
        };
        all.push(SetRows { name, orbit, first, second });
    }
}

fn starts_row(word: FileWord<'_>) -> bool {
    word.text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '?' | '-'))
}

/// As many numbers or question marks as a set has slots.
fn row(words: &mut FileWords<'_>, name: FileWord<'_>, set: &Orbit) -> Outcome<Vec<GivenNumber>> {
    let begin = words.peek().map_or(name.line, |word| word.line);
    let mut row = Vec::with_capacity(set.slots);
    let mut line = begin;
    while row.len() < set.slots {
        let word = words.peek().filter(|&word| starts_row(word));
        let Some(word) = word else {
            let reason = format!("this row of {} has {} numbers, not {}", set.name, row.len(), set.slots);
            return Err(FormatError::at(begin, reason));
        };
        words.next();
        line = word.line;
        row.push(match word.text {
            "?" => None,
            _ => Some(number(word)?),
        });
    }
    match words.peek() {
        Some(word) if word.line == line => {
            let reason = format!("this row of {} has more than {} numbers", set.name, set.slots);
            Err(FormatError::at(begin, reason))
        }
        _ => Ok(row),
    }
}

/// How a block counts, and what its orientations belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Labels and slots from 1; the orientations of a move belong to the piece as listed.
    FromOne,
    /// Labels and slots from 0; the orientations of a move belong to the slot.
    FromZero,
}

impl Style {
    /// A label or slot of the file, counted from 0.
    fn count(self, given: u32, set: &str) -> Checked<u32> {
        match self {
            Style::FromZero => Ok(given),
            Style::FromOne => {
                given.checked_sub(1).ok_or_else(|| format!("{set} is counted from 1, so there is no 0"))
            }
        }
    }
}

/// What a block says of every set: labels from 0, and orientations.
pub(super) fn pattern(
    rows: Vec<SetRows<'_>>,
    style: Style,
    draft: &Draft,
) -> Outcome<Vec<Option<GivenPattern>>> {
    let mut given: Vec<Option<GivenPattern>> = vec![None; draft.orbits.len()];
    for SetRows { name, orbit, first, second } in rows {
        let label = |label: GivenNumber| match label {
            Some(label) if label > 255 => Err(format!("{label} is too large: labels go up to 255")),
            Some(label) => style.count(label, name.text).map(Some),
            None => Ok(None),
        };
        let pieces = first.into_iter().map(label).collect::<Checked<_>>().in_line(name.line + 1)?;
        given[orbit] = Some(GivenPattern { pieces, orientation: second, modulus: None });
    }
    Ok(given)
}

/// The transformation that a block describes. `reduce` takes orientations modulo their number; otherwise
/// larger ones are refused.
pub(super) fn transformation(
    rows: Vec<SetRows<'_>>,
    style: Style,
    reduce: bool,
    draft: &Draft,
) -> Outcome<Transformation> {
    let mut all = Transformation::identity(&draft.orbits);
    for SetRows { name, orbit, first, second } in rows {
        let line = name.line + 1;
        let known = |given: GivenNumber| given.ok_or("a move has no `?`".to_owned());
        let slot = |given: GivenNumber| style.count(known(given)?, name.text);
        let from: Vec<u32> = first.into_iter().map(slot).collect::<Checked<_>>().in_line(line)?;
        let second = second.unwrap_or_else(|| vec![Some(0); from.len()]);
        let mut listed: Vec<u32> = second.into_iter().map(known).collect::<Checked<_>>().in_line(line + 1)?;
        if reduce {
            let orientations = u32::from(draft.orbits[orbit].orientations);
            listed.iter_mut().for_each(|turn| *turn %= orientations);
        }
        // The first check that the row is a permutation comes before anything is looked up by it.
        let part = draft.part(orbit, &from, &listed).in_line(line)?;
        all.0[orbit] = match style {
            Style::FromZero => part,
            Style::FromOne => {
                let turn = part.from.iter().map(|&at| part.turn[usize::from(at)]).collect();
                OrbitTransformation { turn, ..part }
            }
        };
    }
    Ok(all)
}

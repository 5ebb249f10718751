//! The format of ksolve+, `.def`: that of [`tws`](super::tws), with sections of its own.
//!
//! | section | meaning |
//! |---|---|
//! | `Ignore` ... `End` | for each set a row of 0 and 1, and another one: which pieces, which orientations do not matter |
//! | `Block` ... `End` | for each set the labels of pieces that are joined: a move moves all or none of them |
//! | `ForbiddenPairs`, `ForbiddenGroups` ... `End` | moves that a solution should not make one after the other: no position depends on them, so they are checked and not used |
//! | `Multiplicators`, `ParallelMoves`, `MoveLimits` | obsolete, or not of a definition: refused |
//!
//! What ksolve+ does beyond its description, and so does this reader:
//!
//! - Orientations are taken modulo their number. In a set with one orientation, they do not change a state,
//!   but a move that has one moves the piece for the purpose of blocks: so a block can be tied to the centre of
//!   a face.
//! - Pieces of blocks keep their identity: which moves there are depends on where they lie. An `Ignore` has no
//!   effect on them. (ksolve+ itself ignores nothing in a table of God's numbers.)
//! - There are no rotations: a move is a move whatever it is called.

use std::collections::BTreeSet;

use super::derived::MoveNames;
use super::draft::{Checked, Draft, GivenNumber, GivenPattern, InLine};
use super::lines::{FileWord, FileWords, SetRows, number, rows};
use super::tws::{InPlace, Sections};
use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::{Definition, PieceName};

/// The sections that only ksolve+ knows.
const OWN: [&str; 7] =
    ["Ignore", "Block", "ForbiddenPairs", "ForbiddenGroups", "Multiplicators", "ParallelMoves", "MoveLimits"];

/// Whether a text has a section that only ksolve+ knows.
pub(super) fn is_ksolve(text: &str) -> bool {
    text.lines().any(|line| line.split_whitespace().next().is_some_and(|word| OWN.contains(&word)))
}

/// Reads a definition.
pub(super) fn read(text: &str) -> Outcome<Definition> {
    let mut sections = Sections::new(true);
    let mut own = OwnSections::default();
    let mut words = FileWords::of(text);
    while let Some(heading) = words.next() {
        if !sections.read(heading, &mut words)? && !own.read(heading, &mut words, &sections.draft)? {
            let reason = format!("{} does not begin a section of a definition", quoted(heading.text));
            return Err(FormatError::at(heading.line, reason));
        }
    }
    own.apply(&mut sections)?;
    sections.finish()
}

/// The sections that tws does not have.
#[derive(Default)]
struct OwnSections<'a> {
    ignored: Option<(FileWord<'a>, Vec<SetRows<'a>>)>,
    /// For each block its pieces: set and label.
    blocks: Vec<(FileWord<'a>, Vec<(usize, u32)>)>,
    /// Moves that must exist.
    named: Vec<FileWord<'a>>,
}

impl<'a> OwnSections<'a> {
    /// Reads the section that a heading begins; false if there is no such section.
    fn read(&mut self, heading: FileWord<'a>, words: &mut FileWords<'a>, draft: &Draft) -> Outcome<bool> {
        match heading.text {
            "Ignore" => {
                words.end_line(heading.line)?;
                if self.ignored.is_some() {
                    return Err(FormatError::at(heading.line, "there are two blocks `Ignore`"));
                }
                self.ignored = Some((heading, rows(words, heading, draft)?));
            }
            "Block" => {
                words.end_line(heading.line)?;
                let block = block(&words.block(heading)?, draft)?;
                self.blocks.push((heading, block));
            }
            "ForbiddenPairs" | "ForbiddenGroups" => self.named.extend(words.block(heading)?),
            "Multiplicators" | "ParallelMoves" => {
                let reason = format!(
                    "{} is obsolete: ksolve+ works out powers and parallel moves itself; remove the section",
                    heading.text
                );
                return Err(FormatError::at(heading.line, reason));
            }
            "MoveLimits" => {
                let reason = "MoveLimits belongs into a scramble file: a definition has no limits on moves";
                return Err(FormatError::at(heading.line, reason));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Adds them to what is known of the puzzle, once all other sections were read.
    fn apply(self, sections: &mut Sections<'a>) -> Outcome<()> {
        let names = MoveNames::of(&sections.draft);
        for name in &self.named {
            names.check(name.text).in_line(name.line)?;
        }
        let joined: BTreeSet<(usize, u32)> =
            self.blocks.iter().flat_map(|(_, block)| block.iter().copied()).collect();
        if let Some((heading, rows)) = self.ignored {
            for rows in rows {
                ignore(&rows, &joined, sections)?;
            }
            sections.set_solved(heading.line)?;
        }
        let draft = &mut sections.draft;
        for (heading, block) in self.blocks {
            let pieces = block.into_iter().map(|(orbit, label)| draft.piece(orbit, label, 1));
            let pieces: Vec<PieceName> = pieces.collect::<Checked<_>>().in_line(heading.line)?;
            draft.blocks.push(pieces);
        }
        if !draft.blocks.is_empty() {
            turn_in_place(sections)?;
        }
        Ok(())
    }
}

/// The pieces of a block: after the name of a set its labels, from 1; here from 0.
fn block(words: &[FileWord<'_>], draft: &Draft) -> Outcome<Vec<(usize, u32)>> {
    let mut orbit = None;
    let mut pieces = BTreeSet::new();
    for &word in words {
        if !word.text.starts_with(|c: char| c.is_ascii_digit()) {
            orbit = Some(draft.orbit(word.text).in_line(word.line)?);
            continue;
        }
        let label = number(word)?.checked_sub(1);
        let (Some(orbit), Some(label)) = (orbit, label) else {
            let reason = format!("{} should be the name of a set or a piece of one", quoted(word.text));
            return Err(FormatError::at(word.line, reason));
        };
        pieces.insert((orbit, label));
    }
    Ok(pieces.into_iter().collect())
}

/// A label beyond those that a file can have: of pieces that are ignored; the next one, if their orientation
/// is ignored, too.
const IGNORED: u32 = 1000;

/// Applies the rows of an `Ignore` to the solved pattern of a set.
fn ignore(rows: &SetRows<'_>, joined: &BTreeSet<(usize, u32)>, sections: &mut Sections<'_>) -> Outcome<()> {
    let line = rows.name.line + 1;
    let flag = |given: GivenNumber| match given {
        Some(0) => Ok(false),
        Some(1) => Ok(true),
        _ => Err("a row of Ignore has only 0 and 1".to_owned()),
    };
    let flags = |row: &[GivenNumber]| row.iter().map(|&given| flag(given)).collect::<Checked<Vec<bool>>>();
    let pieces = flags(&rows.first).in_line(line)?;
    let turns = match &rows.second {
        Some(row) => flags(row).in_line(line + 1)?,
        None => vec![false; pieces.len()],
    };
    let Some(solved) = sections.solved_pattern(rows.orbit) else {
        return Err(FormatError::at(line, "there is no block `Solved`"));
    };
    let GivenPattern { pieces: labels, orientation, .. } = solved;
    let orientation = orientation.get_or_insert_with(|| vec![Some(0); labels.len()]);
    for (slot, label) in labels.iter_mut().enumerate() {
        if label.is_some_and(|label| joined.contains(&(rows.orbit, label))) {
            continue;
        }
        if turns[slot] {
            orientation[slot] = None;
        }
        if pieces[slot] {
            *label = Some(IGNORED + u32::from(turns[slot]));
        }
    }
    Ok(())
}

/// Gives the pieces that moves turn in place as many orientations as it takes for every power of such a move to
/// turn them, and makes no pattern tell them apart.
fn turn_in_place(sections: &mut Sections<'_>) -> Outcome<()> {
    let in_place = std::mem::take(&mut sections.in_place);
    let draft = &mut sections.draft;
    for orbit in 0..draft.orbits.len() {
        let turning: Vec<_> = in_place.iter().filter(|turned| turned.orbit == orbit).collect();
        if turning.is_empty() {
            continue;
        }
        // A move that does nothing else is one of order 2.
        let order = |turned: &&InPlace| {
            let order = draft.moves[turned.number].transformation.order(&draft.orbits);
            order.map_or(u64::MAX, |order| order.max(2))
        };
        let orders: Vec<u64> = turning.iter().map(order).collect();
        let multiple =
            (1..=127u8).find(|&all| orders.iter().all(|order| u64::from(all).is_multiple_of(*order)));
        let Some(all) = multiple else {
            let name = &draft.orbits[orbit].name;
            let reason = format!("the moves that turn pieces of {name} in place have too large orders");
            return Err(FormatError::at(0, reason));
        };
        draft.orbits[orbit].orientations = all;
        for solved in &mut draft.solved {
            solved.0[orbit].modulus.fill(1);
        }
        for (turned, order) in turning.iter().zip(orders) {
            let part = &mut draft.moves[turned.number].transformation.0[orbit];
            part.turn[turned.slot] = (u64::from(all) / order) as u8;
        }
    }
    Ok(())
}

//! The format of twsearch, `.tws`.
//!
//! ```text
//! Name Example
//! Set CORNER 4 3
//! Solved
//! CORNER
//! 1 2 3 4
//! 0 0 0 ?
//! End
//! Move R
//! CORNER
//! 2 3 1 4
//! 1 1 1 0
//! End
//! MoveSequence RR R R
//! ```
//!
//! | section | meaning |
//! |---|---|
//! | `Name X` | what the puzzle is called |
//! | `Set NAME PIECES ORIENTATIONS` | an orbit |
//! | `Solved` ... `End` | labels from 1 and orientations; equal labels are identical pieces; `?` as an orientation: it does not matter; as a label: all such pieces are identical |
//! | `StartState` ... `End` | the same, with labels from 0, instead of `Solved` |
//! | `Move NAME` ... `End` | slot `i` receives what is in slot `p[i]`, counted from 1; the orientations belong to the piece as listed |
//! | `MoveTransformation NAME` ... `End` | the same, counted from 0, with orientations by slot |
//! | `MoveSequence NAME A B ...` | a move that does several |
//! | `MoveAlias NAME A` | another name for a move, which sequences can use; no move of its own |
//! | `Illegal SET SLOT LABEL ...` | pieces that may not lie in a slot |
//! | `Scramble NAME` ... `End`, `ScrambleAlg NAME` ... `End` | positions to solve: accepted in a definition, and not used there |
//!
//! A set that is missing from `Solved` has distinct pieces; one that is missing from a move stays as it is.
//! Moves called `x`, `y`, `z`, also with `2` or `'`, or capital letters and a `v` are rotations.

use super::derived::{Derived, MOST_STEPS, MoveNames, Role, resolve};
use super::draft::{Draft, GivenPattern, InLine, MOST_PATTERNS, title};
use super::lines::{FileWord, FileWords, SetRows, Style, number, pattern, rows, transformation};
use super::{FormatError, Outcome, quoted};
use crate::puzzles::perm::definition::{Definition, Forbidden, Pattern};

/// Whether a move with this name is a rotation of the complete puzzle.
pub(super) fn is_rotation(name: &str) -> bool {
    let axis = name.strip_prefix(['x', 'y', 'z']);
    let grip = name.strip_suffix('v');
    matches!(axis, Some("" | "2" | "'"))
        || grip
            .is_some_and(|grip| !grip.is_empty() && grip.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Reads a definition.
pub(super) fn read(text: &str) -> Outcome<Definition> {
    let mut sections = Sections::new(false);
    let mut words = FileWords::of(text);
    while let Some(heading) = words.next() {
        if !sections.read(heading, &mut words)? {
            let reason = format!("{} does not begin a section of a definition", quoted(heading.text));
            return Err(FormatError::at(heading.line, reason));
        }
    }
    sections.finish()
}

/// Reads patterns.
pub(super) fn read_patterns(text: &str, definition: &Definition) -> Outcome<Vec<Pattern>> {
    let draft = Draft::of(definition);
    let names = MoveNames::of(&draft);
    let mut patterns = Vec::new();
    let mut words = FileWords::of(text);
    let mut budget = MOST_STEPS;
    while let Some(heading) = words.next() {
        if patterns.len() == MOST_PATTERNS {
            let reason = format!("there are more than {MOST_PATTERNS} patterns");
            return Err(FormatError::at(heading.line, reason));
        }
        let style = match heading.text {
            "Solved" | "Scramble" => Style::FromOne,
            "StartState" => Style::FromZero,
            "ScrambleAlg" => {
                words.rest_of(heading.line);
                patterns.push(scrambled(&mut words, heading, &names, &draft, &mut budget)?);
                continue;
            }
            other => {
                let reason = format!(
                    "{} does not begin a pattern: Solved, StartState, Scramble or ScrambleAlg does",
                    quoted(other)
                );
                return Err(FormatError::at(heading.line, reason));
            }
        };
        words.rest_of(heading.line);
        let given = pattern(rows(&mut words, heading, &draft)?, style, &draft)?;
        patterns.push(draft.pattern(&given).in_line(heading.line)?);
    }
    Ok(patterns)
}

/// What an algorithm, up to its `End`, makes of the first solved pattern.
fn scrambled<'a>(
    words: &mut FileWords<'a>,
    heading: FileWord<'a>,
    names: &MoveNames,
    draft: &Draft,
    budget: &mut usize,
) -> Outcome<Pattern> {
    let solved = draft.solved.first();
    let solved = solved.ok_or_else(|| FormatError::at(heading.line, "there is no solved pattern"))?;
    let texts: Vec<&str> = words.block(heading)?.iter().map(|word| word.text).collect();
    let all = names.evaluate(&texts.join(" "), draft, budget).in_line(heading.line)?;
    Ok(solved.after(&all))
}

/// A slot whose piece a move turns in place, although the pieces of its set have one orientation.
#[derive(Clone, Copy, Debug)]
pub(super) struct InPlace {
    /// The number of the move.
    pub number: usize,
    pub orbit: usize,
    pub slot: usize,
}

/// What sections make up a definition; those of ksolve+ build on it.
pub(super) struct Sections<'a> {
    pub draft: Draft,
    /// Whether it is read as ksolve+ does: orientations are reduced, and no move is a rotation.
    ksolve: bool,
    solved: Option<FileWord<'a>>,
    given: Vec<Option<GivenPattern>>,
    /// What moves turn without moving it, in sets that have one orientation.
    pub in_place: Vec<InPlace>,
    derived: Vec<Derived>,
    /// Slots and labels, until the labels are known.
    illegal: Vec<(FileWord<'a>, usize, u32, Vec<u32>)>,
    scrambles: Vec<(FileWord<'a>, String)>,
}

impl<'a> Sections<'a> {
    pub fn new(ksolve: bool) -> Self {
        Sections {
            draft: Draft::default(),
            ksolve,
            solved: None,
            given: Vec::new(),
            in_place: Vec::new(),
            derived: Vec::new(),
            illegal: Vec::new(),
            scrambles: Vec::new(),
        }
    }

    /// Reads the section that a heading begins; false if there is no such section.
    pub fn read(&mut self, heading: FileWord<'a>, words: &mut FileWords<'a>) -> Outcome<bool> {
        let line = heading.line;
        match heading.text {
            "Name" => {
                let name: Vec<&str> = words.rest_of(line).iter().map(|word| word.text).collect();
                self.draft.name = title(&name.join(" "));
            }
            "Set" => {
                if self.solved.is_some() || !self.draft.moves.is_empty() {
                    return Err(FormatError::at(line, "sets come before the solved state and the moves"));
                }
                let name = words.next_in(line, "the name of the set")?;
                let pieces = number(words.next_in(line, "the number of pieces")?)?;
                let orientations = number(words.next_in(line, "the number of orientations")?)?;
                words.end_line(line)?;
                self.draft.add_orbit(name.text, pieces, orientations).in_line(line)?;
            }
            "Solved" => self.read_solved(heading, words, Style::FromOne)?,
            "StartState" => self.read_solved(heading, words, Style::FromZero)?,
            "Move" => self.read_move(heading, words, Style::FromOne)?,
            "MoveTransformation" => self.read_move(heading, words, Style::FromZero)?,
            "MoveSequence" | "MoveAlias" => self.read_derived(heading, words)?,
            "Illegal" => {
                let set = words.next_in(line, "the name of the set")?;
                let orbit = self.draft.orbit(set.text).in_line(line)?;
                let slot = number(words.next_in(line, "the slot")?)?;
                let labels = words.rest_of(line).into_iter().map(number).collect::<Outcome<Vec<u32>>>()?;
                if labels.is_empty() {
                    return Err(FormatError::at(line, "the piece is missing that may not lie there"));
                }
                self.illegal.push((heading, orbit, slot, labels));
            }
            "Scramble" => {
                words.rest_of(line);
                rows(words, heading, &self.draft)?;
            }
            "ScrambleAlg" => {
                words.rest_of(line);
                let moves: Vec<&str> = words.block(heading)?.iter().map(|word| word.text).collect();
                self.scrambles.push((heading, moves.join(" ")));
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn read_solved(&mut self, heading: FileWord<'a>, words: &mut FileWords<'a>, style: Style) -> Outcome<()> {
        words.end_line(heading.line)?;
        if let Some(first) = self.solved.replace(heading) {
            let reason = format!("what solved is was already said in line {}", first.line);
            return Err(FormatError::at(heading.line, reason));
        }
        let mut given = pattern(rows(words, heading, &self.draft)?, style, &self.draft)?;
        if self.ksolve {
            for (given, orbit) in given.iter_mut().zip(&self.draft.orbits) {
                let row = given.as_mut().and_then(|given| given.orientation.as_mut());
                for turn in row.into_iter().flatten().flatten() {
                    *turn %= u32::from(orbit.orientations);
                }
            }
        }
        self.given = given;
        self.set_solved(heading.line)
    }

    /// What the file says of the solved pattern of a set, to be changed before it is set again.
    pub fn solved_pattern(&mut self, orbit: usize) -> Option<&mut GivenPattern> {
        let labels = (0..).take(self.draft.orbits.get(orbit)?.slots).map(Some);
        let distinct = || GivenPattern { pieces: labels.collect(), orientation: None, modulus: None };
        Some(self.given.get_mut(orbit)?.get_or_insert_with(distinct))
    }

    /// Sets the solved pattern as the file gives it.
    pub fn set_solved(&mut self, line: usize) -> Outcome<()> {
        self.draft.set_solved(&self.given).in_line(line)
    }

    fn read_move(&mut self, heading: FileWord<'a>, words: &mut FileWords<'a>, style: Style) -> Outcome<()> {
        let line = heading.line;
        let name = words.next_in(line, "the name of the move")?;
        words.end_line(line)?;
        let rows = rows(words, heading, &self.draft)?;
        if self.ksolve {
            self.note_in_place(&rows);
        }
        let transformation = transformation(rows, style, self.ksolve, &self.draft)?;
        let is_rotation = !self.ksolve && is_rotation(name.text);
        self.draft.add_move(name.text, is_rotation, transformation).in_line(line)
    }

    /// Notes what the next move turns in place.
    fn note_in_place(&mut self, rows: &[SetRows<'a>]) {
        let number = self.draft.moves.len();
        for SetRows { orbit, first, second, .. } in rows {
            let listed = (1..).zip(first.iter().zip(second.iter().flatten()));
            let turned = listed.filter(|&(slot, (&from, &turn))| from == Some(slot) && turn != Some(0));
            if self.draft.orbits[*orbit].orientations == 1 {
                let slots = turned.map(|(slot, _)| slot as usize - 1);
                self.in_place.extend(slots.map(|slot| InPlace { number, orbit: *orbit, slot }));
            }
        }
    }

    fn read_derived(&mut self, heading: FileWord<'a>, words: &mut FileWords<'a>) -> Outcome<()> {
        let line = heading.line;
        let name = words.next_in(line, "the name of the move")?;
        let rest: Vec<&str> = words.rest_of(line).iter().map(|word| word.text).collect();
        let role = match heading.text {
            "MoveAlias" if rest.len() != 1 => {
                return Err(FormatError::at(line, "an alias stands for one move"));
            }
            "MoveAlias" => Role::Alias,
            _ if rest.is_empty() => {
                return Err(FormatError::at(line, "the moves of the sequence are missing"));
            }
            _ if is_rotation(name.text) => Role::Rotation,
            _ => Role::Move,
        };
        self.derived.push(Derived { name: name.text.into(), role, text: rest.join(" "), line });
        Ok(())
    }

    /// Works out what other sections have to be known for.
    pub fn finish(mut self) -> Outcome<Definition> {
        let names = resolve(&mut self.draft, &self.derived)?;
        for (heading, moves) in &self.scrambles {
            names.check(moves).in_line(heading.line)?;
        }
        if self.draft.solved.is_empty() && !self.draft.orbits.is_empty() {
            return Err(FormatError::at(0, "there is no block `Solved`"));
        }
        for (heading, orbit, slot, labels) in &self.illegal {
            let counted = |number: u32| number.checked_sub(1).ok_or("slots and pieces are counted from 1");
            let slot = counted(*slot).map_err(str::to_owned).in_line(heading.line)?;
            let slot = self.draft.slot(*orbit, slot).in_line(heading.line)?;
            for &label in labels {
                let label = counted(label).map_err(str::to_owned).in_line(heading.line)?;
                let piece = self.draft.piece(*orbit, label, 1).in_line(heading.line)?.piece;
                self.draft.forbidden.push(Forbidden { slot, piece });
            }
        }
        self.draft.finish().in_line(0)
    }
}

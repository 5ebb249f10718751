//! A game on a table: pieces are placed, turned, moved and taken, in any order.
//!
//! Pieces are in three places: a cursor on the board, a piece of the pile that is held, and perhaps a
//! cell whose piece was lifted to be moved. What was done is remembered as game files, which are the
//! whole state of a table.

use super::Keys;
use super::game::{self, ActiveGame, FilmFrame, GameReply, SearchRequest, SearchTask};
use crate::error::{Result, usage};
use crate::puzzle::{Arrow, Play};
use crate::puzzles::registry;
use crate::puzzles::triangles::{KIND, Tabletop};
use crate::solve::Effort;
use crate::text::pluralise;

/// A table under way.
pub struct PlacementGame {
    table: Tabletop,
    /// Files: as it was before each thing that was done, and after each that was taken back.
    before: Vec<String>,
    after: Vec<String>,
    cursor: usize,
    /// The place in the pile of the piece in hand.
    held: usize,
    lifted: Option<usize>,
}

impl PlacementGame {
    /// A game on a table as it lies.
    pub fn new(table: Tabletop) -> Self {
        PlacementGame { table, before: Vec::new(), after: Vec::new(), cursor: 0, held: 0, lifted: None }
    }

    /// Does something to the table, and remembers how it was.
    fn act(&mut self, act: impl FnOnce(&mut Tabletop) -> Result<()>) -> Result<Option<String>> {
        let before = self.table.file();
        act(&mut self.table)?;
        self.done(before);
        Ok(self.table.message().filter(|_| !self.table.is_solved()).map(str::to_owned))
    }

    fn done(&mut self, before: String) {
        self.before.push(before);
        self.after.clear();
        self.lifted = None;
        self.hold(self.held);
    }

    fn restore(&mut self, file: &str) -> Result<()> {
        self.lifted = None;
        self.table.restore(file)?;
        self.hold(self.held);
        Ok(())
    }

    fn hold(&mut self, place: usize) {
        self.held = place.min(self.table.pile().len().saturating_sub(1));
    }

    /// Takes another piece of the pile into the hand.
    fn flip(&mut self, back: bool) -> Result<Option<String>> {
        let pieces = self.table.pile().len();
        if pieces == 0 {
            return usage("the pile is empty");
        }
        let step = if back { pieces - 1 } else { 1 };
        self.held = (self.held + step) % pieces;
        Ok(None)
    }

    fn in_hand(&self) -> Result<usize> {
        match self.table.pile().get(self.held) {
            Some(&piece) => Ok(piece),
            None => usage("the pile is empty"),
        }
    }

    fn place(&mut self) -> Result<Option<String>> {
        let cell = self.cursor;
        if let Some(from) = self.lifted {
            return self.act(|table| table.move_piece(from, cell));
        }
        let piece = self.in_hand()?;
        self.act(|table| table.place(piece, cell))
    }

    fn turn(&mut self) -> Result<Option<String>> {
        let cell = self.cursor;
        match self.table.piece_at(cell) {
            Some(_) => self.act(|table| table.turn(cell)),
            None => {
                let piece = self.in_hand()?;
                self.act(|table| table.turn_in_pile(piece))
            }
        }
    }

    fn take(&mut self, cell: usize) -> Result<Option<String>> {
        let said = self.act(|table| table.take(cell))?;
        // It comes last in the pile, and is in the hand.
        self.hold(usize::MAX);
        Ok(said)
    }

    fn lift(&mut self) -> Result<Option<String>> {
        if self.lifted.take().is_some() {
            return Ok(Some("The piece stays where it is.".into()));
        }
        match self.table.piece_at(self.cursor) {
            Some(_) => {
                self.lifted = Some(self.cursor);
                Ok(Some("Go to an empty cell and place the piece there.".into()))
            }
            None => usage("there is no piece to lift in this cell"),
        }
    }

    /// The cell that two words name, a row and a column.
    fn cell(&self, row: &str, column: &str) -> Result<usize> {
        let number = |word: &str| word.parse::<u8>().ok();
        let cell = number(row).zip(number(column));
        match cell.and_then(|(row, column)| self.table.cell(row, column)) {
            Some(cell) => Ok(cell),
            None => usage(format!(
                "there is no cell in row `{}`, column `{}`",
                row.escape_debug(),
                column.escape_debug()
            )),
        }
    }

    fn piece(&self, letters: &str) -> Result<usize> {
        match self.table.piece(letters) {
            Some(piece) => Ok(piece),
            None => usage(format!("there is no piece `{}`", letters.escape_debug())),
        }
    }

    /// Places pieces that are written as solvers print them; `None` if these are no such words.
    fn place_in_order(&mut self, words: &[&str]) -> Option<Result<Option<String>>> {
        let mut table = self.table.clone();
        match table.place_in_order(words)? {
            Ok(()) => {
                let before = std::mem::replace(&mut self.table, table).file();
                self.done(before);
                Some(Ok(None))
            }
            Err(why) => Some(Err(why)),
        }
    }

    fn place_at(&mut self, letters: &str, row: &str, column: &str) -> Result<Option<String>> {
        let (piece, cell) = (self.piece(letters)?, self.cell(row, column)?);
        let said = self.act(|table| table.place(piece, cell))?;
        self.cursor = cell;
        Ok(said)
    }
}

impl ActiveGame for PlacementGame {
    fn title(&self) -> String {
        self.table.puzzle().to_owned()
    }

    fn board(&self, colour: bool) -> String {
        let held = Some(self.held);
        self.table.picture(Some(self.cursor), self.lifted, held, colour)
    }

    fn status(&self, _: Option<&Keys>) -> Vec<String> {
        let place = self.table.row_and_column(self.cursor);
        let (row, column) = place.unwrap_or_default();
        let mut lines = vec![format!(
            "{}; {} of {} pieces on the board; at row {row}, column {column}",
            self.count(),
            self.table.placed(),
            self.table.cells()
        )];
        if self.table.has_conflicts() {
            lines.push("pieces marked !! do not match their neighbours".into());
        }
        lines
    }

    fn keys(&self) -> String {
        "arrows go over the board; , and . flip through the pile; Enter places, t turns, x takes off, \
         m moves, c clears"
            .into()
    }

    fn words(&self) -> Vec<[String; 2]> {
        let words = [
            ["left, right, up, down; cell ROW COLUMN", "go to a cell"],
            ["next (.), previous (,)", "flip through the pile"],
            ["turn (t)", "turns the piece in the cell, or else the one in hand"],
            ["place; place ADa ROW COLUMN", "places the piece in hand, or another one; it is turned to fit"],
            ["ADa3 DCa1 ...", "places pieces as solvers print them, in the first empty cells"],
            ["take (x); take ROW COLUMN", "takes a piece off the board"],
            ["lift (m)", "lifts a piece, to place it in another cell"],
            ["clear (c)", "takes all pieces off"],
        ];
        words.map(|line| line.map(str::to_owned)).into()
    }

    fn is_solved(&self) -> bool {
        self.table.is_solved()
    }

    fn is_begun(&self) -> bool {
        !self.before.is_empty()
    }

    fn count(&self) -> String {
        pluralise(self.before.len(), "step")
    }

    fn arrow(&mut self, arrow: Arrow) -> Result<Option<String>> {
        self.cursor = self.table.beside(self.cursor, arrow);
        Ok(None)
    }

    fn enter(&mut self) -> Result<Option<String>> {
        self.place()
    }

    fn character(&mut self, character: char) -> Option<Result<Option<String>>> {
        Some(match character {
            '.' | '\t' | '>' => self.flip(false),
            ',' | '\r' | '<' => self.flip(true),
            ' ' => self.place(),
            't' => self.turn(),
            'x' => self.take(self.cursor),
            'm' => self.lift(),
            'c' => self.say("clear"),
            _ => return None,
        })
    }

    fn say(&mut self, line: &str) -> Result<Option<String>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["next" | "."] => self.flip(false),
            ["previous" | ","] => self.flip(true),
            ["turn" | "t"] => self.turn(),
            ["turn", letters] => {
                let piece = self.piece(letters)?;
                self.act(|table| table.turn_in_pile(piece))
            }
            ["turn", row, column] => {
                let cell = self.cell(row, column)?;
                self.act(|table| table.turn(cell))
            }
            ["place"] => self.place(),
            ["place", letters, row, column] => self.place_at(letters, row, column),
            ["take" | "x"] => self.take(self.cursor),
            ["take", row, column] => self.take(self.cell(row, column)?),
            ["lift" | "m"] => self.lift(),
            ["move", row, column, to_row, to_column] => {
                let (from, to) = (self.cell(row, column)?, self.cell(to_row, to_column)?);
                self.act(|table| table.move_piece(from, to))
            }
            ["clear" | "c"] => match self.table.placed() {
                0 => usage("no piece lies on the board"),
                _ => self.act(|table| {
                    table.clear();
                    Ok(())
                }),
            },
            ["cell", row, column] => {
                self.cursor = self.cell(row, column)?;
                Ok(None)
            }
            [letters, row, column] if self.piece(letters).is_ok() => self.place_at(letters, row, column),
            _ => self.place_in_order(&words).unwrap_or_else(|| {
                usage(format!(
                    "`{}` is not a command; `help` lists the commands, such as `place ADa 2 3`",
                    line.escape_debug()
                ))
            }),
        }
    }

    fn undo(&mut self) -> Result<()> {
        let Some(file) = self.before.pop() else {
            return usage("there is nothing to take back");
        };
        self.after.push(self.table.file());
        self.restore(&file)
    }

    fn redo(&mut self) -> Result<()> {
        let Some(file) = self.after.pop() else {
            return usage("nothing was taken back");
        };
        self.before.push(self.table.file());
        self.restore(&file)
    }

    fn restart(&mut self) {
        while self.undo().is_ok() {}
    }

    fn another(&self, seed: u64) -> Result<Box<dyn ActiveGame>> {
        let (Play::Random(text) | Play::Given(text)) = KIND.play else {
            return usage("there is no other game");
        };
        let whole = registry::parse(text)?;
        let is_whole = game::table(&*whole).is_some_and(|table| table.cells() == self.table.cells());
        if !is_whole {
            return usage(
                "only the whole board has random games, and this is a part of it: `clear` takes all pieces \
                 off, `restart` goes back to the beginning",
            );
        }
        // A file does not say which puzzle it came from, but another random one is as good.
        game::begin(whole.into(), Some(seed))
    }

    fn save(&self) -> String {
        self.table.file()
    }

    fn known(&self, _: SearchRequest) -> Option<GameReply> {
        None
    }

    fn search_task(&self, request: SearchRequest) -> SearchTask {
        let mut table = self.table.clone();
        Box::new(move |control| {
            let effort = Effort::unbounded(0, control.stop);
            match request {
                SearchRequest::Hint => table.hint(&effort)?,
                SearchRequest::Solution | SearchRequest::Phases(_) => table.finish(&effort)?,
            }
            Ok(GameReply::Tabletop(Box::new(table)))
        })
    }

    fn hint(&mut self, answer: GameReply) -> Result<String> {
        let GameReply::Tabletop(table) = answer else {
            return Ok(String::new());
        };
        let before = self.table.file();
        let said = table.message().unwrap_or_default().to_owned();
        self.table = *table;
        self.done(before);
        Ok(said)
    }

    fn film(&mut self, answer: GameReply, colour: bool) -> Result<(Vec<FilmFrame>, String)> {
        let GameReply::Tabletop(end) = answer else {
            return Ok((Vec::new(), String::new()));
        };
        let about = end.message().unwrap_or_default().to_owned();
        let frames = self.table.steps_to(&end).into_iter();
        let frames =
            frames.map(|(name, table)| FilmFrame { name, picture: table.picture(None, None, None, colour) });
        Ok((frames.collect(), about))
    }
}

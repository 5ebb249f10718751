//! Scenes, and how they are placed out in a window.

use std::time::Duration;

use crate::error::Result;
use crate::puzzle::Arrow;
use crate::text::{escape_controls, width};

/// All that is to be seen at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Which game.
    pub title: String,
    /// The board, on several lines.
    pub board: String,
    /// What is said below it.
    pub status: Vec<String>,
    /// What has just happened.
    pub message: Option<String>,
    /// Which keys there are; not shown where lines are read.
    pub keys: String,
    /// What is being typed, after what was asked.
    pub prompt: Option<String>,
}

/// A key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameKey {
    Arrow(Arrow),
    Enter,
    Escape,
    /// Backspace or Delete.
    Backspace,
    Tab,
    /// Tab with Shift.
    BackTab,
    /// To the beginning.
    Home,
    End,
    /// The key that interrupts: Ctrl-C.
    Break,
    /// The key that ends the input: Ctrl-D.
    Close,
    /// Anything with a character.
    Character(char),
}

/// What comes from a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed.
    GameKey(GameKey),
    /// A line was entered.
    Line(String),
    /// Nothing came, or only the window has changed.
    Nothing,
    /// Nothing will come any more.
    End,
}

/// Where a game is seen and played.
pub trait Screen {
    fn show(&mut self, scene: &Scene) -> Result<()>;
    /// What comes next; `Nothing` after a while without anything.
    fn event(&mut self, wait: Duration) -> Result<Event>;
    /// Whether scenes are drawn in place and keys come one by one.
    fn is_live(&self) -> bool;
    /// Whether boards are coloured.
    fn colour(&self) -> bool;
}

impl Scene {
    /// The scene for a reader of lines.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut put = |line: &str| {
            if !line.is_empty() {
                text += line;
                text.push('\n');
            }
        };
        put(&escape_controls(&self.title));
        // Only boards are coloured.
        put(&self.board);
        self.status.iter().for_each(|line| put(&escape_controls(line)));
        put(&escape_controls(self.message.as_deref().unwrap_or_default()));
        put(&escape_controls(self.prompt.as_deref().unwrap_or_default()));
        text
    }

    /// The lines of a window of this size; a sentence if it is too small for the board.
    pub fn lines(&self, columns: usize, rows: usize) -> Vec<String> {
        let wrap = |text: &str| wrapped(&escape_controls(text).replace('\t', " "), columns);
        let mut said = self.message.as_deref().map(wrap).unwrap_or_default();
        let board: Vec<&str> = self.board.lines().collect();
        let wide = board.iter().map(|line| width(line)).max().unwrap_or(0);
        // The counter, what is typed or has happened, and the title, if there is room for it.
        let high = board.len() + 2;
        if wide > columns || high > rows {
            let sentence = format!(
                "Window too small (q quits): the board needs {wide} columns and {high} lines, and there are \
                 {columns} and {rows}."
            );
            // What has happened may be a question.
            said.truncate(rows.saturating_sub(2));
            said.extend(wrap(&sentence));
            said.truncate(rows);
            return said;
        }
        let mut typed = self.prompt.as_deref().map(wrap).unwrap_or_default();
        let mut status: Vec<String> = self.status.iter().flat_map(|line| wrap(line)).collect();
        let mut keys = wrap(&self.keys);
        let title = wrap(&self.title);
        // What matters least goes first where there is no room: keys, then the status from its end, then
        // what has happened. Of what is typed the end is seen, where one types.
        let room = rows - board.len();
        typed.drain(..typed.len().saturating_sub(room - 1));
        said.truncate(room - 1 - typed.len());
        let left = room - typed.len() - said.len();
        if status.len() > left && board.is_empty() {
            // A reader of a list should see that it continues.
            let more = wrap("... (a larger window shows more)");
            status.truncate(left - 1);
            status.extend(more.into_iter().take(1));
        }
        status.truncate(left);
        let left = left - status.len();
        let has_title = left >= title.len();
        let left = if has_title { left - title.len() } else { left };
        keys.truncate(left);
        let gap = left > keys.len() + 1;
        let mut lines = Vec::new();
        if has_title {
            lines.extend(title);
        }
        if gap {
            lines.push(String::new());
        }
        lines.extend(board.iter().map(|&line| line.to_owned()));
        if gap {
            lines.push(String::new());
        }
        lines.extend(status);
        lines.extend(said);
        lines.extend(keys);
        lines.extend(typed);
        lines.truncate(rows);
        lines
    }
}

/// A sentence in lines of at most that many columns, broken between words where that is possible.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            let mut word = word;
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            } else if !line.is_empty() {
                line.push(' ');
            }
            while word.chars().count() > columns {
                let cut = word.char_indices().nth(columns).map_or(word.len(), |c| c.0);
                lines.push(word[..cut].to_owned());
                word = &word[cut..];
            }
            line += word;
        }
        lines.push(line);
    }
    lines
}

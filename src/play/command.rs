//! What players say: lines, and keys with a meaning in every game.

use crate::error::{Result, usage};
use crate::puzzle::Arrow;

/// What a player wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlayCommand {
    /// What can be done.
    Help,
    /// Take the last thing back.
    Undo,
    /// Do it again.
    Redo,
    /// A good next move.
    Hint,
    /// The way to the end.
    Solve,
    /// Put the game into a file.
    Save(String),
    /// Back to the beginning.
    Restart,
    /// Another game, with this seed if one is given.
    New(Option<u64>),
    /// The end.
    Quit,
    Arrow(Arrow),
    Enter,
    /// Only look.
    Look,
    /// Something that is for the game to understand.
    Say(String),
}

/// A word, and the key that says the same in a terminal.
pub type CommandWord = (&'static str, Option<char>);

/// What is said in every game, and what it does.
pub const WORDS: &[(&[CommandWord], &str)] = &[
    (&[("undo", Some('u')), ("redo", Some('y'))], "take the last move back; make it again"),
    (&[("hint", Some('h'))], "shows a good next move"),
    (&[("solve", Some('s'))], "shows a solution, to be stepped through"),
    (&[("restart", None)], "goes back to the beginning"),
    (
        &[("new [SEED]", None)],
        "begins another game; without a seed, a game that began with questions asks again",
    ),
    (&[("save FILE", None)], "saves the game; `godnum play --load FILE` continues it"),
    (&[("help", Some('?'))], "shows this"),
    (&[("quit", Some('q'))], "ends the game"),
];

/// Four keys that the player chose for the four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Keys([char; 4]);

impl Keys {
    /// The keys that are offered: left, right, up, down.
    pub const DEFAULT: Keys = Keys(['a', 'd', 'w', 's']);

    /// Keys for left, right, up and down, which must differ.
    pub fn new(keys: [char; 4]) -> Result<Self> {
        for (number, &key) in keys.iter().enumerate() {
            Keys::usable(key, &keys[..number])?;
        }
        Ok(Keys(keys))
    }

    /// Refuses a key that cannot be used, or is among those that are taken.
    pub fn usable(key: char, taken: &[char]) -> Result<()> {
        if let Some(place) = taken.iter().position(|&other| other == key) {
            return usage(format!(
                "`{key}` is the key for {} already: the four keys must differ",
                Arrow::ALL[place % 4].word()
            ));
        }
        if key.is_whitespace() || key.is_control() {
            return usage("that key is not printable: choose a letter, a digit or a symbol");
        }
        match key {
            ':' => usage("`:` begins a command that is typed: choose another key"),
            '?' => usage("`?` is the key for help: choose another one"),
            'q' => usage("`q` is the key that ends the game: choose another one"),
            _ => Ok(()),
        }
    }

    /// The key for a direction.
    pub fn of(&self, arrow: Arrow) -> char {
        let place = Arrow::ALL.iter().position(|&other| other == arrow);
        self.0[place.unwrap_or_default()]
    }

    /// The direction of a key. Upper and lower case are the same, unless both are keys.
    pub fn arrow(&self, key: char) -> Option<Arrow> {
        let exact = self.0.iter().position(|&other| other == key);
        let same = |other: &char| other.to_lowercase().eq(key.to_lowercase());
        let place = exact.or_else(|| self.0.iter().position(same))?;
        Some(Arrow::ALL[place])
    }
}

impl PlayCommand {
    /// Reads a line. Keys that the player chose come before everything else.
    pub fn of_line(line: &str, keys: Option<&Keys>) -> Result<Self> {
        let line = line.trim();
        let mut characters = line.chars();
        if let (Some(key), None, Some(keys)) = (characters.next(), characters.next(), keys)
            && let Some(arrow) = keys.arrow(key)
        {
            return Ok(PlayCommand::Arrow(arrow));
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let plain = |command: PlayCommand| match rest {
            "" => Ok(command),
            _ => usage(format!("`{word}` takes no argument: omit `{}`", rest.escape_debug())),
        };
        match word {
            "" => Ok(PlayCommand::Look),
            "help" | "?" => plain(PlayCommand::Help),
            "undo" | "u" => plain(PlayCommand::Undo),
            "redo" | "y" => plain(PlayCommand::Redo),
            "hint" | "h" => plain(PlayCommand::Hint),
            "solve" | "s" => plain(PlayCommand::Solve),
            "restart" => plain(PlayCommand::Restart),
            "quit" | "q" | "exit" => plain(PlayCommand::Quit),
            "look" => plain(PlayCommand::Look),
            "enter" => plain(PlayCommand::Enter),
            "save" if rest.is_empty() => usage("name a file: `save FILE`"),
            "save" => Ok(PlayCommand::Save(rest.to_owned())),
            "new" if rest.is_empty() => Ok(PlayCommand::New(None)),
            "new" => match rest.parse() {
                Ok(seed) => Ok(PlayCommand::New(Some(seed))),
                Err(_) => {
                    usage(format!("the seed `{}` is not a whole number below 2^64", rest.escape_debug()))
                }
            },
            _ => match Arrow::ALL.into_iter().find(|arrow| arrow.word() == line) {
                Some(arrow) => Ok(PlayCommand::Arrow(arrow)),
                None => Ok(PlayCommand::Say(line.to_owned())),
            },
        }
    }

    /// What a key with a character means in every game.
    pub fn of_key(key: char, keys: Option<&Keys>) -> Option<Self> {
        if let Some(arrow) = keys.and_then(|keys| keys.arrow(key)) {
            return Some(PlayCommand::Arrow(arrow));
        }
        Some(match key {
            '?' => PlayCommand::Help,
            'u' => PlayCommand::Undo,
            'y' => PlayCommand::Redo,
            'h' => PlayCommand::Hint,
            's' => PlayCommand::Solve,
            'q' => PlayCommand::Quit,
            _ => return None,
        })
    }
}

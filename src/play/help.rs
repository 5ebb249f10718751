//! What is shown about keys and words: what they do for this player, in this place, and nothing else.
//!
//! Keys that the player chose come before all others, so a key that is one of them is not shown as
//! anything else.

use super::command::{CommandWord, Keys, WORDS};
use super::game::ActiveGame;

/// What some keys do in every game.
const KEYS: [(char, &str); 7] = [
    ('h', "hint"),
    ('s', "solve"),
    ('u', "undo"),
    ('y', "redo"),
    ('?', "help"),
    ('q', "quit"),
    (':', "to type a command"),
];

/// The key for another game, once this one is solved.
pub const ANOTHER: char = 'n';

/// Where a game is played, and with which keys.
#[derive(Clone, Copy)]
pub struct KeyContext {
    /// Whether keys are read one by one.
    pub is_live: bool,
    /// Keys that the player chose.
    pub keys: Option<Keys>,
}

impl KeyContext {
    /// Whether a key has its usual meaning.
    pub fn is_free(self, key: char) -> bool {
        self.keys.is_none_or(|keys| keys.arrow(key).is_none())
    }

    /// The keys of every game.
    pub fn common_keys(self, is_solved: bool) -> String {
        let another = is_solved.then_some((ANOTHER, "new game"));
        let keys = another.into_iter().chain(KEYS);
        let keys = keys.filter(|(key, _)| self.is_free(*key));
        let keys: Vec<String> = keys.map(|(key, what)| format!("{key} {what}")).collect();
        keys.join(", ")
    }

    /// How to continue from a game that is solved.
    pub fn after(self) -> &'static str {
        match (self.is_live, self.is_free(ANOTHER)) {
            (true, true) => "n begins another game, q ends this one.",
            (true, false) => "`:new` begins another game, q ends this one.",
            (false, true) => "`n` begins another game, `quit` ends this one.",
            (false, false) => "`new` begins another game, `quit` ends this one.",
        }
    }

    /// All that can be typed or pressed in a game.
    pub fn help(self, game: &dyn ActiveGame) -> String {
        let mut lines: Vec<String> = Vec::new();
        for [word, what] in game.words() {
            lines.push(format!("{word}: {what}"));
        }
        for (words, what) in WORDS {
            let word = |(word, key): &CommandWord| match key {
                Some(key) if self.is_free(*key) => format!("{word} ({key})"),
                _ => (*word).to_owned(),
            };
            let words: Vec<String> = words.iter().map(word).collect();
            lines.push(format!("{}: {what}", words.join(", ")));
        }
        if self.is_live {
            lines.push("Commands are typed after a `:`; a character in brackets is a key.".into());
        }
        lines.join("\n")
    }
}

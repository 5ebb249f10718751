//! Keys, out of the bytes that a terminal sends.
//!
//! A terminal sends a character as UTF-8, a key with Ctrl as a control byte, and other keys as sequences
//! that begin with the byte of Escape. A sequence may come in parts; one whose end does not come is no
//! key, and Escape alone is the key Escape. So a reader says when it has waited long enough.

use std::collections::VecDeque;

use super::screen::GameKey;
use crate::puzzle::Arrow;

const ESCAPE: u8 = 0x1b;

/// No sequence of a key is longer.
const LONGEST: usize = 32;

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key that is for the game.
    GameKey(GameKey),
    /// Ctrl-Z: the game is to be suspended.
    Suspend,
    /// Ctrl-L: the screen is to be drawn again.
    Redraw,
}

/// Bytes that came and were not read yet.
#[derive(Default)]
pub struct Keyboard(VecDeque<u8>);

/// What the bytes at hand begin with.
enum KeyPrefix {
    /// This many bytes, which are a key or mean nothing.
    Whole(usize, Option<Press>),
    /// The beginning of something.
    Part,
}

impl Keyboard {
    /// Takes bytes in.
    pub fn put(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// The next key. With `is_all`, what is not whole by now will not come: the bytes are used up.
    pub fn next(&mut self, is_all: bool) -> Option<Press> {
        while !self.0.is_empty() {
            // Only as much as one key may take is looked at, however much was pasted.
            let some: Vec<u8> = self.0.iter().take(LONGEST).copied().collect();
            let (length, press) = match head(&some) {
                KeyPrefix::Whole(length, press) => (length, press),
                KeyPrefix::Part if some.len() == LONGEST => (LONGEST, None),
                KeyPrefix::Part if !is_all => return None,
                KeyPrefix::Part if some == [ESCAPE] => (1, Some(Press::GameKey(GameKey::Escape))),
                KeyPrefix::Part => (some.len(), None),
            };
            self.0.drain(..length);
            if press.is_some() {
                return press;
            }
        }
        None
    }
}

/// Reads what comes first.
fn head(bytes: &[u8]) -> KeyPrefix {
    let key = |key| Some(Press::GameKey(key));
    match bytes {
        [] => KeyPrefix::Part,
        [ESCAPE, rest @ ..] => match rest {
            [] => KeyPrefix::Part,
            [b'[', rest @ ..] => sequence(rest),
            [b'O'] => KeyPrefix::Part,
            [b'O', end, ..] => KeyPrefix::Whole(3, named(*end)),
            // Escape, and then another key.
            _ => KeyPrefix::Whole(1, key(GameKey::Escape)),
        },
        [byte @ (0..0x20 | 0x7f), ..] => KeyPrefix::Whole(1, control(*byte)),
        _ => character(bytes),
    }
}

/// What follows `ESC [`: numbers, and a letter or a `~` at the end.
fn sequence(bytes: &[u8]) -> KeyPrefix {
    // The function keys of the Linux console.
    if let [b'[', rest @ ..] = bytes {
        return match rest {
            [] => KeyPrefix::Part,
            _ => KeyPrefix::Whole(4, None),
        };
    }
    let inside = |byte: &u8| (0x20..0x40).contains(byte);
    let Some(at) = bytes.iter().position(|byte| !inside(byte)) else {
        return KeyPrefix::Part;
    };
    let (numbers, end) = (&bytes[..at], bytes[at]);
    let press = match end {
        // Whatever this is, it is not part of the sequence.
        0..0x40 | 0x7f.. => return KeyPrefix::Whole(2 + at, None),
        b'~' => {
            let number = numbers.split(|&byte| byte == b';').next();
            match number.unwrap_or_default() {
                b"1" | b"7" => Some(Press::GameKey(GameKey::Home)),
                b"4" | b"8" => Some(Press::GameKey(GameKey::End)),
                b"3" => Some(Press::GameKey(GameKey::Backspace)),
                _ => None,
            }
        }
        b'Z' => Some(Press::GameKey(GameKey::BackTab)),
        letter => named(letter),
    };
    KeyPrefix::Whole(3 + at, press)
}

/// The keys that have the same letter in both sorts of sequences, with whatever else is held down.
fn named(letter: u8) -> Option<Press> {
    Some(Press::GameKey(match letter {
        b'A' => GameKey::Arrow(Arrow::Up),
        b'B' => GameKey::Arrow(Arrow::Down),
        b'C' => GameKey::Arrow(Arrow::Right),
        b'D' => GameKey::Arrow(Arrow::Left),
        b'H' => GameKey::Home,
        b'F' => GameKey::End,
        b'M' => GameKey::Enter,
        _ => return None,
    }))
}

/// Keys with Ctrl, and those that have a control byte of their own.
fn control(byte: u8) -> Option<Press> {
    Some(match byte {
        0x03 => Press::GameKey(GameKey::Break),
        0x04 => Press::GameKey(GameKey::Close),
        0x08 | 0x7f => Press::GameKey(GameKey::Backspace),
        b'\t' => Press::GameKey(GameKey::Tab),
        b'\n' | b'\r' => Press::GameKey(GameKey::Enter),
        0x0c => Press::Redraw,
        0x1a => Press::Suspend,
        _ => return None,
    })
}

/// A character in UTF-8; bytes that are none mean nothing.
fn character(bytes: &[u8]) -> KeyPrefix {
    let some = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(some) {
        Ok(text) => text,
        Err(error) => match (error.valid_up_to(), error.error_len()) {
            (0, None) => return KeyPrefix::Part,
            (0, Some(length)) => return KeyPrefix::Whole(length, None),
            (valid, _) => std::str::from_utf8(&some[..valid]).unwrap_or_default(),
        },
    };
    match valid.chars().next() {
        Some(first) => {
            let press = (!first.is_control()).then_some(Press::GameKey(GameKey::Character(first)));
            KeyPrefix::Whole(first.len_utf8(), press)
        }
        None => KeyPrefix::Part,
    }
}

#[cfg(test)]
mod tests;

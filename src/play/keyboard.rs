//! Keys, out of the bytes that a terminal sends.
//!
//! A terminal sends a character as UTF-8, a key with Ctrl as a control byte, and other keys as sequences
//! that begin with the byte of Escape. A sequence may come in parts; one whose end does not come is no
//! key, and Escape alone is the key Escape. So a reader says when it has waited long enough.

use std::collections::VecDeque;

use super::screen::Key;
use crate::puzzle::Arrow;

const ESCAPE: u8 = 0x1b;

/// No sequence of a key is longer.
const LONGEST: usize = 32;

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// A key that is for the game.
    Key(Key),
    /// Ctrl-Z: the game is to be suspended.
    Suspend,
    /// Ctrl-L: the screen is to be drawn again.
    Redraw,
}

/// Bytes that came and were not read yet.
#[derive(Default)]
pub struct Keyboard(VecDeque<u8>);

/// What the bytes at hand begin with.
enum Head {
    /// So many bytes, which are a key or mean nothing.
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
                Head::Whole(length, press) => (length, press),
                Head::Part if some.len() == LONGEST => (LONGEST, None),
                Head::Part if !is_all => return None,
                Head::Part if some == [ESCAPE] => (1, Some(Press::Key(Key::Escape))),
                Head::Part => (some.len(), None),
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
fn head(bytes: &[u8]) -> Head {
    let key = |key| Some(Press::Key(key));
    match bytes {
        [] => Head::Part,
        [ESCAPE, rest @ ..] => match rest {
            [] => Head::Part,
            [b'[', rest @ ..] => sequence(rest),
            [b'O'] => Head::Part,
            [b'O', end, ..] => Head::Whole(3, named(*end)),
            // Escape, and then another key.
            _ => Head::Whole(1, key(Key::Escape)),
        },
        [byte @ (0..0x20 | 0x7f), ..] => Head::Whole(1, control(*byte)),
        _ => character(bytes),
    }
}

/// What follows `ESC [`: numbers, and a letter or a `~` at the end.
fn sequence(bytes: &[u8]) -> Head {
    // The function keys of the Linux console.
    if let [b'[', rest @ ..] = bytes {
        return match rest {
            [] => Head::Part,
            _ => Head::Whole(4, None),
        };
    }
    let inside = |byte: &u8| (0x20..0x40).contains(byte);
    let Some(at) = bytes.iter().position(|byte| !inside(byte)) else {
        return Head::Part;
    };
    let (numbers, end) = (&bytes[..at], bytes[at]);
    let press = match end {
        // Whatever this is, it is not part of the sequence.
        0..0x40 | 0x7f.. => return Head::Whole(2 + at, None),
        b'~' => {
            let number = numbers.split(|&byte| byte == b';').next();
            match number.unwrap_or_default() {
                b"1" | b"7" => Some(Press::Key(Key::Home)),
                b"4" | b"8" => Some(Press::Key(Key::End)),
                b"3" => Some(Press::Key(Key::Backspace)),
                _ => None,
            }
        }
        b'Z' => Some(Press::Key(Key::BackTab)),
        letter => named(letter),
    };
    Head::Whole(3 + at, press)
}

/// The keys that have the same letter in both sorts of sequences, with whatever else is held down.
fn named(letter: u8) -> Option<Press> {
    Some(Press::Key(match letter {
        b'A' => Key::Arrow(Arrow::Up),
        b'B' => Key::Arrow(Arrow::Down),
        b'C' => Key::Arrow(Arrow::Right),
        b'D' => Key::Arrow(Arrow::Left),
        b'H' => Key::Home,
        b'F' => Key::End,
        b'M' => Key::Enter,
        _ => return None,
    }))
}

/// Keys with Ctrl, and those that have a control byte of their own.
fn control(byte: u8) -> Option<Press> {
    Some(match byte {
        0x03 => Press::Key(Key::Break),
        0x04 => Press::Key(Key::Close),
        0x08 | 0x7f => Press::Key(Key::Backspace),
        b'\t' => Press::Key(Key::Tab),
        b'\n' | b'\r' => Press::Key(Key::Enter),
        0x0c => Press::Redraw,
        0x1a => Press::Suspend,
        _ => return None,
    })
}

/// A character in UTF-8; bytes that are none mean nothing.
fn character(bytes: &[u8]) -> Head {
    let some = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(some) {
        Ok(text) => text,
        Err(error) => match (error.valid_up_to(), error.error_len()) {
            (0, None) => return Head::Part,
            (0, Some(length)) => return Head::Whole(length, None),
            (valid, _) => std::str::from_utf8(&some[..valid]).unwrap_or_default(),
        },
    };
    match valid.chars().next() {
        Some(first) => {
            let press = (!first.is_control()).then_some(Press::Key(Key::Character(first)));
            Head::Whole(first.len_utf8(), press)
        }
        None => Head::Part,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All keys that bytes are, if no more come.
    fn keys(bytes: &[u8]) -> Vec<Press> {
        let mut keyboard = Keyboard::default();
        keyboard.put(bytes);
        std::iter::from_fn(|| keyboard.next(true)).collect()
    }

    fn pressed(key: Key) -> Vec<Press> {
        vec![Press::Key(key)]
    }

    #[test]
    fn what_terminals_send() {
        for (bytes, key) in [
            (&b"\x1b[A"[..], Key::Arrow(Arrow::Up)),
            (b"\x1bOB", Key::Arrow(Arrow::Down)),
            (b"\x1b[1;5C", Key::Arrow(Arrow::Right)),
            (b"\x1b[D", Key::Arrow(Arrow::Left)),
            (b"\x1b[H", Key::Home),
            (b"\x1b[1~", Key::Home),
            (b"\x1b[8~", Key::End),
            (b"\x1bOF", Key::End),
            (b"\x1b[3~", Key::Backspace),
            (b"\x7f", Key::Backspace),
            (b"\x1b[Z", Key::BackTab),
            (b"\t", Key::Tab),
            (b"\r", Key::Enter),
            (b"\x1b", Key::Escape),
            (b"\x03", Key::Break),
            (b"\x04", Key::Close),
            (b"q", Key::Character('q')),
            ("é".as_bytes(), Key::Character('é')),
            ("🦀".as_bytes(), Key::Character('🦀')),
        ] {
            assert_eq!(keys(bytes), pressed(key), "{bytes:?}");
            // It is the same if it comes byte by byte, and there is nothing before its end.
            let mut keyboard = Keyboard::default();
            for byte in bytes {
                assert_eq!(keyboard.next(false), None, "{bytes:?}");
                keyboard.put(&[*byte]);
            }
            assert_eq!(keyboard.next(bytes == b"\x1b"), Some(Press::Key(key)));
            assert!(keyboard.0.is_empty());
        }
        assert_eq!(keys(b"\x1a\x0c"), [Press::Suspend, Press::Redraw]);
    }

    #[test]
    fn what_is_no_key_is_passed_over() {
        for bytes in [
            &b"\xc3"[..],
            b"\x1b[",
            b"\x1bO",
            b"\x1b[1;",
            b"\x1b[15~",
            b"\x1b[[A",
            b"\x1bOP",
            b"\x1b[200~",
            b"\xff\xfe",
            b"\x00\x01",
            "\u{9b}".as_bytes(),
        ] {
            assert_eq!(keys(bytes), [], "{bytes:?}");
            // Nor does it take the next key along.
            let after = keys(&[bytes, b"\r"].concat());
            assert!(after.ends_with(&pressed(Key::Enter)) || bytes == b"\x1bO");
        }
        let escape = Press::Key(Key::Escape);
        assert_eq!(keys(b"\x1b\x1b"), [escape, escape]);
        let letter = Press::Key(Key::Character('x'));
        assert_eq!(keys(b"\x1bx"), [escape, letter]);
        // A sequence without an end is given up.
        let endless = [b"\x1b[", "1;".repeat(100).as_bytes()].concat();
        let mut keyboard = Keyboard::default();
        keyboard.put(&endless);
        assert!(keyboard.next(false).is_some());
    }

    proptest! {
        /// Whatever comes, in whatever parts: it is used up, and whole characters are all there.
        #[test]
        fn whatever_comes(text in "[ -~é🦀]{0,40}", noise: Vec<u8>, cut in 0usize..40) {
            let all: Vec<Press> = text.chars().map(|c| Press::Key(Key::Character(c))).collect();
            prop_assert_eq!(keys(text.as_bytes()), &all[..]);
            let (first, second) = text.as_bytes().split_at(cut.min(text.len()));
            let mut keyboard = Keyboard::default();
            keyboard.put(first);
            let mut read: Vec<Press> = std::iter::from_fn(|| keyboard.next(false)).collect();
            keyboard.put(second);
            read.extend(std::iter::from_fn(|| keyboard.next(false)));
            prop_assert_eq!(read, all);
            prop_assert!(keyboard.0.is_empty());
            keyboard.put(&noise);
            while keyboard.next(true).is_some() {}
            prop_assert!(keyboard.0.is_empty());
        }
    }
}

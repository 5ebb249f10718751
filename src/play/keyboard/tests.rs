//! Tests of the module above.

use super::*;
use proptest::prelude::*;

/// All keys that bytes are, if no more come.
fn keys(bytes: &[u8]) -> Vec<Press> {
    let mut keyboard = Keyboard::default();
    keyboard.put(bytes);
    std::iter::from_fn(|| keyboard.next(true)).collect()
}

fn pressed(key: GameKey) -> Vec<Press> {
    vec![Press::GameKey(key)]
}

#[test]
fn what_terminals_send() {
    for (bytes, key) in [
        (&b"\x1b[A"[..], GameKey::Arrow(Arrow::Up)),
        (b"\x1bOB", GameKey::Arrow(Arrow::Down)),
        (b"\x1b[1;5C", GameKey::Arrow(Arrow::Right)),
        (b"\x1b[D", GameKey::Arrow(Arrow::Left)),
        (b"\x1b[H", GameKey::Home),
        (b"\x1b[1~", GameKey::Home),
        (b"\x1b[8~", GameKey::End),
        (b"\x1bOF", GameKey::End),
        (b"\x1b[3~", GameKey::Backspace),
        (b"\x7f", GameKey::Backspace),
        (b"\x1b[Z", GameKey::BackTab),
        (b"\t", GameKey::Tab),
        (b"\r", GameKey::Enter),
        (b"\x1b", GameKey::Escape),
        (b"\x03", GameKey::Break),
        (b"\x04", GameKey::Close),
        (b"q", GameKey::Character('q')),
        ("é".as_bytes(), GameKey::Character('é')),
        ("🦀".as_bytes(), GameKey::Character('🦀')),
    ] {
        assert_eq!(keys(bytes), pressed(key), "{bytes:?}");
        // It is the same if it comes byte by byte, and there is nothing before its end.
        let mut keyboard = Keyboard::default();
        for byte in bytes {
            assert_eq!(keyboard.next(false), None, "{bytes:?}");
            keyboard.put(&[*byte]);
        }
        assert_eq!(keyboard.next(bytes == b"\x1b"), Some(Press::GameKey(key)));
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
        assert!(after.ends_with(&pressed(GameKey::Enter)) || bytes == b"\x1bO");
    }
    let escape = Press::GameKey(GameKey::Escape);
    assert_eq!(keys(b"\x1b\x1b"), [escape, escape]);
    let letter = Press::GameKey(GameKey::Character('x'));
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
        let all: Vec<Press> = text.chars().map(|c| Press::GameKey(GameKey::Character(c))).collect();
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

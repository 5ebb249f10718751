//! Thousands of random edits of good texts: whatever comes out is read or refused, and what is read is
//! written and read again.

use super::*;
use crate::random::Random;

/// Good texts with every construct.
fn texts() -> Vec<String> {
    let mut texts: Vec<String> = DEFINITIONS.iter().map(|named| named.text.to_owned()).collect();
    let small = ["floppy", "ivy", "pyramorphix"].map(|name| write(&built_in(name), Format::Kpuzzle));
    texts.extend(small);
    texts.extend(
        (0..20).map(|seed| write(&random::definition(seed, random::RandomReach::All), Format::Kpuzzle)),
    );
    texts.push(
        "Name all\nSet A 4 2\nSet B 3 1\nSolved\nA\n1 ? 3 3\n0 1 ? ?\nB\n1 1 9\nEnd\nMove a\nA\n2 1 4 3\n1 0 0 1\nEnd\n\
         MoveTransformation b\nB\n1 2 0\nEnd\nMove x\nB\n2 1 3\nEnd\nMoveAlias c a'\nMoveSequence d [a, b2] (c b)3'\n\
         Illegal B 1 9\nScramble s\nA\n1 3 3 ?\n0 0 0 0\nEnd\nScrambleAlg t\na d2 x\nEnd\n"
            .into(),
    );
    texts.push(
        "Name def\nSet A 4 2\nSet H 1 1\nSolved\nA\n1 2 3 4\nH\n1\nEnd\nMove a\nA\n2 1 4 3\n1 0 0 3\nH\n1\n1\nEnd\n\
         Move b\nA\n1 3 4 2\nEnd\nBlock\nA\n1 2\nH\n1\nEnd\nIgnore\nA\n0 1 1 0\n0 0 1 1\nEnd\nForbiddenPairs\na b\nEnd\n"
            .into(),
    );
    texts.push(
        write(&built_in("ivy"), Format::Kpuzzle)
            .replace("\"moves\"", "\"derivedMoves\": {\"q\": \"[UFL: UBR]2'\"}, \"moves\""),
    );
    texts
}

/// A text with one random change.
fn edited(text: &str, other: &str, random: &mut Random) -> String {
    let odd = [
        "?",
        "0",
        "1",
        "255",
        "256",
        "-1",
        "99999999999999999999",
        "End",
        "Set",
        "#",
        "'",
        "(",
        "]",
        "{",
        "\"",
        "\n",
        "\u{1b}",
        "é",
        "Move",
        "Solved",
        "1e9",
        "null",
        "[]",
        "Illegal",
        "Ignore",
        "Block",
        "x",
    ];
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',']).collect();
    let place = random.place(words.len());
    match random.place(7) {
        0 => {
            words.remove(place);
        }
        1 => words.insert(place, words[random.place(words.len())]),
        2 => words[place] = odd[random.place(odd.len())],
        3 => words.insert(place, odd[random.place(odd.len())]),
        4 => words.truncate(place),
        5 => {
            let from = random.place(words.len());
            words.swap(place, from);
        }
        _ => {
            let others: Vec<&str> = other.split_inclusive(['\n']).collect();
            words.insert(place, others[random.place(others.len())]);
        }
    }
    words.concat()
}

#[test]
fn edited_texts_are_read_or_refused() {
    let texts = texts();
    for text in &texts {
        assert!(read(text).is_ok(), "{text}\n{:?}", read(text));
    }
    let mut random = Random::new(1);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..8_000 {
        let (mut text, other) = (texts[random.place(texts.len())].clone(), &texts[random.place(texts.len())]);
        for _ in 0..1 + random.place(3) {
            if !text.is_empty() {
                text = edited(&text, other, &mut random);
            }
        }
        match read(&text) {
            Ok(definition) => {
                accepted += 1;
                let written = write(&definition, Format::Kpuzzle);
                assert_eq!(read(&written).as_ref(), Ok(&definition), "{text}\n{written}");
                let tws = write(&definition, Format::Tws);
                assert!(read(&tws).is_ok() || tws.starts_with('#'), "{text}\n{tws}\n{:?}", read(&tws));
                let _ = (read_patterns(&text, &definition), read_patterns(other, &definition));
            }
            Err(error) => {
                refused += 1;
                assert!(
                    !error.reason.is_empty() && error.line <= 1 + text.lines().count(),
                    "{text}\n{error}"
                );
                assert!(!error.to_string().contains(char::is_control), "{text}\n{error:?}");
            }
        }
    }
    assert!(accepted > 500 && refused > 2_000, "{accepted} {refused}");
}

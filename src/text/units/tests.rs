//! Tests of the module above.

use super::*;

#[test]
fn terminals_are_told_nothing() {
    assert_eq!(escape_controls("a\tb\nä"), "a\tb\nä");
    assert_eq!(escape_controls("\x1b[31mred\r\u{9b}"), "\\u{1b}[31mred\\r\\u{9b}");
}

#[test]
fn sizes_read_back() {
    assert_eq!(parse_bytes("256M").unwrap(), 256 << 20);
    assert_eq!(parse_bytes("1.5GiB").unwrap(), 3 << 29);
    assert_eq!(parse_bytes("12").unwrap(), 12);
    for bad in ["", "G", "1X", "-1G", "1e30G", "..", "0"] {
        assert!(parse_bytes(bad).is_err(), "{bad}");
    }
    assert_eq!(bytes(1 << 20), "1.0 MiB");
    assert_eq!(bytes(17), "17 B");
}

#[test]
fn durations_read_back() {
    assert_eq!(parse_duration("5m").unwrap(), Duration::from_secs(300));
    assert_eq!(parse_duration("250ms").unwrap(), Duration::from_millis(250));
    for bad in ["", "m", "5x", "-5m", "1e400s"] {
        assert!(parse_duration(bad).is_err(), "{bad}");
    }
    assert_eq!(duration(Duration::from_secs(3725)), "1 h 2 min");
    assert_eq!(count(94143280), "94,143,280");
    assert_eq!(count(999), "999");
}

#[test]
fn nouns_follow_their_numbers() {
    assert_eq!(pluralise(1u64, "class"), "1 class");
    assert_eq!(pluralise(47usize, "class"), "47 classes");
    assert_eq!(pluralise(0u128, "move"), "0 moves");
    assert_eq!(pluralise(1000u32, "empty cell"), "1,000 empty cells");
}

//! Tests of the module above.

use super::*;

#[test]
fn queries_are_read_or_refused() {
    let query = Query("wait=5&by=classes&log=2&odd&wait=6&x=%zz");
    assert_eq!(query.number("wait").unwrap(), Some(5));
    assert_eq!(query.number("level").unwrap(), None);
    assert_eq!(query.choice("by", ["states", "classes"]).unwrap(), 1);
    assert_eq!(query.choice("no", ["states", "classes"]).unwrap(), 0);
    assert!(query.choice("log", ["0", "1"]).is_err());
    assert!(query.number("by").is_err());
    assert!(query.number("odd").is_err() && query.number("x").is_err());
    assert!(Query("by").choice("by", ["states", "classes"]).is_err());
    assert!(Query("by=%zz").choice("by", ["states", "classes"]).is_err());
    assert!(Query("level=-1").number("level").is_err());
    assert!(Query("level=99999999999999999999").number("level").is_err());
}

#[test]
fn escapes_are_undone_once() {
    assert_eq!(decoded("a%2Fb%2e").as_deref(), Some("a/b."));
    assert_eq!(decoded("%252e").as_deref(), Some("%2e"));
    for wrong in ["%", "%4", "%zz", "%ff", "%+1"] {
        assert_eq!(decoded(wrong), None, "{wrong}");
    }
}

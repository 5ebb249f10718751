//! Tests of the module above.

use serde_json::json;

use super::*;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    puzzle: String,
    file: Option<String>,
    #[serde(default, deserialize_with = "seed")]
    seed: Option<u64>,
    seconds: Option<Seconds>,
    flag: Option<bool>,
}

fn refusal(request: Value) -> String {
    read::<Sample>(&request).unwrap_err().to_string()
}

#[test]
fn every_refusal_names_its_field() {
    assert!(refusal(json!([])).contains("object"));
    let why = refusal(json!({"puzzle": "x", "stat": 1}));
    assert!(why.contains("`stat`") && why.contains("`puzzle`, `file`"), "{why}");
    assert_eq!(refusal(json!({"flag": null})), "missing field `puzzle`");
    let empty = json!({"puzzle": "x", "file": null, "flag": null});
    let empty: Sample = read(&empty).unwrap();
    assert_eq!((empty.puzzle.as_str(), empty.file, empty.flag), ("x", None, None));
    for (name, value) in [
        ("puzzle", json!(5)),
        ("puzzle", json!(null)),
        ("file", json!(["x".repeat(1000)])),
        ("seed", json!(-1)),
        ("seconds", json!("1".repeat(1000))),
        ("flag", json!(0)),
    ] {
        let mut request = json!({"puzzle": "x", "file": "y", "seed": 1, "seconds": 1, "flag": true});
        request[name] = value;
        let why = refusal(request);
        assert!(why.starts_with(&format!("the field `{name}`: ")) && why.len() < 200, "{why}");
    }
    assert!(refusal(json!({"x".repeat(1000): 1})).len() < 400);
}

#[test]
fn seeds_are_numbers_or_digits() {
    let seed = |value| read::<Sample>(&json!({"puzzle": "x", "seed": value})).map(|s| s.seed);
    assert_eq!(seed(json!(7)).unwrap(), Some(7));
    assert_eq!(seed(json!("18446744073709551615")).unwrap(), Some(u64::MAX));
    assert_eq!(seed(json!(null)).unwrap(), None);
    for wrong in [
        json!("18446744073709551616"),
        json!("+7"),
        json!(" 7"),
        json!(""),
        json!(1.5),
        json!(1e300),
        json!(true),
    ] {
        assert!(seed(wrong).is_err());
    }
}

#[test]
fn times_are_above_nothing() {
    let seconds = |value| read::<Sample>(&json!({"puzzle": "x", "seconds": value})).map(|s| s.seconds);
    assert_eq!(seconds(json!(0.5)).unwrap(), Some(Seconds(0.5)));
    assert_eq!(seconds(json!(1e300)).unwrap(), Some(Seconds(1e300)));
    assert!(seconds(json!(0)).is_err() && seconds(json!(-3)).is_err());
}

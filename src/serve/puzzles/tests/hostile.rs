//! Hostile questions: nothing panics, nothing takes long, and every refusal is a sentence.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn what_cannot_be_solved_is_said_by_the_puzzle() {
    let state = |puzzle: &str, state: &str| json!({"puzzle": puzzle, "state": state});
    for (request, why) in [
        (state("tiles:3x3", "1 2 3/4 5 6/8 7 0"), "cannot be solved"),
        (state("tiles:3x3", "1 2 3"), "row"),
        (state("klotski:classic", "ABBC/ABBC/DEEF/DGHF/...."), "empty cells"),
        (state("gourds:flower7", "0-1,2-5"), "in the state"),
        (state("wrapslide:4x4:2", "1111/1111/1111/2222"), "colour"),
        (state("triangles:tri4", "AAA1 BBB4"), ""),
        (state("tiles:3x3", ""), ""),
        (state("gourds:flower7", &"9".repeat(1 << 20)), ""),
        (state("klotski:classic", &"A".repeat(1 << 20)), ""),
        (state("klotski:classic", &"A/".repeat(1 << 19)), ""),
        (state("wrapslide:8x8:4", &"1".repeat(1 << 20)), ""),
        (state("tiles:10x10", &"1 ".repeat(1 << 19)), ""),
        (state("gourds:hex37", &"0-1,".repeat(1 << 18)), ""),
        (state("triangles:sample", &"DCa1 ".repeat(1 << 17)), ""),
    ] {
        let began = Instant::now();
        let said = refusal(look(&request));
        assert!(said.contains(why), "{said}");
        assert!(began.elapsed() < Duration::from_secs(5), "{said}");
        assert!(!refusal(done(TaskKind::Solve, request)).is_empty());
    }
}

#[test]
fn wrong_requests_are_refused_in_sentences() {
    for (request, why) in [
        (json!([]), "object"),
        (json!({}), "missing field `puzzle`"),
        (json!({"puzzle": null}), "`puzzle`: invalid type: null"),
        (json!({"puzzle": 3}), "`puzzle`: invalid type: integer `3`, expected a string"),
        (json!({"puzzle": "tiles:3x3", "file": 3}), "`file`: invalid type: integer `3`, expected a string"),
        (json!({"puzzle": "tiles:3x3", "fiel": ""}), "`fiel`"),
        (json!({"puzzle": "cube:3x3"}), "not a known kind"),
        (json!({"puzzle": "tiles:99999999999999999999x2"}), "size"),
        (json!({"puzzle": "gourds:random:65:1"}), "odd number from 3 to 63"),
        (json!({"puzzle": "gourds:random:13:-1"}), "seed"),
    ] {
        assert!(refusal(puzzle(&request, Path::new("runs"))).contains(why), "{request}");
    }
    let state = json!({"puzzle": "tiles:3x3", "state": "1 2 3/4 5 6/0 7 8"});
    let with = |name: &str, value: Value| {
        let mut request = state.clone();
        request[name] = value;
        refusal(done(TaskKind::Solve, request))
    };
    assert!(with("state", json!(["1"])).contains("`state`: invalid type: sequence, expected a string"));
    assert!(with("solver", json!("magic")).contains("no solver `magic`"));
    assert!(with("solver", json!("optimal=3")).contains("no strength"));
    assert!(with("seconds", json!(-1)).contains("`seconds`"));
    assert!(with("seconds", json!("long")).contains("`seconds`"));
    assert!(with("length_only", json!("yes")).contains("`length_only`"));
    assert!(with("memory", json!(1)).contains("`memory`"));
}

/// However strong a solver shall be, memory and time are bounded by others.
#[test]
fn strengths_beyond_all_bounds_are_refused_or_cut_short() {
    for (text, solver) in [("wrapslide:6x6:4", "beam"), ("gourds:hex19", "divide"), ("tiles:4x4", "fast")] {
        let state = scramble(&json!({"puzzle": text, "seed": 1})).unwrap()["state"].clone();
        for strength in ["0", "-1", "1e9", "1000000000000000000", "99999999999999999999"] {
            let began = Instant::now();
            let request = json!({
                "puzzle": text, "state": state, "solver": format!("{solver}={strength}"), "seconds": 1
            });
            match worked(TaskKind::Solve, request, 64 << 20, &AtomicBool::new(false)) {
                Ok(found) => assert!(found["cut_short"].is_boolean()),
                Err(error) => assert!(
                    matches!(error, Error::Usage(_) | Error::Misdirected { .. } | Error::Limit(_)),
                    "{error}"
                ),
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{text} {solver}={strength}");
        }
    }
}

#[test]
fn a_task_that_is_stopped_says_so() {
    let request = json!({
        "puzzle": "tiles:5x5", "state": scramble(&json!({"puzzle": "tiles:5x5", "seed": 3})).unwrap()["state"]
    });
    let stop = AtomicBool::new(true);
    match worked(TaskKind::Solve, request, 256 << 20, &stop) {
        Err(Error::Interrupted(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn phases_that_cannot_be_are_refused() {
    let ask = |text: &str, state: &str, sort: Value| {
        refusal(done(TaskKind::Phases, json!({"puzzle": text, "state": state, "sort": sort})))
    };
    assert!(ask("gourds:flower7", "0-1,2-5,4-6", json!("quick")).contains("insertion, bubble, divide"));
    assert!(ask("gourds:flower7", "0-1,2-5,4-6", json!(null)).contains("`sort`: invalid type: null"));
    let star = puzzle(&json!({"puzzle": "gourds:star13"}), Path::new("runs")).unwrap();
    let root = star["root"].as_str().unwrap();
    assert!(ask("gourds:star13", root, json!("bubble")).contains("not proper"));
    assert!(ask("tiles:2x2", "1 2/3 0", json!("bubble")).contains("not solved in phases"));
}

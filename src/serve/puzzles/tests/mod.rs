//! Questions and their answers.

mod hostile;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::*;
use crate::engine::{self, Control, Silent};
use crate::error::Error;
use crate::puzzle::subject;
use crate::puzzles::registry;
use crate::serve::TaskContext;
use crate::serve::request::TaskKind;

/// Work with 256 MiB, as long as it takes.
fn done(kind: TaskKind, request: Value) -> Result<Value> {
    let stop = AtomicBool::new(false);
    worked(kind, request, 256 << 20, &stop)
}

fn worked(kind: TaskKind, mut request: Value, memory: u64, stop: &AtomicBool) -> Result<Value> {
    let control = Control { stop, observer: &Silent };
    let context = TaskContext { jobs: Path::new("runs"), memory, threads: 2, control, prepared: &|| () };
    request.as_object_mut().unwrap().remove("do");
    let order = match kind {
        // Not with the tables of the user who runs the tests.
        TaskKind::Solve => {
            let cache = tempfile::tempdir().unwrap();
            let (wanted, _) = solve::SolveRequest::read(&request)?;
            return wanted.solve(Some(cache.path().to_owned()), &context);
        }
        TaskKind::Phases => phases(&request)?,
        other => help(other, &request)?,
    };
    assert_eq!(order.kind, kind);
    (order.work)(&context)
}

fn refusal(result: Result<Value>) -> String {
    match result {
        Ok(value) => panic!("accepted: {value}"),
        Err(error) => error.to_string(),
    }
}

fn texts(value: &Value) -> Vec<&str> {
    let list = value.as_array().unwrap();
    list.iter().map(|text| text.as_str().unwrap()).collect()
}

#[test]
fn kinds_say_what_can_be_named() {
    let kinds = kinds();
    for kind in kinds.as_array().unwrap() {
        let name = kind["name"].as_str().unwrap();
        for board in texts(&kind["boards"]) {
            assert!(registry::parse(&format!("{name}:{board}")).is_ok(), "{board}");
        }
        assert!(!texts(&kind["examples"]).is_empty());
    }
    let boards: Vec<usize> =
        kinds.as_array().unwrap().iter().map(|kind| texts(&kind["boards"]).len()).collect();
    assert_eq!((boards[0], boards[1], boards[2], boards[4]), (0, 0, 12, 6));
    assert!(boards[3] > 15);
}

#[test]
fn a_puzzle_tells_all_about_itself() {
    let classic = puzzle(&json!({"puzzle": "klotski:classic:step"}), Path::new("runs")).unwrap();
    assert_eq!(classic["puzzle"], "klotski:classic");
    assert_eq!(classic["kind"], "klotski");
    assert_eq!(classic["metric"], "step");
    assert_eq!(classic["question"], "eccentricity");
    assert_eq!(classic["states"], "25955");
    assert_eq!(classic["start"], "BAAC/BAAC/DEEF/DGHF/I..J");
    assert_eq!(classic["board"]["goal"], json!([3, 1]));
    assert_eq!(classic["solvers"][0]["name"], "table");
    assert!(classic["solvers"][0]["strength"].is_null());
    // A solver that mostly finds nothing, and a table that is not there, are not offered.
    let large = puzzle(&json!({"puzzle": "wrapslide:8x8:4"}), Path::new("runs")).unwrap();
    let offered: Vec<&str> =
        large["solvers"].as_array().unwrap().iter().filter_map(|solver| solver["name"].as_str()).collect();
    assert_eq!((offered, &large["enumerable"]), (vec!["beam"], &json!("command")));
    let tiles = puzzle(&json!({"puzzle": "tiles:10x10"}), Path::new("runs")).unwrap();
    assert_eq!(tiles["question"], "gods-number");
    assert!(tiles["start"].is_null() && tiles["root"].is_string());
    let hexagon = puzzle(&json!({"puzzle": "gourds:hex19"}), Path::new("runs")).unwrap();
    assert_eq!(hexagon["solvers"][0]["strength"], 16);
    let star = puzzle(&json!({"puzzle": "gourds:star13"}), Path::new("runs")).unwrap();
    assert!(star["warning"].as_str().unwrap().contains("not proper"));
    let sample = puzzle(&json!({"puzzle": "triangles:sample"}), Path::new("runs")).unwrap();
    assert_eq!((sample["question"].as_str(), sample["start"].as_str()), (Some("solutions"), Some("-")));
    assert_eq!(sample["board"]["cells"].as_array().unwrap().len(), 24);
}

/// A puzzle from a file that only the request has: nothing about it needs a job, which could not be
/// made.
#[test]
fn a_given_file_is_a_puzzle_without_a_table() {
    let file = classic_file();
    let request = json!({"puzzle": "klotski:@/etc/passwd:move", "file": file});
    let found = puzzle(&request, Path::new("runs")).unwrap();
    assert_eq!(found["puzzle"], "klotski:@/etc/passwd:move");
    let named = |name: &str| found["solvers"].as_array().unwrap().iter().any(|solver| solver["name"] == name);
    assert!(named("optimal") && !named("table"));
    assert_eq!(found["file"], file);
    let state = found["start"].clone();
    let solve = |solver: Option<&str>| {
        let request = json!({
            "do": "solve", "puzzle": "klotski:@/etc/passwd:move", "file": file, "state": state,
            "solver": solver
        });
        done(TaskKind::Solve, request)
    };
    assert_eq!(solve(None).unwrap()["length"], 81);
    assert!(refusal(solve(Some("table"))).contains("has no solver `table`"));
    let without = json!({"puzzle": "klotski:@/etc/passwd"});
    assert!(refusal(puzzle(&without, Path::new("runs"))).contains("files are not read here"));
}

fn classic_file() -> String {
    registry::parse("klotski:classic").unwrap().file().unwrap()
}

#[test]
fn blocks_keep_their_letters() {
    let given = "XMMY/XMMY/ZEEW/ZGHW/I..J";
    let view = look(&json!({"puzzle": "klotski:classic:move", "state": given})).unwrap();
    assert_eq!((view["state"].as_str(), view["solved"].as_bool()), (Some(given), Some(false)));
    let moves = view["moves"].as_array().unwrap();
    let find = |name: &str| moves.iter().find(|mv| mv["name"] == name).unwrap();
    assert_eq!(find("I R1")["state"], "XMMY/XMMY/ZEEW/ZGHW/.I.J");
    assert_eq!(find("G D1R1")["state"], "XMMY/XMMY/ZEEW/Z.HW/I.GJ");
    // And from there on.
    let next = look(&json!({"puzzle": "klotski:classic:move", "state": find("G D1R1")["state"]}));
    assert_eq!(next.unwrap()["state"], "XMMY/XMMY/ZEEW/Z.HW/I.GJ");
}

#[test]
fn states_are_drawn_with_their_letters() {
    let states = ["XMMY/XMMY/ZEEW/ZGHW/I..J", "BAAC/BAAC/DEEF/DGHF/I..J"];
    let drawn = draw(&json!({"puzzle": "klotski:classic", "states": states})).unwrap();
    let [one, other] = &texts(&drawn["pictures"])[..] else { panic!("{drawn}") };
    assert!(one.contains('X') && other.contains('B') && one.lines().count() > 4);
    for states in [json!(null), json!("x"), json!([1]), json!(vec![states[0]; DRAWN + 1])] {
        let why = refusal(draw(&json!({"puzzle": "klotski:classic", "states": states})));
        assert!(why.contains("`states`"), "{why}");
    }
    assert!(draw(&json!({"puzzle": "tiles:2x2", "states": ["2 1/3 0"]})).is_err());
}

#[test]
fn every_example_can_be_looked_at_and_scrambled() {
    for text in registry::kinds().flat_map(|kind| kind.examples) {
        let found = puzzle(&json!({ "puzzle": text }), Path::new("runs")).unwrap();
        assert_eq!(found["puzzle"], *text);
        let state = [&found["start"], &found["root"]].into_iter().find(|state| state.is_string());
        let Some(state) = state else { continue };
        let view = look(&json!({"puzzle": text, "state": state})).unwrap();
        assert_eq!(view["state"], *state, "{text}");
        let drawn = draw(&json!({"puzzle": text, "states": [state]})).unwrap();
        assert!(!texts(&drawn["pictures"])[0].is_empty(), "{text}");
        let moves = view["moves"].as_array().unwrap();
        assert!(!moves.is_empty() || view["solved"] == true, "{text}");
        for mv in moves.iter().take(3) {
            let after = look(&json!({"puzzle": text, "state": mv["state"]})).unwrap();
            assert_eq!(after["state"], mv["state"], "{text}");
        }
    }
}

#[test]
fn scrambles_are_those_of_their_seeds() {
    let one = scramble(&json!({"puzzle": "tiles:4x4", "seed": 7})).unwrap();
    let same = scramble(&json!({"puzzle": "tiles:4x4", "seed": "7"})).unwrap();
    assert_eq!(one, same);
    assert_eq!(one["seed"], "7");
    assert!(look(&json!({"puzzle": "tiles:4x4", "state": one["state"]})).is_ok());
    let some = scramble(&json!({"puzzle": "triangles:sample"})).unwrap();
    assert!(some["puzzle"].as_str().unwrap().starts_with("triangles:random:"));
    assert!(some["seed"].as_str().unwrap().parse::<u64>().is_ok());
    assert!(refusal(scramble(&json!({"puzzle": "triangles:tri4"}))).contains("whole"));
    assert!(refusal(scramble(&json!({"puzzle": "tiles:4x4", "seed": -1}))).contains("`seed`"));
}

#[test]
fn states_are_solved_and_shown() {
    let request =
        json!({"do": "solve", "puzzle": "tiles:3x3", "state": "1 2 3/4 5 6/0 7 8", "solver": "optimal"});
    let found = done(TaskKind::Solve, request.clone()).unwrap();
    assert_eq!((found["length"].as_u64(), found["optimal"].as_bool()), (Some(2), Some(true)));
    assert_eq!(found["moves"], json!(["L", "L"]));
    assert_eq!(found["states"].as_array().unwrap().len(), 3);
    assert_eq!(found["states"][2], "1 2 3/4 5 6/7 8 0");
    let mut short = request;
    short["length_only"] = true.into();
    let found = done(TaskKind::Solve, short).unwrap();
    assert_eq!(found["length"], 2);
    assert!(found["moves"].is_null() && found["states"].is_null());
    // Letters stay, in moves and in states.
    let request = json!({
        "puzzle": "klotski:classic", "state": "XMMY/XMMY/ZEEW/ZGHW/I..J", "solver": "optimal"
    });
    let found = done(TaskKind::Solve, request).unwrap();
    assert_eq!(found["length"], 116);
    assert!(found["states"][116].as_str().unwrap().contains("MM"));
    assert!(texts(&found["moves"]).iter().any(|name| name.starts_with('M')));
}

#[test]
fn a_finished_job_among_the_jobs_is_the_table() {
    let jobs = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, observer: &Silent };
    let context = TaskContext { jobs: jobs.path(), memory: 64 << 20, threads: 1, control, prepared: &|| () };
    let request = json!({ "puzzle": "tiles:2x3", "state": "4 5 0/1 2 3" });
    let (wanted, _) = solve::SolveRequest::read(&request).unwrap();
    let without = wanted.solve(None, &context);
    assert!(refusal(without).contains("no directory for tables"));
    let puzzle = registry::parse("tiles:2x3").unwrap();
    let dir = jobs.path().join("tiles-2x3");
    engine::enumerate(&subject(&*puzzle).unwrap(), &dir, &engine::Options::default(), control).unwrap();
    let solved = wanted.solve(None, &context).unwrap();
    assert_eq!((&solved["solver"], &solved["length"]), (&json!("table"), &json!(21)));
}

#[test]
fn gourds_are_solved_in_phases() {
    for text in [
        "gourds:rows-1-2",
        "gourds:rows-2-3",
        "gourds:seed1",
        "gourds:flower7",
        "gourds:seed10",
        "gourds:hex19",
    ] {
        let known = puzzle(&json!({ "puzzle": text }), Path::new("runs")).unwrap();
        let state = scramble(&json!({"puzzle": text, "seed": 5})).unwrap()["state"].clone();
        for sort in ["insertion", "bubble"] {
            let request = json!({"do": "phases", "puzzle": text, "state": state, "sort": sort});
            let found = match done(TaskKind::Phases, request) {
                Ok(found) => found,
                Err(Error::Limit(why)) => {
                    assert!(why.to_string().contains("was found"), "{why}");
                    continue;
                }
                Err(other) => panic!("{text} {sort}: {other}"),
            };
            let mut cycle = found["cycle"].as_array().unwrap().clone();
            assert_eq!(cycle.len(), known["board"]["cells"].as_array().unwrap().len());
            cycle.dedup();
            assert_eq!(cycle.len(), known["board"]["cells"].as_array().unwrap().len());
            let phases = found["phases"].as_array().unwrap();
            let names: Vec<_> = phases.iter().map(|phase| phase["name"].as_str().unwrap()).collect();
            assert_eq!(names, ["align", "sort", "unalign"]);
            let mut at = state.clone();
            for phase in phases {
                let states = phase["states"].as_array().unwrap();
                assert_eq!(states[0], at);
                assert_eq!(states.len(), phase["moves"].as_array().unwrap().len() + 1);
                at = states.last().unwrap().clone();
            }
            assert_eq!(look(&json!({"puzzle": text, "state": at})).unwrap()["solved"], true);
        }
    }
}

#[test]
fn the_table_is_played_on() {
    let view = triangles(&json!({"puzzle": "triangles:tri4"})).unwrap();
    assert_eq!((view["placed"].as_u64(), view["cells"].as_array().unwrap().len()), (Some(0), 4));
    let piece = view["pile"][0]["piece"].clone();
    let action = json!({"do": "place", "piece": piece, "cell": 0});
    let placed = triangles(&json!({"file": view["file"], "action": action})).unwrap();
    assert_eq!((placed["placed"].as_u64(), &placed["cells"][0]["piece"]), (Some(1), &piece));
    let solved = done(TaskKind::Finish, json!({"do": "finish", "file": placed["file"]})).unwrap();
    assert_eq!(solved["solved"], true);
    let hinted = done(TaskKind::Hint, json!({"do": "hint", "file": view["file"]})).unwrap();
    assert_eq!(hinted["placed"], 3);
    for (request, why) in [
        (json!({}), "is missing"),
        (json!({"file": view["file"], "action": "look"}), "`action`"),
        (json!({"file": view["file"], "action": {"do": "fly"}}), "`action`"),
        (json!({"file": view["file"], "action": {"do": "place", "piece": -1, "cell": 0}}), "`action`"),
        (
            json!({"file": view["file"], "action": {"do": "place", "piece": 99, "cell": 0}}),
            "no piece number 99",
        ),
        (json!({"file": view["file"], "action": {"do": "take", "cell": 18446744073709551615u64}}), "no cell"),
        (json!({"file": "nonsense"}), "line 1"),
        (json!({"file": ""}), "game"),
        (json!({"puzzle": "triangles:@/etc/passwd"}), "content"),
        (json!({"puzzle": "tiles:3x3"}), "not a triangle puzzle"),
    ] {
        let said = refusal(triangles(&request));
        assert!(said.contains(why), "{request}: {said}");
    }
}

//! What commands print as JSON, against the schema that `godnum schema` prints.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::godnum;

/// The part of JSON Schema that the schema uses. Returns what is wrong with a value.
fn flaws(root: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    let schema = schema.as_object().expect("a schema is an object");
    let mut found = Vec::new();
    for (keyword, rule) in schema {
        match keyword.as_str() {
            "$ref" => {
                let name = rule.as_str().unwrap().strip_prefix("#/$defs/").expect("a definition");
                assert!(root["$defs"].get(name).is_some(), "there is no definition {name}");
                found.extend(flaws(root, &root["$defs"][name], value, at));
            }
            "anyOf" | "oneOf" => {
                let fits = |one: &&Value| flaws(root, one, value, at).is_empty();
                let fitting = rule.as_array().unwrap().iter().filter(fits).count();
                if fitting == 0 || (keyword == "oneOf" && fitting > 1) {
                    found.push(format!("{at}: {fitting} of {keyword} fit {value}"));
                }
            }
            "type" => {
                let names: Vec<&str> = match rule {
                    Value::Array(names) => names.iter().map(|name| name.as_str().unwrap()).collect(),
                    name => vec![name.as_str().unwrap()],
                };
                if !names.iter().any(|name| is_of_type(value, name)) {
                    found.push(format!("{at}: {value} is not {names:?}"));
                }
            }
            "const" if rule != value => found.push(format!("{at}: {value} is not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                found.push(format!("{at}: {value} is none of {rule}"));
            }
            "pattern" => {
                if let Some(text) = value.as_str().filter(|text| !matches(rule.as_str().unwrap(), text)) {
                    found.push(format!("{at}: {text} is not {rule}"));
                }
            }
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    found.extend(flaws(root, rule, item, &format!("{at}/{number}")));
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().unwrap() {
                    if let Some(member) = value.get(name) {
                        found.extend(flaws(root, rule, member, &format!("{at}/{name}")));
                    }
                }
            }
            "required" => {
                let names = rule.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                found.extend(missing.map(|name| format!("{at}: {name} is missing")));
            }
            "additionalProperties" => {
                let known = schema.get("properties").and_then(Value::as_object);
                for (name, member) in value.as_object().into_iter().flatten() {
                    let is_known = known.is_some_and(|known| known.contains_key(name));
                    match rule {
                        Value::Bool(false) if !is_known => {
                            found.push(format!("{at}: {name} is not described"))
                        }
                        Value::Object(_) if !is_known => found.extend(flaws(root, rule, member, at)),
                        _ => {}
                    }
                }
            }
            "$schema" | "$id" | "title" | "$defs" | "description" | "const" | "enum" => {}
            other => panic!("the schema uses {other}, which this test does not know"),
        }
    }
    found
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    }
}

/// The few patterns that are used: groups of digits with signs between them.
fn matches(pattern: &str, text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match pattern {
        "^[0-9]+$" => digits(text),
        "^[0-9a-f]{16}$" => text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')),
        time if time.contains('T') => {
            let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
            shape == "0000-00-00T00:00:00Z"
        }
        other => panic!("the schema uses the pattern {other}, which this test does not know"),
    }
}

/// The lines of JSON, or the one document, that were printed.
fn documents(printed: &str) -> Vec<Value> {
    let stream = serde_json::Deserializer::from_str(printed).into_iter::<Value>();
    stream.map(|document| document.unwrap_or_else(|e| panic!("{e}: {printed}"))).collect()
}

/// Every command that prints JSON, and the document that it prints.
const COMMANDS: &[(&str, &str)] = &[
    ("enumerate tiles:2x3 -q --json", "result"),
    ("enumerate gourds:seed1 -q --json", "result"),
    ("enumerate wrapslide:4x4:4 -q --json --max-level 4", "result"),
    ("resume tiles:2x3 -q --json", "result"),
    ("status tiles:2x3 --json", "status"),
    ("status wrapslide:4x4:4 --json", "status"),
    ("levels tiles:2x3 --format json", "levels"),
    ("states tiles:2x3 --level 3 --json", "states"),
    ("antipodes tiles:2x3 --json", "states"),
    ("cite tiles:2x3 --format json", "citation"),
    ("verify tiles:2x3 -q --json", "verify"),
    ("verify tiles:2x3 -q --json --full --local-maxima", "verify"),
    ("verify wrapslide:4x4:4 -q --json", "verify"),
    ("cite tiles:2x3 --format json", "citation"),
    ("compare tiles:2x3 runs/tiles-2x3/levels.csv --json", "comparison"),
    ("compare tiles:2x3 runs/tiles-2x3 --json", "comparison"),
    ("estimate tiles:2x3 --json", "estimate"),
    ("estimate wrapslide:4x4:4 --json --max-level 6 --measure 10ms", "estimate"),
    ("estimate wrapslide:6x6:4 --json --measure 0", "estimate"),
    ("puzzles --json", "puzzles"),
    ("solvers tiles:3x3 --json", "solvers"),
    ("scramble tiles:3x3 --seed 1 --count 2 --json", "scramble"),
    ("hint tiles:2x3 '5 4 3/2 1 0' --json -q", "hint"),
    ("solve tiles:2x3 '5 4 3/2 1 0' --json -q", "solution"),
    ("solve tiles:2x3 '5 4 3/2 1 0' --json -q --film", "solution"),
    ("class wrapslide:4x4:2 1122/1122/2222/2222 --json", "class"),
    ("solve gourds:seed1 --phases=divide --json -q --film", "phases"),
    ("solve tiles:2x3 '5 4 3/2 1 0' --compare --json -q", "solver-comparison"),
    ("swaps wrapslide:4x4:2 --json -q", "exchanges"),
    ("count triangles:hex6 -q --json", "solution-count"),
    ("status runs/triangles-hex6-count --json", "status-count"),
    ("sample tiles:2x3 --count 3 --seed 1 -q --json --dir runs/sample", "sample"),
    ("status runs/sample --json", "status-sample"),
    ("bounds tiles:2x3 --json", "bounds"),
    ("jobs --json", "jobs"),
    ("jobs --cache --json", "jobs"),
];

fn run(dir: &Path, line: &str) -> String {
    // Only states are quoted.
    let mut words: Vec<&str> = Vec::new();
    for (number, part) in line.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace()),
            _ => words.push(part),
        }
    }
    let cache = dir.join("cache");
    let output = godnum(&words).current_dir(dir).env("XDG_CACHE_HOME", cache).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn documents_are_as_the_schema_says() {
    let dir = tempfile::tempdir().unwrap();
    let schema: Value = serde_json::from_str(&run(dir.path(), "schema")).unwrap();
    let mut printed = BTreeSet::new();
    let mut wrong = Vec::new();
    for (line, expected) in COMMANDS {
        let documents = documents(&run(dir.path(), line));
        assert!(!documents.is_empty(), "{line}");
        for document in documents {
            printed.insert((*expected).to_owned());
            assert_eq!(document["godnum"]["document"], *expected, "{line}");
            let one = json!({ "$ref": format!("#/$defs/{expected}") });
            wrong.extend(
                flaws(&schema, &one, &document, "").into_iter().map(|flaw| format!("{line}: {flaw}")),
            );
            wrong.extend(inexact(&document, "").into_iter().map(|flaw| format!("{line}: {flaw}")));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    // One document of them is the schema of that document alone.
    let status: Value = serde_json::from_str(&run(dir.path(), "schema status")).unwrap();
    let document: Value = serde_json::from_str(&run(dir.path(), "status tiles:2x3 --json")).unwrap();
    assert_eq!(flaws(&status, &status, &document, ""), Vec::<String>::new());
    assert!(printed.len() >= 19, "{printed:?}");
}

/// Numbers that a reader with 53 bits could not tell from others.
fn inexact(value: &Value, at: &str) -> Vec<String> {
    match value {
        Value::Number(number) => {
            let large = number.as_u64().is_some_and(|number| number > 1 << 53);
            large.then(|| format!("{at}: {number} has more than 53 bits")).into_iter().collect()
        }
        Value::Array(items) => items.iter().flat_map(|item| inexact(item, at)).collect(),
        Value::Object(members) => {
            members.iter().flat_map(|(name, member)| inexact(member, &format!("{at}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}

/// The test above would notice what is wrong.
#[test]
fn wrong_documents_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let schema: Value = serde_json::from_str(&run(dir.path(), "schema")).unwrap();
    run(dir.path(), "enumerate wrapslide:4x4:2 -q");
    let right: Value =
        serde_json::from_str(&run(dir.path(), "levels wrapslide:4x4:2 --format json")).unwrap();
    let flaws = |document: &Value| flaws(&schema, &schema, document, "");
    assert_eq!(flaws(&right), Vec::<String>::new());
    let wrong = |change: fn(&mut Value)| {
        let mut document = right.clone();
        change(&mut document);
        assert!(!flaws(&document).is_empty(), "{document}");
    };
    wrong(|document| document["levels"][0]["states"] = json!(4));
    wrong(|document| document["levels"][0]["states"] = json!("four"));
    wrong(|document| document["more"] = json!(1));
    wrong(|document| document["godnum"]["document"] = json!("status"));
    wrong(|document| drop(document.as_object_mut().unwrap().remove("finished")));
    assert_eq!(inexact(&json!({ "a": [1_u64 << 60] }), "").len(), 1);
}

//! The modules of the library form layers: a module uses only modules above it in the table in
//! `src/lib.rs`. The edges are derived from the sources: every `use crate::` tree and every
//! `crate::` path in the middle of code, a macro or an attribute, re-exports included, and every
//! `super::super::` path that climbs as far. Comments, string literals and code that only tests compile
//! do not count. Beside the edges: a name of a type is used once in the crate.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, top first, as the table in `src/lib.rs` lists them.
fn layers() -> Vec<String> {
    let guide = fs::read_to_string("src/lib.rs").unwrap();
    let rows = guide.lines().filter_map(|line| line.strip_prefix("//! | "));
    let names = rows.filter_map(|row| row.trim_start_matches('[').strip_prefix('`'));
    names.filter_map(|name| Some(name.split_once('`')?.0.to_owned())).collect()
}

/// Modules of one layer that must not use each other, although the table has to list them in some order.
const SIBLINGS: [&str; 3] = ["play", "serve", "cluster"];

/// An edge from a module to another, where the source has it.
#[derive(Debug, PartialEq, Eq)]
struct Edge {
    from: String,
    to: String,
    place: String,
}

/// The source without comments, string and character literals; lines stay where they are.
fn code_only(source: &str) -> String {
    let bytes: Vec<char> = source.chars().collect();
    let mut code = String::new();
    let mut at = 0;
    let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest {
            ['/', '/', ..] => rest.iter().take_while(|&&c| c != '\n').count(),
            ['/', '*', ..] => block_comment(rest),
            ['r', '"' | '#', ..] if !ends_in_word(&code) => raw_string(rest).unwrap_or(0),
            ['"', ..] => string(rest),
            ['\'', '\\', ..] => 2 + rest[2..].iter().skip(1).take_while(|&&c| c != '\'').count() + 2,
            ['\'', _, '\'', ..] => 3,
            _ => 0,
        };
        if length == 0 {
            code.push(bytes[at]);
            at += 1;
        } else {
            let end = (at + length).min(bytes.len());
            code.extend(bytes[at..end].iter().map(|&c| blank(c)));
            at = end;
        }
    }
    code
}

fn ends_in_word(code: &str) -> bool {
    code.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn block_comment(rest: &[char]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at + 1 < rest.len() {
        match (rest[at], rest[at + 1]) {
            ('/', '*') => depth += 1,
            ('*', '/') => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

fn raw_string(rest: &[char]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let end: String = format!("\"{}", "#".repeat(hashes));
    let text: String = rest[2 + hashes..].iter().collect();
    let found = text.find(&end)?;
    Some(2 + hashes + text[..found].chars().count() + end.len())
}

fn string(rest: &[char]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != '"' {
        at += if rest[at] == '\\' { 2 } else { 1 };
    }
    at + 1
}

/// The code without items under `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    const TEST: &str = "#[cfg(test)]";
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(TEST) {
        kept += &rest[..at];
        rest = &rest[at + TEST.len()..];
        // The item ends with its first `;` outside braces, or with its closing brace.
        let mut depth = 0;
        let mut end = rest.len();
        for (at, c) in rest.char_indices() {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if (c == ';' || c == '}') && depth == 0 {
                end = at + 1;
                break;
            }
        }
        kept.extend(rest[..end].chars().filter(|&c| c == '\n'));
        rest = &rest[end..];
    }
    kept + rest
}

/// The first names of the paths that start at `crate::`, also those inside braces.
fn targets(after: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let text = text.trim_start().chars();
        text.take_while(|c| c.is_alphanumeric() || *c == '_').collect()
    };
    let after = after.trim_start();
    let Some(group) = after.strip_prefix('{') else {
        return vec![name(after)];
    };
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                names.push(name(&group[start..at]));
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// How many modules a place of a file is in: those of its path, and those that are open around it.
fn depth(file: &str, before: &str) -> usize {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let mut open = Vec::new();
    let mut head = 0;
    for (at, c) in before.char_indices() {
        match c {
            '{' => {
                let words: Vec<&str> = before[head..at].split_whitespace().collect();
                open.push(words.len() > 1 && words[words.len() - 2] == "mod");
            }
            '}' => _ = open.pop(),
            _ => {}
        }
        if matches!(c, '{' | '}' | ';') {
            head = at + 1;
        }
    }
    path.split('/').count() + open.into_iter().filter(|&is_module| is_module).count()
}

/// What follows `super::`, repeated as often as given, if it begins there.
fn after_supers(mut rest: &str, times: usize) -> Option<&str> {
    for _ in 0..times {
        rest = rest.trim_start().strip_prefix("super")?.trim_start().strip_prefix("::")?;
    }
    Some(rest)
}

/// All edges that a source has.
fn edges(file: &str, source: &str) -> Vec<Edge> {
    let from = file.split('/').next().unwrap_or(file).trim_end_matches(".rs");
    let code = without_tests(&code_only(source));
    let mut found = Vec::new();
    for (at, root) in code.match_indices("crate").chain(code.match_indices("super")) {
        if ends_in_word(&code[..at]) || code[..at].trim_end().ends_with("super::") {
            continue;
        }
        let after = match root {
            "crate" => code[at + root.len()..].trim_start().strip_prefix("::"),
            _ => after_supers(&code[at..], depth(file, &code[..at])),
        };
        let line = code[..at].matches('\n').count() + 1;
        for to in after.map(targets).unwrap_or_default() {
            found.push(Edge { from: from.into(), to, place: format!("src/{file}:{line}") });
        }
    }
    found
}

/// The edges that lead to a module which is not above.
fn upward<'e>(layers: &[String], edges: &'e [Edge]) -> Vec<&'e Edge> {
    let place = |name: &str| layers.iter().position(|layer| layer == name);
    let wrong = |edge: &&Edge| {
        // What is not a module is an item of the crate's root; there are only macros.
        let (Some(from), Some(to)) = (place(&edge.from), place(&edge.to)) else {
            return !["lib", "main"].contains(&edge.from.as_str());
        };
        let siblings = SIBLINGS.contains(&edge.from.as_str()) && SIBLINGS.contains(&edge.to.as_str());
        from < to || (siblings && from != to)
    };
    edges.iter().filter(wrong).collect()
}

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            // Modules that only tests compile.
            if name != "tests" {
                sources(&path, found);
            }
        } else if name.ends_with(".rs") && !["tests.rs", "testing.rs"].contains(&name.as_str()) {
            found.push(path);
        }
    }
}

/// All files under `src/` that are compiled into the library, by their paths in it, with their text.
fn all_sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    let read = |path: &PathBuf| {
        let file = path.strip_prefix("src").unwrap().to_str().unwrap().to_owned();
        (file, fs::read_to_string(path).unwrap())
    };
    files.iter().map(read).collect()
}

/// The types and traits that a source declares, with their lines. Those of an implementation (`type Output = ..`) are not
/// names of its own.
fn declared_types(source: &str) -> Vec<(String, usize)> {
    let code = without_tests(&code_only(source));
    let mut found = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let bare = line.trim_start();
        let words = match bare.strip_prefix("pub") {
            Some(rest) if rest.starts_with(' ') => rest,
            Some(rest) if rest.starts_with('(') => rest.split_once(')').map_or("", |(_, rest)| rest),
            _ => bare,
        };
        let Some((keyword, name)) = words.trim_start().split_once(' ') else { continue };
        let is_alias = keyword == "type" && (line == bare || line.trim_start().starts_with("pub"));
        if is_alias || ["struct", "enum", "trait", "union"].contains(&keyword) {
            let name: String = name.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((name, number + 1));
        }
    }
    found
}

/// The type names that are declared more than once, with their places.
fn repeated_types(sources: &[(String, String)]) -> Vec<String> {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, source) in sources {
        for (name, line) in declared_types(source) {
            places.entry(name).or_default().push(format!("src/{file}:{line}"));
        }
    }
    let repeated = places.into_iter().filter(|(_, places)| places.len() > 1);
    repeated.map(|(name, places)| format!("{name}: {}", places.join(", "))).collect()
}

#[test]
fn a_type_name_is_used_once() {
    let sources = all_sources();
    let types: usize = sources.iter().map(|(_, source)| declared_types(source).len()).sum();
    assert!(types > 500, "only {types} types were found");
    let repeated = repeated_types(&sources);
    assert!(repeated.is_empty(), "declared more than once:\n{}", repeated.join("\n"));
}

/// The test of the test above.
#[test]
fn repeated_type_names_are_found() {
    let repeated = |a: &str, b: &str| repeated_types(&[("a.rs".into(), a.into()), ("b.rs".into(), b.into())]);
    assert_eq!(repeated("struct A;", "\npub(crate) enum A {}"), ["A: src/a.rs:1, src/b.rs:2"]);
    assert_eq!(
        repeated("pub trait A<T> {}", "mod m {\n    pub type A = u8;\n}"),
        ["A: src/a.rs:1, src/b.rs:2"]
    );
    let once = [
        ("struct A;", "struct B;"),
        ("impl X for Y {\n    type A = u8;\n}", "struct A;"),
        ("struct A;", "// struct A;\n#[cfg(test)]\nmod tests {\n    struct A;\n}"),
        ("struct A;", "use a::A; fn f(structure: A) {}"),
    ];
    for (a, b) in once {
        assert_eq!(repeated(a, b), [""; 0], "{a} | {b}");
    }
}

#[test]
fn no_module_uses_one_below_it() {
    let layers = layers();
    assert!(layers.len() >= 15, "{layers:?}");
    let mut all = Vec::new();
    for (file, source) in all_sources() {
        all.extend(edges(&file, &source));
    }
    assert!(all.len() > 500, "only {} edges were found", all.len());
    let wrong = upward(&layers, &all);
    let lines: Vec<String> =
        wrong.iter().map(|edge| format!("{}: `{}` uses `{}`", edge.place, edge.from, edge.to)).collect();
    assert!(lines.is_empty(), "upward edges:\n{}", lines.join("\n"));
}

/// Every module of the library has its place in the table.
#[test]
fn the_table_lists_every_module() {
    let guide = fs::read_to_string("src/lib.rs").unwrap();
    let declared = guide.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.strip_prefix("mod ")?.strip_suffix(';')
    });
    let layers = layers();
    for module in declared {
        assert!(layers.iter().any(|layer| layer == module), "{module} is not in the table");
    }
}

/// The test of the test: what it must see, and what it must not.
#[test]
fn edges_are_found_wherever_they_are() {
    let layers: Vec<String> =
        ["error", "text", "store", "engine", "play", "serve", "cli"].map(String::from).to_vec();
    let wrong = |file: &str, source: &str| -> Vec<String> {
        let edges = edges(file, source);
        let upward = upward(&layers, &edges);
        upward.iter().map(|edge| format!("{} {}", edge.place, edge.to)).collect()
    };
    assert_eq!(wrong("error.rs", "use crate::text::shell_quote;"), ["src/error.rs:1 text"]);
    assert_eq!(
        wrong("store/a.rs", "\nuse crate::{error::Error, engine::{Job, verify}};"),
        ["src/store/a.rs:2 engine"]
    );
    assert_eq!(wrong("store/a.rs", "fn f() {\n  let x = crate::cli::main();\n}"), ["src/store/a.rs:2 cli"]);
    assert_eq!(wrong("text.rs", "macro_rules! m { () => { $crate::cli::main() } }"), ["src/text.rs:1 cli"]);
    assert_eq!(wrong("text.rs", "vec![crate :: engine :: Job]"), ["src/text.rs:1 engine"]);
    assert_eq!(wrong("serve/a.rs", "use crate::play::Game;"), ["src/serve/a.rs:1 play"]);
    assert_eq!(wrong("text.rs", "pub use crate::engine::Job;"), ["src/text.rs:1 engine"]);
    assert_eq!(wrong("text.rs", "pub use super::engine::Job;"), ["src/text.rs:1 engine"]);
    assert_eq!(wrong("store/mod.rs", "fn f() { super::cli::main() }"), ["src/store/mod.rs:1 cli"]);
    assert_eq!(wrong("store/a/b.rs", "use super::super::super::engine::Job;"), ["src/store/a/b.rs:1 engine"]);
    assert_eq!(
        wrong("store/a.rs", "mod b { use super::super::super::{cli::main}; }"),
        ["src/store/a.rs:1 cli"]
    );
    assert_eq!(wrong("text.rs", "use crate::nothing::X;"), ["src/text.rs:1 nothing"]);
    let harmless = [
        ("engine/a.rs", "use crate::store::Lock; use crate::engine::Job; use crate::error::Error;"),
        ("error.rs", "// crate::cli::main\n/* crate::cli */ const A: &str = \"crate::cli::x\";"),
        ("error.rs", "const A: &str = r#\"\" crate::cli::x \"#; const B: char = '\"';"),
        ("error.rs", "#[cfg(test)]\nmod tests { use crate::cli::main; fn f() {} }"),
        ("error.rs", "#[cfg(test)]\nuse crate::cli::main;"),
        ("error.rs", "use subcrate::cli::main; pub(crate) fn f() {}"),
        ("store/a/b.rs", "use super::super::engine::Job; pub(super) fn f() { super::cli() }"),
        ("store/a.rs", "mod b { use super::super::cli; } fn f() { super::cli() }"),
    ];
    for (file, source) in harmless {
        assert_eq!(wrong(file, source), [""; 0], "{source}");
    }
    // An edge after a test module is still seen.
    let source = "#[cfg(test)]\nmod tests { }\nuse crate::cli::main;";
    assert_eq!(wrong("error.rs", source), ["src/error.rs:3 cli"]);
}

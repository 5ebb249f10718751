//! Examples that `--help` and the manual page show below a command's options.

/// By command: command lines, each with what it does.
pub const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "enumerate",
        &[
            ("godnum enumerate wrapslide:4x4:4", "God's number of 4x4 Wrapslide with four colours"),
            (
                "godnum enumerate tiles:3x4 --memory 2G --disk-limit 10G",
                "within a budget; resumes where it was stopped",
            ),
            ("godnum enumerate wrapslide:6x6:3 --max-level 8", "the first levels only"),
        ],
    ),
    ("resume", &[("godnum resume runs/wrapslide-6x6-3 --memory 4G", "continue with more memory")]),
    ("status", &[("godnum status runs/wrapslide-6x6-3", "how far a job is")]),
    ("levels", &[("godnum levels wrapslide:4x4:4 --format csv", "the level table as CSV")]),
    (
        "plot",
        &[(
            "godnum plot results/wrapslide-4x4-4.csv results/tiles-3x3.csv --out levels.svg",
            "two level tables in one picture",
        )],
    ),
    ("antipodes", &[("godnum antipodes wrapslide:4x4:2 --boards", "draw the hardest states")]),
    (
        "states",
        &[("godnum states wrapslide:4x4:2 --level 3 --count 5 --seed 1", "five random classes of level 3")],
    ),
    (
        "show",
        &[
            ("godnum show klotski:classic", "a board as it is given"),
            ("godnum show wrapslide:4x4:2 1212/2121/2222/2222", "another state"),
            ("godnum show gourds:random:13:1 --file", "in its file format"),
        ],
    ),
    (
        "class",
        &[("godnum class wrapslide:4x4:2 1222/2221/2212/2122", "everything that symmetries make of a state")],
    ),
    (
        "tree",
        &[
            ("godnum tree wrapslide:4x4:2 --levels 3", "the enumeration as a tree"),
            (
                "godnum tree tiles:2x2 \"1 2/3 0\" --levels 4 --svg > tree.svg",
                "the moves from a state, as a picture",
            ),
        ],
    ),
    (
        "solve",
        &[
            ("godnum solve klotski:classic", "the shortest solution of a given position"),
            ("godnum solve wrapslide:4x4:4 1234/1234/1234/1234 --film", "draw every position on the way"),
            ("godnum solve klotski:classic --compare", "all solvers on one state"),
            ("godnum solve gourds:seed4 --phases=divide", "in three phases"),
        ],
    ),
    ("hint", &[("godnum hint klotski:classic", "a good next move")]),
    (
        "play",
        &[
            ("godnum play tiles", "a game; asks for size and keys"),
            ("godnum play klotski:classic", "a given position"),
            ("godnum play --load game.json", "continue a saved game"),
        ],
    ),
    ("solvers", &[("godnum solvers wrapslide:6x6:4", "what can be named with --solver")]),
    ("scramble", &[("godnum scramble tiles:4x4 --count 3 --seed 7 --boards", "three random states, drawn")]),
    (
        "sample",
        &[
            ("godnum sample wrapslide:4x4:4 --count 1000", "solve 1000 random states"),
            (
                "godnum sample wrapslide:4x4:2 --count 1000 --scramble walk:20 --solver thesis",
                "states after 20 random moves",
            ),
        ],
    ),
    ("count", &[("godnum count triangles:sample", "how many solutions a game has")]),
    ("estimate", &[("godnum estimate wrapslide:6x6:4:fixed", "what an enumeration will take")]),
    ("bounds", &[("godnum bounds wrapslide:6x6:3", "what is proven about a God's number")]),
    ("prove", &[("godnum prove wrapslide:4x4:3 --at-most 10", "an upper bound, with a certificate")]),
    ("verify", &[("godnum verify runs/wrapslide-4x4-2 --full", "check every class and neighbour")]),
    ("puzzles", &[("godnum puzzles", "all kinds of puzzles and their options")]),
    ("export", &[("godnum export wrapslide:4x4:2 --format gap", "for another program")]),
    ("run", &[("godnum run experiments/wrapslide.toml", "an experiment file")]),
    ("survey", &[("godnum survey gourds 9", "a table over many boards")]),
    ("swaps", &[("godnum swaps wrapslide:6x6:2 --csv swaps.csv", "how far all exchanges of two cells are")]),
    ("serve", &[("godnum serve --port 8000", "the page on http://127.0.0.1:8000")]),
    (
        "completions",
        &[("godnum completions bash > ~/.local/share/bash-completion/completions/godnum", "for bash")],
    ),
    ("man", &[("godnum man solve | man -l -", "read the manual page of a command")]),
    ("help", &[("godnum help jobs", "a chapter of the guide")]),
];

/// The examples of a command as text; nothing if it has none.
pub fn text(command: &str) -> Option<String> {
    let (_, examples) = EXAMPLES.iter().find(|(name, _)| *name == command)?;
    let lines = examples.iter().map(|(line, about)| format!("  {line}\n      {about}"));
    Some(format!("Examples:\n{}", lines.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests;

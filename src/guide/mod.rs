//! The user guide. The chapters are Markdown files in `src/guide/`; they are shown here, and
//! `godnum help TOPIC` prints them. `tests/suite/guide.rs` runs the commands in them and compares the output.
//!
//! New to the crate? Start with [`words`], then [`library`].

/// A chapter of the guide.
#[derive(Clone, Copy, Debug)]
pub struct Chapter {
    /// The topic, as `godnum help` takes it: `adding-a-puzzle`.
    pub topic: &'static str,
    /// What the chapter is about, on one line.
    pub summary: &'static str,
    /// The chapter, as Markdown.
    pub markdown: &'static str,
}

/// Declares one module for each chapter, and the list of all chapters.
macro_rules! chapters {
    ($($module:ident, $topic:literal, $file:literal, $summary:literal;)*) => {
        $(
            #[doc = include_str!($file)]
            pub mod $module {}
        )*

        /// All chapters, in the order in which they are best read.
        pub const CHAPTERS: &[Chapter] = &[
            $(Chapter { topic: $topic, summary: $summary, markdown: include_str!($file) },)*
        ];
    };
}

chapters! {
    words, "words", "words.md", "The terms used everywhere: state, class, level, metric, job";
    puzzles, "puzzles", "puzzles.md", "The five kinds of puzzles, their options and notations";
    permutations, "permutations", "permutations.md", "Permutation puzzles: definitions from files, options, export";
    jobs, "jobs", "jobs.md", "Enumerating: options, long runs, resuming, exit codes";
    cluster, "cluster", "cluster.md", "One job on several processes or machines";
    formats, "formats", "formats.md", "The files: jobs, level sets, samples, saved games";
    solvers, "solvers", "solvers.md", "Solving single states, and what each solver guarantees";
    sampling, "sampling", "sampling.md", "Solving many random states";
    bounds, "bounds", "bounds.md", "Proven bounds where a space is too large to enumerate";
    proofs, "proofs", "proofs.md", "Proving upper bounds, with certificates";
    plots, "plots", "plots.md", "Drawing level distributions and samples";
    play, "play", "play.md", "Playing in a terminal, and from a script";
    page, "page", "page.md", "The local web page: options, limits, security";
    experiments, "experiments", "experiments.md", "Experiment files, scripts, benchmarks";
    checks, "checks", "checks.md", "How the numbers are checked";
    promises, "promises", "promises.md", "Guarantees after crashes and damage, and their limits";
    library, "library", "library.md", "Using the crate from Rust, with complete examples";
    adding_a_puzzle, "adding-a-puzzle", "adding-a-puzzle.md", "Adding a puzzle to the program";
}

/// The chapter on a topic.
pub fn chapter(topic: &str) -> Option<&'static Chapter> {
    CHAPTERS.iter().find(|chapter| chapter.topic == topic)
}

impl Chapter {
    /// The chapter for a terminal: code blocks are indented instead of fenced, links are reduced to their
    /// text, and lines that the library's documentation hides are left out.
    pub fn plain(&self) -> String {
        let mut plain = String::new();
        let mut rust = None;
        for line in self.markdown.lines() {
            match (line.trim_start().strip_prefix("```"), rust) {
                (Some(info), None) => rust = Some(info.is_empty()),
                (Some(_), Some(_)) => rust = None,
                (None, Some(true)) if line == "#" || line.starts_with("# ") => {}
                (None, Some(_)) if line.is_empty() => plain.push('\n'),
                (None, Some(_)) => plain.extend(["    ", line, "\n"]),
                (None, None) => plain.extend([&without_links(line), "\n"]),
            }
        }
        plain
    }
}

/// A line of Markdown with `[text](target)` reduced to its text.
fn without_links(line: &str) -> String {
    let mut rest = line;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        let link = after.split_once("](");
        let link = link.and_then(|(text, after)| Some((text, after.split_once(')')?.1)));
        plain.push_str(before);
        rest = match link {
            Some((text, after)) if !text.contains(['[', ']']) => {
                plain.push_str(text);
                after
            }
            _ => {
                plain.push('[');
                after
            }
        };
    }
    plain + rest
}

#[cfg(test)]
mod tests;

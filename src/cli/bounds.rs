//! `godnum bounds`: what is proven about a puzzle, and how.

use std::fmt::Write;
use std::path::PathBuf;

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::Result;
use crate::puzzle::{Published, Question, Rules};
use crate::puzzles::registry;
use crate::study::bounds::{self, BoundProof, EvidenceLibrary, ProvenBounds};

/// Show what is proven about God's number of a puzzle: bounds, arguments, evidence.
#[derive(clap::Args)]
pub struct BoundsArgs {
    /// The puzzle, for example wrapslide:6x6:3
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// Where to look for jobs and results; may be repeated [default: runs and results]
    #[arg(long, value_name = "DIR")]
    from: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

pub fn main(arguments: BoundsArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let places = if arguments.from.is_empty() { bounds::default_places() } else { arguments.from };
    let bounds = bounds::bounds(&*puzzle, &EvidenceLibrary::open(&places)?)?;
    output::print(&if arguments.json { json(&*puzzle, &bounds) } else { text(&*puzzle, &bounds) })
}

/// What the bounds are about.
fn subject(puzzle: &dyn Rules) -> &'static str {
    match puzzle.question() {
        Question::Eccentricity => "the eccentricity of the start",
        _ => "God's number",
    }
}

fn text(puzzle: &dyn Rules, bounds: &ProvenBounds) -> String {
    let least = bounds.least.bound;
    let result = match (bounds.exact(), &bounds.most) {
        (Some(exact), _) => format!("exactly {exact}"),
        (None, Some(most)) => format!("at least {least} and at most {}", most.bound),
        (None, None) => format!("at least {least}, and no upper bound is proven"),
    };
    let mut text =
        format!("{}: {} is {result} ({} metric)\n", bounds.puzzle, subject(puzzle), puzzle.metric());
    match &bounds.most {
        // All levels are there, and nothing else is needed.
        Some(most) if *most == bounds.least => proof(&mut text, "\nExactly", "exactly", most, 0),
        most => {
            proof(&mut text, "\nAt least", "at least", &bounds.least, 0);
            if let Some(most) = most {
                proof(&mut text, "\nAt most", "at most", most, 0);
            }
        }
    }
    if let Some(Published { at_least, at_most, source }) = &bounds.published {
        let range = match at_least == at_most {
            true => format!("exactly {at_least}"),
            false => format!("at least {at_least} and at most {at_most}"),
        };
        let _ = writeln!(text, "\nPublished, and not checked here: {range} ({source}).");
    }
    if !bounds.help.is_empty() {
        text += "\nRuns that would tighten this:\n";
        for sentence in &bounds.help {
            let _ = writeln!(text, "  {sentence}");
        }
    }
    text
}

/// An argument and what it rests on, further and further to the right.
fn proof(text: &mut String, heading: &str, side: &str, proof_of: &BoundProof, depth: usize) {
    let indent = "  ".repeat(depth);
    let _ = writeln!(text, "{heading} {}: {}.", proof_of.bound, proof_of.argument);
    if let Some(evidence) = &proof_of.evidence {
        let _ = writeln!(text, "{indent}  From {evidence}.");
    }
    for part in &proof_of.parts {
        let heading = format!("{indent}  {} is {side}", part.puzzle);
        proof(text, &heading, side, part, depth + 1);
    }
}

fn json(puzzle: &dyn Rules, bounds: &ProvenBounds) -> String {
    let exact = |question| bounds.exact().filter(|_| puzzle.question() == question);
    let value = serde_json::json!({
        "puzzle": bounds.puzzle,
        "metric": puzzle.metric(),
        "gods_number": exact(Question::GodsNumber),
        "eccentricity": exact(Question::Eccentricity),
        "at_least": bounds.least.bound,
        "at_most": bounds.most.as_ref().map(|most| most.bound),
        "why_at_least": bounds.least,
        "why_at_most": bounds.most,
        "published": bounds.published.as_ref().map(|published| serde_json::json!({
            "at_least": published.at_least,
            "at_most": published.at_most,
            "source": published.source,
        })),
        "help": bounds.help,
    });
    output::json("bounds", value)
}

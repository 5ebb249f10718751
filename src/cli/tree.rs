//! `godnum tree`: an enumeration as a tree, or all that moves lead to.

use std::fmt::Write;

use super::output;
use super::puzzle_text::PuzzleText;
use crate::error::Result;
use crate::puzzle::Rules;
use crate::puzzles::registry;
use crate::report::tree::{self, DrawnNode};
use crate::study::tree::{TreeNode, of_classes, of_moves};
use crate::text::pluralise;

/// Print the tree of an enumeration, one state for each class, or of the moves from a state.
#[derive(clap::Args)]
pub struct TreeArgs {
    /// The puzzle, for example wrapslide:4x4:2
    #[arg(value_parser = PuzzleText, hide_possible_values = true)]
    puzzle: String,
    /// A state whose moves are followed instead [default: the enumeration, by classes]
    state: Option<String>,
    /// The last level
    #[arg(long, value_name = "K")]
    levels: u32,
    /// Print it for Graphviz
    #[arg(long)]
    dot: bool,
    /// Print it as a picture, SVG
    #[arg(long, conflicts_with = "dot")]
    svg: bool,
}

pub fn main(arguments: TreeArgs) -> Result<()> {
    let puzzle = registry::parse(&arguments.puzzle)?;
    let nodes = match &arguments.state {
        None => of_classes(&*puzzle, arguments.levels)?,
        Some(state) => of_moves(&*puzzle, &puzzle.parse_state(state)?, arguments.levels)?,
    };
    let title = match &arguments.state {
        None => format!("{}: classes by level", puzzle.text()),
        Some(state) => format!("{}: moves from {state}", puzzle.text()),
    };
    if arguments.dot || arguments.svg {
        let drawn: Vec<DrawnNode> = (0..nodes.len()).map(|number| drawn(&*puzzle, &nodes, number)).collect();
        let draw = if arguments.dot { tree::dot } else { tree::svg };
        return output::print(&draw(&title, &drawn));
    }
    output::print(&text(&*puzzle, &nodes))
}

/// The move that leads to a node.
fn edge(puzzle: &dyn Rules, nodes: &[TreeNode], number: usize) -> String {
    let TreeNode { parent, by, .. } = &nodes[number];
    parent.zip(*by).map_or_else(String::new, |(parent, mv)| puzzle.move_name(&nodes[parent].state, mv))
}

fn drawn(puzzle: &dyn Rules, nodes: &[TreeNode], number: usize) -> DrawnNode {
    let TreeNode { state, level, parent, .. } = &nodes[number];
    DrawnNode {
        lines: puzzle.draw(state, false).lines().map(str::to_owned).collect(),
        parent: *parent,
        edge: edge(puzzle, nodes, number),
        level: *level,
    }
}

/// A line for each node, below its parent, and how many there are in each level.
fn text(puzzle: &dyn Rules, nodes: &[TreeNode]) -> String {
    let mut children = vec![Vec::new(); nodes.len()];
    let mut waiting = Vec::new();
    for (number, node) in nodes.iter().enumerate().rev() {
        match node.parent {
            Some(parent) => children[parent].push(number),
            None => waiting.push(number),
        }
    }
    let mut text = String::new();
    while let Some(number) = waiting.pop() {
        let node = &nodes[number];
        let indent = "  ".repeat(node.level as usize);
        let by = edge(puzzle, nodes, number);
        let gap = if by.is_empty() { "" } else { ": " };
        let _ = writeln!(text, "{indent}{by}{gap}{}", puzzle.print_state(&node.state));
        waiting.append(&mut children[number]);
    }
    let last = nodes.last().map_or(0, |node| node.level);
    let counts = (0..=last).map(|level| nodes.iter().filter(|node| node.level == level).count().to_string());
    let counts: Vec<String> = counts.collect();
    let _ = writeln!(text, "{} by level: {}", pluralise(nodes.len(), "node"), counts.join(", "));
    text
}

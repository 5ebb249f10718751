//! Trees as pictures: for Graphviz, and as SVG.

use std::fmt::Write;

/// A node to draw.
pub struct DrawnNode {
    /// The board, on several lines.
    pub lines: Vec<String>,
    /// The node before it, by its number; parents come before their children.
    pub parent: Option<usize>,
    /// What is written on the line to the parent.
    pub edge: String,
    /// How far it is from the root.
    pub level: u32,
}

/// A tree in the language of Graphviz.
pub fn dot(title: &str, nodes: &[DrawnNode]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!("digraph \"{}\" {{\n  node [shape=box, fontname=\"monospace\"];\n", quoted(title));
    for (number, node) in nodes.iter().enumerate() {
        let lines: Vec<String> = node.lines.iter().map(|line| quoted(line)).collect();
        let _ = writeln!(text, "  n{number} [label=\"{}\\l\"];", lines.join("\\l"));
        if let Some(parent) = node.parent {
            let _ = writeln!(text, "  n{parent} -> n{number} [label=\"{}\"];", quoted(&node.edge));
        }
    }
    text + "}\n"
}

/// Pixels of a character, and of a line.
const CHARACTER: usize = 7;
const LINE: usize = 14;
/// Room inside a box, between boxes, and between levels.
const INSIDE: usize = 6;
const GAP: usize = 10;
const BETWEEN: usize = 44;
const MARGIN: usize = 30;

/// A tree as SVG: a row for each level, every node above the middle of what is below it.
pub fn svg(title: &str, nodes: &[DrawnNode]) -> String {
    let columns = |node: &DrawnNode| node.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let wide = nodes.iter().map(columns).max().unwrap_or(0) * CHARACTER + 2 * INSIDE;
    let wide = wide.max(nodes.iter().map(|node| node.edge.chars().count() * CHARACTER).max().unwrap_or(0));
    let high = nodes.iter().map(|node| node.lines.len()).max().unwrap_or(0) * LINE + 2 * INSIDE;
    let places = places(nodes);
    let right = places.iter().copied().fold(0.0, f64::max);
    let deepest = nodes.iter().map(|node| node.level).max().unwrap_or(0) as usize;
    let x = |number: usize| MARGIN as f64 + places[number] * (wide + GAP) as f64;
    let y = |number: usize| MARGIN + LINE + nodes[number].level as usize * (high + BETWEEN);
    let (width, height) = (
        (right * (wide + GAP) as f64) as usize + wide + 2 * MARGIN,
        deepest * (high + BETWEEN) + high + 2 * MARGIN + LINE,
    );
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <style>text{{font:12px 'DejaVu Sans Mono',monospace;white-space:pre}}.e{{font-size:10px;fill:#335}}\
         .b{{fill:#f6f6f2;stroke:#889}}path{{fill:none;stroke:#889}}</style>\n\
         <text x=\"{MARGIN}\" y=\"{}\">{}</text>\n",
        MARGIN - 8,
        escaped(title)
    );
    for (number, node) in nodes.iter().enumerate() {
        let (left, top) = (x(number), y(number));
        if let Some(parent) = node.parent {
            let (from, bottom) = (x(parent) + wide as f64 / 2.0, y(parent) + high);
            let to = left + wide as f64 / 2.0;
            let middle = bottom + BETWEEN / 3;
            let _ = writeln!(text, "<path d=\"M{from:.1} {bottom}V{middle}H{to:.1}V{top}\"/>");
            let _ = writeln!(
                text,
                "<text class=\"e\" text-anchor=\"middle\" x=\"{to:.1}\" y=\"{}\"><tspan style=\"paint-order:stroke;\
                 stroke:#fff;stroke-width:4px\">{}</tspan></text>",
                top - 6,
                escaped(&node.edge)
            );
        }
        let _ = writeln!(
            text,
            "<rect class=\"b\" x=\"{left:.1}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" rx=\"3\"/>"
        );
        for (row, line) in node.lines.iter().enumerate() {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{}\">{}</text>",
                left + INSIDE as f64,
                top + INSIDE + LINE * (row + 1) - 4,
                escaped(line)
            );
        }
    }
    text + "</svg>\n"
}

/// Where each node is, in boxes from the left: leaves side by side, others above the middle of their children.
fn places(nodes: &[DrawnNode]) -> Vec<f64> {
    let mut children = vec![Vec::new(); nodes.len()];
    let mut roots = Vec::new();
    for (number, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(number),
            None => roots.push(number),
        }
    }
    // In the order of a walk that goes down first, without recursion: trees may be deep.
    let mut order = Vec::new();
    let mut waiting: Vec<usize> = roots.into_iter().rev().collect();
    while let Some(number) = waiting.pop() {
        order.push(number);
        waiting.extend(children[number].iter().rev());
    }
    let mut places = vec![0.0; nodes.len()];
    let mut leaves = 0;
    for &number in &order {
        if children[number].is_empty() {
            places[number] = f64::from(leaves);
            leaves += 1;
        }
    }
    for &number in order.iter().rev() {
        if let (Some(&first), Some(&last)) = (children[number].first(), children[number].last()) {
            places[number] = (places[first] + places[last]) / 2.0;
        }
    }
    places
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;

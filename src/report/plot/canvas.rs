//! Writing SVG: escaped texts, short numbers, and how wide a text comes out.

use std::fmt::Write;

/// The font of all texts. Pages that do not have it take what they have.
pub const FONT: &str = "DejaVu Sans, sans-serif";

/// The advance widths of the printable ASCII characters in DejaVu Sans, in 1/2048 of the font size.
const WIDTHS: [u16; 95] = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303, 1303, 1303,
    1303, 1303, 1303, 1303, 1303, 1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577,
    1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612, 1235, 1612, 1423, 1300, 1251, 1499, 1401,
    2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024, 1255, 1300, 1126, 1300, 1260, 721, 1300, 1298,
    569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075,
    1303, 690, 1303, 1716,
];

/// How wide a text is in a font of this size.
pub fn width(text: &str, size: f64) -> f64 {
    let units: f64 = text.chars().map(units).sum();
    units * size / 2048.0
}

fn units(c: char) -> f64 {
    let ascii = (c as usize).checked_sub(32).and_then(|place| WIDTHS.get(place));
    match (ascii, c) {
        (Some(&width), _) => width.into(),
        (None, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹') => 821.0,
        (None, '⁻') => 1081.0,
        // Most others are about as wide as the font is high, or less.
        _ => 2048.0,
    }
}

/// A text that is no wider than `most`: what does not fit is left out of its middle, where the texts of
/// puzzles differ least.
pub fn shorten(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.into();
    }
    let characters: Vec<char> = text.chars().collect();
    let part = |kept: usize| {
        let (head, tail) = (kept.div_ceil(2), kept / 2);
        let head: String = characters[..head].iter().collect();
        let tail: String = characters[characters.len() - tail..].iter().collect();
        format!("{head}…{tail}")
    };
    let fits = |kept: &usize| width(&part(*kept), size) <= most;
    part((0..characters.len()).rev().find(fits).unwrap_or(0))
}

/// A text in lines no wider than `most`, and no more lines than `lines`: the last one says with three
/// dots that something is missing.
pub fn wrap(text: &str, size: f64, most: f64, lines: usize) -> Vec<String> {
    let mut wrapped: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = shorten(word, size, most);
        match wrapped.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size) <= most => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => wrapped.push(word),
        }
    }
    if wrapped.len() > lines {
        wrapped.truncate(lines);
        if let Some(last) = wrapped.last_mut() {
            while width(&format!("{last} …"), size) > most && last.pop().is_some() {}
            last.push_str(" …");
        }
    }
    wrapped
}

/// A text as XML takes it. Characters that no XML document may hold are replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A coordinate with at most one decimal.
pub fn short(value: f64) -> String {
    let tenths = (value * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    match (tenths.abs() / 10, tenths.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, rest) => format!("{sign}{whole}.{rest}"),
    }
}

/// Where a text has its given point.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG document under construction.
pub struct SvgCanvas {
    text: String,
    depth: usize,
}

impl SvgCanvas {
    /// Begins a document.
    pub fn new(width: f64, height: f64) -> Self {
        let (w, h) = (short(width), short(height));
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\" width=\"{w}\" \
             height=\"{h}\" viewBox=\"0 0 {w} {h}\" font-family=\"{FONT}\" font-size=\"12\">\n"
        );
        SvgCanvas { text, depth: 1 }
    }

    /// Ends the document.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn line(&mut self, markup: &str) {
        let indent = 2 * self.depth;
        let _ = writeln!(self.text, "{:indent$}{markup}", "");
    }

    /// An element that holds nothing but a text.
    pub fn plain(&mut self, name: &str, text: &str) {
        self.line(&format!("<{name}>{}</{name}>", escape(text)));
    }

    /// A group around what `inside` draws; `attributes` are presentation attributes.
    pub fn group(&mut self, class: &str, attributes: &str, inside: impl FnOnce(&mut SvgCanvas)) {
        let gap = if attributes.is_empty() { "" } else { " " };
        self.line(&format!("<g class=\"{class}\"{gap}{attributes}>"));
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line("</g>");
    }

    /// A path; nothing if it has no points.
    pub fn path(&mut self, points: &str, attributes: &str) {
        if !points.is_empty() {
            let gap = if attributes.is_empty() { "" } else { " " };
            self.line(&format!("<path{gap}{attributes} d=\"{points}\"/>"));
        }
    }

    /// A rectangle over the whole of a picture.
    pub fn paper(&mut self, width: f64, height: f64) {
        let (w, h) = (short(width), short(height));
        self.line(&format!("<rect class=\"paper\" width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>"));
    }

    /// A text at a point.
    pub fn label(&mut self, (x, y): (f64, f64), anchor: Anchor, attributes: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let gap = if attributes.is_empty() { "" } else { " " };
        let (x, y) = (short(x), short(y));
        self.line(&format!("<text x=\"{x}\" y=\"{y}\"{anchor}{gap}{attributes}>{}</text>", escape(text)));
    }
}

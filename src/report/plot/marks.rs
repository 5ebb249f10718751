//! What series look like: colours, dashes, markers and hatchings, each of them enough to tell them apart.

use std::fmt::Write;

use super::canvas::short;

/// The colours of Okabe and Ito without yellow, which cannot be seen on white, and with a grey.
pub const COLOURS: [&str; super::MOST_SERIES] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#777777"];

/// How lines are dashed: `stroke-dasharray`.
const DASHES: [&str; super::MOST_SERIES] =
    ["", "7 3", "2 2.5", "9 3 2 3", "4 2", "13 4", "9 3 2 3 2 3", "1 4"];

/// The dashes of a series as an attribute.
pub fn dashes(series: usize) -> String {
    match DASHES[series % DASHES.len()] {
        "" => String::new(),
        pattern => format!(" stroke-dasharray=\"{pattern}\""),
    }
}

/// Whether the markers of a series are hollow.
pub fn is_hollow(series: usize) -> bool {
    series % 2 == 1
}

/// The marker of a series around a point, as a path.
pub fn marker(series: usize, x: f64, y: f64) -> String {
    let corners: &[(f64, f64)] = match series % COLOURS.len() {
        0 => {
            let (left, y, r) = (short(x - 3.0), short(y), 3);
            return format!("M{left} {y}a{r} {r} 0 1 0 6 0a{r} {r} 0 1 0 -6 0z");
        }
        1 => &[(-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0)],
        2 => &[(0.0, -4.0), (3.7, 2.6), (-3.7, 2.6)],
        3 => &[(0.0, -4.2), (4.2, 0.0), (0.0, 4.2), (-4.2, 0.0)],
        4 => &[(0.0, 4.0), (3.7, -2.6), (-3.7, -2.6)],
        5 => &[(-3.8, 0.0), (-1.9, -3.4), (1.9, -3.4), (3.8, 0.0), (1.9, 3.4), (-1.9, 3.4)],
        // A plus and a cross, as outlines.
        6 => &[
            (-1.0, -4.0),
            (1.0, -4.0),
            (1.0, -1.0),
            (4.0, -1.0),
            (4.0, 1.0),
            (1.0, 1.0),
            (1.0, 4.0),
            (-1.0, 4.0),
            (-1.0, 1.0),
            (-4.0, 1.0),
            (-4.0, -1.0),
            (-1.0, -1.0),
        ],
        _ => &[
            (-3.6, -3.6),
            (0.0, -1.2),
            (3.6, -3.6),
            (1.2, 0.0),
            (3.6, 3.6),
            (0.0, 1.2),
            (-3.6, 3.6),
            (-1.2, 0.0),
        ],
    };
    let mut path = String::new();
    for (number, (dx, dy)) in corners.iter().enumerate() {
        let command = if number == 0 { "M" } else { "L" };
        let _ = write!(path, "{command}{} {}", short(x + dx), short(y + dy));
    }
    path + "z"
}

/// A rectangle: left, top, width, height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rectangle {
    /// The left side.
    pub x: f64,
    /// The upper side.
    pub y: f64,
    /// From left to right.
    pub width: f64,
    /// From top to bottom.
    pub height: f64,
}

impl Rectangle {
    /// Its outline as a path.
    pub fn path(&self) -> String {
        let (w, h) = (short(self.width), short(self.height));
        format!("M{} {}h{w}v{h}h-{w}z", short(self.x), short(self.y))
    }
}

/// Narrower bars have no room for lines.
pub const NARROWEST: f64 = 3.0;
/// The distance of the lines of a hatching.
const GAP: f64 = 5.0;

/// The lines inside a rectangle that tell the bars of one series from those of another.
pub fn hatching(series: usize, inside: Rectangle) -> String {
    if inside.width < NARROWEST || inside.height <= 0.0 {
        return String::new();
    }
    let mut path = String::new();
    let styles: &[Hatch] = match series % COLOURS.len() {
        0 => &[Hatch::Rising(GAP)],
        1 => &[Hatch::Falling(GAP)],
        2 => &[Hatch::Level(GAP)],
        3 => &[Hatch::Rising(GAP), Hatch::Falling(GAP)],
        4 => &[Hatch::Level(2.5)],
        5 => &[Hatch::Rising(9.0)],
        6 => &[],
        _ => &[Hatch::Falling(9.0), Hatch::Level(9.0)],
    };
    for style in styles {
        style.fill(inside, &mut path);
    }
    path
}

/// Parallel lines, so far apart.
enum Hatch {
    Rising(f64),
    Falling(f64),
    Level(f64),
}

impl Hatch {
    /// Adds the parts of the lines that are inside a rectangle. The lines of neighbouring rectangles meet.
    fn fill(&self, inside: Rectangle, path: &mut String) {
        let (left, right) = (inside.x, inside.x + inside.width);
        let (top, bottom) = (inside.y, inside.y + inside.height);
        let mut segment = |from: (f64, f64), to: (f64, f64)| {
            let (x, y) = (short(from.0), short(from.1));
            let _ = write!(path, "M{x} {y}L{} {}", short(to.0), short(to.1));
        };
        // The sums that lines of a distance have between two bounds.
        let between = |low: f64, high: f64, gap: f64| {
            let numbers = (low / gap).floor() as i64 + 1..(high / gap).ceil() as i64;
            numbers.map(move |number| number as f64 * gap)
        };
        match *self {
            Hatch::Level(gap) => {
                between(top, bottom, gap).for_each(|y| segment((left, y), (right, y)));
            }
            // x + y is the same along a line.
            Hatch::Rising(gap) => between(left + top, right + bottom, gap).for_each(|sum| {
                let (low, high) = ((sum - bottom).max(left), (sum - top).min(right));
                segment((low, sum - low), (high, sum - high));
            }),
            // x - y is the same along a line.
            Hatch::Falling(gap) => between(left - bottom, right - top, gap).for_each(|rest| {
                let (low, high) = ((rest + top).max(left), (rest + bottom).min(right));
                segment((low, low - rest), (high, high - rest));
            }),
        }
    }
}

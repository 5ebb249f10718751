//! The same picture as pixels, with the font that is part of the program: no other machine's fonts, so
//! the same picture everywhere.
//!
//! This draws what [`svg`](super::svg) writes, and no other SVG: rectangles, paths and texts, with
//! presentation attributes that groups hand down.

use std::str::FromStr;

use roxmltree::{Document, Node};
use svgtypes::{SimplePathSegment, SimplifyingPathParser};
use tiny_skia::{FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform};
use ttf_parser::{Face, OutlineBuilder};

use crate::error::{Error, Result};

/// Pixels for each unit of the picture, in both directions.
const SCALE: f32 = 2.0;

/// What [`svg`](super::svg) made, as a PNG file.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let broken = |why: &dyn std::fmt::Display| Error::Usage(format!("the picture cannot be drawn: {why}"));
    let document = Document::parse(svg).map_err(|e| broken(&e))?;
    let face = face().map_err(|e| broken(&e))?;
    let length = |name| (number(document.root_element(), name) * SCALE).ceil() as u32;
    let mut pixels = Pixmap::new(length("width"), length("height"))
        .ok_or_else(|| Error::limit("the picture is too large to be drawn"))?;
    let scale = Transform::from_scale(SCALE, SCALE);
    for Outline { path, fill, stroke } in document.descendants().filter_map(|node| shape(node, &face)) {
        if let Some(paint) = fill {
            pixels.fill_path(&path, &paint, FillRule::Winding, scale, None);
        }
        if let Some((paint, stroke)) = stroke {
            pixels.stroke_path(&path, &paint, &stroke, scale, None);
        }
    }
    pixels.encode_png().map_err(|e| Error::limit(format!("the picture cannot be packed: {e}")))
}

/// The font of all texts.
pub(super) fn face() -> std::result::Result<Face<'static>, ttf_parser::FaceParsingError> {
    Face::parse(dejavu::sans::regular(), 0)
}

/// An outline, and how it is painted.
struct Outline {
    path: Path,
    fill: Option<Paint<'static>>,
    stroke: Option<(Paint<'static>, Stroke)>,
}

/// What an element draws: nothing if it only groups or explains.
fn shape(node: Node<'_, '_>, face: &Face<'_>) -> Option<Outline> {
    let path = match node.tag_name().name() {
        "rect" => {
            PathBuilder::from_rect(Rect::from_xywh(0.0, 0.0, number(node, "width"), number(node, "height"))?)
        }
        "path" => outline(node.attribute("d")?)?,
        "text" => letters(node, face)?,
        _ => return None,
    };
    let stroke = paint(node, "stroke").map(|paint| {
        let dashes = inherited(node, "stroke-dasharray").and_then(dashes);
        let width = inherited(node, "stroke-width").and_then(|width| width.parse().ok()).unwrap_or(1.0);
        (paint, Stroke { width, dash: dashes, ..Stroke::default() })
    });
    Some(Outline { path, fill: paint(node, "fill"), stroke })
}

/// An attribute of an element, or of the nearest group around it that has it.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|group| group.attribute(name))
}

/// An attribute that is a number: 0 if it is missing.
pub(super) fn number(node: Node<'_, '_>, name: &str) -> f32 {
    node.attribute(name).and_then(|value| value.parse().ok()).unwrap_or(0.0)
}

/// The colour of a `fill` or a `stroke`.
fn paint(node: Node<'_, '_>, name: &str) -> Option<Paint<'static>> {
    let colour = svgtypes::Color::from_str(inherited(node, name)?).ok()?;
    let opacity = inherited(node, &format!("{name}-opacity")).and_then(|share| share.parse::<f32>().ok());
    let alpha = (opacity.unwrap_or(1.0) * f32::from(colour.alpha)).round() as u8;
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(colour.red, colour.green, colour.blue, alpha);
    Some(paint)
}

/// Dashes and gaps in turn.
fn dashes(pattern: &str) -> Option<StrokeDash> {
    StrokeDash::new(pattern.split(' ').map_while(|length| length.parse().ok()).collect(), 0.0)
}

/// The outline that a path's `d` describes.
fn outline(commands: &str) -> Option<Path> {
    let mut path = PathBuilder::new();
    for segment in SimplifyingPathParser::from(commands) {
        match segment.ok()? {
            SimplePathSegment::MoveTo { x, y } => path.move_to(x as f32, y as f32),
            SimplePathSegment::LineTo { x, y } => path.line_to(x as f32, y as f32),
            SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                path.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32);
            }
            SimplePathSegment::Quadratic { x1, y1, x, y } => {
                path.quad_to(x1 as f32, y1 as f32, x as f32, y as f32);
            }
            SimplePathSegment::ClosePath => path.close(),
        }
    }
    path.finish()
}

/// The outlines of a text's letters, in their places.
pub(super) fn letters(node: Node<'_, '_>, face: &Face<'_>) -> Option<Path> {
    let size: f32 = inherited(node, "font-size")?.parse().ok()?;
    let scale = size / f32::from(face.units_per_em());
    let mut line = TextOutline { path: PathBuilder::new(), scale, right: 0.0 };
    for c in node.text()?.chars() {
        let glyph = face.glyph_index(c).unwrap_or_default();
        face.outline_glyph(glyph, &mut line);
        line.right += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
    }
    let shift = match node.attribute("text-anchor") {
        Some("middle") => -line.right / 2.0,
        Some("end") => -line.right,
        _ => 0.0,
    };
    let turned = node.attribute("transform").and_then(|turn| svgtypes::Transform::from_str(turn).ok());
    let place = turned.map_or(Transform::identity(), |t| {
        Transform::from_row(t.a as f32, t.b as f32, t.c as f32, t.d as f32, t.e as f32, t.f as f32)
    });
    line.path.finish()?.transform(place.pre_translate(number(node, "x") + shift, number(node, "y")))
}

/// A line of letters from left to right. Fonts count upwards, pictures downwards.
struct TextOutline {
    path: PathBuilder,
    scale: f32,
    /// Where the next letter begins.
    right: f32,
}

impl TextOutline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.right + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for TextOutline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

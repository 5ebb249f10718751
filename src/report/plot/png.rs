//! The same picture as pixels, with the font that is part of the program: no other machine's fonts, so
//! the same picture everywhere.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

use crate::error::{Error, Result};

/// Pixels for each unit of the picture, in both directions.
const SCALE: f32 = 2.0;

/// An SVG document as it is drawn.
pub(super) fn tree(svg: &str) -> Result<Tree> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    let options = Options {
        fontdb: Arc::new(fonts),
        font_family: "DejaVu Sans".into(),
        ..Options::default()
    };
    Tree::from_str(svg, &options)
        .map_err(|e| Error::Usage(format!("the picture cannot be drawn: {e}")))
}

/// What [`svg`](super::svg) made, as a PNG file.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let tree = tree(svg)?;
    let length = |units: f32| (units * SCALE).ceil() as u32;
    let (width, height) = (length(tree.size().width()), length(tree.size().height()));
    let mut pixels = Pixmap::new(width, height)
        .ok_or_else(|| Error::Limit("the picture is too large to be drawn".into()))?;
    let scale = Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|e| Error::Limit(format!("the picture cannot be packed: {e}")))
}

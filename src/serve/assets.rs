//! The page and its parts, built into the program. A new file in `page/` is one more name here.

use std::sync::OnceLock;

use hyper::header::{HeaderMap, IF_NONE_MATCH};
use xxhash_rust::xxh3::xxh3_64;

use super::reply::{HttpError, Reply};

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("page/", $name)))),*]
    };
}

/// Every file of the page, by name.
const ASSETS: &[(&str, &[u8])] = assets![
    "api.js",
    "app.js",
    "board.js",
    "chart.js",
    "controls.js",
    "detail.js",
    "dom.js",
    "explorer.js",
    "film.js",
    "game.js",
    "generic.js",
    "glossary.js",
    "gourds-phases.js",
    "gourds-picture.js",
    "gourds.js",
    "home.js",
    "icon.svg",
    "index.html",
    "jobs.js",
    "kinds.js",
    "klotski-count.js",
    "klotski-names.js",
    "klotski-ways.js",
    "klotski.js",
    "pictures.js",
    "puzzle-view.js",
    "start.js",
    "storage.js",
    "style.css",
    "tiles.js",
    "triangles-draw.js",
    "triangles-games.js",
    "triangles-view.js",
    "triangles.js",
    "work.js",
    "wrapslide-paint.js",
    "wrapslide.js",
];

/// The file of a name, unless the browser has it already.
pub fn get(name: &str, headers: &HeaderMap) -> Result<Reply, HttpError> {
    let place = ASSETS.iter().position(|(known, _)| *known == name);
    let Some(place) = place else {
        return Err(HttpError::not_found("this file of the page is not found"));
    };
    let (_, content) = ASSETS[place];
    let etag = etags()[place].clone();
    let known = headers.get_all(IF_NONE_MATCH).iter().any(|value| {
        let mut tags = value.to_str().unwrap_or_default().split(',');
        tags.any(|tag| tag.trim().trim_start_matches("W/") == etag)
    });
    Ok(Reply::asset(content_type(name), content, etag, known))
}

/// What tells versions of the files apart, in their order.
fn etags() -> &'static [String] {
    static TAGS: OnceLock<Vec<String>> = OnceLock::new();
    TAGS.get_or_init(|| {
        let tag = |(_, content): &(&str, &[u8])| format!("\"{:016x}\"", xxh3_64(content));
        ASSETS.iter().map(tag).collect()
    })
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests;

//! Pictures of level distributions and of samples, as SVG and PNG.
//!
//! [`svg`] is a pure function: the same series and the same look give the same bytes, on any machine.
//! [`png`] draws the same picture as pixels. [`read_file`], [`read_dir`] and [`read_job`] make series out
//! of what is on disk.
//!
//! # What is drawn
//!
//! - One level table on a linear axis is bars, one for each level. Several of them, or any on a
//!   logarithmic axis, are lines with markers. Samples are bars, or lines, too,
//!   where bars beside each other would be so narrow that they could not be distinguished.
//! - Nothing depends on colour alone: every line has its own dashes and markers, every kind of bar its own
//!   hatching, and the order is that of the legend. The colours are those of Okabe and Ito, which people
//!   who see fewer colours can tell apart, too.
//! - The vertical axis counts, as long as the series can be compared that way. It becomes shares in
//!   percent, each series adding up to 100, where samples stand beside levels, samples have different
//!   sizes, or, on a linear axis, one series would be so low beside another that it could not be seen.
//!   The axis says which it is.
//! - On a logarithmic axis zero has a line of its own below the lowest power of ten, where it is needed.
//! - Samples that spread over many lengths have some neighbours in one bar, and the axis says how many.
//!
//! # What a page can rely on
//!
//! There are no style sheets, no `style` attributes, no scripts, no identifiers and no references to
//! anything outside, so a picture can be put into a page with a strict content-security policy, several
//! of them into one page, and all texts are escaped. Colours are presentation attributes, which a page's
//! own style sheet overrides by class: `plot` (the whole), `paper` (the background), `grid` and `axis-line`
//! (their `stroke`), `axis`, `legend` and `caption` (the `fill` of their texts), `series` with `series-0`,
//! `series-1` and so on (both). The title has the class `heading`.

mod axis;
mod bars;
mod canvas;
mod captions;
mod marks;
mod picture;
#[cfg(feature = "png")]
mod png;
mod read;

use crate::engine::LevelCount;
use crate::error::{Result, usage};
use crate::puzzle::{Question, Rules};
use crate::study::sample::Lengths;
#[cfg(feature = "png")]
pub use png::png;
pub use read::{read_dir, read_file, read_job};

/// More series than this cannot be distinguished.
pub const MOST_SERIES: usize = 8;
/// More levels than this are not drawn.
pub const MOST_LEVELS: usize = 10_000;

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// The states of each level.
    #[default]
    States,
    /// The classes of each level.
    Classes,
}

impl Measure {
    fn word(self) -> &'static str {
        match self {
            Measure::States => "states",
            Measure::Classes => "classes",
        }
    }
}

/// How series are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlotOptions {
    /// What is counted of levels.
    pub measure: Measure,
    /// Whether the vertical axis is logarithmic.
    pub log: bool,
}

/// What a series is about, where that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeriesSubject {
    /// The canonical text of the puzzle.
    pub text: String,
    /// The puzzle in words.
    pub title: String,
    /// What counts as one move.
    pub metric: String,
    /// What levels are distances to.
    pub question: Question,
}

impl SeriesSubject {
    /// The subject that a puzzle is.
    pub fn of(puzzle: &dyn Rules) -> Self {
        SeriesSubject {
            text: puzzle.text(),
            title: puzzle.title(),
            metric: puzzle.metric().into(),
            question: puzzle.question(),
        }
    }
}

/// What a series shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// How much each level holds.
    Levels {
        /// Level 0 first.
        levels: Vec<LevelCount>,
        /// Whether further levels are known to be missing.
        unfinished: bool,
    },
    /// How often each length came out.
    Sample(Lengths),
}

/// One distribution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// What it is called in the legend.
    pub name: String,
    /// What it is about.
    pub subject: Option<SeriesSubject>,
    /// Its numbers.
    pub data: Data,
}

impl Series {
    fn is_sample(&self) -> bool {
        matches!(self.data, Data::Sample(_))
    }

    /// The number at each distance or length, ascending.
    fn points(&self, measure: Measure) -> Vec<(u32, u128)> {
        match &self.data {
            Data::Levels { levels, .. } => (0..)
                .zip(levels)
                .map(|(level, count)| match measure {
                    Measure::States => (level, count.states),
                    Measure::Classes => (level, count.classes),
                })
                .collect(),
            Data::Sample(lengths) => {
                lengths.times.iter().map(|(&length, &times)| (length, times.into())).collect()
            }
        }
    }
}

/// The picture of some series as an SVG document. Refused if there is nothing to draw, or more than can
/// be distinguished.
pub fn svg(series: &[Series], look: &PlotOptions) -> Result<String> {
    if series.is_empty() {
        return usage("there is nothing to plot");
    }
    if series.len() > MOST_SERIES {
        return usage(format!(
            "{} series cannot be distinguished in one picture: plot at most {MOST_SERIES}",
            series.len()
        ));
    }
    for one in series {
        let points = one.points(look.measure);
        if points.iter().all(|&(_, count)| count == 0) {
            return usage(match one.is_sample() {
                true => format!("{}: there is no solution to plot", one.name),
                false => format!("{}: there is no level to plot", one.name),
            });
        }
        if points.len() > MOST_LEVELS {
            return usage(format!(
                "{}: {} levels or lengths are more than a picture can show; it has room for {MOST_LEVELS}",
                one.name,
                points.len()
            ));
        }
    }
    Ok(picture::draw(series, look))
}

#[cfg(all(test, feature = "png"))]
mod tests;

//! From counts to what is drawn: shares or counts, one length or several in a bar.

use std::collections::BTreeMap;

use super::axis::{Axis, TickStep};
use super::{Measure, PlotOptions, Series};

/// A series that is so much lower than another cannot be seen beside it.
const TOO_LOW: f64 = 20.0;
/// From this many lengths on, neighbours share a bar, and then there are at most this many bars.
const MANY_LENGTHS: u32 = 80;
const MOST_BARS: f64 = 45.0;

/// One bar, or one point of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// The first distance it stands for.
    pub from: u32,
    /// The last.
    pub to: u32,
    /// How high it is: a count, or a share in percent.
    pub height: f64,
}

/// All series, ready to be drawn on the same axes.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The bars of each series, ascending.
    pub of: Vec<Vec<Bar>>,
    /// Whether heights are shares in percent.
    pub shares: bool,
    /// How many lengths a bar stands for.
    pub span: u32,
}

impl Bars {
    /// What the series come to.
    pub fn new(series: &[Series], look: &PlotOptions) -> Bars {
        let shares = are_shares(series, look);
        let span = span(series, look.measure);
        let bars = |one: &Series| {
            let points = one.points(look.measure);
            let total = total(&points);
            let mut heights = BTreeMap::new();
            for (place, count) in points {
                *heights.entry(place - place % span).or_insert(0.0) += count as f64;
            }
            let bar = |(from, count): (u32, f64)| Bar {
                from,
                to: from.saturating_add(span - 1),
                height: if shares { 100.0 * count / total } else { count },
            };
            heights.into_iter().map(bar).collect()
        };
        Bars { of: series.iter().map(bars).collect(), shares, span }
    }

    fn all(&self) -> impl Iterator<Item = &Bar> {
        self.of.iter().flatten()
    }

    /// The bars of a series as points of a line, which goes down to zero where lengths never came.
    pub fn without_gaps(&self, at: usize) -> Vec<Bar> {
        let zero = |from: u32| Bar { from, to: from.saturating_add(self.span - 1), height: 0.0 };
        let mut points: Vec<Bar> = Vec::new();
        for &bar in &self.of[at] {
            let last = points.last().map(|last| last.from);
            if let Some(gap) = last.and_then(|last| last.checked_add(self.span))
                && gap < bar.from
            {
                points.push(zero(gap));
                let end = bar.from - self.span;
                points.extend((end > gap).then(|| zero(end)));
            }
            points.push(bar);
        }
        points
    }

    /// The first and the last distance.
    pub fn range(&self) -> (u32, u32) {
        let from = self.all().map(|bar| bar.from).min();
        let to = self.all().map(|bar| bar.to).max();
        (from.unwrap_or(0), to.unwrap_or(0))
    }

    /// The vertical axis; `filled`: there are bars, which stand on zero.
    pub fn axis(&self, log: bool, filled: bool) -> Axis {
        let heights = || self.all().map(|bar| bar.height);
        let greatest = heights().fold(0.0, f64::max);
        if !log {
            return Axis::linear(greatest, !self.shares);
        }
        let positive = heights().filter(|&height| height > 0.0);
        let least = positive.fold(f64::INFINITY, f64::min);
        let zero = filled || heights().any(|height| height <= 0.0);
        Axis::log(least, greatest, zero)
    }
}

fn total(points: &[(u32, u128)]) -> f64 {
    points.iter().map(|&(_, count)| count as f64).sum()
}

/// Whether counts cannot be compared, but shares can.
fn are_shares(series: &[Series], look: &PlotOptions) -> bool {
    let (samples, levels): (Vec<&Series>, Vec<_>) = series.iter().partition(|one| one.is_sample());
    if !samples.is_empty() && !levels.is_empty() {
        return true;
    }
    let points = |one: &&Series| one.points(look.measure);
    let sizes = samples.iter().map(|one| total(&points(one)));
    let differ = sizes.clone().any(|size| Some(size) != sizes.clone().next());
    let peaks = levels.iter().map(|one| {
        let points = points(one);
        points.iter().map(|&(_, count)| count as f64).fold(0.0, f64::max)
    });
    let highest = peaks.clone().fold(0.0, f64::max);
    differ || (!look.log && peaks.clone().any(|peak| peak * TOO_LOW < highest))
}

/// How many lengths share a bar: one wherever levels are drawn.
fn span(series: &[Series], measure: Measure) -> u32 {
    if !series.iter().all(Series::is_sample) {
        return 1;
    }
    let places = series.iter().flat_map(|one| one.points(measure));
    let places = places.map(|(place, _)| place);
    let least = places.clone().min().unwrap_or(0);
    let range = places.max().unwrap_or(0) - least;
    if range < MANY_LENGTHS { 1 } else { TickStep::whole(f64::from(range) / MOST_BARS).size() as u32 }
}

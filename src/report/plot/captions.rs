//! What is written beside a picture: title, legend, axes, caption, and the numbers in words for those
//! who cannot see it.

use super::axis::power;
use super::bars::Bars;
use super::{Data, Measure, PlotOptions, Series, SeriesSubject};
use crate::puzzle::Question;
use crate::text::{count, pluralise};

/// What all series have in common, if they do.
fn common<'a, T: PartialEq>(series: &'a [Series], of: impl Fn(&'a SeriesSubject) -> T + Copy) -> Option<T> {
    let mut values = series.iter().map(|one| one.subject.as_ref().map(of));
    let first = values.next()??;
    values.all(|value| value.as_ref() == Some(&first)).then_some(first)
}

fn has_samples(series: &[Series]) -> bool {
    series.iter().any(Series::is_sample)
}

fn has_levels(series: &[Series]) -> bool {
    !series.iter().all(Series::is_sample)
}

pub fn title(series: &[Series]) -> String {
    if let Some(title) = common(series, |subject| subject.title.as_str()) {
        return title.into();
    }
    if let [one] = series {
        return one.name.clone();
    }
    let what = match (has_levels(series), has_samples(series)) {
        (true, false) => "Distributions of levels",
        (true, true) => "Distributions of levels and samples",
        (false, _) => "Lengths of solutions",
    };
    let kind = common(series, |subject| subject.text.split(':').next());
    match kind.flatten() {
        Some(kind) => format!("{what}: {kind}"),
        None => what.into(),
    }
}

/// What the horizontal axis shows, of bars or of points, each of which stands for `span` lengths.
pub fn across(series: &[Series], span: u32, are_bars: bool) -> String {
    let sign = if are_bars { "bar" } else { "point" };
    let metric = match common(series, |subject| subject.metric.as_str()) {
        Some(metric) => format!("{metric} metric"),
        None if series.iter().any(|one| one.subject.is_none()) => "moves".into(),
        None => "moves, each in its own metric".into(),
    };
    let question = common(series, |subject| subject.question);
    let what = match (has_levels(series), question) {
        (true, Some(Question::Solutions)) => return "pieces laid".into(),
        (true, Some(Question::Eccentricity)) if !has_samples(series) => "distance from the start",
        (true, Some(Question::GodsNumber)) if !has_samples(series) => "distance to the nearest solved state",
        (true, _) if !has_samples(series) => "distance",
        (true, _) => "distance, or length of the solution",
        (false, _) => "length of the solution",
    };
    match span {
        1 => format!("{what} ({metric})"),
        _ => format!("{what} ({metric}; each {sign} is {span} lengths)"),
    }
}

/// What the vertical axis shows.
pub fn upwards(series: &[Series], look: &PlotOptions, bars: &Bars, unit: i32) -> String {
    let word = look.measure.word();
    let what = match (has_levels(series), has_samples(series)) {
        (true, false) => word.into(),
        (false, _) => "solutions".into(),
        (true, true) => format!("{word}, or of solutions"),
    };
    match (bars.shares, unit) {
        (true, 0) => format!("share of {what} (%)"),
        (true, _) => format!("share of {what} ({} %)", power(unit)),
        (false, 0) => format!("number of {what}"),
        (false, _) => format!("number of {what} (× {})", power(unit)),
    }
}

/// Everything a series counts, in words: `94,143,280 states`.
fn amount(one: &Series, measure: Measure) -> String {
    let total = one.points(measure).into_iter().map(|(_, count)| count);
    let total = total.fold(0, u128::saturating_add);
    match (one.is_sample(), measure) {
        (true, _) => pluralise(total, "solution"),
        (false, Measure::States) => pluralise(total, "state"),
        (false, Measure::Classes) => pluralise(total, "class"),
    }
}

/// The line of a series in the legend.
pub fn entry(one: &Series, series: &[Series], look: &PlotOptions) -> String {
    let metrics_differ = common(series, |subject| subject.metric.as_str()).is_none();
    let metric = match &one.subject {
        Some(subject) if metrics_differ => format!(" ({})", subject.metric),
        _ => String::new(),
    };
    format!("{}{metric}: {}", one.name, amount(one, look.measure))
}

/// What the distances of a series come to, in words.
fn distances(one: &Series, look: &PlotOptions) -> String {
    let points = one.points(look.measure);
    let (first, last) = match (points.first(), points.last()) {
        (Some(first), Some(last)) => (first.0, last.0),
        _ => return String::new(),
    };
    let total: f64 = points.iter().map(|&(_, count)| count as f64).sum();
    let weighted = points.iter().map(|&(place, count)| f64::from(place) * count as f64);
    let mean = weighted.sum::<f64>() / total;
    let mean = format!(", mean {mean:.2}");
    let counts_pieces = matches!(&one.subject, Some(s) if s.question == Question::Solutions);
    match &one.data {
        Data::Levels { .. } if first == last => format!("level {last} only"),
        Data::Levels { unfinished: true, .. } => {
            format!("levels {first} to {last}, and there are more")
        }
        Data::Levels { .. } if counts_pieces => format!("levels {first} to {last}"),
        Data::Levels { .. } => format!("levels {first} to {last}{mean}"),
        Data::Sample(lengths) => {
            let unsolved = match lengths.unsolved {
                0 => String::new(),
                number => format!(", {} without one", count(number.into())),
            };
            format!("lengths {first} to {last}{mean}{unsolved}")
        }
    }
}

/// The sentences below the picture.
pub fn caption(series: &[Series], look: &PlotOptions, bars: &Bars) -> String {
    let metric = common(series, |subject| subject.metric.as_str());
    let metric = metric.map_or(String::new(), |metric| format!(" in the {metric} metric"));
    if let [one] = series {
        let unsaid = match one.subject.as_ref().map(|subject| subject.question) {
            Some(Question::Solutions) => String::new(),
            _ => metric,
        };
        let amount = amount(one, look.measure);
        return format!("{}{unsaid}: {amount}; {}.", one.name, distances(one, look));
    }
    let each = series.iter().map(|one| {
        let own = match (&one.subject, metric.is_empty()) {
            (Some(subject), true) => format!(" in the {} metric", subject.metric),
            _ => String::new(),
        };
        format!("{}{own}: {}", one.name, distances(one, look))
    });
    let mut text = each.collect::<Vec<_>>().join("; ");
    if !metric.is_empty() && common(series, |s| s.question) != Some(Question::Solutions) {
        text = format!("All{metric}. {text}");
    }
    if bars.shares { format!("{text}. Each series adds up to 100 %.") } else { format!("{text}.") }
}

/// The numbers in words.
pub fn description(series: &[Series], look: &PlotOptions) -> String {
    let sentence = |one: &Series| {
        let points = one.points(look.measure);
        let peak = points.iter().rev().max_by_key(|&&(_, count)| count);
        let Some(&(place, most)) = peak else {
            return String::new();
        };
        let what = match one.is_sample() {
            true => format!("most solutions, {}, have length {place}", count(most)),
            false => {
                format!("the largest is level {place} with {} {}", count(most), look.measure.word())
            }
        };
        let number = match one.is_sample() {
            true => String::new(),
            false => format!("{} with ", pluralise(points.len(), "level")),
        };
        format!("{}: {number}{}; {}; {what}.", one.name, amount(one, look.measure), distances(one, look))
    };
    series.iter().map(sentence).collect::<Vec<_>>().join(" ")
}

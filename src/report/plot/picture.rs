//! The layout: title, legend, axes, series and caption, from top to bottom.

use std::fmt::Write;

use super::axis::{Axis, whole_ticks};
use super::bars::{Bar, Bars};
use super::canvas::{Anchor, SvgCanvas, short, shorten, width, wrap};
use super::marks::{COLOURS, NARROWEST, Rectangle, dashes, hatching, is_hollow, marker};
use super::{PlotOptions, Series, captions};

/// The whole picture is so wide, and what is inside the axes so high.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 320.0;
/// Nothing is nearer to the left and right edge.
const MARGIN: f64 = 16.0;

const TITLE: f64 = 15.0;
const TEXT: f64 = 12.0;
const CAPTION: f64 = 11.0;
/// The distance of lines in the legend and in the caption.
const LEGEND_LINE: f64 = 18.0;
const CAPTION_LINE: f64 = 15.0;
/// The longest caption, in lines.
const CAPTION_LINES: usize = 5;

/// A sample of a line or a bar in the legend, and the gaps around it.
const SWATCH: f64 = 34.0;
const GAP: f64 = 6.0;
const BETWEEN: f64 = 20.0;

/// Nothing is nearer to the ends of the horizontal axis.
const PADDING: f64 = 9.0;
/// No bar is wider.
const WIDEST_BAR: f64 = 48.0;
/// The outline of a narrower one would be all there is.
const NARROW_BAR: f64 = 4.0;
/// Bars stay so far apart, as a share of their distance.
const AIR: f64 = 0.24;
/// Markers of one line stay so far apart.
const MARKERS: f64 = 13.0;

const INK: &str = "fill=\"#222222\"";
const MUTED: &str = "fill=\"#555555\"";

/// Draws series that can be drawn.
pub fn draw(series: &[Series], look: &PlotOptions) -> String {
    let bars = Bars::new(series, look);
    // Lines are for what must be compared.
    let solitary = series.len() == 1 && !look.log;
    let mut filled: Vec<bool> = series.iter().map(|s| s.is_sample() || solitary).collect();
    let axis = bars.axis(look.log, filled.contains(&true));

    let labels = axis.ticks.iter().map(|tick| width(&tick.label, TEXT));
    let left = MARGIN + TEXT + 10.0 + labels.fold(0.0, f64::max) + 8.0;
    let legend = Legend::new(series, look);
    let top = 44.0 + legend.height();
    let bottom = top + HEIGHT;
    let caption = captions::caption(series, look, &bars);
    let caption = wrap(&caption, CAPTION, WIDTH - 2.0 * MARGIN, CAPTION_LINES);
    let height = bottom + 58.0 + CAPTION_LINE * caption.len() as f64;
    let frame = PlotArea { left, right: WIDTH - MARGIN - 8.0, top, bottom, range: bars.range(), axis };
    // Bars beside bars that have no room for what tells them apart are lines, too.
    let (beside, wide) = frame.bars_beside(&filled, &bars);
    if beside > 1 && wide < NARROWEST {
        filled.fill(false);
    }

    let mut canvas = SvgCanvas::new(WIDTH, height);
    canvas.plain("title", &captions::title(series));
    canvas.plain("desc", &captions::description(series, look));
    canvas.paper(WIDTH, height);
    let title = shorten(&captions::title(series), TITLE, WIDTH - 2.0 * MARGIN);
    let attributes = format!("class=\"heading\" font-size=\"{TITLE}\" {INK}");
    canvas.label((MARGIN, 27.0), Anchor::Start, &attributes, &title);
    legend.draw(&mut canvas, &filled);
    frame.grid(&mut canvas);
    frame.axes(&mut canvas);
    // Lines are drawn over bars.
    for at in (0..series.len()).filter(|&at| filled[at]) {
        frame.bars(&mut canvas, at, &bars, &filled);
    }
    for at in (0..series.len()).filter(|&at| !filled[at]) {
        frame.line(&mut canvas, at, &bars, series.len());
    }
    frame.names(
        &mut canvas,
        &captions::across(series, bars.span, filled.contains(&true)),
        &captions::upwards(series, look, &bars, frame.axis.unit),
    );
    canvas.group("caption", &format!("font-size=\"{CAPTION}\" {MUTED}"), |canvas| {
        for (number, line) in caption.iter().enumerate() {
            let y = bottom + 62.0 + CAPTION_LINE * number as f64;
            canvas.label((MARGIN, y), Anchor::Start, "", line);
        }
    });
    canvas.finish()
}

/// The attributes of the group that draws a series.
fn colour(at: usize) -> (String, String) {
    let colour = COLOURS[at % COLOURS.len()];
    (format!("series series-{at}"), format!("stroke=\"{colour}\" fill=\"{colour}\""))
}

fn draw_line(canvas: &mut SvgCanvas, at: usize, points: &str, markers: &str) {
    let stroke = format!("fill=\"none\" stroke-width=\"1.6\"{}", dashes(at));
    canvas.path(points, &stroke);
    let fill = match is_hollow(at) {
        true => "class=\"paper\" fill=\"#ffffff\" stroke-width=\"1.2\"",
        false => "stroke-width=\"0.8\"",
    };
    canvas.path(markers, fill);
}

/// Rectangles and what is inside them, which is nothing where there is no other series.
fn draw_bars(canvas: &mut SvgCanvas, at: usize, bars: &[Rectangle], solitary: bool) {
    let outlines: String = bars.iter().map(Rectangle::path).collect();
    let narrow = bars.first().is_some_and(|bar| bar.width < NARROW_BAR);
    let (opacity, stroke) = match (narrow, solitary) {
        (true, _) => ("0.8", "0.2"),
        (false, true) => ("0.5", "1"),
        (false, false) => ("0.18", "1"),
    };
    let attributes = format!("fill-opacity=\"{opacity}\" stroke-width=\"{stroke}\"");
    canvas.path(&outlines, &attributes);
    if !solitary {
        let lines: String = bars.iter().map(|&bar| hatching(at, bar)).collect();
        canvas.path(&lines, "fill=\"none\" stroke-width=\"0.8\"");
    }
}

/// The names of several series.
struct Legend {
    /// The text and the place of each.
    entries: Vec<(String, f64, f64)>,
    rows: usize,
}

impl Legend {
    fn new(series: &[Series], look: &PlotOptions) -> Legend {
        let mut legend = Legend { entries: Vec::new(), rows: 0 };
        if series.len() == 1 {
            return legend;
        }
        let room = WIDTH - 2.0 * MARGIN;
        let mut x = room;
        for one in series {
            let entry = captions::entry(one, series, look);
            let text = shorten(&entry, TEXT, room - SWATCH - GAP);
            let wide = SWATCH + GAP + width(&text, TEXT);
            if x + wide > room {
                legend.rows += 1;
                x = 0.0;
            }
            let y = 50.0 + LEGEND_LINE * (legend.rows - 1) as f64;
            legend.entries.push((text, MARGIN + x, y));
            x += wide + BETWEEN;
        }
        legend
    }

    fn height(&self) -> f64 {
        match self.rows {
            0 => 0.0,
            rows => LEGEND_LINE * rows as f64 + 4.0,
        }
    }

    fn draw(&self, canvas: &mut SvgCanvas, filled: &[bool]) {
        if self.rows == 0 {
            return;
        }
        canvas.group("legend", INK, |canvas| {
            for (at, (text, x, y)) in self.entries.iter().enumerate() {
                let (class, attributes) = colour(at);
                canvas.group(&class, &attributes, |canvas| {
                    if filled[at] {
                        let swatch = Rectangle { x: x + 2.0, y: y - 10.0, width: SWATCH - 4.0, height: 12.0 };
                        draw_bars(canvas, at, &[swatch], false);
                    } else {
                        let (from, y) = (short(*x), y - 4.0);
                        let line = format!("M{from} {}h{}", short(y), short(SWATCH));
                        draw_line(canvas, at, &line, &marker(at, x + SWATCH / 2.0, y));
                    }
                });
                canvas.label((x + SWATCH + GAP, *y), Anchor::Start, "", text);
            }
        });
    }
}

/// What is inside the axes.
struct PlotArea {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// The first and the last distance.
    range: (u32, u32),
    axis: Axis,
}

impl PlotArea {
    /// How far neighbouring distances are from each other, and the first and the last from the edges.
    fn unit(&self) -> (f64, f64) {
        let steps = f64::from(self.range.1 - self.range.0);
        let room = self.right - self.left;
        let unit = room / (steps + 1.2);
        if unit * 0.6 < PADDING { ((room - 2.0 * PADDING) / steps, PADDING) } else { (unit, unit * 0.6) }
    }

    fn x(&self, distance: f64) -> f64 {
        let (unit, padding) = self.unit();
        self.left + padding + (distance - f64::from(self.range.0)) * unit
    }

    fn y(&self, height: f64) -> f64 {
        self.rise(self.axis.place(height))
    }

    fn rise(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }

    fn grid(&self, canvas: &mut SvgCanvas) {
        let mut lines = String::new();
        let labelled = self.axis.ticks.iter().filter(|tick| !tick.label.is_empty());
        for tick in labelled.filter(|tick| tick.at > 0.0) {
            let (x, y) = (short(self.left), short(self.rise(tick.at)));
            let _ = write!(lines, "M{x} {y}H{}", short(self.right));
        }
        canvas.group("grid", "stroke=\"#dddddd\" fill=\"none\"", |canvas| {
            canvas.path(&lines, "");
        });
    }

    fn axes(&self, canvas: &mut SvgCanvas) {
        let (left, bottom) = (short(self.left), short(self.bottom));
        let mut lines = format!("M{left} {}V{bottom}H{}", short(self.top), short(self.right));
        for tick in &self.axis.ticks {
            let long = if tick.label.is_empty() { 3.0 } else { 5.0 };
            let (from, y) = (short(self.left - long), short(self.rise(tick.at)));
            let _ = write!(lines, "M{from} {y}H{left}");
        }
        let (first, last) = self.range;
        let wide = width(&last.to_string(), TEXT) + 14.0;
        let ticks = whole_ticks(first, last, self.right - self.left, wide);
        for &tick in &ticks {
            let x = short(self.x(tick.into()));
            let _ = write!(lines, "M{x} {bottom}V{}", short(self.bottom + 5.0));
        }
        canvas.group("axis", INK, |canvas| {
            canvas.path(&lines, "class=\"axis-line\" fill=\"none\" stroke=\"#444444\"");
            for tick in self.axis.ticks.iter().filter(|t| !t.label.is_empty()) {
                let place = (self.left - 8.0, self.rise(tick.at) + 4.2);
                canvas.label(place, Anchor::End, "", &tick.label);
            }
            for &tick in &ticks {
                let place = (self.x(tick.into()), self.bottom + 18.0);
                canvas.label(place, Anchor::Middle, "", &tick.to_string());
            }
        });
    }

    /// What the axes show.
    fn names(&self, canvas: &mut SvgCanvas, across: &str, upwards: &str) {
        canvas.group("axis", INK, |canvas| {
            let middle = (self.left + self.right) / 2.0;
            let across = shorten(across, TEXT, self.right - self.left);
            canvas.label((middle, self.bottom + 38.0), Anchor::Middle, "", &across);
            let (x, y) = (MARGIN + TEXT - 2.0, (self.top + self.bottom) / 2.0);
            let upwards = shorten(upwards, TEXT, self.bottom - self.top);
            let turned = format!("transform=\"rotate(-90 {} {})\"", short(x), short(y));
            canvas.label((x, y), Anchor::Middle, &turned, &upwards);
        });
    }

    /// How many bars stand beside each other, and how wide each of them is.
    fn bars_beside(&self, filled: &[bool], bars: &Bars) -> (usize, f64) {
        let beside = filled.iter().filter(|&&filled| filled).count();
        let span = self.unit().0 * f64::from(bars.span);
        let all = (span * (1.0 - AIR)).min(WIDEST_BAR * beside as f64);
        (beside, all / beside.max(1) as f64)
    }

    /// Draws a series as bars, beside those of other series.
    fn bars(&self, canvas: &mut SvgCanvas, at: usize, bars: &Bars, filled: &[bool]) {
        let (beside, wide) = self.bars_beside(filled, bars);
        let beside = beside as f64;
        let before = filled[..at].iter().filter(|&&filled| filled).count() as f64;
        let rectangle = |bar: &Bar| {
            let middle = self.x((f64::from(bar.from) + f64::from(bar.to)) / 2.0);
            let y = self.y(bar.height);
            Rectangle { x: middle + wide * (before - beside / 2.0), y, width: wide, height: self.bottom - y }
        };
        let rectangles = bars.of[at].iter().filter(|bar| bar.height > 0.0);
        let rectangles: Vec<_> = rectangles.map(rectangle).collect();
        let (class, attributes) = colour(at);
        canvas.group(&class, &attributes, |canvas| {
            draw_bars(canvas, at, &rectangles, filled.len() == 1);
        });
    }

    /// Draws a series as a line with markers: at every distance, or as often as there is room, those of
    /// different lines not above each other; and at the last.
    fn line(&self, canvas: &mut SvgCanvas, at: usize, bars: &Bars, all: usize) {
        let points = bars.without_gaps(at);
        let unit = self.unit().0 * f64::from(bars.span);
        let every = (MARKERS / unit).ceil().max(1.0) as usize;
        let offset = at * every / all;
        let (mut line, mut markers) = (String::new(), String::new());
        for (number, point) in points.iter().enumerate() {
            let middle = (f64::from(point.from) + f64::from(point.to)) / 2.0;
            let (x, y) = (self.x(middle), self.y(point.height));
            let command = if number == 0 { "M" } else { "L" };
            let _ = write!(line, "{command}{} {}", short(x), short(y));
            if number % every == offset || number + 1 == points.len() {
                markers += &marker(at, x, y);
            }
        }
        let (class, attributes) = colour(at);
        canvas.group(&class, &attributes, |canvas| {
            draw_line(canvas, at, &line, &markers);
        });
    }
}

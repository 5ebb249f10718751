//! Pictures are well-formed, complete, readable, and the same every time.

use std::collections::BTreeSet;

use super::bars::Bars;
use super::*;

fn subject(text: &str) -> Option<SeriesSubject> {
    Some(SeriesSubject::of(&*crate::puzzles::registry::parse(text).unwrap()))
}

fn levels(name: &str, states: &[u128]) -> Series {
    let level = |&states: &u128| LevelCount { classes: states.div_ceil(8), states };
    Series {
        name: name.into(),
        subject: subject(name),
        data: Data::Levels { levels: states.iter().map(level).collect(), unfinished: false },
    }
}

fn sample(name: &str, times: &[(u32, u64)]) -> Series {
    Series {
        name: name.into(),
        subject: subject("wrapslide:4x4:2"),
        data: Data::Sample(Lengths { times: times.iter().copied().collect(), unsolved: 0 }),
    }
}

const SMALL: [u128; 7] = [4, 8, 40, 196, 664, 688, 220];

fn small() -> Series {
    levels("wrapslide:4x4:2", &SMALL)
}

fn many(number: u128) -> Series {
    let states: Vec<u128> = (0..number).map(|level| 1 + level * (number - level)).collect();
    levels("klotski:classic", &states)
}

const LOG: PlotOptions = PlotOptions { measure: Measure::States, log: true };

/// All texts of a kind of group, in order.
fn texts(svg: &str, class: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let of_class = |node: &roxmltree::Node<'_, '_>| {
        let mut ancestors = node.ancestors();
        ancestors.any(|group| group.attribute("class") == Some(class))
    };
    let all = document.descendants().filter(|node| node.has_tag_name("text"));
    let all = all.filter(of_class);
    all.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// The places of all texts as they are drawn: left, top, right, bottom.
fn places(svg: &str) -> (f32, f32, Vec<[f32; 4]>) {
    let (document, face) = (roxmltree::Document::parse(svg).unwrap(), png::face().unwrap());
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let bounds = texts.map(|text| png::letters(text, &face).unwrap().bounds());
    let found = bounds.map(|b| [b.left(), b.top(), b.right(), b.bottom()]).collect();
    let length = |name| png::number(document.root_element(), name);
    (length("width"), length("height"), found)
}

/// What must hold of every picture.
fn check(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let children: Vec<_> = root.children().filter(|node| node.is_element()).collect();
    assert!(children[0].has_tag_name("title") && children[1].has_tag_name("desc"));
    for node in document.descendants().filter(|node| node.is_element()) {
        let name = node.tag_name().name();
        assert!(["svg", "title", "desc", "rect", "g", "path", "text"].contains(&name), "{name}");
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(!["style", "id", "href"].contains(&name) && !name.starts_with("on"));
            assert!(!attribute.value().contains("url("));
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{value}");
        }
    }
    // No text is cut, and none lies on another.
    let (width, height, places) = places(svg);
    for (number, one) in places.iter().enumerate() {
        let [left, top, right, bottom] = *one;
        assert!(left >= 0.0 && top >= 0.0 && right <= width && bottom <= height, "{one:?}");
        for other in &places[..number] {
            let apart = right <= other[0] || other[2] <= left || bottom <= other[1] || other[3] <= top;
            assert!(apart, "{one:?} lies on {other:?} in\n{svg}");
        }
    }
}

#[test]
fn one_table_is_bars() {
    let picture = svg(&[small()], &PlotOptions::default()).unwrap();
    check(&picture);
    assert_eq!(picture, svg(&[small()], &PlotOptions::default()).unwrap());
    assert_eq!(
        texts(&picture, "axis"),
        [
            "0",
            "200",
            "400",
            "600",
            "800",
            "0",
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "distance to the nearest solved state (slide metric)",
            "number of states",
        ]
    );
    assert_eq!(
        texts(&picture, "caption").join(" "),
        "wrapslide:4x4:2 in the slide metric: 1,820 states; levels 0 to 6, mean 4.45."
    );
    assert!(texts(&picture, "legend").is_empty());
    assert!(picture.contains("<title>Wrapslide 4x4, 2 colours</title>"));
    assert!(picture.contains("7 levels with 1,820 states; levels 0 to 6"), "{picture}");
    assert!(picture.contains("the largest is level 5 with 688 states."));
    let classes = PlotOptions { measure: Measure::Classes, log: false };
    let classes = svg(&[small()], &classes).unwrap();
    assert!(classes.contains("number of classes") && classes.contains("229 classes"), "{classes}");
}

#[test]
fn every_series_has_its_own_look_and_name() {
    let texts_of = ["wrapslide:4x4:2", "wrapslide:4x4:3", "wrapslide:6x6:2", "wrapslide:8x8:2"];
    let all: Vec<Series> =
        (0..MOST_SERIES).map(|number| levels(texts_of[number % 4], &SMALL[..2 + number % 5])).collect();
    for look in [PlotOptions::default(), LOG] {
        let picture = svg(&all, &look).unwrap();
        check(&picture);
        assert_eq!(texts(&picture, "legend").len(), MOST_SERIES);
        for number in 0..MOST_SERIES {
            // Once in the legend, once inside the axes.
            let group = format!("class=\"series series-{number}\"");
            assert_eq!(picture.matches(&group).count(), 2);
        }
    }
    let distinct = |of: &dyn Fn(usize) -> String| {
        let all: BTreeSet<String> = (0..MOST_SERIES).map(of).collect();
        assert_eq!(all.len(), MOST_SERIES);
    };
    distinct(&|number| marks::COLOURS[number].into());
    distinct(&|number| marks::dashes(number));
    distinct(&|number| marks::marker(number, 0.0, 0.0));
    let bar = marks::Rectangle { x: 3.0, y: 4.0, width: 20.0, height: 30.0 };
    distinct(&|number| marks::hatching(number, bar));
}

#[test]
fn what_cannot_be_compared_as_counts_is_shown_as_shares() {
    let label = |series: &[Series], look: &PlotOptions| {
        let picture = svg(series, look).unwrap();
        check(&picture);
        texts(&picture, "axis").pop().unwrap()
    };
    let near = levels("wrapslide:4x4:3", &SMALL.map(|states| states * 7));
    let far = levels("wrapslide:4x4:4", &SMALL.map(|states| states * 100));
    let plain = PlotOptions::default();
    assert_eq!(label(&[small(), near], &plain), "number of states");
    assert_eq!(label(&[small(), far.clone()], &plain), "share of states (%)");
    assert_eq!(label(&[small(), far], &LOG), "number of states");
    let few = sample("few", &[(3, 1), (5, 2)]);
    let more = sample("more", &[(3, 10), (6, 20)]);
    assert_eq!(label(std::slice::from_ref(&few), &plain), "number of solutions");
    assert_eq!(label(&[few.clone(), few.clone()], &plain), "number of solutions");
    assert_eq!(label(&[few.clone(), more], &plain), "share of solutions (%)");
    assert_eq!(label(&[small(), few.clone()], &LOG), "share of states, or of solutions (%)");
    let picture = svg(&[small(), few], &plain).unwrap();
    let caption = texts(&picture, "caption").join(" ");
    assert_eq!(
        caption,
        "All in the slide metric. wrapslide:4x4:2: levels 0 to 6, mean 4.45; few: lengths 3 to 5, \
         mean 4.33. Each series adds up to 100 %."
    );
}

#[test]
fn very_few_and_very_many_levels_can_be_read() {
    let shapes = [
        vec![levels("wrapslide:4x4:2", &[1])],
        vec![levels("wrapslide:4x4:2", &[7]), levels("wrapslide:4x4:3", &[1])],
        vec![many(181)],
        vec![many(308), many(124)],
        vec![many(MOST_LEVELS as u128)],
        vec![levels("wrapslide:8x8:2", &[1, u128::MAX / 2, u128::MAX / 2])],
        // Levels without anything can only come from a foreign table.
        vec![levels("wrapslide:4x4:2", &[3, 0, 0, 5])],
        vec![sample("far", &[(7, 1), (u32::MAX, 2)])],
        vec![small(), sample("far", &[(7, 1), (u32::MAX, 2)])],
        vec![sample("long", &(1100..1700).map(|n| (n, 1)).collect::<Vec<_>>())],
    ];
    for series in shapes {
        for look in [PlotOptions::default(), LOG] {
            check(&svg(&series, &look).unwrap());
        }
    }
    let long = sample("long", &(1100..1700).map(|n| (n, 1)).collect::<Vec<_>>());
    let picture = svg(&[long], &PlotOptions::default()).unwrap();
    assert!(picture.contains("each bar is 20 lengths"));
    let zero = svg(&[levels("wrapslide:4x4:2", &[3, 0, 5])], &LOG).unwrap();
    assert_eq!(texts(&zero, "axis")[0], "0");
}

#[test]
fn any_text_is_shown_as_it_is() {
    let mut nasty = small();
    nasty.name = "<script>alert('&\"')</script>\u{1}\u{ffff}".into();
    nasty.subject = None;
    let picture = svg(&[nasty.clone(), small()], &PlotOptions::default()).unwrap();
    check(&picture);
    assert!(!picture.contains("<script"));
    assert!(texts(&picture, "legend")[0].starts_with("<script>alert('&\"')</script>\u{fffd}"));
    assert!(texts(&picture, "axis").contains(&"distance (moves)".to_owned()));
    // However long it is.
    nasty.name = "x:".repeat(3000);
    let long: Vec<Series> = std::iter::repeat_n(nasty, MOST_SERIES).collect();
    let picture = svg(&long, &PlotOptions::default()).unwrap();
    check(&picture);
    assert!(picture.contains('…'));
    check(&svg(&long[..1], &PlotOptions::default()).unwrap());
}

#[test]
fn widths_are_those_of_the_font() {
    let face = png::face().unwrap();
    let advance = |c| f32::from(face.glyph_hor_advance(face.glyph_index(c).unwrap()).unwrap());
    for text in ["wrapslide:6x6:2 (94,143,280)", "10⁻¹²", "WMimf@#%|"] {
        let drawn = text.chars().map(advance).sum::<f32>() * 12.0 / f32::from(face.units_per_em());
        let expected = canvas::width(text, 12.0) as f32;
        assert!((drawn - expected).abs() < 0.1, "{text}: {drawn}, {expected}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let nine = vec![small(); MOST_SERIES + 1];
    let refused = |series: &[Series]| match svg(series, &PlotOptions::default()) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it was drawn"),
    };
    assert!(refused(&[]).contains("nothing to plot"));
    assert!(refused(&nine).contains("9 series"));
    assert!(refused(&[many(MOST_LEVELS as u128 + 1)]).contains("10001 levels"));
    assert!(refused(&[levels("wrapslide:4x4:2", &[0])]).contains("no level"));
    assert!(refused(&[sample("none", &[])]).contains("no solution"));
}

#[test]
fn pixels_are_drawn() {
    let picture = png(&svg(&[small()], &PlotOptions::default()).unwrap()).unwrap();
    let pixels = tiny_skia::Pixmap::decode_png(&picture).unwrap();
    assert_eq!(pixels.width(), 1440);
    let dark = pixels.pixels().iter().filter(|pixel| pixel.red() < 100).count();
    assert!(dark > 1000, "{dark}");
    assert!(png("<svg").is_err());
}

#[test]
fn narrow_samples_are_told_apart_without_colour() {
    let lengths = |shift: u32| -> Vec<(u32, u64)> {
        let far = (0..110).filter(|at| at % 7 != 0);
        far.map(|at| (at + shift, 1 + u64::from(at * (110 - at)))).collect()
    };
    let (one, two) = (sample("one", &lengths(0)), sample("two", &lengths(3)));
    let picture = svg(&[many(120), one.clone(), two], &PlotOptions::default()).unwrap();
    // Each has its own dashes, in the legend and on the axes.
    for dashes in ["\"7 3\"", "\"2 2.5\""] {
        assert_eq!(picture.matches(&format!("stroke-dasharray={dashes}")).count(), 2);
    }
    // One alone beside levels is bars, however narrow.
    let picture = svg(&[many(120), one], &PlotOptions::default()).unwrap();
    assert!(!picture.contains("stroke-dasharray"));
    // A line goes down where nothing came.
    let bars = Bars::new(&[sample("gap", &[(3, 5), (4, 5), (9, 5), (11, 5)])], &PlotOptions::default());
    let points = bars.without_gaps(0);
    let points: Vec<(u32, f64)> = points.iter().map(|bar| (bar.from, bar.height)).collect();
    let zeros: Vec<u32> = points.iter().filter(|p| p.1 == 0.0).map(|p| p.0).collect();
    assert_eq!((points.len(), zeros), (7, vec![5, 8, 10]));
}

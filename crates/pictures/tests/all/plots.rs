//! Plots are whole documents whose marks stand inside their frame, whatever is plotted.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use pictures::palette::{DARK, LIGHT};
use pictures::plot::{Axis, Plot, Point, Scale, Series, Style};
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

fn axis(label: &str, scale: Scale) -> Axis {
    Axis { label: label.into(), scale }
}

fn plot(x: Scale, y: Scale, series: Vec<Series>) -> Plot {
    Plot {
        title: "a < b".into(),
        x: axis("x & more", x),
        y: axis("y", y),
        series,
        references: vec![(2.0, "floor".into())],
    }
}

fn series(style: Style, points: &[(f64, f64)]) -> Series {
    Series { name: "\"one\"".into(), style, points: points.iter().map(|(x, y)| Point::new(*x, *y)).collect() }
}

/// All elements of a well-formed document, and its text.
fn parsed(plot: &Plot) -> (Vec<BytesStart<'static>>, String) {
    let mut bytes = Vec::new();
    plot.draw(&LIGHT, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let mut reader = Reader::from_str(&text);
    let mut elements = Vec::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(e) | Event::Empty(e) => elements.push(e.into_owned()),
            Event::Eof => return (elements, text),
            _ => {}
        }
    }
}

fn attribute(e: &BytesStart<'_>, name: &str) -> Option<String> {
    e.try_get_attribute(name).unwrap().map(|a| String::from_utf8(a.value.into_owned()).unwrap())
}

/// Where the marks of values stand (those of the legend are to the right of the frame).
fn marks(elements: &[BytesStart<'_>]) -> Vec<(f64, f64)> {
    let ways =
        elements.iter().filter_map(|e| attribute(e, "d").filter(|_| attribute(e, "fill").as_deref() != Some("none")));
    let start = |way: String| {
        let numbers: Vec<f64> = way[1..].split(['m', ' ']).take(2).map(|n| n.parse().unwrap()).collect();
        (numbers[0], numbers[1])
    };
    ways.map(start).filter(|(x, _)| *x < 600.0).collect()
}

#[test]
fn decades_are_equally_far_apart() {
    let powers: Vec<(f64, f64)> = (0..5).map(|k| (f64::from(k), 10f64.powi(k))).collect();
    let (elements, _) = parsed(&plot(Scale::Linear, Scale::Log, vec![series(Style::Line, &powers)]));
    let found = marks(&elements);
    assert_eq!(found.len(), 5);
    let steps: Vec<(f64, f64)> = found.windows(2).map(|w| (w[1].0 - w[0].0, w[0].1 - w[1].1)).collect();
    assert!(
        steps.iter().all(|s| (s.0 - steps[0].0).abs() < 0.3 && (s.1 - steps[0].1).abs() < 0.3 && s.1 > 20.0),
        "{steps:?}"
    );
}

#[test]
fn what_an_axis_has_no_place_for_is_counted() {
    let points = [(1.0, 5.0), (2.0, 0.0), (3.0, -1.0), (4.0, f64::NAN), (f64::INFINITY, 1.0)];
    let (elements, text) = parsed(&plot(Scale::Linear, Scale::Log, vec![series(Style::Dots, &points)]));
    assert_eq!(marks(&elements).len(), 1);
    assert!(text.contains("4 values are left out"), "{text}");
    let (_, text) = parsed(&plot(Scale::Linear, Scale::Linear, vec![]));
    assert!(text.contains("no values"));
}

#[test]
fn bars_stand_side_by_side_from_zero_and_names_are_escaped() {
    let names = Scale::Names(vec!["<a>".into(), "b".into(), "c".into()]);
    let all = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)];
    let (elements, text) =
        parsed(&plot(names, Scale::Linear, vec![series(Style::Bars, &all), series(Style::Bars, &all)]));
    assert!(text.contains("&lt;a&gt;") && text.contains("a &lt; b") && text.contains("x &amp; more"));
    let bars = elements.iter().filter(|e| e.name().as_ref() == b"rect").filter_map(|e| {
        let number = |name: &str| attribute(e, name)?.parse::<f64>().ok();
        Some((number("x")?, number("y")?, number("width")?, number("height")?))
    });
    let bars: Vec<_> = bars.filter(|b| b.0 < 600.0).collect();
    assert_eq!(bars.len(), 6);
    // Twice the value, twice the height; all on one line; no two overlap.
    assert!((bars[1].3 - 2.0 * bars[0].3).abs() < 0.3 && (bars[2].3 - 4.0 * bars[0].3).abs() < 0.5);
    assert!(bars.iter().all(|b| (b.1 + b.3 - bars[0].1 - bars[0].3).abs() < 0.3));
    let mut across: Vec<(f64, f64)> = bars.iter().map(|b| (b.0, b.0 + b.2)).collect();
    across.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(across.windows(2).all(|w| w[0].1 <= w[1].0), "{across:?}");
}

#[test]
fn light_and_dark_differ_in_colours_alone() {
    let plot = plot(Scale::Linear, Scale::Linear, vec![series(Style::Line, &[(0.0, 1.0), (1.0, 3.0)])]);
    let draw = |theme| {
        let mut bytes = Vec::new();
        plot.draw(theme, &mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    };
    let (mut light, dark) = (draw(&LIGHT), draw(&DARK));
    assert_ne!(light, dark);
    for (a, b) in
        [(LIGHT.ground, DARK.ground), (LIGHT.ink, DARK.ink), (LIGHT.faint, DARK.faint), (LIGHT.switch, DARK.switch)]
    {
        light = light.replace(a, b);
    }
    assert_eq!(light.replace(LIGHT.transfers[0], DARK.transfers[0]), dark);
}

#[test]
fn numbers_are_short() {
    let values = [0.0, 1.0, 1.5, 0.02, 0.125, 1500.0, 20000.0, 1e6, 3e7, 2.5e-5, -40.0];
    let wanted = ["0", "1", "1.5", "0.02", "0.125", "1500", "20\u{202f}000", "10⁶", "3·10⁷", "2.5·10⁻⁵", "−40"];
    for (value, wanted) in values.into_iter().zip(wanted) {
        let plot = Plot { references: vec![(value, "line".into())], ..plot(Scale::Linear, Scale::Linear, vec![]) };
        let (_, text) = parsed(&plot);
        assert!(text.contains(&format!(">line {wanted}</text>")), "{value} is not {wanted}: {text}");
    }
}

/// Where the ticks of the horizontal axis stand, and what is written at them.
fn ticks(text: &str) -> Vec<(f64, &str)> {
    let (_, group) = text.split_once("<g font-size=\"10.5\"").unwrap();
    let lines = group.split_once("</g>").unwrap().0.lines().filter(|line| line.starts_with("<text "));
    let below = lines.filter(|line| line.contains("\"middle\"") || line.contains("rotate(-25"));
    let place = |line: &str| line.split('"').nth(1).unwrap().parse().unwrap();
    below.map(|line| (place(line), line.split(['<', '>']).nth(2).unwrap())).collect()
}

#[test]
fn ticks_are_round_inside_and_three_or_more() {
    let ranges =
        [(0.0, 1.0), (0.0, 97.0), (-3.0, 8.0), (1e-9, 3e-9), (5.0, 5.0), (1.0, 1e12), (20.0, 30.0), (0.3, 4e5)];
    for (low, high) in ranges {
        for scale in [Scale::Linear, Scale::Log] {
            let points = series(Style::Dots, &[(low, 1.0), (high, 1.0)]);
            let (_, text) = parsed(&plot(scale.clone(), Scale::Linear, vec![points]));
            let ticks = ticks(&text);
            assert!((3..=14).contains(&ticks.len()), "{low} to {high}, {scale:?}: {ticks:?}");
            // The frame, and half of the last digit that is written.
            assert!(ticks.iter().all(|(x, _)| (77.95..=598.05).contains(x)), "{low} to {high}: {ticks:?}");
            assert!(ticks.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 != w[1].1), "{low} to {high}: {ticks:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_mark_is_inside(
        points in prop::collection::vec((any::<f64>(), any::<f64>(), prop::option::of((any::<f64>(), any::<f64>()))), 0..12),
        logs in any::<(bool, bool)>(),
        style in prop::sample::select(vec![Style::Line, Style::Bare, Style::Dots, Style::Bars]),
    ) {
        let scale = |log| if log { Scale::Log } else { Scale::Linear };
        let points = points.into_iter().map(|(x, y, spread)| Point { x, y, spread }).collect();
        let one = Series { name: "one".into(), style, points };
        let (elements, text) = parsed(&plot(scale(logs.0), scale(logs.1), vec![one]));
        prop_assert!(!text.contains("NaN") && !text.contains("inf"), "{}", text);
        for (x, y) in marks(&elements) {
            prop_assert!((77.0..=599.0).contains(&x) && (45.0..=347.0).contains(&y), "{} {}", x, y);
        }
    }
}

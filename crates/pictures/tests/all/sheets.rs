//! Sheets of steps: as large as what is drawn on them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Schedule, Verified, verify};
use pictures::{Layout, palette::LIGHT, svg};
use std::ops::Range;

/// A broadcast from the first node of a network to its neighbour, in the first of many steps.
fn schedule(network: Network, steps: usize) -> Verified {
    let broadcast = Collective::broadcast(Node(0), &[Node(0), network.to(Channel(0))]);
    let problem = Problem::new(network, broadcast, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for _ in 0..steps {
        claim.begin_step();
        claim.send(Message(0), &[Channel(0)]);
    }
    verify(&problem, claim).unwrap()
}

/// A grid of so many rows and columns.
fn grid(rows: u32, columns: u32) -> Network {
    topologies::parse(&format!("mesh:{rows}x{columns}")).unwrap()
}

fn drawn(schedule: &Verified, steps: Option<Range<usize>>) -> String {
    let mut text = Vec::new();
    svg::schedule(schedule, steps, svg::Columns::Slide, &LIGHT, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// Width of a sheet, and where the frames of its steps begin.
fn places(text: &str) -> (f64, Vec<f64>) {
    let number = |text: &str| text.split(['"', ' ']).next().unwrap().parse().unwrap();
    let width = number(text.split("width=\"").nth(1).unwrap());
    let frames = text.lines().filter(|line| line.starts_with("<g transform=\"translate(") && !line.contains("scale"));
    (
        width,
        frames
            .filter(|line| line.ends_with(")\">"))
            .map(|line| number(&line["<g transform=\"translate(".len()..]))
            .collect(),
    )
}

#[test]
fn a_sheet_is_as_wide_as_its_steps_and_they_stand_in_its_middle() {
    let four = schedule(grid(4, 4), 5);
    let width = Layout::new(four.problem().network()).size.0;
    for (steps, columns) in [(0..1, 1.0), (1..3, 2.0), (0..5, 3.0)] {
        let text = drawn(&four, Some(steps.clone()));
        let (sheet, lefts) = places(&text);
        let title = text.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
        let words = 32.0 + 9.2 * title.len() as f64;
        assert!(sheet <= f64::max(columns * width, words) + 1.0, "steps {steps:?}: {sheet} wide, a step {width}");
        let (left, right) = (lefts[0], sheet - lefts.iter().copied().fold(0.0, f64::max) - width);
        assert!((left - right).abs() < 1.0, "steps {steps:?}: {left} to the left of them, {right} to the right");
    }
}

#[test]
fn wide_steps_have_few_columns() {
    for (rows, columns, steps, most) in [(3, 24, 9, 1), (2, 12, 12, 2), (8, 8, 64, 4)] {
        let (sheet, lefts) = places(&drawn(&schedule(grid(rows, columns), steps), None));
        let first = lefts.iter().filter(|left| (*left - lefts[0]).abs() < 1.0).count();
        assert!(sheet <= 1920.0, "{rows}x{columns}: {sheet} wide");
        assert!(steps.div_ceil(first) <= most, "{rows}x{columns}: {first} of {steps} steps in the first column");
    }
}

#[test]
fn a_transfer_has_the_colour_of_its_sender_as_on_the_page() {
    // The row 0, 1, 2: the last node sends to the middle, which passes it on.
    let network = Network::from_links(3, [(0, 1), (1, 2)]).unwrap();
    let along = |ends: (u32, u32)| network.channels().find(|c| (network.from(*c).0, network.to(*c).0) == ends).unwrap();
    let sent = [along((2, 1)), along((1, 0))];
    let broadcast = Collective::broadcast(Node(2), network.terminals());
    let problem = Problem::new(network, broadcast, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for channel in sent {
        claim.begin_step();
        claim.send(Message(0), &[channel]);
    }
    let schedule = verify(&problem, claim).unwrap();
    // Node 1 is the first of two senders, node 2 the second.
    for (step, rank) in [(0, 1), (1, 0)] {
        let text = drawn(&schedule, Some(step..step + 1));
        let line = text.split("<path ").find(|path| path.contains("stroke-linejoin")).unwrap();
        assert!(line.contains(LIGHT.transfers[rank]), "step {step}: {line}");
        assert!(text.contains("in the colour of its sender") && !text.contains("senders share"));
    }
}

#[test]
fn the_legend_says_when_colours_repeat() {
    let ring = topologies::parse("ring:9").unwrap();
    let gather = Collective::allgather(ring.terminals(), ring.terminals());
    let problem = Problem::new(ring.clone(), gather, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for hop in 0..8 {
        claim.begin_step();
        for channel in ring.channels().filter(|c| ring.to(*c).0 == (ring.from(*c).0 + 1) % 9) {
            claim.send(Message((ring.from(channel).0 + 9 - hop) % 9), &[channel]);
        }
    }
    let text = drawn(&verify(&problem, claim).unwrap(), None);
    assert!(text.contains("(9 senders share 7 colours)"), "{text}");
}

#[test]
fn where_channels_carry_several_messages_shares_are_of_the_capacity() {
    let two = NetworkData { nodes: 2, channels: vec![(0, 1), (1, 0)], ..NetworkData::default() };
    for (capacities, words) in [(None, "50 % busy"), (Some(vec![2, 2]), "25 % of the capacity")] {
        let network = Network::new(NetworkData { capacities, ..two.clone() }).unwrap();
        let text = drawn(&schedule(network, 1), None);
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn in_print_letters_have_six_points_and_columns_can_be_chosen() {
    let four = schedule(grid(4, 4), 8);
    let of = |columns: svg::Columns| {
        let mut text = Vec::new();
        svg::schedule(&four, None, columns, &LIGHT, &mut text).unwrap();
        let (width, lefts) = places(&String::from_utf8(text).unwrap());
        (width, lefts.iter().filter(|left| (*left - lefts[0]).abs() < 1.0).count())
    };
    // Letters of 9 pixels have 6 points where 756 pixels are as wide as a page, 504 points.
    let (width, lines) = of(svg::Columns::Print);
    assert!(width <= 756.0 && lines == 3, "{width} wide, {lines} lines");
    assert_eq!([1, 2, 4].map(|columns| of(svg::Columns::Of(columns)).1), [8, 4, 2]);
}

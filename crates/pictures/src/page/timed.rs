//! **What:** the page of a schedule in time: its chart, light and dark, the network with what is under way in it at any time, and of every
//! transfer its path, its times and what it waits for.
//!
//! **Facts:** the program is built from `viewer/src/timed.ts` and kept in `assets/`; all of the page is in one file that asks nobody for anything. It tells of every
//! transfer, also of those that the chart leaves out.

use super::{Pieces, fill};
use crate::palette::{DARK, LIGHT};
use crate::svg::{Gantt, network_of_page};
use serde::Serialize;
use std::io::{self, Write};

/// Most channels of a network that is drawn.
const MOST_DRAWN: usize = 4096;

const PROGRAM: &str = include_str!("../../assets/timed.js");

/// Why a transfer begins when it does.
#[derive(Clone, Debug)]
pub struct Because {
    /// What it begins with.
    pub text: String,
    /// The transfer that this is of, by its number in the timeline.
    pub by: Option<usize>,
}

#[derive(Serialize)]
struct Data<'a> {
    title: &'a str,
    sent: Vec<Sent<'a>>,
    critical: &'a [usize],
}

/// A transfer; times in microseconds.
#[derive(Serialize)]
struct Sent<'a> {
    from: String,
    to: Vec<String>,
    paths: Vec<String>,
    messages: Vec<u32>,
    begin: f64,
    end: f64,
    held: f64,
    rate: f64,
    /// Channels, and when each is first used, where the network is drawn.
    uses: Vec<(u32, f64)>,
    /// How long each is used.
    lasts: f64,
    colour: usize,
    because: &'a str,
    by: Option<usize>,
}

/// Writes the page of a chart; `because` has an entry for each transfer.
///
/// # Errors
/// Those of `out`.
pub fn write(gantt: &Gantt<'_>, because: &[Because], out: &mut dyn Write) -> io::Result<()> {
    let title = gantt.title();
    let data = Data { title: &title, sent: sent(gantt, because), critical: gantt.critical };
    // No text of the data ends the element that it stands in.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let mut block = Vec::new();
    for (class, theme) in [("light", &LIGHT), ("dark", &DARK)] {
        write!(block, "<div class=\"chart {class}\">")?;
        gantt.write(theme, true, &mut block)?;
        writeln!(block, "</div>")?;
    }
    if is_drawn(gantt) {
        let problem = gantt.timeline.problem();
        write!(block, "<div class=\"map\">")?;
        network_of_page(problem.network(), &problem.links().bandwidth, &mut block)?;
        writeln!(block, "</div>")?;
    }
    writeln!(block, "<script type=\"application/json\" id=\"timed\">{data}</script>")?;
    fill(&Pieces { title: &title, data: &block, program: PROGRAM }, out)
}

fn is_drawn(gantt: &Gantt<'_>) -> bool {
    gantt.timeline.problem().network().channel_count() <= MOST_DRAWN
}

fn sent<'a>(gantt: &Gantt<'_>, because: &'a [Because]) -> Vec<Sent<'a>> {
    let timeline = gantt.timeline;
    let (problem, network, colours) = (timeline.problem(), timeline.problem().network(), gantt.colours());
    let drawn = is_drawn(gantt);
    let one = |(at, because): (usize, &'a Because)| {
        let (sent, transfer) = (&timeline.sent()[at], &timeline.transfers()[at]);
        let receivers = &timeline.receivers()[sent.receivers.clone()];
        let arrives = receivers.iter().map(|to| to.arrives).max().unwrap_or(sent.begin);
        let path = |path: &[kernel::Channel]| {
            let nodes = std::iter::once(sent.from).chain(path.iter().map(|channel| network.to(*channel)));
            nodes.map(|node| network.label(node)).collect::<Vec<_>>().join(" → ")
        };
        Sent {
            from: network.label(sent.from),
            to: receivers.iter().map(|to| network.label(to.node)).collect(),
            paths: transfer.paths().map(path).collect(),
            messages: transfer.transfer.messages.iter().map(|message| message.0).collect(),
            begin: problem.micros(sent.begin),
            end: problem.micros(arrives),
            held: problem.micros(sent.end),
            rate: timeline.gigabytes(sent.rate),
            uses: timeline.uses()[if drawn { sent.uses.clone() } else { 0..0 }]
                .iter()
                .map(|used| (used.channel.0, problem.micros(used.from)))
                .collect(),
            lasts: receivers.first().map_or(0.0, |to| problem.micros(to.arrives - to.from)),
            colour: colours[at],
            because: &because.text,
            by: because.by,
        }
    };
    because.iter().enumerate().map(one).collect()
}

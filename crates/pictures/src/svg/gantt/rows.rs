//! **What:** the rows of a chart over time, and where in them the bars stand.

use kernel::timed::Timeline;
use kernel::{Channel, Network, Node};
use std::collections::BTreeSet;

/// Rows of a chart; what is used least is left out beyond.
const MOST_ROWS: usize = 64;
/// Bars of a chart.
const MOST_BARS: usize = 20_000;

/// What has a row of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowsOf {
    /// Every channel.
    #[default]
    Channels,
    /// Every node, with all channels that leave it.
    Nodes,
}

/// A use of a channel in its row.
pub(super) struct Bar {
    pub transfer: usize,
    /// Among the uses of the timeline.
    pub used: usize,
    pub from: u64,
    pub until: u64,
    /// From the bottom of the row, and how high, of 1.
    pub above: f64,
    pub height: f64,
    /// Where its channel's part of the row begins, and how high that is.
    lane: (f64, f64),
}

/// A row with its bars in the order of time.
pub(super) struct Row {
    pub name: String,
    pub bars: Vec<Bar>,
    /// Its number among all rows.
    number: usize,
    /// What its channels carry together, in units of rate.
    bandwidth: u128,
    /// Units of rate times ticks.
    work: u128,
    /// Whether the critical path goes over it.
    critical: bool,
}

/// The rows that are drawn, and what is not.
pub(super) struct Rows {
    pub rows: Vec<Row>,
    /// In words that go on after those of the schedule.
    pub left_out: String,
}

impl Rows {
    pub(super) fn of(timeline: &Timeline<'_>, of: RowsOf, critical: &BTreeSet<usize>) -> Self {
        let network = timeline.problem().network();
        let (mut rows, lanes) = empty(timeline, network, of);
        for (transfer, sent) in timeline.sent().iter().enumerate() {
            for used in sent.uses.clone() {
                let one = timeline.uses()[used];
                let row = &mut rows[match of {
                    RowsOf::Channels => one.channel.index(),
                    RowsOf::Nodes => network.from(one.channel).index(),
                }];
                let height = sent.rate as f64 / row.bandwidth.max(1) as f64;
                let (from, until) = (one.from, one.from + sent.lasts);
                row.bars.push(Bar {
                    transfer,
                    used,
                    from,
                    until,
                    above: 0.0,
                    height,
                    lane: lanes[one.channel.index()],
                });
                row.work += u128::from(sent.rate) * u128::from(sent.lasts);
                row.critical |= critical.contains(&transfer);
            }
        }
        let all = rows.len();
        rows.retain(|row| !row.bars.is_empty());
        let idle = all - rows.len();
        // Those of the critical path first, then by what they carry of what they could.
        let full = |row: &Row| row.work as f64 / row.bandwidth.max(1) as f64;
        rows.sort_by(|a, b| b.critical.cmp(&a.critical).then(full(b).total_cmp(&full(a))));
        let (used, mut bars, mut kept) = (rows.len(), 0, 0);
        while kept < used.min(MOST_ROWS) && (kept == 0 || bars + rows[kept].bars.len() <= MOST_BARS) {
            bars += rows[kept].bars.len();
            kept += 1;
        }
        rows.truncate(kept);
        rows.sort_by_key(|row| row.number);
        let mut short = 0;
        for row in &mut rows {
            row.bars.sort_by_key(|bar| bar.from);
            short += row.bars.len().saturating_sub(MOST_BARS);
            row.bars.truncate(MOST_BARS);
            stack(&mut row.bars);
        }
        let what = match of {
            RowsOf::Channels => "channels",
            RowsOf::Nodes => "nodes",
        };
        let mut missing = Vec::new();
        if idle > 0 {
            missing.push(format!("{idle} {what} that carry nothing"));
        }
        if kept < used {
            missing.push(format!("of the others the {} {what} used least, as too many for a picture", used - kept));
        }
        if short > 0 {
            missing.push(format!("the last {short} bars, as too many"));
        }
        let left_out = if missing.is_empty() { String::new() } else { format!("; left out: {}", missing.join(", ")) };
        Rows { rows, left_out }
    }
}

/// All rows without bars, and the part of its row that each channel has: where it begins, and how high it is.
fn empty(timeline: &Timeline<'_>, network: &Network, of: RowsOf) -> (Vec<Row>, Vec<(f64, f64)>) {
    let row = |(number, (name, bandwidth)): (usize, (String, u128))| Row {
        name,
        bars: Vec::new(),
        number,
        bandwidth,
        work: 0,
        critical: false,
    };
    let carries = |channel: Channel| u128::from(timeline.bandwidth(channel));
    let whole = |channel| (carries(channel), 0);
    let mut parts: Vec<(u128, u128)> = network.channels().map(whole).collect();
    let rows: Vec<(String, u128)> = match of {
        RowsOf::Channels => {
            let name = |c: Channel| format!("{} → {}", network.label(network.from(c)), network.label(network.to(c)));
            network.channels().map(|c| (name(c), carries(c))).collect()
        }
        RowsOf::Nodes => {
            let mut rows: Vec<(String, u128)> = network.nodes().map(|v: Node| (network.label(v), 0)).collect();
            for channel in network.channels() {
                let row = &mut rows[network.from(channel).index()].1;
                parts[channel.index()].1 = *row;
                *row += carries(channel);
            }
            rows
        }
    };
    let lane = |channel: Channel| {
        let of_row = match of {
            RowsOf::Channels => channel.index(),
            RowsOf::Nodes => network.from(channel).index(),
        };
        let (size, before) = parts[channel.index()];
        let part = |units: u128| units as f64 / rows[of_row].1.max(1) as f64;
        (part(before), part(size))
    };
    let lanes = network.channels().map(lane).collect();
    (rows.iter().cloned().enumerate().map(row).collect(), lanes)
}

/// Stands every bar at the lowest place of its channel's part where it fits beside those that still run; where only pieces are free, as low
/// as it may.
fn stack(bars: &mut [Bar]) {
    let mut running: Vec<usize> = Vec::new();
    for at in 0..bars.len() {
        running.retain(|other| bars[*other].until > bars[at].from);
        running.sort_by(|a, b| bars[*a].above.total_cmp(&bars[*b].above));
        let (foot, size) = bars[at].lane;
        let mut above = foot;
        for other in running.iter().map(|other| &bars[*other]).filter(|other| other.lane.0 == foot) {
            if above + bars[at].height <= other.above + 1e-9 {
                break;
            }
            above = f64::max(above, other.above + other.height);
        }
        bars[at].above = above.min(foot + size - bars[at].height).max(0.0);
        running.push(at);
    }
}

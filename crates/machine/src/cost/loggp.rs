//! **What:** a step under LogGP (Alexandrov, Ionescu, Schauser, Scheiman, 1995).
//!
//! A node sends the transfers of a step one after another, in the schedule's order. One of k words keeps it busy for o + (k−1)G,
//! and the next begins no sooner than g after it began; its last word arrives L after it was sent. A receiver
//! takes what arrives in the order of arrival, each in o, begun at least g apart. Sending and receiving do not hinder each other. The
//! step ends when all is received.

use kernel::Node;

/// One transfer of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub from: Node,
    pub to: Node,
    /// Messages it carries.
    pub words: u32,
}

/// Whether a node sends or receives more than one transfer.
pub(super) fn is_crowded(step: &[Sent]) -> bool {
    let twice = |end: fn(&Sent) -> Node| {
        let mut ends: Vec<Node> = step.iter().map(end).collect();
        ends.sort_unstable();
        ends.windows(2).any(|w| w[0] == w[1])
    };
    twice(|s| s.from) || twice(|s| s.to)
}

/// The time of a step whose messages have `word` words each.
pub(super) fn step(step: &[Sent], word: f64, latency: f64, overhead: f64, (gap, word_gap): (f64, f64)) -> f64 {
    let mut sent: Vec<&Sent> = step.iter().collect();
    sent.sort_by_key(|s| s.from);
    let mut arrivals: Vec<(Node, f64)> = Vec::with_capacity(sent.len());
    for of_one in sent.chunk_by(|a, b| a.from == b.from) {
        let mut begin = 0.0;
        for s in of_one {
            let busy = overhead + (f64::from(s.words) * word - 1.0).max(0.0) * word_gap;
            arrivals.push((s.to, begin + busy + latency));
            begin += busy.max(gap);
        }
    }
    arrivals.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut end = 0.0f64;
    for at_one in arrivals.chunk_by(|a, b| a.0 == b.0) {
        let mut free = 0.0f64;
        for (_, arrival) in at_one {
            let begin = arrival.max(free);
            free = begin + overhead.max(gap);
            end = end.max(begin + overhead);
        }
    }
    end
}

//! **What:** which part each node takes in a collective: who only sends, who only receives, who does both.
//!
//! **Source:** the dissertation's T, R and B nodes (chapter 6) are senders, receivers and both.

use kernel::{Collective, Network, Node, Problem};
use serde::Serialize;

/// The terminals that send and those that receive, where a file marks them; `None`: all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends<'a> {
    /// Those that send.
    pub senders: Option<&'a [Node]>,
    /// Those that receive.
    pub receivers: Option<&'a [Node]>,
}

/// The part of a node in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    /// It has messages and gets some, or nothing tells the nodes apart.
    Both,
    /// It has messages and gets none: a diamond.
    Sender,
    /// It gets messages and has none: a circle in a circle.
    Receiver,
    /// It has none and gets none, but may pass them on: a dotted circle.
    Neither,
}

/// The part of every node; none where a collective has a root, which its title names.
pub(crate) fn roles(problem: &Problem) -> Vec<Role> {
    let collective = problem.collective();
    let nodes = problem.network().node_count();
    if collective.root().is_some() {
        return Vec::new();
    }
    let (mut sends, mut receives) = (vec![false; nodes], vec![false; nodes]);
    ends(collective, &mut |from, to| {
        from.iter().for_each(|v| sends[v.index()] = true);
        to.iter().for_each(|v| receives[v.index()] = true);
    });
    parts(sends, receives)
}

/// The part of every node of a network; none where nothing is marked.
pub(crate) fn marked(network: &Network, ends: Ends<'_>) -> Vec<Role> {
    if ends.senders.is_none() && ends.receivers.is_none() {
        return Vec::new();
    }
    let among = |list: Option<&[Node]>| {
        let mut is = vec![false; network.node_count()];
        list.unwrap_or(network.terminals()).iter().for_each(|v| is[v.index()] = true);
        is
    };
    parts(among(ends.senders), among(ends.receivers))
}

/// The part of each node by whether it sends and receives.
fn parts(sends: Vec<bool>, receives: Vec<bool>) -> Vec<Role> {
    let of = |(sends, receives)| match (sends, receives) {
        (true, true) => Role::Both,
        (true, false) => Role::Sender,
        (false, true) => Role::Receiver,
        (false, false) => Role::Neither,
    };
    sends.into_iter().zip(receives).map(of).collect()
}

/// Tells the ends of all messages; of all pairs of two lists the lists.
fn ends(collective: &Collective, tell: &mut dyn FnMut(&[Node], &[Node])) {
    match collective.all_pairs() {
        Some(pairs) => tell(pairs.senders, pairs.receivers),
        None => collective.messages().for_each(|m| tell(collective.contributors(m), collective.destinations(m))),
    }
}

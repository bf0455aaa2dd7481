//! **What:** which part each node takes in a collective: who only sends, who only receives, who does both.
//!
//! **Source:** the dissertation's T, R and B nodes (chapter 6) are senders, receivers and both.

use kernel::{Collective, Node, Problem};

/// The part of a node in a collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
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
pub(super) fn roles(problem: &Problem) -> Vec<Role> {
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

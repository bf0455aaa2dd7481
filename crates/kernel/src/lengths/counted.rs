//! **What:** what messages for several nodes, and chunks, cost at least where they are too many to look for trees: their transfers are
//! counted, each at no more than it can cost.
//!
//! **Theory.** A message comes to each of its destinations by a transfer into it; a chunk leaves each contributor but its one destination
//! by a transfer out of it; and a chunk for several takes a transfer out of each contributor but the first to know all, and others
//! into each destination but that one (as in the module of spanning trees). A transfer out of u costs no less than the send ports
//! of u, the receive ports that weigh least, and the lightest channel out of u, where that leads to a switch with the lightest channel
//! from a switch into a terminal, which is another one; and likewise one into v.

use super::spanning::Costs;
use crate::{Channel, Node, Problem, Semantics};
use problem::Whom;

/// Of each terminal, the least that a transfer out of it costs, and one into it; of any other node, nothing.
struct Ends {
    out: Vec<u128>,
    into: Vec<u128>,
}

impl Ends {
    fn new(problem: &Problem, costs: &Costs) -> Self {
        let network = problem.network();
        let least_of = |list: &mut dyn Iterator<Item = u128>| list.min().unwrap_or(0);
        let ports = |list: &[u128]| least_of(&mut network.terminals().iter().map(|v| list[v.index()]));
        let (send, receive) = (ports(&costs.send), ports(&costs.receive));
        let is_terminal = |v: Node| network.is_terminal(v);
        let weight = |c: Channel| costs.channels[c.index()];
        let among = |first: bool, last: bool| {
            let ends = move |c: &Channel| (is_terminal(network.from(*c)), is_terminal(network.to(*c))) == (first, last);
            least_of(&mut network.channels().filter(ends).map(weight))
        };
        let (up, down) = (among(true, false), among(false, true));
        let mut ends = Ends { out: vec![0; network.node_count()], into: vec![0; network.node_count()] };
        for &node in network.terminals() {
            let leaves = |c: &Channel| weight(*c) + if is_terminal(network.to(*c)) { 0 } else { down };
            let enters = |c: &Channel| weight(*c) + if is_terminal(network.from(*c)) { 0 } else { up };
            let out = least_of(&mut network.outgoing(node).iter().map(leaves));
            let into = least_of(&mut network.incoming(node).iter().map(enters));
            ends.out[node.index()] = out + costs.send[node.index()] + receive;
            ends.into[node.index()] = into + costs.receive[node.index()] + send;
        }
        ends
    }
}

/// The least that all messages cost together; `None` where it needs more than 128 bits.
pub(super) fn work(problem: &Problem, costs: &Costs) -> Option<u128> {
    let collective = problem.collective();
    let Ends { out, into } = Ends::new(problem, costs);
    let sum = |of: &[u128], nodes: &[Node]| nodes.iter().try_fold(0u128, |sum, v| sum.checked_add(of[v.index()]));
    if let Some(allgather) = collective.as_allgather() {
        return sum(&into, allgather.members())?.checked_mul(allgather.members().len() as u128 - 1);
    }
    if let Some(chunks) = collective.as_reduction() {
        let (members, repeats) = (chunks.members(), u128::from(chunks.repeats()));
        let (all_out, all_into) = (sum(&out, members)?, sum(&into, members)?);
        let each = match chunks.whom() {
            Whom::Each => all_out.checked_mul(members.len() as u128 - 1)?,
            Whom::All => {
                let first = members.iter().map(|v| out[v.index()] + into[v.index()]).max().unwrap_or(0);
                all_out.checked_add(all_into)? - first
            }
        };
        return each.checked_mul(repeats);
    }
    // Of each node, whether it contributes to the chunk at hand.
    let mut contributes = vec![false; problem.network().node_count()];
    let mut total = 0u128;
    for run in collective.runs() {
        let (from, to) = (collective.contributors(run.first), collective.destinations(run.first));
        let but = |list: &[Node], not: Node| list.contains(&not);
        let least = match (collective.semantics(), to) {
            (Semantics::Copy, _) => sum(&into, to)? - if but(to, from[0]) { into[from[0].index()] } else { 0 },
            (Semantics::Reduce, &[end]) => sum(&out, from)? - if but(from, end) { out[end.index()] } else { 0 },
            (Semantics::Reduce, _) => {
                from.iter().for_each(|v| contributes[v.index()] = true);
                let spared = |v: &Node| if contributes[v.index()] { out[v.index()] } else { 0 };
                let receives = to.iter().map(|v| into[v.index()] + spared(v)).max().unwrap_or(0);
                let first = from.iter().map(|v| out[v.index()]).max().unwrap_or(0).max(receives);
                from.iter().for_each(|v| contributes[v.index()] = false);
                sum(&out, from)?.checked_add(sum(&into, to)?)? - first
            }
        };
        total = total.checked_add(least.checked_mul(run.messages.into())?)?;
    }
    Some(total)
}

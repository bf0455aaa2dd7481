//! **What:** who may hold a message when, and which channels may help: what the formula needs no variables for.
//!
//! **Without loss:** a node that no chain of transfers reaches by some step holds nothing then. A node from which no
//! chain of transfers reaches a destination in the steps that are left may hold a copy, but a schedule stays right when
//! the transfer that brought it, and all that followed from it, are taken out.

use problem::{Channel, Node, Problem};

/// Where one message may be of use.
pub(super) struct Reach {
    /// `holds[t][v]`: node `v` may hold it, to some use, when step `t` begins; `t` up to the number of steps.
    pub holds: Vec<Vec<bool>>,
    /// `helps[t][c]`: channel `c` may lie on a path of use in step `t`.
    pub helps: Vec<Vec<bool>>,
}

impl Reach {
    /// Of a message from `origin` to `destinations`, other nodes, in so many steps.
    pub(super) fn new(problem: &Problem, origin: Node, destinations: &[Node], steps: usize) -> Self {
        let network = problem.network();
        let nodes = network.node_count();
        let mut first = vec![false; nodes];
        first[origin.index()] = true;
        let mut reached = vec![first];
        for t in 0..steps {
            let mut next = reached[t].clone();
            let marked = spread(problem, &reached[t], true);
            for channel in network.channels().filter(|c| marked[c.index()]) {
                let head = network.to(channel);
                next[head.index()] |= network.is_terminal(head);
            }
            reached.push(next);
        }
        let mut wanted = vec![false; nodes];
        for node in destinations {
            wanted[node.index()] = true;
        }
        let mut useful = vec![wanted];
        for t in 0..steps {
            let mut before = useful[t].clone();
            let marked = spread(problem, &useful[t], false);
            for channel in network.channels().filter(|c| marked[c.index()]) {
                let tail = network.from(channel);
                before[tail.index()] |= network.is_terminal(tail);
            }
            useful.push(before);
        }
        useful.reverse();
        let both = |a: &Vec<bool>, b: &Vec<bool>| a.iter().zip(b).map(|(a, b)| *a && *b).collect();
        let holds: Vec<Vec<bool>> = reached.iter().zip(&useful).map(|(a, b)| both(a, b)).collect();
        let helps = (0..steps).map(|t| {
            let mut receivers = holds[t + 1].clone();
            // Nobody sends a message back to where it started.
            receivers[origin.index()] = false;
            both(&spread(problem, &holds[t], true), &spread(problem, &receivers, false))
        });
        let helps = helps.collect();
        Reach { holds, helps }
    }
}

/// The channels that may lie on a path from a node to one of `receivers`, in one step.
pub(super) fn helping(problem: &Problem, from: Node, receivers: &[bool]) -> Vec<bool> {
    let mut start = vec![false; receivers.len()];
    start[from.index()] = true;
    let (ahead, behind) = (spread(problem, &start, true), spread(problem, receivers, false));
    ahead.iter().zip(behind).map(|(a, b)| *a && b).collect()
}

/// The channels that paths from `ends` may use (`forward`), or paths to `ends`.
fn spread(problem: &Problem, ends: &[bool], forward: bool) -> Vec<bool> {
    let network = problem.network();
    let leaves = |node| if forward { network.outgoing(node) } else { network.incoming(node) };
    let mut marked = vec![false; network.channel_count()];
    let mut queue: Vec<Channel> = Vec::new();
    let mut visit = |node, queue: &mut Vec<Channel>| {
        for &channel in leaves(node) {
            if !std::mem::replace(&mut marked[channel.index()], true) {
                queue.push(channel);
            }
        }
    };
    for node in network.nodes().filter(|v| ends[v.index()]) {
        visit(node, &mut queue);
    }
    while let Some(channel) = queue.pop() {
        let next = if forward { network.to(channel) } else { network.from(channel) };
        if problem.path_passes(next) {
            visit(next, &mut queue);
        }
    }
    marked
}

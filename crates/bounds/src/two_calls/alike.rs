//! **What:** the nodes, channels and pairs of nodes that automorphisms carry to each other, where these change nothing of what is to be heard.

use graph::automorphisms::{Automorphism, Group};
use kernel::two_calls::{Hearing, TwoCalls};
use kernel::{Node, Problem};
use run::Budget;

/// What automorphisms carry to each other.
pub(super) struct Alike {
    pub hearings: Vec<Hearing>,
    pub nodes: Classes,
    pub channels: Classes,
    /// Pairs of nodes, node by node.
    pub pairs: Classes,
}

/// A partition of numbers.
pub(super) struct Classes {
    pub of: Vec<usize>,
    pub members: Vec<Vec<usize>>,
}

impl Classes {
    fn new(count: usize, maps: &[Automorphism], image: impl Fn(&Automorphism, usize) -> usize) -> Self {
        let mut of = vec![usize::MAX; count];
        let mut members: Vec<Vec<usize>> = Vec::new();
        for first in 0..count {
            if of[first] != usize::MAX {
                continue;
            }
            let mut class = vec![first];
            of[first] = members.len();
            let mut at = 0;
            while at < class.len() {
                let from = class[at];
                for next in maps.iter().map(|map| image(map, from)) {
                    if of[next] == usize::MAX {
                        of[next] = members.len();
                        class.push(next);
                    }
                }
                at += 1;
            }
            members.push(class);
        }
        Classes { of, members }
    }
}

impl Alike {
    pub(super) fn new(problem: &Problem, budget: &mut Budget<'_>) -> Self {
        let network = problem.network();
        let hearings = TwoCalls::hearings(problem);
        let group = budget.within(budget.left() / 8, |part| Group::with_arcs(network, &[], part));
        let keeps = |map: &&Automorphism| {
            let image = |v: &Node| Node(map.nodes[v.index()]);
            hearings.iter().all(|hearing| {
                hearing.of.iter().all(|(from, to)| {
                    hearing.of.get(&image(from)).is_some_and(|of| to.iter().all(|v| of.contains(&image(v))))
                })
            })
        };
        let maps: Vec<Automorphism> = group.generators().iter().filter(keeps).cloned().collect();
        let nodes = network.node_count();
        Alike {
            nodes: Classes::new(nodes, &maps, |map, v| map.nodes[v] as usize),
            channels: Classes::new(network.channel_count(), &maps, |map, c| map.channels[c] as usize),
            pairs: Classes::new(nodes * nodes, &maps, |map, at| {
                map.nodes[at / nodes] as usize * nodes + map.nodes[at % nodes] as usize
            }),
            hearings,
        }
    }

    /// Pairs of nodes of which one is to hear of the other, for all messages together.
    pub(super) fn pairs_in_all(&self) -> f64 {
        let pairs = |hearing: &Hearing| hearing.of.values().map(|to| to.len() as u64).sum::<u64>() * hearing.messages;
        self.hearings.iter().map(pairs).sum::<u64>() as f64
    }
}

//! **What:** the engine `bundles`: where transfers may combine messages, all messages of an origin travel as one.
//!
//! **Idea.** Whatever an origin has for several receivers can leave it together, since a transfer carries any number of
//! messages; so the messages of each origin become one token for all of their receivers. A scatter becomes a broadcast and
//! alltoall becomes allgather, which the other engines solve; then each message goes the way its token takes to its receiver,
//! and tokens are opened where their ways part. Gather is the scatter run backwards (`reversal`).
//!
//! **Facts.** Both problems have schedules of the same numbers of steps: a token's way can be taken by all of its messages,
//! and a way for each message is one for the token.
//!
//! **Loses** nothing by the exchange itself. It applies where an origin has several messages.
//!
//! **Source:** the spanning binomial tree of one-to-all personalised communication (Johnsson and Ho 1989), for any broadcast.

use crate::portfolio::best_of;
use crate::reversal::deliver_once;
use crate::{ENGINES, Engine, Run};
use kernel::{Collective, Message, Node, Op, Problem, Schedule, Semantics, Transfer};
use std::collections::BTreeMap;

/// The engine.
pub struct Bundles;

const NAME: &str = "bundles";

impl Engine for Bundles {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "combining: all messages of an origin travel as one, as in a broadcast or allgather"
    }

    fn source(&self) -> &'static str {
        "S. L. Johnsson, C.-T. Ho, Optimum broadcasting and personalized communication in hypercubes, 1989"
    }

    fn applies(&self, problem: &Problem) -> bool {
        bundles(problem)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let tokens = tokens(problem)?;
        let engines: Vec<&'static dyn Engine> = ENGINES.iter().copied().filter(|e| e.name() != NAME).collect();
        let solution = best_of(&engines, &tokens, floor, run)?;
        Some(unbundle(problem, &tokens, solution.schedule.schedule()))
    }
}

/// Whether messages may be combined and some origin has several.
pub(crate) fn bundles(problem: &Problem) -> bool {
    let collective = problem.collective();
    if !problem.model().combining || collective.semantics() != Semantics::Copy {
        return false;
    }
    let mut seen = vec![false; problem.network().node_count()];
    collective.messages().any(|m| std::mem::replace(&mut seen[collective.origin(m).index()], true))
}

/// The problem with one message an origin, in the order of the origins.
pub(crate) fn tokens(problem: &Problem) -> Option<Problem> {
    let collective = problem.collective();
    let mut all: BTreeMap<Node, Vec<Node>> = BTreeMap::new();
    for message in collective.messages() {
        all.entry(collective.origin(message)).or_default().extend(collective.destinations(message));
    }
    for receivers in all.values_mut() {
        receivers.sort_unstable();
        receivers.dedup();
    }
    let root = all.keys().next().copied().filter(|_| all.len() == 1);
    let name = if root.is_some() { "broadcast" } else { "allgather" };
    let messages = all.into_iter().map(|(origin, receivers)| (vec![origin], receivers));
    let tokens = Collective::new(name, Semantics::Copy, root, messages).ok()?;
    Problem::new(problem.network().clone(), tokens, problem.model()).ok()
}

/// A schedule of the tokens as one of the messages: each goes the way of its origin's token to its receivers.
pub(crate) fn unbundle(problem: &Problem, tokens: &Problem, schedule: &Schedule) -> Schedule {
    let (network, collective) = (problem.network(), problem.collective());
    let nodes = network.node_count();
    // A node gets a token once, so there is one way back to the origin.
    let once = deliver_once(tokens, schedule);
    let steps: Vec<Vec<Transfer<'_>>> = once.steps().map(Iterator::collect).collect();
    let mut token_of = vec![usize::MAX; nodes];
    for token in tokens.collective().messages() {
        token_of[tokens.collective().origin(token).index()] = token.index();
    }
    // The transfer that brings a token to a node, and the node it comes from: `tokens × nodes`.
    let mut brought = vec![None; tokens.collective().message_count() * nodes];
    let transfers = steps.iter().flatten().enumerate();
    for (number, transfer) in transfers {
        let (Some(&first), Some(&last)) = (transfer.path.first(), transfer.path.last()) else { continue };
        for token in transfer.messages {
            brought[token.index() * nodes + network.to(last).index()] = Some((number, network.from(first).index()));
        }
    }
    let mut loads: Vec<Vec<Message>> = vec![Vec::new(); once.transfer_count()];
    for message in collective.messages() {
        let row = token_of[collective.origin(message).index()] * nodes;
        for &receiver in collective.destinations(message) {
            let mut at = receiver.index();
            while let Some((number, from)) = brought[row + at] {
                // Messages come in order, so whatever already goes that way is the last.
                if loads[number].last() == Some(&message) {
                    break;
                }
                loads[number].push(message);
                at = from;
            }
        }
    }
    let mut all = Schedule::new();
    let mut loads = loads.iter();
    for step in &steps {
        all.begin_step();
        for (transfer, messages) in step.iter().zip(loads.by_ref()) {
            if !messages.is_empty() {
                all.push(Transfer { messages, path: transfer.path, op: Op::Reduce });
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{hypercube, ring, solved, torus};
    use kernel::{Model, Network};

    fn combined(network: &Network, collective: &Collective) -> Problem {
        let model = Model { combining: true, ..Model::wormhole() };
        Problem::new(network.clone(), collective.clone(), model).expect("well posed")
    }

    fn one_port(network: &Network) -> Network {
        let ports = kernel::Ports::Each(1);
        Network::new(kernel::Parts { send_ports: ports.clone(), receive_ports: ports, ..network.parts().clone() })
            .expect("sound")
    }

    #[test]
    fn a_scatter_takes_as_many_steps_as_a_broadcast() {
        // The spanning binomial tree: as many steps as dimensions, where messages one by one take 2^d − 1.
        for d in 2..6 {
            let network = one_port(&hypercube(d));
            let scatter = combined(&network, &Collective::scatter(Node(0), network.terminals()));
            assert_eq!(solved(&Bundles, &scatter, u64::from(d)).steps(), d as usize);
        }
    }

    #[test]
    fn every_message_arrives() {
        for network in [hypercube(3), ring(7), torus(3, 4)] {
            let t = network.terminals();
            let pairs: Vec<(Node, Node)> = t.iter().flat_map(|&a| [(a, t[1]), (t[0], a), (t[2], a)]).collect();
            for collective in
                [Collective::alltoall(t, t), Collective::scatter(t[1], t), Collective::pairs("alltoallv", &pairs)]
            {
                solved(&Bundles, &combined(&network, &collective), 1);
            }
        }
    }
}

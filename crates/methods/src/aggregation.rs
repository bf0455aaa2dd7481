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

use crate::nested::best_but;
use kernel::{Problem, Schedule};
use run::{Method, Run};
use search::transform::{bundles, tokens, unbundle};

/// The engine.
pub struct Aggregation;

const NAME: &str = "aggregation";

impl Method for Aggregation {
    fn name(&self) -> &'static str {
        NAME
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bundles"]
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
        let solution = best_but(&[NAME], &tokens, floor, run)?;
        Some(unbundle(problem, &tokens, &*solution.schedule.expanded().ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Collective, Model, Network, Node};
    use testing::{hypercube, ring, solved, torus};

    fn combined(network: &Network, collective: &Collective) -> Problem {
        let model = Model { combining: true, ..Model::wormhole() };
        Problem::new(network.clone(), collective.clone(), model).expect("well posed")
    }

    fn one_port(network: &Network) -> Network {
        let ports = kernel::Ports::Each(1);
        Network::new(kernel::NetworkData { send_ports: ports.clone(), receive_ports: ports, ..network.data().clone() })
            .expect("sound")
    }

    #[test]
    fn a_scatter_takes_as_many_steps_as_a_broadcast() {
        // The spanning binomial tree: as many steps as dimensions, where messages one by one take 2^d − 1.
        for d in 2..6 {
            let network = one_port(&hypercube(d));
            let scatter = combined(&network, &Collective::scatter(Node(0), network.terminals()));
            assert_eq!(solved(&Aggregation, &scatter, u64::from(d)).steps(), d as usize);
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
                solved(&Aggregation, &combined(&network, &collective), 1);
            }
        }
    }
}

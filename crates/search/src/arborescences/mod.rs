//! **What:** the method `arborescences`: one root's many messages for everybody, streamed down trees that share no channel.
//!
//! **Facts.** Where every receiver is joined to the root by k ways without a common channel, the channels hold k spanning
//! trees, directed away from the root, of which no two have a channel in common. Each tree passes on a message a step, so k
//! messages a step are on their way, which is as many as the smallest cut lets through: X messages take X/k steps and the
//! depth of a tree. Messages are given to the trees so that all end at the same time: deep ones get fewer.
//!
//! **Method.** Trees grow level by level, in turn (`packing`); again with the channels in other orders, for shallower trees;
//! and with fewer trees, where these are so much shallower that few messages gain by it.
//!
//! **Parameters.** Seed and ticks (for further orders).
//!
//! **When it loses.** Where messages are few: then the depth counts, and a schedule without fixed trees has less of it.
//!
//! **Source:** J. Edmonds, Edge-disjoint branchings, 1973; L. Lovász, On two minimax theorems in graphs, 1976.

mod packing;

use kernel::{Channel, Message, Problem, Schedule, Semantics, Switching};
use packing::{Ground, Tree};
use rand::seq::SliceRandom;
use run::{Budget, Method, Run};

/// The method.
pub struct Arborescences;

const NAME: &str = "arborescences";

impl Method for Arborescences {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "store-and-forward: one root's many messages, streamed down trees that share no channel"
    }

    fn source(&self) -> &'static str {
        "J. Edmonds, Edge-disjoint branchings, 1973; L. Lovasz, On two minimax theorems in graphs, 1976"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        if problem.model().switching != Switching::StoreAndForward
            || collective.semantics() != Semantics::Copy
            || collective.message_count() < 2
            || !network.half_duplex().is_empty()
        {
            return false;
        }
        let free = |v| {
            let (out, into) = (network.outgoing(v).iter().copied(), network.incoming(v).iter().copied());
            network.send_capacity(v) == network.capacity_of(out)
                && network.receive_capacity(v) == network.capacity_of(into)
        };
        let first = Message(0);
        let alike = |m| {
            collective.origin(m) == collective.origin(first)
                && collective.destinations(m) == collective.destinations(first)
        };
        let needed = collective.destinations(first).iter().any(|v| *v != collective.origin(first));
        needed && collective.messages().all(alike) && network.nodes().all(free)
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let messages = problem.collective().message_count() as u64;
        let budget = &mut Budget::new(run, run.settings.ticks);
        let ground = Ground::new(problem, budget)?;
        let (most, depth) = (ground.connectivity(), ground.depth());
        let mut best: Option<Best> = None;
        let known = run.incumbent.map_or(u64::MAX, |known| known.steps() as u64);
        // A single tree costs next to nothing.
        for trees in std::iter::once(1).chain((2..=most).rev()) {
            // No tree is shallower than the farthest node is far.
            let hope = messages.div_ceil(trees as u64) + depth - 1;
            let mut part = Budget::new(run, budget.left() / (trees as u64).max(2));
            for order in 0u64.. {
                let least = best.as_ref().map_or(known, |b| b.steps);
                if least <= run.goal(floor).max(hope) || !part.spend(ground.arcs() as u64) {
                    break;
                }
                let mut channels: Vec<usize> = (0..ground.arcs()).collect();
                if order > 0 {
                    channels.shuffle(&mut run.settings.seed.generator(order << 32 | trees as u64));
                }
                let Some(packed) = ground.pack(trees, &channels, &mut part) else { break };
                let steps = duration(&packed, messages);
                if steps < least {
                    run.progress.found(NAME, steps);
                    best = Some(Best { steps, trees: packed });
                }
            }
            if !budget.spend(part.spent()) {
                break;
            }
        }
        let Best { steps, trees } = best?;
        Some(written(&trees, messages, steps))
    }
}

/// The best trees so far.
struct Best {
    steps: u64,
    trees: Vec<Tree>,
}

/// The messages of a tree of that depth that have arrived everywhere after so many steps.
fn carried(depth: u64, steps: u64) -> u64 {
    (steps + 1).saturating_sub(depth)
}

/// The fewest steps in which the trees deliver so many messages.
fn duration(trees: &[Tree], messages: u64) -> u64 {
    let enough = |steps: u64| trees.iter().map(|t| carried(t.depth, steps)).sum::<u64>() >= messages;
    let (mut few, mut many) = (0, messages + trees.iter().map(|t| t.depth).max().unwrap_or(0));
    while few + 1 < many {
        let middle = few.midpoint(many);
        if enough(middle) { many = middle } else { few = middle }
    }
    many
}

/// The stream: a tree's j-th message crosses a channel to depth h in step j + h − 1, counted from 0.
fn written(trees: &[Tree], messages: u64, steps: u64) -> Schedule {
    let mut schedule = Schedule::new();
    // The first message of each tree, and the one after its last.
    let mut shares = Vec::new();
    let mut given = 0;
    for tree in trees {
        let share = carried(tree.depth, steps).min(messages - given);
        shares.push((given, share));
        given += share;
    }
    for step in 0..steps {
        schedule.begin_step();
        for (tree, &(first, share)) in trees.iter().zip(&shares) {
            for &(channel, depth) in &tree.channels {
                let Some(number) = (step + 1).checked_sub(depth).filter(|j| *j < share) else { continue };
                schedule.send(Message::new((first + number) as usize), &[Channel::new(channel)]);
            }
        }
    }
    schedule
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Collective, Model, Network, NetworkData, Node};
    use proptest::prelude::*;
    use testing::{full_tree, hypercube, mesh, network, random_network, ring, solved, torus};

    fn streamed(network: &Network, messages: u32) -> Problem {
        let collective = Collective::broadcast(Node(0), network.terminals()).in_chunks(messages);
        Problem::new(network.clone(), collective, Model::store_and_forward()).expect("well posed")
    }

    /// The smallest number of channels into a set without node 0, over all sets.
    fn least_cut(network: &Network) -> u64 {
        let into = |set: usize| {
            let inside = |v: Node| set >> v.index() & 1 == 1;
            network.channels().filter(|c| inside(network.to(*c)) && !inside(network.from(*c))).count()
        };
        (2..1usize << network.node_count()).step_by(2).map(into).min().expect("there are two nodes") as u64
    }

    #[test]
    fn as_many_trees_as_the_smallest_cut() {
        for (network, trees) in [(ring(7), 2), (torus(3, 4), 4), (hypercube(4), 4), (mesh(3, 4), 2), (full_tree(7), 1)]
        {
            let ground = Ground::new(&streamed(&network, 2), &mut Budget::unlimited()).expect("reached");
            assert_eq!(ground.connectivity(), trees);
        }
    }

    #[test]
    fn a_long_stream_flows_at_the_rate_of_the_cut() {
        // The binomial trees of the hypercube, turned: d of them, at most d + 1 deep.
        for d in 2..5 {
            let problem = streamed(&hypercube(d), 120);
            assert!(solved(&Arborescences, &problem, 1).steps() as u32 <= 120 / d + d + 1);
        }
        assert!(solved(&Arborescences, &streamed(&torus(4, 4), 400), 1).steps() <= 106);
        // Two ways round a ring, n − 1 channels each.
        assert_eq!(solved(&Arborescences, &streamed(&ring(6), 10), 1).steps(), 5 + 5 - 1);
        // Few messages: one shallow tree.
        assert_eq!(solved(&Arborescences, &streamed(&full_tree(7), 3), 1).steps(), 4);
    }

    #[test]
    fn it_declines_what_is_no_stream() {
        let wormhole =
            Problem::new(ring(4), Collective::broadcast(Node(0), ring(4).terminals()).in_chunks(4), Model::wormhole());
        assert!(!Arborescences.applies(&wormhole.expect("well posed")));
        assert!(!Arborescences.applies(&streamed(&ring(4), 1)));
        let one_port = NetworkData { send_ports: kernel::Ports::Each(1), ..ring(4).data().clone() };
        assert!(!Arborescences.applies(&streamed(&Network::new(one_port).expect("sound"), 4)));
        // A wide channel counts as often as it is wide.
        let wide = Network::new(NetworkData { capacities: Some(vec![3]), ..network(2, vec![(0, 1)]).data().clone() });
        assert_eq!(solved(&Arborescences, &streamed(&wide.expect("sound"), 9), 1).steps(), 3);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        /// Edmonds' theorem, and no step more than the deepest of the trees above the cut's.
        #[test]
        fn trees_fill_the_cut(parts in random_network(8), messages in 2u32..40) {
            let network = Network::new(parts).expect("sound");
            let problem = streamed(&network, messages);
            let ground = Ground::new(&problem, &mut Budget::unlimited()).expect("reached");
            let cut = least_cut(&network);
            prop_assert_eq!(ground.connectivity() as u64, cut);
            let order: Vec<usize> = (0..ground.arcs()).collect();
            let trees = ground.pack(cut as usize, &order, &mut Budget::unlimited()).expect("Edmonds");
            let mut used: Vec<usize> = trees.iter().flat_map(|t| t.channels.iter().map(|c| c.0)).collect();
            prop_assert_eq!(used.len(), cut as usize * (network.node_count() - 1));
            used.sort_unstable();
            used.dedup();
            prop_assert_eq!(used.len(), cut as usize * (network.node_count() - 1));
            let deepest = trees.iter().map(|t| t.depth).max().expect("a tree");
            let steps = solved(&Arborescences, &problem, 1).steps() as u64;
            prop_assert!(steps < u64::from(messages).div_ceil(cut) + deepest);
        }
    }
}

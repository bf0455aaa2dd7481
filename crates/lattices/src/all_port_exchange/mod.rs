//! **What:** alltoall hop by hop, all ports in use, on hierarchical dual-nets with nested super-nodes, and on hypercubes, tori and
//! complete networks and their products.
//!
//! **Theory.** Such a network is a Cayley graph. Of a level, each register holds an element of the level below (without what
//! lies in the super-node); a move below changes the first register, a crossing exchanges the two: the wreath product with two
//! places. So a node is an element, a channel multiplies it by a *move*, and a message is a *word* of moves, the same word from
//! every node. If in a step no two words make the same move, no two of their images share a channel: alltoall is a job
//! shop of n − 1 jobs on as many machines as there are moves, each hop a unit of time. Its makespan is no less than the load of any machine.
//!
//! **Promise:** none in general: jobs are placed greedily. In every network tried (`docs/hierarchical-dual-nets.md`) the makespan is the
//! greatest load rounded up, which is the floor: with one level of cross links that are the busiest, 3n/2 − 2n′ steps, n′ the nodes of a
//! cluster. Where an even ring is the whole network, or all but an odd factor, halves of it cannot be balanced, and some steps are lost.
//!
//! **Construction:** words are shortest paths. Messages for another cluster of the own class cross at once and between the
//! registers' moves, or between them and last, in turn; half of an even ring is gone either way, in turn. In every step each
//! move, that with most work left first, takes the job with most hops left.
//!
//! **Symmetry:** translations of each register along each dimension commute; the schedule is stored as orbits under them, 2 orbits of
//! nodes with one level, 8 with two.
//!
//! **Source:** ours; Cayley graphs of wreath products are folklore, the greedy rule is that of longest remaining work.
//!
//! **Example:** `hdn:hypercube:2;1`, 40 steps where `total-exchange` takes 104 with one port

mod job_shop;
mod moves;
mod words;

use crate::dimension::{DimensionKind, dimensions};
use construct::{Builder, Claim, Construction, Control, OrbitClaim, Scope};
use kernel::{Certificate, Channel, Message, Network, Proof, Rational, Schedule};
use moves::Moves;
use std::sync::OnceLock;
use topologies::Topology;
use topologies::dual_net::DualNet;
use words::Word;

/// Most nodes of a base, most channel uses by representatives that are written down, and most nodes times moves.
const MOST_NODES: u32 = 1 << 16;
const MOST_USES: u128 = 1 << 24;
const MOST_MOVES: usize = 1 << 23;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "all-port-exchange",
    about: "store-and-forward: words of moves packed as a job shop, on nested dual-nets and products of rings and complete networks",
    source: "ours",
    promise: "packed: the busiest channel's load in all cases tried, 3N/2-2N' for cross links",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: &[
        "hdn:hypercube:2;2",
        "hdn:torus:2x3;1",
        "rdn:hypercube:1;2",
        "hdn:torus:2x3x5;3x5",
        "hdn:ring:5;1",
        "hypercube:4",
        "torus:3x5",
        "generalized-hypercube:3,2",
    ],
    make: |request| Some(Box::new(AllPorts::of(request.topology()?, request.network())?)),
};

/// The construction for one network.
struct AllPorts {
    net: DualNet,
    dimensions: Vec<DimensionKind>,
    /// Made when it is first asked for.
    jobs: OnceLock<Jobs>,
}

/// What is to be placed in steps.
struct Jobs {
    moves: Moves,
    words: Vec<Word>,
    /// How often all words together make each move.
    loads: Vec<u64>,
}

impl AllPorts {
    fn of(family: &dyn Topology, network: Option<&Network>) -> Option<Self> {
        let net = family.dual_net().cloned().or_else(|| DualNet::over(family))?;
        if !net.is_nested() || net.nodes(0) > MOST_NODES {
            return None;
        }
        let (nodes, forms) = (u128::from(net.nodes(net.levels())), net.closed_forms());
        let bases = nodes / net.translation_count();
        let uses = forms.distances? / nodes * bases;
        if nodes < 2 || uses > MOST_USES {
            return None;
        }
        let dimensions = dimensions(&net, network)?;
        // A dimension of one node has no moves.
        if dimensions.iter().zip(net.sizes()).any(|(kind, size)| *kind == DimensionKind::Path && *size > 1) {
            return None;
        }
        Some(AllPorts { net, dimensions, jobs: OnceLock::new() })
    }

    /// `None` where there are too many moves, or when it is time to stop.
    fn jobs(&self, control: &Control<'_>) -> Option<&Jobs> {
        if self.jobs.get().is_none() {
            let moves = Moves::new(&self.net, &self.dimensions, MOST_MOVES, control)?;
            let words = words::all(&moves, control)?;
            let loads = words::loads(&words, moves.count());
            return Some(self.jobs.get_or_init(|| Jobs { moves, words, loads }));
        }
        self.jobs.get()
    }
}

impl Builder for AllPorts {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let Jobs { moves, words, loads } = self.jobs(control)?;
        let steps = job_shop::schedule(words, loads, control)?;
        let channels = moves.channels(network)?;
        let generators = moves.generators(network)?;
        let bases = moves::bases(network.node_count(), &generators);
        let others = u32::try_from(network.node_count()).ok()? - 1;
        // The messages of words, and where they are; a word starts at every base.
        let jobs = network.node_count();
        let starts: Vec<u32> = (0..jobs).flat_map(|_| bases.iter().copied()).collect();
        let mut at = starts.clone();
        for hop in steps.iter().flatten() {
            let word = hop.job as usize * bases.len();
            at[word..word + bases.len()].iter_mut().for_each(|v| *v = moves.leads(hop.by, *v));
        }
        let number = |(here, to): (usize, &u32)| {
            let (rank, from) = ((here % bases.len()) as u32, bases[here % bases.len()]);
            Message(rank * others + to - u32::from(*to > from))
        };
        let messages: Vec<Message> = at.iter().enumerate().map(number).collect();
        at = starts;
        let mut schedule = Schedule::new();
        for step in &steps {
            schedule.begin_step();
            for hop in step {
                let word = hop.job as usize * bases.len();
                control.work(bases.len())?;
                for (at, message) in at[word..word + bases.len()].iter_mut().zip(&messages[word..]) {
                    schedule.send(*message, &[channels[hop.by as usize][*at as usize]]);
                    *at = moves.leads(hop.by, *at);
                }
            }
        }
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, schedule)))
    }

    /// The greatest load of a dimension's moves, or of a cross link, as lengths: 1 on its channels, 0 elsewhere.
    fn floor(&self, network: &Network, control: &Control<'_>) -> Option<Certificate> {
        let Jobs { moves, loads, .. } = self.jobs(control)?;
        let channels = moves.channels(network)?;
        let load = |kind: &std::ops::Range<usize>| loads[kind.clone()].iter().sum::<u64>().div_ceil(kind.len() as u64);
        let busiest = moves.kinds().max_by_key(load)?;
        let mut weights = vec![Rational::whole(0); network.channel_count()];
        let of_kind = channels[busiest.clone()].iter().flatten();
        of_kind.for_each(|c: &Channel| weights[c.index()] = Rational::whole(1));
        Some(Certificate { steps: load(&busiest), proof: Proof::Lengths { weights: weights.into() } })
    }
}

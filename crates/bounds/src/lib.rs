//! **What:** finds certificates of lower bounds: the registry [`FINDERS`] and the strongest of what they find.
//!
//! A finder makes a claim, a [`Proof`]; what it proves is measured by the kernel's checker [`kernel::certify`] and by
//! nothing here, so a fault in a finder can weaken a bound but never raise it.
//!
//! **Which kind is exact where** (all-port networks without half-duplex groups, messages not combined): `cut` for one
//! root (scatter, gather) is the optimum; for everybody's message to all (allgather, reduce_scatter) it is the best of
//! all sets; `lengths` is the optimum of the linear program for messages with one destination each (alltoall,
//! permutations), rounded up; for messages to several and for chunks it adds up lightest trees.
//!
//! **What holds for chunks that all contribute to and all receive** (allreduce, barrier): `send` and `receive` (every
//! member's contribution leaves it, and every member must be reached), and `growth` in both directions of time: the
//! contributions of one member spread over the others like a broadcast, and what one member ends with was gathered like
//! a broadcast run backwards. The former prove one step, the latter about the logarithm of the number of members.

mod articulation;
mod cut;
mod direct;
mod distance;
mod growth;
mod late_cut;
mod lengths;
pub mod printed;
mod receive;
mod refute;
mod send;
mod start;
pub mod timed;
mod two_calls;

pub use cut::{Border, Crossing};
pub use refute::{BY_FRACTIONS, REFUTERS, Refuter, is_refutable, raise};

use kernel::orbits::{OrbitProblem, certify_orbits};
use kernel::{Certificate, Node, Problem, Proof, Refused, certify};
use run::{Budget, Run};

/// A way to find lower bounds.
#[derive(Clone, Copy, Debug)]
pub struct Finder {
    /// The kind of its certificates.
    pub name: &'static str,
    /// What it does, in one line.
    pub about: &'static str,
    /// Where the method comes from.
    pub source: &'static str,
    /// The best certificate it finds within the budget; it is of use where it proves more than [`Wanted::floor`].
    pub find: fn(&Problem, Wanted, &mut Budget<'_>) -> Option<Certificate>,
}

/// What a finder is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Steps already proved: only more is of use.
    pub floor: u64,
    /// Steps of a known schedule: more cannot be proved, so this is enough.
    pub ceiling: Option<u64>,
}

impl Wanted {
    /// Whether `steps` cannot be surpassed.
    fn reached(&self, steps: u64) -> bool {
        self.ceiling.is_some_and(|ceiling| steps >= ceiling)
    }
}

/// Every finder, simplest kind first: of equal bounds, the first is given.
pub const FINDERS: &[Finder] = &[
    send::FINDER,
    receive::FINDER,
    growth::FINDER,
    distance::FINDER,
    start::FINDER,
    cut::FINDER,
    late_cut::FINDER,
    lengths::FINDER,
    articulation::FINDER,
    direct::FINDER,
    two_calls::FINDER,
];

/// Finders that take a single pass over the problem.
const SIMPLE: usize = 5;

/// The strongest certificate of the finders that take a single pass over the problem.
pub fn simplest(problem: &Problem, run: &Run<'_>) -> Certificate {
    let best = among(&FINDERS[..SIMPLE], problem, run, None);
    let wanted = Wanted { floor: best.steps, ceiling: None };
    stronger(best, lengths::find_even(problem, wanted))
}

/// The strongest certificate that the finders find, of the simplest kind among equals.
///
/// There is always one: at least 1 step where something must move, 0 steps where nothing must. When `run` is stopped,
/// the finders that remain are left out, except the two that take a single pass over the messages.
pub fn strongest(problem: &Problem, run: &Run<'_>) -> Certificate {
    strongest_within(problem, run, None)
}

/// As [`strongest`], and stops as soon as a bound reaches `ceiling`, the steps of a known schedule.
pub fn strongest_within(problem: &Problem, run: &Run<'_>, ceiling: Option<u64>) -> Certificate {
    among(FINDERS, problem, run, ceiling)
}

/// What a finder finds by itself.
#[derive(Clone, Debug)]
pub struct Found {
    /// The finder.
    pub finder: &'static Finder,
    /// Its best certificate.
    pub certificate: Certificate,
}

/// The best certificate of every finder that applies, whatever others find; `floor`, the strongest bound known, is enough for each.
pub fn each(problem: &Problem, run: &Run<'_>, floor: u64) -> Vec<Found> {
    let wanted = Wanted { floor: 0, ceiling: Some(floor) };
    let find = |finder: &'static Finder| {
        let certificate = (finder.find)(problem, wanted, &mut Budget::new(run, run.settings.ticks))?;
        (certificate.steps > 0).then_some(Found { finder, certificate })
    };
    FINDERS.iter().take_while(|_| !run.stopped()).filter_map(find).collect()
}

/// What proves nothing.
const NOTHING: Certificate = Certificate { steps: 0, proof: Proof::Send { node: Node(0) } };

fn stronger(one: Certificate, other: Option<Certificate>) -> Certificate {
    other.filter(|other| other.steps > one.steps).unwrap_or(one)
}

fn among(finders: &[Finder], problem: &Problem, run: &Run<'_>, ceiling: Option<u64>) -> Certificate {
    let mut best = NOTHING;
    for (position, finder) in finders.iter().enumerate() {
        let wanted = Wanted { floor: best.steps, ceiling };
        if wanted.reached(best.steps) || (position >= 2 && run.stopped()) {
            break;
        }
        best = stronger(best, (finder.find)(problem, wanted, &mut Budget::new(run, run.settings.ticks)));
    }
    best
}

/// The nodes that have something to send, or to receive, where half-duplex links may make that more for all than for each.
fn together(problem: &Problem, counts: &[u64]) -> Option<Vec<Node>> {
    let network = problem.network();
    let all = || network.nodes().filter(|v| counts[v.index()] > 0).collect();
    (!network.half_duplex().is_empty()).then(all)
}

/// The strongest certificate of a problem with a symmetry, of the simplest kind among equals.
pub fn strongest_orbits(problem: &OrbitProblem, run: &Run<'_>) -> Certificate {
    if problem.is_reduction() {
        return strongest_reduction(problem, run);
    }
    let (collective, network) = (problem.representatives().collective(), problem.network());
    // Of an orbit of messages one starts at each terminal of an orbit of terminals, and one ends there for each destination in it.
    let (mut sends, mut receives) = (vec![0; network.node_count()], vec![0; network.node_count()]);
    let base = |v: &Node| problem.translations().base_of(*v).index();
    for message in collective.messages() {
        collective.contributors(message).iter().for_each(|v| sends[base(v)] += 1);
        collective.destinations(message).iter().for_each(|v| receives[base(v)] += 1);
    }
    let sent = busiest(&sends, |v| network.send_capacity(v));
    let received = busiest(&receives, |v| network.receive_capacity(v));
    let mut counted = vec![sent.map(|node| Proof::Send { node }), received.map(|node| Proof::Receive { node })];
    if !network.half_duplex().is_empty() {
        let nodes = network.terminals().to_vec();
        counted.extend([Some(Proof::SendAll { nodes: nodes.clone() }), Some(Proof::ReceiveAll { nodes })]);
    }
    let measured = counted.into_iter().flatten().map(|proof| measure_orbits(problem, proof));
    let best = measured.fold(NOTHING, |best, claim| stronger(best, Some(claim)));
    let wanted = Wanted { floor: best.steps, ceiling: None };
    let mut budget = Budget::new(run, run.settings.ticks);
    let representatives = problem.representatives();
    let found = match is_unicast(representatives) {
        true => lengths::find_orbits(problem, wanted, &mut budget),
        // What is farthest for representatives is farthest for all.
        false => (distance::FINDER.find)(representatives, wanted, &mut budget)
            .map(|claim| measure_orbits(problem, claim.proof)),
    };
    stronger(best, found)
}

/// Of chunks that are merged: what a single pass over the whole problem proves, and what is farthest from one terminal of each orbit.
fn strongest_reduction(problem: &OrbitProblem, run: &Run<'_>) -> Certificate {
    let counting = FINDERS[..SIMPLE].iter().filter(|finder| finder.name != distance::FINDER.name);
    let whole = problem.whole();
    let mut best = NOTHING;
    for finder in counting {
        let wanted = Wanted { floor: best.steps, ceiling: None };
        best = stronger(best, (finder.find)(whole, wanted, &mut Budget::new(run, run.settings.ticks)));
    }
    let wanted = Wanted { floor: best.steps, ceiling: None };
    best = stronger(best, lengths::find_even(whole, wanted));
    let from = problem.translations().bases();
    let far = distance::farthest(whole, from, &mut Budget::new(run, run.settings.ticks));
    stronger(best, far.map(|proof| measure(whole, proof)))
}

/// As `measure`, for a problem with a symmetry.
fn measure_orbits(problem: &OrbitProblem, proof: Proof) -> Certificate {
    let steps = certify_orbits(problem, Certificate { steps: u64::MAX, proof: proof.clone() }).map(|c| c.steps());
    Certificate { steps: granted(steps), proof }
}

/// The certificate of what the kernel grants to `proof`: no steps where it does not apply.
pub fn measure(problem: &Problem, proof: Proof) -> Certificate {
    let steps = certify(problem, Certificate { steps: u64::MAX, proof: proof.clone() }).map(|c| c.steps());
    Certificate { steps: granted(steps), proof }
}

fn granted(certified: Result<u64, Refused>) -> u64 {
    // The checker tells what a refused certificate proves, and no certificate proves so many steps as were claimed.
    match certified {
        Err(Refused::TooWeak { proves, .. }) => proves,
        Err(_) => 0,
        Ok(steps) => steps,
    }
}

/// The node of largest `load / rate`, with ties to the smaller number; `None` where all loads are 0.
fn busiest(loads: &[u64], rate: impl Fn(Node) -> u64) -> Option<Node> {
    let mut best: Option<(u128, u128, Node)> = None;
    for (index, &load) in loads.iter().enumerate().filter(|(_, load)| **load > 0) {
        let node = Node::new(index);
        let (load, rate) = (u128::from(load), u128::from(rate(node)));
        if best.is_none_or(|(most, per, _)| load * per > most * rate) {
            best = Some((load, rate, node));
        }
    }
    best.map(|(_, _, node)| node)
}

/// Whether every message goes from one node to one other: the messages that `lengths` speaks of.
fn is_unicast(problem: &Problem) -> bool {
    let collective = problem.collective();
    let single = |m| collective.contributors(m).len() == 1 && collective.destinations(m).len() == 1;
    collective.semantics() == kernel::Semantics::Copy
        && (collective.all_pairs().is_some() || collective.messages().all(single))
}

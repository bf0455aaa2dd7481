//! **What:** lower bounds of time: the strongest certificate that is found for a problem in time.
//!
//! **Idea:** as for steps, what is found is a claim, measured by the kernel's checker alone. The pair that is farthest apart gives a `latency`; single
//! nodes, balls around nodes and minimum cuts (module `cuts`) give sets for `late-cut`, some of them also for `pair-cut` (module `pairs`); for messages with one destination each the prices that the
//! finder of steps makes of bandwidths give weights for `lengths` (module `lengths`), and for others a weight of 1 on every channel into, or out of, a terminal
//! counts transfers.
//!
//! **Loses** what lies between a latency and a cut: small messages that share channels for some of their way.

mod cuts;
mod groups;
mod lengths;
mod pairs;

use kernel::timed::{TimedCertificate, TimedProblem, TimedProof, TimedRefused, certify, earliest_from};
use kernel::{Channel, Node, Rational};
use run::{Budget, Run};
use std::collections::BTreeSet;

/// Of all moves, one in so many is for the pair that is farthest apart, and for sets of one node and balls.
const FOR_LATENCY: u64 = 16;
const FOR_SETS: u64 = 4;
/// One in so many is for minimum cuts.
const FOR_CUTS: u64 = 2;
/// One in so many is for pairs.
const FOR_PAIRS: u64 = 4;

/// Terminals that pairs are counted for by themselves, and all sets that they are counted for.
const SINGLE: usize = 2;
const MOST_FOR_PAIRS: usize = 256;

/// What proves nothing.
const NOTHING: TimedCertificate = TimedCertificate { ticks: 0, proof: TimedProof::LateCut { nodes: Vec::new() } };

/// The strongest certificate that is found, of the simplest kind among equals. When `run` is stopped, what has been found by then.
pub fn strongest(problem: &TimedProblem, run: &Run<'_>) -> TimedCertificate {
    let mut search = Search::new(problem, run);
    search.part(FOR_LATENCY, Search::latency);
    search.loads();
    search.part(FOR_PAIRS, pairs::find);
    lengths::find(&mut search);
    search.best
}

/// As [`strongest`], of those that count all that some channels must carry: the channels that keep a large message waiting.
pub fn strongest_load(problem: &TimedProblem, run: &Run<'_>) -> TimedCertificate {
    let mut search = Search::new(problem, run);
    search.loads();
    lengths::find(&mut search);
    search.best
}

/// The strongest of the certificates that proofs for other numbers of chunks, on the same network, give for this problem.
pub fn strongest_of<'a>(problem: &TimedProblem, proofs: impl IntoIterator<Item = &'a TimedProof>) -> TimedCertificate {
    let certificates =
        proofs.into_iter().map(|proof| TimedCertificate { ticks: measure(problem, proof), proof: proof.clone() });
    certificates.fold(NOTHING, |best, one| if one.ticks > best.ticks { one } else { best })
}

/// The best certificate so far, and what there is to find more.
struct Search<'a> {
    problem: &'a TimedProblem,
    run: &'a Run<'a>,
    budget: Budget<'a>,
    /// The finder at hand ends when so many moves are spent.
    until: u64,
    best: TimedCertificate,
    /// Sets for which pairs of contributors and destinations are to be counted as well.
    for_pairs: Vec<Vec<Node>>,
}

impl<'a> Search<'a> {
    fn new(problem: &'a TimedProblem, run: &'a Run<'a>) -> Self {
        let budget = Budget::new(run, run.settings.ticks);
        Search { problem, run, budget, until: u64::MAX, best: NOTHING, for_pairs: Vec::new() }
    }

    /// Looks for sets and weights that count all that channels must carry.
    fn loads(&mut self) {
        groups::find(self);
        self.part(FOR_SETS, Self::sets);
        self.part(FOR_CUTS, cuts::find);
        for into in [true, false] {
            self.counted(into);
        }
    }

    /// Keeps a proof that proves more; the ticks that it proves.
    fn offer(&mut self, proof: TimedProof) -> u64 {
        let ticks = measure(self.problem, &proof);
        if ticks > self.best.ticks {
            self.best = TimedCertificate { ticks, proof };
        }
        ticks
    }

    fn offer_set(&mut self, inside: impl Fn(Node) -> bool) {
        let nodes = self.problem.network().nodes().filter(|v| inside(*v)).collect();
        self.offer(TimedProof::LateCut { nodes });
    }

    /// Has pairs of contributors and destinations counted for a set as well, later.
    fn note_for_pairs(&mut self, inside: impl Fn(Node) -> bool) {
        if self.for_pairs.len() < MOST_FOR_PAIRS {
            self.for_pairs.push(self.problem.network().nodes().filter(|v| inside(*v)).collect());
        }
    }

    /// A finder that gets one of so many moves.
    fn part(&mut self, one_in: u64, find: impl FnOnce(&mut Self)) {
        self.until = self.budget.spent() + self.run.settings.ticks / one_in;
        find(self);
        self.until = u64::MAX;
    }

    /// Whether there is time for something of about this size.
    fn goes_on(&mut self, size: usize) -> bool {
        let is_in_time = self.budget.spent().saturating_add(size as u64) <= self.until;
        is_in_time && !self.run.stopped() && self.budget.spend(size as u64)
    }

    /// Moves that measuring a set takes, about.
    fn a_set(&self) -> usize {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        // Chunks of one message have the same ends, which are looked at once.
        let ends = (collective.contributions() + collective.deliveries()) / u64::from(collective.chunks().max(1));
        network.node_count() + network.channel_count() + usize::try_from(ends).unwrap_or(usize::MAX / 4)
    }

    /// The pair that is farthest apart.
    fn latency(&mut self) {
        let collective = self.problem.collective();
        let mut ends: Vec<(Node, BTreeSet<Node>)> = Vec::new();
        let mut by_origin = vec![BTreeSet::new(); self.problem.network().node_count()];
        for run in collective.runs() {
            let (from, to) = (collective.contributors(run.first), collective.destinations(run.first));
            // One message is looked at in any case.
            if run.first.0 > 0 && !self.goes_on(from.len() * to.len()) {
                break;
            }
            for from in from {
                by_origin[from.index()].extend(to.iter().filter(|to| *to != from));
            }
        }
        ends.extend(self.problem.network().nodes().zip(by_origin).filter(|(_, to)| !to.is_empty()));
        let mut farthest: Option<(u64, Node, Node)> = None;
        for (from, to) in ends {
            let network = self.problem.network();
            if farthest.is_some() && !self.goes_on(network.node_count() + network.channel_count()) {
                break;
            }
            let earliest = earliest_from(self.problem, from);
            for to in to {
                let tick = earliest[to.index()].unwrap_or(0);
                if farthest.is_none_or(|(most, ..)| tick > most) {
                    farthest = Some((tick, from, to));
                }
            }
        }
        if let Some((_, from, to)) = farthest {
            self.offer(TimedProof::Latency { from, to });
        }
    }

    /// Single nodes, all but one, and balls around each origin by the time in which a message comes there.
    fn sets(&mut self) {
        let network = self.problem.network();
        // One is measured in any case, and those with the least bandwidth first.
        let bandwidth = |list: &[Channel]| list.iter().map(|c| u128::from(self.problem.bandwidth(*c))).sum::<u128>();
        let mut nodes = network.terminals().to_vec();
        nodes.sort_by_cached_key(|v| bandwidth(network.outgoing(*v)).min(bandwidth(network.incoming(*v))));
        nodes.extend(network.nodes().filter(|v| !network.is_terminal(*v)));
        for (at, node) in nodes.into_iter().enumerate() {
            if !self.goes_on(2 * self.a_set()) && at > 0 {
                return;
            }
            self.offer_set(|v| v == node);
            self.offer_set(|v| v != node);
            if at < SINGLE {
                self.note_for_pairs(|v| v == node);
                self.note_for_pairs(|v| v != node);
            }
        }
        for &node in network.terminals() {
            let ticks = earliest_from(self.problem, node);
            let radii: BTreeSet<u64> = ticks.iter().copied().flatten().collect();
            for radius in radii {
                if !self.goes_on(self.a_set()) {
                    return;
                }
                self.offer_set(|v| ticks[v.index()].is_some_and(|tick| tick <= radius));
            }
        }
    }

    /// Every message, or chunk, must come into, or out of, so many terminals.
    fn counted(&mut self, into: bool) {
        if !self.goes_on(self.a_set()) {
            return;
        }
        let network = self.problem.network();
        let end = |c| if into { network.to(c) } else { network.from(c) };
        let weight = |c| Rational::whole(u64::from(network.is_terminal(end(c))));
        self.offer(TimedProof::Lengths { weights: network.channels().map(weight).collect() });
    }
}

/// What the kernel grants to a proof: no ticks where it does not apply.
fn measure(problem: &TimedProblem, proof: &TimedProof) -> u64 {
    // The checker tells what a refused certificate proves, and no certificate proves so many ticks as are claimed.
    match certify(problem, TimedCertificate { ticks: u64::MAX, proof: proof.clone() }) {
        Err(TimedRefused::TooWeak { proves, .. }) => proves,
        Err(_) => 0,
        Ok(certified) => certified.ticks(),
    }
}

//! **What:** the best bound of weighted distances: the arc-forwarding linear program, by its dual.
//!
//! **Idea:** a step moves messages over each channel no more than its capacity. Whatever the weights of the channels,
//! the steps are at least the sum of the messages' weighted distances over the sum of weight × capacity. All weights 1
//! give the volume bound; the weights of a set's leaving channels give its cut; by duality the best weights give the
//! smallest largest load of any fractional routing, the (arc-)forwarding index.
//!
//! **Method:** route demands by shortest paths under the current prices ([`routing`]), raise the prices of what is loaded
//! most ([`spreading`]), repeat. The best prices bound from below, the spread of the demands from above; they need to agree only
//! after rounding up. What symmetry carries to each other shares a price ([`demands`]). The prices are then rounded to the coarsest
//! fractions that still prove the bound, which a small error cannot lower: rounding up forgives any error up to the
//! distance to the next smaller whole number. Where some routing by [`trees`] loads nothing more than the floor
//! says already, as on meshes whose floor is a cut, none of this is needed.
//!
//! **Ports:** under store-and-forward every hop takes a send and a receive port, so scarce ports are priced like channels.
//! Elsewhere a message takes one of each on its way, however it goes, which the finders `send` and `receive` count.
//!
//! **Odd nodes:** where links are half-duplex and ports few, a node may have an odd number of places for what crosses its
//! border in a step, which is even in number; then one place is idle in every step, and the node with all its places is
//! priced as one more resource.
//!
//! **Loses** nothing for messages with one destination each but what contention adds; for other messages see [`spanning`].
//!
//! **Source:** Heydemann, Meyer and Sotteau, "On forwarding indices of networks" (1989), for the index; Shahrokhi and Matula
//! (1990) for the method.

mod demands;
pub(super) mod late;
mod routing;
mod spanning;
mod spreading;
mod trees;

use super::{Finder, Wanted, is_unicast, measure};
use demands::{Demands, Share};
use kernel::orbits::OrbitProblem;
use kernel::{Certificate, Network, Node, OddSet, Problem, Proof, Rational};
use num_integer::gcd;
use run::Budget;
use spreading::{SAME, best_prices};

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "lengths",
    about: "best channel and port weights for weighted distances (for several destinations, lightest trees) over weighted capacity",
    source: "Heydemann, Meyer and Sotteau 1989; exponential prices as Shahrokhi and Matula 1990",
    find,
};

/// Common denominators to which prices are rounded, coarsest first.
const GRAINS: [u64; 12] = [1, 2, 3, 4, 6, 12, 60, 360, 2_520, 100_000, 10_000_000, FINEST];
const FINEST: u64 = 1_000_000_000;

fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    if problem.model().combining || problem.collective().message_count() == 0 {
        return None;
    }
    if !is_unicast(problem) {
        return spanning::find(problem, wanted, budget);
    }
    let prove = Search { demands: Demands::new(problem), network: problem.network(), wanted };
    prove.certificate(budget, &|proof| measure(problem, proof))
}

/// What even weights prove of more terminals than trees are looked for among, in a single pass over the problem.
pub(super) fn find_even(problem: &Problem, wanted: Wanted) -> Option<Certificate> {
    let is_large = problem.network().terminals().len() > kernel::lengths::MOST_TERMINALS;
    let applies = is_large && !problem.model().combining && problem.collective().message_count() > 0;
    (applies && !is_unicast(problem)).then(|| spanning::find_even(problem, wanted))?
}

/// The best proof for a problem with a symmetry, with weights that are equal within each orbit of channels.
pub(super) fn find_orbits(problem: &OrbitProblem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let prove = Search { demands: Demands::folded(problem), network: problem.network(), wanted };
    prove.certificate(budget, &|proof| super::measure_orbits(problem, proof))
}

/// What is looked for.
struct Search<'a> {
    demands: Demands,
    network: &'a Network,
    wanted: Wanted,
}

impl Search<'_> {
    /// The coarsest rounding of the best prices that proves as much as the finest one.
    fn certificate(mut self, budget: &mut Budget<'_>, measure: &dyn Fn(Proof) -> Certificate) -> Option<Certificate> {
        if self.demands.sources.is_empty() {
            return None;
        }
        // Where the floor is no less than some routing's load, there is nothing to prove, and no need to spread demands.
        let most = self.demands.load_of_trees(budget);
        if most.is_some_and(|most| (most * (1.0 - SAME)).ceil() <= self.wanted.floor as f64) {
            return None;
        }
        let found = best_prices(&mut self.demands, self.wanted, budget);
        let goal = (found.bound * (1.0 - SAME)).ceil() as u64;
        if goal <= self.wanted.floor {
            return None;
        }
        // What a rounding proves is seen by routing; the checker is asked about one that should do.
        let mut best: Option<Certificate> = None;
        for grain in GRAINS {
            let whole = WholePrices::new(&self.demands, &found.prices, grain);
            if grain != FINEST && (whole.bound(&self.demands) * (1.0 - SAME)).ceil() < goal as f64 {
                continue;
            }
            let claim = measure(whole.proof(self.network, &self.demands));
            let done = claim.steps >= goal || budget.is_over();
            if best.as_ref().is_none_or(|best| claim.steps > best.steps) {
                best = Some(claim);
            }
            if done {
                break;
            }
        }
        best
    }
}

/// Prices in whole numbers: of each channel, group or port of a resource, and of each place where a node has all around it.
struct WholePrices(Vec<u64>);

impl WholePrices {
    /// Of numbers up to `grain`.
    fn new(demands: &Demands, prices: &[f64], grain: u64) -> Self {
        let mut each = demands.each(prices);
        demands.odd_shares().for_each(|share| each[share.resource] /= share.places);
        let most = each.iter().copied().fold(0.0, f64::max);
        WholePrices(each.iter().map(|price| (price / most * grain as f64).round() as u64).collect())
    }

    /// What they prove, seen by routing.
    fn bound(&self, demands: &Demands) -> f64 {
        let mut prices: Vec<f64> = self.0.iter().zip(demands.members()).map(|(each, n)| *each as f64 * n).collect();
        demands.odd_shares().for_each(|share| prices[share.resource] *= share.places);
        demands.route(&prices).cost / prices.iter().sum::<f64>()
    }

    /// Weights of channels, of ports where there are too few, and of odd nodes.
    fn proof(&self, network: &Network, demands: &Demands) -> Proof {
        let place = |share: &Option<Share>| share.map_or(0, |share| self.0[share.resource]);
        let places: Vec<u64> = demands.odd().iter().map(place).collect();
        let weight = |channel| {
            let around = places[network.from(channel).index()] + places[network.to(channel).index()];
            over(self.0[demands.channel(channel).resource], u64::from(network.capacity(channel)), around)
        };
        let weights = network.channels().map(weight).collect();
        let [send, receive] = demands.ports().map(|ports| -> Vec<Rational> {
            let port = |(share, around): (&Option<Share>, &u64)| match share {
                Some(Share { resource, places }) => over(self.0[*resource], *places as u64, *around),
                None => Rational::whole(*around),
            };
            let list: Vec<Rational> = ports.iter().zip(&places).map(port).collect();
            if list.iter().any(|w| w.numerator > 0) { list } else { Vec::new() }
        });
        let odd = network.nodes().filter(|v| places[v.index()] > 0);
        let odd = odd.map(|v: Node| OddSet { nodes: vec![v], weight: Rational::whole(places[v.index()]) });
        let odd: Vec<OddSet> = odd.collect();
        match send.is_empty() && receive.is_empty() && odd.is_empty() {
            true => Proof::Lengths { weights },
            false => Proof::PortLengths { weights, send, receive, odd },
        }
    }
}

/// A price over a capacity, and so many more.
fn over(price: u64, capacity: u64, more: u64) -> Rational {
    let common = gcd(price, capacity).max(1);
    let (price, denominator) = (price / common, capacity / common);
    Rational { numerator: price.saturating_add(more.saturating_mul(denominator)), denominator }
}

//! **What:** the best bound of weighted distances: the arc-forwarding linear program, by column generation.
//!
//! **Idea:** a step moves messages over each channel no more than its capacity. Whatever the weights of the channels,
//! the steps are at least the sum of the messages' weighted distances over the sum of weight × capacity. All weights 1
//! give the volume bound; the weights of a set's leaving channels give its cut; by duality the best weights give the
//! smallest largest load of any fractional routing, the (arc-)forwarding index.
//!
//! **Method:** route everything by shortest paths under the current prices ([`routing`]); keep those routings; take the
//! prices under which no mixture of the kept routings is cheap ([`master`], solved by [`interior`] points, which lie
//! well inside the set of good prices and so need few rounds); stay for the most part with the best prices so far;
//! repeat. Each round gives a bound from below (the prices) and one from above (the mixture); they need to agree only
//! after rounding up. Sources that look alike share a routing. Where the linear programs would be too large for the
//! run's budget, following the slope ([`ascent`]) comes close instead. The prices are then rounded to the coarsest
//! fractions that still prove the bound, which a small error cannot lower: rounding up forgives any error up to the
//! distance to the next smaller whole number.
//!
//! **Ports:** under store-and-forward every hop takes a send and a receive port, so scarce ports are priced like channels.
//! Elsewhere a message takes one of each on its way, however it goes, which the finders `send` and `receive` count.
//!
//! **Odd nodes:** where links are half-duplex and ports few, a node may have an odd number of places for what crosses its
//! border in a step, which is even in number; then one place is idle in every step, and the node with all its places is
//! priced as one more resource.
//!
//! **Loses** nothing for messages with one destination each but what contention adds; for other messages it does not
//! apply.
//!
//! **Source:** Heydemann, Meyer and Sotteau, "On forwarding indices of networks" (1989), for the index; Dantzig and
//! Wolfe (1960) for the method; Gondzio, González-Brevis and Munari (2013) for interior points as prices; Pessoa,
//! Sadykov, Uchoa and Vanderbeck (2018) for how far to follow them.

mod ascent;
mod dense;
mod interior;
mod master;
mod routing;

use super::{Finder, Wanted, is_unicast, measure};
use ascent::{Ascent, Point};
use kernel::orbits::OrbitProblem;
use kernel::{Network, Node, OddSet, Problem, Proof, Rational};
use master::Master;
use num_integer::gcd;
use routing::{Demands, Flow};
use run::Run;
use std::collections::BTreeMap;

/// The registry's entry.
pub(super) const FINDER: Finder = Finder {
    name: "lengths",
    about: "the arc-forwarding linear program: best channel weights for weighted distances over weighted capacity",
    source: "Heydemann, Meyer and Sotteau 1989; column generation as Dantzig and Wolfe 1960",
    find,
};

/// Most rounds of column generation.
const ROUNDS: usize = 200;
/// How far new prices stay with the best known ones at first; without this the first rounds go astray.
const CAUTION: f64 = 0.8;
/// Most rounds of following the slope.
const ASCENTS: u64 = 400;
/// Rounds of column generation that the budget must allow for; otherwise the slope is followed.
const FEW: u64 = 24;
/// Floating-point operations that a tick of the run's settings pays for.
const OPERATIONS_A_TICK: u64 = 500;
/// Two numbers nearer than this (relatively) are equal.
const SAME: f64 = 1e-6;
/// Common denominators to which prices are rounded, coarsest first.
const GRAINS: [u64; 12] = [1, 2, 3, 4, 6, 12, 60, 360, 2_520, 100_000, 10_000_000, 1_000_000_000];

fn find(problem: &Problem, wanted: Wanted, run: &Run<'_>) -> Option<Proof> {
    if problem.model().combining || problem.collective().message_count() == 0 || !is_unicast(problem) {
        return None;
    }
    prove(&Demands::new(problem), problem.network(), wanted, run, &|proof| measure(problem, proof))
}

/// The best proof for a problem with a symmetry, with weights that are equal within each orbit of channels.
pub(super) fn find_orbits(problem: &OrbitProblem, wanted: Wanted, run: &Run<'_>) -> Option<Proof> {
    let measure = |proof: &Proof| super::measure_orbits(problem, proof);
    prove(&Demands::folded(problem), problem.network(), wanted, run, &measure)
}

fn prove(
    demands: &Demands,
    network: &Network,
    wanted: Wanted,
    run: &Run<'_>,
    measure: &dyn Fn(&Proof) -> u64,
) -> Option<Proof> {
    if demands.sources.is_empty() {
        return None;
    }
    let found = best_prices(demands, wanted, run);
    rounded(network, demands, &found, wanted, measure)
}

/// Prices (that sum to 1) and what they prove before rounding.
struct Found {
    prices: Vec<f64>,
    bound: f64,
}

/// The search for the best prices.
struct Search<'a> {
    demands: &'a Demands,
    wanted: Wanted,
    best: Found,
    /// The largest load of the best mixture of routings known.
    ceiling: f64,
}

impl Search<'_> {
    /// Routes everything under `prices`, which sum to 1, and notes what they prove.
    fn route(&mut self, prices: &[f64]) -> Vec<Flow> {
        let weights = self.demands.weights(prices);
        let flows: Vec<Flow> =
            (0..self.demands.sources.len()).map(|s| self.demands.route(s, &weights, prices)).collect();
        let bound = flows.iter().map(|flow| flow.work).sum();
        if bound > self.best.bound {
            self.best = Found { prices: prices.to_vec(), bound };
        }
        flows
    }

    /// The loads of every group together.
    fn loads(&self, flows: &[Flow], group_of: &[usize], groups: usize) -> Vec<Vec<f64>> {
        let mut loads = vec![vec![0.0; self.demands.resource_count()]; groups];
        for (flow, group) in flows.iter().zip(group_of) {
            loads[*group].iter_mut().zip(&flow.loads).for_each(|(at, load)| *at += load);
        }
        loads
    }

    /// Whether more rounds cannot raise the bound that counts, the one rounded up.
    fn settled(&self) -> bool {
        let (low, high) = ((self.best.bound * (1.0 - SAME)).ceil(), (self.ceiling * (1.0 - SAME)).ceil());
        low >= high
            || high <= self.wanted.floor as f64
            || self.wanted.ceiling.is_some_and(|ceiling| low >= ceiling as f64)
    }
}

fn best_prices(demands: &Demands, wanted: Wanted, run: &Run<'_>) -> Found {
    let mut prices = normalised(demands.even());
    let best = Found { prices: prices.clone(), bound: 0.0 };
    let mut search = Search { demands, wanted, best, ceiling: f64::INFINITY };
    let mut flows = search.route(&prices);
    let group_of = alike(&flows);
    let groups = group_of.iter().max().map_or(0, |g| g + 1);
    let mut master = Master::new(groups, demands.resource_count());
    let mut left = run.settings.ticks.saturating_mul(OPERATIONS_A_TICK);
    let mut caution = CAUTION;
    let mut target = prices.clone();
    for round in 0..ROUNDS {
        let loads = search.loads(&flows, &group_of, groups);
        let total = sum(&loads);
        search.ceiling = search.ceiling.min(total.iter().copied().fold(0.0, f64::max));
        // Where the bound still rises towards the master's prices, the next step may be bolder.
        let rises: f64 = (0..prices.len()).map(|r| total[r] * (target[r] - prices[r])).sum();
        caution = if rises > 0.0 { (caution - 0.1).max(0.0) } else { caution + 0.1 * (1.0 - caution) };
        loads.into_iter().enumerate().for_each(|(group, loads)| master.add(group, loads));
        if round == 0 && master.operations() > left / FEW {
            // Too few rounds of the master to get anywhere: the cheaper method has all the budget.
            ascend(&mut search, total, (left / demands.operations().max(1)).min(ASCENTS), run);
            break;
        }
        left = left.saturating_sub(master.operations() + demands.operations());
        if search.settled() || run.stopped() || left == 0 {
            break;
        }
        let gap = (search.ceiling - search.best.bound) / search.ceiling;
        let solved = master.solve(search.ceiling, (gap * 0.5).clamp(1e-9, 1e-2));
        search.ceiling = search.ceiling.min(solved.largest_load);
        if search.settled() {
            break;
        }
        target = solved.prices;
        let known = target.iter().zip(&search.best.prices);
        prices = known.map(|(new, old)| (1.0 - caution) * new + caution * old).collect();
        flows = search.route(&prices);
    }
    search.best
}

/// Rounds of following the slope from the best prices, which make these loads.
fn ascend(search: &mut Search<'_>, loads: Vec<f64>, rounds: u64, run: &Run<'_>) {
    let Found { prices, bound } = &search.best;
    let mut ascent = Ascent::new(Point { prices: prices.clone(), bound: *bound, loads });
    for _ in 0..rounds {
        if search.settled() || ascent.ended() || run.stopped() {
            break;
        }
        let prices = ascent.next();
        let flows = search.route(&prices);
        let bound = flows.iter().map(|flow| flow.work).sum();
        let mut loads = vec![0.0; prices.len()];
        flows.iter().for_each(|flow| loads.iter_mut().zip(&flow.loads).for_each(|(at, load)| *at += load));
        ascent.tried(Point { prices, bound, loads });
    }
}

fn sum(loads: &[Vec<f64>]) -> Vec<f64> {
    let mut total = vec![0.0; loads.first().map_or(0, Vec::len)];
    loads.iter().for_each(|loads| total.iter_mut().zip(loads).for_each(|(at, load)| *at += load));
    total
}

fn normalised(mut prices: Vec<f64>) -> Vec<f64> {
    let sum: f64 = prices.iter().sum();
    prices.iter_mut().for_each(|price| *price /= sum);
    prices
}

/// Sources whose shortest paths load equally many resources equally much share a group.
fn alike(flows: &[Flow]) -> Vec<usize> {
    let mut groups = BTreeMap::new();
    let of = flows.iter().map(|flow| {
        let mut key: Vec<i64> = flow.loads.iter().map(|load| (load * 1e6).round() as i64).collect();
        key.sort_unstable();
        let fresh = groups.len();
        *groups.entry(key).or_insert(fresh)
    });
    of.collect()
}

/// The coarsest rounding of the prices that proves as much as the finest one.
fn rounded(
    network: &Network,
    demands: &Demands,
    found: &Found,
    wanted: Wanted,
    measure: &dyn Fn(&Proof) -> u64,
) -> Option<Proof> {
    let goal = (found.bound * (1.0 - SAME)).ceil() as u64;
    if goal <= wanted.floor {
        return None;
    }
    let mut best: Option<(u64, Proof)> = None;
    for grain in GRAINS {
        let proof = weights(network, demands, &found.prices, grain);
        let steps = measure(&proof);
        if best.as_ref().is_none_or(|(most, _)| steps > *most) {
            best = Some((steps, proof));
        }
        if steps >= goal {
            break;
        }
    }
    best.map(|(_, proof)| proof)
}

/// Weights of channels, of ports where there are too few, and of odd nodes, whose prices are whole numbers up to `grain`.
fn weights(network: &Network, demands: &Demands, prices: &[f64], grain: u64) -> Proof {
    let each: Vec<f64> = demands.each(prices).collect();
    let most = each.iter().copied().fold(0.0, f64::max);
    let whole = |price: f64| (price / most * grain as f64).round() as u64;
    let prices: Vec<u64> = each.iter().map(|price| whole(*price)).collect();
    // A place at an odd node weighs the same on every channel and port there.
    let places: Vec<u64> = demands.odd().iter().map(|o| o.map_or(0, |(r, places)| whole(each[r] / places))).collect();
    let weight = |channel| {
        let around = places[network.from(channel).index()] + places[network.to(channel).index()];
        over(prices[demands.resource(channel)], u64::from(network.capacity(channel)), around)
    };
    let weights = network.channels().map(weight).collect();
    let [send, receive] = demands.ports().map(|ports| -> Vec<Rational> {
        let port = |(port, around): (&Option<(usize, f64)>, &u64)| match port {
            Some((resource, ports)) => over(prices[*resource], *ports as u64, *around),
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

/// A price over a capacity, and so many more.
fn over(price: u64, capacity: u64, more: u64) -> Rational {
    let common = gcd(price, capacity).max(1);
    let (price, denominator) = (price / common, capacity / common);
    Rational { numerator: price.saturating_add(more.saturating_mul(denominator)), denominator }
}

//! **What:** the best bound of weighted costs for messages with several destinations, and for chunks.
//!
//! **Idea:** as for single destinations, the cheapest ways of all messages over what channels and ports carry in a step; a message for
//! all costs a lightest tree, a chunk for all the tree that gathers it and one transfer more into each node
//! ([`kernel::lengths`]).
//!
//! **Method:** all channels, all send ports or all receive ports priced alike, which is best where nodes are alike; then prices that rise
//! with what the cheapest trees load them with (multiplicative weights), and their mean, which comes as near to the best as is wanted.
//!
//! Of more than [`kernel::lengths::MOST_TERMINALS`] terminals transfers are counted, so only even prices are tried.
//!
//! **Loses** where fractions of trees are fewer than whole ones.
//!
//! **Source:** J. Edmonds, Optimum branchings, 1967; S. Arora, E. Hazan, S. Kale, The multiplicative weights update method, 2012.

use crate::{Wanted, measure};
use kernel::lengths::{Costs, Transfers};
use kernel::{Certificate, Channel, Problem, Proof, Rational};
use run::Budget;

/// Rounds in which prices rise.
const ROUNDS: usize = 240;

/// Rounds between two looks at the mean.
const BETWEEN_LOOKS: usize = 24;

/// The largest price of one thing in whole numbers, while prices are looked for.
const FINE: f64 = 1e6;

/// Common denominators to which prices are rounded, coarsest first.
const GRAINS: [u64; 7] = [1, 2, 3, 6, 12, 60, 2520];

/// The strongest certificate found, where it proves more than is known.
pub(super) fn find(problem: &Problem, wanted: Wanted, budget: &mut Budget<'_>) -> Option<Certificate> {
    let things = Things::new(problem);
    let mut best: Option<Certificate> = None;
    let ended = things.try_even(wanted, &mut best, || budget.spend(things.cost));
    // Of too large a problem transfers are only counted, and nothing is gained by prices that differ.
    if ended || !things.can_be_loaded() {
        return best;
    }
    let mut sums = vec![0.0; things.all.len()];
    let mut loads = vec![0.0; things.all.len()];
    for round in 1..=ROUNDS {
        if !budget.spend(things.cost) {
            break;
        }
        let prices = things.prices(&loads, round);
        let total: f64 = prices.iter().zip(&things.all).map(|(p, t)| p * t.rate).sum();
        prices.iter().zip(&mut sums).for_each(|(p, sum)| *sum += p / total);
        things.load(&prices, &mut loads)?;
        if round % BETWEEN_LOOKS == 0 && things.try_prices(&sums, wanted, &mut best) {
            break;
        }
    }
    best
}

/// The same of even prices alone.
pub(super) fn find_even(problem: &Problem, wanted: Wanted) -> Option<Certificate> {
    let mut best = None;
    Things::new(problem).try_even(wanted, &mut best, || true);
    best
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Channels,
    Send,
    Receive,
}

/// What can be scarce: a channel, a half-duplex group, or the ports of a node.
struct Thing {
    kind: Kind,
    /// Transfers in a step.
    rate: f64,
}

struct Things<'a> {
    problem: &'a Problem,
    all: Vec<Thing>,
    /// Of each channel.
    channel: Vec<usize>,
    /// Of each node whose ports may be scarce.
    send: Vec<Option<usize>>,
    receive: Vec<Option<usize>>,
    /// Ticks of a round.
    cost: u64,
}

impl<'a> Things<'a> {
    fn new(problem: &'a Problem) -> Self {
        let network = problem.network();
        let mut all = Vec::new();
        let mut add = |kind, rate: u64| {
            all.push(Thing { kind, rate: rate.max(1) as f64 });
            all.len() - 1
        };
        let groups: Vec<usize> = network
            .half_duplex()
            .iter()
            .map(|group| {
                add(Kind::Channels, group.iter().map(|c| u64::from(network.capacity(Channel(*c)))).max().unwrap_or(1))
            })
            .collect();
        let channel = network
            .channels()
            .map(|c| match network.groups_of(c).next() {
                Some(group) => groups[group],
                None => add(Kind::Channels, u64::from(network.capacity(c))),
            })
            .collect();
        let send =
            network.nodes().map(|v| network.send_ports(v).map(|_| add(Kind::Send, network.send_capacity(v)))).collect();
        let receive = network
            .nodes()
            .map(|v| network.receive_ports(v).map(|_| add(Kind::Receive, network.receive_capacity(v))))
            .collect();
        let terminals = network.terminals().len() as u64;
        let trees = (problem.collective().message_count() as u64).min(terminals);
        let cost = terminals * (terminals * terminals * trees + network.channel_count() as u64);
        Things { problem, all, channel, send, receive, cost }
    }

    /// Whether trees can be looked for.
    fn can_be_loaded(&self) -> bool {
        let nothing = |count: usize| vec![0; count];
        let (channels, nodes) = (self.problem.network().channel_count(), self.problem.network().node_count());
        let idle = Costs { channels: nothing(channels), send: nothing(nodes), receive: nothing(nodes) };
        Transfers::new(self.problem, &idle).is_some()
    }

    /// Prices all channels alike, all send ports or all receive ports; whether there is nothing more to look for, or no time.
    fn try_even(&self, wanted: Wanted, best: &mut Option<Certificate>, mut goes_on: impl FnMut() -> bool) -> bool {
        [Kind::Channels, Kind::Send, Kind::Receive].into_iter().any(|kind| {
            let price = |t: &Thing| if t.kind == kind { 1.0 / t.rate } else { 0.0 };
            let prices: Vec<f64> = self.all.iter().map(price).collect();
            prices.iter().any(|p| *p > 0.0) && (!goes_on() || self.try_prices(&prices, wanted, best))
        })
    }

    /// Keeps what the coarsest rounding of prices proves, if that is more than is known; whether it is enough.
    fn try_prices(&self, prices: &[f64], wanted: Wanted, best: &mut Option<Certificate>) -> bool {
        for grain in GRAINS {
            let claim = measure(self.problem, self.proof(prices, grain));
            if claim.steps > best.as_ref().map_or(wanted.floor, |b| b.steps) {
                *best = Some(claim);
                break;
            }
        }
        best.as_ref().is_some_and(|b| wanted.reached(b.steps))
    }

    /// Prices after so many rounds: exponential in what was loaded.
    fn prices(&self, loads: &[f64], round: usize) -> Vec<f64> {
        let most = loads.iter().zip(&self.all).map(|(load, t)| load / t.rate).fold(1e-9, f64::max);
        let pace = 2.0 * (round as f64).sqrt();
        let price = |(load, t): (&f64, &Thing)| (pace * (load / t.rate / most - 1.0)).exp() / t.rate;
        loads.iter().zip(&self.all).map(price).collect()
    }

    /// Adds what the cheapest trees of all messages load.
    fn load(&self, prices: &[f64], loads: &mut [f64]) -> Option<()> {
        let most = prices.iter().copied().fold(0.0, f64::max);
        let whole = |at: usize| (prices[at] / most * FINE).round() as u128;
        let port = |at: &Option<usize>| at.map_or(0, whole);
        let costs = Costs {
            channels: self.channel.iter().map(|at| whole(*at)).collect(),
            send: self.send.iter().map(port).collect(),
            receive: self.receive.iter().map(port).collect(),
        };
        let transfers = Transfers::new(self.problem, &costs)?;
        let told: Result<(), ()> = transfers.each_run(|count, needed| {
            for transfer in &needed.transfers {
                let channels = transfers.path(*transfer).into_iter().map(|c| self.channel[c.index()]);
                let ports = self.send[transfer.from.index()].into_iter().chain(self.receive[transfer.to.index()]);
                channels.chain(ports).for_each(|at| loads[at] += count as f64);
            }
            Ok(())
        });
        told.ok()
    }

    /// Prices as a proof, in fractions of this denominator.
    fn proof(&self, prices: &[f64], grain: u64) -> Proof {
        let most = prices.iter().copied().fold(0.0, f64::max);
        let share = |at: usize| {
            let numerator = (prices[at] / most * grain as f64).round() as u64;
            let common = num_integer::gcd(numerator, grain).max(1);
            Rational { numerator: numerator / common, denominator: grain / common }
        };
        let port = |at: &Option<usize>| at.map_or(Rational::whole(0), share);
        let ports = |of: &[Option<usize>]| -> Vec<Rational> {
            let list: Vec<Rational> = of.iter().map(port).collect();
            if list.iter().any(|w| w.numerator > 0) { list } else { Vec::new() }
        };
        let weights = self.channel.iter().map(|at| share(*at)).collect();
        match (ports(&self.send), ports(&self.receive)) {
            (send, receive) if send.is_empty() && receive.is_empty() => Proof::Lengths { weights },
            (send, receive) => Proof::PortLengths { weights, send, receive, odd: Vec::new() },
        }
    }
}

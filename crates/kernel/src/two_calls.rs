//! **What:** the bound of few steps, in which whatever one node hears of another comes by two calls at most: what certificates of kind `two-calls` prove.
//!
//! **Theory.** In the first `wait` steps nobody has received anything that it could send on: `wait` is 1, or hop + 1 slots under time-division. So a call that
//! begins then tells of its sender alone, and what a later one brings could be sent on after 2 · `wait` steps at the earliest. In a schedule of no more steps
//! each node hears of another by one call, or by two that meet at a node in the middle, the first of which is *early* and the second *late*.
//!
//! Let it be worth something that one node hears of another, and let each channel and port have a price in each step. Give each early call that may be
//! followed to its receiver, and each late one to its sender. Then what the calls of a node make others hear is worth at most what the best choice of calls is
//! worth there, whatever others do; what such calls cost is taken off. The rest is heard by early calls that nobody can follow, each for itself.
//! All channels and ports together cost no more than their prices × capacities. Where everything is worth more than that, no schedule exists.
//!
//! Where messages do not combine, each has calls of its own, and all have the channels and ports in common.

mod choice;
mod gates;
mod matching;

use crate::step_prices::StepPrices;
use crate::{Node, Problem, Refused};
pub use choice::Choice;
pub use gates::{Call, Use};
use std::collections::{BTreeMap, BTreeSet};

/// What it is worth that one node hears of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// Of whom.
    pub from: Node,
    /// Who.
    pub to: Node,
    /// How much; below 2^32.
    pub weight: u64,
}

/// What hearing is worth, and what calls cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallPrices {
    /// Of pairs of nodes; others are worth nothing.
    pub worth: Vec<Worth>,
    /// What channels and ports cost.
    pub steps: StepPrices,
}

/// Most terminals, and most channels times steps.
const MOST_TERMINALS: usize = 256;
const MOST_PLACES: usize = 1 << 14;

/// Most sets of early calls at all nodes together.
const MOST_SETS_IN_ALL: usize = 1 << 18;

/// Who is to hear of whom, by transfers that carry nothing else.
#[derive(Clone, Debug)]
pub struct Hearing {
    /// The messages for which that is so; 1 where messages combine.
    pub messages: u64,
    /// Of each node, who is to hear of it.
    pub of: BTreeMap<Node, BTreeSet<Node>>,
}

/// One node that hears of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Heard {
    /// Of whom.
    pub from: Node,
    /// Who.
    pub to: Node,
}

/// Prices for a problem and a number of steps.
pub struct TwoCalls<'a> {
    problem: &'a Problem,
    steps: usize,
    /// Steps in which nothing is sent on.
    wait: usize,
    /// Steps between two channels of a path.
    hop: usize,
    prices: &'a CallPrices,
}

impl<'a> TwoCalls<'a> {
    /// Most steps in which nothing needs three calls.
    pub fn most_steps(problem: &Problem) -> u64 {
        2 * problem.model().switching.slots().map_or(1, |slots| u64::from(slots.hop) + 1)
    }

    /// Prices of schedules of so many steps.
    ///
    /// # Errors
    /// Where there are too many steps, nodes or channels, or not one price for each.
    pub fn new(problem: &'a Problem, steps: u64, prices: &'a CallPrices) -> Result<Self, Refused> {
        let (network, most) = (problem.network(), TwoCalls::most_steps(problem));
        if steps == 0 || steps > most {
            return refuse("in so many steps something might need more than two calls");
        }
        let (steps, channels) = (steps as usize, network.channel_count());
        if network.terminals().len() > MOST_TERMINALS || channels.saturating_mul(steps) > MOST_PLACES {
            return refuse("it is for at most 256 terminals, and 2^14 channels in all steps");
        }
        if !prices.steps.are_of(network) {
            return refuse("it needs one price a channel, or a node, for each step");
        }
        if !prices.steps.are_small() || prices.worth.iter().any(|worth| worth.weight >> 32 > 0) {
            return refuse("its numbers are below 2^32");
        }
        let named = prices.worth.iter().flat_map(|worth| [worth.from, worth.to]);
        if let Some(node) = named.max().filter(|v| v.index() >= network.node_count()) {
            return Err(Refused::NoSuchNode { node });
        }
        let hop = problem.model().switching.slots().map_or(0, |slots| slots.hop as usize);
        Ok(TwoCalls { problem, steps, wait: hop + 1, hop, prices })
    }

    /// Who is to hear of whom, of messages that combine together.
    pub fn hearings(problem: &Problem) -> Vec<Hearing> {
        let (collective, combining) = (problem.collective(), problem.model().combining);
        let mut all: Vec<Hearing> = Vec::new();
        let mut alike: BTreeMap<(Vec<Node>, Vec<Node>), usize> = BTreeMap::new();
        for message in collective.messages() {
            let (from, to) = (collective.contributors(message), collective.destinations(message));
            let at = match combining {
                true => 0,
                false => *alike.entry((from.to_vec(), to.to_vec())).or_insert(all.len()),
            };
            if at == all.len() {
                all.push(Hearing { messages: 0, of: BTreeMap::new() });
            }
            all[at].messages = if combining { 1 } else { all[at].messages + 1 };
            for node in from {
                all[at].of.entry(*node).or_default().extend(to.iter().filter(|v| *v != node));
            }
        }
        all
    }

    /// What channels and ports cost in all steps together.
    pub fn cost(&self) -> u128 {
        self.prices.steps.cost(self.problem.network())
    }

    /// What `hearing` is worth, for each pair of nodes.
    pub fn worth(&self, hearing: &Hearing) -> Vec<Vec<u64>> {
        let nodes = self.problem.network().node_count();
        let mut table = vec![vec![0; nodes]; nodes];
        for Worth { from, to, weight } in &self.prices.worth {
            if hearing.of.get(from).is_some_and(|hearers| hearers.contains(to)) {
                table[from.index()][to.index()] = *weight;
            }
        }
        table
    }

    /// Whether everything is worth more than can be: no schedule of so many steps exists.
    ///
    /// # Errors
    /// Where there are too many sets of calls.
    pub fn refutes(&self) -> Result<bool, Refused> {
        let (mut more, mut sets) = (0u128, 0);
        for hearing in TwoCalls::hearings(self.problem) {
            let worth = self.worth(&hearing);
            let mut most = 0u128;
            for &node in self.problem.network().terminals() {
                let best = self.best_at(node, &worth)?;
                sets += best.sets;
                if sets > MOST_SETS_IN_ALL {
                    return refuse(TOO_MANY);
                }
                most += u128::from(best.value) + u128::from(self.direct(node, &worth).value);
            }
            let all: u128 = worth.iter().flatten().map(|worth| u128::from(*worth)).sum();
            more += u128::from(hearing.messages) * all.saturating_sub(most);
        }
        Ok(more > self.cost())
    }
}

const TOO_MANY: &str = "the sets of calls that may meet at a node are too many to be listed";

fn refuse<T>(why: &'static str) -> Result<T, Refused> {
    Err(Refused::NotApplicable { kind: "two-calls", why })
}

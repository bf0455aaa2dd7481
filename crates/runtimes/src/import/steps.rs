//! **What:** list scheduling: in every step, of the transfers that can go, those first which most others wait for, one after the other. Then it is done again and again, those that came
//! last getting ahead of others, and the fewest steps are kept (squeaky wheel optimization: D. E. Joslin, D. P. Clements, 1999).
//!
//! **Facts:** in each step the first transfer finds its path free, so as many steps are enough as there are transfers. Where every connection has a channel
//! of its own, and no ports are in the way, no schedule that keeps the order of connections has fewer steps.

use super::{ImportError, Part, Sent, Transcript};
use graph::paths::{Paths, Way};
use graph::residual::Residual;
use kernel::{Channel, Problem, Switching};
use run::Budget;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Transfers by steps, in the order in which they were placed.
#[derive(Clone)]
pub(super) struct Placed {
    pub steps: Vec<Vec<u32>>,
    /// Of each transfer.
    pub paths: Vec<Vec<Channel>>,
}

/// Transfers that are placed again, and most rounds of that.
const MOST_PLACED: usize = 1 << 18;
const MOST_ROUNDS: usize = 2000;

/// A transfer that can go: those with the longest chain behind them, and late before, first, then the first.
type Ready = (u32, Reverse<u32>);

#[derive(Clone)]
struct Waits {
    /// Of each transfer, for how many others it waits.
    waits: Vec<u32>,
    /// Those that carry on what it brought, and may go a step later.
    later: Vec<Vec<u32>>,
    /// The next on its connection.
    next: Vec<Option<u32>>,
    /// Transfers of the longest chain that begins with it.
    chain: Vec<u32>,
    /// How far ahead of its chain it goes.
    ahead: Vec<u32>,
}

impl Waits {
    fn of(sends: &[Sent]) -> Self {
        let mut waits = vec![0; sends.len()];
        let (mut later, mut next) = (vec![Vec::new(); sends.len()], vec![None; sends.len()]);
        let mut last: HashMap<u32, u32> = HashMap::new();
        for (at, sent) in (0u32..).zip(sends) {
            for part in &sent.takes {
                if let Part::Came(by) = part {
                    later[*by as usize].push(at);
                    waits[at as usize] += 1;
                }
            }
            if let Some(before) = last.insert(sent.lane.connection, at) {
                next[before as usize] = Some(at);
                waits[at as usize] += 1;
            }
        }
        let mut chain = vec![1; sends.len()];
        for at in (0..sends.len()).rev() {
            let longest = later[at].iter().chain(&next[at]).map(|to: &u32| chain[*to as usize]).max();
            chain[at] += longest.unwrap_or(0);
        }
        Waits { waits, later, next, chain, ahead: vec![0; sends.len()] }
    }

    /// One less to wait for; whether none is left.
    fn is_free(&mut self, of: u32) -> bool {
        self.waits[of as usize] -= 1;
        self.waits[of as usize] == 0
    }

    fn ready(&self, of: u32) -> Ready {
        (self.chain[of as usize] + self.ahead[of as usize], Reverse(of))
    }
}

/// The fewest steps that are found, as far as channels and ports are free.
pub(super) fn place(of: &Transcript, problem: &Problem) -> Result<Placed, ImportError> {
    let mut paths = Paths::new(problem, Some(0));
    let mut waits = Waits::of(&of.sends);
    let longest = waits.chain.iter().max().map_or(0, |longest| *longest as usize);
    let mut best = place_once(of, problem, &mut paths, waits.clone())?;
    let mut last = best.clone();
    for _ in 0..MOST_ROUNDS.min(MOST_PLACED / of.sends.len().max(1)) {
        if best.steps.len() == longest {
            break;
        }
        // Whatever the last steps waited for.
        let steps = last.steps.len();
        for (step, placed) in last.steps.iter().enumerate() {
            for at in placed.iter().map(|at| *at as usize) {
                waits.ahead[at] += u32::from(step + waits.chain[at] as usize >= steps);
            }
        }
        last = place_once(of, problem, &mut paths, waits.clone())?;
        if last.steps.len() < best.steps.len() {
            best = last.clone();
        }
    }
    Ok(best)
}

/// The earliest steps, one transfer after the other.
fn place_once(
    of: &Transcript,
    problem: &Problem,
    paths: &mut Paths<'_>,
    mut waits: Waits,
) -> Result<Placed, ImportError> {
    let network = problem.network();
    let mut free = Residual::new(network);
    let begun = (0..of.sends.len() as u32).filter(|at| waits.waits[*at as usize] == 0);
    let mut ready: BinaryHeap<Ready> = begun.map(|at| waits.ready(at)).collect();
    let mut placed = Placed { steps: Vec::new(), paths: vec![Vec::new(); of.sends.len()] };
    while !ready.is_empty() {
        free.clear();
        let (mut step, mut held) = (Vec::new(), Vec::new());
        while let Some(first) = ready.pop() {
            let Reverse(at) = first.1;
            let sent = &of.sends[at as usize];
            let [from, to] = [sent.lane.from, sent.lane.to].map(|rank| of.nodes[rank as usize]);
            let is_it = |node| (node == to).then_some(());
            let Some((_, path)) = paths.nearest(&mut free, from, Way::On, is_it, &mut Budget::unlimited()) else {
                if step.is_empty() {
                    let way = match problem.model().switching {
                        Switching::StoreAndForward => "channel",
                        Switching::Wormhole | Switching::Tdm { .. } => "path",
                    };
                    let network = network.name().into();
                    return Err(ImportError::NoPath { from: sent.lane.from, to: sent.lane.to, network, way });
                }
                held.push(first);
                continue;
            };
            placed.paths[at as usize] = path.to_vec();
            step.push(at);
            if let Some(next) = waits.next[at as usize].filter(|next| waits.is_free(*next)) {
                ready.push(waits.ready(next));
            }
        }
        for at in &step {
            for to in std::mem::take(&mut waits.later[*at as usize]) {
                if waits.is_free(to) {
                    held.push(waits.ready(to));
                }
            }
        }
        ready.extend(held);
        placed.steps.push(step);
    }
    Ok(placed)
}

//! **What:** alltoall on a dragonfly hop by hop.
//!
//! **Promise:** the steps of the better of `vector-latin` and `vector-stream` on D3(K, M), that is M² + 2 where 2K ≤ M and at most
//! 2KM + 2 else, and one more where no local port ever rests. A group's M² messages for another cross one channel, so M² steps are needed.
//!
//! **Construction:** source vectors of colours, launched as on D3(K, M); the messages within groups that differ by x are sent
//! together, in the first step in which no vector uses local port x.
//!
//! **Source:** ours, after Draper; D. König 1916
//!
//! **Example:** `dragonfly:2,4`, 18 steps

use super::{ColouredDragonfly, swapped};
use crate::source_vectors::{Round, steps};
use crate::{vector_latin, vector_stream};
use construct::{Builder, Claim, Construction, Control, PortUse, Scope};
use kernel::{Network, Schedule};
use std::sync::OnceLock;
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "coloured-vectors",
    about: "dragonflies, store-and-forward: source vectors of a Swapped Dragonfly over coloured global channels",
    source: "ours, after Draper; Konig 1916",
    promise: "M^2+2 where 2K <= M, else at most 2KM+3",
    scope: Scope::store_and_forward().with(PortUse::All),
    is_automatic: true,
    examples: &[
        "dragonfly:2,4",
        "dragonfly:1,3",
        "dragonfly:3,2",
        "dragonfly:2,2",
        "dragonfly:2,4,5",
        "dragonfly:2,4,5,1",
        "dragonfly:3,3,2",
        "dragonfly:3,4,8,1",
    ],
    make: |request| Some(Box::new(Hops { d3: swapped(request)?, plan: OnceLock::new() })),
};

struct Hops {
    d3: SwappedDragonfly,
    /// Made when it is first asked for.
    plan: OnceLock<Plan>,
}

/// When what is sent.
struct Plan {
    rounds: Vec<Round>,
    /// The step of each local port in which it leads to where messages end that begin in the same group.
    within: Vec<u64>,
    steps: u64,
}

impl Plan {
    fn new(d3: SwappedDragonfly) -> Self {
        let known = [vector_stream::rounds(d3), vector_latin::rounds(d3)];
        let rounds = known.into_iter().min_by_key(|rounds| steps(rounds)).expect("there are two");
        let (steps, ports) = (steps(&rounds), d3.drawers() as usize);
        let mut busy = vec![vec![false; steps as usize + 1]; ports];
        for (start, vector) in rounds.iter().flat_map(|round| round.vectors.iter().map(|v| (round.start as usize, v))) {
            busy[vector.first as usize][start] = true;
            busy[vector.last as usize].get_mut(start + 2).into_iter().for_each(|busy| *busy = true);
        }
        // The last step, which no vector needs, is always free.
        let rests = |port: &Vec<bool>| port.iter().position(|busy| !busy).unwrap_or(steps as usize) as u64;
        let within: Vec<u64> = busy.iter().skip(1).map(rests).collect();
        let last = within.iter().map(|step| step + 1).max().unwrap_or(0);
        Plan { rounds, within, steps: steps.max(last) }
    }
}

impl Hops {
    fn plan(&self) -> &Plan {
        self.plan.get_or_init(|| Plan::new(self.d3))
    }
}

impl Builder for Hops {
    fn promise(&self) -> Option<u64> {
        Some(self.plan().steps)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let plan = self.plan();
        let (m, steps) = (self.d3.drawers() as usize, usize::try_from(plan.steps).ok()?);
        let dragonfly = ColouredDragonfly::new(network, m, self.d3.cabinets() as usize)?;
        let mut begins = vec![Vec::new(); steps];
        for round in &plan.rounds {
            begins[round.start as usize].extend_from_slice(&round.vectors);
        }
        let mut schedule = Schedule::new();
        for step in 0..steps {
            schedule.begin_step();
            for hop in (0..3).filter(|hop| *hop <= step) {
                for vector in &begins[step - hop] {
                    let [colour, first, last] = [vector.global, vector.first, vector.last].map(|port| port as usize);
                    control.work(dragonfly.nodes())?;
                    // By the router whose global channel it crosses.
                    for middle in 0..dragonfly.nodes() {
                        let Some((global, far)) = dragonfly.leaves(middle, colour) else { continue };
                        let from = dragonfly.moved(middle, m - first);
                        let message = dragonfly.message(from, dragonfly.moved(far, last));
                        match hop {
                            0 if first > 0 => schedule.send(message, &[dragonfly.local(from, first)]),
                            1 => schedule.send(message, &[global]),
                            2 if last > 0 => schedule.send(message, &[dragonfly.local(far, last)]),
                            _ => {}
                        }
                    }
                }
            }
            for (port, _) in (1..m).zip(&plan.within).filter(|(_, own)| **own == step as u64) {
                for from in 0..dragonfly.nodes() {
                    schedule.send(dragonfly.message(from, dragonfly.moved(from, port)), &[dragonfly.local(from, port)]);
                }
            }
        }
        Some(Claim::Plain(schedule))
    }
}

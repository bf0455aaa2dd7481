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

use super::{Frame, parameters};
use crate::hops::{HopConstruction, HopForm};
use crate::vectors::Launches;
use crate::{vector_latin, vector_stream};
use kernel::{Network, Schedule, Switching};
use topologies::families::swapped_dragonfly::SwappedDragonfly;

/// The construction's line in the registry.
pub const CONSTRUCTION: HopConstruction = HopConstruction {
    name: "coloured-vectors",
    about: "dragonflies, store-and-forward: source vectors of a Swapped Dragonfly over coloured global channels",
    source: "ours, after Draper; Konig 1916",
    promise: "M^2+2 where 2K <= M, else at most 2KM+3",
    is_usual: true,
    switching: Switching::StoreAndForward,
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
    make: |spec| Some(Box::new(Hops::new(parameters(spec)?))),
};

struct Hops {
    d3: SwappedDragonfly,
    launches: Launches,
    /// The step of each local port in which it leads to where messages end that begin in the same group.
    within: Vec<u64>,
    steps: u64,
}

impl Hops {
    fn new(d3: SwappedDragonfly) -> Self {
        let known = [vector_stream::launches(d3), vector_latin::launches(d3)];
        let launches = known.into_iter().min_by_key(Launches::steps).expect("there are two");
        let (steps, ports) = (launches.steps(), d3.drawers() as usize);
        let mut busy = vec![vec![false; steps as usize + 1]; ports];
        for (step, vector) in launches.rounds.iter().flat_map(|(step, round)| round.iter().map(move |v| (step, v))) {
            busy[vector.first as usize][*step as usize] = true;
            busy[vector.last as usize].get_mut(*step as usize + 2).into_iter().for_each(|busy| *busy = true);
        }
        // The last step, which no vector needs, is always free.
        let rests = |port: &Vec<bool>| port.iter().position(|busy| !busy).unwrap_or(steps as usize) as u64;
        let within: Vec<u64> = busy.iter().skip(1).map(rests).collect();
        let last = within.iter().map(|step| step + 1).max().unwrap_or(0);
        Hops { d3, launches, within, steps: steps.max(last) }
    }
}

impl HopForm for Hops {
    fn steps(&self, _combining: bool) -> u64 {
        self.steps
    }

    fn is_one_port(&self) -> bool {
        false
    }

    fn schedule(&self, network: &Network, _combining: bool) -> Option<Schedule> {
        let (m, steps) = (self.d3.drawers() as usize, usize::try_from(self.steps).ok()?);
        let frame = Frame::new(network, m, self.d3.cabinets() as usize)?;
        let mut begins = vec![Vec::new(); steps];
        for (step, round) in &self.launches.rounds {
            begins[*step as usize].extend_from_slice(round);
        }
        let mut schedule = Schedule::new();
        for step in 0..steps {
            schedule.begin_step();
            for hop in (0..3).filter(|hop| *hop <= step) {
                for vector in &begins[step - hop] {
                    let [colour, first, last] = [vector.global, vector.first, vector.last].map(|port| port as usize);
                    // By the router whose global channel it crosses.
                    for middle in 0..frame.nodes() {
                        let Some((global, far)) = frame.leaves(middle, colour) else { continue };
                        let from = frame.moved(middle, m - first);
                        let message = frame.message(from, frame.moved(far, last));
                        match hop {
                            0 if first > 0 => schedule.send(message, &[frame.local(from, first)]),
                            1 => schedule.send(message, &[global]),
                            2 if last > 0 => schedule.send(message, &[frame.local(far, last)]),
                            _ => {}
                        }
                    }
                }
            }
            for (port, _) in (1..m).zip(&self.within).filter(|(_, own)| **own == step as u64) {
                for from in 0..frame.nodes() {
                    schedule.send(frame.message(from, frame.moved(from, port)), &[frame.local(from, port)]);
                }
            }
        }
        Some(schedule)
    }
}

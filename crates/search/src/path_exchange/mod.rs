//! **What:** the engine `weaving`: messages for one destination each, on networks where symmetry is of no help.
//!
//! **Idea.** Instead of placing paths, it keeps every channel of every step in use ([`loom`]): channels form strands, and a
//! strand moves the message of its ends. Where two strands of a step meet they can exchange what follows, which changes
//! the messages that are moved but wastes no channel. What counts is which messages no strand moves.
//!
//! **Moves** ([`moves`]). A missing message gets a strand in the cheapest way there is in any step; between such moves
//! strands that no message needs exchange their ends at random with others, at a low temperature, which brings about
//! openings that no single move sees. A mend may use the strand of a message for which there is an opening elsewhere
//! ([`openings`]). The longer it takes with so many steps, the more random moves lie between mends, as if it cooled down.
//! A missing message weighs more the dearer its way is and the more often it was missing. From a complete schedule the
//! step that matters least is taken away, and so on down to the floor. Two looms go about it with different random
//! numbers, haste and [`tolls`] (by how [scarce](scarcity) channels are), and are compared after every round, so the answer does not depend on the number of threads.
//!
//! **Knobs:** [`CALM`], [`MORE`], [`TEMPERATURE`], [`PICK`], [`frame::PIECE`], [`frame::STEEP`] and those of [`tolls`].
//!
//! **Symmetry.** A loom may be [folded](foldings) by a group: a layer stands for as many steps as the group has elements.
//!
//! **When it loses.** It knows no ports, no half-duplex groups and no limit on the length of paths. It has no groups that shift time
//! by less than a layer: `packing` is better on symmetric networks, much so on large ones.
//!
//! **Source:** ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) and dynamic weights as in `packing`.

mod bag;
mod foldings;
mod frame;
mod loom;
mod moves;
mod openings;
mod reach;
mod scarcity;
mod tolls;
mod weaver;

use crate::{packing, packing::lanes::Lanes};
use kernel::{Channel, Message, Problem, Schedule};
use run::{Budget, Decline, Method, Run, Settings};
use weaver::Weaver;

/// The engine.
pub struct PathExchange;

/// Turns of a loom, about.
const SLICES: u64 = 48;

impl Method for PathExchange {
    fn name(&self) -> &'static str {
        "path-exchange"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["weaving"]
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: exchanges the ends of paths that meet, with no channel ever idle"
    }

    fn source(&self) -> &'static str {
        "ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983)"
    }

    fn applies(&self, problem: &Problem) -> bool {
        crate::Packing.applies(problem) && is_plain(problem)
    }

    fn declines(&self, _: &Problem, settings: &Settings) -> Option<Decline> {
        settings.slack.map(|_| Decline {
            why: "exchanged paths may become longer than --slack allows".to_owned(),
            hint: "leave --slack out, or use packing".to_owned(),
        })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        if self.declines(problem, &run.settings).is_some() {
            return None;
        }
        let open = packing::open(problem);
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let lanes = Lanes::new(problem.network(), &mut budget)?;
        let goal = usize::try_from(run.goal(floor).max(1)).ok()?;
        let known = run.incumbent.map(|known| known.steps());
        let mut best = None;
        let written = run.incumbent.and_then(|known| known.expanded().ok());
        let placed = match written.and_then(|known| packing::placed(problem, &lanes, &open, &known)) {
            Some(placed) => placed,
            None => {
                let mut random = run.settings.seed.generator(u64::MAX);
                let placed = packing::first_fit(problem, &lanes, &open, &mut random, 0, &mut budget)?;
                best = Some(packing::unfolded(problem, &lanes, &open, &placed));
                placed
            }
        };
        let steps =
            |best: &Option<Schedule>| best.iter().map(Schedule::step_count).chain(known).min().unwrap_or(usize::MAX);
        if steps(&best) <= goal {
            return best;
        }
        let frames = foldings::frames(Start { problem, lanes: &lanes, open: &open, run, placed }, goal, &mut budget);
        let weavers = frames.iter().zip(0..).filter_map(|((frame, start), at)| Weaver::new(frame, start, goal, at));
        let mut weavers: Vec<Weaver<'_>> = weavers.collect();
        // They take turns, short ones where there is little time.
        let looks = (budget.left() / (SLICES * weavers.len().max(1) as u64)).clamp(1 << 14, 1 << 18);
        while !weavers.is_empty() && !budget.is_over() {
            for weaver in &mut weavers {
                let before = weaver.spent();
                if let Some(list) = weaver.round(looks).filter(|_| weaver.steps() < steps(&best)) {
                    best = Some(packing::scheduled(problem, &lanes, list));
                    run.progress.found(self.name(), steps(&best) as u64);
                }
                if !budget.spend(weaver.spent() - before) {
                    break;
                }
            }
            weavers.retain(|weaver| weaver.least() < steps(&best));
        }
        best
    }
}

/// What a search begins with.
#[derive(Clone)]
pub(crate) struct Start<'a> {
    pub problem: &'a Problem,
    pub lanes: &'a Lanes,
    /// The messages that have to go somewhere.
    pub open: &'a [Message],
    pub run: &'a Run<'a>,
    /// Lanes and a layer for each message, or for one of each orbit.
    pub placed: Vec<(Vec<u32>, u32)>,
}

impl Start<'_> {
    /// Layers of what is placed.
    fn layers(&self) -> usize {
        self.placed.iter().map(|(_, layer)| *layer as usize + 1).max().unwrap_or(0)
    }
}

/// Whether nothing but channels limits a step, and a schedule of so many steps is not too large.
pub(crate) fn holds(problem: &Problem, steps: usize) -> bool {
    is_plain(problem) && frame::is_small(problem.network(), steps)
}

/// Whether nothing but channels limits a step.
fn is_plain(problem: &Problem) -> bool {
    let network = problem.network();
    let is_free = |ports: Option<u32>, channels: &[Channel]| {
        ports.is_none_or(|ports| {
            channels.iter().map(|c| u64::from(network.capacity(*c))).sum::<u64>() <= u64::from(ports)
        })
    };
    network.half_duplex().iter().all(|group| group.len() < 2)
        && network.nodes().all(|v| {
            is_free(network.send_ports(v), network.outgoing(v))
                && is_free(network.receive_ports(v), network.incoming(v))
        })
}

#[cfg(test)]
mod tests;

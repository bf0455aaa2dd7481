//! **What:** the method `path-exchange`: messages for one destination each, on networks where symmetry is of no help.
//!
//! **Method.** Instead of placing paths, it keeps every channel of every step in use ([`layout`]): channels form paths, and a
//! path moves the message of its ends. Where two paths of a step meet they can exchange what follows, which changes
//! the messages that are moved but wastes no channel. What counts is which messages no path moves. A missing message gets a
//! path in the cheapest way there is in any step ([`moves`]); between such repairs paths that no message needs exchange their ends
//! at random with others, at a low temperature, which brings about openings that no single move sees. A missing message
//! weighs more the dearer its way is and the more often it was missing. From a complete schedule the step that matters
//! least is taken away, and so on down to the floor ([`search`]). Where there are symmetries, a layout is divided by a group of
//! them at first ([`network`]); where that finds nothing better any more, it is gone on with in whole.
//!
//! **Parameters.** The temperature and how many random moves there are ([`search`]); [arc prices](arc_prices), by the
//! [congestion](graph::congestion) of channels.
//!
//! **When it loses.** It knows no ports, no half-duplex groups and no limit on the length of paths. Where a large group leads to
//! the floor itself, `packing` is faster.
//!
//! **Source:** ours; simulated annealing (Kirkpatrick, Gelatt and Vecchi, 1983) and dynamic weights as in `packing`.

mod arc_prices;
mod indexed_set;
mod layout;
mod moves;
mod network;
mod search;

use crate::emit::{self, Sent};
use crate::first_fit::FirstFit;
use crate::forced;
use crate::quotient::OrbitQuotient;
use crate::resources::{Resources, open_messages};
use arc_prices::ArcPrices;
use graph::symmetry::{Ends, FreeGroup, free_groups};
use kernel::{Channel, Message, Problem, Schedule};
use layout::StepLayout;
use network::ArcNetwork;
use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Decline, Method, Run};
use search::Annealing;
use std::cmp::Reverse;

/// The method.
pub struct PathExchange;

/// Reports while it works, about.
const REPORTS: u64 = 96;
/// The fewest steps of a layout divided by a group: the images of a step come and go together.
const FEWEST_STEPS: usize = 24;

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

    fn declines(&self, _: &Problem, run: &Run<'_>) -> Option<Decline> {
        run.settings.slack.map(|_| Decline {
            why: "exchanged paths may become longer than --slack allows".to_owned(),
            hint: "leave --slack out, or use packing".to_owned(),
        })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        if self.declines(problem, run).is_some() {
            return None;
        }
        let open = open_messages(problem);
        if open.is_empty() {
            return Some(Schedule::new());
        }
        let mut budget = Budget::new(run, run.settings.ticks);
        let resources = Resources::new(problem, &mut budget)?;
        let least = forced::steps(&resources, &open, &mut budget);
        let goal = usize::try_from(run.goal(floor).max(least).max(1)).ok()?;
        let mut random = run.settings.seed.generator(u64::MAX);
        let mut best = None;
        let written = run.incumbent.and_then(|known| known.expanded().ok());
        let sent = match written.and_then(|known| sent_once(&resources, &open, &known)) {
            Some(sent) => sent,
            None => {
                let sent = FirstFit::new(&resources).paths(&open, 0, &mut random, &mut budget)?;
                best = Some(emit::schedule(&resources, 0, sent.clone()));
                sent
            }
        };
        let known = best.iter().map(Schedule::step_count).chain(run.incumbent.map(|known| known.steps())).min();
        let steps = known.unwrap_or(usize::MAX);
        if steps <= goal || !network::is_small(problem.network(), layers(&sent)) {
            return best;
        }
        let Some(network) = ArcNetwork::new(&resources, &open, &mut budget) else { return best };
        let Some(prices) = ArcPrices::new(&network, &mut budget) else { return best };
        let mut work = Work { run, resources: &resources, prices: &prices, goal, steps, sent, best, budget };
        if let Some((divided, sent)) = work.divided(&network, &open, &mut random) {
            let ticks = work.budget.left() / 4 * 3;
            work.exchange(&divided, &sent, ticks);
            if work.steps < steps {
                // What is found in whole has no symmetry to go on with.
                run.note_wants_more();
                return work.best;
            }
        }
        let (sent, ticks) = (work.sent.clone(), work.budget.left());
        work.exchange(&network, &sent, ticks);
        work.best
    }
}

/// What is known while the search goes on.
struct Work<'a> {
    run: &'a Run<'a>,
    resources: &'a Resources<'a>,
    prices: &'a ArcPrices,
    goal: usize,
    /// Of the best schedule known; what it sends, if it can be begun with; and that schedule where it was found here.
    steps: usize,
    sent: Vec<Sent>,
    best: Option<Schedule>,
    budget: Budget<'a>,
}

impl Work<'_> {
    /// The network divided by a group, with paths in steps for one message of each orbit: by the largest group of those with which
    /// the fewest steps can be reached, if these are fewer than are known.
    fn divided(
        &mut self,
        network: &ArcNetwork,
        open: &[Message],
        random: &mut Pcg64Mcg,
    ) -> Option<(ArcNetwork, Vec<Sent>)> {
        let (resources, seed) = (self.resources, self.run.settings.seed);
        let ends = Ends::new(resources.problem, open);
        let ticks = self.budget.left() / 8;
        let mut groups = self.budget.within(ticks, |part| free_groups(resources.problem, &ends, seed, part));
        let reached = |group: &FreeGroup| self.goal.next_multiple_of(group.elements.len());
        groups.retain(|group| self.goal / group.elements.len() >= FEWEST_STEPS && reached(group) < self.steps);
        let group = groups.into_iter().min_by_key(|group| (reached(group), Reverse(group.elements.len())))?;
        let quotient = OrbitQuotient::new(resources, &ends, open, group, &mut self.budget)?;
        let network = network.divided(&quotient);
        if let Some(sent) = network.first_images(&self.sent) {
            return Some((network, sent));
        }
        // Any of each orbit, as the first ones would all begin at the same few nodes.
        let elements = &quotient.group.elements;
        let mut any = |m: &Message| ends.image(&elements[random.random_range(0..elements.len())], *m);
        let some: Vec<Message> = quotient.messages.iter().map(&mut any).collect::<Option<_>>()?;
        let sent = FirstFit::new(resources).paths(&some, 0, random, &mut self.budget)?;
        Some((network, sent))
    }

    /// Works down from what is sent, within so many ticks.
    fn exchange(&mut self, network: &ArcNetwork, sent: &[Sent], ticks: u64) {
        let layers = layers(sent);
        if self.steps <= self.goal || layers == 0 || self.run.stopped() {
            return;
        }
        let mut layout = StepLayout::new(network, self.prices, layers);
        layout.lay(sent);
        let mut annealing = Annealing::new(layout, self.goal.div_ceil(network.order()), self.run);
        let part = (ticks / REPORTS).clamp(1 << 15, 1 << 19);
        while annealing.spent() < ticks && !annealing.is_done() && !self.run.stopped() {
            let before = annealing.spent();
            if let Some(sent) = annealing.go_on(part) {
                let found = emit::schedule(self.resources, 0, sent.clone());
                if found.step_count() < self.steps {
                    self.steps = found.step_count();
                    self.run.progress.found("path-exchange", self.steps as u64);
                    (self.sent, self.best) = (sent, Some(found));
                }
            }
            if !self.budget.spend(annealing.spent() - before) {
                break;
            }
        }
    }
}

/// Steps in which something is sent.
fn layers(sent: &[Sent]) -> usize {
    sent.iter().map(|sent| sent.step as usize + 1).max().unwrap_or(0)
}

/// The path and the step of each message, in the order of `open`, in a schedule that sends each once, on one path.
fn sent_once(resources: &Resources<'_>, open: &[Message], schedule: &Schedule) -> Option<Vec<Sent>> {
    let (network, collective) = (resources.problem.network(), resources.problem.collective());
    let mut all = vec![None; collective.message_count()];
    for (step, transfers) in (0u32..).zip(schedule.steps()) {
        for transfer in transfers {
            let (&[message], Some(&last)) = (transfer.messages, transfer.path.last()) else { return None };
            // Paths begin where a message is: those that end where it is to be are whole.
            if network.to(last) != collective.destinations(message)[0] || all[message.index()].is_some() {
                return None;
            }
            let path = transfer.path.iter().map(|c| resources.lane(*c)).collect();
            all[message.index()] = Some(Sent { step, message, path });
        }
    }
    open.iter().map(|m| all[m.index()].take()).collect()
}

/// Whether nothing but channels limits a step, and a schedule of so many steps is not too large.
pub(crate) fn fits(problem: &Problem, steps: usize) -> bool {
    is_plain(problem) && network::is_small(problem.network(), steps)
}

/// Whether nothing but channels limits a step.
pub(crate) fn is_plain(problem: &Problem) -> bool {
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

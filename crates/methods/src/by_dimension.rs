//! **What:** the method `by-dimension`: on a network that is a product, allreduce, barrier and combined messages along one factor after the other.
//!
//! **Theory:** in all copies of a factor at once the same schedule runs, and no two copies share a channel. After the phases of some factors everybody has the sum
//! of (or has heard of) all who differ from it in their coordinates alone, which is what it begins the next phase with.
//!
//! **Method.** The factors are found by structure ([`graph::factors`]); equal ones are solved once, each by the best method for it.
//!
//! **Loses** where a phase leaves channels of the other factors idle that could be of use.
//!
//! **Source:** dimension-order collectives on meshes and tori: E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication: theory, practice, and
//! experience, 2007.

use crate::nested::quick_best_in_family;
use graph::factors::{Factor, factors};
use kernel::{
    Channel, Collective, Message, Network, NetworkData, Node, Op, Ports, Problem, Schedule, Semantics, Transfer,
};
use run::{Budget, Method, Run};
use search::transform::spoken;
use std::collections::HashMap;

/// The method.
pub struct ByDimension;

const NAME: &str = "by-dimension";

/// Most nodes times links, for the distances that factors are found by.
const MOST_LOOKS: usize = 1 << 26;

impl Method for ByDimension {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "combined messages, allreduce and barrier on products of networks: along one factor after the other"
    }

    fn source(&self) -> &'static str {
        "E. Chan, M. Heimlich, A. Purkayastha, R. van de Geijn, Collective communication: theory, practice, and experience, 2007"
    }

    fn applies(&self, problem: &Problem) -> bool {
        let (network, collective) = (problem.network(), problem.collective());
        let told =
            problem.model().combining && collective.semantics() == Semantics::Copy && collective.message_count() > 1;
        let ports = [&network.data().send_ports, &network.data().receive_ports];
        !problem.model().is_slotted()
            && network.terminals().len() == network.node_count()
            && network.half_duplex().is_empty()
            && network.channels().all(|c| network.capacity(c) == 1)
            && ports.iter().all(|ports| !matches!(ports, Ports::List(_)))
            && network.node_count() * network.channel_count() <= MOST_LOOKS
            && (told || crate::doubling::is_sum_of_all(problem))
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let found = factors(problem.network(), &mut Budget::new(run, run.settings.ticks)).ok()?;
        if found.len() < 2 {
            return None;
        }
        let merges = problem.collective().semantics() == Semantics::Reduce;
        let mut solved: Vec<(&Factor, Schedule)> = Vec::new();
        let mut phases = Phases::new(problem.network());
        for factor in &found {
            let alike =
                solved.iter().position(|(known, _)| (known.nodes, &known.channels) == (factor.nodes, &factor.channels));
            let at = match alike {
                Some(at) => at,
                None => {
                    solved.push((factor, of_factor(problem, factor, merges, run)?));
                    solved.len() - 1
                }
            };
            phases.add(factor, &solved[at].1)?;
        }
        Some(if merges { phases.schedule } else { spoken(problem, &phases.schedule) })
    }
}

/// The best schedule of a factor by itself, in which everybody gets the sum of all or hears of all.
fn of_factor(problem: &Problem, factor: &Factor, merges: bool, run: &Run<'_>) -> Option<Schedule> {
    let data = problem.network().data();
    let network = Network::new(NetworkData {
        name: "factor".into(),
        nodes: factor.nodes,
        channels: factor.channels.clone(),
        send_ports: data.send_ports.clone(),
        receive_ports: data.receive_ports.clone(),
        ..NetworkData::default()
    })
    .ok()?;
    let all = network.terminals().to_vec();
    let collective = if merges { Collective::allreduce(&all) } else { Collective::allgather(&all, &all) };
    let part = Problem::new(network, collective, problem.model()).ok()?;
    quick_best_in_family(&[NAME], &part, run)
}

/// The schedule of the factors so far.
struct Phases<'a> {
    network: &'a Network,
    schedule: Schedule,
    /// How many partial results came to each node.
    came: Vec<u32>,
    /// Those that it has merged, its own contribution among them.
    merged: Vec<Vec<u32>>,
}

impl<'a> Phases<'a> {
    fn new(network: &'a Network) -> Self {
        let nodes = network.node_count();
        Phases { network, schedule: Schedule::new(), came: vec![0; nodes], merged: vec![vec![0]; nodes] }
    }

    /// Adds the schedule of a factor, in all of its copies.
    fn add(&mut self, factor: &Factor, schedule: &Schedule) -> Option<()> {
        let network = self.network;
        let digit = |v: Node| factor.digits[v.index()];
        let leads: HashMap<(Node, u32), Channel> = network
            .channels()
            .filter(|c| digit(network.from(*c)) != digit(network.to(*c)))
            .map(|c| ((network.from(c), digit(network.to(c))), c))
            .collect();
        let (begun, before) = (self.merged.clone(), self.came.clone());
        let mut copies: Vec<Vec<Node>> = vec![Vec::new(); factor.nodes as usize];
        network.nodes().for_each(|v| copies[digit(v) as usize].push(v));
        for step in schedule.steps() {
            self.schedule.begin_step();
            for transfer in step {
                // Of channels of the factor in their order.
                let ends: Vec<(u32, u32)> = transfer.path.iter().map(|c| factor.channels[c.index()]).collect();
                for &start in &copies[ends.first()?.0 as usize] {
                    let (mut at, mut path) = (start, Vec::with_capacity(ends.len()));
                    for (_, to) in &ends {
                        let channel = *leads.get(&(at, *to))?;
                        path.push(channel);
                        at = network.to(channel);
                    }
                    let partials: Vec<u32> = transfer
                        .partials
                        .iter()
                        .flat_map(|partial| match partial {
                            0 => begun[start.index()].clone(),
                            later => vec![before[start.index()] + later],
                        })
                        .collect();
                    let op = transfer.op;
                    self.schedule.push(Transfer { op, partials: &partials, ..Transfer::new(&[Message(0)], &path) });
                    self.came[at.index()] += 1;
                    match op {
                        Op::Keep => {}
                        Op::Copy => self.merged[at.index()] = vec![self.came[at.index()]],
                        Op::Reduce => self.merged[at.index()].push(self.came[at.index()]),
                    }
                }
            }
        }
        Some(())
    }
}

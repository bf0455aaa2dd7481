//! **What:** the method `side-by-side`: a collective that falls into groups of nodes without a message between them, each on the channels
//! among its own nodes.
//!
//! **Theory:** the channels of disjoint groups are disjoint, so their schedules run at once: the longest tells the steps. A row of a torus
//! is a ring, for which there are constructions that nothing finds in the whole torus.
//!
//! **Method.** Groups are what messages connect. Each is solved as a network by itself, under a family's name where it has one; groups
//! that are alike are solved once.
//!
//! **Loses** where groups do well to use each other's nodes, and has nothing where one needs them.
//!
//! **Source:** folklore.

use crate::nested::quick_best_in_family;
use kernel::{Channel, Collective, Message, Network, NetworkData, Node, Ports, Problem, Schedule, Semantics, Transfer};
use run::{Decline, Method, Run, Settings};
use std::collections::BTreeSet;

/// The method.
pub struct SideBySide;

const NAME: &str = "side-by-side";

/// No group.
const NONE: u32 = u32::MAX;

impl Method for SideBySide {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static str {
        "groups without messages between them: all at once, each on the channels among its own nodes"
    }

    fn source(&self) -> &'static str {
        "folklore"
    }

    fn declines(&self, _: &Problem, run: &Run<'_>) -> Option<Decline> {
        run.settings.slack.map(|_| Decline {
            why: "among the nodes of a group paths may be longer than the shortest".into(),
            hint: "leave --slack out".into(),
        })
    }

    fn applies(&self, problem: &Problem) -> bool {
        // Periods of different lengths do not run side by side.
        !problem.model().is_slotted() && groups(problem).is_some()
    }

    fn solve(&self, problem: &Problem, _floor: u64, run: &Run<'_>) -> Option<Schedule> {
        if self.declines(problem, run).is_some() {
            return None;
        }
        let parts = parts(problem)?;
        let mut kinds: Vec<&Problem> = Vec::new();
        let mut kind_of = Vec::with_capacity(parts.len());
        for part in &parts {
            let known = kinds.iter().position(|kind| **kind == part.problem);
            kind_of.push(known.unwrap_or(kinds.len()));
            if known.is_none() {
                kinds.push(&part.problem);
            }
        }
        let share = Settings { ticks: (run.settings.ticks / kinds.len() as u64).max(1), ..run.settings };
        let solve = |kind: &&Problem| {
            let part = run.part(share);
            let found = quick_best_in_family(&[NAME], kind, &part);
            if part.wants_more() {
                run.note_wants_more();
            }
            found
        };
        let solved: Vec<Schedule> = kinds.iter().map(solve).collect::<Option<_>>()?;
        let mut all = Schedule::new();
        for step in 0..solved.iter().map(Schedule::step_count).max()? {
            all.begin_step();
            for (part, kind) in parts.iter().zip(&kind_of).filter(|(_, kind)| step < solved[**kind].step_count()) {
                for transfer in solved[*kind].step(step) {
                    let messages: Vec<Message> = transfer.messages.iter().map(|m| part.messages[m.index()]).collect();
                    let path: Vec<Channel> = transfer.path.iter().map(|c| part.channels[c.index()]).collect();
                    all.push(Transfer { messages: &messages, path: &path, ..transfer });
                }
            }
        }
        Some(all)
    }
}

/// A group as a problem by itself, and what its channels and messages are in the whole.
struct Part {
    problem: Problem,
    channels: Vec<Channel>,
    messages: Vec<Message>,
}

/// The group of each node, [`NONE`] where it has no message, and their number; `None` where there are fewer than two.
fn groups(problem: &Problem) -> Option<(Vec<u32>, usize)> {
    let (network, collective) = (problem.network(), problem.collective());
    let mut parent: Vec<u32> = network.nodes().map(|v| v.0).collect();
    fn top(parent: &mut [u32], mut node: u32) -> u32 {
        while parent[node as usize] != node {
            parent[node as usize] = parent[parent[node as usize] as usize];
            node = parent[node as usize];
        }
        node
    }
    if !collective.is_numbered() {
        return None;
    }
    let mut apart = network.terminals().len();
    let mut takes_part = vec![false; network.node_count()];
    for m in collective.messages() {
        let first = collective.origin(m);
        for node in collective.contributors(m).iter().chain(collective.destinations(m)) {
            takes_part[node.index()] = true;
            let (one, other) = (top(&mut parent, first.0), top(&mut parent, node.0));
            if one != other {
                // Towards the lower number, so that groups come in the order of their least nodes.
                parent[one.max(other) as usize] = one.min(other);
                apart -= 1;
            }
        }
        if apart == 1 {
            return None;
        }
    }
    let mut count = 0;
    let mut group_of = vec![NONE; network.node_count()];
    for node in network.nodes().filter(|v| takes_part[v.index()]) {
        let least = top(&mut parent, node.0);
        if least == node.0 {
            group_of[node.index()] = count;
            count += 1;
        }
        group_of[node.index()] = group_of[least as usize];
    }
    (count > 1).then_some((group_of, count as usize))
}

/// The groups with the channels among their own nodes; `None` where one cannot do without others, or they share half-duplex links.
fn parts(problem: &Problem) -> Option<Vec<Part>> {
    let (network, collective, data) = (problem.network(), problem.collective(), problem.network().data());
    let (group_of, count) = groups(problem)?;
    let mut number = vec![NONE; network.node_count()];
    let mut nodes: Vec<Vec<Node>> = vec![Vec::new(); count];
    for node in network.nodes().filter(|v| group_of[v.index()] != NONE) {
        let list = &mut nodes[group_of[node.index()] as usize];
        number[node.index()] = u32::try_from(list.len()).ok()?;
        list.push(node);
    }
    let local = |node: Node| Node(number[node.index()]);
    let ends = |c: Channel| (local(network.from(c)).0, local(network.to(c)).0);
    let inside = |c: Channel| {
        let (from, to) = (group_of[network.from(c).index()], group_of[network.to(c).index()]);
        (from == to && from != NONE).then_some(from as usize)
    };
    let mut channels: Vec<Vec<Channel>> = vec![Vec::new(); count];
    network.channels().for_each(|c| inside(c).into_iter().for_each(|group| channels[group].push(c)));
    let mut place = vec![NONE; network.channel_count()];
    for list in &mut channels {
        list.sort_by_key(|c| ends(*c));
        (0..).zip(list.iter()).for_each(|(at, c)| place[c.index()] = at);
    }
    let mut half_duplex: Vec<Vec<Vec<u32>>> = vec![Vec::new(); count];
    for group in network.half_duplex() {
        let within = |c: &u32| inside(Channel(*c)).map(|part| (part, place[*c as usize]));
        let busy: Vec<(usize, u32)> = group.iter().filter_map(within).collect();
        let parts: BTreeSet<usize> = busy.iter().map(|(part, _)| *part).collect();
        match parts.first() {
            Some(_) if parts.len() > 1 => return None,
            Some(part) if busy.len() > 1 => half_duplex[*part].push(busy.iter().map(|(_, c)| *c).collect()),
            _ => {}
        }
    }
    let mut messages: Vec<Vec<Message>> = vec![Vec::new(); count];
    collective.messages().for_each(|m| messages[group_of[collective.origin(m).index()] as usize].push(m));
    let lists = nodes.into_iter().zip(channels).zip(half_duplex).zip(messages);
    lists
        .map(|(((nodes, channels), half_duplex), messages)| {
            let ports = |ports: &Ports, of: &dyn Fn(Node) -> Option<u32>| match ports {
                Ports::List(_) => Ports::List(nodes.iter().map(|v| of(*v)).collect()),
                alike => alike.clone(),
            };
            let network = Network::new(NetworkData {
                name: "group".into(),
                nodes: u32::try_from(nodes.len()).ok()?,
                no_transit: nodes.iter().filter(|v| !network.is_transit(**v)).map(|v| local(*v).0).collect(),
                channels: channels.iter().map(|c| ends(*c)).collect(),
                capacities: data.capacities.is_some().then(|| channels.iter().map(|c| network.capacity(*c)).collect()),
                half_duplex,
                send_ports: ports(&data.send_ports, &|v| network.send_ports(v)),
                receive_ports: ports(&data.receive_ports, &|v| network.receive_ports(v)),
                ..NetworkData::default()
            });
            let list = |nodes: &[Node]| nodes.iter().map(|v| local(*v)).collect::<Vec<_>>();
            let each = messages.iter().map(|m| (list(collective.contributors(*m)), list(collective.destinations(*m))));
            let ends: Vec<(Vec<Node>, Vec<Node>)> = each.collect();
            let root = root(collective.semantics(), &ends);
            let alone = Collective::new(collective.name(), collective.semantics(), root, ends).ok()?;
            let alone = alone.known_in_chunks(collective.chunks()).ok()?;
            Some(Part { problem: Problem::new(network.ok()?, alone, problem.model()).ok()?, channels, messages })
        })
        .collect()
}

/// The only node that has messages at first, or else the only one that is to have any in the end.
fn root(semantics: Semantics, messages: &[(Vec<Node>, Vec<Node>)]) -> Option<Node> {
    let first = messages.first()?;
    let from = messages.iter().all(|(from, _)| *from == first.0).then_some(&first.0);
    let to = messages.iter().all(|(_, to)| *to == first.1).then_some(&first.1);
    let ends = if semantics == Semantics::Copy { from.or(to) } else { to };
    ends.filter(|list| list.len() == 1).map(|list| list[0])
}

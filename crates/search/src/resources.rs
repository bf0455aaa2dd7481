//! **What:** what limits a step, for the searches of messages for one destination: lanes (all channels from one node to
//! another) and the resources a path takes.
//!
//! **Facts.** A resource is something that carries a limited number of transfers in a step: a lane, a half-duplex group, a node's
//! send or receive ports. Parallel channels are one lane, since it does not matter which of them a path takes. Of a
//! half-duplex group of several channels one transfer is let through, which wastes something where such a channel could
//! carry two.

use graph::automorphisms::Automorphism;
use kernel::{Channel, Message, Node, Problem};
use run::Budget;
use std::collections::BTreeMap;

/// The lanes of a problem's network and its resources.
pub struct Resources<'a> {
    /// Whose network it is.
    pub problem: &'a Problem,
    /// The nodes each lane joins.
    pub ends: Vec<(Node, Node)>,
    /// The channels of each lane.
    pub channels: Vec<Vec<Channel>>,
    /// The lanes that leave each node.
    pub out: Vec<Vec<u32>>,
    /// The lanes that enter each node.
    pub into: Vec<Vec<u32>>,
    /// What a path over each lane takes.
    pub taken: Vec<Vec<u32>>,
    /// What a path from each node takes, if anything.
    pub send: Vec<Option<u32>>,
    /// What a path to each node takes, if anything.
    pub receive: Vec<Option<u32>>,
    /// Transfers a step of each resource; at least 1.
    pub capacity: Vec<u32>,
    lane_of: Vec<u32>,
    groups: BTreeMap<Vec<u32>, u32>,
}

impl<'a> Resources<'a> {
    /// `None` where the budget ends.
    pub fn new(problem: &'a Problem, budget: &mut Budget<'_>) -> Option<Self> {
        let network = problem.network();
        let n = network.node_count();
        let mut all = Resources {
            problem,
            ends: Vec::new(),
            channels: Vec::new(),
            out: vec![Vec::new(); n],
            into: vec![Vec::new(); n],
            taken: Vec::new(),
            send: vec![None; n],
            receive: vec![None; n],
            capacity: Vec::new(),
            lane_of: vec![0; network.channel_count()],
            groups: BTreeMap::new(),
        };
        for group in network.half_duplex().iter().filter(|g| g.len() > 1) {
            let mut key = group.clone();
            key.sort_unstable();
            if !all.groups.contains_key(&key) {
                let resource = all.resource(1);
                all.groups.insert(key, resource);
            }
        }
        let mut taken_by_groups: Vec<Vec<u32>> = vec![Vec::new(); network.channel_count()];
        for (key, &resource) in &all.groups {
            key.iter().for_each(|&c| taken_by_groups[c as usize].push(resource));
        }
        // Channels of half-duplex groups are lanes of their own.
        let mut open: BTreeMap<(Node, Node), u32> = BTreeMap::new();
        for channel in network.channels().take_while(|_| budget.spend(1)) {
            let ends = (network.from(channel), network.to(channel));
            let groups = std::mem::take(&mut taken_by_groups[channel.index()]);
            let capacity = network.capacity(channel);
            if let Some(&lane) = open.get(&ends).filter(|_| groups.is_empty()) {
                all.channels[lane as usize].push(channel);
                let resource = all.taken[lane as usize][0];
                let whole = &mut all.capacity[resource as usize];
                *whole = whole.saturating_add(capacity);
                all.lane_of[channel.index()] = lane;
                continue;
            }
            let lane = u32::try_from(all.ends.len()).expect("no more lanes than channels");
            all.lane_of[channel.index()] = lane;
            all.ends.push(ends);
            all.channels.push(vec![channel]);
            all.out[ends.0.index()].push(lane);
            all.into[ends.1.index()].push(lane);
            let taken = if groups.is_empty() {
                open.insert(ends, lane);
                vec![all.resource(capacity)]
            } else {
                groups
            };
            all.taken.push(taken);
        }
        for node in network.nodes().take_while(|_| budget.spend(1)) {
            let carried = |list: &[u32]| -> u64 {
                list.iter().map(|&l| u64::from(all.capacity[all.taken[l as usize][0] as usize])).sum()
            };
            let limits = |ports: Option<u32>, most: u64| ports.filter(|&p| u64::from(p) < most);
            let send = limits(network.send_ports(node), carried(&all.out[node.index()]));
            let receive = limits(network.receive_ports(node), carried(&all.into[node.index()]));
            all.send[node.index()] = send.map(|p| all.resource(p));
            all.receive[node.index()] = receive.map(|p| all.resource(p));
        }
        (!budget.is_over()).then_some(all)
    }

    fn resource(&mut self, capacity: u32) -> u32 {
        self.capacity.push(capacity);
        u32::try_from(self.capacity.len() - 1).expect("no more resources than channels and twice the nodes")
    }

    /// The lane that a channel belongs to.
    pub(crate) fn lane(&self, channel: Channel) -> u32 {
        self.lane_of[channel.index()]
    }

    /// Calls `take` with every resource that `path` takes.
    pub fn taken_by(&self, path: &[u32], mut take: impl FnMut(u32)) {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        path.iter().flat_map(|&l| &self.taken[l as usize]).for_each(|&r| take(r));
        self.send[self.ends[first as usize].0.index()].into_iter().for_each(&mut take);
        self.receive[self.ends[last as usize].1.index()].into_iter().for_each(take);
    }

    /// Steps that so many uses of each resource take at least.
    pub(crate) fn least_steps(&self, uses: &[u32]) -> u32 {
        uses.iter().zip(&self.capacity).map(|(uses, whole)| uses.div_ceil(*whole)).max().unwrap_or(0)
    }

    /// Where an automorphism takes lanes and resources; `None` where it does not respect them.
    pub fn images(&self, map: &Automorphism) -> Option<(Vec<u32>, Vec<u32>)> {
        let lanes: Vec<u32> =
            self.channels.iter().map(|list| self.lane_of[map.channels[list[0].index()] as usize]).collect();
        let mut resources = vec![u32::MAX; self.capacity.len()];
        for (lane, &image) in lanes.iter().enumerate() {
            if self.taken[lane].len() != self.taken[image as usize].len() {
                return None;
            }
            // Groups are mapped below, by the channels they hold.
            resources[self.taken[lane][0] as usize] = self.taken[image as usize][0];
        }
        for (key, &resource) in &self.groups {
            let mut image: Vec<u32> = key.iter().map(|&c| map.channels[c as usize]).collect();
            image.sort_unstable();
            resources[resource as usize] = *self.groups.get(&image)?;
        }
        for (node, &image) in map.nodes.iter().enumerate() {
            for list in [&self.send, &self.receive] {
                match (list[node], list[image as usize]) {
                    (Some(from), Some(to)) => resources[from as usize] = to,
                    (None, None) => {}
                    _ => return None,
                }
            }
        }
        let alike = |(r, &image): (usize, &u32)| self.capacity.get(image as usize) == Some(&self.capacity[r]);
        resources.iter().enumerate().all(alike).then_some((lanes, resources))
    }
}

/// The messages that have to go somewhere.
pub(crate) fn open_messages(problem: &Problem) -> Vec<Message> {
    let collective = problem.collective();
    collective.messages().filter(|&m| collective.destinations(m)[0] != collective.origin(m)).collect()
}

//! **What:** shortest free paths in one step: breadth-first from a receiver back to the senders, or from a sender on.

use crate::residual::Residual;
use kernel::{Channel, Network, Node, Problem, Schedule};

/// Which way a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// From a sender along the channels.
    On,
    /// From a receiver against the channels.
    Back,
}

impl Way {
    /// The channels by which a search leaves a node.
    fn channels(self, network: &Network, node: Node) -> &[Channel] {
        match self {
            Way::On => network.outgoing(node),
            Way::Back => network.incoming(node),
        }
    }

    /// The node that a search leaves by a channel.
    fn start(self, network: &Network, channel: Channel) -> Node {
        match self {
            Way::On => network.from(channel),
            Way::Back => network.to(channel),
        }
    }

    /// The node that a search comes to by a channel.
    fn end(self, network: &Network, channel: Channel) -> Node {
        match self {
            Way::On => network.to(channel),
            Way::Back => network.from(channel),
        }
    }
}

/// Distances, in channels, to one node over nodes that let paths pass; `u32::MAX` where there is none.
pub fn distances_to(problem: &Problem, target: Node) -> Vec<u32> {
    distances(problem, target, Way::Back)
}

/// Lengths of shortest paths between `start` and every node, over nodes that let paths pass; `u32::MAX` where there is none.
pub fn distances(problem: &Problem, start: Node, way: Way) -> Vec<u32> {
    let network = problem.network();
    let mut distance = vec![u32::MAX; network.node_count()];
    distance[start.index()] = 0;
    let mut queue = vec![start];
    let mut head = 0;
    while let Some(&node) = queue.get(head) {
        head += 1;
        if node != start && !problem.path_passes(node) {
            continue;
        }
        for &channel in way.channels(network, node) {
            let next = way.end(network, channel);
            if distance[next.index()] == u32::MAX {
                distance[next.index()] = distance[node.index()] + 1;
                queue.push(next);
            }
        }
    }
    distance
}

/// [`distances`] from or to nodes, made when they are asked for and kept as long as memory allows.
#[derive(Clone)]
pub struct Distances<'a> {
    problem: &'a Problem,
    way: Way,
    tables: Vec<Option<Vec<u32>>>,
    kept: usize,
}

impl<'a> Distances<'a> {
    /// Most entries of all tables that are kept.
    pub const MOST_ENTRIES: usize = 1 << 26;

    /// No distances yet.
    pub fn new(problem: &'a Problem, way: Way) -> Self {
        Distances { problem, way, tables: vec![None; problem.network().node_count()], kept: 0 }
    }

    /// The distances between `start` and all nodes.
    pub fn of(&mut self, start: Node) -> &[u32] {
        let at = start.index();
        if self.tables[at].is_none() {
            if (self.kept + 1) * self.tables.len() > Self::MOST_ENTRIES {
                self.tables.fill(None);
                self.kept = 0;
            }
            self.kept += 1;
        }
        self.tables[at].get_or_insert_with(|| distances(self.problem, start, self.way))
    }
}

/// Whether all paths of a schedule are at most `slack` channels longer than the shortest between their ends.
pub fn within_slack(problem: &Problem, schedule: &Schedule, slack: Option<u32>) -> bool {
    let Some(slack) = slack else { return true };
    let network = problem.network();
    let mut distances = Distances::new(problem, Way::Back);
    schedule.steps().flatten().all(|transfer| {
        let (Some(&first), Some(&last)) = (transfer.path.first(), transfer.path.last()) else { return true };
        let shortest = distances.of(network.to(last))[network.from(first).index()];
        transfer.path.len() as u64 <= u64::from(shortest) + u64::from(slack)
    })
}

/// Breadth-first search with reusable memory.
pub struct Paths<'a> {
    problem: &'a Problem,
    seen: Vec<u32>,
    stamp: u32,
    /// The channel by which a node was reached.
    by: Vec<Channel>,
    /// Channels from the start to it.
    length: Vec<u32>,
    queue: Vec<Node>,
    path: Vec<Channel>,
    /// Shifts the order in which the channels of a node are looked at, so that repeated searches find other paths.
    pub turn: usize,
    /// Nodes visited by all searches so far.
    pub visits: u64,
    /// Channels that paths may be longer than the shortest, with the distances from and to nodes.
    slack: Option<u32>,
    near: [Distances<'a>; 2],
}

impl<'a> Paths<'a> {
    /// Memory for searches in the network of `problem`, for paths at most `slack` channels longer than the shortest.
    pub fn new(problem: &'a Problem, slack: Option<u32>) -> Self {
        let n = problem.network().node_count();
        Paths {
            problem,
            seen: vec![0; n],
            stamp: 0,
            by: vec![Channel(0); n],
            length: vec![0; n],
            queue: Vec::new(),
            path: Vec::new(),
            turn: 0,
            visits: 0,
            slack,
            near: [Way::On, Way::Back].map(|way| Distances::new(problem, way)),
        }
    }

    /// Shortest paths over free channels between `start` and other terminals, nearest first. `accept` looks at a
    /// terminal; where it answers, the path is taken from `free`. Returns the answer and the path, in sending order.
    ///
    /// A terminal whose path cannot be taken as a whole is passed over.
    pub fn nearest<T>(
        &mut self,
        free: &mut Residual<'_>,
        start: Node,
        way: Way,
        mut accept: impl FnMut(Node) -> Option<T>,
    ) -> Option<(T, &[Channel])> {
        let network = self.problem.network();
        self.stamp = match self.stamp.checked_add(1) {
            Some(stamp) => stamp,
            None => {
                self.seen.fill(0);
                1
            }
        };
        let open = |free: &Residual<'_>, node: Node| match way {
            Way::On => free.can_receive(node),
            Way::Back => free.can_send(node),
        };
        let may_start = match way {
            Way::On => free.can_send(start),
            Way::Back => free.can_receive(start),
        };
        if !may_start {
            return None;
        }
        let near = &mut self.near[usize::from(way == Way::Back)];
        let longest = self.slack.map(|slack| (slack, near.of(start)));
        self.queue.clear();
        self.queue.push(start);
        self.seen[start.index()] = self.stamp;
        self.length[start.index()] = 0;
        let mut head = 0;
        while let Some(&node) = self.queue.get(head) {
            head += 1;
            self.visits += 1;
            if node != start && !self.problem.path_passes(node) {
                continue;
            }
            let channels = way.channels(network, node);
            let length = self.length[node.index()] + 1;
            let middle = self.turn.checked_rem(channels.len()).unwrap_or(0);
            let (last, first) = channels.split_at(middle);
            for &channel in first.iter().chain(last) {
                let next = way.end(network, channel);
                if self.seen[next.index()] == self.stamp || !free.free(channel) {
                    continue;
                }
                // Whatever goes on from a node that is too far is too far as well.
                if longest.is_some_and(|(slack, near)| length > near[next.index()].saturating_add(slack)) {
                    continue;
                }
                self.seen[next.index()] = self.stamp;
                self.length[next.index()] = length;
                self.by[next.index()] = channel;
                self.queue.push(next);
                if network.is_terminal(next)
                    && open(free, next)
                    && let Some(answer) = accept(next)
                {
                    trace(network, &self.by, way, [start, next], &mut self.path);
                    if free.try_take(&self.path) {
                        return Some((answer, &self.path));
                    }
                }
            }
        }
        None
    }
}

/// The path, in sending order, that a search from the first to the second of `ends` took.
fn trace(network: &Network, by: &[Channel], way: Way, ends: [Node; 2], path: &mut Vec<Channel>) {
    path.clear();
    let [start, mut at] = ends;
    while at != start {
        let channel = by[at.index()];
        path.push(channel);
        at = way.start(network, channel);
    }
    if way == Way::On {
        path.reverse();
    }
}

/// What a walk claims channel by channel; positions count from 0.
pub trait Claims {
    /// Takes `channel` as the `position`-th of the path, if it is free.
    fn take(&mut self, position: usize, channel: Channel) -> bool;

    /// Gives it back.
    fn give(&mut self, position: usize, channel: Channel);
}

impl Claims for Residual<'_> {
    fn take(&mut self, _position: usize, channel: Channel) -> bool {
        self.try_channel(channel)
    }

    fn give(&mut self, _position: usize, channel: Channel) {
        self.give_channel(channel);
    }
}

/// Walks from `from` along free channels that shorten `distance` to 0, turning back at dead ends; the channels of the
/// path it leaves in `path` are claimed. Looks at no more than about `limit` channels. `turn` shifts the order of choices.
pub fn descend(
    problem: &Problem,
    distance: &[u32],
    from: Node,
    (limit, turn): (usize, usize),
    path: &mut Vec<Channel>,
    claims: &mut impl Claims,
) -> bool {
    let network = problem.network();
    path.clear();
    // Next outgoing channel to try at each node of the path.
    let mut tried = vec![0usize];
    let mut at = from;
    let mut looked = 0;
    loop {
        if distance[at.index()] == 0 {
            return true;
        }
        let channels = network.outgoing(at);
        let next = tried.last_mut().expect("one entry a node of the path, the first included");
        let mut found = None;
        while *next < channels.len() {
            let channel = channels[(*next + turn) % channels.len()];
            *next += 1;
            looked += 1;
            let to = network.to(channel);
            let left = distance[to.index()];
            let nearer = left != u32::MAX && left + 1 == distance[at.index()];
            if nearer && (left == 0 || problem.path_passes(to)) && claims.take(path.len(), channel) {
                found = Some((channel, to));
                break;
            }
        }
        match found {
            Some((channel, to)) => {
                path.push(channel);
                tried.push(0);
                at = to;
            }
            None => {
                tried.pop();
                let Some(channel) = path.pop() else { return false };
                claims.give(path.len(), channel);
                at = network.from(channel);
            }
        }
        if looked > limit && distance[at.index()] != 0 {
            while let Some(channel) = path.pop() {
                claims.give(path.len(), channel);
            }
            return false;
        }
    }
}

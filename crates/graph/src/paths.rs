//! **What:** shortest free paths in one step: breadth-first from a receiver back to the senders, or from a sender on.

pub use crate::distances::{Way, distances_to};

use crate::distances::Distances;
use crate::residual::Residual;
use kernel::{Channel, Network, Node, Problem};
use run::Budget;

/// Breadth-first search with reusable memory.
#[derive(Clone)]
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
    pub rotation: usize,
    /// What asking about a terminal costs.
    pub ticks_to_ask: u64,
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
            rotation: 0,
            ticks_to_ask: 1,
            slack,
            near: [Way::On, Way::Back].map(|way| Distances::new(problem, way)),
        }
    }

    /// Shortest paths over free channels between `start` and other terminals, nearest first. `accept` looks at a
    /// terminal; where it answers, the path is taken from `free`. Returns the answer and the path, in sending order.
    ///
    /// A terminal whose path cannot be taken as a whole is passed over. `None` also where the budget ends.
    pub fn nearest<T>(
        &mut self,
        free: &mut Residual<'_>,
        start: Node,
        way: Way,
        mut accept: impl FnMut(Node) -> Option<T>,
        budget: &mut Budget<'_>,
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
        let longest = match self.slack {
            Some(slack) => Some((slack, near.of(start, budget)?)),
            None => None,
        };
        self.queue.clear();
        self.queue.push(start);
        self.seen[start.index()] = self.stamp;
        self.length[start.index()] = 0;
        let mut head = 0;
        while let Some(&node) = self.queue.get(head) {
            head += 1;
            if node != start && !self.problem.path_passes(node) {
                continue;
            }
            let channels = way.channels(network, node);
            if !budget.spend(2 + channels.len() as u64) {
                return None;
            }
            let length = self.length[node.index()] + 1;
            let middle = self.rotation.checked_rem(channels.len()).unwrap_or(0);
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
                    && budget.spend(self.ticks_to_ask)
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

/// A walk along channels that shorten the distance to a node.
pub struct Descent<'a> {
    /// Of what.
    pub problem: &'a Problem,
    /// From every node to the end of the walk.
    pub distance: &'a [u32],
    /// About how many channels are looked at before it is given up.
    pub limit: usize,
    /// Shifts the order of choices.
    pub rotation: usize,
}

impl Descent<'_> {
    /// Walks from `from` over free channels, turning back at dead ends; whether it came to the end. The channels of the path
    /// it leaves in `path` are claimed.
    pub fn walk(&self, from: Node, path: &mut Vec<Channel>, claims: &mut impl Claims, budget: &mut Budget<'_>) -> bool {
        let (network, distance) = (self.problem.network(), self.distance);
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
                let channel = channels[(*next + self.rotation) % channels.len()];
                *next += 1;
                looked += 1;
                let to = network.to(channel);
                let left = distance[to.index()];
                let nearer = left != u32::MAX && left + 1 == distance[at.index()];
                if nearer && (left == 0 || self.problem.path_passes(to)) && claims.take(path.len(), channel) {
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
            let more = looked <= self.limit && budget.spend(1);
            if !more && distance[at.index()] != 0 {
                while let Some(channel) = path.pop() {
                    claims.give(path.len(), channel);
                }
                return false;
            }
        }
    }
}

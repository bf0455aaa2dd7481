//! **What:** what a set of nodes proves that messages leave one after the other: they may come to its border late, and those that leave last have still to
//! spread behind it.
//!
//! **Rule:** let A be a set of nodes, and look at the messages (of semantics `reduce`: chunks) that start in A and must end outside. Such a message *leaves* A when
//! a node in A first sends it to one outside; before, no node outside has it, or (of a chunk) any contribution from A. No more leave in a step than there can be transfers from A to
//! its outside: than the channels that leave A carry, and than ports there allow. Under store-and-forward such a channel has nothing to carry before a
//! message can have come to its tail, a channel a step within A. Let T(X) be the first step after which X messages can have left.
//!
//! A message that leaves in step t is held outside by no more nodes after that step than there are transfers over the border, and in every later step by as many more
//! as can come over the border and as its holders outside can send; under store-and-forward also by no nodes that are farther, outside A, from the
//! nearest head of a channel that leaves A (any of them, since what has left may come back) than t + steps. Let r be the fewest steps in which it can so reach all its destinations outside. Of X messages with r or more, one leaves in
//! step T(X) or later; so the schedule has at least T(X) + r steps.
//!
//! Run backwards, a schedule brings each message from its destinations to where it starts, on the network with every channel turned round. The same
//! holds there of the nodes outside A: of a chunk no nodes but those count whose contributions can still come to a destination outside A.

mod reached;

use self::reached::{Reached, growth, spread};
use crate::certify::{Quotient, Refused, members};
use crate::{Channel, Message, Network, Node, Problem, Switching};
use std::collections::{BTreeMap, BTreeSet};

/// Steps that the set proves, forwards or backwards.
pub(crate) fn late_cut(problem: &Problem, nodes: &[Node]) -> Result<u64, Refused> {
    let mut inside = members(problem, nodes)?;
    if problem.model().is_slotted() {
        let why = "under time-division what is sent arrives in a later slot";
        return Err(Refused::NotApplicable { kind: "late-cut", why });
    }
    let network = problem.network();
    let forwards = Border { problem, network, inside: &inside, backwards: false }.steps();
    inside.iter_mut().for_each(|inside| *inside = !*inside);
    Ok(forwards.max(Border { problem, network, inside: &inside, backwards: true }.steps()))
}

/// What leaves a set of nodes.
struct Border<'a> {
    problem: &'a Problem,
    network: &'a Network,
    inside: &'a [bool],
    /// Whether every channel is turned round, and messages go from their destinations to where they start.
    backwards: bool,
}

impl Border<'_> {
    fn steps(&self) -> u64 {
        let collective = self.problem.collective();
        let (contributors, destinations) = (|m| collective.contributors(m), |m| collective.destinations(m));
        let starts = |m: &Message| if self.backwards { destinations(*m) } else { contributors(*m) };
        let ends = |m: &Message| if self.backwards { contributors(*m) } else { destinations(*m) };
        let within = |v: &Node| self.inside[v.index()];
        let (mut origins, reached) = (BTreeSet::new(), self.reached());
        // How many messages need so many steps behind the border. Chunks of a message are alike.
        let mut needs = BTreeMap::<u64, u64>::new();
        let chunks = collective.chunks().max(1);
        for message in collective.messages().step_by(chunks as usize) {
            let outside = || ends(&message).iter().filter(|v| !within(v));
            if outside().next().is_some() && starts(&message).iter().any(within) {
                origins.extend(starts(&message).iter().copied().filter(within));
                *needs.entry(reached.after(outside())).or_default() += u64::from(chunks);
            }
        }
        let (crossing, mut many) = (self.crossing(origins), 0);
        let each = needs.iter().rev().map(|(after, count)| {
            many += count;
            self.last(many, &crossing) + after
        });
        each.max().unwrap_or(0)
    }

    fn tail(&self, channel: Channel) -> Node {
        if self.backwards { self.network.to(channel) } else { self.network.from(channel) }
    }

    fn head(&self, channel: Channel) -> Node {
        if self.backwards { self.network.from(channel) } else { self.network.to(channel) }
    }

    fn outgoing(&self, node: Node) -> &[Channel] {
        if self.backwards { self.network.incoming(node) } else { self.network.outgoing(node) }
    }

    fn send_ports(&self, node: Node) -> Option<u32> {
        if self.backwards { self.network.receive_ports(node) } else { self.network.send_ports(node) }
    }

    fn receive_ports(&self, node: Node) -> Option<u32> {
        if self.backwards { self.network.send_ports(node) } else { self.network.receive_ports(node) }
    }

    fn send_capacity(&self, node: Node) -> u64 {
        if self.backwards { self.network.receive_capacity(node) } else { self.network.send_capacity(node) }
    }

    fn receive_capacity(&self, node: Node) -> u64 {
        if self.backwards { self.network.send_capacity(node) } else { self.network.receive_capacity(node) }
    }

    fn is_hop_by_hop(&self) -> bool {
        self.problem.model().switching == Switching::StoreAndForward
    }

    /// The channels that leave the set and carry transfers.
    fn all(&self) -> Vec<(u64, Channel)> {
        let network = self.network;
        let leads_out = |c: &Channel| self.inside[self.tail(*c).index()] && !self.inside[self.head(*c).index()];
        let carries = |c: &Channel| !self.is_hop_by_hop() || self.joins(*c);
        network.channels().filter(leads_out).filter(carries).map(|c| (0, c)).collect()
    }

    /// Whether a channel leads from a terminal to a terminal.
    fn joins(&self, channel: Channel) -> bool {
        [self.tail(channel), self.head(channel)].iter().all(|v| self.network.is_terminal(*v))
    }

    /// The channels that leave the set, each with the steps before it has something to carry, soonest first.
    fn crossing(&self, origins: BTreeSet<Node>) -> Vec<(u64, Channel)> {
        let out = self.all();
        if !self.is_hop_by_hop() {
            return out;
        }
        let near = self.hops(origins, self.inside);
        let ready = out.iter().filter_map(|(_, c)| Some((near[self.tail(*c).index()]?, *c)));
        let mut crossing: Vec<_> = ready.collect();
        crossing.sort_unstable();
        crossing
    }

    /// The first step after which so many messages can have left.
    fn last(&self, messages: u64, crossing: &[(u64, Channel)]) -> u64 {
        let combining = self.problem.model().combining;
        let (mut left, mut step) = (if combining { messages.min(1) } else { messages }, 0);
        let mut ready = 0;
        loop {
            let later = crossing[ready..].iter().position(|(after, _)| *after > step);
            ready = later.map_or(crossing.len(), |more| ready + more);
            let capacity = self.rate(&crossing[..ready]);
            // A well-posed problem has channels where something must leave.
            let Some((after, _)) = crossing.get(ready) else {
                return step + Quotient::of(left, capacity).steps(self.problem);
            };
            let lasts = after - step;
            if left <= capacity.saturating_mul(lasts) {
                return step + Quotient::of(left, capacity).steps(self.problem);
            }
            left -= capacity * lasts;
            step = *after;
        }
    }

    /// Most transfers in a step from nodes of the set to others over these channels.
    fn rate(&self, crossing: &[(u64, Channel)]) -> u64 {
        let (network, channels) = (self.network, || crossing.iter().map(|(_, c)| *c));
        let carried = network.capacity_of(channels());
        if self.is_hop_by_hop() {
            let sent = self.by_ends(channels(), |c| self.tail(c), |v| self.send_ports(v));
            return carried.min(sent).min(self.by_ends(channels(), |c| self.head(c), |v| self.receive_ports(v)));
        }
        let terminals = || network.terminals().iter().copied();
        let sent = terminals().filter(|v| self.inside[v.index()]).map(|v| self.send_capacity(v)).sum();
        let received: u64 = terminals().filter(|v| !self.inside[v.index()]).map(|v| self.receive_capacity(v)).sum();
        carried.min(sent).min(received)
    }

    /// What channels carry with the ports at one of their ends.
    fn by_ends(
        &self,
        channels: impl Iterator<Item = Channel>,
        end: impl Fn(Channel) -> Node,
        ports: impl Fn(Node) -> Option<u32>,
    ) -> u64 {
        let mut by_end: Vec<(Node, Channel)> = channels.map(|c| (end(c), c)).collect();
        by_end.sort_unstable();
        let each = by_end.chunk_by(|a, b| a.0 == b.0).map(|of| {
            let capacity = self.network.capacity_of(of.iter().map(|(_, c)| *c));
            ports(of[0].0).map_or(capacity, |ports| capacity.min(ports.into()))
        });
        each.sum()
    }

    /// How a message spreads outside.
    fn reached(&self) -> Reached {
        let network = self.network;
        let out = self.all();
        let outside: Vec<bool> = self.inside.iter().map(|inside| !inside).collect();
        let holders: Vec<Node> = network.terminals().iter().copied().filter(|v| outside[v.index()]).collect();
        let stays = |v: Node| {
            let on = self.outgoing(v).iter().copied().filter(|c| outside[self.head(*c).index()]);
            let capacity = network.capacity_of(on);
            self.send_ports(v).map_or(capacity, |ports| capacity.min(ports.into()))
        };
        let (come, border) = (self.rate(&out), network.capacity_of(out.iter().map(|(_, c)| *c)));
        let staying = holders.iter().map(|v| stays(*v));
        if self.is_hop_by_hop() {
            let hops = self.hops(out.iter().map(|(_, c)| self.head(*c)).collect(), &outside);
            let near = holders.iter().filter_map(|v| hops[v.index()]).collect();
            let held = spread(come, near, &[growth(come, staying)]);
            return Reached { held, hops: Some(hops) };
        }
        // A path between two nodes outside may lead through the set: then it is one of those over the border, whoever sends it.
        let sent = holders.iter().map(|v| self.send_capacity(*v));
        let growths = [growth(come, sent), growth(border, staying)];
        Reached { held: spread(come, vec![0; holders.len()], &growths), hops: None }
    }

    /// Fewest channels from some of `starts` to each node, over terminals of the set `within`.
    fn hops(&self, starts: BTreeSet<Node>, within: &[bool]) -> Vec<Option<u64>> {
        let network = self.network;
        let mut hops = vec![None; network.node_count()];
        let mut level: Vec<Node> = starts.into_iter().collect();
        level.iter().for_each(|v| hops[v.index()] = Some(0));
        let mut far = 0;
        while !level.is_empty() {
            far += 1;
            let mut next = Vec::new();
            for channel in level.iter().flat_map(|v| self.outgoing(*v)).filter(|c| self.joins(**c)) {
                let to = self.head(*channel);
                if within[to.index()] && hops[to.index()].is_none() {
                    hops[to.index()] = Some(far);
                    next.push(to);
                }
            }
            level = next;
        }
        hops
    }
}

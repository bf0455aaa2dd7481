//! **What:** allreduce among machines: of every chunk each machine sends its own sum to all others at once.
//!
//! **Idea.** A tree with a root crosses the channels between machines twice, to the root and back, and waits for their latency twice. Where the sums of machines travel
//! [apart](kernel::Transfer::partials), they cross once: inside each machine contributions are merged at its exit for this chunk, sums go from exits to the entries of all others, where they
//! are merged, and the total spreads inside. Between two machines no more bytes cross than must.
//!
//! **Method.** Exits and entries are where the ways between machines are cheapest by the prices of module `trees`, so chunks take the ways between them in turn. An entry that is not the exit
//! sends its contribution there apart, and gets the others' from there, so that nothing is counted twice however early other machines' sums arrive.

use super::Demand;
use super::net::{Net, Nets};
use super::tasks::Tasks;
use super::trees::{Near, Packing};
use graph::machines::Groups;
use kernel::{Message, Node, Op};
use run::Run;
use std::collections::BinaryHeap;

/// What the way from an exit to the entry of the same machine counts beside one to another machine: it is there in time in any case.
const OWN: f64 = 0.1;
/// How fast prices grow with loads.
const ALPHA: f64 = 16.0;
/// What depth costs in trees: so much that inside machines they are as flat as can be.
const DEPTH: f64 = 20.0;

/// The transfers of all chunks; each waits for those whose sums it carries.
#[derive(Default)]
pub(super) struct Exchange {
    pub tasks: Tasks,
    /// Whether each carries its sender's own contribution.
    pub own: Vec<bool>,
}

/// A machine's part in the exchange of a chunk.
struct Machine<'a> {
    members: &'a [Node],
    /// Where its sum leaves it, and where those of others come in.
    exit: Node,
    entry: Node,
}

impl Machine<'_> {
    /// The members but for these.
    fn without(&self, these: &[Node]) -> Vec<Node> {
        self.members.iter().copied().filter(|v| !these.contains(v)).collect()
    }
}

impl Exchange {
    /// `None` where some tree cannot stay inside its machine, or the run is stopped.
    pub(super) fn new(nets: &Nets<'_>, groups: &Groups, floor: u64, run: &Run<'_>) -> Option<Self> {
        let mut packing = Packing::new(nets, floor.max(1) as f64, DEPTH);
        packing.set_prices(ALPHA);
        let mut exchange = Exchange::default();
        for message in nets.plain.problem.collective().messages() {
            let machines = machines(&packing, nets, groups, run)?;
            exchange.add_chunk(nets, groups, &mut packing, message, &machines)?;
        }
        Some(exchange)
    }

    fn add_chunk(
        &mut self,
        nets: &Nets<'_>,
        groups: &Groups,
        packing: &mut Packing<'_>,
        message: Message,
        machines: &[Machine<'_>],
    ) -> Option<()> {
        let demand = |merged, from, to| Demand { message, merged, from, to };
        // Of every machine, what its sum waits for, and what brings sums to its entry.
        let (mut sums, mut arrivals) = (Vec::new(), Vec::new());
        for machine in machines {
            let &Machine { exit, entry, .. } = machine;
            let mut sum = self.add(nets, packing, demand(true, exit, machine.without(&[exit, entry])), Some(groups))?;
            let mut arrived = sum.clone();
            if exit == entry {
                sum.iter().for_each(|at| self.tasks.0[*at].op = Op::Reduce);
            } else {
                let from = self.tasks.0.len();
                let first = self.add(nets, packing, demand(false, exit, vec![entry]), Some(groups))?;
                self.carry(&first, &sum);
                arrived = self.merged_at(nets, from, &[entry]);
                sum.extend(self.add(nets, packing, demand(true, exit, vec![entry]), Some(groups))?);
            }
            sums.push(sum);
            arrivals.push(arrived);
        }
        for (machine, sum) in machines.iter().zip(&sums) {
            let entries: Vec<Node> =
                machines.iter().filter(|other| other.exit != machine.exit).map(|other| other.entry).collect();
            let from = self.tasks.0.len();
            let first = self.add(nets, packing, demand(false, machine.exit, entries.clone()), None)?;
            self.carry(&first, sum);
            for at in self.merged_at(nets, from, &entries) {
                let entry = self.receiver(nets, at);
                let place = machines.iter().position(|machine| machine.entry == entry)?;
                arrivals[place].push(at);
            }
        }
        for (machine, arrived) in machines.iter().zip(&arrivals) {
            let from = self.tasks.0.len();
            let away = demand(false, machine.entry, machine.without(&[machine.entry]));
            let first = self.add(nets, packing, away, Some(groups))?;
            self.tasks.0[from..].iter_mut().for_each(|one| one.op = Op::Copy);
            first.iter().for_each(|at| self.tasks.0[*at].after.clone_from(arrived));
        }
        Some(())
    }

    /// Adds the tree of a demand, all of it kept apart; those of its transfers that end or begin at its root. With groups, it stays inside one of them.
    fn add(
        &mut self,
        nets: &Nets<'_>,
        packing: &mut Packing<'_>,
        demand: Demand,
        inside: Option<&Groups>,
    ) -> Option<Vec<usize>> {
        if demand.to.is_empty() {
            return Some(Vec::new());
        }
        let tree = packing.grow(&demand, ALPHA);
        let (base, mut first) = (self.tasks.0.len(), Vec::new());
        self.tasks.add(&nets.plain, demand.message, Op::Keep, &tree, demand.merged);
        for at in base..self.tasks.0.len() {
            let (sender, receiver) = (self.sender(nets, at), self.receiver(nets, at));
            let home = |groups: &Groups| groups.group(demand.from);
            if inside.is_some_and(|groups| [sender, receiver].iter().any(|v| groups.group(*v) != home(groups))) {
                return None;
            }
            self.own.push(demand.merged && demand.to.contains(&sender));
            // From now on transfers wait for one another, and not for what trees say.
            let one = &mut self.tasks.0[at];
            one.inwards = false;
            match one.inner.take() {
                None => first.push(at),
                Some(inner) if demand.merged => self.tasks.0[inner].after.push(at),
                Some(inner) => one.after.push(inner),
            }
        }
        Some(first)
    }

    /// Transfers from an exit carry its contribution and what others bring.
    fn carry(&mut self, first: &[usize], sum: &[usize]) {
        for &at in first {
            self.own[at] = true;
            self.tasks.0[at].after.extend_from_slice(sum);
        }
    }

    /// Of the transfers from one on, those that come to one of some nodes, which merges what they carry.
    fn merged_at(&mut self, nets: &Nets<'_>, from: usize, nodes: &[Node]) -> Vec<usize> {
        let there: Vec<usize> =
            (from..self.tasks.0.len()).filter(|at| nodes.contains(&self.receiver(nets, *at))).collect();
        there.iter().for_each(|at| self.tasks.0[*at].op = Op::Reduce);
        there
    }

    fn sender(&self, nets: &Nets<'_>, at: usize) -> Node {
        nets.plain.network.from(self.tasks.0[at].way.path[0])
    }

    fn receiver(&self, nets: &Nets<'_>, at: usize) -> Node {
        let path = &self.tasks.0[at].way.path;
        nets.plain.network.to(path[path.len() - 1])
    }
}

/// Exits and entries where the ways between machines are cheapest, by the prices as they are; `None` where there are no such ways, no two machines, or the run is stopped.
fn machines<'a>(packing: &Packing<'_>, nets: &Nets<'_>, groups: &'a Groups, run: &Run<'_>) -> Option<Vec<Machine<'a>>> {
    let members = &groups.members;
    let ways_from = |from: &[Node]| costs(nets.of(false), &packing.price, from.iter().map(|v| (*v, 0.0)));
    let ways_to = |to: &[Node]| costs(nets.of(true), &packing.price, to.iter().map(|v| (*v, 0.0)));
    let cheapest = |group: usize, cost: &dyn Fn(Node) -> f64| {
        let least = members[group].iter().copied().min_by(|a, b| cost(*a).total_cmp(&cost(*b)));
        least.filter(|v| cost(*v).is_finite())
    };
    let to_second = ways_to(members.get(1)?);
    let first = cheapest(0, &|v| to_second[v.index()])?;
    let from_first = ways_from(&[first]);
    let mut entries = vec![first];
    for group in 1..members.len() {
        entries.push(cheapest(group, &|v| from_first[v.index()])?);
    }
    let mut ways: Vec<Vec<f64>> = entries.iter().map(|entry| ways_to(&[*entry])).collect();
    // The first machine's entry follows from the second one's exit.
    ways[0] = ways_to(&members[0]);
    let mut exits = vec![first];
    for group in 1..members.len() {
        if run.stopped() {
            return None;
        }
        // The way to its own entry counts as well, so that both are one where that costs nothing.
        let share = |to: usize| if to == group { OWN } else { 1.0 };
        exits.push(cheapest(group, &|v| (0..ways.len()).map(|to| share(to) * ways[to][v.index()]).sum())?);
        if group == 1 {
            let from_second = ways_from(&exits[1..]);
            entries[0] = cheapest(0, &|v| from_second[v.index()] + OWN * from_first[v.index()])?;
            ways[0] = ways_to(&entries[..1]);
        }
    }
    let parts = members.iter().zip(exits).zip(entries);
    Some(parts.map(|((members, exit), entry)| Machine { members, exit, entry }).collect())
}

/// What it costs to come from one of some nodes to each node, at a price a channel and a price to begin at each of them.
pub(super) fn costs(net: &Net<'_>, price: &[f64], from: impl IntoIterator<Item = (Node, f64)>) -> Vec<f64> {
    let mut costs = vec![f64::INFINITY; net.network.node_count()];
    let mut queue = BinaryHeap::new();
    for (node, cost) in from {
        if cost < costs[node.index()] {
            costs[node.index()] = cost;
            queue.push(Near(cost, node));
        }
    }
    while let Some(Near(cost, node)) = queue.pop() {
        if cost > costs[node.index()] || !net.passes(node) {
            continue;
        }
        for &channel in net.network.outgoing(node) {
            let (to, reached) = (net.network.to(channel), cost + price[channel.index()]);
            if reached < costs[to.index()] {
                costs[to.index()] = reached;
                queue.push(Near(reached, to));
            }
        }
    }
    costs
}

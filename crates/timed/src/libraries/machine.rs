//! **What:** a machine that plays a program: a transfer begins as soon as it may and all that its path takes has room, first come, first served.
//!
//! **Meaning.** Channels have bandwidths, half-duplex groups the largest of their channels', nodes have ports where they are limited: all are *resources*, of which a transfer takes an amount
//! for some ticks. Of the transfers that may begin at a tick, those that could have begun earlier are first, then those written down earlier. One that finds no room takes
//! nothing, and is tried again when there may be some. What arrives is merged one after the other where merging takes time, as the checker does it.
//! Of what is stored as orbits representatives are played, and take what their images take at the bases of orbits.

use super::program::{Send, Takes, Written};
use kernel::timed::{Bases, TimedProblem, TimedSchedule};
use kernel::{Message, Node, Op, Semantics, Transfer};
use run::Run;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// When something could have begun, and its number.
type Attempt = (u64, usize);

/// A share of a resource from a tick until before another.
#[derive(Clone, Copy)]
struct Taken {
    from: u64,
    until: u64,
    amount: u64,
}

/// What limits transfers.
struct Resource {
    limit: u64,
    taken: Vec<Taken>,
}

/// What a transfer takes of a resource, so many ticks after its beginning.
#[derive(Clone, Copy)]
struct Use {
    resource: usize,
    after: u64,
    amount: u64,
}

/// A transfer as the machine sees it.
struct Waiting {
    uses: Vec<Use>,
    lasts: u64,
    latency: u64,
    to: Node,
    /// Whether it takes twice of something, as of two channels of a half-duplex group.
    meets_itself: bool,
    /// Gates and transfers that it still waits for.
    left: usize,
    /// Transfers that wait for its beginning.
    next: Vec<usize>,
}

#[derive(Default)]
struct GateState {
    left: usize,
    waiting: Vec<usize>,
}

/// What happens at a tick.
#[derive(Default)]
struct Tick {
    /// What has arrived, and whether it is merged already.
    arrived: Vec<(usize, bool)>,
    tries: BTreeSet<Attempt>,
}

struct Machine<'a> {
    problem: &'a TimedProblem,
    bases: Bases<'a>,
    sends: &'a [Send],
    resources: Vec<Resource>,
    waiting: Vec<Waiting>,
    gates: Vec<GateState>,
    coming: BTreeMap<u64, Tick>,
    /// When each node has merged all that came.
    merged: HashMap<Node, u64>,
    /// What came of a chunk to a node, and the number of each transfer among that.
    arrivals: HashMap<(Node, Message), u32>,
    numbers: Vec<u32>,
    begun: Vec<(u64, usize)>,
}

/// The schedule that comes of it; `None` where the run is stopped, or something takes more than there is.
pub(super) fn play(
    problem: &TimedProblem,
    bases: Bases<'_>,
    program: &Written,
    run: &Run<'_>,
) -> Option<TimedSchedule> {
    let mut machine = Machine::new(problem, bases, program)?;
    while let Some((now, mut tick)) = machine.coming.pop_first() {
        if run.stopped() {
            return None;
        }
        for (at, merged) in tick.arrived {
            machine.arrive(at, merged, now, &mut tick.tries);
        }
        while let Some((since, at)) = tick.tries.pop_first() {
            match machine.room_from(at, now)? {
                room if room > now => drop(machine.coming.entry(room).or_default().tries.insert((since, at))),
                _ => machine.begin(at, now, &mut tick.tries),
            }
        }
    }
    (machine.begun.len() == program.sends.len()).then(|| machine.written())
}

impl<'a> Machine<'a> {
    fn new(problem: &'a TimedProblem, bases: Bases<'a>, program: &'a Written) -> Option<Self> {
        let network = problem.network();
        let widest = |group: &Vec<u32>| group.iter().map(|c| problem.bandwidth(kernel::Channel(*c))).max();
        let ports = |limit: Option<u32>| limit.map_or(u64::MAX, u64::from);
        let limits = (network.channels().map(|c| problem.bandwidth(c)))
            .chain(network.half_duplex().iter().map(|group| widest(group).unwrap_or(0)))
            .chain(network.nodes().map(|v| ports(network.send_ports(v))))
            .chain(network.nodes().map(|v| ports(network.receive_ports(v))));
        let resources = limits.map(|limit| Resource { limit, taken: Vec::new() }).collect();
        let mut gates: Vec<GateState> = (0..program.gates).map(|_| GateState::default()).collect();
        let waiting = program.sends.iter().map(|send| Waiting::new(problem, bases, send));
        let mut waiting = waiting.collect::<Option<Vec<_>>>()?;
        for send in &program.sends {
            send.tells.iter().for_each(|gate| gates[*gate].left += 1);
        }
        let mut first = Tick::default();
        for (at, send) in program.sends.iter().enumerate() {
            send.after.iter().for_each(|before| waiting[*before].next.push(at));
            // A gate that nothing tells is open.
            let shut: Vec<usize> = send.waits.iter().copied().filter(|gate| gates[*gate].left > 0).collect();
            waiting[at].left = send.after.len() + shut.len();
            shut.into_iter().for_each(|gate| gates[gate].waiting.push(at));
            if waiting[at].left == 0 {
                first.tries.insert((0, at));
            }
        }
        Some(Machine {
            problem,
            bases,
            sends: &program.sends,
            resources,
            waiting,
            gates,
            coming: BTreeMap::from([(0, first)]),
            merged: HashMap::new(),
            arrivals: HashMap::new(),
            numbers: vec![0; program.sends.len()],
            begun: Vec::with_capacity(program.sends.len()),
        })
    }

    /// The first tick at which a transfer may find room, which is now if it does; `None` where it takes more than there ever is.
    fn room_from(&self, at: usize, now: u64) -> Option<u64> {
        let one = &self.waiting[at];
        for used in &one.uses {
            let Resource { limit, taken } = &self.resources[used.resource];
            let (from, until) = (now + used.after, now + used.after + one.lasts);
            let meet = |t: &Taken| t.from < until && from < t.until;
            if !one.meets_itself && !taken.iter().any(meet) {
                continue;
            }
            // What it takes of the same elsewhere on its path counts, too.
            let own = one.uses.iter().filter(|own| own.resource == used.resource);
            let own =
                own.map(|own| Taken { from: now + own.after, until: now + own.after + one.lasts, amount: own.amount });
            let others: Vec<Taken> = taken.iter().copied().filter(meet).collect();
            let all: Vec<Taken> = others.iter().copied().chain(own.filter(meet)).collect();
            let sum = |tick: u64| {
                all.iter().filter(|t| t.from <= tick && tick < t.until).map(|t| u128::from(t.amount)).sum::<u128>()
            };
            // It is largest where something begins.
            if all.iter().any(|t| sum(t.from.max(from)) > u128::from(*limit)) {
                return others.iter().map(|t| t.until - used.after).min();
            }
        }
        Some(now)
    }

    fn begin(&mut self, at: usize, now: u64, tries: &mut BTreeSet<Attempt>) {
        let Waiting { lasts, latency, .. } = self.waiting[at];
        for used in &self.waiting[at].uses {
            let taken = &mut self.resources[used.resource].taken;
            taken.retain(|t| t.until > now);
            taken.push(Taken { from: now + used.after, until: now + used.after + lasts, amount: used.amount });
        }
        self.begun.push((now, at));
        self.coming.entry(now + latency + lasts).or_default().arrived.push((at, false));
        for next in std::mem::take(&mut self.waiting[at].next) {
            self.free(next, now, tries);
        }
    }

    /// Something has come to its receiver, or has been merged there.
    fn arrive(&mut self, at: usize, merged: bool, now: u64, tries: &mut BTreeSet<Attempt>) {
        let (sends, to) = (self.sends, self.waiting[at].to);
        let merges = self.problem.collective().semantics() == Semantics::Reduce && sends[at].op == Op::Reduce;
        if merges && !merged && self.problem.merging() > 0 {
            let free = self.merged.entry(self.bases.terminal(to)).or_insert(0);
            *free = (*free).max(now) + self.problem.merging() * sends[at].messages.len() as u64;
            self.coming.entry(*free).or_default().arrived.push((at, true));
            return;
        }
        for &message in &sends[at].messages {
            let count = self.arrivals.entry((to, message)).or_insert(0);
            *count += 1;
            self.numbers[at] = *count;
        }
        for &gate in &sends[at].tells {
            self.gates[gate].left -= 1;
            if self.gates[gate].left == 0 {
                for next in std::mem::take(&mut self.gates[gate].waiting) {
                    self.free(next, now, tries);
                }
            }
        }
    }

    /// One thing less to wait for.
    fn free(&mut self, at: usize, now: u64, tries: &mut BTreeSet<Attempt>) {
        self.waiting[at].left -= 1;
        if self.waiting[at].left == 0 {
            tries.insert((now, at));
        }
    }

    fn written(self) -> TimedSchedule {
        let mut schedule = TimedSchedule::default();
        let mut last = None;
        for &(tick, at) in &self.begun {
            if last.replace(tick) != Some(tick) {
                schedule.begin_step(tick);
            }
            let Send { messages, path, op, takes, .. } = &self.sends[at];
            let partials: Vec<u32> = match takes {
                Takes::Merged => Vec::new(),
                Takes::Parts { own, of } => {
                    own.then_some(0).into_iter().chain(of.iter().map(|part| self.numbers[*part])).collect()
                }
                Takes::Numbered(numbers) => numbers.clone(),
            };
            let transfer = Transfer { op: *op, partials: &partials, ..Transfer::new(messages, path) };
            schedule.push(transfer, None, &[]);
        }
        schedule
    }
}

impl Waiting {
    /// `None` where its times do not fit in 64 bits, or it has no path.
    fn new(problem: &TimedProblem, bases: Bases<'_>, send: &Send) -> Option<Self> {
        let network = problem.network();
        let (channels, groups, nodes) = (network.channel_count(), network.half_duplex().len(), network.node_count());
        let rate = send.path.iter().map(|c| problem.bandwidth(*c)).min()?;
        let lasts = problem.duration_in_units(send.messages.len() as u64, rate)?;
        let (mut uses, mut latency) = (Vec::with_capacity(send.path.len() + 2), 0);
        for &channel in &send.path {
            let (base, times) = bases.channel(channel);
            uses.push(Use { resource: base.index(), after: latency, amount: rate.checked_mul(times.into())? });
            for (group, times) in network.groups_of(channel).map(|group| bases.group(group)) {
                let amount = rate.checked_mul(times.into())?;
                uses.push(Use { resource: channels + group, after: latency, amount });
            }
            latency += problem.latency(channel);
        }
        let (from, to) = (network.from(send.path[0]), network.to(send.path[send.path.len() - 1]));
        let ports = channels + groups;
        if network.send_ports(from).is_some() {
            uses.push(Use { resource: ports + bases.terminal(from).index(), after: 0, amount: 1 });
        }
        if network.receive_ports(to).is_some() {
            let resource = ports + nodes + bases.terminal(to).index();
            uses.push(Use { resource, after: latency, amount: 1 });
        }
        let distinct: BTreeSet<usize> = uses.iter().map(|used| used.resource).collect();
        let meets_itself = distinct.len() < uses.len();
        Some(Waiting { uses, lasts, latency, to, meets_itself, left: 0, next: Vec::new() })
    }
}

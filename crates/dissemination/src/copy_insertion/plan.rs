//! **What:** the copies that have a way, what they take of channels and ports in every step, and which are still wanted.

use super::folded::Folded;
use kernel::{Channel, Node, Problem, Switching};

/// No step, or no price at which something can be had.
pub(super) const NEVER: u32 = u32::MAX;
pub(super) const UNPAYABLE: u64 = u64::MAX / 8;

/// Steps, or slots of a period.
#[derive(Clone, Copy)]
pub(crate) struct Clock {
    pub steps: usize,
    /// Slots that a channel takes; 0 where a path of any length takes one step.
    pub hop: usize,
    /// Whether a path may have several channels.
    pub is_carried: bool,
    /// The first step in which nothing arrives: the end of the period, or that of the next one where what begins in a period may arrive after it.
    pub horizon: usize,
    /// Whether, instead, what begins before the period may arrive in it: a copy that its origin sends then. All times are a period later.
    pub begins_before: bool,
}

impl Clock {
    /// A period of so many steps.
    pub(crate) fn new(problem: &Problem, steps: usize) -> Self {
        let switching = problem.model().switching;
        let slots = switching.slots();
        Clock {
            steps,
            hop: slots.map_or(0, |slots| slots.hop as usize),
            is_carried: switching != Switching::StoreAndForward,
            horizon: if slots.is_some_and(|slots| slots.cyclic) { 2 * steps } else { steps },
            begins_before: false,
        }
    }

    /// The first step of the period, in which the first copies arrive.
    pub(super) fn first(&self) -> usize {
        if self.begins_before { self.steps } else { 0 }
    }

    /// The first step in which what comes by a leg may be sent on.
    pub(crate) fn known(&self, leg: &Leg) -> u32 {
        (leg.start + leg.path.len() * self.hop + 1) as u32
    }

    /// The first step in which nothing is sent.
    pub(super) fn end(&self) -> usize {
        (self.first() + self.steps).min(self.horizon)
    }
}

/// A message at a node.
#[derive(Clone, Default)]
pub(super) struct Copy {
    /// The first step in which it may be sent on; [`NEVER`] where it does not come.
    pub known: u32,
    /// Whether the node is to have it.
    is_wanted: bool,
    /// How often it was looked for.
    weight: u64,
    /// The same of it and all that come from it.
    of_tree: u64,
    /// The copy that it comes from, and those that come from it.
    parent: u32,
    children: Vec<u32>,
    start: u32,
    path: Vec<Channel>,
}

/// What there is before any copy is sent.
#[derive(Default)]
pub(crate) struct Begun {
    /// Nodes other than the origin that have a message, by its number, and the first step in which they may send it.
    pub held: Vec<(usize, Node, u32)>,
    /// What is on its way, and takes channels and ports.
    pub sent: Vec<Leg>,
    /// Whether nodes that are not to have a message may not store it either.
    pub is_for_wanted: bool,
}

/// Where a copy goes next.
#[derive(Clone)]
pub(crate) struct Leg {
    pub from: Node,
    pub to: Node,
    pub start: usize,
    pub path: Vec<Channel>,
}

/// All copies of all messages, by message and node.
pub(super) struct Plan<'a> {
    pub folded: &'a Folded<'a>,
    pub clock: Clock,
    nodes: usize,
    copies: Vec<Copy>,
    /// Those that are wanted and do not come.
    open: Vec<u32>,
    /// Who uses what: channels, then senders, then receivers, step by step; and how often it was used before.
    users: Vec<Vec<u32>>,
    taken: Vec<u32>,
    /// Whether nodes that are not to have a message may not store it either.
    is_for_wanted: bool,
    /// What it costs to have one of them out of the way.
    prices: Vec<u64>,
}

impl<'a> Plan<'a> {
    /// Every message at its origin and where else it is held.
    pub(super) fn new(folded: &'a Folded<'a>, clock: Clock, begun: &Begun) -> Self {
        let (network, collective) = (folded.problem.network(), folded.problem.collective());
        let nodes = network.node_count();
        let nowhere = Copy { known: NEVER, weight: 1, of_tree: 1, parent: NEVER, ..Copy::default() };
        let mut copies = vec![nowhere; folded.messages.len() * nodes];
        let mut open = Vec::new();
        for (k, message) in folded.messages.iter().enumerate() {
            let origin = collective.origin(*message);
            copies[k * nodes + origin.index()].known = 0;
            for v in collective.destinations(*message).iter().filter(|v| **v != origin) {
                copies[k * nodes + v.index()].is_wanted = true;
                open.push((k * nodes + v.index()) as u32);
            }
        }
        for &(message, node, known) in &begun.held {
            copies[message * nodes + node.index()].known = known;
        }
        let numbered = [&folded.channels, &folded.senders, &folded.receivers];
        let places = numbered.iter().map(|numbered| numbered.room.len()).sum::<usize>() * clock.steps;
        let (users, taken, prices) = (vec![Vec::new(); places], vec![0; places], vec![0; places]);
        let is_for_wanted = begun.is_for_wanted;
        let mut plan = Plan { folded, clock, nodes, copies, open, users, taken, is_for_wanted, prices };
        begun.sent.iter().flat_map(|leg| plan.places(leg)).collect::<Vec<usize>>().into_iter().for_each(|place| {
            plan.taken[place] += 1;
        });
        (0..places).for_each(|place| plan.price_anew(place));
        plan
    }

    /// Number of messages times nodes.
    pub(super) fn copies(&self) -> usize {
        self.copies.len()
    }

    /// Copies that are wanted and do not come.
    pub(super) fn open(&self) -> &[u32] {
        &self.open
    }

    /// Message, by its number, and node of a copy.
    pub(super) fn ends(&self, copy: u32) -> (usize, Node) {
        (copy as usize / self.nodes, Node((copy as usize % self.nodes) as u32))
    }

    /// When a node may send a message on.
    pub(super) fn known(&self, message: usize, node: Node) -> u32 {
        self.copies[message * self.nodes + node.index()].known
    }

    /// Whether a node to which a message has not come may store it.
    pub(super) fn stores(&self, message: usize, node: Node) -> bool {
        let copy = &self.copies[message * self.nodes + node.index()];
        copy.known == NEVER && (copy.is_wanted || !self.is_for_wanted)
    }

    /// Looked for once more.
    pub(super) fn insist(&mut self, copy: u32) {
        self.copies[copy as usize].weight += 1;
        self.copies[copy as usize].of_tree += 1;
    }

    fn place(&self, number: usize, step: usize) -> usize {
        number * self.clock.steps + step % self.clock.steps
    }

    fn channel(&self, channel: Channel, step: usize) -> usize {
        self.place(self.folded.channels.of[channel.index()] as usize, step)
    }

    fn sender(&self, node: Node, step: usize) -> usize {
        let before = self.folded.channels.room.len();
        self.place(before + self.folded.senders.of[node.index()] as usize, step)
    }

    fn receiver(&self, node: Node, step: usize) -> usize {
        let before = self.folded.channels.room.len() + self.folded.senders.room.len();
        self.place(before + self.folded.receivers.of[node.index()] as usize, step)
    }

    /// What it costs to use a channel in a step.
    pub(super) fn price(&self, channel: Channel, step: usize) -> u64 {
        self.prices[self.channel(channel, step)]
    }

    /// What it costs to begin a path at a node.
    pub(super) fn price_to_send(&self, node: Node, step: usize) -> u64 {
        self.prices[self.sender(node, step)]
    }

    /// What it costs to end one.
    pub(super) fn price_to_receive(&self, node: Node, step: usize) -> u64 {
        self.prices[self.receiver(node, step)]
    }

    fn room(&self, place: usize) -> usize {
        (self.capacity(place) as usize).saturating_sub(self.taken[place] as usize)
    }

    fn capacity(&self, place: usize) -> u32 {
        let Folded { channels, senders, receivers, .. } = self.folded;
        let mut number = place / self.clock.steps;
        for kind in [channels, senders, receivers] {
            match kind.room.get(number) {
                Some(room) => return *room,
                None => number -= kind.room.len(),
            }
        }
        unreachable!("places are made of these")
    }

    /// The places that a leg takes.
    fn places(&self, leg: &Leg) -> Vec<usize> {
        let Clock { hop, .. } = self.clock;
        let mut places =
            vec![self.sender(leg.from, leg.start), self.receiver(leg.to, leg.start + leg.path.len() * hop)];
        places.extend(leg.path.iter().enumerate().map(|(at, channel)| self.channel(*channel, leg.start + at * hop)));
        places
    }

    /// Lets a message go along these legs, one after the other, and takes out whatever is in the way. Whether that left it a way.
    pub(super) fn insert(&mut self, message: usize, legs: Vec<Leg>) -> bool {
        legs.into_iter().all(|leg| self.insert_leg(message, leg))
    }

    fn insert_leg(&mut self, message: usize, leg: Leg) -> bool {
        let mut places = self.places(&leg);
        let distinct = places.len();
        places.sort_unstable();
        places.dedup();
        let [from, to] = [leg.from, leg.to].map(|v| (message * self.nodes + v.index()) as u32);
        if places.len() < distinct || self.copies[to as usize].known != NEVER {
            return false;
        }
        for &place in &places {
            while self.users[place].len() >= self.room(place) {
                let weight = |copy: &&u32| self.copies[**copy as usize].of_tree;
                let Some(&least) = self.users[place].iter().min_by_key(weight) else { return false };
                self.take_out(least);
            }
        }
        if self.copies[from as usize].known > leg.start as u32 {
            return false;
        }
        let copy = &mut self.copies[to as usize];
        copy.known = self.clock.known(&leg);
        (copy.parent, copy.start, copy.path) = (from, leg.start as u32, leg.path);
        let (is_wanted, of_tree) = (copy.is_wanted, copy.of_tree);
        self.copies[from as usize].children.push(to);
        if is_wanted {
            let at = self.open.iter().position(|open| *open == to).expect("what is wanted and does not come is open");
            self.open.swap_remove(at);
        }
        for place in places {
            self.users[place].push(to);
            self.price_anew(place);
        }
        self.weigh(from, of_tree as i64);
        true
    }

    /// Takes out a copy and all that come from it.
    fn take_out(&mut self, copy: u32) {
        for child in std::mem::take(&mut self.copies[copy as usize].children) {
            self.remove(child);
        }
        let (parent, of_tree) = (self.copies[copy as usize].parent, self.copies[copy as usize].of_tree);
        self.remove(copy);
        self.copies[parent as usize].children.retain(|child| *child != copy);
        self.weigh(parent, -(of_tree as i64));
        let Copy { is_wanted, children, parent: before, .. } = &self.copies[parent as usize];
        if !is_wanted && children.is_empty() && *before != NEVER {
            // Nobody needs it any more.
            self.take_out(parent);
        }
    }

    /// Takes out a copy whose parent forgets it.
    fn remove(&mut self, copy: u32) {
        for child in std::mem::take(&mut self.copies[copy as usize].children) {
            self.remove(child);
        }
        let (message, to) = self.ends(copy);
        let state = &mut self.copies[copy as usize];
        let (parent, start, path) = (state.parent, state.start as usize, std::mem::take(&mut state.path));
        (state.known, state.parent, state.of_tree) = (NEVER, NEVER, state.weight);
        if state.is_wanted {
            self.open.push(copy);
        }
        debug_assert_eq!(self.ends(parent).0, message);
        for place in self.places(&Leg { from: self.ends(parent).1, to, start, path }) {
            self.users[place].retain(|user| *user != copy);
            self.price_anew(place);
        }
    }

    /// Adds to the weight of what a copy and those before it carry.
    fn weigh(&mut self, mut copy: u32, more: i64) {
        loop {
            let state = &mut self.copies[copy as usize];
            state.of_tree = state.of_tree.saturating_add_signed(more);
            if state.parent == NEVER {
                return;
            }
            let (_, to) = self.ends(copy);
            let state = &mut self.copies[copy as usize];
            let (parent, start, path) = (state.parent, state.start as usize, std::mem::take(&mut state.path));
            let leg = Leg { from: self.ends(parent).1, to, start, path };
            for place in self.places(&leg) {
                self.price_anew(place);
            }
            self.copies[copy as usize].path = leg.path;
            copy = parent;
        }
    }

    fn price_anew(&mut self, place: usize) {
        let users = &self.users[place];
        self.prices[place] = match users.len() < self.room(place) {
            true => 0,
            false => users.iter().map(|copy| self.copies[*copy as usize].of_tree).min().unwrap_or(UNPAYABLE),
        };
    }

    /// All copies that were sent, by the number of their message.
    pub(super) fn sent(&self) -> Vec<(usize, Leg)> {
        let copies = (0u32..).zip(&self.copies).filter(|(_, copy)| copy.parent != NEVER);
        let sent = copies.map(|(at, copy)| {
            let (message, to) = self.ends(at);
            let (from, start, path) = (self.ends(copy.parent).1, copy.start as usize, copy.path.clone());
            (message, Leg { from, to, start, path })
        });
        sent.collect()
    }
}

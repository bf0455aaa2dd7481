//! **What:** the copies that have a way, what they take of channels and ports in every step, and which are still wanted.

use super::clock::Clock;
use super::folded::Folded;
use kernel::{Channel, Network, Node};

/// No step, or no price at which something can be had.
pub(super) const NEVER: u32 = u32::MAX;
pub(super) const UNPAYABLE: u64 = u64::MAX / 8;

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
    /// Messages, by their number, that go backwards in time, over channels backwards: the sums that are merged on the way to where such a message is held at
    /// its beginning. Their steps are counted from the end. None where paths take several steps.
    pub backwards: Vec<usize>,
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
    /// Whether a message goes backwards, by its number; and the network for those that do.
    is_backwards: Vec<bool>,
    reversed: Option<Network>,
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
            copies[folded.copy(k, origin) as usize].known = 0;
            for copy in collective.destinations(*message).iter().filter(|v| **v != origin).map(|v| folded.copy(k, *v)) {
                if !std::mem::replace(&mut copies[copy as usize].is_wanted, true) {
                    open.push(copy);
                }
            }
        }
        for &(message, node, known) in &begun.held {
            copies[folded.copy(message, node) as usize].known = known;
        }
        let numbered = [&folded.channels, &folded.senders, &folded.receivers];
        let places = numbered.iter().map(|numbered| numbered.room.len()).sum::<usize>() * clock.steps;
        let (users, taken, prices) = (vec![Vec::new(); places], vec![0; places], vec![0; places]);
        let is_for_wanted = begun.is_for_wanted;
        let mut is_backwards = vec![false; folded.messages.len()];
        begun.backwards.iter().for_each(|message| is_backwards[*message] = true);
        debug_assert!(begun.backwards.is_empty() || clock.hop == 0);
        let reversed = (!begun.backwards.is_empty()).then(|| network.reversed());
        let mut plan =
            Plan { folded, clock, nodes, copies, open, users, taken, is_for_wanted, prices, is_backwards, reversed };
        let taken: Vec<usize> = begun.sent.iter().flat_map(|leg| plan.places(false, leg)).collect();
        taken.into_iter().for_each(|place| plan.taken[place] += 1);
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

    /// Message, by its number, and node of a copy: of copies that are moved to each other, the first.
    pub(super) fn ends(&self, copy: u32) -> (usize, Node) {
        (copy as usize / self.nodes, Node((copy as usize % self.nodes) as u32))
    }

    /// When a node may send a message on.
    pub(super) fn known(&self, message: usize, node: Node) -> u32 {
        self.copies[self.folded.copy(message, node) as usize].known
    }

    /// Whether a node to which a message has not come by a step may store it then.
    pub(super) fn stores(&self, message: usize, node: Node, step: usize) -> bool {
        let copy = &self.copies[self.folded.copy(message, node) as usize];
        let is_sooner = self.reversed.is_some() && copy.parent != NEVER && copy.known > step as u32 + 1;
        (copy.known == NEVER || is_sooner) && (copy.is_wanted || !self.is_for_wanted)
    }

    /// Looked for once more.
    pub(super) fn insist(&mut self, copy: u32) {
        self.copies[copy as usize].weight += 1;
        self.copies[copy as usize].of_tree += 1;
    }

    /// The network as a message goes over it.
    pub(super) fn network(&self, message: usize) -> &Network {
        let forwards = self.folded.problem.network();
        if self.is_backwards[message] { self.reversed.as_ref().unwrap_or(forwards) } else { forwards }
    }

    /// Whether a message goes backwards in time.
    pub(super) fn is_backwards(&self, message: usize) -> bool {
        self.is_backwards[message]
    }

    fn place(&self, number: usize, step: usize, is_backwards: bool) -> usize {
        let steps = self.clock.steps;
        let step = step % steps;
        number * steps + if is_backwards { steps - 1 - step } else { step }
    }

    fn channel(&self, channel: Channel, step: usize, is_backwards: bool) -> usize {
        self.place(self.folded.channels.of[channel.index()] as usize, step, is_backwards)
    }

    /// The place of the port from which a message leaves a node: backwards, that by which it comes.
    fn sender(&self, node: Node, step: usize, is_backwards: bool) -> usize {
        self.port(node, step, is_backwards, is_backwards)
    }

    /// The place of the port by which a message comes to a node: backwards, that from which it leaves.
    fn receiver(&self, node: Node, step: usize, is_backwards: bool) -> usize {
        self.port(node, step, !is_backwards, is_backwards)
    }

    fn port(&self, node: Node, step: usize, is_to_receive: bool, is_backwards: bool) -> usize {
        let Folded { channels, senders, receivers, .. } = self.folded;
        let number = match is_to_receive {
            false => channels.room.len() + senders.of[node.index()] as usize,
            true => channels.room.len() + senders.room.len() + receivers.of[node.index()] as usize,
        };
        self.place(number, step, is_backwards)
    }

    /// What it costs a message to use a channel in a step.
    pub(super) fn price(&self, message: usize, channel: Channel, step: usize) -> u64 {
        self.prices[self.channel(channel, step, self.is_backwards[message])]
    }

    /// What it costs it to begin a path at a node.
    pub(super) fn price_to_send(&self, message: usize, node: Node, step: usize) -> u64 {
        self.prices[self.sender(node, step, self.is_backwards[message])]
    }

    /// What it costs it to end one.
    pub(super) fn price_to_receive(&self, message: usize, node: Node, step: usize) -> u64 {
        self.prices[self.receiver(node, step, self.is_backwards[message])]
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
    fn places(&self, is_backwards: bool, leg: &Leg) -> Vec<usize> {
        self.places_between(is_backwards, [leg.from, leg.to], leg.start, &leg.path)
    }

    /// The places that a copy takes on its way.
    fn places_of(&self, copy: u32) -> Vec<usize> {
        let (message, to) = self.ends(copy);
        let Copy { parent, start, path, .. } = &self.copies[copy as usize];
        self.places_between(self.is_backwards[message], [self.ends(*parent).1, to], *start as usize, path)
    }

    fn places_between(&self, is_backwards: bool, [from, to]: [Node; 2], start: usize, path: &[Channel]) -> Vec<usize> {
        let Clock { hop, .. } = self.clock;
        let end = start + path.len() * hop;
        let mut places = vec![self.sender(from, start, is_backwards), self.receiver(to, end, is_backwards)];
        let channels = path.iter().enumerate();
        places.extend(channels.map(|(at, channel)| self.channel(*channel, start + at * hop, is_backwards)));
        places
    }

    /// Lets a message go along these legs, one after the other, and takes out whatever is in the way. Whether that left it a way.
    pub(super) fn insert(&mut self, message: usize, legs: Vec<Leg>) -> bool {
        legs.into_iter().all(|leg| self.insert_leg(message, leg))
    }

    fn insert_leg(&mut self, message: usize, leg: Leg) -> bool {
        let mut places = self.places(self.is_backwards[message], &leg);
        let distinct = places.len();
        places.sort_unstable();
        places.dedup();
        let [from, to] = [leg.from, leg.to].map(|v| self.folded.copy(message, v));
        let Copy { known, parent, .. } = self.copies[to as usize];
        let is_sooner = parent != NEVER && self.clock.known(&leg) < known && self.reversed.is_some();
        if places.len() < distinct || known != NEVER && !is_sooner {
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
        if self.copies[to as usize].parent != NEVER {
            self.detach(to);
        }
        let copy = &mut self.copies[to as usize];
        copy.known = self.clock.known(&leg);
        (copy.parent, copy.start, copy.path) = (from, leg.start as u32, leg.path);
        let (is_wanted, of_tree) = (copy.is_wanted, copy.of_tree);
        self.copies[from as usize].children.push(to);
        if is_wanted && let Some(at) = self.open.iter().position(|open| *open == to) {
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

    /// Parts a copy from its parent, where it comes sooner from another; what comes from it stays.
    fn detach(&mut self, copy: u32) {
        self.leave_places(copy);
        let state = &mut self.copies[copy as usize];
        let (parent, of_tree) = (std::mem::replace(&mut state.parent, NEVER), state.of_tree);
        self.copies[parent as usize].children.retain(|child| *child != copy);
        self.weigh(parent, -(of_tree as i64));
    }

    /// Takes out a copy whose parent forgets it.
    fn remove(&mut self, copy: u32) {
        for child in std::mem::take(&mut self.copies[copy as usize].children) {
            self.remove(child);
        }
        self.leave_places(copy);
        let state = &mut self.copies[copy as usize];
        (state.known, state.parent, state.of_tree) = (NEVER, NEVER, state.weight);
        if state.is_wanted {
            self.open.push(copy);
        }
    }

    fn leave_places(&mut self, copy: u32) {
        for place in self.places_of(copy) {
            self.users[place].retain(|user| *user != copy);
            self.price_anew(place);
        }
    }

    /// Adds to the weight of what a copy and those before it carry.
    fn weigh(&mut self, mut copy: u32, more: i64) {
        loop {
            let state = &mut self.copies[copy as usize];
            state.of_tree = state.of_tree.saturating_add_signed(more);
            let parent = state.parent;
            if parent == NEVER {
                return;
            }
            for place in self.places_of(copy) {
                self.price_anew(place);
            }
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
            let (message, _) = self.ends(at);
            let (network, path) = (self.network(message), copy.path.clone());
            // Not the ends of this copy and its parent, which stand for all that images move to them.
            let ends = path.first().zip(path.last()).expect("what was sent took a channel");
            let (from, to) = (network.from(*ends.0), network.to(*ends.1));
            (message, Leg { from, to, start: copy.start as usize, path })
        });
        sent.collect()
    }
}

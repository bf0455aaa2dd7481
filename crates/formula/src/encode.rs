//! **What:** the rules of a problem's formula, each with the reason why no schedule is lost by it.
//!
//! A transfer to a node that holds the message already, or a second transfer of a message to the same node in a step, can
//! be left out of any schedule, and so can a part of a path that returns to a node it has been at. What follows speaks of
//! schedules without such waste.

use super::images::sorted;
use super::reach::Reach;
use super::{Beyond, Formula, FormulaKind, Image, Lane, Literal, Rule};
use problem::{Channel, Message, Node, Problem};
use std::collections::{BTreeMap, HashSet};

/// Whether a node holds a message when a step begins.
#[derive(Clone, Copy)]
pub(super) enum Held {
    Never,
    Always,
    If(Literal),
}

impl Formula {
    /// The formula of "a schedule of at most `steps` steps exists".
    ///
    /// Chunks with one destination each are replaced by messages of the [reversed](Problem::reversed) problem: the chain
    /// of transfers by which a contribution reaches the destination, run backwards, hands a copy to the contributor.
    ///
    /// # Errors
    /// [`Beyond`] where the model or collective is not covered, or the formula would be larger than
    /// [`Formula::LARGEST`].
    pub fn encode(problem: &Problem, steps: u64) -> Result<Self, Beyond> {
        Self::encode_within(problem, steps, Self::LARGEST)
    }

    /// As [`Formula::encode`], with at most `limit` literals.
    ///
    /// # Errors
    /// As [`Formula::encode`].
    pub fn encode_within(problem: &Problem, steps: u64, limit: usize) -> Result<Self, Beyond> {
        Self::encode_among(problem, steps, limit, limit)
    }

    /// As [`Formula::encode_within`], for a search: under time-division no path turns back, and none from the root of a reduction makes a large detour, which
    /// some schedule might do, but many a solution that is none.
    ///
    /// `images` is what such schedules are made of, or nothing ([`Image`]).
    ///
    /// # Errors
    /// As [`Formula::encode`].
    ///
    /// # Panics
    /// Where the images are not of the problem's network.
    pub fn encode_to_search(problem: &Problem, images: &[Image], steps: u64, limit: usize) -> Result<Self, Beyond> {
        let kind = FormulaKind::of(problem);
        let reversed = (kind == FormulaKind::Reversed).then(|| problem.reversed()).flatten();
        let mut encoder = Encoder::new(reversed.as_ref().unwrap_or(problem), images, kind, steps, limit)?;
        encoder.to_search = true;
        encoder.paths_of_all()
    }

    /// As [`Formula::encode_within`], of a problem of at most `places` pairs of a message and a channel or node in a step,
    /// most of which need no variable.
    ///
    /// # Errors
    /// As [`Formula::encode`].
    pub fn encode_among(problem: &Problem, steps: u64, places: usize, limit: usize) -> Result<Self, Beyond> {
        let kind = FormulaKind::of(problem);
        let reversed = (kind == FormulaKind::Reversed).then(|| problem.reversed()).flatten();
        let mut encoder = Encoder::new(reversed.as_ref().unwrap_or(problem), &[], kind, steps, places)?;
        encoder.limit = limit;
        encoder.paths_of_all()
    }
}

pub(super) struct Encoder<'a> {
    pub problem: &'a Problem,
    pub formula: Formula,
    literals: usize,
    limit: usize,
    /// Whether schedules may be left out under time-division for the sake of a smaller formula.
    pub to_search: bool,
    /// What the schedule is made of: first what the rules speak of, then its images; nothing where they speak of all of it.
    pub images: &'a [Image],
    /// The limits that have been said, of images.
    pub said: HashSet<(u32, Vec<Literal>)>,
}

impl<'a> Encoder<'a> {
    /// Nothing yet, of a problem of at most `places`, which is also the limit of literals.
    pub(super) fn new(
        problem: &'a Problem,
        images: &'a [Image],
        kind: FormulaKind,
        steps: u64,
        places: usize,
    ) -> Result<Self, Beyond> {
        let slots = problem.model().switching.slots();
        if slots.is_some() && kind == FormulaKind::Calls && !images.is_empty() {
            return Err(Beyond::Scope("calls under time-division are not made of images"));
        }
        let later = images.iter().map(|image| image.delay as u64).max().unwrap_or(0);
        if later > 0 && (slots.is_some() || later >= steps) {
            return Err(Beyond::Scope("images are later by less than the steps, and not under time-division"));
        }
        if !problem.collective().is_numbered() {
            return Err(Beyond::Size { limit: places });
        }
        // Whatever grows with the numbers alone is refused before there is room made for it.
        let (network, messages) = (problem.network(), problem.collective().message_count() as u128);
        let parts = network.channel_count().max(network.node_count()) as u128;
        let spread = match kind {
            FormulaKind::Copies | FormulaKind::Reversed => messages,
            FormulaKind::Calls => network.terminals().len() as u128,
            FormulaKind::Merging | FormulaKind::Partials => network.terminals().len() as u128 * messages,
        };
        let room = places as u128 * images.len().max(1) as u128;
        let steps = usize::try_from(steps - later).ok().filter(|s| parts * spread.max(1) * (*s as u128) <= room);
        let steps = steps.ok_or(Beyond::Size { limit: places })?;
        let mut formula = Formula::new(kind, steps);
        formula.hop = slots.map_or(0, |slots| slots.hop as usize);
        Ok(Encoder { problem, formula, literals: 0, limit: places, to_search: false, images, said: HashSet::new() })
    }
}

/// Where copies of one message, or the calls of one node, may go in a step.
pub(super) struct Scope<'a> {
    /// What the lanes are to be known by.
    pub message: Message,
    /// Where the message begins: it never comes back there.
    pub origin: Node,
    /// The nodes at which a path may end.
    pub receivers: &'a [bool],
    /// The channels that may lie on one.
    pub helps: &'a [bool],
}

impl Encoder<'_> {
    pub(super) fn variable(&mut self) -> Literal {
        self.formula.variables += 1;
        // The limit on literals keeps variables far below 2^31: each stands in a rule of its own.
        Literal::try_from(self.formula.variables).unwrap_or(Literal::MAX)
    }

    pub(super) fn rule(&mut self, least: usize, literals: Vec<Literal>) -> Result<(), Beyond> {
        self.literals += literals.len() + 1;
        if self.literals > self.limit {
            return Err(Beyond::Size { limit: self.limit });
        }
        let least = u32::try_from(least).unwrap_or(u32::MAX);
        self.formula.rules.push(Rule { least, literals });
        Ok(())
    }

    /// Whether so many lanes of a message find room: each has a rule of its own, of two literals at least, and capacities are not believed
    /// before that is counted.
    pub(super) fn has_room_for(&self, lanes: usize) -> Result<(), Beyond> {
        match self.literals.saturating_add(2 * lanes) > self.limit {
            true => Err(Beyond::Size { limit: self.limit }),
            false => Ok(()),
        }
    }

    /// `literal` implies one of `others`.
    pub(super) fn implies(
        &mut self,
        literal: Literal,
        others: impl IntoIterator<Item = Literal>,
    ) -> Result<(), Beyond> {
        self.rule(1, std::iter::once(-literal).chain(others).collect())
    }

    /// At most `most` of `literals` hold.
    pub(super) fn at_most(&mut self, most: u32, literals: &[Literal]) -> Result<(), Beyond> {
        match literals.len().checked_sub(most as usize) {
            None | Some(0) => Ok(()),
            Some(least) => self.rule(least, literals.iter().map(|l| -l).collect()),
        }
    }

    /// Everything that concerns one message alone.
    pub(super) fn message(&mut self, message: Message) -> Result<(), Beyond> {
        let (network, collective) = (self.problem.network(), self.problem.collective());
        let origin = collective.origin(message);
        let destinations: Vec<Node> =
            collective.destinations(message).iter().copied().filter(|v| *v != origin).collect();
        let steps = self.formula.steps;
        let reach = Reach::new(self.problem, origin, &destinations, steps);
        let mut held = vec![Held::Never; network.node_count()];
        held[origin.index()] = Held::Always;
        for t in 0..steps {
            let first = self.formula.lanes[t].len();
            let scope = Scope { message, origin, receivers: &reach.holds[t + 1], helps: &reach.helps[t] };
            self.lanes(&scope, t, &held)?;
            let lanes: Vec<Lane> = self.formula.lanes[t][first..].to_vec();
            self.paths(t, first, &lanes, &held)?;
            // What arrives is held from the next step on, and what is held stays. After the last step all destinations
            // hold the message, which needs no variable.
            let mut next = vec![Held::Never; network.node_count()];
            next[origin.index()] = Held::Always;
            let mut arrivals: Vec<Vec<Literal>> = vec![Vec::new(); network.node_count()];
            lanes.iter().for_each(|lane| arrivals[lane.head.index()].extend(lane.ends));
            for node in network.nodes().filter(|v| *v != origin && reach.holds[t + 1][v.index()]) {
                let mut ways = std::mem::take(&mut arrivals[node.index()]);
                if let Held::If(before) = held[node.index()] {
                    ways.push(before);
                }
                // At most one transfer brings it, and none to a node that holds it.
                self.at_most(1, &ways)?;
                if t + 1 == steps {
                    self.rule(1, ways)?;
                    continue;
                }
                let after = self.variable();
                next[node.index()] = Held::If(after);
                for way in &ways {
                    self.implies(*way, [after])?;
                }
                self.implies(after, ways)?;
            }
            held = next;
        }
        // Destinations that are too far for the steps.
        for _ in destinations.iter().filter(|v| !reach.holds[steps][v.index()]) {
            self.rule(1, Vec::new())?;
        }
        Ok(())
    }

    /// Makes the variables of the channels that paths of the scope may use in step `t`.
    pub(super) fn lanes(&mut self, scope: &Scope<'_>, t: usize, held: &[Held]) -> Result<(), Beyond> {
        let network = self.problem.network();
        let first = self.formula.lanes[t].len();
        let &Scope { message, origin, receivers, helps } = scope;
        for channel in network.channels().filter(|c| helps[c.index()]) {
            let (tail, head) = (network.from(channel), network.to(channel));
            // Copies that cross together part at the channel's head, so where no path passes one is enough; and there
            // are never more than nodes that receive.
            let most = if self.problem.path_passes(head) { network.node_count() - 1 } else { 1 };
            let count = network.capacity(channel).min(u32::try_from(most).unwrap_or(u32::MAX));
            self.has_room_for(self.formula.lanes[t].len() - first + count as usize)?;
            for _ in 0..count {
                let busy = self.variable();
                let begins = (!matches!(held[tail.index()], Held::Never)).then(|| self.variable());
                let receives = head != origin && receivers[head.index()];
                let ends = receives.then(|| self.variable());
                self.formula.lanes[t].push(Lane {
                    message,
                    channel,
                    tail,
                    head,
                    busy,
                    begins,
                    ends,
                    after: Vec::new(),
                });
            }
        }
        Ok(())
    }

    /// The lanes of one message in step `t` hang together as paths; `first` is the position of the first of them.
    pub(super) fn paths(&mut self, t: usize, first: usize, lanes: &[Lane], held: &[Held]) -> Result<(), Beyond> {
        let network = self.problem.network();
        let mut entering: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
        for (at, lane) in lanes.iter().enumerate() {
            entering.entry(network.to(lane.channel)).or_default().push(at);
        }
        // What each lane may do next: end, or go on with one other lane.
        let mut onward: Vec<Vec<Literal>> = lanes.iter().map(|l| l.ends.into_iter().collect()).collect();
        for (at, lane) in lanes.iter().enumerate() {
            let tail = network.from(lane.channel);
            let mut ways: Vec<Literal> = lane.begins.into_iter().collect();
            if self.problem.path_passes(tail) {
                for &before in entering.get(&tail).into_iter().flatten() {
                    // A path that turns back returns to a node it has been at.
                    if network.from(lanes[before].channel) == network.to(lane.channel) {
                        continue;
                    }
                    let goes_on = self.variable();
                    self.formula.lanes[t][first + at].after.push((first + before, goes_on));
                    ways.push(goes_on);
                    onward[before].push(goes_on);
                }
            }
            // A channel in use begins a path or goes on with one,
            self.implies(lane.busy, ways)?;
            // and a path begins where the message is held.
            if let (Some(begins), Held::If(holds)) = (lane.begins, held[tail.index()]) {
                self.implies(begins, [holds])?;
            }
        }
        for (lane, onward) in lanes.iter().zip(onward) {
            // A path ends with a channel, or goes on with one other, only where it uses the channel: of "not in use" and
            // all these, at most one.
            let choices: Vec<Literal> = std::iter::once(-lane.busy).chain(onward).collect();
            self.at_most(1, &choices)?;
        }
        // Lanes of one channel are alike: they may be taken in order.
        for pair in lanes.windows(2).filter(|p| p[0].channel == p[1].channel) {
            self.implies(pair[1].busy, [pair[0].busy])?;
        }
        Ok(())
    }

    /// The formula of copies or calls.
    fn paths_of_all(mut self) -> Result<Formula, Beyond> {
        match (self.problem.model().switching.slots(), self.formula.kind) {
            (Some(slots), FormulaKind::Calls) => {
                self.calls_in_slots(slots)?;
                self.with_limits()
            }
            (Some(slots), _) => self.each_message(|encoder, message| encoder.slots_of(message, slots)),
            (None, FormulaKind::Calls) => {
                self.calls()?;
                self.with_limits()
            }
            (None, _) => self.each_message(Encoder::message),
        }
    }

    /// The formula of all messages, from the rules of each.
    pub(super) fn each_message(
        mut self,
        rules: impl Fn(&mut Self, Message) -> Result<(), Beyond>,
    ) -> Result<Formula, Beyond> {
        for message in self.problem.collective().messages() {
            if self.is_first(message) {
                rules(&mut self, message)?;
            }
        }
        self.with_limits()
    }

    /// The formula, once all is said of each message or caller alone.
    fn with_limits(mut self) -> Result<Formula, Beyond> {
        self.spread();
        self.all_limits()?;
        if self.formula.kind == FormulaKind::Calls && !self.problem.model().is_slotted() {
            let before = self.formula.rules.len();
            self.share_of_one()?;
            self.formula.later = self.formula.rules.len() - before;
        }
        Ok(self.formula)
    }

    /// What the messages share in every step or slot.
    fn all_limits(&mut self) -> Result<(), Beyond> {
        match self.problem.model().is_slotted() {
            true => self.limits_of_slots(),
            false => (0..self.formula.steps).try_for_each(|t| self.limits(t)),
        }
    }

    /// What the messages share in step `t`: channels, half-duplex groups and ports.
    fn limits(&mut self, t: usize) -> Result<(), Beyond> {
        let network = self.problem.network();
        let mut busy: Vec<Vec<Literal>> = vec![Vec::new(); network.channel_count()];
        let mut sent: Vec<Vec<Literal>> = vec![Vec::new(); network.node_count()];
        let mut received: Vec<Vec<Literal>> = vec![Vec::new(); network.node_count()];
        for lane in &self.formula.lanes[t] {
            busy[lane.channel.index()].push(lane.busy);
            sent[network.from(lane.channel).index()].extend(lane.begins);
            received[network.to(lane.channel).index()].extend(lane.ends);
        }
        for channel in network.channels() {
            self.limit(network.capacity(channel), &busy[channel.index()])?;
        }
        for node in network.nodes() {
            if let Some(ports) = network.send_ports(node) {
                self.limit(ports, &sent[node.index()])?;
            }
            if let Some(ports) = network.receive_ports(node) {
                self.limit(ports, &received[node.index()])?;
            }
        }
        let used = network.channels().zip(busy).filter(|(_, busy)| !busy.is_empty());
        self.groups(&used.collect())
    }

    /// A channel of a group is taken by whoever uses it, and one channel of a group may be taken.
    pub(super) fn groups(&mut self, busy: &BTreeMap<Channel, Vec<Literal>>) -> Result<(), Beyond> {
        let network = self.problem.network();
        let mut taken: BTreeMap<Channel, Literal> = BTreeMap::new();
        let mut alike: BTreeMap<Vec<Literal>, Literal> = BTreeMap::new();
        for (&channel, busy) in busy.iter().filter(|(c, _)| network.groups_of(**c).next().is_some()) {
            // What is an image of another channel in the same use has its token.
            let of_image = (!self.images.is_empty()).then(|| sorted(busy));
            if let Some(token) = of_image.as_ref().and_then(|busy| alike.get(busy)) {
                taken.insert(channel, *token);
                continue;
            }
            let token = self.variable();
            taken.insert(channel, token);
            alike.extend(of_image.map(|busy| (busy, token)));
            for &lane in busy {
                self.implies(lane, [token])?;
            }
        }
        for group in network.half_duplex() {
            let tokens: Vec<Literal> = group.iter().filter_map(|c| taken.get(&Channel(*c)).copied()).collect();
            self.limit(1, &tokens)?;
        }
        Ok(())
    }
}

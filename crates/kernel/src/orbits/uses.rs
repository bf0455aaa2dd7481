//! **What:** the uses of channels, ports and half-duplex groups by a schedule of orbits, counted at the bases of their orbits.

use super::OrbitProblem;
use super::action::Action;
use super::schedule::Shifts;
use crate::violation::Violations;
use crate::{Channel, Node, Violation};

/// How often orbits of resources of one kind are used at their bases in the step at hand.
#[derive(Default)]
struct Counts {
    used: Vec<u32>,
    /// The orbits used.
    touched: Vec<u32>,
}

impl Counts {
    #[inline]
    fn add(&mut self, class: u32, times: u32) {
        let class_index = class as usize;
        if class_index >= self.used.len() {
            self.used.resize(class_index + 1, 0);
        }
        if self.used[class_index] == 0 {
            self.touched.push(class);
        }
        self.used[class_index] = self.used[class_index].saturating_add(times);
    }

    /// Tells the orbits used more often than `most` allows, ascending, and forgets all uses.
    fn end(&mut self, most: impl Fn(u32) -> u32, mut excess: impl FnMut(u32, u32, u32)) {
        let mut beyond: Vec<(u32, u32, u32)> = Vec::new();
        for class in self.touched.drain(..) {
            let used = std::mem::take(&mut self.used[class as usize]);
            let most = most(class);
            if used > most {
                beyond.push((class, used, most));
            }
        }
        beyond.sort_unstable();
        beyond.into_iter().for_each(|(class, used, most)| excess(class, used, most));
    }
}

/// Orbits of resources that are used at their bases.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    Channel(u32),
    /// A half-duplex group and its busy channel.
    Group(u32, Channel),
    Send(u32),
    Receive(u32),
}

/// What is used at the bases of orbits in one step.
struct Tally<'a> {
    problem: &'a OrbitProblem,
    channels: Counts,
    send: Counts,
    receive: Counts,
    groups: Vec<(u32, Channel)>,
}

impl<'a> Tally<'a> {
    fn new(problem: &'a OrbitProblem) -> Self {
        let (channels, send, receive) = Default::default();
        Tally { problem, channels, send, receive, groups: Vec::new() }
    }

    #[inline]
    fn add(&mut self, used: Use, times: u32) {
        match used {
            Use::Channel(class) => self.channels.add(class, times),
            Use::Group(class, channel) => self.groups.push((class, channel)),
            Use::Send(class) => self.send.add(class, times),
            Use::Receive(class) => self.receive.add(class, times),
        }
    }

    /// Reports what is used too often in this step, and forgets all uses.
    fn end(&mut self, step: usize, violations: &mut Violations) {
        let (network, translations) = (self.problem.network(), self.problem.translations());
        let channel = |class| Channel(translations.channels().base(class));
        self.channels.end(
            |class| network.capacity(channel(class)),
            |class, used, capacity| {
                violations.push(Violation::ChannelOverloaded { step, channel: channel(class), used, capacity });
            },
        );
        self.groups.sort_unstable();
        self.groups.dedup();
        for pair in self.groups.windows(2).filter(|w| w[0].0 == w[1].0) {
            let (group, first) = (translations.groups().base(pair[0].0) as usize, pair[0].1);
            violations.push(Violation::HalfDuplex { step, group, first, second: pair[1].1 });
        }
        self.groups.clear();
        let node = |class| Node(translations.nodes().base(class));
        self.send.end(
            |class| network.send_ports(node(class)).unwrap_or(u32::MAX),
            |class, used, ports| violations.push(Violation::SendPorts { step, node: node(class), used, ports }),
        );
        self.receive.end(
            |class| network.receive_ports(node(class)).unwrap_or(u32::MAX),
            |class, used, ports| violations.push(Violation::ReceivePorts { step, node: node(class), used, ports }),
        );
    }
}

/// The uses of a whole schedule: counted at once where no element shifts time, else put down with their steps.
pub(super) struct Uses<'a> {
    problem: &'a OrbitProblem,
    shifts: &'a Shifts,
    steps: u64,
    now: Tally<'a>,
    shifted: Option<Vec<(u64, Use)>>,
}

impl<'a> Uses<'a> {
    pub(super) fn new(problem: &'a OrbitProblem, shifts: &'a Shifts, steps: u64) -> Self {
        let shifted = if shifts.are_none() { None } else { Some(Vec::new()) };
        Uses { problem, shifts, steps, now: Tally::new(problem), shifted }
    }

    /// Puts down the uses of a thing's base by the images of who uses the thing.
    #[inline]
    fn put(&mut self, action: &Action, thing: u32, step: u64, used: impl Fn(u32) -> Use) {
        let class = action.class(thing);
        let fixing = action.fixing(class);
        let Some(shifted) = &mut self.shifted else {
            return self.now.add(used(class), u32::try_from(fixing.len()).unwrap_or(u32::MAX));
        };
        let radix = self.problem.translations().radix();
        let back = radix.subtract(0, action.element(thing));
        let moves = fixing.iter().map(|&still| self.shifts.of[radix.add(back, still) as usize]);
        shifted.extend(moves.map(|shift| ((step + shift) % self.steps, used(class))));
    }

    /// As [`Uses::put`], of a half-duplex group, whose busy channel moves as well.
    fn put_group(&mut self, group: u32, step: u64, busy: Channel) {
        let translations = self.problem.translations();
        let (action, radix) = (translations.groups(), translations.radix());
        let class = action.class(group);
        let back = radix.subtract(0, action.element(group));
        for &still in action.fixing(class) {
            let element = radix.add(back, still);
            let used = Use::Group(class, translations.image_channel(element, busy));
            match &mut self.shifted {
                None => self.now.add(used, 1),
                Some(shifted) => shifted.push(((step + self.shifts.of[element as usize]) % self.steps, used)),
            }
        }
    }

    pub(super) fn add(&mut self, step: usize, path: &[Channel], (from, to): (Node, Node)) {
        let problem = self.problem;
        let (translations, network, step) = (problem.translations(), problem.network(), step as u64);
        for &channel in path {
            self.put(translations.channels(), channel.0, step, Use::Channel);
            for group in network.groups_of(channel) {
                let group = u32::try_from(group).expect("a group's number was read from a 32-bit one");
                self.put_group(group, step, channel);
            }
        }
        if network.send_ports(from).is_some() {
            self.put(translations.nodes(), from.0, step, Use::Send);
        }
        if network.receive_ports(to).is_some() {
            self.put(translations.nodes(), to.0, step, Use::Receive);
        }
    }

    /// Checks a step of which all uses are known, which they are only where no element shifts time.
    pub(super) fn end_step(&mut self, step: usize, violations: &mut Violations) {
        if self.shifted.is_none() {
            self.now.end(step, violations);
        }
    }

    /// Checks what was put down for steps still to come.
    pub(super) fn end(mut self, violations: &mut Violations) {
        let mut shifted = self.shifted.unwrap_or_default();
        shifted.sort_unstable();
        for uses in shifted.chunk_by(|a, b| a.0 == b.0) {
            uses.iter().for_each(|(_, used)| self.now.add(*used, 1));
            self.now.end(usize::try_from(uses[0].0).expect("a step's number was an index"), violations);
        }
    }
}

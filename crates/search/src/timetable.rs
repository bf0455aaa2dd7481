//! **What:** the steps of a schedule, or the slots of time-division, while they are filled in order.
//!
//! **Facts.** A path that begins in a slot is at its i-th channel `i × hop` slots later, and ends in the slot after its last hop,
//! round the period where that is cyclic. A step is the case of hop 0: all of a path, and both its ports, in one step. So a search
//! that asks for a channel by its position on the path works under every model.

use graph::{paths::Claims, residual::Residual};
use kernel::{Channel, Node, Problem, Slots};

/// What is free from now on.
#[derive(Clone)]
pub(crate) struct Timetable<'a> {
    problem: &'a Problem,
    slots: Option<Slots>,
    /// The slot that is filled.
    now: usize,
    /// One for all steps, or one for each slot of the period.
    free: Vec<Residual<'a>>,
}

impl<'a> Timetable<'a> {
    /// Empty steps, or the slots of a period of one.
    pub(crate) fn new(problem: &'a Problem, slots: Option<Slots>) -> Self {
        Timetable { problem, slots, now: 0, free: vec![Residual::new(problem.network())] }
    }

    /// Empty slots of another period.
    pub(crate) fn set_period(&mut self, period: usize) {
        self.free = vec![Residual::new(self.problem.network()); period];
    }

    /// Goes on to a step or slot.
    pub(crate) fn begin(&mut self, now: usize) {
        self.now = now;
        if self.slots.is_none() {
            self.free[0].clear();
        }
    }

    /// Steps from the beginning of a path to the end of its last channel: a copy is there at the end of that step.
    pub(crate) fn duration(&self, length: usize) -> usize {
        self.slots.map_or(0, |slots| length.saturating_mul(slots.hop as usize))
    }

    /// Whether a path of that length that begins now ends in time: before the period does, unless that is cyclic.
    pub(crate) fn is_in_time(&self, length: usize) -> bool {
        self.slots.is_none_or(|slots| slots.cyclic || self.now + self.duration(length) < self.free.len())
    }

    /// Whether a path of that length that begins now ends after the period does.
    pub(crate) fn wraps(&self, length: usize) -> bool {
        self.slots.is_some() && self.now + self.duration(length) >= self.free.len()
    }

    /// The slots from now until what a path of that length carries has arrived; `None` where the period ends before.
    pub(crate) fn held_after(&self, length: usize) -> Option<usize> {
        (!self.wraps(length)).then(|| self.duration(length))
    }

    /// What is free in this step, or in the slot in which a path that begins now comes to its channel of that number, or ends.
    pub(crate) fn at(&mut self, position: usize) -> &mut Residual<'a> {
        let slot = self.slot(position);
        &mut self.free[slot]
    }

    fn slot(&self, position: usize) -> usize {
        let slots = self.free.len();
        if slots == 1 { 0 } else { (self.now + self.duration(position)) % slots }
    }

    /// Whether a channel is free as the one of that position.
    pub(crate) fn is_free(&self, position: usize, channel: Channel) -> bool {
        self.free[self.slot(position)].free(channel)
    }

    /// Whether a path may begin at a node.
    pub(crate) fn can_send(&self, node: Node) -> bool {
        self.free[self.slot(0)].can_send(node)
    }

    /// Whether a path of that length may end at a node.
    pub(crate) fn can_receive(&self, node: Node, length: usize) -> bool {
        self.free[self.slot(length)].can_receive(node)
    }

    /// Takes the ports of a path of that length; both must be free.
    pub(crate) fn take_ends(&mut self, from: Node, to: Node, length: usize) {
        self.at(0).take_send(from);
        self.at(length).take_receive(to);
    }

    /// Takes the channels and ports of a path that is free.
    pub(crate) fn take_path(&mut self, path: &[Channel]) {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        let network = self.problem.network();
        self.take_ends(network.from(first), network.to(last), path.len());
        for (position, &channel) in path.iter().enumerate() {
            self.at(position).try_channel(channel);
        }
    }

    /// Gives back the channels of a path, but not its ports.
    pub(crate) fn give_channels(&mut self, path: &[Channel]) {
        for (position, &channel) in path.iter().enumerate() {
            self.at(position).give_channel(channel);
        }
    }
}

impl Claims for Timetable<'_> {
    fn take(&mut self, position: usize, channel: Channel) -> bool {
        self.at(position).try_channel(channel)
    }

    fn give(&mut self, position: usize, channel: Channel) {
        self.at(position).give_channel(channel);
    }
}

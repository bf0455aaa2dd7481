//! **What:** a trace: packets at given cycles.

use crate::interval::Interval;
use crate::packets::Packet;
use crate::source::{Delivery, Source};
use kernel::Node;

/// A packet of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// The cycle in which it is created.
    pub cycle: u64,
    /// Where it starts.
    pub source: Node,
    /// Where it goes.
    pub destination: Node,
    /// Its flits.
    pub flits: u32,
}

/// A program that sends what a trace says. Tags are the positions in the trace, sorted by cycles.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    events: Vec<Event>,
    next: usize,
    deliveries: Vec<Delivery>,
}

impl Trace {
    /// The packets of a trace; those of one cycle keep their order.
    #[must_use]
    pub fn new(mut events: Vec<Event>) -> Self {
        events.sort_by_key(|event| event.cycle);
        Trace { events, next: 0, deliveries: Vec::new() }
    }

    /// Its packets, by cycles.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// What has arrived, in this order.
    #[must_use]
    pub fn deliveries(&self) -> &[Delivery] {
        &self.deliveries
    }
}

impl Source for Trace {
    fn next(&self, _: u64) -> Option<u64> {
        self.events.get(self.next).map(|event| event.cycle)
    }

    fn inject(&mut self, now: u64, packets: &mut Vec<Packet>) {
        while let Some(Event { source, destination, flits, .. }) = self.events.get(self.next).filter(|e| e.cycle <= now)
        {
            packets.push(Packet {
                source: *source,
                destination: *destination,
                flits: *flits,
                interval: Interval::NONE,
                tag: self.next as u64,
            });
            self.next += 1;
        }
    }

    fn delivered(&mut self, delivery: &Delivery) {
        self.deliveries.push(*delivery);
    }
}

//! **What:** a source whose packets are measured while it runs: those created in a window of cycles, by batches.

use crate::measure::flows::Flows;
use crate::measure::histogram::Histogram;
use crate::measure::statistics::Sum;
use crate::packets::Packet;
use crate::source::{Delivery, Source};

/// A source that is looked at.
pub(crate) struct Window<S> {
    source: S,
    /// Packets created in these cycles are measured.
    from: u64,
    until: u64,
    /// Cycles of a batch.
    batch: u64,
    /// Latencies by the batch of creation.
    pub(crate) latency: Vec<Sum>,
    /// From the head's entry into the network on.
    pub(crate) network: Sum,
    pub(crate) hops: Sum,
    pub(crate) spread: Histogram,
    /// Measured packets that are still under way.
    pub(crate) open: u64,
    /// Flits created in these cycles.
    pub(crate) offered: u64,
    /// Flits of packets that arrived in these cycles.
    pub(crate) accepted: u64,
    /// The same of every node.
    pub(crate) flows: Flows,
}

impl<S: Source> Window<S> {
    pub(crate) fn new(source: S) -> Self {
        Window {
            source,
            from: 0,
            until: 0,
            batch: 1,
            latency: Vec::new(),
            network: Sum::default(),
            hops: Sum::default(),
            spread: Histogram::default(),
            open: 0,
            offered: 0,
            accepted: 0,
            flows: Flows::default(),
        }
    }

    /// Measures anew: so many batches of so many cycles from `now` on. Packets created before do not count any more.
    pub(crate) fn open(&mut self, now: u64, batches: usize, batch: u64) {
        (self.from, self.until, self.batch) = (now, now + batch * batches as u64, batch);
        self.latency = vec![Sum::default(); batches];
        (self.network, self.hops, self.spread) = (Sum::default(), Sum::default(), Histogram::default());
        (self.open, self.offered, self.accepted) = (0, 0, 0);
        self.flows.open();
    }

    /// The mean latency of what has been measured.
    pub(crate) fn mean(&self) -> Option<f64> {
        let sum = |sum: Sum, batch: &Sum| Sum { count: sum.count + batch.count, sum: sum.sum + batch.sum };
        self.latency.iter().fold(Sum::default(), sum).mean()
    }
}

impl<S: Source> Source for Window<S> {
    fn next(&self, now: u64) -> Option<u64> {
        self.source.next(now)
    }

    fn inject(&mut self, now: u64, packets: &mut Vec<Packet>) {
        let before = packets.len();
        self.source.inject(now, packets);
        let is_measured = (self.from..self.until).contains(&now);
        packets[before..].iter().for_each(|packet| self.flows.sent(packet, is_measured));
        if is_measured {
            self.open += (packets.len() - before) as u64;
            self.offered += packets[before..].iter().map(|packet| u64::from(packet.flits)).sum::<u64>();
        }
    }

    fn delivered(&mut self, delivery: &Delivery) {
        let is_measured = (self.from..self.until).contains(&delivery.arrived);
        self.flows.arrived(delivery, is_measured);
        if is_measured {
            self.accepted += u64::from(delivery.packet.flits);
        }
        if (self.from..self.until).contains(&delivery.created) {
            self.open -= 1;
            // Below the number of batches.
            let batch = ((delivery.created - self.from) / self.batch) as usize;
            self.latency[batch].add(delivery.latency());
            self.network.add(delivery.arrived - delivery.injected);
            self.hops.add(delivery.hops.into());
            self.spread.add(delivery.latency());
        }
        self.source.delivered(delivery);
    }
}

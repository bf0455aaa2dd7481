//! **What:** whether a network carries what each node sends: where a few nodes alone are held up, all together may look well for long.
//!
//! **Method.** Of every node the packets are counted that it has under way when measuring begins and when it ends. Where they have become more by over
//! a hundredth of what it sent meanwhile and, beside that, a packet and what their number varies by itself, the node is held up. A node sends its packets in their order,
//! so one destination that is held up holds up the node.
//!
//! **Facts:** a number of packets under way with mean n varies by its root, the difference of two by √(2n); under bursts of b cycles, which may all be
//! packets, by √(1 + 2b) times as much. Of many nodes one deviates more than of one: by the expected largest of N normal numbers, √(2 ln N),
//! beyond the three deviations that one is allowed.

use crate::packets::Packet;
use crate::source::Delivery;
use kernel::Node;

/// How many more packets under way are a node's, as a share of what it sent, if it is held up.
const SHARE: f64 = 0.01;
/// Deviations that one number may be off.
const DEVIATIONS: f64 = 3.0;

/// What one node sent, and what of it arrived, while measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sender {
    /// The node.
    pub node: Node,
    /// Flits a cycle that it created.
    pub offered: f64,
    /// Flits a cycle of its packets that arrived.
    pub accepted: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Flow {
    /// Packets under way now, and when measuring began.
    under_way: u64,
    before: u64,
    /// Packets and flits created since, and flits that arrived.
    sent: u64,
    offered: u64,
    accepted: u64,
}

/// The packets of every node, counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows {
    of: Vec<Flow>,
}

impl Flows {
    fn of(&mut self, node: Node) -> &mut Flow {
        if node.index() >= self.of.len() {
            self.of.resize(node.index() + 1, Flow::default());
        }
        &mut self.of[node.index()]
    }

    /// Measures anew.
    pub(crate) fn open(&mut self) {
        for flow in &mut self.of {
            *flow = Flow { under_way: flow.under_way, before: flow.under_way, ..Flow::default() };
        }
    }

    /// A packet is created, while it is measured or not.
    pub(crate) fn sent(&mut self, packet: &Packet, is_measured: bool) {
        let flow = self.of(packet.source);
        flow.under_way += 1;
        if is_measured {
            flow.sent += 1;
            flow.offered += u64::from(packet.flits);
        }
    }

    /// A packet has arrived.
    pub(crate) fn arrived(&mut self, delivery: &Delivery, is_measured: bool) {
        let flow = self.of(delivery.packet.source);
        flow.under_way -= 1;
        if is_measured {
            flow.accepted += u64::from(delivery.packet.flits);
        }
    }

    /// Who is held up, from the mean latency and the cycles that were measured; asked when these are over.
    pub(crate) fn judge(&self, latency: f64, cycles: u64, burst: Option<f64>) -> Judged {
        // Bursts leave a packet a cycle at most.
        let varies = 2.0 * (1.0 + 2.0 * burst.unwrap_or(0.0));
        let grows = |flow: &Flow, of: usize| {
            let (sent, grown) = (flow.sent as f64, flow.under_way as f64 - flow.before as f64);
            let usual = (flow.before as f64).max(sent * latency / cycles.max(1) as f64);
            let deviations = DEVIATIONS + (2.0 * (of.max(1) as f64).ln()).sqrt();
            grown > SHARE * sent + 1.0 + deviations * (varies * usual).sqrt()
        };
        let all = self.of.iter().fold(Flow::default(), |all, flow| Flow {
            under_way: all.under_way + flow.under_way,
            before: all.before + flow.before,
            sent: all.sent + flow.sent,
            ..all
        });
        let senders = || self.of.iter().filter(|flow| flow.sent > 0);
        let count = senders().count();
        let a_cycle = |flits: u64| flits as f64 / cycles.max(1) as f64;
        let sender = |(node, flow): (usize, &Flow)| Sender {
            node: Node::new(node),
            offered: a_cycle(flow.offered),
            accepted: a_cycle(flow.accepted),
        };
        let part = |sender: &Sender| sender.accepted / sender.offered;
        Judged {
            held_up: senders().filter(|flow| grows(flow, count)).count(),
            is_over: grows(&all, 1),
            slowest: (self.of.iter().enumerate().filter(|(_, flow)| flow.offered > 0).map(sender))
                .min_by(|a, b| part(a).total_cmp(&part(b))),
        }
    }
}

/// What was found of all nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// Nodes that are held up.
    pub(crate) held_up: usize,
    /// Whether all together are.
    pub(crate) is_over: bool,
    /// The node of which the least part arrived.
    pub(crate) slowest: Option<Sender>,
}

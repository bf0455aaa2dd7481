//! **What:** what does not fit together: messages without a receiver, waits without a signal, instructions that wait for each other.

use super::{Arcs, Order, Uses};
use crate::Finding;

impl Order<'_> {
    /// Every push has a pop of as many chunks, every wait a signal.
    pub(super) fn matched(&self, queues: &[Uses], counters: &[Uses], findings: &mut Vec<Finding>) {
        let count = |node: u32| {
            let at = self.at[node as usize];
            self.threads.threads[at.thread as usize].instructions[at.instruction as usize].moves[0].count
        };
        for (uses, queue) in queues.iter().zip(&self.threads.queues) {
            let (gives, takes) = (uses.gives.len(), uses.takes.len());
            let text = format!("{}: {gives} messages are sent and {takes} received", queue.name);
            match gives.cmp(&takes) {
                std::cmp::Ordering::Less => findings.push(self.say("receive", uses.takes[gives], text)),
                std::cmp::Ordering::Greater => findings.push(self.say("send", uses.gives[takes], text)),
                std::cmp::Ordering::Equal => {}
            }
            if let Some((give, take)) =
                uses.gives.iter().zip(&uses.takes).find(|(give, take)| count(**give) != count(**take))
            {
                let text = format!("{}: receives {} chunks where {} are sent", queue.name, count(*take), count(*give));
                findings.push(self.say("count", *take, text));
            }
        }
        for (uses, counter) in counters.iter().zip(&self.threads.counters) {
            let given = uses.gives.len() + counter.initial as usize;
            if uses.gives.len() > uses.takes.len() {
                let text = format!(
                    "{}: {} signals and {} waits, so the next run would begin too early",
                    counter.name,
                    uses.gives.len(),
                    uses.takes.len()
                );
                findings.push(self.say("signal", uses.gives[uses.takes.len()], text));
            }
            if uses.takes.len() > given {
                let text = format!("{}: {} waits and {given} signals", counter.name, uses.takes.len());
                findings.push(self.say("wait", uses.takes[given], text));
            }
        }
    }

    /// Instructions that wait for each other.
    pub(super) fn circle(&self, arcs: &Arcs, sorted: &[u32]) -> Finding {
        let mut open = vec![true; self.at.len()];
        sorted.iter().for_each(|node| open[*node as usize] = false);
        let mut before = vec![u32::MAX; self.at.len()];
        for node in (0..self.at.len() as u32).filter(|node| open[*node as usize]) {
            arcs.from(node).iter().for_each(|to| before[*to as usize] = node);
        }
        let mut node = (0..self.at.len() as u32).find(|node| open[*node as usize]).expect("some are left");
        let mut seen = vec![false; self.at.len()];
        while !seen[node as usize] {
            seen[node as usize] = true;
            node = before[node as usize];
        }
        let mut circle = vec![node];
        let mut next = before[node as usize];
        while next != node {
            circle.push(next);
            next = before[next as usize];
        }
        let name = |node: &u32| {
            let at = self.at[*node as usize];
            let thread = &self.threads.threads[at.thread as usize];
            format!(
                "gpu {} tb {} step {}",
                thread.rank, thread.block, thread.instructions[at.instruction as usize].step
            )
        };
        let names: Vec<String> = circle.iter().skip(1).take(6).map(name).collect();
        let more = if circle.len() > 7 { format!(", … ({} in all)", circle.len()) } else { String::new() };
        self.say("deadlock", node, format!("waits for itself, by way of {}{more}", names.join(", ")))
    }
}

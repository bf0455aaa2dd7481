//! **What:** a matching of a receiver's channels with messages, which grows by augmenting paths.

use crate::copies::Copies;
use graph::residual::Residual;
use kernel::{Channel, Node};
use run::Budget;
use std::collections::BTreeMap;

/// A channel into a receiver, as often as it may carry something.
#[derive(Clone, Copy)]
pub(super) struct Unit {
    /// Which it is, and the node that it comes from.
    pub channel: Channel,
    pub holder: Node,
    /// What it is matched with.
    pub message: Option<usize>,
    /// The last search that came to it.
    pub seen: usize,
}

/// Channels into a receiver, matched with messages that their tails hold.
pub(super) struct Matching {
    pub units: Vec<Unit>,
    /// Where channels are many, those whose tails hold each message.
    offers: Option<BTreeMap<usize, Vec<usize>>>,
}

/// More channels are not looked through for each message.
const MANY_CHANNELS: usize = 64;

impl Matching {
    /// Of these channels, with no messages yet.
    pub(super) fn new(units: Vec<Unit>, copies: &Copies, receiver: Node) -> Self {
        let mut matching = Matching { units, offers: None };
        matching.list_offers(copies, receiver);
        matching
    }

    fn list_offers(&mut self, copies: &Copies, receiver: Node) {
        if self.units.len() > MANY_CHANNELS {
            let mut offers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (at, unit) in self.units.iter().enumerate() {
                copies.offered(&[unit.holder], receiver, 0).for_each(|k| offers.entry(k).or_default().push(at));
            }
            self.offers = Some(offers);
        }
    }

    /// Finds message `k` a channel, moving others to other channels where that helps; takes the channel that this fills. As
    /// deep as there are channels.
    pub(super) fn augment(
        &mut self,
        k: usize,
        turn: usize,
        copies: &Copies,
        free: &mut Residual<'_>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let listed = self.offers.as_ref().map(|offers| offers.get(&k).cloned().unwrap_or_default());
        for i in 0..listed.as_ref().map_or(self.units.len(), Vec::len) {
            let at = listed.as_ref().map_or(i, |list| list[i]);
            let Unit { channel, holder, message, seen } = self.units[at];
            if seen == turn || !copies.holds(k, holder) {
                continue;
            }
            if !budget.spend(1) {
                return false;
            }
            self.units[at].seen = turn;
            let is_open = match message {
                None => free.try_take(&[channel]),
                Some(other) => self.augment(other, turn, copies, free, budget),
            };
            if is_open {
                self.units[at].message = Some(k);
                return true;
            }
        }
        false
    }
}

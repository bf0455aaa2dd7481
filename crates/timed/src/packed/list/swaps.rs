//! **What:** transfers that begin in the place of others, so that no sender is idle that could send.
//!
//! **Method.** What begins at a tick is taken back where it is in the way of a sender that would be idle, if its own sender can begin another instead: an augmenting path of two
//! transfers, so ports of switches are used as a matching would.

use super::{List, Places};
use kernel::Channel;
use std::cmp::Reverse;

/// Transfers of a sender that are tried in the place of others.
const TRIES: usize = 8;

impl List<'_> {
    /// Where a sender is idle since one that begins now is in the way of what it could send: takes that one back, if its sender can begin
    /// another instead.
    pub(super) fn exchange(&mut self, tick: u64, now: &mut Vec<usize>, places: &mut Places) {
        if now.is_empty() {
            return;
        }
        let mut open: Vec<Channel> =
            self.net.network.channels().filter(|c| !self.senders[c.index()].is_empty()).collect();
        places.clear();
        now.iter().enumerate().for_each(|(place, at)| places.add(place, &self.way(*at).path));
        while let Some(sender) = open.pop() {
            for at in self.first_from(sender) {
                let blocked = self.blocked(at, tick);
                if blocked == Some(sender) {
                    break;
                }
                if blocked.is_some()
                    && let Some(freed) = self.in_the_place(at, tick, now, places)
                {
                    // Who was taken back may now be begun in the place of another.
                    open.push(freed);
                    break;
                }
            }
        }
    }

    /// The most urgent that leave their sender by a channel.
    fn first_from(&self, channel: Channel) -> Vec<usize> {
        self.senders[channel.index()].iter().rev().take(TRIES).map(|(_, Reverse(at))| *at).collect()
    }

    /// Begins a transfer in the place of one that begins now and whose sender begins another; the channel by which that one would have left its sender,
    /// if that leaves work to be tried again.
    fn in_the_place(&mut self, at: usize, tick: u64, now: &mut Vec<usize>, places: &mut Places) -> Option<Channel> {
        for place in places.using(&self.way(at).path[1..]) {
            let rival = now[place];
            // Another has begun there since.
            if !self.way(rival).path.iter().any(|c| self.way(at).path[1..].contains(c)) {
                continue;
            }
            self.give_back(rival, tick);
            if self.blocked(at, tick).is_none() {
                self.take(at, tick);
                let sender = self.sender(rival);
                let others = self.first_from(sender).into_iter().filter(|other| *other != rival);
                let other = others.into_iter().find(|other| self.blocked(*other, tick).is_none());
                if let Some(other) = other {
                    self.take(other, tick);
                    places.add(place, &self.way(at).path);
                    places.add(now.len(), &self.way(other).path);
                    now[place] = at;
                    now.push(other);
                    if let Some(channel) = self.blocked(rival, tick) {
                        let key = self.key(rival);
                        self.queues[channel.index()].push(key);
                    }
                    return Some(sender);
                }
                self.give_back(at, tick);
            }
            self.take(rival, tick);
        }
        None
    }
}

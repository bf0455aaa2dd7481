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
        places.clear();
        now.iter().enumerate().for_each(|(place, at)| places.add(place, &self.way(*at).path));
        let senders = self.net.network.channels().filter(|c| !self.paths.from[c.index()].is_empty());
        let mut open: Vec<Channel> = senders.filter(|c| !self.is_full(*c, tick)).collect();
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

    /// The most urgent of each path that begins with a channel, in this order.
    fn first_from(&mut self, channel: Channel) -> Vec<usize> {
        let paths = 0..self.paths.from[channel.index()].len();
        let mut first: Vec<usize> =
            paths.filter_map(|place| self.first(self.paths.from[channel.index()][place])).collect();
        first.sort_unstable_by_key(|at| Reverse(self.key(*at)));
        first.truncate(TRIES);
        first
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
                    let channel = self.blocked(rival, tick).unwrap_or(sender);
                    self.paths.queue(self.paths.of[rival], channel, self.key(rival));
                    return Some(sender);
                }
                self.give_back(at, tick);
            }
            self.take(rival, tick);
        }
        None
    }
}

//! **What:** which channels messages may wait for while they hold another, and whether they may wait in a circle.
//!
//! **Theory.** A message that crosses the network like a worm holds the channels behind its head until its tail has passed, and
//! waits for the next one. If channel b may follow channel a on some path, a depends on b. Channels that can be put in an
//! order in which every dependency goes forward cannot block each other for ever: the message that holds the last
//! channel in use moves on, and so on down the order. A cycle of dependencies is where messages may wait for each other
//! without end; where the paths are fixed, some order of sending makes them, where messages have a choice it may still be that a
//! way out remains.
//!
//! **Source:** W. J. Dally, C. L. Seitz, Deadlock-free message routing in multiprocessor interconnection networks, IEEE
//! Transactions on Computers 36, 1987; for choices J. Duato, 1993

use kernel::{Channel, Network, Switching, Verified};
use std::collections::VecDeque;

/// The graph of dependencies between channels.
#[derive(Clone, Debug)]
pub struct Dependencies {
    used: Vec<bool>,
    next: Vec<Vec<Channel>>,
}

/// Dependencies looked at in the search for a short cycle, once one is known.
const EFFORT: usize = 20_000_000;

impl Dependencies {
    /// No channel in use.
    pub fn new(network: &Network) -> Self {
        Dependencies { used: vec![false; network.channel_count()], next: vec![Vec::new(); network.channel_count()] }
    }

    /// A path uses `channel`, behind `before` if there is one.
    pub fn follow(&mut self, before: Option<Channel>, channel: Channel) {
        self.used[channel.index()] = true;
        if let Some(before) = before {
            let next = &mut self.next[before.index()];
            if let Err(place) = next.binary_search(&channel) {
                next.insert(place, channel);
            }
        }
    }

    /// A path of channels in use.
    pub fn path(&mut self, path: &[Channel]) {
        let before = std::iter::once(None).chain(path.iter().copied().map(Some));
        before.zip(path).for_each(|(before, channel)| self.follow(before, *channel));
    }

    /// The dependencies of all transfers of a schedule, whatever their steps. Under store-and-forward a transfer holds one
    /// channel and waits for none.
    pub fn of_schedule(schedule: &Verified) -> Self {
        let mut graph = Dependencies::new(schedule.problem().network());
        let whole = schedule.problem().model().switching != Switching::StoreAndForward;
        for transfer in (0..schedule.steps()).flat_map(|step| schedule.step(step)) {
            if whole {
                graph.path(&transfer.path);
            } else {
                transfer.path.iter().for_each(|channel| graph.follow(None, *channel));
            }
        }
        graph
    }

    /// The steps of a schedule whose own transfers, taken alone, have a cycle: none where no channel carries two transfers,
    /// since no two paths then meet.
    pub fn steps_with_cycles(schedule: &Verified) -> Vec<usize> {
        let network = schedule.problem().network();
        let alone = schedule.problem().model().switching == Switching::StoreAndForward
            || network.channels().all(|c| network.capacity(c) == 1);
        let mut cyclic = Vec::new();
        for step in (0..schedule.steps()).filter(|_| !alone) {
            let mut graph = Dependencies::new(network);
            schedule.step(step).for_each(|transfer| graph.path(&transfer.path));
            cyclic.extend(graph.cycle().map(|_| step));
        }
        cyclic
    }

    /// Channels in use.
    pub fn channels(&self) -> usize {
        self.used.iter().filter(|used| **used).count()
    }

    /// Dependencies between them.
    pub fn count(&self) -> usize {
        self.next.iter().map(Vec::len).sum()
    }

    /// The channels that may follow `channel`, ascending.
    pub fn after(&self, channel: Channel) -> &[Channel] {
        &self.next[channel.index()]
    }

    /// A cycle, each channel followed by the next and the last by the first; the shortest where the search for it is not
    /// too long. `None` says that channels can be put in order.
    pub fn cycle(&self) -> Option<Vec<Channel>> {
        let core = self.core();
        let (mut best, mut effort) = (None::<Vec<Channel>>, 0);
        for start in (0..core.len()).filter(|c| core[*c]).map(Channel::new) {
            if best.as_ref().is_some_and(|cycle| cycle.len() == 2 || effort > EFFORT) {
                break;
            }
            let most = best.as_ref().map_or(usize::MAX, Vec::len);
            best = self.cycle_through(start, &core, most, &mut effort).or(best);
        }
        best
    }

    /// The channels that are left when those that none precedes, and those that none follows, are taken away again and again.
    fn core(&self) -> Vec<bool> {
        let mut core = self.used.clone();
        let mut back = vec![Vec::new(); self.next.len()];
        for (channel, next) in self.next.iter().enumerate() {
            next.iter().for_each(|n| back[n.index()].push(Channel::new(channel)));
        }
        for (to, from) in [(&self.next, &back), (&back, &self.next)] {
            let count = |c: usize| from[c].iter().filter(|b| core[b.index()]).count();
            let mut before: Vec<usize> = (0..core.len()).map(count).collect();
            let mut open: Vec<usize> = (0..core.len()).filter(|c| core[*c] && before[*c] == 0).collect();
            while let Some(channel) = open.pop() {
                core[channel] = false;
                for next in to[channel].iter().map(|n| n.index()).filter(|n| core[*n]) {
                    before[next] -= 1;
                    if before[next] == 0 {
                        open.push(next);
                    }
                }
            }
        }
        core
    }

    /// A shortest cycle through a channel, if it has less than `most` channels.
    fn cycle_through(&self, start: Channel, core: &[bool], most: usize, effort: &mut usize) -> Option<Vec<Channel>> {
        let mut from = vec![None; core.len()];
        let mut queue = VecDeque::from([(start, 1)]);
        while let Some((channel, length)) = queue.pop_front() {
            if length >= most {
                return None;
            }
            *effort += self.next[channel.index()].len();
            for &next in self.next[channel.index()].iter().filter(|n| core[n.index()]) {
                if next == start {
                    let back = std::iter::successors(Some(channel), |c| from[c.index()]);
                    let mut cycle: Vec<Channel> = back.collect();
                    cycle.reverse();
                    return Some(cycle);
                }
                if from[next.index()].is_none() {
                    from[next.index()] = Some(channel);
                    queue.push_back((next, length + 1));
                }
            }
        }
        None
    }
}

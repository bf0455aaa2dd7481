//! **What:** which transfers begin at a tick, by the channels that they use.

use kernel::Channel;

/// The places, among the transfers that begin now, of those that use each channel.
pub(super) struct Places {
    of: Vec<Vec<usize>>,
    used: Vec<Channel>,
}

impl Places {
    pub(super) fn new(channels: usize) -> Self {
        Places { of: vec![Vec::new(); channels], used: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.used.drain(..).for_each(|c| self.of[c.index()].clear());
    }

    pub(super) fn add(&mut self, place: usize, path: &[Channel]) {
        path.iter().for_each(|c| self.of[c.index()].push(place));
        self.used.extend(path);
    }

    /// Those of some channels, ascending; some may use none of them any more.
    pub(super) fn using(&self, path: &[Channel]) -> Vec<usize> {
        let mut places: Vec<usize> = path.iter().flat_map(|c| &self.of[c.index()]).copied().collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

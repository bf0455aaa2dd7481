//! **What:** source routes: every packet carries its path, that of its tag.

use crate::source::{Choice, Position, Routes};
use kernel::Channel;

/// The path of one tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// Its channels.
    pub channels: Vec<Channel>,
    /// The virtual channels that it may have, a bit each.
    pub vcs: u32,
}

/// Paths by tags: a packet with tag `t` takes path `t`. Memory is that of the paths, however often each is taken.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    starts: Vec<u32>,
    channels: Vec<Channel>,
    vcs: Vec<u32>,
}

impl Paths {
    /// No paths.
    #[must_use]
    pub fn new() -> Self {
        Paths { starts: vec![0], ..Paths::default() }
    }

    /// Adds a path that may have any virtual channel; its tag.
    pub fn add(&mut self, channels: &[Channel]) -> u64 {
        self.add_on(channels, u32::MAX)
    }

    /// Adds a path that may have the virtual channels of a mask; its tag.
    pub fn add_on(&mut self, channels: &[Channel], vcs: u32) -> u64 {
        self.channels.extend(channels);
        self.vcs.push(vcs);
        self.starts.push(u32::try_from(self.channels.len()).expect("paths of fewer than 2^32 channels"));
        self.vcs.len() as u64 - 1
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.vcs.len()
    }
}

impl Routes for Paths {
    fn name(&self) -> String {
        "source routes".into()
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        let tag = usize::try_from(at.tag).unwrap_or(usize::MAX);
        let (Some(vcs), Some(&start), Some(&end)) = (self.vcs.get(tag), self.starts.get(tag), self.starts.get(tag + 1))
        else {
            return;
        };
        let path = &self.channels[start as usize..end as usize];
        choices.extend(path.get(at.hops as usize).map(|channel| Choice {
            channel: *channel,
            vcs: *vcs,
            is_escape: false,
        }));
    }
}

//! **What:** the page that plays simulations: buffers behind channels as they fill, channels on which packets wait, and a time axis; one run,
//! or several on the same network beside each other.
//!
//! **Facts:** looks at a run are evenly apart; a look tells only of channels where there is something to tell. The program is built from
//! `viewer/src/simulation.ts` and kept in `assets/`. A page holds at most [`MOST_NUMBERS`] numbers: of longer runs looks are left out evenly,
//! and the page says how far apart they are.

use super::data::{Net, net};
use super::{Pieces, fill, packed};
use kernel::Network;
use serde::Serialize;
use std::io::{self, Write};

/// Numbers about channels that a page holds at most.
pub const MOST_NUMBERS: usize = 4_000_000;

const PROGRAM: &str = include_str!("../../assets/simulation.js");

/// A channel at a look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Flits in the buffers behind it.
    pub buffered: u64,
    /// Flits that it has carried since the look before.
    pub carried: u64,
    /// Requests for it that were not granted since then.
    pub blocked: u64,
}

/// One run.
pub struct Run<'a> {
    /// What it is.
    pub name: String,
    /// How it ended, in some words.
    pub ended: String,
    /// Its cycles.
    pub cycles: u64,
    /// Cycles from one look to the next.
    pub every: u64,
    /// Looks.
    pub looks: usize,
    /// A channel at a look, both by their numbers.
    pub seen: &'a dyn Fn(usize, usize) -> Seen,
    /// The last arrival of each step.
    pub step_ends: &'a [u64],
    /// Channels that wait for each other for ever.
    pub circle: Vec<u32>,
}

/// Runs on one network.
pub struct Simulated<'a> {
    /// What the page is called.
    pub title: String,
    /// The network.
    pub network: &'a Network,
    /// Flits that the buffers behind one channel hold together.
    pub room: u64,
    /// The runs.
    pub runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Page<'a> {
    title: &'a str,
    network: Net,
    room: u64,
    runs: Vec<Data<'a>>,
}

/// A run as lists of numbers.
#[derive(Serialize)]
struct Data<'a> {
    name: &'a str,
    ended: &'a str,
    cycles: u64,
    every: u64,
    /// Looks of the simulation that one of the page stands for.
    together: usize,
    /// Channels a look.
    counts: Vec<usize>,
    channels: Vec<u32>,
    buffered: Vec<u64>,
    carried: Vec<u64>,
    blocked: Vec<u64>,
    step_ends: &'a [u64],
    circle: &'a [u32],
}

/// Writes the page.
///
/// # Errors
/// Those of `out`.
pub fn write(simulated: &Simulated<'_>, out: &mut dyn Write) -> io::Result<()> {
    let channels = simulated.network.channel_count();
    let most = MOST_NUMBERS / simulated.runs.len().max(1);
    let page = Page {
        title: &simulated.title,
        network: net(simulated.network),
        room: simulated.room,
        runs: simulated.runs.iter().map(|run| data(run, channels, most)).collect(),
    };
    let block = packed("simulation", &page)?;
    fill(&Pieces { title: &simulated.title, data: block.as_bytes(), program: PROGRAM }, out)
}

fn data<'a>(run: &'a Run<'_>, channels: usize, most: usize) -> Data<'a> {
    let together = (4 * channels).saturating_mul(run.looks).div_ceil(most.max(1)).max(1);
    let mut data = Data {
        name: &run.name,
        ended: &run.ended,
        cycles: run.cycles,
        every: run.every.saturating_mul(together as u64),
        together,
        counts: Vec::new(),
        channels: Vec::new(),
        buffered: Vec::new(),
        carried: Vec::new(),
        blocked: Vec::new(),
        step_ends: &run.step_ends[..run.step_ends.len().min(most / 4)],
        circle: &run.circle,
    };
    for first in (0..run.looks).step_by(together) {
        let before = data.channels.len();
        for (channel, number) in (0..channels).zip(0u32..) {
            let looks = first..(first + together).min(run.looks);
            let last = (run.seen)(looks.end - 1, channel).buffered;
            let seen = looks.fold(Seen { buffered: last, ..Seen::default() }, |sum, look| {
                let Seen { carried, blocked, .. } = (run.seen)(look, channel);
                Seen { carried: sum.carried + carried, blocked: sum.blocked + blocked, ..sum }
            });
            if seen != Seen::default() {
                data.channels.push(number);
                data.buffered.push(seen.buffered);
                data.carried.push(seen.carried);
                data.blocked.push(seen.blocked);
            }
        }
        data.counts.push(data.channels.len() - before);
    }
    data
}

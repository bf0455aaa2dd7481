//! **What:** an asynchronous replay of a schedule in time: the same transfers in the same order, each as soon as it can, on a machine that is slower
//! than the schedule thinks, or not always equally fast.
//!
//! **Model.** A transfer begins when its sender holds what it carries: one of the copies that came to it before in the schedule; of a chunk that is
//! merged, all contributions that the schedule merges there before. What comes earlier than in the schedule is kept beside and changes nothing that is sent.
//! A transfer uses a channel when everything has left it that leaves it before in the schedule, and so with half-duplex groups and ports.
//! What finds the next channel of its path busy waits in a buffer before it (virtual cut-through); a node merges chunks in the order of the schedule.
//!
//! A transfer has one rate on all of its path. Through a channel of f times its bandwidth it has f times its rate, the smallest f of its path.
//! With jitter J its duration and the latencies of its path are multiplied by a random number, uniform between 1 and 1 + J, rounded up to ticks.
//!
//! **Why it never waits for ever.** Every event waits for events only that come before it in the order of the schedule (module `events`), so one pass in
//! that order gives all times, and there is no circle.
//!
//! **Why it is a schedule.** Two transfers that are on a channel at once in the replay are so in the schedule, else one would have waited for the
//! other. Intervals that meet two by two have a tick in common; at that one the schedule has all of them on the channel. So what is on a
//! channel at once in the replay fits into its bandwidth. The same holds of groups and ports.
//!
//! **Why it is not longer** without slowing and jitter: by induction over the events, none is later than in the schedule. It is the maximum of times
//! of earlier events plus what lies between in the schedule as well; the first copy to come in the replay is no later than the first of the schedule.

use super::events::{Event, Events, Part};
use kernel::timed::Timeline;
use kernel::{Channel, Semantics};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// What the machine does that the schedule does not know.
#[derive(Clone, Debug, Default)]
pub struct Disturbance {
    /// Channels and the part of their bandwidth that they have, above 0.
    pub slow: Vec<(Channel, f64)>,
    /// Durations and latencies vary between 1 and 1 + so many times what they are.
    pub jitter: f64,
}

/// One replay, in ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// When each transfer begins.
    pub begin: Vec<u64>,
    /// When all receivers hold what it brings.
    pub end: Vec<u64>,
    /// When the last one ends.
    pub ticks: u64,
}

impl Replayed {
    /// Of the transfers that end later than in the schedule, the one that should have ended first.
    #[must_use]
    pub fn first_late(&self, timeline: &Timeline<'_>) -> Option<usize> {
        let sent = timeline.sent();
        let late = (0..sent.len()).filter(|at| self.end[*at] > sent[*at].end);
        late.min_by_key(|at| sent[*at].end)
    }
}

/// Replays of one schedule on one machine.
pub struct Replay<'t> {
    events: Events<'t>,
    /// What durations are multiplied by, a number for each transfer.
    slower: Vec<f64>,
    jitter: f64,
    random: Pcg64Mcg,
}

/// What the pass over the events keeps.
struct Pass {
    /// When each span begins.
    begin: Vec<u64>,
    /// When each resource is left by all that leave it before.
    free: Vec<u64>,
    /// When each message is held at each node.
    held: Vec<Option<u64>>,
    /// When each node has merged what came before.
    merged: Vec<u64>,
}

impl<'t> Replay<'t> {
    /// Prepares replays; the same seed gives the same.
    #[must_use]
    pub fn new(timeline: &'t Timeline<'t>, disturbance: &Disturbance, seed: u64) -> Self {
        let mut slow = vec![1.0; timeline.problem().network().channel_count()];
        for (channel, part) in &disturbance.slow {
            slow[channel.index()] = 1.0 / part;
        }
        let slowest =
            |uses: &[kernel::timed::ChannelUse]| uses.iter().map(|u| slow[u.channel.index()]).fold(1.0, f64::max);
        let slower = timeline.sent().iter().map(|sent| slowest(&timeline.uses()[sent.uses.clone()])).collect();
        let random = Pcg64Mcg::seed_from_u64(seed);
        Replay { events: Events::of(timeline), slower, jitter: disturbance.jitter, random }
    }

    /// The next replay.
    pub fn run(&mut self) -> Replayed {
        let timeline = self.events.timeline;
        let sent = timeline.sent();
        let factors: Vec<f64> = sent.iter().map(|_| 1.0 + self.jitter * self.random.random::<f64>()).collect();
        let lasts: Vec<u64> = (0..sent.len()).map(|at| times(sent[at].lasts, factors[at] * self.slower[at])).collect();
        let mut pass = Pass {
            begin: vec![0; self.events.spans.len()],
            free: vec![0; self.events.resources().len()],
            held: vec![None; self.events.place_count()],
            merged: vec![0; timeline.problem().network().node_count()],
        };
        let mut end = vec![0; sent.len()];
        for &(_, event) in &self.events.all {
            match event {
                Event::Begin(span) => self.begin(span, &factors, &mut pass),
                Event::End(span) => {
                    let left = pass.begin[span].saturating_add(lasts[self.events.spans[span].transfer]);
                    for (resource, _) in self.events.used(span) {
                        pass.free[*resource] = pass.free[*resource].max(left);
                    }
                }
                Event::Held(at) => {
                    let transfer = timeline.held()[at].transfer;
                    let tick = self.held(at, lasts[transfer], &mut pass);
                    end[transfer] = tick.max(end[transfer]);
                }
            }
        }
        let begin = sent.iter().map(|sent| pass.begin[self.events.of_use[sent.uses.start]]).collect();
        let ticks = end.iter().copied().max().unwrap_or(0);
        Replayed { begin, end, ticks }
    }

    /// A span begins when what comes before it on its path has come so far, and all that it uses is free.
    fn begin(&self, span: usize, factors: &[f64], pass: &mut Pass) {
        let timeline = self.events.timeline;
        let transfer = self.events.spans[span].transfer;
        let before = match self.events.spans[span].part {
            Part::Use(at) => timeline.uses()[at].before,
            Part::Receive(at) => Some(timeline.receivers()[at].last),
        };
        let path = match before {
            Some(before) => {
                let latency = timeline.problem().latency(timeline.uses()[before].channel);
                pass.begin[self.events.of_use[before]].saturating_add(times(latency, factors[transfer]))
            }
            None => self.events.carried(transfer).filter_map(|place| pass.held[place]).max().unwrap_or(0),
        };
        pass.begin[span] = self.events.used(span).iter().map(|(resource, _)| pass.free[*resource]).fold(path, u64::max);
    }

    /// A message has come, and is merged; the tick.
    fn held(&self, at: usize, lasts: u64, pass: &mut Pass) -> u64 {
        let timeline = self.events.timeline;
        let problem = timeline.problem();
        let held = timeline.held()[at];
        let node = timeline.receivers()[held.receiver].node;
        let mut tick = pass.begin[self.events.of_receiver[held.receiver]].saturating_add(lasts);
        if held.merges {
            let free = &mut pass.merged[node.index()];
            *free = tick.max(*free).saturating_add(problem.merging());
            tick = *free;
        }
        let place = self.events.place(node, held.message).expect("what is held has a place");
        let known = pass.held[place].get_or_insert(tick);
        *known = match problem.collective().semantics() {
            Semantics::Copy => tick.min(*known),
            Semantics::Reduce => tick.max(*known),
        };
        tick
    }
}

/// So many ticks times a factor of at least 1, rounded up.
fn times(ticks: u64, factor: f64) -> u64 {
    // Beyond 2^53 a float would change what is not to be changed.
    if factor == 1.0 { ticks } else { (ticks as f64 * factor).ceil() as u64 }
}

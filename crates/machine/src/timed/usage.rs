//! **What:** how much of their bandwidth the channels of a schedule in time use.

use kernel::Channel;
use kernel::timed::Timeline;

/// What a channel carries from tick 0 to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usage {
    /// The channel.
    pub channel: Channel,
    /// Transfers that use it.
    pub transfers: usize,
    /// Bytes over what its bandwidth would carry in the whole time, from 0 to 1.
    pub share: f64,
}

/// What all channels carry.
#[derive(Clone, Debug, PartialEq)]
pub struct Usages {
    /// A line for each channel, the fullest first.
    pub channels: Vec<Usage>,
    /// What all channels carry together, over what all bandwidths together would, from 0 to 1.
    pub average: f64,
}

impl Usages {
    /// Those of a schedule.
    #[must_use]
    pub fn of(timeline: &Timeline<'_>) -> Self {
        let problem = timeline.problem();
        let network = problem.network();
        let mut carried = vec![(0u128, 0usize); network.channel_count()];
        for (sent, transfer) in timeline.sent().iter().zip(timeline.transfers()) {
            for used in &timeline.uses()[sent.uses.clone()] {
                let (messages, transfers) = &mut carried[used.channel.index()];
                *messages += transfer.transfer.messages.len() as u128;
                *transfers += 1;
            }
        }
        let units = problem.units();
        let float = |number: kernel::Rational| number.numerator as f64 / number.denominator as f64;
        // A GB/s is 1000 bytes a microsecond.
        let whole = |channel: Channel| {
            float(problem.links().bandwidth[channel.index()]) * 1000.0 * timeline.schedule().micros()
        };
        let bytes = |messages: u128| messages as f64 * float(units.chunk_bytes);
        let share = |bytes: f64, whole: f64| if whole > 0.0 { bytes / whole } else { 0.0 };
        let usage = |channel: Channel| {
            let (messages, transfers) = carried[channel.index()];
            Usage { channel, transfers, share: share(bytes(messages), whole(channel)) }
        };
        let mut channels: Vec<Usage> = network.channels().map(usage).collect();
        channels.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.channel.cmp(&b.channel)));
        let all: f64 = network.channels().map(|channel| bytes(carried[channel.index()].0)).sum();
        Usages { channels, average: share(all, network.channels().map(whole).sum()) }
    }
}

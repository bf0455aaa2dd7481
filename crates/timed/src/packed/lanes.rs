//! **What:** transfers made slower, so that they go over a channel side by side with others that have to be slow.
//!
//! **Method.** A transfer that is slow because of another channel of its path takes a part of a channel for a long time, and what needs all of that channel cannot begin meanwhile: work that fits by volume does not fit in time.
//! Where the transfers of a channel would take longer one after the other than there is time, lanes are set apart for those that need no more than half of it, as many as they need in that time, and what is
//! faster keeps to the rest. That makes it last longer on the other channels of its path, so these are looked at again.

use super::net::Net;
use super::tasks::Tasks;
use kernel::Channel;

/// How often channels are looked at. Transfers only become slower, so this ends by itself, but long chains of channels that pass slowness on are not worth following.
const PASSES: usize = 3;

/// Keeps transfers to what slower ones leave them, where the channels have not so much time for all of them one after the other.
pub(super) fn share(net: &Net<'_>, tasks: &mut Tasks, time: u64) {
    for _ in 0..PASSES {
        let rates = rates(net, tasks, time);
        let mut is_changed = false;
        for one in &mut tasks.0 {
            let rate = one.way.path.iter().map(|c| rates[c.index()]).min().unwrap_or(u64::MAX);
            is_changed |= rate < one.way.rate && one.way.slow(net, rate, 1).is_some();
        }
        if !is_changed {
            break;
        }
    }
}

/// What transfers on a channel need that take no more than half of it.
#[derive(Clone, Copy, Default)]
struct Slow {
    /// The fastest of them.
    rate: u64,
    /// Ticks times rates, of all.
    work: u128,
}

/// How fast the transfers of each channel may be.
fn rates(net: &Net<'_>, tasks: &Tasks, time: u64) -> Vec<u64> {
    let mut lasts = vec![0u64; net.network.channel_count()];
    let mut slow = vec![Slow::default(); lasts.len()];
    for one in &tasks.0 {
        let way = &one.way;
        for &channel in &way.path {
            lasts[channel.index()] = lasts[channel.index()].saturating_add(way.lasts);
            if way.rate <= net.problem.bandwidth(channel) / 2 {
                let slow = &mut slow[channel.index()];
                slow.rate = slow.rate.max(way.rate);
                slow.work += u128::from(way.lasts) * u128::from(way.rate);
            }
        }
    }
    let rate_of = |channel: Channel| {
        let (bandwidth, Slow { rate, work }) = (net.problem.bandwidth(channel), slow[channel.index()]);
        if lasts[channel.index()] <= time || rate == 0 {
            return bandwidth;
        }
        let lanes = work.div_ceil(u128::from(rate) * u128::from(time.max(1)));
        let taken = u64::try_from(lanes).unwrap_or(u64::MAX).saturating_mul(rate);
        bandwidth.saturating_sub(taken).max(rate)
    };
    net.network.channels().map(rate_of).collect()
}

//! **What:** what the graph formats say of a channel: its capacity in steps, its bandwidth and its latency in time.

use crate::decimal::json;
use crate::units::{RATES, TIMES, in_file};
use kernel::timed::Links;
use kernel::{Channel, Network, Rational};

/// What a channel carries, as far as its file says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Carries {
    /// Transfers in a step.
    pub capacity: Option<u32>,
    /// GB/s.
    pub bandwidth: Option<Rational>,
    /// Microseconds.
    pub latency: Option<Rational>,
}

impl Carries {
    /// Takes an attribute of an edge, and tells whether it means something here.
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> Result<bool, &'static str> {
        match name {
            "capacity" => {
                self.capacity = Some(capacity(value).ok_or("the capacity is not a whole number of at least 1")?);
            }
            "bandwidth" => {
                let rate = in_file(value, RATES).filter(|rate| rate.numerator > 0);
                let why = "the bandwidth is no number above 0, in GB/s or with a unit: GB/s, MB/s, TB/s, Gb/s";
                self.bandwidth = Some(rate.ok_or(why)?);
            }
            "latency" => {
                let why = "the latency is no number of 0 or more, in us or with a unit: us, µs, ns, ms, s";
                self.latency = Some(in_file(value, TIMES).ok_or(why)?);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What a network says of a channel: what is the same for all channels without being said is left out.
    pub(super) fn of(network: &Network, links: Option<&Links>, channel: Channel) -> Self {
        let at = channel.index();
        Carries {
            capacity: network.data().capacities.as_ref().map(|list| list[at]),
            bandwidth: links.and_then(|links| links.bandwidth.get(at).copied()),
            latency: links.and_then(|links| links.latency.get(at).copied()),
        }
    }

    /// The attributes that are known, as they are written.
    pub(super) fn written(self) -> impl Iterator<Item = (&'static str, String)> {
        let capacity = self.capacity.map(|capacity| ("capacity", capacity.to_string()));
        let number = |name, number: Option<Rational>| number.map(|number| (name, text(number)));
        [capacity, number("bandwidth", self.bandwidth), number("latency", self.latency)].into_iter().flatten()
    }
}

/// A capacity as the graph formats write it: a whole number of at least 1, perhaps as `2.0`.
fn capacity(word: &str) -> Option<u32> {
    let word = word.trim();
    let whole = word.split_once('.').filter(|(_, zeros)| zeros.bytes().all(|b| b == b'0')).map_or(word, |(w, _)| w);
    whole.parse().ok().filter(|c| *c > 0)
}

/// A decimal where it has an end, else `p/q`.
fn text(number: Rational) -> String {
    json(number).trim_matches('"').to_owned()
}

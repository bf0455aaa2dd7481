//! **What:** what the graph formats say of a channel: its capacity in steps, its bandwidth and its latency in time.

use crate::decimal::json;
use crate::units::{RATES, TIMES, Unit, in_file, with_unit};
use kernel::timed::Links;
use kernel::{Channel, Network, Rational};

/// What a channel carries, as far as its file says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Carries {
    /// Transfers in a step.
    pub capacity: Option<Rational>,
    /// GB/s.
    pub bandwidth: Option<Rational>,
    /// Microseconds.
    pub latency: Option<Rational>,
    /// The bandwidth in GB/s by a key of others, which counts where all channels have it.
    pub speed: Option<Rational>,
}

/// What is said to be ignored where a key of others does not tell the bandwidth of every channel.
pub(super) const SPEED_OF_SOME: &str = "the speeds, which not all links have";

/// Capacities that are fractions as whole numbers: times the least number that makes all of them whole, which comes second. `None` where
/// 32 bits do not hold them.
pub fn whole(capacities: &[Rational]) -> Option<(Vec<u32>, u32)> {
    let mut times = 1u64;
    for capacity in capacities {
        // The least common multiple; the reduced denominator is the part that is not in it yet.
        times = times.checked_mul(Rational::new(capacity.denominator, times).numerator)?;
    }
    let one = |c: &Rational| u32::try_from(c.numerator.checked_mul(times / c.denominator)?).ok();
    Some((capacities.iter().map(one).collect::<Option<_>>()?, u32::try_from(times).ok()?))
}

/// What people should know of capacities that were fractions.
#[must_use]
pub fn multiplied(times: u32) -> String {
    format!(
        "capacities are whole numbers here, so all were multiplied by {times}: with --chunks {times} a step is as long as one of the file"
    )
}

impl Carries {
    /// Takes an attribute of an edge, and tells whether it means something here.
    pub(super) fn attribute(&mut self, name: &str, value: &str) -> Result<bool, &'static str> {
        match name {
            "capacity" => {
                self.capacity =
                    Some(capacity(value).ok_or("the capacity is no number above 0, such as 2, 0.5 or 3/2")?);
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
            // Bits a second, of the Topology Zoo.
            "LinkSpeedRaw" => {
                match with_unit(&format!("{}bit/s", value.trim()), BITS).filter(|rate| rate.numerator > 0) {
                    None => return Ok(false),
                    found => self.speed = found,
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What a network says of a channel: what is the same for all channels without being said is left out.
    pub(super) fn of(network: &Network, links: Option<&Links>, channel: Channel) -> Self {
        let at = channel.index();
        Carries {
            capacity: network.data().capacities.as_ref().map(|list| Rational::whole(list[at].into())),
            bandwidth: links.and_then(|links| links.bandwidth.get(at).copied()),
            latency: links.and_then(|links| links.latency.get(at).copied()),
            speed: None,
        }
    }

    /// The attributes that are known, as they are written.
    pub(super) fn written(self) -> impl Iterator<Item = (&'static str, String)> {
        let number = |name, number: Option<Rational>| number.map(|number| (name, text(number)));
        [number("capacity", self.capacity), number("bandwidth", self.bandwidth), number("latency", self.latency)]
            .into_iter()
            .flatten()
    }
}

/// A capacity as the graph formats write it: a number above 0.
fn capacity(word: &str) -> Option<Rational> {
    in_file(word, &[]).filter(|c| c.numerator > 0)
}

/// Bits a second, in GB/s.
const BITS: &[Unit] = &[Unit { name: "bit/s", is: Rational { numerator: 1, denominator: 8_000_000_000 } }];

/// A decimal where it has an end, else `p/q`.
fn text(number: Rational) -> String {
    json(number).trim_matches('"').to_owned()
}

//! **What:** bandwidths, latencies and switches that copy, as fields of `network`.

use crate::decimal::Decimal;
use crate::schedule_json::{Source, item, raw, steps_of};
use crate::{Fault, ReadError};
use kernel::timed::{Links, TimedProblemError};
use kernel::{Node, Rational};

/// Takes the links out of a network as its JSON says it; `None` where it says no bandwidths.
pub(crate) fn take(raw: &mut raw::Network) -> Option<Links> {
    let numbers = |list: Vec<Decimal>| list.into_iter().map(|Decimal(number)| number).collect::<Vec<Rational>>();
    Some(Links {
        bandwidth: numbers(raw.bandwidth.take()?),
        latency: raw.latency.take().map(numbers).unwrap_or_default(),
        multicast: raw.multicast.take().unwrap_or_default().into_iter().map(Node).collect(),
        reduce: raw.reduce.take().map(|Decimal(number)| number),
    })
}

impl Source<'_> {
    /// An error of the kernel, where it lies.
    pub(super) fn timed(&self, error: TimedProblemError) -> ReadError {
        use TimedProblemError as E;
        let way = match &error {
            E::Problem(error) => return self.problem(error.clone()),
            E::Unnumbered { .. } => steps_of("messages"),
            E::NoSuchNode { .. } | E::Twice { .. } => steps_of("network.multicast"),
            E::NoNumber { field, item: at } => item(&format!("network.{field}"), *at),
            E::Length { field, .. } => steps_of(&format!("network.{field}")),
            E::NotPositive { field, item: at } | E::TooFine { field, item: at } => match (*field, at) {
                ("tick_us", _) => steps_of("model.tick_us"),
                ("chunk_bytes", _) => steps_of("chunk_bytes"),
                (field, None) => steps_of(&format!("network.{field}")),
                (field, Some(at)) => item(&format!("network.{field}"), *at),
            },
        };
        self.refuse(&way, Fault::TimedProblem(error))
    }
}

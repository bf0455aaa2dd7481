//! **What:** bandwidths, latencies and switches that copy, as fields of `network`.

use crate::decimal::Decimal;
use crate::schedule_json::{Source, Step, item, raw, steps_of};
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

/// Where in a `network` object an error of the kernel lies, as far as it lies there.
pub(crate) fn way_of(error: &TimedProblemError, prefix: &str) -> Vec<Step> {
    use TimedProblemError as E;
    let whole = |field: &str| steps_of(&format!("{prefix}{field}"));
    match error {
        E::Problem(_) | E::Unnumbered { .. } => whole("channels"),
        E::NoSuchNode { .. } | E::Twice { .. } => whole("multicast"),
        E::NoNumber { field, item: at } => item(&format!("{prefix}{field}"), *at),
        E::Length { field, .. } => whole(field),
        E::NotPositive { field, item: at } | E::TooFine { field, item: at } => match at {
            None => whole(field),
            Some(at) => item(&format!("{prefix}{field}"), *at),
        },
    }
}

impl Source<'_> {
    /// An error of the kernel, where it lies.
    pub(super) fn timed(&self, error: TimedProblemError) -> ReadError {
        use TimedProblemError as E;
        let way = match &error {
            E::Problem(error) => return self.problem(error.clone()),
            E::Unnumbered { .. } => steps_of("messages"),
            E::NotPositive { field: "tick_us", .. } | E::TooFine { field: "tick_us", .. } => steps_of("model.tick_us"),
            E::NotPositive { field: "chunk_bytes", .. } | E::TooFine { field: "chunk_bytes", .. } => {
                steps_of("chunk_bytes")
            }
            error => way_of(error, "network."),
        };
        self.refuse(&way, Fault::TimedProblem(error))
    }
}

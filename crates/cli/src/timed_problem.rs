//! **What:** the problem in time that the arguments pose: `--bytes` on a network with bandwidths.

use super::args::{Chunks, ProblemChoice, SwitchesChoice, SwitchingChoice};
use super::failure::Failure;
use super::network;
use super::problem::{graph, ill_posed, known_kind, misfit, whole_collective};
use collectives::Kind;
use kernel::Rational;
use kernel::timed::{Links, TimedProblemError};
use methods::{SizedError, SizedProblem};

/// A collective of some size on a network in time, and the chunks that were asked for.
pub(crate) struct Posed {
    pub sized: SizedProblem,
    pub chunks: Option<u32>,
    kind: &'static Kind,
}

/// Reads the arguments; `bytes` is that of `--bytes`.
pub(crate) fn pose(choice: &ProblemChoice, bytes: &str) -> Result<Posed, Failure> {
    let size = size(bytes).ok_or_else(|| {
        Failure::input(format!("--bytes: `{bytes}` is no size above 0"))
            .hint("write a number such as 1000, 64Ki, 1.5M or 1G")
    })?;
    pose_size(choice, size)
}

/// The same, of a size that has been read.
pub(crate) fn pose_size(choice: &ProblemChoice, size: Rational) -> Result<Posed, Failure> {
    let kind = known_kind(choice)?;
    if choice.switching != SwitchingChoice::Wormhole || choice.switches == Some(SwitchesChoice::Store) {
        return Err(Failure::input("--bytes: in time, paths lead through all nodes but those of `no_transit`")
            .hint("leave out --switching and --switches; list nodes that store in `no_transit`"));
    }
    let mut given = network::choose(&choice.network)?;
    let channels = given.network.channel_count();
    let every = |flag: &str, text: &Option<String>, units: &[Unit], least: u64, example: &str| {
        let Some(text) = text else { return Ok(None) };
        let number = with_unit(text, units).filter(|number| number.numerator >= least);
        number.map(Some).ok_or_else(|| {
            let above = if least > 0 { " above 0" } else { "" };
            let known: Vec<&str> = units.iter().map(|unit| unit.name).collect();
            Failure::input(format!("{flag}: `{text}` is no number{above} with a unit"))
                .hint(format!("write one such as {example}; units are {}", known.join(", ")))
        })
    };
    let bandwidth = every("--bandwidth", &choice.timed.bandwidth, RATES, 1, "25GB/s")?;
    let latency = every("--latency", &choice.timed.latency, TIMES, 0, "0.7us")?;
    if let Some(bandwidth) = bandwidth {
        let capacity = |c| u64::from(given.network.capacity(c));
        let times = |c| Some(Rational::new(bandwidth.numerator.checked_mul(capacity(c))?, bandwidth.denominator));
        let all = given.network.channels().map(times).collect::<Option<Vec<Rational>>>();
        let all = all.ok_or_else(|| Failure::input("--bandwidth: times capacities, more than 64 bits"))?;
        given.links = Some(Links { bandwidth: all, ..given.links.unwrap_or_default() });
    }
    let Some(mut links) = given.links.take() else {
        return Err(Failure::input(format!("--bytes: {} has no bandwidths", given.network.name()))
            .hint("add --bandwidth 25GB/s, or name a network file (.json) with `bandwidth`"));
    };
    if let Some(latency) = latency {
        links.latency = vec![latency; channels];
    }
    let whole = whole_collective(choice, kind, &given, graph(choice)?.as_ref())?;
    let sized = SizedProblem::new(given.network, links, whole, size).map_err(|error| match error {
        SizedError::Problem(TimedProblemError::Problem(error)) => ill_posed(&error, choice),
        error => unposed(kind, &error),
    })?;
    let chunks = match choice.chunks {
        None | Some(Chunks::Auto) => None,
        Some(Chunks::Number(chunks)) => Some(chunks),
    };
    Ok(Posed { sized: sized.combining(choice.combining), chunks, kind })
}

impl Posed {
    /// What is wrong with a number of chunks.
    pub(crate) fn unposed(&self, error: &SizedError) -> Failure {
        unposed(self.kind, error)
    }
}

fn unposed(kind: &Kind, error: &SizedError) -> Failure {
    match error {
        SizedError::NoSize { .. } => Failure::input(format!("--bytes: {error}"))
            .hint("broadcast, reduce, allreduce, allgather, reduce_scatter, alltoall, scatter and gather of all terminals have one"),
        SizedError::Chunks(error) => misfit(kind, error),
        SizedError::TooFine => Failure::input(format!("--bytes: {error}")).hint("ask for fewer --chunks"),
        _ => Failure::input(error).hint("`bandwidth` and `latency` are one number a channel, with few digits"),
    }
}

/// A unit and how many of the base unit it is.
pub(crate) struct Unit {
    pub name: &'static str,
    pub is: Rational,
}

const fn unit(name: &'static str, numerator: u64, denominator: u64) -> Unit {
    Unit { name, is: Rational { numerator, denominator } }
}

/// In GB/s.
const RATES: &[Unit] = &[unit("GB/s", 1, 1), unit("MB/s", 1, 1000), unit("TB/s", 1000, 1), unit("Gb/s", 1, 8)];

/// In microseconds.
const TIMES: &[Unit] =
    &[unit("us", 1, 1), unit("µs", 1, 1), unit("ns", 1, 1000), unit("ms", 1000, 1), unit("s", 1_000_000, 1)];

/// In bytes; the longer names first.
pub(crate) const SIZES: &[Unit] = &[
    unit("Ki", 1 << 10, 1),
    unit("Mi", 1 << 20, 1),
    unit("Gi", 1 << 30, 1),
    unit("K", 1000, 1),
    unit("M", 1_000_000, 1),
    unit("G", 1_000_000_000, 1),
    unit("", 1, 1),
];

/// A number and a unit behind it.
fn with_unit(text: &str, units: &[Unit]) -> Option<Rational> {
    units.iter().find_map(|unit| {
        let number = formats::decimal(text.strip_suffix(unit.name)?)?;
        // Reduced crosswise, what fits is not refused.
        let (left, right) = (
            Rational::new(number.numerator, unit.is.denominator),
            Rational::new(unit.is.numerator, number.denominator),
        );
        let numerator = left.numerator.checked_mul(right.numerator)?;
        Some(Rational::new(numerator, left.denominator.checked_mul(right.denominator)?))
    })
}

/// A number of bytes above 0.
pub(crate) fn size(text: &str) -> Option<Rational> {
    with_unit(text, SIZES).filter(|size| size.numerator > 0)
}

#[cfg(test)]
mod tests {
    use super::{RATES, Rational, TIMES, size, with_unit};

    #[test]
    fn sizes_have_units_of_ten_and_of_two() {
        let sizes = [("1000", 1000), ("1K", 1000), ("64Ki", 65536), ("1.5M", 1_500_000), ("1G", 1_000_000_000)];
        for (text, bytes) in sizes {
            assert_eq!(size(text), Some(Rational::whole(bytes)), "{text}");
        }
        assert_eq!(size("31.25"), Some(Rational::new(125, 4)));
        for text in ["", "0", "-1", "K", "1k", "1KB", "1 K", "1e", "one", "99999999999999999999"] {
            assert_eq!(size(text), None, "{text}");
        }
    }

    #[test]
    fn rates_and_times_need_their_units() {
        assert_eq!(with_unit("25GB/s", RATES), Some(Rational::whole(25)));
        assert_eq!(with_unit("200Gb/s", RATES), Some(Rational::whole(25)));
        assert_eq!(with_unit("0.7us", TIMES), Some(Rational::new(7, 10)));
        assert_eq!(with_unit("700ns", TIMES), Some(Rational::new(7, 10)));
        for text in ["25", "25GB", "25gb/s", "GB/s", "-25GB/s"] {
            assert_eq!(with_unit(text, RATES), None, "{text}");
        }
    }
}

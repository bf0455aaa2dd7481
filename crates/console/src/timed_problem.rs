//! **What:** the problem in time that the arguments pose: `--bytes` on a network with bandwidths.

use super::args::{Chunks, ProblemChoice, SwitchesChoice, SwitchingChoice};
use super::failure::Failure;
use super::problem::{among_members, graph, ill_posed, known_kind, misfit, whole_collective};
use super::{links, network};
use collectives::Kind;
use formats::units::{SIZES, with_unit};
use kernel::Rational;
use kernel::timed::TimedProblemError;
use methods::{SizedError, SizedProblem};

/// A collective of some size on a network in time, and the chunks that were asked for.
pub struct Posed {
    /// The problem in bytes.
    pub sized: SizedProblem,
    /// Chunks of each rank, unless they are to be found.
    pub chunks: Option<u32>,
    kind: &'static Kind,
}

/// Reads the arguments; `bytes` is that of `--bytes`.
pub fn pose(choice: &ProblemChoice, bytes: &str) -> Result<Posed, Failure> {
    pose_size(choice, known_size(bytes)?)
}

/// The size of `--bytes`.
pub fn known_size(bytes: &str) -> Result<Rational, Failure> {
    size(bytes).ok_or_else(|| {
        let failure = Failure::input(format!("--bytes: `{bytes}` is not a size above 0"));
        match bytes.contains("..") || bytes.contains(',') {
            true => {
                failure.hint("one size at a time: `quadrille tune NETWORK COLLECTIVE --bytes 1K..1G` takes several")
            }
            false => failure.hint("write a number such as 1000, 64KiB, 1.5MB or 1G"),
        }
    })
}

/// The same, of a size that has been read.
pub fn pose_size(choice: &ProblemChoice, size: Rational) -> Result<Posed, Failure> {
    let kind = known_kind(choice)?;
    if choice.switching != SwitchingChoice::Wormhole || choice.switches == Some(SwitchesChoice::Store) {
        return Err(Failure::input("--bytes: in time, paths lead through all nodes but those of `no_transit`")
            .hint("leave out --switching and --switches; list nodes that store in `no_transit`"));
    }
    let mut given = network::choose(&choice.network)?;
    links::set(&mut given, choice.timed.bandwidth.as_deref(), choice.timed.latency.as_deref())?;
    if given.links.is_none() {
        return Err(Failure::input(format!("--bytes: {} has no bandwidths", given.network.name()))
            .hint("add --bandwidth 25GB/s, or name a network file with `bandwidth`"));
    }
    links::slow(&mut given, &choice.network.slow_link)?;
    let links = given.links.take().expect("there are some, as was just asked");
    let whole = whole_collective(choice, kind, &given, graph(choice)?.as_ref())?;
    let network = among_members(choice, &given.network, &whole)?;
    let sized = SizedProblem::new(network.clone(), links, whole, size).map_err(|error| match error {
        SizedError::Problem(TimedProblemError::Problem(error)) => ill_posed(&error, choice, &network),
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
    pub fn unposed(&self, error: &SizedError) -> Failure {
        unposed(self.kind, error)
    }
}

fn unposed(kind: &Kind, error: &SizedError) -> Failure {
    match error {
        SizedError::Chunks(error) => misfit(kind, error),
        SizedError::TooFine => Failure::input(format!("--bytes: {error}")).hint("ask for fewer --chunks"),
        _ => Failure::input(error).hint("`bandwidth` and `latency` are one number per channel, with few digits"),
    }
}

/// A number of bytes above 0.
pub fn size(text: &str) -> Option<Rational> {
    with_unit(text, SIZES).filter(|size| size.numerator > 0)
}

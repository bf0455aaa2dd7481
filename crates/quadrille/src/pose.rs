//! **What:** networks and problems from what people type.

use collectives::{Selection, SelectionError};
use formats::ReadError;
use kernel::{Model, Network, Problem, ProblemError};
use std::path::Path;
use topologies::SpecError;

/// Why a text poses no problem.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// It is no family with parameters.
    #[error(transparent)]
    Family(#[from] SpecError),
    /// It is a file that cannot be read as a network.
    #[error(transparent)]
    File(#[from] ReadError),
    /// There is no such collective.
    #[error("`{name}` is not a collective")]
    NoSuchCollective {
        /// The name.
        name: String,
    },
    /// The collective needs more than a network.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The collective cannot be done on the network.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

/// The network of a family, such as `torus:4x4`, or of a file, such as `chip.graphml`.
///
/// # Errors
/// [`PoseError::Family`] or [`PoseError::File`], with the place of the fault.
pub fn network(text: &str) -> Result<Network, PoseError> {
    let path = Path::new(text);
    if formats::network::is_readable(path) || path.is_file() {
        return Ok(formats::network::read(path)?.network);
    }
    Ok(topologies::parse(text)?)
}

/// A collective of that name (`alltoall`, `AAS`) between all terminals of a network, under wormhole switching; the root, where it has
/// one, is the first terminal.
///
/// # Errors
/// [`PoseError`], whichever comes first.
pub fn problem(network: &str, collective: &str) -> Result<Problem, PoseError> {
    let network = self::network(network)?;
    let unknown = || PoseError::NoSuchCollective { name: collective.to_owned() };
    let collective = collectives::find(collective).ok_or_else(unknown)?.build(&Selection::of(&network))?;
    Ok(Problem::new(network, collective, Model::wormhole())?)
}

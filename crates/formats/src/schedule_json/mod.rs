//! **What:** schedule files, format 1: one JSON document with network, collective, model, messages, steps and the proof
//! of a bound.
//!
//! **Parameters:** names that end in `.gz` are gzip-compressed JSON, and those that end in `.qdr` the binary form of the same. Unknown fields are ignored; a collective's are kept.
//! Absent optional fields take the format's defaults; under time-division `hop` is 1 and `cyclic` false where absent (a
//! schedule that is right without wrap-round is right with it).
//!
//! **Orbits:** a file whose `format` is [`ORBITS`] has the field `generators` of an abelian group that acts freely, and its messages and
//! transfers are representatives; what is read and written is of either form.
//!
//! **Products:** a file whose `format` is [`PRODUCT`] has the field `product` instead of messages and steps.
//!
//! **Facts:** reading yields a claim, [`Document`]; writing takes facts. The same facts and provenance give the same
//! bytes. A schedule of a million transfers is read straight into [`kernel::Schedule`] and written from it, with no tree
//! of values between.
//!
//! **Example**
//! ```
//! use formats::schedule_json;
//! use kernel::{Channel, Collective, Message, Model, Network, Node, NetworkData, Problem, Schedule, verify};
//! let network = Network::new(NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() })?;
//! let problem = Problem::new(network, Collective::broadcast(Node(0), &[Node(1)]), Model::wormhole())?;
//! let mut claim = Schedule::new();
//! claim.send(Message(0), &[Channel(0)]);
//! let verified = verify(&problem, claim)?;
//! let mut text = Vec::new();
//! schedule_json::write_to(&verified, None, &Default::default(), &mut text)?;
//! let document = schedule_json::parse(&text, "pair.json".as_ref())?;
//! assert_eq!(document.problem, problem);
//! assert_eq!(document.claim.steps(), verified.steps());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attachments;
mod faults;
mod orbits;
mod product;
mod proof;
mod rationals;
pub(crate) mod raw;
mod read;
mod steps;
mod write;

use kernel::orbits::OrbitProblem;
use kernel::{Certificate, Claim, Problem};
use serde::Serialize;
use serde_json::{Map, Value};

pub use attachments::{attach, names_beside};
pub(crate) use faults::{Step, find_string, refuse, steps_of};
pub use orbits::{write_expanded, write_expanded_to};
pub use proof::proof;
pub(crate) use rationals::rational;
pub(crate) use read::{Source, certificate, item, provenance, way_of};
pub use read::{parse, parse_as, read, read_watched};
pub(crate) use steps::OpName;
pub(crate) use write::{Json, write_network};
pub use write::{write, write_as, write_to, write_valued};

/// What the field `format` says.
pub const FORMAT: &str = "quadrille-schedule/1";

/// What the field `format` says where messages and transfers are representatives of orbits.
pub const ORBITS: &str = "quadrille-schedule/1+orbits/1";

/// What the field `format` says where messages of alltoall are told by the dimensions of a product.
pub const PRODUCT: &str = "quadrille-schedule/1+product/1";

/// Most nodes of a network in a text of so many bytes: keeps a short file from asking for more memory than there is.
pub(crate) fn most_nodes(bytes: u64) -> u32 {
    const ALWAYS: u64 = 1 << 16;
    const MOST: u64 = 1 << 22;
    u32::try_from(bytes.clamp(ALWAYS, MOST)).expect("2^22 is below 2^32")
}

/// Most messages in orbits that are not those of alltoall, which are written down one by one, in a text of so many bytes.
fn most_orbits(bytes: u64) -> u64 {
    const ALWAYS: u64 = 1 << 20;
    const EACH: u64 = 16;
    bytes.saturating_mul(EACH).clamp(ALWAYS, OrbitProblem::MOST_EXPANDED)
}

/// A schedule file as read: a well-posed problem, and claims about it.
#[derive(Clone, Debug)]
pub struct Document {
    /// Network, collective and model.
    pub problem: Problem,
    /// The claim of a schedule.
    pub claim: Claim,
    /// The claim of a lower bound, where the file has one.
    pub bound: Option<Certificate>,
    /// How the schedule came to be.
    pub provenance: Provenance,
    /// The parameters of the collective beside `name`, `semantics`, `root` and `chunks`.
    pub parameters: Map<String, Value>,
}

/// How a schedule came to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Provenance {
    /// The engine or construction.
    pub method: String,
    /// The version of the program.
    pub version: String,
    /// The seed of the search.
    pub seed: Option<u64>,
    /// The search's wall-clock time, in seconds.
    pub seconds: Option<f64>,
    /// Values that the method's parameters were given; the others had the defaults of the version.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub parameters: Map<String, Value>,
}

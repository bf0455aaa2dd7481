//! Says which member of a family of networks a given network is, however its nodes and channels are numbered.
//!
//! ```
//! use identify::{Effort, identify};
//! use kernel::{Network, Node, Parts};
//! // A square, its nodes in another order.
//! let channels = [(0, 2), (2, 1), (1, 3), (3, 0)].into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
//! let square = Network::new(Parts { name: "square".into(), nodes: 4, channels, ..Parts::default() })?;
//! let identity = identify(&square, Effort::default()).expect("it is a ring");
//! assert_eq!(identity.spec(), "ring:4");
//! assert_eq!(identity.node_back(identity.node(Node(2))), Node(2));
//! # Ok::<(), kernel::NetworkError>(())
//! ```
//!
//! **Method.** Numbers of nodes, terminals and channels, degrees and distances leave a few candidates of each family; their networks
//! are built, and an isomorphism is searched for by colour refinement and individualisation. Every map is checked, channel
//! by channel, so that a wrong guess costs time only.
//!
//! **One name a network.** Several specifications may name one network (`torus:4x4` is `hypercube:4`): the first of the table
//! in `candidates` is taken, whatever the network is called, so that searches on the family's own network find the same
//! by any name. Only of networks above a million channels the own name stands as it is.

mod candidates;
mod changes;
mod effort;
mod graph;
mod identity;
mod isomorphism;
mod pairing;
mod shape;

pub use effort::Effort;
pub use identity::Identity;

use candidates::{SOURCES, Source};
use changes::Changes;
use effort::{Spent, Work};
use graph::Graph;
use kernel::Network;
use shape::Shape;
use topologies::{Topology, topology};

/// Channels above which a network is compared in its own numbering alone.
const MOST_CHANNELS: u64 = 1 << 21;
/// Ticks that one candidate may cost, for every node and channel.
const TICKS_EACH: u64 = 400;

/// The member of a family that `network` is isomorphic to; `None` where there is none, or the effort did not suffice.
///
/// Ports, capacities and half-duplex links may differ from the family's where they do everywhere alike.
pub fn identify(network: &Network, effort: Effort<'_>) -> Option<Identity> {
    let changes = Changes::of(network)?;
    let shape = Shape::of(network);
    let mut work = Work::new(effort);
    let found = first_match(&shape, SOURCES, named(&shape), &mut work).ok()??;
    Identity::new(network, found.spec, &found.network, changes, found.nodes)
}

/// A family member, and the image of every node in it.
pub(crate) struct Match {
    pub spec: String,
    network: Network,
    nodes: Vec<u32>,
}

/// The member of a family that the network is called, where it is that one, node by node and channel by channel.
fn named(shape: &Shape<'_>) -> Option<Match> {
    let family = topology(shape.network.name()).ok()?;
    let forms = family.closed_forms();
    let counts = (u64::from(shape.nodes), u64::from(shape.terminals), shape.channels);
    if counts != (forms.nodes, forms.terminals, forms.channels) {
        return None;
    }
    in_own_numbering(shape.network, family.as_ref())
}

fn in_own_numbering(network: &Network, family: &dyn Topology) -> Option<Match> {
    let built = family.network();
    let (ours, theirs) = (&network.parts().channels, &built.parts().channels);
    let roles = |network: &Network, v| (network.is_terminal(v), network.is_transit(v));
    let alike = ours.len() == theirs.len() && network.nodes().all(|v| roles(network, v) == roles(&built, v));
    let same = alike && (ours == theirs || sorted(ours) == sorted(theirs));
    same.then(|| Match { spec: family.spec(), network: built, nodes: (0..network.parts().nodes).collect() })
}

fn sorted(channels: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut list = channels.to_vec();
    list.sort_unstable();
    list
}

/// The first candidate of `sources` that is isomorphic, or `named` where nothing before it is.
pub(crate) fn first_match(
    shape: &Shape<'_>,
    sources: &[Source],
    named: Option<Match>,
    work: &mut Work<'_>,
) -> Result<Option<Match>, Spent> {
    if shape.channels > MOST_CHANNELS && named.is_some() {
        return Ok(named);
    }
    for source in sources {
        for spec in (source.specs)(shape, work)? {
            let Ok(family) = topology(&spec) else { continue };
            if let Some(named) = named.as_ref().filter(|named| named.spec == family.spec()) {
                return Ok(Some(Match {
                    spec: named.spec.clone(),
                    network: named.network.clone(),
                    nodes: named.nodes.clone(),
                }));
            }
            let limit = TICKS_EACH * (shape.channels + u64::from(shape.nodes));
            match work.within(limit, |work| matching(shape, family.as_ref(), work)) {
                Ok(Some(found)) => return Ok(Some(found)),
                Ok(None) => {}
                Err(spent) if work.is_over() => return Err(spent),
                Err(_) => {}
            }
        }
    }
    Ok(named)
}

/// The network as that member of a family.
fn matching(shape: &Shape<'_>, family: &dyn Topology, work: &mut Work<'_>) -> Result<Option<Match>, Spent> {
    let forms = family.closed_forms();
    if !shape.allows(&forms, work)? {
        return Ok(None);
    }
    work.spend(shape.channels)?;
    if let Some(same) = in_own_numbering(shape.network, family) {
        return Ok(Some(same));
    }
    if shape.channels > MOST_CHANNELS {
        return Ok(None);
    }
    let network = family.network();
    let built = Shape::of(&network);
    let kinds =
        |shape: &Shape<'_>| (shape.is_symmetric, shape.is_simple, shape.is_direct, shape.is_indirect, shape.degree);
    if kinds(&built) != kinds(shape) {
        return Ok(None);
    }
    let right = Graph::new(&network, shape.is_symmetric);
    let automorphisms = family.automorphisms();
    let nodes = match forms.vertex_transitive {
        Some(true) => isomorphism::isomorphism(shape.graph(), &right, &automorphisms, work)?,
        _ => isomorphism::isomorphism(shape.profiled(work)?, &right.profiled(work)?, &automorphisms, work)?,
    };
    Ok(nodes.map(|nodes| Match { spec: family.spec(), network, nodes }))
}

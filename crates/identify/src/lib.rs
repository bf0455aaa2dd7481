//! Says which member of a family of networks a given network is, however its nodes and channels are numbered.
//!
//! ```
//! use identify::{Effort, identify};
//! use kernel::{Network, Node, NetworkData};
//! // A pentagon, its nodes in another order.
//! let links = [(0, 2), (2, 4), (4, 1), (1, 3), (3, 0)];
//! let channels = links.into_iter().flat_map(|(a, b)| [(a, b), (b, a)]).collect();
//! let pentagon = Network::new(NetworkData { name: "pentagon".into(), nodes: 5, channels, ..NetworkData::default() })?;
//! let identity = identify(&pentagon, Effort::default()).expect("it is a ring");
//! assert_eq!(identity.spec(), "ring:5");
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
mod identity;
mod profile;
mod shape;

pub use identity::Identity;

use candidates::SOURCES;
use changes::Changes;
use graph::isomorphism::{Digraph, isomorphism};
use kernel::Network;
use profile::profiled;
use run::{Budget, Spent};
use shape::Shape;
use topologies::{Topology, topology};

/// How much work an identification may cost.
#[derive(Clone, Copy)]
pub struct Effort<'a> {
    /// Looks at a channel, about 10 ns each; what is found depends on these alone.
    pub ticks: u64,
    /// Asked every few thousand ticks; once it says yes, the search ends without an answer.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Effort<'_> {
    /// Enough for tori of 10⁵ nodes, and not interrupted.
    fn default() -> Self {
        Effort { ticks: 400_000_000, stop: &|| false }
    }
}

/// Channels above which a network is compared in its own numbering alone.
const MOST_CHANNELS: u64 = 1 << 21;
/// Names of one network that are looked for.
const MOST_NAMES: usize = 8;
/// Ticks that the search for one isomorphism may cost: so many, and so many for every node and channel.
const TICKS_A_CANDIDATE: u64 = 20_000_000;
const TICKS_A_CHANNEL: u64 = 400;

/// The member of a family that `network` is isomorphic to; `None` where there is none, or the effort did not suffice.
///
/// Ports, capacities and half-duplex links may differ from the family's where they do everywhere alike.
pub fn identify(network: &Network, effort: Effort<'_>) -> Option<Identity> {
    found(network, effort, 1).into_iter().next()
}

/// All members of families that `network` is found to be isomorphic to, that of [`identify()`] first, and that of its own name
/// among them: a square torus of side 4 is also a hypercube and a dual-net, and a closed form may know it by another name.
pub fn identities(network: &Network, effort: Effort<'_>) -> Vec<Identity> {
    found(network, effort, MOST_NAMES)
}

fn found(network: &Network, effort: Effort<'_>, most: usize) -> Vec<Identity> {
    if (effort.stop)() {
        return Vec::new();
    }
    let Some(changes) = Changes::of(network) else { return Vec::new() };
    let named = named(network);
    let mut matches = Vec::new();
    if network.channel_count() as u64 > MOST_CHANNELS && named.is_some() {
        matches.extend(named);
    } else {
        let mut work = Budget::until(effort.stop, effort.ticks);
        // What was found before the effort was spent stays found.
        let _ = find_matches(&Shape::of(network), named, most, &mut matches, &mut work);
    }
    matches.into_iter().filter_map(|found| found.identity(network, changes)).collect()
}

/// A family member, and the image of every node in it.
pub(crate) struct Match {
    pub spec: String,
    network: Network,
    nodes: Vec<u32>,
}

impl Match {
    fn identity(self, ours: &Network, changes: Changes) -> Option<Identity> {
        Identity::new(ours, self.spec, &self.network, changes, self.nodes)
    }
}

/// The member of a family that the network is called, where it is that one, node by node and channel by channel.
fn named(ours: &Network) -> Option<Match> {
    let family = topology(ours.name()).ok()?;
    let forms = family.closed_forms();
    let counts = [ours.node_count(), ours.terminals().len(), ours.channel_count()].map(|count| count as u64);
    if counts != [forms.nodes, forms.terminals, forms.channels] {
        return None;
    }
    let network = family.network();
    let nodes = ours.nodes().map(|v| v.0).collect();
    is_same(ours, &network).then(|| Match { spec: family.spec(), network, nodes })
}

/// Whether nodes of the same numbers are alike, and joined alike.
fn is_same(network: &Network, family: &Network) -> bool {
    let (ours, theirs) = (&network.data().channels, &family.data().channels);
    let roles = |network: &Network, v| (network.is_terminal(v), network.is_transit(v));
    let alike = ours.len() == theirs.len() && network.nodes().all(|v| roles(network, v) == roles(family, v));
    alike && (ours == theirs || sorted(ours) == sorted(theirs))
}

fn sorted(channels: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let mut list = channels.to_vec();
    list.sort_unstable();
    list
}

/// The first candidates that are isomorphic, at most so many; `named` is one, behind all candidates if it is none itself.
pub(crate) fn find_matches(
    shape: &Shape<'_>,
    mut named: Option<Match>,
    most: usize,
    found: &mut Vec<Match>,
    work: &mut Budget<'_>,
) -> Result<(), Spent> {
    for source in SOURCES {
        if source.is_last && !found.is_empty() {
            continue;
        }
        for spec in (source.specs)(shape, work)? {
            let Ok(family) = topology(&spec) else { continue };
            let spec = family.spec();
            if found.iter().any(|other| other.spec == spec) {
                continue;
            }
            match named.take_if(|named| named.spec == spec) {
                Some(named) => found.push(named),
                None => found.extend(matching(shape, family.as_ref(), work)?),
            }
            if found.len() == most {
                return Ok(());
            }
        }
    }
    found.extend(named);
    Ok(())
}

/// The network as that member of a family.
fn matching(shape: &Shape<'_>, family: &dyn Topology, work: &mut Budget<'_>) -> Result<Option<Match>, Spent> {
    let forms = family.closed_forms();
    if !shape.allows(&forms, work)? {
        return Ok(None);
    }
    work.take(shape.channels)?;
    let network = family.network();
    if is_same(shape.network, &network) {
        let nodes = (0..shape.nodes).collect();
        return Ok(Some(Match { spec: family.spec(), network, nodes }));
    }
    if shape.channels > MOST_CHANNELS {
        return Ok(None);
    }
    let built = Shape::of(&network);
    let kinds =
        |shape: &Shape<'_>| (shape.is_symmetric, shape.is_simple, shape.is_direct, shape.is_indirect, shape.degree);
    if kinds(&built) != kinds(shape) {
        return Ok(None);
    }
    let right = Digraph::plain(&network, shape.is_symmetric);
    let automorphisms = family.automorphisms();
    let (left, right) = match forms.vertex_transitive {
        Some(true) => (shape.graph(), right),
        _ => (shape.profiled(work)?, profiled(&right, work)?),
    };
    let limit = TICKS_A_CANDIDATE + TICKS_A_CHANNEL * (shape.channels + u64::from(shape.nodes));
    match work.within(limit, |work| isomorphism(left, &right, &automorphisms, work)) {
        Ok(nodes) => Ok(nodes.map(|nodes| Match { spec: family.spec(), network, nodes })),
        Err(spent) if work.is_over() => Err(spent),
        Err(_) => Ok(None),
    }
}

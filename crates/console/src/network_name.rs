//! **What:** the name of a network, however its nodes are numbered: a unique cage, or a member of a family; and whether it is what it is called.

use design::graphs::known::known;
use graph::isomorphism::{Digraph, isomorphism};
use identify::{Effort, identities};
use kernel::Network;
use run::Budget;

/// Nodes beyond which no cages are looked for: a search from every node for the shortest cycle.
const MOST_OF_CAGES: usize = 4096;
/// Channels beyond which a network is not compared with those of families.
const MOST_CHANNELS: usize = 1 << 20;

/// Work to compare a network with the member of a family that it is called.
const MOST_COMPARING: u64 = 100_000_000;

/// The network's name, where it has one; of several its own.
pub fn name(network: &Network) -> Option<String> {
    let cage = if network.node_count() > MOST_OF_CAGES { None } else { known(network) };
    cage.or_else(|| family(network))
}

/// The same, where it says more than the network's own.
pub fn besides(network: &Network) -> Option<String> {
    name(network).filter(|name| name != network.name())
}

fn family(network: &Network) -> Option<String> {
    if network.channel_count() > MOST_CHANNELS {
        return None;
    }
    let found = identities(network, Effort::default());
    let own = found.iter().find(|identity| identity.spec() == network.name());
    own.or(found.first()).map(|identity| identity.spec().to_owned())
}

/// Where a network has the name of a member of a family and is another: what differs, in a sentence. Nothing where that takes too long to tell.
pub fn misnamed(network: &Network) -> Option<String> {
    let family = topologies::topology(network.name()).ok()?;
    let (spec, forms) = (network.name(), family.closed_forms());
    let differs = |what: String| Some(format!("the network is called {spec}, but is another: {what}"));
    let [nodes, channels] = [network.node_count(), network.channel_count()];
    if forms.nodes != nodes as u64 {
        return differs(format!("it has {nodes} nodes, not {}", forms.nodes));
    }
    if forms.channels != channels as u64 {
        return differs(format!("it has {channels} channels, not {}", forms.channels));
    }
    if channels > MOST_CHANNELS {
        return None;
    }
    let member = family.network();
    let ends = |network: &Network| {
        let mut ends: Vec<_> = network.channels().map(|c| [network.from(c), network.to(c)]).collect();
        ends.sort_unstable();
        ends
    };
    if ends(network) == ends(&member) {
        return None;
    }
    let [ours, theirs] = [network, &member].map(|network| Digraph::plain(network, false).coloured(vec![0; nodes]));
    let mut budget = Budget::ticks(MOST_COMPARING);
    match isomorphism(&ours, &theirs, &family.automorphisms(), &mut budget) {
        Ok(None) => differs("its nodes are joined otherwise".to_owned()),
        Ok(Some(_)) | Err(_) => None,
    }
}

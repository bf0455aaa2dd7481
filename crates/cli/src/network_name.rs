//! **What:** the name of a network, however its nodes are numbered: a unique cage, or a member of a family.

use design::graphs::known::known;
use identify::{Effort, identities};
use kernel::Network;

/// Nodes beyond which no cages are looked for: a search from every node for the shortest cycle.
const MOST_OF_CAGES: usize = 4096;
/// Channels beyond which a network is not compared with those of families.
const MOST_CHANNELS: usize = 1 << 20;

/// The network's name, where it has one; of several its own.
pub(crate) fn name(network: &Network) -> Option<String> {
    let cage = if network.node_count() > MOST_OF_CAGES { None } else { known(network) };
    cage.or_else(|| family(network))
}

/// The same, where it says more than the network's own.
pub(crate) fn besides(network: &Network) -> Option<String> {
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

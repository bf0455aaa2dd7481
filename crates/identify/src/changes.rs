//! **What:** what may be changed in all of a family's network alike without making another network of it: the ports of all
//! nodes, the capacity of all channels, and that of opposite channels one is busy at a time.

use kernel::{Channel, Network, NetworkData, Ports};
use topologies::change;

/// Changes that are the same everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changes {
    send_ports: Option<u32>,
    receive_ports: Option<u32>,
    capacity: u32,
    half_duplex: bool,
}

impl Changes {
    /// How `network` differs from one of a family; `None` where it is not the same everywhere.
    pub(crate) fn of(network: &Network) -> Option<Self> {
        let uniform = |ports: &Ports| match ports {
            Ports::All => Some(None),
            Ports::Each(k) => Some(Some(*k)),
            Ports::List(list) => list.iter().all(|k| *k == list[0]).then(|| list.first().copied().flatten()),
        };
        let parts = network.data();
        let capacities = parts.capacities.as_deref().unwrap_or_default();
        let capacity = capacities.first().copied().unwrap_or(1);
        let sound = capacities.iter().all(|c| *c == capacity) && (parts.half_duplex.is_empty() || is_halved(network));
        sound.then_some(())?;
        Some(Changes {
            send_ports: uniform(&parts.send_ports)?,
            receive_ports: uniform(&parts.receive_ports)?,
            capacity,
            half_duplex: !parts.half_duplex.is_empty(),
        })
    }

    /// A family's network, changed so.
    pub(crate) fn apply(self, network: Network) -> Network {
        let ports = |ports: Option<u32>| ports.map_or(Ports::All, Ports::Each);
        let plain = Changes { send_ports: None, receive_ports: None, capacity: 1, half_duplex: false };
        if self == plain {
            return network;
        }
        let parts = NetworkData {
            send_ports: ports(self.send_ports),
            receive_ports: ports(self.receive_ports),
            capacities: (self.capacity > 1).then(|| vec![self.capacity; network.channel_count()]),
            ..network.data().clone()
        };
        let changed = Network::new(parts).expect("ports and capacities were those of a network");
        match self.half_duplex {
            true => change::half_duplex(&changed).expect("pairs of channels that exist"),
            false => changed,
        }
    }
}

/// The other channel of a half-duplex pair.
pub(crate) fn partner(network: &Network, channel: Channel) -> Option<Channel> {
    let group = &network.half_duplex()[network.groups_of(channel).next()?];
    group.iter().copied().find(|&c| c != channel.0).map(Channel)
}

/// Whether opposite channels are paired, as many as can be.
fn is_halved(network: &Network) -> bool {
    let opposite = |group: &Vec<u32>| match group[..] {
        [a, b] => {
            let (a, b) = (Channel(a), Channel(b));
            (network.from(a), network.to(a)) == (network.to(b), network.from(b))
        }
        _ => false,
    };
    let once = network.channels().all(|c| network.groups_of(c).count() <= 1);
    let free = |v, w| {
        let single = |c: &&Channel| network.to(**c) == w && network.groups_of(**c).next().is_none();
        network.outgoing(v).iter().find(single).is_some()
    };
    let alone = |c: Channel| network.groups_of(c).next().is_some() || !free(network.to(c), network.from(c));
    once && network.half_duplex().iter().all(opposite) && network.channels().all(alone)
}

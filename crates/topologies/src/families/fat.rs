//! **What:** a network whose every node becomes a switch that carries the same number of one-port terminals.
//!
//! **Parameters:** C terminals a switch (at least 1); FAMILY, the specification of a network all of whose nodes are terminals.
//! Terminals are numbered first: terminal t sits on switch t / C.
//!
//! **Facts:** C more nodes and 2C more channels for every node of FAMILY; a distance grows by 2.
//!
//! **Source:** thesis, section 8.5 and Figure 8.4
//!
//! **Example:** `fat:2,hypercube:3`
//! ```
//! use topologies::{Topology, families::{fat::Fat, hypercube::Hypercube}};
//! assert_eq!(Fat::new(2, &Hypercube::new(3)?)?.network().name(), "fat:2,hypercube:3");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError, topology};
use kernel::{Network, NetworkData};

/// A fat network: C one-port terminals on every node of another.
pub struct Fat {
    carried: u32,
    routers: Box<dyn Topology>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "fat",
    form: "fat:C,FAMILY",
    about: "every node of a direct network made a switch with C one-port terminals",
    source: "thesis, section 8.5 and Figure 8.4",
    examples: &[
        "fat:2,hypercube:3",
        "fat:3,spidergon:4",
        "fat:1,kautz:2,2",
        "fat:2,mesh:2x3",
        "fat:1,mesh:1",
        "fat:3,mesh:1",
    ],
    make: |a| Ok(Box::new(Fat::read(a)?)),
};

impl Fat {
    /// So many terminals on every node of `routers`.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(carried: u32, routers: &dyn Topology) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{carried},{}", routers.spec()), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let (carried, inner) = a.rest.split_once(',').ok_or_else(|| a.form())?;
        let carried = a.number("C", carried, 1..=1 << 16)?;
        // Fat networks of fat networks are refused before they are read, however deep they go.
        if inner.starts_with("fat:") {
            return Err(a.range("FAMILY", inner, "a network all of whose nodes are terminals"));
        }
        let routers = topology(inner)?;
        let forms = routers.closed_forms();
        if forms.nodes != forms.terminals {
            return Err(a.range("FAMILY", inner, "a network all of whose nodes are terminals"));
        }
        Ok(Fat { carried, routers })
    }
}

impl Topology for Fat {
    fn spec(&self) -> String {
        format!("fat:{},{}", self.carried, self.routers.spec())
    }

    fn closed_forms(&self) -> ClosedForms {
        let inner = self.routers.closed_forms();
        let terminals = inner.nodes * u64::from(self.carried);
        let forms = ClosedForms::hosts(terminals, inner.nodes, inner.channels + 2 * terminals);
        let transitive = inner.vertex_transitive.filter(|yes| *yes);
        let (carried, pairs) = (u128::from(self.carried), u128::from(terminals) * u128::from(terminals - 1));
        let distances = inner.distances.map(|sum| carried.pow(2) * sum + 2 * pairs);
        // A single terminal has nobody at a distance.
        let diameter = inner.diameter.map(|d| if terminals == 1 { 0 } else { d + 2 });
        ClosedForms { diameter, distances, vertex_transitive: transitive, ..forms }
    }

    fn network(&self) -> Network {
        let inner = self.routers.network();
        let routers = u32::try_from(inner.node_count()).expect("sizes are checked before building");
        let terminals = routers * self.carried;
        let hosts = build::both_ways((0..terminals).map(|t| (t, terminals + t / self.carried)));
        let inside = inner.channels().map(|c| (terminals + inner.from(c).0, terminals + inner.to(c).0));
        let labels = build::lettered(terminals, routers);
        let plain = build::indirect(self.spec(), terminals, Some(labels), terminals + routers, hosts);
        // Channels of FAMILY keep their order behind those of the terminals, so that a position is easy to find.
        let channels = plain.data().channels.iter().copied().chain(inside).collect();
        Network::new(NetworkData { channels, ..plain.data().clone() })
            .expect("ends of FAMILY's channels are moved alike")
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let lift = |image: Vec<u32>| {
            let routers = u32::try_from(image.len()).expect("node numbers are u32");
            let terminals = (0..routers * self.carried)
                .map(|t| image[(t / self.carried) as usize] * self.carried + t % self.carried);
            terminals.chain(image.iter().map(|r| routers * self.carried + r)).collect()
        };
        let routers = u32::try_from(self.routers.closed_forms().nodes).expect("sizes are checked before building");
        let turn = |t: u32| t / self.carried * self.carried + (t + 1) % self.carried;
        let rotate = (0..routers * self.carried).map(turn).chain((0..routers).map(|r| routers * self.carried + r));
        let inner = self.routers.automorphisms().into_iter().map(lift);
        inner.chain([rotate.collect()]).collect()
    }
}

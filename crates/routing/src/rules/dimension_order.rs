//! **What:** coordinates are brought right one after the other, the last dimension first: XY routing on a mesh, e-cube on a
//! hypercube.
//!
//! **Facts:** without cycles of dependencies on meshes and hypercubes; with one on every torus that has a ring of four nodes or
//! more, where virtual channels would be needed.
//!
//! **Source:** H. Sullivan, T. R. Bashkow, A large scale, homogeneous, fully distributed parallel machine, ISCA 1977

use crate::registry::{Entry, member};
use crate::routing::{At, Kind, Rule, Way};
use kernel::{Network, Node};
use topologies::grid::Grid;

/// The routing's line in the registry.
pub(crate) const ENTRY: Entry = Entry {
    name: "dimension-order",
    about: "one coordinate after the other, the last dimension first",
    needs: "whole meshes, tori, rings and hypercubes",
    source: "Sullivan, Bashkow, ISCA 1977",
    make: |network, _| Some(Box::new(DimensionOrder { grid: member(network)?.grid()?, network: network.clone() })),
};

struct DimensionOrder {
    grid: Grid,
    network: Network,
}

impl Rule for DimensionOrder {
    fn kind(&self) -> Kind {
        Kind::Destination
    }

    fn towards(&self, destination: Node) -> Way<'_> {
        Box::new(move |at: At, next| {
            let to = self.grid.next(at.node.0, destination.0).map(Node);
            next.extend(self.network.outgoing(at.node).iter().find(|c| Some(self.network.to(**c)) == to));
        })
    }
}

//! **What:** machines of eight fully joined MI300X GPUs, each with a NIC.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** every two GPUs of a machine are joined by an Infinity Fabric link of 64 GB/s each way; a GPU has a NIC of 50 GB/s (400 Gb/s) to a switch that
//! holds up nothing. No source gives latencies.
//!
//! **Source:** AMD CDNA 3 white paper (128 GB/s a link both ways, seven links to the other GPUs); Microsoft, ND-MI300X-v5 series (400 Gb/s of
//! InfiniBand a GPU, in a non-blocking fabric).
//!
//! **Example:** `mi300x:2`
//! ```
//! use topologies::{Topology, families::mi300x::Mi300x};
//! assert_eq!(Mi300x::new(2)?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Rate};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use kernel::timed::Links;

/// N machines of eight fully joined AMD MI300X GPUs, a NIC per GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mi300x {
    machines: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "mi300x",
    form: "mi300x:N",
    about: "N machines of eight fully joined AMD MI300X GPUs, a NIC per GPU",
    source: "AMD CDNA 3 white paper; Microsoft Azure ND MI300X v5",
    examples: &["mi300x:1", "mi300x:2", "mi300x:3"],
    make: |a| Ok(Box::new(Mi300x::read(a)?)),
};

impl Mi300x {
    /// So many machines.
    ///
    /// # Errors
    /// A number of machines out of its range.
    pub fn new(machines: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &machines.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Mi300x { machines: a.one("N", 1..=1024)? })
    }

    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(self.machines, 8, "gpu");
        for machine in cluster.machines() {
            for (a, b) in (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
                cluster.link(cluster.gpu(machine, a), cluster.gpu(machine, b), Rate::gigabytes(64));
            }
        }
        if self.machines > 1 {
            let fabric = cluster.switch("ib-switch");
            for machine in cluster.machines() {
                (0..8).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), fabric, Rate::gigabytes(50)));
            }
        }
        cluster
    }
}

impl Topology for Mi300x {
    fn spec(&self) -> String {
        format!("mi300x:{}", self.machines)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.machines);
        match n {
            1 => ClosedForms {
                nodes: 8,
                terminals: 8,
                channels: 56,
                degree: Some((7, 7)),
                diameter: Some(1),
                ..ClosedForms::default()
            },
            _ => ClosedForms {
                nodes: 8 * n + 1,
                terminals: 8 * n,
                channels: 72 * n,
                degree: Some((8, 8)),
                diameter: Some(2),
                ..ClosedForms::default()
            },
        }
    }

    fn network(&self) -> Network {
        self.cluster().network(self.spec())
    }

    fn links(&self) -> Option<Links> {
        Some(self.cluster().links())
    }
}

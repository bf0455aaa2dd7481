//! **What:** Azure NDv2 machines: eight V100 GPUs in a hybrid cube mesh, joined by one InfiniBand NIC each.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** an NVLink carries 25 GB/s each way, two of them 50, with 0.7 µs; the NIC 12.5 GB/s with 1.3 µs to the switch and 1.3 µs from it. The NIC is
//! modelled as TACCL's sketches use it: GPU 0 sends and GPU 1 receives. The mesh is that of `dgx1`.
//!
//! **Source:** B. Arzani et al., Rethinking machine learning collective communication as a multi-commodity flow problem (TE-CCL), SIGCOMM 2024, and its
//! published code; A. Shah et al., TACCL, NSDI 2023 (0.7 µs and 2.6 µs as TE-CCL has them).
//!
//! **Example:** `ndv2:2`
//! ```
//! use topologies::{Topology, families::ndv2::Ndv2};
//! assert_eq!(Ndv2::new(2)?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use super::dgx1::{DOUBLE, SINGLE};
use crate::cluster::{Cluster, Rate};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use kernel::timed::Links;

/// N Azure NDv2 machines: eight V100 GPUs in a hybrid cube mesh, one InfiniBand NIC per machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ndv2 {
    machines: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "ndv2",
    form: "ndv2:N",
    about: "N Azure NDv2 machines: eight V100 GPUs in a hybrid cube mesh, one InfiniBand NIC per machine",
    source: "TE-CCL (SIGCOMM 2024), TACCL (NSDI 2023)",
    examples: &["ndv2:1", "ndv2:2", "ndv2:3"],
    make: |a| Ok(Box::new(Ndv2::read(a)?)),
};

impl Ndv2 {
    /// So many machines.
    ///
    /// # Errors
    /// A number of machines out of its range.
    pub fn new(machines: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &machines.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Ndv2 { machines: a.one("N", 1..=1024)? })
    }

    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(self.machines, 8, "gpu");
        for machine in cluster.machines() {
            for (links, nvlinks) in [(&SINGLE, 1), (&DOUBLE, 2)] {
                for &(a, b) in links {
                    cluster.link(cluster.gpu(machine, a), cluster.gpu(machine, b), Rate::tenths(250 * nvlinks, 70));
                }
            }
        }
        if self.machines > 1 {
            let fabric = cluster.switch("ib-switch");
            for machine in cluster.machines() {
                cluster.channel(cluster.gpu(machine, 0), fabric, Rate::tenths(125, 130));
                cluster.channel(fabric, cluster.gpu(machine, 1), Rate::tenths(125, 130));
            }
        }
        cluster
    }
}

impl Topology for Ndv2 {
    fn spec(&self) -> String {
        format!("ndv2:{}", self.machines)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.machines);
        match n {
            1 => ClosedForms {
                nodes: 8,
                terminals: 8,
                channels: 32,
                degree: Some((4, 4)),
                diameter: None,
                ..ClosedForms::default()
            },
            _ => ClosedForms {
                nodes: 8 * n + 1,
                terminals: 8 * n,
                channels: 34 * n,
                degree: Some((4, 5)),
                diameter: None,
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

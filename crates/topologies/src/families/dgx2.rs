//! **What:** DGX-2 machines: sixteen V100 GPUs on an NVSwitch, joined by eight InfiniBand NICs each.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** a GPU has 125 GB/s each way to the NVSwitch (nominal 150), with 0.35 µs; a NIC 12.5 GB/s with 1.3 µs to the switch and 1.3 µs from it. Of a pair of
//! GPUs that share a NIC the odd one sends and the even one receives.
//!
//! **Source:** B. Arzani et al. (TE-CCL), SIGCOMM 2024, and its published code, for one and two machines; more are joined alike.
//!
//! **Example:** `dgx2:2`
//! ```
//! use topologies::{Topology, families::dgx2::Dgx2};
//! assert_eq!(Dgx2::new(2)?.network().terminals().len(), 32);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Rate};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use kernel::timed::Links;

/// N NVIDIA DGX-2 machines: sixteen V100 GPUs on an NVSwitch, eight InfiniBand NICs per machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dgx2 {
    machines: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx2",
    form: "dgx2:N",
    about: "N NVIDIA DGX-2 machines: sixteen V100 GPUs on an NVSwitch, eight InfiniBand NICs per machine",
    source: "TE-CCL (SIGCOMM 2024)",
    examples: &["dgx2:1", "dgx2:2", "dgx2:3"],
    make: |a| Ok(Box::new(Dgx2::read(a)?)),
};

impl Dgx2 {
    /// So many machines.
    ///
    /// # Errors
    /// A number of machines out of its range.
    pub fn new(machines: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &machines.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(Dgx2 { machines: a.one("N", 1..=1024)? })
    }

    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(self.machines, 16, "gpu");
        for machine in cluster.machines() {
            let switch = cluster.switch(format!("node{machine}.nvswitch"));
            (0..16).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), switch, Rate::tenths(1250, 35)));
        }
        if self.machines > 1 {
            let fabric = cluster.switch("ib-switch");
            for machine in cluster.machines() {
                for gpu in (0..16).step_by(2) {
                    cluster.channel(cluster.gpu(machine, gpu + 1), fabric, Rate::tenths(125, 130));
                    cluster.channel(fabric, cluster.gpu(machine, gpu), Rate::tenths(125, 130));
                }
            }
        }
        cluster
    }
}

impl Topology for Dgx2 {
    fn spec(&self) -> String {
        format!("dgx2:{}", self.machines)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.machines);
        match n {
            1 => ClosedForms {
                nodes: 17,
                terminals: 16,
                channels: 32,
                degree: Some((1, 1)),
                diameter: Some(2),
                ..ClosedForms::default()
            },
            _ => ClosedForms {
                nodes: 17 * n + 1,
                terminals: 16 * n,
                channels: 48 * n,
                degree: Some((1, 2)),
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

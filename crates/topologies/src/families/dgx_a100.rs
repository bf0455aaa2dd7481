//! **What:** DGX A100 machines: eight GPUs on an NVSwitch, each with a NIC on one of two InfiniBand switches.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** a GPU has twelve NVLinks of 25 GB/s each way to the NVSwitch, 300 GB/s, and a NIC of 25 GB/s (200 Gb/s). NICs of even numbers are on one
//! InfiniBand switch, those of odd numbers on another. No source gives latencies.
//!
//! **Source:** NVIDIA DGX A100 data sheet (600 GB/s of NVLink both ways, eight ports of 200 Gb/s); L. Zhao et al., ForestColl, and its published
//! code, for the two switches.
//!
//! **Example:** `dgx-a100:2`
//! ```
//! use topologies::{Topology, families::dgx_a100::DgxA100};
//! assert_eq!(DgxA100::new(2)?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Rate};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use kernel::timed::Links;

/// N NVIDIA DGX A100 machines: eight GPUs on an NVSwitch, a NIC per GPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DgxA100 {
    machines: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx-a100",
    form: "dgx-a100:N",
    about: "N NVIDIA DGX A100 machines: eight GPUs on an NVSwitch, a NIC per GPU",
    source: "NVIDIA DGX A100 data sheet; ForestColl",
    examples: &["dgx-a100:1", "dgx-a100:2", "dgx-a100:3"],
    make: |a| Ok(Box::new(DgxA100::read(a)?)),
};

impl DgxA100 {
    /// So many machines.
    ///
    /// # Errors
    /// A number of machines out of its range.
    pub fn new(machines: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &machines.to_string(), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        Ok(DgxA100 { machines: a.one("N", 1..=1024)? })
    }

    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(self.machines, 8, "gpu");
        for machine in cluster.machines() {
            let switch = cluster.switch(format!("node{machine}.nvswitch"));
            (0..8).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), switch, Rate::gigabytes(300)));
        }
        if self.machines > 1 {
            for parity in 0..2 {
                let fabric = cluster.switch(format!("ib-switch{parity}"));
                for machine in cluster.machines() {
                    let gpus = (parity..8).step_by(2);
                    gpus.for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), fabric, Rate::gigabytes(25)));
                }
            }
        }
        cluster
    }
}

impl Topology for DgxA100 {
    fn spec(&self) -> String {
        format!("dgx-a100:{}", self.machines)
    }

    fn closed_forms(&self) -> ClosedForms {
        let n = u64::from(self.machines);
        match n {
            1 => ClosedForms {
                nodes: 9,
                terminals: 8,
                channels: 16,
                degree: Some((1, 1)),
                diameter: Some(2),
                ..ClosedForms::default()
            },
            _ => ClosedForms {
                nodes: 9 * n + 2,
                terminals: 8 * n,
                channels: 32 * n,
                degree: Some((2, 2)),
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

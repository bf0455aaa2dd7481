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
//! assert_eq!(topologies::topology("dgx-a100:2")?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx-a100",
    form: "dgx-a100:N",
    about: "N NVIDIA DGX A100 machines: eight GPUs on an NVSwitch, a NIC per GPU",
    source: "NVIDIA DGX A100 data sheet; ForestColl",
    examples: &["dgx-a100:1", "dgx-a100:2", "dgx-a100:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "dgx-a100", gpus: 8, word: "gpu", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        let switch = cluster.switch(format!("node{machine}.nvswitch"));
        (0..8).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), switch, Rate::gigabytes(300)));
    }
    if cluster.machines().end > 1 {
        for parity in 0..2 {
            let fabric = cluster.switch(format!("ib-switch{parity}"));
            for machine in cluster.machines() {
                let gpus = (parity..8).step_by(2);
                gpus.for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), fabric, Rate::gigabytes(25)));
            }
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(9, 8, 16, (1, 1)).diameter(2),
        _ => ClosedForms::switched(9 * n + 2, 8 * n, 32 * n, (2, 2)),
    }
}

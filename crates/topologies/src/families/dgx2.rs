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
//! assert_eq!(topologies::topology("dgx2:2")?.network().terminals().len(), 32);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx2",
    form: "dgx2:N",
    about: "N NVIDIA DGX-2 machines: sixteen V100 GPUs on an NVSwitch, eight InfiniBand NICs per machine",
    source: "TE-CCL (SIGCOMM 2024)",
    examples: &["dgx2:1", "dgx2:2", "dgx2:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "dgx2", gpus: 16, word: "gpu", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        let switch = cluster.switch(format!("node{machine}.nvswitch"));
        (0..16).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), switch, Rate::tenths(1250, 35)));
    }
    if cluster.machines().end > 1 {
        let fabric = cluster.switch("ib-switch");
        for machine in cluster.machines() {
            for gpu in (0..16).step_by(2) {
                cluster.channel(cluster.gpu(machine, gpu + 1), fabric, Rate::tenths(125, 130));
                cluster.channel(fabric, cluster.gpu(machine, gpu), Rate::tenths(125, 130));
            }
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(17, 16, 32, (1, 1)).diameter(2),
        _ => ClosedForms::switched(17 * n + 1, 16 * n, 48 * n, (1, 2)),
    }
}

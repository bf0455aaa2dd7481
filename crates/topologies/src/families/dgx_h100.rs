//! **What:** DGX H100 machines: eight GPUs on four NVSwitches, each with a NIC, the NICs of a number on one leaf.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** a GPU has 18 NVLinks of 25 GB/s each way, 5, 4, 4 and 5 of them to the four NVSwitches, 450 GB/s in all, and a NIC of 50 GB/s (400 Gb/s). NIC i of
//! every machine is on leaf i (a rail), and every leaf has 50 N GB/s to the spine, which is seen as one switch: nothing is held up there. No source gives latencies.
//!
//! **Source:** NVIDIA DGX H100 data sheet (900 GB/s of NVLink both ways, eight ports of 400 Gb/s); NVIDIA DGX SuperPOD reference architecture, DGX H100
//! (rails). No page at hand confirms how the links are split over the NVSwitches.
//!
//! **Example:** `dgx-h100:2`
//! ```
//! assert_eq!(topologies::topology("dgx-h100:2")?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "dgx-h100",
    form: "dgx-h100:N",
    about: "N NVIDIA DGX H100 machines, rail-optimised: eight GPUs on four NVSwitches, NIC i of all on leaf i, leaves on a spine",
    source: "NVIDIA DGX H100 data sheet and DGX SuperPOD reference architecture",
    examples: &["dgx-h100:1", "dgx-h100:2", "dgx-h100:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "dgx-h100", gpus: 8, word: "gpu", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        for (switch, nvlinks) in [5, 4, 4, 5].into_iter().enumerate() {
            let switch = cluster.switch(format!("node{machine}.nvswitch{switch}"));
            (0..8).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), switch, Rate::gigabytes(25 * nvlinks)));
        }
    }
    if cluster.machines().end > 1 {
        let spine = cluster.switch("spine");
        for rail in 0..8 {
            let leaf = cluster.switch(format!("leaf{rail}"));
            let gpus = cluster.machines();
            gpus.for_each(|machine| cluster.link(cluster.gpu(machine, rail), leaf, Rate::gigabytes(50)));
            cluster.link(leaf, spine, Rate::gigabytes(50 * u64::from(cluster.machines().end)));
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(12, 8, 64, (4, 4)).diameter(2),
        _ => ClosedForms::switched(12 * n + 9, 8 * n, 80 * n + 16, (5, 5)).diameter(4),
    }
}

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
//! assert_eq!(topologies::topology("mi300x:2")?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "mi300x",
    form: "mi300x:N",
    about: "N machines of eight fully joined AMD MI300X GPUs, a NIC per GPU",
    source: "AMD CDNA 3 white paper; Microsoft Azure ND MI300X v5",
    examples: &["mi300x:1", "mi300x:2", "mi300x:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "mi300x", gpus: 8, word: "gpu", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        for (a, b) in (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))) {
            cluster.link(cluster.gpu(machine, a), cluster.gpu(machine, b), Rate::gigabytes(64));
        }
    }
    if cluster.machines().end > 1 {
        let fabric = cluster.switch("ib-switch");
        for machine in cluster.machines() {
            (0..8).for_each(|gpu| cluster.link(cluster.gpu(machine, gpu), fabric, Rate::gigabytes(50)));
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(8, 8, 56, (7, 7)).diameter(1),
        _ => ClosedForms::switched(8 * n + 1, 8 * n, 72 * n, (8, 8)).diameter(2),
    }
}

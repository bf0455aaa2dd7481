//! **What:** machines of eight MI250X GPUs: sixteen dies joined by Infinity Fabric, each with its share of a NIC.
//!
//! **Parameters:** N: machines, 1 to 1024.
//!
//! **Facts:** an Infinity Fabric link carries 50 GB/s each way: four join the dies of a GPU, one or two the dies of others. A die has 16 GB/s each way to the
//! switch that joins machines. No source gives latencies.
//!
//! **Source:** L. Zhao et al., ForestColl, and its published code, for the links and the NICs; AMD CDNA 2 white paper (100 GB/s a link both ways).
//!
//! **Example:** `mi250x:2`
//! ```
//! assert_eq!(topologies::topology("mi250x:2")?.network().terminals().len(), 32);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// Dies that links join, and how many.
const LINKS: &[(&[(u32, u32)], u64)] = &[
    (&[(0, 1), (2, 3), (4, 5), (6, 7), (8, 9), (10, 11), (12, 13), (14, 15)], 4),
    (&[(0, 4), (3, 7), (8, 12), (11, 15)], 2),
    (&[(0, 8), (1, 5), (1, 9), (1, 10), (2, 6), (2, 9), (2, 10), (3, 11)], 1),
    (&[(4, 6), (5, 6), (5, 7), (9, 13), (10, 14), (12, 14), (13, 14), (13, 15)], 1),
];

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "mi250x",
    form: "mi250x:N",
    about: "N machines of eight AMD MI250X GPUs, sixteen dies joined by Infinity Fabric, a NIC per die",
    source: "ForestColl; AMD CDNA 2 white paper",
    examples: &["mi250x:1", "mi250x:2", "mi250x:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "mi250x", gpus: 16, word: "gcd", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        for (joined, links) in LINKS {
            for &(a, b) in *joined {
                cluster.link(cluster.gpu(machine, a), cluster.gpu(machine, b), Rate::gigabytes(50 * links));
            }
        }
    }
    if cluster.machines().end > 1 {
        let fabric = cluster.switch("ib-switch");
        for machine in cluster.machines() {
            (0..16).for_each(|die| cluster.link(cluster.gpu(machine, die), fabric, Rate::gigabytes(16)));
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(16, 16, 56, (3, 4)),
        _ => ClosedForms::switched(16 * n + 1, 16 * n, 88 * n, (4, 5)).diameter(2),
    }
}

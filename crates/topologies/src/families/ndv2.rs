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
//! assert_eq!(topologies::topology("ndv2:2")?.network().terminals().len(), 16);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use super::dgx1::{DOUBLE, SINGLE};
use crate::cluster::{Cluster, Machines, Rate};
use crate::registry::{ClosedForms, Family};

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "ndv2",
    form: "ndv2:N",
    about: "N Azure NDv2 machines: eight V100 GPUs in a hybrid cube mesh, one InfiniBand NIC per machine",
    source: "TE-CCL (SIGCOMM 2024), TACCL (NSDI 2023)",
    examples: &["ndv2:1", "ndv2:2", "ndv2:3"],
    make: |a| Machines::read(&MACHINES, a),
};

const MACHINES: Machines = Machines { family: "ndv2", gpus: 8, word: "gpu", wire, closed_forms };

fn wire(cluster: &mut Cluster) {
    for machine in cluster.machines() {
        for (links, nvlinks) in [(&SINGLE, 1), (&DOUBLE, 2)] {
            for &(a, b) in links {
                cluster.link(cluster.gpu(machine, a), cluster.gpu(machine, b), Rate::tenths(250 * nvlinks, 70));
            }
        }
    }
    if cluster.machines().end > 1 {
        let fabric = cluster.switch("ib-switch");
        for machine in cluster.machines() {
            cluster.channel(cluster.gpu(machine, 0), fabric, Rate::tenths(125, 130));
            cluster.channel(fabric, cluster.gpu(machine, 1), Rate::tenths(125, 130));
        }
    }
}

fn closed_forms(n: u64) -> ClosedForms {
    match n {
        1 => ClosedForms::switched(8, 8, 32, (4, 4)),
        _ => ClosedForms::switched(8 * n + 1, 8 * n, 34 * n, (4, 5)),
    }
}

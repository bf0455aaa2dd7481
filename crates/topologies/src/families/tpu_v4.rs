//! **What:** slices of TPU v4: a three-dimensional torus of chips.
//!
//! **Parameters:** A, B, C: chips in each dimension, multiples of 4, since tori are made of cubes of 4×4×4 chips.
//!
//! **Facts:** a chip has six links of 50 GB/s each way, 6ABC channels in all. No source gives latencies. As of other machines here, chips store what
//! they send on.
//!
//! **Source:** N. P. Jouppi et al., TPU v4, ISCA 2023 (six links of 50 GB/s a chip; cubes of 4×4×4 chips, joined to tori by optical switches).
//!
//! **Example:** `tpu-v4:4x4x4`
//! ```
//! use topologies::{Topology, families::tpu_v4::TpuV4};
//! assert_eq!(TpuV4::new([4, 4, 4])?.network().channel_count(), 384);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::cluster::{Cluster, Rate};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;
use kernel::timed::Links;

/// A slice of TPU v4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TpuV4 {
    sizes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "tpu-v4",
    form: "tpu-v4:AxBxC",
    about: "a slice of TPU v4: a torus of chips, multiples of 4 in each dimension",
    source: "Jouppi et al., ISCA 2023",
    examples: &["tpu-v4:4x4x4", "tpu-v4:4x4x8"],
    make: |a| Ok(Box::new(TpuV4::read(a)?)),
};

impl TpuV4 {
    /// The slice of these sizes.
    ///
    /// # Errors
    /// A size that is no multiple of 4 up to 64, or more than 4096 chips.
    pub fn new(sizes: [u32; 3]) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &super::joined(&sizes, "x"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let sizes = a.list('x', "a size", 4..=64)?;
        if sizes.len() != 3 {
            return Err(a.form());
        }
        if let Some(size) = sizes.iter().find(|size| *size % 4 > 0) {
            return Err(a.range("a size", size, "a multiple of 4"));
        }
        match sizes.iter().product::<u32>() {
            // A machine has no more.
            chips if chips > 4096 => Err(a.range("the number of chips", chips, "at most 4096")),
            _ => Ok(TpuV4 { sizes }),
        }
    }

    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(1, self.sizes.iter().product(), "chip");
        super::grid_links(&self.sizes, true).into_iter().for_each(|(a, b)| cluster.link(a, b, Rate::gigabytes(50)));
        cluster
    }
}

impl Topology for TpuV4 {
    fn spec(&self) -> String {
        format!("tpu-v4:{}", super::joined(&self.sizes, "x"))
    }

    fn closed_forms(&self) -> ClosedForms {
        let chips = u64::from(self.sizes.iter().product::<u32>());
        ClosedForms::direct(chips, 6 * chips, (6, 6)).transitive(true)
    }

    fn network(&self) -> Network {
        self.cluster().network(self.spec())
    }

    fn links(&self) -> Option<Links> {
        Some(self.cluster().links())
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        (0..3).map(|d| super::shift(&self.sizes, d)).collect()
    }

    fn translations(&self) -> Option<Vec<u32>> {
        Some(self.sizes.clone())
    }
}

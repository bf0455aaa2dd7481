//! **What:** levels of hypercubes, joined by a banyan: a node is linked to the nodes of the next level that differ from it in one digit.
//!
//! **Parameters:** H levels, 1 to K + 1; K digits of base S; S a power of 2, at least 2. Node X of level L has number L·S^K + X. Between
//! levels L and L + 1 it is digit L, the lowest first, that may differ.
//!
//! **Facts:** H·S^K nodes; degree K·log₂ S in its hypercube, and S more for each level above and below; vertex-transitive for one and two
//! levels.
//!
//! **Source:** Youssef and Narahari, Banyan-hypercube networks, IEEE Transactions on Parallel and Distributed Systems 1990; thesis, section 4.1.1
//!
//! **Example:** `banyan-hypercube:2,2,2`
//! ```
//! use topologies::{Topology, families::banyan_hypercube::BanyanHypercube};
//! assert_eq!(BanyanHypercube::new(2, 2, 2)?.network().name(), "banyan-hypercube:2,2,2");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A banyan-hypercube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BanyanHypercube {
    levels: u32,
    digits: u32,
    /// log₂ S.
    bits: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "banyan-hypercube",
    form: "banyan-hypercube:H,K,S",
    about: "H levels of hypercubes of S^K nodes, joined by a banyan",
    source: "Youssef and Narahari, Banyan-hypercube networks, IEEE TPDS 1990; thesis, section 4.1.1",
    examples: &["banyan-hypercube:2,2,2", "banyan-hypercube:3,2,2", "banyan-hypercube:1,3,2", "banyan-hypercube:3,2,4"],
    make: |a| Ok(Box::new(BanyanHypercube::read(a)?)),
};

impl BanyanHypercube {
    /// The banyan-hypercube of so many levels, digits and values of a digit.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(levels: u32, digits: u32, spread: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{levels},{digits},{spread}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let parts: Vec<&str> = a.rest.split(',').collect();
        let [levels, digits, spread] = parts[..] else { return Err(a.form()) };
        let digits = a.number("K", digits, 1..=20)?;
        let levels = a.number("H", levels, 1..=digits + 1)?;
        let spread = a.number("S", spread, 2..=1 << 10)?;
        if !spread.is_power_of_two() {
            return Err(a.range("S", spread, "a power of 2"));
        }
        let bits = spread.ilog2();
        if digits * bits > 20 {
            return Err(a.too_large());
        }
        Ok(BanyanHypercube { levels, digits, bits })
    }
}

impl Topology for BanyanHypercube {
    fn spec(&self) -> String {
        format!("banyan-hypercube:{},{},{}", self.levels, self.digits, 1u32 << self.bits)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (levels, spread) = (u64::from(self.levels), 1u64 << self.bits);
        let within = u64::from(self.digits * self.bits);
        let level = 1u64 << within;
        let channels = levels * level * within + 2 * (levels - 1) * level * spread;
        let (least, most) = match levels {
            1 => (within, within),
            2 => (within + spread, within + spread),
            _ => (within + spread, within + 2 * spread),
        };
        ClosedForms::direct(levels * level, channels, (least, most)).transitive(levels <= 2)
    }

    fn network(&self) -> Network {
        let within = self.digits * self.bits;
        let level = 1u32 << within;
        let cubes = (0..self.levels).flat_map(|l| {
            let links = (0..level).flat_map(move |x| (0..within).map(move |b| (x, x ^ (1 << b))));
            links.filter(|(x, y)| x < y).map(move |(x, y)| (l * level + x, l * level + y))
        });
        let banyan = (0..self.levels - 1).flat_map(|l| {
            (0..level)
                .flat_map(move |x| (0..1u32 << self.bits).map(move |change| (x, x ^ (change << (l * self.bits)))))
                .map(move |(x, y)| (l * level + x, (l + 1) * level + y))
        });
        build::links(self.spec(), self.levels * level, cubes.chain(banyan))
    }
}

//! **What:** three stages of switches: any first-stage switch reaches any last-stage switch over any middle switch.
//!
//! **Parameters:** M middle switches, N terminals a first-stage switch, R first-stage (and last-stage) switches. Terminal i feeds first-stage switch i/N and is fed by last-stage switch i/N; paths do not pass through terminals.
//!
//! **Facts:** N·R terminals; diameter 4; with M ≥ N every permutation passes in one step.
//!
//! **Source:** Clos, 1953; thesis, Figure 8.3
//!
//! **Example:** `clos:3,3,4`
//! ```
//! use topologies::{Topology, families::clos::Clos};
//! assert_eq!(Clos::new(3, 3, 4)?.network().name(), "clos:3,3,4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::levels::{Levels, Numbering};
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError};
use kernel::Network;

/// A three-stage Clos network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clos {
    middle: u32,
    inputs: u32,
    outer: u32,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "clos",
    form: "clos:M,N,R",
    about: "a three-stage Clos network",
    source: "Clos, 1953; thesis, Figure 8.3",
    examples: &["clos:3,3,4", "clos:4,4,4", "clos:2,3,2", "clos:1,1,2"],
    make: |a| Ok(Box::new(Clos::read(a)?)),
};

impl Clos {
    /// The Clos network of so many middle switches, terminals a first-stage switch, and first-stage switches.
    ///
    /// # Errors
    /// A parameter out of its range, or a network too large to build.
    pub fn new(middle: u32, inputs: u32, outer: u32) -> Result<Self, SpecError> {
        spec::made(&FAMILY, &format!("{middle},{inputs},{outer}"), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let [middle, inputs, outer] = a.list(',', "M, N or R", 1..=4096)?[..] else { return Err(a.form()) };
        if inputs * outer < 2 {
            return Err(a.range("N·R", inputs * outer, "at least 2"));
        }
        Ok(Clos { middle, inputs, outer })
    }
}

impl Topology for Clos {
    fn spec(&self) -> String {
        format!("clos:{},{},{}", self.middle, self.inputs, self.outer)
    }

    fn closed_forms(&self) -> ClosedForms {
        let (m, n, r) = (u64::from(self.middle), u64::from(self.inputs), u64::from(self.outer));
        ClosedForms::hosts(n * r, 2 * r + m, 2 * n * r + 2 * m * r).equidistant(4)
    }

    fn network(&self) -> Network {
        let (m, n, r) = (self.middle, self.inputs, self.outer);
        let terminals = n * r;
        let (first, second, third) = (terminals, terminals + r, terminals + r + m);
        let hosts = (0..terminals).flat_map(|t| [(t, first + t / n), (third + t / n, t)]);
        let across = (0..r).flat_map(|s| (0..m).flat_map(move |c| [(first + s, second + c), (second + c, third + s)]));
        let labels = build::lettered(terminals, 2 * r + m);
        build::indirect(self.spec(), terminals, Some(labels), terminals + 2 * r + m, hosts.chain(across).collect())
    }

    fn levels(&self) -> Option<Levels> {
        Levels::new(&[self.inputs, self.outer], &[1, self.middle], &[1, 1], Numbering::Opened)
    }
}

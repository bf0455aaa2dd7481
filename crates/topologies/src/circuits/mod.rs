//! **What:** whether a network of switches passes every permutation at once, and whether it does so without moving circuits that
//! stand: blocking, rearrangeable or strictly non-blocking, with the reason and a witness.
//!
//! **Theory.** A circuit is a path through the switches that nobody shares. A network is *rearrangeable* if circuits for any
//! permutation stand together, *strictly non-blocking* if from a terminal that sends nothing to one that receives nothing
//! there is always a free path, however circuits stand, and *blocking* if some permutation has no circuits. Terminals relay
//! nothing, and in trees that are not opened circuits go up and then down.
//!
//! - One path a pair: two terminals of one switch that need the same output of it block each other.
//! - Clos: where outer switches of n lines see the same m smaller networks behind them, all is rearrangeable if these are and
//!   m ≥ n, and strictly non-blocking if these are and m ≥ 2n − 1; level by level, and on trees too.
//! - What must leave a subtree in one step needs as many channels out of it.
//! - Where nothing of this decides, all settings of small networks are tried.
//!
//! **Source:** C. Clos, A study of non-blocking switching networks, 1953; V. E. Beneš, Mathematical theory of connecting networks and
//! telephone traffic, 1965
//!
//! **Example:**
//! ```
//! use topologies::circuits::{self, Class};
//! let known = |name| circuits::of(topologies::topology(name).expect("a family").as_ref()).expect("it has switches");
//! assert_eq!(known("omega:8").class, Class::Blocking);
//! assert_eq!(known("benes:8").class, Class::Rearrangeable);
//! assert_eq!(known("clos:5,3,4").class, Class::StrictlyNonBlocking);
//! ```

mod exhaustive;
mod free_paths;
mod stages;
mod trees;

use crate::registry::Topology;

/// What permutations a network passes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Some permutation has no circuits.
    Blocking,
    /// Every permutation has circuits, but circuits that stand may be in the way of new ones.
    Rearrangeable,
    /// Every permutation has circuits; whether circuits that stand may be in the way is not known.
    AtLeastRearrangeable,
    /// There is always a free path.
    StrictlyNonBlocking,
    /// Not known.
    Undecided,
}

impl Class {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Class::Blocking => "blocking",
            Class::Rearrangeable => "rearrangeable",
            Class::AtLeastRearrangeable => "rearrangeable or strictly non-blocking",
            Class::StrictlyNonBlocking => "strictly non-blocking",
            Class::Undecided => "not decided",
        }
    }
}

/// Circuits that leave no free path for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The nodes of those that stand, terminals included; between two nodes there may be several channels.
    pub circuits: Vec<Vec<u32>>,
    /// The terminal from which there is no free path.
    pub from: u32,
    /// The terminal to which there is none.
    pub to: u32,
}

/// What is known of a network's circuits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circuits {
    /// The class.
    pub class: Class,
    /// Why.
    pub because: String,
    /// Of a blocking network: where each terminal sends to, in a permutation that has no circuits.
    pub permutation: Option<Vec<u32>>,
    /// Of a rearrangeable network that is not strictly non-blocking.
    pub obstacle: Option<Obstacle>,
}

impl Circuits {
    fn new(class: Class, because: impl Into<String>) -> Self {
        Circuits { class, because: because.into(), permutation: None, obstacle: None }
    }

    fn blocking(because: impl Into<String>, permutation: Vec<u32>) -> Self {
        Circuits { permutation: Some(permutation), ..Circuits::new(Class::Blocking, because) }
    }

    /// Rearrangeable; whether more is not known where no obstacle was found.
    fn rearrangeable(because: impl Into<String>, obstacle: Option<Obstacle>) -> Self {
        let class = if obstacle.is_some() { Class::Rearrangeable } else { Class::AtLeastRearrangeable };
        Circuits { obstacle, ..Circuits::new(class, because) }
    }
}

/// What is known of a member of a family; `None` where its switches stand in neither stages nor levels.
pub fn of(family: &dyn Topology) -> Option<Circuits> {
    match (family.stages(), family.levels()) {
        (Some(stages), _) => Some(self::stages::circuits(&stages)),
        (None, Some(levels)) => Some(trees::circuits(&levels)),
        (None, None) => None,
    }
}

/// The permutation that has these pairs and leaves alone whom it can; others take what is left.
fn completed(terminals: u32, pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut to = vec![None; terminals as usize];
    let mut taken = vec![false; terminals as usize];
    let alone = (0..terminals).map(|t| (t, t));
    for (from, there) in pairs.iter().copied().chain(alone) {
        if to[from as usize].is_none() && !taken[there as usize] {
            (to[from as usize], taken[there as usize]) = (Some(there), true);
        }
    }
    let mut left = (0..terminals).filter(|t| !taken[*t as usize]);
    to.into_iter().map(|to| to.or_else(|| left.next()).expect("as many are left as lack one")).collect()
}

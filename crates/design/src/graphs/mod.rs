//! Networks of links found by search: least diameter, then least average distance, for so many nodes of such a degree (the
//! *order/degree problem*), or most nodes of such a degree and diameter (the *degree/diameter problem*).
//!
//! [`group`] has symmetries, [`voltage_graph`] holds networks with one and exchanges their links, [`balls`] keeps all distances up
//! to date, [`anneal`] is one run, `plane` and `fitted` make good networks to begin with, [`Search`] shares the work
//! among starts, [`Climb`] climbs from one number of nodes to the next, [`published`] has what others found, and [`known`]
//! recognises networks that are unique.
//!
//! **Facts:** an answer is proved to be best only where it meets the generalised Moore bound ([`crate::measures::moore`]).
//!
//! **Example:**
//! ```
//! use design::graphs::{Search, Settings, known};
//! use design::multiring::search::Never;
//!
//! let settings = Settings { nodes: 10, degree: 3, diameter: None, judged: false, seed: 1, ticks: 10_000_000 };
//! let found = Search::new(settings)?.run(&Never).expect("networks of ten nodes are found");
//! assert_eq!((found[0].diameter, found[0].sum), (2, 10 * (3 + 6 * 2)));
//! assert_eq!(known::known(&found[0].network()).as_deref(), Some("the Petersen graph"));
//! # Ok::<(), design::graphs::GraphError>(())
//! ```

pub mod anneal;
pub mod balls;
mod fitted;
pub mod group;
pub mod known;
mod largest;
mod plane;
pub mod published;
mod rounds;
pub mod voltage_graph;

pub use anneal::{Candidate, Rank};
pub use largest::{Climb, Climbed, Largest};
pub use rounds::{Arm, Search, State};

use crate::measures;
use crate::multiring::search::{Never, Stop};
use kernel::{Network, NetworkData};
use serde::{Deserialize, Serialize};

/// Most nodes of a search: the balls of a run take their square, times some levels, in bits.
pub const MOST_NODES: u32 = 4096;
/// Fewest links a node may be given.
pub const LEAST_DEGREE: u32 = 3;
/// Largest diameter that networks are searched for.
pub const MOST_DIAMETER: u32 = 10;

/// Why something cannot be searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    /// A number outside its range.
    #[error("{what} {found} is not between {least} and {most}")]
    Range {
        /// What it is.
        what: &'static str,
        /// What was asked for.
        found: u32,
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// No network has so many nodes.
    #[error("no network of degree {degree} and diameter {diameter} has more than {most} nodes")]
    Moore {
        /// The degree.
        degree: u32,
        /// The diameter.
        diameter: u32,
        /// The Moore bound.
        most: u128,
    },
    /// A checkpoint of another search, or one that was tampered with.
    #[error("the checkpoint does not fit: {0}")]
    Checkpoint(&'static str),
}

/// What to search for, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Nodes.
    pub nodes: u32,
    /// Most links of a node.
    pub degree: u32,
    /// A network of this diameter is good enough, whatever its average distance.
    pub diameter: Option<u32>,
    /// Networks are judged by [`Watch::floor`] first.
    pub judged: bool,
    /// Where random choices start from.
    pub seed: u64,
    /// Words read after which the search ends.
    pub ticks: u64,
}

/// All of a search, to go on from.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Checkpoint {
    /// Of a search among networks of so many nodes.
    Nodes(State),
    /// Of a search for as many nodes as possible.
    Largest(Climbed),
}

/// What a search shows while it works.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Nodes looked at.
    pub nodes: u32,
    /// Diameter and sum of distances of the best network of so many nodes.
    pub best: Option<Rank>,
    /// Its floor, where networks are judged by floors.
    pub floor: Option<u64>,
    /// The least that the degree allows.
    pub least: Rank,
    /// Words read.
    pub ticks: u64,
    /// Exchanges tried.
    pub moves: u64,
    /// What is worked on.
    pub doing: String,
    /// What to go on from.
    pub state: Checkpoint,
}

/// Who looks on while a search works, and judges.
pub trait Watch: Stop {
    /// A round has ended.
    fn progress(&self, state: &Progress);

    /// The floor by which a network is judged, where [`Settings::judged`] asks for one; `None` where there was no time for it.
    fn floor(&self, network: &Network) -> Option<u64> {
        let _ = network;
        None
    }
}

impl Watch for Never {
    fn progress(&self, _: &Progress) {}
}

impl Candidate {
    /// The network, a channel each way for every link.
    ///
    /// # Panics
    /// Never: what a search makes is sound.
    pub fn network(&self) -> Network {
        let shape = self.graph.shape();
        let name = format!("graph of {} nodes, degree {}, diameter {}", shape.nodes, shape.degree, self.diameter);
        let parts = NetworkData { name, nodes: shape.nodes, channels: self.graph.channels(), ..NetworkData::default() };
        Network::new(parts).expect("ends of links are nodes")
    }

    /// The mean distance between different nodes.
    pub fn average(&self) -> f64 {
        let nodes = f64::from(self.graph.shape().nodes);
        self.sum as f64 / (nodes * (nodes - 1.0))
    }
}

fn range(what: &'static str, found: u32, least: u32, most: u32) -> Result<(), GraphError> {
    if (least..=most).contains(&found) { Ok(()) } else { Err(GraphError::Range { what, found, least, most }) }
}

/// The Moore bound: most nodes of this degree and diameter.
pub fn most_nodes(degree: u32, diameter: u32) -> u128 {
    let levels =
        std::iter::successors(Some(u128::from(degree)), |l| Some(l.saturating_mul(u128::from(degree.max(1) - 1))));
    levels.take(diameter as usize).fold(1, u128::saturating_add)
}

/// The least diameter and sum of distances over ordered pairs that any network of links has. Where nodes × degree is odd some node
/// has a link fewer, which costs a hop; and a sum over ordered pairs is even.
pub fn least(nodes: u32, degree: u32) -> Rank {
    // From degree 2 upwards there is a bound for every number of nodes.
    let bound = measures::least(u64::from(nodes), u64::from(degree), true);
    let (diameter, each) = bound.map_or((0, 0), |(diameter, sum)| (diameter as u32, sum as u64));
    let sum = each * u64::from(nodes) + u64::from(nodes % 2 * (degree % 2));
    (diameter, sum.next_multiple_of(2))
}

/// Ready for parallel runs on so many threads.
fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

//! **What:** one network played by another: nodes onto terminals, one each, and channels onto paths.
//!
//! **Measures:** *dilation*, the longest path that a channel becomes, and their average; *congestion*, the most paths over a
//! channel; *expansion*, the nodes there are for each that is played. Dilation and its average are those of the map alone, since
//! paths are shortest; congestion is that of the paths chosen, which avoid loaded channels, and may not be the least.
//!
//! **Maps:** numbers as they are, which is Draper's map of hypercubes onto swapped hypercubes and Swapped Dragonflies; Gray codes
//! of the guest's coordinates ([`maps`]); and a search ([`search()`]), which proves small cases.
//!
//! **Example:** a ring in a hypercube.
//! ```
//! use topologies::embedding::{Settings, embed};
//! let [ring, cube] = ["ring:8", "hypercube:3"].map(|spec| topologies::parse(spec).expect("a family"));
//! let found = embed(&ring, &cube, &Settings::default())?;
//! assert_eq!((found.dilation, found.congestion, found.dilation_floor), (1, 1, 1));
//! # Ok::<(), topologies::embedding::EmbeddingError>(())
//! ```

pub mod maps;
mod routes;
mod search;
mod ticks;

use kernel::{Channel, Network, Node};
pub use search::search;
use ticks::Ticks;
pub use ticks::Watch;

/// Most nodes of a network that is embedded or embedded in.
pub const MOST_NODES: usize = 1 << 16;
/// Most nodes of a host in which maps are searched.
pub const MOST_SEARCHED: usize = 1 << 11;

/// What a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where random choices start from.
    pub seed: u64,
    /// Elementary moves.
    pub ticks: u64,
    /// The name of one of [`maps::MAPS`], or `search`, to try nothing else.
    pub only: Option<&'static str>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { seed: 1, ticks: 20_000_000, only: None }
    }
}

/// A map with its paths and measures.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// How it was found.
    pub method: &'static str,
    /// The host's node of each node of the guest.
    pub map: Vec<Node>,
    /// The host's path of each channel of the guest.
    pub paths: Vec<Vec<Channel>>,
    /// Channels of the longest path.
    pub dilation: u32,
    /// Channels of a path on average.
    pub average: f64,
    /// Paths over the busiest channel.
    pub congestion: u32,
    /// Nodes of the host for each of the guest.
    pub expansion: f64,
    /// No map has a smaller dilation: 1, or what an exhausted search has proved.
    pub dilation_floor: u32,
}

/// What keeps networks from being embedded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EmbeddingError {
    /// A guest with switches.
    #[error("{guest} has switches; only networks of terminals alone are embedded")]
    Switches {
        /// The guest.
        guest: String,
    },
    /// More nodes than the host has terminals.
    #[error("{guest} has {nodes} nodes, but {host} only {terminals} terminals to host them")]
    TooFew {
        /// The guest.
        guest: String,
        /// Its nodes.
        nodes: usize,
        /// The host.
        host: String,
        /// Its terminals.
        terminals: usize,
    },
    /// Too large.
    #[error("{network} has {nodes} nodes, more than {MOST_NODES}")]
    TooLarge {
        /// The network.
        network: String,
        /// Its nodes.
        nodes: usize,
    },
    /// No map that was tried joins all neighbours.
    #[error("no map was found under which all channels of {guest} have paths in {host}")]
    Unconnected {
        /// The guest.
        guest: String,
        /// The host.
        host: String,
    },
}

/// The best maps found, one a measure; the same map may be best by several.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// Of smallest dilation, then congestion, then average.
    pub dilation: Embedding,
    /// Of smallest congestion, then dilation, then average.
    pub congestion: Embedding,
    /// Of smallest average dilation, then dilation, then congestion.
    pub average: Embedding,
}

/// The best map found of the guest into the host: of smallest dilation, then congestion, then average.
///
/// # Errors
/// [`EmbeddingError`].
pub fn embed(guest: &Network, host: &Network, settings: &Settings) -> Result<Embedding, EmbeddingError> {
    Ok(best_maps(guest, host, settings, &|_, _, _| false)?.dilation)
}

/// The best maps found of the guest into the host by each measure. Searched are maps of small dilation, and from the best of those tried
/// exchanges of two nodes, or of a node with a free terminal, that lessen the average. Stopped by `watch`, it ends with what it has.
///
/// # Errors
/// [`EmbeddingError`].
pub fn best_maps(
    guest: &Network,
    host: &Network,
    settings: &Settings,
    watch: Watch<'_>,
) -> Result<Best, EmbeddingError> {
    let (nodes, terminals) = (guest.node_count(), host.terminals().len());
    if guest.terminals().len() < nodes {
        return Err(EmbeddingError::Switches { guest: guest.name().to_owned() });
    }
    for network in [guest, host] {
        if network.node_count() > MOST_NODES {
            return Err(EmbeddingError::TooLarge { network: network.name().to_owned(), nodes: network.node_count() });
        }
    }
    if nodes > terminals {
        let (guest, host) = (guest.name().to_owned(), host.name().to_owned());
        return Err(EmbeddingError::TooFew { guest, nodes, host, terminals });
    }
    let wanted = |name: &str| settings.only.is_none_or(|only| only == name);
    let written = maps::MAPS.iter().filter(|m| wanted(m.name));
    let written = written.filter_map(|m| Some((m.name, (m.make)(guest, host)?)));
    let mut tried: Vec<Embedding> =
        written.filter_map(|(method, map)| Embedding::of(guest, host, map, method)).collect();
    let mut floor = 1;
    let least = tried.iter().map(|e| e.dilation).min().unwrap_or(u32::MAX);
    if wanted("search") && least > 1 && host.node_count() <= MOST_SEARCHED && guest.channel_count() > 0 {
        let found = search(guest, host, least, settings, watch);
        floor = found.floor.min(least);
        if let Some((map, method)) = found.map {
            tried.extend(Embedding::of(guest, host, map, method));
        }
        let shortest = tried.iter().min_by(|a, b| a.average.total_cmp(&b.average));
        if let Some(start) = shortest.filter(|e| e.average > 1.0) {
            let name = "exchanges for the average";
            let map = search::shortened(guest, host, &start.map, Ticks::new(name, settings.ticks, watch));
            tried.extend(Embedding::of(guest, host, map, name));
        }
    }
    let unconnected = || EmbeddingError::Unconnected { guest: guest.name().to_owned(), host: host.name().to_owned() };
    let by = |key: fn(&Embedding) -> [u64; 3]| {
        let best = tried.iter().min_by_key(|e| key(e)).cloned().ok_or_else(unconnected)?;
        Ok(Embedding { dilation_floor: floor.min(best.dilation), ..best })
    };
    let best = Best {
        dilation: by(|e| [e.dilation.into(), e.congestion.into(), e.hops()])?,
        congestion: by(|e| [e.congestion.into(), e.dilation.into(), e.hops()])?,
        average: by(|e| [e.hops(), e.dilation.into(), e.congestion.into()])?,
    };
    Ok(best)
}

impl Embedding {
    /// Channels of all paths together.
    fn hops(&self) -> u64 {
        self.paths.iter().map(|path| path.len() as u64).sum()
    }

    /// Paths and measures of a map; `None` where it is none (two guests on a node, a node that is no terminal, another number
    /// of nodes) or a channel has no path.
    pub fn of(guest: &Network, host: &Network, map: Vec<Node>, method: &'static str) -> Option<Self> {
        let mut played = vec![false; host.node_count()];
        let free = |v: &Node| {
            let terminal = v.index() < host.node_count() && host.is_terminal(*v);
            terminal && !std::mem::replace(&mut played[v.index()], true)
        };
        if map.len() != guest.node_count() || !map.iter().all(free) {
            return None;
        }
        let ends: Vec<(Node, Node)> =
            guest.channels().map(|c| (map[guest.from(c).index()], map[guest.to(c).index()])).collect();
        let paths = routes::routes(host, &ends)?;
        let mut loads = vec![0u32; host.channel_count()];
        paths.iter().flatten().for_each(|c| loads[c.index()] += 1);
        let hops: usize = paths.iter().map(Vec::len).sum();
        Some(Embedding {
            method,
            dilation: paths.iter().map(Vec::len).max().unwrap_or(0) as u32,
            average: hops as f64 / paths.len().max(1) as f64,
            congestion: loads.into_iter().max().unwrap_or(0),
            expansion: host.node_count() as f64 / guest.node_count() as f64,
            dilation_floor: u32::from(!paths.is_empty()),
            map,
            paths,
        })
    }
}

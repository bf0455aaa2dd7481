//! **What:** source-vector routing of the Swapped Dragonfly: a message carries its ports with it, and no router keeps a table.
//!
//! **Headers:** a [`Vector`] (γ; π, δ) takes a message over local port π, global port γ and local port δ, so from (c, d, p) to
//! (c + γ, p + π, d + δ): a router (c, d, p) reaches (c', d', p') by (c' − c; d' − p, p' − d). A [`Synchronised`] header (t; γ; π, δ)
//! counts hops down: at odd t local port π, after which π and δ change places, at even t global port γ, which becomes 0.
//!
//! **Facts** (law tests prove them on networks as built): a vector takes different routers to different routers; where all
//! routers send by the same one, no two use a channel in the same hop. Where all send by several vectors at once, hop by
//! hop, there is a conflict exactly where two have the same γ, the same π ≠ 0 or the same δ ≠ 0. Routers whose c is in one set
//! of J and whose d and p are in one set of L are a D3(J, L) that no vector between two of them leaves. A synchronised header
//! with t = 4 moves every router by (γ, π, δ): a translation.
//!
//! **Source:** Draper's properties 1 to 3; that conflicts are no more than those is ours.
//!
//! ```
//! use topologies::families::swapped_dragonfly::SwappedDragonfly;
//! use topologies::source_vector::Vector;
//! let d3 = SwappedDragonfly::new(3, 4)?;
//! let vector = Vector::between(d3, [0, 1, 2], [2, 3, 0]);
//! assert_eq!(vector.to_string(), "(2; 1, 3)");
//! assert_eq!(vector.walk(d3, [0, 1, 2]), [[0, 1, 2], [0, 1, 3], [2, 3, 1], [2, 3, 0]]);
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::families::swapped_dragonfly::SwappedDragonfly;

/// A router's cabinet, drawer and place.
pub type Router = [u32; 3];

/// A port of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Port {
    /// To another place of the drawer; port 0 leads nowhere.
    Local(u32),
    /// To another cabinet, drawer and place swapped; port 0 of a router with equal ones leads nowhere.
    Global(u32),
}

impl Port {
    /// Where the port of a router leads; the router itself where it leads nowhere.
    pub fn leads(self, network: SwappedDragonfly, from: Router) -> Router {
        match self {
            Port::Local(x) => network.local(from, x),
            Port::Global(g) => network.global(from, g),
        }
    }
}

/// What is wrong with a header.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// It is not three numbers.
    #[error("`{text}` is not a source vector: write three ports, as 2;1,3")]
    Form {
        /// The text.
        text: String,
    },
    /// A port that no router has.
    #[error("`{text}`: {name} is {port}, but the {what} ports are 0 to {last}")]
    Range {
        /// The text.
        text: String,
        /// Which number.
        name: char,
        /// Its value.
        port: u64,
        /// Local or global.
        what: &'static str,
        /// The last port.
        last: u32,
    },
}

/// A header (γ; π, δ): ports of a local, a global and a local hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector {
    /// γ, the global port.
    pub global: u32,
    /// π, the local port of the first hop.
    pub first: u32,
    /// δ, the local port of the last hop.
    pub last: u32,
}

impl std::fmt::Display for Vector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}; {}, {})", self.global, self.first, self.last)
    }
}

impl Vector {
    /// The header of the one router's messages to the other.
    pub fn between(network: SwappedDragonfly, [c, d, p]: Router, to: Router) -> Self {
        let minus = |a: u32, b: u32, n: u32| (a + n - b) % n;
        let (k, m) = (network.cabinets(), network.drawers());
        Vector { global: minus(to[0], c, k), first: minus(to[1], p, m), last: minus(to[2], d, m) }
    }

    /// Reads `γ;π,δ`, with or without parentheses and blanks.
    ///
    /// # Errors
    /// [`HeaderError`] where the text has another form, or a port does not exist.
    pub fn parse(network: SwappedDragonfly, text: &str) -> Result<Self, HeaderError> {
        let bare: String = text.chars().filter(|c| !c.is_whitespace() && !"()".contains(*c)).collect();
        let numbers: Option<Vec<u64>> = bare.split([';', ',']).map(|number| number.parse().ok()).collect();
        let Some(&[g, a, b]) = numbers.as_deref() else { return Err(HeaderError::Form { text: text.into() }) };
        let port = |name, port: u64, what, ports: u32| match u32::try_from(port) {
            Ok(port) if port < ports => Ok(port),
            _ => Err(HeaderError::Range { text: text.into(), name, port, what, last: ports - 1 }),
        };
        Ok(Vector {
            global: port('γ', g, "global", network.cabinets())?,
            first: port('π', a, "local", network.drawers())?,
            last: port('δ', b, "local", network.drawers())?,
        })
    }

    /// The ports of the three hops.
    pub fn ports(self) -> [Port; 3] {
        [Port::Local(self.first), Port::Global(self.global), Port::Local(self.last)]
    }

    /// Where the header takes a message from a router.
    pub fn leads(self, network: SwappedDragonfly, from: Router) -> Router {
        self.ports().into_iter().fold(from, |at, port| port.leads(network, at))
    }

    /// The routers that a message from `from` visits; a port that leads nowhere takes no hop.
    pub fn walk(self, network: SwappedDragonfly, from: Router) -> Vec<Router> {
        walk(network, from, self.ports())
    }
}

/// A header (t; γ; π, δ) that counts its hops down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Synchronised {
    /// t, the hops left.
    pub hops: u32,
    /// Its ports, those of the next hops first.
    pub vector: Vector,
}

impl Synchronised {
    /// The port of the next hop, and the header behind it; `None` where the message has arrived.
    pub fn next(self) -> Option<(Port, Self)> {
        let Vector { global, first, last } = self.vector;
        let hops = self.hops.checked_sub(1)?;
        Some(match hops % 2 {
            0 => (Port::Local(first), Synchronised { hops, vector: Vector { global, first: last, last: first } }),
            _ => (Port::Global(global), Synchronised { hops, vector: Vector { global: 0, first, last } }),
        })
    }

    /// The ports of all hops.
    pub fn ports(self) -> impl Iterator<Item = Port> {
        let step = |header: &mut Self| {
            let (port, next) = header.next()?;
            *header = next;
            Some(port)
        };
        let mut header = self;
        std::iter::from_fn(move || step(&mut header))
    }

    /// The routers that a message from `from` visits; a port that leads nowhere takes no hop.
    pub fn walk(self, network: SwappedDragonfly, from: Router) -> Vec<Router> {
        walk(network, from, self.ports())
    }
}

fn walk(network: SwappedDragonfly, from: Router, ports: impl IntoIterator<Item = Port>) -> Vec<Router> {
    let mut walk = vec![from];
    for port in ports {
        let at = walk[walk.len() - 1];
        let next = port.leads(network, at);
        if next != at {
            walk.push(next);
        }
    }
    walk
}

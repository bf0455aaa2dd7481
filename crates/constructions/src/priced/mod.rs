//! **What:** alltoall on Swapped Dragonflies and swapped hypercubes of any size up to thousands of routers, near the floor:
//! routes by prices and steps by search, for one message of each orbit under the network's translations.
//!
//! **Idea:** a node has a translation to every other of its orbit, so alltoall is told by the messages of one node an orbit, M of KM² on
//! D3(K, M), and a channel by its orbit: a transfer of a representative takes the whole orbit for the step. What remains is a small
//! routing problem: few senders, few resources, the loads of which are to be equal.
//!
//! **Construction:**
//! 1. *Prices* (`routes`): shortest paths under prices that grow with what each orbit of channels carried so far, many times over
//!    (the method that also finds `lengths` certificates); each message keeps all the paths it was ever given.
//! 2. *Choice*: messages in turn take, of their paths, the one over the least loaded orbits, with ever steeper prices for load.
//! 3. *Steps* (`placing`): hop by hop, the longest paths first, each hop in the first step with room; whole paths by throwing others
//!    out, which look for another step or path.
//!
//! **Promise:** none; hop by hop mostly the largest load itself.
//!
//! **Loses** on more than some thousand routers, where it declines for the work, and to closed forms where these are at the floor.
//!
//! **Source:** ours; prices as in Garg and Könemann 1998.
//!
//! **Example:** `swapped-hypercube:1,3`, `swapped-dragonfly:5,7`

mod placing;
mod routes;

use construct::{Builder, Claim, Construction, Control, OrbitClaim, Request, Scope, generator, number};
use kernel::orbits::Generator;
use kernel::{Channel, Message, Network, Schedule};
use routes::Routes;
use topologies::families::swapped_dragonfly::SwappedDragonfly;

const EXAMPLES: &[&str] = &[
    "swapped-hypercube:1,2",
    "swapped-hypercube:0,2",
    "swapped-hypercube:2,2",
    "swapped-hypercube:3,1",
    "swapped-dragonfly:3,3",
    "swapped-dragonfly:2,4",
];

/// The registry's line hop by hop.
pub(crate) const HOPS: Construction = Construction {
    name: "priced-hops",
    about: "store-and-forward: one message of each orbit routed by prices, a hop in the first step with room",
    source: "ours; Garg and Konemann 1998",
    promise: "near the lower bound, no promise",
    scope: Scope::store_and_forward(),
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| Some(Box::new(Priced::new(request, false)?)),
};

/// The registry's line for whole paths.
pub(crate) const PATHS: Construction = Construction {
    name: "priced-paths",
    about: "wormhole: one message of each orbit routed by prices, steps by ejection",
    source: "ours; Garg and Konemann 1998",
    promise: "near the lower bound, no promise",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: EXAMPLES,
    make: |request| Some(Box::new(Priced::new(request, true)?)),
};

/// Most looks at a channel for prices.
const MOST_LOOKS: u64 = 1 << 28;

/// A network's translations.
#[derive(Clone, Copy)]
enum Moves {
    /// Of cabinets, and of drawers and places together.
    Dragonfly(SwappedDragonfly),
    /// Flips of so many bits of the cabinet, and of bits of both fields of so many together.
    Hypercube(u32, u32),
}

struct Priced {
    moves: Moves,
    /// Whether paths are whole, or hop by hop.
    whole: bool,
}

impl Priced {
    fn new(request: &Request<'_>, whole: bool) -> Option<Self> {
        let (k, m) = request.parameters_of(&["swapped-dragonfly", "swapped-hypercube"])?.split_once(',')?;
        let (k, m) = (number(k)?, number(m)?);
        let moves = match request.parameters_of(&["swapped-hypercube"]) {
            None => Moves::Dragonfly(SwappedDragonfly::new(k, m).ok()?),
            Some(_) if k <= 24 && (1..=12).contains(&m) => Moves::Hypercube(k, m),
            Some(_) => return None,
        };
        let [k, m] = [k, m].map(u64::from);
        let (bases, channels) = match moves {
            Moves::Dragonfly(_) => (m, (k * m * m).checked_mul(k + m)?),
            Moves::Hypercube(..) => (1 << m, (k + m + 1) << (k + 2 * m)),
        };
        let looks = channels.checked_mul(bases * u64::from(routes::ROUNDS));
        looks.is_some_and(|looks| looks <= MOST_LOOKS).then_some(Priced { moves, whole })
    }

    fn generators(&self, network: &Network) -> Option<Vec<Generator>> {
        match self.moves {
            Moves::Dragonfly(d3) => {
                let (k, m) = (d3.cabinets(), d3.drawers());
                let moved = |v: u32, [i, j]: [u32; 2]| {
                    let [c, d, p] = d3.router(v);
                    d3.node([(c + i) % k, (d + j) % m, (p + j) % m])
                };
                let of = |(order, by): (u32, [u32; 2])| generator(network, order, |v| moved(v, by));
                [(k, [1, 0]), (m, [0, 1])].into_iter().filter(|(order, _)| *order > 1).map(of).collect()
            }
            Moves::Hypercube(k, m) => {
                let cabinet = (0..k).map(|i| 1u32 << (2 * m + i));
                let both = (0..m).map(|i| (1u32 << m | 1) << i);
                cabinet.chain(both).map(|bits| generator(network, 2, |v| v ^ bits)).collect()
            }
        }
    }

    fn nodes(&self) -> u64 {
        match self.moves {
            Moves::Dragonfly(d3) => u64::from(d3.cabinets()) * u64::from(d3.drawers()).pow(2),
            Moves::Hypercube(k, m) => 1 << (k + 2 * m),
        }
    }
}

impl Builder for Priced {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let nodes = network.node_count();
        let plain = network.terminals().len() == nodes && network.nodes().all(|v| network.is_transit(v));
        if nodes as u64 != self.nodes() || !plain {
            return None;
        }
        let all = self.generators(network)?;
        // Under all translations a message may have no path but such as meet their own images; then fewer of them do.
        let without = |left: usize| (0..all.len()).filter(|at| *at != left).map(|at| all[at].clone()).collect();
        let fewer = (0..all.len()).rev().map(without).chain([Vec::new()]);
        std::iter::once(all.clone()).chain(fewer).find_map(|generators| self.under(generators, network, control))
    }
}

impl Priced {
    /// The schedule under a group of translations; `None` where that leaves some message without a path, or too much work.
    fn under(&self, generators: Vec<Generator>, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let orbits = Orbits::new(network, &generators);
        let looks = u64::from(routes::ROUNDS) * (orbits.bases.len() * network.channel_count()) as u64;
        if looks > MOST_LOOKS {
            return None;
        }
        let mut routes = Routes::priced(network, &orbits, self.whole, control)?;
        routes.choose(control)?;
        let steps = if self.whole { placing::paths(&routes, control)? } else { placing::hops(&routes, control)? };
        let others = u32::try_from(network.node_count()).ok()? - 1;
        let mut schedule = Schedule::new();
        for transfers in steps {
            schedule.begin_step();
            for (job, way, hops) in transfers {
                let (base, to) = routes.ends(job);
                let from = orbits.bases[base];
                let message = u32::try_from(base).ok()? * others + to - u32::from(to > from);
                schedule.send(Message(message), &routes.channels(job, way)[hops]);
            }
        }
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, schedule)))
    }
}

/// What translations take to each other.
struct Orbits {
    /// The orbit of each channel.
    of: Vec<u32>,
    /// How many orbits of channels there are.
    count: usize,
    /// The least node of each orbit of nodes.
    bases: Vec<u32>,
}

impl Orbits {
    fn new(network: &Network, generators: &[Generator]) -> Self {
        let of_channels = numbered(network.channel_count(), generators, |g, c| g.channels[c]);
        let of_nodes = numbered(network.node_count(), generators, |g, v| g.nodes[v]);
        let mut bases = Vec::new();
        for (node, orbit) in (0u32..).zip(&of_nodes) {
            if *orbit as usize == bases.len() {
                bases.push(node);
            }
        }
        let count = of_channels.iter().max().map_or(0, |most| *most as usize + 1);
        Orbits { of: of_channels, count, bases }
    }

    fn of(&self, channel: Channel) -> usize {
        self.of[channel.index()] as usize
    }
}

/// The number of each thing's orbit, in the order of their least members.
fn numbered(count: usize, generators: &[Generator], image: impl Fn(&Generator, usize) -> u32) -> Vec<u32> {
    let mut orbit = vec![u32::MAX; count];
    let mut next = 0;
    for start in 0..count {
        if orbit[start] != u32::MAX {
            continue;
        }
        orbit[start] = next;
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for generator in generators {
                let to = image(generator, at) as usize;
                if orbit[to] == u32::MAX {
                    orbit[to] = next;
                    open.push(to);
                }
            }
        }
        next += 1;
    }
    orbit
}

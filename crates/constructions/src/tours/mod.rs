//! **What:** alltoall on meshes, and on tori whose longest size is even.
//!
//! **Promise:** for the longest size L the floor, which the channels in the middle of that dimension set: ⌈nodes·L/8⌉ steps on tori, on meshes
//! nodes·L/4 for even L and, in one or two dimensions, nodes·(L²−1)/(4L) for odd L. Meshes of more dimensions and odd L need more steps
//! unless all sizes are odd and the mesh without this dimension is done in (L²−1)/4; how many is not told beforehand.
//!
//! **Construction:** the ordered pairs of nodes of a line fall apart into tours, which use every directed channel at most once
//! ([`line`]); on a product of lines every line sees one tour in a step ([`product`]).
//!
//! *Odd L.* Messages without a part along the longest dimension are those of a smaller mesh, in each of L layers. The others leave
//! layers idle, which then make a step of the smaller mesh; what is left over comes last. In two dimensions nothing is: every block
//! of steps leaves each column idle once at least.
//!
//! **Parameters:** at most two sizes are 4k + 1, unless there are at most two dimensions; sizes of tori are not all 2.
//!
//! **Source:** ours.
//!
//! **Example:** `mesh:16x16`, 1024 steps; `torus:31x34`, 4480 steps

mod block;
mod layers;
mod line;
mod product;

use crate::claim::{Claim, OrbitClaim};
use crate::construction::{Builder, Construction, Control, PortUse, Scope};
use crate::lattice::Lattice;
use crate::request::numbers;
use crate::transfers::{Hop, channel, generator};
use block::Ends;
use kernel::{Certificate, Channel, Message, Network, Node, Proof, Rational, Schedule};
use product::{Among, Batch, Product};

/// The line of meshes in the registry.
#[rustfmt::skip]
pub(crate) const MESH: Construction = Construction {
    name: "mesh-tours",
    about: "tours through all nodes of a line, combined so that every line sees one tour a step",
    source: "one-factorisations and Hamiltonian decompositions of complete graphs",
    promise: "nodes / L * floor(L^2/4) of the longest size L, in one and two dimensions and for even L",
    scope: Scope::wormhole().with(PortUse::All),
    is_automatic: true,
    examples: &[
        "mesh:5", "mesh:8", "mesh:2x3", "mesh:4x4", "mesh:5x5", "mesh:6x6", "mesh:7x7", "mesh:3x8", "mesh:5x6", "mesh:6x7", "mesh:9x10",
        "mesh:11x13", "mesh:12x13", "mesh:2x2x2", "mesh:3x4x5", "mesh:5x6x5", "mesh:6x6x6", "mesh:3x3x9", "mesh:2x3x5x6",
    ],
    make: |request| {
        let lattice = Lattice::new(&numbers(request.parameters_of(&["mesh"])?, 'x')?)?;
        let is_known = !lattice.sizes().is_empty() && Product::is_known(lattice.sizes());
        let form = Mesh { lattice };
        (is_known && form.uses()? <= MOST_PATHS).then(|| Box::new(form) as Box<dyn Builder>)
    },
};

/// The line of tori in the registry.
#[rustfmt::skip]
pub(crate) const TORUS: Construction = Construction {
    name: "torus-products",
    about: "tours around rings, combined so that every ring sees one tour a step in each direction",
    source: "one-factorisations and Hamiltonian decompositions of complete graphs",
    promise: "ceil(nodes * L/8) of the longest even size L",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "torus:4x4", "torus:2x6", "torus:5x6", "torus:6x6", "torus:3x8", "torus:9x10", "torus:3x4x6", "torus:5x5x6", "torus:4x6x10",
        "torus:2x5x6", "torus:2x3x3x4",
    ],
    make: |request| {
        let lattice = Lattice::new(&numbers(request.parameters_of(&["torus"])?, 'x')?)?;
        let longest = lattice.sizes().iter().max().copied()?;
        let form = Torus { lattice };
        let is_known = longest > 2 && longest % 2 == 0 && Product::is_known(form.lattice.sizes());
        (is_known && form.uses()? <= MOST_PATHS).then(|| Box::new(form) as Box<dyn Builder>)
    },
};

/// Most channel uses that are written down: four gibibytes.
const MOST_PATHS: u64 = 1 << 30;

struct Mesh {
    lattice: Lattice,
}

impl Mesh {
    /// Channel uses of all messages.
    fn uses(&self) -> Option<u64> {
        let nodes = u64::from(self.lattice.nodes());
        // The distances of all ordered pairs of a line of n nodes add up to n(n²−1)/3.
        let along =
            |n: &u32| nodes.checked_mul(nodes)?.checked_mul(u64::from(n * n - 1))?.checked_div(3 * u64::from(*n));
        self.lattice.sizes().iter().map(along).try_fold(0u64, |sum, uses| sum.checked_add(uses?))
    }
}

impl Builder for Mesh {
    fn promise(&self) -> Option<u64> {
        layers::promise(self.lattice.sizes())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let mut paths = Paths::new(&self.lattice, network, control)?;
        let nodes = self.lattice.nodes() as usize;
        if !paths.schedule.reserve(nodes * (nodes - 1), usize::try_from(self.uses()?).ok()?) {
            return None;
        }
        layers::steps(self.lattice.sizes(), &mut |batches| paths.step(batches, |from| from))?;
        Some(Claim::Plain(paths.schedule))
    }

    /// The cut through the middle of the longest dimension.
    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        let (dimension, size) = longest(&self.lattice)?;
        let steps = u64::from(self.lattice.nodes() / size) * (u64::from(size) * u64::from(size) / 4);
        let nodes = network.nodes().filter(|v| self.lattice.digit(v.0, dimension) < size / 2).collect();
        Some(Certificate { steps, proof: Proof::Cut { nodes } })
    }
}

/// The first of the longest dimensions, and its size.
fn longest(lattice: &Lattice) -> Option<(usize, u32)> {
    lattice.sizes().iter().copied().enumerate().rev().max_by_key(|(_, size)| *size)
}

struct Torus {
    lattice: Lattice,
}

impl Torus {
    /// Nodes from which messages of different orbits begin, in all dimensions before this one and in it.
    fn bases(&self, dimension: usize) -> u32 {
        let size = self.lattice.sizes()[dimension];
        if size.is_multiple_of(2) { size / 2 } else { size }
    }

    /// Channel uses of the representatives.
    fn uses(&self) -> Option<u64> {
        let sizes = self.lattice.sizes();
        let bases: u64 = (0..sizes.len()).map(|d| u64::from(self.bases(d))).product();
        let lengths: u64 = sizes.iter().map(|n| u64::from(*n)).sum();
        bases.checked_mul(u64::from(self.lattice.nodes()))?.checked_mul(lengths).map(|uses| uses / 4)
    }

    /// The rank of a base among all of them.
    fn rank(&self, node: u32) -> u32 {
        (0..self.lattice.sizes().len()).fold(0, |rank, d| rank * self.bases(d) + self.lattice.digit(node, d))
    }
}

impl Builder for Torus {
    fn promise(&self) -> Option<u64> {
        let (_, longest) = longest(&self.lattice)?;
        Some((u64::from(self.lattice.nodes()) * u64::from(longest)).div_ceil(8))
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = &self.lattice;
        // A tour moved by half its ring is the same tour.
        let even = (0..lattice.sizes().len()).filter(|d| lattice.sizes()[*d].is_multiple_of(2));
        let half = |d: usize| generator(network, 2, |v| lattice.moved(v, d, i64::from(lattice.sizes()[d] / 2)));
        let mut paths = Paths::new(lattice, network, control)?;
        let generators = even.map(half).collect::<Option<Vec<_>>>()?;
        let product = Product::new(lattice.sizes(), Among::Bases)?;
        product.rings(&mut |batches| paths.step(batches, |from| self.rank(from)))?;
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, paths.schedule)))
    }

    /// The distances along the longest dimension.
    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        let (dimension, _) = longest(&self.lattice)?;
        let digit = |v: Node| self.lattice.digit(v.0, dimension);
        let along = |c| Rational::whole(u64::from(digit(network.from(c)) != digit(network.to(c))));
        let weights = network.channels().map(along).collect();
        Some(Certificate { steps: self.promise()?, proof: Proof::Lengths { weights } })
    }
}

/// Writes messages down with their paths.
struct Paths<'a> {
    lattice: &'a Lattice,
    control: &'a Control<'a>,
    /// For each node and dimension the channels upwards and downwards; none at the ends of a line.
    channels: Vec<Option<Channel>>,
    path: Vec<Channel>,
    schedule: Schedule,
}

impl<'a> Paths<'a> {
    /// No steps yet; `None` where the network has other nodes.
    fn new(lattice: &'a Lattice, network: &Network, control: &'a Control<'a>) -> Option<Self> {
        let nodes = lattice.nodes();
        if network.node_count() != nodes as usize || network.terminals().len() != nodes as usize {
            return None;
        }
        let dimensions = lattice.sizes().len();
        let all = (0..nodes).flat_map(|v| (0..dimensions).flat_map(move |d| [1, -1].map(|by| (v, d, by))));
        let to = |(v, d, by)| channel(network, v, Hop { to: lattice.moved(v, d, by), channel: 0 });
        let channels = all.map(to).collect();
        Some(Paths { lattice, control, channels, path: Vec::new(), schedule: Schedule::new() })
    }

    /// Adds a step; `rank` is the place of a message's first node among those whose messages are numbered.
    fn step(&mut self, batches: &[Batch<'_>], rank: impl Fn(u32) -> u32) -> Option<()> {
        let others = self.lattice.nodes() - 1;
        self.schedule.begin_step();
        for batch in batches {
            for ends in batch.messages {
                self.walk(batch, *ends)?;
                let number =
                    rank(ends.from).checked_mul(others)?.checked_add(ends.to - u32::from(ends.to > ends.from))?;
                self.schedule.send(Message(number), &self.path);
                self.control.work(1 + self.path.len())?;
            }
        }
        Some(())
    }

    /// The path of a message.
    fn walk(&mut self, batch: &Batch<'_>, Ends { from, to }: Ends) -> Option<()> {
        self.path.clear();
        let dimensions = self.lattice.sizes().len();
        let mut at = from;
        for (place, &d) in batch.route.iter().enumerate() {
            let (begin, end) = (self.lattice.digit(at, d), self.lattice.digit(to, d));
            let size = self.lattice.sizes()[d];
            let (downwards, hops) = match batch.downwards.get(place) {
                None => (end < begin, begin.abs_diff(end)),
                Some(false) => (false, (end + size - begin) % size),
                Some(true) => (true, (begin + size - end) % size),
            };
            let (stride, mut digit) = (self.lattice.stride(d), begin);
            for _ in 0..hops {
                self.path.push(self.channels[(at as usize * dimensions + d) * 2 + usize::from(downwards)]?);
                // Hundreds of millions of hops: no division.
                let next = match downwards {
                    false => {
                        if digit + 1 == size {
                            0
                        } else {
                            digit + 1
                        }
                    }
                    true => digit.checked_sub(1).unwrap_or(size - 1),
                };
                at = at - digit * stride + next * stride;
                digit = next;
            }
        }
        Some(())
    }
}

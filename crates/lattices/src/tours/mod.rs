//! **What:** alltoall on products of lines, rings and complete networks: meshes, tori whose longest size is even, cylinders, HyperX networks
//! with lines.
//!
//! **Promise:** the floor, which the channels in the middle of the longest dimension set: ⌈nodes·N/8⌉ steps for rings of N nodes, nodes·L/4 for
//! lines of even L and nodes·(L²−1)/(4L) for odd L: in one or two dimensions, where L = 4k + 1 is longer than all others, and in three
//! dimensions where L = 4k + 3 and the others are odd or at most (L + 1)/2, and most others. Other meshes of odd L need more steps
//! unless all sizes are odd and the mesh without this dimension is done in (L²−1)/4; how many is not told beforehand. Nor is it of cylinders
//! whose narrowest dimension has an odd size, or whose lines and rings do not go into as many slots as the narrowest has.
//!
//! **Construction:** the ordered pairs of nodes of a line fall apart into tours, which use every directed channel at most once
//! ([`line`]); on a product of lines every line sees one tour in a step ([`product`]). Rings that are no longer than the longest line are taken as
//! lines.
//!
//! *Odd L.* Messages without a part along the longest dimension are those of a smaller mesh, in each of L layers. The others leave
//! layers idle, which then make a step of the smaller mesh; what is left over comes last. In two dimensions nothing is: every block
//! of steps leaves each column idle once at least. Nor is it where the classes of L are near-one-factors, which miss each layer in turn, or where two
//! kinds of messages share the lines of two dimensions ([`shared`]), or where the loops of another dimension leave lines idle ([`missed`]).
//!
//! *Even L* is stored as the parts along each dimension and the rounds of steps ([`form`]), odd L and rings message by message or as orbits.
//!
//! **Parameters:** at most two sizes of lines and rings are 4k + 1, besides the longest of a mesh; sizes of tori are not all 2.
//!
//! **Source:** ours.
//!
//! **Example:** `mesh:16x16`, 1024 steps; `torus:31x34`, 4480 steps; `product:ring:16,mesh:8`, 256 steps

mod block;
mod form;
mod layers;
mod line;
mod missed;
mod paths;
mod product;
mod shared;
mod shift;
mod sides;

use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, OrbitClaim, PortUse, Request, Scope, generator};
use kernel::{Certificate, Network};
use paths::Paths;
use product::{Among, Product};
use sides::{Side, certificate, narrowest, sides};
use topologies::grid::Along;

/// The line of meshes in the registry.
#[rustfmt::skip]
pub const MESH: Construction = Construction {
    name: "mesh-tours",
    about: "tours through all nodes of a line, combined so that every line sees one tour a step",
    source: "one-factorisations and Hamiltonian decompositions of complete graphs",
    promise: "nodes / L * floor(L^2/4) of the longest size L, in one and two dimensions, for even L and most odd L in three",
    scope: Scope::wormhole().with(PortUse::All),
    is_automatic: true,
    examples: &[
        "mesh:5", "mesh:8", "mesh:2x3", "mesh:4x4", "mesh:5x5", "mesh:6x6", "mesh:7x7", "mesh:3x8", "mesh:5x6", "mesh:6x7", "mesh:9x10",
        "mesh:11x13", "mesh:12x13", "mesh:2x2x2", "mesh:3x4x5", "mesh:5x6x5", "mesh:6x6x6", "mesh:3x3x9", "mesh:2x3x5x6", "mesh:3x3x3", "mesh:2x5x7", "mesh:3x4x4x5", "mesh:2x5x5",
        "mesh:3x6x7",
        "product:ring:5,mesh:8", "product:complete:5,mesh:6", "product:complete:4,mesh:7", "product:complete:3,complete:4,mesh:5",
    ],
    make: |request| {
        let (sides, lattice) = dimensions(request)?;
        let is_cube = request.parameters_of(&["hypercube"]).is_some();
        let fits = longest(&sides, Along::Line) >= longest(&sides, Along::Ring).max(Some(2)) && !is_cube;
        let mesh = Mesh { lattice, sides };
        let has_room =
            if mesh.is_even() { mesh.hops_of_parts() <= MOST_HOPS } else { mesh.uses()? <= MOST_PATHS };
        (fits && Product::is_known(&mesh.sides) && has_room).then(|| Box::new(mesh) as Box<dyn Builder>)
    },
};

/// The line of tori in the registry.
#[rustfmt::skip]
pub const TORUS: Construction = Construction {
    name: "torus-products",
    about: "tours around rings, combined so that every ring sees one tour a step in each direction",
    source: "one-factorisations and Hamiltonian decompositions of complete graphs",
    promise: "ceil(nodes * N/8) of the longest even ring N, or ceil(nodes * L/4) of the longest even line L > N/2",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "torus:4x4", "torus:2x6", "torus:5x6", "torus:6x6", "torus:3x8", "torus:9x10", "torus:3x4x6", "torus:5x5x6", "torus:4x6x10",
        "torus:2x5x6", "torus:2x3x3x4", "product:ring:8,mesh:4", "product:ring:12,mesh:6", "product:ring:8,mesh:7", "product:ring:10,mesh:3",
        "product:torus:4x6,mesh:2x3", "product:complete:4,ring:6", "product:complete:3,ring:8,mesh:3", "product:ring:9,mesh:4",
    ],
    make: |request| {
        let (sides, lattice) = dimensions(request)?;
        let (ring, line) = (longest(&sides, Along::Ring)?, longest(&sides, Along::Line));
        // Of rings alone of odd sizes there are better ones.
        let is_mixed = sides.iter().any(|side| !side.is(Along::Ring) && side.size > 2);
        let is_apt = sides.len() > 1 && Some(ring) > line && (ring % 2 == 0 || is_mixed);
        let fits = is_apt && Product::is_known(&sides) && uses_of_bases(&sides)? <= MOST_PATHS;
        if !fits {
            return None;
        }
        let product = Product::of_rings(&sides, Among::Bases)?;
        Some(Box::new(Torus { lattice, sides, product }))
    },
};

/// Most channel uses that are written down: four gibibytes.
const MOST_PATHS: u64 = 1 << 30;

/// Most channel uses of the parts of a product: lines of 586 nodes.
const MOST_HOPS: u64 = 1 << 26;

/// The dimensions of the network of a request.
fn dimensions(request: &Request<'_>) -> Option<(Vec<Side>, Lattice)> {
    let sides = sides(request.topology()?)?;
    let lattice = Lattice::new(&sides.iter().map(|side| side.size).collect::<Vec<_>>())?;
    (!sides.is_empty()).then_some((sides, lattice))
}

/// The largest size of some dimensions.
fn longest(sides: &[Side], along: Along) -> Option<u32> {
    sides.iter().filter(|side| side.is(along)).map(|side| side.size).max()
}

/// The floor of the narrowest dimension.
fn floor(sides: &[Side], lattice: &Lattice, network: &Network) -> Option<Certificate> {
    let (dimension, steps) = narrowest(sides)?;
    Some(certificate(network, sides[dimension], steps, |v| lattice.digit(v, dimension)))
}

struct Mesh {
    lattice: Lattice,
    sides: Vec<Side>,
}

impl Mesh {
    /// Whether the longest size is even, so that all messages are of one product.
    fn is_even(&self) -> bool {
        let lines = self.sides.iter().filter(|side| !side.is(Along::Complete));
        lines.map(|side| side.size).max().is_some_and(|size| size.is_multiple_of(2))
    }

    /// Channel uses of the parts along all dimensions, at most.
    fn hops_of_parts(&self) -> u64 {
        // The distances of all ordered pairs of a line of n nodes add up to n(n²−1)/3.
        self.sides.iter().map(|side| u64::from(side.size).saturating_pow(3) / 3).fold(0, u64::saturating_add)
    }

    /// Channel uses of all messages.
    fn uses(&self) -> Option<u64> {
        let pairs = u64::from(self.lattice.nodes()).checked_pow(2)?;
        let along = |side: &Side| {
            let n = u64::from(side.size);
            match side.along {
                Along::Complete => Some(pairs / n * (n - 1)),
                // The distances of all ordered pairs of a line of n nodes add up to n(n²−1)/3.
                Along::Line | Along::Ring => pairs.checked_mul(n * n - 1)?.checked_div(3 * n),
            }
        };
        self.sides.iter().map(along).try_fold(0u64, |sum, uses| sum.checked_add(uses?))
    }
}

impl Builder for Mesh {
    fn promise(&self) -> Option<u64> {
        layers::promise(&self.sides)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        if self.is_even() {
            return form::form(&self.sides).map(Claim::Product);
        }
        let mut paths = Paths::new(&self.lattice, &self.sides, network, control)?;
        let nodes = self.lattice.nodes() as usize;
        if !paths.schedule.reserve(nodes * (nodes - 1), usize::try_from(self.uses()?).ok()?) {
            return None;
        }
        layers::steps(&self.sides, &mut |batches| paths.step(batches, |from| from))?;
        Some(Claim::Plain(paths.schedule))
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        floor(&self.sides, &self.lattice, network)
    }
}

struct Torus {
    lattice: Lattice,
    sides: Vec<Side>,
    product: Product,
}

/// Channel uses of representatives, on a product of rings and others.
fn uses_of_bases(sides: &[Side]) -> Option<u64> {
    let product =
        |of: fn(&Side) -> u32| sides.iter().try_fold(1u64, |product, side| product.checked_mul(of(side).into()));
    let lengths: u64 = sides.iter().map(|side| u64::from(side.size)).sum();
    product(|side| side.bases())?.checked_mul(product(|side| side.size)?)?.checked_mul(lengths).map(|uses| uses / 4)
}

impl Torus {
    /// The rank of a base among all of them.
    fn rank(&self, node: u32) -> u32 {
        let digits = self.sides.iter().enumerate().map(|(d, side)| (side.bases(), self.lattice.digit(node, d)));
        digits.fold(0, |rank, (bases, digit)| rank * bases + digit)
    }
}

impl Builder for Torus {
    fn promise(&self) -> Option<u64> {
        let (_, floor) = narrowest(&self.sides)?;
        let steps = (u64::from(self.lattice.nodes()) * u64::from(self.product.slots())).div_ceil(4);
        (steps == floor).then_some(floor)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = &self.lattice;
        // A tour moved by half its ring is the same tour.
        let turn = |(d, side): (usize, &Side)| {
            let by = if side.is(Along::Complete) { 1 } else { side.size / 2 };
            generator(network, side.size / by, |v| lattice.moved(v, d, i64::from(by)))
        };
        let moved = self.sides.iter().enumerate().filter(|(_, side)| side.bases() < side.size);
        let generators = moved.map(turn).collect::<Option<Vec<_>>>()?;
        let mut paths = Paths::new(lattice, &self.sides, network, control)?;
        self.product.rings(&mut |batches| paths.step(batches, |from| self.rank(from)))?;
        Some(Claim::Orbits(OrbitClaim::unshifted(generators, paths.schedule)))
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        floor(&self.sides, &self.lattice, network)
    }
}

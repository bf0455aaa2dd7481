//! **What:** the Cartesian product of networks: a node is a tuple of nodes, and a channel changes one of them as a channel of its
//! network does. Cylinders (rings times lines), HyperX networks and flattened butterflies (complete networks of any sizes) are such.
//!
//! **Parameters:** two networks or more, all of whose nodes are terminals; one begins behind every comma that a letter follows. The
//! first one's nodes are the most significant digits.
//!
//! **Facts:** numbers of nodes are multiplied; degrees, diameters and distances are added.
//!
//! **Source:** any textbook; HyperX: Ahn, Binkert, Davis, McLaren, Schreiber, HyperX: topology, routing, and packaging of efficient
//! large-scale networks, SC 2009
//!
//! **Example:** `product:ring:8,mesh:4`
//! ```
//! use topologies::{Topology, families::{product::Product, ring::Ring, mesh::Mesh}};
//! let cylinder = Product::new(&[&Ring::new(8)?, &Mesh::new([4])?])?;
//! assert_eq!(cylinder.network().name(), "product:ring:8,mesh:4");
//! # Ok::<(), topologies::SpecError>(())
//! ```

use crate::build;
use crate::grid::Grid;
use crate::registry::{ClosedForms, Family, Topology};
use crate::spec::{self, Arguments, SpecError, topology};
use kernel::{Network, NetworkData};

/// The Cartesian product of two networks or more.
pub struct Product {
    factors: Vec<Box<dyn Topology>>,
    /// Their numbers of nodes.
    sizes: Vec<u32>,
}

/// The family's line in the registry.
pub const FAMILY: Family = Family {
    name: "product",
    form: "product:FAMILY,FAMILY…",
    about: "the Cartesian product of direct networks: cylinders, HyperX, flattened butterflies and others",
    source: "any textbook; HyperX: Ahn, Binkert, Davis, McLaren, Schreiber, SC 2009",
    examples: &[
        "product:ring:8,mesh:4",
        "product:complete:3,complete:4",
        "product:mesh:2x3,complete:4",
        "product:kautz:2,2,ring:3",
        "product:petersen,mesh:2",
        "product:star:3,ring-uni:3",
    ],
    make: |a| Ok(Box::new(Product::read(a)?)),
};

/// What a factor must be.
const DIRECT: &str = "a network all of whose nodes are terminals, and neither a product nor a dual-net";

impl Product {
    /// The product of these networks.
    ///
    /// # Errors
    /// A factor that is not a direct network, or a network too large to build.
    pub fn new(factors: &[&dyn Topology]) -> Result<Self, SpecError> {
        let specs: Vec<String> = factors.iter().map(|factor| factor.spec()).collect();
        spec::made(&FAMILY, &specs.join(","), Self::read)
    }

    fn read(a: &Arguments<'_>) -> Result<Self, SpecError> {
        let specs = parts(a.rest);
        if specs.len() < 2 {
            return Err(a.form());
        }
        let (mut factors, mut sizes) = (Vec::new(), Vec::new());
        for spec in specs {
            // Before it is read, however deep it goes.
            if ["product", "hdn", "rdn", "fat", "opened"].contains(&spec.split(':').next().unwrap_or(spec)) {
                return Err(a.range("FAMILY", spec, DIRECT));
            }
            let factor = topology(spec)?;
            let forms = factor.closed_forms();
            if forms.nodes != forms.terminals {
                return Err(a.range("FAMILY", spec, DIRECT));
            }
            sizes.push(u32::try_from(forms.nodes).map_err(|_| a.too_large())?);
            factors.push(factor);
        }
        build::product(&sizes).ok_or_else(|| a.too_large())?;
        Ok(Product { factors, sizes })
    }

    fn nodes(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// By how much a node's number grows with its digit in a factor.
    fn stride(&self, factor: usize) -> u32 {
        self.sizes[factor + 1..].iter().product()
    }

    /// The node with another digit in a factor.
    fn with(&self, node: u32, factor: usize, digit: u32) -> u32 {
        node - self.digit(node, factor) * self.stride(factor) + digit * self.stride(factor)
    }

    fn digit(&self, node: u32, factor: usize) -> u32 {
        node / self.stride(factor) % self.sizes[factor]
    }
}

/// The specifications between commas that a letter follows.
fn parts(text: &str) -> Vec<&str> {
    let begins = |at: usize| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, _) in text.match_indices(',').filter(|(at, _)| begins(*at)) {
        parts.push(&text[start..at]);
        start = at + 1;
    }
    parts.push(&text[start..]);
    parts
}

impl Topology for Product {
    fn spec(&self) -> String {
        let specs: Vec<String> = self.factors.iter().map(|factor| factor.spec()).collect();
        format!("product:{}", specs.join(","))
    }

    fn closed_forms(&self) -> ClosedForms {
        let forms: Vec<ClosedForms> = self.factors.iter().map(|factor| factor.closed_forms()).collect();
        let nodes = u64::from(self.nodes());
        let channels = forms.iter().map(|f| nodes / f.nodes * f.channels).sum();
        let degree = forms.iter().try_fold((0, 0), |(least, most), f| {
            let (fewest, greatest) = f.degree?;
            Some((least + fewest, most + greatest))
        });
        // A distance is the sum of those in the factors, and each pair of a factor's nodes occurs (nodes / size)² times.
        let along = |f: &ClosedForms| Some(u128::from(nodes / f.nodes).pow(2) * f.distances?);
        let is_transitive = forms.iter().all(|f| f.vertex_transitive == Some(true));
        ClosedForms {
            nodes,
            terminals: nodes,
            channels,
            degree,
            diameter: forms.iter().map(|f| f.diameter).sum(),
            distances: forms.iter().map(along).sum(),
            vertex_transitive: is_transitive.then_some(true),
        }
    }

    fn grid(&self) -> Option<Grid> {
        let grids: Option<Vec<Grid>> = self.factors.iter().map(|factor| factor.grid()).collect();
        grids.map(Grid::joined)
    }

    fn dimensions(&self) -> Option<Vec<u32>> {
        let factors = self.factors.iter().zip(&self.sizes);
        Some(factors.flat_map(|(factor, size)| factor.dimensions().unwrap_or_else(|| vec![*size])).collect())
    }

    fn network(&self) -> Network {
        let mut channels = Vec::new();
        for (at, factor) in self.factors.iter().enumerate() {
            let network = factor.network();
            let starts = (0..self.nodes()).filter(|v| self.digit(*v, at) == 0);
            let ends: Vec<(u32, u32)> = network.channels().map(|c| (network.from(c).0, network.to(c).0)).collect();
            channels.extend(starts.flat_map(|v| {
                let of = |(a, b): &(u32, u32)| (self.with(v, at, *a), self.with(v, at, *b));
                ends.iter().map(of).collect::<Vec<_>>()
            }));
        }
        channels.sort_unstable();
        let labels = Some(build::coordinates(&self.sizes));
        Network::new(NetworkData { name: self.spec(), nodes: self.nodes(), labels, channels, ..NetworkData::default() })
            .expect("ends of the factors' channels are moved alike")
    }

    fn automorphisms(&self) -> Vec<Vec<u32>> {
        let mut lifted = Vec::new();
        for (at, factor) in self.factors.iter().enumerate() {
            let lift = |image: Vec<u32>| {
                (0..self.nodes()).map(|v| self.with(v, at, image[self.digit(v, at) as usize])).collect()
            };
            lifted.extend(factor.automorphisms().into_iter().map(lift));
        }
        lifted
    }

    fn translations(&self) -> Option<Vec<u32>> {
        let sizes: Option<Vec<Vec<u32>>> = self.factors.iter().map(|factor| factor.translations()).collect();
        sizes.map(|sizes| sizes.concat())
    }

    fn product(&self, one: u32, other: u32) -> Option<u32> {
        let mut node = 0;
        for (at, factor) in self.factors.iter().enumerate() {
            node += factor.product(self.digit(one, at), self.digit(other, at))? * self.stride(at);
        }
        Some(node)
    }
}

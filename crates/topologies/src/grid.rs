//! **What:** networks whose nodes have coordinates, and whose links change one of them: meshes, tori, hypercubes of both kinds, and
//! products of these.
//!
//! **Facts:** a node's number has its coordinates as digits, the first dimension most significant. Whoever changes the last
//! dimension first, then the one before it, takes a shortest path: dimension order, on hypercubes called e-cube.

use crate::build;
use crate::registry::ClosedForms;

/// How the nodes of one line along a dimension are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Along {
    /// Neighbours, without the ends.
    Line,
    /// Neighbours, and the ends.
    Ring,
    /// All with all.
    Complete,
}

/// The coordinates of a network's nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    sizes: Vec<u32>,
    along: Vec<Along>,
}

impl Grid {
    /// Dimensions of these sizes, all joined in the same way.
    pub(crate) fn new(sizes: Vec<u32>, along: Along) -> Self {
        Grid { along: vec![along; sizes.len()], sizes }
    }

    /// The dimensions of several grids, those of the first the slowest.
    pub(crate) fn joined(grids: Vec<Grid>) -> Self {
        let (sizes, along): (Vec<_>, Vec<_>) = grids.into_iter().map(|grid| (grid.sizes, grid.along)).unzip();
        Grid { sizes: sizes.concat(), along: along.concat() }
    }

    /// The sizes of the dimensions, the slowest first.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// How the nodes of a line along each dimension are joined.
    pub fn along(&self) -> &[Along] {
        &self.along
    }

    /// Closed forms of a line along each dimension.
    pub(crate) fn lines(&self) -> Vec<ClosedForms> {
        let line = |(size, along): (&u32, &Along)| {
            let (n, wide) = (u64::from(*size), u128::from(*size));
            let (degree, diameter, distances, alike) = match along {
                Along::Line => ((n.min(2) - 1, n.min(3) - 1), n - 1, wide * (wide * wide - 1) / 3, n < 3),
                Along::Ring => ((n.min(3) - 1, n.min(3) - 1), n / 2, wide * (wide * wide / 4), true),
                Along::Complete => ((n - 1, n - 1), u64::from(n > 1), wide * (wide - 1), true),
            };
            let channels = if *along == Along::Line { 2 * (n - 1) } else { n * degree.0 };
            let forms = ClosedForms::direct(n, channels, degree).diameter(diameter).distances(distances);
            if alike { forms.transitive(true) } else { forms }
        };
        self.sizes.iter().zip(&self.along).map(line).collect()
    }

    /// The next node from `node` to `destination` in dimension order, the last dimension first; `None` at the destination.
    /// On a ring the shorter way is taken, upwards where both are as long.
    pub fn next(&self, node: u32, destination: u32) -> Option<u32> {
        let (mut at, to) = (build::digits(node, &self.sizes), build::digits(destination, &self.sizes));
        let d = (0..at.len()).rev().find(|d| at[*d] != to[*d])?;
        let (here, there, size) = (at[d], to[d], self.sizes[d]);
        at[d] = match self.along[d] {
            Along::Complete => there,
            Along::Line if there > here => here + 1,
            Along::Line => here - 1,
            Along::Ring if 2 * ((there + size - here) % size) <= size => (here + 1) % size,
            Along::Ring => (here + size - 1) % size,
        };
        Some(build::node_of(&at, &self.sizes))
    }
}

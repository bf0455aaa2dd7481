//! **What:** how the nodes along one dimension of a product are joined, and what a message moves along it.

use kernel::{Network, Node};
use topologies::dual_net::DualNet;

/// How the nodes that differ in one dimension alone are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DimensionKind {
    Ring,
    Path,
    Complete,
}

/// How the nodes along each dimension of the base of a dual-net are joined, `network` being that of the whole where it is
/// built; `None` where some are otherwise.
pub(crate) fn dimensions(net: &DualNet, network: Option<&Network>) -> Option<Vec<DimensionKind>> {
    let base = network.filter(|_| net.levels() == 0).unwrap_or_else(|| net.base_network());
    let sizes = net.sizes();
    let stride = |d: usize| sizes[d + 1..].iter().product::<u32>();
    (0..sizes.len()).map(|d| DimensionKind::of(base, stride(d), sizes[d])).collect()
}

impl DimensionKind {
    /// How the nodes of the base along a dimension are joined, everywhere alike; `None` where it is none of these.
    fn of(base: &Network, stride: u32, size: u32) -> Option<Self> {
        if size == 1 {
            return Some(DimensionKind::Path);
        }
        let kinds = [DimensionKind::Complete, DimensionKind::Ring, DimensionKind::Path];
        let joined = |a: u32, b: u32| base.outgoing(Node(a)).iter().any(|c| base.to(*c).0 == b);
        let holds = |kind: &DimensionKind| {
            base.nodes().all(|v| {
                let digit = v.0 / stride % size;
                let mut near = (0..size).filter(|other| kind.joins(digit, *other, size));
                near.all(|other| joined(v.0, v.0 - digit * stride + other * stride))
            })
        };
        kinds.into_iter().find(holds)
    }

    /// Whether nodes with these digits are neighbours.
    fn joins(self, a: u32, b: u32, size: u32) -> bool {
        match self {
            DimensionKind::Complete => a != b,
            DimensionKind::Ring => (a + 1) % size == b || (b + 1) % size == a,
            DimensionKind::Path => a.abs_diff(b) == 1,
        }
    }

    /// Rounds that the exchange along a dimension takes.
    pub(crate) fn rounds(self, size: u32) -> usize {
        match self {
            DimensionKind::Ring | DimensionKind::Complete => size as usize - 1,
            DimensionKind::Path => 2 * (size as usize - 1),
        }
    }

    /// What a message moves from one digit to another: places along a ring or path (negative: backwards), or the
    /// difference on a complete one.
    pub(crate) fn shift(self, from: u32, to: u32, size: u32) -> i32 {
        let ahead = ((to + size - from) % size).cast_signed();
        match self {
            DimensionKind::Complete => ahead,
            DimensionKind::Path => to.cast_signed() - from.cast_signed(),
            DimensionKind::Ring if 2 * ahead > size.cast_signed() => ahead - size.cast_signed(),
            DimensionKind::Ring => ahead,
        }
    }
}

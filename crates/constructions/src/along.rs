//! **What:** how the nodes of a line along one dimension of a product are joined, and what a message moves along it.

use kernel::{Network, Node};

/// How the nodes of a line along a dimension are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Along {
    Ring,
    Line,
    Complete,
}

impl Along {
    /// How all lines of the base along a dimension are joined, node 0's and its images; `None` where it is none of these.
    pub fn of(base: &Network, stride: u32, size: u32) -> Option<Self> {
        if size == 1 {
            return Some(Along::Line);
        }
        let kinds = [Along::Complete, Along::Ring, Along::Line];
        let joined = |a: u32, b: u32| base.outgoing(Node(a)).iter().any(|c| base.to(*c).0 == b);
        let holds = |kind: &Along| {
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
            Along::Complete => a != b,
            Along::Ring => (a + 1) % size == b || (b + 1) % size == a,
            Along::Line => a.abs_diff(b) == 1,
        }
    }

    /// Rounds that the exchange along a dimension takes.
    pub fn rounds(self, size: u32) -> usize {
        match self {
            Along::Ring | Along::Complete => size as usize - 1,
            Along::Line => 2 * (size as usize - 1),
        }
    }

    /// What a message moves from one digit to another: places along a ring or line (negative: backwards), or the
    /// difference on a complete one.
    pub fn shift(self, from: u32, to: u32, size: u32) -> i32 {
        let ahead = ((to + size - from) % size).cast_signed();
        match self {
            Along::Complete => ahead,
            Along::Line => to.cast_signed() - from.cast_signed(),
            Along::Ring if 2 * ahead > size.cast_signed() => ahead - size.cast_signed(),
            Along::Ring => ahead,
        }
    }
}

//! **What:** alltoall on a square torus of two dimensions with odd sides.
//!
//! **Promise:** N(N²−1)/8 steps, the floor: what the channels of one dimension and direction have to carry.
//!
//! **Construction:** let N = 2m + 1. All translations act and shift time by m(m+1)/2 steps, so the steps split into as many
//! *rows* of N, and in a row the uses of each of the four classes of channels (+x, −x, +y, −y) are places of Z_N at node 0:
//! a path that starts at place z moves up the places along + and down along −. A row holds, in each class, a segment of m
//! places and one of m + 1, and in each segment a pair of messages whose differences add up to the segment's length L:
//! (a, b) with (L−a, L−b), of the same signs.
//!
//! - Signs (+, −): let (a, −b) go along y first and (L−a, −(L−b)) along x first. They fill the segment [z, z+L) in +x and
//!   in −y, whatever a and b.
//! - Signs (+, +): let (a, b) go along x first, the other along y first. They fill [z, z+L) in +x and
//!   [z+a+b−L, z+a+b) in +y, so that the segments of m and m + 1 join in both if c + d = a + b + 1, where c and d belong to
//!   the segment of m + 1.
//! - The other two are mirror images: negative differences at negative places.
//!
//! Differences with |b − a| = k form chain k, which is paired up by segments of m (with the differences (0, k) and (k, 0) on
//! the axes) or by segments of m + 1 (without them); a chain takes the one in (+, +) and the other in (+, −), so that the
//! axes are covered once. In (+, +) even chains k ≥ 2 take m: the pair (a, a+k) joins (a+1, a+k), of chain k − 1. Odd
//! chains take m in (+, −), in any order. Chain 0, without axes, takes m + 1 in both. The numbers come out even if the
//! pairs of chain 0 in (+, +) join pairs of m in (+, −): that fits at place z with 2z = 1 − c − d. For odd m chain 0 has
//! the middle ((m+1)/2, (m+1)/2), alone in each of the four signs; all four share the row of the last pair of m.
//!
//! **Source:** ours, by the group of translations with shifts of time.
//!
//! **Example:** `torus:7x7`, 42 steps

use crate::Plan;
use crate::draft::Draft;
use crate::lattice::Lattice;
use crate::registry::{Construction, Form, MOST_USES, numbers};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "torus-odd",
    about: "segments of (N-1)/2 and (N+1)/2 of the rings, each for a pair of differences",
    source: "translations with shifts of time",
    promise: "N(N^2-1)/8",
    examples: &["torus:3x3", "torus:5x5", "torus:7x7", "torus:9x9", "torus:11x11", "torus:13x13", "torus:21x21"],
    make: |family, parameters| {
        let sizes = numbers(parameters, 'x').filter(|_| family == "torus")?;
        let lattice = Lattice::new(&sizes)?;
        let side = match lattice.sizes() {
            [a, b] if a == b && a % 2 == 1 => i64::from(*a),
            _ => return None,
        };
        let form = TorusOdd { lattice, side };
        (form.steps().checked_mul(4)? <= MOST_USES).then(|| Box::new(form) as Box<dyn Form>)
    },
};

struct TorusOdd {
    lattice: Lattice,
    side: i64,
}

impl Form for TorusOdd {
    fn steps(&self) -> u64 {
        let side = self.side.unsigned_abs();
        side * (side - 1) / 2 * side.div_ceil(2) / 2
    }

    fn plan(&self, network: &Network) -> Option<Plan> {
        let translations = self.lattice.translations(network)?;
        let mut rows =
            Rows { form: self, draft: Draft::new(network), row: 0, shift: self.steps() / self.side.unsigned_abs() };
        rows.fill()?;
        let shift = rows.shift % self.steps();
        rows.draft.plan(self.steps(), translations.into_iter().map(|g| (g, shift)).collect())
    }
}

/// Which dimension a path takes first.
#[derive(Clone, Copy)]
enum First {
    X,
    Y,
}

/// Rows as they are filled. Lengths, places and differences are those of the opening comment.
struct Rows<'a> {
    form: &'a TorusOdd,
    draft: Draft<'a>,
    row: u64,
    shift: u64,
}

impl Rows<'_> {
    fn fill(&mut self) -> Option<()> {
        let m = self.form.side / 2;
        let chain = |k: i64, long: i64| (long..=m - k).map(move |a| (a, a + k));
        for k in (2..=m).step_by(2) {
            for (a, b) in chain(k, 0) {
                self.same(0, m, (a, b))?;
                self.same(m, m + 1, (a + 1, b))?;
                self.row += 1;
            }
        }
        let diagonal: Vec<_> = (1..=m / 2).map(|c| (c, c)).collect();
        let mut short = (1..=m).step_by(2).flat_map(|k| chain(k, 0));
        for long in (2..=m).step_by(2).flat_map(|k| chain(k, 1)).chain(diagonal.iter().copied()) {
            self.opposed(0, m, short.next()?)?;
            self.opposed(m, m + 1, long)?;
            self.row += 1;
        }
        for &(c, d) in &diagonal {
            let z = self.halved(1 - c - d);
            self.opposed(z, m, short.next()?)?;
            self.same(z + m, m + 1, (c, d))?;
            self.row += 1;
        }
        if let Some(last) = short.next() {
            let (z, middle) = (self.halved(-m), m.midpoint(1));
            self.opposed(z, m, last)?;
            self.send(z + m, First::X, (middle, -middle))?;
            self.send(z + m, First::Y, (middle, middle))?;
            self.row += 1;
        }
        Some(())
    }

    /// The place of which twice is `place`.
    fn halved(&self, place: i64) -> i64 {
        place * (self.form.side + 1) / 2
    }

    /// The pair of `(a, b)` in a segment, signs (+, +), and its mirror image.
    fn same(&mut self, z: i64, length: i64, (a, b): (i64, i64)) -> Option<()> {
        self.send(z, First::X, (a, b))?;
        self.send(z + a + b - length, First::Y, (length - a, length - b))
    }

    /// The pair of `(a, −b)` in a segment, signs (+, −), and its mirror image.
    fn opposed(&mut self, z: i64, length: i64, (a, b): (i64, i64)) -> Option<()> {
        self.send(z + b, First::Y, (a, -b))?;
        self.send(z + a, First::X, (length - a, b - length))
    }

    /// Sends a difference from a place, and its mirror image.
    fn send(&mut self, place: i64, first: First, (x, y): (i64, i64)) -> Option<()> {
        for sign in [1, -1] {
            let steps = i128::from(self.form.steps());
            let step = i128::from(self.row) - i128::from(sign * place) * i128::from(self.shift);
            let step = u64::try_from(step.rem_euclid(steps)).expect("a remainder of a 64-bit number of steps");
            let (x, y) = ((0, sign * x), (1, sign * y));
            let walk = match first {
                First::X => self.form.lattice.walk([x, y]),
                First::Y => self.form.lattice.walk([y, x]),
            };
            self.draft.send(step, 0, walk)?;
        }
        Some(())
    }
}

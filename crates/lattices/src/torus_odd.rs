//! **What:** alltoall on a torus of two or three dimensions with equal odd sides.
//!
//! **Promise:** N(N²−1)/8 steps on N×N and N²(N²−1)/8 on N×N×N, the floor: what the channels of one dimension and
//! direction have to carry.
//!
//! **Construction:** let N = 2m + 1. All translations act and shift time by T/N of the T steps, so steps split into T/N
//! *rows* of N, and in a row the uses of each class of channels (a dimension and a direction) are places of Z_N at node 0: a
//! path that starts at place z moves up the places along + and down along −. Mirror images, negative differences at negative
//! places, always go in the same row.
//!
//! *Two dimensions.* A row holds two pairs: (a, b) and (m−a, m+1−b) with a ≥ 0, b ≥ 1, and (c, −d) and (m+1−c, d−m) with
//! c ≥ 1, d ≥ 0; the first of each goes along x first, the second along y first. With v = z + a + b and w = z + m + c − d let
//! them start at z, v + m, z + m and w + m. In +x the first pair fills [z, z+m), the second the rest. In y the first pair
//! fills [v+m, v) of +y and the second [w, w+m) of −y, of which the mirror image fits if −w = v + m, that is if
//! 2z = 1 − a − b − c + d, which has a solution since N is odd. So any pair goes with any; every difference that is not 0 is
//! in one pair, and in no other.
//!
//! *Three dimensions.* The four messages e₁ to e₄ of a row start at z, v+m, z+m, −v and end at v, z+m, −v−m, z. Each gets a
//! third part, along the last dimension, before it starts or after it ends. Then e₄ after z meets e₃ before z + m, and e₂
//! after z + m meets e₁ before z: if their parts add up to m and to m + 1 the last dimension is filled (A), and likewise if
//! all are negative and add up to m + 1 and m, in the mirror image (B). Or e₃ after −v−m meets e₄ before −v, adding up to m,
//! and the mirror images of e₁ after −v and of e₂ before −v−m add up to m + 1 (D). A first pair needs 2m + 1 rows,
//! in which e₁ and e₂ meet each part from −m to m: m rows A, with parts that add up to m + 1, and m + 1 rows B. For one
//! pair for each c from 1 to m, c rows B are replaced by c − 1 rows D and one where the parts of e₁ and e₂ add up to only
//! m + 1 − c, which leaves c places for the differences ±(0, 0, c). So a first pair takes m + c rows A or D and m + 1 − c
//! rows B, where c is 0 for the ordinary ones. Second pairs have m + 1 positive parts, for rows A and D, and m negative ones,
//! for rows B. With q = m(m+1)/2 pairs of each kind that is q·m + 1 + … + m = q(m+1) positive parts on either side.
//!
//! **Source:** ours, by the group of translations with shifts of time.
//!
//! **Example:** `torus:7x7`, 42 steps; `torus:5x5x5`, 75 steps

use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, numbers};
use kernel::Network;

/// The construction's line in the registry.
pub const CONSTRUCTION: Construction = Construction {
    name: "torus-odd",
    about: "rings cut into (N-1)/2 and (N+1)/2 channels, each part for a pair of differences",
    source: "translations with shifts of time",
    promise: "nodes / N * (N^2-1)/8",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "torus:3x3",
        "torus:5x5",
        "torus:7x7",
        "torus:9x9",
        "torus:11x11",
        "torus:21x21",
        "torus:3x3x3",
        "torus:5x5x5",
        "torus:7x7x7",
        "torus:9x9x9",
    ],
    make: |request| {
        let lattice = Lattice::new(&numbers(request.parameters_of(&["torus"])?, 'x')?)?;
        let sizes = lattice.sizes();
        let side = *sizes.first()?;
        if !(2..=3).contains(&sizes.len()) || side % 2 == 0 || sizes.iter().any(|s| *s != side) {
            return None;
        }
        let uses = 2 * sizes.len() as u64;
        let form = TorusOdd { lattice, side: i64::from(side) };
        (form.steps().checked_mul(uses)? <= MOST_USES).then(|| Box::new(form) as Box<dyn Builder>)
    },
};

struct TorusOdd {
    lattice: Lattice,
    side: i64,
}

impl TorusOdd {
    /// Steps by which a translation shifts time.
    fn shift(&self) -> u64 {
        let (n, m) = (self.side.unsigned_abs(), self.side.unsigned_abs() / 2);
        u64::from(self.lattice.nodes()) / (n * n) * (m * (m + 1) / 2)
    }

    /// The number of steps.
    fn steps(&self) -> u64 {
        self.shift() * self.side.unsigned_abs()
    }
}

impl Builder for TorusOdd {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let translations = self.lattice.translations(network)?;
        let mut rows = Rows { form: self, transfers: Transfers::new(network, control), row: 0 };
        if self.lattice.sizes().len() == 2 {
            rows.flat()?
        } else {
            rows.deep()?
        };
        let shift = self.shift() % self.steps();
        rows.transfers.claim(self.steps(), translations.into_iter().map(|g| (g, shift)).collect())
    }
}

/// Of a pair of differences, the one whose path begins along x.
type Pair = (i64, i64);

/// Rows as they are filled. Names are those of the opening comment.
struct Rows<'a> {
    form: &'a TorusOdd,
    transfers: Transfers<'a>,
    row: u64,
}

impl Rows<'_> {
    /// The first pairs as (a, b) and the second ones as (d, c); of two that are the same the smaller.
    fn pairs(&self) -> impl Iterator<Item = Pair> + Clone + use<> {
        let m = self.form.side / 2;
        let all = (0..=m).flat_map(move |a| (1..=m).map(move |b| (a, b)));
        all.filter(move |&(a, b)| (a, b) < (m - a, m + 1 - b))
    }

    fn flat(&mut self) -> Option<()> {
        for pair in self.pairs() {
            self.fill(pair, pair, None)?;
        }
        Some(())
    }

    fn deep(&mut self) -> Option<()> {
        let m = self.form.side / 2;
        let mut up = self.pairs().flat_map(|pair| (0..=m).map(move |e3| (pair, [e3, m - e3])));
        let mut down = self.pairs().flat_map(|pair| (1..=m).map(move |e3| (pair, [-e3, e3 - m - 1])));
        for (first, c) in self.pairs().zip((1..=m).chain(std::iter::repeat(0))) {
            for e1 in 1..=m {
                let (second, [e3, e4]) = up.next()?;
                self.fill(first, second, Some(LastDimension { along: [e1, m + 1 - e1, e3, e4], crossed: false }))?;
            }
            for e1 in c..=m {
                let (second, [e3, e4]) = down.next()?;
                self.fill(first, second, Some(LastDimension { along: [-e1, e1 - m, e3, e4], crossed: false }))?;
            }
            for e1 in 1..c {
                let (second, [e3, e4]) = up.next()?;
                self.fill(first, second, Some(LastDimension { along: [-e1, e1 - m - 1, e3, e4], crossed: true }))?;
            }
            if c > 0 {
                let (second, [e3, e4]) = up.next()?;
                let (_, v) = self.places(first, second);
                self.send(-v, [(2, c)])?;
                self.fill(first, second, Some(LastDimension { along: [0, c - m - 1, e3, e4], crossed: true }))?;
            }
        }
        Some(())
    }

    /// The places z and v of a row of these pairs.
    fn places(&self, (a, b): Pair, (d, c): Pair) -> (i64, i64) {
        // Half of a number modulo the odd N: (N + 1)/2 times it.
        let z = (1 - a - b - c + d) * (self.form.side + 1) / 2;
        (z, z + a + b)
    }

    /// Fills the next row.
    fn fill(&mut self, (a, b): Pair, (d, c): Pair, parts: Option<LastDimension>) -> Option<()> {
        let m = self.form.side / 2;
        let (z, v) = self.places((a, b), (d, c));
        let w = z + m + c - d;
        let messages = [
            (z, [(0, a), (1, b)]),
            (v + m, [(1, m + 1 - b), (0, m - a)]),
            (z + m, [(0, c), (1, -d)]),
            (w + m, [(1, d - m), (0, m + 1 - c)]),
        ];
        for (at, (start, [one, two])) in messages.into_iter().enumerate() {
            match &parts {
                None => self.send(start, [one, two])?,
                Some(LastDimension { along, crossed }) => {
                    let last = (2, along[at]);
                    let before = (at % 2 == 0) != *crossed;
                    if before {
                        self.send(start - along[at], [last, one, two])?
                    } else {
                        self.send(start, [one, two, last])?
                    }
                }
            }
        }
        self.row += 1;
        Some(())
    }

    /// Sends a message along its legs from a place of the row, and its mirror image.
    fn send<const LEGS: usize>(&mut self, place: i64, legs: [(usize, i64); LEGS]) -> Option<()> {
        let (steps, shift) = (i128::from(self.form.steps()), i128::from(self.form.shift()));
        for sign in [1, -1] {
            let step = (i128::from(self.row) - i128::from(sign * place) * shift).rem_euclid(steps);
            let step = u64::try_from(step).expect("a remainder of a 64-bit number of steps");
            self.transfers.send(step, 0, self.form.lattice.walk(legs.map(|(d, by)| (d, sign * by))))?;
        }
        Some(())
    }
}

/// The parts of a row's four messages along the last dimension.
struct LastDimension {
    along: [i64; 4],
    /// Whether it is e₂ and e₄ that take this part first (D), rather than e₁ and e₃ (A and B).
    crossed: bool,
}

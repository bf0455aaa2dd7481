//! **What:** alltoall on a torus of two dimensions with different sizes, of which at least one is odd.
//!
//! **Promise:** with sizes M < N, what the channels along the longer dimension have to carry, the floor: M(N²−1)/8 steps for
//! odd N, MN²/8 for N divisible by 4; else M(N²+4)/8, which is (M−1)/2 steps more than the floor.
//!
//! **Construction:** along the shorter dimension, x, all translations act and shift time by s, so the Ms steps are *places*
//! of Z_M in each of s *layers*: a path from place z moves up the places along +x and down along −x. In each layer and at each
//! place a *tour* goes once around the rows along +y, and another along −y. Where a message arrives in the row where the next
//! starts, their parts along x can be one arc: the next comes along x to the place of the tour, d, and the one that arrives goes
//! on, d′. All tours of +y have arcs from place 0, so they are at places c = d, one each. All tours of −y begin halfway around.
//! Positive d take d′ = ⌊M/2⌋ − d; for odd M, negative ones of tours +y take arcs of one place more. So in a layer and row, +x
//! has room for the arcs of one tour +y and of one tour −y, and so has −x, and all that is left to do is to keep the d ≥ 0 in
//! different rows, and the d < 0, which they are in rows k + |d| for the layers k. For even M arcs of M/2 places would leave
//! one row too few, so there 0 goes with itself and needs no row, and M/2 with itself, all around the row.
//!
//! *Even N = 2h.* The translation by h acts along y and leaves time alone, so rows are numbers modulo h, and a tour is
//! d with b from row r and d′ with h − b from row r + b, back in r. For every b < h/2 there are h layers. For b = h there are
//! ⌈h/2⌉: only in so many rows a message goes up, in the others down, and (k, 0) takes what places (⌊M/2⌋ − k, h) leaves.
//!
//! *Odd N = 2h + 1.* Rows are p₀ … p_{h−1}, q₀ … q_{h−1} and z, in this order. For k < j the tour p_k p_j q_k q_j has its arcs
//! in the rows p_k and q_k or in p_j and q_j; the tour p_k q_k z has them in p_k, and single parts in q_k, which leave places
//! for (·, 0). Down the rows, p and q change places. For every difference j − k < h/2 modulo h there are h layers, and for z.
//!
//! *Half of the rows.* For b = h/2 and for j = k + h/2 the tours of row r and of row r + h/2 are the same, so h/2 layers are enough,
//! if d and d′ take the same half of all rows. Each half gets as many as it has rows, whole pairs d, d′ first. Where that
//! is impossible, for M = 2h − 1 and odd h/2, 0 and ⌊M/2⌋ go with themselves, as for even M.
//!
//! **Source:** ours, by translations with shifts of time along one dimension; for one odd ring the tours are its closed form.
//!
//! **Example:** `torus:31x32`, 3968 steps

use crate::lattice::Lattice;
use construct::{Builder, Claim, Construction, Control, MOST_USES, Scope, Transfers, generator, numbers};
use kernel::Network;

/// The construction's line in the registry.
#[rustfmt::skip]
pub const CONSTRUCTION: Construction = Construction {
    name: "torus-tours",
    about: "tours around the longer dimension, whose parts along the shorter one are arcs of half a ring",
    source: "translations with shifts of time along the shorter dimension",
    promise: "shorter size * ceil(N^2/8) of the longer even N, shorter size * (N^2-1)/8 of an odd one",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "torus:3x4", "torus:4x1x3", "torus:3x6", "torus:5x6", "torus:8x5", "torus:7x8", "torus:3x10", "torus:3x12",
        "torus:12x11", "torus:9x12", "torus:13x14", "torus:15x16", "torus:20x19", "torus:31x32",
        "torus:3x5", "torus:4x5", "torus:5x7", "torus:7x6", "torus:3x9", "torus:9x8", "torus:7x9", "torus:11x13",
        "torus:12x13", "torus:4x13", "torus:15x9", "torus:14x15", "torus:19x21", "torus:20x21", "torus:30x31",
    ],
    make: |request| {
        let lattice = Lattice::new(&numbers(request.parameters_of(&["torus"])?, 'x')?)?;
        let &[first, second] = lattice.sizes() else { return None };
        let (x, y) = if first < second { (0, 1) } else { (1, 0) };
        if first == second || first.min(second) < 3 || (first % 2 == 0 && second % 2 == 0) {
            return None;
        }
        let (width, height) = (i64::from(lattice.sizes()[x]), i64::from(lattice.sizes()[y]));
        let form = TorusTours { lattice, x, y, width, half: width / 2, height, h: height / 2 };
        let uses = form.steps().checked_mul(4 * form.bases().unsigned_abs())?;
        (uses <= MOST_USES).then(|| Box::new(form) as Box<dyn Builder>)
    },
};

struct TorusTours {
    lattice: Lattice,
    /// The shorter dimension and the longer one.
    x: usize,
    y: usize,
    /// Size of the shorter dimension, and half of it, rounded down.
    width: i64,
    half: i64,
    /// Size of the longer dimension, and half of it, rounded down.
    height: i64,
    h: i64,
}

impl TorusTours {
    fn is_wide_even(&self) -> bool {
        self.width % 2 == 0
    }

    fn is_high_even(&self) -> bool {
        self.height % 2 == 0
    }

    /// Rows at which messages of different orbits begin.
    fn bases(&self) -> i64 {
        if self.is_high_even() { self.h } else { self.height }
    }

    /// Layers, which is also what a translation along the shorter dimension shifts time by.
    fn layers(&self) -> u64 {
        let odd = if self.is_high_even() { self.h } else { self.h + 1 };
        (self.h * odd).unsigned_abs().div_ceil(2)
    }

    fn steps(&self) -> u64 {
        self.layers() * self.width.unsigned_abs()
    }

    /// The parts along x of all tours of a direction.
    fn parts(&self, up: i64) -> std::ops::RangeInclusive<i64> {
        let less = i64::from(self.is_wide_even());
        if up > 0 { less - self.half..=self.half } else { -self.half..=self.half - less }
    }

    /// Where tours of a direction begin.
    fn start(&self, up: i64) -> i64 {
        if up > 0 { 0 } else { self.half }
    }

    /// Whether a part goes with itself where `alone` is so.
    fn is_end(&self, up: i64, d: i64) -> bool {
        d * up >= 0 && (d == 0 || d.abs() == self.half)
    }

    /// The direction and the length of the arc that a part begins; zero belongs to the first arcs of its tours.
    fn arc(&self, up: i64, d: i64) -> (i64, i64) {
        let sign = if d == 0 { up } else { d.signum() };
        (sign, if sign == up { self.half } else { self.width - self.half })
    }

    /// The part along x that goes with d.
    fn partner(&self, up: i64, d: i64, alone: bool) -> i64 {
        let (sign, arc) = self.arc(up, d);
        if alone && self.is_end(up, d) { d } else { sign * arc - d }
    }
}

impl Builder for TorusTours {
    fn promise(&self) -> Option<u64> {
        Some(self.steps())
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let lattice = &self.lattice;
        if network.node_count() != lattice.nodes() as usize || network.terminals().len() != network.node_count() {
            return None;
        }
        let along = generator(network, lattice.sizes()[self.x], |v| lattice.moved(v, self.x, 1))?;
        let mut symmetry = vec![(along, self.layers())];
        if self.is_high_even() {
            symmetry.push((generator(network, 2, |v| lattice.moved(v, self.y, self.h))?, 0));
        }
        let mut layers = Layers { form: self, transfers: Transfers::new(network, control), next: 0 };
        layers.fill()?;
        layers.transfers.claim(self.steps(), symmetry)
    }
}

/// Layers as they are filled.
struct Layers<'a> {
    form: &'a TorusTours,
    transfers: Transfers<'a>,
    /// The first layer not filled yet.
    next: i64,
}

impl Layers<'_> {
    fn fill(&mut self) -> Option<()> {
        let h = self.form.h;
        for by in (1..h).take_while(|by| 2 * by < h) {
            for k in 0..h {
                for (up, d) in self.all() {
                    self.tour(k, (up, d, (k + d.abs()) % h), by, self.form.is_wide_even())?;
                }
            }
            self.next += h;
        }
        if h % 2 == 0 {
            self.middle()?;
        }
        if self.form.is_high_even() { self.straight() } else { self.last_row() }
    }

    /// Tours by their direction and their part along x.
    fn all(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let [up, down] = [1, -1].map(|up| self.form.parts(up).map(move |d| (up, d)));
        up.chain(down)
    }

    /// Tours that are two in one, so that half of the layers are enough.
    fn middle(&mut self) -> Option<()> {
        let (form, q) = (self.form, self.form.h / 2);
        let alone = form.is_wide_even() || (form.half + 1 == form.h && q % 2 == 1);
        let first = halves(if alone { 1 } else { 0 }, form.half, q)?;
        let second = halves(1, form.width - form.half, q)?;
        for k in 0..q {
            for (up, d) in self.all() {
                let own = if form.arc(up, d).0 == up { &first } else { &second };
                // The last row of the second half is left to the arc all around the row.
                let (half, turn) = own.get(usize::try_from(d.abs()).ok()?).copied().flatten().unwrap_or((1, q - 1));
                self.tour(k, (up, d, half * q + (k + turn) % q), q, alone)?;
            }
        }
        self.next += q;
        Some(())
    }

    /// Even N: messages that go half the longer ring, and those that go along x only.
    fn straight(&mut self) -> Option<()> {
        let TorusTours { half, h, x, y, .. } = *self.form;
        let upward = (h + 1) / 2;
        // The direction in which ±d goes straight from a row, and the layer.
        let layer = |row: i64, d: i64| {
            let k = (row - d).rem_euclid(h);
            if k < upward { (1, k) } else { (-1, k - upward) }
        };
        for row in 0..h {
            for d in -half..=half {
                let (up, k) = layer(row, d.abs());
                self.send(k, self.form.start(up), row, &[(x, d), (y, up * h)])?;
            }
            for length in 1..=half {
                let (up, k) = layer(row, half - length);
                for sign in [1, -1] {
                    let place = self.form.start(up) + sign * (half - length);
                    self.send(k, place, row, &[(x, sign * length)])?;
                }
            }
        }
        Some(())
    }

    /// Odd N: tours by way of the last row, and messages that go along x only.
    fn last_row(&mut self) -> Option<()> {
        let form = self.form;
        let TorusTours { half, h, x, .. } = *form;
        let last = 2 * h;
        for k in 0..h {
            for (up, d) in self.all() {
                let (row, start) = ((k + d.abs()) % h, form.start(up));
                let (p, q) = if up > 0 { (row, row + h) } else { (row + h, row) };
                let wide = form.is_wide_even();
                self.before(k, (up, d), (p, q))?;
                self.after(k, (up, d), (last, p), form.partner(up, d, wide))?;
                self.before(k, (up, d), (q, last))?;
                let (sign, arc) = form.arc(up, d);
                let left = match (wide && form.is_end(up, d), d) {
                    (true, 0) => 0,
                    (true, _) => half,
                    (false, _) => arc - d.abs(),
                };
                self.send(k, start + d, q, &[(x, sign * left)])?;
            }
        }
        for d in form.parts(1).filter(|d| *d != 0) {
            self.send(d.abs() - 1, 0, last, &[(x, d)])?;
        }
        Some(())
    }

    /// Sends a tour: the parts along x are in `row` (and h rows on), and its other rows are further by so many.
    fn tour(&mut self, k: i64, (up, d, row): (i64, i64, i64), by: i64, alone: bool) -> Option<()> {
        let TorusTours { h, .. } = *self.form;
        let partner = self.form.partner(up, d, alone);
        if self.form.is_high_even() {
            let between = row + up * by;
            self.before(k, (up, d), (row, between))?;
            return self.after(k, (up, d), (between, row + up * h), partner);
        }
        let other = (row + by) % h;
        let first = if up > 0 { row.min(other) } else { row.max(other) };
        let second = row + other - first;
        let [p, q] = if up > 0 { [0, h] } else { [h, 0] };
        let rows = [first + p, second + p, first + q, second + q];
        for at in 0..4 {
            let ends = (rows[at], rows[(at + 1) % 4]);
            if (at % 2 == 0) == (first == row) {
                self.before(k, (up, d), ends)?;
            } else {
                self.after(k, (up, d), ends, partner)?;
            }
        }
        Some(())
    }

    /// Sends d and then along y.
    fn before(&mut self, k: i64, (up, d): (i64, i64), (from, to): (i64, i64)) -> Option<()> {
        let TorusTours { x, y, .. } = *self.form;
        self.send(k, self.form.start(up), from, &[(x, d), (y, self.rise(up, from, to))])
    }

    /// Sends along y and then `partner`, from the place to which d leads.
    fn after(&mut self, k: i64, (up, d): (i64, i64), (from, to): (i64, i64), partner: i64) -> Option<()> {
        let TorusTours { x, y, .. } = *self.form;
        self.send(k, self.form.start(up) + d, from, &[(y, self.rise(up, from, to)), (x, partner)])
    }

    /// Channels along y from a row to another, with the sign of their direction.
    fn rise(&self, up: i64, from: i64, to: i64) -> i64 {
        up * (up * (to - from)).rem_euclid(self.form.height)
    }

    /// Sends a message along its legs from a place and row of the `k`-th layer not filled yet.
    fn send(&mut self, k: i64, place: i64, row: i64, legs: &[(usize, i64)]) -> Option<()> {
        let form = self.form;
        let (shift, steps) = (i128::from(form.layers()), i128::from(form.steps()));
        let step = (i128::from(self.next + k) - i128::from(place) * shift).rem_euclid(steps);
        let row = row.rem_euclid(form.bases());
        let base = form.lattice.moved(0, form.y, row);
        let walk = form.lattice.walk_from(base, legs.iter().copied());
        self.transfers.send(u64::try_from(step).ok()?, u32::try_from(row).ok()?, walk)
    }
}

/// For the lengths from `first` on, which add up to `arc` in pairs: the half of the rows, of `q` each, that a pair takes, and
/// the row of that half where the length begins. Lengths of a half begin in different rows.
fn halves(first: i64, arc: i64, q: i64) -> Option<Vec<Option<(i64, i64)>>> {
    let mut found = vec![None; usize::try_from(arc + 1).ok()?];
    let mut taken = [0, 0];
    for length in first..=arc / 2 {
        let ends = if 2 * length == arc { vec![length] } else { vec![length, arc - length] };
        let half = usize::from(taken[0] + ends.len() > usize::try_from(q).ok()?);
        for end in ends {
            found[usize::try_from(end).ok()?] = Some((i64::from(half == 1), i64::try_from(taken[half]).ok()?));
            taken[half] += 1;
        }
    }
    Some(found)
}

//! **What:** from which size of message on another schedule is the fastest.

/// A change of the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The least whole number of words at which `after` is the fastest.
    pub message: u64,
    /// The fastest with a word less.
    pub before: usize,
    /// The fastest from here on.
    pub after: usize,
}

/// The changes of the fastest among `curves` functions of the number of words, between two whole numbers. Where the same is fastest at two
/// ends of an interval that was halved down to there, nothing between is looked at; of equals the first counts.
pub fn crossings(curves: usize, (from, to): (u64, u64), time: impl Fn(usize, u64) -> f64) -> Vec<Crossing> {
    let fastest = |message: u64| {
        let mut best = (0, f64::INFINITY);
        for curve in 0..curves {
            let found = time(curve, message);
            // What differs by rounding alone is equal.
            if found < best.1 * (1.0 - 1e-12) {
                best = (curve, found);
            }
        }
        best.0
    };
    let mut found = Vec::new();
    // Doubling intervals first, so that a curve that is best for a while is seen.
    let mut low = (from, fastest(from));
    while low.0 < to {
        let end = low.0.saturating_mul(2).clamp(low.0 + 1, to);
        let high = (end, fastest(end));
        between(low, high, &fastest, &mut found);
        low = high;
    }
    found
}

fn between(low: (u64, usize), high: (u64, usize), fastest: &impl Fn(u64) -> usize, found: &mut Vec<Crossing>) {
    if low.1 == high.1 {
        return;
    }
    if low.0 + 1 >= high.0 {
        found.push(Crossing { message: high.0, before: low.1, after: high.1 });
        return;
    }
    let at = low.0.midpoint(high.0);
    let middle = (at, fastest(at));
    between(low, middle, fastest, found);
    between(middle, high, fastest, found);
}

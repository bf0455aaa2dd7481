//! **What:** how many steps later than a tuple of classes its opposite comes, where both use the same lines.
//!
//! **Theory.** Both blocks know all parts but that along a line's own dimension by the same ends, and a class and its opposite have a node in
//! the same slots. So if the line sees its part of slot p of the one block in step f·p + k, it sees slot q of the other in step f·q + k + Δ,
//! and both never meet where Δ ≠ f·(p − q) mod T for all p and q that move. With double classes beside it a single one has f = 2, and k may
//! differ by one between the two. Of a double one f is 1 or −1, in rounds of other bits, and both blocks move in the same slots.

use super::line::Class;

/// The least Δ for which the classes of the first kind in each pair meet none of those of the second, in so many steps.
pub(super) fn shift(pairs: &[(&Class, &Class)], steps: u32, has_doubles: bool) -> Option<u32> {
    let count = i64::from(steps);
    let mut meets = vec![false; steps as usize];
    for (one, other) in pairs {
        let is_spread = has_doubles && !one.kind.is_double();
        let (factor, apart) = if is_spread { (2, 1) } else { (1, 0) };
        let (one, other) = (one.moving_slots(), other.moving_slots());
        for difference in one.iter().flat_map(|p| other.iter().map(move |q| i64::from(*p) - i64::from(*q))) {
            for by in -apart..=apart {
                let step = (factor * difference + by).rem_euclid(count);
                meets[usize::try_from(step).expect("a remainder")] = true;
            }
        }
    }
    (0..).zip(meets).find(|(_, meets)| !meets).map(|(delta, _)| delta)
}

//! **What:** the fewest steps for which a search finds something, where a search for too few takes all it is given.

use run::Budget;

/// With fewer ticks nothing is found; and those that a look takes at least.
const LEAST_TICKS: u64 = 2_000;
const TICKS_A_LOOK: u64 = 200;

/// What `look` finds for the fewest steps, of at least `low` and fewer than `known`: halfway between what was found and what was not, or, as long as
/// nothing is known, ever farther from where it begins. Half of the ticks that are left are for each look, and all for the last one.
pub(crate) fn fewest<T>(
    mut low: u64,
    mut known: Option<u64>,
    budget: &mut Budget<'_>,
    mut look: impl FnMut(u64, &mut Budget<'_>) -> Option<T>,
) -> Option<(u64, T)> {
    let (mut best, mut stride) = (None, 1);
    while known.is_none_or(|known| low < known) && budget.left() >= LEAST_TICKS && budget.spend(TICKS_A_LOOK) {
        let steps = known.map_or(low, |known| low.midpoint(known));
        let share = if known == Some(low + 1) { budget.left() } else { budget.left() / 2 };
        match budget.within(share, |part| look(steps, part)) {
            Some(found) => (best, known) = (Some((steps, found)), Some(steps)),
            None if known.is_some() => low = steps + 1,
            None => {
                low = steps.saturating_add(stride);
                stride *= 2;
            }
        }
    }
    best
}

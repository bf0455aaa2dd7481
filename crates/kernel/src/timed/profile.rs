//! **What:** how many can be served by each tick, for [`super::pair_cut`].

/// From each of these ticks on, how many; ascending in both.
pub(super) type Profile = Vec<(u64, u64)>;

/// The most that any of several reach by each tick, but no more than some number: each begins at a tick of its own, and reaches one more after each of its times.
pub(super) fn profile<'a>(each: impl Iterator<Item = (u64, &'a [u64])>, most: u64) -> Profile {
    let mut earliest: Vec<u64> = Vec::new();
    for (begins, times) in each {
        for (at, time) in times.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).enumerate() {
            let tick = begins.saturating_add(*time);
            match earliest.get_mut(at) {
                Some(known) => *known = tick.min(*known),
                None => earliest.push(tick),
            }
        }
    }
    // Whoever reaches more has reached fewer by then.
    for at in (1..earliest.len()).rev() {
        earliest[at - 1] = earliest[at - 1].min(earliest[at]);
    }
    let mut profile = Profile::new();
    for (at, tick) in earliest.into_iter().enumerate() {
        match profile.last_mut() {
            Some(last) if last.0 == tick => last.1 = at as u64 + 1,
            _ => profile.push((tick, at as u64 + 1)),
        }
    }
    profile
}

/// The most of two profiles by each tick.
pub(super) fn most(of: [&Profile; 2]) -> Profile {
    let mut all = of.map(|profile| profile.iter().copied()).into_iter().flatten().collect::<Profile>();
    all.sort_unstable();
    let mut most = Profile::new();
    for (tick, count) in all {
        match most.last_mut() {
            Some(last) if last.1 >= count => {}
            Some(last) if last.0 == tick => last.1 = count,
            _ => most.push((tick, count)),
        }
    }
    most
}

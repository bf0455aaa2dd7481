//! Fat trees: floors, and what the notes of the theses claim.

use constructions::find;
use kernel::orbits::certify_orbits;

/// What the channels out of subtrees, and a terminal's one port, allow at least.
fn floor(h: u32, m: u64, w: u64) -> u64 {
    let n = w * m.pow(h);
    let cut = |x: u32| {
        let below = w * m.pow(x);
        (below * (n - below)).div_ceil(w.pow(x + 1))
    };
    (0..h).map(cut).max().unwrap_or(0).max(n - 1)
}

#[test]
fn generalised_fat_trees_up_to_220_terminals_are_at_their_floors() {
    let sizes = (1..=7u32).flat_map(|h| (2..=110u64).flat_map(move |m| (1..=110u64).map(move |w| (h, m, w))));
    let mut trees = 0;
    for (h, m, w) in sizes {
        if m.checked_pow(h).and_then(|n| n.checked_mul(w)).is_none_or(|n| n > 220) {
            continue;
        }
        let spec = format!("gft:{h},{m},{w}");
        let network = topologies::parse(&spec).unwrap();
        let (_, form) = find(&spec).min_by_key(|(_, form)| form.promise().unwrap_or(0)).expect(&spec);
        let verified = form.plan(&network).expect(&spec).verified(&network).unwrap_or_else(|e| panic!("{spec}: {e}"));
        // The one known exception.
        let above = if spec == "gft:4,3,2" { 1 } else { 0 };
        assert_eq!(verified.steps() as u64, floor(h, m, w) + above, "{spec}");
        let claim = form.floor(&network).expect(&spec);
        let certified = certify_orbits(verified.problem(), claim).unwrap_or_else(|e| panic!("{spec}: {e}"));
        assert_eq!(certified.steps(), floor(h, m, w), "{spec}");
        trees += 1;
    }
    assert_eq!(trees, 1082);
}

//! **What:** `cargo xtask rotations` tries every rotation on every generalised fat tree of at most 256 terminals and four levels above
//! the leaves; the tests of the constructions try a sample.

use constructions::switch_states::{Row, SwitchStates};

/// Most terminals of a tree.
const MOST: u32 = 256;

/// Tries all. Gives the number of trees, or the first tree and rotation that fail.
pub(crate) fn sweep() -> Result<usize, String> {
    let mut trees = 0;
    for (h, m, w) in (1..=4u32).flat_map(|h| (2..=128u32).flat_map(move |m| (1..=128u32).map(move |w| (h, m, w)))) {
        if m.checked_pow(h).and_then(|n| n.checked_mul(w)).is_none_or(|n| n > MOST) {
            continue;
        }
        let spec = format!("gft:{h},{m},{w}");
        let levels = topologies::topology(&spec).map_err(|e| e.to_string())?.levels();
        let levels = levels.ok_or_else(|| format!("{spec} has no levels"))?;
        let n = levels.terminals();
        for k in 0..n {
            let mut to = vec![None; n as usize];
            for pass in 0..m.div_ceil(w).pow(h - 1) {
                let settings = SwitchStates::new(&levels, Row::Rotation(k), pass).map_err(|e| e.to_string())?;
                for from in 0..n {
                    let before = settings.sends(from).and_then(|there| to[from as usize].replace(there));
                    if before.is_some() {
                        return Err(format!("{spec}: rotation {k} serves terminal {from} twice"));
                    }
                }
            }
            if let Some(t) = (0..n).find(|t| to[*t as usize] != Some((t + n - k) % n)) {
                return Err(format!("{spec}: rotation {k} takes terminal {t} to {:?}", to[t as usize]));
            }
        }
        trees += 1;
    }
    Ok(trees)
}

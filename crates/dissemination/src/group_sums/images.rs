//! **What:** groups of nodes that automorphisms of the network move to each other.

use super::nests::Unit;
use kernel::formula::Image;

/// Where an automorphism moves each unit.
pub(super) fn moved(units: &[Unit], image: &Image) -> Vec<usize> {
    let mut unit_of = vec![usize::MAX; image.nodes.len()];
    for (at, unit) in units.iter().enumerate() {
        unit.members.iter().for_each(|v| unit_of[v.index()] = at);
    }
    units.iter().map(|unit| unit_of[image.nodes[unit.members[0].index()] as usize]).collect()
}

/// Makes the roots of groups those to which the root of the first of them is moved, of groups of these units that are moved so; none where a group is moved to itself,
/// but its root is not.
pub(super) fn move_roots(units: &[Unit], groups: &mut [Unit], moved: &[Vec<usize>]) -> Option<()> {
    let mut group_of = vec![0; units.len()];
    for (at, group) in groups.iter().enumerate() {
        group.parts.iter().for_each(|part| group_of[*part] = at);
    }
    let root = |group: &Unit| group.parts.iter().copied().find(|part| units[*part].holders == group.holders);
    let mut roots: Vec<Option<usize>> = vec![None; groups.len()];
    for at in 0..groups.len() {
        if roots[at].is_some() {
            continue;
        }
        let first = root(&groups[at])?;
        for moved in moved {
            let image = moved[first];
            if *roots[group_of[image]].get_or_insert(image) != image {
                return None;
            }
        }
    }
    for (group, root) in groups.iter_mut().zip(roots) {
        group.holders.clone_from(&units[root?].holders);
        group.near.clone_from(&units[root?].near);
    }
    Some(())
}

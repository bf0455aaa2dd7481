//! **What:** groups of nodes that automorphisms of the network move to each other.

use super::nests::Unit;
use crate::images::{self, Wanted};
use graph::automorphisms::Group;
use kernel::Problem;
use kernel::formula::Image;
use rand_pcg::Pcg64Mcg;
use run::{Budget, Run};

/// Groups of automorphisms under which sums may be sent as their images are, and most entries of the images of each.
const WANTED: Wanted = Wanted { draws: 60, entries: 1 << 20, groups: 24, of_an_order: 6, is_kinds_first: true };
const MOST_IMAGES: usize = 1 << 20;

/// Of the ticks that are left, one in so many is for finding the automorphisms.
const SHARE: u64 = 8;

/// The automorphisms of some groups that leave no contributor in place, each with the one that moves nothing first; the first is that alone.
pub(super) fn symmetries(
    problem: &Problem,
    random: &mut Pcg64Mcg,
    run: &Run<'_>,
    budget: &mut Budget<'_>,
) -> Vec<Vec<Image>> {
    let group = budget.within(budget.left() / SHARE, |part| Group::with_arcs(problem.network(), &[], part));
    let mut generators = images::draw(problem, &group, &WANTED, random, run);
    generators.insert(0, Vec::new());
    generators.iter().filter_map(|generators| images::images(problem, generators, MOST_IMAGES)).collect()
}

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

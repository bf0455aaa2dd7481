//! **What:** things in groups whose members are near each other.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Distances that are looked at in a tick.
const LOOKS_A_TICK: usize = 4;

/// Groups, in size no more than one apart, and the sum of the distances in them.
pub(crate) struct NearGroups {
    pub groups: Vec<Vec<usize>>,
    pub far: u64,
}

impl NearGroups {
    /// So many groups of all things between which distances are given: in any order at first, then two change places as long as that makes the sum of
    /// the distances less. `None` where the budget ends.
    pub(crate) fn draw(
        far: &[Vec<u64>],
        count: usize,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<NearGroups> {
        let mut order: Vec<usize> = (0..far.len()).collect();
        order.shuffle(random);
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); count];
        order.iter().enumerate().for_each(|(at, one)| groups[at * count / order.len()].push(*one));
        let to_all = |one: usize, group: &[usize], but: usize| -> u64 {
            group.iter().filter(|other| **other != but).map(|other| far[one][*other] + far[*other][one]).sum()
        };
        let mut again = count > 1;
        while again {
            again = false;
            for (one, other) in (0..count).flat_map(|one| (0..one).map(move |other| (one, other))) {
                let (of_one, of_other) = (groups[one].len(), groups[other].len());
                budget.take((of_one * of_other * (of_one + of_other)).div_ceil(LOOKS_A_TICK) as u64).ok()?;
                for (a, b) in (0..of_one).flat_map(|a| (0..of_other).map(move |b| (a, b))) {
                    let (in_one, in_other) = (groups[one][a], groups[other][b]);
                    let as_is = to_all(in_one, &groups[one], in_one) + to_all(in_other, &groups[other], in_other);
                    let changed = to_all(in_one, &groups[other], in_other) + to_all(in_other, &groups[one], in_one);
                    if changed < as_is {
                        (groups[one][a], groups[other][b]) = (in_other, in_one);
                        again = true;
                    }
                }
            }
        }
        Some(Self::new(groups, far))
    }

    /// So many groups, equal in size, that `moved` moves to each other: for each of its elements, where it moves each thing. Two groups near each other become one, and with
    /// them those that they are moved to. `None` where groups are left that fit to no others, or the budget ends.
    pub(crate) fn with_images(
        far: &[Vec<u64>],
        moved: &[Vec<usize>],
        count: usize,
        random: &mut Pcg64Mcg,
        budget: &mut Budget<'_>,
    ) -> Option<NearGroups> {
        let size = Some(far.len() / count).filter(|size| size * count == far.len())?;
        let mut groups: Vec<Vec<usize>> = (0..far.len()).map(|one| vec![one]).collect();
        while groups.len() > count {
            budget.take((far.len() * groups[0].len()).div_ceil(LOOKS_A_TICK) as u64).ok()?;
            groups.shuffle(random);
            // Those that are not full come first.
            groups.sort_by_key(Vec::len);
            let between = |other: &Vec<usize>| {
                let pairs = groups[0].iter().flat_map(|a| other.iter().map(|b| far[*a][*b] + far[*b][*a]));
                pairs.sum::<u64>() * size as u64 / other.len() as u64
            };
            let fits = |at: &usize| groups[0].len() + groups[*at].len() <= size;
            let mut others: Vec<usize> = (1..groups.len()).filter(fits).collect();
            others.sort_by_cached_key(|at| between(&groups[*at]));
            let mut of: Vec<usize> = vec![0; far.len()];
            for (at, group) in groups.iter().enumerate() {
                group.iter().for_each(|one| of[*one] = at);
            }
            let joined = others.iter().find_map(|at| {
                budget.take((groups.len() + moved.len()).div_ceil(LOOKS_A_TICK) as u64).ok()?;
                let pair = [groups[0][0], groups[*at][0]];
                joined(&groups, moved.iter().map(|moved| pair.map(|one| of[moved[one]])), size)
            })?;
            let mut into: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
            groups.into_iter().zip(joined).for_each(|(group, to)| into[to].extend(group));
            groups = into.into_iter().filter(|group| !group.is_empty()).collect();
        }
        Some(Self::new(groups, far))
    }

    fn new(groups: Vec<Vec<usize>>, far: &[Vec<u64>]) -> Self {
        let inside = |group: &Vec<usize>| group.iter().flat_map(|a| group.iter().map(|b| far[*a][*b])).sum::<u64>();
        let far = groups.iter().map(inside).sum();
        NearGroups { groups, far }
    }
}

/// The group that each becomes part of where such pairs become one; none where one would be larger than `size`.
fn joined(groups: &[Vec<usize>], pairs: impl Iterator<Item = [usize; 2]>, size: usize) -> Option<Vec<usize>> {
    let mut into: Vec<usize> = (0..groups.len()).collect();
    let mut sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
    let last = |into: &[usize], mut at: usize| {
        while into[at] != at {
            at = into[at];
        }
        at
    };
    for pair in pairs {
        let [one, other] = pair.map(|at| last(&into, at));
        if one != other {
            into[other] = one;
            sizes[one] += sizes[other];
            if sizes[one] > size {
                return None;
            }
        }
    }
    Some((0..groups.len()).map(|at| last(&into, at)).collect())
}

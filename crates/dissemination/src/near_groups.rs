//! **What:** things in groups whose members are near each other.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;
use run::Budget;

/// Ticks for a look at two members that may change places.
const TICKS_A_LOOK: u64 = 4;

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
                budget.take(TICKS_A_LOOK * (of_one * of_other * (of_one + of_other)) as u64).ok()?;
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
        let inside = |group: &Vec<usize>| group.iter().map(|one| to_all(*one, group, *one)).sum::<u64>();
        let far = groups.iter().map(inside).sum();
        Some(NearGroups { groups, far })
    }
}

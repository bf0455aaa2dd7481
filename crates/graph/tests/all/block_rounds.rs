//! Rounds of blocks: who sends has, nobody sends or receives two at once, all have all after the fewest rounds.

use graph::block_rounds::BlockRounds;
use std::collections::BTreeSet;

#[test]
fn blocks_reach_all_ranks_in_the_fewest_rounds() {
    for ranks in 1..=140usize {
        let plan = BlockRounds::new(ranks).unwrap_or_else(|| panic!("{ranks} ranks have rounds"));
        for blocks in [1, 2, 3, 7, 16, 19] {
            let rounds = blocks - 1 + ranks.next_power_of_two().ilog2() as usize;
            let arrivals = plan.arrivals(blocks);
            if ranks > 1 {
                assert_eq!(plan.rounds(blocks), rounds);
            }
            let (mut sends, mut receives) = (BTreeSet::new(), BTreeSet::new());
            for (block, of_block) in arrivals.iter().enumerate() {
                // The round after which each rank has it.
                let mut has = vec![None; ranks];
                has[0] = Some(0);
                for arrival in of_block {
                    let what = format!("{ranks} ranks, block {block} of {blocks}: {arrival:?}");
                    assert!(arrival.round < rounds && has[arrival.to].is_none(), "{what}");
                    assert!(has[arrival.from].is_some_and(|after| after <= arrival.round), "{what}");
                    assert!(sends.insert((arrival.round, arrival.from)), "{what}");
                    assert!(receives.insert((arrival.round, arrival.to)), "{what}");
                    has[arrival.to] = Some(arrival.round + 1);
                }
                assert!(has.iter().all(Option::is_some), "{ranks} ranks, block {block} of {blocks}");
            }
        }
    }
}

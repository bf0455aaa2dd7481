//! Laws of the engine `greedy`.

use kernel::{Collective, Model, Problem, Switching};
use proptest::prelude::*;
use run::Settings;
use search::Greedy;
use testing::named::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_problem_gets_a_valid_schedule(problem in any_problem()) {
        let settings = Settings { ticks: 200_000, ..Settings::default() };
        prop_assert!(steps_with(&Greedy, &problem, 0, settings).is_some());
    }
}

#[test]
fn alltoall_stays_near_its_count() {
    let network = hypercube(4);
    let problem = Problem::new(
        network.clone(),
        Collective::alltoall(network.terminals(), network.terminals()),
        Model::wormhole(),
    );
    let found = steps(&Greedy, &problem.expect("sound"), 0).expect("always");
    assert!((8..=12).contains(&found), "{found}");
}

#[test]
fn relays_carry_messages_over_terminals_under_store_and_forward() {
    let network = ring(8);
    let problem = Problem::new(
        network.clone(),
        Collective::alltoall(network.terminals(), network.terminals()),
        Model::store_and_forward(),
    );
    let found = steps(&Greedy, &problem.expect("sound"), 0).expect("always");
    assert!((8..=12).contains(&found), "{found}");
}

#[test]
fn a_cyclic_period_is_no_longer_than_one_without_wrap() {
    for hop in [1, 3] {
        let network = grid(4, 4, true);
        let found = [true, false].map(|cyclic| {
            let model = Model { switching: Switching::Tdm { hop, cyclic }, combining: false };
            let all = Collective::alltoall(network.terminals(), network.terminals());
            steps(&Greedy, &Problem::new(network.clone(), all, model).expect("sound"), 0).expect("always")
        });
        assert!(found[0] <= found[1] && found[0] >= 8, "{found:?}");
    }
}

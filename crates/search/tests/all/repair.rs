//! Laws of the repair of schedules after a fault.

use kernel::{Collective, Model, Network, Node, Problem, Schedule, verify};
use proptest::prelude::*;
use run::{Method, Run, Settings, Silent};
use search::repair::{completed, remaining, suits};
use search::{Greedy, Packing};
use std::sync::atomic::AtomicBool;
use testing::*;
use topologies::change::without_link;

fn alltoall(network: Network) -> Option<Problem> {
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).ok()
}

fn solve(part: &Schedule, problem: &Problem, floor: u64, slack: Option<u32>) -> Option<Schedule> {
    let settings = Settings { slack, ticks: 200_000, ..Settings::default() };
    let cancelled = AtomicBool::new(false);
    suits(problem).then(|| completed("repair", problem, part, floor, &Run::new(settings, &Silent, &cancelled)))?
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn valid_on_any_network(parts in odd_network(8), slack in prop::option::of(0u32..3)) {
        let Some(problem) = alltoall(Network::new(parts).expect("sound")) else { return Ok(()) };
        if let Some(schedule) = solve(&Schedule::new(), &problem, 0, slack) {
            prop_assert!(verify(&problem, schedule).is_ok());
        }
    }

    #[test]
    fn valid_after_any_fault(parts in odd_network(8), at in 0..16usize) {
        let Some(whole) = alltoall(Network::new(parts).expect("sound")) else { return Ok(()) };
        let settings = Settings { ticks: 50_000, ..Settings::default() };
        let cancelled = AtomicBool::new(false);
        let Some(schedule) = Greedy.solve(&whole, 0, &Run::new(settings, &Silent, &cancelled)) else { return Ok(()) };
        let channels = &whole.network().data().channels;
        let (from, to) = channels[at % channels.len()];
        let damaged = without_link(whole.network(), Node(from), Node(to), at % 2 == 0).expect("there is one");
        let Some(problem) = alltoall(damaged) else { return Ok(()) };
        let part = remaining(&problem, &whole, &schedule);
        if let Some(schedule) = solve(&part, &problem, 0, None) {
            prop_assert!(verify(&problem, schedule).is_ok());
        }
    }
}

/// What a fault leaves alone stays: only the messages over the link that failed are inserted anew.
#[test]
fn what_is_left_is_kept() {
    let whole = alltoall(hypercube(3)).expect("connected");
    let schedule = solve(&Schedule::new(), &whole, 4, None).expect("solved");
    let broken = whole.network().channels().find(|&c| whole.network().from(c) == node(0)).expect("it has channels");
    let to = whole.network().to(broken);
    let problem = alltoall(without_link(whole.network(), node(0), to, true).expect("it is there")).expect("connected");
    let part = remaining(&problem, &whole, &schedule);
    let gone = schedule.steps().flatten().filter(|t| t.path.contains(&broken)).count();
    assert!(gone > 0);
    assert_eq!(part.transfer_count(), schedule.transfer_count() - gone);
    assert_eq!(part.step_count(), schedule.step_count());
}

/// Few steps are added to a schedule that fills every channel in every step.
#[test]
fn a_fault_costs_few_steps() {
    for (network, floor, to, most) in [(hypercube(5), 16, 1, 18), (torus(4, 8), 32, 8, 37)] {
        let whole = alltoall(network).expect("connected");
        let schedule = solved(&Packing, &whole, floor);
        let damaged = without_link(whole.network(), node(0), node(to), false).expect("it is there");
        let problem = alltoall(damaged).expect("connected");
        let part = remaining(&problem, &whole, &schedule.expanded().unwrap());
        let found = solve(&part, &problem, floor + 1, None).expect("solved");
        let steps = verify(&problem, found).expect("valid").steps();
        assert!(steps <= most, "{steps}");
    }
}

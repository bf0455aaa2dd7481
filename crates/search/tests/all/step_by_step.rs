//! Laws of the method `step-by-step`.

use crate::threads::same_and_valid;
use kernel::{Collective, Model, Network, NetworkData, Node, Problem};
use run::{Method, ONE_LOOK, Run, Seed, Settings, Silent};
use search::StepByStep;
use std::sync::atomic::AtomicBool;
use testing::named::{grid, steps_with};

/// As before bounds are searched for.
fn look() -> Settings {
    Settings { ticks: ONE_LOOK, ..Settings::default() }
}

/// As many messages as it needs, on short paths.
fn chunks() -> Problem {
    let network = grid(4, 4, true);
    let collective = Collective::alltoall(network.terminals(), network.terminals()).in_chunks(84);
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

fn alltoall(change: impl FnOnce(&mut NetworkData)) -> Problem {
    let mut parts = grid(12, 12, true).data().clone();
    change(&mut parts);
    let network = Network::new(parts).expect("sound");
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).expect("connected")
}

/// 20,592 messages on a torus of 576 channels take 216 steps.
#[test]
fn on_a_torus_it_is_near_the_floor_on_any_number_of_threads() {
    let schedule = same_and_valid(&StepByStep, &alltoall(|_| ()), &look()).expect("a schedule");
    assert!((216..=238).contains(&schedule.step_count()), "{}", schedule.step_count());
}

#[test]
fn channels_carry_several_messages_and_steps_need_not_be_run_backwards() {
    // Twice the capacity would take half of 672 steps; the last channel has none back, so 5,376 messages cross the middle by seven channels.
    let problem = chunks();
    let mut parts = problem.network().data().clone();
    parts.channels.truncate(parts.channels.len() - 1);
    parts.capacities = Some(vec![2; parts.channels.len()]);
    let network = Network::new(parts).expect("sound");
    let problem = Problem::new(network, problem.collective().clone(), Model::wormhole()).expect("connected");
    let found = steps_with(&StepByStep, &problem, 384, look()).expect("a schedule");
    assert!((384..=422).contains(&found), "{found}");
}

#[test]
fn pairs_may_have_several_messages_or_none() {
    let network = grid(4, 4, true);
    // Those an even number of hops apart.
    let is_even = |(a, b): &(Node, Node)| a != b && (a.0 / 4 + a.0 + b.0 / 4 + b.0) % 2 == 0;
    let pairs: Vec<(Node, Node)> = (0..16 * 16).map(|i| (Node(i % 16), Node(i / 16))).filter(is_even).collect();
    let many: Vec<(Node, Node)> = (0..180).flat_map(|_| pairs.iter().copied()).collect();
    let collective = Collective::pairs("pairs", &many);
    let problem = Problem::new(network, collective, Model::wormhole()).expect("connected");
    assert!(StepByStep.applies(&problem) && steps_with(&StepByStep, &problem, 1, look()).is_some());
}

/// In rounds it begins anew where it has several times the random moves, and says that it would with more.
#[test]
fn it_begins_anew_with_more_ticks_only() {
    let problem = alltoall(|_| ());
    let never = AtomicBool::new(false);
    let few = Run::new(Settings { ticks: 2_000_000, ..look() }, &Silent, &never);
    assert!(StepByStep.solve(&problem, 216, &few).is_none() && few.wants_more());
    let steps = |ticks, seed| {
        steps_with(&StepByStep, &problem, 216, Settings { ticks, seed: Seed(seed), ..look() }).expect("a schedule")
    };
    let (once, anew) = (steps(ONE_LOOK, 1), steps(9_600_000, 2));
    assert!(anew < once, "{anew} of {once}");
}

/// A part of a schedule is none, and to finish it would take long.
#[test]
fn interrupted_it_gives_nothing() {
    let stop = AtomicBool::new(true);
    let run = Run::new(Settings::default(), &Silent, &stop);
    assert!(StepByStep.solve(&alltoall(|_| ()), 216, &run).is_none());
    let never = AtomicBool::new(false);
    let run = Run::new(Settings { seconds: Some(0.0), ..look() }, &Silent, &never);
    assert!(StepByStep.solve(&alltoall(|_| ()), 216, &run).is_none());
}

#[test]
fn few_messages_are_left_to_others() {
    let network = grid(8, 8, true);
    let collective = Collective::alltoall(network.terminals(), network.terminals());
    assert!(!StepByStep.applies(&Problem::new(network, collective, Model::wormhole()).expect("connected")));
}

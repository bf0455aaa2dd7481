//! A search that is stopped before it begins says what counting the messages of nodes shows.

use kernel::{Collective, Model, Ports, Problem};
use methods::{Settings, Stopped, Watch, solve_watched};
use std::sync::atomic::AtomicBool;

#[test]
fn a_bound_by_counting_is_there_however_little_time_there_is() {
    let stop = AtomicBool::new(true);
    let watch = Watch { stop: &stop, ..Watch::nobody() };
    let network = topologies::change::with_ports(&topologies::parse("torus:4x4").unwrap(), Ports::Each(1)).unwrap();
    let all = network.terminals();
    for model in [Model::wormhole(), Model::store_and_forward(), Model::tdm()] {
        let problem = Problem::new(network.clone(), Collective::allgather(all, all), model).unwrap();
        let outcome = solve_watched(&problem, &Settings::default(), watch).unwrap();
        assert!(outcome.best.is_none() && outcome.stopped == Stopped::Interrupted, "{model:?}");
        assert_eq!(outcome.floor.steps(), 15, "{model:?}");
    }
}

//! The models of cost are the simulator where they should be: a step is its slowest transfer, and that is α + γh + βw or h(α + βw).

use super::play::{named, played};
use kernel::{Collective, Model, Node, Problem};
use machine::cost::{CostModel, Costs, pipelined};
use simulate::play::{Ended, Length, Mode};
use simulate::{Flow, NodePorts, Settings};

const BARRIER: Mode = Mode::Barrier { pause: 0 };

fn settings(flow: Flow, flits: u32) -> Settings {
    let all = Settings { flow, injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
    Settings { buffer: all.least_buffer(flits), routing_delay: 2, interval: 2, ..all }
}

/// The cost of one hop of a head.
fn hop(settings: &Settings) -> f64 {
    let Settings { routing_delay, vc_delay, allocation_delay, switch_delay, channel_delay, .. } = settings;
    f64::from(routing_delay + vc_delay + allocation_delay + switch_delay + channel_delay)
}

#[test]
fn wormhole_schedules_take_alpha_gamma_h_and_beta_w() {
    for (spec, collective) in [("mesh:3x3", "alltoall"), ("kautz:2,2", "allgather"), ("fat-tree:4", "scatter")] {
        let schedule = named(spec, collective, Model::wormhole());
        let costs = Costs::of(&schedule).unwrap();
        for flits in [1, 7, 40] {
            let settings = settings(Flow::Wormhole, flits);
            let (beta, injection) = (f64::from(settings.interval), f64::from(settings.injection_delay));
            let model = CostModel::CutThrough { alpha: injection - beta, beta, hop: hop(&settings) };
            let (recorded, _) = played(&schedule, &settings, Length::Flits(flits), BARRIER);
            assert_eq!(recorded.cycles as f64, costs.time(&model, f64::from(flits)), "{collective} on {spec}");
        }
    }
}

#[test]
fn store_and_forward_takes_h_times_alpha_and_beta_w() {
    let combining = Model { combining: true, ..Model::store_and_forward() };
    for (spec, collective) in [("ring:6", "alltoall"), ("mesh:3x3", "allgather")] {
        let schedule = named(spec, collective, combining);
        let costs = Costs::of(&schedule).unwrap();
        for flits in [1, 9] {
            // Several messages travel together, so buffers have room for all.
            let settings = Settings { injection_delay: 0, ..settings(Flow::StoreAndForward, 9 * flits) };
            let beta = f64::from(settings.interval);
            let model = CostModel::PerHop { alpha: hop(&settings) - beta, beta };
            let (recorded, _) = played(&schedule, &settings, Length::Flits(flits), BARRIER);
            assert_eq!(recorded.cycles as f64, costs.time(&model, f64::from(flits)), "{collective} on {spec}");
        }
    }
}

#[test]
fn long_messages_take_beta_w_a_step() {
    let schedule = named("hypercube:3", "alltoall", Model::wormhole());
    let costs = Costs::of(&schedule).unwrap();
    let time = |flits: u32| {
        let (recorded, _) = played(&schedule, &settings(Flow::Wormhole, flits), Length::Flits(flits), BARRIER);
        recorded.cycles as f64 / costs.time(&CostModel::AlphaBeta { alpha: 0.0, beta: 2.0 }, f64::from(flits))
    };
    assert!(time(16) > 1.2 && time(16_384) > 1.0 && time(16_384) < 1.001, "{} {}", time(16), time(16_384));
}

#[test]
fn asynchronously_a_chain_is_pipelined_as_the_model_has_it() {
    let line = topologies::parse("mesh:5").unwrap();
    let broadcast = Collective::broadcast(Node(0), line.terminals());
    let problem = Problem::new(line, broadcast, Model::store_and_forward()).unwrap();
    let schedule = super::play::solve(&problem).unwrap();
    let settings = Settings { injection_delay: 0, ..settings(Flow::StoreAndForward, 12) };
    let (recorded, _) = played(&schedule, &settings, Length::Flits(12), Mode::Asynchronous);
    let beta = f64::from(settings.interval);
    let model = CostModel::PerHop { alpha: hop(&settings) - beta, beta };
    assert_eq!((recorded.ended, recorded.blocked), (Ended::Finished, 0));
    assert_eq!(recorded.cycles as f64, pipelined(&schedule, &model, 12.0).unwrap());
}

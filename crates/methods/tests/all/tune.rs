//! Laws of `tune`: no size is slower than what libraries do, less never takes longer than more, and the same is found again.

use kernel::timed::Links;
use kernel::{Collective, Network, Node, Rational};
use methods::{SizedProblem, Stopped, TimedSettings, Tuning, Watch, tune};
use std::sync::atomic::AtomicBool;

fn sized(collective: &Collective) -> SizedProblem {
    let network = testing::mesh(2, 3);
    let channels = network.channel_count();
    let network: Network = network;
    // Some links are wide and far, others near and narrow.
    let links = Links {
        bandwidth: (0..channels).map(|c| Rational::whole(10 + 15 * (c as u64 / 2 % 2))).collect(),
        latency: (0..channels).map(|c| Rational::new(3 + 9 * (c as u64 / 2 % 2), 10)).collect(),
        ..Links::default()
    };
    SizedProblem::new(network, links, collective.clone(), Rational::whole(1000)).unwrap()
}

fn sizes() -> Vec<Rational> {
    [1_000, 10_000, 100_000, 1_000_000].map(Rational::whole).to_vec()
}

fn tuned(collective: &Collective, settings: &TimedSettings) -> Tuning {
    tune(&sized(collective), &sizes(), settings, Watch::nobody()).unwrap()
}

#[test]
fn no_size_is_slower_than_what_is_known() {
    let nodes: Vec<Node> = (0..6).map(Node).collect();
    for collective in [
        Collective::allreduce(&nodes),
        Collective::broadcast(Node(4), &nodes),
        Collective::alltoall(&nodes, &nodes),
        Collective::reduce_scatter(&nodes, &nodes),
    ] {
        let settings = TimedSettings::default().with_chunks(Some(6));
        let tuning = tuned(&collective, &settings);
        let name = collective.name();
        assert_eq!((tuning.sizes.len(), tuning.left_out), (4, 0), "{name}");
        assert!(tuning.faults().is_empty(), "{name}");
        for size in &tuning.sizes {
            assert!(size.reports.iter().filter_map(|r| r.micros()).all(|micros| micros >= size.micros()), "{name}");
            assert!(size.reports.iter().filter(|r| r.micros().is_some()).count() > 1, "{name}");
            assert_eq!(size.best.verdict.problem().collective().chunks(), size.chunks());
        }
        // A thousandth faster is not worth another schedule.
        let times: Vec<f64> = tuning.sizes.iter().map(|size| size.micros()).collect();
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1] * 1.002), "{name}: {times:?}");
        for overtaking in &tuning.overtakings {
            let [before, after] = [overtaking.between - 1, overtaking.between].map(|at| &tuning.sizes[at]);
            let bytes = overtaking.bytes.numerator;
            assert!(before.bytes.numerator < bytes && bytes <= after.bytes.numerator, "{name}");
        }
        if name == "alltoall" {
            let again = tuned(&collective, &settings);
            assert_eq!(times, again.sizes.iter().map(|size| size.micros()).collect::<Vec<_>>());
            assert_eq!(tuning.overtakings, again.overtakings);
        }
    }
}

#[test]
fn what_is_interrupted_keeps_what_there_is() {
    let nodes: Vec<Node> = (0..6).map(Node).collect();
    let collective = Collective::allgather(&nodes, &nodes);
    let stop = AtomicBool::new(true);
    let watch = Watch { stop: &stop, ..Watch::nobody() };
    let tuning = tune(&sized(&collective), &sizes(), &TimedSettings::default(), watch).unwrap();
    assert_eq!((tuning.sizes.len(), tuning.left_out), (0, 4));
    assert!(matches!(tuning.stopped, Stopped::Interrupted));
    let none = tune(&sized(&collective), &[], &TimedSettings::default(), Watch::nobody()).unwrap();
    assert!(none.sizes.is_empty() && none.overtakings.is_empty());
}

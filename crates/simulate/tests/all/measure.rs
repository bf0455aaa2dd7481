//! Points, curves and saturation: what is known without simulation, and that neither threads nor repetition change an answer.

use kernel::Network;
use simulate::{DimensionOrder, PointError};
use simulate::{Experiment, HotSpot, Limits, Pattern, Point, Runs, Settings, Shape};

const BRIEF: Limits = Limits { window: 500, warm: 8, batches: 4 };

fn with<T>(
    spec: &str,
    pattern: impl Fn(&Network) -> Pattern,
    settings: &Settings,
    ask: impl Fn(Experiment<'_>) -> T,
) -> T {
    let network = topologies::parse(spec).unwrap();
    let routes = DimensionOrder::new(&network, settings.virtual_channels, true).unwrap();
    let pattern = pattern(&network);
    ask(Experiment {
        network: &network,
        settings,
        routes: &routes,
        pattern: &pattern,
        lengths: &[1],
        burst: None,
        limits: BRIEF,
    })
}

fn named(name: &'static str) -> impl Fn(&Network) -> Pattern {
    move |network| Pattern::named(name, &Shape::of(network, 1)).unwrap()
}

fn runs(threads: usize) -> Runs<'static> {
    Runs { threads, seed: 3, stop: &|| false, done: &|_| {} }
}

#[test]
fn threads_and_repetition_change_nothing() {
    let rates = [0.1, 0.3, 0.5, 0.7];
    let curve = |threads| {
        with("torus:4x4", named("uniform"), &Settings::default(), |e| e.curve(&rates, runs(threads)).unwrap())
    };
    let alone = curve(1);
    assert_eq!(alone.len(), 4);
    assert_eq!(alone, curve(3));
    let search =
        |threads| with("mesh:3x3", named("uniform"), &Settings::default(), |e| e.saturation(runs(threads)).unwrap());
    assert_eq!(search(1), search(4));
    let other = with("torus:4x4", named("uniform"), &Settings::default(), |e| e.point(0.3, 4, &|| false).unwrap());
    assert_ne!(other, alone[1]);
}

#[test]
fn neighbours_on_a_ring_are_without_contention() {
    // One hop, two routers: two cycles to the first, three in each and one on the channel behind it.
    let point =
        |rate| with("ring:6", named("neighbour"), &Settings::default(), move |e| e.point(rate, 1, &|| false).unwrap());
    for rate in [0.05, 0.6] {
        let Point { latency, hops, is_saturated, blocked, .. } = point(rate);
        let latency = latency.unwrap();
        assert_eq!(
            (latency.mean.mean, latency.spread.most(), hops, is_saturated, blocked),
            (10.0, 10, 1.0, false, 0.0)
        );
    }
}

#[test]
fn a_hot_spot_saturates_where_its_port_is_full() {
    // All 16 terminals send a quarter of their packets to one, which takes a flit a cycle, beside its part of uniform traffic.
    let spot = |network: &Network| {
        let terminals = network.terminals().len() as u32;
        Pattern::hot(vec![HotSpot { terminal: 5, share: 0.25 }], terminals).unwrap()
    };
    let most = 1.0 / (16.0 * 0.25 + 0.75);
    let saturation = with("hypercube:4", spot, &Settings::default(), |e| e.saturation(runs(1)).unwrap().unwrap());
    let refused = saturation.refused.unwrap();
    assert!(saturation.carried < most && refused > 0.8 * most && refused < 1.1 * most, "{saturation:?} {most}");
}

#[test]
fn more_than_a_network_carries_is_seen() {
    let point =
        with("mesh:4x4", named("bit-complement"), &Settings::default(), |e| e.point(0.9, 1, &|| false).unwrap());
    assert!(point.is_saturated && point.accepted < 0.7 && (point.offered - 0.9).abs() < 0.02, "{point:?}");
    // The middle of every row and column carries the traffic of half of it.
    assert!(point.loads.iter().all(|load| *load <= 1.0) && point.loads.iter().any(|load| *load > 0.9));
}

#[test]
fn channels_carry_what_uniform_traffic_asks_of_them() {
    let point = with("hypercube:4", named("uniform"), &Settings::default(), |e| e.point(0.4, 1, &|| false).unwrap());
    // Every packet takes each dimension with probability a half.
    for load in &point.loads {
        assert!((load - 0.2).abs() < 0.04, "{load}");
    }
    assert!((point.hops - 2.0).abs() < 0.05 && (point.accepted - 0.4).abs() < 0.02);
}

#[test]
fn a_few_senders_that_are_held_up_are_seen() {
    // Under dimension order three of the senders of a transpose share a channel of a 4x4 mesh, so a third is all that it carries.
    let limits = Limits { window: 2000, ..BRIEF };
    let at = |rate: f64| {
        with("mesh:4x4", named("transpose"), &Settings::default(), |e| {
            Experiment { limits, ..e }.point(rate, 1, &|| false).unwrap()
        })
    };
    assert!(!at(0.32).is_saturated);
    let point = at(0.36);
    let slowest = point.slowest.unwrap();
    assert!(point.is_saturated && (1..=12).contains(&point.held_up), "{}", point.held_up);
    assert!(
        slowest.accepted < 0.345 && slowest.offered > 0.35 && point.accepted > 0.34,
        "{slowest:?} {}",
        point.accepted
    );
    // Bursts leave more or less under way at one time than at another, and hold nobody up.
    let point = with("mesh:4x4", named("uniform"), &Settings::default(), |e| {
        Experiment { limits, burst: Some(30.0), ..e }.point(0.2, 1, &|| false).unwrap()
    });
    assert!(!point.is_saturated && point.held_up == 0);
}

#[test]
fn bursts_keep_the_rate_and_cost_latency() {
    let settings = Settings::default();
    let smooth = with("mesh:4x4", named("uniform"), &settings, |e| e.point(0.3, 1, &|| false).unwrap());
    let limits = Limits { window: 2000, ..BRIEF };
    let bursty = with("mesh:4x4", named("uniform"), &settings, |e| {
        Experiment { burst: Some(20.0), limits, ..e }.point(0.3, 1, &|| false).unwrap()
    });
    assert!((bursty.offered - 0.3).abs() < 0.02, "{}", bursty.offered);
    let mean = |point: &Point| point.latency.as_ref().unwrap().mean.mean;
    assert!(mean(&bursty) > mean(&smooth) + 1.0, "{} {}", mean(&bursty), mean(&smooth));
}

#[test]
fn rates_that_nodes_cannot_send_are_refused() {
    for rate in [0.0, -0.1, 1.01, f64::NAN] {
        let error =
            with("mesh:3x3", named("uniform"), &Settings::default(), |e| e.point(rate, 1, &|| false).err().unwrap());
        assert!(matches!(error, PointError::Load(_)), "{error}");
        assert!(error.to_string().contains("must be above 0 and at most 1"), "{error}");
    }
}

#[test]
fn a_stopped_run_says_so() {
    let point = with("mesh:3x3", named("uniform"), &Settings::default(), |e| e.point(0.1, 1, &|| true).unwrap());
    assert!(point.is_stopped && point.latency.is_none());
    let stopped = Runs { stop: &|| true, ..runs(2) };
    assert_eq!(with("mesh:3x3", named("uniform"), &Settings::default(), |e| e.saturation(stopped).unwrap()), None);
}

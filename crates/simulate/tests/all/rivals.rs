//! Collectives without a schedule arrive as well, and what is not done so is refused with a reason.

use kernel::{Collective, Model, Node, Problem};
use simulate::play::{Ended, Length, OnParallel, Parallel, Playing, RIVALS, Recorded, Rival};
use simulate::{RoutesWanted, Settings, routes_named};

fn unplanned(problem: &Problem, rival: &Rival, settings: &Settings, datelines: bool) -> Recorded {
    let parallel = Parallel::of(problem.network()).unwrap();
    let wanted =
        RoutesWanted { name: None, root: None, vcs: settings.virtual_channels, flow: settings.flow, datelines };
    let routes = routes_named(problem.network(), &wanted).unwrap();
    let routes = OnParallel { parallel: &parallel, routes: &*routes };
    let script = rival.script(problem, Length::Flits(8), 0, 1).unwrap();
    let playing = Playing {
        network: parallel.network(),
        settings,
        routes: &routes,
        until: 10_000_000,
        looks: 64,
        stop: &|| false,
    };
    playing.run(script).unwrap()
}

#[test]
fn collectives_without_a_schedule_reach_all_receivers() {
    let network = topologies::parse("mesh:4x4").unwrap();
    let count = network.node_count();
    let alltoall = Problem::new(
        network.clone(),
        Collective::alltoall(network.terminals(), network.terminals()),
        Model::wormhole(),
    )
    .unwrap();
    let allgather = Problem::new(
        network.clone(),
        Collective::allgather(network.terminals(), network.terminals()),
        Model::wormhole(),
    )
    .unwrap();
    let broadcast = Collective::broadcast(Node(5), network.terminals());
    let broadcast = Problem::new(network, broadcast, Model::wormhole()).unwrap();
    for rival in RIVALS {
        for (problem, name) in [(&alltoall, "alltoall"), (&allgather, "allgather"), (&broadcast, "broadcast")] {
            let script = match rival.script(problem, Length::Flits(8), 0, 1) {
                Ok(script) => script,
                Err(error) => {
                    assert!(
                        name == "alltoall" && ["binomial", "ring"].contains(&rival.name)
                            || rival.name == "recursive-doubling",
                        "{error}"
                    );
                    continue;
                }
            };
            let received = |node: Node| -> u32 {
                script.packets().iter().filter(|packet| packet.destination == node).map(|packet| packet.flits).sum()
            };
            // A node gets each message once, but for what it passes on along a dimension.
            let messages = if name == "broadcast" { 1 } else { count as u32 - 1 };
            for node in problem.network().terminals().iter().filter(|node| name != "broadcast" || **node != Node(5)) {
                let relayed = rival.name == "dimension-order" && name == "alltoall";
                let wanted = 8 * if relayed { 2 * 3 * 4 } else { messages };
                assert_eq!(received(*node), wanted, "{} by {}", name, rival.name);
            }
            let recorded = unplanned(problem, rival, &Settings::default(), true);
            assert_eq!((recorded.ended, recorded.arrived), (Ended::Finished, script.packets().len() as u64));
        }
    }
}

#[test]
fn what_is_not_sent_without_a_schedule_is_refused_with_a_reason() {
    let ring = topologies::parse("ring:6").unwrap();
    let of = |collective: Collective| Problem::new(ring.clone(), collective, Model::wormhole()).unwrap();
    let script = |problem: &Problem, name: &str| {
        let error = Rival::named(name).and_then(|rival| rival.script(problem, Length::Flits(1), 0, 1)).unwrap_err();
        assert!(!error.hint().is_empty());
        error.to_string()
    };
    let alltoall = of(Collective::alltoall(ring.terminals(), ring.terminals()));
    assert_eq!(script(&alltoall, "fastest"), "`fastest` is not a way to do a collective without a schedule");
    assert_eq!(script(&alltoall, "ring"), "alltoall: every message has one receiver, so `ring` would be `direct`");
    assert!(script(&alltoall, "recursive-doubling").contains("is for allreduce, barrier, scan and exscan"));
    let petersen = topologies::parse("petersen").unwrap();
    let allgather = Collective::allgather(petersen.terminals(), petersen.terminals());
    let petersen = Problem::new(petersen, allgather, Model::wormhole()).unwrap();
    assert!(script(&petersen, "dimension-order").contains("no coordinates"));
}

#[test]
fn an_unscheduled_alltoall_deadlocks_on_a_torus_without_datelines_and_not_with_them() {
    let torus = topologies::parse("torus:6x6").unwrap();
    let alltoall = Collective::alltoall(torus.terminals(), torus.terminals());
    let problem = Problem::new(torus, alltoall, Model::wormhole()).unwrap();
    let direct = Rival::named("direct").unwrap();
    let one = Settings { virtual_channels: 1, buffer: 4, ..Settings::default() };
    let recorded = unplanned(&problem, &direct, &one, false);
    let Ended::Deadlock(deadlock) = recorded.ended else { panic!("{:?}", recorded.ended) };
    assert!(deadlock.circle.len() >= 4 && recorded.arrived < 36 * 35);
    let two = Settings { virtual_channels: 2, ..one };
    let recorded = unplanned(&problem, &direct, &two, true);
    assert_eq!((recorded.ended, recorded.arrived), (Ended::Finished, 36 * 35));
    assert!(recorded.blocked > 0);
}

//! Reductions without a schedule: who sends how much to whom, and that nothing goes on before it is merged.

use super::play::named;
use collectives::{COLLECTIVES, Selection};
use kernel::{Model, Network, Node, Problem};
use simulate::play::{Ended, Length, Mode, Playing, RIVALS, Recorded, Rival, Script};
use simulate::{NodePorts, RoutesWanted, Settings, routes_named};

fn problem(network: &Network, collective: &str) -> Problem {
    let kind = COLLECTIVES.iter().find(|kind| kind.name == collective).unwrap();
    Problem::new(network.clone(), kind.build(&Selection::of(network)).unwrap(), Model::wormhole()).unwrap()
}

fn script(problem: &Problem, rival: &str, merge: u32) -> Option<Script> {
    Rival::named(rival).unwrap().script(problem, Length::Flits(48), merge, 1).ok()
}

fn run(network: &Network, script: Script) -> Recorded {
    let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
    let wanted = RoutesWanted { name: None, root: None, vcs: 4, flow: settings.flow, datelines: true };
    let routes = routes_named(network, &wanted).unwrap();
    let stop = &|| false;
    Playing { network, settings: &settings, routes: &*routes, until: 10_000_000, looks: 16, stop }.run(script).unwrap()
}

/// Flits that every node sends and gets.
fn carried(script: &Script, count: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut out, mut into) = (vec![0; count], vec![0; count]);
    for packet in script.packets() {
        out[packet.source.index()] += packet.flits;
        into[packet.destination.index()] += packet.flits;
    }
    (out, into)
}

#[test]
fn every_rival_of_every_reduction_ends() {
    for spec in ["mesh:2x3", "hypercube:3", "ring:5"] {
        let network = topologies::parse(spec).unwrap();
        for collective in ["reduce", "reduce_scatter", "allreduce", "barrier", "scan", "exscan"] {
            let problem = problem(&network, collective);
            let mut count = 0;
            for rival in RIVALS {
                let Some(script) = script(&problem, rival.name, 5) else { continue };
                let recorded = run(&network, script);
                let what = format!("{collective} on {spec} by {}", rival.name);
                assert_eq!((recorded.ended, recorded.arrived), (Ended::Finished, recorded.packets as u64), "{what}");
                count += 1;
            }
            assert!(count >= 6, "{collective} on {spec}: {count}");
        }
    }
}

#[test]
fn nodes_send_and_get_what_the_algorithms_say() {
    let network = topologies::parse("hypercube:3").unwrap();
    let of = |collective: &str, rival: &str| carried(&script(&problem(&network, collective), rival, 0).unwrap(), 8);
    // Everybody sends its contribution to the root, or to each owner.
    let (out, into) = of("reduce", "direct");
    assert!(out[1..].iter().all(|flits| *flits == 48) && out[0] == 0 && into[0] == 7 * 48);
    assert_eq!(of("reduce_scatter", "direct"), (vec![7 * 48; 8], vec![7 * 48; 8]));
    // A ring, and all to all, cut a vector of an allreduce into eighths, and send each of them on seven times, twice.
    for rival in ["ring", "direct", "pairwise", "random"] {
        assert_eq!(of("allreduce", rival), (vec![2 * 7 * 6; 8], vec![2 * 7 * 6; 8]), "{rival}");
    }
    // Down a tree the whole vector goes, once up and once down every edge.
    let (out, into) = of("allreduce", "binomial");
    assert_eq!((out.iter().sum::<u32>(), into.iter().sum::<u32>()), (2 * 7 * 48, 2 * 7 * 48));
    assert_eq!(of("allreduce", "recursive-doubling"), (vec![3 * 48; 8], vec![3 * 48; 8]));
    assert_eq!(of("scan", "recursive-doubling").0, [3, 3, 3, 3, 2, 2, 1, 0].map(|packets| packets * 48));
    let odd = topologies::parse("mesh:2x3").unwrap();
    let doubled = script(&problem(&odd, "allreduce"), "recursive-doubling", 0).unwrap();
    assert_eq!(doubled.packets().len(), 2 + 2 * 4 + 2);
}

#[test]
fn nodes_merge_one_after_the_other() {
    const MERGE: u32 = 10_000;
    let network = topologies::parse("hypercube:3").unwrap();
    let merged = |collective: &str, rival: &str| {
        let recorded = run(&network, script(&problem(&network, collective), rival, MERGE).unwrap());
        assert!(recorded.cycles < u64::MAX);
        recorded.cycles / u64::from(MERGE)
    };
    // The root merges seven contributions, or three along the longest branch of a tree; a chain of eight nodes merges seven times.
    assert_eq!([merged("reduce", "direct"), merged("reduce", "binomial"), merged("reduce", "ring")], [7, 3, 7]);
    assert_eq!(merged("allreduce", "recursive-doubling"), 3);
    // Of a scan those who get nothing send all at once, so that others merge later rounds before earlier ones.
    assert!([3, 4].contains(&merged("scan", "recursive-doubling")));
    // Of an eighth of a vector an eighth of the time; what is told after takes none.
    assert_eq!([merged("allreduce", "ring"), merged("allreduce", "direct")], [0, 0]);
}

#[test]
fn schedules_of_reductions_take_the_time_of_merging_as_well() {
    let schedule = named("ring:5", "reduce", Model::wormhole());
    let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..Settings::default() };
    for mode in [Mode::Barrier { pause: 0 }, Mode::Timed] {
        let at = |merge_delay| {
            let settings = Settings { merge_delay, ..settings.clone() };
            let (recorded, predicted) = super::play::played(&schedule, &settings, Length::Flits(9), mode);
            assert_eq!((Some(recorded.cycles), recorded.blocked), (predicted, 0));
            recorded.cycles
        };
        let (free, slow) = (at(0), at(1000));
        assert!(slow >= free + 1000 && slow <= free + 4 * 1000, "{free} {slow}");
        // The root gets four contributions, at most two at once.
        let root = schedule.problem().collective().destinations(kernel::Message(0))[0];
        assert_eq!(root, Node(0));
    }
}

//! Allgather run backwards is reduce_scatter, and run backwards and forwards allreduce, by the same constructions.

use kernel::{Collective, Model, Network, Node, Ports, Problem};
use methods::{Settings, solve};

fn by_tree(network: &Network, collective: Collective, model: Model) -> kernel::Verified {
    let problem = Problem::new(network.clone(), collective, model).unwrap();
    // A construction needs no ticks; the bound, which nobody asks for here, would take the usual ones.
    let settings = Settings::default().with_method("translated-tree").with_ticks(1_000);
    solve(&problem, &settings).unwrap().best.unwrap().schedule
}

#[test]
fn both_ways_take_as_many_steps() {
    let specs =
        ["torus:3x5", "torus:4x4", "ring:6", "hypercube:3", "circulant:16;±1,±4", "star:4", "ccc:3", "ring-uni:5"];
    for spec in specs {
        for ports in [Ports::All, Ports::Each(1)] {
            let mut data = topologies::topology(spec).unwrap().network().data().clone();
            (data.send_ports, data.receive_ports) = (ports.clone(), ports);
            let network = Network::new(data).unwrap();
            let all: Vec<Node> = network.terminals().to_vec();
            let count = u32::try_from(all.len()).unwrap();
            for model in [Model::wormhole(), Model::store_and_forward(), Model::tdm()] {
                let steps = |collective| by_tree(&network, collective, model).steps();
                let gathered = steps(Collective::allgather(&all, &all));
                // In slots the last hop is not to wrap round.
                let reduced = gathered + usize::from(model.is_slotted());
                assert_eq!(steps(Collective::reduce_scatter(&all, &all)), reduced, "{spec} {model:?}");
                for rounds in [1, 2] {
                    let both = steps(Collective::allreduce(&all).in_chunks(rounds * count));
                    assert_eq!(both, rounds as usize * (reduced + gathered), "{spec} {model:?} {rounds}");
                }
            }
        }
    }
}

#[test]
fn abelian_groups_leave_one_orbit() {
    for (spec, chunks) in [("torus:33x34", 1122), ("circulant:1100;±1,±33", 2200)] {
        let network = topologies::topology(spec).unwrap().network();
        let all = network.terminals();
        let collectives = [Collective::reduce_scatter(all, all), Collective::allreduce(all).in_chunks(chunks)];
        for (collective, orbits) in collectives.into_iter().zip([1, chunks as usize / all.len()]) {
            let schedule = by_tree(&network, collective, Model::store_and_forward());
            let stored = schedule.orbits().unwrap().problem();
            assert!(stored.is_reduction());
            assert_eq!(stored.representatives().collective().message_count(), orbits, "{spec}");
        }
    }
}

#[test]
fn other_chunks_are_left_to_others() {
    let network = topologies::topology("torus:4x4").unwrap().network();
    let all = network.terminals();
    let settings = Settings::default().with_method("translated-tree");
    let combining = Model { combining: true, ..Model::wormhole() };
    let others = [
        (Collective::allreduce(all).in_chunks(15), Model::wormhole()),
        (Collective::reduce_scatter(&all[1..], all), Model::wormhole()),
        (Collective::scan(all), Model::wormhole()),
        (Collective::reduce_scatter(all, all), combining),
    ];
    for (collective, model) in others {
        let problem = Problem::new(network.clone(), collective, model).unwrap();
        assert!(solve(&problem, &settings).is_err(), "{} {model:?}", problem.collective().name());
    }
}

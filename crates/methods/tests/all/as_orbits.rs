//! Written-out schedules that have a symmetry are stored as orbits of it, and say the same.

use kernel::orbits::{Generator, OrbitProblem, OrbitSchedule, Translations, verify_orbits};
use kernel::{Channel, Claim, Message, Model, Network, Verified, verify};
use methods::as_orbits;
use testing::known::ring_orbits;

/// A schedule of orbits with every transfer written down.
fn written_out(schedule: &Verified) -> Verified {
    let claim: Claim = schedule.expanded().unwrap().into();
    verify(schedule.problem(), claim).unwrap()
}

fn rotation(network: &Network) -> Translations {
    let n = u32::try_from(network.node_count()).unwrap();
    let next = (0..n).map(|v| (v + 1) % n).collect();
    Translations::new(network, vec![Generator::of_nodes(network, n, next).unwrap()]).unwrap()
}

/// Alltoall round a ring of an odd number of nodes, in which the rotation moves steps.
fn alltoall(n: u32) -> Verified {
    let translations = rotation(&testing::ring_uni(n));
    let claim = ring_orbits(n, |v| translations.image_channel(v, Channel(0)));
    verify_orbits(&OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap(), claim).unwrap()
}

/// Allgather on a ring of five nodes, hop by hop.
fn allgather() -> Verified {
    let network = testing::ring(5);
    let (translations, model) = (rotation(&network), Model::store_and_forward());
    let problem = OrbitProblem::allgather(&translations, model).unwrap();
    let channel = |from: u32, to: u32| {
        let ends = |c: &Channel| (network.from(*c).0, network.to(*c).0) == (from, to);
        network.channels().find(ends).unwrap()
    };
    let tree = [[(0, 1), (0, 4)], [(1, 2), (4, 3)]];
    let schedule = tree.map(|step| step.map(|(from, to)| (Message(0), vec![channel(from, to)])).to_vec());
    verify_orbits(&problem, OrbitSchedule { shifts: vec![0], schedule: schedule.into_iter().collect() }).unwrap()
}

#[test]
fn a_symmetry_is_found_again() {
    for (whole, orbits) in [(alltoall(5), 4), (alltoall(7), 6), (alltoall(9), 8), (allgather(), 1)] {
        let found = as_orbits(&written_out(&whole), 1).unwrap();
        let folded = found.orbits().unwrap().problem();
        assert_eq!(folded.representatives().collective().message_count(), orbits);
        assert_eq!(found.problem(), whole.problem());
        let again = written_out(&found);
        assert_eq!(
            (again.steps(), again.transfer_count(), again.channel_uses()),
            (whole.steps(), whole.transfer_count(), whole.channel_uses())
        );
    }
}

#[test]
fn a_schedule_without_one_stays_as_it_is() {
    let whole = written_out(&alltoall(7));
    let plain = whole.expanded().unwrap();
    // One transfer in a step of its own.
    let mut claim = kernel::Schedule::new();
    let mut late = None;
    for step in plain.steps() {
        claim.begin_step();
        for transfer in step {
            match late {
                None => late = Some(transfer),
                Some(_) => claim.push(transfer),
            }
        }
    }
    claim.begin_step();
    claim.push(late.unwrap());
    let broken = verify(whole.problem(), claim).unwrap();
    assert!(as_orbits(&broken, 1).is_none());
    // What is stored as orbits has no better form, and what has messages of one origin no such symmetry.
    assert!(as_orbits(&alltoall(5), 1).is_none());
    let network = testing::ring(6);
    let scatter = kernel::Collective::scatter(kernel::Node(0), network.terminals());
    let problem = kernel::Problem::new(network, scatter, Model::wormhole()).unwrap();
    let outcome = methods::solve(&problem, &methods::Settings::default()).unwrap();
    assert!(as_orbits(outcome.verdict().unwrap().ceiling(), 1).is_none());
}

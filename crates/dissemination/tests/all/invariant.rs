//! Formulas of images: what satisfies them is a schedule and its own image, and the methods have nothing else.

use dissemination::InvariantSat;
use graph::automorphisms::{Automorphism, Group};
use graph::sat::{Answer, decide};
use kernel::formula::{Beyond, Cnf, Formula, Image};
use kernel::{Collective, Message, Model, Network, NetworkData, Ports, Problem, Schedule, Switching, verify};
use run::{Run, Settings, Silent};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use testing::{hypercube, mesh, ring, solved_with, torus, with_hosts};

/// An automorphism of this order that leaves no node in place.
fn moving(network: &Network, order: u64) -> Automorphism {
    let group = Group::new(network, 1 << 20);
    let mut random = Settings::default().seed.generator(0);
    let free = |moved: &Automorphism| (1..order).all(|k| moved.power(k).nodes.iter().zip(0..).all(|(v, at)| *v != at));
    let drawn = std::iter::repeat_with(|| group.random(&mut random)).take(1000);
    drawn.into_iter().find(|moved| moved.order() == Some(order) && free(moved)).unwrap()
}

type Encode = fn(&Problem, &[Image], u64, usize) -> Result<Formula, Beyond>;

/// The images under all powers, the first of which is the identity.
fn powers(moved: &Automorphism, problem: &Problem) -> Vec<Image> {
    let collective = problem.collective();
    let image = |power| {
        let Automorphism { nodes, channels } = moved.power(power);
        let moved = |m: Message| if collective.message_count() == 1 { m } else { Message(nodes[m.index()]) };
        let messages = collective.messages().map(moved).collect();
        Image { nodes, channels, messages, delay: 0 }
    };
    (0..moved.order().unwrap()).map(image).collect()
}

/// Every transfer: its step, messages and path, moved.
fn transfers(
    schedule: &Schedule,
    message: impl Fn(Message) -> u32,
    channel: impl Fn(u32) -> u32,
) -> BTreeSet<(usize, u32, Vec<u32>)> {
    let all = schedule.steps().enumerate().flat_map(|(step, all)| all.map(move |transfer| (step, transfer)));
    all.map(|(step, t)| (step, message(t.messages[0]), t.path.iter().map(|c| channel(c.0)).collect())).collect()
}

#[test]
fn what_satisfies_a_formula_of_images_is_its_own_image() {
    let (slots, stored) = (Switching::Tdm { hop: 1, cyclic: true }, Switching::StoreAndForward);
    let mut found = 0;
    for (network, order) in [(ring(6), 6), (ring(6), 3), (hypercube(3), 4), (torus(3, 3), 3), (mesh(2, 3), 2)] {
        let terminals = network.terminals().to_vec();
        let moved = moving(&network, order);
        for (switching, steps) in [(Switching::Wormhole, 3), (stored, 4), (slots, 5)] {
            let model = Model { switching, combining: false };
            let pose = |collective| Problem::new(network.clone(), collective, model).unwrap();
            let (reduced, copied) =
                (pose(Collective::allreduce(&terminals)), pose(Collective::allgather(&terminals, &terminals)));
            let encodes: [(&Problem, Encode); 3] = [
                (&reduced, Formula::encode_merging),
                (&reduced, Formula::encode_partials),
                (&copied, Formula::encode_to_search),
            ];
            for (problem, encode) in encodes {
                let whole = encode(problem, &[], steps, 1 << 22).unwrap();
                let formula = encode(problem, &powers(&moved, problem), steps, 1 << 22).unwrap();
                // As many times smaller, but for channels that are images of themselves.
                let size = |formula: &Formula| formula.rules().iter().map(|rule| rule.literals.len()).sum::<usize>();
                assert!(size(&formula) * order as usize <= size(&whole) * 11 / 10, "{}", network.name());
                let stop = AtomicBool::new(false);
                let run = Run::new(Settings::default(), &Silent, &stop);
                let (answer, _) = decide(&Cnf::new(&formula), 1 << 20, &run);
                let Answer::Solution(values) = answer else { continue };
                let claim = formula.decode(&values);
                let Ok(checked) = verify(problem, claim.clone()) else {
                    // Late copies that go round may cross a channel twice.
                    assert_eq!(switching, slots);
                    continue;
                };
                assert!(checked.steps() as u64 <= steps);
                let one = problem.collective().message_count() == 1;
                let image = |m: Message| if one { m.0 } else { moved.nodes[m.index()] };
                let itself = transfers(&claim, |m| m.0, |c| c);
                assert_eq!(itself, transfers(&claim, image, |c| moved.channels[c as usize]), "{}", network.name());
                found += 1;
            }
        }
    }
    assert!(found >= 25, "{found}");
}

/// Elements that leave terminals in place move the chunks on; and those that leave switches, and a link between them, in place are of little use.
#[test]
fn chunks_are_moved_on_and_channels_left_in_place() {
    let stored = Model::store_and_forward();
    let slots = Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: false };
    let one = Ports::Each(1);
    let one_port = NetworkData { send_ports: one.clone(), receive_ports: one, ..hypercube(3).data().clone() };
    let switched = with_hosts(&ring(4), 2);
    let all = |n: &Network| n.terminals().to_vec();
    for (network, collective, model, steps) in [
        (hypercube(3), Collective::allreduce(&all(&hypercube(3))).in_chunks(4), stored, 4),
        (Network::new(one_port).unwrap(), Collective::allreduce(&all(&hypercube(3))).in_chunks(4), stored, 7),
        (switched.clone(), Collective::allgather(&all(&switched), &all(&switched)), slots, 7),
    ] {
        let problem = Problem::new(network, collective, model).unwrap();
        let settings = Settings { ticks: 1 << 30, ..Settings::default() };
        assert_eq!(solved_with(&InvariantSat, &problem, steps, settings).steps() as u64, steps);
    }
}

/// Few ticks go to groups small enough to leave a choice, each with enough of them, and to groups of different kinds.
#[test]
fn few_ticks_suffice_for_several_chunks() {
    for (network, steps) in [(mesh(4, 4), 9), (torus(4, 4), 8)] {
        let one = Ports::Each(1);
        let data = NetworkData { send_ports: one.clone(), receive_ports: one, ..network.data().clone() };
        let network = Network::new(data).unwrap();
        let collective = Collective::allreduce(network.terminals()).in_chunks(4);
        let problem = Problem::new(network, collective, Model::store_and_forward()).unwrap();
        let settings = Settings { ticks: 6_250_000, ..Settings::default() };
        assert_eq!(solved_with(&InvariantSat, &problem, steps, settings).steps() as u64, steps);
    }
}

#[test]
fn nodes_that_do_alike_take_no_more_steps() {
    let model = Model { switching: Switching::Tdm { hop: 1, cyclic: true }, combining: false };
    for (network, steps) in [(ring(7), 4), (hypercube(3), 3), (torus(3, 3), 3)] {
        let terminals = network.terminals().to_vec();
        let problem = Problem::new(network, Collective::reduce_scatter(&terminals, &terminals), model).unwrap();
        let settings = Settings { ticks: 1 << 30, ..Settings::default() };
        assert_eq!(solved_with(&InvariantSat, &problem, steps, settings).steps() as u64, steps);
    }
}

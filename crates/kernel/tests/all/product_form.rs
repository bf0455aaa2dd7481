//! Schedules stored by the dimensions of a product: a right one, and a wrong one beside every rule.

use kernel::product::{Block, Dimension, Part, ProductFault as Fault, ProductSchedule, Round};
use kernel::{
    Channel, Collective, Model, Network, NetworkData, Node, Ports, Problem, Storage, Switching, Violation, verify,
};

fn part(from: u32, to: u32, path: &[u32]) -> Part {
    Part { from, to, slot: 0, path: path.to_vec() }
}

fn round(classes: [usize; 2]) -> Round {
    Round { steps: 1, blocks: vec![Block { classes: classes.to_vec(), factors: vec![1, 1], offset: 0 }] }
}

/// A line of three nodes times a link: three steps for the tours to the right, three for those to the left, and those of no part along the line.
fn form() -> ProductSchedule {
    let link = Dimension {
        size: 2,
        channels: vec![(0, 1), (1, 0)],
        classes: vec![vec![part(0, 1, &[0]), part(1, 0, &[1])], vec![part(0, 0, &[]), part(1, 1, &[])]],
    };
    let line = Dimension {
        size: 3,
        channels: vec![(0, 1), (1, 2), (1, 0), (2, 1)],
        classes: vec![
            vec![part(0, 1, &[0]), part(1, 2, &[1]), part(2, 0, &[3, 2])],
            vec![part(0, 2, &[0, 1]), part(2, 1, &[3]), part(1, 0, &[2])],
            vec![part(0, 0, &[]), part(1, 1, &[]), part(2, 2, &[])],
        ],
    };
    let rounds = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1]].map(round).to_vec();
    ProductSchedule { dimensions: vec![link, line], order: vec![0, 1], nodes: (0..6).map(Node).collect(), rounds }
}

fn data() -> NetworkData {
    let links = [(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)];
    let channels = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
    NetworkData { name: "mesh:2x3".into(), nodes: 6, channels, ..NetworkData::default() }
}

fn problem_of(data: NetworkData, model: Model) -> Problem {
    let network = Network::new(data).unwrap();
    let all = Collective::alltoall(network.terminals(), network.terminals());
    Problem::new(network, all, model).unwrap()
}

fn problem() -> Problem {
    problem_of(data(), Model::wormhole())
}

fn fault(problem: &Problem, form: ProductSchedule) -> Fault {
    match verify(problem, form).unwrap_err().violations() {
        [Violation::Product(fault)] => fault.clone(),
        other => panic!("{other:?}"),
    }
}

/// What is told of the form once it is changed.
fn changed(change: impl FnOnce(&mut ProductSchedule)) -> Fault {
    let mut form = form();
    change(&mut form);
    fault(&problem(), form)
}

#[test]
fn what_is_right_is_right_written_out() {
    let (problem, form) = (problem(), form());
    let (transfers, uses) = (form.transfer_count(), form.channel_uses());
    let verified = verify(&problem, form).unwrap();
    assert!(matches!(verified.storage(), Storage::Product(_)) && !verified.is_written_down());
    assert_eq!((verified.steps(), verified.transfer_count(), verified.channel_uses()), (5, transfers, uses));
    let written = verified.expanded().unwrap().into_owned();
    assert_eq!((written.transfer_count() as u64, written.channel_uses() as u64), (transfers, uses));
    let plain = verify(&problem, written).unwrap();
    for step in 0..5 {
        let listed = |verified: &kernel::Verified| -> Vec<(Vec<u64>, Vec<Channel>)> {
            verified.step(step).map(|sent| (sent.messages().collect(), sent.path.to_vec())).collect()
        };
        assert_eq!(listed(&verified), listed(&plain));
    }
}

#[test]
fn places_may_hold_any_nodes() {
    let turned = [5, 3, 1, 0, 2, 4];
    let mut data = data();
    data.channels.iter_mut().for_each(|ends| *ends = (turned[ends.0 as usize], turned[ends.1 as usize]));
    let problem = problem_of(data, Model::wormhole());
    let form = ProductSchedule { nodes: turned.iter().map(|v| Node(*v)).collect(), ..form() };
    let verified = verify(&problem, form).unwrap();
    assert!(verify(&problem, verified.expanded().unwrap()).is_ok());
}

#[test]
fn other_problems_are_not_stored() {
    let of = |change: fn(&mut NetworkData)| {
        let mut data = data();
        change(&mut data);
        fault(&problem_of(data, Model::wormhole()), form())
    };
    assert_eq!(of(|data| data.send_ports = Ports::Each(3)), Fault::OtherModel);
    assert_eq!(of(|data| data.receive_ports = Ports::Each(3)), Fault::OtherModel);
    assert_eq!(of(|data| data.half_duplex = vec![vec![0, 1]]), Fault::OtherModel);
    assert_eq!(of(|data| data.no_transit = vec![4]), Fault::NoTerminal { node: Node(4) });
    assert_eq!(of(|data| data.terminals = Some(vec![0, 1, 2, 3, 4])), Fault::NoTerminal { node: Node(5) });
    let stored = Model { switching: Switching::StoreAndForward, combining: false };
    assert_eq!(fault(&problem_of(data(), stored), form()), Fault::OtherModel);
    let network = Network::new(data()).unwrap();
    let some = Collective::alltoall(network.terminals(), &network.terminals()[..5]);
    assert_eq!(fault(&Problem::new(network, some, Model::wormhole()).unwrap(), form()), Fault::OtherModel);
}

#[test]
fn sizes_nodes_and_order() {
    assert_eq!(changed(|form| form.dimensions[1].size = 4), Fault::Size { places: 8, nodes: 6 });
    assert_eq!(changed(|form| form.nodes[0] = Node(1)), Fault::Nodes { nodes: 6 });
    assert_eq!(changed(|form| form.nodes[0] = Node(6)), Fault::Nodes { nodes: 6 });
    assert_eq!(changed(|form| form.nodes.truncate(5)), Fault::Nodes { nodes: 6 });
    assert_eq!(changed(|form| form.order = vec![0, 0]), Fault::Order { dimensions: 2 });
    assert_eq!(changed(|form| form.order = vec![0]), Fault::Order { dimensions: 2 });
}

#[test]
fn channels_and_paths() {
    let channel = |ends| changed(move |form| form.dimensions[1].channels[1] = ends);
    for ends in [(1, 1), (0, 1), (1, 3), (3, 1)] {
        assert_eq!(channel(ends), Fault::BadChannel { dimension: 1, channel: 1 });
    }
    // The network has no channel between the ends of its lines.
    let far = changed(|form| form.dimensions[1].channels.push((0, 2)));
    assert_eq!(far, Fault::NoChannel { dimension: 1, from: Node(0), to: Node(2) });
    let path = |path: &[u32]| {
        let path = path.to_vec();
        changed(move |form| form.dimensions[1].classes[0][2].path = path)
    };
    for wrong in [&[3][..], &[2, 3], &[3, 2, 0], &[], &[3, 9], &[3, 1, 3, 2]] {
        assert_eq!(path(wrong), Fault::Path { dimension: 1, class: 0, part: 2 });
    }
    let turning = changed(|form| form.dimensions[1].classes[2][0].path = vec![0, 2]);
    assert_eq!(turning, Fault::Path { dimension: 1, class: 2, part: 0 });
}

#[test]
fn every_pair_is_in_one_class() {
    let pairs = Fault::Pairs { dimension: 1, pairs: 9 };
    assert_eq!(changed(|form| drop(form.dimensions[1].classes[2].pop())), pairs);
    assert_eq!(changed(|form| form.dimensions[1].classes[2][1] = part(0, 0, &[])), pairs);
    assert_eq!(changed(|form| form.dimensions[1].classes.push(Vec::new())), pairs);
    // One more part, in place of none.
    assert_eq!(changed(|form| form.dimensions[1].classes[2].push(part(0, 0, &[]))), pairs);
}

#[test]
fn every_tuple_is_one_block() {
    let block = Fault::Block { round: 1, block: 0 };
    assert_eq!(changed(|form| form.rounds[1].blocks[0].classes = vec![0]), block);
    assert_eq!(changed(|form| form.rounds[1].blocks[0].classes = vec![0, 3]), block);
    assert_eq!(changed(|form| form.rounds[1].blocks[0].factors = vec![1]), block);
    assert_eq!(changed(|form| form.rounds.push(round([0, 0]))), Fault::BlockTwice { round: 5, block: 0 });
    assert_eq!(changed(|form| drop(form.rounds.pop())), Fault::Missing { missing: 1 });
    // Blocks without messages may be there, if steps are found for them.
    let mut idle = form();
    idle.rounds[0].blocks.extend(round([1, 2]).blocks);
    assert!(verify(&problem(), idle).is_ok());
}

#[test]
fn steps_are_no_more_than_transfers() {
    let steps = |steps| changed(move |form| form.rounds[2].steps = steps);
    assert_eq!(steps(0), Fault::Steps { round: 2, steps: 0, transfers: 6 });
    assert_eq!(steps(7), Fault::Steps { round: 2, steps: 7, transfers: 6 });
    assert_eq!(changed(|form| form.rounds[2].blocks.clear()), Fault::Missing { missing: 1 });
}

#[test]
fn digits_tell_the_other_parts() {
    // Every pair is in one class still, but not every digit in every class.
    let moved = |form: &mut ProductSchedule| {
        let classes = &mut form.dimensions[1].classes;
        let part = classes[0].remove(0);
        classes[2].push(part);
        form.rounds.push(round([1, 2]));
    };
    let not_once = |digit, does| Fault::NotOnce { dimension: 1, class: 0, digit, does };
    assert_eq!(changed(moved), not_once(0, "send"));
    let backwards = changed(|form| {
        form.order = vec![1, 0];
        moved(form);
    });
    assert_eq!(backwards, not_once(1, "receive"));
}

#[test]
fn channels_are_used_once_a_step() {
    let shared = |step, from: u32, to: u32| {
        let network = problem().network().clone();
        let channel = network.channels().find(|c| (network.from(*c).0, network.to(*c).0) == (from, to)).unwrap();
        Fault::Shared { step, channel }
    };
    // Both tuples want the link at once.
    let together = changed(|form| {
        let more = form.rounds.remove(1).blocks;
        form.rounds[0].blocks.extend(more);
    });
    assert_eq!(together, shared(0, 0, 3));
    // In a line by itself nothing needs to be told from an end, and slots are all that keeps its parts apart.
    let line = form().dimensions.remove(1);
    let data = NetworkData { nodes: 3, channels: line.channels.clone(), ..NetworkData::default() };
    let mut alone =
        ProductSchedule { dimensions: vec![line], order: vec![0], nodes: (0..3).map(Node).collect(), rounds: vec![] };
    let parts: Vec<Part> = alone.dimensions[0].classes.drain(..).flatten().collect();
    alone.dimensions[0].classes.push(parts);
    let block = Block { classes: vec![0], factors: vec![-1], offset: 5 };
    alone.rounds.push(Round { steps: 2, blocks: vec![block] });
    let problem = problem_of(data, Model::wormhole());
    assert_eq!(fault(&problem, alone.clone()), Fault::Shared { step: 1, channel: Channel(0) });
    alone.dimensions[0].classes[0][3..6].iter_mut().for_each(|part| part.slot = 3);
    let verified = verify(&problem, alone).unwrap();
    assert!(verify(&problem, verified.expanded().unwrap()).is_ok());
}

#[test]
fn blocks_that_meet_in_many_ways_are_refused() {
    // Complete networks whose digits are in slots of all different sums, so that the two blocks of a round are never as far apart twice.
    let size = 17;
    let pair = |from: u32, to: u32| {
        if from == to { part(from, to, &[]) } else { part(from, to, &[from * (size - 1) + to - u32::from(to > from)]) }
    };
    let channels: Vec<(u32, u32)> =
        (0..size).flat_map(|a| (0..size).filter(move |b| *b != a).map(move |b| (a, b))).collect();
    let dimension = |factor: u32| Dimension {
        size,
        channels: channels.clone(),
        classes: (0..size)
            .map(|by| (0..size).map(|from| Part { slot: from * factor, ..pair(from, (from + by) % size) }).collect())
            .collect(),
    };
    let nodes = size.pow(4);
    let mut form = ProductSchedule {
        dimensions: [1, size, size.pow(2), 1].map(dimension).to_vec(),
        order: vec![0, 1, 2, 3],
        nodes: (0..nodes).map(Node).collect(),
        rounds: Vec::new(),
    };
    let all: Vec<Vec<usize>> = (0..nodes as usize)
        .map(|tuple| (0..4).map(|d| tuple / (size as usize).pow(d) % size as usize).collect())
        .collect();
    let block = |(at, classes): (usize, &Vec<usize>)| Block {
        classes: classes.clone(),
        factors: vec![at as i64; 4],
        offset: 0,
    };
    form.rounds.push(Round { steps: u64::from(nodes), blocks: all.iter().take(2).enumerate().map(block).collect() });
    form.rounds.extend(all.iter().skip(2).map(|classes| Round {
        steps: 1,
        blocks: vec![Block { classes: classes.clone(), factors: vec![0; 4], offset: 0 }],
    }));
    let digits = |v: u32| [v / size.pow(3), v / size.pow(2) % size, v / size % size, v % size];
    let mut ends = Vec::new();
    for v in 0..nodes {
        for (d, digit) in digits(v).into_iter().enumerate() {
            let stride = size.pow(3 - d as u32);
            ends.extend((0..size).filter(|to| *to != digit).map(|to| (v, v - digit * stride + to * stride)));
        }
    }
    let problem = problem_of(NetworkData { nodes, channels: ends, ..NetworkData::default() }, Model::wormhole());
    assert_eq!(fault(&problem, form), Fault::TooManyWays { round: 0, most: 4096 });
}

//! Collectives hold what their names say, and the checkers of networks, collectives and problems refuse what is unsound.

use kernel::{
    Collective, CollectiveError, Message, MessageRun, Model, Network, NetworkData, NetworkError, Node, Ports, Problem,
    ProblemError, Semantics,
};

fn nodes(list: &[u32]) -> Vec<Node> {
    list.iter().map(|v| Node(*v)).collect()
}

/// `(origins, destinations)` of every message.
fn messages(collective: &Collective) -> Vec<(Vec<Node>, Vec<Node>)> {
    collective.messages().map(|m| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec())).collect()
}

fn path(n: u32) -> NetworkData {
    let channels = (1..n).flat_map(|v| [(v - 1, v), (v, v - 1)]).collect();
    NetworkData { name: format!("path:{n}"), nodes: n, channels, ..NetworkData::default() }
}

#[test]
fn collectives_hold_what_their_names_say() {
    let all = nodes(&[0, 1, 2]);
    let one = |from: &[u32], to: &[u32]| (nodes(from), nodes(to));
    assert_eq!(messages(&Collective::broadcast(Node(1), &all)), [one(&[1], &[0, 2])]);
    assert_eq!(messages(&Collective::scatter(Node(1), &all)), [one(&[1], &[0]), one(&[1], &[2])]);
    assert_eq!(messages(&Collective::gather(Node(1), &all)), [one(&[0], &[1]), one(&[2], &[1])]);
    assert_eq!(messages(&Collective::reduce(Node(1), &all)), [one(&[0, 1, 2], &[1])]);
    assert_eq!(messages(&Collective::reduce(Node(1), &nodes(&[2, 0]))), [one(&[0, 1, 2], &[1])]);
    let allgather = [one(&[0], &[1, 2]), one(&[1], &[0, 2]), one(&[2], &[0, 1])];
    assert_eq!(messages(&Collective::allgather(&all, &all)), allgather);
    assert_eq!(messages(&Collective::alltoall(&all, &all)).len(), 6);
    assert_eq!(
        messages(&Collective::alltoall(&nodes(&[0, 0]), &nodes(&[2, 1, 0]))),
        [one(&[0], &[1]), one(&[0], &[2])]
    );
    assert_eq!(messages(&Collective::allreduce(&all)), [one(&[0, 1, 2], &[0, 1, 2])]);
    assert_eq!(messages(&Collective::reduce_scatter(&all, &all))[2], one(&[0, 1, 2], &[2]));
    assert_eq!(messages(&Collective::scan(&all)), [one(&[0, 1], &[1]), one(&[0, 1, 2], &[2])]);
    assert_eq!(messages(&Collective::exscan(&all)), [one(&[0], &[1]), one(&[0, 1], &[2])]);
    assert_eq!(Collective::broadcast(Node(1), &nodes(&[1])).message_count(), 0);
}

#[test]
fn lists_of_different_lengths_stay_apart() {
    let claim = [(nodes(&[0]), nodes(&[1])), (nodes(&[2]), nodes(&[0, 1])), (nodes(&[1]), nodes(&[2]))];
    let collective = Collective::new("mixed", Semantics::Copy, None, claim.clone()).unwrap();
    assert_eq!(messages(&collective), claim);
}

#[test]
fn messages_are_the_same_where_both_ends_are() {
    let pairs = |list: &[(u32, u32)]| {
        let list: Vec<(Node, Node)> = list.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
        Collective::pairs("pairs", &list)
    };
    let some = pairs(&[(0, 1), (2, 3)]);
    assert_eq!(some, pairs(&[(0, 1), (2, 3)]));
    assert_ne!(some, pairs(&[(0, 1), (2, 0)]));
    assert_ne!(some, pairs(&[(0, 1), (1, 3)]));
}

#[test]
fn reversals() {
    let all = nodes(&[0, 1, 2]);
    let reduce = Collective::reduce(Node(1), &all).reversed().unwrap();
    assert_eq!(messages(&reduce), messages(&Collective::broadcast(Node(1), &all)));
    let gather = Collective::gather(Node(1), &all).reversed().unwrap();
    assert_eq!(messages(&gather), messages(&Collective::scatter(Node(1), &all)));
    assert!(Collective::allreduce(&all).reversed().is_err());
}

#[test]
fn unsound_collectives() {
    let make = |from: &[u32], to: &[u32]| {
        Collective::new("x", Semantics::Copy, None, [(nodes(from), nodes(to))]).map(|_| ()).unwrap_err()
    };
    assert_eq!(make(&[0], &[]), CollectiveError::NoDestination { message: 0 });
    assert_eq!(make(&[], &[1]), CollectiveError::NoContributor { message: 0 });
    assert_eq!(make(&[0, 1], &[2]), CollectiveError::Origins { message: 0, origins: 2 });
    assert_eq!(make(&[0], &[2, 2]), CollectiveError::Twice { message: 0, node: 2 });
}

#[test]
fn unsound_networks() {
    let refused = |parts: NetworkData| Network::new(parts).map(|_| ()).unwrap_err();
    let base = path(3);
    assert_eq!(refused(NetworkData::default()), NetworkError::NoNodes);
    let channels = vec![(0, 1), (1, 3)];
    assert_eq!(
        refused(NetworkData { channels, ..base.clone() }),
        NetworkError::NoSuchEnd { channel: 1, node: 3, nodes: 3 }
    );
    assert_eq!(
        refused(NetworkData { channels: vec![(2, 2)], ..base.clone() }),
        NetworkError::Loop { channel: 0, node: 2 }
    );
    let none = NetworkError::NoTerminals;
    assert_eq!(refused(NetworkData { terminals: Some(vec![]), ..base.clone() }), none);
    let far = NetworkError::NoSuchNode { field: "terminals", node: 9, nodes: 3 };
    assert_eq!(refused(NetworkData { terminals: Some(vec![9]), ..base.clone() }), far);
    let twice = NetworkError::Twice { field: "no_transit", item: 1 };
    assert_eq!(refused(NetworkData { no_transit: vec![1, 1], ..base.clone() }), twice);
    let short = NetworkError::Length { field: "capacities", found: 1, expected: 4 };
    assert_eq!(refused(NetworkData { capacities: Some(vec![1]), ..base.clone() }), short);
    let zero = NetworkError::Zero { field: "capacities", item: 2 };
    assert_eq!(refused(NetworkData { capacities: Some(vec![1, 1, 0, 1]), ..base.clone() }), zero);
    let zero = NetworkError::Zero { field: "ports.send", item: 0 };
    assert_eq!(refused(NetworkData { send_ports: Ports::Each(0), ..base.clone() }), zero);
    let group = NetworkError::NoSuchChannel { group: 0, channel: 4 };
    assert_eq!(refused(NetworkData { half_duplex: vec![vec![0, 4]], ..base.clone() }), group);
    let labels = NetworkError::Length { field: "labels", found: 0, expected: 3 };
    assert_eq!(refused(NetworkData { labels: Some(vec![]), ..base }), labels);
}

#[test]
fn ill_posed_problems() {
    let refused = |parts: NetworkData, collective: Collective, model| {
        Problem::new(Network::new(parts).unwrap(), collective, model).map(|_| ()).unwrap_err()
    };
    let to = |v| Collective::pairs("permutation", &[(Node(0), Node(v))]);
    let unknown = ProblemError::NoSuchNode { message: Message(0), node: Node(5), nodes: 3 };
    assert_eq!(refused(path(3), to(5), Model::wormhole()), unknown);
    let hosts = NetworkData { terminals: Some(vec![0, 2]), ..path(3) };
    assert_eq!(
        refused(hosts.clone(), to(1), Model::wormhole()),
        ProblemError::Switch { message: Message(0), node: Node(1) }
    );
    // Under store-and-forward a switch holds nothing, so the two hosts are cut off from each other.
    let apart = ProblemError::Unreachable { message: Message(0), from: Node(0), to: Node(2) };
    assert!(Problem::new(Network::new(hosts.clone()).unwrap(), to(2), Model::wormhole()).is_ok());
    assert_eq!(refused(hosts.clone(), to(2), Model::store_and_forward()), apart);
    assert_eq!(refused(NetworkData { no_transit: vec![1], ..hosts }, to(2), Model::wormhole()), apart);
    // A terminal that lets no path through still receives and sends on.
    let relay = Network::new(NetworkData { no_transit: vec![1], ..path(3) }).unwrap();
    assert!(Problem::new(relay, to(2), Model::wormhole()).is_ok());
}

#[test]
fn chunks_follow_each_other() {
    let nodes = nodes(&[0, 1, 2]);
    let whole = Collective::alltoall(&nodes, &nodes);
    let cut = whole.in_chunks(3);
    assert_eq!((whole.chunks(), cut.chunks(), cut.message_count()), (1, 3, 18));
    for m in cut.messages() {
        let from = Message(m.0 / 3);
        assert_eq!((cut.origin(m), cut.destinations(m)), (whole.origin(from), whole.destinations(from)));
    }
    assert_eq!(cut.in_chunks(2), whole.in_chunks(6));
    assert_eq!(Collective::reduce(Node(0), &nodes).in_chunks(2).reversed().unwrap().chunks(), 2);
    let pairs = |list: &[(u32, u32)]| {
        let list: Vec<_> = list.iter().map(|&(a, b)| (Node(a), Node(b))).collect();
        Collective::pairs("alltoallv", &list)
    };
    let known = pairs(&[(0, 1), (0, 1), (2, 1), (2, 1)]);
    assert_eq!(known.known_in_chunks(2).unwrap(), pairs(&[(0, 1), (2, 1)]).in_chunks(2));
    assert_eq!(known.known_in_chunks(4).unwrap_err(), CollectiveError::Chunks { message: 2, chunks: 4 });
    assert_eq!(known.known_in_chunks(3).unwrap_err(), CollectiveError::Chunks { message: 2, chunks: 3 });
    assert_eq!(known.known_in_chunks(0).unwrap_err(), CollectiveError::Chunks { message: 3, chunks: 0 });
    // Chunks are a run, and so are messages of the same ends that are not known to be chunks.
    let run = |first, messages| MessageRun { first: Message(first), messages };
    assert_eq!(known.runs().collect::<Vec<_>>(), [run(0, 2), run(2, 2)]);
    assert_eq!(cut.runs().collect::<Vec<_>>(), (0..6).map(|m| run(3 * m, 3)).collect::<Vec<_>>());
    assert_eq!(known.in_chunks(5).runs().collect::<Vec<_>>(), [run(0, 10), run(10, 10)]);
    assert_eq!(pairs(&[]).runs().next(), None);
    let short = pairs(&[(0, 1), (0, 1), (0, 1)]);
    assert_eq!(short.known_in_chunks(2).unwrap_err(), CollectiveError::Chunks { message: 2, chunks: 2 });
}

#[test]
fn titles_name_who_takes_part_where_not_everybody_does() {
    let labels = ["core0", "core1", "mem", "io", "dsp"].map(str::to_owned).to_vec();
    let named = Network::new(NetworkData { labels: Some(labels), ..path(5) }).unwrap();
    let (all, some) = (nodes(&[0, 1, 2, 3, 4]), nodes(&[1, 2]));
    let told = |collective: &Collective| collective.title(&named);
    for usual in [Collective::alltoall(&all, &all), Collective::scan(&all), Collective::exscan(&all)] {
        assert_eq!(told(&usual), format!("{} on path:5", usual.name()));
    }
    assert_eq!(told(&Collective::broadcast(Node(0), &all)), "broadcast on path:5");
    assert_eq!(told(&Collective::reduce(Node(0), &all)), "reduce on path:5");
    assert_eq!(told(&Collective::reduce(Node(2), &all)), "reduce to mem on path:5");
    assert_eq!(told(&Collective::scatter(Node(2), &all)), "scatter from mem on path:5");
    assert_eq!(told(&Collective::broadcast(Node(0), &some)), "broadcast from core0 to core1, mem on path:5");
    assert_eq!(told(&Collective::allreduce(&some)), "allreduce among core1, mem on path:5");
    assert_eq!(told(&Collective::alltoall(&some, &all)), "alltoall from core1, mem on path:5");
    assert_eq!(told(&Collective::alltoall(&all[..1], &all)), "alltoall from core0 on path:5");
    assert_eq!(told(&Collective::allgather(&[], &[])), "allgather on path:5");
    let switched = Network::new(NetworkData { terminals: Some((0..7).collect()), ..path(9) }).unwrap();
    let six = nodes(&[0, 1, 2, 3, 4, 6]);
    assert_eq!(Collective::allgather(&six, &six).title(&switched), "allgather among 6 of 7 terminals on path:9");
}

/// Nothing as large as the largest number is made of nodes that no network has.
#[test]
fn whoever_takes_part_is_listed_whatever_the_numbers() {
    let far = Node(u32::MAX - 1);
    let pairs = Collective::pairs("permutation", &[(far, Node(1)), (Node(7), far)]);
    assert_eq!(pairs.ranks(), [Node(1), Node(7), far]);
}

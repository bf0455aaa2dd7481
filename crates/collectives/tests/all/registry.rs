//! Collectives by name, and what they make of a selection.

use collectives::{COLLECTIVES, Selection, SelectionError, build, find};
use kernel::{Network, NetworkData, Node};

fn line(nodes: u32) -> Network {
    let links = (1..nodes).flat_map(|v| [(v - 1, v), (v, v - 1)]);
    Network::new(NetworkData { name: "line".into(), nodes, channels: links.collect(), ..NetworkData::default() })
        .unwrap()
}

#[test]
fn abbreviations_mean_the_same_in_any_case() {
    let pairs = [
        ("OAB", "broadcast"),
        ("oas", "scatter"),
        ("Aog", "gather"),
        ("AOR", "reduce"),
        ("aab", "allgather"),
        ("AAS", "alltoall"),
        ("AAG", "alltoall"),
        ("AAR", "reduce_scatter"),
        ("MNB", "allgather"),
        ("MNS", "alltoall"),
        ("reduce-scatter", "reduce_scatter"),
    ];
    for (short, name) in pairs {
        assert_eq!(find(short).map(|k| k.name), Some(name), "{short}");
    }
    assert!(find("alltonone").is_none());
}

#[test]
fn names_are_distinct() {
    let names = COLLECTIVES.iter().flat_map(|k| k.also.iter().chain([&k.name])).map(|n| n.to_ascii_lowercase());
    let mut all: Vec<_> = names.collect();
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);
}

#[test]
fn every_kind_builds_on_a_line() {
    let network = line(4);
    for kind in COLLECTIVES {
        let mut selection = Selection::of(&network);
        if kind.parameters.contains(&"pairs") {
            selection.pairs = Some(vec![(Node(0), Node(3)), (Node(3), Node(1))]);
        } else if kind.parameters.contains(&"counts") {
            selection.counts = Some(vec![1, 0, 2, 3]);
        }
        let collective = kind.build(&selection).unwrap();
        assert_eq!(collective.name(), kind.name);
        assert_eq!(collective.semantics(), kind.semantics);
        assert!(collective.message_count() > 0);
    }
}

#[test]
fn several_senders_make_it_many_to_many() {
    let network = line(4);
    let selection = Selection::of(&network).with_senders([Node(0), Node(1)]);
    let broadcast = find("broadcast").unwrap();
    assert_eq!(broadcast.build(&selection).unwrap().name(), "allgather");
    assert_eq!(find("scatter").unwrap().build(&selection).unwrap().message_count(), 6);
    let selection = selection.with_senders([Node(2)]);
    assert_eq!(broadcast.build(&selection).unwrap().root(), Some(Node(2)));
    let selection = selection.with_root(Node(1));
    assert_eq!(broadcast.build(&selection), Err(SelectionError::RootAndList));
}

#[test]
fn selections_that_do_not_fit_are_refused() {
    assert_eq!(build("allsome", &line(3)), Err(SelectionError::Unknown { name: "allsome".into() }));
    let network = line(3);
    let fit = |name: &str, change: fn(&mut Selection<'_>)| {
        let mut selection = Selection::of(&network);
        change(&mut selection);
        find(name).unwrap().build(&selection).unwrap_err()
    };
    assert_eq!(fit("alltoall", |s| s.root = Some(Node(0))), SelectionError::NoRoot { name: "alltoall" });
    assert_eq!(fit("alltoallv", |_| ()), SelectionError::NeedsPairs { name: "alltoallv" });
    for kind in COLLECTIVES {
        let taken = |what: &str| kind.parameters.contains(&what);
        type Change = fn(&mut Selection<'_>);
        let given: [(&str, Change); 7] = [
            ("pairs", |s| s.pairs = Some(vec![])),
            ("counts", |s| s.counts = Some(vec![1; 3])),
            ("groups", |s| s.groups = Some(vec![vec![Node(0), Node(1)]])),
            ("roots", |s| s.roots = Some(vec![Node(1)])),
            ("senders", |s| s.senders = Some(vec![Node(1)])),
            ("receivers", |s| s.receivers = Some(vec![Node(1)])),
            ("graph", |s| s.graph = Some(s.network)),
        ];
        for (what, change) in given.into_iter().filter(|(what, _)| !taken(what)) {
            assert_eq!(fit(kind.name, change), SelectionError::TakesNo { name: kind.name, what });
        }
    }
    assert_eq!(fit("scatter", |s| s.receivers = Some(vec![Node(0)])), SelectionError::NoMessages);
    let twice = fit("permutation", |s| s.pairs = Some(vec![(Node(0), Node(1)), (Node(2), Node(1))]));
    assert_eq!(twice, SelectionError::NotPermutation { node: Node(1), does: "receives" });
}

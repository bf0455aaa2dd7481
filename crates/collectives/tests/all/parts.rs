//! Laws of groups, several roots, counts and neighbourhoods: each is the plain collective where it asks for no more than that.

use collectives::{COLLECTIVES, Kind, LARGEST, Selection, SelectionError, build, find, groups, in_chunks};
use kernel::{Collective, Network, Node};

fn network(spec: &str) -> Network {
    topologies::parse(spec).unwrap()
}

fn nodes(list: &[u32]) -> Vec<Node> {
    list.iter().map(|v| Node(*v)).collect()
}

fn kind(name: &str) -> &'static Kind {
    find(name).unwrap()
}

/// Contributors and destinations, message by message.
fn messages(collective: &Collective) -> Vec<(Vec<Node>, Vec<Node>)> {
    let ends = |m| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec());
    collective.messages().map(ends).collect()
}

/// The kinds that can be done in groups, with a selection for each.
fn grouped(network: &Network) -> impl Iterator<Item = (&'static Kind, Selection<'_>)> {
    COLLECTIVES.iter().filter(|kind| kind.parameters.contains(&"groups")).map(|kind| {
        let all = Selection::of(network);
        let counts: Vec<u32> = (0..network.members().len() as u32).map(|i| i % 4).collect();
        (kind, if kind.parameters.contains(&"counts") { all.with_counts(counts) } else { all })
    })
}

#[test]
fn one_group_of_all_is_the_plain_collective() {
    for spec in ["ring:6", "fat-tree:4", "mesh:2x3"] {
        let network = network(spec);
        for (kind, selection) in grouped(&network) {
            let plain = kind.build(&selection).unwrap();
            let whole = selection.with_groups([network.members().to_vec()]);
            assert_eq!(kind.build(&whole), Ok(plain), "{} on {spec}", kind.name);
        }
    }
}

#[test]
fn groups_are_the_plain_collectives_side_by_side() {
    let network = network("mesh:2x3");
    for (kind, selection) in grouped(&network) {
        let both = kind.build(&selection.clone().with_groups([nodes(&[5, 1, 3]), nodes(&[0, 2, 4])])).unwrap();
        let apart = [[1, 3, 5], [0, 2, 4]].map(|members| {
            let of = |counts: &Vec<u32>| members.iter().map(|v| counts[*v as usize]).collect();
            let counts = selection.counts.as_ref().map(of);
            let part = Selection { counts, ..Selection::of(&network).with_groups([nodes(&members)]) };
            messages(&kind.build(&part).unwrap())
        });
        assert_eq!(messages(&both), apart.concat(), "{}", kind.name);
        assert_eq!((both.name(), both.root()), (kind.name, None));
    }
}

#[test]
fn one_root_of_several_is_the_plain_root() {
    let network = network("torus:3x3");
    for kind in COLLECTIVES.iter().filter(|kind| kind.parameters.contains(&"roots")) {
        let mut selection = Selection::of(&network);
        if kind.parameters.contains(&"counts") {
            selection.counts = Some((0..9).collect());
        }
        let one = |root| kind.build(&selection.clone().with_root(root)).unwrap();
        assert_eq!(kind.build(&selection.clone().with_roots([Node(4)])), Ok(one(Node(4))), "{}", kind.name);
        let two = kind.build(&selection.clone().with_roots([Node(7), Node(4)])).unwrap();
        assert_eq!(messages(&two), [messages(&one(Node(7))), messages(&one(Node(4)))].concat(), "{}", kind.name);
        assert_eq!((two.name(), two.root(), two.semantics()), (kind.name, None, kind.semantics));
    }
}

#[test]
fn equal_counts_are_chunks() {
    let network = network("mesh:2x3");
    for (counted, plain) in [
        ("allgatherv", "allgather"),
        ("gatherv", "gather"),
        ("scatterv", "scatter"),
        ("reduce_scatterv", "reduce_scatter"),
    ] {
        for k in [1, 3] {
            let selection = Selection::of(&network).with_counts([k; 6]);
            let chunks = in_chunks(&build(plain, &network).unwrap(), k).unwrap();
            assert_eq!(messages(&kind(counted).build(&selection).unwrap()), messages(&chunks), "{counted}, {k}");
        }
    }
    let matrix = Selection::of(&network).with_counts([2; 36]);
    let chunks = in_chunks(&build("alltoall", &network).unwrap(), 2).unwrap();
    assert_eq!(messages(&kind("alltoallw").build(&matrix).unwrap()), messages(&chunks));
}

#[test]
fn counts_say_how_many_messages_each_has() {
    let network = network("ring:4");
    let with = |name: &str, counts: &[u32]| kind(name).build(&Selection::of(&network).with_counts(counts)).unwrap();
    let from: Vec<Node> = messages(&with("allgatherv", &[3, 1, 0, 2])).into_iter().map(|(from, _)| from[0]).collect();
    assert_eq!(from, nodes(&[0, 0, 0, 1, 3, 3]));
    let to: Vec<Node> = messages(&with("reduce_scatterv", &[0, 0, 2, 1])).into_iter().map(|(_, to)| to[0]).collect();
    assert_eq!(to, nodes(&[2, 2, 3]));
    // What the root keeps is no message.
    assert_eq!(messages(&with("gatherv", &[9, 0, 1, 0])), [(nodes(&[2]), nodes(&[0]))]);
    let row_by_row = [9, 0, 1, 0, 0, 9, 0, 0, 0, 0, 9, 2, 0, 0, 0, 9];
    let pair = |from, to| (nodes(&[from]), nodes(&[to]));
    assert_eq!(messages(&with("alltoallv", &row_by_row)), [pair(0, 2), pair(2, 3), pair(2, 3)]);
}

#[test]
fn gatherv_run_backwards_is_scatterv() {
    let network = network("torus:3x3");
    let with =
        |name: &str| kind(name).build(&Selection::of(&network).with_counts([2, 0, 1, 1, 3, 0, 0, 1, 1])).unwrap();
    let reversed = |name: &str| messages(&with(name).reversed().unwrap());
    assert_eq!(reversed("gatherv"), messages(&with("scatterv")));
    assert_eq!(reversed("reduce_scatterv"), messages(&with("allgatherv")));
}

#[test]
fn neighbours_in_a_complete_graph_are_all() {
    let (host, complete) = (network("fat-tree:8"), network("complete:8"));
    let selection = Selection::of(&host).with_graph(&complete);
    for (near, all) in [("neighbor_alltoall", "alltoall"), ("neighbor_allgather", "allgather")] {
        let plain = build(all, &host).unwrap();
        assert_eq!(messages(&kind(near).build(&selection).unwrap()), messages(&plain), "{near}");
        assert_eq!(messages(&build(near, &complete).unwrap()), messages(&build(all, &complete).unwrap()), "{near}");
    }
    // Nodes of the graph are terminals in order, whatever their numbers, and parallel channels are one neighbour.
    let damaged = topologies::change::without_node(&network("ring:5"), Node(1)).unwrap();
    let one_way = network("ring-uni:3");
    let shifted = kind("neighbor_alltoall").build(&Selection::of(&damaged).with_graph(&one_way)).unwrap();
    let pair = |from, to| (nodes(&[from]), nodes(&[to]));
    assert_eq!(messages(&shifted), [pair(0, 2), pair(2, 3), pair(3, 0)]);
}

#[test]
fn what_keeps_neighbourhoods_from_being_any() {
    let (ring, tree) = (network("ring:4"), network("fat-tree:4"));
    let build = |network, graph| kind("neighbor_alltoall").build(&Selection { graph, ..Selection::of(network) });
    assert!(matches!(build(&tree, None), Err(SelectionError::NoNeighbours { .. })));
    assert!(matches!(build(&ring, Some(&tree)), Err(SelectionError::GraphHasSwitches { .. })));
    let large = network("ring:5");
    assert!(matches!(build(&ring, Some(&large)), Err(SelectionError::GraphTooLarge { nodes: 5, terminals: 4, .. })));
}

#[test]
fn groups_that_are_none() {
    let network = network("ring:6");
    let fault = |lists: &[&[u32]], roots: Option<&[u32]>| {
        let groups: Vec<Vec<Node>> = lists.iter().map(|list| nodes(list)).collect();
        let selection = Selection { roots: roots.map(nodes), ..Selection::of(&network).with_groups(groups) };
        kind("broadcast").build(&selection).map(|c| c.message_count())
    };
    let node = Node(2);
    assert_eq!(fault(&[&[0, 1, 2], &[2, 3]], None), Err(SelectionError::GroupsMeet { node, first: 1, second: 2 }));
    assert_eq!(fault(&[&[0, 1], &[2]], None), Err(SelectionError::GroupOfOne { group: 2, node }));
    assert_eq!(fault(&[&[]], None), Err(SelectionError::EmptyGroup { group: 1 }));
    assert_eq!(fault(&[&[0, 1], &[2, 3]], Some(&[1])), Err(SelectionError::GroupWithoutRoot { group: 2 }));
    assert_eq!(fault(&[&[0, 1], &[3, 4]], Some(&[1, 2, 3])), Err(SelectionError::RootOutside { root: node }));
    assert_eq!(fault(&[&[0, 1], &[2, 3]], Some(&[1, 3, 2])), Ok(3));
    let both = Selection::of(&network).with_groups([nodes(&[0, 1])]).with_senders([Node(0)]);
    assert_eq!(kind("scatter").build(&both), Err(SelectionError::GroupsAndLists));
    let both = Selection::of(&network).with_roots([Node(0)]).with_root(Node(0));
    assert_eq!(kind("scatter").build(&both), Err(SelectionError::RootAndList));
}

#[test]
fn counts_that_do_not_fit() {
    let network = network("ring:6");
    let fault = |name: &str, selection: Selection<'_>| kind(name).build(&selection).unwrap_err();
    let all = || Selection::of(&network);
    let (nodes_6, whose) = (6, "senders");
    assert_eq!(fault("gatherv", all()), SelectionError::NeedsCounts { name: "gatherv", nodes: nodes_6, whose });
    assert_eq!(fault("gatherv", all().with_counts([1; 5])), SelectionError::CountsOf { given: 5, nodes: 6, whose });
    let (some, whose) = (all().with_receivers([Node(1), Node(2)]), "receivers");
    assert_eq!(fault("scatterv", some.with_counts([1; 6])), SelectionError::CountsOf { given: 6, nodes: 2, whose });
    let (pair, whose) = (all().with_groups([nodes(&[1, 2])]), "members of the groups");
    assert_eq!(fault("allgatherv", pair.with_counts([1; 6])), SelectionError::CountsOf { given: 6, nodes: 2, whose });
    assert_eq!(fault("allgatherv", all().with_counts([0; 6])), SelectionError::NoMessages);
    let most = fault("allgatherv", all().with_counts([u32::MAX; 6]));
    assert_eq!(most, SelectionError::TooLarge { entries: 30 * u64::from(u32::MAX) });
    assert!(30 * u64::from(u32::MAX) > LARGEST);
    let both = all().with_counts([1; 36]).with_pairs([(Node(0), Node(1))]);
    assert_eq!(fault("alltoallv", both), SelectionError::PairsAndCounts);
    assert!(matches!(fault("alltoallv", all().with_counts([u32::MAX; 36])), SelectionError::TooLarge { .. }));
}

#[test]
fn lines_have_names() {
    let named = |text: &str, spec: &str| groups::parse(text, &network(spec)).unwrap();
    let lines = |lists: &[&[u32]]| Ok(lists.iter().map(|list| nodes(list)).collect());
    assert_eq!(named("rows", "mesh:2x3"), lines(&[&[0, 1, 2], &[3, 4, 5]]));
    assert_eq!(named("columns", "mesh:2x3"), lines(&[&[0, 3], &[1, 4], &[2, 5]]));
    assert_eq!(named("dim:0", "mesh:2x3"), named("columns", "mesh:2x3"));
    assert_eq!(named("dim:1", "product:kautz:2,2,ring:3").unwrap()[5], nodes(&[15, 16, 17]));
    assert_eq!(named("dim:0", "hypercube:2"), lines(&[&[0, 2], &[1, 3]]));
    let damaged = topologies::change::without_node(&network("mesh:2x3"), Node(3)).unwrap();
    assert_eq!(groups::parse("columns", &damaged), Some(lines(&[&[1, 4], &[2, 5]])));
    for (text, spec, says) in [
        ("rows", "torus:2x2x2", "rows and columns need two dimensions, but torus:2x2x2 has 3"),
        ("columns", "petersen", "not known as a mesh"),
        ("dim:2", "mesh:2x3", "`dim:2` names none of the dimensions of mesh:2x3, 0 to 1"),
        ("dim:x", "mesh:2x3", "`dim:x` names none"),
        ("dim:0", "mesh:1x4", "have one member each"),
    ] {
        let error = named(text, spec).unwrap_err().to_string();
        assert!(error.contains(says), "{text} on {spec}: {error}");
    }
    assert!(groups::parse("0-3/4-7", &network("ring:8")).is_none());
}

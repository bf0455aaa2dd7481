//! Counts, groups, several roots and neighbourhoods, as a user types them, from `solve` to `check`; and what is none.

use crate::round_trips::round_trip;
use crate::{Folder, quadrille};

/// Steps and floor of what goes to a file and back.
fn steps(line: &str) -> (u64, u64) {
    let solved = round_trip(line);
    (solved["steps"].as_u64().unwrap(), solved["bound"].as_u64().unwrap())
}

#[test]
fn counts_of_messages() {
    assert_eq!(steps("ring:4 allgatherv --counts 3,1,0,2"), (3, 3));
    assert_eq!(steps("ring:8 gatherv --counts 1,1,2,0,0,3,1,1 --root 3"), (5, 5));
    assert_eq!(steps("hypercube:3 scatterv --counts 0,1,2,3,0,1,2,3 --ports one"), (12, 12));
    assert_eq!(steps("mesh:2x3 reduce_scatterv --counts 1,0,2,0,1,0 --switching store-and-forward").0, 3);
    assert_eq!(steps("ring:4 scatterv --counts 0,2,2,2 --switching tdm").0, 3);
    let folder = Folder::new();
    let file = folder.write("counts.txt", "3 1 # the first two\n0,2\n");
    let solved = round_trip(&format!("ring:4 allgatherv --counts {file} --combining"));
    assert_eq!((&solved["collective"], &solved["chunks"]), (&"allgatherv".into(), &1.into()));
    let matrix = folder.write("matrix.txt", "0 2 0 0\n0 0 2 0\n0 0 0 2\n2 0 0 0\n");
    let solved = round_trip(&format!("ring:4 alltoallw --counts {matrix}"));
    assert_eq!(
        (&solved["collective"], &solved["steps"], &solved["transfers"]),
        (&"alltoallv".into(), &2.into(), &8.into())
    );
}

#[test]
fn groups_at_once() {
    assert_eq!(steps("torus:4x4 alltoall --groups rows"), (2, 2));
    assert_eq!(steps("mesh:2x3 allgather --groups columns"), (1, 1));
    assert_eq!(steps("torus:2x2x4 allgather --groups dim:2 --ticks 1000000"), (2, 2));
    assert_eq!(steps("ring:8 allreduce --groups 0-3/4-7 --switching store-and-forward"), (3, 3));
    assert_eq!(steps("ring:8 scatter --groups 0-3;4-7"), (2, 2));
    assert_eq!(steps("hypercube:3 gatherv --groups 0-3/4-7 --counts 1,1,1,2,1,1,1,1 --roots 0,7 --ports one"), (4, 4));
    assert_eq!(steps("mesh:3x4 permutation --pairs shift:1 --groups rows"), (1, 1));
    assert_eq!(steps("mesh:3x3 alltoall --groups rows --fail-node 4"), (3, 3));
    let one = round_trip("ring:6 broadcast --groups 0-5 --root 2");
    let plain = round_trip("ring:6 broadcast --root 2");
    assert_eq!((&one["steps"], &one["bound"]), (&plain["steps"], &plain["bound"]));
}

#[test]
fn several_roots() {
    assert_eq!(steps("ring:8 scatter --roots 0,4"), (4, 4));
    assert_eq!(steps("ring:8 gather --roots 0,4 --ports one"), (7, 7));
    assert_eq!(steps("hypercube:3 broadcast --roots 0,7").0, 2);
    // A reduction of its own for each root, not one for both.
    let solved = round_trip("ring:4 reduce --roots 0,2");
    assert_eq!((&solved["collective"], &solved["transfers"]), (&"reduce".into(), &6.into()));
}

#[test]
fn neighbourhoods() {
    assert_eq!(steps("torus:4x4 neighbor_alltoall"), (1, 1));
    assert_eq!(steps("petersen neighbor_allgather --ports one"), (3, 3));
    assert_eq!(steps("fat-tree:16 neighbour-alltoall --graph torus:4x4"), (4, 4));
    let folder = Folder::new();
    let graph = folder.write("processes.edges", "0 1\n1 > 5\n");
    let solved = round_trip(&format!("ring:6 neighbor_alltoall --graph {graph}"));
    assert_eq!(solved["transfers"], 3);
}

#[test]
fn what_does_not_fit() {
    let solve = |line: &str| quadrille(&format!("solve {line}"));
    solve("ring:8 allgatherv").fails(2, "needs counts, one for each of 8 senders", "--counts");
    solve("ring:8 allgatherv --counts 1,2").fails(2, "2 counts were given for 8 senders", "one for each");
    solve("ring:4 scatterv --counts 1,x,1,1").fails(2, "--counts: `x` is not a number of messages", "3,1,0,2");
    solve("ring:4 scatterv --counts -1,0,0,0").fails(2, "`-1` is not a number", "whole numbers");
    solve("ring:4 scatterv --counts 4294967295,4294967295,1,1").fails(2, "more than", "smaller");
    solve("ring:4 scatterv --counts counts.txt").fails(2, "`counts.txt` is not a number of messages", "file");
    solve("ring:4 gatherv --counts 5,0,0,0").fails(2, "no message to send", "other senders");
    solve("ring:8 alltoall --counts 1,2").fails(2, "alltoall takes no counts", "--groups");
    solve("ring:4 alltoallv --counts 1,2").fails(2, "2 counts were given for 16 pairs of terminals", "--counts");
    let folder = Folder::new();
    let file = folder.write("counts.txt", "1 2\n3 many\n");
    solve(&format!("ring:4 scatterv --counts {file}")).fails(2, "counts.txt:2: `many` is not a number", "whole");

    solve("ring:8 alltoall --groups 0-3/3-7").fails(2, "node 3 is in group 1 and in group 2", "one group only");
    solve("ring:8 alltoall --groups 0-3/4").fails(2, "group 2 has one member, node 4", "leave it out");
    solve("ring:8 alltoall --groups 0-3/4-9").fails(2, "--groups: ring:8 has no node 9", "0 to 7");
    solve("ring:8 alltoall --groups 0-3//4-7").fails(2, "--groups: the list `` has an empty entry", "commas");
    solve("ring:8 alltoall --groups lines").fails(2, "`lines` names no groups", "rows, columns, dim:K");
    solve("petersen alltoall --groups rows").fails(2, "petersen is not known as a mesh", "0-3/4-7");
    solve("mesh:3x4 alltoall --groups dim:2").fails(2, "none of the dimensions of mesh:3x4, 0 to 1", "dim:K");
    solve("ring:8 alltoall --groups 0-3/4-7 --senders 0").fails(2, "cannot be used with", "help");
    solve("ring:8 neighbor_alltoall --groups 0-3/4-7").fails(2, "neighbor_alltoall takes no groups", "--graph");

    solve("ring:8 allgather --roots 0,4").fails(2, "allgather takes no roots", "--senders");
    solve("ring:8 scatter --roots 0,9").fails(2, "--roots: ring:8 has no node 9", "0 to 7");
    solve("ring:8 scatter --roots 0,4 --root 3").fails(2, "cannot be used with", "help");
    solve("ring:8 scatter --groups 0-3/4-7 --roots 1").fails(
        2,
        "none of the roots is in group 2",
        "lowest-numbered member",
    );
    solve("ring:8 scatter --groups 0-2/4-7 --roots 0,3,4").fails(2, "the root 3 is in no group", "--roots");

    solve("ring:8 alltoall --graph ring:8").fails(2, "alltoall takes no graph", "--senders");
    solve("ring:8 neighbor_alltoall --senders 1").fails(2, "neighbor_alltoall takes no senders", "--graph");
    solve("ring:8 neighbor_alltoall --graph ring:9").fails(2, "ring:9 has 9 nodes, more than the 8 terminals", "i-th");
    solve("ring:8 neighbor_alltoall --graph fat-tree:8").fails(2, "fat-tree:8 has switches", "--graph");
    solve("fat-tree:8 neighbor_alltoall").fails(2, "no channel of fat-tree:8 joins two of its terminals", "--graph");
    solve("ring:8 neighbor_alltoall --graph rings:8").fails(2, "no family of networks `rings`", "ring");
}

#[test]
fn they_are_listed() {
    let listed = quadrille("collectives").good();
    for name in ["allgatherv", "gatherv", "scatterv", "reduce_scatterv", "neighbor_alltoall", "alltoallw"] {
        assert!(listed.contains(name), "{name}: {listed}");
    }
    assert!(quadrille("collectives gatherv").good().contains("--counts"));
    quadrille("solve ring:8 neighbour_alltoal").fails(2, "is not a collective", "neighbour_alltoall");
}

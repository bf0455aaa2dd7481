//! Textbook algorithms of message-passing libraries: on networks where one fits, schedules take no more steps than its formula says.
//!
//! Formulas in steps of one message a port: R. Thakur, R. Rabenseifner, W. Gropp, Optimization of collective communication operations in MPICH, 2005 (binomial trees,
//! rings, recursive doubling and halving, Rabenseifner's allreduce); J. Bruck et al., 1997 (dissemination); P. Sanders, J. Speck, J. L. Träff,
//! Two-tree algorithms, 2009 (pipelines).

use crate::quadrille;

/// ⌈log₂ n⌉
fn log(n: u32) -> u32 {
    n.next_power_of_two().ilog2()
}

/// Collective and flags, with the formula of n nodes.
type Row = (&'static str, fn(u32) -> u32);

/// Where any node can call any other.
const COMPLETE: &[Row] = &[
    ("broadcast", log),
    ("broadcast --chunks 4", |n| 3 + log(n)),
    ("broadcast --chunks 16", |n| 15 + log(n)),
    ("reduce --chunks 16", |n| 15 + log(n)),
    ("reduce", log),
    ("scatter", |n| n - 1),
    ("scatter --combining", log),
    ("gather --combining", log),
    ("allgather", |n| n - 1),
    ("allgather --combining", log),
    ("reduce_scatter --chunks 4", |n| 4 * (n - 1)),
    ("reduce_scatter --combining", log),
    ("alltoall", |n| n - 1),
    ("alltoall --combining", log),
    ("allreduce", |n| if n.is_power_of_two() { log(n) } else { log(n) + 1 }),
    ("barrier", log),
    ("scan --combining", log),
];

/// Where nodes are neighbours of those that differ in a bit.
const HYPERCUBE: &[Row] = &[
    ("broadcast", log),
    ("broadcast --chunks 16", |n| 15 + log(n)),
    ("allgather", |n| n - 1),
    ("allgather --combining", log),
    ("reduce_scatter", |n| n - 1),
    ("reduce_scatter --combining", log),
    ("alltoall", |n| log(n) * n / 2),
    ("alltoall --combining", log),
    ("allreduce", log),
    ("allreduce --chunks 4", |n| 4 * log(n)),
    ("barrier", log),
    ("scan --combining", log),
];

/// Where a circuit passes all nodes.
const RING: &[Row] = &[
    ("broadcast --chunks 16", |n| n + 14),
    ("allgather", |n| n - 1),
    ("allgather --chunks 4", |n| 4 * (n - 1)),
    ("reduce_scatter", |n| n - 1),
];

#[test]
fn no_textbook_algorithm_takes_fewer_steps() {
    let stored = "--switching store-and-forward --ports one";
    let networks = [
        ("complete:6", 6, "--ports one", COMPLETE),
        ("complete:13", 13, "--ports one", COMPLETE),
        ("complete:16", 16, stored, COMPLETE),
        ("hypercube:3", 8, stored, HYPERCUBE),
        ("hypercube:4", 16, stored, HYPERCUBE),
        ("ring:9", 9, stored, RING),
        ("torus:3x4", 12, stored, RING),
        ("mesh:2x4", 8, stored, RING),
    ];
    for (network, nodes, model, rows) in networks {
        for (line, formula) in rows {
            let found = quadrille(&format!("solve {network} {line} {model} --ticks 20000 --threads 2 --json")).json(0);
            let steps = found["steps"].as_u64().expect("a schedule");
            assert!(
                steps <= u64::from(formula(nodes)),
                "{network} {line} {model}: {steps}, textbook {}",
                formula(nodes)
            );
        }
    }
    // In as many chunks as nodes, a reduce_scatter and an allgather.
    for (network, nodes) in [("hypercube:4", 16), ("ring:17", 17), ("torus:4x4", 16)] {
        let found =
            quadrille(&format!("solve {network} allreduce --chunks {nodes} {stored} --ticks 1000000 --json")).json(0);
        assert!(found["steps"].as_u64() <= Some(2 * (nodes - 1)), "{network}");
    }
}

/// Published runs of SCCL on the DGX-1 (Z. Cai et al., Synthesizing optimal collective algorithms, 2021, and its library): rounds of chunks a node.
#[test]
fn schedules_on_the_dgx1_are_as_short_as_published() {
    for (line, rounds) in [
        ("allgather", 2),
        ("allgather --chunks 2", 3),
        ("allgather --chunks 3", 4),
        ("allgather --chunks 4", 5),
        ("allgather --chunks 5", 6),
        ("allgather --chunks 6", 7),
        ("gather --chunks 6", 7),
        ("alltoall --chunks 3", 8),
        ("allreduce --chunks 48", 14),
    ] {
        let line = format!("solve dgx1 {line} --switching store-and-forward --ticks 3000000 --json --threads 2");
        let found = quadrille(&line).json(0);
        assert_eq!((found["steps"].as_u64(), found["optimal"].as_bool()), (Some(rounds), Some(true)), "{line}");
    }
    let found =
        quadrille("solve dgx1 allreduce --chunks 8 --switching store-and-forward --ticks 300000 --json").json(0);
    assert!(found["steps"].as_u64() <= Some(4));
}

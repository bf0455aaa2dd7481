//! Programs on Swapped Dragonflies and swapped hypercubes: their hops, no conflict, and the right numbers.

use kernel::{Semantics, verify};
use machine::compute::products::{Layout, matrix_product, vector_matrix};
use machine::compute::{ComputeError, Computed, Cube, Data, Emulation, Job, ascend, cannon, descend};
use topologies::Topology;
use topologies::families::hypercube::Hypercube;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::families::swapped_hypercube::SwappedHypercube;

fn layout(l: u32, m: u32, blocks: u32) -> Layout {
    Layout::new(SwappedDragonfly::new(l * l, m).unwrap(), Some(l * m * blocks)).unwrap()
}

#[test]
fn products_take_four_hops_a_round() {
    for (l, m, b) in [(1, 3, 1), (2, 2, 1), (2, 3, 1), (3, 2, 1), (3, 3, 1), (2, 5, 1), (2, 2, 3), (2, 3, 2), (3, 2, 2)]
    {
        let (layout, n) = (layout(l, m, b), u64::from(l * m * b));
        let b = u64::from(b);
        for (home, hops) in [(false, 4), (true, 5)] {
            let row = vector_matrix(layout, home, 7.into()).unwrap().report;
            assert_eq!((row.rounds, row.hops, row.conflicts), (b, hops * b, 0));
            assert!(row.error < 1e-12, "{row:?}");
        }
        let whole = matrix_product(layout, false, 7.into()).unwrap().report;
        assert_eq!((whole.rounds, whole.hops, whole.conflicts), (n * b, 4 * n * b + b * b, 0));
        assert!(whole.error < 1e-12, "{whole:?}");
        let batched = matrix_product(layout, true, 7.into()).unwrap().report;
        let rounds = n * b / u64::from(l.min(m));
        assert_eq!((batched.rounds, batched.hops, batched.conflicts), (rounds, 4 * rounds + b * b, 0));
        assert!(batched.error < 1e-12, "{batched:?}");
        assert!(batched.crossings > 0 && batched.crossings == whole.crossings);
    }
}

/// The hops between all routers, row by row.
fn distances(network: &kernel::Network) -> Vec<Vec<u32>> {
    let from = |start: kernel::Node| {
        let mut far = vec![u32::MAX; network.node_count()];
        far[start.index()] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for to in network.outgoing(node).iter().map(|c| network.to(*c)) {
                if far[to.index()] == u32::MAX {
                    far[to.index()] = far[node.index()] + 1;
                    queue.push_back(to);
                }
            }
        }
        far
    };
    network.nodes().map(from).collect()
}

/// A row that is multiplied in place needs five hops: whatever router holds a number of the matrix, for some number the way of some row's
/// factor to it and of the product to its place in that row is that long; and five are enough.
#[test]
fn no_router_for_the_matrix_makes_a_row_in_place_shorter_than_five_hops() {
    for (l, m) in [(2, 3), (2, 4), (3, 3)] {
        let d3 = SwappedDragonfly::new(l * l, m).unwrap();
        let far = distances(&d3.network());
        let at = |t: u32, u: u32, d: u32, p: u32| d3.node([t * l + u, d, p]) as usize;
        let lines: Vec<(u32, u32)> = (0..l).flat_map(|t| (0..m).map(move |d| (t, d))).collect();
        let needed = |(v, q): (u32, u32), (u, p): (u32, u32)| {
            let way = |holder: usize| {
                let of = |&(t, d): &(u32, u32)| far[at(t, v, d, q)][holder] + far[holder][at(t, u, d, p)];
                lines.iter().map(of).max().unwrap()
            };
            (0..far.len()).map(way).min().unwrap()
        };
        let most = lines.iter().flat_map(|row| lines.iter().map(|column| needed(*row, *column))).max().unwrap();
        assert_eq!(most, 5, "{l} {m}");
        assert_eq!(vector_matrix(layout(l, m, 1), true, 1.into()).unwrap().report.hops, 5);
    }
}

#[test]
fn cannon_aligns_and_shifts() {
    for (side, b) in [(2, 1), (3, 1), (4, 1), (5, 2), (6, 1), (4, 3), (9, 1)] {
        let computed = cannon::matrix_product(side, Some(side * b), 7.into()).unwrap();
        let (size, report) = (computed.result.len().isqrt(), computed.report);
        let hops = u64::from(b * b * (side / 2 + side - 1));
        assert_eq!((size, report.hops, report.conflicts), ((side * b) as usize, hops, 0), "{side} {b}");
        assert!(report.error < 1e-12, "{report:?}");
    }
    assert_eq!(cannon::matrix_product(4, Some(6), 1.into()).err(), Some(ComputeError::Size { size: 6, blocks: 4 }));
    assert_eq!(cannon::matrix_product(0, None, 1.into()).err(), Some(ComputeError::Size { size: 0, blocks: 0 }));
    assert!(matches!(cannon::matrix_product(5000, None, 1.into()), Err(ComputeError::TooLarge { .. })));
}

#[test]
fn sizes_must_fit() {
    let d3 = |k, m| SwappedDragonfly::new(k, m).unwrap();
    assert_eq!(Layout::new(d3(4, 3), Some(7)), Err(ComputeError::Size { size: 7, blocks: 6 }));
    assert_eq!(Layout::new(d3(4, 3), Some(0)), Err(ComputeError::Size { size: 0, blocks: 6 }));
    assert!(matches!(Layout::new(d3(4, 3), Some(600_000)), Err(ComputeError::TooLarge { .. })));
}

type Program = fn(Cube, bool, Job) -> Result<Computed, ComputeError>;

#[test]
fn ascends_and_descends_take_a_hop_a_bit_and_one() {
    for (k, m) in [(0, 1), (0, 2), (1, 1), (1, 2), (2, 2), (3, 1), (4, 2), (3, 3)] {
        let sbh = SwappedHypercube::new(k, m).unwrap();
        for home in [false, true] {
            let hops = u64::from(k + 2 * m + 1 + u32::from(home && k.is_multiple_of(2)));
            let programs: [(Program, u64); 5] = [
                (ascend::fourier, 1),
                (ascend::prefix_sums, 1),
                (descend::fourier, 1),
                (descend::merge, 1),
                (descend::convolution, 3),
            ];
            for (program, times) in programs {
                let report = program(sbh.into(), home, 3.into()).unwrap().report;
                assert_eq!((report.hops, report.conflicts), (times * hops, 0), "{k} {m} {home}");
                assert!(report.error < 1e-12 && report.crossings > 0, "{k} {m} {report:?}");
            }
        }
    }
}

#[test]
fn a_transform_of_many_items_is_compared_with_one_that_halves() {
    let report = ascend::fourier(SwappedHypercube::new(3, 5).unwrap().into(), true, 1.into()).unwrap().report;
    assert_eq!((report.hops, report.conflicts), (14, 0));
    assert!(report.error < 1e-12, "{report:?}");
    assert!(matches!(
        ascend::prefix_sums(SwappedHypercube::new(1, 10).unwrap().into(), true, 1.into()),
        Err(ComputeError::TooLarge { .. })
    ));
}

#[test]
fn sorting_is_a_descend_for_each_length_of_runs() {
    for (k, m) in [(0, 1), (0, 3), (1, 1), (2, 2), (3, 1), (4, 2), (3, 3)] {
        let report = descend::sort(SwappedHypercube::new(k, m).unwrap().into(), 5.into()).unwrap().report;
        let merging = |s: u32| match s {
            s if s <= m => s,
            s if s > 2 * m && (s - 2 * m) % 2 == 1 => s + 1,
            s => s + 2,
        };
        let hops: u32 = (1..=k + 2 * m).map(merging).sum();
        assert_eq!((report.hops, report.conflicts, report.error), (hops.into(), 0, 0.0), "{k} {m}");
    }
}

/// On a plain hypercube every bit is a hop; on the swapped one of as many nodes, with half the links or fewer, one more or two.
#[test]
fn plain_hypercubes_take_a_hop_a_bit() {
    for bits in 1..=8u32 {
        let cube = Cube::from(Hypercube::new(bits).unwrap());
        let programs: [(Program, u64); 5] = [
            (ascend::fourier, 1),
            (ascend::prefix_sums, 1),
            (descend::fourier, 1),
            (descend::merge, 1),
            (descend::convolution, 3),
        ];
        for (program, times) in programs {
            let report = program(cube, true, 3.into()).unwrap().report;
            assert_eq!((report.hops, report.conflicts), (times * u64::from(bits), 0));
            assert!(report.error < 1e-12, "{report:?}");
        }
        let sorted = descend::sort(cube, 3.into()).unwrap().report;
        assert_eq!((sorted.hops, sorted.error), (u64::from(bits * (bits + 1) / 2), 0.0));
    }
}

/// A swapped hypercube plays a plain one: one, two or three hops for a bit of the place, the cabinet or the drawer, or four for each.
#[test]
fn emulated_bits_take_their_paths() {
    for (k, m) in [(0, 1), (1, 1), (2, 2), (3, 2), (1, 3)] {
        let sbh = SwappedHypercube::new(k, m).unwrap();
        for (emulation, hops) in [(Emulation::Shortest, 2 * (k + 2 * m)), (Emulation::Uniform, 4 * (k + 2 * m))] {
            for program in [ascend::fourier, ascend::prefix_sums, descend::fourier, descend::merge] {
                let job = Job { keep_moves: true, ..3.into() };
                let run = program(Cube::Emulated(sbh, emulation), false, job).unwrap();
                assert_eq!((run.report.hops, run.report.conflicts), (hops.into(), 0), "{k} {m}");
                assert!(run.report.error < 1e-12, "{:?}", run.report);
                let told = run.moves.unwrap().communication(&run.network, "test").unwrap();
                assert_eq!(verify(&told.problem, told.schedule).unwrap().channel_uses(), run.report.crossings);
            }
        }
    }
}

/// The moves of every program are a schedule without conflicts that the kernel verifies, a step a hop and a transfer a crossing.
#[test]
fn moves_are_schedules_that_the_kernel_verifies() {
    let job = || Job { keep_moves: true, ..3.into() };
    let d3 = SwappedDragonfly::new(5, 3).unwrap();
    let sbh = || Cube::from(SwappedHypercube::new(2, 2).unwrap());
    let runs = [
        (vector_matrix(layout(2, 3, 1), false, job()), Semantics::Reduce),
        (vector_matrix(layout(2, 3, 2), true, job()), Semantics::Reduce),
        (matrix_product(layout(2, 3, 2), false, job()), Semantics::Reduce),
        (matrix_product(layout(3, 2, 1), true, job()), Semantics::Reduce),
        (matrix_product(Layout::new(d3, Some(6)).unwrap(), true, job()), Semantics::Reduce),
        (cannon::matrix_product(4, Some(8), job()), Semantics::Copy),
        (ascend::fourier(sbh(), true, job()), Semantics::Copy),
        (ascend::prefix_sums(Hypercube::new(4).unwrap().into(), false, job()), Semantics::Copy),
        (descend::convolution(sbh(), false, job()), Semantics::Copy),
        (descend::sort(sbh(), job()), Semantics::Copy),
    ];
    for (run, semantics) in runs {
        let Computed { report, network, moves, .. } = run.unwrap();
        let told = moves.unwrap().communication(&network, "test").unwrap();
        assert_eq!(told.problem.collective().semantics(), semantics);
        assert_eq!(told.names.len(), told.problem.collective().message_count());
        let verified = verify(&told.problem, told.schedule).unwrap();
        assert_eq!((verified.steps() as u64, verified.channel_uses()), (report.hops, report.crossings));
    }
}

/// A sum is one chunk: of a row times a matrix, one for each number of the row and one for each of the product, with L·M contributors.
#[test]
fn a_row_times_a_matrix_is_broadcasts_and_sums() {
    let run = vector_matrix(layout(2, 3, 1), true, Job { keep_moves: true, ..1.into() }).unwrap();
    let told = run.moves.unwrap().communication(&run.network, "row").unwrap();
    let collective = told.problem.collective();
    let sizes = |m: kernel::Message| (collective.contributors(m).len(), collective.destinations(m).len());
    let sums: Vec<_> = collective.messages().filter(|m| sizes(*m).0 > 1).collect();
    assert_eq!(sums.len(), 6);
    for sum in sums {
        assert_eq!(sizes(sum).0, 6);
        assert_eq!(told.names[sum.index()].of, "product");
    }
    assert!(collective.messages().any(|m| told.names[m.index()].to_string() == "X[0,4]"));
}

#[test]
fn given_numbers_are_computed_on() {
    let job = |inputs: Vec<Vec<f64>>| Job { data: Data::Given(inputs), keep_moves: false };
    // On D3(3, 2) one cabinet of two drawers takes part: two rows.
    let two = Layout::new(SwappedDragonfly::new(3, 2).unwrap(), None).unwrap();
    assert_eq!((two.size(), two.part()), (2, Some(1)));
    let (x, a) = (vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 6.0, 7.0, 8.0]);
    let product = matrix_product(two, true, job(vec![x.clone(), a.clone()])).unwrap();
    assert_eq!((product.result, product.report.conflicts), (vec![19.0, 22.0, 43.0, 50.0], 0));
    assert_eq!(cannon::matrix_product(2, None, job(vec![x, a])).unwrap().result, vec![19.0, 22.0, 43.0, 50.0]);
    let cube = || Cube::from(SwappedHypercube::new(1, 1).unwrap());
    let numbers: Vec<f64> = (0..8u8).map(|i| f64::from((i * 3) % 8)).collect();
    let sums = ascend::prefix_sums(cube(), false, job(vec![numbers.clone()])).unwrap().result;
    assert_eq!(sums, vec![0.0, 3.0, 9.0, 10.0, 14.0, 21.0, 23.0, 28.0]);
    let sorted = descend::sort(cube(), job(vec![numbers.clone()])).unwrap().result;
    assert_eq!(sorted, (0..8u8).map(f64::from).collect::<Vec<_>>());
    assert_eq!(descend::merge(cube(), false, job(vec![numbers])).err(), Some(ComputeError::Runs));
    let short = ComputeError::Inputs { found: vec![7], needed: vec![8] };
    assert_eq!(descend::sort(cube(), job(vec![vec![0.0; 7]])).err(), Some(short));
    // The transform of a single one at node 1: a turn an eighth further at each frequency, by either order.
    let mut single = vec![0.0; 16];
    single[2] = 1.0;
    for program in [ascend::fourier, descend::fourier] {
        let found = program(cube(), false, job(vec![single.clone()])).unwrap().result;
        for (frequency, value) in (0u8..).zip(found.as_chunks::<2>().0) {
            let angle = -std::f64::consts::TAU * f64::from(frequency) / 8.0;
            assert!((value[0] - angle.cos()).abs() < 1e-12 && (value[1] - angle.sin()).abs() < 1e-12);
        }
    }
}

//! Programs on Swapped Dragonflies and swapped hypercubes: their hops, no conflict, and the right numbers.

use machine::compute::products::{Layout, matrix_product, vector_matrix};
use machine::compute::{ComputeError, Report, ascend, cannon, descend};
use topologies::Topology;
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
            let row = vector_matrix(layout, home, 7).unwrap();
            assert_eq!((row.rounds, row.hops, row.conflicts), (b, hops * b, 0));
            assert!(row.error < 1e-12, "{row:?}");
        }
        let whole = matrix_product(layout, false, 7).unwrap();
        assert_eq!((whole.rounds, whole.hops, whole.conflicts), (n * b, 4 * n * b + b * b, 0));
        assert!(whole.error < 1e-12, "{whole:?}");
        let batched = matrix_product(layout, true, 7).unwrap();
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
        assert_eq!(vector_matrix(layout(l, m, 1), true, 1).unwrap().hops, 5);
    }
}

#[test]
fn cannon_aligns_and_shifts() {
    for (side, b) in [(2, 1), (3, 1), (4, 1), (5, 2), (6, 1), (4, 3), (9, 1)] {
        let (size, report) = cannon::matrix_product(side, Some(side * b), 7).unwrap();
        let hops = u64::from(b * b * (side / 2 + side - 1));
        assert_eq!((size, report.hops, report.conflicts), (side * b, hops, 0), "{side} {b}");
        assert!(report.error < 1e-12, "{report:?}");
    }
    assert_eq!(cannon::matrix_product(4, Some(6), 1), Err(ComputeError::Size { size: 6, blocks: 4 }));
    assert_eq!(cannon::matrix_product(0, None, 1), Err(ComputeError::Size { size: 0, blocks: 0 }));
    assert!(matches!(cannon::matrix_product(5000, None, 1), Err(ComputeError::TooLarge { .. })));
}

#[test]
fn sizes_must_fit() {
    let d3 = |k, m| SwappedDragonfly::new(k, m).unwrap();
    assert!(matches!(Layout::new(d3(3, 3), None), Err(ComputeError::NoSquare { cabinets: 3, .. })));
    assert_eq!(Layout::new(d3(4, 3), Some(7)), Err(ComputeError::Size { size: 7, blocks: 6 }));
    assert_eq!(Layout::new(d3(4, 3), Some(0)), Err(ComputeError::Size { size: 0, blocks: 6 }));
    assert!(matches!(Layout::new(d3(4, 3), Some(600_000)), Err(ComputeError::TooLarge { .. })));
}

type Program = fn(SwappedHypercube, bool, u64) -> Result<Report, ComputeError>;

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
                let report = program(sbh, home, 3).unwrap();
                assert_eq!((report.hops, report.conflicts), (times * hops, 0), "{k} {m} {home}");
                assert!(report.error < 1e-12 && report.crossings > 0, "{k} {m} {report:?}");
            }
        }
    }
}

#[test]
fn a_transform_of_many_items_is_compared_with_one_that_halves() {
    let report = ascend::fourier(SwappedHypercube::new(3, 5).unwrap(), true, 1).unwrap();
    assert_eq!((report.hops, report.conflicts), (14, 0));
    assert!(report.error < 1e-12, "{report:?}");
    assert!(matches!(
        ascend::prefix_sums(SwappedHypercube::new(1, 10).unwrap(), true, 1),
        Err(ComputeError::TooLarge { .. })
    ));
}

#[test]
fn sorting_is_a_descend_for_each_length_of_runs() {
    for (k, m) in [(0, 1), (0, 3), (1, 1), (2, 2), (3, 1), (4, 2), (3, 3)] {
        let report = descend::sort(SwappedHypercube::new(k, m).unwrap(), 5).unwrap();
        let merging = |s: u32| match s {
            s if s <= m => s,
            s if s > 2 * m && (s - 2 * m) % 2 == 1 => s + 1,
            s => s + 2,
        };
        let hops: u32 = (1..=k + 2 * m).map(merging).sum();
        assert_eq!((report.hops, report.conflicts, report.error), (hops.into(), 0, 0.0), "{k} {m}");
    }
}

//! Flows against all cuts, their costs, and their parting into paths and steps.

use graph::flow::{ArcId, FlowGraph};
use proptest::prelude::*;
use run::Budget;
use std::collections::BTreeSet;

fn random_graph() -> impl Strategy<Value = (usize, Vec<(usize, usize, u64, u32)>)> {
    (2usize..8).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n, 0u64..5, 0u32..6), 0..24)))
}

fn build(n: usize, arcs: &[(usize, usize, u64, u32)]) -> FlowGraph {
    let mut graph = FlowGraph::new(n);
    for &(from, to, capacity, cost) in arcs {
        graph.priced_arc(from, to, capacity, cost);
    }
    graph
}

fn assert_flow(graph: &FlowGraph, source: usize, sink: usize, value: u64) {
    for node in 0..graph.node_count() {
        let sum = |end: &dyn Fn(ArcId) -> usize| -> u64 {
            graph.arcs().filter(|&a| end(a) == node).map(|a| graph.flow(a)).sum()
        };
        let (out, into) = (sum(&|a| graph.tail(a)), sum(&|a| graph.head(a)));
        match node {
            n if n == source => assert_eq!(out, into + value),
            n if n == sink => assert_eq!(out + value, into),
            _ => assert_eq!(out, into),
        }
    }
}

/// Whether no circle of arcs with room, forth or back, costs less than nothing.
fn has_no_negative_circle(graph: &FlowGraph, arcs: &[(usize, usize, u64, u32)]) -> bool {
    let forth = graph.arcs().zip(arcs).filter(|(a, arc)| graph.flow(*a) < arc.2);
    let back = graph.arcs().zip(arcs).filter(|(a, _)| graph.flow(*a) > 0);
    let forth = forth.map(|(_, arc)| (arc.0, arc.1, i64::from(arc.3)));
    let open: Vec<(usize, usize, i64)> = forth.chain(back.map(|(_, arc)| (arc.1, arc.0, -i64::from(arc.3)))).collect();
    let mut price = vec![0; graph.node_count()];
    (0..=graph.node_count()).any(|_| {
        let before = price.clone();
        open.iter().for_each(|&(from, to, cost)| price[to] = price[to].min(price[from] + cost));
        price == before
    })
}

proptest! {
    /// The theorem of maximum flow and minimum cut, over all cuts.
    #[test]
    fn flow_equals_cut((n, arcs) in random_graph()) {
        let mut graph = build(n, &arcs);
        let value = graph.max_flow(0, n - 1, &mut Budget::unlimited());
        assert_flow(&graph, 0, n - 1, value);
        let cut = |set: usize| -> u64 {
            arcs.iter().filter(|a| set >> a.0 & 1 == 1 && set >> a.1 & 1 == 0).map(|a| a.2).sum()
        };
        let least = (0..1usize << n).filter(|s| s & 1 == 1 && s >> (n - 1) & 1 == 0).map(cut).min();
        prop_assert_eq!(Some(value), least);
        let near: usize = graph.source_side(0).iter().enumerate().map(|(v, &b)| usize::from(b) << v).sum();
        let far: usize = graph.sink_side(n - 1).iter().enumerate().map(|(v, &b)| usize::from(!b) << v).sum();
        prop_assert_eq!(cut(near), value);
        prop_assert_eq!(cut(far), value);
    }

    /// A flow grown in parts is as large as one found at once.
    #[test]
    fn raising_continues((n, arcs) in random_graph(), first in 0u64..4) {
        let whole = build(n, &arcs).max_flow(0, n - 1, &mut Budget::unlimited());
        let mut graph = build(n, &arcs);
        let part = graph.raise_flow(0, n - 1, first, &mut Budget::unlimited());
        prop_assert_eq!(part, first.min(whole));
        graph.arc(n - 1, 0, 3);
        prop_assert_eq!(part + graph.max_flow(0, n - 1, &mut Budget::unlimited()), whole);
        graph.reset();
        prop_assert_eq!(graph.max_flow(0, n - 1, &mut Budget::unlimited()), whole);
    }

    /// Optimal exactly if the residual graph has no negative circle, which Bellman and Ford's relaxation decides.
    #[test]
    fn no_negative_circle_is_left((n, arcs) in random_graph(), limit in 0u64..9) {
        let most = build(n, &arcs).max_flow(0, n - 1, &mut Budget::unlimited());
        let mut graph = build(n, &arcs);
        let (value, cost) = graph.min_cost_flow(0, n - 1, limit, &mut Budget::unlimited());
        prop_assert_eq!(value, most.min(limit));
        assert_flow(&graph, 0, n - 1, value);
        let sum: u64 = graph.arcs().zip(&arcs).map(|(a, arc)| graph.flow(a) * u64::from(arc.3)).sum();
        prop_assert_eq!(cost, sum);
        prop_assert!(has_no_negative_circle(&graph, &arcs));
    }

    /// Continuing costs as much as doing all at once.
    #[test]
    fn parts_cost_as_much_as_the_whole((n, arcs) in random_graph(), first in 0u64..4) {
        let whole = build(n, &arcs).min_cost_flow(0, n - 1, u64::MAX, &mut Budget::unlimited());
        let mut graph = build(n, &arcs);
        let one = graph.min_cost_flow(0, n - 1, first, &mut Budget::unlimited());
        let two = graph.min_cost_flow(0, n - 1, u64::MAX, &mut Budget::unlimited());
        prop_assert_eq!((one.0 + two.0, one.1 + two.1), whole);
    }

    /// As many paths as units; none repeats a node; together within the flow.
    #[test]
    fn paths_add_up((n, arcs) in random_graph()) {
        let mut graph = build(n, &arcs);
        let value = graph.max_flow(0, n - 1, &mut Budget::unlimited());
        let paths = graph.unit_paths(0, n - 1, &mut Budget::unlimited()).expect("nothing ends it");
        prop_assert_eq!(paths.len() as u64, value);
        let mut used = vec![0; arcs.len()];
        for path in &paths {
            prop_assert_eq!(graph.tail(path[0]), 0);
            prop_assert_eq!(graph.head(*path.last().expect("paths are not empty")), n - 1);
            prop_assert!(path.windows(2).all(|w| graph.head(w[0]) == graph.tail(w[1])));
            let heads: BTreeSet<_> = path.iter().map(|&a| graph.head(a)).collect();
            prop_assert_eq!(heads.len(), path.len());
            path.iter().for_each(|a| used[a.index()] += 1);
        }
        prop_assert!(graph.arcs().all(|a| used[a.index()] <= graph.flow(a)));
    }

    /// A flow within `T · c` splits into `T` flows within `c` that add up to it.
    #[test]
    fn steps_add_up((n, arcs) in random_graph(), steps in 1u64..6) {
        let mut graph = build(n, &arcs);
        for arc in graph.arcs() {
            graph.set_capacity(arc, steps * arcs[arc.index()].2);
        }
        let value = graph.max_flow(0, n - 1, &mut Budget::unlimited());
        let mut parts = Vec::new();
        let told = graph.split([0, n - 1], steps, &mut Budget::unlimited(), |part, _| {
            parts.push(part);
            Some(())
        });
        prop_assert!(told.is_some());
        prop_assert_eq!(parts.len() as u64, steps);
        let mut paths = 0;
        for part in &parts {
            prop_assert!(part.iter().zip(&arcs).all(|(f, arc)| *f <= arc.2));
            paths += graph.unit_paths_of(part.clone(), 0, n - 1, &mut Budget::unlimited()).map_or(0, |p| p.len());
        }
        prop_assert_eq!(paths as u64, value);
        for arc in graph.arcs() {
            prop_assert_eq!(parts.iter().map(|p| p[arc.index()]).sum::<u64>(), graph.flow(arc));
        }
    }
}

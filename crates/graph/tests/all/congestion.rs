//! Prices of congestion against linear programs.

use graph::cheapest::{Arcs, cheapest_ways};
use graph::congestion::prices;
use run::Budget;

/// Prices are nearly those of the linear program's dual: weighted distances over all weights prove nearly the floor of
/// everybody's messages for everybody.
#[test]
fn prices_prove_nearly_the_floor() {
    for (spec, floor) in
        [("random-regular:16,3", 13.2), ("petersen", 5.0), ("mesh:4x4", 16.0), ("mesh:2x8", 32.0), ("ring:9", 10.0)]
    {
        let network = topologies::parse(spec).expect("a known network");
        let nodes = network.node_count();
        let mut into = vec![Vec::new(); nodes];
        network.channels().for_each(|c| into[network.to(c).index()].push(c.0));
        let passes: Vec<bool> = network.nodes().map(|v| network.is_transit(v)).collect();
        let arcs = Arcs { ends: &network.data().channels, into: &into, passes: &passes };
        let prices = prices(arcs, |from, to| u32::from(from != to), 1 << 23, &mut Budget::unlimited());
        let all: f64 = prices.iter().sum();
        assert!((all - prices.len() as f64).abs() < 1e-6);
        let ways = (0..nodes as u32).map(|to| cheapest_ways(arcs, to, |arc| (prices[arc as usize] * 1e6) as u64));
        let far: u64 = ways.map(|ways| ways.least.iter().sum::<u64>()).sum();
        let proved = far as f64 / 1e6 / all;
        assert!(proved > 0.95 * floor && proved < floor + 1e-3, "{spec}: {proved}");
    }
}

//! **What:** `cargo xtask dual-nets`: Tables 1, 2 and 4 of the paper on hierarchical dual-nets, computed anew beside the print, in Markdown;
//! Table 3 is a comparison of networks.
//!
//! **Source:** Li and Chu, total exchange routing on hierarchical dual-nets, 2013.

use topologies::dual_net::Index;
use topologies::topology;

/// The networks of Table 3.
pub(crate) const COMPARED: &[&str] = &[
    "hypercube:10",
    "torus:10x10x10",
    "hdn:torus:2x3x5;1",
    "hdn:torus:2x3x5;2",
    "hdn:torus:2x3x5;3",
    "hypercube:19",
    "torus:80x80x80",
    "hdn:torus:2x3x5;2,2",
    "hdn:torus:2x3x5;2,5",
    "hdn:torus:2x3x5;5,2",
];

/// Nodes of the super-nodes of Table 1.
const SIZES: [u64; 8] = [1, 2, 3, 5, 6, 10, 15, 30];

/// Table 1 as printed: for each s₁ the nodes with one level, then those with two for each s₂.
#[rustfmt::skip]
const PRINTED: [(u64, [u64; 8]); 8] = [
    (1800, [6_480_000, 3_240_000, 2_160_000, 1_296_000, 1_080_000, 648_000, 432_000, 216_000]),
    (900, [1_620_000, 810_000, 540_000, 324_000, 270_000, 162_000, 108_000, 54_000]),
    (600, [720_000, 360_000, 240_000, 144_000, 120_000, 72_000, 48_000, 24_000]),
    (360, [259_200, 129_600, 86_400, 51_840, 43_200, 25_920, 17_280, 8_640]),
    (300, [180_000, 90_000, 60_000, 36_000, 30_000, 18_000, 12_000, 6_000]),
    (180, [64_800, 32_400, 21_600, 12_960, 10_800, 6_480, 4_320, 2_160]),
    (120, [28_800, 14_400, 9_600, 5_760, 4_800, 2_880, 1_920, 960]),
    (60, [7_200, 3_600, 2_400, 1_440, 1_200, 720, 480, 240]),
];

/// Table 1: the numbers of nodes, each compared with the print.
pub(crate) fn sizes() -> Result<String, String> {
    let titles = SIZES.map(|s| format!("s₂ = {s}"));
    let mut lines = vec![format!("| s₁ | k = 1 | {} |", titles.join(" | ")), format!("|{}", " --- |".repeat(10))];
    let (mut different, mut by_formula) = (0, 0);
    for (s1, (one, row)) in SIZES.into_iter().zip(PRINTED) {
        let below = closed_forms(&format!("hdn:torus:2x3x5;{s1}"))?.nodes;
        let mut cells = vec![s1.to_string(), beside(below, one)];
        different += u32::from(below != one);
        for (s2, printed) in SIZES.into_iter().zip(row) {
            // The largest are beyond what is built.
            let found = closed_forms(&format!("hdn:torus:2x3x5;{s1},{s2}")).map(|f| f.nodes);
            by_formula += u32::from(found.is_err());
            let found = found.unwrap_or(2 * below * below / s2);
            different += u32::from(found != printed);
            cells.push(beside(found, printed));
        }
        lines.push(format!("| {} |", cells.join(" | ")));
    }
    let degree = |spec: &str| Ok::<_, String>(closed_forms(spec)?.degree.map_or(0, |(_, most)| most));
    let (one, two) = (degree("hdn:torus:2x3x5;1")?, degree("hdn:torus:2x3x5;30,30")?);
    lines.push(format!(
        "\n{different} of 72 sizes differ from the print ({by_formula}, beyond what is built, by the formula). Degrees {one} and {two}; \
         printed 7 and 8."
    ));
    Ok(lines.join("\n"))
}

/// What was found, and what is printed if that is something else.
fn beside(found: u64, printed: u64) -> String {
    if found == printed { found.to_string() } else { format!("**{found}** (printed {printed})") }
}

/// Families of Table 2 with a network of each, and what the printed formulas give for it: nodes, degree, diameter.
const FORMULAS: &[(&str, &str, [u64; 3])] = &[
    ("3D torus: xyz, 6, (x+y+z)/2", "torus:10x10x10", [1000, 6, 15]),
    ("3D torus", "torus:5x5x5", [125, 6, 7]),
    ("3D torus", "torus:2x3x5", [30, 6, 5]),
    ("n-cube: 2^n, n, n", "hypercube:10", [1024, 10, 10]),
    ("CCC(n): n2^n, 3, 2n + ⌊n/2⌋ − 2", "ccc:3", [24, 3, 5]),
    ("CCC(n)", "ccc:4", [64, 3, 8]),
    ("CCC(n)", "ccc:7", [896, 3, 15]),
    ("Dual-Cube(n): 2^(2n−1), n, 2n", "dual-cube:3", [32, 3, 6]),
    ("Dual-Cube(n)", "dual-cube:5", [512, 5, 10]),
    ("RDN(m, k): (2m)^(2^k)/2, d₀ + k, 2^k D₀ + 2^(k+1) − 2", "rdn:hypercube:3;1", [128, 4, 8]),
    ("RDN(m, k)", "rdn:ring:5;1", [50, 3, 6]),
    ("RDN(m, k)", "rdn:hypercube:2;2", [2048, 4, 14]),
    (
        "HDN(B, k, S): (2n₀)^(2^k)/(2Πs), d₀ + k, 2^k D(B) − Σ2^j D(SN^(k−j)) + 2^(k+1) − 2",
        "hdn:hypercube:3;2",
        [64, 4, 7],
    ),
    ("HDN(B, k, S)", "hdn:torus:2x3x5;2x3", [300, 7, 8]),
    ("HDN(B, k, S)", "hdn:hypercube:2;2,2", [256, 4, 11]),
    ("HDN(B, k, S)", "hdn:hypercube:3;8", [16, 4, 5]),
    ("HDN(B, k, S)", "hdn:hypercube:2;4,2", [64, 4, 9]),
];

/// Table 2: what the formulas give for some networks, beside what their networks have.
pub(crate) fn properties() -> Result<String, String> {
    let mut lines = vec![
        "| family and formulas | network | nodes | degree | diameter |".to_owned(),
        "| --- | --- | --- | --- | --- |".to_owned(),
    ];
    for (family, spec, [nodes, degree, diameter]) in FORMULAS {
        let network = topologies::parse(spec).map_err(|e| e.to_string())?;
        let most = network.nodes().map(|v| network.outgoing(v).len() as u64).max().unwrap_or(0);
        let cells =
            [beside(network.node_count() as u64, *nodes), beside(most, *degree), beside(hops(&network), *diameter)];
        lines.push(format!("| {family} | `{spec}` | {} |", cells.join(" | ")));
    }
    Ok(lines.join("\n"))
}

/// The diameter, by a search from every node.
fn hops(network: &kernel::Network) -> u64 {
    let from = |start: kernel::Node| {
        let mut far = vec![u64::MAX; network.node_count()];
        far[start.index()] = 0;
        let mut order = vec![start];
        let mut at = 0;
        while let Some(&node) = order.get(at) {
            at += 1;
            for channel in network.outgoing(node) {
                let next = network.to(*channel);
                if far[next.index()] == u64::MAX {
                    far[next.index()] = far[node.index()] + 1;
                    order.push(next);
                }
            }
        }
        far.into_iter().max().unwrap_or(0)
    };
    network.nodes().map(from).max().unwrap_or(0)
}

/// Table 4: re-indexing of four nodes from level 1 to level 2.
pub(crate) fn indices() -> Result<String, String> {
    let family = topology("hdn:torus:2x3x5;2x3,3x5").map_err(|e| e.to_string())?;
    let net = family.dual_net().ok_or("it is a dual-net")?;
    let mut lines = vec![
        "| (C, U, SN, N) at level 1 | serial number | (SN, N) at level 2 | printed |".to_owned(),
        "| --- | --- | --- | --- |".to_owned(),
    ];
    let rows = [([0, 0, 0, 0], (0, 0)), ([1, 4, 2, 3], (19, 0)), ([0, 0, 2, 2], (0, 14)), ([1, 4, 4, 5], (19, 14))];
    for ([class, cluster, super_node, place], printed) in rows {
        let node = net.node(1, Index { class, cluster, super_node, place });
        let found = net.split(2, &net.digits(1, node));
        let mark = if found == printed { "" } else { "**" };
        let index = format!("({class}, {cluster}, {super_node}, {place})");
        lines.push(format!("| {index} | {node} | {mark}{found:?}{mark} | {printed:?} |"));
    }
    Ok(lines.join("\n"))
}

fn closed_forms(spec: &str) -> Result<topologies::ClosedForms, String> {
    topology(spec).map(|family| family.closed_forms()).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    /// The tables of the docs are those that are printed.
    #[test]
    fn the_docs_have_these_tables() {
        let page = std::fs::read_to_string(crate::root().join("docs/hierarchical-dual-nets.md")).unwrap();
        for table in [super::sizes(), super::properties(), super::indices()] {
            for line in table.unwrap().lines() {
                assert!(page.contains(line), "{line}");
            }
        }
        for spec in super::COMPARED {
            assert!(page.contains(spec), "{spec}");
        }
    }
}

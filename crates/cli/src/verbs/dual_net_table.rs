//! **What:** `design dual-net table`: Tables 1 to 4 of the paper on hierarchical dual-nets, computed anew beside the print, in Markdown or
//! JSON.
//!
//! **Source:** Li and Chu, total exchange routing on hierarchical dual-nets, 2013.

use console::args::TableArgs;
use console::failure::Failure;
use console::network_report::NetworkReport;
use console::output::{say, say_json};
use console::progress;
use design::measures;
use serde_json::json;
use topologies::dual_net::Index;

/// A table: what stands above its columns, its rows, and what is to be said below.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    note: String,
}

/// The verb.
pub(super) fn run(arguments: &TableArgs) -> Result<u8, Failure> {
    let table = match arguments.number {
        1 => sizes(),
        2 => properties(),
        3 => compared(),
        4 => indices(),
        other => {
            return Err(Failure::input(format!("the paper has no table {other} of networks")).hint("tables are 1 to 4"));
        }
    }?;
    if arguments.report.json {
        let Table { columns, rows, note } = table;
        return say_json(&json!({"table": arguments.number, "columns": columns, "rows": rows, "note": note}))
            .map(|()| 0);
    }
    let line = |cells: &Vec<String>| format!("| {} |", cells.join(" | "));
    let mut lines = vec![line(&table.columns), format!("|{}", " --- |".repeat(table.columns.len()))];
    lines.extend(table.rows.iter().map(line));
    lines.push(format!("\n{}", table.note));
    say(&lines.join("\n")).map(|()| 0)
}

fn of(spec: &str) -> Result<topologies::ClosedForms, Failure> {
    topologies::closed_forms(spec).map_err(|error| Failure::input(&error).hint(error.hint()))
}

fn head(columns: &[&str]) -> Vec<String> {
    columns.iter().map(|c| (*c).to_owned()).collect()
}

/// What was found, and what is printed if that is something else.
fn beside(found: u64, printed: u64) -> String {
    if found == printed { found.to_string() } else { format!("**{found}** (printed {printed})") }
}

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
fn sizes() -> Result<Table, Failure> {
    let mut columns = head(&["s₁", "k = 1"]);
    columns.extend(SIZES.map(|s| format!("s₂ = {s}")));
    let (mut rows, mut different, mut unbuilt) = (Vec::new(), 0, 0);
    for (s1, (one, row)) in SIZES.into_iter().zip(PRINTED) {
        let below = of(&format!("hdn:torus:2x3x5;{s1}"))?.nodes;
        let mut cells = vec![s1.to_string(), beside(below, one)];
        different += u32::from(below != one);
        for (s2, printed) in SIZES.into_iter().zip(row) {
            let spec = format!("hdn:torus:2x3x5;{s1},{s2}");
            let found = of(&spec)?.nodes;
            unbuilt += u32::from(topologies::topology(&spec).is_err());
            different += u32::from(found != printed);
            cells.push(beside(found, printed));
        }
        rows.push(cells);
    }
    let degree = |spec: &str| Ok::<_, Failure>(of(spec)?.degree.map_or(0, |(_, most)| most));
    let (one, two) = (degree("hdn:torus:2x3x5;1")?, degree("hdn:torus:2x3x5;1,1")?);
    let note = format!(
        "{different} of 72 sizes differ from the printed ones ({unbuilt} is too large to be built). Degrees {one} and {two}; printed 7 and 8."
    );
    Ok(Table { columns, rows, note })
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
fn properties() -> Result<Table, Failure> {
    let mut rows = Vec::new();
    for (family, spec, [nodes, degree, diameter]) in FORMULAS {
        let network = topologies::parse(spec).map_err(|error| Failure::input(&error).hint(error.hint()))?;
        let hops = measures::distances(&network).diameter().unwrap_or(0);
        let cells = [
            beside(network.node_count() as u64, *nodes),
            beside(measures::degree(&network).1, *degree),
            beside(hops, *diameter),
        ];
        rows.push([vec![(*family).to_owned(), format!("`{spec}`")], cells.to_vec()].concat());
    }
    let note = "Bold: what the networks have where the printed formulas give a different number.".to_owned();
    Ok(Table { columns: head(&["family and formulas", "network", "nodes", "degree", "diameter"]), rows, note })
}

/// The networks of Table 3 with the degree and the cost ratio that are printed.
const COMPARED: [(&str, u64, &str); 10] = [
    ("hypercube:10", 10, "1.00"),
    ("torus:10x10x10", 6, "1.05"),
    ("hdn:torus:2x3x5;1", 7, "0.79"),
    ("hdn:torus:2x3x5;2", 7, "0.82"),
    ("hdn:torus:2x3x5;3", 7, "0.87"),
    ("hypercube:19", 19, "1.00"),
    ("torus:80x80x80", 6, "3.32"),
    ("hdn:torus:2x3x5;2,2", 8, "0.69"),
    ("hdn:torus:2x3x5;2,5", 8, "0.71"),
    ("hdn:torus:2x3x5;5,2", 8, "0.74"),
];

/// Table 3: diameters and cost ratios, measured.
fn compared() -> Result<Table, Failure> {
    let mut rows = Vec::new();
    let count = progress::Count::new(COMPARED.len(), "networks");
    for (spec, degree, ratio) in COMPARED {
        count.at(rows.len(), spec);
        let network = topologies::parse(spec).map_err(|error| Failure::input(&error).hint(error.hint()))?;
        let report = NetworkReport::new(&network);
        let told = |number: Option<f64>, digits: usize| number.map_or("–".into(), |n| format!("{n:.digits$}"));
        rows.push(vec![
            format!("`{spec}`"),
            thousands(network.node_count()),
            report.diameter().map_or("–".into(), |d| d.to_string()),
            degree.to_string(),
            ratio.to_owned(),
            measures::degree(&network).1.to_string(),
            told(report.cost_ratio(), 3),
            told(report.average_distance(), 4),
        ]);
    }
    count.finish();
    let note =
        "A dimension of two nodes has one link, so the degrees printed for dual-nets are one too large.".to_owned();
    let columns = head(&["network", "n", "D", "d printed", "CR printed", "d", "CR", "average distance"]);
    Ok(Table { columns, rows, note })
}

/// `12,345`.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Table 4: re-indexing of four nodes from level 1 to level 2.
fn indices() -> Result<Table, Failure> {
    let family = topologies::topology("hdn:torus:2x3x5;2x3,3x5").map_err(|e| Failure::input(&e).hint(e.hint()))?;
    let net = family.dual_net().ok_or_else(|| Failure::input("it is not a dual-net").hint("please report this"))?;
    let printed = [([0, 0, 0, 0], (0, 0)), ([1, 4, 2, 3], (19, 0)), ([0, 0, 2, 2], (0, 14)), ([1, 4, 4, 5], (19, 14))];
    let row = |([class, cluster, super_node, place], printed): ([u32; 4], (u32, u32))| {
        let node = net.node(1, Index { class, cluster, super_node, place });
        let found = net.split(2, &net.digits(1, node));
        let mark = if found == printed { "" } else { "**" };
        let index = format!("({class}, {cluster}, {super_node}, {place})");
        vec![index, node.to_string(), format!("{mark}{found:?}{mark}"), format!("{printed:?}")]
    };
    let note = "The printed indices keep the serial number, so super-nodes are not sub-products.".to_owned();
    let columns = head(&["(C, U, SN, N) at level 1", "serial number", "(SN, N) at level 2", "printed"]);
    Ok(Table { columns, rows: printed.map(row).to_vec(), note })
}

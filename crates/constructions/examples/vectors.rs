//! The table of alltoall on Swapped Dragonflies in docs/swapped-dragonfly.md: `cargo xtask vectors` prints it.

use constructions::{Claim, Control, Request, applicable};
use kernel::Model;
use num_integer::gcd;

/// Sizes of the table.
const SIZES: [(u64, u64); 12] =
    [(2, 3), (3, 4), (4, 3), (4, 4), (4, 5), (5, 7), (7, 5), (8, 9), (9, 16), (15, 16), (16, 33), (64, 64)];

/// Wormhole schedules of more routers are not made for the table.
const MOST_ROUTERS: u64 = 1000;

/// The doubly-parallel rounds on the best sub-network D3(J, L) with a common divisor, on which every router stands for so many.
fn trick(k: u64, m: u64) -> u64 {
    let n = k * m * m;
    let parts = (1..=k).flat_map(|j| (1..=m).map(move |l| (n * n).div_ceil(j * l * l * gcd(j, l))));
    parts.min().unwrap_or(n)
}

/// The rows, with their heading.
pub(crate) fn table() -> String {
    let mut text = String::from(
        "| K, M | routers | rounds, s = 1 | best with a sub-network | rounds | steps | by | vectors need | floor | wormhole | floor |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for (k, m) in SIZES {
        let spec = format!("swapped-dragonfly:{k},{m}");
        let hops = Request::named(&spec, Model::store_and_forward());
        let promised = applicable(&hops).filter_map(|(c, builder)| Some((builder.promise()?, c.name)));
        let (steps, name) = promised.min_by_key(|(steps, _)| *steps).expect("every size has a construction");
        let n = k * m * m;
        let floor = (m * m).max((2 * k * (m * m - m + 1)).div_ceil(m));
        let wormhole = (n <= MOST_ROUTERS).then(|| {
            let network = topologies::parse(&spec).expect("the sizes are in their ranges");
            let whole = Request::alltoall(&network, Model::wormhole());
            let (_, builder) = applicable(&whole).next().expect("every size has one");
            let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).expect("nobody stops it");
            claim.verified(&network, Model::wormhole()).expect("constructions are right").steps().to_string()
        });
        let wormhole = wormhole.unwrap_or_else(|| "–".into());
        text.push_str(&format!(
            "| {k}, {m} | {n} | {n} | {} | {} | {steps} | `{name}` | {} | {floor} | {wormhole} | {floor} |\n",
            trick(k, m),
            n / k.min(m),
            (m * m).max(2 * k * m),
        ));
    }
    text
}

#[allow(dead_code, reason = "the test that compares the table with the docs has no use for it")]
fn main() {
    print!("{}", table());
}

//! What products of matrices cost on a network, as a table in Markdown: published algorithms by their formulas, Cannon's on a torus and
//! those on the swapped Dragonfly D3(L², M), L = M, as they run, hop by hop, on real numbers.
//!
//! `cargo run -p quadrille-machine --example products [BLOCKS…]`, numbers of rows a block has; 1, 2 and 4 by default.

use machine::compute::products::{Layout, matrix_product};
use machine::compute::{Report, cannon};
use machine::cost::products::PRODUCTS;
use topologies::families::swapped_dragonfly::SwappedDragonfly;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut blocks: Vec<u32> = std::env::args().skip(1).map(|b| b.parse()).collect::<Result<_, _>>()?;
    if blocks.is_empty() {
        blocks = vec![1, 2, 4];
    }
    let names: Vec<&str> = PRODUCTS.iter().map(|p| p.name).collect();
    println!(
        "| P | n | {} | run: Cannon, torus | run: D3(L²,M) | run: batched |\n|{}",
        names.join(" | "),
        " --- |".repeat(names.len() + 5)
    );
    for l in 2..=4u32 {
        let side = l * l;
        let processors = f64::from(side * side);
        for &b in &blocks {
            let n = side.checked_mul(b).ok_or("blocks are too large")?;
            let words = PRODUCTS.iter().map(|p| format!("{:.0}", (p.words)(f64::from(n), processors)));
            let layout = Layout::new(SwappedDragonfly::new(l * l, l)?, Some(n))?;
            let torus = cannon::matrix_product(side, Some(n), 1.into())?;
            let runs = [torus, matrix_product(layout, false, 1.into())?, matrix_product(layout, true, 1.into())?];
            let cells: Vec<String> = words.chain(runs.iter().map(|run| told(&run.report))).collect();
            println!("| {processors} | {n} | {} |", cells.join(" | "));
        }
    }
    Ok(())
}

/// Hops, with a mark where a run is not right.
fn told(run: &Report) -> String {
    let right = run.conflicts == 0 && run.error < 1e-9;
    format!("{}{}", run.hops, if right { "" } else { " WRONG" })
}

//! What products of matrices cost: the numbers of the docs, and how they grow.

use machine::cost::products::PRODUCTS;

/// The table of the docs, line by line.
#[test]
fn the_docs_have_these_numbers() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/matrix-products.md");
    let page = std::fs::read_to_string(page).unwrap();
    for p in PRODUCTS {
        let (n, nodes) = (4096.0, 4096.0);
        let numbers = [(p.ports)(nodes), (p.start_ups)(nodes), (p.words)(n, nodes)].map(|x| format!("{x:.0}"));
        let line =
            page.lines().find(|l| l.starts_with(&format!("| {} |", p.name))).unwrap_or_else(|| panic!("{}", p.name));
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        assert_eq!(cells[cells.len() - 4..cells.len() - 1], numbers, "{}", p.name);
        assert!(page.contains(p.source), "{}", p.source);
    }
}

/// More processors have less to send where blocks shrink faster than start-ups grow, and no formula is negative.
#[test]
fn words_fall_with_processors() {
    for p in PRODUCTS {
        let words: Vec<f64> = (2..8).map(|k| (p.words)(1e6, 4096f64.powi(k) / 4096.0)).collect();
        assert!(words.windows(2).all(|w| w[0] > w[1] && w[1] > 0.0), "{}: {words:?}", p.name);
    }
}

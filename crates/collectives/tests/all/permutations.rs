//! Permutations by name.

use collectives::permutations::{PERMUTATIONS, parse};

#[test]
fn every_permutation_is_one() {
    for p in PERMUTATIONS {
        for n in [4, 16, 64] {
            let text = if p.form.contains(':') { format!("{}:1", p.name) } else { p.name.to_owned() };
            let mut to = parse(&text, n).unwrap().unwrap();
            to.sort_unstable();
            assert_eq!(to, (0..n).collect::<Vec<_>>(), "{text} of {n}");
        }
    }
}

#[test]
fn they_go_where_they_say() {
    let to = |text: &str, n| parse(text, n).unwrap().unwrap();
    assert_eq!(to("xor:5", 8), [5, 4, 7, 6, 1, 0, 3, 2]);
    assert_eq!(to("reversal", 5), [4, 3, 2, 1, 0]);
    assert_eq!(to("bit-reversal", 8), [0, 4, 2, 6, 1, 5, 3, 7]);
    assert_eq!(to("shuffle", 8), [0, 2, 4, 6, 1, 3, 5, 7]);
    assert_eq!(to("random:7", 50), to("random:7", 50));
    assert_ne!(to("random:7", 50), to("random:8", 50));
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |text: &str, n| parse(text, n).unwrap().unwrap_err().to_string();
    assert_eq!(refused("xor:1", 6), "xor needs a power of 2 of terminals, not 6");
    assert_eq!(refused("transpose", 8), "transpose needs a square number of terminals, not 8");
    assert_eq!(refused("shift:8", 8), "`shift:8` is not of the form `shift:K`, with a number below 8");
    assert_eq!(refused("shift", 8), "`shift` is not of the form `shift:K`, with a number below 8");
    assert_eq!(refused("shuffle", 9), "shuffle needs an even number of terminals, not 9");
    assert_eq!(refused("reversal:3", 9), "reversal takes no parameter");
}

//! `compute`: programs on real numbers.

use crate::{Folder, quadrille};

#[test]
fn products_and_transforms_are_right() {
    let answer = quadrille("compute matrix-product swapped-dragonfly:9,3 --json").json(0);
    assert_eq!((&answer["hops"], &answer["rounds"], &answer["conflicts"]), (&37.into(), &9.into(), &0.into()));
    assert!(answer["error"].as_f64().unwrap() < 1e-12);
    let text = quadrille("compute matrix-product swapped-dragonfly:9,3 --batched --size 18").good();
    assert!(text.contains("52 hops: 12 times 4") && text.contains("0 conflicts"), "{text}");
    let text = quadrille("compute vector-matrix swapped-dragonfly:4,3 --seed 5").good();
    assert!(text.contains("4 hops: 1 times 4"), "{text}");
    assert_eq!(quadrille("compute vector-matrix swapped-dragonfly:4,3 --home --json").json(0)["hops"], 5);
    quadrille("compute matrix-product swapped-dragonfly:4,3 --home").fails(
        2,
        "--home is for vector-matrix",
        "help compute",
    );
    let text = quadrille("compute matrix-product torus:4x4 --size 8").good();
    assert!(text.contains("20 hops: 4 products of blocks") && text.contains("0 conflicts"), "{text}");
    assert_eq!(quadrille("compute fft swapped-hypercube:3,3 --json").json(0)["hops"], 10);
    assert_eq!(quadrille("compute prefix-sums swapped-hypercube:2,2 --json").json(0)["hops"], 7);
    assert_eq!(quadrille("compute prefix-sums swapped-hypercube:2,2 --home --json").json(0)["hops"], 8);
    assert_eq!(quadrille("compute fft swapped-hypercube:2,2 --descend --json").json(0)["hops"], 7);
    assert_eq!(quadrille("compute fft swapped-hypercube:2,2 --descend --home --json").json(0)["hops"], 8);
    assert_eq!(quadrille("compute convolution swapped-hypercube:3,1 --json").json(0)["hops"], 18);
    assert_eq!(quadrille("compute merge swapped-hypercube:1,2 --json").json(0)["hops"], 6);
    let text = quadrille("compute sort swapped-hypercube:1,2").good();
    assert!(text.contains("20 hops: 15 bits") && text.contains("0.00e0"), "{text}");
}

#[test]
fn what_does_not_fit_is_refused() {
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size 7").fails(2, "7 rows", "--size 6 or 12");
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size 4294967295").fails(
        2,
        "more than can be run",
        "smaller",
    );
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size -6").fails(2, "invalid value '-6'", "help");
    quadrille("compute matrix-product torus:4x6").fails(2, "does not run on it", "torus:QxQ");
    quadrille("compute matrix-product torus:4x4 --batched").fails(2, "--batched is for", "help compute");
    quadrille("compute matrix-product torus:4x4 --size 6").fails(2, "6 rows", "--size 4 or 8");
    quadrille("compute fft swapped-dragonfly:4,3").fails(
        2,
        "does not run on it",
        "swapped-hypercube:K,M with any K and M, or a hypercube:D",
    );
    quadrille("compute fft swapped-hypercube:2,2 --size 8").fails(2, "--size is for", "help compute");
    quadrille("compute vector-matrix swapped-dragonfly:4,3 --batched").fails(2, "--batched is for", "help compute");
    quadrille("compute prefix-sums swapped-hypercube:1,10").fails(2, "more than can be run here", "smaller network");
    quadrille("compute prefix-sums swapped-hypercube:1,2 --descend").fails(2, "--descend is for fft", "help compute");
    quadrille("compute sort swapped-hypercube:1,2 --home").fails(2, "sort is at home anyway", "help compute");
    quadrille("compute convolution swapped-hypercube:1,7").fails(2, "more than can be run here", "smaller network");
}

#[test]
fn your_numbers_are_computed_on_and_the_moves_are_a_schedule() {
    let folder = Folder::new();
    let (x, a) = (folder.write("x.csv", "# two rows\n1, 2,3\n4,5,6\n"), folder.write("a.csv", "1,0\n0,1\n1,1\n"));
    let (product, moves) = (folder.path("product.csv"), folder.path("moves.json.gz"));
    for network in ["swapped-dragonfly:5,2", "swapped-dragonfly:4,3 --batched", "torus:3x3", "torus:2x2 --size 4"] {
        let line = format!("compute matrix-product {network} --data {x} --data {a} --result {product} -o {moves}");
        let text = quadrille(&line).good();
        assert!(text.contains("result, 2 × 2, saved to") && text.contains("verified, saved to"), "{text}");
        assert_eq!(std::fs::read_to_string(&product).unwrap(), "4.0,5.0\n10.0,11.0\n");
        let (told, checked) =
            (quadrille(&format!("{line} --json")).json(0), quadrille(&format!("check {moves} --json")).json(0));
        assert_eq!((&checked["valid"], &checked["steps"]), (&true.into(), &told["hops"]), "{network}");
    }
    // Complex numbers, there and back through the two formats.
    let sequence = folder.write("s.csv", "1+2j\n(0-1j)\n3\n-2e0j\n0\n0\n0.5\n0\n");
    let (text, array) = (folder.path("t.csv"), folder.path("t.npy"));
    quadrille(&format!("compute fft hypercube:3 --data {sequence} --result {text}")).good();
    quadrille(&format!("compute fft swapped-hypercube:1,1 --data {sequence} --result {array}")).good();
    let both = [text, array].map(|path| formats::Array::read(path).unwrap());
    let parts = |a: &formats::Array| [a.real.clone(), a.imaginary.clone().unwrap()].concat();
    assert!(parts(&both[0]).iter().zip(parts(&both[1])).all(|(one, other)| (one - other).abs() < 1e-12));
    assert!((both[0].real[0] - 4.5).abs() < 1e-12 && (parts(&both[0])[8] + 1.0).abs() < 1e-12, "{both:?}");
    // A message says which number it is.
    let file = folder.path("f.json");
    quadrille(&format!("compute prefix-sums hypercube:2 -o {file}")).good();
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("\"value\":\"item[3,1]\""), "{written}");
    assert!(quadrille(&format!("check {file}")).good().contains(": 2 steps, "));
}

#[test]
fn your_numbers_are_refused_with_their_place() {
    let folder = Folder::new();
    let (x, a) = (folder.write("x.csv", "1,2,3\n4,5,6\n"), folder.write("a.csv", "1,0\n0,1\n"));
    let on = |data: &str| quadrille(&format!("compute matrix-product torus:2x2 {data}"));
    on(&format!("--data {x} --data {a}")).fails(2, "3 rows are needed", "order of the product");
    on(&format!("--data {x}")).fails(2, "takes 2 inputs, and 1 are given", "--data once for each");
    on(&format!("--data {a} --data {a} --size 1")).fails(2, "the data has 2", "leave --size out");
    for (text, why) in [
        ("1,2\n3,four\n", "number 2 of the row"),
        ("1,2\n3\n", "a row of 1 numbers"),
        ("1,inf\n", "is no finite number"),
        ("", "holds no number"),
    ] {
        let bad = folder.write("bad.csv", text);
        on(&format!("--data {bad} --data {a}")).fails(2, why, "");
    }
    let bad = folder.write("bad.npy", "not an array");
    on(&format!("--data {bad} --data {a}")).fails(2, "is no array of NumPy", "");
    let bad = folder.write("bad.dat", "1");
    on(&format!("--data {bad} --data {a}")).fails(2, ".csv, .npy", "ending");
    on("--result out.txt").fails(2, "no array has the ending", ".csv or .npy");
    quadrille(&format!("compute sort hypercube:2 --data {a}")).fails(2, "2 × 2", "hypercube:D with 2^D");
    let wrong = folder.write("runs.csv", "2\n1\n3\n4\n");
    quadrille(&format!("compute merge hypercube:2 --data {wrong}")).fails(2, "must rise", "compute sort");
    quadrille("compute fft hypercube:3 --emulate uniform").fails(2, "nothing to emulate", "help compute");
    quadrille("compute matrix-product torus:2x2 --emulate uniform").fails(2, "not products", "help compute");
    quadrille("compute fft hypercube:19 -o big.json").fails(2, "more than are written down", "leave -o out");
}

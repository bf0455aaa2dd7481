//! `compute`: programs on real numbers.

use crate::quadrille;

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
    quadrille("compute matrix-product swapped-dragonfly:3,3").fails(2, "square", "K = 1 or 4");
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size 7").fails(2, "7 rows", "--size 6 or 12");
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size 4294967295").fails(2, "more than is run", "smaller");
    quadrille("compute matrix-product swapped-dragonfly:4,3 --size -6").fails(2, "invalid value '-6'", "help");
    quadrille("compute matrix-product torus:4x6").fails(2, "does not run on it", "torus:QxQ");
    quadrille("compute matrix-product torus:4x4 --batched").fails(2, "--batched is for", "help compute");
    quadrille("compute matrix-product torus:4x4 --size 6").fails(2, "6 rows", "--size 4 or 8");
    quadrille("compute fft swapped-dragonfly:4,3").fails(2, "does not run on it", "swapped-hypercube:K,M");
    quadrille("compute fft swapped-hypercube:2,2 --size 8").fails(2, "--size is for", "help compute");
    quadrille("compute vector-matrix swapped-dragonfly:4,3 --batched").fails(2, "--batched is for", "help compute");
    quadrille("compute prefix-sums swapped-hypercube:1,10").fails(2, "more than is run here", "smaller network");
    quadrille("compute prefix-sums swapped-hypercube:1,2 --descend").fails(2, "--descend is for fft", "help compute");
    quadrille("compute sort swapped-hypercube:1,2 --home").fails(2, "sort is at home anyway", "help compute");
    quadrille("compute convolution swapped-hypercube:1,7").fails(2, "more than is run here", "smaller network");
}

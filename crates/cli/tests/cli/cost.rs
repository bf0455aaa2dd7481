//! `cost`, and the schedules it is made for: total exchange on dual-nets, hypercubes and tori of one size.

use crate::{Folder, quadrille};

/// Solves alltoall hop by hop with one port into a file; what `solve --json` says.
fn solve(folder: &Folder, network: &str, file: &str, more: &str) -> serde_json::Value {
    let path = folder.path(file);
    quadrille(&format!("solve {network} alltoall --switching store-and-forward --ports one --method total-exchange {more} -o {path} --json"))
        .json(0)
}

#[test]
fn total_exchange_on_a_dual_net() {
    let folder = Folder::new();
    let one = solve(&folder, "hdn:hypercube:2;2", "one.json", "");
    assert_eq!((&one["steps"], &one["optimal"], &one["method"]), (&40.into(), &true.into(), &"total-exchange".into()));
    let combined = solve(&folder, "hdn:hypercube:2;2", "combined.json", "--combining");
    assert_eq!((&combined["steps"], &combined["optimal"]), (&5.into(), &true.into()));
    // Combined or not, what a port passes on are as many words as distances add up to.
    assert_eq!((&combined["words"], &one["words"]), (&40.into(), &serde_json::Value::Null));
    let printed = folder.path("printed.json");
    let line = "solve hdn:hypercube:2;2 alltoall --switching store-and-forward --ports one --combining";
    let named = quadrille(&format!("{line} --method total-exchange-printed -o {printed} --json")).json(0);
    assert_eq!(named["steps"], 6);
    let usual = quadrille(&format!("{line} --json")).json(0);
    assert_eq!((&usual["steps"], &usual["method"]), (&5.into(), &"total-exchange".into()));
    for file in ["one.json", "combined.json", "printed.json"] {
        assert_eq!(quadrille(&format!("check {}", folder.path(file))).status, 0);
    }
    let wrong = "solve petersen alltoall --switching store-and-forward --method total-exchange";
    quadrille(wrong).fails(2, "`total-exchange` does not apply", "quadrille methods");
    let route = quadrille("network hdn:hypercube:1;1,2 --route 1-22").good();
    assert!(route.contains("4 hops") && route.contains("Algorithm 1 takes 8 hops"), "{route}");
    quadrille("network ring:8 --route 1").fails(2, "`1` is not a pair", "A-B");
    quadrille("network ring:8 --route 1-9").fails(2, "no node 9", "0 to 7");
}

#[test]
fn times_and_where_they_cross() {
    let folder = Folder::new();
    solve(&folder, "hypercube:4", "cube.json", "--combining");
    solve(&folder, "torus:4x4", "torus.json.gz", "--combining");
    solve(&folder, "hypercube:4", "single.json", "");
    let (cube, torus, single) = (folder.path("cube.json"), folder.path("torus.json.gz"), folder.path("single.json"));
    let answer = quadrille(&format!("cost {torus} {cube} {single} --alpha 10 --beta 2 --message 1..8 --json")).json(0);
    assert_eq!(answer["messages"], serde_json::json!([1, 2, 4, 8]));
    let names: Vec<_> = answer["files"].as_array().unwrap().iter().map(|f| f["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["torus", "cube", "single"]);
    // 4 start-ups and 32 words, since a torus of side 4 is a hypercube; 32 start-ups.
    assert_eq!(answer["times"][3], serde_json::json!([552.0, 552.0, 832.0]));
    assert_eq!(answer["crossings"], serde_json::json!([]));
    let text = quadrille(&format!("cost {cube} {single} --model per-hop --alpha 10 --beta 2 --message 1K")).good();
    assert!(text.contains("per-hop") && text.contains("65576"), "{text}");

    // Without start-ups, equally good: the first is named. With a model that prefers few words, another wins later.
    let (hdn, plot) = (folder.path("hdn.json"), folder.path("plot.svg"));
    solve(&folder, "hdn:hypercube:2;2", "hdn.json", "--combining");
    solve(&folder, "torus:3x5", "small.json", "--combining");
    let small = folder.path("small.json");
    let text = quadrille(&format!("cost {hdn} {small} --alpha 16 --beta 1 -o {plot}")).good();
    // 5α + 40m against 6α + 28m: equal at 4/3 words.
    assert!(text.contains("from 2 words per message on, small is faster than hdn"), "{text}");
    let text = quadrille(&format!("cost {cube} {hdn} {small} --alpha 16 --beta 1")).good();
    let others = text.split("between two of which neither is the fastest").nth(1).unwrap();
    assert!(others.contains("from 2 words per message on, small is faster than hdn"), "{text}");
    let drawn = std::fs::read_to_string(&plot).unwrap();
    assert!(drawn.starts_with("<svg ") && drawn.contains("from 2 words on, another is faster"));
    let apart = quadrille(&format!("cost {hdn} --alpha 16 --beta 1 --message 4 --pipelined --json")).json(0);
    assert!(apart["times"][0][0].as_f64().unwrap() <= 240.0);
}

#[test]
fn costs_that_cannot_be() {
    let folder = Folder::new();
    let ring = folder.path("ring.json");
    assert_eq!(quadrille(&format!("solve ring:5 alltoall -o {ring}")).status, 0);
    let cost = |rest: &str| quadrille(&format!("cost {ring} {rest}"));
    cost("").fails(2, "--alpha: not given", "--alpha, --beta");
    cost("--alpha 1 --beta -1").fails(2, "--beta: not a time", "--model alpha-beta");
    cost("--alpha nan --beta 1").fails(2, "--alpha: not a time", "--model alpha-beta");
    cost("--alpha 1 --beta 1 --gap 1").fails(2, "--gap: no cost of this model", "alpha-beta takes");
    cost("--alpha 1 --beta 1 --message 0").fails(2, "`0` is not a number of words", "4K");
    cost("--alpha 1 --beta 1 --message 9..3").fails(2, "runs backwards", "3..9");
    cost("--alpha 1 --beta 1 -o plot.jpg").fails(2, "plot.jpg", ".svg");
    cost("--alpha 1e308 --beta 1e308").fails(2, "beyond all numbers", "smaller");
    cost("--model loggp --latency 1 --overhead 1 --gap 1 --word-gap 1 --pipelined").fails(
        2,
        "not pipelined",
        "--pipelined",
    );
    assert_eq!(cost("--model loggp --latency 1 --overhead 1 --gap 1 --word-gap 1").status, 0);
    quadrille("cost nothing.json --alpha 1 --beta 1").fails(2, "nothing.json", "exists");
    let tdm = folder.path("tdm.json");
    assert_eq!(quadrille(&format!("solve ring:4 alltoall --switching tdm -o {tdm}")).status, 0);
    quadrille(&format!("cost {tdm} --alpha 1 --beta 1")).fails(2, "time-division", "wormhole");
    let text = std::fs::read_to_string(&ring).unwrap();
    let broken = folder.write("broken.json", &text.replacen("\"messages\":[0]", "\"messages\":[1]", 1));
    assert_ne!(text, std::fs::read_to_string(&broken).unwrap());
    quadrille(&format!("cost {broken} --alpha 1 --beta 1")).fails(1, "broken.json", "quadrille check");
}

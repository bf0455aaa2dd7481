//! `bound --all`: certified bounds beside the dissertation's formulas, each marked as what it is.

use crate::{fixtures, quadrille};
use serde_json::{Value, json};

fn all(line: &str) -> Value {
    quadrille(&format!("bound {line} --all --json")).json(0)
}

/// The steps and the standing of a formula.
fn formula(answer: &Value, equation: &str) -> Option<(u64, String)> {
    let named = |b: &&Value| b["kind"] == "printed formula" && b["name"] == format!("eq. {equation}");
    let found = answer["bounds"].as_array().unwrap().iter().find(named)?;
    assert_eq!(found["certified"], json!(false), "{found}");
    Some((found["steps"].as_u64().unwrap(), found["standing"].as_str().unwrap().to_owned()))
}

fn says(line: &str, equation: &str, steps: u64, standing: &str) {
    assert_eq!(formula(&all(line), equation), Some((steps, standing.to_owned())), "{line}, eq. {equation}");
}

#[test]
fn formulas_that_hold() {
    says("hypercube:3 broadcast", "3.3", 2, "holds");
    says("mesh:3x3 reduce", "3.3", 2, "holds");
    says("hypercube:5 scatter", "3.4", 7, "holds");
    says("hypercube:5 gather --ports one", "3.4", 31, "holds");
    says("hypercube:5 allgather", "3.5", 7, "holds");
    says("hypercube:3 reduce_scatter", "3.5", 3, "holds");
    says("hypercube:5 alltoall", "3.6, left", 16, "holds");
    says("hypercube:5 alltoall", "3.6, right", 16, "holds");
    says("ring-uni:8 alltoall", "3.6, right", 28, "holds");
    says("hypercube:3 MNB --senders 0,7 --receivers 0-3", "3.7", 1, "holds");
    says("hypercube:3 AAB --receivers 0-3", "3.14", 3, "holds");
    says("hypercube:3 AAB --senders 0-3", "3.16", 2, "holds");
    says("hypercube:3 AAS --senders 0-3", "3.17", 4, "holds");
    says("hypercube:3 AAS --receivers 0-3", "3.15", 4, "holds");
    says("hypercube:3 permutation --pairs reversal", "3.18", 1, "holds");
}

#[test]
fn formulas_that_are_too_high_are_contradicted_by_a_schedule() {
    // An odd number of nodes: fewer messages cross than P²/2.
    says("ring:5 alltoall", "3.6, left", 4, "too-high");
    assert_eq!(all("ring:5 alltoall")["bound"], 3);
    // Messages among the senders may leave their part of the network; Table 8.21 has the 3 that are enough.
    says("spidergon:8 MNS --senders 4-7", "3.17", 4, "too-high");
    // The phases overlap, and shortest paths are no must.
    let figure = fixtures().join("figure-6-01.txt");
    let answer = all(&format!("{} MNS", figure.display()));
    assert_eq!(formula(&answer, "3.13"), Some((12, "too-high".into())));
    assert_eq!(
        (formula(&answer, "3.11"), formula(&answer, "3.12")),
        (Some((6, "holds".into())), Some((6, "holds".into())))
    );
    assert_eq!(formula(&answer, "3.18"), Some((13, "too-high".into())));
    assert_eq!(answer["bound"], 8);
}

#[test]
fn formulas_show_what_is_computed_and_why_they_are_absent() {
    let answer = all("spidergon:8 MNS --senders 4-7");
    let text =
        answer["bounds"].as_array().unwrap().iter().find(|b| b["name"] == "eq. 3.17").unwrap()["formula"].clone();
    // With M = P − M = 4 and b₂ = 6, while b₁ = 0.
    assert_eq!(text, "max(⌈M(P−M)/b₂⌉, ⌈M²/(2b₀)⌉), printed with b₁ for b₂");
    assert_eq!((&answer["quantities"]["inwards"], &answer["quantities"]["outwards"]), (&json!(0), &json!(6)));
    for (sets, why) in [
        ("--senders 4-7", "every terminal receives: (3.17) is said instead"),
        ("--receivers 4-7", "every terminal transmits: (3.15) is said instead"),
        ("--senders 0-3 --receivers 4-7", "no node both transmits and receives (Q = 0)"),
        ("--senders 0-3 --receivers 3-6", "some terminals neither transmit nor receive"),
    ] {
        assert_eq!(all(&format!("spidergon:8 MNS {sets}"))["absent"], *why, "{sets}");
    }
    // Those that only receive lie between those that only transmit and the one that does both.
    let apart = all("ring:8 MNS --senders 0,1,4 --receivers 2-7");
    assert_eq!(apart["absent"], "they divide by b₁, which is 0", "{apart}");
    assert_eq!(all(&format!("{} MNS", fixtures().join("figure-6-01.txt").display()))["absent"], Value::Null);
    assert_eq!(all("ring:5 alltoall")["absent"], Value::Null);
    let told = quadrille("bound spidergon:8 MNS --senders 4-7 --all").good();
    assert!(told.contains("eq. 3.11 to 3.13 (MNS) are not said here: every terminal receives"), "{told}");
}

#[test]
fn what_is_certified_is_what_bound_says() {
    for line in ["ring:5 alltoall", "levi alltoall", "mesh:3x4 allgather", "ring:8 scan", "torus:100x100 allgather"] {
        let answer = all(line);
        let bound = quadrille(&format!("bound {line} --json")).json(0);
        assert_eq!(
            (&answer["bound"], &answer["certificate"]["kind"]),
            (&bound["bound"], &bound["certificate"]["kind"])
        );
        let list = answer["bounds"].as_array().unwrap();
        let certified = list.iter().filter(|b| b["certified"] == json!(true));
        assert_eq!(certified.map(|b| b["steps"].as_u64()).max(), Some(answer["bound"].as_u64()), "{line}");
        assert!(list.iter().all(|b| (b["certified"] == json!(true)) == (b["kind"] == "certificate")));
    }
}

#[test]
fn formulas_are_said_of_what_they_are_made_for_only() {
    for line in
        ["ring:8 scan", "ring:5 alltoall --combining", "ring:8 alltoall --half-duplex", "ring:8 AAS --switching tdm"]
    {
        let answer = all(line);
        assert!(answer["bounds"].as_array().unwrap().iter().all(|b| b["kind"] == "certificate"), "{line}");
        assert_eq!(answer["quantities"], Value::Null);
        assert!(quadrille(&format!("bound {line} --all")).good().contains("no printed formula applies to"));
    }
    // A switch's channels are not among the P·d.
    assert_eq!(formula(&all("omega:8 alltoall"), "3.6, right"), None);
}

#[test]
fn seconds_end_it_with_what_is_proved() {
    // Without a limit it is 5, by a refutation that takes seconds.
    let figure = fixtures().join("figure-6-01.txt");
    for all in ["", "--all"] {
        let line = format!("bound {} MNB {all} --time 0", figure.display());
        let answer = quadrille(&format!("{line} --json")).json(0);
        assert!(answer["bound"].as_u64().unwrap() < 5 && answer["certified"] == json!(true), "{answer}");
        quadrille(&line).good();
    }
    // A formula that a search would contradict stays open, and what needs a bisection is not said.
    let answer = quadrille("bound ring:5 alltoall --all --time 0 --json").json(0);
    assert!(answer["bounds"].as_array().unwrap().iter().all(|b| b["standing"] != "too-high"), "{answer}");
    // Enough seconds leave everything as it is.
    let answer = quadrille("bound ring:5 alltoall --all --time 60 --json").json(0);
    assert_eq!(formula(&answer, "3.6, left"), Some((4, "too-high".into())));
    for line in ["bound ring:5 alltoall --time -1", "bound ring:5 alltoall --all --time nan"] {
        quadrille(line).fails(2, "--time: not a number of seconds", "0 or more");
    }
}

#[test]
fn people_see_which_is_which() {
    let text = quadrille("bound ring:5 alltoall --all").good();
    assert!(text.starts_with("alltoall on ring:5: lower bound 3 steps, certified ("), "{text}");
    for line in [
        "certificate lengths           3      yes                  proved",
        "dissertation, eq. 3.6, left   4      no: printed formula  too high: 3 suffice",
        "dissertation, eq. 3.6, right  3      no: printed formula  holds here",
        "with P = 5, M = 5, N = 5, Q = 5, k = 2, d = 2, Σ = 30, B_C = 4",
    ] {
        assert!(text.contains(line), "`{line}` is not in {text}");
    }
    quadrille("bound ring:5 nothing --all").fails(2, "`nothing` is not a collective", "quadrille collectives");
}

#[test]
fn prefixes_that_travel_by_themselves_are_explained() {
    for name in ["scan", "exscan"] {
        let line = format!("hypercube:3 {name} --ports one");
        let text = quadrille(&format!("solve {line}")).good();
        assert!(
            text.contains("7 steps, lower bound 7: optimal")
                && text.contains("--combining lets prefixes share")
                && text.contains("(lower bound 3)"),
            "{text}"
        );
        assert!(quadrille(&format!("bound {line}")).good().contains("(lower bound 3)"));
        assert!(quadrille(&format!("solve {line} --json")).json(0)["note"].as_str().unwrap().contains("--combining"));
        let combined = quadrille(&format!("solve {line} --combining --json")).json(0);
        assert_eq!((&combined["steps"], &combined["note"]), (&json!(3), &Value::Null));
    }
    assert_eq!(quadrille("solve ring:8 broadcast --json").json(0)["note"], Value::Null);
}

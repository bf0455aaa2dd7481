//! `tune`: the fastest schedules by size, beside what libraries do, and the files that libraries read.

use crate::{Folder, quadrille};
use serde_json::Value;

const LINKS: &str = "--bandwidth 25GB/s --latency 1us";

fn numbers(answer: &Value, name: &str) -> Vec<f64> {
    answer["sizes"].as_array().unwrap().iter().map(|size| size[name].as_f64().unwrap()).collect()
}

#[test]
fn every_size_has_its_fastest_schedule() {
    let folder = Folder::new();
    let (picture, schedules) = (folder.path("times.svg"), folder.path("fast"));
    let line = format!("tune ring:8 allgather --bytes 1K..1M {LINKS} --chunks 8 -o {picture} -o {schedules} --json");
    let answer = quadrille(&line).json(0);
    assert_eq!(numbers(&answer, "bytes"), [1e3, 4e3, 16e3, 64e3, 256e3, 1e6]);
    let (times, bounds) = (numbers(&answer, "time_us"), numbers(&answer, "bound_us"));
    assert!(times.is_sorted_by(|a, b| a <= b), "{times:?}");
    for (at, size) in answer["sizes"].as_array().unwrap().iter().enumerate() {
        assert!(bounds[at] > 0.0 && bounds[at] <= times[at], "{size}");
        let known = size["baselines"].as_array().unwrap();
        let named: Vec<&str> = known.iter().map(|known| known["method"].as_str().unwrap()).collect();
        assert_eq!(named, ["timed-ring", "timed-doubling", "timed-bruck", "timed-direct"]);
        assert!(known.iter().all(|known| known["time_us"].as_f64().unwrap() >= times[at]), "{size}");
        // The file says the same.
        let checked = quadrille(&format!("check {} --json", size["file"].as_str().unwrap())).json(0);
        for name in ["time_us", "bound_us", "chunks", "transfers", "algbw_GBps", "optimal"] {
            assert_eq!(checked[name], size[name], "{name}");
        }
    }
    // Chunks of 1000/64 bytes take 0.625 ns at 25 GB/s. The last of eight begins after seven, and goes seven hops.
    let ring = answer["sizes"][0]["baselines"][0]["time_us"].as_f64().unwrap();
    assert!((ring - (7.0 * 0.000_625 + 7.0 * 1.000_625)).abs() < 1e-9, "{ring}");
    let text = std::fs::read_to_string(&picture).unwrap();
    for name in ["fastest found", "bound", "timed-ring", "timed-direct", "allgather on ring:8"] {
        assert!(text.contains(name), "{name}");
    }
    assert_eq!(folder.names(), ["fast", "times.svg"]);
}

#[test]
fn a_table_tells_people_what_overtakes() {
    let text = quadrille(&format!("tune hypercube:2 allreduce --bytes 1K,4M {LINKS} --chunks 8")).good();
    assert!(
        text.starts_with("allreduce on hypercube:2: the fastest schedules found and those of libraries, in µs\n"),
        "{text}"
    );
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][rows[0].len() - 4..], ["ring", "binary-tree", "doubling", "rabenseifner"]);
    assert_eq!((rows[1][0], rows[2][0]), ("1K", "4M"));
    // What is best for little is not for much, and the size between is told.
    let [small, large] = [rows[1][4], rows[2][4]];
    assert!(small == "timed-one-shot" && large == "timed-composition", "{text}");
    let overtaking = format!(" bytes on, {large} in 8 chunks is faster than {small} in 8 chunks");
    assert!(text.lines().any(|line| line.starts_with("from ") && line.ends_with(&overtaking)), "{text}");
}

#[test]
fn a_library_is_told_the_best_of_what_it_knows() {
    let folder = Folder::new();
    let line = format!("tune hypercube:2 allreduce --bytes 1K,4M {LINKS} --chunks 4");
    let answer = quadrille(&format!("{line} --json --to ompi-tuned")).json(0);
    // What each method of a library takes, at both sizes.
    let best = |at: usize, among: &[&str]| -> String {
        let known = answer["sizes"][at]["baselines"].as_array().unwrap().iter();
        let known = known.filter(|known| among.contains(&known["method"].as_str().unwrap()));
        let best = known.min_by(|a, b| a["time_us"].as_f64().unwrap().total_cmp(&b["time_us"].as_f64().unwrap()));
        best.unwrap()["method"].as_str().unwrap().to_owned()
    };
    let expected = |among: &[(&str, &str)]| -> Vec<String> {
        let methods: Vec<&str> = among.iter().map(|(method, _)| *method).collect();
        let named = |at| among.iter().find(|(method, _)| *method == best(at, &methods)).unwrap().1.to_owned();
        let mut both = vec![named(0), named(1)];
        both.dedup();
        both
    };
    // Numbers without comments: one collective, allreduce (2), one size of communicators (4), rules from 0 bytes on.
    let text = answer["choice"].as_str().unwrap();
    let numbers: Vec<Vec<&str>> = text
        .lines()
        .map(|line| line.split('#').next().unwrap().split_whitespace().collect())
        .filter(|words: &Vec<&str>| !words.is_empty())
        .collect();
    assert_eq!((&numbers[..4].concat()[..], numbers[5][0]), (&["1", "2", "1", "4"][..], "0"), "{text}");
    let told: Vec<String> = numbers[5..].iter().map(|words| words[1].to_owned()).collect();
    assert_eq!(numbers[4], [told.len().to_string()]);
    assert_eq!(told, expected(&[("timed-doubling", "3"), ("timed-ring", "4"), ("timed-rabenseifner", "6")]));
    // The other libraries: the same choice in their words.
    let file = folder.path("nccl_tuner.conf");
    quadrille(&format!("{line} --to nccl-tuner -o {file}")).good();
    let text = std::fs::read_to_string(&file).unwrap();
    let rows: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect()).collect();
    let told: Vec<String> = rows.iter().map(|row| row[3].to_owned()).collect();
    assert_eq!(told, expected(&[("timed-ring", "ring"), ("timed-binary-tree", "tree")]));
    // Smaller sizes are left to NCCL.
    assert_eq!(rows[0][..2], ["allreduce", "1000"]);
    assert_eq!(rows[rows.len() - 1][4..], ["simple", "-1", "-1", "4", "-1", "-1"]);
    assert!(text.lines().all(|line| line.len() < 256));
    let file = folder.path("tree.json");
    let said = quadrille(&format!("{line} --to mpich -o {file}"));
    assert_eq!(said.status, 0, "{}", said.err);
    assert!(said.err.lines().all(|line| line.starts_with("note: ")), "{}", said.err);
    let tree: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    let sizes = &tree["collective=allreduce"]["comm_type=intra"]["comm_size<=4"];
    let name =
        expected(&[("timed-doubling", "recursive_doubling"), ("timed-rabenseifner", "reduce_scatter_allgather")]);
    let leaf = format!("algorithm=MPIR_Allreduce_intra_{}", name[name.len() - 1]);
    assert!(sizes["avg_msg_size=any"].get(&leaf).is_some(), "{tree}");
    // Without a file, the line stands alone on standard output.
    let said = quadrille(&format!("{line} --to ucc"));
    let last = said.out.lines().last().unwrap();
    let tokens: Vec<&str> = last.strip_prefix("UCC_TL_UCP_TUNE=").unwrap().split('#').collect();
    let told: Vec<String> = tokens.iter().map(|token| token.split('@').nth(1).unwrap().to_owned()).collect();
    let known = [("timed-doubling", "knomial"), ("timed-rabenseifner", "sra_knomial"), ("timed-binary-tree", "dbt")];
    assert_eq!(told, expected(&[&known[..], &[("timed-ring", "ring")]].concat()));
    assert!(tokens[0].starts_with("allreduce:0-") && last.contains("inf:[4-4]:@"), "{last}");
    assert!(said.err.contains("the fastest schedules found and those of libraries"), "{}", said.err);
}

#[test]
fn what_cannot_be_tuned_is_said() {
    let with = |words: &str| quadrille(&format!("tune ring:8 {words}"));
    with("allgather").fails(2, "--bytes: no sizes are given", "--bytes 1K..1G");
    with("allgather --bytes 1K..1M").fails(2, "--bytes: ring:8 has no bandwidths", "--bandwidth 25GB/s");
    with(&format!("allgather --bytes 1M..1K {LINKS}")).fails(2, "the range `1M..1K` runs backwards", "write 1K..1M");
    with(&format!("allgather --bytes .. {LINKS}")).fails(2, "--bytes: a size is missing in `..`", "1K..1G");
    with(&format!("allgather --bytes 0..1K {LINKS}")).fails(2, "--bytes: `0` is not a size above 0", "1K..1G");
    with(&format!("allgather --bytes 1K..1M --points 1 {LINKS}")).fails(
        2,
        "--points: 1 is not a number from 2",
        "leave",
    );
    with(&format!("allgather --bytes 1K --points 3 {LINKS}")).fails(2, "--points: `1K` is not a range", "1K..1G");
    with(&format!("allgather --bytes 1K --to nccl {LINKS}")).fails(2, "--to: `nccl` is not a format", "nccl-tuner");
    with(&format!("alltoall --bytes 1K --to nccl-tuner {LINKS}")).fails(
        2,
        "--to: nccl-tuner has no choice of algorithms for alltoall",
        "broadcast, reduce, allgather, reduce_scatter, allreduce",
    );
    with(&format!("allgather --bytes 1K -o x.conf {LINKS}")).fails(2, "neither a picture nor a directory", "--to");
    with(&format!("allgather --bytes 1K --to ucc -o a.conf -o b.conf {LINKS}")).fails(2, "a second file for ucc", "");
    with(&format!("allgather --bytes 1K --time 0 {LINKS}")).fails(1, "no schedule was found in time", "--time");
    assert!(!std::path::Path::new("a.conf").exists());
}

#[test]
fn what_libraries_do_is_tried_and_named() {
    let line = "solve ring:4 allgather --bytes 1M --bandwidth 25GB/s --chunks 1";
    // Three hops of 250 KB one after the other, at 25 GB/s.
    let answer = quadrille(&format!("{line} --ports one --method timed-ring --json")).json(0);
    assert_eq!((answer["time_us"].as_f64(), &answer["method"]), (Some(30.0), &Value::from("timed-ring")));
    quadrille(&format!("{line} --method timed-pairwise")).fails(
        1,
        "timed-pairwise makes no schedule of this: it makes alltoall",
        "bound",
    );
    let tried = quadrille(&format!("{line} --explain")).good();
    assert!(tried.contains("timed-trees") && tried.contains("timed-ring"), "{tried}");
    assert!(quadrille("methods").good().contains("timed-rabenseifner"));
    assert!(quadrille("methods timed-doubling").good().contains("Thakur"));
}

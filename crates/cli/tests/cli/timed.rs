//! Schedules in time: files as they are checked.

use crate::{Folder, quadrille};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::PathBuf;

pub(crate) fn corpus() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/timed")
}

pub(crate) fn names() -> Vec<String> {
    let listed = std::fs::read_dir(corpus()).unwrap();
    let mut names: Vec<String> = listed.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn check(name: &str, flags: &str) -> crate::Answer {
    quadrille(&format!("check {} {flags}", corpus().join(name).display()))
}

#[test]
fn the_name_of_a_file_says_what_is_right() {
    let rules = [
        "order-of-times",
        "no-rate",
        "rate",
        "too-fine",
        "too-long",
        "no-copy",
        "paths-meet",
        "bandwidth",
        "half-duplex",
        "send-ports",
        "receive-ports",
        "copy-and-reduce",
        "not-held",
        "counted-twice",
        "incomplete",
        "undelivered",
        "passes-through",
        "combined",
        "no-such-channel",
        "no-such-partial",
        "ends-at-switch",
        "certificate",
    ];
    let mut broken = BTreeSet::new();
    for name in names() {
        let stem = name.trim_end_matches(".json");
        if stem.starts_with("holds-") {
            let answer = check(&name, "--json").json(0);
            assert_eq!((&answer["valid"], answer["violation_count"].as_u64()), (&json!(true), Some(0)), "{name}");
            assert!(check(&name, "").good().contains("  schedule: every rule holds"), "{name}");
        } else if let Some(rule) = stem.strip_prefix("false-") {
            let answer = check(&name, "--json").json(1);
            let first = answer["violations"][0]["rule"].as_str().unwrap();
            assert!(rule.starts_with(first), "{name}: {answer}");
            assert_eq!(answer["valid"], false, "{name}");
            assert_eq!(answer["time_us"].is_null(), first != "certificate", "{name}");
            let people = check(&name, "");
            let said =
                if first == "certificate" { "\n  lower bound: REFUSED, ".into() } else { format!("\n  {first}: ") };
            assert!(people.status == 1 && people.out.contains(&said), "{}", people.out);
            broken.extend(rules.iter().find(|known| **known == first));
        } else {
            assert!(stem.starts_with("unreadable-"), "{name}");
            let answer = check(&name, "");
            assert_eq!((answer.status, answer.out.as_str()), (2, ""), "{name}");
            assert!(answer.err.starts_with("error: ") && answer.err.contains(&name), "{name}: {}", answer.err);
        }
    }
    assert_eq!(broken, rules.iter().collect(), "a rule has no file that breaks it");
}

#[test]
fn times_are_told_in_microseconds() {
    let answer = check("holds-allgather-ring-4.json", "--json").json(0);
    let told = ["ticks", "time_us", "algbw_GBps", "transfers", "collective"].map(|name| answer[name].clone());
    assert_eq!(told, [json!(2160), json!(2.16), json!(1000.0 / 2.16 / 1000.0), json!(12), json!("allgather")]);
    let bus = answer["busbw_GBps"].as_f64().unwrap() / answer["algbw_GBps"].as_f64().unwrap();
    assert!((bus - 0.75).abs() < 1e-12, "{bus}");
    let people = check("holds-allgather-ring-4.json", "").good();
    assert!(people.starts_with("allgather: 2.1600 µs, without a lower bound\n"), "{people}");
    assert!(people.contains("  bandwidth: 0.4630 GB/s (algorithm), 0.3472 GB/s (bus)"), "{people}");
}

#[test]
fn a_violation_tells_its_tick() {
    let answer = check("false-not-held.json", "--json").json(1);
    let violation = &answer["violations"][0];
    assert_eq!((&violation["step"], &violation["tick"], &violation["node"]), (&json!(1), &json!(106), &json!(1)));
}

#[test]
fn an_error_names_the_place() {
    check("unreadable-bandwidth-zero.json", "").fails(
        2,
        "zero.json:3:63: network.bandwidth[0]: `bandwidth` must be above 0",
        "correct the file",
    );
    check("unreadable-bytes-other.json", "").fails(
        2,
        "collective.bytes: is not 4 messages of 250 bytes",
        "correct the file",
    );
    check("holds-pair.json", "--deadlock").fails(2, "--deadlock: this is a schedule in time", "leave it out");
}

#[test]
fn a_packed_file_is_as_good() {
    let folder = Folder::new();
    let text = std::fs::read(corpus().join("holds-pair.json")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packed, &text).unwrap();
    std::fs::write(folder.path("pair.json.gz"), packed.finish().unwrap()).unwrap();
    assert_eq!(quadrille(&format!("check {} --json", folder.path("pair.json.gz"))).json(0)["ticks"], 207);
}

#[test]
fn a_bound_in_microseconds() {
    // A node's 1000 bytes leave it over two channels of 25 GB/s in 20 ns; the last come to the opposite one 0.7 + 0.7 us later.
    let line = "bound ring:4 allgather --bytes 4000 --bandwidth 25GB/s --latency 0.7us --chunks 8";
    let answer = quadrille(&format!("{line} --json")).json(0);
    let told = ["bound_us", "certified", "chunks", "tick_us"].map(|name| answer[name].clone());
    assert_eq!(told, [json!(1.42), json!(true), json!(8), json!("1/100000")]);
    let people = quadrille(line).good();
    assert!(people.starts_with("allgather in 8 chunks on ring:4: lower bound "), "{people}");
    assert!(people.contains(" \u{b5}s, certified ("), "{people}");
}

#[test]
fn members_only_lets_no_other_rank_pass_messages_on() {
    let folder = Folder::new();
    let file = folder.path("group.json");
    let group = "dgx-a100:2 reduce_scatter --groups 0,1,8,9 --bytes 1M --latency 1us";
    // Two GPUs of a machine have two of its NICs: 1 MB of four ranks crosses at 2 x 25 GB/s each way.
    let found = quadrille(&format!("solve {group} --members-only --time 3 -o {file} --json")).json(0);
    assert!(found["bound_us"].as_f64() >= Some(10.0), "{found}");
    let text = std::fs::read_to_string(&file).unwrap();
    let schedule: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schedule["network"]["terminals"], json!([0, 1, 8, 9]));
    quadrille(&format!("check {file}")).good();
    // All of them together are no group within others.
    let whole = quadrille("bound dgx-a100:2 allgather --bytes 1M --members-only --json").json(0);
    assert!(whole["bound_us"].as_f64() > Some(0.0));
    quadrille("solve mesh:4x4 alltoall --senders 0,1 --receivers 14,15 --switching store-and-forward --members-only")
        .fails(2, "does not connect node 0 to node 14", "leave out --members-only");
}

#[test]
fn no_schedule_beats_a_bound_of_any_chunks() {
    let line = "ring:6 broadcast --bytes 1M --bandwidth 25GB/s --latency 1us";
    let bound = |more: &str| quadrille(&format!("bound {line}{more} --json")).json(0);
    let found = quadrille(&format!("solve {line} --time 2 --json")).json(0);
    let (time, of_one) = (found["time_us"].as_f64().unwrap(), bound(" --chunks 1")["bound_us"].as_f64().unwrap());
    assert!(found["chunks"].as_u64() > Some(1) && time < of_one, "{time} {of_one}");
    let of_any = bound("");
    assert_eq!(of_any["holds_for_divisors"], json!(true));
    assert_eq!(of_any["chunks"].as_u64().unwrap() % 8, 0);
    assert!(of_any["bound_us"].as_f64().unwrap() <= time, "{time} {of_any}");
    assert_eq!(bound(" --chunks auto")["bound_us"], of_any["bound_us"]);
    assert_eq!(bound(" --chunks 2")["holds_for_divisors"], json!(false));
    let people = quadrille(&format!("bound {line}")).good();
    assert!(people.contains("in any number of chunks that divides 5040"), "{people}");
}

#[test]
fn sizes_and_rates_are_checked() {
    let with = |words: &str| quadrille(&format!("bound ring:4 allgather {words}"));
    with("--bytes 1G").fails(2, "--bytes: ring:4 has no bandwidths", "--bandwidth 25GB/s");
    with("--bytes 0 --bandwidth 25GB/s").fails(2, "--bytes: `0` is not a size above 0", "64Ki");
    with("--bytes 1K..1G --bandwidth 25GB/s").fails(2, "`1K..1G` is not a size", "quadrille tune");
    with("--bytes 1X --bandwidth 25GB/s").fails(2, "--bytes: `1X` is not a size", "64Ki");
    with("--bytes 1G --bandwidth 0GB/s").fails(2, "--bandwidth: `0GB/s` is not a number above 0", "25GB/s");
    with("--bytes 1G --bandwidth -1GB/s").fails(2, "--bandwidth: `-1GB/s` is not a number above 0", "25GB/s");
    with("--bytes 1G --bandwidth 25furlongs").fails(2, "--bandwidth: `25furlongs` is not a number", "units are GB/s");
    with("--bytes 1G --bandwidth 25GB/s --latency 1h").fails(2, "--latency: `1h` is not a number", "units are us");
    with("--bytes 1G --bandwidth 25GB/s --switching tdm").fails(2, "--bytes: in time, paths lead", "no_transit");
    with("--bytes 1G --bandwidth 25GB/s --chunks 0").fails(2, "--chunks: 0 chunks", "at least 1");
    with("--bandwidth 25GB/s").fails(2, "--bytes", "");
    quadrille("solve ring:4 allgather --chunks auto").fails(2, "--chunks auto", "--bytes");
}

#[test]
fn where_nccl_tests_counts_no_size_every_message_has_so_many_bytes() {
    let micros = |words: &str| {
        quadrille(&format!("solve {words} --bytes 1M --bandwidth 10GB/s --chunks 1 --json")).json(0)["time_us"].clone()
    };
    // Each sends a megabyte to the next, in 100 us.
    assert_eq!(micros("ring:4 permutation --pairs shift:1"), json!(100.0));
    // One has two of them for the next.
    assert_eq!(micros("ring-uni:3 alltoallv --counts 0,2,0,0,0,1,1,0,0"), json!(200.0));
    // Two of four gather in each group, over the channels between them.
    assert_eq!(micros("ring:4 allgather --groups 0-1/2-3"), json!(100.0));
    // Among themselves, two ranks have a size that is counted: half of it is what each has.
    assert_eq!(micros("ring:4 allgather --senders 0,1 --receivers 0,1"), json!(50.0));
    let folder = Folder::new();
    let file = folder.path("shift.json");
    let line = format!("solve ring:4 permutation --pairs shift:1 --bytes 1M --bandwidth 10GB/s --chunks 1 -o {file}");
    let answer = quadrille(&format!("{line} --json")).json(0);
    assert_eq!((&answer["algbw_GBps"], &answer["optimal"]), (&json!(null), &json!(true)));
    assert_eq!(quadrille(&format!("check {file} --json")).json(0)["time_us"], answer["time_us"]);
}

#[test]
fn a_method_of_time_is_named() {
    let solve = |words: &str| quadrille(&format!("solve ring:4 allgather --bytes 1M --bandwidth 10GB/s {words}"));
    let answer = solve("--method timed-trees --json").json(0);
    assert_eq!((&answer["method"], &answer["methods"][0]["ended"]), (&json!("timed-trees"), &json!("done")));
    assert!(solve("--explain --chunks 1").good().contains("\n  timed-ring  "), "what each method did");
    solve("--method packing").fails(2, "--method: `packing` is not a method of schedules in time", "quadrille methods");
    solve("--method timed-tree").fails(2, "is not a method", "did you mean `timed-trees`?");
    assert!(
        quadrille("methods").good().contains("\nWith --bytes, which minimises microseconds:\ntimed-steps "),
        "a list"
    );
    assert!(quadrille("methods timed-trees").good().contains("  use: with --bytes, one of those"), "a description");
}

#[test]
fn steps_serve_time_where_channels_are_alike() {
    let solve = |words: &str| quadrille(&format!("solve {words} --method timed-steps --json"));
    // Eight steps of a thousand bytes at a thousand bytes a microsecond, as without --bytes.
    let answer = solve("torus:4x4 alltoall --bytes 16K --bandwidth 1GB/s --chunks 1").json(0);
    assert_eq!((&answer["time_us"], &answer["optimal"]), (&json!(8.0), &json!(true)));
    // Chips that store what they send on: alltoall on 4 x 4 x 4 of them takes 32 steps, one channel a step.
    let answer = solve("tpu-v4:4x4x4 alltoall --bytes 64K --bandwidth 1GB/s --chunks 1").json(0);
    assert_eq!((&answer["time_us"], &answer["optimal"]), (&json!(32.0), &json!(true)));
    // Each of 6 ranks has a part of the vector: 5 transfers of it each way on 12 channels.
    let answer = solve("ring:6 allreduce --bytes 12K --bandwidth 1GB/s --chunks 12").json(0);
    assert_eq!((&answer["time_us"], &answer["optimal"]), (&json!(10.0), &json!(true)));
    let mixed = "solve ndv2:1 alltoall --bytes 64K --method timed-steps";
    quadrille(mixed).fails(1, "timed-steps makes no schedule of this: channels differ in bandwidth", "");
}

#[test]
fn chunks_suit_the_bandwidths() {
    // Each node takes in what seven others have over six channels' worth of links: multiples of six chunks lose nothing.
    let answer = quadrille("solve dgx1 allgather --bytes 1G --bandwidth 25GB/s --json").json(0);
    let (time, bound) = (answer["time_us"].as_f64().unwrap(), answer["bound_us"].as_f64().unwrap());
    assert_eq!(answer["chunks"].as_u64().unwrap() % 6, 0, "{answer}");
    assert!(time < 1.001 * bound, "{time} {bound}");
}

#[test]
fn a_network_file_has_bandwidths() {
    let folder = Folder::new();
    let network = json!({"nodes": 3, "channels": [[0, 1], [1, 0], [1, 2], [2, 1], [0, 2], [2, 0]],
                         "bandwidth": [10, 10, 20, 20, 1, 1], "latency": [1, 1, 1, 1, 0.5, 0.5]});
    let file = folder.write("net.json", &network.to_string());
    let micros = |words: &str| {
        quadrille(&format!("bound {file} broadcast --bytes 10K {words} --json")).json(0)["bound_us"].clone()
    };
    // By way of node 1: 10 KB over 10 GB/s, and 1 + 1 us. Over the narrow link alone: 10 us and 0.5 us.
    assert_eq!(micros("--chunks 1"), json!(3.0));
    assert_eq!(micros("--chunks 1 --fail-link 1-2"), json!(10.5));
    assert_eq!(micros("--chunks 1 --latency 2us"), json!(5.0));
    assert_eq!(micros("--chunks 1 --bandwidth 100GB/s --latency 0us"), json!(0.1));
    let short = json!({"nodes": 2, "channels": [[0, 1]], "bandwidth": [1, 2]});
    let file = folder.write("short.json", &short.to_string());
    quadrille(&format!("network {file}")).fails(
        2,
        "short.json:1:14: bandwidth: `bandwidth` has 2 entries where 1 are needed",
        "correct the file",
    );
}

#[test]
fn a_schedule_in_microseconds_is_saved_and_checked() {
    let folder = Folder::new();
    let file = folder.path("fast.json.gz");
    let line = "solve hypercube:3 allgather --bytes 1M --bandwidth 25GB/s --latency 0.7us";
    let made = quadrille(&format!("{line} --chunks 8 -o {file} --json")).json(0);
    let checked = quadrille(&format!("check {file} --json")).json(0);
    for name in ["time_us", "bound_us", "algbw_GBps", "busbw_GBps", "chunks", "transfers", "optimal", "certificate"] {
        assert_eq!(made[name], checked[name], "{name}");
    }
    let [time, bound] = ["time_us", "bound_us"].map(|name| made[name].as_f64().unwrap());
    // Seven eighths of 1 MB come to each node over three channels.
    assert!(bound > 11.6 && bound <= time && time < 1.5 * bound, "{made}");
    assert_eq!(quadrille(&format!("{line} --chunks 8 --json")).json(0)["time_us"], made["time_us"]);
    let people = quadrille(&format!("{line} --chunks 8")).good();
    assert!(people.starts_with("allgather in 8 chunks on hypercube:3: "), "{people}");
}

#[test]
fn the_number_of_chunks_is_chosen() {
    let best = |chunks: &str| {
        let line = format!("solve ring:4 broadcast --bytes 3K --bandwidth 25GB/s --latency 0.7us --json {chunks}");
        let answer = quadrille(&line).json(0);
        (answer["time_us"].as_f64().unwrap(), answer["chunks"].as_u64().unwrap())
    };
    let (chosen, chunks) = best("");
    assert!(chunks > 4, "{chunks}");
    assert_eq!(best("--chunks auto"), (chosen, chunks));
    assert!(chosen < best("--chunks 1").0 && chosen < best("--chunks 4").0);
}

#[test]
fn every_collective_is_made_in_time() {
    for collective in
        ["broadcast", "scatter", "gather", "reduce", "allgather", "alltoall", "reduce_scatter", "allreduce"]
    {
        let line =
            format!("solve ring:5 {collective} --bytes 100K --bandwidth 25GB/s --latency 0.7us --chunks 4 --json");
        let answer = quadrille(&line).json(0);
        let [time, bound] = ["time_us", "bound_us"].map(|name| answer[name].as_f64().unwrap());
        assert!(time >= bound && bound > 0.0, "{answer}");
    }
}

#[test]
fn what_no_method_makes_in_time_is_said() {
    let with = |words: &str| quadrille(&format!("solve ring:4 allgather --bytes 1M --bandwidth 25GB/s {words}"));
    let ports = "--method timed-trees --ports one";
    with(ports).fails(1, "timed-trees makes no schedule of this: it does not support limited ports", "bound");
    with("--method timed-trees --half-duplex").fails(1, "it does not support half-duplex channels", "bound");
    // Others do: three of four parts come into each node through its port.
    assert_eq!(with("--ports one --chunks 1 --json").json(0)["time_us"], json!(30.0));
    assert!(with("--half-duplex --chunks 4 --json").json(0)["time_us"].as_f64().unwrap() < 31.0);
    with("--steps 3").fails(2, "--steps is for schedules of steps", "leave out");
    with("--method packing").fails(2, "--method: `packing` is not a method of schedules in time", "quadrille methods");
    with("-o x.svg").fails(2, "-o x.svg", "");
    quadrille("solve ring:4 allgather --bytes 1M").fails(2, "--bytes: ring:4 has no bandwidths", "--bandwidth");
}

/// Without a latency the time of a small message is told to be too short, that of a large one is not.
#[test]
fn an_absent_latency_is_told() {
    let solve = |flags: &str| {
        quadrille(&format!("solve ring:4 allgather --bandwidth 25GB/s --method timed-ring --chunks 1 {flags}")).good()
    };
    let told = "\n  no channel has a latency, ";
    assert!(solve("--bytes 1K").contains(told));
    assert!(!solve("--bytes 1K --latency 1us").contains(told) && !solve("--bytes 1G").contains(told));
    let tuned = quadrille("tune ring:4 allgather --bandwidth 25GB/s --bytes 1K --chunks 1").good();
    assert!(tuned.contains(told), "{tuned}");
}

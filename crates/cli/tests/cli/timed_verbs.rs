//! Schedules in time: what they cost, how they are drawn, exported and replayed.

use crate::pages::docs;
use crate::timed::{corpus, names};
use crate::{Answer, Folder, quadrille};
use serde_json::{Value, json};

fn holds() -> Vec<String> {
    names().into_iter().filter(|name| name.starts_with("holds-")).map(|name| file(&name)).collect()
}

fn file(name: &str) -> String {
    corpus().join(name).display().to_string()
}

/// Allgather on a ring: 12 transfers, the last at 2.16 us.
fn ring() -> String {
    file("holds-allgather-ring-4.json")
}

fn cost(words: &str) -> Answer {
    quadrille(&format!("cost {words}"))
}

#[test]
fn a_critical_path_leads_from_the_beginning_to_the_end() {
    for file in holds() {
        let checked = quadrille(&format!("check {file} --json")).json(0);
        let answer = cost(&format!("{file} --json")).json(0);
        let told = &answer["files"][0];
        assert_eq!(
            ["time_us", "algbw_GBps"].map(|name| &told[name]),
            ["time_us", "algbw_GBps"].map(|name| &checked[name])
        );
        let path = told["critical_path"].as_array().unwrap();
        assert_eq!(path.is_empty(), told["transfers"] == 0, "{file}");
        let (Some(first), Some(last)) = (path.first(), path.last()) else { continue };
        assert_eq!((&first["reason"], &first["begin_us"]), (&json!("begin"), &first["waits_us"]), "{file}");
        assert_eq!(last["end_us"], told["time_us"], "{file}");
        for pair in path.windows(2) {
            let [begin, end] = [&pair[1]["begin_us"], &pair[0]["end_us"]].map(|time| time.as_f64().unwrap());
            // What brings it has come; what keeps a channel or a port may still be on its way.
            assert!(pair[1]["reason"] != "message" || end <= begin + 1e-9, "{file}");
            assert!(pair[0]["begin_us"].as_f64() <= Some(begin), "{file}");
        }
        assert!(cost(&file).good().contains("\n  critical path: "), "{file}");
    }
}

#[test]
fn the_cost_of_a_ring() {
    let answer = cost(&format!("{} --json", ring())).json(0);
    let told = &answer["files"][0];
    let path = told["critical_path"].as_array().unwrap();
    let reasons: Vec<&Value> = path.iter().map(|link| &link["reason"]).collect();
    assert_eq!(reasons, ["begin", "message", "message"]);
    // Three transfers of 250 bytes over each channel of 12.5 GB/s used, in 2.16 us.
    let fullest = &told["channels"][0];
    assert!((fullest["used"].as_f64().unwrap() - 750.0 / 12.5e3 / 2.16).abs() < 1e-9, "{fullest}");
    let people = cost(&ring()).good();
    assert!(people.starts_with("allgather: 2.1600 µs, without a lower bound\n  bandwidth: 0.4630 GB/s"), "{people}");
    assert!(people.contains("\n  critical path: 3 transfers\n"), "{people}");
    assert_eq!(people.matches(" arrives").count(), 2, "{people}");
    let two = cost(&format!("{} {}", ring(), file("holds-pair.json"))).good();
    assert_eq!(two.matches("critical path").count(), 2, "{two}");
    let ports = cost(&format!("{} --json", file("holds-send-ports.json"))).json(0);
    assert!(ports.to_string().contains("\"reason\":\"send-ports\""), "{ports}");
}

#[test]
fn costs_of_time_need_no_model() {
    let with = |words: &str| cost(&format!("{} {words}", ring()));
    with("--alpha 1").fails(2, "--alpha: a schedule in time has bandwidths", "leave it out");
    with("--model loggp").fails(2, "--model: a schedule in time", "leave it out");
    with("--message 1K").fails(2, "--message: a schedule in time", "leave it out");
    with("--pipelined").fails(2, "--pipelined: a schedule in time", "leave it out");
    with("-o x.svg").fails(2, "-o: a schedule in time has one size", "quadrille show");
    let folder = Folder::new();
    let steps = folder.path("steps.json");
    assert_eq!(quadrille(&format!("solve ring:4 broadcast -o {steps}")).status, 0);
    with(&format!("{steps} --alpha 1 --beta 1")).fails(2, "some files are schedules in time", "of one kind");
    cost(&file("false-bandwidth.json")).fails(1, "false-bandwidth.json", "`quadrille check`");
}

#[test]
fn a_chart_over_time() {
    let folder = Folder::new();
    let out = folder.path("x.svg");
    for file in holds() {
        for words in ["", "--rows nodes --dark"] {
            let said = quadrille(&format!("show {file} -o {out} {words}")).good();
            assert!(said.ends_with(" transfers as svg\n"), "{said}");
            let text = std::fs::read_to_string(&out).unwrap();
            let told = cost(&format!("{file} --json")).json(0);
            let uses: u64 =
                told["files"][0]["channels"].as_array().unwrap().iter().map(|c| c["transfers"].as_u64().unwrap()).sum();
            // Every use of a channel is a bar with its words.
            assert_eq!(text.matches("<title>message ").count() as u64, uses, "{file}");
            assert!(text.ends_with("</svg>\n") && !text.contains("NaN"), "{file}");
        }
    }
    let text = |words: &str| {
        assert_eq!(quadrille(&format!("show {} -o {out} {words}", file("holds-bound-latency.json"))).status, 0);
        std::fs::read_to_string(&out).unwrap()
    };
    assert!(text("").contains(">bound ") && text("").contains(">critical path</text>"));
    assert!(text("--dark").contains("#171c22"));
    let show = |words: &str| quadrille(&format!("show {} {words}", ring()));
    show(&format!("-o {out} --step 1")).fails(2, "--step: a schedule in time", "--rows channels|nodes");
    show(&format!("-o {out} --as tree")).fails(2, "--as: a schedule in time", "--rows channels|nodes");
    let page = folder.path("x.html");
    quadrille(&format!("show {0} {0} -o {page}", ring())).fails(
        2,
        "a schedule in time has a page of its own",
        "one file",
    );
    show(&format!("-o {page} --rows nodes")).good();
    let text = std::fs::read_to_string(&page).unwrap();
    // Twelve bars, in light and in dark, and the reasons of all.
    assert_eq!((text.matches("<rect data-t=").count(), text.matches("\"because\":").count()), (24, 12));
    assert_eq!(text.matches(" arrives").count(), 8);
    let steps = folder.path("steps.json");
    assert_eq!(quadrille(&format!("solve ring:4 broadcast -o {steps}")).status, 0);
    for out in [&out, &page] {
        quadrille(&format!("show {steps} -o {out} --rows nodes")).fails(
            2,
            "--rows is for schedules in time",
            "leave it out",
        );
    }
}

#[test]
fn a_row_for_every_transfer() {
    let folder = Folder::new();
    let export = |file: &str, words: &str| quadrille(&format!("export {file} {words}"));
    let out = folder.path("x.csv");
    assert!(export(&ring(), &format!("--to csv -o {out}")).good().ends_with("12 transfers as csv\n"));
    let text = std::fs::read_to_string(&out).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next().unwrap(), "begin_us,end_us,held_us,from,to,path,channels,messages,rate_GBps,op,partials");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.len() == 12 && rows.iter().all(|row| row.len() == 11), "{text}");
    assert_eq!(rows[0][..3], ["0", "0.72", "0.72"]);
    assert_eq!((rows[11][2], rows[11][8]), ("2.16", "12.5"));
    for file in holds() {
        let again = folder.path("again.json");
        export(&file, &format!("--to json -o {again}")).good();
        let [was, is] = [&file, &again].map(|file| quadrille(&format!("check {file} --json")).json(0));
        // What nothing checks is no bound.
        assert!(was == is || was["certificate"]["kind"] == "argument", "{file}");
        let table = folder.path("x.txt");
        export(&file, &format!("--to table -o {table}")).good();
        let rows = std::fs::read_to_string(&table).unwrap().lines().count() as u64;
        assert_eq!(rows, 4 + is["transfers"].as_u64().unwrap(), "{file}");
    }
    let tex = folder.path("x.tex");
    export(&ring(), &format!("--to table -o {tex}")).good();
    let text = std::fs::read_to_string(&tex).unwrap();
    assert_eq!((text.matches("\\begin{tabular}").count(), text.matches("\\end{tabular}").count()), (1, 1));
    assert_eq!(text.matches(" & ").count(), 8 * 13, "{text}");
    export(&file("holds-multicast.json"), &format!("--to csv -o {out}")).good();
    assert!(std::fs::read_to_string(&out).unwrap().contains(",0 1 2;0 1 3;0 1 5 4,0 1;0 2;0 3 4,"));
    let svg = folder.path("x.svg");
    assert!(export(&ring(), &format!("--to svg -o {svg}")).good().ends_with("12 transfers as svg\n"));
    export(&ring(), &format!("--to switches -o {out}")).fails(
        2,
        "--to switches: this is a schedule in time",
        "json, binary, csv, table, svg",
    );
}

#[test]
fn a_replay_is_as_quick_as_the_schedule() {
    for file in holds() {
        let answer = quadrille(&format!("replay {file} --json")).json(0);
        let [scheduled, most] = ["scheduled_us", "max_us"].map(|name| answer[name].as_f64().unwrap());
        assert!(most <= scheduled && answer["late_first"].is_null(), "{file}: {answer}");
        let slow = quadrille(&format!("replay {file} --jitter 20% --runs 9 --json")).json(0);
        let [least, middle, longest] = ["min_us", "median_us", "max_us"].map(|name| slow[name].as_f64().unwrap());
        assert!(most <= least && least <= middle && middle <= longest && longest <= 1.3 * scheduled, "{file}: {slow}");
        assert_eq!(quadrille(&format!("replay {file} --jitter 20% --runs 9 --json")).json(0), slow);
    }
}

#[test]
fn a_slow_link_is_late() {
    let replay = |words: &str| quadrille(&format!("replay {} {words}", ring()));
    // 250 bytes at 12.5 GB/s take 20 ns of 720; a hundredth of the bandwidth makes 2 us of them, three times in a row.
    let answer = replay("--slow 0>1=0.01 --json").json(0);
    assert_eq!(answer["slow"].as_array().unwrap().len(), 1);
    let told = ["scheduled_us", "max_us", "runs"].map(|name| answer[name].clone());
    assert_eq!(told[0], json!(2.16));
    assert!(told[1].as_f64().unwrap() > 4.0 && told[2] == 1, "{answer}");
    assert_eq!((&answer["late_first"]["from"], &answer["late_first"]["to"]), (&json!(0), &json!([1])));
    let people = replay("--slow 0-1=0.5").good();
    assert!(people.starts_with("allgather: 2.1600 µs as scheduled\n  replayed: "), "{people}");
    assert!(
        people.contains("\n  first late transfer: 0→1 with message 0, which ended at ")
            || people.contains("\n  first late transfer: 1→0 "),
        "{people}"
    );
    let people = replay("--jitter 10%").good();
    assert!(
        people.contains("\n  100 replays: ") && people.contains("\n  first late transfer in the slowest: "),
        "{people}"
    );
    assert!(replay("").good().ends_with("1.000 times the schedule\n  late transfers: none\n"));
    // Channels have 12.5 GB/s.
    let slow = |left: &str| replay(&format!("--slow 0-1={left} --json")).json(0)["max_us"].clone();
    assert_eq!(slow("6.25GB/s"), slow("0.5"));
}

#[test]
fn a_replay_names_what_is_wrong() {
    let replay = |words: &str| quadrille(&format!("replay {} {words}", ring()));
    replay("--jitter 10").fails(2, "--jitter: `10` is not a part", "10%");
    replay("--jitter -1%").fails(2, "--jitter: `-1%` is not a part", "10%");
    replay("--slow 0-1").fails(2, "--slow: `0-1` says no part", "A-B=0.5");
    replay("--slow 0-1=0").fails(2, "--slow: `0-1=0` leaves neither a part", "A-B=0.5");
    replay("--slow 0-1=99GB/s").fails(2, "--slow: `0-1=99GB/s` leaves neither a part", "A-B=12.5GB/s");
    replay("--slow 0-1=2").fails(2, "leaves neither a part from 0.000001 to 1 nor a lower rate", "A-B=0.5");
    replay("--slow 0-2=0.5").fails(2, "names no channel of the network", "--json");
    replay("--slow 0-9=0.5").fails(2, "--slow", "");
    replay("--runs 0").fails(2, "--runs: 0 is not a number of replays", "1000000");
    let folder = Folder::new();
    let steps = folder.path("steps.json");
    assert_eq!(quadrille(&format!("solve ring:4 broadcast -o {steps}")).status, 0);
    quadrille(&format!("replay {steps}")).fails(2, "this schedule has steps and no times", "cost --pipelined");
    quadrille(&format!("replay {}", file("false-rate.json"))).fails(1, "false-rate.json", "`quadrille check`");
}

/// The examples of the pages are of a file that is kept, and its picture is on one of them.
#[test]
fn the_picture_of_a_schedule_in_time_is_drawn_anew() {
    let kept = docs().join("pictures/timed-mesh-3x3.json").display().to_string();
    let folder = Folder::new();
    let drawn = folder.path("x.svg");
    quadrille(&format!("show {kept} -o {drawn}")).good();
    let [drawn, known] = [drawn, kept.replace(".json", ".svg")].map(|file| std::fs::read_to_string(file).unwrap());
    assert!(drawn == known, "the picture of the page is another");
}

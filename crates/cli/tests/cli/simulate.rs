//! `simulate`: rates, curves, saturation, traces and deadlocks, and what is refused.

use crate::{Folder, quadrille};

/// What a command says whose answer is no.
fn no(line: &str) -> String {
    let answer = quadrille(line);
    assert_eq!((answer.status, answer.err.as_str()), (1, ""), "{}", answer.out);
    answer.out
}

const BRIEF: &str = "--window 500 --batches 3";

#[test]
fn one_rate_tells_latency_and_loads() {
    let folder = Folder::new();
    let loads = folder.path("loads.csv");
    let answer =
        quadrille(&format!("simulate ring:6 --rate 0.5 --traffic neighbour {BRIEF} -o {loads} --json")).json(0);
    let point = &answer["point"];
    // Two cycles to the first of two routers, three in each and one on the channel behind it.
    assert_eq!(point["latency"]["mean"], 10.0);
    assert_eq!((&point["hops"], &point["blocked"], &point["saturated"]), (&1.0.into(), &0.0.into(), &false.into()));
    let text = std::fs::read_to_string(&loads).unwrap();
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|row| row.split(',').map(|n| n.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 12);
    // Only channels to the next node are used.
    for row in rows {
        let used = (row[1] + 1.0) % 6.0 == row[2];
        assert!(if used { (row[3] - 0.5).abs() < 0.1 } else { row[3] == 0.0 }, "{row:?}");
    }
    let people = quadrille(&format!("simulate ring:6 --rate 0.5 --traffic neighbour {BRIEF}")).good();
    assert!(
        people.starts_with("traffic on ring:6, neighbour traffic, packets of 1 flit\n  dimension-order with datelines"),
        "{people}"
    );
    assert!(people.contains("latency 10.00 ± 0.00 cycles, 10.00 of them in the network; 1.00 hops"), "{people}");
}

#[test]
fn more_than_the_network_carries_is_status_1() {
    let text = no(&format!("simulate mesh:4x4 --rate 0.9 --traffic bit-complement {BRIEF}"));
    assert!(text.contains("saturated: the network carries less than is offered"), "{text}");
}

#[test]
fn a_curve_is_drawn_and_kept_and_threads_do_not_change_it() {
    let folder = Folder::new();
    let (picture, table) = (folder.path("curve.svg"), folder.path("curve.csv"));
    let line = format!("simulate mesh:3x3 --curve 0.1,0.3,0.9 --packet 2 {BRIEF}");
    let answer = quadrille(&format!("{line} --threads 2 -o {picture} -o {table} --json")).json(0);
    let points = answer["points"].as_array().unwrap();
    let means: Vec<f64> = points[..2].iter().map(|point| point["latency"]["mean"].as_f64().unwrap()).collect();
    assert!(means[0] < means[1] && points[2]["saturated"] == true, "{answer}");
    let text = std::fs::read_to_string(&table).unwrap();
    assert_eq!(text.lines().count(), 4);
    assert!(text.lines().nth(1).unwrap().starts_with("0.1,"), "{text}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("uniform traffic on mesh:3x3") && svg.contains("latency in cycles"));
    let alone = quadrille(&format!("{line} --threads 1 --json")).json(0);
    assert_eq!(alone["points"], answer["points"]);
}

#[test]
fn saturation_is_found_where_a_hot_port_is_full() {
    let answer = quadrille(&format!("simulate mesh:2x2 --saturation --traffic hotspot:3=1 {BRIEF} --json")).json(0);
    // Four senders share one port of a flit a cycle.
    let refused = answer["saturation"]["refused"].as_f64().unwrap();
    assert!((0.23..0.28).contains(&refused), "{answer}");
    assert!(answer["zero_load_latency"].as_f64().unwrap() > 6.0);
}

#[test]
fn what_a_trace_wrote_is_read_back() {
    let folder = Folder::new();
    let (sent, arrived, again) = (folder.path("sent.csv"), folder.path("arrived.csv"), folder.path("again.csv"));
    std::fs::write(&sent, "# two packets\ntime,source,destination,size\n0,0,8,4\n 5, 8, 0, 1\n").unwrap();
    let text = quadrille(&format!("simulate mesh:3x3 --trace {sent} -o {arrived}")).good();
    assert!(text.contains("2 packets, the last delivered in cycle 27"), "{text}");
    let rows = std::fs::read_to_string(&arrived).unwrap();
    // Two cycles, five routers of four cycles each, and three flits behind the head.
    assert_eq!(rows, "time,source,destination,size,injected,arrived,hops\n0,0,8,4,0,25,4\n5,8,0,1,5,27,4\n");
    quadrille(&format!("simulate mesh:3x3 --trace {arrived} -o {again}")).good();
    assert_eq!(std::fs::read_to_string(&again).unwrap(), rows);
    let equation =
        "--injection all --ejection all --injection-delay 0 --ejection-delay 0 --vc-delay 0 --allocation-delay 0";
    let answer = quadrille(&format!(
        "simulate mesh:3x3 --trace {sent} {equation} --switch-delay 2 --routing-delay 3 --interval 2 --json"
    ))
    .json(0);
    // Equation 2.6: 4 (3 + 2 + 1) + 2 * 3 for the first, 4 (3 + 2 + 1) for the second, which starts five cycles later.
    assert_eq!(
        (&answer["cycles"], &answer["latency"]["most"], &answer["blocked"]),
        (&30.into(), &30.into(), &0.into())
    );
}

#[test]
fn a_torus_without_datelines_deadlocks_and_says_in_which_circle() {
    let line = "simulate torus:7x7 --traffic tornado --rate 0.9 --packet 20 --vcs 1 --buffer 4 --no-datelines";
    let answer = quadrille(&format!("{line} --json")).json(1);
    let circle = answer["deadlock"]["circle"].as_array().unwrap();
    assert!(circle.len() >= 3, "{answer}");
    for (held, next) in circle.iter().zip(circle.iter().cycle().skip(1)) {
        assert_eq!(held["to"], next["from"]);
    }
    let text = no(line);
    assert!(text.contains("deadlock in cycle") && text.contains("a packet from"), "{text}");
    // With datelines it only carries what it can.
    let line = line.replace("--vcs 1", "--vcs 2").replace(" --no-datelines", "");
    let text = no(&format!("{line} {BRIEF}"));
    assert!(text.contains("saturated: "), "{text}");
}

/// The root of up-down is told where it is chosen, and it is a good one: from node 0, by the first path whatever its length, 0.03 flits a cycle were too many.
#[test]
fn up_down_tells_its_root_and_carries_what_it_can() {
    let line = format!("simulate mesh:6x6 --rate 0.25 --routing up-down {BRIEF}");
    let answer = quadrille(&format!("{line} --json")).json(0);
    let root = answer["root"].as_u64().unwrap();
    assert_eq!((&answer["routing"], &answer["point"]["saturated"]), (&"up-down".into(), &false.into()));
    let text = quadrille(&line).good();
    assert!(text.contains(&format!("\n  up-down with root {root}, 4 virtual channels")), "{text}");
    let escape = quadrille(&format!("simulate petersen --rate 0.1 --routing adaptive {BRIEF}")).good();
    assert!(escape.contains("adaptive, escape by up-down with root "), "{escape}");
    let grid = quadrille(&format!("simulate mesh:3x3 --rate 0.1 {BRIEF} --json")).json(0);
    assert_eq!(grid["root"], serde_json::Value::Null);
}

/// A network of a file is told of by the names of its nodes, and a deadlock by the rate at which it came.
#[test]
fn names_and_rates_are_told() {
    let folder = Folder::new();
    let nodes: String = (0..7).map(|v| format!("node [ id {v} label \"core{v}\" ]\n")).collect();
    let links: String = (0..7).map(|v| format!("edge [ source {v} target {} ]\n", (v + 1) % 7)).collect();
    let ring = folder.write("ring.gml", &format!("graph [\n{nodes}{links}]\n"));
    let loads = folder.path("loads.csv");
    let text = quadrille(&format!("simulate {ring} --rate 0.05 --routing shortest {BRIEF} -o {loads}")).good();
    let busiest = text.lines().find(|line| line.contains("channels carry")).unwrap();
    assert!(busiest.contains(" from core") && busiest.contains(" to core"), "{text}");
    let loads = std::fs::read_to_string(loads).unwrap();
    assert!(loads.starts_with("channel,from,to,flits_a_cycle,from_name,to_name\n0,0,1,"), "{loads}");
    assert!(loads.lines().nth(1).unwrap().ends_with(",core0,core1"), "{loads}");
    let routers = "--routing shortest --packet 20 --vcs 1 --buffer 4 --traffic tornado";
    for how in ["--saturation", "--curve", "--curve 0.01,0.9"] {
        let text = no(&format!("simulate {ring} {how} {routers} {BRIEF}"));
        assert!(text.contains(", at a rate of 0.") || text.contains(", at a rate of 1."), "{text}");
        assert!(text.contains("\n  core") && text.contains(": a packet from core"), "{text}");
    }
    let answer = quadrille(&format!("simulate {ring} --curve 0.01,0.9 {routers} {BRIEF} --json")).json(1);
    assert_eq!(answer["deadlock"]["rate"], 0.9);
}

#[test]
fn a_matrix_of_traffic_is_read() {
    let folder = Folder::new();
    let matrix = folder.path("traffic.csv");
    std::fs::write(&matrix, "0,1,0\n0,0,1\n0.5,0,0\n").unwrap();
    let answer = quadrille(&format!("simulate ring:3 --rate 0.4 --traffic {matrix} {BRIEF} --json")).json(0);
    assert_eq!(answer["point"]["hops"], 1.0);
    let offered = answer["point"]["offered"].as_f64().unwrap();
    assert!((offered - 0.4 * 2.5 / 3.0).abs() < 0.03, "{offered}");
}

#[test]
fn wide_and_half_duplex_links_carry_what_they_should() {
    let folder = Folder::new();
    let wide = folder.write("wide.json", r#"{"nodes": 2, "channels": [[0, 1], [1, 0]], "capacities": [2, 2]}"#);
    let traffic = folder.write("traffic.csv", "0,1\n1,0\n");
    let all = "--packet 4 --injection all --ejection all --window 500 --batches 3 --json";
    let loads = |network: &str, rate: f64| {
        let answer = quadrille(&format!("simulate {network} --rate {rate} --traffic {traffic} {all}"));
        let answer: serde_json::Value = serde_json::from_str(&answer.out).unwrap();
        answer["loads"].as_array().unwrap().iter().map(|load| load.as_f64().unwrap()).collect::<Vec<f64>>()
    };
    let both = loads(&wide, 1.5);
    assert!(both.iter().all(|load| *load > 1.3), "{both:?}");
    let half = loads("mesh:2 --half-duplex", 1.0);
    assert!(half.iter().all(|load| (load - 0.5).abs() < 0.05), "{half:?}");
    let slow = loads("mesh:2 --interval 0>1=4", 1.0);
    assert!(slow.iter().any(|load| (load - 0.25).abs() < 0.02) && slow.iter().any(|load| *load > 0.9), "{slow:?}");
}

#[test]
fn a_few_senders_that_are_held_up_saturate_a_network() {
    let line = "simulate mesh:4x4 --traffic transpose --rate 0.37 --window 1000 --batches 5";
    let text = no(line);
    assert!(text.contains("of 16 terminals are held up, most ") && text.contains(": of 0.3"), "{text}");
    let answer = quadrille(&format!("{line} --json")).json(1);
    let slowest = &answer["point"]["slowest"];
    assert!(slowest["accepted"].as_f64().unwrap() < slowest["offered"].as_f64().unwrap() - 0.01, "{answer}");
}

#[test]
fn several_routings_stand_beside_each_other() {
    let folder = Folder::new();
    let (picture, table) = (folder.path("curve.svg"), folder.path("curve.csv"));
    let line = format!("simulate mesh:3x3 --curve 0.1,0.2 {BRIEF} --routing up-down,dimension-order");
    let text = quadrille(&format!("{line} -o {picture} -o {table}")).good();
    assert!(
        text.contains("\n  up-down with root 0, 4 virtual") && text.contains("\n  dimension-order, 4 virtual"),
        "{text}"
    );
    let rows = std::fs::read_to_string(&table).unwrap();
    assert!(rows.starts_with("routing,rate,") && rows.lines().count() == 5, "{rows}");
    assert!(rows.contains("\nup-down,0.1,") && rows.contains("\ndimension-order,0.2,"), "{rows}");
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("up-down, mean") && svg.contains("dimension-order, mean"));
    let answer = quadrille(&format!("{line} --json")).json(0);
    let alone = quadrille(&format!("simulate mesh:3x3 --curve 0.1,0.2 {BRIEF} --routing up-down --json")).json(0);
    assert_eq!(
        (&answer["routings"][0]["points"], &answer["routings"][0]["routing"]),
        (&alone["points"], &"up-down".into())
    );
}

#[test]
fn bad_settings_are_refused_with_the_reason() {
    let cases: &[(&str, &str, &str)] = &[
        ("mesh:3x3", "there is nothing to simulate", "--rate 0.1"),
        ("mesh:3x3 --rate 0.1 --vcs 0", "the number of virtual channels is 0", "write a number from 1 to 32"),
        (
            "mesh:3x3 --rate 0.1 --switching cut-through --packet 9",
            "a packet of 9 flits does not fit into a buffer of 8",
            "--buffer 9",
        ),
        ("mesh:3x3 --rate 0.1 --switching circuit", "a circuit holds whole channels", "--vcs 1"),
        (
            "mesh:3x3 --rate 1.5",
            "the rate is 1.5 flits per node and cycle, but it must be above 0 and at most 1",
            "--rate 0.1",
        ),
        ("mesh:3x3 --rate 0", "the rate is 0", "--rate 0.1"),
        (
            "torus:5x5 --rate 0.1 --vcs 1",
            "dimension-order with datelines needs 2 virtual channels, but there are 1",
            "--no-datelines",
        ),
        ("mesh:3x3 --rate 0.1 --packet 0", "the length of a packet in flits is 0", "from 1"),
        ("mesh:3x3 --rate 0.1 --packet x", "--packet: `x` is not a number of flits", "write 10"),
        ("mesh:3x3 --rate 0.1 --burst 0", "bursts of 0 cycles", "--burst 50"),
        ("mesh:3x3 --rate 0.1 --traffic tranpose", "there is no traffic pattern `tranpose`", "transpose"),
        ("mesh:3x4 --rate 0.1 --traffic transpose", "needs a square number of terminals", "choose another pattern"),
        ("mesh:3x3 --rate 0.1 --traffic hotspot:9=0.1", "mesh:3x3 has no node 9", "its nodes are 0 to 8"),
        ("mesh:3x3 --rate 0.1 --traffic hotspot:1=2", "must be from 0 to 1", "hotspot:3=0.1"),
        ("mesh:3x3 --rate 0.1 --traffic hotspot:1", "`1` is not a hot spot", "hotspot:NODE=SHARE"),
        ("mesh:3x3 --rate 0.1 --routing up-donw", "there is no routing `up-donw`", "did you mean `up-down`?"),
        (
            "petersen --rate 0.1 --routing dimension-order",
            "petersen: the routing `dimension-order` is for meshes",
            "adaptive",
        ),
        ("gft:2,4,4 --rate 0.1 --routing valiant", "is for networks whose terminals let packets pass", "routings: "),
        ("mesh:3x3 --curve 0.1,a", "--curve: `a` is not a rate", "such as 0.1,0.2"),
        ("mesh:3x3 --rate 0.1 --channel-delay 0-8=2", "names no channel of mesh:3x3", "by the nodes at its ends"),
        ("mesh:3x3 --rate 0.1 --channel-delay x", "says no number of cycles", "A-B=2"),
        ("mesh:3x3 --rate 0.1 --injection some", "`some` is not a number of ports", "`all`"),
        ("mesh:3x3 --rate 0.1 --window 0", "--window: 0 is not from 1", "--window 10"),
        (
            "mesh:3x3 --rate 0.1 --half-duplex --switching circuit --vcs 1",
            "circuits on half-duplex links",
            "--switching",
        ),
        (
            "mesh:3x3 --rate 0.1 --interval 0-1=0",
            "the interval of a channel is 0, but it must be from 1",
            "write a number",
        ),
        ("mesh:3x3 --rate 0.1 --interval 0-8=2", "--interval: `0-8` names no channel", "by the nodes at its ends"),
        ("mesh:3x3 --rate 0.1 --routing up-down,up-donw", "there is no routing `up-donw`", "did you mean `up-down`?"),
        ("mesh:3x3 --rate 0.1 -o x.svg", "only curves are drawn", "--curve"),
        ("mesh:3x3 --rate 0.1 -o x.txt", "no format has the ending", ".csv"),
        ("mesh:3x3 --saturation -o x.csv", "saturation is one number", "--curve"),
        ("mesh:3x3 --rate 0.1 --time -1", "--time: not a number of seconds", "2.5"),
    ];
    for (line, message, hint) in cases {
        quadrille(&format!("simulate {line}")).fails(2, message, hint);
    }
    let folder = Folder::new();
    let refused = |network: &str, flags: &str, text: &str, message: &str| {
        let path = folder.write("t.csv", text);
        quadrille(&format!("simulate {network} {flags} {path}")).fails(2, message, "");
    };
    let trace = |text: &str, message: &str| refused("mesh:3x3", "--trace", text, message);
    trace("", "t.csv: `time,source,destination,size` is missing");
    trace("time,source,size\n", "t.csv:1:1: `destination` is missing");
    let message = "t.csv:2:5: `destination` must be a whole number from 0 to 8 (found `9`)";
    trace("time,source,destination,size\n0,0,9,1\n", message);
    trace("time,source,destination,size\n0,0,8\n", "t.csv:2:1: `size` is missing");
    trace("time,source,destination,size\n0,0,8,0\n", "`size` must be a whole number from 1");
    let switch = "time,source,destination,size\n0,70,0,1\n";
    refused("gft:2,4,4", "--trace", switch, "node 70, which neither sends nor receives");
    let matrix = |text: &str, message: &str| refused("ring:3", "--rate 0.1 --traffic", text, message);
    matrix("0,1,0\n", "t.csv: the matrix has 1 rows for 3 terminals");
    matrix("0,1,x\n", "t.csv:1:5: a weight must be a number from 0 on (found `x`)");
}

#[test]
fn time_ends_a_run_that_would_be_long() {
    let line = "simulate mesh:8x8 --rate 0.3 --window 100000000 --time 0.2";
    quadrille(line).fails(1, "stopped before anything was measured", "--time");
}

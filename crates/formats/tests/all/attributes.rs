//! Bandwidths and latencies in the graph formats.

use formats::network::{NetworkFile, parse, write_to};
use formats::units::{RATES, SIZES, TIMES, in_file, with_unit};
use formats::{ReadError, network};
use kernel::timed::Links;
use kernel::{Node, Rational};
use proptest::prelude::*;
use std::path::Path;

/// The formats that carry them.
const FORMATS: [&str; 4] = ["json", "graphml", "dot", "edges"];

fn read_as(text: &[u8], format: &str) -> Result<NetworkFile, ReadError> {
    parse(text, Path::new(&format!("title.{format}")))
}

#[test]
fn sizes_have_units_of_ten_and_of_two() {
    let sizes = [
        ("1000", 1000),
        ("1K", 1000),
        ("64Ki", 65536),
        ("64KiB", 65536),
        ("1KB", 1000),
        ("2MB", 2_000_000),
        ("7B", 7),
        ("1.5M", 1_500_000),
        ("1G", 1_000_000_000),
        ("0", 0),
    ];
    for (text, bytes) in sizes {
        assert_eq!(with_unit(text, SIZES), Some(Rational::whole(bytes)), "{text}");
    }
    assert_eq!(with_unit("31.25", SIZES), Some(Rational::new(125, 4)));
    for text in ["", "-1", "K", "1k", "1Kb", "1 K", "1e", "one", "99999999999999999999"] {
        assert_eq!(with_unit(text, SIZES), None, "{text}");
    }
}

#[test]
fn rates_and_times_have_units_which_files_may_leave_out() {
    for (text, rate) in [
        ("25GB/s", Rational::whole(25)),
        ("400Gb/s", Rational::whole(50)),
        ("400Gbps", Rational::whole(50)),
        ("8GiB/s", Rational::new(8 << 30, 1_000_000_000)),
        ("25/3GB/s", Rational::new(25, 3)),
    ] {
        assert_eq!((with_unit(text, RATES), in_file(text, RATES)), (Some(rate), Some(rate)), "{text}");
    }
    for (text, time) in
        [("0.7us", Rational::new(7, 10)), ("500ns", Rational::new(1, 2)), ("1ms", Rational::whole(1000))]
    {
        assert_eq!((with_unit(text, TIMES), in_file(text, TIMES)), (Some(time), Some(time)), "{text}");
    }
    for (text, rate) in [("25", Rational::whole(25)), (" 12.5 ", Rational::new(25, 2)), ("25/3", Rational::new(25, 3))]
    {
        assert_eq!((with_unit(text, RATES), in_file(text, RATES)), (None, Some(rate)), "{text}");
    }
    for text in ["", "25GB", "25gb/s", "GB/s", "-25GB/s", "25/0", "1/2/3GB/s", "nan"] {
        assert_eq!((with_unit(text, RATES), in_file(text, RATES)), (None, None), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(
        drawn in testing::facts::network(),
        numbers in prop::collection::vec((1u64..200, 1u64..30, 0u64..200, 1u64..30), 1..20),
        latencies in any::<bool>(),
    ) {
        let channels = drawn.channel_count();
        prop_assume!(channels > 0);
        let number = |at: usize| numbers[at % numbers.len()];
        let bandwidth = (0..channels).map(|at| Rational::new(number(at).0, number(at).1)).collect();
        let latency = (0..channels).map(|at| Rational::new(number(at).2, number(at).3));
        let latency = if latencies { latency.collect() } else { Vec::new() };
        let links = Links { bandwidth, latency, ..Links::default() };
        for format in FORMATS {
            let mut text = Vec::new();
            write_to(&drawn, Some(&links), format, &mut text).unwrap();
            let back = read_as(&text, format).unwrap();
            prop_assert_eq!(&back.network.data().channels, &drawn.data().channels);
            prop_assert_eq!(back.links.as_ref(), Some(&links), "{}", String::from_utf8_lossy(&text));
            prop_assert_eq!(back.ignored, Vec::<String>::new());
        }
    }
}

/// A line of three nodes, its first link of 25 GB/s and 0.7 µs, its second of 12.5 and 0.5 one way.
const LINES: [(&str, &str); 3] = [
    (
        "dot",
        "graph {\n edge [bandwidth=\"25GB/s\", latency=0.7]\n 0 -- 1 [capacity=2]\n 1 -- 2 [bandwidth=\"100Gb/s\" latency=\"500ns\"] }",
    ),
    ("edges", "0 1 2 bandwidth=25GB/s latency=0.7us\n1 2 {'bandwidth': 12.5, 'latency': '500ns'}\n"),
    (
        "graphml",
        "<graphml><key id=\"b\" for=\"edge\" attr.name=\"bandwidth\" attr.type=\"double\"><default>25</default></key>\n\
         <graph edgedefault=\"undirected\"><node id=\"0\"/><node id=\"1\"/><node id=\"2\"/>\n\
         <edge source=\"0\" target=\"1\"><data key=\"capacity\">2</data><data key=\"latency\">0.7us</data></edge>\n\
         <edge source=\"1\" target=\"2\"><data key=\"b\">12.5</data><data key=\"latency\">0.5</data></edge>\n\
         </graph></graphml>",
    ),
];

#[test]
fn both_directions_of_a_link_have_its_numbers() {
    for (format, text) in LINES {
        let file = read_as(text.as_bytes(), format).unwrap();
        let links = file.links.unwrap();
        let (fast, slow) = (Rational::whole(25), Rational::new(25, 2));
        assert_eq!(links.bandwidth, [fast, fast, slow, slow], "{format}");
        assert_eq!(links.latency, [(7, 10), (7, 10), (1, 2), (1, 2)].map(|(a, b)| Rational::new(a, b)), "{format}");
        assert_eq!(file.network.data().capacities.as_deref(), Some(&[2, 2, 1, 1][..]), "{format}");
    }
}

#[test]
fn what_nothing_reads_is_told() {
    for (format, text, ignored) in [
        (
            "dot",
            "digraph { a [rol=switch, shape=box] a -> b [bandwith=25, color=red, weight=2] }",
            &["bandwith", "rol"][..],
        ),
        ("edges", "a b bandwith=25GB/s\nb c {'speed': 3, 'capacity': 1}\n", &["bandwith", "speed"]),
        ("edges", "a b latency=1\n", &["latency"]),
        (
            "graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"a\"><data key=\"shade\">1</data></node><node id=\"b\"/>\
             <edge source=\"a\" target=\"b\"><data key=\"weight\">3</data></edge></graph></graphml>",
            &["shade", "weight"],
        ),
        ("dot", "digraph { a -> b [bandwidth=25, latency=1] }", &[]),
    ] {
        assert_eq!(read_as(text.as_bytes(), format).unwrap().ignored, ignored, "{text}");
    }
}

/// Text, line, column, and what the message must say.
#[test]
fn errors_name_line_field_and_text() {
    let mut wrong = Vec::new();
    for (format, text, line, column, says) in [
        ("edges", "0 1 bandwidth=25\n1 2\n", 2, 1, "link 1 2: has no `bandwidth`, as link 0 1 has; all need one"),
        (
            "edges",
            "0 1 bandwidth=25 latency=1\n1 > 2 bandwidth=25\n",
            2,
            1,
            "link 1 2: has no `latency`, as link 0 1 has",
        ),
        ("edges", "0 1\n1 2 bandwidth=25furlongs\n", 2, 15, "link 1 2: the bandwidth is no number above 0"),
        ("edges", "0 1 bandwidth=0\n", 1, 15, "(found `0`)"),
        ("edges", "0 1 bandwidth=1 latency=-1us\n", 1, 25, "the latency is no number of 0 or more"),
        ("dot", "digraph {\n a -> b [bandwidth=3]\n b -> a }", 3, 7, "link b a: has no `bandwidth`"),
        ("dot", "digraph {\n a -> b [bandwidth=\"3 parsecs\"] }", 2, 20, "(found `3 parsecs`)"),
        (
            "graphml",
            "<graphml><graph edgedefault=\"directed\"><node id=\"a\"/><node id=\"b\"/>\n\
             <edge source=\"a\" target=\"b\"><data key=\"latency\">1h</data></edge></graph></graphml>",
            2,
            51,
            "the latency is no number of 0 or more, in us or with a unit: us, µs, ns, ms, s (found `1h`)",
        ),
    ] {
        let error = read_as(text.as_bytes(), format).expect_err(text);
        let found = error.place.map(|place| (place.line, place.column));
        if !error.to_string().contains(says) || found != Some((line, column)) {
            wrong.push(format!("{error} is not {says} at {line}:{column}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_format_has_no_place_for_is_not_lost() {
    let file = read_as(b"0 1 bandwidth=25\n", "edges").unwrap();
    let links = Links { multicast: vec![Node(0)], ..file.links.unwrap() };
    let folder = tempfile::tempdir().unwrap();
    let error = network::write(&file.network, Some(&links), folder.path().join("a.dot")).unwrap_err();
    assert!(error.to_string().contains("no place for the network's switches that copy"), "{error}");
    network::write(&file.network, Some(&links), folder.path().join("a.json")).unwrap();
    assert_eq!(network::read(folder.path().join("a.json")).unwrap().links, Some(links));
}

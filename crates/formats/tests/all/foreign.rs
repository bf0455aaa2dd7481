//! Networks as other programs write them: one network in every format of NetworkX, the Topology Zoo, SNDlib, and texts without a name.

use formats::Fault;
use formats::network::{MachineSettings, NetworkFile, Source, parse, read, read_as};
use kernel::{Node, Ports};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/graphs/chip").join(name)
}

/// The channels by the labels of their ends.
fn channels(file: &NetworkFile) -> BTreeSet<(String, String)> {
    let network = &file.network;
    network.channels().map(|c| (network.label(network.from(c)), network.label(network.to(c)))).collect()
}

#[test]
fn every_format_of_networkx_is_the_same_network() {
    let first = read(fixture("chip.graphml")).unwrap();
    assert_eq!((first.network.name(), first.network.node_count(), first.network.channel_count()), ("chip", 14, 40));
    let capacities = first.network.data().capacities.clone().unwrap();
    assert_eq!(capacities.iter().filter(|capacity| **capacity == 2).count(), 4);
    // The second coordinate counts up in the file, and down here.
    let positions = first.network.data().positions.clone().unwrap();
    assert_eq!((positions[1], positions[9]), ((400_000_000, 0), (200_000_000, -1_100_000_000)));
    assert_eq!(first.ignored, ["voltage"]);
    for name in ["chip.gml", "chip.json", "chip.edgelist", "chip.adjlist"] {
        let other = read(fixture(name)).unwrap();
        assert_eq!(channels(&other), channels(&first), "{name}");
        if name == "chip.gml" || name == "chip.json" {
            assert_eq!(other.network.data().positions.as_ref(), Some(&positions), "{name}");
            assert_eq!(other.ignored, ["voltage"], "{name}");
            assert_eq!((other.network.name(), other.network.data().labels.is_some()), ("chip", true), "{name}");
        }
        if name != "chip.adjlist" {
            let of_dram = |file: &NetworkFile| file.network.data().capacities.as_ref().unwrap().iter().sum::<u32>();
            assert_eq!(of_dram(&other), of_dram(&first), "{name}");
        }
    }
}

#[test]
fn names_that_are_pairs_or_numbers_from_one_stay_names() {
    let grid = read(fixture("grid.json")).unwrap().network;
    assert_eq!((grid.node_count(), grid.channel_count(), grid.label(Node(4))), (6, 14, "(1, 1)".into()));
    let petersen = read(fixture("from-one.gml")).unwrap().network;
    assert_eq!((petersen.label(Node(0)), petersen.label(Node(9))), ("1".into(), "10".into()));
    assert!(petersen.names().is_some());
}

/// Abilene's shape as the Topology Zoo has it, some of it.
const ZOO: &str = r#"Creator "Topology Zoo Toolset"
Version "1.0"
graph [
  directed 0
  Network "Abilene"
  GeoLocation "US"
  node [ id 0 label "New York" Country "United States" Longitude -74.00597 Internal 1 Latitude 40.71427 ]
  node [ id 1 label "Chicago" Country "United States" Longitude -87.65005 Internal 1 Latitude 41.85003 ]
  node [ id 2 label "Washington DC" Longitude -77.03637 Internal 1 Latitude 38.89511 ]
  node [ id 3 label "M&#252;nchen" hyperedge 1 Longitude 11.57 Latitude 48.13 ]
  edge [ source 0 target 1 LinkLabel "OC-192c" LinkSpeed "10" LinkSpeedUnits "G" LinkSpeedRaw 10000000000.0 ]
  edge [ source 0 target 2 LinkSpeedRaw 2500000000.0 ]
  edge [ source 3 target 2 LinkSpeedRaw 10000000000.0 ]
]
"#;

#[test]
fn the_topology_zoo_has_places_and_speeds() {
    let zoo = parse(ZOO.as_bytes(), Path::new("abilene.gml")).unwrap();
    let network = &zoo.network;
    assert_eq!(
        (network.name(), network.label(Node(2)).as_str(), network.label(Node(3)).as_str()),
        ("Abilene", "Washington DC", "München")
    );
    assert_eq!(network.data().positions.as_ref().unwrap()[0], (-74_005_970, -40_714_270));
    assert!(!network.is_terminal(Node(3)) && network.is_terminal(Node(0)));
    // 10 Gb/s are 1.25 GB/s.
    let rates: Vec<String> = zoo.links.unwrap().bandwidth.iter().map(ToString::to_string).collect();
    assert_eq!(rates, ["5/4", "5/4", "5/16", "5/16", "5/4", "5/4"]);
    assert_eq!(zoo.ignored, ["Country", "Internal", "LinkLabel", "LinkSpeed", "LinkSpeedUnits"]);
    // A speed that not all links have is no bandwidth.
    let some = ZOO.replacen("LinkSpeedRaw 2500000000.0", "", 1);
    let some = parse(some.as_bytes(), Path::new("abilene.gml")).unwrap();
    assert!(some.links.is_none() && some.ignored.contains(&"the speeds, which not all links have".to_owned()));
    let lost = ZOO.replacen("Longitude 11.57", "", 1);
    let lost = parse(lost.as_bytes(), Path::new("abilene.gml")).unwrap();
    assert!(lost.network.data().positions.is_none());
    assert!(lost.ignored.contains(&"the positions, which not all nodes have".to_owned()));
}

const SNDLIB: &str = r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<network xmlns="http://sndlib.zib.de/network" version="1.0">
 <meta><granularity>5min</granularity><unit>MBITPERSEC</unit></meta>
 <networkStructure>
  <nodes coordinatesType="geographical">
   <node id="Aachen"><coordinates><x>6.04</x><y>50.76</y></coordinates></node>
   <node id="Essen"><coordinates><x>7.01</x><y>51.45</y></coordinates></node>
   <node id="Mannheim"><coordinates><x>8.49</x><y>49.49</y></coordinates></node>
  </nodes>
  <links>
   <link id="L1"><source>Aachen</source><target>Essen</target>
    <preInstalledModule><capacity>40000.0</capacity><cost>0.0</cost></preInstalledModule></link>
   <link id="L2"><source>Essen</source><target>Mannheim</target>
    <preInstalledModule><capacity>10000.0</capacity><cost>0.0</cost></preInstalledModule>
    <additionalModules><addModule><capacity>1.0</capacity><cost>1.0</cost></addModule></additionalModules></link>
  </links>
 </networkStructure>
 <demands><demand id="D"><source>Aachen</source><target>Mannheim</target><demandValue>1.0</demandValue></demand></demands>
</network>
"#;

const NATIVE: &str = "?SNDlib native format; type: network; version: 1.0
# network x

META (
  granularity = 5min
)

NODES (
  Aachen ( 6.04 50.76 )
  Essen ( 7.01 51.45 )
  Mannheim ( 8.49 49.49 )
)

LINKS (
  L1 ( Aachen Essen ) 0.00 0.00 0.00 0.00 ( 40000.00 4.00 )
  L2 ( Essen Mannheim ) 0.00 0.00 0.00 0.00 ( 10000.00 1.00 )
)

DEMANDS (
  D ( Aachen Mannheim ) 1 1.00 UNLIMITED
)
";

#[test]
fn sndlib_is_read_in_both_formats() {
    let (xml, native) =
        (parse(SNDLIB.as_bytes(), Path::new("g.xml")).unwrap(), parse(NATIVE.as_bytes(), Path::new("g.txt")).unwrap());
    assert_eq!(channels(&xml), channels(&native));
    assert_eq!(xml.network.data().positions, native.network.data().positions);
    assert_eq!((xml.network.name(), xml.network.channel_count(), native.links.is_none()), ("g", 4, true));
    let rates: Vec<String> = xml.links.unwrap().bandwidth.iter().map(ToString::to_string).collect();
    assert_eq!(rates, ["5", "5", "5/4", "5/4"]);
}

#[test]
fn ports_and_places_of_nodes_come_back_from_what_is_written() {
    let text =
        r#"graph { a [ports=1, pos="0,1.5!"]; b [send_ports=2, receive_ports=all, x=3, y=-1]; a -- b [capacity=1.5] }"#;
    let file = parse(text.as_bytes(), Path::new("x.dot")).unwrap();
    let data = file.network.data();
    assert_eq!(
        (&data.send_ports, &data.receive_ports),
        (&Ports::List(vec![Some(1), Some(2)]), &Ports::List(vec![Some(1), None]))
    );
    assert_eq!(data.positions, Some(vec![(0, -1_500_000), (3_000_000, 1_000_000)]));
    // 3/2 of a transfer a step: three where each was cut in two.
    assert_eq!((data.capacities.as_deref(), file.notes.len()), (Some(&[3, 3][..]), 1));
    assert!(file.notes[0].contains("--chunks 2"), "{:?}", file.notes);
    for format in ["graphml", "dot", "json"] {
        let mut written = Vec::new();
        formats::network::write_to(&file.network, None, format, &mut written).unwrap();
        let again = parse(&written, Path::new(&format!("x.{format}"))).unwrap();
        let again = again.network.data();
        assert_eq!((&again.send_ports, &again.receive_ports), (&data.send_ports, &data.receive_ports), "{format}");
        assert_eq!((&again.positions, &again.capacities), (&data.positions, &data.capacities), "{format}");
    }
}

#[test]
fn what_is_wrong_has_its_place() {
    for (name, text, place, says) in [
        ("x.gml", "graph [\n node [ id 1 ]\n node [ id 1 ]\n]", (3, 2), "two nodes have this `id`"),
        ("x.gml", "graph [\n node [ label \"a\" ]\n]", (2, 2), "an element without `id`"),
        ("x.gml", "graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", (3, 2), "a node that is not there"),
        ("x.gml", "graph [\n node [ id 1 role \"x\" ]\n]", (2, 14), "`role` is not one of"),
        ("x.gml", "graph [\n node [ id 1", (2, 13), "ends within a list"),
        ("x.gml", "graph [\n name \"a\n]", (2, 7), "does not end"),
        ("x.gml", "nothing 1", (1, 1), "there is no list `graph"),
        ("x.gml", "graph [ node ] ", (1, 14), "a key without a value"),
        (
            "x.xml",
            "<networkStructure><nodes>\n<node id=\"a\"/></nodes><links>\n<link id=\"l\"><source>b</source></link></links></networkStructure>",
            (3, 23),
            "a node that is not there",
        ),
        ("x.txt", "?SNDlib native format\nNODES (\n a\n)", (3, 2), "neither a node nor a link"),
        ("x.dot", "graph {\n a [ports=0] }", (2, 11), "number of ports"),
    ] {
        let error = parse(text.as_bytes(), Path::new(name)).unwrap_err();
        let found = error.place.map(|place| (place.line, place.column));
        assert!(error.to_string().contains(says), "{name}: {error}");
        assert_eq!(found, Some(place), "{name}: {error}");
    }
    for (text, says) in [
        (r#"{"nodes": [{"id": "a"}, {"id": "a"}], "links": [{"source": "a", "target": "a"}]}"#, "nodes[1]: two nodes"),
        (r#"{"nodes": [{"id": {}}], "links": [{"source": "a", "target": "a"}]}"#, "nodes[0]: its `id`"),
        (
            r#"{"nodes": [{"id": "a"}], "links": [{"source": "a", "target": "b"}]}"#,
            "links[0]: its `target` is not a node",
        ),
        (
            r#"{"nodes": [{"id": "a"}, {"id": 1}], "edges": [{"source": "a", "target": 1, "capacity": "x"}]}"#,
            "capacity",
        ),
    ] {
        let error = parse(text.as_bytes(), Path::new("x.json")).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let deep = format!("graph {}", "[ a ".repeat(200));
    assert!(parse(deep.as_bytes(), Path::new("x.gml")).unwrap_err().to_string().contains("nested too deep"));
}

#[test]
fn a_format_is_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("noending");
    let settings = MachineSettings::default();
    let of = |text: &str, format: &str| {
        std::fs::write(&path, text).unwrap();
        read_as(Source { path: &path, format: Some(format) }, &settings)
    };
    assert_eq!(of("a b c d", "adjlist").unwrap().network.channel_count(), 6);
    assert_eq!(of(ZOO, "gml").unwrap().network.node_count(), 4);
    assert_eq!(of("a b", ".edges").unwrap().network.node_count(), 2);
    let unknown = of("a b", "gexf").unwrap_err();
    assert!(matches!(&*unknown.fault, Fault::Format { .. }) && unknown.to_string().contains("graphml"), "{unknown}");
    let missing = read_as(Source { path: Path::new("/nowhere/x"), format: Some("gml") }, &settings).unwrap_err();
    assert!(matches!(&*missing.fault, Fault::Io(_)));
}

//! Laws of the picture and of the table: every node, link and transfer is there, once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use exports::table::Table;
use exports::{InSteps, SCHEDULE_WRITERS, chakra, csv, svg, switches};
use formats::schedule_json::Provenance;
use kernel::{Channel, Message, Network, NetworkData, Node, Op, Rational, Schedule, Semantics, Transfer};
use proptest::prelude::*;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::collections::{BTreeMap, BTreeSet};

/// How often each element is in a text, which must be well formed; and every number of its attributes is finite.
fn elements(text: &[u8]) -> BTreeMap<String, usize> {
    let text = std::str::from_utf8(text).unwrap();
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let mut reader = Reader::from_str(text);
    let mut count = BTreeMap::new();
    loop {
        match reader.read_event().unwrap() {
            Event::Start(tag) | Event::Empty(tag) => {
                tag.attributes().for_each(|a| drop(a.unwrap()));
                *count.entry(String::from_utf8(tag.name().as_ref().to_vec()).unwrap()).or_default() += 1;
            }
            Event::Eof => return count,
            _ => {}
        }
    }
}

/// A network in which some nodes are switches, or whose labels are places on a grid.
fn network() -> impl Strategy<Value = Network> {
    (testing::facts::network(), any::<u16>(), 0..3u8).prop_map(|(network, bits, kind)| {
        let mut parts = network.data().clone();
        match kind {
            0 => parts.terminals = Some((0..parts.nodes).filter(|v| *v == 0 || bits >> v & 1 == 1).collect()),
            1 => parts.labels = Some((0..parts.nodes).map(|v| format!("{},{}", v / 3, v % 3)).collect()),
            _ => {}
        }
        Network::new(parts).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_picture_of_a_network_has_every_node(network in network()) {
        let mut text = Vec::new();
        formats::network::write_to(&network, None, "svg", &mut text).unwrap();
        let count = elements(&text);
        let of = |name: &str| count.get(name).copied().unwrap_or(0);
        // Some layouts draw terminals again at the other end.
        let again = pictures::Layout::new(&network).again.len();
        prop_assert_eq!(of("circle"), network.terminals().len() + again);
        // One rectangle is the ground; what has no channels is crossed out.
        let switches = network.nodes().filter(|v| !network.is_terminal(*v));
        let joined = |v: &Node| !network.outgoing(*v).is_empty() || !network.incoming(*v).is_empty();
        prop_assert_eq!(of("rect"), 1 + switches.filter(joined).count());
        prop_assert!(of("path") * 2 >= network.channel_count());
    }

    #[test]
    fn a_picture_of_steps_has_every_transfer(verified in testing::facts::verified()) {
        let mut text = Vec::new();
        svg::schedule(&verified, None, &mut text).unwrap();
        let network = verified.problem().network();
        let nodes = network.terminals().len() + pictures::Layout::new(network).again.len();
        let circles = elements(&text).get("circle").copied().unwrap_or(0);
        prop_assert_eq!(circles, verified.expanded().unwrap().transfer_count() + verified.steps() * nodes);
        let mut one = Vec::new();
        prop_assert!(svg::schedule(&verified, Some(0..verified.steps() + 1), &mut one).is_err());
        svg::schedule(&verified, Some(verified.steps() - 1..verified.steps()), &mut one).unwrap();
        // The last step alone: as many nodes, and its own transfers only.
        let last = verified.expanded().unwrap().step(verified.steps() - 1).len();
        prop_assert_eq!(elements(&one).get("circle").copied().unwrap_or(0), last + nodes);
    }

    #[test]
    fn a_table_holds_the_schedule(verified in testing::facts::verified()) {
        let mut text = Vec::new();
        csv::write_to(&verified, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let network = verified.problem().network();
        let reduces = verified.problem().collective().semantics() == Semantics::Reduce;
        let mut back = Schedule::new();
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let numbers = |at: usize| fields[at].split(' ').map(|w| w.parse().unwrap()).collect::<Vec<u32>>();
            while back.step_count() <= numbers(0)[0] as usize {
                back.begin_step();
            }
            let messages: Vec<_> = numbers(2).into_iter().map(Message).collect();
            let path: Vec<_> = numbers(6).into_iter().map(Channel).collect();
            let mut nodes = vec![network.from(path[0]).0];
            nodes.extend(path.iter().map(|&c| network.to(c).0));
            prop_assert_eq!((numbers(3)[0], numbers(4)[0]), (nodes[0], nodes[nodes.len() - 1]));
            prop_assert_eq!(numbers(5), nodes);
            let op = match fields[7] {
                "copy" => Op::Copy,
                "keep" => Op::Keep,
                _ => Op::Reduce,
            };
            prop_assert_eq!(fields[7].is_empty(), !reduces);
            let partials = if fields[8].is_empty() { Vec::new() } else { numbers(8) };
            back.push(Transfer { op, partials: &partials, ..Transfer::new(&messages, &path) });
        }
        while back.step_count() < verified.steps() {
            back.begin_step();
        }
        if reduces {
            prop_assert_eq!(&back, &*verified.expanded().unwrap());
        } else {
            prop_assert_eq!(back.transfer_count(), verified.expanded().unwrap().transfer_count());
            prop_assert_eq!(back.channel_uses(), verified.expanded().unwrap().channel_uses());
        }
    }

    #[test]
    fn settings_are_the_turns_of_all_paths(verified in testing::facts::verified()) {
        let network = verified.problem().network();
        let (mut table, mut document) = (Vec::new(), Vec::new());
        switches::write_csv(&verified, &mut table).unwrap();
        switches::write_json(&verified, &mut document).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&document).unwrap();
        // Where there are no switches every path has a turn at each of its nodes, both ends included.
        let direct = network.terminals().len() == network.node_count();
        let turns = |t: &Transfer<'_>| match direct {
            true => t.path.len() + 1,
            false => t.path.windows(2).filter(|w| !network.is_terminal(network.to(w[0]))).count(),
        };
        let expected: usize = verified.expanded().unwrap().steps().map(|step| step.map(|t| turns(&t)).sum::<usize>()).sum();
        let steps = read["steps"].as_array().unwrap();
        let written = steps.iter().flat_map(|s| s.as_array().unwrap()).map(|s| s["setting"].as_array().unwrap().len());
        prop_assert_eq!((steps.len(), written.sum::<usize>()), (verified.steps(), expected));
        let table = String::from_utf8(table).unwrap();
        let switches = if direct { network.node_count() } else { network.node_count() - network.terminals().len() };
        prop_assert_eq!(table.lines().count(), 1 + verified.steps() * switches);
        // A label may have any sign in it; the setting is the last field.
        let settings = table.lines().skip(1).filter_map(|line| line.rsplit(',').next());
        prop_assert_eq!(settings.map(|setting| setting.matches('>').count()).sum::<usize>(), expected);
    }

    #[test]
    fn a_table_of_sources_and_steps_has_every_transfer(verified in testing::facts::verified()) {
        let claim = verified.expanded().unwrap();
        let table = Table::of(&verified).unwrap();
        prop_assert_eq!(table.steps, claim.step_count());
        for (step, transfers) in claim.steps().enumerate() {
            let cells: usize = table.rows.values().map(|row| row[step].len()).sum();
            prop_assert!(cells >= transfers.len());
            let paths: BTreeSet<_> = table.rows.values().flat_map(|row| &row[step]).map(|c| c.path.clone()).collect();
            for transfer in transfers {
                let network = verified.problem().network();
                let mut path = vec![network.from(transfer.path[0])];
                path.extend(transfer.path.iter().map(|c| network.to(*c)));
                prop_assert!(paths.contains(&path));
            }
        }
        let mut csv = Vec::new();
        table.csv(&mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        for names in table.names.iter().filter(|_| !csv.contains('"')) {
            let shown = |row: &Option<Node>| row.is_none_or(|v| csv.contains(&format!("\n{},", names[v.index()].replace(char::is_control, " "))));
            prop_assert!(table.rows.keys().all(shown), "{}", csv);
        }
        // Names may have arrows in them.
        let table = Table { names: None, ..table };
        let [text, csv, latex] = [Table::text, Table::csv, Table::latex].map(|write| {
            let mut out = Vec::new();
            write(&table, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        });
        let cells: usize = table.rows.values().flatten().map(Vec::len).sum();
        prop_assert_eq!(csv.matches("->").count(), cells);
        prop_assert_eq!(latex.matches("rightarrow").count(), cells);
        // The title may have any name in it.
        prop_assert_eq!(text.lines().skip(1).map(|line| line.matches('→').count()).sum::<usize>(), cells);
        prop_assert_eq!(csv.lines().count(), 1 + table.rows.len());
        prop_assert_eq!(latex.matches("begin{tabular}").count(), latex.matches("end{tabular}").count());
    }

    #[test]
    fn every_writer_writes(verified in testing::facts::verified()) {
        let folder = tempfile::tempdir().unwrap();
        for writer in SCHEDULE_WRITERS {
            // The binary form is packed already, and refuses to be packed once more.
            let packed = if writer.name == "binary" { "" } else { ".gz" };
            let path = folder.path().join(format!("a.{}{packed}", writer.endings[0]));
            let provenance = Provenance::default();
            let (schedule, message_bytes) = (&verified, Some(Rational::whole(1000)));
            let of = InSteps { schedule, floor: None, provenance: &provenance, message_bytes };
            match (writer.write)(&of, &path) {
                // Not every collective has input and output in one buffer.
                Err(error) if error.source.kind() == std::io::ErrorKind::Unsupported => {
                    prop_assert_eq!(writer.name, "msccl-xml-in-place");
                    continue;
                }
                written => written.unwrap(),
            }
            let written = if writer.name == "chakra" { chakra::file_of(&path, 0) } else { path };
            prop_assert!(std::fs::metadata(&written).unwrap().len() > 20, "{}", writer.name);
        }
    }
}

#[test]
fn large_networks_have_small_nodes_without_labels() {
    let ring = |n: u32| (0..n).map(|v| (v, (v + 1) % n)).collect();
    let texts = [256, 257].map(|nodes| {
        let network = Network::new(NetworkData { nodes, channels: ring(nodes), ..NetworkData::default() }).unwrap();
        let mut text = Vec::new();
        formats::network::write_to(&network, None, "svg", &mut text).unwrap();
        assert_eq!(String::from_utf8_lossy(&text).contains("too many nodes for labels"), nodes > 256);
        elements(&text)["text"]
    });
    // Title, size and one word of the legend, and a label a node.
    assert_eq!(texts, [259, 3]);
}

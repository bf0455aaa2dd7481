//! Laws of the schedule file: what is written reads back the same, and nothing that is read brings the reader down.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use formats::schedule_json::{Provenance, parse, read, write, write_to};
use formats::{Fault, ReadError};
use kernel::two_calls::{CallPrices, Worth};
use kernel::{
    Attachment, Certificate, Certified, Channel, Claim, Collective, Model, Network, NetworkData, Node, OddSet, Problem,
    Proof, Rational, Schedule, Semantics, StepPrices, Switching, Verified, certify, verify,
};
use proptest::prelude::*;
use std::io::Write;
use std::path::Path;
use testing::facts::verified;

/// A certificate of some kind that proves at least nothing.
fn certified(verified: &Verified, kind: usize) -> Option<Certified> {
    let network = verified.problem().network();
    let proof = match kind {
        0 => Proof::Send { node: Node(0) },
        1 => Proof::Receive { node: Node(1) },
        2 => Proof::Cut { nodes: vec![Node(1), Node(0)] },
        3 => Proof::Growth,
        4 => Proof::Distance { from: Node(0), to: Node(1) },
        7 => Proof::ReceiveAll { nodes: vec![Node(0), Node(1)] },
        8 => Proof::SendAll { nodes: vec![Node(1)] },
        6 => Proof::LateCut { nodes: vec![Node(0)] },
        5 => Proof::PortLengths {
            weights: vec![Rational::whole(0); network.channel_count()].into(),
            send: vec![Rational { numerator: 2, denominator: 3 }; network.node_count()],
            receive: vec![],
            odd: vec![OddSet { nodes: vec![Node(0)], weight: Rational::whole(0) }],
        },
        _ => Proof::Lengths {
            weights: network
                .channels()
                .map(|c| Rational { numerator: u64::from(c.0 % 3) + 1, denominator: 2 })
                .collect(),
        },
    };
    certify(verified.problem(), Certificate { steps: 0, proof }).ok()
}

fn text(verified: &Verified, bound: Option<&Certified>) -> Vec<u8> {
    let mut text = Vec::new();
    write_to(verified, bound, &Provenance::default(), &mut text).unwrap();
    text
}

fn claim_of(verified: &Verified) -> Claim {
    verified.expanded().unwrap().into()
}

fn read_text(text: &str) -> Result<formats::schedule_json::Document, ReadError> {
    parse(text.as_bytes(), Path::new("x.json"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(
        verified in verified(),
        kind in 0..8usize,
        (method, seed) in (testing::facts::name(), prop::option::of(any::<u64>())),
        seconds in prop::option::of(0.0..1e6f64),
        given in prop::collection::btree_map(testing::facts::name(), 0.0..1e3f64, 0..3),
    ) {
        let bound = certified(&verified, kind);
        let parameters = given.into_iter().map(|(name, value)| (name, value.into())).collect();
        let provenance = Provenance { method, version: "0.1.0".into(), seed, seconds, parameters };
        let mut text = Vec::new();
        write_to(&verified, bound.as_ref(), &provenance, &mut text).unwrap();
        let document = parse(&text, Path::new("x.json")).unwrap();
        prop_assert_eq!(&document.problem, verified.problem());
        prop_assert_eq!(&document.claim, &claim_of(&verified));
        prop_assert_eq!(document.bound.as_ref(), bound.as_ref().map(Certified::certificate));
        prop_assert_eq!(document.provenance, provenance);
        prop_assert!(verify(&document.problem, document.claim).is_ok());
    }

    #[test]
    fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(error) = parse(&bytes, Path::new("x.json")) {
            prop_assert!(error.to_string().starts_with("x.json:"));
        }
    }

    #[test]
    fn a_damaged_document_is_refused_or_read(
        verified in verified(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), prop::sample::select(b"0189-.e\"[]{},:nx \xff".to_vec())), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text = text(&verified, certified(&verified, 5).as_ref());
        for (at, byte) in damage {
            let at = at.index(text.len());
            text[at] = byte;
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        let lines = text.split(|&b| b == b'\n').count();
        match parse(&text, Path::new("x.json")) {
            Err(error) => prop_assert!(error.place.is_none_or(|p| p.line >= 1 && p.line <= lines)),
            Ok(document) => drop(verify(&document.problem, document.claim)),
        }
    }

    #[test]
    fn a_truncated_archive_is_refused(verified in verified(), cut in any::<prop::sample::Index>()) {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.json.gz");
        write(&verified, None, &Provenance::default(), &whole).unwrap();
        prop_assert_eq!(&read(&whole).unwrap().claim, &claim_of(&verified));
        let bytes = std::fs::read(&whole).unwrap();
        let part = folder.path().join("part.json.gz");
        std::fs::write(&part, &bytes[..cut.index(bytes.len())]).unwrap();
        prop_assert!(read(&part).is_err());
    }
}

/// A document with every field, each on a line of its own.
const WHOLE: &str = r#"{
  "format": "quadrille-schedule/1",
  "network": {
    "name": "pair",
    "nodes": 3,
    "labels": ["a", "b", "c"],
    "terminals": [0, 1],
    "no_transit": [0],
    "channels": [[0, 1], [1, 0], [1, 2]],
    "capacities": [1, 1, 2],
    "half_duplex": [[0, 1]],
    "ports": {"send": 1, "receive": [1, 1, 1]}
  },
  "collective": {"name": "gather", "semantics": "copy", "root": 1, "counts": [4, 2], "unit": "KiB"},
  "model": {"switching": "tdm", "hop": 2, "cyclic": true},
  "messages": [{"from": 0, "to": [1], "note": "kept by nobody"}],
  "steps": [
    [{"messages": [0], "path": [0], "op": "copy", "colour": {"deep": [1, {"er": 2}]}}],
    []
  ],
  "bound": {"steps": 1, "certificate": {"kind": "lengths", "weights": ["1/2", "0", "18446744073709551615"]}},
  "provenance": {"method": "hand", "version": "1", "seed": 7, "seconds": 0.5, "more": null}
}
"#;

#[test]
fn every_field_is_read() {
    let document = read_text(WHOLE).unwrap();
    let parts = document.problem.network().data().clone();
    assert_eq!(parts.labels.unwrap(), ["a", "b", "c"]);
    assert_eq!((parts.terminals.unwrap(), parts.no_transit), (vec![0, 1], vec![0]));
    assert_eq!((parts.capacities.unwrap(), parts.half_duplex), (vec![1, 1, 2], vec![vec![0, 1]]));
    assert_eq!(document.problem.network().send_ports(Node(2)), Some(1));
    assert_eq!(document.problem.model().switching, Switching::Tdm { hop: 2, cyclic: true });
    assert_eq!(document.problem.collective().root(), Some(Node(1)));
    assert_eq!(document.problem.collective().semantics(), Semantics::Copy);
    assert_eq!(document.parameters.keys().collect::<Vec<_>>(), ["counts", "unit"]);
    assert_eq!((document.claim.steps(), document.claim.transfer_count()), (2, 1));
    assert_eq!(document.provenance.seed, Some(7));
    let Proof::Lengths { weights } = document.bound.unwrap().proof else { panic!("kind") };
    assert_eq!(weights[2], Rational::whole(u64::MAX));
}

#[test]
fn chunks_are_written_and_read() {
    let network = Network::new(NetworkData { nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() }).unwrap();
    let collective = Collective::scatter(Node(0), network.terminals()).in_chunks(2);
    let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    for message in problem.collective().messages() {
        claim.begin_step();
        claim.send(message, &[Channel(0)]);
    }
    let mut text = Vec::new();
    write_to(&verify(&problem, claim).unwrap(), None, &Provenance::default(), &mut text).unwrap();
    let document = parse(&text, "two.json".as_ref()).unwrap();
    assert_eq!((document.problem.collective().chunks(), document.problem == problem), (2, true));
    assert!(document.parameters.is_empty());
}

#[test]
fn every_kind_of_certificate_is_read() {
    let old = r#""kind": "lengths", "weights": ["1/2", "0", "18446744073709551615"]"#;
    for (fields, proof) in [
        (r#""kind": "send", "node": 1"#, Proof::Send { node: Node(1) }),
        (r#""kind": "receive", "node": 2"#, Proof::Receive { node: Node(2) }),
        (r#""kind": "send", "nodes": [2, 1]"#, Proof::SendAll { nodes: vec![Node(2), Node(1)] }),
        (r#""kind": "receive", "nodes": [0, 2]"#, Proof::ReceiveAll { nodes: vec![Node(0), Node(2)] }),
        (r#""kind": "receive", "nodes": [0], "node": 1"#, Proof::Receive { node: Node(1) }),
        (r#""kind": "cut", "nodes": [0, 2]"#, Proof::Cut { nodes: vec![Node(0), Node(2)] }),
        (r#""kind": "late-cut", "nodes": [1]"#, Proof::LateCut { nodes: vec![Node(1)] }),
        (
            r#""kind": "lengths", "weights": ["1", "0", "0"], "receive": ["1/3", "2", "0"]"#,
            Proof::PortLengths {
                weights: [1, 0, 0].map(Rational::whole).into_iter().collect(),
                send: vec![],
                receive: vec![Rational { numerator: 1, denominator: 3 }, Rational::whole(2), Rational::whole(0)],
                odd: vec![],
            },
        ),
        (
            r#""kind": "lengths", "weights": ["1", "0", "0"], "odd": [{"nodes": [2, 0], "weight": "2/3"}]"#,
            Proof::PortLengths {
                weights: [1, 0, 0].map(Rational::whole).into_iter().collect(),
                send: vec![],
                receive: vec![],
                odd: vec![OddSet { nodes: vec![Node(2), Node(0)], weight: Rational { numerator: 2, denominator: 3 } }],
            },
        ),
        (
            r#""kind": "direct", "weights": ["1", "0", "2"]"#,
            Proof::Direct { weights: [1, 0, 2].map(Rational::whole).into_iter().collect() },
        ),
        (
            r#""kind": "two-calls", "worth": [[0, 2, 3]], "prices": [[1, 0, 2], [0, 0, 0]], "receive_prices": [[1, 2, 3], [0, 0, 4]]"#,
            Proof::TwoCalls {
                prices: CallPrices {
                    worth: vec![Worth { from: Node(0), to: Node(2), weight: 3 }],
                    steps: StepPrices {
                        channels: vec![vec![1, 0, 2], vec![0; 3]],
                        send: Vec::new(),
                        receive: vec![vec![1, 2, 3], vec![0, 0, 4]],
                    },
                },
            },
        ),
        (
            r#""kind": "late-lengths", "prices": [[1, 0, 2]], "send_prices": [[0, 5, 0]]"#,
            Proof::LateLengths {
                prices: StepPrices { channels: vec![vec![1, 0, 2]], send: vec![vec![0, 5, 0]], receive: Vec::new() },
            },
        ),
        (r#""kind": "articulation", "node": 1"#, Proof::Articulation { node: Node(1) }),
        (r#""kind": "growth""#, Proof::Growth),
        (r#""kind": "start""#, Proof::Start),
        (r#""kind": "distance", "from": 0, "to": 1"#, Proof::Distance { from: Node(0), to: Node(1) }),
        (
            r#""kind": "unsat", "formula": "f.cnf", "proof": "f.drat""#,
            Proof::Unsat { formula: Attachment::named("f.cnf"), proof: Attachment::named("f.drat") },
        ),
        (
            r#""kind": "combination", "multipliers": [[0, 3], [7, 18446744073709551615]]"#,
            Proof::Combination { multipliers: vec![(0, 3), (7, u64::MAX)] },
        ),
        (r#""kind": "argument", "text": "so there""#, Proof::Argument { text: "so there".into() }),
    ] {
        let document = read_text(&WHOLE.replace(old, fields)).unwrap();
        assert_eq!(document.bound.unwrap().proof, proof);
    }
}

/// Changes one text of the whole document; the error must name the field, stand on its line and show the value.
#[test]
fn errors_name_field_line_and_value() {
    for (old, new, field, line, shown) in [
        ("quadrille-schedule/1", "quadrille-schedule/2", "format", 2, "quadrille-schedule/2"),
        ("\"nodes\": 3", "\"nodes\": 4000000000", "network.nodes", 5, "4000000000"),
        ("\"nodes\": 3", "\"nodes\": -3", "network.nodes", 5, "-3"),
        ("\"nodes\": 3", "\"nodes\": 99999999999999999999999", "network.nodes", 5, "9999"),
        ("\"nodes\": 3", "\"nodes\": 2", "network.channels[2]", 9, "[1, 2]"),
        ("[\"a\", \"b\", \"c\"]", "[\"a\", 7, \"c\"]", "network.labels[1]", 6, "7"),
        ("[\"a\", \"b\", \"c\"]", "[\"a\"]", "network.labels", 6, "[\"a\"]"),
        ("\"terminals\": [0, 1]", "\"terminals\": [0, 0]", "network.terminals", 7, "[0, 0]"),
        ("\"terminals\": [0, 1]", "\"terminals\": [0]", "messages[0]", 16, "switch"),
        ("\"no_transit\": [0]", "\"no_transit\": [3]", "network.no_transit", 8, "[3]"),
        ("[1, 2]]", "[1, 4294967296]]", "network.channels[2][1]", 9, "4294967296"),
        ("[1, 2]]", "[1, 1]]", "network.channels[2]", 9, "itself"),
        ("[1, 2]]", "[1, 2, 3]]", "network.channels[2]", 9, "[1, 2, 3]"),
        ("[1, 1, 2]", "[1, 1, 0]", "network.capacities[2]", 10, "0"),
        ("[[0, 1]],\n    \"ports\"", "[[0, 9]],\n    \"ports\"", "network.half_duplex[0]", 11, "[0, 9]"),
        ("\"send\": 1", "\"send\": \"all\"", "network.ports.send", 12, "\"all\""),
        ("\"send\": 1", "\"send\": 99999999999", "network.ports.send", 12, "99999999999"),
        ("\"send\": 1", "\"send\": [1]", "network.ports.send", 12, "[1]"),
        ("\"copy\", \"root\"", "\"move\", \"root\"", "collective.semantics", 14, "\"move\""),
        ("\"copy\", \"root\"", "\"reduce\", \"root\"", "messages[0]", 16, "contributors"),
        ("\"root\": 1", "\"root\": -1", "collective.root", 14, "-1"),
        ("\"root\": 1", "\"root\": 3", "collective.root", 14, "nodes are 0 to 2"),
        ("\"root\": 1", "\"chunks\": 0", "collective.chunks", 14, "0"),
        ("\"root\": 1", "\"chunks\": \"2\"", "collective.chunks", 14, "\"2\""),
        ("\"root\": 1", "\"chunks\": 2", "messages[0]", 16, "2 equal chunks"),
        ("\"tdm\"", "\"circuit\"", "model.switching", 15, "\"circuit\""),
        ("\"hop\": 2", "\"hop\": 0", "model.hop", 15, "0"),
        ("\"from\": 0", "\"from\": 9", "messages[0]", 16, "node 9"),
        ("\"to\": [1]", "\"to\": []", "messages[0]", 16, "destination"),
        ("\"to\": [1]", "\"to\": [1, 1]", "messages[0]", 16, "twice"),
        ("\"path\": [0]", "\"path\": [0, 1.5]", "steps[0][0].path[1]", 18, "1.5"),
        ("\"path\": [0]", "\"paths\": [0]", "steps[0][0].path", 18, "is missing"),
        ("\"path\": [0]", "\"path\": [0], \"path\": [0]", "steps[0][0]", 18, "duplicate field `path`"),
        ("\"root\": 1", "\"root\": 1, \"root\": 0", "collective", 14, "duplicate field `root`"),
        ("{\"send\": 1", "[1], \"more\": {\"send\": 1", "network.ports", 12, "expected an object"),
        ("\"op\": \"copy\"", "\"op\": \"add\"", "steps[0][0].op", 18, "add"),
        ("    []\n", "    {}\n", "steps[1]", 19, "{}"),
        ("lengths", "guess", "bound.certificate.kind", 21, "\"guess\""),
        ("lengths", "cut", "bound.certificate", 21, "`nodes` is missing"),
        ("\"1/2\"", "\"1/-2\"", "bound.certificate.weights[0]", 21, "1/-2"),
        ("\"1/2\"", "\"+1\"", "bound.certificate.weights[0]", 21, "+1"),
        ("18446744073709551615", "18446744073709551616", "bound.certificate.weights[2]", 21, "18446744073709551616"),
    ] {
        assert!(WHOLE.contains(old), "{old}");
        let error = read_text(&WHOLE.replacen(old, new, 1)).expect_err(new);
        let message = error.to_string();
        assert_eq!(error.field.as_deref(), Some(field), "{message}");
        assert_eq!(error.place.map(|p| p.line), Some(line), "{message}");
        assert!(message.contains(shown), "{message} does not show {shown}");
    }
}

#[test]
fn errors_of_grammar_show_the_line() {
    let error = read_text(&WHOLE.replace("\"nodes\": 3,", "\"nodes\": 3;")).unwrap_err();
    assert_eq!(error.place.map(|p| (p.line, p.column)), Some((5, 15)));
    assert_eq!(error.text.as_deref(), Some("\"nodes\": 3;"));
    let deep = format!("{{\"collective\": {{\"a\": {}", "[".repeat(1_000_000));
    assert!(read_text(&deep).unwrap_err().to_string().contains("recursion"));
    let deep = WHOLE.replace("{\"deep\"", &format!("{}{{\"deep\"", "[".repeat(100_000)));
    assert!(read_text(&deep).is_err());
}

#[test]
fn an_archive_of_several_parts_is_one_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("parts.json.gz");
    let mut bytes = Vec::new();
    for half in [&WHOLE[..100], &WHOLE[100..]] {
        let mut part = flate2::write::GzEncoder::new(&mut bytes, flate2::Compression::fast());
        part.write_all(half.as_bytes()).unwrap();
        part.finish().unwrap();
    }
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).unwrap().claim.steps(), 2);
}

#[test]
fn a_refused_output_leaves_nothing_behind() {
    let document = read_text(WHOLE).unwrap();
    let verified = verify(&document.problem, document.claim).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("no-such-folder/out.json");
    let error = write(&verified, None, &Provenance::default(), &absent).unwrap_err();
    assert!(error.to_string().contains("no-such-folder/out.json"));
    let error = write(&verified, None, &Provenance::default(), folder.path()).unwrap_err();
    assert_eq!(error.source.kind(), std::io::ErrorKind::IsADirectory);
    #[cfg(target_os = "linux")]
    for name in ["full.json", "full.json.gz"] {
        let full = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        assert!(write(&verified, None, &Provenance::default(), &full).is_err());
        std::fs::remove_file(&full).unwrap();
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_same_facts_give_the_same_bytes() {
    let document = read_text(WHOLE).unwrap();
    let verified = verify(&document.problem, document.claim).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let written = ["a.json.gz", "b.json.gz"].map(|name| {
        let path = folder.path().join(name);
        write(&verified, None, &document.provenance, &path).unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(written[0], written[1]);
}

#[test]
fn a_missing_file_is_named() {
    let error = read("no-such-file.json").unwrap_err();
    assert!(matches!(*error.fault, Fault::Io(_)));
    assert!(error.to_string().starts_with("no-such-file.json: cannot be read"));
}

/// The layout people see: short lists on one line, one step a line, combined messages together.
#[test]
fn the_text_of_a_small_document() {
    use kernel::{Channel, Collective, Message, Model, Network, NetworkData, Problem, Schedule, Transfer};
    let parts =
        NetworkData { name: "line \"3\"".into(), nodes: 3, channels: vec![(2, 1), (1, 0)], ..NetworkData::default() };
    let network = Network::new(parts).unwrap();
    let model = Model { combining: true, ..Model::store_and_forward() };
    let gather = Collective::gather(Node(0), network.terminals());
    let problem = Problem::new(network, gather, model).unwrap();
    let mut claim = Schedule::new();
    claim.begin_step();
    claim.send(Message(1), &[Channel(0)]);
    claim.begin_step();
    claim.push(Transfer::new(&[Message(0), Message(1)], &[Channel(1)]));
    let verified = verify(&problem, claim).unwrap();
    let distance = Certificate { steps: 2, proof: Proof::Distance { from: Node(2), to: Node(0) } };
    let bound = certify(&problem, distance).unwrap();
    let expected = r#"{
  "format": "quadrille-schedule/1",
  "network": {
    "name": "line \"3\"",
    "nodes": 3,
    "channels": [[2,1], [1,0]],
    "ports": {"send": null, "receive": null}
  },
  "collective": {"name": "gather", "semantics": "copy", "root": 0},
  "model": {"switching": "store-and-forward", "combining": true},
  "messages": [{"from":1,"to":[0]}, {"from":2,"to":[0]}],
  "steps": [
    [{"messages":[1],"path":[0]}],
    [{"messages":[0,1],"path":[1]}]
  ],
  "bound": {"steps": 2, "certificate": {"kind": "distance", "from": 2, "to": 0}},
  "provenance": {"method": "", "version": ""}
}
"#;
    assert_eq!(String::from_utf8(text(&verified, Some(&bound))).unwrap(), expected);
    let document = read_text(expected).unwrap();
    assert_eq!((&document.problem, &document.claim), (&problem, &claim_of(&verified)));
    // A bound of another problem proves nothing here.
    let other =
        Problem::new(problem.network().clone(), problem.collective().clone(), Model::store_and_forward()).unwrap();
    let foreign = certify(&other, bound.certificate().clone()).unwrap();
    assert!(read_text(std::str::from_utf8(&text(&verified, Some(&foreign))).unwrap()).unwrap().bound.is_none());
}

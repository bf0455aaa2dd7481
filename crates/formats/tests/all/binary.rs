//! The binary form of schedule files: the same as the JSON, and nothing that is damaged brings the reader down.

use formats::schedule_json::{Document, Provenance, parse, read, write};
use formats::{ReadError, timed_json};
use kernel::{Collective, Model, Network, NetworkData, Node, Problem, Verified, verify};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use testing::facts::{one_by_one, verified};

/// The files of the corpus that are right.
fn good_files(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus").join(kind);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let is_good = |name: &str| name.starts_with("holds-") && (name.ends_with(".json") || name.ends_with(".json.gz"));
    files.retain(|path| is_good(path.file_name().unwrap().to_str().unwrap()));
    files.sort();
    files
}

/// The bytes of a file of this schedule.
fn packed(schedule: &Verified) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.qdr");
    write(schedule, None, &Provenance::default(), &path).unwrap();
    std::fs::read(&path).unwrap()
}

/// With the checksum of its own bytes.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 4;
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum.sum().to_le_bytes());
    bytes
}

fn refused(bytes: &[u8]) -> ReadError {
    parse(bytes, Path::new("x.qdr")).unwrap_err()
}

#[test]
fn every_form_comes_back_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, packed) = (folder.path().join("x.json"), folder.path().join("x.qdr"));
    let files = good_files("schedules");
    assert!(files.len() > 40);
    let mut smaller = 0;
    for file in files {
        let Document { problem, claim, provenance, .. } = read(&file).unwrap();
        let schedule = verify(&problem, claim).unwrap();
        let bound = read(&file).unwrap().bound.and_then(|bound| schedule.certify(bound).ok());
        write(&schedule, bound.as_ref(), &provenance, &plain).unwrap();
        write(&schedule, bound.as_ref(), &provenance, &packed).unwrap();
        let (json, binary) = (read(&plain).unwrap(), read(&packed).unwrap());
        let name = file.display();
        assert_eq!((&json.problem, &json.claim), (&binary.problem, &binary.claim), "{name}");
        assert_eq!((json.bound, json.provenance), (binary.bound, binary.provenance), "{name}");
        let size = |path: &Path| std::fs::metadata(path).unwrap().len();
        smaller += usize::from(size(&packed) < size(&plain));
    }
    assert!(smaller > 40, "{smaller} files are smaller");
}

#[test]
fn so_do_schedules_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.qdr");
    let files = good_files("timed");
    assert!(files.len() > 15);
    for file in files {
        let read = timed_json::read(&file).unwrap();
        let schedule = read.claim.clone().verify(&read.problem).unwrap();
        let bound = read.bound.and_then(|bound| schedule.certify(bound).ok());
        timed_json::write(&schedule, bound.as_ref(), read.bytes, &read.provenance, &path).unwrap();
        let again = timed_json::read(&path).unwrap();
        assert_eq!((&again.problem, &again.claim), (&read.problem, &read.claim), "{}", file.display());
        let certificate = bound.map(|bound| bound.certificate().clone());
        assert_eq!((again.bound, again.bytes), (certificate, read.bytes), "{}", file.display());
        assert!(timed_json::is_meant(&formats::schedule_json::read(&path).unwrap_err()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(verified in verified()) {
        let document = parse(&packed(&verified), Path::new("x.qdr")).unwrap();
        prop_assert_eq!(&document.problem, verified.problem());
        prop_assert_eq!(&document.claim, &verified.expanded().unwrap().into());
    }

    #[test]
    fn what_is_damaged_is_refused(verified in verified(), at in any::<prop::sample::Index>(), bit in 0..8u32, cut in prop::bool::ANY) {
        let mut bytes = packed(&verified);
        let at = at.index(bytes.len());
        if cut { bytes.truncate(at) } else { bytes[at] ^= 1 << bit }
        prop_assert!(parse(&bytes, Path::new("x.qdr")).unwrap_err().to_string().starts_with("x.qdr:"));
    }

    /// Whoever damages a file can also give it a checksum.
    #[test]
    fn with_a_checksum_it_is_refused_or_read(
        verified in verified(),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = packed(&verified);
        for (at, byte) in damage {
            let at = at.index(bytes.len() - 4);
            bytes[at] = byte;
        }
        match parse(&sealed(bytes), Path::new("x.qdr")) {
            Ok(document) => drop(verify(&document.problem, document.claim)),
            Err(error) => prop_assert!(error.to_string().starts_with("x.qdr:"), "{}", error),
        }
    }
}

/// A message over a channel.
fn small() -> Verified {
    let network = Network::from_channels(2, [(0, 1)]).unwrap();
    one_by_one(Problem::new(network, Collective::broadcast(Node(0), &[Node(1)]), Model::wormhole()).unwrap())
}

/// A file of this header, and of these columns one behind the other.
fn by_hand(header: &str, columns: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(3));
    zlib.write_all(header.as_bytes()).unwrap();
    let header = zlib.finish().unwrap();
    let length = u32::try_from(header.len()).unwrap().to_le_bytes();
    sealed([b"\x89QDR\r\n\x1a\n", &1u32.to_le_bytes()[..], &length, &header, columns, &[0; 4]].concat())
}

/// The header of [`small`] with these columns.
fn header(columns: &str) -> String {
    format!(
        r#"{{"format": "quadrille-schedule/1", "network": {{"nodes": 2, "channels": [[0, 1]]}},
            "collective": {{"name": "x", "semantics": "copy"}}, "model": {{"switching": "wormhole"}}, "columns": [{columns}]}}"#
    )
}

/// As [`small`], with a number that says how many paths its transfer has.
fn of_paths(paths: u8) -> Vec<u8> {
    use std::io::Write;
    let (mut entries, mut columns) = (Vec::new(), Vec::new());
    // Differences between nodes, between messages and so on are even where they are not negative.
    for (name, value) in [
        ("messages.from", 0),
        ("messages.to", 2),
        ("steps", 1),
        ("transfers.messages", 0),
        ("transfers.paths", paths),
        ("transfers.hops", 0),
    ] {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(3));
        zlib.write_all(&[value]).unwrap();
        let column = zlib.finish().unwrap();
        entries.push(format!(r#"{{"name": "{name}", "values": 1, "bytes": {}}}"#, column.len()));
        columns.extend(column);
    }
    by_hand(&header(&entries.join(", ")), &columns)
}

#[test]
fn a_transfer_has_a_path() {
    let Document { problem, claim, .. } = parse(&of_paths(1), Path::new("x.qdr")).unwrap();
    assert_eq!(verify(&problem, claim).unwrap().steps(), 1);
    assert_eq!(refused(&of_paths(0)).to_string(), "x.qdr: transfers.paths: a transfer has no path");
}

#[test]
fn each_fault_has_its_words() {
    let good = packed(&small());
    let mut other_version = good.clone();
    other_version[8] = 2;
    let mut behind = good.clone();
    behind.splice(good.len() - 4..good.len() - 4, [0, 0, 7]);
    let many = header(r#"{"name": "steps", "values": 4294967296, "bytes": 0}"#);
    let beyond = header(r#"{"name": "steps", "values": 1, "bytes": 1000}"#);
    let twice = header(r#"{"name": "steps", "values": 0, "bytes": 0}, {"name": "steps", "values": 0, "bytes": 0}"#);
    let not_packed = header(r#"{"name": "messages.to", "values": 1, "bytes": 4}"#);
    let mut long_header = good.clone();
    long_header[12..16].copy_from_slice(&[0xff; 4]);
    let cases = [
        (good[..9].to_vec(), "x.qdr: is cut off"),
        (good[..14].to_vec(), "x.qdr: is cut off"),
        (
            good[..good.len() - 5].to_vec(),
            "x.qdr: is cut off or damaged: its bytes do not have the checksum at its end",
        ),
        (sealed(other_version), "x.qdr: is of version 2 of the binary form, and this program knows 1"),
        (sealed(behind), "x.qdr: has something behind its last column"),
        (sealed(long_header), "x.qdr: ends within its header"),
        (by_hand(&many, &[]), "x.qdr: says it holds more than 16777216 values, too many for its size"),
        (by_hand(&beyond, &[]), "x.qdr: ends within its column `steps`"),
        (by_hand(&twice, &[]), "x.qdr: steps: stands there twice"),
        (by_hand(&not_packed, &[1, 2, 3, 4]), "x.qdr: messages.from: ends before what the other columns tell of"),
        (by_hand("{", &[]), "x.qdr: EOF while parsing an object (found `{`)"),
    ];
    for (bytes, words) in cases {
        assert_eq!(refused(&bytes).to_string(), words);
    }
    let gzipped = parse(&good, Path::new("x.qdr.gz")).unwrap_err().to_string();
    assert_eq!(gzipped, "x.qdr.gz: is packed by gzip once more: unpack it, and name it .qdr");
}

/// Zeros pack to a thousandth; a file of them says more than its size allows.
#[test]
fn a_small_file_cannot_ask_for_much() {
    use std::io::{Read, Write};
    let values = 1u64 << 26;
    let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::new(9));
    std::io::copy(&mut std::io::repeat(0).take(values), &mut zlib).unwrap();
    zlib.flush().unwrap();
    let column = zlib.finish().unwrap();
    let entry = format!(r#"{{"name": "steps", "values": {values}, "bytes": {}}}"#, column.len());
    let error = refused(&by_hand(&header(&entry), &column)).to_string();
    assert!(error.contains("too many for its size"), "{error}");
}

/// What packs to less than a hundredth has zeros behind it, and is read.
#[test]
fn a_file_is_as_large_as_what_it_holds_asks_for() {
    let name = "a".repeat(17 << 20);
    let data = NetworkData { name, nodes: 2, channels: vec![(0, 1)], ..NetworkData::default() };
    let problem =
        Problem::new(Network::new(data).unwrap(), Collective::broadcast(Node(0), &[Node(1)]), Model::wormhole());
    let schedule = one_by_one(problem.unwrap());
    let bytes = packed(&schedule);
    assert!(bytes.len() > (17 << 20) / 100, "{} bytes", bytes.len());
    assert!(bytes[bytes.len() - 1000..bytes.len() - 4].iter().all(|byte| *byte == 0));
    assert_eq!(parse(&bytes, Path::new("x.qdr")).unwrap().problem, *schedule.problem());
    // Without the zeros it asks for too much.
    let full = bytes.len() - 4 - bytes.iter().rev().skip(4).take_while(|byte| **byte == 0).count();
    let error = refused(&sealed([&bytes[..full], &[0; 4]].concat())).to_string();
    assert!(error.contains("has a header that is too large for its size"), "{error}");
}

#[test]
fn the_network_of_a_file_is_read_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.qdr");
    let schedule = small();
    write(&schedule, None, &Provenance::default(), &path).unwrap();
    let file = formats::network::read(&path).unwrap();
    assert_eq!(file.network.data().channels, schedule.problem().network().data().channels);
}

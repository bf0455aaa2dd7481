//! Schedule files in time: what is written is read again, and no digit is lost.

use formats::timed_json::{Document, parse, read, write, write_to};
use kernel::Rational;
use kernel::timed::{CertifiedTimed, Links, TimedClaim, TimedProblem, TimedSchedule, Units, VerifiedTimed, verify};
use kernel::{Channel, Collective, Message, Network, Node, Transfer};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn good_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/corpus/timed");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("holds-"));
    files.sort();
    files
}

fn again(verified: &VerifiedTimed, bound: Option<&CertifiedTimed>, bytes: Option<Rational>) -> Document {
    let mut text = Vec::new();
    write_to(verified, bound, bytes, &Default::default(), &mut text).unwrap();
    parse(&text, Path::new("again.json")).unwrap()
}

#[test]
fn what_is_written_is_read_again() {
    let files = good_files();
    assert!(files.len() > 15);
    for file in files {
        let Document { problem, claim, bound, bytes, .. } = read(&file).unwrap();
        let verified = claim.clone().verify(&problem).unwrap();
        let certified = bound.clone().and_then(|bound| verified.certify(bound).ok());
        let document = again(&verified, certified.as_ref(), bytes);
        assert_eq!((&document.problem, &document.claim), (&problem, &claim), "{}", file.display());
        assert_eq!(document.bound, certified.and(bound), "{}", file.display());
        assert_eq!(document.bytes, bytes, "{}", file.display());
    }
}

#[test]
fn a_file_may_be_packed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.json.gz");
    let Document { problem, claim, bytes, .. } = read(&good_files()[0]).unwrap();
    let verified = claim.clone().verify(&problem).unwrap();
    write(&verified, None, bytes, &Default::default(), &path).unwrap();
    assert!(std::fs::read(&path).unwrap().starts_with(&[0x1f, 0x8b]));
    assert_eq!(read(&path).unwrap().claim, claim);
}

/// A message over a channel of this bandwidth, as a file says it.
fn said(bandwidth: &str) -> Result<Rational, String> {
    let text = format!(
        r#"{{"format": "quadrille-schedule/1", "network": {{"nodes": 2, "channels": [[0, 1]], "bandwidth": [{bandwidth}]}},
        "collective": {{"name": "", "semantics": "copy"}}, "model": {{"switching": "timed", "tick_us": 1}},
        "messages": [], "chunk_bytes": 1, "times": [], "steps": []}}"#
    );
    let document = parse(text.as_bytes(), Path::new("x.json")).map_err(|error| error.to_string())?;
    Ok(document.problem.links().bandwidth[0])
}

#[test]
fn numbers_are_the_decimals_as_written() {
    for (text, numerator, denominator) in [
        ("25", 25, 1),
        ("12.5", 25, 2),
        ("21.7391", 217_391, 10_000),
        ("0.1", 1, 10),
        ("100.00", 100, 1),
        ("1e3", 1000, 1),
        ("25E-3", 1, 40),
        ("1.50e1", 15, 1),
        ("0.0000000000000000001e19", 1, 1),
        ("1234567890123456789", 1_234_567_890_123_456_789, 1),
        ("18446744073709551615", u64::MAX, 1),
        ("\"2/3\"", 2, 3),
        ("\"7\"", 7, 1),
    ] {
        assert_eq!(said(text), Ok(Rational { numerator, denominator }), "{text}");
    }
    for text in [
        "-1",
        "18446744073709551616",
        "1e20",
        "1e-20",
        "1.00000000000000000001",
        "\"1/2/3\"",
        "\"-1\"",
        "\"\"",
        "true",
        "[1]",
    ] {
        let error = said(text).unwrap_err();
        assert!(error.starts_with("x.json:1:") && error.contains("network.bandwidth[0]: "), "{text}: {error}");
    }
}

proptest! {
    #[test]
    fn no_digit_is_lost(numerator in 1..u64::MAX, denominator in 1..1_000_000_000u64, tick in 1..1_000_000u64) {
        let bandwidth = Rational::new(numerator >> 20, denominator);
        prop_assume!(bandwidth.numerator > 0);
        let network = Network::from_channels(2, [(0, 1)]).unwrap();
        let collective = Collective::broadcast(Node(0), &[Node(1)]);
        let links = Links { bandwidth: vec![bandwidth], latency: vec![Rational::new(denominator, 1000)], ..Links::default() };
        let units = Units { chunk_bytes: Rational::new(denominator, 7), tick_us: Rational::new(1, tick) };
        let problem = TimedProblem::new(network, collective, false, links, units).unwrap();
        let mut claim = TimedSchedule::default();
        claim.begin_step(3);
        claim.push(Transfer::new(&[Message(0)], &[Channel(0)]), Some(bandwidth), &[]);
        let verified = verify(&problem, claim).unwrap();
        let document = again(&verified, None, None);
        prop_assert_eq!(document.problem, problem);
        prop_assert_eq!(document.claim, TimedClaim::from(&verified));
    }
}

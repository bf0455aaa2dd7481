//! Archives: what is put comes back, the same bytes for the same results, and lines that were tampered with are refused
//! with the result's name.

use formats::archive::Archive;
use formats::schedule_json::Provenance;
use kernel::{Certificate, Claim, Node, Proof, Storage, Verdict, Verified, certify, verify};
use proptest::prelude::*;
use testing::facts::verified;

fn provenance() -> Provenance {
    Provenance {
        method: "by hand".into(),
        version: "1".into(),
        seed: Some(7),
        seconds: Some(0.25),
        ..Provenance::default()
    }
}

/// With a bound that needs no search.
fn verdict(schedule: Verified) -> Verdict {
    let bound = Certificate { steps: 0, proof: Proof::Send { node: Node(0) } };
    let floor = certify(schedule.problem(), bound).expect("nothing is claimed");
    Verdict::new(floor, schedule).expect("one problem")
}

/// The schedule of a two-step alltoall on three nodes in a ring, put under the name `small/one`.
fn small() -> (Archive, Verdict, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let network = kernel::Network::new(kernel::NetworkData {
        name: "triangle".into(),
        nodes: 3,
        channels: vec![(0, 1), (1, 2), (2, 0), (0, 2), (2, 1), (1, 0)],
        ..Default::default()
    })
    .unwrap();
    let all = network.terminals().to_vec();
    let collective = kernel::Collective::alltoall(&all, &all);
    let problem = kernel::Problem::new(network, collective, kernel::Model::wormhole()).unwrap();
    let verdict = verdict(testing::facts::one_by_one(problem));
    let mut archive = Archive::new(folder.path().join("results").with_extension("jsonl"));
    archive.put("small/one", &verdict, &provenance()).unwrap();
    archive.write().unwrap();
    (archive, verdict, folder)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_put_comes_back(schedule in verified()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl.gz");
        let verdict = verdict(schedule);
        let mut archive = Archive::new(&path);
        archive.put("b/c", &verdict, &provenance()).expect("one message a transfer");
        archive.put("a", &verdict, &provenance()).expect("one message a transfer");
        archive.write().unwrap();
        let first = std::fs::read(&path).unwrap();
        let back = Archive::read(&path).unwrap();
        prop_assert_eq!(back.names().collect::<Vec<_>>(), ["a", "b/c"]);
        prop_assert!(back.claim("c", verdict.problem()).is_none());
        let stored = back.claim("b/c", verdict.problem()).unwrap().unwrap();
        prop_assert_eq!(&stored.bound, verdict.floor().certificate());
        prop_assert_eq!(&stored.provenance, &provenance());
        // One transfer a step: sorting within a step changes nothing.
        let Storage::Plain(schedule) = verdict.ceiling().storage() else { panic!("written down") };
        prop_assert_eq!(&stored.claim, &Claim::Plain(schedule.clone()));
        prop_assert!(verify(verdict.problem(), stored.claim).is_ok());
        back.write().unwrap();
        prop_assert_eq!(std::fs::read(&path).unwrap(), first);
    }
}

#[test]
fn lines_that_do_not_fit_are_refused_with_the_name() {
    let (archive, verdict, _folder) = small();
    let text = std::fs::read_to_string(archive.path()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        std::fs::write(archive.path(), text.replace(from, to)).unwrap();
        let error = Archive::read(archive.path())
            .and_then(|archive| archive.claim("small/one", verdict.problem()).unwrap())
            .unwrap_err()
            .to_string();
        assert!(error.contains(":2:1: "), "{error}");
        error
    };
    let named = |from: &str, to: &str, says: &str| {
        let error = refused(from, to);
        assert!(error.contains("small/one") && error.contains(says), "{from} to {to}: {error}");
    };
    named("\"form\":\"hops\"", "\"form\":\"jumps\"", "is not one of hops, orbits (found `jumps`)");
    named("\"hops\":[0,", "\"hops\":[2,", "a channel that it does not have");
    named("\"hops\":[0,", "\"hops\":[", "`hops` ends before transfer 5");
    named("\"hops\":[0,", "\"hops\":[0,0,", "hold more than the 6 transfers");
    named("\"messages\":[0,", "\"messages\":[6,", "a message that the collective does not have");
    named("\"messages\":[0,", "\"messages\":[4294967295,4294967295,", "a message that the collective does not have");
    named("\"messages\":[0,", "\"messages\":[", "`messages` ends before transfer 5");
    named("\"lengths\":[1,", "\"lengths\":[", "`lengths` ends before transfer 5");
    named("\"lengths\":[1,", "\"lengths\":[1,1,", "hold more than the 6 transfers");
    named("\"steps\":[1,", "\"steps\":[", "hold more than the 5 transfers");
    named("\"steps\":[1,", "\"steps\":[4294967295,", "a message that the collective does not have");
    named("\"steps\":[1,", "\"senders\":[7],\"steps\":[1,", "leaves node 7 by a channel that it does not have");
    named("\"steps\":[1,", "\"copies\":[9],\"steps\":[1,", "`copies` names");
    named("\"steps\":[1,", "\"sizes\":[],\"steps\":[1,", "unknown field `sizes`");
    named("\"kind\":\"send\"", "\"kind\":\"sent\"", "bound.certificate.kind");
    named("{\"bound\":", "{\"ground\":", "bound: is missing");
    assert!(refused("{\"bound\"", "{bound").contains("key must be a string"), "a line that is no JSON");
}

#[test]
fn other_files_are_refused() {
    let (archive, _, _folder) = small();
    let text = std::fs::read_to_string(archive.path()).unwrap();
    for (text, says) in [
        (String::new(), "quadrille-atlas/1"),
        (text.replace("quadrille-atlas/1", "quadrille-atlas/2"), "quadrille-atlas/1"),
        (format!("{text}{}\n", text.lines().nth(1).unwrap()), ":3:1: small/one: stands there twice"),
    ] {
        std::fs::write(archive.path(), text).unwrap();
        let error = Archive::read(archive.path()).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    std::fs::write(archive.path(), [0xff, 0xfe]).unwrap();
    assert!(Archive::read(archive.path()).is_err());
}

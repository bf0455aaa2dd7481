//! Files stored as orbits: they come back as they were, and written out they are what the plain writer writes.

use formats::archive::Archive;
use formats::schedule_json::{ORBITS, Provenance, parse, write_expanded_to, write_to};
use kernel::orbits::{Generator, OrbitProblem, OrbitSchedule, Translations, certify_orbits, verify_orbits};
use kernel::{
    Certificate, Certified, Channel, Claim, Message, Model, Network, NetworkData, Node, Proof, Rational, Verdict,
    Verified, certify, verify,
};
use testing::known::ring_orbits;

/// Alltoall on a directed ring of an odd number of nodes; `parallel` adds a second channel beside each, and the rotation
/// exchanges the two on its way twice, which no reader could guess from the nodes.
fn ring(n: u32, parallel: bool) -> (Verified, Certified) {
    let next = |v: u32| (v + 1) % n;
    let mut channels: Vec<(u32, u32)> = (0..n).map(|v| (v, next(v))).collect();
    if parallel {
        channels.extend_from_within(..);
    }
    let network =
        Network::new(NetworkData { name: "ring".into(), nodes: n, channels, ..NetworkData::default() }).unwrap();
    let mut generator = Generator::of_nodes(&network, n, (0..n).map(next).collect()).unwrap();
    if parallel {
        let (a, b) = (0, n as usize);
        generator.channels.swap(a, b);
        generator.channels.swap(a + 1, b + 1);
    }
    let translations = Translations::new(&network, vec![generator]).unwrap();
    let problem = OrbitProblem::alltoall(&translations, Model::wormhole()).unwrap();
    let claim = ring_orbits(n, |v| translations.image_channel(v, Channel(0)));
    let steps = u64::from(n * (n - 1) / 2);
    let weights = vec![Rational::whole(1); network.channel_count()].into();
    let floor = steps / if parallel { 2 } else { 1 };
    let floor = certify_orbits(&problem, Certificate { steps: floor, proof: Proof::Lengths { weights } }).unwrap();
    (verify_orbits(&problem, claim).unwrap(), floor)
}

/// Allgather on a ring of five nodes with channels both ways: one tree.
fn allgather() -> (Verified, Certified) {
    let channels = (0..5).flat_map(|v| [(v, (v + 1) % 5), ((v + 1) % 5, v)]).collect();
    let network =
        Network::new(NetworkData { name: "ring".into(), nodes: 5, channels, ..NetworkData::default() }).unwrap();
    let rotation = Generator::of_nodes(&network, 5, vec![1, 2, 3, 4, 0]).unwrap();
    let translations = Translations::new(&network, vec![rotation]).unwrap();
    let problem = OrbitProblem::allgather(&translations, Model::store_and_forward()).unwrap();
    let tree = [[0, 9], [2, 7]].map(|step| step.map(|c| (Message(0), vec![Channel(c)])).to_vec());
    let claim = OrbitSchedule { shifts: vec![0], schedule: tree.into_iter().collect() };
    let received = Certificate { steps: 2, proof: Proof::Receive { node: Node(3) } };
    (verify_orbits(&problem, claim).unwrap(), certify_orbits(&problem, received).unwrap())
}

fn provenance() -> Provenance {
    Provenance {
        method: "by hand".into(),
        version: "0".into(),
        seed: Some(3),
        seconds: Some(0.5),
        ..Provenance::default()
    }
}

#[test]
fn what_is_written_is_read() {
    for (schedule, floor) in [ring(3, false), ring(5, false), ring(7, true), allgather()] {
        let mut text = Vec::new();
        write_to(&schedule, Some(&floor), &provenance(), &mut text).unwrap();
        assert!(String::from_utf8_lossy(&text).contains(ORBITS));
        let read = parse(&text, "ring.json".as_ref()).unwrap();
        let Claim::Orbits { problem, schedule: claim } = read.claim else { panic!("stored as orbits") };
        let orbits = schedule.orbits().unwrap();
        assert_eq!((&problem, &claim), (orbits.problem(), orbits.schedule()));
        assert_eq!(&read.problem, schedule.problem());
        assert_eq!((read.bound.as_ref(), &read.provenance), (Some(floor.certificate()), &provenance()));
    }
}

#[test]
fn one_message_of_allgather_is_written() {
    let (schedule, floor) = allgather();
    let mut text = Vec::new();
    write_to(&schedule, Some(&floor), &provenance(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\"messages\": [{\"from\":0,\"to\":[1,2,3,4]}]"), "{text}");
    let said = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        let read = parse(text.replace(from, to).as_bytes(), "f".as_ref()).map_err(|e| e.to_string())?;
        verify(&read.problem, read.claim).map(|v| v.steps()).map_err(|e| e.to_string())
    };
    assert_eq!(said("by hand", "by hand"), Ok(2));
    // The order of destinations says nothing, and fewer are other multicasts.
    assert_eq!(said("\"to\":[1,2,3,4]", "\"to\":[3,1,2,4]"), Ok(2));
    assert_eq!(said("\"to\":[1,2,3,4]", "\"to\":[3,1]"), Ok(2));
    for (from, to, why) in [
        ("\"to\":[1,2,3,4]", "\"to\":[0,1,2,3,4]", "messages from one origin to other nodes"),
        ("\"to\":[1,2,3,4]}", "\"to\":[1,2]},{\"from\":2,\"to\":[4,3]}", "images of each other"),
        ("\"path\":[2]", "\"path\":[4]", "does not hold"),
        ("\"path\":[2]", "\"path\":[7]", "channel"),
        ("\"shift\": 0", "\"shift\": 1", "5"),
    ] {
        let refused = said(from, to).unwrap_err();
        assert!(refused.contains(why), "{refused}");
    }
}

#[test]
fn written_out_it_is_a_plain_file() {
    written_out(ring(5, false), 10);
    written_out(allgather(), 2);
}

fn written_out((schedule, floor): (Verified, Certified), count: usize) {
    let mut steps = Vec::new();
    let mut text = Vec::new();
    let mut tell = |step| {
        steps.push(step);
        Ok(())
    };
    write_expanded_to(&schedule, Some(&floor), &provenance(), &mut text, &mut tell).unwrap();
    assert_eq!(steps, (0..count).collect::<Vec<_>>());
    let problem = schedule.problem();
    let ceiling = verify(problem, schedule.expanded().unwrap().into_owned()).unwrap();
    let floor = certify(problem, floor.certificate().clone()).unwrap();
    let mut plain = Vec::new();
    write_to(&ceiling, Some(&floor), &provenance(), &mut plain).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), String::from_utf8(plain).unwrap());
}

#[test]
fn faults_are_named_with_their_place() {
    let (schedule, floor) = ring(5, false);
    let mut text = Vec::new();
    write_to(&schedule, Some(&floor), &provenance(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        parse(text.replace(from, to).as_bytes(), "f".as_ref()).unwrap_err().to_string()
    };
    let expect = |from: &str, to: &str, place: &str, why: &str| {
        let found = refused(from, to);
        assert!(found.contains(place) && found.contains(why), "{found}");
    };
    expect("\"order\": 5", "\"order\": 6", "generators[0]", "does not have order 6");
    expect("\"order\": 5", "\"order\": -5", "generators[0].order", "-5");
    expect("[1, 2, 3, 4, 0]", "[1, 2, 3, 4, 4]", "generators[0]", "takes some channel's ends");
    expect("\"generators\"", "\"generator\"", "f:2:", "`generators` is missing");
    expect("\"from\":0,\"to\":[2]", "\"from\":1,\"to\":[2]", "messages[1]", "images of each other");
    expect("orbits/1", "orbits/2", "format", "is not one of");
}

#[test]
fn archives_hold_representatives() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let (schedule, floor) = ring(5, false);
    let problem = schedule.problem().clone();
    let mut archive = Archive::new(&path);
    archive.put("ring", &Verdict::new(floor.clone(), schedule).unwrap(), &provenance()).unwrap();
    archive.write().unwrap();
    let stored = Archive::read(&path).unwrap().claim("ring", &problem).unwrap().unwrap();
    assert_eq!((&stored.bound, &stored.provenance), (floor.certificate(), &provenance()));
    assert!(stored.claim.orbits().is_some());
    assert_eq!(verify(&problem, stored.claim).unwrap().steps(), 10);

    let text = std::fs::read_to_string(&path).unwrap();
    for (from, to, says) in [
        ("\"order\":5", "\"order\":4", "generator 0 does not have order 4"),
        ("[1,2,3,4,0]", "[1,2,3,0,4]", "generator 0 takes some channel to where there is none"),
        ("[1,2,3,4,0]", "[1,2,3,4]", "generator 0 takes some channel to where there is none"),
        ("\"hops\":[0,", "\"hops\":[1,", "by a channel that it does not have"),
        ("\"representatives\":{", "\"representatives\":{\"senders\":[3],", "`senders` ends before transfer 1"),
    ] {
        assert!(text.contains(from), "{from} is not in {text}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
        let error = Archive::read(&path).unwrap().claim("ring", &problem).unwrap().unwrap_err().to_string();
        assert!(error.contains("ring: schedule: ") && error.contains(says), "{from} to {to}: {error}");
    }

    // What a line claims is for the checker to refuse.
    std::fs::write(&path, text.replace("\"shift\":2", "\"shift\":1")).unwrap();
    let claim = Archive::read(&path).unwrap().claim("ring", &problem).unwrap().unwrap().claim;
    assert!(verify(&problem, claim).is_err());

    // Alltoall between some of the nodes is another problem; parallel channels of their own way have no short form.
    let (some, network) = (&problem.network().terminals()[..3], problem.network().clone());
    let other = kernel::Problem::new(network, kernel::Collective::alltoall(some, some), Model::wormhole()).unwrap();
    let error = archive.claim("ring", &other).unwrap().unwrap_err().to_string();
    assert!(error.contains("which the problem is not"), "{error}");
    let (schedule, floor) = ring(7, true);
    let problem = schedule.problem().clone();
    archive.put("pairs", &Verdict::new(floor, schedule).unwrap(), &provenance()).unwrap();
    let claim = archive.claim("pairs", &problem).unwrap().unwrap().claim;
    assert!(claim.orbits().is_none() && verify(&problem, claim).is_ok());
}

//! A page holds the schedule: what is unpacked from it is what was put in.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use kernel::{
    Certificate, Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Proof, Schedule, Verified,
    certify, verify,
};
use pictures::page;
use serde_json::Value;

/// The schedules in a page.
fn unpack(page: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(page).unwrap();
    let blocks = text.split("class=\"schedule\">").skip(1).map(|rest| rest.split_once("</script>").unwrap().0);
    blocks.map(|b| serde_json::from_reader(GzDecoder::new(&STANDARD.decode(b).unwrap()[..])).unwrap()).collect()
}

/// A broadcast along a line of three.
fn line() -> Verified {
    let channels = vec![(0, 1), (1, 0), (1, 2), (2, 1)];
    let network =
        Network::new(NetworkData { name: "a <line>".into(), nodes: 3, channels, ..NetworkData::default() }).unwrap();
    let broadcast = Collective::broadcast(Node(0), network.terminals());
    let problem = Problem::new(network, broadcast, Model::wormhole()).unwrap();
    let mut claim = Schedule::new();
    claim.begin_step();
    claim.send(Message(0), &[Channel(0), Channel(2)]);
    claim.begin_step();
    claim.send(Message(0), &[Channel(0)]);
    verify(&problem, claim).unwrap()
}

#[test]
fn a_page_holds_the_schedule_and_its_bound() {
    let schedule = line();
    let cut = Certificate { steps: 1, proof: Proof::Cut { nodes: vec![Node(0)] } };
    let floor = certify(schedule.problem(), cut).unwrap();
    let mut text = Vec::new();
    page::write(&[(&schedule, Some(&floor)), (&schedule, None)], &mut text).unwrap();
    let found = unpack(&text);
    assert_eq!(found.len(), 2);
    for data in &found {
        assert_eq!(data["sent"]["steps"], serde_json::json!([1, 1]));
        assert_eq!(data["sent"]["hops"], serde_json::json!([2, 1]));
        assert_eq!(data["sent"]["path"], serde_json::json!([0, 2, 0]));
        assert_eq!(data["messages"]["to"], serde_json::json!([1, 2]));
        assert_eq!((data["steps"].as_u64(), data["optimal"].as_bool()), (Some(2), Some(false)));
    }
    let told = &found[0]["floor"];
    assert_eq!(told["quotient"], serde_json::json!([1, 1]));
    assert_eq!((&told["nodes"], &told["channels"]), (&serde_json::json!([0]), &serde_json::json!([0])));
    assert!(found[1]["floor"].is_null());
    // What spreads behind a cut takes steps beside those of the quotient, which is then not told.
    let late = Certificate { steps: 2, proof: Proof::LateCut { nodes: vec![Node(0)] } };
    let floor = certify(schedule.problem(), late).unwrap();
    let mut late = Vec::new();
    page::write(&[(&schedule, Some(&floor))], &mut late).unwrap();
    let told = &unpack(&late)[0]["floor"];
    assert_eq!((&told["steps"], &told["quotient"]), (&serde_json::json!(2), &Value::Null));
    assert_eq!(told["channels"], serde_json::json!([0]));
    // A name cannot end the title or begin an element.
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("<title>broadcast on a &lt;line&gt;"), "{}", &text[..400]);
}

#[test]
fn of_a_large_schedule_a_page_holds_the_first_steps() {
    // Around a ring to the node before.
    let channels: Vec<(u32, u32)> = (0..60).map(|v| (v, (v + 1) % 60)).collect();
    let network = Network::new(NetworkData { nodes: 60, channels, ..NetworkData::default() }).unwrap();
    let problem = Problem::new(network, Collective::pairs("one", &[(Node(0), Node(59))]), Model::wormhole()).unwrap();
    let around: Vec<Channel> = (0..59).map(Channel).collect();
    let mut claim = Schedule::new();
    for _ in 0..page::MOST_USES / 50 {
        claim.begin_step();
        claim.send(Message(0), &around);
    }
    let schedule = verify(&problem, claim).unwrap();
    let mut text = Vec::new();
    page::write(&[(&schedule, None)], &mut text).unwrap();
    let data = &unpack(&text)[0];
    let uses = data["sent"]["path"].as_array().unwrap().len();
    assert!(uses <= page::MOST_USES && uses * 10 > page::MOST_USES * 9, "{uses} uses");
    assert_eq!(data["steps"].as_u64(), Some(schedule.steps() as u64));
    assert!((data["sent"]["steps"].as_array().unwrap().len()) < schedule.steps());
}

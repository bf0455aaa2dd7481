//! Every exported program, imported again, is a schedule of the same problem; where each transfer crosses one channel, in no more steps.

use crate::{Played, programs};
use kernel::{Verified, verify};
use runtimes::import::{ImportError, Transcript, plain_nodes};
use runtimes::plan::{self, PlanOptions};
use runtimes::xml::{self, XmlOptions};

/// The schedule of a transcript under the model of the one that it comes from.
fn imported(of: &Transcript, schedule: &Verified) -> Verified {
    let problem = of.problem(schedule.problem().network(), Some(schedule.problem().model())).unwrap();
    verify(&problem, of.schedule(&problem).unwrap()).unwrap_or_else(|rejected| panic!("{rejected}"))
}

fn crosses_one_channel(schedule: &Verified) -> bool {
    (0..schedule.steps()).all(|step| schedule.step(step).all(|sent| sent.path.len() == 1))
}

pub(crate) fn of_every_collective() {
    let (mut kept, mut plans) = (0, 0);
    for Played { what, schedule, program } in programs() {
        let nodes = schedule.problem().network().terminals();
        let algorithm = xml::export(program, &XmlOptions { name: "law".into(), in_place: false }).unwrap();
        let mut transcripts = vec![algorithm.transcript(nodes).unwrap()];
        if let Ok(plan) = plan::export(program, &PlanOptions { name: "law".into(), port: false }) {
            plans += 1;
            transcripts.push(plan.transcript(nodes).unwrap());
        }
        for transcript in transcripts {
            let again = imported(&transcript, schedule);
            assert_eq!(transcript.left_out, 0, "{what}");
            let (was, is) = (schedule.problem().collective(), again.problem().collective());
            match is.name() {
                "custom" => assert!(is.deliveries() <= was.deliveries(), "{what}"),
                _ => assert_eq!(was, is, "{what}"),
            }
            if crosses_one_channel(schedule) {
                kept += 1;
                assert!(again.steps() <= schedule.steps(), "{what}: {} steps from {}", again.steps(), schedule.steps());
            }
        }
    }
    assert!(kept > 20 && plans > 20, "{kept}, {plans}");
}

/// On the links that a file uses, in place too.
#[test]
fn without_a_network() {
    for collective in ["allgather", "allreduce", "broadcast", "reduce_scatter"] {
        for in_place in [false, true] {
            let program = crate::program("ring:4", collective, 2);
            let algorithm = xml::export(&program, &XmlOptions { name: "law".into(), in_place }).unwrap();
            let transcript = algorithm.transcript(&plain_nodes(4)).unwrap();
            let problem = transcript.problem(&transcript.implied_network("law"), None).unwrap();
            verify(&problem, transcript.schedule(&problem).unwrap()).unwrap();
            assert_eq!(problem.collective().chunks(), 2, "{collective}");
        }
    }
}

/// Of a program whose name says nothing, its outputs are the collective, where they are messages.
#[test]
fn what_no_collective_is() {
    let good = include_str!("../../../../fixtures/runtimes/doubling-allgather-4.xml");
    let custom = good.replace("coll=\"allgather\"", "coll=\"custom\"").replace("i_chunks=\"1\"", "i_chunks=\"4\"");
    let transcript = xml::read(&custom).unwrap().transcript(&plain_nodes(4)).unwrap();
    assert_eq!((transcript.collective.message_count(), transcript.collective.deliveries()), (4, 12));
    let own = r#"<algo name="x" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="custom" inplace="0">
<gpu id="0" i_chunks="2" o_chunks="0" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0">
<step s="0" type="re" srcbuf="i" srcoff="0" dstbuf="i" dstoff="1" cnt="1" depid="-1" deps="-1" hasdep="0"/>
<step s="1" type="s" srcbuf="i" srcoff="1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>
<gpu id="1" i_chunks="2" o_chunks="2" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0">
<step s="0" type="r" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu></algo>"#;
    let refused = xml::read(own).unwrap().transcript(&plain_nodes(2)).unwrap_err();
    assert_eq!(refused, ImportError::OwnTwice { rank: 1, of: 0 });
}

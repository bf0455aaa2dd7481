//! What was put into a schedule or a collective is what is there, whether its lists are single items or not.

use kernel::{
    Certificate, Channel, Collective, Message, Model, Network, NetworkData, Node, Op, Problem, Proof, Rational,
    Refused, Schedule, Semantics, Transfer, certify,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Lists of no item, one or two, or of one item each.
fn lists(count: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
    let any = prop::collection::vec(prop::collection::vec(0u32..9, 0..3), count);
    prop_oneof![any, prop::collection::vec(prop::collection::vec(0u32..9, 1), count)]
}

fn hash(schedule: &Schedule) -> u64 {
    let mut hasher = DefaultHasher::new();
    schedule.hash(&mut hasher);
    hasher.finish()
}

proptest! {
    /// What was pushed is what is there, and schedules that are equal are stored alike, however they were made.
    #[test]
    fn transfers_come_back(
        (messages, paths, bits) in (0usize..9).prop_flat_map(|count| (lists(count), lists(count), any::<u32>())),
    ) {
        let messages: Vec<Vec<Message>> = messages.into_iter().map(|list| list.into_iter().map(Message).collect()).collect();
        let paths: Vec<Vec<Channel>> = paths.into_iter().map(|list| list.into_iter().map(Channel).collect()).collect();
        let op = |at: usize| [Op::Reduce, Op::Copy, Op::Keep, Op::Reduce][bits as usize >> at & 3];
        let partials = |at: usize| &[0, 2, 1][..(bits >> (at + 8) & 3) as usize];
        let transfer = |(at, (messages, path)): (usize, (_, _))| Transfer { op: op(at), partials: partials(at), ..Transfer::new(messages, path) };
        let transfers = || (0..).zip(messages.iter().map(Vec::as_slice).zip(paths.iter().map(Vec::as_slice))).map(transfer);
        let mut schedule = Schedule::new();
        let mut steps: Vec<Vec<Transfer<'_>>> = Vec::new();
        for (at, transfer) in transfers().enumerate() {
            if at == 0 || bits >> (at + 16) & 1 == 1 {
                schedule.begin_step();
                steps.push(Vec::new());
            }
            schedule.push(transfer);
            steps.last_mut().unwrap().push(transfer);
        }
        prop_assert_eq!(schedule.transfer_count(), messages.len());
        prop_assert_eq!(schedule.channel_uses(), paths.concat().len());
        let there: Vec<Vec<Transfer<'_>>> = schedule.steps().map(Iterator::collect).collect();
        prop_assert_eq!(&there, &steps);
        // Step by step out of another schedule.
        let mut again = Schedule::new();
        again.append(&schedule);
        prop_assert_eq!(&again, &schedule);
        prop_assert_eq!(hash(&again), hash(&schedule));
        // One list longer, and it is another schedule.
        if let Some(last) = paths.last() {
            let mut other = Schedule::new();
            let mut longer = last.clone();
            longer.push(Channel(9));
            for (at, transfer) in transfers().enumerate() {
                if at == 0 || bits >> (at + 16) & 1 == 1 {
                    other.begin_step();
                }
                let path: &[Channel] = if at + 1 == paths.len() { &longer } else { transfer.path };
                other.push(Transfer { path, ..transfer });
            }
            prop_assert_ne!(&other, &schedule);
        }
    }

    /// The lists of a collective's messages come back, also once they are cut into chunks.
    #[test]
    fn messages_come_back(
        ends in prop::collection::vec((prop::collection::btree_set(0u32..9, 1..3), prop::collection::btree_set(0u32..9, 1..3)), 0..9),
        chunks in 1u32..4,
    ) {
        let nodes = |set: &BTreeSet<u32>| -> Vec<Node> { set.iter().copied().map(Node).collect() };
        let lists: Vec<(Vec<Node>, Vec<Node>)> = ends.iter().map(|(from, to)| (nodes(from), nodes(to))).collect();
        let collective = Collective::new("lists", Semantics::Reduce, None::<Node>, lists.clone()).unwrap().in_chunks(chunks);
        prop_assert_eq!(collective.message_count(), lists.len() * chunks as usize);
        let there = collective.messages().map(|m| (collective.contributors(m).to_vec(), collective.destinations(m).to_vec()));
        let wanted = lists.iter().flat_map(|list| std::iter::repeat_n(list.clone(), chunks as usize));
        prop_assert_eq!(there.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
    }
    /// Bounds by lengths speak of messages for one destination each: whether all are is known, whatever came before.
    #[test]
    fn messages_for_one_destination_are_told(
        ends in prop::collection::vec((0u32..5, prop::collection::btree_set(0u32..5, 1..3)), 1..5),
    ) {
        let to = |from: u32, set: &BTreeSet<u32>| set.iter().filter(|v| **v != from).copied().map(Node).collect::<Vec<_>>();
        let lists = ends.iter().map(|(from, set)| (vec![Node(*from)], to(*from, set)));
        let lists: Vec<(Vec<Node>, Vec<Node>)> = lists.filter(|list| !list.1.is_empty()).collect();
        prop_assume!(!lists.is_empty());
        let channels = (0..25).map(|at| (at / 5, at % 5)).filter(|(a, b)| a != b).collect();
        let network = Network::new(NetworkData { nodes: 5, channels, ..NetworkData::default() }).unwrap();
        let collective = Collective::new("lists", Semantics::Copy, None::<Node>, lists.clone()).unwrap();
        let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
        let claim = Certificate { steps: 99, proof: Proof::Lengths { weights: vec![Rational::whole(1); 20].into() } };
        // Every destination takes a channel, whether messages have one or several.
        let proves = lists.iter().map(|list| list.1.len() as u64).sum::<u64>().div_ceil(20);
        prop_assert_eq!(certify(&problem, claim).unwrap_err(), Refused::TooWeak { claims: 99, proves });
    }
}

//! Reductions are replayed as sets of contributors are merged, however these lie among the nodes.

use kernel::{
    Channel, Collective, Message, Model, Network, NetworkData, Node, Op, Problem, Schedule, Semantics, Transfer,
    Violation, verify_keeping,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
struct Sent {
    from: u32,
    to: u32,
    op: Op,
    /// The partial results that it takes.
    partials: Vec<u32>,
    /// Whether it begins a step.
    later: bool,
}

fn sent(nodes: u32) -> impl Strategy<Value = Sent> {
    let op = prop_oneof![4 => Just(Op::Reduce), 1 => Just(Op::Copy), 1 => Just(Op::Keep)];
    let partials = prop_oneof![3 => Just(Vec::new()), 1 => proptest::collection::vec(0..3u32, 1..3)];
    // Half of them between neighbours: runs of nodes meet, and words of 64 fill up.
    let ends = prop_oneof![(0..nodes, 0..nodes), (0..nodes).prop_map(move |v| (v, (v + 1) % nodes))];
    let all = (ends, op, partials, any::<bool>());
    all.prop_map(|((from, to), op, partials, later)| Sent { from, to, op, partials, later })
}

/// What is wrong, by sets of numbers.
fn expected(contributors: &BTreeSet<u32>, to: u32, steps: &[Vec<Sent>]) -> Vec<Violation> {
    let message = Message(0);
    let node_of = |set: BTreeSet<u32>| set.first().copied().map(Node);
    let mut held: Vec<BTreeSet<u32>> = Vec::new();
    let mut violations = Vec::new();
    let mut apart: Vec<Vec<BTreeSet<u32>>> = Vec::new();
    let own = |node: u32| BTreeSet::from_iter(contributors.get(&node).copied());
    for (step, transfers) in steps.iter().enumerate() {
        let before = held.clone();
        let has = |held: &[BTreeSet<u32>], node: u32| held.get(node as usize).cloned().unwrap_or_else(|| own(node));
        let mut arrivals = Vec::new();
        for (transfer, sent) in transfers.iter().enumerate() {
            let node = Node(sent.from);
            let mut part = if sent.partials.is_empty() { has(&before, sent.from) } else { BTreeSet::new() };
            let mut wrong = None;
            for &partial in &sent.partials {
                let kept = apart.get(sent.from as usize).and_then(|all| all.get((partial as usize).checked_sub(1)?));
                let kept = if partial == 0 { Some(own(sent.from)) } else { kept.cloned() };
                let Some(kept) = kept.filter(|kept| !kept.is_empty()) else {
                    wrong = Some(Violation::NoSuchPartial { step, transfer, node, message, partial });
                    break;
                };
                if let Some(contributor) = node_of(&part & &kept) {
                    wrong = Some(Violation::CountedTwice { step, transfer, node, message, contributor });
                    break;
                }
                part.extend(kept);
            }
            match wrong {
                Some(wrong) => violations.push(wrong),
                None if part.is_empty() => violations.push(Violation::NotHeld { step, transfer, node, message }),
                None => arrivals.push((transfer, sent, part)),
            }
        }
        for (transfer, sent, part) in arrivals {
            apart.resize(apart.len().max(sent.to as usize + 1), Vec::new());
            apart[sent.to as usize].push(part.clone());
            if sent.op == Op::Keep {
                continue;
            }
            let mut here = if sent.op == Op::Copy { BTreeSet::new() } else { has(&held, sent.to) };
            if let Some(contributor) = node_of(&here & &part) {
                let node = Node(sent.to);
                violations.push(Violation::CountedTwice { step, transfer, node, message, contributor });
            }
            here.extend(part);
            let known = held.len() as u32;
            held.extend((known..=sent.to).map(own));
            held[sent.to as usize] = here;
        }
    }
    let end = held.get(to as usize).cloned().unwrap_or_else(|| own(to));
    let missing = node_of(contributors - &end);
    violations.extend(missing.map(|contributor| Violation::Incomplete { message, node: Node(to), contributor }));
    violations
}

proptest! {
    #[test]
    fn contributions_are_merged_as_sets(
        (nodes, contributors, to, sent) in (2u32..400).prop_flat_map(|nodes| {
            let scattered = proptest::collection::btree_set(0..nodes, 1..40);
            let run = (0..nodes, 1..=nodes).prop_map(move |(from, length)| (from..nodes.min(from + length)).collect());
            (Just(nodes), prop_oneof![scattered, run], 0..nodes, proptest::collection::vec(sent(nodes), 0..60))
        }),
    ) {
        // A ring connects all; every transfer has a channel of its own.
        let mut channels: Vec<(u32, u32)> = (0..nodes).map(|v| (v, (v + 1) % nodes)).collect();
        let mut schedule = Schedule::new();
        let mut steps: Vec<Vec<Sent>> = Vec::new();
        for sent in sent.into_iter().filter(|sent| sent.from != sent.to) {
            if sent.later || steps.is_empty() {
                schedule.begin_step();
                steps.push(Vec::new());
            }
            let path = &[Channel::new(channels.len())];
            let (op, partials) = (sent.op, &sent.partials[..]);
            schedule.push(Transfer { op, partials, ..Transfer::new(&[Message(0)], path) });
            channels.push((sent.from, sent.to));
            steps.last_mut().unwrap().push(sent);
        }
        let expected = expected(&contributors, to, &steps);
        let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap();
        let chunk = [(contributors.into_iter().map(Node).collect(), vec![Node(to)])];
        let collective = Collective::new("reduce", Semantics::Reduce, None, chunk).unwrap();
        let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
        let found = verify_keeping(&problem, schedule, usize::MAX);
        prop_assert_eq!(found.map_or_else(|r| r.violations().to_vec(), |_| Vec::new()), expected);
    }
}

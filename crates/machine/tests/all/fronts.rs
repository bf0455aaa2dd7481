//! A step lasts as long as its longest transfer: what is kept of a schedule says the same as all of its transfers.

use constructions::{Claim, Control, Request, applicable};
use kernel::{
    Channel, Collective, Message, Model, Network, NetworkData, Node, Problem, Schedule, Storage, Switching, Transfer,
    verify,
};
use machine::cost::{CostModel, Costs};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Models under which hops weigh nothing, little, much and as much as words.
const MODELS: [CostModel; 4] = [
    CostModel::AlphaBeta { alpha: 3.0, beta: 2.0 },
    CostModel::PerHop { alpha: 5.0, beta: 1.0 },
    CostModel::CutThrough { alpha: 1.0, beta: 8.0, hop: 1.0 },
    CostModel::CutThrough { alpha: 1.0, beta: 1.0, hop: 16.0 },
];

/// The longest of transfers of so many hops and messages of `words` words.
fn longest(model: &CostModel, transfers: &[(usize, usize)], words: f64) -> f64 {
    transfers.iter().map(|&(hops, messages)| model.transfer(hops as f64, messages as f64 * words)).fold(0.0, f64::max)
}

/// Compares costs with those of all steps, each a list of hops and messages of its transfers.
fn agree(costs: &Costs, steps: &[Vec<(usize, usize)>], spec: &str) {
    for (model, words) in MODELS.iter().flat_map(|model| [(model, 1.0), (model, 32.0)]) {
        let time: f64 = steps.iter().map(|step| longest(model, step, words)).sum();
        assert_eq!(costs.time(model, words), time, "{spec}: {model:?}, {words} words");
    }
    assert_eq!(costs.start_ups(), steps.iter().filter(|step| !step.is_empty()).count() as u64, "{spec}");
    let most = |step: &Vec<(usize, usize)>| step.iter().map(|transfer| transfer.1).max().unwrap_or(0) as u64;
    assert_eq!(costs.words(), steps.iter().map(most).sum::<u64>(), "{spec}");
}

proptest! {
    /// Any transfers side by side on a line, each of some messages over some channels.
    #[test]
    fn steps_last_as_long_as_their_longest_transfer(
        steps in prop::collection::vec(prop::collection::vec((1u32..5, 0usize..6), 0..5), 1..5),
    ) {
        let nodes = 21;
        let (mut pairs, mut claim, mut transfers) = (Vec::new(), Schedule::new(), Vec::new());
        for step in steps {
            claim.begin_step();
            transfers.push(Vec::new());
            let mut from = 0;
            for (hops, count) in step {
                let first = pairs.len() as u32;
                pairs.extend(std::iter::repeat_n((Node(from), Node(from + hops)), count));
                if count > 0 {
                    let messages: Vec<Message> = (first..).take(count).map(Message).collect();
                    let path: Vec<Channel> = (from..from + hops).map(Channel).collect();
                    claim.push(Transfer::new(&messages, &path));
                    transfers.last_mut().unwrap().push((hops as usize, count));
                }
                from += hops;
            }
        }
        prop_assume!(!pairs.is_empty());
        let channels = (1..nodes).map(|v| (v - 1, v)).collect();
        let network = Network::new(NetworkData { nodes, channels, ..NetworkData::default() }).unwrap();
        let model = Model { switching: Switching::Wormhole, combining: true };
        let problem = Problem::new(network, Collective::pairs("alltoallv", &pairs), model).unwrap();
        agree(&Costs::of(&verify(&problem, claim).unwrap()).unwrap(), &transfers, "a line");
    }
}

/// Orbits that are written down, and some of too many channel uses for that, of which the representatives must do although some
/// of the group shift time.
#[test]
fn fronts_of_orbits_are_those_of_all_transfers() {
    let small = ["hypercube:4", "torus:4x6", "torus:5x5", "torus:3x4", "ring:9", "ring-uni:6", "full-tree:7"];
    let large = ["torus:4x260"];
    for (spec, is_large) in small.map(|spec| (spec, false)).into_iter().chain(large.map(|spec| (spec, true))) {
        let network = topologies::parse(spec).unwrap();
        let request = Request::alltoall(&network, Model::wormhole());
        let (_, builder) = applicable(&request).next().unwrap();
        let claim = builder.build(&network, &Control::default()).and_then(Claim::orbits).unwrap();
        let verified = claim.verified(&network, Model::wormhole()).unwrap();
        let Storage::Orbits(orbits) = verified.storage() else { panic!("{spec} has no orbits") };
        let costs = Costs::of(&verified).unwrap();
        let loggp = CostModel::LogGp { latency: 1.0, overhead: 1.0, gap: 1.0, word_gap: 1.0 };
        assert_eq!(costs.answers(&loggp).is_err(), is_large, "{spec}");
        // Of transfers that are alike one is enough.
        let alike = |step| orbits.step(step).map(|sent| (sent.path.len(), 1)).collect::<BTreeSet<_>>();
        let steps: Vec<Vec<_>> = (0..verified.steps()).map(|step| alike(step).into_iter().collect()).collect();
        agree(&costs, &steps, spec);
    }
}

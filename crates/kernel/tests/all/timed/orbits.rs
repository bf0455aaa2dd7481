//! Schedules in time stored as orbits: right if and only if they are right with every transfer written down.

use super::{fault, hundred, rational};
use kernel::orbits::{Generator, Translations, TranslationsError};
use kernel::timed::{
    Links, TimedClaim, TimedFault, TimedOrbitError, TimedOrbits, TimedProblem, TimedSchedule, VerifiedTimed, verify,
    verify_keeping,
};
use kernel::{Channel, Collective, Message, Network, NetworkData, Node, Op, Ports, Rational, Rejected, Transfer};
use proptest::prelude::*;

/// A ring, channel 2v from node v to the next and 2v + 1 back, at 1 and 2 GB/s; a chunk takes 100 and 50 ticks, and latencies 3 and 7.
fn ring(n: u32, ports: Ports, half_duplex: bool, reduce: Option<Rational>) -> (Network, Links, Translations) {
    let channels = (0..n).flat_map(|v| [(v, (v + 1) % n), ((v + 1) % n, v)]).collect();
    let half_duplex = if half_duplex { (0..n).map(|v| vec![2 * v, 2 * v + 1]).collect() } else { Vec::new() };
    let data = NetworkData { nodes: n, channels, half_duplex, receive_ports: ports, ..NetworkData::default() };
    let network = Network::new(data).unwrap();
    let links = Links {
        bandwidth: (0..2 * n).map(|c| Rational::whole(u64::from(c % 2) + 1)).collect(),
        latency: (0..2 * n).map(|c| rational(3 + 4 * u64::from(c % 2), 1000)).collect(),
        reduce,
        ..Links::default()
    };
    let rotation = Generator::of_nodes(&network, n, (0..n).map(|v| (v + 1) % n).collect()).unwrap();
    let translations = Translations::new(&network, vec![rotation]).unwrap();
    (network, links, translations)
}

fn folded(n: u32, collective: impl Fn(&[Node]) -> Collective) -> TimedOrbits {
    let (network, links, translations) = ring(n, Ports::All, false, None);
    let all = network.terminals().to_vec();
    let problem = TimedProblem::new(network, collective(&all), false, links, hundred()).unwrap();
    TimedOrbits::of(&problem, &translations).unwrap()
}

/// Steps of one transfer of message 0 each.
fn claim(transfers: &[(u64, &[u32], Op)]) -> TimedSchedule {
    let mut claim = TimedSchedule::default();
    for (tick, path, op) in transfers {
        claim.begin_step(*tick);
        let path: Vec<Channel> = path.iter().copied().map(Channel).collect();
        claim.push(Transfer { op: *op, ..Transfer::new(&[Message(0)], &path) }, None, &[]);
    }
    claim
}

const COPY: Op = Op::Copy;

/// What is right as orbits is right written down, and takes as long.
fn written_down(verified: &VerifiedTimed) {
    let written = verified.written_out().unwrap();
    let again = verify(verified.problem(), written.schedule().clone()).unwrap();
    assert_eq!(again.ticks(), verified.ticks());
    assert_eq!(again.transfer_count(), verified.transfer_count());
    assert!(again.orbits().is_none() && verified.orbits().is_some());
}

#[test]
fn allgather_is_one_tree() {
    let orbits = folded(4, |all| Collective::allgather(all, all));
    // Node 0's message to nodes 1 and 2, and to node 3 back.
    let tree = [(0, &[0][..], COPY), (1, &[7], COPY), (103, &[2], COPY)];
    let verified = orbits.verify(claim(&tree)).unwrap();
    assert_eq!((verified.ticks(), verified.transfer_count()), (206, 12));
    written_down(&verified);
    // A path has two channels of one orbit, whose base carries both at once.
    let long = [(0, &[0][..], COPY), (1, &[7], COPY), (103, &[0, 2], COPY)];
    let (used, bandwidth) = (Rational::whole(2), Rational::whole(1));
    let over = TimedFault::Bandwidth { tick: 106, channel: Channel(0), used, bandwidth };
    assert_eq!(orbits.verify(claim(&long)).unwrap_err().violations(), fault(over));
}

#[test]
fn a_claim_about_another_problem_is_taken_for_all_there_is() {
    let orbits = folded(4, |all| Collective::allgather(all, all));
    let tree = claim(&[(0, &[0][..], COPY), (1, &[7], COPY), (103, &[2], COPY)]);
    let of = |problem: &TimedProblem| {
        TimedClaim { schedule: tree.clone(), orbits: Some(orbits.clone()) }.verify(problem).map(|v| v.ticks())
    };
    assert_eq!(of(orbits.whole()).unwrap(), 206);
    let other = folded(4, |all| Collective::alltoall(all, all));
    assert!(of(other.whole()).is_err());
}

#[test]
fn chunks_are_merged_one_after_the_other_at_every_node() {
    // Of three chunks on their way two come to each node, at ticks 60 and 103, and take no time, 40 ticks or 100 to merge.
    for (reduce, ticks) in [(None, 103), (Some(rational(5, 2)), 143), (Some(rational(1, 1)), 260)] {
        let (network, links, translations) = ring(3, Ports::All, false, reduce);
        let all = network.terminals().to_vec();
        let collective = Collective::reduce_scatter(&all, &all);
        let problem = TimedProblem::new(network, collective, false, links, hundred()).unwrap();
        let orbits = TimedOrbits::of(&problem, &translations).unwrap();
        let verified = orbits.verify(claim(&[(0, &[4], Op::Reduce), (3, &[1], Op::Reduce)])).unwrap();
        assert_eq!(verified.ticks(), ticks);
        written_down(&verified);
    }
}

#[test]
fn a_symmetry_must_respect_the_links() {
    let (network, links, translations) = ring(4, Ports::All, false, None);
    let all = network.terminals().to_vec();
    let of = |links: Links| {
        let collective = Collective::allgather(&all, &all);
        let problem = TimedProblem::new(network.clone(), collective, false, links, hundred()).unwrap();
        TimedOrbits::of(&problem, &translations).map(drop)
    };
    assert_eq!(of(links.clone()), Ok(()));
    assert_eq!(of(Links { latency: Vec::new(), ..links.clone() }), Ok(()));
    let unlike = |what, id, image, property| {
        Err(TimedOrbitError::Translations(TranslationsError::Unlike { generator: 0, what, id, image, property }))
    };
    let mut wide = links.clone();
    wide.bandwidth[2] = Rational::whole(5);
    assert_eq!(of(wide), unlike("channel", 0, 2, "bandwidth"));
    let mut far = links.clone();
    far.latency[3] = Rational::whole(5);
    assert_eq!(of(far), unlike("channel", 1, 3, "latency"));
    let copying = Links { multicast: vec![Node(1)], ..links };
    assert_eq!(of(copying), unlike("node", 1, 2, "copying"));
}

#[test]
fn copies_are_not_merged_one_after_the_other() {
    let of = |copies: bool, reduce: Option<Rational>| {
        let (network, mut links, translations) = ring(4, Ports::All, false, reduce);
        links.multicast = network.nodes().filter(|_| copies).collect();
        let all = network.terminals().to_vec();
        let collective = Collective::reduce_scatter(&all, &all);
        let problem = TimedProblem::new(network, collective, false, links, hundred()).unwrap();
        TimedOrbits::of(&problem, &translations).map(drop)
    };
    let slow = Some(Rational::whole(1));
    assert_eq!((of(true, None), of(false, slow)), (Ok(()), Ok(())));
    assert_eq!(of(true, slow), Err(TimedOrbitError::CopiesMerged));
}

#[test]
fn too_much_is_not_written_down() {
    let n = 3000;
    let orbits = folded(n, |all| Collective::allgather(all, all));
    let way: Vec<(u64, Vec<u32>)> = (0..n - 1).map(|v| (103 * u64::from(v), vec![2 * v])).collect();
    let tree: Vec<(u64, &[u32], Op)> = way.iter().map(|(tick, path)| (*tick, &path[..], COPY)).collect();
    let verified = orbits.verify(claim(&tree)).unwrap();
    assert_eq!(verified.ticks(), 103 * u64::from(n - 1));
    assert_eq!(verified.transfer_count(), u64::from(n) * u64::from(n - 1));
    let why = verified.written_out().unwrap_err().to_string();
    assert!(why.contains("too many to write down"), "{why}");
}

proptest! {
    /// Whatever is claimed, both checkers say the same of it.
    #[test]
    fn both_checkers_agree(
        n in 3u32..6,
        kind in 0usize..4,
        one_port in any::<bool>(),
        half_duplex in any::<bool>(),
        merging in any::<bool>(),
        ones in proptest::collection::vec((0u64..8, 0usize..4, any::<bool>(), 0u32..6, 1usize..3, 0u8..3), 1..9),
    ) {
        let ports = if one_port { Ports::Each(1) } else { Ports::All };
        let reduce = merging.then(|| Rational::whole(2));
        let (network, links, translations) = ring(n, ports, half_duplex, reduce);
        let all = network.terminals().to_vec();
        let collective = match kind {
            0 => Collective::allgather(&all, &all),
            1 => Collective::alltoall(&all, &all),
            2 => Collective::reduce_scatter(&all, &all),
            _ => Collective::allreduce(&all).in_chunks(n),
        };
        let problem = TimedProblem::new(network, collective, false, links, hundred()).unwrap();
        let orbits = TimedOrbits::of(&problem, &translations).unwrap();
        let messages = orbits.representatives().collective().message_count();
        let mut claim = TimedSchedule::default();
        let mut tick = 0;
        for (later, message, back, from, hops, op) in ones {
            // Ticks at which something may just have come, or not.
            tick += [0, 1, 50, 57, 100, 103, 107, 153][later as usize];
            if later > 0 || claim.times().is_empty() {
                claim.begin_step(tick);
            }
            let from = from % n;
            let hop = |k: u32| if back { 2 * ((from + n - 1 - k % n) % n) + 1 } else { 2 * ((from + k) % n) };
            let path: Vec<Channel> = (0..hops as u32).map(|k| Channel(hop(k))).collect();
            let op = [Op::Reduce, Op::Copy, Op::Keep][op as usize];
            let message = Message((message % messages) as u32);
            claim.push(Transfer { op, ..Transfer::new(&[message], &path) }, None, &[]);
        }
        // Ticks of what is right, and of what is wrong the rules that it breaks.
        let told = |checked: Result<VerifiedTimed, Rejected>| checked.map(|right| right.ticks()).map_err(|wrong| rules(&wrong));
        let written = all_images(&orbits, &claim);
        // Only the first violations are kept as a rule, and these may all be of a few rules.
        let most = 10_000;
        prop_assert_eq!(told(orbits.verify_keeping(claim, most)), told(verify_keeping(&problem, written, most)));
    }
}

/// The rules that are broken, each once.
fn rules(rejected: &Rejected) -> Vec<String> {
    let mut rules: Vec<String> = rejected.violations().iter().map(|v| v.rule().to_owned()).collect();
    rules.sort();
    rules.dedup();
    rules
}

/// Every image, whether the claim is right or not, numbered as the page of the format says.
fn all_images(orbits: &TimedOrbits, claim: &TimedSchedule) -> TimedSchedule {
    let (translations, whole) = (orbits.translations(), orbits.whole().collective());
    let representatives = orbits.representatives().collective();
    let mut all = TimedSchedule::default();
    for (tick, step) in claim.times().iter().zip(claim.steps()) {
        all.begin_step(*tick);
        for sent in step {
            for element in 0..translations.order() {
                let image = |v: Node| translations.image_node(element, v);
                let message = sent.transfer.messages[0];
                let chunks =
                    |m: Message| representatives.contributors(m).len() > 1 && representatives.destinations(m).len() > 1;
                let number = match chunks(message) {
                    true => Message(message.0 * translations.order() + element),
                    false => {
                        let from = image(representatives.origin(message));
                        let to = image(representatives.destinations(message)[0]);
                        let merged = representatives.contributors(message).len() > 1;
                        let same =
                            |m: &Message| (merged || whole.origin(*m) == from) && whole.destinations(*m).contains(&to);
                        whole.messages().find(same).unwrap()
                    }
                };
                let path: Vec<Channel> =
                    sent.transfer.path.iter().map(|c| translations.image_channel(element, *c)).collect();
                all.push(Transfer { op: sent.transfer.op, ..Transfer::new(&[number], &path) }, None, &[]);
            }
        }
    }
    all
}

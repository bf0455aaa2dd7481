//! Schedules of millions of channel uses are shared among cores: they say the same as one, in the same order.

use kernel::{
    Channel, Collective, Message, Model, Network, Node, Problem, Schedule, Verified, Violation, verify, verify_keeping,
};

/// Nodes of a ring on which allgather uses channels often enough to be shared.
const N: u32 = 1500;

fn ring(n: u32) -> Network {
    Network::from_channels(n, (0..n).map(|v| (v, (v + 1) % n))).unwrap()
}

fn allgather() -> Problem {
    let network = ring(N);
    let collective = Collective::allgather(network.terminals(), network.terminals());
    Problem::new(network, collective, Model::wormhole()).unwrap()
}

/// In each step every node sends on what it got in the one before; `sends` may let it send something else.
fn round_the_ring(sends: impl Fn(u32, u32) -> Option<u32>) -> Schedule {
    let mut schedule = Schedule::new();
    for step in 0..N - 1 {
        schedule.begin_step();
        for v in 0..N {
            let message = sends(step, v).unwrap_or((v + N - step) % N);
            schedule.send(Message(message), &[Channel(v)]);
        }
    }
    schedule
}

#[test]
fn what_is_right_is_accepted() {
    let verified = verify(&allgather(), round_the_ring(|_, _| None)).unwrap();
    assert_eq!((verified.steps(), verified.transfer_count()), (N as usize - 1, u64::from(N * (N - 1))));
}

#[test]
fn what_is_wrong_in_several_shares_is_told_in_the_order_of_the_steps() {
    let last = N - 2;
    // In the last step two nodes send the one message that they lack, and what they should have sent is missing behind them.
    let missing = [(7, 8), (N - 3, N - 2)];
    let sends = |step, v| missing.iter().find(|(at, _)| step == last && v == *at).map(|(_, message)| *message);
    let mut claim = round_the_ring(sends);
    // One more transfer over a channel that is busy.
    claim.send(Message(5), &[Channel(5)]);
    let rejected = verify(&allgather(), claim).unwrap_err();
    let step = last as usize;
    let not_held = |(v, message)| {
        let (node, message) = (Node(v), Message(message));
        Violation::NotHeld { step, transfer: v as usize, node, message }
    };
    let undelivered = |(v, _): (u32, u32)| Violation::Undelivered { message: Message(v + 2), node: Node(v + 1) };
    let mut expected = missing.map(not_held).to_vec();
    expected.push(Violation::ChannelOverloaded { step, channel: Channel(5), used: 2, capacity: 1 });
    expected.extend(missing.map(undelivered));
    assert_eq!(rejected.violations(), expected);
    assert_eq!(rejected.count(), 5);
}

#[test]
fn violations_beyond_those_kept_are_counted() {
    // The first step is lost, so that every message is missing everywhere.
    let mut claim = Schedule::new();
    for step in 1..N - 1 {
        claim.begin_step();
        (0..N).for_each(|v| claim.send(Message((v + N - step) % N), &[Channel(v)]));
    }
    let rejected = verify_keeping(&allgather(), claim, 3).unwrap_err();
    assert_eq!(rejected.violations().len(), 3);
    // Nobody holds what it sends, and of its N - 1 destinations each message reaches none.
    assert_eq!(rejected.count(), u64::from(N * (N - 2)) + u64::from(N * (N - 1)));
}

/// One chunk, so that all cores but one look at rules alone.
#[test]
fn partial_results_on_long_paths() {
    let n = 2100;
    let network = ring(n);
    let collective = Collective::reduce(Node(0), network.terminals());
    let problem = Problem::new(network, collective, Model::wormhole()).unwrap();
    let claim = |first: u32| -> Schedule {
        (first..n).map(|v| vec![(Message(0), (v..n).map(Channel).collect::<Vec<_>>())]).collect()
    };
    let verified: Verified = verify(&problem, claim(1)).unwrap();
    assert_eq!(verified.channel_uses(), u64::from(n) * u64::from(n - 1) / 2);
    let rejected = verify(&problem, claim(2)).unwrap_err();
    let (message, node, contributor) = (Message(0), Node(0), Node(1));
    assert_eq!(rejected.violations(), [Violation::Incomplete { message, node, contributor }]);
}

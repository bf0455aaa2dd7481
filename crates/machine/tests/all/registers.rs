//! Hops of values between the registers of neighbours.

use kernel::{Network, NetworkData};
use machine::compute::{Machine, Move, NoChannel, ValueName};

#[test]
fn values_move_at_once_and_conflicts_are_counted() {
    let channels = vec![(0, 1), (1, 0), (1, 0)];
    let network = Network::new(NetworkData { nodes: 2, channels, ..NetworkData::default() }).unwrap();
    let mut machine = Machine::new(&network, 2, 0);
    let name = ValueName { of: "test", at: [0; 2] };
    machine.set(0, 0, 3, name);
    machine.set(1, 0, 4, name);
    let go = |from, to, put| Move { from, to, take: 0, put };
    machine.hop(&[go(0, 1, 0), go(1, 0, 0)]).unwrap();
    assert_eq!((machine.at(0)[0], machine.at(1)[0], machine.conflicts()), (4, 3, 0));
    // Two channels lead from 1 to 0, one from 0 to 1; what stays uses none.
    machine.hop_adding(&[go(1, 0, 1), go(1, 0, 1), go(0, 0, 1)]).unwrap();
    assert_eq!((machine.at(0)[1], machine.conflicts(), machine.crossings()), (10, 0, 4));
    machine.hop_adding(&[go(0, 1, 1), go(0, 1, 1)]).unwrap();
    assert_eq!((machine.at(1)[1], machine.conflicts(), machine.hops()), (8, 1, 3));
    let lone = Network::new(NetworkData { nodes: 2, ..NetworkData::default() }).unwrap();
    assert_eq!(
        Machine::new(&lone, 1, 0).hop(&[Move { from: 0, to: 1, take: 0, put: 0 }]),
        Err(NoChannel { from: 0, to: 1 })
    );
}

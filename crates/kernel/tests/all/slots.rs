//! Slots of time-division: in which of them a transfer uses its channels and ports.

use crate::violations::{both, exactly, pairs, problem, ring};
use kernel::{Channel, Model, NetworkData, Node, Ports, Switching, Violation};

fn slotted(hop: u32) -> Model {
    Model { switching: Switching::Tdm { hop, cyclic: true }, combining: false }
}

#[test]
fn a_long_hop_keeps_its_channels_apart() {
    let p = problem(ring(4), pairs(&[(0, 2), (1, 2)]), slotted(2));
    // Message 0 uses channel 0 in slot 0 and channel 1 in slot 2.
    exactly(&p, &[&[(&[0], &[0, 1]), (&[1], &[1])], &[], &[], &[]], &[]);
    let clash = Violation::ChannelOverloaded { step: 2, channel: Channel(1), used: 2, capacity: 1 };
    exactly(&p, &[&[(&[0], &[0, 1])], &[], &[(&[1], &[1])], &[]], &[clash]);
}

#[test]
fn a_port_receives_in_the_slot_of_arrival() {
    let parts = NetworkData { receive_ports: Ports::Each(1), ..both(4) };
    let p = problem(parts, pairs(&[(3, 1), (0, 1)]), Model::tdm());
    // Message 0 takes two hops and arrives in slot 2, as does message 1 where it is sent in slot 1.
    exactly(&p, &[&[(&[0], &[6, 5]), (&[1], &[0])], &[], &[], &[]], &[]);
    let receives = Violation::ReceivePorts { step: 2, node: Node(1), used: 2, ports: 1 };
    exactly(&p, &[&[(&[0], &[6, 5])], &[(&[1], &[0])], &[], &[]], &[receives]);
}

#[test]
fn a_port_sends_in_the_slot_of_departure() {
    let parts = NetworkData { send_ports: Ports::Each(1), ..both(4) };
    let p = problem(parts, pairs(&[(0, 1), (0, 3)]), Model::tdm());
    exactly(&p, &[&[], &[(&[0], &[0])], &[(&[1], &[7])]], &[]);
    let sends = Violation::SendPorts { step: 1, node: Node(0), used: 2, ports: 1 };
    exactly(&p, &[&[], &[(&[0], &[0]), (&[1], &[7])], &[]], &[sends]);
}

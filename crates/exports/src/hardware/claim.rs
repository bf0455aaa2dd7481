//! **What:** rows as transfers: every path follows the network from a sender to a receiver.

use super::rows::{ByInput, Places, Port, Route, Rows, Turn, Unit};
use super::{HardwareTable, Head, MOST_IDLE, MOST_STEPS};
use formats::{Fault, ReadError};
use kernel::{Channel, Network, Node};
use simulate::play::Transfers;
use std::path::Path;

/// A transfer of a table.
struct Found {
    step: u32,
    messages: u32,
    path: Vec<Channel>,
}

pub(super) fn table(head: &Head, rows: &Rows, network: &Network, path: &Path) -> Result<HardwareTable, ReadError> {
    let wrong =
        |field: String, why: String| ReadError { field: Some(field), ..ReadError::new(path, Fault::Syntax(why)) };
    // Steps in which nothing happens cost memory as well, and a file is to cost what it is long.
    let count = match rows {
        Rows::Routes(routes) => routes.len(),
        Rows::Turns(turns) => turns.len(),
    };
    let most = MOST_STEPS.min(u32::try_from(count).unwrap_or(u32::MAX).saturating_add(MOST_IDLE));
    if head.steps > most {
        return Err(wrong("steps".into(), format!("more than {most}, of {count} rows")));
    }
    if head.slots.is_some_and(|slots| slots.hop == 0) {
        return Err(wrong("hop".into(), "a hop takes at least a slot".into()));
    }
    let mut found = match rows {
        Rows::Routes(routes) => routes_found(head, routes, network, &wrong)?,
        Rows::Turns(turns) => turns_found(head, turns, network, &wrong)?,
    };
    found.sort_by_key(|found| found.step);
    let mut transfers = Transfers::new(head.slots);
    for Found { step, messages, path } in found {
        (transfers.steps()..=step).for_each(|_| transfers.begin_step());
        transfers.push(messages, false, &path);
    }
    (transfers.steps()..head.steps).for_each(|_| transfers.begin_step());
    Ok(HardwareTable { kind: head.kind, network: head.network.clone(), chunks: head.chunks.max(1), transfers })
}

/// A node of the network that may send or receive.
fn terminal(
    network: &Network,
    node: u32,
    field: &str,
    wrong: &dyn Fn(String, String) -> ReadError,
) -> Result<Node, ReadError> {
    if node as usize >= network.node_count() {
        let why = format!("{} has no node {node}; its nodes are 0 to {}", network.name(), network.node_count() - 1);
        return Err(wrong(field.into(), why));
    }
    if !network.is_terminal(Node(node)) {
        return Err(wrong(field.into(), format!("node {node} of {} neither sends nor receives", network.name())));
    }
    Ok(Node(node))
}

fn step_of(head: &Head, step: u32, field: &str, wrong: &dyn Fn(String, String) -> ReadError) -> Result<(), ReadError> {
    let is_known = step < head.steps;
    if is_known { Ok(()) } else { Err(wrong(field.into(), format!("step {step} of {} steps", head.steps))) }
}

fn routes_found(
    head: &Head,
    routes: &[Route],
    network: &Network,
    wrong: &dyn Fn(String, String) -> ReadError,
) -> Result<Vec<Found>, ReadError> {
    let mut found = Vec::with_capacity(routes.len());
    for (number, route) in routes.iter().enumerate() {
        let field = format!("route {number}");
        step_of(head, route.step, &field, wrong)?;
        let mut node = terminal(network, route.node, &field, wrong)?;
        if route.messages == 0 || route.ports.is_empty() {
            return Err(wrong(field, "a route has a message and a port at least".into()));
        }
        let mut path = Vec::with_capacity(route.ports.len());
        for port in &route.ports {
            let Some(channel) = network.outgoing(node).get(*port as usize) else {
                let count = network.outgoing(node).len();
                return Err(wrong(
                    field,
                    format!("node {node} of {} has {count} output ports, not port {port}", network.name()),
                ));
            };
            path.push(*channel);
            node = network.to(*channel);
        }
        if node != terminal(network, route.to, &field, wrong)? {
            return Err(wrong(
                field,
                format!("its ports lead to node {node} of {}, not to node {}", network.name(), route.to),
            ));
        }
        found.push(Found { step: route.step, messages: route.messages, path });
    }
    Ok(found)
}

fn turns_found(
    head: &Head,
    turns: &[Turn],
    network: &Network,
    wrong: &dyn Fn(String, String) -> ReadError,
) -> Result<Vec<Found>, ReadError> {
    let mut by_input = ByInput::new();
    for (number, turn) in turns.iter().enumerate() {
        let Port::Channel(input) = turn.input else { continue };
        if by_input.insert((turn.step, turn.node, input), turn).is_some() {
            return Err(wrong(
                format!("turn {number}"),
                format!("input {input} of node {} has another in step {}", turn.node, turn.step),
            ));
        }
    }
    let places = Places::of(network);
    let mut found = Vec::new();
    let mut left = by_input.len();
    for (number, begin) in turns.iter().enumerate().filter(|(_, turn)| turn.input == Port::Local) {
        let field = format!("turn {number}");
        step_of(head, begin.step, &field, wrong)?;
        let (mut node, mut turn) = (terminal(network, begin.node, &field, wrong)?, begin);
        if begin.messages == 0 {
            return Err(wrong(field, "a turn from the node itself has a message at least".into()));
        }
        let mut path = Vec::new();
        while let Port::Channel(output) = turn.output {
            let Some(channel) = network.outgoing(node).get(output.port as usize) else {
                let count = network.outgoing(node).len();
                return Err(wrong(
                    field,
                    format!("node {node} of {} has {count} output ports, not port {}", network.name(), output.port),
                ));
            };
            if output.unit >= network.capacity(*channel) {
                let capacity = network.capacity(*channel);
                let why = format!("output {} of node {node} carries {capacity} in a step, not {output}", output.port);
                return Err(wrong(field, why));
            }
            path.push(*channel);
            node = network.to(*channel);
            let input = Unit { port: places.inputs[channel.index()], unit: output.unit };
            let at = u32::try_from(path.len()).expect("paths take turns of the file");
            let slot = head.slot(begin.step, at);
            let Some(next) = by_input.remove(&(slot, node.0, input)) else {
                let why = format!("its path ends at input {input} of node {node}, which has no turn in step {slot}");
                return Err(wrong(field, why));
            };
            left -= 1;
            turn = next;
        }
        if path.is_empty() {
            return Err(wrong(field, "it leads from the node to itself".into()));
        }
        terminal(network, node.0, &field, wrong)?;
        found.push(Found { step: begin.step, messages: begin.messages, path });
    }
    if left > 0 {
        return Err(wrong("turns".into(), format!("{left} of them belong to no path that begins at a node")));
    }
    Ok(found)
}

//! **What:** linear forwarding tables of switches: text as InfiniBand's tools print and read it, or one document (JSON) where the
//! file's name ends in `.json`.
//!
//! **Parameters:** an address is a LID. Terminals come first, each with as many LIDs as it has addresses, rounded up to a power
//! of 2 as LMC has it: base LIDs are `stride`, 2·`stride`, …; behind them every switch has one. The text has a block a switch, a
//! line an address: the LID, the port by which a message leaves, and whose address it is. The document is `{"format":
//! "quadrille-lft/1", "network", "routing", "stride", "addresses": [{"lid", "terminal", "class"}], "classes": [class of every
//! terminal as a source], "switches": [{"node", "label", "lid", "ports": [{"port", "channel", "to"}], "table": [port or null]}]}`.
//!
//! **Facts:** port i of a node is the i-th of the channels that leave it, in the order of their numbers; port 0 is the node
//! itself. A source of class c sends to the base LID plus c. GUIDs are node numbers plus 1. The text has 49151 LIDs at most, as
//! InfiniBand has, and ports up to 254; the document has no limit.
//!
//! **Source:** the text that `dump_lfts.sh` of infiniband-diags writes and the routing engine `file` of OpenSM reads

use formats::{WriteError, file};
use kernel::{Channel, Node};
use routing::Tables;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The largest unicast LID.
const LAST_LID: usize = 0xBFFF;
/// The largest port of a switch.
const LAST_PORT: usize = 254;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    network: &'a str,
    routing: &'static str,
    stride: usize,
    addresses: Vec<Address>,
    classes: &'a [u32],
    switches: Vec<Switch<'a>>,
}

#[derive(Serialize)]
struct Address {
    lid: usize,
    terminal: u32,
    class: u32,
}

#[derive(Serialize)]
struct Switch<'a> {
    node: u32,
    label: String,
    lid: usize,
    ports: Vec<Port>,
    table: &'a [Option<u32>],
}

#[derive(Serialize)]
struct Port {
    port: usize,
    channel: u32,
    to: u32,
}

/// Writes the tables to a file, as JSON where its name ends so, else as text.
///
/// # Errors
/// Where the system refuses, or the text has no room for so many addresses or ports; nothing of a half-written file stays
/// behind.
pub fn write(tables: &Tables, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let json = file::ending(path.as_ref()) == "json";
    file::save(path.as_ref(), |out| if json { write_json(tables, out) } else { write_text(tables, out) })
}

/// Writes the text; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and more addresses or ports than InfiniBand has.
pub fn write_text(tables: &Tables, mut out: impl Write) -> io::Result<()> {
    let (network, stride) = (&tables.network, stride(tables));
    let last = lid_of(tables, tables.tables.len().saturating_sub(1));
    let ports = tables.tables.iter().map(|t| network.outgoing(t.node).len()).max().unwrap_or(0);
    if last > LAST_LID || ports > LAST_PORT {
        let text = format!(
            "{last} addresses and switches of {ports} ports: InfiniBand has {LAST_LID} and {LAST_PORT}; a name that ends in .json takes any"
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    for (at, table) in tables.tables.iter().enumerate() {
        let (lid, own, label) = (lid_of(tables, at), guid(table.node), network.label(table.node));
        writeln!(out, "Unicast lids [0x1-0x{last:x}] of switch Lid {lid} guid {own} ({label}):")?;
        writeln!(out, "  Lid  Out   Destination\n       Port     Info")?;
        let mut valid = 0;
        for (address, port) in tables.addresses.iter().zip(&table.ports) {
            let Some(port) = port else { continue };
            let lid = lid_of_terminal(tables, address.terminal) * stride + address.class as usize;
            let (theirs, label) = (guid(address.terminal), network.label(address.terminal));
            writeln!(out, "0x{lid:04x} {port:03} : (Channel Adapter portguid {theirs}: '{label}')")?;
            valid += 1;
        }
        writeln!(out, "{valid} valid lids dumped")?;
    }
    for class in 0..if tables.classes > 1 { tables.classes } else { 0 } {
        let of = |(terminal, c): (&Node, &u32)| (*c == class).then(|| terminal.to_string());
        let sources: Vec<String> = network.terminals().iter().zip(&tables.class_of).filter_map(of).collect();
        writeln!(out, "# base lid + {class}: for messages from {}", sources.join(" "))?;
    }
    Ok(())
}

/// Writes the document.
///
/// # Errors
/// Those of `out`.
pub fn write_json(tables: &Tables, mut out: impl Write) -> io::Result<()> {
    let (network, stride) = (&tables.network, stride(tables));
    let address = |a: &routing::Address| Address {
        lid: lid_of_terminal(tables, a.terminal) * stride + a.class as usize,
        terminal: a.terminal.0,
        class: a.class,
    };
    let port = |(at, c): (usize, &Channel)| Port { port: at + 1, channel: c.0, to: network.to(*c).0 };
    let switches = tables.tables.iter().enumerate().map(|(at, table)| Switch {
        node: table.node.0,
        label: network.label(table.node),
        lid: lid_of(tables, at),
        ports: network.outgoing(table.node).iter().enumerate().map(port).collect(),
        table: &table.ports,
    });
    let document = Document {
        format: "quadrille-lft/1",
        network: network.name(),
        routing: tables.routing,
        stride,
        addresses: tables.addresses.iter().map(address).collect(),
        classes: &tables.class_of,
        switches: switches.collect(),
    };
    serde_json::to_writer(&mut out, &document)?;
    writeln!(out)
}

/// LIDs a terminal.
fn stride(tables: &Tables) -> usize {
    (tables.classes as usize).next_power_of_two()
}

/// The LID of the table at a position: behind those of all terminals.
fn lid_of(tables: &Tables, at: usize) -> usize {
    (tables.network.terminals().len() + 1) * stride(tables) + at
}

/// The base LID of a terminal, in strides: its position among terminals, from 1.
fn lid_of_terminal(tables: &Tables, terminal: Node) -> usize {
    tables.network.terminals().partition_point(|t| *t < terminal) + 1
}

fn guid(node: Node) -> String {
    format!("0x{:016x}", u64::from(node.0) + 1)
}

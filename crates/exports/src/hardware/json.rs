//! **What:** tables for hardware as one JSON document.

use super::ports::{NodePorts, of_nodes};
use super::rows::{Route, Rows, Turn};
use super::{Head, Kind};
use formats::schedule_json::parse_as;
use formats::{Fault, ReadError, file};
use kernel::{Network, Slots};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::path::Path;

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    network: String,
    steps: u32,
    chunks: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hop: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cyclic: Option<bool>,
    /// For people; the network is known when a table is read.
    #[serde(skip_deserializing)]
    nodes: Vec<NodePorts>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    routes: Option<Vec<Route>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turns: Option<Vec<Turn>>,
}

pub(super) fn write(head: &Head, rows: &Rows, network: &Network, mut out: &mut dyn Write) -> io::Result<()> {
    let (routes, turns) = match rows {
        Rows::Routes(routes) => (Some(routes.clone()), None),
        Rows::Turns(turns) => (None, Some(turns.clone())),
    };
    let document = Document {
        format: head.kind.format().into(),
        network: head.network.clone(),
        steps: head.steps,
        chunks: head.chunks,
        hop: head.slots.map(|slots| slots.hop),
        cyclic: head.slots.map(|slots| slots.cyclic),
        nodes: of_nodes(network),
        routes,
        turns,
    };
    serde_json::to_writer(&mut out, &document)?;
    writeln!(out)
}

pub(super) fn read(path: &Path) -> Result<(Head, Rows), ReadError> {
    let bytes = file::load(path)?;
    let said: Document = parse_as(&bytes, path)?;
    let known = "quadrille-source-routes/1, quadrille-slot-tables/1";
    let of = |field: &str, text: &str, fault| ReadError {
        field: Some(field.into()),
        text: Some(text.into()),
        ..ReadError::new(path, fault)
    };
    let kind = Kind::named(&said.format).ok_or_else(|| of("format", &said.format, Fault::Unknown { known }))?;
    let slots = said.hop.map(|hop| Slots { hop, cyclic: said.cyclic.unwrap_or(false) });
    let rows = match kind {
        Kind::SourceRoutes => Rows::Routes(said.routes.ok_or_else(|| ReadError::new(path, Fault::Missing("routes")))?),
        Kind::SlotTables => Rows::Turns(said.turns.ok_or_else(|| ReadError::new(path, Fault::Missing("turns")))?),
    };
    Ok((Head { kind, network: said.network, steps: said.steps, chunks: said.chunks, slots }, rows))
}

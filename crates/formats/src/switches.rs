//! **What:** how every switch stands in every step of a schedule: a table (CSV), or one document (JSON) where the file's name
//! ends in `.json`.
//!
//! **Parameters:** CSV has the columns `step`, `switch`, `label`, `setting`, a row for every switch in every step; JSON is
//! `{"format": "quadrille-switches/1", "network", "switches": [{"node", "label", "inputs", "outputs"}], "steps": [[{"switch",
//! "setting"}]]}` with the switches that have work. A setting says for each input in use to which output it leads: `0>2
//! 1>0` in the table, `[[0, 2], [1, 0]]` in the document.
//!
//! **Facts:** input i of a switch is the i-th of the channels that enter it, in the order of their numbers, and outputs
//! likewise; the document lists them. Steps count from 0. Under time-division a step is a slot, and a switch stands for a
//! path in the slot in which the path leaves it.

use crate::{WriteError, file};
use kernel::{Channel, Network, Node, Verified};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// For each switch with work, its inputs in use with their outputs.
type Settings = BTreeMap<Node, Vec<(usize, usize)>>;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    network: &'a str,
    switches: Vec<Switch>,
    steps: Vec<Vec<Setting>>,
}

#[derive(Serialize)]
struct Switch {
    node: u32,
    label: String,
    inputs: Vec<u32>,
    outputs: Vec<u32>,
}

#[derive(Serialize)]
struct Setting {
    switch: u32,
    setting: Vec<(usize, usize)>,
}

/// Writes the settings to a file, as JSON where its name ends so, else as CSV.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let json = file::ending(path.as_ref()) == "json";
    file::save(path.as_ref(), |out| if json { write_json(schedule, out) } else { write_csv(schedule, out) })
}

/// Writes the table; `out` should be buffered.
///
/// # Errors
/// Those of `out`.
pub fn write_csv(schedule: &Verified, mut out: impl Write) -> io::Result<()> {
    let network = schedule.problem().network();
    writeln!(out, "step,switch,label,setting")?;
    for (step, settings) in settings(schedule).iter().enumerate() {
        for switch in switches(network) {
            write!(out, "{step},{switch},{},", quoted(&network.label(switch)))?;
            for (at, (input, output)) in settings.get(&switch).into_iter().flatten().enumerate() {
                write!(out, "{}{input}>{output}", if at > 0 { " " } else { "" })?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes the document.
///
/// # Errors
/// Those of `out`.
pub fn write_json(schedule: &Verified, mut out: impl Write) -> io::Result<()> {
    let network = schedule.problem().network();
    let ids = |channels: &[Channel]| channels.iter().map(|c| c.0).collect();
    let described = switches(network).map(|node| Switch {
        node: node.0,
        label: network.label(node),
        inputs: ids(network.incoming(node)),
        outputs: ids(network.outgoing(node)),
    });
    let step = |settings: Settings| settings.into_iter().map(|(v, setting)| Setting { switch: v.0, setting }).collect();
    let document = Document {
        format: "quadrille-switches/1",
        network: network.name(),
        switches: described.collect(),
        steps: settings(schedule).into_iter().map(step).collect(),
    };
    serde_json::to_writer(&mut out, &document)?;
    writeln!(out)
}

fn switches(network: &Network) -> impl Iterator<Item = Node> + '_ {
    network.nodes().filter(|v| !network.is_terminal(*v))
}

/// The settings of all switches, step by step.
fn settings(schedule: &Verified) -> Vec<Settings> {
    let (network, period) = (schedule.problem().network(), schedule.steps());
    let mut steps = vec![Settings::new(); period];
    for step in 0..period {
        for transfer in schedule.step(step) {
            for (hop, pair) in transfer.path.windows(2).enumerate() {
                let node = network.to(pair[0]);
                if network.is_terminal(node) {
                    continue;
                }
                let slots = schedule.problem().model().switching.slots();
                let at = slots.map_or(step, |slots| (step + (hop + 1) * slots.hop as usize) % period);
                let port = |channels: &[Channel], channel: Channel| channels.partition_point(|c| *c < channel);
                let through = (port(network.incoming(node), pair[0]), port(network.outgoing(node), pair[1]));
                steps[at].entry(node).or_default().push(through);
            }
        }
    }
    steps.iter_mut().flat_map(BTreeMap::values_mut).for_each(|setting| setting.sort_unstable());
    steps
}

/// A field of a table, in quotes where it would not be one field without.
fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

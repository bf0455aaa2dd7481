//! **What:** how every switch stands in every step of a schedule: a table (CSV), or by the ending of the file's name one document (`.json`),
//! text (`.txt`), LaTeX (`.tex`) or a header of C (`.h`). On a network without switches every node has a router, and these are the tables of the routers;
//! on one with switches a terminal has a router where some path passes through it.
//!
//! **Parameters:** CSV has the columns `step`, `switch`, `label`, `setting`, a row for every switch in every step; JSON is
//! `{"format": "quadrille-switches/1", "network", "switches": [{"node", "label", "inputs", "outputs"}], "steps": [[{"switch",
//! "setting"}]]}` with the switches that have work. A setting says for each input in use to which output it leads: `0>2
//! 1>0` in the table, `[[0, 2], [1, 0]]` in the document.
//!
//! **Facts:** input i of a switch is the i-th of the channels that enter it, in the order of their numbers, and outputs
//! likewise; the document lists them. The input from, and the output to, a router's own node is called `local`: `local>2 0>1
//! 3>local`. A channel that carries several transfers in a step has units, as in slot tables: `3` is the first of port 3, `3.1` the
//! second (in C `input_unit` and `output_unit`). Steps count from 0. Under time-division a step is a slot, and a switch stands for a
//! path in the slot in which the path leaves it; a router stands for the end of a path in the slot in which it is absorbed.

mod forms;

use crate::c_names::CNames;
use crate::fields::quoted;
use crate::hardware::{Port, Unit, units};
use formats::{WriteError, file};
use kernel::{Channel, Node, Verified};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// For each switch with work, its inputs in use with their outputs.
type Settings = BTreeMap<Node, Vec<Turn>>;

/// From an input to an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    input: Port,
    output: Port,
}

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
    setting: Vec<(Port, Port)>,
}

/// Writes the settings to a file, in the form of its ending: `.json`, `.txt`, `.tex`, `.h`, else CSV.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let ending = file::ending(path.as_ref());
    file::save(path.as_ref(), |out| match ending.as_str() {
        "json" => write_json(schedule, out),
        "txt" => forms::text(schedule, out),
        "tex" => forms::latex(schedule, out),
        "h" => forms::header(schedule, &CNames::of(path.as_ref(), "switch"), out),
        _ => write_csv(schedule, out),
    })
}

/// Writes the table; `out` should be buffered.
///
/// # Errors
/// Those of `out`, and where channels of a large capacity are too many to be told apart.
pub fn write_csv(schedule: &Verified, mut out: impl Write) -> io::Result<()> {
    let network = schedule.problem().network();
    let switches = switches(schedule);
    writeln!(out, "step,switch,label,setting")?;
    for (step, settings) in settings(schedule)?.iter().enumerate() {
        for &switch in &switches {
            write!(out, "{step},{switch},{},", quoted(&network.label(switch)))?;
            for (at, turn) in settings.get(&switch).into_iter().flatten().enumerate() {
                write!(out, "{}{}>{}", if at > 0 { " " } else { "" }, turn.input, turn.output)?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

/// Writes the document.
///
/// # Errors
/// As of [`write_csv`].
pub fn write_json(schedule: &Verified, mut out: impl Write) -> io::Result<()> {
    let network = schedule.problem().network();
    let ids = |channels: &[Channel]| channels.iter().map(|c| c.0).collect();
    let described = switches(schedule).into_iter().map(|node| Switch {
        node: node.0,
        label: network.label(node),
        inputs: ids(network.incoming(node)),
        outputs: ids(network.outgoing(node)),
    });
    let ports = |turns: Vec<Turn>| turns.iter().map(|turn| (turn.input, turn.output)).collect();
    let step = |settings: Settings| {
        settings.into_iter().map(|(v, turns)| Setting { switch: v.0, setting: ports(turns) }).collect()
    };
    let document = Document {
        format: "quadrille-switches/1",
        network: network.name(),
        switches: described.collect(),
        steps: settings(schedule)?.into_iter().map(step).collect(),
    };
    serde_json::to_writer(&mut out, &document)?;
    writeln!(out)
}

/// The switches and the terminals that paths pass through; every node where there is no switch.
fn switches(schedule: &Verified) -> Vec<Node> {
    let network = schedule.problem().network();
    let direct = network.terminals().len() == network.node_count();
    let mut is_passed = vec![false; network.node_count()];
    if !direct {
        for transfer in (0..schedule.steps()).flat_map(|step| schedule.step(step)) {
            transfer.path.iter().skip(1).for_each(|channel| is_passed[network.from(*channel).index()] = true);
        }
    }
    network.nodes().filter(|v| direct || !network.is_terminal(*v) || is_passed[v.index()]).collect()
}

/// The settings of all switches, step by step.
fn settings(schedule: &Verified) -> io::Result<Vec<Settings>> {
    let (network, period) = (schedule.problem().network(), schedule.steps());
    let mut has_router = vec![false; network.node_count()];
    switches(schedule).into_iter().for_each(|v| has_router[v.index()] = true);
    let slots = schedule.problem().model().switching.slots();
    let mut steps = vec![Settings::new(); period];
    let mut units = units(schedule)?.into_iter();
    for step in 0..period {
        for transfer in schedule.step(step) {
            let (channels, units) = (&transfer.path, units.next().unwrap_or_default());
            let unit = |at: usize| units.get(at).copied().unwrap_or(0);
            // Between the channels of a path, and before and behind them.
            for hop in 0..=channels.len() {
                let before = hop.checked_sub(1).map(|at| (channels[at], unit(at)));
                let behind = channels.get(hop).map(|channel| (*channel, unit(hop)));
                let node = before.map(|(c, _)| network.to(c)).or(behind.map(|(c, _)| network.from(c)));
                let Some(node) = node else { continue };
                if !has_router[node.index()] {
                    continue;
                }
                let at = slots.map_or(step, |slots| (step + hop * slots.hop as usize) % period);
                let input = port(network.incoming(node), before);
                let output = port(network.outgoing(node), behind);
                steps[at].entry(node).or_default().push(Turn { input, output });
            }
        }
    }
    steps.iter_mut().flat_map(BTreeMap::values_mut).for_each(|setting| setting.sort_unstable());
    Ok(steps)
}

/// The port of a channel, or rather of a unit of it, among those of a node.
fn port(channels: &[Channel], used: Option<(Channel, u32)>) -> Port {
    used.map_or(Port::Local, |(channel, unit)| {
        let port = channels.partition_point(|c| *c < channel);
        Port::Channel(Unit { port: u32::try_from(port).expect("channels have 32-bit numbers"), unit })
    })
}

//! **What:** what the page on fat trees says of steps, of loads and of cycles, counted.

use constructions::{Builder, Claim, Control, Request, applicable};
use kernel::Model;
use kernel::Network;
use routing::{Routing, RoutingError};
use std::fmt::Write;

/// Trees whose alltoall is compared: simple, fattened, slimmed.
const TREES: [&str; 9] = [
    "gft:2,4,4",
    "gft:2,2,3",
    "gft:2,3,2",
    "gft:2,4,2",
    "gft:2,4,3",
    "gft:2,5,4",
    "gft:2,8,4",
    "gft:3,3,2",
    "gft:3,4,2",
];

/// Trees under shifts.
const LOADED: [&str; 7] = [
    "xgft:4,4;1,4",
    "xgft:4,4,4;1,4,4",
    "pgft:4,4;1,2;1,2",
    "pgft:4,4,4;1,2,4;1,2,2",
    "xgft:4,3;1,5",
    "gft:2,4,2",
    "clos:4,4,4",
];

/// Networks and routings asked for cycles.
const ASKED: [&str; 9] = [
    "mesh:8x8",
    "torus:4x4",
    "torus:8x8",
    "ring:8",
    "hypercube:6",
    "kautz:3,2",
    "gft:2,4,4",
    "pgft:4,4,4;1,2,4;1,2,2",
    "omega:16",
];

/// A table row; a String takes whatever is written to it.
fn row(text: &mut String, cells: &[String]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

fn head(cells: &[&str]) -> String {
    let cells: Vec<String> = cells.iter().map(|c| (*c).to_owned()).collect();
    let mut text = String::new();
    row(&mut text, &cells);
    row(&mut text, &vec!["---".to_owned(); cells.len()]);
    text
}

/// Steps of alltoall: by rotations in passes, by the best construction as it is verified, and the floor.
pub(super) fn steps() -> String {
    let mut text = head(&["tree", "terminals", "rotations in ⌈M/W⌉^(H−1) passes", "best construction", "floor"]);
    for spec in TREES {
        let Ok(network) = topologies::parse(spec) else { continue };
        let (model, control) = (Model::wormhole(), Control::default());
        let request = Request::alltoall(&network, model);
        let named = |name| Some(applicable(&request).find(|(construction, _)| construction.name == name)?.1);
        let steps = |builder: &dyn Builder| {
            let claim = builder.build(&network, &control).and_then(Claim::orbits)?;
            Some(claim.verified(&network, model).ok()?.steps() as u64)
        };
        let rotations = named("lls").and_then(|builder| builder.promise());
        let best = ["slimmed", "digits"].iter().filter_map(|name| {
            let builder = named(name)?;
            Some((steps(&*builder)?, *name, builder.floor(&network, &control)?.steps))
        });
        let (Some(rotations), Some((best, name, floor))) = (rotations, best.min()) else { continue };
        let cells = [network.terminals().len().to_string(), rotations.to_string(), format!("{best} (`{name}`)")];
        row(&mut text, &[&[format!("`{spec}`")], &cells[..], &[floor.to_string()]].concat());
    }
    text
}

/// The largest load over all shifts.
pub(super) fn loads() -> String {
    let names = ["d-mod-k", "s-mod-k", "shortest"];
    let mut text = head(&["network", "d-mod-k", "s-mod-k", "shortest", "d-mod-k, three terminals of four"]);
    for spec in LOADED {
        let Ok(network) = topologies::parse(spec) else { continue };
        let all = network.terminals();
        let some: Vec<_> = all.iter().copied().filter(|t| t.0.wrapping_mul(37) % 64 < 48).collect();
        let load = |name, ranks: &[_]| {
            let shifts = Routing::new(&network, name, None).and_then(|routing| routing.shifts(ranks));
            shifts.map_or_else(|error| error.to_string(), |shifts| shifts.largest().to_string())
        };
        let mut cells = vec![format!("`{spec}`")];
        cells.extend(names.map(|name| load(name, all)));
        cells.push(format!("{} ({} of {})", load("d-mod-k", &some), some.len(), all.len()));
        row(&mut text, &cells);
    }
    text
}

/// The length of a shortest cycle of dependencies.
pub(super) fn cycles() -> String {
    let names = ["shortest", "minimal", "dimension-order", "up-down", "d-mod-k", "s-mod-k"];
    let mut text = head(&["network", "shortest", "minimal", "dimension-order", "up-down", "d-mod-k", "s-mod-k"]);
    for spec in ASKED {
        let Ok(network) = topologies::parse(spec) else { continue };
        let cells = std::iter::once(format!("`{spec}`")).chain(names.map(|name| cycle(&network, name)));
        row(&mut text, &cells.collect::<Vec<_>>());
    }
    text
}

fn cycle(network: &Network, name: &str) -> String {
    match Routing::new(network, name, None).and_then(|routing| routing.dependencies()) {
        Ok(graph) => graph.cycle().map_or("free".into(), |cycle| format!("cycle of {}", cycle.len())),
        Err(RoutingError::NotFor { .. }) => String::new(),
        Err(RoutingError::NoWay { .. }) => "no way".into(),
        Err(error) => error.to_string(),
    }
}

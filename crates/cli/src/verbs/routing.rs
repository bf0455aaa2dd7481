//! **What:** `network --deadlock ROUTING` and `network --routing ROUTING`: what a routing may come to, how it loads the channels
//! in every shift, and the tables of its switches.

use super::simulate_routers::rooted;
use console::args::NetworkArgs;
use console::deadlock::Deadlock;
use console::failure::{self, Failure};
use console::output::{self, say, say_json_of};
use console::{lists, render};
use kernel::Network;
use routing::{Routing, RoutingError, Shifts};
use serde_json::{Value, json};

/// The formats that a routing is written in.
const FORMATS: [&str; 1] = ["lft"];
/// Shifts named one by one for people.
const MOST_NAMED: usize = 12;

/// The verb, where flags ask for a routing.
pub(super) fn run(arguments: &NetworkArgs, network: &Network) -> Result<Option<u8>, Failure> {
    let Some(name) = arguments.deadlock.as_ref().or(arguments.routing.as_ref()) else {
        return match &arguments.root {
            Some(_) => Err(Failure::input("--root goes with a routing").hint("--deadlock up-down --root N")),
            None => Ok(None),
        };
    };
    if let Some(to) = arguments.to.as_ref().filter(|to| !FORMATS.contains(&to.as_str())) {
        let near = topologies::nearest(to, FORMATS.into_iter());
        let near = near.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
        return Err(Failure::input(format!("--to: `{to}` is not a format of routings"))
            .hint(format!("{near}formats: {}", FORMATS.join(", "))));
    }
    if arguments.routing.is_some() && arguments.output.is_some() && arguments.to.is_none() {
        return Err(Failure::input("-o with --routing needs --to").hint("--to lft writes the tables of switches"));
    }
    let root = arguments.root.as_ref().map(|text| lists::node(network, "--root", text)).transpose()?;
    let routing = Routing::new(network, name, root).map_err(|error| refused(&error))?;
    match arguments.deadlock {
        Some(_) => deadlock(arguments, &routing),
        None => loads(arguments, &routing),
    }
    .map(Some)
}

fn refused(error: &RoutingError) -> Failure {
    let failure = match error {
        // The arguments are sound, and there is none.
        RoutingError::NoWay { .. } => Failure::no(error),
        _ => Failure::input(error),
    };
    failure.hint(error.hint())
}

fn deadlock(arguments: &NetworkArgs, routing: &Routing) -> Result<u8, Failure> {
    let network = routing.network();
    let found = Deadlock::new(network, &routing.dependencies().map_err(|error| refused(&error))?);
    if arguments.report.json {
        let mut value = found.json();
        if let Value::Object(map) = &mut value {
            map.insert("network".into(), json!(network.name()));
            map.insert("routing".into(), json!(routing.name()));
            map.insert("root".into(), json!(routing.root().map(|root| root.0)));
        }
        say_json_of(network, &value)?;
    } else {
        say(&format!("{}, {}\n  {}", network.name(), rooted(routing.name(), routing.root(), network), found.people()))?;
    }
    Ok(if found.is_free() { 0 } else { failure::NO })
}

fn loads(arguments: &NetworkArgs, routing: &Routing) -> Result<u8, Failure> {
    let network = routing.network();
    let ranks = match &arguments.terminals {
        Some(text) => lists::terminals_or_file(network, "--terminals", text)?,
        None => network.terminals().to_vec(),
    };
    if ranks.len() < 2 {
        return Err(Failure::input("a shift needs at least two terminals").hint("name more with --terminals"));
    }
    let shifts = routing.shifts(&ranks).map_err(|error| refused(&error))?;
    let tables = arguments.to.as_ref().map(|_| routing.tables()).transpose().map_err(|error| refused(&error))?;
    if let (Some(tables), Some(path)) = (&tables, &arguments.output) {
        exports::lft::write(tables, path).map_err(output::unwritten)?;
    }
    let file = arguments.output.as_ref().map(|path| path.display().to_string());
    if arguments.report.json {
        let classes = tables.as_ref().map(|tables| tables.classes);
        say_json_of(
            network,
            &json!({
                "network": network.name(), "routing": routing.name(), "terminals": ranks.len(), "longest": shifts.longest,
                "largest": shifts.largest(), "loads": shifts.loads, "heaviest": shifts.heaviest.map(|c| c.0),
                "addresses": classes, "file": file,
            }),
        )?;
        return Ok(0);
    }
    let mut lines = vec![format!("{}, {}", network.name(), routing.name())];
    lines.push(format!("  shifts of {} terminals, paths of at most {} channels", ranks.len(), shifts.longest));
    lines.extend(
        shifts.counts().into_iter().map(|(load, count)| format!("  load {load:<4} {}", named(&shifts, load, count))),
    );
    if let Some(heaviest) = shifts.heaviest.filter(|_| shifts.largest() > 1) {
        let first = shifts.loads.iter().position(|load| *load == shifts.largest()).map_or(0, |at| at + 1);
        let ends = render::channel(network, heaviest, ">");
        lines.push(format!("  the most heavily loaded is channel {heaviest}, {ends}, in the shift by {first}"));
    }
    if let (Some(tables), Some(file)) = (&tables, &file) {
        let each = match tables.classes {
            1 => String::new(),
            classes => format!(", {classes} addresses per terminal"),
        };
        lines.push(format!(
            "  {} tables of {} entries{each}, saved to {file}",
            tables.tables.len(),
            tables.addresses.len()
        ));
    }
    say(&lines.join("\n"))?;
    Ok(0)
}

/// The shifts that have a load, in ranges.
fn named(shifts: &Shifts, load: u32, count: usize) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for k in (1..).zip(&shifts.loads).filter(|(_, found)| **found == load).map(|(k, _): (usize, _)| k) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == k => *last = k,
            _ => runs.push((k, k)),
        }
    }
    let one = |(a, b): &(usize, usize)| if a == b { a.to_string() } else { format!("{a}-{b}") };
    let shown: Vec<String> = runs.iter().take(MOST_NAMED).map(one).collect();
    let more = if runs.len() > MOST_NAMED { ",…" } else { "" };
    let word = if count == 1 { "shift" } else { "shifts" };
    format!("{count} {word}: by {}{more}", shown.join(","))
}

//! **What:** `network --route A-B`: the family's own way from one terminal to another, or a shortest path where it has none.

use console::args::NetworkArgs;
use console::failure::Failure;
use console::names::Ends;
use console::output::{say, say_json_of};
use console::{lists, network};
use kernel::Network;
use serde_json::json;
use topologies::Route;

/// The verb, where the flag asks for a route.
pub(super) fn run(arguments: &NetworkArgs) -> Result<Option<u8>, Failure> {
    let Some(text) = &arguments.route else { return Ok(None) };
    if arguments.output.is_some() {
        return Err(Failure::input("--route prints a path and writes no file").hint("leave out --route, or -o"));
    }
    let given = network::choose(&arguments.network)?;
    let network = &given.network;
    if !text.contains(['-', '>']) {
        return Err(Failure::input(format!("--route: `{text}` is not a pair of nodes")).hint("write A-B, such as 0-7"));
    }
    let Ends { from, to, .. } = lists::link(network, "--route", text)?;
    for end in [from, to] {
        lists::terminal(network, "--route", &format!("number:{end}"))?;
    }
    let choice = &arguments.network;
    let whole = choice.fail_link.is_empty() && choice.fail_node.is_empty();
    // A rule is one of the whole network of the family.
    let family = topologies::topology(&choice.network).ok().filter(|family| whole && family.spec() == network.name());
    let route = family.and_then(|f| f.route(network, from, to)).or_else(|| topologies::shortest(network, from, to));
    let Some(route) = route else {
        return Err(Failure::no(format!("{}: no path leads from node {from} to node {to}", network.name()))
            .hint("let fewer links or nodes fail, or choose other ends"));
    };
    if arguments.report.json {
        say_json_of(
            network,
            &json!({
                "network": network.name(), "from": from.0, "to": to.0, "hops": route.hops(), "rule": route.rule,
                "shortest": route.shortest, "nodes": route.nodes,
            }),
        )?;
    } else {
        say(&people(network, &route))?;
    }
    Ok(Some(0))
}

fn people(network: &Network, route: &Route) -> String {
    let shortest = if route.shortest { "no path is shorter" } else { "others may be shorter" };
    let labels = network.data().labels.as_deref();
    let name = |v: &u32| match labels.and_then(|l| l.get(*v as usize)) {
        Some(label) if *label != v.to_string() => format!("{v} ({label})"),
        _ => v.to_string(),
    };
    let ends = [route.nodes.first(), route.nodes.last()].map(|v| v.map(name).unwrap_or_default());
    format!(
        "{}: {} hops from {} to {}\n  {}; {shortest}\n  {}",
        network.name(),
        route.hops(),
        ends[0],
        ends[1],
        route.rule,
        route.nodes.iter().map(name).collect::<Vec<_>>().join(" → ")
    )
}

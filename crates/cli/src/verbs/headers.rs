//! **What:** `network swapped-dragonfly:K,M --vector 'A:t;γ;π,δ'`: a synchronising header, hop by hop, and with `*` for ports the broadcast
//! tree of all such headers.

use super::vectors::named;
use console::args::NetworkArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use serde_json::json;
use std::collections::BTreeSet;
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Port, Router, Synchronised, Vector};

/// Most hops of a header, and most headers of a tree times its hops.
const MOST_HOPS: u32 = 64;
const MOST_WORK: u64 = 1 << 22;

/// Tells where the header, or all headers that its stars stand for, lead from a router.
pub(super) fn run(arguments: &NetworkArgs, d3: SwappedDragonfly, from: Router, text: &str) -> Result<(), Failure> {
    let refused = |what: String| {
        let ports = format!("γ is 0 to {}, π and δ are 0 to {}", d3.cabinets() - 1, d3.drawers() - 1);
        Failure::input(format!("--vector: {what}"))
            .hint(format!("write A:t;γ;π,δ with t of 1 to {MOST_HOPS}; {ports}, or * for all"))
    };
    let (hops, ports) = text.split_once(';').unwrap_or_default();
    let hops: u32 = hops
        .trim()
        .parse()
        .ok()
        .filter(|t| (1..=MOST_HOPS).contains(t))
        .ok_or_else(|| refused(format!("`{hops}` is not a number of hops")))?;
    if !ports.contains('*') {
        let vector = Vector::parse(d3, ports).map_err(|error| refused(error.to_string()))?;
        return one(arguments, d3, from, Synchronised { hops, vector });
    }
    let words: Vec<&str> = ports.split([';', ',']).map(str::trim).collect();
    let [global, first, last] = words[..] else { return Err(refused(format!("`{ports}` is not three ports"))) };
    let all = |word: &str, ports: u32| match word {
        "*" => Some((0..ports).collect::<Vec<u32>>()),
        _ => word.parse().ok().filter(|port| *port < ports).map(|port| vec![port]),
    };
    let lists =
        [(global, d3.cabinets()), (first, d3.drawers()), (last, d3.drawers())].map(|(word, ports)| all(word, ports));
    let [Some(globals), Some(firsts), Some(lasts)] = lists else {
        return Err(refused(format!("`{ports}` has a port that no router has")));
    };
    let count = globals.len() as u64 * firsts.len() as u64 * lasts.len() as u64;
    if count * u64::from(hops) > MOST_WORK {
        return Err(refused(format!("`{ports}` stands for {count} headers, more than are followed")));
    }
    let headers = globals.iter().flat_map(|&global| {
        let lasts = &lasts;
        firsts.iter().flat_map(move |&first| lasts.iter().map(move |&last| Vector { global, first, last }))
    });
    tree(arguments, d3, from, text, hops, headers)
}

fn written(header: Synchronised) -> String {
    let Vector { global, first, last } = header.vector;
    format!("({}; {global}; {first}, {last})", header.hops)
}

/// One header: what is left of it at every router.
fn one(arguments: &NetworkArgs, d3: SwappedDragonfly, from: Router, header: Synchronised) -> Result<(), Failure> {
    let (mut at, mut left) = (from, header);
    let mut lines = vec![format!("{}: header {} from {}", d3.spec(), written(header), named(d3, from))];
    let mut hops = Vec::new();
    while let Some((port, next)) = left.next() {
        let to = port.leads(d3, at);
        let word = match port {
            Port::Local(x) => format!("local port {x}"),
            Port::Global(g) => format!("global port {g}"),
        };
        let stays = if to == at { ", which leads nowhere" } else { "" };
        lines.push(format!("  {:<14} {word:<14} → {} {}{stays}", written(left), written(next), named(d3, to)));
        hops.push(json!({"header": written(left), "port": word, "node": d3.node(to)}));
        (at, left) = (to, next);
    }
    if arguments.report.json {
        return say_json(
            &json!({"network": d3.spec(), "header": written(header), "from": d3.node(from), "hops": hops}),
        );
    }
    say(&lines.join("\n"))
}

/// All headers of a kind at once: the channels of every hop, and who gets the message first.
fn tree(
    arguments: &NetworkArgs,
    d3: SwappedDragonfly,
    from: Router,
    text: &str,
    hops: u32,
    headers: impl Iterator<Item = Vector>,
) -> Result<(), Failure> {
    // The channels of every hop: copies with the same way so far are one.
    let mut used: Vec<BTreeSet<(u32, u32)>> = vec![BTreeSet::new(); hops as usize];
    for vector in headers {
        let mut at = from;
        for (hop, port) in (Synchronised { hops, vector }).ports().enumerate() {
            let to = port.leads(d3, at);
            if to != at {
                used[hop].insert((d3.node(at), d3.node(to)));
            }
            at = to;
        }
    }
    let mut reached = BTreeSet::from([d3.node(from)]);
    let mut tree = Vec::new();
    let mut lines = Vec::new();
    let mut channels = 0;
    for (hop, used) in used.iter().enumerate() {
        channels += used.len();
        let new: Vec<(u32, u32)> = used.iter().copied().filter(|(_, to)| reached.insert(*to)).collect();
        lines.push(format!("  hop {}: {} channels, {} of them to new routers", hop + 1, used.len(), new.len()));
        let ways: Vec<String> = new.iter().map(|(a, b)| format!("{a}→{b}")).collect();
        if !ways.is_empty() {
            lines.push(format!("    {}", ways.join(" ")));
        }
        tree.push(new);
    }
    let nodes = (d3.cabinets() * d3.drawers() * d3.drawers()) as usize;
    let surplus = channels + 1 - reached.len();
    if arguments.report.json {
        return say_json(&json!({
            "network": d3.spec(), "headers": text, "from": d3.node(from), "reached": reached.len(), "channels": channels,
            "surplus": surplus, "tree": tree,
        }));
    }
    let first = format!(
        "{}: headers ({text}) from {} reach {} of {nodes} routers over {channels} channels; without the {surplus} to \
         routers already reached, they form a tree:",
        d3.spec(),
        named(d3, from),
        reached.len()
    );
    say(&std::iter::once(first).chain(lines).collect::<Vec<_>>().join("\n"))
}

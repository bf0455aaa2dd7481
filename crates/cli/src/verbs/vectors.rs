//! **What:** `network swapped-dragonfly:K,M --vector A:γ;π,δ`, the way of a source vector, and `--part C,…;D,…`, the routers of a
//! smaller Swapped Dragonfly.

use console::args::NetworkArgs;
use console::failure::Failure;
use console::lists;
use console::output::{say, say_json};
use serde_json::json;
use topologies::Topology;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Router, Vector};

/// A router's number, and its cabinet, drawer and place.
pub(super) fn named(d3: SwappedDragonfly, [c, d, p]: Router) -> String {
    format!("{} ({c},{d},{p})", d3.node([c, d, p]))
}

/// The verb, where a flag asks for either.
pub(super) fn run(arguments: &NetworkArgs) -> Result<Option<u8>, Failure> {
    // A shell ends a command at a semicolon, so `/` stands for it.
    let [way, routers] =
        [&arguments.vector, &arguments.part].map(|text| text.as_ref().map(|text| text.replace('/', ";")));
    let (flag, text) = match (&way, &routers) {
        (Some(text), _) => ("--vector", text),
        (None, Some(text)) => ("--part", text),
        (None, None) => return Ok(None),
    };
    if arguments.output.is_some() {
        return Err(
            Failure::input(format!("{flag} prints nodes and writes no file")).hint(format!("leave out {flag}, or -o"))
        );
    }
    let choice = &arguments.network;
    let whole = choice.fail_link.is_empty() && choice.fail_node.is_empty();
    let numbers = choice.network.strip_prefix("swapped-dragonfly:").and_then(|rest| rest.split_once(','));
    let Some((k, m)) = numbers.filter(|_| whole) else {
        return Err(Failure::input(format!("{flag} is for swapped dragonflies without faults"))
            .hint("for example `quadrille network swapped-dragonfly:3,4`"));
    };
    // The family's own reader has the words for what is wrong with the numbers.
    topologies::topology(&choice.network).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    let number = |text: &str| text.parse().expect("the family has read the same number");
    let d3 = SwappedDragonfly::new(number(k), number(m)).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    match flag {
        "--vector" => vector(arguments, d3, text),
        _ => part(arguments, d3, text),
    }
    .map(|()| Some(0))
}

fn vector(arguments: &NetworkArgs, d3: SwappedDragonfly, text: &str) -> Result<(), Failure> {
    let (from, header) = text.split_once(':').ok_or_else(|| {
        Failure::input(format!("--vector: `{text}` names no router"))
            .hint("write A:γ;π,δ, such as 6:2;1,3, or A:t;γ;π,δ")
    })?;
    let network = d3.network();
    let from = d3.router(lists::node(&network, "--vector", from)?.0);
    if header.matches(';').count() == 2 {
        return super::headers::run(arguments, d3, from, header);
    }
    let vector = Vector::parse(d3, header).map_err(|error| {
        let ports = format!("γ is 0 to {}, π and δ are 0 to {}", d3.cabinets() - 1, d3.drawers() - 1);
        Failure::input(format!("--vector: {error}")).hint(format!("{ports}, such as 0;1,1"))
    })?;
    let walk = vector.walk(d3, from);
    if arguments.report.json {
        let nodes: Vec<u32> = walk.iter().map(|r| d3.node(*r)).collect();
        return say_json(&json!({"network": d3.spec(), "vector": vector.to_string(), "nodes": nodes}));
    }
    let way: Vec<String> = walk.iter().map(|router| named(d3, *router)).collect();
    say(&format!("{}: source vector {vector}, {} hops\n  {}", d3.spec(), way.len() - 1, way.join(" → ")))
}

fn part(arguments: &NetworkArgs, d3: SwappedDragonfly, text: &str) -> Result<(), Failure> {
    let list = |list: &str| list.split(',').map(|i| i.trim().parse().ok()).collect::<Option<Vec<u32>>>();
    let lists = text.split_once(';').and_then(|(c, d)| Some((list(c)?, list(d)?)));
    let Some((mut cabinets, mut drawers)) = lists else {
        return Err(Failure::input(format!("--part: `{text}` is not a list of cabinets and of drawers"))
            .hint("write numbers with commas between them and a semicolon between the lists, such as 0,2;1,2,4"));
    };
    cabinets.sort_unstable();
    drawers.sort_unstable();
    let Some(part) = d3.part(&cabinets, &drawers) else {
        let (k, m) = (d3.cabinets() - 1, d3.drawers() - 1);
        return Err(Failure::input(format!("--part: `{text}` names no smaller network of {}", d3.spec()))
            .hint(format!("cabinets are 0 to {k}, drawers 0 to {m}, each named once, and at least two drawers")));
    };
    if arguments.report.json {
        return say_json(&json!({"network": d3.spec(), "part": part.inner.spec(), "nodes": part.nodes}));
    }
    // A line for --senders and --receivers.
    let nodes: Vec<String> = part.nodes.iter().map(u32::to_string).collect();
    say(&format!("{} within {}\n{}", part.inner.spec(), d3.spec(), nodes.join(",")))
}

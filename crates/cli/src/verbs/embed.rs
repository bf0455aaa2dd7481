//! **What:** `embed`: one network played by another.

use console::args::{EmbedArgs, MapChoice, MeasureChoice};
use console::failure::Failure;
use console::network;
use console::output::{self, say, say_json};
use console::progress;
use kernel::{Network, Node};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;
use topologies::embedding::{Embedding, EmbeddingError, MOST_SEARCHED, Settings, best_maps};

/// The verb.
pub(crate) fn run(arguments: &EmbedArgs) -> Result<u8, Failure> {
    if let Some(path) = &arguments.output {
        output::ends_as(path, "a map in JSON", &["json"])?;
        output::probe(path)?;
    }
    let guest = network::load(&arguments.guest)?.network;
    let host = network::load(&arguments.host)?.network;
    let only = match arguments.method {
        MapChoice::Auto => None,
        MapChoice::Numbers => Some("numbers"),
        MapChoice::GrayCodes => Some("gray-codes"),
        MapChoice::Search => Some("search"),
    };
    let ticks = arguments.ticks.unwrap_or(Settings::default().ticks);
    let settings = Settings { seed: arguments.seed, ticks, only };
    let (line, searching) = (progress::Parts::default(), progress::interruptible());
    let best = best_maps(&guest, &host, &settings, &|part, spent, of| {
        line.at(part, spent, of);
        searching.switch().load(Ordering::Relaxed)
    });
    line.finish();
    drop(searching);
    let best = best.map_err(refused)?;
    if progress::interrupted() {
        output::tell("warning: interrupted; these are the best maps so far\n");
    }
    let (mut summary, found) = match arguments.by {
        MeasureChoice::Dilation => (summary(&guest, &host, &best.dilation), &best.dilation),
        MeasureChoice::Congestion => (summary(&guest, &host, &best.congestion), &best.congestion),
        MeasureChoice::Average => (summary(&guest, &host, &best.average), &best.average),
    };
    let others = [("dilation", &best.dilation), ("congestion", &best.congestion), ("average", &best.average)];
    let measures = |e: &Embedding| json!({"method": e.method, "dilation": e.dilation, "congestion": e.congestion, "average_dilation": e.average});
    summary["best"] = others.iter().map(|(by, e)| ((*by).to_owned(), measures(e))).collect();
    if let Some(path) = &arguments.output {
        let mut whole = summary.clone();
        let nodes = |c: &Vec<kernel::Channel>| {
            let ends = c.iter().map(|c| host.to(*c).0);
            c.first().map(|c| host.from(*c).0).into_iter().chain(ends).collect::<Vec<u32>>()
        };
        whole["map"] = json!(found.map.iter().map(|v| v.0).collect::<Vec<u32>>());
        whole["paths"] = json!(found.paths.iter().map(nodes).collect::<Vec<_>>());
        output::write(path, format!("{whole}\n").as_bytes())?;
    }
    if arguments.report.json {
        return say_json(&summary).map(|()| 0);
    }
    let proved = match found.dilation {
        d if d == found.dilation_floor => "the least possible".to_owned(),
        _ => format!("no map has less than {}", found.dilation_floor),
    };
    let mut text = format!(
        "{} in {}, by {}\n  dilation {} ({proved}), {:.3} on average\n  congestion {} with these paths\n  expansion {:.3}: {} \
         nodes for {}",
        guest.name(),
        host.name(),
        found.method,
        found.dilation,
        found.average,
        found.congestion,
        found.expansion,
        host.node_count(),
        guest.node_count(),
    );
    if others.iter().any(|(_, other)| other.map != found.map) {
        text.push_str("\n  the best map found by each measure (--by):");
        for (by, e) in others {
            let Embedding { method, dilation, congestion, average, .. } = e;
            text.push_str(&format!(
                "\n    {by:10}  dilation {dilation}, congestion {congestion}, average {average:.3}, by {method}"
            ));
        }
    }
    if guest.node_count() <= 64 {
        let played = |(from, to): (Node, &Node)| format!("{}→{}", guest.label(from), host.label(*to));
        let all: Vec<String> = guest.nodes().zip(&found.map).map(played).collect();
        text.push_str(&format!("\n  {}", all.join(" ")));
    }
    say(&text).map(|()| 0)
}

fn summary(guest: &Network, host: &Network, found: &Embedding) -> Value {
    json!({
        "guest": guest.name(), "host": host.name(), "method": found.method, "dilation": found.dilation,
        "dilation_floor": found.dilation_floor, "average_dilation": found.average, "congestion": found.congestion,
        "expansion": found.expansion, "guest_nodes": guest.node_count(), "host_nodes": host.node_count(),
    })
}

fn refused(error: EmbeddingError) -> Failure {
    let hint = match &error {
        EmbeddingError::Switches { .. } => "name a direct network, such as ring:8 or hypercube:3".to_owned(),
        EmbeddingError::TooFew { nodes, .. } => format!("choose a host of at least {nodes} terminals"),
        EmbeddingError::TooLarge { .. } => "choose smaller networks".to_owned(),
        EmbeddingError::Unconnected { .. } => {
            format!("try --method auto or more --ticks; in hosts of more than {MOST_SEARCHED} nodes no map is searched")
        }
    };
    Failure::input(error).hint(hint)
}

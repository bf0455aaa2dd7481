//! **What:** `design multiring compose`: two multirings joined to one of as many nodes as both multiplied, with all its walks counted.

use console::args::{ComposeArgs, NetworkText};
use console::failure::Failure;
use console::network;
use console::output::{self, say, say_json};
use design::claims::{Claim, confirm, walks_from};
use design::multiring::Circulant;
use design::multiring::composition::Composition;
use serde_json::json;
use std::time::Instant;

/// Additions that counting walks may take: some seconds.
const MOST_WORK: u64 = 4_000_000_000;

/// The verb.
pub(super) fn run(arguments: &ComposeArgs) -> Result<u8, Failure> {
    if let Some(path) = &arguments.output {
        output::ends_as(path, "a network", &["json"])?;
        output::probe(path)?;
    }
    let begun = Instant::now();
    let (low, high) = (circulant(&arguments.low)?, circulant(&arguments.high)?);
    let [below, above] = hops(&arguments.hops)?;
    let too_large = |error: design::multiring::CirculantError| {
        Failure::input(format!("{} × {} nodes: {error}", low.nodes(), high.nodes())).hint("choose smaller multirings")
    };
    let joined = Composition::new(low.clone(), high.clone()).map_err(too_large)?;
    let (whole, hops) = (joined.network(), below + above);
    let work = u64::from(whole.nodes()) * (u64::from(whole.degree()) * u64::from(hops) + u64::from(high.nodes()));
    if work > MOST_WORK {
        let nodes = whole.nodes();
        return Err(Failure::input(format!(
            "counting the walks of {nodes} nodes takes {work} additions, more than {MOST_WORK}"
        ))
        .hint("choose smaller multirings or fewer hops"));
    }
    let (promised, ordered) = (joined.promised(below, above), joined.counted(below, above));
    let built = whole.network();
    let wrong = |e: design::claims::Refused| Failure::no(format!("{e}: a fault in this program; please report it"));
    let counted = walks_from(&built, kernel::Node(0), hops.into()).map_err(wrong)?;
    let least = counted.iter().copied().min().unwrap_or(0);
    if let Some(path) = &arguments.output {
        let claims =
            [Claim::Degree { most: whole.degree().into() }, Claim::Walks { hops: hops.into(), least, counted }];
        let facts =
            claims.into_iter().map(|claim| confirm(&built, claim).map_err(wrong)).collect::<Result<Vec<_>, _>>()?;
        let provenance = super::answer::provenance("multiring compose", None, begun.elapsed().as_secs_f64());
        formats::design_json::write(&built, &facts, &[], &provenance, path).map_err(output::unwritten)?;
    }
    let file = arguments.output.as_ref().map(|p| p.display().to_string());
    if arguments.report.json {
        return say_json(&json!({
            "network": whole.spec(), "low": low.spec(), "high": high.spec(), "nodes": whole.nodes(),
            "degree": whole.degree(), "hops": hops, "promised": promised, "low_first": ordered, "parallelism": least,
            "lengths": whole.lengths(), "file": file,
        }))
        .map(|()| 0);
    }
    let mut lines = vec![
        whole.spec(),
        format!("  nodes    {} × {} = {}", low.nodes(), high.nodes(), whole.nodes()),
        format!("  degree   {} + {} = {}", low.degree(), high.degree(), whole.degree()),
        format!("  walks    of at most {below} + {above} hops between any two nodes, counted:"),
        format!(
            "           at least {ordered} with the lower lengths first (promised {promised}), {least} in any order"
        ),
    ];
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n")).map(|()| 0)
}

fn circulant(text: &NetworkText) -> Result<Circulant, Failure> {
    let network = network::load(text)?.network;
    Circulant::of(&network).ok_or_else(|| {
        Failure::input(format!("{}: no circulant network, by its own numbers of nodes", &**text)).hint(
            "name a file of `design multiring -o`, or a name such as 'circulant:63;±1,±8,±14,±18' or multiring:5,2",
        )
    })
}

fn hops(text: &str) -> Result<[u32; 2], Failure> {
    let numbers: Option<Vec<u32>> =
        text.split(',').map(|n| n.trim().parse().ok().filter(|n| (1..=64).contains(n))).collect();
    match numbers.as_deref() {
        Some(&[below, above]) => Ok([below, above]),
        _ => Err(Failure::input(format!("--hops: `{text}` is not a pair of numbers of hops from 1 to 64"))
            .hint("write the hops below and above, such as 3,2")),
    }
}

//! **What:** `design`: networks found by search, and the multiring paper's tables.

use crate::design_progress::{self, MULTIRINGS, Onlooker};
use crate::ranks::Keeper;
use console::args::{DesignArgs, DesignChoice, DualNetArgs, DualNetChoice, MultiringArgs, MultiringChoice};
use console::failure::Failure;
use console::output::{self, say, say_json};
use design::claims::{Claim, Confirmed, confirm, walks_from};
use design::multiring::bound::{self, Wanted};
use design::multiring::search::{Found, Peers, Search, SearchError, Settings};
use design::multiring::{parallelism, search};
use run::{Alone, Ranks};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// The verb.
pub(crate) fn run(arguments: &DesignArgs) -> Result<u8, Failure> {
    match &arguments.what {
        DesignChoice::Multiring(arguments) => match &arguments.what {
            Some(MultiringChoice::Table(table)) => super::design_table::run(table),
            Some(MultiringChoice::Compose(compose)) => super::design_compose::run(compose),
            None => multiring(arguments, &Alone, &Keeper::default()),
        },
        DesignChoice::DualNet(DualNetArgs { what: DualNetChoice::Table(table) }) => super::dual_net_table::run(table),
        DesignChoice::Graph(arguments) => super::design_graph::run(arguments),
    }
}

fn refused(error: &SearchError) -> Failure {
    let hint = match error {
        SearchError::Odd(_) => "choose an even degree, or leave --symmetric out",
        SearchError::Checkpoint(_) => "search for the same as before, or name another checkpoint",
        SearchError::Range { .. } => "`quadrille help design multiring` says what the numbers are",
    };
    Failure::input(error).hint(hint)
}

fn settings(arguments: &MultiringArgs) -> Result<Settings, Failure> {
    let (Some(degree), Some(hops), Some(parallelism)) = (arguments.degree, arguments.diameter, arguments.parallelism)
    else {
        return Err(Failure::input("--degree, --diameter and --parallelism are needed")
            .hint("`quadrille help design multiring` has examples"));
    };
    let wanted = Wanted { degree, hops, parallelism, symmetric: arguments.symmetric };
    let (nodes, exhaust, seed) = (arguments.nodes, arguments.exhaustive, arguments.search.seed);
    Ok(Settings { wanted, nodes, exhaust, seed, ticks: arguments.search.limits(exhaust).ticks })
}

/// The search, as one of several processes; rank 0 speaks and writes, and all keep the state in `keeper`.
pub(crate) fn multiring(arguments: &MultiringArgs, ranks: &dyn Ranks, keeper: &Keeper) -> Result<u8, Failure> {
    let settings = settings(arguments)?;
    super::solve::seconds(arguments.search.time)?;
    let threads = super::solve::threads(arguments.search.threads)?;
    let first = ranks.rank() == 0;
    arguments.search.output.iter().try_for_each(|path| output::ends_as(path, "a network", &["json"]))?;
    for path in [&arguments.search.output, &arguments.search.checkpoint].into_iter().flatten().filter(|_| first) {
        // An unwritable place is known now, not after a long search.
        output::probe(path)?;
    }
    let before = design_progress::kept_by_first(arguments.search.checkpoint.as_deref(), ranks)?;
    let done = before.as_ref().map_or(0, |state| state.ticks);
    let made = match before {
        Some(state) => Search::resume(settings.clone(), state),
        None => Search::new(settings.clone()),
    };
    let mut made = made.map_err(|e| refused(&e))?;
    keeper.keeps_in(arguments.search.checkpoint.as_deref());
    let begun = Instant::now();
    let onlooker = Onlooker::new(arguments.search.limits(settings.exhaust), arguments.search.checkpoint.as_deref())
        .among(first, keeper);
    onlooker.goes_on_from(done);
    let tell = |own: Vec<u8>| ranks.exchange(vec![own; ranks.count()]);
    let found = made.run_on(threads, &onlooker, &Peers::new(ranks.rank(), ranks.count(), &tell));
    onlooker.finish(MULTIRINGS, made.checkpoint())?;
    let seconds = begun.elapsed().as_secs_f64();
    let Some(found) = found else { return Err(nothing(&settings, &made)) };
    if first {
        if let Some(path) = &arguments.search.output {
            save(path, &settings, &made, &found, seconds)?;
        }
        report(arguments, &settings, &made, &found, seconds)?;
    }
    Ok(0)
}

/// Why there is no network to show.
fn nothing(settings: &Settings, made: &Search) -> Failure {
    let Wanted { degree, hops, parallelism, .. } = settings.wanted;
    let what = format!("degree {degree} and {parallelism} walks of at most {hops} hops");
    if made.at_most() <= degree {
        return Failure::no(format!("no circulant network has {what}: counting proves it"))
            .hint("ask for fewer walks, more hops or a larger degree");
    }
    if let Some(nodes) = settings.nodes.filter(|n| made.checkpoint().exhausted.contains(n)) {
        return Failure::no(format!(
            "no circulant network of {nodes} nodes has {what}: all sets of lengths were tried"
        ))
        .hint("another number of nodes may work: leave --nodes out to look for the largest");
    }
    Failure::no(format!("no circulant network with {what} was found"))
        .hint("allow more --ticks or --time, another --seed, or fewer --nodes")
}

/// The facts about a network that was found, and what nobody checks.
fn claims(settings: &Settings, made: &Search, found: &Found) -> Result<(Vec<Confirmed>, Vec<Claim>), Failure> {
    let (network, wanted) = (found.circulant.network(), settings.wanted);
    let wrong = |e: design::claims::Refused| Failure::no(format!("{e}: a fault in this program; please report it"));
    let counted = walks_from(&network, kernel::Node(0), u64::from(wanted.hops)).map_err(wrong)?;
    let least = parallelism(&found.circulant, wanted.hops);
    let mut facts = vec![
        Claim::Degree { most: u64::from(found.circulant.degree()) },
        Claim::Walks { hops: u64::from(wanted.hops), least, counted },
    ];
    if settings.nodes.is_none() {
        facts.push(Claim::AtMost { wanted, nodes: found.at_most, prices: bound::prices(&wanted) });
    }
    let facts = facts.into_iter().map(|claim| confirm(&network, claim).map_err(wrong));
    let mut exhausted: Vec<u32> =
        made.checkpoint().exhausted.iter().copied().filter(|n| *n > found.circulant.nodes()).collect();
    exhausted.sort_unstable();
    let unchecked = if exhausted.is_empty() { Vec::new() } else { vec![Claim::Exhausted { wanted, nodes: exhausted }] };
    Ok((facts.collect::<Result<_, _>>()?, unchecked))
}

fn save(path: &Path, settings: &Settings, made: &Search, found: &Found, seconds: f64) -> Result<(), Failure> {
    let (facts, unchecked) = claims(settings, made, found)?;
    let method = if found.proved { "multiring search, exhaustive" } else { "multiring search" };
    let provenance = super::answer::provenance(method, Some(settings.seed), seconds);
    let network = found.circulant.network();
    formats::design_json::write(&network, &facts, &unchecked, &provenance, path).map_err(output::unwritten)
}

fn report(
    arguments: &MultiringArgs,
    settings: &Settings,
    made: &Search,
    found: &Found,
    seconds: f64,
) -> Result<(), Failure> {
    let (network, wanted) = (&found.circulant, settings.wanted);
    let file = arguments.search.output.as_ref().map(|p| p.display().to_string());
    let least = parallelism(network, wanted.hops);
    if arguments.search.report.json {
        let search::Checkpoint { ticks, exhausted, .. } = made.checkpoint();
        return say_json(&json!({
            "network": network.spec(), "nodes": network.nodes(), "degree": network.degree(), "diameter": wanted.hops,
            "parallelism": least, "wanted": wanted.parallelism, "symmetric": wanted.symmetric,
            "lengths": network.lengths(), "at_most": found.at_most, "optimal": found.proved,
            "exhausted": exhausted, "seconds": seconds, "ticks": ticks, "seed": settings.seed, "file": file,
        }));
    }
    let at_most = match (found.proved, settings.nodes) {
        (true, _) => {
            "no such network has more, by counting and by trying all sets of lengths for the remaining numbers".into()
        }
        (_, Some(_)) => "as requested".into(),
        _ => format!("at most {} by counting", found.at_most),
    };
    let mut lines = vec![
        network.spec(),
        format!("  nodes    {}; {at_most}", network.nodes()),
        format!("  degree   {}", network.degree()),
        format!("  walks    at least {least} of at most {} hops between any two nodes", wanted.hops),
        format!("  found in {seconds:.2} s"),
    ];
    lines.extend(file.map(|file| format!("  saved to {file}")));
    say(&lines.join("\n"))
}

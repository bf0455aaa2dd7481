//! **What:** what the flags of `simulate` say of traffic: lengths of packets, rates and the pattern.

use console::args::TrafficArgs;
use console::failure::Failure;
use console::{lists, output};
use kernel::{Network, Node};
use simulate::{HotSpot, Pattern, PatternError, Shape};

/// Rates of a curve at most.
const MOST_RATES: usize = 1000;

/// The lengths of packets.
pub(super) fn lengths(arguments: &TrafficArgs) -> Result<Vec<u32>, Failure> {
    let Some(text) = &arguments.packet else { return Ok(vec![1]) };
    let length = |part: &str| {
        part.trim().parse::<u32>().map_err(|_| {
            Failure::input(format!("--packet: `{part}` is not a number of flits"))
                .hint("write 10, or 1,5 for two lengths")
        })
    };
    text.split(',').map(length).collect()
}

/// The rates of a curve.
pub(super) fn rates(text: &str) -> Result<Vec<f64>, Failure> {
    let rate = |part: &str| {
        part.trim().parse::<f64>().map_err(|_| {
            Failure::input(format!("--curve: `{part}` is not a rate"))
                .hint("write rates with commas, such as 0.1,0.2,0.3")
        })
    };
    let rates: Vec<f64> = text.split(',').map(rate).collect::<Result<_, _>>()?;
    if rates.len() > MOST_RATES {
        return Err(
            Failure::input(format!("--curve: {} rates", rates.len())).hint(format!("write at most {MOST_RATES}"))
        );
    }
    Ok(rates)
}

/// The pattern of traffic: by name, with hot spots, or a matrix.
pub(super) fn pattern(arguments: &TrafficArgs, network: &Network, seed: u64) -> Result<Pattern, Failure> {
    let text = arguments.traffic.as_deref().unwrap_or("uniform");
    let terminals = u32::try_from(network.terminals().len()).expect("nodes have 32-bit numbers");
    let refused = |error: PatternError| Failure::input(format!("--traffic: {error}")).hint(error.hint());
    if let Some(spots) = text.strip_prefix("hotspot:") {
        let spots: Result<Vec<HotSpot>, Failure> = spots.split(',').map(|spot| hot_spot(spot, network)).collect();
        return Pattern::hot(spots?, terminals).map_err(refused);
    }
    if formats::ending(std::path::Path::new(text)) == "csv" {
        let rows = exports::flits::read_matrix(text).map_err(output::unread)?;
        return Pattern::weighted(&rows, terminals)
            .map_err(|error| Failure::input(format!("{text}: {error}")).hint(error.hint()));
    }
    Pattern::named(text, &Shape::of(network, seed)).map_err(refused)
}

fn hot_spot(text: &str, network: &Network) -> Result<HotSpot, Failure> {
    let wrong = || {
        Failure::input(format!("--traffic: `{text}` is not a hot spot"))
            .hint("write hotspot:NODE=SHARE, such as hotspot:3=0.1, shares from 0 to 1")
    };
    let (node, share) = text.split_once('=').ok_or_else(wrong)?;
    let node: Node = lists::terminal(network, "--traffic", node)?;
    let share = share.trim().parse::<f64>().map_err(|_| wrong())?;
    let terminal = network.terminals().partition_point(|terminal| *terminal < node);
    Ok(HotSpot { terminal: u32::try_from(terminal).expect("nodes have 32-bit numbers"), share })
}

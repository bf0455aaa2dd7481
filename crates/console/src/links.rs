//! **What:** what the arguments say of links: bandwidths, latencies, and how much of a link is left.

use super::failure::Failure;
use super::names::Ends;
use super::network::LoadedNetwork;
use super::{lists, output};
use formats::units::{RATES, TIMES, Unit, with_unit};
use kernel::timed::Links;
use kernel::{Network, NetworkData, Rational};

/// Gives every channel the bandwidth, times its capacity, and the latency, where they are given.
pub fn set(given: &mut LoadedNetwork, bandwidth: Option<&str>, latency: Option<&str>) -> Result<(), Failure> {
    let bandwidth = bandwidth.map(|text| with_known_unit("--bandwidth", text, RATES, 1, "25GB/s")).transpose()?;
    let latency = latency.map(|text| with_known_unit("--latency", text, TIMES, 0, "0.7us")).transpose()?;
    if let Some(bandwidth) = bandwidth {
        let capacity = |c| u64::from(given.network.capacity(c));
        let times = |c| Some(Rational::new(bandwidth.numerator.checked_mul(capacity(c))?, bandwidth.denominator));
        let all = given.network.channels().map(times).collect::<Option<Vec<Rational>>>();
        let all = all.ok_or_else(|| Failure::input("--bandwidth: times capacities, more than 64 bits"))?;
        given.links = Some(Links { bandwidth: all, ..given.links.take().unwrap_or_default() });
    }
    if let (Some(latency), Some(links)) = (latency, &mut given.links) {
        links.latency = vec![latency; given.network.channel_count()];
    }
    Ok(())
}

/// Takes bandwidth from links; what is left is a factor or a rate.
pub fn slow(given: &mut LoadedNetwork, texts: &[String]) -> Result<(), Failure> {
    const FLAG: &str = "--slow-link";
    if texts.is_empty() {
        return Ok(());
    }
    let mut name = given.network.name().to_owned();
    for text in texts {
        let wrong = |why: &str| {
            Failure::input(format!("{FLAG}: `{text}` {why}"))
                .hint("write A-B=0.5, or A-B=12.5GB/s; in quotes A>B for one direction")
        };
        let Some((link, left)) = text.rsplit_once('=') else { return Err(wrong("does not say what remains of it")) };
        let channels = lists::link_channels(&given.network, FLAG, link)?;
        let Some(links) = &mut given.links else {
            return Err(Failure::input(format!("{FLAG}: {} has no bandwidths", given.network.name()))
                .hint("add --bytes and --bandwidth 25GB/s, or name a network with bandwidths"));
        };
        if channels.is_empty() {
            return Err(wrong("names no channel of the network"));
        }
        let positive = |number: &Rational| number.numerator > 0;
        let rate = with_unit(left, RATES).filter(positive);
        let factor = with_unit(left, PARTS).filter(positive).filter(|part| part.numerator <= part.denominator);
        for channel in channels {
            let bandwidth = &mut links.bandwidth[channel.index()];
            *bandwidth = match (rate, factor) {
                (Some(rate), _) => rate,
                (None, Some(factor)) => times(*bandwidth, factor).ok_or_else(|| wrong("is too fine for 64 bits"))?,
                (None, None) => return Err(wrong("leaves neither a factor above 0 up to 1 nor a rate")),
            };
        }
        name.push_str(&slowed(&given.network, FLAG, link, left)?);
    }
    given.network = Network::new(NetworkData { name, ..given.network.data().clone() })
        .map_err(|error| Failure::input(format!("{FLAG}: {error}")))?;
    Ok(())
}

/// What the name of a network says of a slow link.
fn slowed(network: &Network, flag: &str, link: &str, left: &str) -> Result<String, Failure> {
    let Ends { from, to, directed } = lists::link(network, flag, link)?;
    let [from, to] = [from, to].map(|node| network.name_of(node));
    Ok(format!(" with {from}{}{to}={left}", if directed { '>' } else { '-' }))
}

/// As [`slow`] where steps are counted: what is left of the capacity of a link is a factor.
pub fn slow_capacities(given: &mut LoadedNetwork, texts: &[String]) -> Result<(), Failure> {
    const FLAG: &str = "--slow-link";
    if texts.is_empty() {
        return Ok(());
    }
    let network = &given.network;
    let mut parts = network.data().clone();
    let mut capacities: Vec<Rational> =
        network.channels().map(|channel| Rational::whole(network.capacity(channel).into())).collect();
    for text in texts {
        let wrong = |why: &str| {
            Failure::input(format!("{FLAG}: `{text}` {why}")).hint(
                "write A-B=0.5, in quotes A>B=0.5 for one direction; rates such as 12.5GB/s count with --bytes SIZE",
            )
        };
        let Some((link, left)) = text.rsplit_once('=') else { return Err(wrong("does not say what remains of it")) };
        let factor = with_unit(left, PARTS).filter(|part| part.numerator > 0 && part.numerator <= part.denominator);
        let factor = factor.ok_or_else(|| wrong("leaves no factor above 0 up to 1 of the capacity"))?;
        let channels = lists::link_channels(network, FLAG, link)?;
        if channels.is_empty() {
            return Err(wrong("names no channel of the network"));
        }
        for channel in channels {
            let capacity = &mut capacities[channel.index()];
            *capacity = times(*capacity, factor).ok_or_else(|| wrong("is too fine for 64 bits"))?;
        }
        parts.name.push_str(&slowed(network, FLAG, link, left)?);
    }
    let (whole, multiplied) = formats::network::whole(&capacities).ok_or_else(|| {
        Failure::input(format!("{FLAG}: the capacities have no common measure that 32 bits hold"))
            .hint("use simple factors, such as 0.5 or 2/3")
    })?;
    if multiplied > 1 {
        output::tell(&format!("note: {FLAG}: {}\n", formats::network::multiplied(multiplied)));
    }
    parts.capacities = Some(whole);
    given.network = Network::new(parts).map_err(|error| Failure::input(format!("{FLAG}: {error}")))?;
    Ok(())
}

/// Numbers without a unit.
const PARTS: &[Unit] = &[Unit::NONE];

fn times(a: Rational, b: Rational) -> Option<Rational> {
    let (left, right) = (Rational::new(a.numerator, b.denominator), Rational::new(b.numerator, a.denominator));
    let numerator = left.numerator.checked_mul(right.numerator)?;
    Some(Rational::new(numerator, left.denominator.checked_mul(right.denominator)?))
}

/// A number of a flag with one of these units behind it; `least` is 1 where it must be above 0.
pub fn with_known_unit(flag: &str, text: &str, units: &[Unit], least: u64, example: &str) -> Result<Rational, Failure> {
    with_unit(text, units).filter(|number| number.numerator >= least).ok_or_else(|| {
        let above = if least > 0 { " above 0" } else { "" };
        let known: Vec<&str> = units.iter().map(|unit| unit.name).collect();
        Failure::input(format!("{flag}: `{text}` is not a number{above} with a unit"))
            .hint(format!("write one such as {example}; units are {}", known.join(", ")))
    })
}

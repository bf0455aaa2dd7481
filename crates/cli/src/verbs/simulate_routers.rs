//! **What:** what the flags of `simulate` say of routers, and the routes that they name.

use super::simulate::refused;
use console::args::{AllocatorChoice, FlowChoice, RouterArgs};
use console::failure::Failure;
use console::lists;
use kernel::{Network, Node};
use simulate::{Allocator, Flow, Interval, NodePorts, Routes, RoutesWanted, Settings, SettingsError, routes_named};

/// The settings that the flags describe.
pub(super) fn settings(arguments: &RouterArgs, network: &Network, seed: u64) -> Result<Settings, Failure> {
    let mut settings = Settings {
        flow: match arguments.switching {
            FlowChoice::Wormhole => Flow::Wormhole,
            FlowChoice::CutThrough => Flow::CutThrough,
            FlowChoice::StoreAndForward => Flow::StoreAndForward,
            FlowChoice::Circuit => Flow::Circuit,
        },
        virtual_channels: arguments.vcs.unwrap_or(Settings::default().virtual_channels),
        buffer: arguments.buffer.unwrap_or(Settings::default().buffer),
        routing_delay: arguments.routing_delay,
        vc_delay: arguments.vc_delay,
        allocation_delay: arguments.allocation_delay,
        switch_delay: arguments.switch_delay,
        credit_delay: arguments.credit_delay,
        injection_delay: arguments.injection_delay,
        ejection_delay: arguments.ejection_delay,
        injection: ports("--injection", arguments.injection.as_deref())?,
        ejection: ports("--ejection", arguments.ejection.as_deref())?,
        allocator: match arguments.allocator {
            AllocatorChoice::Islip => Allocator::Islip,
            AllocatorChoice::RoundRobin => Allocator::RoundRobin,
        },
        seed,
        ..Settings::default()
    };
    let delays = by_channel("--channel-delay", &arguments.channel_delay, network, settings.channel_delay)?;
    (settings.channel_delay, settings.channel_delays) = (delays.all, delays.own);
    let intervals = by_channel("--interval", &arguments.interval, network, settings.interval)?;
    settings.interval = intervals.all;
    let interval = |cycles: u32| {
        let (what, found, least, most) = ("the interval of a channel", cycles.into(), 1, u64::from(u16::MAX));
        let wrong = SettingsError::Range { what, found, least, most };
        Interval::ratio(cycles.into(), 1).ok_or_else(|| refused(&wrong.into()))
    };
    let own = intervals.own.map(|own| own.into_iter().map(interval).collect::<Result<_, _>>());
    settings.channel_intervals = own.transpose()?;
    settings.check(network.channel_count()).map_err(|error| refused(&error.into()))?;
    Ok(settings)
}

/// Cycles of all channels, and of each where some have their own.
struct ByChannel {
    all: u32,
    own: Option<Vec<u32>>,
}

/// What a flag says that may be given for single links: `2`, `A-B=2` or `A>B=2`.
fn by_channel(flag: &str, texts: &[String], network: &Network, default: u32) -> Result<ByChannel, Failure> {
    let (mut all, mut own) = (default, None);
    for text in texts {
        let (link, cycles) = text.rsplit_once('=').map_or((None, text.as_str()), |(link, cycles)| (Some(link), cycles));
        let cycles = cycles.trim().parse::<u32>().map_err(|_| {
            Failure::input(format!("{flag}: `{text}` says no number of cycles")).hint("write 2, or A-B=2 for one link")
        })?;
        let Some(link) = link else {
            all = cycles;
            continue;
        };
        let channels = lists::link_channels(network, flag, link)?;
        if channels.is_empty() {
            return Err(Failure::input(format!("{flag}: `{link}` names no channel of {}", network.name()))
                .hint("name a link by the nodes at its ends"));
        }
        let own = own.get_or_insert_with(|| vec![None; network.channel_count()]);
        channels.iter().for_each(|channel| own[channel.index()] = Some(cycles));
    }
    let own = own.map(|own| own.into_iter().map(|cycles| cycles.unwrap_or(all)).collect());
    Ok(ByChannel { all, own })
}

fn ports(flag: &str, text: Option<&str>) -> Result<NodePorts, Failure> {
    match text.unwrap_or("1") {
        "all" => Ok(NodePorts::All),
        text => text.parse().map(NodePorts::Each).map_err(|_| {
            Failure::input(format!("{flag}: `{text}` is not a number of ports"))
                .hint("write `all` or a number of at least 1")
        }),
    }
}

/// The names of routings that the flags ask for, at least one; none is that of the network.
pub(super) fn routings(arguments: &RouterArgs) -> Vec<Option<&str>> {
    if arguments.routing.is_empty() { vec![None] } else { arguments.routing.iter().map(|name| Some(&**name)).collect() }
}

/// The name of routes, with the root of up-down.
pub(super) fn rooted(routes: &str, root: Option<Node>, network: &Network) -> String {
    root.map_or_else(|| routes.to_owned(), |root| format!("{routes} with root {}", network.name_of(root)))
}

/// The routes of a name, of a network whose channels carry a packet each.
pub(super) fn routes(
    arguments: &RouterArgs,
    name: Option<&str>,
    network: &Network,
    settings: &Settings,
) -> Result<Box<dyn Routes>, Failure> {
    let root = arguments.root.as_ref().map(|text| lists::node(network, "--root", text)).transpose()?;
    let wanted = RoutesWanted {
        name,
        root,
        vcs: settings.virtual_channels,
        flow: settings.flow,
        datelines: !arguments.no_datelines,
    };
    let routes = routes_named(network, &wanted).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    if routes.least_vcs() > settings.virtual_channels {
        let (least, vcs) = (routes.least_vcs(), settings.virtual_channels);
        return Err(Failure::input(format!("{} needs {least} virtual channels, but there are {vcs}", routes.name()))
            .hint(format!("use --vcs {least} or more; --no-datelines needs fewer, but may deadlock")));
    }
    Ok(routes)
}

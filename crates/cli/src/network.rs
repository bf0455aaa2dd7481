//! **What:** the network that the arguments choose: a family or a file, then faults, ports and duplex.

use super::args::{NetworkChoice, NetworkText};
use super::failure::Failure;
use super::{lists, output};
use kernel::timed::Links;
use kernel::{Network, Node, Ports};
use topologies::change::{self, ChangeError};

/// A network, and the senders and receivers that its file marks.
#[derive(Debug)]
pub(crate) struct LoadedNetwork {
    pub network: Network,
    pub senders: Option<Vec<Node>>,
    pub receivers: Option<Vec<Node>>,
    pub links: Option<Links>,
}

/// Reads or builds the chosen network and changes it as asked.
pub(crate) fn choose(choice: &NetworkChoice) -> Result<LoadedNetwork, Failure> {
    let mut given = load(&choice.network)?;
    // All names are looked up in the whole network: what is taken out first must not rename what is taken out next.
    let whole = given.network.clone();
    for text in &choice.fail_link {
        let (from, to, directed) = lists::link(&whole, "--fail-link", text)?;
        given.network = change::without_link(&given.network, from, to, directed)
            .map_err(|e| unchanged(&format!("--fail-link {text}"), &e))?;
    }
    let mut failed = Vec::new();
    for text in &choice.fail_node {
        let node = lists::node(&whole, "--fail-node", text)?;
        if failed.contains(&node) {
            continue;
        }
        failed.push(node);
        given.network =
            change::without_node(&given.network, node).map_err(|e| unchanged(&format!("--fail-node {text}"), &e))?;
        for list in [&mut given.senders, &mut given.receivers].into_iter().flatten() {
            list.retain(|v| *v != node);
        }
    }
    if let Some(links) = &mut given.links {
        keep_links(links, &whole, &given.network);
    }
    if let Some(text) = &choice.ports {
        let ports = ports(text)?;
        given.network = change::with_ports(&given.network, ports).map_err(|e| unchanged("--ports", &e))?;
    }
    if choice.half_duplex {
        given.network = change::half_duplex(&given.network).map_err(|e| unchanged("--half-duplex", &e))?;
    }
    Ok(given)
}

/// Takes out the numbers of channels that were taken out. Others keep their order, and parallel ones go together.
fn keep_links(links: &mut Links, whole: &Network, left: &Network) {
    let mut rest = left.data().channels.iter().peekable();
    let kept: Vec<bool> = whole.data().channels.iter().map(|ends| rest.next_if_eq(&ends).is_some()).collect();
    for list in [&mut links.bandwidth, &mut links.latency] {
        let mut kept = kept.iter();
        list.retain(|_| kept.next().is_none_or(|kept| *kept));
    }
}

fn unchanged(text: &str, error: &ChangeError) -> Failure {
    Failure::input(format!("{text}: {error}"))
        .hint("`quadrille network NETWORK -o FILE.json` writes all channels of a network")
}

fn ports(text: &str) -> Result<Ports, Failure> {
    match text {
        "all" => Ok(Ports::All),
        "one" => Ok(Ports::Each(1)),
        _ => match text.parse::<u32>() {
            Ok(k) if k > 0 => Ok(Ports::Each(k)),
            _ => Err(Failure::input(format!("--ports: `{text}` is no number of ports"))
                .hint("write `all`, `one` or a number of at least 1")),
        },
    }
}

/// The network of a file or of a family. What a reader knows by its ending, or what lies in a folder, is a file.
pub(crate) fn load(text: &NetworkText) -> Result<LoadedNetwork, Failure> {
    let path = text.path();
    let named = text.is_no_text() || text.contains(std::path::MAIN_SEPARATOR);
    if named || formats::network::is_readable(path) || path.is_file() {
        let read = formats::network::read(path).map_err(output::unread)?;
        return Ok(LoadedNetwork {
            network: read.network,
            senders: read.senders,
            receivers: read.receivers,
            links: read.links,
        });
    }
    let network = topologies::parse(text).map_err(|error| Failure::input(&error).hint(error.hint()))?;
    Ok(LoadedNetwork { network, senders: None, receivers: None, links: None })
}

//! **What:** the network files of BookSim's topology `anynet`: routers, the nodes at each, and links between routers.
//!
//! **Parameters:** a line begins with a router or a node, and names what it is linked to: `router 0 node 0 router 1 15 router 2`. A number behind a
//! router is the weight of the link, BookSim's delay in cycles, which means nothing here.
//!
//! **Facts:** BookSim links both ways whatever is written, once between two routers, and hangs each node on one router. Where no router has two nodes,
//! a router with a node is a terminal and one without is a switch. Else routers are switches, and nodes are terminals numbered behind them.
//! So what is written are networks of links: terminals that route, or terminals that hang on a switch by one link; not both in one network.
//! What is lost: name, labels and the order of channels.
//!
//! **Source:** BookSim 2.0, `topology = anynet`; N. Jiang and others, A detailed and flexible cycle-accurate network-on-chip simulator (ISPASS 2013).

use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use kernel::timed::Links;
use kernel::{Network, Node};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Router,
    Node,
}

/// A router or node that a line names, and where.
#[derive(Clone, Copy)]
struct Named {
    kind: Kind,
    number: u32,
    place: Place,
}

/// The parts of a line; weights of links are left out, and whether there was one.
fn parts(whole: &str, line: usize, path: &Path) -> Result<(Vec<Named>, bool), ReadError> {
    let mut words = whole.split_whitespace().peekable();
    let place = |word: &str| Place { line, column: 1 + word.as_ptr() as usize - whole.as_ptr() as usize };
    let (mut found, mut weighted) = (Vec::new(), false);
    while let Some(word) = words.next() {
        let kind = match word {
            "router" => Kind::Router,
            "node" => Kind::Node,
            _ => return Err(fault(path, place(word), None, word, "not one of `router` and `node`")),
        };
        let number = words.next().unwrap_or("");
        let at = if number.is_empty() { place(word) } else { place(number) };
        let number = number.parse().map_err(|_| fault(path, at, Some(word.into()), number, "is not a number"))?;
        found.push(Named { kind, number, place: at });
        // The first of a line has no link, so no weight.
        weighted |= found.len() > 1 && words.next_if(|word| word.parse::<u64>().is_ok()).is_some();
    }
    Ok((found, weighted))
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let mut routers = BTreeMap::new();
    let mut homes: BTreeMap<u32, (u32, Place)> = BTreeMap::new();
    let mut links: Vec<(u32, u32, Place)> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut weighted = false;
    for (line, whole) in (1..).zip(text_of(bytes, path)?.lines()) {
        let (found, weights) = parts(whole, line, path)?;
        weighted |= weights;
        let Some((head, others)) = found.split_first() else { continue };
        for router in found.iter().filter(|one| one.kind == Kind::Router) {
            routers.entry(router.number).or_insert(router.place);
        }
        for other in others {
            match (head.kind, other.kind) {
                (Kind::Node, Kind::Node) => {
                    return Err(fault(path, other.place, Some("node".into()), "", "a node is linked to a node"));
                }
                (Kind::Router, Kind::Router) => {
                    if seen.insert((head.number.min(other.number), head.number.max(other.number))) {
                        links.push((head.number, other.number, other.place));
                    }
                }
                (Kind::Node, Kind::Router) | (Kind::Router, Kind::Node) => {
                    let (node, router) = if head.kind == Kind::Node { (head, other) } else { (other, head) };
                    let home = homes.entry(node.number).or_insert((router.number, node.place)).0;
                    if home != router.number {
                        let why = format!("hangs on router {home} already, and a node has one");
                        return Err(fault(path, other.place, Some(format!("node {}", node.number)), "", &why));
                    }
                }
            }
        }
    }
    assemble(&routers, &homes, &links, weighted, path)
}

fn assemble(
    routers: &BTreeMap<u32, Place>,
    homes: &BTreeMap<u32, (u32, Place)>,
    links: &[(u32, u32, Place)],
    weighted: bool,
    path: &Path,
) -> Result<NetworkFile, ReadError> {
    let mut assembly = Assembly::default();
    if weighted {
        assembly.ignore("weight of a link");
    }
    let mut at: HashMap<u32, u32> = HashMap::new();
    for router in routers.keys() {
        let node = assembly.node(&router.to_string()).0;
        assembly.about[node as usize].terminal = Some(false);
        at.insert(*router, node);
    }
    for (a, b, place) in links {
        assembly.link(at[a], at[b], Carries::default(), *place);
    }
    let distinct: BTreeSet<u32> = homes.values().map(|(router, _)| *router).collect();
    let behind = routers.keys().next_back().map_or(0, |last| u64::from(*last) + 1);
    for (node, (router, place)) in homes {
        let mut terminal = at[router];
        if distinct.len() < homes.len() {
            terminal = assembly.node(&(behind + u64::from(*node)).to_string()).0;
            assembly.link(terminal, at[router], Carries::default(), *place);
        }
        assembly.about[terminal as usize].terminal = Some(true);
    }
    assembly.finish(path)
}

/// The switch that a terminal hangs on by one link, where it does.
fn home(network: &Network, node: Node) -> Option<Node> {
    let (out, back) = (network.outgoing(node), network.incoming(node));
    let ([out], [back]) = (out, back) else { return None };
    let (to, from) = (network.to(*out), network.from(*back));
    (to == from && !network.is_terminal(to)).then_some(to)
}

pub(super) fn write(network: &Network, _: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    let unfit = |why: String| io::Error::new(ErrorKind::InvalidInput, why);
    let mut count: HashMap<(Node, Node), i32> = HashMap::new();
    for channel in network.channels() {
        *count.entry((network.from(channel), network.to(channel))).or_default() += 1;
    }
    for (&(from, to), times) in &count {
        if *times > 1 || !count.contains_key(&(to, from)) {
            let what = if *times > 1 { "parallel channels" } else { "a channel without one back" };
            return Err(unfit(format!(
                "BookSim links routers once and both ways, and here is {what} from {from} to {to}"
            )));
        }
    }
    let mut hosts: BTreeMap<Node, Vec<usize>> = BTreeMap::new();
    for (at, terminal) in network.terminals().iter().enumerate() {
        if let Some(home) = home(network, *terminal) {
            hosts.entry(home).or_default().push(at);
        }
    }
    let hang = hosts.values().any(|of| of.len() > 1);
    let hanging: usize = hosts.values().map(Vec::len).sum();
    if hang && hanging < network.terminals().len() {
        return Err(unfit("some terminals hang on switches and some have several links".into()));
    }
    let blocking = network.data().no_transit.iter().find(|node| !(hang && network.is_terminal(Node(**node))));
    if let Some(node) = blocking {
        return Err(unfit(format!("messages pass through every router of BookSim, and node {node} lets nothing pass")));
    }
    // Terminals that hang on switches are no routers.
    let is_router = |node: Node| !(hang && network.is_terminal(node));
    let routers: Vec<Node> = network.nodes().filter(|node| is_router(*node)).collect();
    let number: HashMap<Node, usize> = routers.iter().zip(0..).map(|(node, at)| (*node, at)).collect();
    let terminals: HashMap<Node, usize> = network.terminals().iter().zip(0..).map(|(node, at)| (*node, at)).collect();
    for router in &routers {
        write!(out, "router {}", number[router])?;
        match hang {
            true => hosts.get(router).into_iter().flatten().try_for_each(|at| write!(out, " node {at}"))?,
            false => terminals.get(router).map_or(Ok(()), |at| write!(out, " node {at}"))?,
        }
        let next: BTreeSet<Node> = network.outgoing(*router).iter().map(|channel| network.to(*channel)).collect();
        for next in next.iter().filter(|next| is_router(**next) && *next > router) {
            write!(out, " router {}", number[next])?;
        }
        writeln!(out)?;
    }
    Ok(())
}

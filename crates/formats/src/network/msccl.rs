//! **What:** topologies in the JSON of msccl-tools.
//!
//! **Parameters:** `links[d][s]` is how many links lead from GPU s to GPU d; `switches` are lists of senders, of receivers, a limit and a name: all
//! that these senders send to these receivers shares the limit.
//!
//! **Facts:** links become capacities; the file says no bandwidths (`--bandwidth` is then that of one link). A limit of one sender, or of one
//! receiver, becomes a switch behind it, or before it; others have no such form and are refused.
//!
//! **Source:** msccl-tools, `msccl/serialization.py` and `msccl/topologies`.

use super::NetworkFile;
use crate::schedule_json::{item, parse_as, refuse, steps_of};
use crate::{Fault, ReadError, file};
use kernel::{Network, NetworkData, Node};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// What tells such a file from others.
const TYPE: &str = "topology";

#[derive(Deserialize)]
struct Outline {
    msccl_type: Option<String>,
}

/// A topology as it is written.
#[derive(Deserialize)]
pub(crate) struct Topology {
    #[serde(default)]
    name: String,
    links: Vec<Vec<u32>>,
    #[serde(default)]
    switches: Vec<Limit>,
}

/// Senders, receivers, what they share, and a name.
#[derive(Deserialize)]
struct Limit(Vec<u32>, Vec<u32>, u32, String);

/// Whether a text is such a file.
pub(super) fn is_meant(text: &[u8]) -> bool {
    // Most files are none, and large ones are not to be read twice.
    memchr::memmem::find(text, b"msccl_type").is_some()
        && serde_json::from_slice(text).is_ok_and(|Outline { msccl_type }| msccl_type.is_some_and(|kind| kind == TYPE))
}

pub(super) fn parse(text: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    network(parse_as(text, path)?, text, path, "")
}

/// The network of a topology; `prefix` is where it stands in the document.
pub(crate) fn network(read: Topology, text: &[u8], path: &Path, prefix: &str) -> Result<NetworkFile, ReadError> {
    let gpus = read.links.len();
    let wrong = |field: &str, at: usize, why: String| {
        refuse(path, text, &item(&format!("{prefix}{field}"), at), Fault::Syntax(why))
    };
    if let Some(at) = read.links.iter().position(|row| row.len() != gpus) {
        let why = format!("has {} entries where {gpus} are needed, one a GPU", read.links[at].len());
        return Err(wrong("links", at, why));
    }
    if let Some(at) = (0..gpus).find(|at| read.links[*at][*at] > 0) {
        return Err(wrong("links", at, "has links of a GPU to itself".into()));
    }
    // The node that stands for a limit, and those through which a sender's, or a receiver's, messages pass.
    let mut labels: Vec<String> = (0..gpus).map(|gpu| format!("GPU{gpu}")).collect();
    let mut through: [BTreeMap<(u32, u32), u32>; 2] = Default::default();
    let mut channels: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (at, Limit(senders, receivers, limit, name)) in read.switches.iter().enumerate() {
        if let Some(gpu) = senders.iter().chain(receivers).find(|gpu| **gpu as usize >= gpus) {
            return Err(wrong(
                "switches",
                at,
                format!("names GPU {gpu}, but GPUs are 0 to {}", gpus.saturating_sub(1)),
            ));
        }
        if *limit == 0 {
            return Err(wrong("switches", at, format!("`{name}` lets nothing pass")));
        }
        let node = Node::new(labels.len()).0;
        let side = match (&senders[..], &receivers[..]) {
            ([sender], _) => {
                channels.insert((*sender, node), *limit);
                0
            }
            (_, [receiver]) => {
                channels.insert((node, *receiver), *limit);
                1
            }
            _ => {
                let why = format!(
                    "`{name}` is shared by several senders and several receivers, for which a network has no place"
                );
                return Err(wrong("switches", at, why));
            }
        };
        labels.push(name.clone());
        for pair in senders.iter().flat_map(|s| receivers.iter().map(move |r| (*s, *r))) {
            if through[side].insert(pair, node).is_some() {
                let why = format!("`{name}` shares GPU {} to {} with another limit of its kind", pair.0, pair.1);
                return Err(wrong("switches", at, why));
            }
        }
    }
    for (to, row) in (0u32..).zip(&read.links) {
        for (from, &count) in (0u32..).zip(row).filter(|(_, count)| **count > 0) {
            let begin = through[0].get(&(from, to)).copied().unwrap_or(from);
            let end = through[1].get(&(from, to)).copied().unwrap_or(to);
            let sum = channels.entry((begin, end)).or_default();
            *sum = sum.saturating_add(count);
        }
    }
    let terminals: Vec<u32> = (0..Node::new(gpus).0).collect();
    let data = NetworkData {
        name: if read.name.is_empty() { file::title(path) } else { read.name },
        nodes: Node::new(labels.len()).0,
        labels: Some(labels),
        terminals: Some(terminals.clone()),
        no_transit: terminals,
        channels: channels.keys().copied().collect(),
        capacities: Some(channels.values().copied().collect()),
        ..NetworkData::default()
    };
    let network =
        Network::new(data).map_err(|e| refuse(path, text, &steps_of(&format!("{prefix}links")), Fault::Network(e)))?;
    Ok(network.into())
}

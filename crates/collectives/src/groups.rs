//! **What:** one collective in several groups of nodes at once, or from several roots; and the groups that networks with
//! dimensions have names for.
//!
//! **Parameters:** `dim:K` are the lines along dimension K, from 0, the slowest of the coordinates. Where there are two dimensions `rows`
//! are those along the last one and `columns` those along the first.
//!
//! **Facts:** groups are disjoint, and each has two members or more. Of a damaged network lines are those of the whole one, without
//! what takes no part any more.
//!
//! **Source:** communicators in MPI 4.1, section 7.4 (`MPI_Comm_split`, and `MPI_Cart_sub` for lines)
//!
//! **Example:**
//! ```
//! use collectives::groups;
//! use kernel::Node;
//! let mesh = topologies::parse("mesh:2x3").unwrap();
//! let columns = groups::parse("columns", &mesh).expect("a name").unwrap();
//! assert_eq!(columns[1], [Node(1), Node(4)]);
//! assert!(groups::parse("0-2/3-5", &mesh).is_none());
//! ```

use crate::{Selection, SelectionError};
use kernel::{Network, Node};
use std::collections::BTreeMap;

/// The names of groups, as in help texts.
pub const NAMES: &str = "rows, columns, dim:K";

/// Why a network has no groups of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// Not known as a network with dimensions.
    #[error("{network} is not known as a mesh, torus, hypercube or product, and has no dimensions")]
    NoDimensions {
        /// The network.
        network: String,
    },
    /// More dimensions than rows and columns, or fewer.
    #[error("rows and columns need two dimensions, but {network} has {dimensions}")]
    NotTwo {
        /// The network.
        network: String,
        /// Its dimensions.
        dimensions: usize,
    },
    /// A dimension that is not there.
    #[error("`{text}` names none of the dimensions of {network}, 0 to {last}")]
    NoSuchDimension {
        /// What was written.
        text: String,
        /// The network.
        network: String,
        /// Its last dimension.
        last: usize,
    },
    /// All lines have one node.
    #[error(
        "the lines along dimension {dimension} of {network} have one member each, which has no other member to send to"
    )]
    AllOfOne {
        /// The dimension.
        dimension: usize,
        /// The network.
        network: String,
    },
}

/// The groups of that name; `None` where it is none of the [`NAMES`].
///
/// # Errors
/// [`GroupError`] where the network has no such groups.
pub fn parse(text: &str, network: &Network) -> Option<Result<Vec<Vec<Node>>, GroupError>> {
    let dimension = text.strip_prefix("dim:");
    if dimension.is_none() && !["rows", "columns"].contains(&text) {
        return None;
    }
    Some(sizes(network).and_then(|sizes| {
        let (name, count) = (network.name().to_owned(), sizes.len());
        let chosen =
            match dimension {
                Some(number) => number.parse().ok().filter(|k| *k < count).ok_or_else(|| {
                    GroupError::NoSuchDimension { text: text.to_owned(), network: name, last: count - 1 }
                })?,
                None if count != 2 => return Err(GroupError::NotTwo { network: name, dimensions: count }),
                None => usize::from(text == "rows"),
            };
        lines(network, &sizes, chosen)
    }))
}

/// The sizes of the dimensions of the network, before it was damaged.
fn sizes(network: &Network) -> Result<Vec<u32>, GroupError> {
    let whole = network.name().split(" without ").next().unwrap_or_default();
    let topology = topologies::topology(whole).ok();
    let sizes = topology.and_then(|topology| topology.dimensions());
    let fits = |sizes: &Vec<u32>| {
        let nodes = sizes.iter().map(|size| u64::from(*size)).product::<u64>();
        !sizes.is_empty() && nodes == network.node_count() as u64
    };
    sizes.filter(fits).ok_or_else(|| GroupError::NoDimensions { network: network.name().to_owned() })
}

fn lines(network: &Network, sizes: &[u32], dimension: usize) -> Result<Vec<Vec<Node>>, GroupError> {
    let stride: u32 = sizes[dimension + 1..].iter().product();
    let mut lines: BTreeMap<u32, Vec<Node>> = BTreeMap::new();
    for node in network.members() {
        let coordinate = node.0 / stride % sizes[dimension];
        lines.entry(node.0 - coordinate * stride).or_default().push(*node);
    }
    let lines: Vec<Vec<Node>> = lines.into_values().filter(|line| line.len() > 1).collect();
    if lines.is_empty() {
        return Err(GroupError::AllOfOne { dimension, network: network.name().to_owned() });
    }
    Ok(lines)
}

impl<'a> Selection<'a> {
    /// One selection for each group and each root, whose collectives are done at once.
    pub(crate) fn parts(&self) -> Result<Vec<Self>, SelectionError> {
        if self.root.is_some() && self.roots.is_some() {
            return Err(SelectionError::RootAndList);
        }
        let Some(groups) = &self.groups else { return Ok(self.with_each_root(self.roots.as_deref())) };
        if self.senders.is_some() || self.receivers.is_some() {
            return Err(SelectionError::GroupsAndLists);
        }
        let group_of = disjoint(groups)?;
        let all_roots = self.roots.clone().or(self.root.map(|root| vec![root]));
        if let Some(root) = all_roots.iter().flatten().find(|root| !group_of.contains_key(root)) {
            return Err(SelectionError::RootOutside { root: *root });
        }
        // Counts are in the order of the nodes, as `group_of` is.
        let count_of: Option<BTreeMap<Node, u32>> = match &self.counts {
            Some(counts) if counts.len() != group_of.len() => {
                let (given, nodes) = (counts.len(), group_of.len());
                return Err(SelectionError::CountsOf { given, nodes, whose: "members of the groups" });
            }
            counts => counts.as_ref().map(|counts| group_of.keys().copied().zip(counts.iter().copied()).collect()),
        };
        let whole = Selection { root: None, roots: None, groups: None, counts: None, ..self.clone() };
        let mut parts = Vec::new();
        for (group, members) in groups.iter().enumerate() {
            let inside = |root: &Node| group_of.get(root) == Some(&group);
            let roots: Option<Vec<Node>> =
                all_roots.as_ref().map(|roots| roots.iter().copied().filter(inside).collect());
            if roots.as_ref().is_some_and(Vec::is_empty) {
                return Err(SelectionError::GroupWithoutRoot { group: group + 1 });
            }
            let mut members = members.clone();
            members.sort_unstable();
            let part = Selection {
                counts: count_of.as_ref().map(|of| members.iter().map(|node| of[node]).collect()),
                default_senders: Some(members.clone()),
                default_receivers: Some(members),
                ..whole.clone()
            };
            parts.extend(part.with_each_root(roots.as_deref()));
        }
        Ok(parts)
    }

    fn with_each_root(&self, roots: Option<&[Node]>) -> Vec<Self> {
        let with = |root| Selection { root, roots: None, ..self.clone() };
        match roots {
            None => vec![with(self.root)],
            Some(roots) => roots.iter().map(|root| with(Some(*root))).collect(),
        }
    }
}

/// The number of each member's group, from 0.
fn disjoint(groups: &[Vec<Node>]) -> Result<BTreeMap<Node, usize>, SelectionError> {
    let mut group_of = BTreeMap::new();
    for (group, members) in groups.iter().enumerate() {
        for node in members {
            if let Some(first) = group_of.insert(*node, group) {
                return Err(SelectionError::GroupsMeet { node: *node, first: first + 1, second: group + 1 });
            }
        }
        match members[..] {
            [] => return Err(SelectionError::EmptyGroup { group: group + 1 }),
            [node] => return Err(SelectionError::GroupOfOne { group: group + 1, node }),
            _ => {}
        }
    }
    Ok(group_of)
}

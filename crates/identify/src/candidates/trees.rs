//! Trees, and levels of switches above terminals: the numbers of children, parents and cables stand in the network itself.

use super::{joined, log, only, spec};
use crate::shape::{Shape, fan};
use kernel::Node;

pub(super) fn full_tree(shape: &Shape<'_>) -> Vec<String> {
    let n = shape.nodes;
    let edges = shape.is_direct && shape.channels == 2 * u64::from(n - 1);
    only(edges && n > 2 && log(n + 1, 2).is_some(), || spec("full-tree", &[n], ""))
}

/// Children of a switch, parents of a node below, and cables to each, level by level from below.
struct Levels {
    children: Vec<u32>,
    parents: Vec<u32>,
    cables: Vec<u32>,
}

impl Levels {
    /// As one node of each level has them; `height` levels, of which those above are looked at in another direction.
    fn of(shape: &Shape<'_>, opened: bool) -> Option<Self> {
        if !shape.is_indirect || opened == shape.is_symmetric {
            return None;
        }
        let network = shape.network;
        let stages = shape.levels();
        let mut level = vec![0; network.node_count()];
        for (x, list) in (0..).zip(&stages) {
            list.iter().for_each(|v| level[v.index()] = x);
        }
        let height = if opened { stages.len() / 2 } else { stages.len() - 1 };
        let mut levels = Levels { children: Vec::new(), parents: Vec::new(), cables: Vec::new() };
        for x in 1..=height {
            let below = |v: Node| level[v.index()] == x - 1;
            let above = |v: Node| level[v.index()] == x;
            let (children, cables) = fan(network, *stages[x].first()?, false, &below)?;
            let (parents, _) = fan(network, *stages[x - 1].first()?, true, &above)?;
            levels.children.push(children);
            levels.parents.push(parents);
            levels.cables.push(cables);
        }
        (height > 0).then_some(levels)
    }

    fn is_plain(&self) -> bool {
        self.cables.iter().all(|c| *c == 1)
    }

    /// The parameters as a generalised fat tree.
    fn gft(&self) -> Option<[u32; 3]> {
        let (leaf, rest) = self.children.split_first()?;
        let (first, up) = self.parents.split_first()?;
        let alike = |list: &[u32], n: u32| list.iter().all(|x| *x == n);
        let subtrees = rest.first().copied().unwrap_or(1);
        let fits = self.is_plain() && *first == 1 && alike(rest, subtrees) && alike(up, *leaf);
        fits.then_some([u32::try_from(rest.len()).ok()?, subtrees, *leaf])
    }

    fn xgft(&self) -> Option<String> {
        self.is_plain().then(|| format!("xgft:{};{}", joined(&self.children, ","), joined(&self.parents, ",")))
    }

    fn pgft(&self) -> String {
        let lists = [&self.children, &self.parents, &self.cables];
        format!("pgft:{}", lists.map(|list| joined(list, ",")).join(";"))
    }

    /// The binary tree, or fat tree, of so many parents of each switch.
    fn binary(&self, parents: u32) -> bool {
        let up = || self.parents.iter().skip(1).all(|w| *w == parents);
        self.is_plain() && self.children.iter().all(|m| *m == 2) && self.parents[0] == 1 && up()
    }
}

pub(super) fn binary_tree(shape: &Shape<'_>) -> Vec<String> {
    let levels = Levels::of(shape, false).filter(|levels| levels.binary(1));
    only(levels.is_some(), || spec("binary-tree", &[shape.terminals], ""))
}

pub(super) fn fat_tree(shape: &Shape<'_>) -> Vec<String> {
    let levels = Levels::of(shape, false).filter(|levels| levels.binary(2));
    only(levels.is_some(), || spec("fat-tree", &[shape.terminals], ""))
}

pub(super) fn gft(shape: &Shape<'_>) -> Vec<String> {
    Levels::of(shape, false).and_then(|levels| levels.gft()).map(|p| spec("gft", &p, ",")).into_iter().collect()
}

pub(super) fn xgft(shape: &Shape<'_>) -> Vec<String> {
    Levels::of(shape, false).and_then(|levels| levels.xgft()).into_iter().collect()
}

pub(super) fn pgft(shape: &Shape<'_>) -> Vec<String> {
    Levels::of(shape, false).map(|levels| levels.pgft()).into_iter().collect()
}

pub(super) fn clos(shape: &Shape<'_>) -> Vec<String> {
    let levels = Levels::of(shape, true).filter(|levels| levels.is_plain());
    let of = |levels: Levels| match (&levels.children[..], &levels.parents[..]) {
        ([inputs, outer], [1, middle]) => Some(spec("clos", &[*middle, *inputs, *outer], ",")),
        _ => None,
    };
    levels.and_then(of).into_iter().collect()
}

pub(super) fn opened(shape: &Shape<'_>) -> Vec<String> {
    let Some(levels) = Levels::of(shape, true) else { return Vec::new() };
    let inner = levels.gft().map(|p| spec("gft", &p, ",")).or_else(|| levels.xgft()).unwrap_or_else(|| levels.pgft());
    vec![format!("opened:{inner}")]
}

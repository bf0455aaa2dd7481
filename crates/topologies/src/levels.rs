//! **What:** networks whose switches stand in levels above the terminals: what fat trees of all kinds, open or folded, and
//! Clos networks have in common.
//!
//! **Theory.** Level 0 are the terminals, levels 1 to H switches. A subtree of height x has m₁·…·mₓ terminals and w₁·…·wₓ
//! roots; so a node of level x is a pair: which subtree it is a root of, and which root of it. Its parents are the wₓ₊₁
//! roots `root·wₓ₊₁ + c` of the next larger subtree, to each of which pₓ₊₁ parallel links lead. This is the wiring of
//! XGFT(H; m; w) and PGFT(H; m; w; p), with numbers that make a route's choices the digits of the roots it passes.
//!
//! Opened at the top, the switches below it are there twice, once for the way up and once for the way down: 2H − 1 stages
//! of channels in one direction.
//!
//! **Source:** S. R. Öhring, M. Ibel, S. K. Das, M. J. Kumar, On generalized fat trees, IPPS 1995; E. Zahavi, Fat-tree routing
//! and node ordering providing contention free traffic for MPI global collectives, JPDC 2012 (parallel links)

use crate::build;
use crate::registry::ClosedForms;
use kernel::Network;

/// How nodes are numbered, and whether the network is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Links; switches of a level by subtree, then root.
    Plain,
    /// Links; as [`Numbering::Plain`], but the choice of the lowest level counts least in a root's number.
    LowFirst,
    /// Channels of one direction, from the terminals up to the top and down to the terminals again.
    Opened,
}

/// A node: its level, the subtree that it is a root of, which root, and whether it is on the way down of an opened network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// 0 for terminals.
    pub level: usize,
    /// Which subtree of that height.
    pub subtree: u32,
    /// Which of its roots.
    pub root: u32,
    /// Only in opened networks below the top.
    pub down: bool,
}

/// Terminals under levels of switches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Levels {
    children: Vec<u32>,
    parents: Vec<u32>,
    cables: Vec<u32>,
    numbering: Numbering,
}

impl Levels {
    /// Levels from below: children a switch, parents a node of the level beneath, and cables to each. `None` where the lists
    /// differ in length or are empty, a number is 0, there is but one terminal, or sizes overflow.
    pub fn new(children: &[u32], parents: &[u32], cables: &[u32], numbering: Numbering) -> Option<Self> {
        let sound = !children.is_empty()
            && (children.len(), children.len()) == (parents.len(), cables.len())
            && [children, parents, cables].concat().iter().all(|n| *n > 0)
            && build::product(children).is_some_and(|n| n > 1)
            && build::product(parents).is_some();
        let levels =
            || Levels { children: children.to_vec(), parents: parents.to_vec(), cables: cables.to_vec(), numbering };
        sound.then(levels)
    }

    /// The same levels, numbered in another way.
    pub fn numbered(self, numbering: Numbering) -> Self {
        Levels { numbering, ..self }
    }

    /// Levels of switches.
    pub fn height(&self) -> usize {
        self.children.len()
    }

    /// Whether it is opened at the top.
    pub fn is_opened(&self) -> bool {
        self.numbering == Numbering::Opened
    }

    /// Children of a switch of `level`, which is at least 1.
    pub fn children(&self, level: usize) -> u32 {
        self.children[level - 1]
    }

    /// Parents of a node below `level`, which is at least 1.
    pub fn parents(&self, level: usize) -> u32 {
        self.parents[level - 1]
    }

    /// Links between a node below `level`, which is at least 1, and each parent.
    pub fn cables(&self, level: usize) -> u32 {
        self.cables[level - 1]
    }

    /// Terminals of a subtree of that height.
    pub fn terminals_below(&self, height: usize) -> u32 {
        self.children[..height].iter().product()
    }

    /// Roots of a subtree of that height.
    pub fn roots(&self, height: usize) -> u32 {
        self.parents[..height].iter().product()
    }

    /// Terminals.
    pub fn terminals(&self) -> u32 {
        self.terminals_below(self.height())
    }

    /// Nodes of a level, those on the way down not counted.
    pub fn nodes_of(&self, level: usize) -> u64 {
        u64::from(self.terminals() / self.terminals_below(level)) * u64::from(self.roots(level))
    }

    /// Switches on the way up and at the top, and on the way down of an opened network.
    fn switches(&self) -> u128 {
        let count =
            |levels: std::ops::RangeInclusive<usize>| levels.map(|x| u128::from(self.nodes_of(x))).sum::<u128>();
        let height = self.height();
        count(1..=height) + if self.is_opened() { count(1..=height - 1) } else { 0 }
    }

    /// The number of a node.
    pub fn node(&self, place: Place) -> u32 {
        let Place { level, subtree, root, down } = place;
        let (height, terminals) = (self.height(), u64::from(self.terminals()));
        let before: u64 = match (level, down && level < height) {
            (0, _) => 0,
            (_, false) => terminals + (1..level).map(|x| self.nodes_of(x)).sum::<u64>(),
            (_, true) => {
                terminals
                    + (1..=height).map(|x| self.nodes_of(x)).sum::<u64>()
                    + (level + 1..height).map(|x| self.nodes_of(x)).sum::<u64>()
            }
        };
        let root = if self.numbering == Numbering::LowFirst { self.turned(level, root) } else { root };
        let number = before + u64::from(subtree) * u64::from(self.roots(level)) + u64::from(root);
        u32::try_from(number).expect("sizes are checked before anything is built")
    }

    /// A root's number with its choices in the other order.
    fn turned(&self, level: usize, root: u32) -> u32 {
        let chosen = build::digits(root, &self.parents[..level]);
        let back = |turned, (choice, of): (&u32, &u32)| turned * of + choice;
        chosen.iter().zip(&self.parents[..level]).rev().fold(0, back)
    }

    /// The parent that a node's up-port leads to; ports count parents first, then cables.
    pub fn parent(&self, place: Place, port: u32) -> Place {
        let (level, parents) = (place.level + 1, self.parents[place.level]);
        Place {
            level,
            subtree: place.subtree / self.children[place.level],
            root: place.root * parents + port % parents,
            down: place.down,
        }
    }

    /// Up-ports of a node of that level, which is below the top.
    pub fn up_ports(&self, level: usize) -> u32 {
        self.parents[level].saturating_mul(self.cables[level])
    }

    /// Every node, in no particular order.
    pub fn all(&self) -> impl Iterator<Item = Place> + '_ {
        let down = |level: usize| self.is_opened() && (1..self.height()).contains(&level);
        (0..=self.height()).flat_map(move |level| {
            let again = self.places(level).filter(move |_| down(level)).map(|p| Place { down: true, ..p });
            self.places(level).chain(again)
        })
    }

    /// All nodes of a level, subtree by subtree.
    fn places(&self, level: usize) -> impl Iterator<Item = Place> + use<> {
        let (subtrees, roots) = (self.terminals() / self.terminals_below(level), self.roots(level));
        let place = move |subtree| (0..roots).map(move |root| Place { level, subtree, root, down: false });
        (0..subtrees).flat_map(place)
    }

    /// Closed forms: counts, distances, and that all terminals are alike.
    pub(crate) fn closed_forms(&self) -> ClosedForms {
        let clamp = |n: u128| u64::try_from(n).unwrap_or(u64::MAX);
        let height = self.height();
        let (n, ports) = (u64::from(self.terminals()), u64::from(self.parents[0]) * u64::from(self.cables[0]));
        let up: u128 = (0..height).map(|x| u128::from(self.nodes_of(x)) * u128::from(self.up_ports(x))).sum();
        let forms = ClosedForms {
            degree: Some((ports, ports)),
            ..ClosedForms::hosts(n, clamp(self.switches()), clamp(2 * up))
        };
        if self.is_opened() {
            return forms.equidistant(2 * height as u64).transitive(true);
        }
        let below = |x: usize| u128::from(self.terminals_below(x));
        let met_at = |x: usize| 2 * x as u128 * (below(x) - below(x - 1));
        let highest = (1..=height).rev().find(|x| self.children(*x) > 1).unwrap_or(0);
        let distances = u128::from(n) * (1..=height).map(met_at).sum::<u128>();
        forms.diameter(2 * highest as u64).distances(distances).transitive(true)
    }

    /// The network; switches are labelled by their level, counted from `lowest`, and their number in it, those on the way
    /// down with a prime.
    pub(crate) fn network(&self, name: String, lowest: usize) -> Network {
        let mut channels = Vec::new();
        for level in 0..self.height() {
            for place in self.places(level) {
                for port in 0..self.up_ports(level) {
                    let parent = self.parent(place, port);
                    channels.push((self.node(place), self.node(parent)));
                    let (place, parent) = match self.is_opened() {
                        true => (Place { down: true, ..place }, Place { down: true, ..parent }),
                        false => (place, parent),
                    };
                    channels.push((self.node(parent), self.node(place)));
                }
            }
        }
        let terminals = self.terminals();
        let mut labels: Vec<String> = (0..terminals).map(|t| t.to_string()).collect();
        let label =
            |level: usize, prime| (0..self.nodes_of(level)).map(move |a| format!("{}:{a}{prime}", level - 1 + lowest));
        (1..=self.height()).for_each(|level| labels.extend(label(level, "")));
        if self.is_opened() {
            (1..self.height()).rev().for_each(|level| labels.extend(label(level, "'")));
        }
        let nodes = u32::try_from(labels.len()).expect("sizes are checked before anything is built");
        build::indirect(name, terminals, Some(labels), nodes, channels)
    }

    /// Automorphisms that turn one digit of the terminals' numbers each, and leave every root's number alone.
    pub(crate) fn automorphisms(&self) -> Vec<Vec<u32>> {
        (1..=self.height()).map(|turned| self.turn(turned)).collect()
    }

    fn turn(&self, turned: usize) -> Vec<u32> {
        let image = |place: Place| {
            // The digit that counts the subtrees of height `turned` − 1 within one of height `turned`.
            let scale = if place.level < turned {
                self.terminals_below(turned - 1) / self.terminals_below(place.level)
            } else {
                return self.node(place);
            };
            let of = self.children(turned);
            let digit = place.subtree / scale % of;
            let subtree = place.subtree - digit * scale + (digit + 1) % of * scale;
            self.node(Place { subtree, ..place })
        };
        let nodes = u128::from(self.terminals()) + self.switches();
        let mut images = vec![0; usize::try_from(nodes).expect("it was built")];
        self.all().for_each(|place| images[self.node(place) as usize] = image(place));
        images
    }
}

//! **What:** a network put together from the named nodes and links of a text, with the place of each for errors.

use super::NetworkFile;
use super::about::About;
use super::carries::{self, Carries};
use crate::positions::millionths;
use crate::schedule_json::most_nodes;
use crate::{Fault, Place, ReadError};
use kernel::timed::Links;
use kernel::{Network, NetworkData, NetworkError, Ports, Rational};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

/// The keys of `docs/networks.md`.
const USED: &str =
    "of links `capacity`, `bandwidth`, `latency`, of nodes `role`, `label`, `transit`, `ports`, `x`, `y`";

/// Most bytes of a node's name.
const LONGEST_NAME: usize = 1000;

/// An error at a place of a text file, about a field and a text.
pub(super) fn fault(path: &Path, place: Place, field: Option<String>, text: &str, message: &str) -> ReadError {
    let text = (!text.is_empty()).then(|| crate::error::shortened(text));
    ReadError { place: Some(place), field, text, ..ReadError::new(path, Fault::Syntax(message.into())) }
}

/// Nodes and channels as they come.
#[derive(Default)]
pub(super) struct Assembly {
    pub name: String,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    pub about: Vec<About>,
    channels: Vec<(u32, u32)>,
    carries: Vec<Carries>,
    places: Vec<Place>,
    /// Attributes that mean nothing here.
    pub ignored: BTreeSet<String>,
    /// What people should know of how the file was read.
    notes: Vec<String>,
    /// The channels there are, where none may repeat.
    distinct: Option<std::collections::HashSet<(u32, u32)>>,
}

impl Assembly {
    /// From here on a repeated channel is the same channel.
    pub(super) fn without_repetition(&mut self) {
        self.distinct = Some(Default::default());
    }

    /// The node of that name, made on first sight; and whether it is new.
    pub(super) fn node(&mut self, name: &str) -> (u32, bool) {
        if let Some(&node) = self.numbers.get(name) {
            return (node, false);
        }
        let node = kernel::Node::new(self.names.len()).0;
        self.names.push(name.to_owned());
        self.numbers.insert(name.to_owned(), node);
        self.about.push(About::default());
        (node, true)
    }

    /// The name of a node.
    pub(super) fn name_of(&self, node: u32) -> &str {
        &self.names[node as usize]
    }

    /// One channel.
    pub(super) fn channel(&mut self, from: u32, to: u32, carries: Carries, place: Place) {
        if self.distinct.as_mut().is_some_and(|seen| !seen.insert((from, to))) {
            return;
        }
        self.channels.push((from, to));
        self.carries.push(carries);
        self.places.push(place);
    }

    /// A channel each way, the one from `a` first.
    pub(super) fn link(&mut self, a: u32, b: u32, carries: Carries, place: Place) {
        self.channel(a, b, carries, place);
        self.channel(b, a, carries, place);
    }

    /// Notes an attribute that means nothing here.
    pub(super) fn ignore(&mut self, name: &str) {
        if !name.is_empty() && !self.ignored.contains(name) {
            self.ignored.insert(name.to_owned());
        }
    }

    /// One number a channel, or none anywhere.
    fn numbers<T: Copy>(
        &self,
        path: &Path,
        name: &str,
        of: impl Fn(&Carries) -> Option<T>,
    ) -> Result<Option<Vec<T>>, ReadError> {
        let Some(with) = self.carries.iter().position(|carries| of(carries).is_some()) else { return Ok(None) };
        let Some(without) = self.carries.iter().position(|carries| of(carries).is_none()) else {
            return Ok(self.carries.iter().map(of).collect());
        };
        let between = |channel: usize| {
            let (a, b) = self.channels[channel];
            format!("link {} {}", self.name_of(a), self.name_of(b))
        };
        let why = format!("has no `{name}`, as {} has; all need one", between(with));
        Err(fault(path, self.places[without], Some(between(without)), "", &why))
    }

    /// Bandwidths and latencies, where channels have bandwidths; latencies alone mean nothing.
    fn links(&mut self, path: &Path) -> Result<Option<Links>, ReadError> {
        let mut bandwidth = self.numbers(path, "bandwidth", |carries| carries.bandwidth)?;
        if bandwidth.is_none() && self.carries.iter().any(|carries| carries.speed.is_some()) {
            bandwidth = self.carries.iter().map(|carries| carries.speed).collect();
            if bandwidth.is_none() {
                self.ignore(carries::SPEED_OF_SOME);
            }
        }
        let Some(bandwidth) = bandwidth else {
            if self.carries.iter().any(|carries| carries.latency.is_some()) {
                self.ignore("latency");
            }
            return Ok(None);
        };
        let latency = self.numbers(path, "latency", |carries| carries.latency)?.unwrap_or_default();
        Ok(Some(Links { bandwidth, latency, ..Links::default() }))
    }

    /// Capacities as whole numbers: where some are fractions, all are multiplied by the least number that makes them whole.
    fn capacities(&mut self, path: &Path) -> Result<Option<Vec<u32>>, ReadError> {
        let one = Rational::whole(1);
        let all: Vec<Rational> = self.carries.iter().map(|carries| carries.capacity.unwrap_or(one)).collect();
        if self.carries.iter().all(|carries| carries.capacity.is_none()) {
            return Ok(None);
        }
        let (whole, times) = carries::whole(&all).ok_or_else(|| {
            let why = "the capacities of the network have no common measure that 32 bits hold";
            ReadError::new(path, Fault::Syntax(why.into()))
        })?;
        if times > 1 {
            self.notes.push(carries::multiplied(times));
        }
        Ok(Some(whole))
    }

    /// Where the nodes are, if all say so and not all are at one place.
    fn positions(&mut self, order: &[usize]) -> Option<Vec<(i64, i64)>> {
        let place = |&at: &usize| {
            let About { x, y, .. } = self.about[at];
            Some((millionths(x?), millionths(-y?)))
        };
        let all: Option<Vec<(i64, i64)>> = order.iter().map(place).collect();
        if all.is_none() && self.about.iter().any(|about| about.x.is_some() || about.y.is_some()) {
            self.ignore("the positions, which not all nodes have");
        }
        all.filter(|all| all.iter().any(|place| Some(place) != all.first()))
    }

    /// The number each node gets: its name where the names are 0 to n − 1, else its position.
    fn numbering(&self) -> Option<Vec<u32>> {
        let nodes = self.names.len();
        let canonical =
            |name: &String| name.parse().ok().filter(|at: &u32| (*at as usize) < nodes && at.to_string() == *name);
        // Names are distinct, so all are there once each is in range.
        self.names.iter().map(canonical).collect()
    }

    /// The network.
    pub(super) fn finish(mut self, path: &Path) -> Result<NetworkFile, ReadError> {
        let nodes = self.names.len();
        let limit = most_nodes(u64::MAX);
        if nodes > limit as usize {
            return Err(ReadError::new(path, Fault::TooManyNodes { nodes: nodes as u64, limit }));
        }
        if let Some(name) = self.names.iter().find(|name| name.len() > LONGEST_NAME) {
            let why = format!("the name of a node is longer than {LONGEST_NAME} bytes");
            let text = Some(crate::error::shortened(name));
            return Err(ReadError { text, ..ReadError::new(path, Fault::Syntax(why)) });
        }
        let links = self.links(path)?;
        let numbering = self.numbering();
        let named = numbering.is_none();
        let numbering = numbering.unwrap_or_else(|| (0..kernel::Node::new(nodes).0).collect());
        let mut order = vec![0; nodes];
        for (at, &number) in numbering.iter().enumerate() {
            order[number as usize] = at;
        }
        let (positions, capacities) = (self.positions(&order), self.capacities(path)?);
        let labelled = named || self.about.iter().any(|a| a.label.is_some());
        let label = |&at: &usize| self.about[at].label.clone().unwrap_or_else(|| self.names[at].clone());
        let numbers_where = |wanted: &dyn Fn(&About) -> bool| -> Vec<u32> {
            (0u32..).zip(&order).filter(|(_, at)| wanted(&self.about[**at])).map(|(number, _)| number).collect()
        };
        let roles = self.about.iter().any(|a| a.terminal.is_some());
        let ports = |of: fn(&About) -> Option<u32>| {
            let list: Vec<Option<u32>> = order.iter().map(|&at| of(&self.about[at])).collect();
            match list.first() {
                Some(&first) if list.iter().all(|ports| *ports == first) => first.map_or(Ports::All, Ports::Each),
                _ => Ports::List(list),
            }
        };
        let (send_ports, receive_ports) = (ports(|about| about.send_ports), ports(|about| about.receive_ports));
        let relabelled = self.about.iter().any(|a| a.label.is_some());
        let parts = NetworkData {
            name: if self.name.is_empty() { crate::file::title(path) } else { self.name.clone() },
            nodes: kernel::Node::new(nodes).0,
            labels: labelled.then(|| order.iter().map(label).collect()),
            ids: (named && relabelled).then(|| order.iter().map(|&at| self.names[at].clone()).collect()),
            positions,
            terminals: roles.then(|| numbers_where(&|a| a.terminal != Some(false))),
            no_transit: numbers_where(&|a| a.no_transit),
            channels: self.channels.iter().map(|&(a, b)| (numbering[a as usize], numbering[b as usize])).collect(),
            capacities,
            send_ports,
            receive_ports,
            ..NetworkData::default()
        };
        let (ignored, notes) = (self.ignored.into_iter().collect(), self.notes);
        let made =
            Network::new(parts).map(|network| NetworkFile { links, ignored, used: USED, notes, ..network.into() });
        made.map_err(|error| {
            let (place, field) = match &error {
                NetworkError::Loop { channel, .. } => {
                    let at = self.channels[*channel as usize].0 as usize;
                    (Some(self.places[*channel as usize]), Some(format!("node {}", self.names[at])))
                }
                _ => (None, None),
            };
            ReadError { place, field, ..ReadError::new(path, Fault::Network(error)) }
        })
    }
}

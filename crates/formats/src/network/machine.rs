//! **What:** a machine of GPUs as its own tools describe it, made into the network of one such machine or of several.
//!
//! **Facts:** GPUs are the terminals; they store what they send on, so no path passes through one. NVLinks that join all GPUs are
//! the network within a machine, and its PCIe is left out; where they do not, PCIe is the network. Several machines are joined by their NICs
//! at one switch that holds up nothing. A NIC hangs on the GPUs that are nearest to it, and where there is the tree of PCIe, on that.
//! A rate that neither the file nor the user says is an error, never a guess.

use super::NetworkFile;
use crate::{Fault, Place, ReadError};
use kernel::timed::Links;
use kernel::{Network, NetworkData, Node, Rational};
use std::collections::BTreeSet;
use std::path::Path;

/// Most machines, and most nodes of all of them together.
const MOST_MACHINES: u32 = 4096;
const MOST_NODES: usize = 1 << 20;

/// A kind of connection of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wire {
    /// One NVLink.
    Nvlink,
    /// A network interface.
    Nic,
    /// A device, or a switch, on PCIe.
    Pcie,
    /// A processor to the others.
    Socket,
}

impl Wire {
    /// Its name, which is also that of the flag of the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Wire::Nvlink => "nvlink",
            Wire::Nic => "nic",
            Wire::Pcie => "pcie",
            Wire::Socket => "socket",
        }
    }
}

/// What a description of a machine does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineSettings {
    /// How many such machines there are, at least 1.
    pub machines: u32,
    /// Rates each way in GB/s, where they are given; they count more than those of the file.
    pub rates: Vec<(Wire, Rational)>,
    /// Latencies in microseconds, where they are given; others are 0.
    pub latencies: Vec<(Wire, Rational)>,
}

impl Default for MachineSettings {
    fn default() -> Self {
        MachineSettings { machines: 1, rates: Vec::new(), latencies: Vec::new() }
    }
}

/// What a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Gpu,
    Nic,
    Switch,
}

#[derive(Debug)]
pub(super) struct Device {
    pub label: String,
    pub kind: Kind,
    pub place: Place,
    /// GB/s of a NIC, where the file says it.
    pub rate: Option<Rational>,
}

/// Connections of two devices.
#[derive(Debug)]
pub(super) struct Connection {
    pub ends: [usize; 2],
    pub wire: Wire,
    pub count: u32,
    /// GB/s of one of them, where the file says it.
    pub rate: Option<Rational>,
}

/// A machine as read.
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub devices: Vec<Device>,
    pub nvlinks: Vec<Connection>,
    /// The tree of PCIe and processors.
    pub buses: Vec<Connection>,
    /// A GPU and the NIC that it uses.
    pub near: Vec<[usize; 2]>,
    pub ignored: BTreeSet<String>,
}

/// Channels each way, as they come to be.
struct Joined {
    ends: [usize; 2],
    /// What it has the latency of; nothing for what leads from a GPU to its NIC, since the NIC's counts at the fabric.
    wire: Option<Wire>,
    bandwidth: Rational,
}

/// A NIC, as what leads to the other machines.
struct Outside {
    nic: usize,
    bandwidth: Rational,
}

/// Rates, and which of the given ones were needed.
struct Rates<'a> {
    path: &'a Path,
    given: &'a [(Wire, Rational)],
    used: BTreeSet<Wire>,
}

impl Rates<'_> {
    fn of(&mut self, wire: Wire, own: Option<Rational>, place: Place, device: &str) -> Result<Rational, ReadError> {
        self.used.insert(wire);
        let given = self.given.iter().find(|(of, _)| *of == wire).map(|(_, rate)| *rate);
        given.or(own).filter(|rate| rate.numerator > 0).ok_or_else(|| {
            let field = Some(device.to_owned());
            ReadError { place: Some(place), field, ..ReadError::new(self.path, Fault::NoRate(wire)) }
        })
    }

    /// Errors are about the device `named`.
    fn joined(&mut self, machine: &Machine, connection: &Connection, named: usize) -> Result<Joined, ReadError> {
        let device = &machine.devices[named];
        let rate = self.of(connection.wire, connection.rate, device.place, &device.label)?;
        let times = rate.numerator.checked_mul(connection.count.into());
        let why = || Fault::Syntax(format!("{} links of {rate} GB/s need more than 64 bits", connection.count));
        let numerator = times.ok_or_else(|| ReadError::new(self.path, why()))?;
        Ok(Joined {
            ends: connection.ends,
            wire: Some(connection.wire),
            bandwidth: Rational::new(numerator, rate.denominator),
        })
    }
}

impl Machine {
    /// A new device; gives its number.
    pub(super) fn device(&mut self, label: String, kind: Kind, place: Place) -> usize {
        self.devices.push(Device { label, kind, place, rate: None });
        self.devices.len() - 1
    }

    /// The devices of a kind.
    pub(super) fn all(&self, kind: Kind) -> Vec<usize> {
        (0..self.devices.len()).filter(|at| self.devices[*at].kind == kind).collect()
    }

    /// Gives every GPU the NIC that is best for it; GPUs with the same choice take turns.
    pub(super) fn choose_nics(&mut self, distance: impl Fn(usize, usize) -> u32) {
        let nics = self.all(Kind::Nic);
        let mut alike: Vec<(Vec<usize>, usize)> = Vec::new();
        for gpu in self.all(Kind::Gpu) {
            let Some(least) = nics.iter().map(|nic| distance(gpu, *nic)).min() else { return };
            let best: Vec<usize> = nics.iter().copied().filter(|nic| distance(gpu, *nic) == least).collect();
            let at = alike.iter().position(|(list, _)| *list == best).unwrap_or_else(|| {
                alike.push((best.clone(), 0));
                alike.len() - 1
            });
            self.near.push([gpu, best[alike[at].1 % best.len()]]);
            alike[at].1 += 1;
        }
    }

    /// The first GPU to which NVLinks alone do not lead from the first of all.
    fn apart(&self) -> Option<usize> {
        let mut reached = vec![false; self.devices.len()];
        let mut lists = vec![Vec::new(); self.devices.len()];
        for connection in &self.nvlinks {
            let [a, b] = connection.ends;
            lists[a].push(b);
            lists[b].push(a);
        }
        let gpus = self.all(Kind::Gpu);
        let mut stack: Vec<usize> = gpus.first().copied().into_iter().collect();
        while let Some(at) = stack.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                stack.extend(&lists[at]);
            }
        }
        gpus.into_iter().find(|gpu| !reached[*gpu])
    }

    /// The network of so many such machines.
    pub(super) fn network(self, settings: &MachineSettings, path: &Path) -> Result<NetworkFile, ReadError> {
        let gpus = self.all(Kind::Gpu);
        let refuse = |why: String| ReadError::new(path, Fault::Syntax(why));
        if gpus.is_empty() {
            return Err(refuse("it describes no GPU".into()));
        }
        let machines = settings.machines;
        if machines > MOST_MACHINES || self.devices.len().saturating_mul(machines as usize) > MOST_NODES {
            let most = (MOST_NODES / self.devices.len()).min(MOST_MACHINES as usize);
            return Err(refuse(format!("{machines} machines of {} devices are more than {most}", self.devices.len())));
        }
        let mut rates = Rates { path, given: &settings.rates, used: BTreeSet::new() };
        let mut joined = Vec::new();
        for connection in &self.nvlinks {
            joined.push(rates.joined(&self, connection, connection.ends[0])?);
        }
        let apart = self.apart();
        if let Some(gpu) = apart {
            // Where the file says no rate at all, it is a GPU that needs one.
            let silent = self.buses.iter().all(|connection| connection.rate.is_none());
            for connection in &self.buses {
                // Without a fabric, NICs lead nowhere.
                let leads = |end: &usize| machines > 1 || self.devices[*end].kind != Kind::Nic;
                if connection.ends.iter().all(leads) {
                    let named = if silent && connection.wire == Wire::Pcie { gpu } else { connection.ends[0] };
                    joined.push(rates.joined(&self, connection, named)?);
                }
            }
        }
        let mut outside = Vec::new();
        if machines > 1 {
            let used: BTreeSet<usize> = self.near.iter().map(|[_, nic]| *nic).collect();
            if used.is_empty() {
                return Err(refuse("it describes no NIC, by which several machines could be joined".into()));
            }
            for nic in used {
                let device = &self.devices[nic];
                let bandwidth = rates.of(Wire::Nic, device.rate, device.place, &device.label)?;
                outside.push(Outside { nic, bandwidth });
            }
            if apart.is_none() {
                let rate = |nic| outside.iter().find(|of| of.nic == nic).expect("NICs in use are outside").bandwidth;
                let hung = |&[gpu, nic]: &[usize; 2]| Joined { ends: [gpu, nic], wire: None, bandwidth: rate(nic) };
                joined.extend(self.near.iter().map(hung));
            }
        }
        if let Some((wire, _)) =
            settings.rates.iter().chain(&settings.latencies).find(|(wire, _)| !rates.used.contains(wire))
        {
            return Err(ReadError::new(path, Fault::UnusedRate(*wire)));
        }
        self.copied(&joined, &outside, settings, path)
    }

    /// So many copies: the GPUs of all first, then switches and NICs that something leads to, then what joins the machines.
    fn copied(
        self,
        joined: &[Joined],
        outside: &[Outside],
        settings: &MachineSettings,
        path: &Path,
    ) -> Result<NetworkFile, ReadError> {
        let mut kept: Vec<usize> = self.all(Kind::Gpu);
        let gpus = kept.len();
        let leads_to: BTreeSet<usize> = joined.iter().flat_map(|joined| joined.ends).collect();
        kept.extend(leads_to.into_iter().filter(|at| self.devices[*at].kind != Kind::Gpu));
        let (all, others) = (settings.machines as usize, kept.len() - gpus);
        let mut position = vec![0; self.devices.len()];
        kept.iter().enumerate().for_each(|(at, device)| position[*device] = at);
        let node = |machine: usize, device: usize| -> u32 {
            let at = position[device];
            Node::new(if at < gpus { machine * gpus + at } else { all * gpus + machine * others + at - gpus }).0
        };
        let nodes = all * kept.len() + usize::from(all > 1);
        let mut labels = vec![String::from("fabric"); nodes];
        let mut channels = Vec::new();
        let mut links = Links::default();
        let mut join = |a: u32, b: u32, rate: Rational, wire: Option<Wire>| {
            channels.extend([(a, b), (b, a)]);
            links.bandwidth.extend([rate; 2]);
            if !settings.latencies.is_empty() {
                let latency = settings.latencies.iter().find(|(of, _)| Some(*of) == wire);
                links.latency.extend([latency.map_or(Rational::whole(0), |(_, latency)| *latency); 2]);
            }
        };
        for machine in 0..all {
            for &device in &kept {
                let label = &self.devices[device].label;
                let label = if all == 1 { label.clone() } else { format!("node{machine}.{label}") };
                labels[node(machine, device) as usize] = label;
            }
            joined.iter().for_each(|j| join(node(machine, j.ends[0]), node(machine, j.ends[1]), j.bandwidth, j.wire));
            let fabric = Node::new(nodes - 1).0;
            outside.iter().for_each(|of| join(node(machine, of.nic), fabric, of.bandwidth, Some(Wire::Nic)));
        }
        let terminals: Vec<u32> = (0..Node::new(all * gpus).0).collect();
        let data = NetworkData {
            name: crate::file::title(path),
            nodes: Node::new(nodes).0,
            labels: Some(labels),
            terminals: Some(terminals.clone()),
            no_transit: terminals,
            channels,
            ..NetworkData::default()
        };
        let network = Network::new(data).map_err(|error| ReadError::new(path, Fault::Network(error)))?;
        Ok(NetworkFile { links: Some(links), ignored: self.ignored.into_iter().collect(), ..network.into() })
    }
}

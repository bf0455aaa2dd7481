//! **What:** what families of accelerator machines share: GPUs in machines, and wires with public figures.
//!
//! **Facts:** GPUs come first, machine by machine, then switches. GPUs store what they send on, so no path passes through one: in steps a message
//! to a GPU without a direct way takes several transfers. In steps every channel carries one transfer, whatever its bandwidth.

use crate::registry::{ClosedForms, Topology};
use crate::spec::{Arguments, SpecError};
use kernel::timed::Links;
use kernel::{Network, NetworkData, Node, Rational};

/// Machines of one kind, as many as asked.
pub(crate) struct Machines {
    /// The family's name.
    pub family: &'static str,
    /// GPUs a machine, and what they are called.
    pub gpus: u32,
    pub word: &'static str,
    /// Wires all machines, and joins several.
    pub wire: fn(&mut Cluster),
    /// Closed forms of so many machines.
    pub closed_forms: fn(u64) -> ClosedForms,
}

impl Machines {
    /// The family's member that an argument asks for: 1 to 1024 machines.
    pub(crate) fn read(&'static self, arguments: &Arguments<'_>) -> Result<Box<dyn Topology>, SpecError> {
        Ok(Box::new(Member { kind: self, machines: arguments.one("N", 1..=1024)? }))
    }
}

struct Member {
    kind: &'static Machines,
    machines: u32,
}

impl Member {
    fn cluster(&self) -> Cluster {
        let mut cluster = Cluster::new(self.machines, self.kind.gpus, self.kind.word);
        (self.kind.wire)(&mut cluster);
        cluster
    }
}

impl Topology for Member {
    fn spec(&self) -> String {
        format!("{}:{}", self.kind.family, self.machines)
    }

    fn closed_forms(&self) -> ClosedForms {
        (self.kind.closed_forms)(self.machines.into())
    }

    fn network(&self) -> Network {
        self.cluster().network(self.spec())
    }

    fn links(&self) -> Option<Links> {
        Some(self.cluster().links())
    }
}

/// What a channel carries in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// GB/s.
    pub bandwidth: Rational,
    /// Microseconds.
    pub latency: Rational,
}

impl Rate {
    /// So many tenths of a GB/s, and hundredths of a microsecond.
    pub(crate) fn tenths(bandwidth: u64, hundredths: u64) -> Self {
        Rate { bandwidth: Rational::new(bandwidth, 10), latency: Rational::new(hundredths, 100) }
    }

    /// So many GB/s, where no source gives a latency.
    pub(crate) fn gigabytes(bandwidth: u64) -> Self {
        Self::tenths(10 * bandwidth, 0)
    }
}

/// Machines of GPUs, and how they are wired.
pub(crate) struct Cluster {
    machines: u32,
    gpus: u32,
    labels: Vec<String>,
    channels: Vec<(u32, u32)>,
    rates: Vec<Rate>,
}

impl Cluster {
    /// So many machines of so many GPUs, called by a word and their number.
    pub(crate) fn new(machines: u32, gpus: u32, word: &str) -> Self {
        let labels = (0..machines).flat_map(|c| (0..gpus).map(move |g| format!("node{c}.{word}{g}"))).collect();
        Cluster { machines, gpus, labels, channels: Vec::new(), rates: Vec::new() }
    }

    /// The numbers of the machines.
    pub(crate) fn machines(&self) -> std::ops::Range<u32> {
        0..self.machines
    }

    /// A GPU of a machine.
    pub(crate) fn gpu(&self, machine: u32, gpu: u32) -> u32 {
        machine * self.gpus + gpu
    }

    /// A new switch.
    pub(crate) fn switch(&mut self, label: impl Into<String>) -> u32 {
        self.labels.push(label.into());
        Node::new(self.labels.len() - 1).0
    }

    /// One channel.
    pub(crate) fn channel(&mut self, from: u32, to: u32, rate: Rate) {
        self.channels.push((from, to));
        self.rates.push(rate);
    }

    /// A channel each way.
    pub(crate) fn link(&mut self, a: u32, b: u32, rate: Rate) {
        self.channel(a, b, rate);
        self.channel(b, a, rate);
    }

    /// The network.
    pub(crate) fn network(self, name: String) -> Network {
        let terminals: Vec<u32> = (0..self.machines * self.gpus).collect();
        let nodes = Node::new(self.labels.len()).0;
        let data = NetworkData {
            name,
            nodes,
            labels: Some(self.labels),
            // A list of all nodes says nothing.
            terminals: (terminals.len() < nodes as usize).then(|| terminals.clone()),
            no_transit: terminals,
            channels: self.channels,
            ..NetworkData::default()
        };
        Network::new(data).expect("families name existing, distinct ends")
    }

    /// What its channels carry in time.
    pub(crate) fn links(&self) -> Links {
        let latency = self.rates.iter().map(|rate| rate.latency);
        Links {
            bandwidth: self.rates.iter().map(|rate| rate.bandwidth).collect(),
            latency: if latency.clone().all(|latency| latency.numerator == 0) { Vec::new() } else { latency.collect() },
            ..Links::default()
        }
    }
}

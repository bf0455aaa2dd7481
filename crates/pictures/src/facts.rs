//! **What:** verified schedules and certified bounds as pictures read them, whether every transfer is written down or they are
//! stored as orbits, whose transfers are made step by step and never all at once.

use kernel::orbits::{CertifiedOrbits, OrbitVerdict, VerifiedOrbits};
use kernel::{Certified, Channel, Model, Network, Node, Op, Semantics, Switching, Verdict, Verified};

/// A verified schedule.
#[derive(Clone, Copy, Debug)]
pub enum Ceiling<'a> {
    /// Every transfer written down.
    Plain(&'a Verified),
    /// Stored as orbits.
    Orbits(&'a VerifiedOrbits),
}

/// A certified bound.
#[derive(Clone, Copy, Debug)]
pub enum Floor<'a> {
    /// For messages written down.
    Plain(&'a Certified),
    /// For messages stored as orbits.
    Orbits(&'a CertifiedOrbits),
}

impl<'a> From<&'a Verified> for Ceiling<'a> {
    fn from(schedule: &'a Verified) -> Self {
        Ceiling::Plain(schedule)
    }
}

impl<'a> From<&'a VerifiedOrbits> for Ceiling<'a> {
    fn from(schedule: &'a VerifiedOrbits) -> Self {
        Ceiling::Orbits(schedule)
    }
}

/// One transfer.
pub(crate) struct Sent {
    /// Numbers of its messages.
    pub messages: Vec<u64>,
    /// Whether it replaces what its receiver had instead of merging.
    pub copies: bool,
    pub path: Vec<Channel>,
}

/// One message or chunk.
pub(crate) struct Item {
    pub number: u64,
    pub from: Vec<Node>,
    pub to: Vec<Node>,
}

impl Ceiling<'_> {
    /// The network.
    pub fn network(&self) -> &Network {
        match self {
            Ceiling::Plain(schedule) => schedule.problem().network(),
            Ceiling::Orbits(schedule) => schedule.problem().network(),
        }
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        match self {
            Ceiling::Plain(schedule) => schedule.steps(),
            Ceiling::Orbits(schedule) => schedule.steps(),
        }
    }

    pub(crate) fn title(&self) -> String {
        format!("{} on {}", self.collective(), self.network().name())
    }

    pub(crate) fn collective(&self) -> &str {
        match self {
            Ceiling::Plain(schedule) => schedule.problem().collective().name(),
            Ceiling::Orbits(schedule) => schedule.problem().representatives().collective().name(),
        }
    }

    pub(crate) fn model(&self) -> Model {
        match self {
            Ceiling::Plain(schedule) => schedule.problem().model(),
            Ceiling::Orbits(schedule) => schedule.problem().representatives().model(),
        }
    }

    /// Slots a hop takes and whether slots wrap round, under time-division.
    pub(crate) fn slots(&self) -> Option<(u32, bool)> {
        match self.model().switching {
            Switching::Tdm { hop, cyclic } => Some((hop, cyclic)),
            _ => None,
        }
    }

    pub(crate) fn merges(&self) -> bool {
        matches!(self, Ceiling::Plain(schedule) if schedule.problem().collective().semantics() == Semantics::Reduce)
    }

    pub(crate) fn transfers(&self) -> u64 {
        match self {
            Ceiling::Plain(schedule) => schedule.schedule().transfer_count() as u64,
            Ceiling::Orbits(schedule) => schedule.transfer_count(),
        }
    }

    pub(crate) fn uses(&self) -> u64 {
        match self {
            Ceiling::Plain(schedule) => schedule.schedule().channel_uses() as u64,
            Ceiling::Orbits(schedule) => schedule.channel_uses(),
        }
    }

    pub(crate) fn message_count(&self) -> u64 {
        match self {
            Ceiling::Plain(schedule) => schedule.problem().collective().message_count() as u64,
            Ceiling::Orbits(schedule) => schedule.problem().message_count(),
        }
    }

    /// The transfers of a step.
    pub(crate) fn step(&self, index: usize) -> Vec<Sent> {
        match self {
            Ceiling::Plain(schedule) => {
                let sent = |t: kernel::Transfer<'_>| Sent {
                    messages: t.messages.iter().map(|m| u64::from(m.0)).collect(),
                    copies: t.op == Op::Copy,
                    path: t.path.to_vec(),
                };
                schedule.schedule().step(index).map(sent).collect()
            }
            Ceiling::Orbits(schedule) => {
                let number = |sent: &kernel::orbits::Sent| schedule.problem().number(sent.message, sent.element);
                let sent = |t: kernel::orbits::Sent| Sent { messages: vec![number(&t)], copies: false, path: t.path };
                schedule.step(index).map(sent).collect()
            }
        }
    }

    /// Messages: all of a schedule that is written down; of orbits those of the first `steps` steps, by their numbers.
    pub(crate) fn items(&self, steps: usize) -> Vec<Item> {
        match self {
            Ceiling::Plain(schedule) => {
                let collective = schedule.problem().collective();
                let item = |m: kernel::Message| Item {
                    number: u64::from(m.0),
                    from: collective.contributors(m).to_vec(),
                    to: collective.destinations(m).to_vec(),
                };
                collective.messages().map(item).collect()
            }
            Ceiling::Orbits(schedule) => {
                let problem = schedule.problem();
                let collective = problem.representatives().collective();
                let image = |element, v| problem.translations().image_node(element, v);
                let item = |t: kernel::orbits::Sent| Item {
                    number: problem.number(t.message, t.element),
                    from: vec![image(t.element, collective.origin(t.message))],
                    to: vec![image(t.element, collective.destinations(t.message)[0])],
                };
                let mut items: Vec<Item> = (0..steps).flat_map(|s| schedule.step(s)).map(item).collect();
                items.sort_by_key(|i| i.number);
                items.dedup_by_key(|i| i.number);
                items
            }
        }
    }

    /// Of every node, the messages that start there and those that must end there; of orbits alone.
    pub(crate) fn load_of_nodes(&self) -> Option<(Vec<u64>, Vec<u64>)> {
        let Ceiling::Orbits(schedule) = self else { return None };
        let problem = schedule.problem();
        let (network, collective) = (problem.network(), problem.representatives().collective());
        let base = |v: Node| problem.translations().representative(v, v).0;
        let (mut starts, mut ends) = (vec![0u64; network.node_count()], vec![0u64; network.node_count()]);
        // Every orbit has one image that starts at each node of its origin's orbit, and one that ends at each of the other.
        for message in collective.messages() {
            starts[base(collective.origin(message)).index()] += 1;
            ends[base(collective.destinations(message)[0]).index()] += 1;
        }
        let of = |counts: &[u64], v: Node| if network.is_terminal(v) { counts[base(v).index()] } else { 0 };
        let all = |counts: Vec<u64>| network.nodes().map(|v| of(&counts, v)).collect();
        Some((all(starts), all(ends)))
    }

    /// Whether the bound is of the same problem and as high as the steps.
    pub(crate) fn is_optimal(&self, floor: Option<Floor<'_>>) -> bool {
        match (self, floor) {
            (Ceiling::Plain(ceiling), Some(Floor::Plain(floor))) => {
                Verdict::new(floor.clone(), (*ceiling).clone()).is_ok_and(|v| v.is_optimal())
            }
            (Ceiling::Orbits(ceiling), Some(Floor::Orbits(floor))) => {
                OrbitVerdict::new(floor.clone(), (*ceiling).clone()).is_ok_and(|v| v.is_optimal())
            }
            _ => false,
        }
    }
}

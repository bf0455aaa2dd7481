//! **What:** alltoall on the Swapped Dragonfly under store-and-forward, where in every step all routers do the same: a list of
//! source vectors, each with the step of its first hop, made a [`Claim`].
//!
//! **Rule:** hop 1 of a vector (γ; π, δ) launched in step t uses local port π of all routers in step t, hop 2 global port γ in
//! step t + 1, hop 3 local port δ in step t + 2. Since a vector permutes the routers, there is no conflict where in every step
//! each port but local port 0, which leads nowhere, is used by one vector at most. The checker does not rest on that: it looks at
//! every channel.
//!
//! **Rounds:** vectors launched in one step, of which no two share γ, π or δ.

use construct::{Builder, Claim, Control, MOST_USES, OrbitClaim, Request, generator, number};
use kernel::orbits::Generator;
use kernel::{Certificate, Channel, Message, Network, Node, Proof, Rational, Schedule};
use std::cmp::Ordering;
use std::sync::OnceLock;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Port, Router, Vector};

/// The Swapped Dragonfly that is asked for, whatever its size.
pub(crate) fn swapped_dragonfly(request: &Request<'_>) -> Option<SwappedDragonfly> {
    let (k, m) = request.parameters_of(&["swapped-dragonfly"])?.split_once(',')?;
    SwappedDragonfly::new(number(k)?, number(m)?).ok()
}

/// The same, where a schedule of all vectors can be written down.
pub(crate) fn network_of(request: &Request<'_>) -> Option<SwappedDragonfly> {
    let d3 = swapped_dragonfly(request)?;
    let [k, m] = [d3.cabinets(), d3.drawers()].map(u64::from);
    (3 * k * m.pow(3) <= MOST_USES).then_some(d3)
}

/// The better of two floors under any switching: a drawer's M(KM² − M) messages leave it by KM − 1 global channels, M² steps; and
/// of all KM²(KM² − 1) messages, each router's make 2K(M − 1)² local hops at least, 2KM(M − 1) where d = p, 2K(M² − M + 1)/M
/// steps.
pub(crate) fn floor(d3: SwappedDragonfly, network: &Network) -> Option<Certificate> {
    let [k, m] = [d3.cabinets(), d3.drawers()].map(u64::from);
    if network.node_count() as u64 != k * m * m {
        return None;
    }
    let local = (2 * k * (m * m - m + 1)).div_ceil(m);
    if local <= m * m {
        let nodes = (0..d3.drawers()).map(Node).collect();
        return Some(Certificate { steps: m * m, proof: Proof::Cut { nodes } });
    }
    let drawer = |v: Node| v.0 / d3.drawers();
    let is_local = |c: Channel| drawer(network.from(c)) == drawer(network.to(c));
    let weights = network.channels().map(|c| Rational::whole(u64::from(is_local(c)))).collect();
    Some(Certificate { steps: local, proof: Proof::Lengths { weights } })
}

/// Vectors whose first hops are in the same step.
#[derive(Clone, Debug)]
pub(crate) struct Round {
    pub start: u32,
    pub vectors: Vec<Vector>,
}

/// The number of steps that rounds take: the last one in which some router sends.
pub(crate) fn steps(rounds: &[Round]) -> u64 {
    let end = |round: &Round| u64::from(round.start) + if round.vectors.iter().any(|v| v.last != 0) { 3 } else { 2 };
    rounds.iter().map(end).max().unwrap_or(0)
}

type Make = dyn Fn(SwappedDragonfly) -> Vec<Round> + Send + Sync;

/// The schedule of rounds, which are made when they are first asked for.
pub(crate) struct VectorSchedule {
    network: SwappedDragonfly,
    make: Box<Make>,
    rounds: OnceLock<Vec<Round>>,
}

impl VectorSchedule {
    /// What the rounds of a network make.
    pub(crate) fn new(
        network: SwappedDragonfly,
        make: impl Fn(SwappedDragonfly) -> Vec<Round> + Send + Sync + 'static,
    ) -> Self {
        VectorSchedule { network, make: Box::new(make), rounds: OnceLock::new() }
    }

    fn rounds(&self) -> &[Round] {
        self.rounds.get_or_init(|| (self.make)(self.network))
    }
}

impl Builder for VectorSchedule {
    fn promise(&self) -> Option<u64> {
        Some(steps(self.rounds()))
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        floor(self.network, network)
    }

    /// Under translations of cabinets and of drawers and places together.
    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let at = RouterIndex::new(self.network, network, [1, 1])?;
        let steps = usize::try_from(steps(self.rounds())).ok()?;
        let mut hops: Vec<Vec<(Vector, usize)>> = vec![Vec::new(); steps + 1];
        for round in self.rounds() {
            for vector in &round.vectors {
                (0..3).for_each(|hop| hops[(round.start as usize + hop).min(steps)].push((*vector, hop)));
            }
        }
        let mut schedule = Schedule::new();
        for step in &hops[..steps] {
            schedule.begin_step();
            for (vector, hop) in step {
                let ports = vector.ports();
                control.work(at.bases.len())?;
                for (base, from) in (0u32..).zip(&at.bases) {
                    let Some(message) = at.message(base, vector.leads(self.network, *from)) else { continue };
                    let here = ports[..*hop].iter().fold(*from, |at, port| port.leads(self.network, at));
                    if let Some(channel) = at.channel(here, ports[*hop])? {
                        schedule.send(message, &[channel]);
                    }
                }
            }
        }
        Some(at.claim(schedule))
    }
}

/// Where routers, ports and messages are in the network as built.
pub(crate) struct RouterIndex<'a> {
    d3: SwappedDragonfly,
    network: &'a Network,
    generators: Vec<Generator>,
    /// The least router of each orbit.
    pub bases: Vec<Router>,
}

impl<'a> RouterIndex<'a> {
    /// Under translations by multiples of so many cabinets, and of so many drawers and places. `None` where the network is
    /// not that of the specification.
    pub(crate) fn new(d3: SwappedDragonfly, network: &'a Network, by: [u32; 2]) -> Option<Self> {
        let (k, m) = (d3.cabinets(), d3.drawers());
        if network.node_count() != (k * m * m) as usize || network.terminals().len() != network.node_count() {
            return None;
        }
        let moved = |[c, d, p]: Router, e: [u32; 2]| [(c + e[0]) % k, (d + e[1]) % m, (p + e[1]) % m];
        let of = |order: u32, e: [u32; 2]| generator(network, order, |v| d3.node(moved(d3.router(v), e)));
        let mut generators = Vec::new();
        for (order, e) in [(k / by[0], [by[0], 0]), (m / by[1], [0, by[1]])] {
            if order > 1 {
                generators.push(of(order, e)?);
            }
        }
        let bases = (0..by[0]).flat_map(|c| (0..by[1]).flat_map(move |d| (0..m).map(move |p| [c, d, p]))).collect();
        Some(RouterIndex { d3, network, generators, bases })
    }

    /// The message of a base to another router; `None` to itself.
    pub(crate) fn message(&self, base: u32, to: Router) -> Option<Message> {
        let (from, to) = (self.d3.node(self.bases[base as usize]), self.d3.node(to));
        let others = u32::try_from(self.network.node_count()).ok()? - 1;
        (from != to).then(|| Message(base * others + to - u32::from(to > from)))
    }

    /// The channel of a port, `Some(None)` where it leads nowhere, `None` where the network lacks it.
    pub(crate) fn channel(&self, from: Router, port: Port) -> Option<Option<Channel>> {
        let there = port.leads(self.d3, from);
        if from == there {
            return Some(None);
        }
        // Families sort channels by their ends, so before the channel come those to routers of lower numbers: of the own
        // drawer, and in each cabinet the one whose drawer and place are this one's swapped.
        let ([c, d, p], [cabinet, drawer, place]) = (from, there);
        let local = match (cabinet, drawer).cmp(&(c, d)) {
            Ordering::Less => 0,
            Ordering::Equal => place - u32::from(place > p),
            Ordering::Greater => self.d3.drawers() - 1,
        };
        let itself = u32::from(d == p && there > from);
        let global = cabinet + u32::from((drawer, place) > (p, d)) - itself;
        let outgoing = self.network.outgoing(Node(self.d3.node(from)));
        let channel = *outgoing.get((local + global) as usize)?;
        (self.network.to(channel).0 == self.d3.node(there)).then_some(Some(channel))
    }

    /// The claim of a schedule of these messages.
    pub(crate) fn claim(self, schedule: Schedule) -> Claim {
        Claim::Orbits(OrbitClaim::unshifted(self.generators, schedule))
    }
}

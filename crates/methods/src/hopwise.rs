//! **What:** alltoall by constructions that write every message's way down, as an engine among the others.
//!
//! ```
//! use methods::hopwise::Hopwise;
//! use kernel::{Collective, Model, Node, Problem};
//! use run::{Run, Settings, Silent};
//! use std::sync::atomic::AtomicBool;
//! let network = topologies::change::with_ports(&topologies::parse("hdn:hypercube:2;2")?, kernel::Ports::Each(1))?;
//! let alltoall = Collective::alltoall(network.terminals(), network.terminals());
//! let problem = Problem::new(network, alltoall, Model::store_and_forward())?;
//! let stop = AtomicBool::new(false);
//! let run = Run::new(Settings::default(), &Silent, &stop);
//! let found = methods::best_of(&[&Hopwise::of(&problem, None).expect("a dual-net")], &problem, 40, &run);
//! assert_eq!(found.expect("a schedule").schedule.steps(), 40);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use constructions::{HOP_CONSTRUCTIONS, HopConstruction, HopForm};
use kernel::{Collective, Network, Node, Problem, Schedule};
use run::{Method, Run};

/// Messages beyond which no search is tried beside a schedule that is written down.
const MOST_SEARCHED: usize = 1 << 17;

/// The engine of one construction for one problem.
pub struct Hopwise {
    construction: &'static HopConstruction,
    form: Box<dyn HopForm>,
}

impl Hopwise {
    /// The construction of that name, or the best usual one, for a problem; `None` where none applies.
    pub fn of(problem: &Problem, name: Option<&str>) -> Option<Self> {
        if !suits(problem) {
            return None;
        }
        let switching = problem.model().switching;
        let wanted =
            |c: &&&'static HopConstruction| c.switching == switching && name.map_or(c.is_usual, |name| name == c.name);
        HOP_CONSTRUCTIONS.iter().filter(wanted).find_map(|construction| {
            let form = (construction.make)(problem.network().name())?;
            let network = problem.network();
            let fits = match form.is_one_port() {
                // Where nodes have more ports, one message a transfer leaves most of them idle.
                true => name.is_some() || problem.model().combining || one_port(network),
                false => network.nodes().all(|v| network.send_ports(v).or(network.receive_ports(v)).is_none()),
            };
            fits.then_some(Hopwise { construction, form })
        })
    }

    /// Whether there are too many messages to search beside it.
    pub fn is_alone(problem: &Problem) -> bool {
        problem.collective().message_count() > MOST_SEARCHED
    }
}

/// Whether it is alltoall between all nodes, over channels that work both ways at once.
fn suits(problem: &Problem) -> bool {
    let (network, collective) = (problem.network(), problem.collective());
    let all = network.terminals();
    network.half_duplex().is_empty()
        && collective.name() == "alltoall"
        && collective.message_count() == all.len() * (all.len() - 1)
        && *collective == Collective::alltoall(all, all)
}

fn one_port(network: &Network) -> bool {
    let one = |v: &Node| network.send_ports(*v) == Some(1) && network.receive_ports(*v) == Some(1);
    network.terminals().iter().all(one)
}

impl Method for Hopwise {
    fn name(&self) -> &'static str {
        self.construction.name
    }

    fn about(&self) -> &'static str {
        self.construction.about
    }

    fn source(&self) -> &'static str {
        self.construction.source
    }

    fn applies(&self, problem: &Problem) -> bool {
        suits(problem) && problem.model().switching == self.construction.switching
    }

    fn solve(&self, problem: &Problem, _floor: u64, _run: &Run<'_>) -> Option<Schedule> {
        self.form.schedule(problem.network(), problem.model().combining)
    }
}

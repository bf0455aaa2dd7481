//! **What:** alltoall on a family's network less some links or nodes: the schedule that is written down for the whole network,
//! with what the faults broke put in anew.
//!
//! **Facts:** a network that lost something is called `torus:4x4 without 0-1`; the name is believed only where the family's
//! network less those links and nodes is this one.

use crate::construction::ALL;
use constructions::CONSTRUCTIONS;
use kernel::{Collective, Network, Node, Problem, Schedule, verify};
use run::{Decline, Method, Run, Settings};
use search::repair::{completed, remaining, suits};
use topologies::change;

/// The method.
pub(crate) struct Repair;

/// Channels above which a whole network is not built to see whether this is what is left of it.
const MOST_CHANNELS: usize = 1 << 20;

impl Method for Repair {
    fn name(&self) -> &'static str {
        "schedule-repair"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["insertion"]
    }

    fn about(&self) -> &'static str {
        "messages for one destination each: inserts what faults broke into a schedule of the whole network"
    }

    fn source(&self) -> &'static str {
        "ejection chains (F. Glover, 1996) that begin with what is left of a closed form"
    }

    fn applies(&self, problem: &Problem) -> bool {
        problem.network().channel_count() <= MOST_CHANNELS
            && problem.network().name().contains(WITHOUT)
            && constructions_of(problem).is_some()
            && suits(problem)
    }

    fn misfit(&self, problem: &Problem) -> Option<Decline> {
        let name = problem.network().name();
        let why = match () {
            () if !name.contains(WITHOUT) => {
                format!("it repairs schedules of networks with faults, and {name} has lost nothing")
            }
            () if !suits(problem) => {
                "it repairs schedules of messages for one destination each, under wormhole switching".to_owned()
            }
            () => format!("no construction makes alltoall on the network of which {name} is the rest"),
        };
        Some(Decline {
            why,
            hint: "--fail-link A-B and --fail-node A make faults; --method auto tries all that apply".into(),
        })
    }

    fn solve(&self, problem: &Problem, floor: u64, run: &Run<'_>) -> Option<Schedule> {
        let whole = constructions_of(problem)?;
        let best = ALL.iter().filter(|m| m.is_automatic() && m.applies(&whole));
        let promised = best.min_by_key(|m| m.promised_steps(&whole).unwrap_or(u64::MAX))?;
        let part = run.part(Settings { slack: None, ..run.settings });
        let schedule = verify(&whole, promised.claim(&whole, 0, &part)?).ok()?;
        let part = remaining(problem, &whole, &*schedule.expanded().ok()?);
        completed(self.name(), problem, &part, floor, run)
    }
}

/// What stands between the whole network's name and what it lost.
const WITHOUT: &str = " without ";

/// Alltoall on the whole network of which this problem's is the rest, where there is a construction for it.
fn constructions_of(problem: &Problem) -> Option<Problem> {
    let network = whole(problem.network())?;
    let all = network.terminals();
    let whole = Problem::new(network.clone(), Collective::alltoall(all, all), problem.model()).ok()?;
    CONSTRUCTIONS.iter().any(|c| c.is_automatic && c.builder(&whole).is_some()).then_some(whole)
}

/// The network whose name this one's begins with, if this is what its faults leave of it.
fn whole(network: &Network) -> Option<Network> {
    let mut parts = network.name().split(WITHOUT);
    let mut whole = topologies::parse(parts.next()?).ok()?;
    let ports = &network.data().send_ports;
    if *ports == network.data().receive_ports && *ports != whole.data().send_ports {
        whole = change::with_ports(&whole, ports.clone()).ok()?;
    }
    if !network.half_duplex().is_empty() {
        whole = change::half_duplex(&whole).ok()?;
    }
    let mut rest = whole.clone();
    for lost in parts {
        let number = |text: &str| Some(Node(text.parse::<u32>().ok().filter(|v| (*v as usize) < whole.node_count())?));
        rest = match lost.split_once(['-', '>']) {
            Some((from, to)) => change::without_link(&rest, number(from)?, number(to)?, lost.contains('>')).ok()?,
            None => change::without_node(&rest, number(lost)?).ok()?,
        };
    }
    (rest == *network).then_some(whole)
}

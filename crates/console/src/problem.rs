//! **What:** the problem that the arguments pose.

use super::args::{Chunks, ProblemChoice, SwitchesChoice, SwitchingChoice};
use super::failure::{self, Failure};
use super::network::LoadedNetwork;
use super::{call, counts, links, lists, network};
use collectives::{self, COLLECTIVES, Kind, Selection, SelectionError, permutations};
use kernel::{Collective, Model, Network, Node, Problem, ProblemError, Switching};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use topologies::change::{with_members_only, with_storing_switches};
use topologies::nearest;

/// Any network may be read for so many seconds, however short the search is to be.
const TO_READ: f64 = 1.0;

/// As [`pose`], which ends the program when the time of the search is over: a pipe may never say all there is. An
/// embedding program lives on.
pub fn pose_within(choice: &ProblemChoice, seconds: Option<f64>) -> Result<Problem, Failure> {
    if call::stop().is_some() {
        return pose(choice);
    }
    let (_reading, done) = channel::<()>();
    if let Some(limit) = seconds.and_then(|s| Duration::try_from_secs_f64(s.max(TO_READ)).ok()) {
        let network = choice.network.network.to_string();
        std::thread::spawn(move || {
            if done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                formats::abandon();
                let _ = Failure::no(format!("{network}: --time is over, and it is not read to its end"))
                    .hint("allow more with --time SECONDS; is the program that writes to the pipe still running?")
                    .report();
                std::process::exit(i32::from(failure::NO));
            }
        });
    }
    pose(choice)
}

/// Builds the problem: network, collective, model.
pub fn pose(choice: &ProblemChoice) -> Result<Problem, Failure> {
    if choice.timed.bytes.is_some() {
        return Err(Failure::input("--bytes: steps are counted here, not microseconds").hint("leave it out"));
    }
    let kind = known_kind(choice)?;
    let mut given = network::choose(&choice.network)?;
    links::slow_capacities(&mut given, &choice.network.slow_link)?;
    let graph = graph(choice)?;
    let pose_on = |network: &LoadedNetwork| pose_on(choice, kind, network, graph.as_ref());
    match choice.switches {
        Some(SwitchesChoice::Store) => given.network = with_storing_switches(&given.network),
        None if choice.switching == SwitchingChoice::StoreAndForward => {
            // Where switches alone join terminals, a step for each channel means that they store.
            return pose_on(&given).or_else(|refused| {
                let all_terminals = given.network.terminals().len() == given.network.node_count();
                given.network = with_storing_switches(&given.network);
                if all_terminals { Err(refused) } else { pose_on(&given).map_err(|_| refused) }
            });
        }
        None | Some(SwitchesChoice::Pass) => {}
    }
    pose_on(&given)
}

/// What to say where the network stands in the place of the collective.
fn swapped(choice: &ProblemChoice) -> Option<Failure> {
    let (network, collective) = (&*choice.network.network, &choice.collective);
    let is_network = topologies::topology(collective).is_ok() || Path::new(collective).is_file();
    (is_network && collectives::find(network).is_some()).then(|| {
        Failure::input(format!("`{collective}` is a network and `{network}` a collective: the two are swapped"))
            .hint(format!("the network comes first: {collective} {network}"))
    })
}

/// The network of `--graph`.
pub fn graph(choice: &ProblemChoice) -> Result<Option<Network>, Failure> {
    Ok(choice.graph.as_ref().map(network::load).transpose()?.map(|loaded| loaded.network))
}

/// The collective, of which the parameters are known.
pub fn known_kind(choice: &ProblemChoice) -> Result<&'static Kind, Failure> {
    let kind = collective(&choice.collective).map_err(|error| swapped(choice).unwrap_or(error))?;
    // Before any file is read.
    let given =
        [("pairs", choice.pairs.is_some()), ("counts", choice.counts.is_some()), ("graph", choice.graph.is_some())];
    for (parameter, _) in given.into_iter().filter(|(_, given)| *given) {
        kind.takes(parameter).map_err(|error| misfit(kind, &error))?;
    }
    if choice.chunks == Some(Chunks::Number(0)) {
        return Err(Failure::input("--chunks: 0 chunks a message (--messages is the same)")
            .hint("write a number of at least 1"));
    }
    Ok(kind)
}

/// The problem on a network that is as it is to be.
fn pose_on(
    choice: &ProblemChoice,
    kind: &Kind,
    given: &LoadedNetwork,
    graph: Option<&Network>,
) -> Result<Problem, Failure> {
    let chunks = match choice.chunks {
        None => 1,
        Some(Chunks::Number(chunks)) => chunks,
        Some(Chunks::Auto) => {
            return Err(Failure::input(
                "--chunks auto: as many as serve best are chosen where microseconds are counted",
            )
            .hint("add --bytes SIZE, or write a number"));
        }
    };
    let whole = whole_collective(choice, kind, given, graph)?;
    let collective = collectives::in_chunks(&whole, chunks).map_err(|error| misfit(kind, &error))?;
    let network = among_members(choice, &given.network, &whole)?;
    let problem = Problem::new(network.clone(), collective, model(choice));
    problem.map_err(|error| ill_posed(&error, choice, &network))
}

/// The network, of which under `--members-only` no other nodes than those of the collective are terminals.
pub fn among_members(choice: &ProblemChoice, network: &Network, whole: &Collective) -> Result<Network, Failure> {
    if !choice.members_only {
        return Ok(network.clone());
    }
    let mut takes_part = vec![false; network.node_count()];
    let mut mark = |nodes: &[Node]| nodes.iter().for_each(|v| takes_part[v.index()] = true);
    match whole.all_pairs() {
        Some(pairs) => [pairs.senders, pairs.receivers].into_iter().for_each(mark),
        None => whole
            .messages()
            .for_each(|m| [whole.contributors(m), whole.destinations(m)].into_iter().for_each(&mut mark)),
    }
    let members: Vec<Node> = network.nodes().filter(|v| takes_part[v.index()]).collect();
    with_members_only(network, &members).map_err(|error| Failure::input(format!("--members-only: {error}")))
}

/// The collective in one piece.
pub fn whole_collective(
    choice: &ProblemChoice,
    kind: &Kind,
    given: &LoadedNetwork,
    graph: Option<&Network>,
) -> Result<Collective, Failure> {
    let network = &given.network;
    let list = |flag, text: &Option<String>| -> Result<Option<Vec<Node>>, Failure> {
        text.as_ref().map(|text| lists::terminals(network, flag, text)).transpose()
    };
    let mut selection = Selection {
        network,
        root: choice.root.as_ref().map(|text| lists::terminal(network, "--root", text)).transpose()?,
        senders: list("--senders", &choice.senders)?,
        receivers: list("--receivers", &choice.receivers)?,
        roots: list("--roots", &choice.roots)?,
        groups: choice.groups.as_ref().map(|text| lists::groups(network, text)).transpose()?,
        counts: choice.counts.as_ref().map(|text| counts::counts(network, text)).transpose()?,
        graph,
        pairs: None,
        default_senders: given.senders.clone(),
        default_receivers: given.receivers.clone(),
    };
    if let Some(path) = &choice.pairs {
        let members = selection.senders.as_deref().unwrap_or_else(|| network.members());
        match named(path, selection.groups.as_deref().unwrap_or(&[members.to_vec()]))? {
            Some(pairs) => (selection.pairs, selection.senders, selection.groups) = (Some(pairs), None, None),
            None => selection.pairs = Some(lists::pairs(network, path, kind.name == "permutation")?),
        }
    }
    kind.build(&selection).map_err(|error| misfit(kind, &error))
}

/// The pairs of a permutation known by name, of which the members of each group have the ranks; `None` for a file.
fn named(path: &Path, groups: &[Vec<Node>]) -> Result<Option<Vec<(Node, Node)>>, Failure> {
    let Some(text) = path.to_str().filter(|_| !path.is_file()) else { return Ok(None) };
    let mut pairs = Vec::new();
    for members in groups {
        let ranks = u32::try_from(members.len()).unwrap_or(u32::MAX);
        let Some(made) = permutations::parse(text, ranks) else { return Ok(None) };
        let to = made.map_err(|error| {
            Failure::input(format!("--pairs: {error}"))
                .hint("ranks count from 0 among all terminals, among the --senders, or in each of the --groups")
        })?;
        pairs.extend(members.iter().zip(to).map(|(from, to)| (*from, members[to as usize])));
    }
    Ok(Some(pairs))
}

/// The model that the arguments ask for.
pub fn model(choice: &ProblemChoice) -> Model {
    Model { switching: switching(choice.switching), combining: choice.combining }
}

/// The kernel's name of it.
pub fn switching(choice: SwitchingChoice) -> Switching {
    match choice {
        SwitchingChoice::Wormhole => Switching::Wormhole,
        SwitchingChoice::StoreAndForward => Switching::StoreAndForward,
        SwitchingChoice::Tdm => Switching::Tdm { hop: 1, cyclic: true },
    }
}

/// The collective of that name.
pub fn collective(name: &str) -> Result<&'static Kind, Failure> {
    collectives::find(name).ok_or_else(|| {
        let names = COLLECTIVES.iter().flat_map(|k| std::iter::once(k.name).chain(k.also.iter().copied()));
        Failure::input(format!("`{name}` is not a collective"))
            .hint(match nearest(name, names) {
                Some(near) => format!("did you mean `{near}`? `quadrille collectives` lists all"),
                None => "`quadrille collectives` lists all".into(),
            })
            .at(serde_json::json!({"argument": "COLLECTIVE"}))
    })
}

/// What to say of terminals that the collective cannot have.
#[must_use]
pub fn misfit(kind: &Kind, error: &SelectionError) -> Failure {
    let takes: Vec<String> = kind.parameters.iter().map(|p| format!("--{p}")).collect();
    let hint = match error {
        SelectionError::RootAndList | SelectionError::PairsAndCounts | SelectionError::GroupsAndLists => {
            "give one of them".to_owned()
        }
        SelectionError::NeedsPairs { .. } => {
            "--pairs FILE, with lines `from to [count]`, or --pairs shift:1".to_owned()
        }
        SelectionError::NeedsCounts { .. } | SelectionError::CountsOf { .. } => {
            "--counts 3,1,0,… has one for each, ascending, with 0 for nothing; or --counts FILE".to_owned()
        }
        SelectionError::GroupsMeet { .. } => "name every node in one group only".to_owned(),
        SelectionError::GroupOfOne { .. } => "leave it out, or join it to another group".to_owned(),
        SelectionError::GroupWithoutRoot { .. } | SelectionError::RootOutside { .. } => {
            "--roots names one or more in each group; without it the lowest-numbered member of each is the root"
                .to_owned()
        }
        SelectionError::GraphTooLarge { .. } => "the i-th node of the graph is the i-th terminal".to_owned(),
        SelectionError::GraphHasSwitches { .. } | SelectionError::NoNeighbours { .. } => {
            "--graph takes a graph of processes such as ring:8 or torus:4x4, or a file of one".to_owned()
        }
        SelectionError::NoMessages => "name other senders or receivers".to_owned(),
        SelectionError::TooManyChunks { .. } => "ask for fewer --chunks".to_owned(),
        SelectionError::TooLarge { .. } => "choose a smaller network, or fewer senders or receivers".to_owned(),
        _ => format!("{} takes {}", kind.name, takes.join(", ")),
    };
    Failure::input(format!("{}: {error}", kind.name)).hint(hint)
}

/// What to say of a network, a collective and a model that do not fit together.
#[must_use]
pub fn ill_posed(error: &ProblemError, choice: &ProblemChoice, network: &Network) -> Failure {
    let damaged = !choice.network.fail_link.is_empty() || !choice.network.fail_node.is_empty();
    let switches = network.terminals().len() < network.node_count();
    if let ProblemError::Unreachable { from, to, .. } = error
        && choice.switching == SwitchingChoice::StoreAndForward
        && switches
        && !damaged
        && !choice.members_only
    {
        let [from, to] = [*from, *to].map(|node| network.name_of(node));
        return Failure::input(format!(
            "store-and-forward moves a message one channel a step between nodes that keep it, and the switches of {} keep nothing, so \
             none comes from node {from} to node {to}",
            network.name()
        ))
        .hint("let switches store messages with --switches store, or let paths pass them within a step with --switching wormhole");
    }
    let hint = match error {
        ProblemError::Unreachable { .. } if damaged => {
            "these faults disconnect the network; let fewer links or nodes fail, or choose senders and receivers in one part"
        }
        ProblemError::Unreachable { .. } if choice.members_only => {
            "leave out --members-only, and nodes outside the group may pass messages on"
        }
        ProblemError::Unreachable { .. } if choice.switches == Some(SwitchesChoice::Pass) => {
            "with --switches store, switches store messages and send them on"
        }
        ProblemError::Unreachable { .. } => {
            "add the links that are missing, or choose --senders and --receivers that the network connects"
        }
        _ => "`quadrille network NETWORK` lists the terminals",
    };
    let mut text = error.to_string();
    if let (ProblemError::Unreachable { from, to, .. }, Some(names)) = (error, network.names()) {
        let [from, to] = [from, to].map(|node| format!("node {node} is {}", names[node.index()]));
        text.push_str(&format!(" ({from}, {to})"));
    }
    Failure::input(text).hint(hint)
}

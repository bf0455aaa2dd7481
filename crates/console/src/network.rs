//! **What:** the network that the arguments choose: a family or a file, then faults, ports and duplex.

use super::args::{MachineChoice, NetworkChoice, NetworkText};
use super::failure::Failure;
use super::links::with_known_unit;
use super::names::Ends;
use super::{lists, output};
use formats::network::{MachineSettings, NetworkFile, Source, Wire};
use formats::units::{RATES, TIMES, with_unit};
use kernel::timed::Links;
use kernel::{Network, Node, Ports};
use std::path::Path;
use topologies::SpecError;
use topologies::change::{self, ChangeError};
use topologies::nearest;

/// A network, and the senders and receivers that its file marks.
#[derive(Debug)]
pub struct LoadedNetwork {
    /// The network.
    pub network: Network,
    /// Who sends, where the file says so.
    pub senders: Option<Vec<Node>>,
    /// Who receives, where the file says so.
    pub receivers: Option<Vec<Node>>,
    /// What its channels do in time, where that is known.
    pub links: Option<Links>,
}

impl From<NetworkFile> for LoadedNetwork {
    fn from(read: NetworkFile) -> Self {
        let NetworkFile { network, senders, receivers, links, .. } = read;
        LoadedNetwork { network, senders, receivers, links }
    }
}

impl From<LoadedNetwork> for NetworkFile {
    fn from(loaded: LoadedNetwork) -> Self {
        let LoadedNetwork { network, senders, receivers, links } = loaded;
        NetworkFile { senders, receivers, links, ..network.into() }
    }
}

/// Reads or builds the chosen network and changes it as asked.
pub fn choose(choice: &NetworkChoice) -> Result<LoadedNetwork, Failure> {
    let text = choice.network.clone().in_format(choice.from.as_deref());
    let mut given = load_machines(&text, &machines(&choice.machine)?)?;
    // All names are looked up in the whole network: what is taken out first must not rename what is taken out next.
    let whole = given.network.clone();
    for text in &choice.fail_link {
        for Ends { from, to, directed } in lists::links(&whole, "--fail-link", text)? {
            given.network = change::without_link(&given.network, from, to, directed)
                .map_err(|e| unchanged(&format!("--fail-link {text}"), &e).hint(beside(&given.network, from)))?;
        }
    }
    let mut failed = Vec::new();
    for text in &choice.fail_node {
        for node in lists::nodes(&whole, "--fail-node", text)? {
            if failed.contains(&node) {
                continue;
            }
            failed.push(node);
            given.network = change::without_node(&given.network, node)
                .map_err(|e| unchanged(&format!("--fail-node {text}"), &e))?;
            for list in [&mut given.senders, &mut given.receivers].into_iter().flatten() {
                list.retain(|v| *v != node);
            }
        }
    }
    if let Some(links) = &mut given.links {
        keep_links(links, &whole, &given.network);
    }
    if let Some(text) = &choice.ports {
        let ports = ports(text)?;
        given.network = change::with_ports(&given.network, ports).map_err(|e| unchanged("--ports", &e))?;
    }
    if choice.half_duplex {
        given.network = change::half_duplex(&given.network).map_err(|e| unchanged("--half-duplex", &e))?;
    }
    Ok(given)
}

/// Takes out the numbers of channels that were taken out. Others keep their order, and parallel ones go together.
fn keep_links(links: &mut Links, whole: &Network, left: &Network) {
    let mut rest = left.data().channels.iter().peekable();
    let kept: Vec<bool> = whole.data().channels.iter().map(|ends| rest.next_if_eq(&ends).is_some()).collect();
    for list in [&mut links.bandwidth, &mut links.latency] {
        let mut kept = kept.iter();
        list.retain(|_| kept.next().is_none_or(|kept| *kept));
    }
}

/// What the flags say of machines.
fn machines(choice: &MachineChoice) -> Result<MachineSettings, Failure> {
    let flags = [
        (Wire::Nvlink, &choice.nvlink),
        (Wire::Nic, &choice.nic),
        (Wire::Pcie, &choice.pcie),
        (Wire::Socket, &choice.socket),
    ];
    let mut settings = MachineSettings { machines: choice.machines.unwrap_or(1), ..MachineSettings::default() };
    for (wire, text) in flags {
        let flag = format!("--{}", wire.name());
        for part in text.iter().flat_map(|text| text.split(',')) {
            let (list, number) = match with_unit(part, TIMES) {
                Some(latency) => (&mut settings.latencies, latency),
                None => (&mut settings.rates, with_known_unit(&flag, part, RATES, 1, "25GB/s or 25GB/s,0.7us")?),
            };
            if list.iter().any(|(other, _)| *other == wire) {
                return Err(Failure::input(format!("{flag}: `{part}` is the second of its kind"))
                    .hint("write a rate, a time, or one of each: 25GB/s,0.7us"));
            }
            list.push((wire, number));
        }
    }
    Ok(settings)
}

/// Neighbours that an error lists.
const BESIDE: usize = 12;

/// Where the channels of a node lead.
fn beside(network: &Network, node: Node) -> String {
    let mut ends: Vec<Node> = network.outgoing(node).iter().map(|channel| network.to(*channel)).collect();
    ends.sort_unstable();
    ends.dedup();
    let names: Vec<String> = ends.iter().take(BESIDE).map(|end| network.name_of(*end)).collect();
    let rest = if ends.len() > BESIDE { ", …" } else { "" };
    match &names[..] {
        [] => format!("no channel leaves node {}", network.name_of(node)),
        _ => format!("channels of node {} lead to {}{rest}", network.name_of(node), names.join(", ")),
    }
}

fn unchanged(text: &str, error: &ChangeError) -> Failure {
    Failure::input(format!("{text}: {error}"))
        .hint("`quadrille network NETWORK -o FILE.json` writes all channels of a network")
}

fn ports(text: &str) -> Result<Ports, Failure> {
    match text {
        "all" => Ok(Ports::All),
        "one" => Ok(Ports::Each(1)),
        _ => match text.parse::<u32>() {
            Ok(k) if k > 0 => Ok(Ports::Each(k)),
            _ => Err(Failure::input(format!("--ports: `{text}` is not a number of ports"))
                .hint("write `all`, `one` or a number of at least 1")),
        },
    }
}

/// Most names that a warning lists.
const MOST_LISTED: usize = 10;

/// Names of attributes, of many the first; whatever they hold stays on one line.
fn quoted(names: &[String]) -> String {
    let more = names.len().saturating_sub(MOST_LISTED);
    let shown = |name: &String| format!("`{}`", name.chars().filter(|c| !c.is_control()).take(40).collect::<String>());
    let mut shown: Vec<String> = names.iter().take(MOST_LISTED).map(shown).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

/// The network of a file or of a family. What a reader knows by its ending, or what lies in a folder, is a file.
pub fn load(text: &NetworkText) -> Result<LoadedNetwork, Failure> {
    load_machines(text, &MachineSettings::default())
}

fn load_machines(text: &NetworkText, settings: &MachineSettings) -> Result<LoadedNetwork, Failure> {
    if let Some(own) = text.own() {
        let plain = *settings == MachineSettings::default();
        return plain.then(|| own.clone().into()).ok_or_else(|| no_machine(text));
    }
    let source = Source { path: text.path(), format: text.format() };
    // A family may have `/` for `;` in its parameters.
    let family = text.split_once(':').is_some_and(|(name, _)| topologies::family(name).is_some());
    let named = text.is_no_text() || (text.contains(std::path::MAIN_SEPARATOR) && !family);
    let certain = named || source.format.is_some() || source.is_standard_input();
    if certain || formats::network::is_readable(source.path) || source.path.is_file() {
        let read = formats::network::read_as(source, settings).map_err(|error| unread(error, source))?;
        let path = if source.is_standard_input() { Path::new("stdin") } else { source.path }.display();
        if !read.ignored.is_empty() {
            let used = if read.used.is_empty() { String::new() } else { format!("; used are {}", read.used) };
            let ignored = quoted(&read.ignored);
            output::tell(&format!("warning: {path}: attributes that are not used: {ignored}{used}\n"));
        }
        for note in &read.notes {
            output::tell(&format!("note: {path}: {note}\n"));
        }
        return Ok(read.into());
    }
    let place = || serde_json::json!({"argument": "NETWORK"});
    let family = topologies::topology(text).map_err(|error| {
        let is_far = matches!(error, SpecError::UnknownFamily { nearest: None, .. });
        let like = if is_far { like_file(source.path) } else { None };
        let nor = match (is_far, like) {
            (_, Some(like)) => format!("there is no such file, either; did you mean `{like}`? "),
            (true, None) => "there is no such file, either; ".into(),
            (false, None) => String::new(),
        };
        Failure::input(&error).hint(format!("{nor}{}", error.hint())).at(place())
    })?;
    if *settings != MachineSettings::default() {
        return Err(no_machine(text));
    }
    Ok(LoadedNetwork { network: family.network(), senders: None, receivers: None, links: family.links() })
}

/// Files of a folder that a name is compared with at most.
const MOST_FILES: usize = 10_000;

/// A file beside a path that is not there, whose name is almost the same.
fn like_file(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let files = std::fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?.flatten().take(MOST_FILES);
    let mut names: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    names.sort_unstable();
    let like = nearest(name, names.iter().map(String::as_str))?;
    Some(folder.map_or_else(|| like.to_owned(), |folder| folder.join(like).display().to_string()))
}

/// What to say of a network that could not be read: a file that may be meant, or the format that the text seems to be in.
fn unread(error: formats::ReadError, source: Source<'_>) -> Failure {
    let is_absent = !source.is_standard_input() && !source.path.exists();
    let failure = output::unread(error);
    if is_absent {
        return match like_file(source.path) {
            Some(like) => failure.hint(format!("did you mean `{like}`? it is in that folder")),
            None => failure,
        };
    }
    match (source.format, formats::network::looks_like(source.path)) {
        (Some(format), Some(like)) if !like.is_named(format) => failure.hint(format!(
            "it was read as {format} because of --from; it looks like {}: leave --from out, or write --from {0}",
            like.name
        )),
        _ => failure,
    }
}

fn no_machine(text: &NetworkText) -> Failure {
    Failure::input(format!("{}: a family takes no rates and no number of machines", &**text))
        .hint("--machines, --nvlink, --nic, --pcie and --socket are for files that describe a machine; --bandwidth is for all networks")
}

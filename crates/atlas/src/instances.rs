//! **What:** the instances of the atlas: tables of problems with the numbers that were published for them.
//!
//! **Parameters:** a table is a TOML file: `title`, `source`, and optionally `about`, `errata` (what is wrong in the print)
//! and `bounds = false` (the print gives no bounds). A `[[network]]` has a `name`, a `spec` (a family, or a file beside the
//! table), and optionally a `note` and `stand_in = true` (parts of the network are assumed, so numbers are not compared
//! one to one). Its `cases` name a `collective` and what it takes: `case` (a name among several), `root`, `senders`,
//! `receivers`, `fail_link` (`"0-1"`, `"0>1"`), `fail_node`; then `printed` (`"35/32"`: reached 35, bound 32), `optimum`
//! (the known optimum, where nobody disputes it), `printed_time` and `note`.
//!
//! **Facts:** an entry's name is made of the network's name, the case and the collective: `mesh-4x4/corner/scatter`.

use super::AtlasError;
use collectives::{Kind, Selection};
use kernel::{Model, Network, Node, Problem};
use serde::Deserialize;
use std::path::Path;
use topologies::change;

/// A table: a file of instances.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The file's name without its ending.
    #[serde(skip)]
    pub stem: String,
    /// What it is about.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What holds for the whole table.
    pub about: Option<String>,
    /// Whether a single number means that the bound was reached.
    #[serde(default = "yes")]
    pub bounds: bool,
    /// What is wrong in the print beside its numbers.
    #[serde(default)]
    pub errata: Vec<String>,
    /// The networks, in the order of the print.
    #[serde(rename = "network")]
    pub networks: Vec<Group>,
}

/// A network and what is asked of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The name in the print.
    pub name: String,
    /// A family with its parameters, or a file beside the table.
    pub spec: String,
    /// What there is to say about it.
    pub note: Option<String>,
    /// Whether parts of the network are assumed.
    #[serde(default)]
    pub stand_in: bool,
    /// The entries.
    pub cases: Vec<Entry>,
}

/// One problem.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The entry's name, made from the network's, the case and the collective.
    #[serde(skip)]
    pub name: String,
    /// Which of several choices of a root, of nodes or of faults it is.
    pub case: Option<String>,
    /// The collective's name.
    pub collective: String,
    root: Option<u32>,
    senders: Option<Vec<u32>>,
    receivers: Option<Vec<u32>>,
    #[serde(default)]
    fail_link: Vec<String>,
    #[serde(default)]
    fail_node: Vec<u32>,
    /// The published numbers.
    pub printed: Option<Printed>,
    /// The known optimum.
    pub optimum: Option<u64>,
    /// The published time.
    pub printed_time: Option<String>,
    /// What there is to say about it.
    pub note: Option<String>,
}

/// What a print says of steps: `35/32`, or `16` alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Printed {
    /// The steps reached.
    pub reached: u64,
    /// The bound, where it differs from them.
    pub bound: Option<u64>,
}

impl TryFrom<String> for Printed {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let number = |digits: &str| digits.parse().map_err(|_| format!("`{text}` is not of the form `35/32` or `16`"));
        Ok(match text.split_once('/') {
            None => Printed { reached: number(&text)?, bound: None },
            Some((reached, bound)) => Printed { reached: number(reached)?, bound: Some(number(bound)?) },
        })
    }
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.bound {
            None => write!(f, "{}", self.reached),
            Some(bound) => write!(f, "{}/{bound}", self.reached),
        }
    }
}

fn yes() -> bool {
    true
}

impl Table {
    /// Reads a table.
    pub(super) fn read(path: &Path) -> Result<Self, AtlasError> {
        let text = std::fs::read_to_string(path).map_err(|source| AtlasError::Io { path: path.into(), source })?;
        let refused = |line: usize, why: String| AtlasError::Table { path: path.into(), line, why };
        let mut table: Table = toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            refused(1 + text[..at].matches('\n').count(), error.message().to_owned())
        })?;
        table.stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        for network in &mut table.networks {
            for entry in &mut network.cases {
                let parts = [Some(&network.name), entry.case.as_ref(), Some(&entry.collective)];
                entry.name = parts.into_iter().flatten().map(|part| plain(part)).collect::<Vec<_>>().join("/");
            }
        }
        Ok(table)
    }
}

/// Lower case, with a dash for whatever is no letter or digit.
fn plain(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

impl Group {
    /// The name as entries have it.
    pub fn plain_name(&self) -> String {
        plain(&self.name)
    }

    /// The network, undamaged; a file is looked for in `folder`.
    fn network(&self, folder: &Path) -> Result<Network, Reason> {
        let file = folder.join(&self.spec);
        if formats::network::is_readable(&file) {
            return Ok(formats::network::read(&file)?.network);
        }
        Ok(topologies::parse(&self.spec)?)
    }
}

/// Why an entry poses no problem.
type Reason = Box<dyn std::error::Error + Send + Sync>;

impl Entry {
    /// The collective.
    fn kind(&self) -> Result<&'static Kind, Reason> {
        Ok(collectives::find(&self.collective).ok_or_else(|| format!("`{}` is not a collective", self.collective))?)
    }

    /// The problem that the entry poses on the network of `group`, whose file may lie in `folder`.
    ///
    /// # Errors
    /// [`AtlasError::Entry`] where anything in it does not fit.
    pub fn problem(&self, group: &Group, folder: &Path) -> Result<Problem, AtlasError> {
        self.pose(group, folder).map_err(|why| AtlasError::Entry { name: self.name.clone(), why: why.to_string() })
    }

    fn pose(&self, group: &Group, folder: &Path) -> Result<Problem, Reason> {
        let mut network = group.network(folder)?;
        for text in &self.fail_link {
            let (from, to, directed) = link(text)?;
            network = change::without_link(&network, from, to, directed)?;
        }
        for &node in &self.fail_node {
            network = change::without_node(&network, Node(node))?;
        }
        let nodes = |list: &Option<Vec<u32>>| list.as_ref().map(|list| list.iter().copied().map(Node).collect());
        let selection = Selection {
            root: self.root.map(Node),
            senders: nodes(&self.senders),
            receivers: nodes(&self.receivers),
            ..Selection::of(&network)
        };
        let collective = self.kind()?.build(&selection)?;
        Ok(Problem::new(network, collective, Model::wormhole())?)
    }
}

/// The ends of `A-B` (both directions) or `A>B` (one).
fn link(text: &str) -> Result<(Node, Node, bool), Reason> {
    let parts = text.split_once('>').map(|ends| (ends, true)).or_else(|| text.split_once('-').map(|e| (e, false)));
    let read =
        |((a, b), directed): ((&str, &str), bool)| Some((Node(a.parse().ok()?), Node(b.parse().ok()?), directed));
    Ok(parts.and_then(read).ok_or_else(|| format!("`{text}` is not a link; write 0-1, or 0>1 for one direction"))?)
}

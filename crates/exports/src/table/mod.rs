//! **What:** schedules as a table of sources and steps, as the dissertation prints them (its Tables 8.2 to 8.22): text, CSV where the
//! file's name ends in `.csv`, LaTeX where it ends in `.tex`. A program in C needs ports and no text, so `.h` is the table of [`crate::switches`].
//!
//! **Parameters:** a row is the node that messages come from (semantics `copy`), or for which chunks are merged (`reduce`); a column
//! is a step, counted from 0. A cell holds the transfers of that row's messages in that step, each as `0→3 (0,2,3)`:
//! sender, receiver, and the nodes on the way. In a broadcast the sender may be another node than the row's. Text and LaTeX put
//! as many steps side by side as fit, and the others below; CSV has one column a step and `; ` between transfers.
//!
//! **Facts:** every transfer is in one cell, in the order of the schedule; where messages are combined, in one cell for each row that
//! has a message in it. Where the row and the two ends do not tell which message it is, its number follows, as `#4`.

mod csv;
mod latex;
mod text;

use formats::{WriteError, file};
use kernel::{Message, Node, Problem, Semantics, Verified};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Writes the table to a file, in the form that its name asks for.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, path: impl AsRef<Path>) -> Result<(), WriteError> {
    let ending = file::ending(path.as_ref());
    if ending == "h" {
        return crate::switches::write(schedule, path);
    }
    file::save(path.as_ref(), |out| {
        let table = Table::of(schedule)?;
        match ending.as_str() {
            "csv" => table.csv(out),
            "tex" => table.latex(out),
            _ => table.text(out),
        }
    })
}

/// What the table says.
#[derive(Debug)]
pub struct Table {
    /// What it is a table of.
    pub title: String,
    /// What the rows are.
    pub head: &'static str,
    /// How many steps.
    pub steps: usize,
    /// A row for each node that messages come from, or chunks are for; `None`: for several.
    pub rows: BTreeMap<Option<Node>, Vec<Vec<Cell>>>,
    /// What the nodes are called, where it is not by their numbers.
    pub names: Option<Vec<String>>,
}

/// A transfer in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The nodes from sender to receiver.
    pub path: Vec<Node>,
    /// The numbers of its messages, where nodes do not tell which they are.
    pub messages: Vec<Message>,
}

impl Cell {
    /// The transfer with such an arrow.
    fn with(&self, arrow: &str, name: impl Fn(Node) -> String) -> String {
        let way: Vec<String> = self.path.iter().map(|node| name(*node)).collect();
        let (Some(from), Some(to)) = (way.first(), way.last()) else { return String::new() };
        let messages: String = self.messages.iter().map(|m| format!(" #{m}")).collect();
        format!("{from}{arrow}{to} ({}){messages}", way.join(","))
    }
}

/// Channel uses of the largest schedule that is put into a table.
const MOST: u64 = 1 << 24;

impl Table {
    /// The table of a schedule.
    ///
    /// # Errors
    /// Where it has too many transfers for a table.
    pub fn of(schedule: &Verified) -> io::Result<Self> {
        let too_large = |why: String| io::Error::new(io::ErrorKind::FileTooLarge, why);
        let uses = schedule.channel_uses();
        if uses > MOST {
            return Err(too_large(format!(
                "the schedule uses channels {uses} times, more than a table holds ({MOST})"
            )));
        }
        let claim = schedule.expanded().map_err(|error| too_large(error.to_string()))?;
        let problem = schedule.problem();
        let (network, collective) = (problem.network(), problem.collective());
        let names = Names::of(problem);
        let mut rows: BTreeMap<Option<Node>, Vec<Vec<Cell>>> = BTreeMap::new();
        for (step, transfers) in claim.steps().enumerate() {
            for transfer in transfers {
                let Some(&first) = transfer.path.first() else { continue };
                let path: Vec<Node> =
                    std::iter::once(network.from(first)).chain(transfer.path.iter().map(|c| network.to(*c))).collect();
                let mut of: BTreeMap<Option<Node>, Vec<Message>> = BTreeMap::new();
                for &message in transfer.messages {
                    let told = names.tell(problem, message, &path);
                    of.entry(row(problem, message)).or_default().extend((!told).then_some(message));
                }
                for (node, messages) in of {
                    let row = rows.entry(node).or_insert_with(|| vec![Vec::new(); claim.step_count()]);
                    row[step].push(Cell { path: path.clone(), messages });
                }
            }
        }
        let title = format!("{}, {} steps", problem.title(), claim.step_count());
        Ok(Table {
            // A file may name its network anything, and the title has one line.
            title: one_line(&title),
            head: if collective.semantics() == Semantics::Reduce { "for" } else { "source" },
            steps: claim.step_count(),
            rows,
            names: network.names().map(<[String]>::to_vec),
        })
    }

    /// What a node is called.
    fn node(&self, node: Node) -> String {
        self.names.as_ref().map_or_else(|| node.to_string(), |names| one_line(&names[node.index()]))
    }

    /// What a row is called.
    fn row(&self, row: Option<Node>) -> String {
        row.map_or_else(|| "all".into(), |node| self.node(node))
    }

    /// The cells of some steps as columns, with their heads, and the first column.
    fn columns(&self, arrow: &str, plain: fn(&str) -> String, first: usize, last: usize) -> Vec<Column> {
        let rows = self.rows.keys().map(|v| vec![plain(&self.row(*v))]).collect();
        let nodes = Column { head: self.head.to_owned(), cells: rows };
        let step = |step: usize| Column {
            head: format!("step {step}"),
            cells: self
                .rows
                .values()
                .map(|row| row[step].iter().map(|cell| cell.with(arrow, |v| plain(&self.node(v)))).collect())
                .collect(),
        };
        std::iter::once(nodes).chain((first..last).map(step)).collect()
    }

    /// As text, at most some 120 columns wide.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        text::write(self, out)
    }

    /// As comma-separated values.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn csv(&self, out: &mut dyn Write) -> io::Result<()> {
        csv::write(self, out)
    }

    /// As LaTeX, to be put in by `\input`.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn latex(&self, out: &mut dyn Write) -> io::Result<()> {
        latex::write(self, out)
    }
}

/// The row of a message: its origin, or the one node that its chunk is for.
fn row(problem: &Problem, message: Message) -> Option<Node> {
    let collective = problem.collective();
    match (collective.semantics(), collective.destinations(message)) {
        (Semantics::Copy, _) => Some(collective.origin(message)),
        (Semantics::Reduce, [only]) => Some(*only),
        (Semantics::Reduce, _) => None,
    }
}

/// A text of a file, which may be anything, without what would end a line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// How often rows, and pairs of nodes, have messages.
struct Names {
    rows: BTreeMap<Option<Node>, u32>,
    pairs: BTreeMap<(Node, Node), u32>,
}

impl Names {
    fn of(problem: &Problem) -> Self {
        let mut names = Names { rows: BTreeMap::new(), pairs: BTreeMap::new() };
        for message in problem.collective().messages() {
            *names.rows.entry(row(problem, message)).or_default() += 1;
            if let Some(pair) = pair(problem, message) {
                *names.pairs.entry(pair).or_default() += 1;
            }
        }
        names
    }

    /// Whether a path in the row of a message tells which of them it is: its only one, or the only one between both ends.
    fn tell(&self, problem: &Problem, message: Message, path: &[Node]) -> bool {
        let ends = path.first().copied().zip(path.last().copied());
        let direct = || pair(problem, message).filter(|pair| Some(*pair) == ends);
        self.rows.get(&row(problem, message)) == Some(&1) || direct().is_some_and(|p| self.pairs.get(&p) == Some(&1))
    }
}

/// The two ends of a message with one destination.
fn pair(problem: &Problem, message: Message) -> Option<(Node, Node)> {
    let collective = problem.collective();
    match (collective.contributors(message), collective.destinations(message)) {
        ([from], [to]) => Some((*from, *to)),
        _ => None,
    }
}

/// A column of the table: its head, and the lines of each row's cell.
struct Column {
    head: String,
    cells: Vec<Vec<String>>,
}

//! **What:** lists of nodes as people type them: `0,3,5-9`, `core0-core3,core7`, `0-3/4-7`, links, and files of nodes and of pairs.
//!
//! **Facts:** a name may hold commas and dashes: what names a node as it stands is that node, whatever else it could be.

use super::failure::Failure;
use super::names::{Ends, Names};
use collectives::permutations::PERMUTATIONS;
use collectives::{LARGEST, groups};
use kernel::{Channel, Network, Node};
use std::collections::BTreeMap;
use std::path::Path;

/// The node that `text` names, by number or by label.
pub fn node(network: &Network, flag: &str, text: &str) -> Result<Node, Failure> {
    Names::new(network).node(flag, text)
}

/// As [`node`], but only a terminal.
pub fn terminal(network: &Network, flag: &str, text: &str) -> Result<Node, Failure> {
    Names::new(network).terminal(flag, text)
}

/// The terminals of a list such as `0,3,5-9`, ascending.
pub fn terminals(network: &Network, flag: &str, text: &str) -> Result<Vec<Node>, Failure> {
    listed(&Names::new(network), network, flag, text, Wanted::Terminals)
}

/// The nodes of such a list, switches among them, ascending.
pub fn nodes(network: &Network, flag: &str, text: &str) -> Result<Vec<Node>, Failure> {
    listed(&Names::new(network), network, flag, text, Wanted::Any)
}

/// Which nodes a list may name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Any,
    /// One by one; a range passes over switches.
    Terminals,
}

/// Most commas in a name.
const MOST_COMMAS: usize = 8;

fn listed(names: &Names<'_>, network: &Network, flag: &str, text: &str, wanted: Wanted) -> Result<Vec<Node>, Failure> {
    let pieces: Vec<&str> = text.split(',').collect();
    let (mut list, mut at) = (Vec::new(), 0);
    while at < pieces.len() {
        if pieces[at].trim().is_empty() {
            return Err(Failure::input(format!("{flag}: the list `{text}` has an empty entry"))
                .hint("write nodes and ranges with commas between them, such as 0,3,5-9"));
        }
        // A name with commas stands in several pieces.
        let last = pieces.len().min(at + 1 + MOST_COMMAS);
        let joined = (at + 1..=last).map(|end| (end, entry(names, flag, &pieces[at..end].join(","))));
        let mut refused = None;
        let mut taken = None;
        for (end, found) in joined {
            match found {
                Ok(range) => {
                    taken = Some((end, range));
                    break;
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        let Some((end, (first, last))) = taken else {
            return Err(refused.expect("a list has an entry that was tried"));
        };
        if first > last {
            let whole = pieces[at..end].join(",");
            let [low, high] = [last, first].map(|node| network.name_of(node));
            return Err(Failure::input(format!("{flag}: the range `{}` runs backwards", whole.trim()))
                .hint(format!("write {low}-{high}")));
        }
        let before = list.len();
        let passes = |node: &Node| wanted == Wanted::Any || network.is_terminal(*node);
        list.extend((first.0..=last.0).map(Node).filter(passes));
        if list.len() == before {
            names.terminal(flag, &format!("number:{first}"))?;
        }
        at = end;
    }
    list.sort_unstable();
    if let Some(twice) = list.windows(2).find(|w| w[0] == w[1]) {
        let name = network.name_of(twice[0]);
        return Err(Failure::input(format!("{flag}: node {name} is listed twice")).hint("name each node once"));
    }
    Ok(list)
}

/// The first and the last node of an entry: one node, or a range in the order of the numbers.
fn entry(names: &Names<'_>, flag: &str, text: &str) -> Result<(Node, Node), Failure> {
    let numbers = text.split_once('-').filter(|(a, b)| is_number(a) && is_number(b));
    let alone = names.node(flag, text);
    if let Ok(node) = alone {
        return Ok((node, node));
    }
    if let Some((first, last)) = numbers {
        return Ok((names.node(flag, first)?, names.node(flag, last)?));
    }
    let range = text.match_indices('-').find_map(|(at, _)| {
        let first = names.node(flag, &text[..at]).ok()?;
        Some((first, names.node(flag, &text[at + 1..]).ok()?))
    });
    range.map_or_else(|| Err(apart(names, flag, text, alone.expect_err("a node was found before"))), Ok)
}

/// Why an entry is none: that several have blanks between them, where that is so.
fn apart(names: &Names<'_>, flag: &str, text: &str, failure: Failure) -> Failure {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.len() > 1 && words.iter().all(|word| entry(names, flag, word).is_ok()) {
        true => failure.hint(format!("nodes of a list have commas between them: {}", words.join(","))),
        false => failure,
    }
}

/// The terminals of a list, or of a file with lists: nodes and ranges parted by commas or blanks; `#` begins a comment.
pub fn terminals_or_file(network: &Network, flag: &str, text: &str) -> Result<Vec<Node>, Failure> {
    let path = Path::new(text);
    if !path.is_file() {
        return terminals(network, flag, text);
    }
    let words: Vec<String> = rows(path)?.into_iter().flat_map(|row| row.words).collect();
    if words.is_empty() {
        return Err(Failure::input(format!("{flag}: no terminal in `{text}`"))
            .hint("it takes a file of numbers or names of nodes"));
    }
    terminals(network, &format!("{flag} {text}"), &words.join(","))
}

/// A line of a file that holds words.
pub struct Row {
    /// From 1.
    pub line: usize,
    /// The words.
    pub words: Vec<String>,
}

/// The lines of a file with their words, but those without any.
pub fn rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let read = formats::read_text(path).map_err(|e| Failure::input(e).hint("it takes a file of numbers and names"))?;
    let rows = (1..).zip(read.lines()).map(|(line, text)| Row { line, words: words(text, true) });
    Ok(rows.filter(|row| !row.words.is_empty()).collect())
}

/// What stands between blanks (and commas) of a line, or between its tabs; `#` begins a comment, and a name with blanks stands in quotes.
fn words(line: &str, commas: bool) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quoted, mut begun) = (String::new(), false, false);
    let tabs = line.contains('\t');
    for letter in line.chars() {
        let parts = match tabs {
            true => letter == '\t',
            false => letter.is_whitespace() || (commas && letter == ','),
        };
        match letter {
            '"' => (quoted, begun) = (!quoted, true),
            '#' if !quoted => break,
            _ if parts && !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word).trim().to_owned());
                }
                begun = false;
            }
            _ => {
                word.push(letter);
                begun |= !letter.is_whitespace();
            }
        }
    }
    if begun {
        words.push(word.trim().to_owned());
    }
    words
}

/// Groups of terminals: by name, or lists with `/` or `;` between them.
pub fn groups(network: &Network, text: &str) -> Result<Vec<Vec<Node>>, Failure> {
    let hint = format!("--groups takes lists such as 0-3/4-7, or one of {}", groups::NAMES);
    if let Some(named) = groups::parse(text, network) {
        return named.map_err(|error| Failure::input(format!("--groups: {error}")).hint(hint));
    }
    let names = Names::new(network);
    if !text.contains(['/', ';', ',', '-']) && names.node("--groups", text).is_err() {
        return Err(Failure::input(format!("--groups: `{text}` names no groups")).hint(hint));
    }
    // Where names hold one of the marks, the other one parts groups.
    let slashes = network.data().labels.iter().flatten().any(|label| label.contains('/'));
    let marks: &[char] = if slashes && text.contains(';') { &[';'] } else { &['/', ';'] };
    text.split(marks).map(|list| listed(&names, network, "--groups", list, Wanted::Terminals)).collect()
}

fn is_number(text: &str) -> bool {
    !text.trim().is_empty() && text.trim().bytes().all(|b| b.is_ascii_digit())
}

/// The ends of `A-B` or `A>B`.
pub fn link(network: &Network, flag: &str, text: &str) -> Result<Ends, Failure> {
    Names::new(network).ends(flag, text)
}

/// The links of a list such as `A-B,C>D`; a name may hold commas.
pub fn links(network: &Network, flag: &str, text: &str) -> Result<Vec<Ends>, Failure> {
    let names = Names::new(network);
    let whole = names.ends(flag, text);
    let pieces: Vec<&str> = text.split(',').collect();
    if whole.is_ok() || pieces.len() == 1 {
        return whole.map(|ends| vec![ends]);
    }
    let (mut list, mut at) = (Vec::new(), 0);
    while at < pieces.len() {
        let last = pieces.len().min(at + 1 + MOST_COMMAS);
        let found = (at + 1..=last).find_map(|end| Some((end, names.ends(flag, &pieces[at..end].join(",")).ok()?)));
        let Some((end, ends)) = found else {
            let failure = names.ends(flag, pieces[at]).and(whole);
            return Err(failure.expect_err("neither is a link"));
        };
        list.push(ends);
        at = end;
    }
    Ok(list)
}

/// The channels of such a link; none where there is no link between these nodes.
pub fn link_channels(network: &Network, flag: &str, text: &str) -> Result<Vec<Channel>, Failure> {
    let Ends { from, to, directed } = link(network, flag, text)?;
    let goes = |c: &Channel| {
        let ends = (network.from(*c), network.to(*c));
        ends == (from, to) || (!directed && ends == (to, from))
    };
    Ok(network.channels().filter(goes).collect())
}

/// The pairs of a file with lines `from to [count]`; `#` begins a comment. Of a permutation (`once`), no node sends or
/// receives twice, and one may send to itself, which takes no message.
pub fn pairs(network: &Network, path: &Path, once: bool) -> Result<Vec<(Node, Node)>, Failure> {
    let place = path.display();
    let form = if once { "a line reads `from to`" } else { "a line reads `from to [count]`" };
    let text = formats::read_text(path).map_err(|e| {
        let names: Vec<&str> = PERMUTATIONS.iter().map(|p| p.form).collect();
        Failure::input(e)
            .hint(format!("--pairs takes a file with lines `from to [count]`, or one of {}", names.join(", ")))
    })?;
    let names = Names::new(network);
    let called = |node: Node| network.name_of(node);
    let mut pairs = Vec::new();
    let mut met: [BTreeMap<Node, usize>; 2] = Default::default();
    for (number, line) in text.lines().enumerate() {
        let found = words(line, false);
        let words: Vec<&str> = found.iter().map(String::as_str).collect();
        if words.is_empty() {
            continue;
        }
        let at = format!("{place}:{}", number + 1);
        let (from, to, count) = match words[..] {
            [from, to] => (from, to, 1),
            [from, to, count] => match count.parse::<u64>() {
                Ok(count) => (from, to, count),
                Err(_) => return Err(Failure::input(format!("{at}: the count `{count}` is not a number")).hint(form)),
            },
            _ => {
                return Err(Failure::input(format!("{at}: {} words where 2 or 3 are needed", words.len())).hint(form));
            }
        };
        let from = names.terminal(&format!("{at}: from"), from)?;
        let to = names.terminal(&format!("{at}: to"), to)?;
        if once {
            if count > 1 {
                return Err(Failure::input(format!(
                    "{at}: {count} messages from node {} in a permutation",
                    called(from)
                ))
                .hint("a permutation has one per node; alltoallv takes any number"));
            }
            for (met, (node, does)) in met.iter_mut().zip([(from, "sends"), (to, "receives")]) {
                if let Some(before) = met.insert(node, number + 1) {
                    return Err(Failure::input(format!(
                        "{at}: node {} {does} for the second time, after line {before}: this is not a permutation",
                        called(node)
                    ))
                    .hint("in a permutation every node sends and receives at most once; alltoallv takes any pairs"));
                }
            }
        } else if from == to {
            return Err(
                Failure::input(format!("{at}: node {} would send to itself", called(from))).hint("remove the line")
            );
        }
        if count > LARGEST || pairs.len() as u64 + count > LARGEST {
            return Err(Failure::input(format!("{at}: more than {LARGEST} messages in all")).hint("use smaller counts"));
        }
        pairs.extend((0..count).map(|_| (from, to)));
    }
    if pairs.is_empty() {
        return Err(Failure::input(format!("{place}: no pair in the file")).hint(form));
    }
    Ok(pairs)
}

/// Ascending nodes as `0-7,9`, cut short where there are many ranges.
pub fn ranges(nodes: &[Node]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for node in nodes {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == node.0 => *last = node.0,
            _ => runs.push((node.0, node.0)),
        }
    }
    let shown: Vec<String> =
        runs.iter().take(8).map(|&(a, b)| if a == b { a.to_string() } else { format!("{a}-{b}") }).collect();
    let more = if runs.len() > 8 { ",…" } else { "" };
    format!("{}{more}", shown.join(","))
}

/// Ascending nodes by their names where they have some, cut short where there are many, else as [`ranges`].
pub fn named(network: &Network, nodes: &[Node]) -> String {
    const SHOWN: usize = 8;
    let numbers = |names: &[String]| nodes.iter().all(|node| names[node.index()] == node.to_string());
    let Some(names) = network.names().filter(|names| !numbers(names)) else { return ranges(nodes) };
    let shown: Vec<&str> = nodes.iter().take(SHOWN).map(|node| names[node.index()].as_str()).collect();
    let more = if nodes.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

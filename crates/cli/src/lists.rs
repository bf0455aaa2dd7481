//! **What:** what people type for nodes and links: `7`, a label, `0,3,5-9`, `0-3/4-7`, `2-5`, `2>5`, counts, and files of pairs.

use super::failure::Failure;
use collectives::permutations::PERMUTATIONS;
use collectives::{LARGEST, groups};
use kernel::{Channel, Network, Node};
use std::collections::BTreeMap;
use std::path::Path;

/// The node that `text` names, by number or by label.
pub(crate) fn node(network: &Network, flag: &str, text: &str) -> Result<Node, Failure> {
    let text = text.trim();
    let last = network.node_count() - 1;
    if let Ok(number) = text.parse::<u64>() {
        return match usize::try_from(number).ok().filter(|&v| v <= last) {
            Some(v) => Ok(Node::new(v)),
            None => Err(Failure::input(format!("{flag}: {} has no node {number}", network.name()))
                .hint(format!("its nodes are 0 to {last}"))),
        };
    }
    let labels = network.data().labels.iter().flatten();
    match labels.enumerate().find(|(_, label)| label.as_str() == text) {
        Some((v, _)) => Ok(Node::new(v)),
        None => Err(Failure::input(format!("{flag}: `{text}` is no node of {}", network.name()))
            .hint(format!("name a node by its number, 0 to {last}, or by its label where it has one"))),
    }
}

/// As [`node`], but only a terminal.
pub(crate) fn terminal(network: &Network, flag: &str, text: &str) -> Result<Node, Failure> {
    let node = node(network, flag, text)?;
    if network.is_terminal(node) {
        return Ok(node);
    }
    Err(Failure::input(format!(
        "{flag}: node {node} of {} is a switch, which neither sends nor receives",
        network.name()
    ))
    .hint(format!("its terminals are {}", ranges(network.terminals()))))
}

/// The terminals of a list such as `0,3,5-9`, ascending.
pub(crate) fn terminals(network: &Network, flag: &str, text: &str) -> Result<Vec<Node>, Failure> {
    let mut list = Vec::new();
    for entry in text.split(',').map(str::trim) {
        if entry.is_empty() {
            return Err(Failure::input(format!("{flag}: the list `{text}` has an empty entry"))
                .hint("write numbers and ranges with commas between them, such as 0,3,5-9"));
        }
        let range = entry.split_once('-').filter(|(a, b)| is_number(a) && is_number(b));
        match range {
            None => list.push(terminal(network, flag, entry)?),
            Some((first, last)) => {
                let (first, last) = (terminal(network, flag, first)?, terminal(network, flag, last)?);
                if first > last {
                    return Err(Failure::input(format!("{flag}: the range `{entry}` runs backwards"))
                        .hint(format!("write {last}-{first}")));
                }
                for v in first.0..=last.0 {
                    list.push(terminal(network, flag, &v.to_string())?);
                }
            }
        }
    }
    list.sort_unstable();
    if let Some(twice) = list.windows(2).find(|w| w[0] == w[1]) {
        return Err(Failure::input(format!("{flag}: node {} is listed twice", twice[0])).hint("name each node once"));
    }
    Ok(list)
}

/// The terminals of a list, or of a file with lists: numbers and ranges parted by commas or blanks; `#` begins a comment.
pub(crate) fn terminals_or_file(network: &Network, flag: &str, text: &str) -> Result<Vec<Node>, Failure> {
    let path = Path::new(text);
    if !path.is_file() {
        return terminals(network, flag, text);
    }
    let words: Vec<String> = words(path)?.into_iter().map(|(_, word)| word).collect();
    if words.is_empty() {
        return Err(Failure::input(format!("{flag}: no terminal in `{text}`")).hint("it takes a file of numbers"));
    }
    terminals(network, &format!("{flag} {text}"), &words.join(","))
}

/// What stands between the commas and blanks of a file, with the lines; `#` begins a comment.
fn words(path: &Path) -> Result<Vec<(usize, String)>, Failure> {
    let read = formats::read_text(path).map_err(|e| Failure::input(e).hint("it takes a file of numbers"))?;
    let split = |c: char| c.is_whitespace() || c == ',';
    let mut words = Vec::new();
    for (number, line) in (1..).zip(read.lines()) {
        let plain = line.split('#').next().unwrap_or_default();
        words.extend(plain.split(split).filter(|word| !word.is_empty()).map(|word| (number, word.to_owned())));
    }
    Ok(words)
}

/// Numbers of messages with commas between them, or those of a file.
pub(crate) fn counts(text: &str) -> Result<Vec<u32>, Failure> {
    let path = Path::new(text);
    let (place, words) = match path.is_file() {
        true => (path.display().to_string(), words(path)?),
        false => ("--counts".to_owned(), text.split(',').map(|word| (0, word.trim().to_owned())).collect()),
    };
    let count = |(line, word): &(usize, String)| {
        word.parse().map_err(|_| {
            let place = if *line == 0 { place.clone() } else { format!("{place}:{line}") };
            Failure::input(format!("{place}: `{word}` is no number of messages"))
                .hint("--counts takes whole numbers such as 3,1,0,2, or a file of them")
        })
    };
    words.iter().map(count).collect()
}

/// Groups of terminals: by name, or lists with `/` or `;` between them.
pub(crate) fn groups(network: &Network, text: &str) -> Result<Vec<Vec<Node>>, Failure> {
    let hint = format!("--groups takes lists such as 0-3/4-7, or one of {}", groups::NAMES);
    if let Some(named) = groups::parse(text, network) {
        return named.map_err(|error| Failure::input(format!("--groups: {error}")).hint(hint));
    }
    if !text.contains(['/', ';', ',', '-']) && node(network, "--groups", text).is_err() {
        return Err(Failure::input(format!("--groups: `{text}` names no groups")).hint(hint));
    }
    text.split(['/', ';']).map(|list| terminals(network, "--groups", list)).collect()
}

fn is_number(text: &str) -> bool {
    !text.trim().is_empty() && text.trim().bytes().all(|b| b.is_ascii_digit())
}

/// The ends of `A-B` (both directions, `false`) or `A>B` (one direction, `true`); labels may hold these marks.
pub(crate) fn link(network: &Network, flag: &str, text: &str) -> Result<(Node, Node, bool), Failure> {
    let parted = |mark: char, directed: bool| text.match_indices(mark).map(move |(at, _)| (at, directed));
    let mut first = None;
    for (at, directed) in parted('>', true).chain(parted('-', false)) {
        let ends =
            node(network, flag, &text[..at]).and_then(|a| Ok((a, node(network, flag, &text[at + 1..])?, directed)));
        match ends {
            Ok(ends) => return Ok(ends),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| {
        Failure::input(format!("{flag}: `{text}` is no link"))
            .hint("write A-B for both directions, or A>B (in quotes) for one")
    }))
}

/// The channels of such a link; none where there is no link between these nodes.
pub(crate) fn link_channels(network: &Network, flag: &str, text: &str) -> Result<Vec<Channel>, Failure> {
    let (from, to, directed) = link(network, flag, text)?;
    let goes = |c: &Channel| {
        let ends = (network.from(*c), network.to(*c));
        ends == (from, to) || (!directed && ends == (to, from))
    };
    Ok(network.channels().filter(goes).collect())
}

/// The pairs of a file with lines `from to [count]`; `#` begins a comment. Of a permutation (`once`), no node sends or
/// receives twice, and one may send to itself, which takes no message.
pub(crate) fn pairs(network: &Network, path: &Path, once: bool) -> Result<Vec<(Node, Node)>, Failure> {
    let place = path.display();
    let form = if once { "a line reads `from to`" } else { "a line reads `from to [count]`" };
    let text = formats::read_text(path).map_err(|e| {
        let names: Vec<&str> = PERMUTATIONS.iter().map(|p| p.form).collect();
        Failure::input(e)
            .hint(format!("--pairs takes a file with lines `from to [count]`, or one of {}", names.join(", ")))
    })?;
    let mut pairs = Vec::new();
    let mut met: [BTreeMap<Node, usize>; 2] = Default::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            continue;
        }
        let at = format!("{place}:{}", number + 1);
        let (from, to, count) = match words[..] {
            [from, to] => (from, to, 1),
            [from, to, count] => match count.parse::<u64>() {
                Ok(count) => (from, to, count),
                Err(_) => return Err(Failure::input(format!("{at}: the count `{count}` is no number")).hint(form)),
            },
            _ => {
                return Err(Failure::input(format!("{at}: {} words where 2 or 3 are needed", words.len())).hint(form));
            }
        };
        let from = terminal(network, &format!("{at}: from"), from)?;
        let to = terminal(network, &format!("{at}: to"), to)?;
        if once {
            if count > 1 {
                return Err(Failure::input(format!("{at}: {count} messages from node {from} in a permutation"))
                    .hint("a permutation has one a node; alltoallv takes any number"));
            }
            for (met, (node, does)) in met.iter_mut().zip([(from, "sends"), (to, "receives")]) {
                if let Some(before) = met.insert(node, number + 1) {
                    return Err(Failure::input(format!(
                        "{at}: node {node} {does} for the second time, after line {before}: this is no permutation"
                    ))
                    .hint("in a permutation every node sends and receives at most once; alltoallv takes any pairs"));
                }
            }
        } else if from == to {
            return Err(Failure::input(format!("{at}: node {from} would send to itself")).hint("take the line out"));
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
pub(crate) fn ranges(nodes: &[Node]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::NetworkData;

    fn star() -> Network {
        let links = (1..10).flat_map(|v| [(0, v), (v, 0)]).collect();
        let terminals = Some((1..10).collect());
        Network::new(NetworkData {
            name: "star".into(),
            nodes: 10,
            channels: links,
            terminals,
            ..NetworkData::default()
        })
        .unwrap()
    }

    fn numbers(list: &[Node]) -> Vec<u32> {
        list.iter().map(|v| v.0).collect()
    }

    #[test]
    fn lists_are_numbers_and_ranges() {
        let star = star();
        assert_eq!(numbers(&terminals(&star, "--senders", "9,1,3-5").unwrap()), [1, 3, 4, 5, 9]);
        assert_eq!(ranges(star.terminals()), "1-9");
    }

    #[test]
    fn bad_lists_say_which_entry() {
        let star = star();
        for (text, says) in [
            ("1,12", "no node 12"),
            ("0", "is a switch"),
            ("1,,2", "empty entry"),
            ("5-3", "runs backwards"),
            ("1-3,2", "listed twice"),
            ("x", "`x` is no node"),
            ("99999999999999999999999", "is no node"),
            ("1-40", "no node 40"),
        ] {
            let failure = terminals(&star, "--senders", text).unwrap_err();
            assert!(format!("{failure:?}").contains(says), "{text}: {failure:?}");
        }
    }

    #[test]
    fn links_have_a_direction_or_two() {
        let star = star();
        assert_eq!(link(&star, "--fail-link", "0-3").unwrap(), (Node(0), Node(3), false));
        assert_eq!(link(&star, "--fail-link", "0>3").unwrap(), (Node(0), Node(3), true));
        assert!(link(&star, "--fail-link", "03").is_err());
        let hyphens = NetworkData {
            labels: Some(vec!["a-0".into(), "b-0".into()]),
            nodes: 2,
            channels: vec![(0, 1), (1, 0)],
            ..NetworkData::default()
        };
        let hyphens = Network::new(hyphens).unwrap();
        assert_eq!(link(&hyphens, "--fail-link", "a-0-b-0").unwrap(), (Node(0), Node(1), false));
        assert_eq!(link(&hyphens, "--fail-link", "b-0>a-0").unwrap(), (Node(1), Node(0), true));
    }
}

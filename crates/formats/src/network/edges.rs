//! **What:** networks as lists of links, one a line.
//!
//! **Parameters:** `a b` is a link: a channel each way. `a > b` (or `a -> b`) is the one channel from a to b. After a
//! comment line that says `# directed`, `a b` is one channel as well. A third column is the capacity of each channel, a
//! whole number. Behind it `bandwidth=25GB/s` and `latency=0.7us` may stand (a number alone is in GB/s, or in µs), and `capacity=2`
//! in place of the column; NetworkX' `{}` and `{'capacity': 2, 'bandwidth': 25}` are taken for it too. A name by itself makes a node. A comment
//! `# switches: a b` makes those nodes switches. Other text behind `#` is a comment. Where no line has blanks, commas separate: `a,b,2`,
//! below a line `source,target` or none. A name may be a tuple as Python prints it, `(0, 1)`.
//!
//! **Facts:** written with node numbers, as links where channels come in pairs. What is lost: name, labels, ports,
//! no_transit and half_duplex.

use super::adjlist::words;
use super::assembly::{Assembly, fault};
use super::carries::Carries;
use super::{NetworkFile, text_of};
use crate::{Place, ReadError};
use kernel::timed::Links;
use kernel::{Channel, Network};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    let text = without_commas(text_of(bytes, path)?);
    let mut assembly = Assembly::default();
    let mut directed = false;
    let mut switches: Vec<(&str, Place)> = Vec::new();
    for (number, whole) in (1..).zip(text.lines()) {
        let (line, comment) = whole.split_once('#').unwrap_or((whole, ""));
        let place_of =
            |word: &str| Place { line: number, column: 1 + word.as_ptr() as usize - whole.as_ptr() as usize };
        if line.trim().is_empty() {
            directed |= comment.trim().eq_ignore_ascii_case("directed");
            if let Some(list) = comment.trim().strip_prefix("switches:") {
                switches.extend(list.split_whitespace().map(|word| (word, place_of(word))));
            }
            continue;
        }
        let (line, data) = line.split_at(line.find('{').unwrap_or(line.len()));
        let mut words = words(line).into_iter().peekable();
        let Some(a) = words.next() else {
            return Err(fault(path, place_of(line), None, whole, "a link without ends"));
        };
        let place = place_of(a);
        let arrow = words.next_if(|w| matches!(*w, ">" | "->" | "-" | "--"));
        let from = assembly.node(a).0;
        let Some(b) = words.next() else {
            if arrow.is_none() && data.is_empty() {
                continue;
            }
            return Err(fault(path, place, None, whole, "a link with one end"));
        };
        let to = assembly.node(b).0;
        let mut carries = Carries::default();
        let field = || Some(format!("link {a} {b}"));
        for (at, word) in words.chain(entries(data)).enumerate() {
            let (name, value) = match word.split_once(['=', ':']) {
                Some((name, value)) => (unquoted(name), unquoted(value)),
                None if at == 0 => ("capacity", word),
                None => {
                    let why =
                        "behind its ends and its capacity a link has attributes such as bandwidth=25GB/s, nothing more";
                    return Err(fault(path, place_of(word), field(), word, why));
                }
            };
            let known = carries.attribute(name, value);
            if !known.map_err(|why| fault(path, place_of(value), field(), value, why))? {
                assembly.ignore(name);
            }
        }
        match arrow {
            Some(">" | "->") => assembly.channel(from, to, carries, place),
            None if directed => assembly.channel(from, to, carries, place),
            _ => assembly.link(from, to, carries, place),
        }
    }
    if !switches.is_empty() {
        for (name, place) in switches {
            let (node, new) = assembly.node(name);
            if new {
                return Err(fault(path, place, Some("switches".into()), name, "no link names this node"));
            }
            assembly.about[node as usize].terminal = Some(false);
        }
    }
    assembly.finish(path)
}

/// A text with blanks for its commas, where these separate: in every line, and in none a blank. Names of columns above are left out.
fn without_commas(text: &str) -> Cow<'_, str> {
    let is_link = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let separates = |line: &str| line.contains(',') && !line.contains([' ', '\t', '(']);
    let lines = || text.lines().map(str::trim);
    let first = lines().position(|line| is_link(&line));
    if first.is_none() || !lines().filter(is_link).all(separates) {
        return text.into();
    }
    let heads = |line: &str| ["source,target", "from,to"].contains(&line.trim().to_ascii_lowercase().as_str());
    let plain = |(at, line): (usize, &str)| {
        if Some(at) == first && heads(line) { String::new() } else { line.replace(',', " ") }
    };
    text.lines().enumerate().map(plain).collect::<Vec<_>>().join("\n").into()
}

/// The entries `'name': value` of what Python prints of a dictionary.
fn entries(data: &str) -> impl Iterator<Item = &str> {
    let inner = data.trim().trim_start_matches('{').trim_end_matches('}');
    inner.split(',').map(str::trim).filter(|entry| entry.contains(':'))
}

/// A text without the blanks and quotes around it.
fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"'])
}

pub(super) fn write(network: &Network, links: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    let parts = network.data();
    let carries = |at| Carries::of(network, links, Channel::new(at));
    let paired = parts.channels.len().is_multiple_of(2)
        && (0..parts.channels.len()).step_by(2).all(|at| {
            let ((a, b), back) = (parts.channels[at], parts.channels[at + 1]);
            (b, a) == back && carries(at) == carries(at + 1)
        });
    let title: String = parts.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // Quotes keep a title from being taken for one of the comments that mean something.
    writeln!(out, "# network \"{title}\": one {} a line", if paired { "link" } else { "channel" })?;
    if !paired {
        writeln!(out, "# directed")?;
    }
    if let Some(terminals) = &parts.terminals {
        let switches: Vec<_> = (0..parts.nodes).filter(|v| !terminals.contains(v)).map(|v| v.to_string()).collect();
        if !switches.is_empty() {
            writeln!(out, "# switches: {}", switches.join(" "))?;
        }
    }
    let mut named = vec![false; network.node_count()];
    for (at, &(a, b)) in parts.channels.iter().enumerate().step_by(if paired { 2 } else { 1 }) {
        named[a as usize] = true;
        named[b as usize] = true;
        write!(out, "{a} {b}")?;
        for (name, value) in carries(at).written() {
            match name {
                "capacity" => write!(out, " {value}")?,
                _ => write!(out, " {name}={value}")?,
            }
        }
        writeln!(out)?;
    }
    for node in network.nodes().filter(|v| !named[v.index()]) {
        writeln!(out, "{node}")?;
    }
    Ok(())
}

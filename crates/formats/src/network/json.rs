//! **What:** networks in JSON: the object `network` of a schedule file, by itself or within a whole document.
//!
//! **Facts:** carries all of a network. Of a whole document only the field `network` is looked at.

use super::NetworkFile;
use crate::schedule_json::{Source, parse_as, raw, refuse, way_of, write_network};
use crate::{Fault, ReadError, binary, file, timed_json};
use kernel::Network;
use kernel::timed::Links;
use serde::de::IgnoredAny;
use std::io::{self, Write};
use std::path::Path;

/// Tells a document from a network by itself.
#[derive(serde::Deserialize)]
struct Outline {
    network: Option<IgnoredAny>,
}

/// Whether a file is a document that has a network and a collective: a schedule file, of steps or in time.
pub fn is_schedule(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct Document {
        network: Option<IgnoredAny>,
        collective: Option<IgnoredAny>,
    }
    let holds =
        |text: &[u8]| matches!(serde_json::from_slice(text), Ok(Document { network: Some(_), collective: Some(_) }));
    file::load(path).is_ok_and(|bytes| match binary::is_packed(&bytes) {
        true => binary::open(&bytes, path).is_ok_and(|opened| holds(&opened.header)),
        false => holds(&bytes),
    })
}

pub(super) fn parse(text: &[u8], path: &Path) -> Result<NetworkFile, ReadError> {
    if binary::is_packed(text) {
        return parse(&binary::open(text, path)?.header, path).map_err(binary::nowhere);
    }
    let (mut raw, prefix) = match serde_json::from_slice(text) {
        Ok(Outline { network: Some(_) }) => (parse_as::<raw::NetworkOnly>(text, path)?.network, "network."),
        _ => (parse_as::<raw::Network>(text, path).map_err(|error| foreign(text, path, error))?, ""),
    };
    let links = timed_json::take_links(&mut raw);
    let mut data = Source::new(text, path).network_data(raw, prefix)?;
    if data.name.is_empty() {
        data.name = file::title(path);
    }
    let network = Network::new(data).map_err(|e| refuse(path, text, &way_of(&e, prefix), Fault::Network(e)))?;
    if let Some(links) = &links {
        links
            .check(&network)
            .map_err(|e| refuse(path, text, &timed_json::way_of(&e, prefix), Fault::TimedProblem(e)))?;
    }
    Ok(NetworkFile { links, ..network.into() })
}

/// What to say of a text that is no network of ours: what is wrong with it as JSON, or that it is something else.
fn foreign(text: &[u8], path: &Path, error: ReadError) -> ReadError {
    if memchr::memmem::find(text, b"\"channels\"").is_some() {
        return error;
    }
    let other = "is neither a network of this program (`nodes` is a number, `channels` a list) nor node-link data, as NetworkX' \
                 node_link_data gives it (`nodes` and `links` or `edges` are lists)";
    let syntax = parse_as::<IgnoredAny>(text, path).err();
    syntax.unwrap_or_else(|| ReadError::new(path, Fault::Syntax(other.into())))
}

pub(super) fn write(network: &Network, links: Option<&Links>, out: &mut dyn Write) -> io::Result<()> {
    write_network(network, links, out)
}

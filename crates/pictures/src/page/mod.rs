//! **What:** one page that plays a schedule, or two side by side: all of it in one file that asks nobody for anything.
//!
//! **Facts:** the program and the style sheet are built from `viewer/` and kept in `assets/`; the data is one JSON document
//! a schedule, compressed and in base64, so a page of 64 nodes is small and one of a thousand can be opened.
//! Positions and curves come from [`crate::Layout`]: the page draws, it does not place. Of a schedule with more than
//! [`MOST_USES`] channel uses the page holds the first steps and says which it leaves out.

mod data;
mod floor;
pub mod simulation;
pub mod timed;

use crate::items::title;
use crate::palette::{DARK, LIGHT};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};
use kernel::{Certified, Verified};
use quick_xml::escape::escape;
use std::io::{self, Write};

/// Channel uses, over all steps, that a page holds at most.
pub const MOST_USES: usize = 1_500_000;

/// Destinations of messages for several that a page lists at most, over all messages.
pub const MOST_LISTED: u64 = 1 << 22;

const SHELL: &str = include_str!("../../assets/page.html");
const PLAYER: &str = include_str!("../../assets/player.js");
const STYLE: &str = include_str!("../../assets/player.css");

/// A schedule and, where there is one, the bound of the same problem.
pub type Shown<'a> = (&'a Verified, Option<&'a Certified>);

/// Writes a page of one schedule, or of several side by side.
///
/// # Errors
/// Those of `out`, and where messages for several have more than [`MOST_LISTED`] destinations.
pub fn write(shown: &[Shown<'_>], out: &mut dyn Write) -> io::Result<()> {
    let titles: Vec<String> = shown.iter().map(|(schedule, _)| title(schedule)).collect();
    let mut blocks = String::new();
    for (schedule, floor) in shown {
        let collective = schedule.problem().collective();
        let deliveries = collective.deliveries();
        if deliveries > MOST_LISTED && deliveries > collective.message_count() as u64 {
            let why = format!("the messages have {deliveries} destinations, more than a page lists ({MOST_LISTED})");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        blocks += &packed("schedule", &data::Page::new(schedule, *floor))?;
    }
    fill(&Pieces { title: &titles.join(" · "), data: blocks.as_bytes(), program: PLAYER }, out)
}

/// The element that holds data, of a class.
fn packed(class: &str, data: &impl serde::Serialize) -> io::Result<String> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    serde_json::to_writer(&mut packed, data)?;
    let text = STANDARD.encode(packed.finish()?);
    Ok(format!("<script type=\"application/octet-stream\" class=\"{class}\">{text}</script>\n"))
}

/// What a page is made of beside its frame and style.
struct Pieces<'a> {
    title: &'a str,
    data: &'a [u8],
    program: &'a str,
}

/// Writes a page.
fn fill(page: &Pieces<'_>, out: &mut dyn Write) -> io::Result<()> {
    let title = escape(page.title);
    let colours = format!("{} {}", LIGHT.transfers.join(" "), DARK.transfers.join(" "));
    // The pieces are put in one after the other, so that no piece is searched for the name of the next.
    let mut rest = SHELL;
    let pieces = [
        ("{{title}}", title.as_bytes()),
        ("{{style}}", STYLE.as_bytes()),
        ("{{data}}", page.data),
        ("{{colours}}", colours.as_bytes()),
        ("{{player}}", page.program.as_bytes()),
    ];
    for (name, piece) in pieces {
        let Some((before, after)) = rest.split_once(name) else {
            return Err(io::Error::other(format!("the page has no place for {name}")));
        };
        out.write_all(before.as_bytes())?;
        out.write_all(piece)?;
        rest = after;
    }
    out.write_all(rest.as_bytes())
}

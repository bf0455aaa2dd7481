//! **What:** contact sheets, light and dark: every family of the registry, drawn by its examples, and every kind of result, drawn by the program.

use super::cells;
use kernel::Network;
use pictures::Layout;
use pictures::palette::{DARK, LIGHT, Theme};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use topologies::FAMILIES;

/// Nodes up to which an example is small enough for the sheet.
const MOST_NODES: usize = 130;

/// A kind of picture: what it is called, the commands that make its files, and the one that draws.
struct Kind {
    title: &'static str,
    files: &'static [&'static str],
    drawn: &'static str,
}

/// Every kind of result, each on a network where it is soon made.
const RESULTS: &[Kind] = &[
    kind("steps", &["solve torus:4x4 alltoall -o a.json"], "show a.json --steps 0-3"),
    kind("slots of time-division", &["solve petersen alltoall --switching tdm -o a.json"], "show a.json --steps 0-3"),
    kind(
        "senders and receivers",
        &["solve spidergon:8 alltoall --senders 0-3 --receivers 2-5 --time 1 -o a.json"],
        "show a.json --step 0",
    ),
    kind("a damaged network", &["solve mesh:4x4 broadcast --fail-node 5 --fail-link 0-1 -o a.json"], "show a.json"),
    kind("the tree of a message", &["solve hypercube:4 broadcast -o a.json"], "show a.json --as tree"),
    kind("genes", &["solve hypercube:3 alltoall -o a.json"], "show a.json --as chromosome"),
    kind("a stage of switches", &[], "network butterfly:16 --rotation 6"),
    kind("switches and terminals", &["solve gft:2,4,2 alltoall -o a.json"], "show a.json --step 0"),
    kind("a network with bandwidths", &[], "network dgx-a100:2"),
    kind(
        "a schedule in time",
        &["solve mesh:3x3 allgather --bytes 1M --bandwidth 25GB/s --latency 0.7us --chunks 1 --time 1 -o a.json"],
        "show a.json",
    ),
    kind("a plot", &["solve torus:4x4 allgather -o a.json"], "cost a.json --alpha 1000 --beta 1"),
];

const fn kind(title: &'static str, files: &'static [&'static str], drawn: &'static str) -> Kind {
    Kind { title, files, drawn }
}

/// Writes `families.svg` and `families-dark.svg` into `folder`: of each family the largest example that fits, and one more. Gives the
/// number drawn.
pub(crate) fn draw(folder: &Path) -> io::Result<usize> {
    let laid_out = |network: Network| {
        let layout = Layout::new(&network);
        (network, layout)
    };
    // Once for both themes.
    let networks: Vec<_> = examples().into_iter().map(laid_out).collect();
    std::fs::create_dir_all(folder)?;
    for (name, theme) in [("families.svg", &LIGHT), ("families-dark.svg", &DARK)] {
        let mut text = Vec::new();
        pictures::svg::sheet("Every family of networks", &networks, theme, &mut text)?;
        std::fs::File::create(folder.join(name))?.write_all(&text)?;
    }
    Ok(networks.len())
}

/// Writes `results.svg` and `results-dark.svg` into `folder` by a program that is built already, or is built now.
pub(crate) fn draw_results(root: &Path, folder: &Path, program: Option<PathBuf>) -> Result<usize, String> {
    let program = cells::program(root, program.as_ref())?;
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let run = |words: &str| {
        let mut command = Command::new(&program);
        command.args(words.split(' ')).arg("--quiet").current_dir(scratch.path());
        let out = command.output().map_err(|error| error.to_string())?;
        if out.status.success() {
            return Ok(());
        }
        Err(format!("quadrille {words}: {}", String::from_utf8_lossy(&out.stderr)))
    };
    let mut pictures: [Vec<String>; 2] = [Vec::new(), Vec::new()];
    for kind in RESULTS {
        kind.files.iter().try_for_each(|words| run(words))?;
        for (pictures, dark) in pictures.iter_mut().zip(["", " --dark"]) {
            run(&format!("{}{dark} -o x.svg", kind.drawn))?;
            pictures.push(std::fs::read_to_string(scratch.path().join("x.svg")).map_err(|error| error.to_string())?);
        }
    }
    for (pictures, (name, theme)) in pictures.iter().zip([("results.svg", &LIGHT), ("results-dark.svg", &DARK)]) {
        let sheet = sheet(pictures, theme).ok_or("a picture is no SVG")?;
        std::fs::write(folder.join(name), sheet).map_err(|error| error.to_string())?;
    }
    Ok(RESULTS.len())
}

/// Pictures in frames of one size, three beside each other, each below its kind.
fn sheet(pictures: &[String], theme: &Theme) -> Option<String> {
    const FRAME: f64 = 520.0;
    const LINE: f64 = 26.0;
    let (width, height) = (3.0 * FRAME, pictures.len().div_ceil(3) as f64 * (FRAME + LINE));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" fill=\"{}\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        theme.ink, theme.ground
    );
    for (at, (picture, kind)) in pictures.iter().zip(RESULTS).enumerate() {
        let (x, y) = ((at % 3) as f64 * FRAME, (at / 3) as f64 * (FRAME + LINE));
        let title = kind.title;
        writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-size=\"13\" fill=\"{}\">{title}</text>",
            x + 16.0,
            y + 18.0,
            theme.faint
        )
        .ok()?;
        // The picture's own element, in its frame.
        let (_, rest) = picture.split_once("<svg ")?;
        let (attributes, inside) = rest.split_once('>')?;
        let view = attributes.split_once("viewBox=\"")?.1.split_once('"')?.0;
        let frame = FRAME - 16.0;
        writeln!(
            out,
            "<svg x=\"{}\" y=\"{}\" width=\"{frame}\" height=\"{frame}\" viewBox=\"{view}\" fill=\"{}\">{inside}",
            x + 8.0,
            y + LINE,
            theme.ink
        )
        .ok()?;
    }
    out.push_str("</svg>\n");
    Some(out)
}

fn examples() -> Vec<Network> {
    let mut all = Vec::new();
    for family in FAMILIES {
        let built = family.examples.iter().filter_map(|spec| topologies::parse(spec).ok());
        let mut fitting: Vec<Network> = built.filter(|n| n.node_count() <= MOST_NODES).collect();
        fitting.sort_by_key(|n| std::cmp::Reverse(n.node_count()));
        all.extend(fitting.into_iter().take(2));
    }
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_family_is_on_the_sheet() {
        let drawn = super::examples();
        for family in topologies::FAMILIES {
            let named = |n: &kernel::Network| n.name().split(':').next() == Some(family.name);
            assert!(drawn.iter().any(named), "{}", family.name);
        }
    }

    #[test]
    fn the_sheets_of_families_are_up_to_date() {
        let folder = std::env::temp_dir().join(format!("quadrille-gallery-{}", std::process::id()));
        super::draw(&folder).unwrap();
        for name in ["families.svg", "families-dark.svg"] {
            let drawn = std::fs::read_to_string(folder.join(name)).unwrap();
            let kept = std::fs::read_to_string(crate::root().join("docs/gallery").join(name)).unwrap();
            assert!(drawn == kept, "docs/gallery/{name} is not what `cargo xtask gallery` draws");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! **What:** the arguments of `show`, `export`, `import` and `atlas`.

use super::known::{network_text, one_of, output_file};
use super::{NetworkText, ReportFlags, SwitchingChoice, known};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

pub(super) const SHOW: &str = "\
Examples:
  quadrille show torus.json -o torus.html             a page that plays it, to be opened in a browser
  quadrille show torus.json other.json -o both.html   two schedules side by side
  quadrille show torus.json --steps all -o torus.svg  all steps in one picture
  quadrille show torus.json --step 0 -o first.svg
  quadrille show torus.json --steps 0-3 -o some.svg
  quadrille show torus.json --per-page 4 -o torus.svg
                                                      torus-1.svg, torus-2.svg: four steps each
  quadrille show cube.json --as tree --message 3 -o tree.svg
                                                      the tree along which message 3 spreads, step by step
  quadrille show cube.json --as chromosome -o genes.svg
                                                      path and step (and distributor) of every message by receiver
  quadrille show timed.json -o timed.svg              a schedule in time: a bar for every transfer; --rows nodes; or .html
  quadrille show umda.jsonl sga.jsonl -o plot.svg     what `solve --trace` wrote, over candidates evaluated

The page is one file and needs no server. It leaves out what is too large for it, and says so.";

pub(super) const EXPORT: &str = "\
Examples:
  quadrille export torus.json --to csv -o torus.csv
  quadrille export torus.json --to binary -o torus.qdr
                                                      the same schedule file in a hundredth of the space
  quadrille export torus.json --to svg -o torus.svg
  quadrille export omega.json --to switches -o omega.csv
                                                      the setting of every switch in every step: .csv, .json, .txt, .tex, or .h for C
  quadrille export torus.json --to switches -o torus.csv
                                                      without switches: every node's router, step by step
  quadrille export torus.json --to goal --bytes 1M -o torus.goal
                                                      for LogGOPSim and ATLAHS; --to chakra for ASTRA-sim
  quadrille export torus.json --to npz -o torus.npz   arrays for NumPy
  quadrille export dgx1.json --to msccl-xml -o dgx1.xml
                                                      for NCCL and RCCL with MSCCL; --to mscclpp for MSCCL++
  quadrille export torus.json --to table -o torus.tex   sources × steps in LaTeX (.tex), text (.txt) or CSV (.csv)

`quadrille formats` lists all formats with what they hold.";

pub(super) const IMPORT: &str = "\
Examples:
  quadrille import ring.xml -o ring.json              on the links that the file uses
  quadrille import ring.xml --network dgx1 -o ring.json
                                                      on a network whose terminals are the GPUs
  quadrille import plan.json --network dgx2:1         an MSCCL++ execution plan
  quadrille import algorithm.json -o algorithm.json   an algorithm of msccl-tools, on its own topology

Each transfer takes the first step in which its data is available and its channels are free. The result is an ordinary schedule file:
`check`, `cost`, `simulate`, `show`, `export` and `run` read it.";

pub(super) const ATLAS: &str = "\
Examples:
  quadrille atlas                          every table
  quadrille atlas mesh-4x4 'torus-*'       some networks
  quadrille atlas 8.12                     a table, by its number; alltoall or AAS: a collective
  quadrille atlas --check                  verifies every stored schedule and certifies every bound
  quadrille atlas --solve levi-30/alltoall   solves it again and keeps a better result
  quadrille atlas --add theirs.json        checks and compares another's result, and keeps it if it is new or better
  quadrille atlas --added                  what was added so far
  quadrille atlas --markdown -o docs/atlas.md

NAME is that of an entry (mesh-4x4/corner/scatter), a network (mesh-4x4, mesh:4x4), a table (8.8, 'Table 8.8',
table-8-08-meshes-and-tori) or a collective (alltoall, AAS), a pattern with * and ?, or the beginning of a name. Exit status 1: a stored result is missing or refused; --solve found
nothing, or a worse result than is stored; or the file of --add holds a worse result than is known, or none that holds.";

/// The arguments of `show`.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// A schedule file, .json, .json.gz or .qdr, or `-` for standard input; two to compare them; or traces of evolution, .jsonl, as many as there are
    #[arg(required = true, num_args = 1.., value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The page that plays it, or the picture to draw
    #[arg(short, value_name = "PAGE.html|PICTURE.svg", allow_hyphen_values = true, value_parser = output_file())]
    pub output: PathBuf,
    /// Draw this step alone; steps count from 0
    #[arg(long, value_name = "N", conflicts_with = "steps", allow_negative_numbers = true)]
    pub step: Option<usize>,
    /// Draw these steps side by side: `all`, or a range such as 0-11 [default for a picture: all]
    #[arg(long, value_name = "all|A-B", value_parser = StepsChoice::parse)]
    pub steps: Option<StepsChoice>,
    /// Draw this many steps per picture: the pages of a PDF, or files numbered from 1, -o x.svg writes x-1.svg, x-2.svg
    /// and so on [default: all in one; of more than 24 steps in a PDF 24]
    #[arg(long, value_name = "N", conflicts_with = "step", value_parser = clap::value_parser!(u32).range(1..))]
    pub per_page: Option<u32>,
    /// Draw this many steps beside each other [default: as many as can be read on a slide, of a PDF in print]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub columns: Option<u32>,
    /// What a picture shows: the steps, the tree along which --message spreads or is merged, or the genes of all messages
    /// by receiver, as evolution encodes them
    #[arg(long = "as", value_name = "steps|tree|chromosome", default_value = "steps",
          value_parser = ["steps", "tree", "chromosome"], hide_default_value = true, hide_possible_values = true)]
    pub kind: String,
    /// The message whose tree is drawn; messages count from 0 [default: 0]
    #[arg(long, value_name = "N")]
    pub message: Option<u64>,
    /// For a schedule in time: what each row shows [default: channels]
    #[arg(long, value_enum)]
    pub rows: Option<RowsChoice>,
    /// Draw a picture on a dark background
    #[arg(long)]
    pub dark: bool,
    /// Leave out the title of a picture and the line below it, for a paper whose caption has them
    #[arg(long)]
    pub no_title: bool,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// Steps to draw.
#[derive(Clone, Copy, Debug)]
pub enum StepsChoice {
    All,
    /// The first and the last.
    Range(usize, usize),
}

impl StepsChoice {
    fn parse(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.trim().parse::<usize>().ok();
        let range = text.split_once('-').map_or((number(text), number(text)), |(a, b)| (number(a), number(b)));
        match (text, range) {
            ("all", _) => Ok(StepsChoice::All),
            (_, (Some(first), Some(last))) if first <= last => Ok(StepsChoice::Range(first, last)),
            _ => Err("write `all`, or the first and the last step, such as 0-11".into()),
        }
    }
}

/// The rows of a chart over time.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RowsChoice {
    /// Every channel
    Channels,
    /// Every node, with the channels that leave it
    Nodes,
}

/// The arguments of `export`.
#[derive(Debug, Args)]
pub struct ExportArgs {
    /// A schedule file, .json, .json.gz or .qdr, or `-` for standard input
    pub file: PathBuf,
    /// The format [default: the first of `quadrille formats` that has the ending of the file's name]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = one_of(known::schedule_formats))]
    pub to: Option<String>,
    /// The file to write
    #[arg(short, value_name = "OUT", allow_hyphen_values = true, value_parser = output_file())]
    pub output: PathBuf,
    /// For a schedule of steps, in formats that hold sizes: the size of the collective as nccl-tests counts it, or of each message
    /// for collectives that it does not have
    #[arg(long, value_name = "SIZE")]
    pub bytes: Option<String>,
    /// With --to json: keep the form in which the schedule is stored, orbits or a product, as --to binary always does
    #[arg(long)]
    pub stored: bool,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `import`.
#[derive(Debug, Args)]
pub struct ImportArgs {
    /// MSCCL XML, .xml; an MSCCL++ execution plan, .json; or an algorithm of msccl-tools, .json
    pub file: PathBuf,
    /// The network, whose terminals are the GPUs [default: the topology in the file, or the links that it uses]
    #[arg(long, value_name = "NETWORK", hide_possible_values = true, value_parser = network_text())]
    pub network: Option<NetworkText>,
    /// How a message crosses the network [default: store-and-forward where every message has a channel from GPU to GPU, else wormhole]
    #[arg(long, value_enum)]
    pub switching: Option<SwitchingChoice>,
    /// Seconds to look for the lower bound
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// The schedule file to write, .json, .json.gz or .qdr
    #[arg(short, value_name = "OUT", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub report: ReportFlags,
}

/// The arguments of `atlas`.
#[derive(Debug, Args)]
pub struct AtlasArgs {
    /// Entries, networks, tables, collectives, patterns or beginnings of names [default: all]
    pub names: Vec<String>,
    /// Verify and certify everything stored
    #[arg(long, conflicts_with_all = ["solve", "markdown"])]
    pub check: bool,
    /// Find everything again with default flags and store what is better; Ctrl-C keeps what was found
    #[arg(long, conflicts_with = "markdown")]
    pub solve: bool,
    /// With --solve: also store results that are only as good, with their method and seconds
    #[arg(long, requires = "solve")]
    pub renew: bool,
    /// With --solve: stop each entry after this many seconds with the best so far
    #[arg(long, value_name = "SECONDS", value_parser = super::known::seconds, requires = "solve", allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Verify and certify somebody else's schedule file, compare it with what is known of its problem, and keep what is new or better
    /// separately; the atlas itself is not changed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["check", "solve", "markdown", "added", "names"])]
    pub add: Option<PathBuf>,
    /// Show what was added, verified and certified again
    #[arg(long, conflicts_with_all = ["check", "solve", "markdown", "names"])]
    pub added: bool,
    /// The folder of what was added [default: quadrille/atlas in $XDG_DATA_HOME, or in ~/.local/share]
    #[arg(long, value_name = "DIR")]
    pub atlas: Option<PathBuf>,
    /// Write the tables as a page of Markdown
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
    /// The file of --markdown [default: standard output]
    #[arg(short, value_name = "FILE.md", requires = "markdown", allow_hyphen_values = true, value_parser = output_file())]
    pub output: Option<PathBuf>,
    /// The folder of the atlas [default: the nearest `atlas` in this folder or above it, else the program's own]
    #[arg(long, value_name = "PATH")]
    pub dir: Option<PathBuf>,
    /// Threads to use; the answer does not depend on it [default: all cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    #[command(flatten)]
    pub report: ReportFlags,
}

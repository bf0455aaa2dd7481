//! **What:** writing: to stdout without a panic when nobody listens, and to files that are whole or not there.

use super::call;
use super::failure::Failure;
use exports::{SCHEDULE_WRITERS, ScheduleWriter};
use formats::Target;
use formats::network::Wire;
use kernel::Network;
use serde_json::json;
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Writes `text` and a line's end to stdout, or to stderr where stdout holds a file; an embedding program has it instead.
pub fn say(text: &str) -> Result<(), Failure> {
    if call::said(text) {
        return Ok(());
    }
    if STDOUT_IS_FILE.load(Ordering::Relaxed) {
        tell(&format!("{text}\n"));
        return Ok(());
    }
    let mut stdout = std::io::stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Err(Failure::nobody_listens()),
        Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))
            .hint("is the disk full, or standard output closed?")),
    }
}

/// The version of all documents of `--json`, in which each says it; the field is the first. It changes where a field changes its meaning or goes.
const VERSION: u32 = 1;

/// Writes `value` as one JSON document to stdout.
pub fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    say(&document(value).map_err(|e| Failure::input(format!("cannot write JSON: {e}")))?)
}

/// As [`say_json`], of a document that names nodes of `network` by their numbers: where they have names, `node_names` lists these in the order
/// of the numbers.
pub fn say_json_of(network: &Network, value: &impl serde::Serialize) -> Result<(), Failure> {
    #[derive(serde::Serialize)]
    struct Named<'a, T> {
        #[serde(flatten)]
        value: &'a T,
        #[serde(skip_serializing_if = "Option::is_none")]
        node_names: Option<&'a [String]>,
    }
    say_json(&Named { value, node_names: network.names() })
}

/// A document with its version; of a list, each entry with its own.
pub fn document(value: &impl serde::Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    let stamped = |text: &str| match text.strip_prefix('{') {
        Some("}") => format!("{{\"version\":{VERSION}}}"),
        Some(rest) => format!("{{\"version\":{VERSION},{rest}"),
        None => text.to_owned(),
    };
    if text.starts_with('[') {
        let entries: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(&text)?;
        let entries: Vec<String> = entries.iter().map(|entry| stamped(entry.get())).collect();
        return Ok(format!("[{}]", entries.join(",")));
    }
    Ok(stamped(&text))
}

/// How much is said beside the answer.
static LOUDNESS: AtomicU8 = AtomicU8::new(NORMAL);

const QUIET: u8 = 0;
const NORMAL: u8 = 1;
const VERBOSE: u8 = 2;

/// What `--quiet` and `--verbose` ask for.
pub fn speak(quiet: bool, verbose: bool) {
    let loudness = match (quiet, verbose) {
        (true, _) => QUIET,
        (_, true) => VERBOSE,
        _ => NORMAL,
    };
    LOUDNESS.store(loudness, Ordering::Relaxed);
}

/// Whether `--json` is asked for, also where the rest of the arguments makes no sense.
static JSON: AtomicBool = AtomicBool::new(false);

/// Notes whether the arguments ask for a document.
pub fn programs_listen(arguments: &[OsString]) {
    JSON.store(arguments.iter().any(|argument| argument == "--json"), Ordering::Relaxed);
}

/// Whether stdout is to hold a document.
pub fn is_json() -> bool {
    JSON.load(Ordering::Relaxed)
}

/// Whether the user wants neither progress nor warnings.
pub fn is_quiet() -> bool {
    LOUDNESS.load(Ordering::Relaxed) == QUIET
}

/// Whether the user wants progress as lines.
pub fn is_verbose() -> bool {
    LOUDNESS.load(Ordering::Relaxed) == VERBOSE
}

/// Writes to stderr, where a failure to write has nobody left to tell; warnings and notes only where they are wanted.
pub fn tell(text: &str) {
    if call::told(text) || (is_quiet() && (text.starts_with("warning:") || text.starts_with("note:"))) {
        return;
    }
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// What to say of a file that could not be read.
pub fn unread(error: formats::ReadError) -> Failure {
    let hint = match &*error.fault {
        formats::Fault::NoRate(wire) => {
            &format!("add --{} RATE, such as 25GB/s: the rate of one in each direction", wire.name())
        }
        formats::Fault::UnusedRate(Wire::Nic) => "NICs join machines: add --machines N, or leave out --nic",
        formats::Fault::UnusedRate(wire) => &format!("leave out --{}", wire.name()),
        formats::Fault::NoMachine => {
            "leave out --machines, --nvlink, --nic, --pcie and --socket; --bandwidth is for all networks"
        }
        formats::Fault::Io(error) => match error.kind() {
            ErrorKind::Other | ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
                "check that this is the right file and that it is complete"
            }
            _ => "name a file that exists and that you may read",
        },
        formats::Fault::Damaged(_) => "copy the file again, or write it again with `quadrille`",
        formats::Fault::Ending { .. } => {
            "rename the file so that its ending says what it holds, or name the format with --from FORMAT"
        }
        formats::Fault::Format { .. } | formats::Fault::NoFormat { .. } => {
            "name its format with --from FORMAT; `quadrille formats` lists the formats"
        }
        formats::Fault::Timed => {
            "`quadrille check`, `cost`, `show`, `export --to csv` and `replay` take schedules in time"
        }
        _ => "correct the file at that place, or write it again with `quadrille`",
    };
    let place = json!({
        "file": error.path.display().to_string(), "line": error.place.map(|place| place.line),
        "column": error.place.map(|place| place.column), "field": error.field,
    });
    Failure::input(error).hint(hint).at(place)
}

/// As [`unread`], of a schedule file: a network in its place is told of.
pub fn unread_schedule(error: formats::ReadError) -> Failure {
    let path = error.path.clone();
    let is_grammar = matches!(&*error.fault, formats::Fault::Syntax(_));
    if !is_grammar || formats::ending(&path) == "json" || !formats::network::is_readable(&path) {
        return unread(error);
    }
    match formats::network::read(&path) {
        Err(_) => unread(error),
        Ok(_) => Failure::input(format!("{}: is a network and no schedule", path.display())).hint(format!(
            "make a schedule first: `quadrille solve {0} alltoall -o schedule.json`; `quadrille network {0}` shows the network",
            path.display()
        )),
    }
}

/// What to say of a file that could not be written.
pub fn unwritten(error: formats::WriteError) -> Failure {
    if error.source.kind() == ErrorKind::BrokenPipe {
        return Failure::nobody_listens();
    }
    let hint = match error.source.kind() {
        ErrorKind::InvalidInput => "choose another ending; .json holds everything",
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::IsADirectory => {
            "name a file in a folder that exists and that you may write to"
        }
        ErrorKind::Unsupported => {
            "an existing file is left unchanged; fewer chunks, or a schedule of fewer transfers, need less space"
        }
        ErrorKind::InvalidData => {
            "an existing file is left unchanged; `quadrille formats` lists what each format holds"
        }
        ErrorKind::FileTooLarge => {
            "an existing file is left unchanged; a file of orbits holds the whole schedule in little space"
        }
        _ => "an existing file is left unchanged; free some space or name another place",
    };
    Failure::input(error).hint(hint)
}

/// Whether standard output holds a file, so that what is said goes to stderr.
static STDOUT_IS_FILE: AtomicBool = AtomicBool::new(false);

/// The file of an option `-o`; `-` is standard output, and so is `-.svg`, whose ending says what is written.
pub fn file(text: OsString) -> PathBuf {
    let path = PathBuf::from(text);
    if formats::is_standard_output(&path) {
        STDOUT_IS_FILE.store(true, Ordering::Relaxed);
    }
    path
}

/// The file, where `-` alone is written as `ending` says.
pub fn usually(path: &Path, ending: &str) -> PathBuf {
    if path.as_os_str() == "-" { PathBuf::from(format!("-.{ending}")) } else { path.to_owned() }
}

/// Refuses the name of a file whose ending says that it holds something else than `what`, of which the first ending is the usual one.
pub fn ends_as(path: &Path, what: &str, endings: &[&str]) -> Result<(), Failure> {
    let ending = formats::ending(path);
    if path.as_os_str() == "-" || endings.contains(&ending.as_str()) {
        return Ok(());
    }
    let list: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    let named = if ending.is_empty() { "has no ending".into() } else { format!("ends in .{ending}") };
    Err(Failure::input(format!("-o {}: {what} is written, and the name {named}", path.display()))
        .hint(format!("name a file that ends in {}, or `-` for standard output", list.join(" or "))))
}

/// Opens a file and leaves it alone: an unwritable place is known before the work whose result it takes.
pub fn probe(path: &Path) -> Result<(), Failure> {
    Target::open(path).map(drop).map_err(unwritten)
}

/// Writes a file, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Target::open(path).and_then(|target| target.write(|out| out.write_all(bytes))).map_err(unwritten)
}

/// Refuses the name of a file that says it holds something else than what `format` writes; no ending says nothing.
pub fn named_as(path: &Path, format: &ScheduleWriter) -> Result<(), Failure> {
    let ending = formats::ending(path);
    let takes = |writer: &ScheduleWriter| writer.endings.contains(&ending.as_str());
    if takes(format) && format.name == "binary" && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
        let what = format!("-o {}: the binary form is packed already", path.display());
        return Err(Failure::input(what).hint("leave out .gz"));
    }
    if ending.is_empty() || takes(format) {
        return Ok(());
    }
    let endings: Vec<String> = format.endings.iter().map(|ending| format!(".{ending}")).collect();
    let endings = endings.join(" or ");
    let hint = match SCHEDULE_WRITERS.iter().find(|writer| takes(writer)) {
        Some(_) if format.name == "json" => {
            "save it as .json and convert that with `quadrille export` or `quadrille show`".to_owned()
        }
        Some(other) => {
            format!("name a file that ends in {endings}, or let `quadrille export` write it --to {}", other.name)
        }
        None if format.name == "json" => {
            "name a file that ends in .json, with or without .gz, or in .qdr for the binary form".to_owned()
        }
        None => format!("name a file that ends in {endings}, with or without .gz"),
    };
    Err(Failure::input(format!("-o {}: what is written is {}, not .{ending}", path.display(), format.name)).hint(hint))
}

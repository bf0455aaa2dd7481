//! **What:** writing: to stdout without a panic when nobody listens, and to files that are whole or not there.

use super::embedded;
use super::failure::Failure;
use formats::network::Wire;
use formats::{SCHEDULE_WRITERS, ScheduleWriter, Target};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes `text` and a line's end to stdout, or to stderr where stdout holds a file; an embedding program has it instead.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    if embedded::said(text) {
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

/// Writes `value` as one JSON document to stdout.
pub(crate) fn say_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value).map_err(|e| Failure::input(format!("cannot write JSON: {e}")))?;
    say(&text)
}

/// Writes to stderr, where a failure to write has nobody left to tell.
pub(crate) fn tell(text: &str) {
    if embedded::told(text) {
        return;
    }
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// What to say of a file that could not be read.
pub(crate) fn unread(error: formats::ReadError) -> Failure {
    let hint = match &*error.fault {
        formats::Fault::NoRate(wire) => {
            &format!("add --{} RATE, such as 25GB/s: what one carries each way", wire.name())
        }
        formats::Fault::UnusedRate(Wire::Nic) => "NICs join machines: add --machines N, or leave out --nic",
        formats::Fault::UnusedRate(wire) => &format!("leave out --{}", wire.name()),
        formats::Fault::NoMachine => {
            "leave out --machines, --nvlink, --nic, --pcie and --socket; --bandwidth is for all networks"
        }
        formats::Fault::Io(error) => match error.kind() {
            ErrorKind::Other | ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof => {
                "is it the file that you mean, and all of it?"
            }
            _ => "name a file that exists and that you may read",
        },
        formats::Fault::Ending { .. } => "rename the file, so that its ending says what it holds",
        formats::Fault::Timed => {
            "`quadrille check`, `cost`, `show`, `export --to csv` and `replay` take schedules in time"
        }
        _ => "mend the file at that place, or write it anew with `quadrille`",
    };
    Failure::input(error).hint(hint)
}

/// What to say of a file that could not be written.
pub(crate) fn unwritten(error: formats::WriteError) -> Failure {
    if error.source.kind() == ErrorKind::BrokenPipe {
        return Failure::nobody_listens();
    }
    let hint = match error.source.kind() {
        ErrorKind::InvalidInput => "choose another ending; .json holds all there is",
        ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::IsADirectory => {
            "name a file in a folder that exists and that you may write to"
        }
        ErrorKind::Unsupported => {
            "what stood there before is untouched; fewer chunks, or a schedule of fewer transfers, need less room"
        }
        ErrorKind::InvalidData => {
            "what stood there before is untouched; `quadrille formats` tells what each format holds"
        }
        ErrorKind::FileTooLarge => {
            "what stood there before is untouched; a file of orbits holds the whole schedule in little room"
        }
        _ => "what stood there before is untouched; make room or name another place",
    };
    Failure::input(error).hint(hint)
}

/// Whether standard output holds a file, so that what is said goes to stderr.
static STDOUT_IS_FILE: AtomicBool = AtomicBool::new(false);

/// The file of an option `-o`; `-` is standard output.
pub(crate) fn file(text: OsString) -> PathBuf {
    if text == "-" {
        STDOUT_IS_FILE.store(true, Ordering::Relaxed);
    }
    text.into()
}

/// Opens a file and leaves it alone: an unwritable place is known before the work whose result it takes.
pub(crate) fn probe(path: &Path) -> Result<(), Failure> {
    Target::open(path).map(drop).map_err(unwritten)
}

/// Writes a file, whole or not at all.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    Target::open(path).and_then(|target| target.write(|out| out.write_all(bytes))).map_err(unwritten)
}

/// Refuses the name of a file that says it holds something else than what `format` writes; no ending says nothing.
pub(crate) fn named_as(path: &Path, format: &ScheduleWriter) -> Result<(), Failure> {
    let ending = formats::ending(path);
    let takes = |writer: &ScheduleWriter| writer.endings.contains(&ending.as_str());
    if ending.is_empty() || takes(format) {
        return Ok(());
    }
    let endings: Vec<String> = format.endings.iter().map(|ending| format!(".{ending}")).collect();
    let endings = endings.join(" or ");
    let hint = match SCHEDULE_WRITERS.iter().find(|writer| takes(writer)) {
        Some(_) if format.name == "json" => {
            "save it as .json, then `quadrille export` or `quadrille show` makes the rest".to_owned()
        }
        Some(other) => {
            format!("name a file that ends in {endings}, or let `quadrille export` write it --to {}", other.name)
        }
        None => format!("name a file that ends in {endings}, with or without .gz"),
    };
    Err(Failure::input(format!("-o {}: what is written is {}, not .{ending}", path.display(), format.name)).hint(hint))
}

//! **What:** whole files in, whole files out: compression by the name's ending, and outputs that are complete or absent.

#[cfg(feature = "images")]
mod image;
mod target;
mod text;

pub(crate) use target::Filled;
pub use target::{Target, abandon, is_standard_output};
pub(crate) use text::{RATIO, Text, UNPACKED};

use crate::{Fault, ReadError, WriteError, binary};
use kernel::Verified;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use text::{Characters, Unpacked};

/// Whether the name says that the file is compressed.
#[must_use]
pub fn is_compressed(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"))
}

/// The ending of the file's name in lower case, `.gz` left out: `json` for `ring.json.gz`.
pub fn ending(path: &Path) -> String {
    let bare = if is_compressed(path) { path.with_extension("") } else { path.to_owned() };
    bare.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Endings of pictures: SVG, and with the feature `images` what it is turned into as it is written.
pub const PICTURE_ENDINGS: &[&str] = if cfg!(feature = "images") { &["svg", "png", "pdf"] } else { &["svg"] };

/// Whether the ending of the file's name is that of a picture.
pub fn is_picture(path: &Path) -> bool {
    path.extension().is_some_and(|e| PICTURE_ENDINGS.iter().any(|known| e.eq_ignore_ascii_case(known)))
}

/// The name of the file without its folder and endings: the title of a network whose file gives none.
#[must_use]
pub fn title(path: &Path) -> String {
    let bare = if is_compressed(path) { path.with_extension("") } else { path.to_owned() };
    bare.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Most channel uses of a file that lists them one by one: some tens of gigabytes.
const MOST_LISTED: u64 = 1 << 30;

/// Whether every channel use of a schedule may be listed in one file; orbits can have far more.
///
/// # Errors
/// That there are too many, with their number.
pub fn all_fits(schedule: &Verified) -> io::Result<()> {
    let uses = schedule.channel_uses();
    if uses <= MOST_LISTED {
        return Ok(());
    }
    let why = format!("the schedule uses channels {uses} times, more than a file lists one by one ({MOST_LISTED})");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, why))
}

/// Whether a file is standard input, called `-`.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Whether a file can be read once only, and what was read of it is kept: standard input, or a pipe that a shell opened (`/dev/fd/63`).
/// A pipe that has a name of its own may hold something else the next time.
#[must_use]
pub fn is_kept(path: &Path) -> bool {
    let is_pipe = || std::fs::metadata(path).is_ok_and(|file| !file.is_file() && !file.is_dir());
    is_standard_input(path) || (path.starts_with("/dev") && is_pipe())
}

/// What was read of files that can be read once only, by the name and the number of the file: a name under `/dev/fd` may stand for another pipe later.
static KEPT: Mutex<BTreeMap<(PathBuf, u64), Vec<u8>>> = Mutex::new(BTreeMap::new());

#[cfg(unix)]
fn number(path: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).map_or(0, |file| file.ino())
}

#[cfg(not(unix))]
fn number(_: &Path) -> u64 {
    0
}

/// The contents of a file, a text or a schedule file in its binary form, decompressed where its name ends in `.gz`; `-` is standard input.
///
/// # Errors
/// A file that cannot be opened, read or decompressed.
pub fn load(path: &Path) -> Result<Vec<u8>, ReadError> {
    let read = || contents(path).map_err(|e| ReadError::new(path, Fault::Io(e)));
    if !is_kept(path) {
        return read();
    }
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (path.to_owned(), number(path));
    if let Some(bytes) = kept.get(&key) {
        return Ok(bytes.clone());
    }
    let bytes = read()?;
    kept.insert(key, bytes.clone());
    Ok(bytes)
}

fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let file: Box<dyn Read> = if is_standard_input(path) { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut source = source(path, file);
    let mut bytes = Vec::new();
    source.by_ref().take(binary::MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if binary::is_packed(&bytes) {
        source.take(text::LARGEST).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let begun = io::Cursor::new(std::mem::take(&mut bytes));
    let mut text = Text { source: begun.chain(source), read: Rc::default(), characters: None };
    text.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The contents of a file that is no text, decompressed where its name ends in `.gz`; of at most so many bytes.
pub(crate) fn load_bytes(path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let io = |e| ReadError::new(path, Fault::Io(e));
    let file = File::open(path).map_err(io)?;
    let mut bytes = Vec::new();
    source(path, file).take(most + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > most {
        return Err(io(io::Error::other(format!("it holds more than {most} bytes"))));
    }
    Ok(bytes)
}

/// The text of a file of any format: UTF-8, decompressed where its name ends in `.gz`.
///
/// # Errors
/// A file that cannot be read, is no text, or unpacks without end.
pub fn read_text(path: impl AsRef<Path>) -> Result<String, ReadError> {
    let path = path.as_ref();
    let bytes = load(path)?;
    Ok(crate::network::text_of(&bytes, path)?.to_owned())
}

/// The contents of an ordinary file as they are read, decompressed where its name ends in `.gz`; `watch` is told how many bytes
/// of the file of how many are read. `None` where there is no such file; what is no ordinary file (a pipe) can be read once only.
pub(crate) fn stream<'a>(path: &Path, watch: BytesRead<'a>) -> Option<Stream<'a>> {
    // Who writes into a pipe must not see it closed, so it is not opened here.
    let length = std::fs::metadata(path).ok().filter(|m| m.is_file() && !is_standard_input(path))?.len();
    let file = File::open(path).ok()?;
    let text = text(path, Watched { file, read: 0, length, watch });
    let text = Text { characters: Some(Characters::default()), ..text };
    let size = text.read.clone();
    Some(Stream { text: BufReader::with_capacity(1 << 16, text), size })
}

/// Told how many bytes of a file are read, and how many it has.
pub type BytesRead<'a> = &'a dyn Fn(u64, u64);

/// A file whose reading is watched.
struct Watched<'a> {
    file: File,
    read: u64,
    length: u64,
    watch: BytesRead<'a>,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.read += count as u64;
        (self.watch)(self.read, self.length);
        Ok(count)
    }
}

/// A text to be read, and how many bytes of it were read so far.
pub(crate) struct Stream<'a> {
    /// For parsers, which ask byte by byte and are fast only with a buffer of their own.
    pub text: BufReader<Text<Box<dyn Read + 'a>>>,
    pub size: Rc<Cell<u64>>,
}

fn source<'a>(path: &Path, file: impl Read + 'a) -> Box<dyn Read + 'a> {
    let packed = |file| Unpacked::new(BufReader::with_capacity(1 << 16, file));
    if is_compressed(path) { Box::new(packed(file)) } else { Box::new(file) }
}

fn text<'a>(path: &Path, file: impl Read + 'a) -> Text<Box<dyn Read + 'a>> {
    Text { source: source(path, file), read: Rc::default(), characters: None }
}

/// Writes pictures in SVG as the pages of a PDF, whole or not at all.
///
/// # Errors
/// A file that cannot be written, or a picture that cannot be turned into a page.
#[cfg(feature = "images")]
pub fn save_pages(path: &Path, pages: &[Vec<u8>]) -> Result<(), WriteError> {
    Target::open(path)?.fill_exactly(|out| out.write_all(&image::pdf(pages)?))?.put()
}

/// Writes a file, whole or not at all: [`Target`].
///
/// # Errors
/// A file that cannot be written, or what `write` fails with.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), WriteError> {
    Target::open(path)?.write(write)
}

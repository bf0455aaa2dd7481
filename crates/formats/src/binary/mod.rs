//! **What:** the binary form of schedule files (`docs/format-binary.md`): the document of a schedule file as its header, with all messages and
//! transfers in packed columns behind it.
//!
//! **Parameters:** written where a file's name ends in `.qdr`; read where a file begins with eight bytes that no text begins with, whatever its name.
//!
//! **Facts:** every form of the schedule file has this one: the writers and readers of the JSON write and read the header as well, and know of columns only that
//! messages and steps go there. A reader takes no more memory than a fixed multiple of the file: what is
//! packed so well that it would need more is filled up with zeros by the writer.

mod column;
mod names;
mod packing;
mod unpacking;

use crate::file::{RATIO, UNPACKED, is_compressed};
use crate::schedule_json::{Json, parse_as};
use crate::{Fault, ReadError};
use column::Column;
pub(crate) use column::Packed;
use flate2::Compression;
use flate2::Crc;
use flate2::read::{ZlibDecoder, ZlibEncoder};
pub(crate) use packing::{Packing, Row};
use serde::Deserialize;
use std::io::{self, Read, Write};
use std::path::Path;
pub(crate) use unpacking::Columns;

/// How a file begins: as no text does, and differently where a transmission changes ends of lines.
pub(crate) const MAGIC: [u8; 8] = *b"\x89QDR\r\n\x1a\n";

/// The ending of file names.
pub const ENDING: &str = "qdr";

const VERSION: u32 = 1;

/// Bytes before the header, and of the checksum at the end.
const BEFORE: usize = 16;
const BEHIND: usize = 4;

/// How well headers and columns are packed: higher levels take twice as long and save a tenth.
const LEVEL: Compression = Compression::new(3);

/// Whether these are the bytes of such a file.
pub(crate) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Whether a file of this name is to be written in this form.
#[must_use]
pub fn is_named(path: &Path) -> bool {
    crate::file::ending(path) == ENDING
}

/// Most bytes of the header and values of all columns in a file of so many bytes.
fn most_values(bytes: u64) -> u64 {
    bytes.saturating_mul(RATIO).max(UNPACKED)
}

/// Writes a file whose document `write` writes.
pub(crate) fn write(
    path: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut Json<Vec<u8>>) -> io::Result<()>,
) -> io::Result<()> {
    if is_compressed(path) {
        let why = "a .qdr file is packed already: leave out .gz";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let mut document = Json::new(Vec::new());
    document.packing = Some(Packing::new());
    write(&mut document)?;
    let columns = document.columns;
    let mut header = Vec::new();
    ZlibEncoder::new(document.out.as_slice(), LEVEL).read_to_end(&mut header)?;
    let values = document.out.len() as u64 + columns.iter().map(|column| column.values).sum::<u64>();
    let length =
        u32::try_from(header.len()).map_err(|_| io::Error::other("a network this large has no binary form"))?;
    let mut out = Summed { out, sum: Crc::new(), written: 0 };
    out.write_all(&MAGIC)?;
    out.write_all(&VERSION.to_le_bytes())?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&header)?;
    columns.iter().try_for_each(|column| out.write_all(&column.bytes))?;
    if values > UNPACKED {
        let missing = values.div_ceil(RATIO).saturating_sub(out.written + BEHIND as u64);
        io::copy(&mut io::repeat(0).take(missing), &mut out)?;
    }
    let sum = out.sum.sum();
    out.write_all(&sum.to_le_bytes())
}

/// Counts and sums what is written.
struct Summed<W> {
    out: W,
    sum: Crc,
    written: u64,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.sum.update(&bytes[..count]);
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file, opened: its header, and where its columns are.
pub(crate) struct Opened<'a> {
    /// The document without messages and steps.
    pub header: Vec<u8>,
    pub columns: Columns<'a>,
}

/// What the header says of columns.
#[derive(Deserialize)]
struct Directory {
    #[serde(default)]
    columns: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    values: u64,
    bytes: u64,
}

/// Opens the bytes of a file; `path` is named in errors.
pub(crate) fn open<'a>(bytes: &'a [u8], path: &'a Path) -> Result<Opened<'a>, ReadError> {
    let wrong = |why: &str| ReadError::new(path, Fault::Damaged(why.into()));
    if is_compressed(path) {
        return Err(wrong("is packed by gzip once more: unpack it, and name it .qdr"));
    }
    let number = |at: usize| bytes.get(at..at + 4).map(|four| u32::from_le_bytes(four.try_into().expect("four bytes")));
    let version = number(8).ok_or_else(|| wrong("is cut off"))?;
    let body = bytes.len().checked_sub(BEHIND).filter(|end| *end >= BEFORE).ok_or_else(|| wrong("is cut off"))?;
    let mut sum = Crc::new();
    sum.update(&bytes[..body]);
    if number(body) != Some(sum.sum()) {
        return Err(wrong("is cut off or damaged: its bytes do not have the checksum at its end"));
    }
    if version != VERSION {
        return Err(wrong(&format!("is of version {version} of the binary form, and this program knows {VERSION}")));
    }
    let most = most_values(bytes.len() as u64);
    let length = number(12).map_or(usize::MAX, |length| length as usize);
    let behind =
        BEFORE.checked_add(length).filter(|end| *end <= body).ok_or_else(|| wrong("ends within its header"))?;
    let mut header = Vec::new();
    let unpacked = ZlibDecoder::new(&bytes[BEFORE..behind]).take(most + 1).read_to_end(&mut header);
    let unpacked = unpacked.map_err(|_| wrong("has a header that is not packed by zlib"))?;
    if unpacked as u64 > most {
        return Err(wrong("has a header that is too large for its size"));
    }
    let directory: Directory = parse_as(&header, path).map_err(nowhere)?;
    let values = directory.columns.iter().fold(header.len() as u64, |sum, entry| sum.saturating_add(entry.values));
    if values > most {
        return Err(wrong(&format!("says it holds more than {most} values, too many for its size")));
    }
    let mut columns = Columns::new(path, header.len() as u64, values);
    let mut rest = &bytes[behind..body];
    for Entry { name, values, bytes } in directory.columns {
        let length = usize::try_from(bytes).ok().filter(|length| *length <= rest.len());
        let Some(length) = length else { return Err(wrong(&format!("ends within its column `{name}`"))) };
        let (own, behind) = rest.split_at(length);
        rest = behind;
        columns.add(&name, Column::new(own, values))?;
    }
    match rest.iter().all(|byte| *byte == 0) {
        true => Ok(Opened { header, columns }),
        false => Err(wrong("has something behind its last column")),
    }
}

/// An error in a header, whose lines nobody sees.
pub(crate) fn nowhere(error: ReadError) -> ReadError {
    ReadError { place: None, ..error }
}

/// The entries of the field `columns` of a header.
pub(crate) fn directory(columns: &[Packed]) -> String {
    let entry = |Packed { name, values, bytes }: &Packed| {
        format!("\n    {{\"name\": \"{name}\", \"values\": {values}, \"bytes\": {}}}", bytes.len())
    };
    columns.iter().map(entry).collect::<Vec<_>>().join(",")
}

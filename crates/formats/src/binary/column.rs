//! **What:** columns: numbers as varints, seven bits a byte and the lowest first, packed by zlib.

use super::LEVEL;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, BufWriter, Read, Write};

/// A column that is being written.
pub(super) struct Writer {
    name: &'static str,
    /// The value that is not written as long as there is no other.
    usual: Option<u64>,
    values: u64,
    before: i64,
    out: Option<BufWriter<ZlibEncoder<Vec<u8>>>>,
}

/// A column that was written.
pub(crate) struct Packed {
    pub name: &'static str,
    /// How many numbers it holds.
    pub values: u64,
    pub bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn new(name: &'static str, usual: Option<u64>) -> Self {
        Writer { name, usual, values: 0, before: 0, out: None }
    }

    pub(super) fn push(&mut self, value: u64) -> io::Result<()> {
        self.values += 1;
        if self.out.is_none() && self.usual == Some(value) {
            return Ok(());
        }
        let before = if self.out.is_none() { self.values - 1 } else { 0 };
        let out = self.out.get_or_insert_with(|| BufWriter::new(ZlibEncoder::new(Vec::new(), LEVEL)));
        for _ in 0..before {
            varint(out, self.usual.unwrap_or(0))?;
        }
        varint(out, value)
    }

    /// A number by what it is more than the one before.
    pub(super) fn push_delta(&mut self, value: u32) -> io::Result<()> {
        let delta = i64::from(value) - self.before;
        self.before = value.into();
        self.push(zigzag(delta))
    }

    /// What was written; nothing where all values are usual.
    pub(super) fn finish(self) -> io::Result<Option<Packed>> {
        let Some(out) = self.out else { return Ok(None) };
        let bytes = out.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        Ok(Some(Packed { name: self.name, values: self.values, bytes }))
    }
}

fn varint(out: &mut impl Write, mut value: u64) -> io::Result<()> {
    let mut bytes = [0; 10];
    let mut length = 0;
    while value >= 0x80 {
        bytes[length] = value as u8 | 0x80;
        value >>= 7;
        length += 1;
    }
    bytes[length] = value as u8;
    out.write_all(&bytes[..=length])
}

/// 0, -1, 1, -2, 2 … as 0, 1, 2, 3, 4 …
pub(super) fn zigzag(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// A column that is being read.
pub(super) struct Column<'a> {
    source: ZlibDecoder<&'a [u8]>,
    buffer: Vec<u8>,
    at: usize,
    /// Numbers still to come.
    pub left: u64,
    before: i64,
}

/// Why a column has no next number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Broken {
    Ends,
    Damaged,
    TooLarge,
}

const BUFFER: usize = 1 << 14;

impl<'a> Column<'a> {
    pub(super) fn new(bytes: &'a [u8], values: u64) -> Self {
        Column { source: ZlibDecoder::new(bytes), buffer: Vec::new(), at: 0, left: values, before: 0 }
    }

    #[inline]
    pub(super) fn next(&mut self) -> Result<u64, Broken> {
        self.left = self.left.checked_sub(1).ok_or(Broken::Ends)?;
        match self.buffer.get(self.at) {
            Some(&byte) if byte < 0x80 => {
                self.at += 1;
                Ok(byte.into())
            }
            _ => self.long(),
        }
    }

    /// A number of several bytes, or behind those at hand.
    fn long(&mut self) -> Result<u64, Broken> {
        let mut value = 0u64;
        for shift in (0..70).step_by(7) {
            if self.at == self.buffer.len() {
                self.fill()?;
            }
            let byte = self.buffer[self.at];
            self.at += 1;
            let part = u64::from(byte & 0x7f);
            if shift == 63 && part > 1 {
                return Err(Broken::TooLarge);
            }
            value |= part << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Broken::TooLarge)
    }

    fn fill(&mut self) -> Result<(), Broken> {
        self.buffer.resize(BUFFER, 0);
        let count = self.source.read(&mut self.buffer).map_err(|_| Broken::Damaged)?;
        self.buffer.truncate(count);
        self.at = 0;
        if count == 0 { Err(Broken::Ends) } else { Ok(()) }
    }

    /// A number that is written by what it is more than the one before.
    #[inline]
    pub(super) fn next_delta(&mut self) -> Result<u32, Broken> {
        let delta = unzigzag(self.next()?);
        let value =
            self.before.checked_add(delta).and_then(|value| u32::try_from(value).ok()).ok_or(Broken::TooLarge)?;
        self.before = value.into();
        Ok(value)
    }

    /// A signed number.
    #[inline]
    pub(super) fn next_signed(&mut self) -> Result<i64, Broken> {
        self.next().map(unzigzag)
    }

    /// Whether nothing is left, neither of the numbers promised nor behind them.
    pub(super) fn is_over(&mut self) -> bool {
        self.left == 0 && self.at == self.buffer.len() && matches!(self.fill(), Err(Broken::Ends))
    }
}

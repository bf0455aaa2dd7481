//! **What:** mutation of texts and bytes: networks of other formats, formulas and proofs, and what gzip packs.

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;
use std::io::{Read, Write};

/// What is put into a text.
const PIECES: &[&str] = &[
    "0",
    "1",
    "-1",
    "9",
    "99999",
    "4294967296",
    "18446744073709551616",
    "-0",
    "+1",
    "1_0",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "/",
    "&",
    "&amp;",
    "&#0;",
    "&#x110000;",
    ",",
    ":",
    ";",
    "--",
    "->",
    "c ",
    "d ",
    "p cnf 1 1\n",
    "#",
    "é",
    "\u{feff}",
    "\u{b}",
    "\u{a0}",
    "\u{2028}",
    "１",
    "null",
    "<!--",
    "<![CDATA[",
    "\u{1f600}",
];

/// What the bytes of a file are, unpacked where its name says that they are packed; what cannot be is left as it is.
pub(super) fn unpacked(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let packed = name.ends_with(".gz");
    if packed && MultiGzDecoder::new(bytes).read_to_end(&mut text).is_ok() { text } else { bytes.to_vec() }
}

/// Mostly with the checksum at the end that a schedule file in binary form has, so that more of it is looked at.
pub(super) fn sealed(mut bytes: Vec<u8>, random: &mut Pcg64Mcg) -> Vec<u8> {
    if let Some(body) = bytes.len().checked_sub(4).filter(|_| random.random_bool(0.8)) {
        let mut sum = flate2::Crc::new();
        sum.update(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.sum().to_le_bytes());
    }
    bytes
}

/// Mutates a line, or some bytes.
pub(super) fn mutate(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    if random.random_bool(0.5) { mutate_lines(bytes, random) } else { mutate_bytes(bytes, random) }
}

fn mutate_bytes(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let at = random.random_range(0..=bytes.len());
    let to = (at + random.random_range(0..20)).min(bytes.len());
    match random.random_range(0..9) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..to)),
        2 => {
            let again = bytes[at..to].to_vec();
            bytes.splice(at..at, again);
        }
        3 if at < bytes.len() => bytes[at] ^= 1 << random.random_range(0..8),
        4 if at < bytes.len() => bytes[at] = random.random_range(0..=255),
        5 => drop(bytes.splice(at..at, [b'['; 300])),
        6 => drop(bytes.splice(at..at, std::iter::repeat_n(b'9', 400))),
        _ => {
            let piece = PIECES.choose(random).unwrap_or(&"");
            bytes.splice(at..at, piece.bytes());
        }
    }
}

fn mutate_lines(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let (at, to) = (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
    match random.random_range(0..7) {
        0 => drop(lines.remove(at)),
        1 => lines.swap(at, to),
        2 => lines.insert(to, lines[at].clone()),
        3 => lines.truncate(at),
        _ => mutate_words(&mut lines[at], random),
    }
    *bytes = lines.concat();
}

/// A word of a line is dropped, repeated, exchanged or another number.
fn mutate_words(line: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let mut words: Vec<Vec<u8>> = line.split(|b| *b == b' ').map(<[u8]>::to_vec).collect();
    let (at, to) = (random.random_range(0..words.len()), random.random_range(0..words.len()));
    let number = std::str::from_utf8(&words[at]).ok().and_then(|word| word.trim().parse::<i64>().ok());
    match (random.random_range(0..6), number) {
        (0, _) => drop(words.remove(at)),
        (1, _) => words.swap(at, to),
        (2, _) => words.insert(to, words[at].clone()),
        (3..5, Some(number)) => {
            let near = [number - 1, number + 1, number.wrapping_neg(), 0, number / 2][random.random_range(0..5)];
            let end = if words[at].ends_with(b"\n") { "\n" } else { "" };
            words[at] = format!("{near}{end}").into_bytes();
        }
        _ => words[at] = PIECES.choose(random).unwrap_or(&"").as_bytes().to_vec(),
    }
    *line = words.join(&b' ');
}

/// Mutates formula and proof beside a schedule file, or takes them away.
pub(super) fn mutate_beside(files: &mut Vec<(String, Vec<u8>)>, random: &mut Pcg64Mcg) {
    for _ in 0..random.random_range(0..=3) {
        if files.len() < 2 {
            return;
        }
        let at = random.random_range(1..files.len());
        match random.random_range(0..25) {
            0 => drop(files.remove(at)),
            1 => files[at].1.clear(),
            _ => {
                let (name, bytes) = &mut files[at];
                *bytes = unpacked(name, bytes);
                mutate(bytes, random);
                if name.ends_with(".gz") {
                    *bytes = gzip(bytes);
                }
            }
        }
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes all that is written.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

/// A text packed by gzip: well, in parts, with more behind it, cut off, damaged, or much more than it seems.
pub(super) fn packed(text: &[u8], random: &mut Pcg64Mcg) -> Vec<u8> {
    let mut whole = gzip(text);
    let at = random.random_range(0..=text.len());
    match random.random_range(0..24) {
        0 => whole.truncate(random.random_range(0..whole.len())),
        1 => whole.extend([b"more" as &[u8], b"\0\0\0\0", b"\n", &[0x1f], &[0x1f, 0x8b]][random.random_range(0..5)]),
        2 => whole = [gzip(&text[..at]), gzip(&text[at..])].concat(),
        3 => whole = [gzip(text), gzip(b" \n")].concat(),
        4 => whole = [gzip(text), gzip(text)].concat(),
        5 => whole = [gzip(b""), gzip(text), gzip(b"")].concat(),
        6 => {
            // Blanks, just below or far beyond what every file may unpack to.
            let blanks = [8 << 20, 15 << 20, 17 << 20, 40 << 20][random.random_range(0..4)];
            whole = [gzip(text), gzip(&vec![b' '; blanks])].concat();
        }
        7 => whole = gzip(&[&text[..at], &vec![0; random.random_range(1..9)], &text[at..]].concat()),
        8 => whole = text.to_vec(),
        9 => whole = gzip(&whole),
        10..16 => {}
        _ => {
            let at = random.random_range(0..whole.len());
            whole[at] ^= 1 << random.random_range(0..8);
        }
    }
    whole
}

//! **What:** the matrix that `nvidia-smi topo -m` prints: how each two GPUs and NICs of a machine are connected.
//!
//! **Parameters:** cells are `X`, `NVk` (k NVLinks), `PIX`, `PXB`, `PHB`, `NODE` and `SYS`; rows and columns are GPUs (`GPU0`) and NICs (`NIC0`, or the
//! name of a device). The text says no rates: those of an NVLink, a NIC, a link of PCIe and a processor come from the user.
//!
//! **Facts:** the text does not say whether NVLinks are direct or lead to an NVSwitch. A GPU has at most 18 of them, so where a row adds up to more, those
//! of its group are shared at a switch, to which each GPU has as many as it has to any other. The rest is a tree: cells of a level,
//! `PIX` to `SYS`, join what the levels below have not. Two devices with NVLinks say no level, and have the highest that the others allow, up to `NODE`.
//!
//! **Source:** the legend that the command prints; NVIDIA's pages of GPUs for 4, 6, 12 and 18 NVLinks a GPU (P100, V100, A100, H100).

use super::assembly::fault;
use super::machine::{Connection, Kind, Machine, Wire};
use super::text_of;
use crate::{Place, ReadError};
use std::path::Path;

/// Most NVLinks of a GPU of any kind.
const MOST_NVLINKS: u32 = 18;

/// Most devices of one machine.
const MOST_DEVICES: usize = 256;

/// Levels of the tree, the nearest first.
const LEVELS: [&str; 5] = ["PIX", "PXB", "PHB", "NODE", "SYS"];
const NODE: u32 = 3;
const SYS: u32 = 4;

/// What a cell says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Itself,
    Nvlinks(u32),
    Level(u32),
}

impl Cell {
    fn of(word: &str) -> Option<Self> {
        if word == "X" {
            return Some(Cell::Itself);
        }
        if let Some(level) = (0u32..).zip(LEVELS).find(|(_, name)| *name == word) {
            return Some(Cell::Level(level.0));
        }
        word.strip_prefix("NV")?.parse().ok().filter(|k| (1..=1000).contains(k)).map(Cell::Nvlinks)
    }
}

/// The text without the codes of colours, which some versions print into a pipe.
fn plain(text: &str) -> String {
    let mut left = text.split('\u{1b}');
    let mut plain = left.next().unwrap_or_default().to_owned();
    // A code is `[`, digits and semicolons, and a letter.
    left.for_each(|piece| {
        plain.push_str(piece.find(|c: char| c.is_ascii_alphabetic()).map_or("", |at| &piece[at + 1..]))
    });
    plain
}

fn is_head(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("GPU0") && words.next() != Some("X")
}

/// Whether a text begins with such a matrix.
pub(super) fn is_meant(bytes: &[u8]) -> bool {
    let begin = String::from_utf8_lossy(&bytes[..bytes.len().min(1 << 16)]);
    plain(&begin).lines().take(50).any(is_head)
}

/// The matrix as read.
struct Matrix {
    names: Vec<String>,
    places: Vec<Place>,
    cells: Vec<Vec<Cell>>,
    /// The level of the tree at which two devices meet.
    levels: Vec<Vec<u32>>,
}

pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<Machine, ReadError> {
    let text = plain(text_of(bytes, path)?);
    let matrix = Matrix::read(&text, path)?;
    let mut machine = Machine::default();
    for (name, place) in matrix.names.iter().zip(&matrix.places) {
        let kind = if name.starts_with("GPU") { Kind::Gpu } else { Kind::Nic };
        machine.device(name.clone(), kind, *place);
    }
    nvlinks(&matrix, &mut machine);
    buses(&matrix, &mut machine);
    machine.choose_nics(|gpu, nic| matrix.levels[gpu][nic]);
    Ok(machine)
}

impl Matrix {
    fn read(text: &str, path: &Path) -> Result<Self, ReadError> {
        let mut lines = (1..).zip(text.lines()).skip_while(|(_, line)| !is_head(line));
        let nothing = || {
            fault(
                path,
                Place { line: 1, column: 1 },
                None,
                "",
                "no line begins with GPU0, as the head of the matrix does",
            )
        };
        let (line, head) = lines.next().ok_or_else(nothing)?;
        // What stands behind the devices, `CPU Affinity` and the like, says nothing of channels.
        let names: Vec<String> = head.split_whitespace().take_while(|w| *w != "CPU").map(str::to_owned).collect();
        if names.len() > MOST_DEVICES {
            let why = format!("{} devices are more than the {MOST_DEVICES} that a machine may have", names.len());
            return Err(fault(path, Place { line, column: 1 }, None, "", &why));
        }
        let mut rows: Vec<Option<(Place, Vec<Cell>)>> = vec![None; names.len()];
        for (number, line) in lines {
            let mut words = line.split_whitespace();
            let place_of =
                |word: &str| Place { line: number, column: 1 + word.as_ptr() as usize - line.as_ptr() as usize };
            let Some(name) = words.next() else { continue };
            if name.starts_with("Legend") {
                break;
            }
            let Some(at) = names.iter().position(|known| known == name) else {
                return Err(fault(path, place_of(name), None, name, "the row of a device that no column has"));
            };
            if rows[at].is_some() {
                return Err(fault(path, place_of(name), Some(name.to_owned()), "", "has a second row"));
            }
            let mut cells = Vec::new();
            for column in &names {
                let field = || Some(format!("{name}, {column}"));
                let Some(word) = words.next() else {
                    return Err(fault(path, place_of(name), field(), "", "the row ends before this cell"));
                };
                let why = "the cell is not one of X, NV and a number, PIX, PXB, PHB, NODE, SYS";
                let cell = Cell::of(word).ok_or_else(|| fault(path, place_of(word), field(), word, why))?;
                if (cell == Cell::Itself) != (column == name) {
                    return Err(fault(
                        path,
                        place_of(word),
                        field(),
                        word,
                        "X stands where a device meets itself, and only there",
                    ));
                }
                cells.push(cell);
            }
            rows[at] = Some((place_of(name), cells));
        }
        let (mut places, mut cells) = (Vec::new(), Vec::new());
        for (name, row) in names.iter().zip(rows) {
            let missing =
                || fault(path, Place { line: 1, column: 1 }, Some(name.clone()), "", "has a column and no row");
            let (place, row) = row.ok_or_else(missing)?;
            places.push(place);
            cells.push(row);
        }
        for (a, row) in cells.iter().enumerate() {
            for (b, cell) in row.iter().enumerate().skip(a + 1) {
                if cells[b][a] != *cell {
                    let field = Some(format!("{}, {}", names[b], names[a]));
                    let why = format!("says another thing than the row of {}", names[a]);
                    return Err(fault(path, places[b], field, "", &why));
                }
            }
        }
        let all = 0..names.len();
        let levels = all.clone().map(|a| all.clone().map(|b| level(&cells, a, b)).collect()).collect();
        Ok(Matrix { names, places, cells, levels })
    }

    /// NVLinks between two devices.
    fn nvlinks(&self, a: usize, b: usize) -> u32 {
        if let Cell::Nvlinks(count) = self.cells[a][b] { count } else { 0 }
    }
}

/// The level of the tree at which two devices meet.
fn level(cells: &[Vec<Cell>], a: usize, b: usize) -> u32 {
    let said = |a: usize, b: usize| if let Cell::Level(level) = cells[a][b] { Some(level) } else { None };
    said(a, b).unwrap_or_else(|| {
        // Of three devices, the two that meet last do so at one level.
        let over = (0..cells.len()).filter_map(|c| Some((said(a, c)?, said(c, b)?)));
        let (mut apart, mut together) = (None, NODE);
        for (there, back) in over {
            if there == back {
                together = together.min(there);
            } else {
                apart = apart.max(Some(there.max(back)));
            }
        }
        apart.unwrap_or(together)
    })
}

/// Direct NVLinks, or those of a group that shares a switch.
fn nvlinks(matrix: &Matrix, machine: &mut Machine) {
    let count = matrix.names.len();
    let mut grouped = vec![false; count];
    for first in 0..count {
        if grouped[first] {
            continue;
        }
        let mut group = vec![first];
        grouped[first] = true;
        let mut next = 0;
        while next < group.len() {
            let a = group[next];
            let more: Vec<usize> = (0..count).filter(|b| !grouped[*b] && matrix.nvlinks(a, *b) > 0).collect();
            more.iter().for_each(|b| grouped[*b] = true);
            group.extend(more);
            next += 1;
        }
        group.sort_unstable();
        let links = |a: usize| group.iter().map(move |b| matrix.nvlinks(a, *b));
        let wire = |a, b, count| Connection { ends: [a, b], wire: Wire::Nvlink, count, rate: None };
        if group.iter().any(|a| links(*a).sum::<u32>() > MOST_NVLINKS) {
            let switches = machine.devices.len() - count;
            let label = if switches == 0 { "NVSwitch".to_owned() } else { format!("NVSwitch{switches}") };
            let switch = machine.device(label, Kind::Switch, matrix.places[first]);
            for &a in &group {
                machine.nvlinks.push(wire(a, switch, links(a).max().unwrap_or(0)));
            }
        } else {
            for (at, &a) in group.iter().enumerate() {
                let there = group[at + 1..].iter().map(|b| (*b, matrix.nvlinks(a, *b))).filter(|(_, count)| *count > 0);
                machine.nvlinks.extend(there.map(|(b, count)| wire(a, b, count)));
            }
        }
    }
}

/// The tree of PCIe and processors.
fn buses(matrix: &Matrix, machine: &mut Machine) {
    let place = Place { line: 1, column: 1 };
    // Of each part that has been joined its devices and its top.
    let mut parts: Vec<(Vec<usize>, usize)> = (0..matrix.names.len()).map(|at| (vec![at], at)).collect();
    for level in 0..=SYS {
        let mut joined: Vec<Vec<(Vec<usize>, usize)>> = Vec::new();
        for part in parts {
            let near = |group: &Vec<(Vec<usize>, usize)>| {
                let mut others = group.iter().flat_map(|(devices, _)| devices);
                others.any(|a| part.0.iter().any(|b| matrix.levels[*a][*b] <= level))
            };
            match joined.iter().position(near) {
                Some(at) => joined[at].push(part),
                None => joined.push(vec![part]),
            }
        }
        let whole = |mut group: Vec<(Vec<usize>, usize)>, machine: &mut Machine| {
            if let [_] = &group[..] {
                return group.remove(0);
            }
            let name = LEVELS[level as usize];
            let top = machine.device(format!("{name}{}", machine.devices.len()), Kind::Switch, place);
            for (_, below) in &mut group {
                if level == SYS {
                    // What is alone at its processor has one all the same.
                    if machine.devices[*below].kind != Kind::Switch {
                        let cpu = machine.device(format!("CPU{}", machine.devices.len()), Kind::Switch, place);
                        machine.buses.push(Connection { ends: [*below, cpu], wire: Wire::Pcie, count: 1, rate: None });
                        *below = cpu;
                    }
                    machine.buses.push(Connection { ends: [*below, top], wire: Wire::Socket, count: 1, rate: None });
                } else {
                    machine.buses.push(Connection { ends: [*below, top], wire: Wire::Pcie, count: 1, rate: None });
                }
            }
            (group.into_iter().flat_map(|(devices, _)| devices).collect(), top)
        };
        parts = joined.into_iter().map(|group| whole(group, machine)).collect();
    }
}

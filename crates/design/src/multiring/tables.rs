//! **What:** the paper's tables computed anew, each number beside the printed one.
//!
//! **Method:** the full multiring of base k is counted for every N from k² on. The paper seems to stop at the first N whose σ
//! is too small; since σ(N) is not monotone, a larger N may do again, so both numbers are given: the *first* rule and the
//! *largest*. The scan ends where lengths taken as whole numbers cannot reach every node within D hops.

use super::bound::Wanted;
use super::known::{self, Known};
use super::paper::{self, Machine, Printed};
use super::{Circulant, composition, parallelism};

/// A cell of a recomputed table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// σ of the column, or of the composition.
    pub parallelism: u64,
    /// What the paper prints; `None` where it has nothing.
    pub paper: Option<u64>,
    /// The last N before the first that fails; of a search, the best found; of table 3, σ; of a composition, its nodes.
    pub ours: Option<u64>,
    /// The largest N of all that do; equal to `ours` where there is one rule only.
    pub largest: Option<u64>,
    /// The network where it is not the full multiring; verified by counting.
    pub network: Option<Circulant>,
    /// The proved upper bound, and whether the number is proved largest.
    pub bound: Option<(u64, bool)>,
    /// Of a composition: the σ that was counted, which is at least what the product promises.
    pub counted: Option<u64>,
    /// Why it differs from the print, where it does.
    pub reason: Option<&'static str>,
}

/// A recomputed table.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its number in the paper.
    pub number: u32,
    /// What it is.
    pub title: String,
    /// What the first column says.
    pub head: &'static str,
    /// Rows: their label and cells.
    pub rows: Vec<(String, Vec<Cell>)>,
    /// The machine whose network the paper puts beside it.
    pub machine: Option<&'static Machine>,
}

impl Cell {
    /// Whether it has more nodes than the machine and no fewer walks, and how many times as many nodes.
    pub fn beats(&self, machine: &Machine) -> Option<f64> {
        let walks = self.counted.unwrap_or(self.parallelism);
        let nodes = self.ours.filter(|nodes| *nodes > machine.nodes && walks >= machine.parallelism)?;
        Some(nodes as f64 / machine.nodes as f64)
    }
}

/// Numbers of the tables.
pub const NUMBERS: std::ops::RangeInclusive<u32> = 2..=8;

/// Which multirings tables 6 and 7 are made of; the paper's where nothing is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Joined {
    /// The odd base k of the full multiring below.
    pub base: Option<u32>,
    /// The degree of the multiring above.
    pub high_degree: Option<u32>,
}

/// Where the lengths of tables 5 and 8 come from: the best of what is wanted, or nothing.
pub type Finder<'a> = &'a dyn Fn(Wanted) -> Option<Known>;

/// The lengths that are stored.
pub fn stored(wanted: Wanted) -> Option<Known> {
    known::best(wanted.degree, wanted.hops, wanted.parallelism, wanted.symmetric)
}

/// The table of this number, 2 to 8, with the lengths that are stored.
pub fn table(number: u32) -> Option<Table> {
    table_by(number, Joined::default(), &stored)
}

/// The same with other multirings to join, or other lengths.
pub fn table_by(number: u32, joined: Joined, find: Finder<'_>) -> Option<Table> {
    match number {
        2 => Some(full(&paper::TABLE_2, "the full multiring: most nodes for each σ, diameter 3", Circulant::full)),
        3 => Some(most()),
        4 => {
            let title = "the full multiring with lengths both ways: most nodes for each σ, diameter 3";
            Some(full(&paper::TABLE_4, title, Circulant::full_both_ways))
        }
        5 => Some(searched(&paper::TABLE_5, "lengths of any kind: most nodes for each σ, diameter 2", 2, find)),
        6 => Some(composed(&paper::TABLE_6, joined, 9)),
        7 => Some(composed(&paper::TABLE_7, joined, 13)),
        8 => Some(extended(find)),
        _ => None,
    }
}

/// σ of a family of lengths for every N from `from` on, as far as whole numbers reach.
pub fn scan(base: u32, hops: u32, make: Make) -> Vec<(u32, u64)> {
    let from = base * base;
    // The sums of `hops` lengths lie within so many whole numbers, in either family.
    let reach = hops * base * (base - 1) + 1;
    let made = (from..=reach).filter_map(|n| Some((n, parallelism(&make(base, n).ok()?, hops))));
    made.collect()
}

type Make = fn(u32, u32) -> Result<Circulant, super::CirculantError>;

/// The last N before the first that has fewer than `wanted`, and the last of all that have as many.
pub fn both_rules(scan: &[(u32, u64)], wanted: u64) -> (Option<u64>, Option<u64>) {
    let first = scan.iter().take_while(|(_, found)| *found >= wanted).last();
    let largest = scan.iter().rfind(|(_, found)| *found >= wanted);
    (first.map(|(n, _)| u64::from(*n)), largest.map(|(n, _)| u64::from(*n)))
}

fn full_row(number: u32, base: u32, printed: &[u64], make: Make) -> Vec<Cell> {
    let scan = scan(base, 3, make);
    let columns = paper::parallelisms(number, u64::from(base));
    let cell = |(parallelism, &print): (u64, &u64)| {
        let (ours, largest) = both_rules(&scan, parallelism);
        let reason = paper::difference(number, base, parallelism).map(|d| d.reason);
        Cell { parallelism, paper: Some(print), ours, largest, reason, ..Cell::default() }
    };
    columns.into_iter().zip(printed).map(cell).collect()
}

fn full(printed: &Printed, title: &'static str, make: Make) -> Table {
    let row = |&(base, cells): &(u32, &[u64])| (base.to_string(), full_row(printed.number, base, cells, make));
    Table {
        number: printed.number,
        title: title.into(),
        head: "k",
        rows: printed.rows.iter().map(row).collect(),
        machine: None,
    }
}

fn most() -> Table {
    let row = |&(base, cells): &(u32, &[u64])| {
        let ours = Circulant::full(base, base * base).ok().map(|c| parallelism(&c, 3));
        let reason = paper::difference(3, base, 0).map(|d| d.reason);
        let cell = Cell { paper: cells.first().copied(), ours, largest: ours, reason, ..Cell::default() };
        (base.to_string(), vec![cell])
    };
    let title = "the full multiring with k² nodes: σmax";
    Table {
        number: 3,
        title: title.into(),
        head: "k",
        rows: paper::TABLE_3.rows.iter().map(row).collect(),
        machine: None,
    }
}

/// A cell from the best lengths known.
fn of_known(found: Option<Known>, parallelism: u64, paper: Option<u64>) -> Cell {
    let nodes = found.as_ref().map(|k| u64::from(k.circulant.nodes()));
    let bound = found.as_ref().map(|k| (k.at_most(), k.proved || nodes == Some(k.at_most())));
    let network = found.map(|k| k.circulant);
    let less = nodes.zip(paper).is_some_and(|(ours, paper)| ours < paper);
    let reason = less.then_some("no lengths for the printed number were found by search");
    Cell { parallelism, paper, ours: nodes, largest: nodes, network, bound, reason, ..Cell::default() }
}

fn searched(printed: &Printed, title: &'static str, hops: u32, find: Finder<'_>) -> Table {
    let row = |&(degree, cells): &(u32, &[u64])| {
        let wanted = |parallelism| Wanted { degree, hops, parallelism, symmetric: false };
        let cell = |(s, &print): (u64, &u64)| {
            let cell = of_known(find(wanted(s)), s, Some(print));
            let reason =
                paper::difference(printed.number, degree, s).map(|d| d.reason).filter(|_| cell.reason.is_some());
            Cell { reason: reason.or(cell.reason), ..cell }
        };
        (degree.to_string(), (1..).zip(cells).map(cell).collect())
    };
    Table {
        number: printed.number,
        title: title.into(),
        head: "m",
        rows: printed.rows.iter().map(row).collect(),
        machine: None,
    }
}

fn extended(find: Finder<'_>) -> Table {
    let mut rows = Vec::new();
    for base in [5, 7, 9, 11, 13] {
        let print = paper::TABLE_8.rows.iter().find(|r| r.0 == base).map(|r| r.1);
        let columns = paper::parallelisms(8, u64::from(base));
        let wanted = |parallelism| Wanted { degree: 2 * (base - 1), hops: 3, parallelism, symmetric: true };
        let cell = |(i, s): (usize, u64)| of_known(find(wanted(s)), s, print.map(|p| p[i]));
        rows.push((format!("{base}, any lengths"), columns.into_iter().enumerate().map(cell).collect()));
        if let Some((_, cells)) = paper::TABLE_8_FULL.rows.iter().find(|r| r.0 == base) {
            rows.push((format!("{base}, full"), full_row(8, base, cells, Circulant::full_both_ways)));
        }
    }
    let title = "lengths of any kind, both ways: most nodes for each σ, diameter 3 (the paper ends at k = 7)";
    Table { number: 8, title: title.into(), head: "k", rows, machine: None }
}

/// Columns of tables 6 and 7: σ of the lower dimensions, as printed.
fn composed(printed: &Printed, joined: Joined, own: u32) -> Table {
    let (base, degree) = (joined.base.unwrap_or(own), joined.high_degree.unwrap_or(22));
    // What the paper prints is of its own multirings alone.
    let is_printed = (base, degree) == (own, 22);
    let low = scan(base, 3, Circulant::full_both_ways);
    let k = u64::from(base);
    let columns = [3, k - 1, 2 * (k - 1), 3 * (k - 1), paper::full_most(k)];
    let reason_111 = "made from 112 nodes above, found by search, where the paper has 111 of table 5";
    let reason_43 = "the last column says 45 for σ, which table 3 has wrong: 43 is counted";
    let row = |&(high, cells): &(u32, &[u64])| {
        let printed = known::printed(degree, 2, u64::from(high)).filter(|_| is_printed);
        let upper = printed.or_else(|| known::best(degree, 2, u64::from(high), false).map(|k| k.circulant));
        let cell = |(s, &print): (u64, &u64)| {
            let lower = both_rules(&low, s).0.and_then(|n| Circulant::full_both_ways(base, n as u32).ok());
            let joined = lower.zip(upper.clone()).and_then(|(l, u)| composition::Composition::new(l, u).ok());
            let nodes = joined.as_ref().map(|c| u64::from(c.network().nodes()));
            Cell {
                parallelism: s * u64::from(high),
                paper: Some(print).filter(|_| is_printed),
                ours: nodes,
                largest: nodes,
                counted: joined.as_ref().map(|c| c.counted(3, 2)),
                network: joined.map(|c| c.network().clone()),
                reason: match (nodes == Some(print) || !is_printed, base == 9 && s == 43 && is_printed) {
                    (false, _) => Some(reason_111),
                    (true, wrong) => wrong.then_some(reason_43),
                },
                ..Cell::default()
            }
        };
        (high.to_string(), columns.into_iter().zip(cells).map(cell).collect())
    };
    let title = format!("four dimensions, degree {}, diameter 5: nodes and σ", 2 * (base - 1) + degree);
    Table {
        number: printed.number,
        title,
        head: "σ*",
        rows: printed.rows.iter().map(row).collect(),
        machine: paper::MACHINES.iter().find(|m| m.table == printed.number),
    }
}

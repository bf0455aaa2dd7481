//! **What:** schedules stored by the dimensions of a product: the field `product`, read and written.

use super::raw::Object;
use super::write::Json;
use super::{PRODUCT, Provenance};
use kernel::product::{Block, Dimension, Part, ProductSchedule, Round, VerifiedProduct};
use kernel::{Certificate, Node};
use serde::Deserialize;
use std::io::{self, Write};

/// The field `product`.
#[derive(Deserialize)]
pub(crate) struct Product {
    order: Vec<usize>,
    #[serde(default)]
    nodes: Option<Vec<u32>>,
    dimensions: Vec<Object<Side>>,
    rounds: Vec<Object<Steps>>,
}

/// An entry of the field `product.dimensions`.
#[derive(Deserialize)]
struct Side {
    size: u32,
    channels: Vec<(u32, u32)>,
    classes: Vec<Vec<Object<Way>>>,
}

/// A part of a class.
#[derive(Deserialize)]
struct Way {
    from: u32,
    to: u32,
    #[serde(default)]
    slot: u32,
    #[serde(default)]
    path: Vec<u32>,
}

/// An entry of the field `product.rounds`.
#[derive(Deserialize)]
struct Steps {
    steps: u64,
    blocks: Vec<Object<Tuple>>,
}

/// A block of a round.
#[derive(Deserialize)]
struct Tuple {
    classes: Vec<usize>,
    factors: Vec<i64>,
    #[serde(default)]
    offset: i64,
}

impl Product {
    /// The claim, on a network of so many nodes.
    pub(super) fn claim(self, nodes: u32) -> ProductSchedule {
        let part = |Object(Way { from, to, slot, path })| Part { from, to, slot, path };
        let class = |parts: Vec<Object<Way>>| parts.into_iter().map(part).collect();
        let dimension = |Object(Side { size, channels, classes })| Dimension {
            size,
            channels,
            classes: classes.into_iter().map(class).collect(),
        };
        let block = |Object(Tuple { classes, factors, offset })| Block { classes, factors, offset };
        let round = |Object(Steps { steps, blocks })| Round { steps, blocks: blocks.into_iter().map(block).collect() };
        ProductSchedule {
            dimensions: self.dimensions.into_iter().map(dimension).collect(),
            order: self.order,
            nodes: self.nodes.unwrap_or_else(|| (0..nodes).collect()).into_iter().map(Node).collect(),
            rounds: self.rounds.into_iter().map(round).collect(),
        }
    }
}

/// Writes the text of a schedule file stored as a product.
pub(super) fn document(
    schedule: &VerifiedProduct,
    bound: Option<&Certificate>,
    provenance: &Provenance,
    out: &mut Json<impl Write>,
) -> io::Result<()> {
    let form = schedule.schedule();
    out.head(PRODUCT, schedule.problem())?;
    out.text(",\n  \"product\": {\n    \"order\": ")?;
    out.numbers(form.order.iter().copied())?;
    let is_usual = form.nodes.iter().map(|v| v.index()).eq(0..form.nodes.len());
    if !is_usual {
        out.text(",\n    \"nodes\": ")?;
        out.lines(form.nodes.iter(), "    ", |out, v| out.number(v.0))?;
    }
    out.text(",\n    \"dimensions\": [")?;
    for (at, dimension) in form.dimensions.iter().enumerate() {
        out.text(if at == 0 { "\n" } else { ",\n" })?;
        side(out, dimension)?;
    }
    out.text("\n    ],\n    \"rounds\": [")?;
    for (at, round) in form.rounds.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out.out, "{comma}\n      {{\"steps\": {}, \"blocks\": [", round.steps)?;
        for (at, block) in round.blocks.iter().enumerate() {
            out.text(if at == 0 { "{\"classes\":" } else { ", {\"classes\":" })?;
            out.numbers(block.classes.iter().copied())?;
            out.text(",\"factors\":")?;
            out.numbers(block.factors.iter().copied())?;
            if block.offset != 0 {
                write!(out.out, ",\"offset\":{}", block.offset)?;
            }
            out.text("}")?;
        }
        out.text("]}")?;
    }
    out.text("\n    ]\n  }")?;
    out.end(bound, provenance)
}

fn side<W: Write>(out: &mut Json<W>, dimension: &Dimension) -> io::Result<()> {
    write!(out.out, "      {{\n        \"size\": {},\n        \"channels\": ", dimension.size)?;
    out.lines(dimension.channels.iter(), "        ", |out, &(from, to)| out.numbers([from, to]))?;
    out.text(",\n        \"classes\": [")?;
    for (at, class) in dimension.classes.iter().enumerate() {
        out.text(if at == 0 { "\n          [" } else { ",\n          [" })?;
        for (at, part) in class.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(out.out, "{comma}{{\"from\":{},\"to\":{}", part.from, part.to)?;
            if part.slot != 0 {
                write!(out.out, ",\"slot\":{}", part.slot)?;
            }
            if !part.path.is_empty() {
                out.text(",\"path\":")?;
                out.numbers(part.path.iter().copied())?;
            }
            out.text("}")?;
        }
        out.text("]")?;
    }
    out.text("\n        ]\n      }")
}

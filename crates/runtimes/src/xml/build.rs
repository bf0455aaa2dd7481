//! **What:** from a program to an algorithm of MSCCL XML: thread blocks, channels, dependencies and fused steps.
//!
//! **Facts:** the widest form is tried first, receives that merge and send on at once and a channel for every path, and then narrower ones,
//! until one keeps the limits of the format and cannot get stuck with room for one message in every connection.

use super::drafts::Draft;
use super::steps::step;
use super::streams::{Streams, Style};
use super::{Algorithm, Block, Gpu, Kind, Step, rules};
use crate::{ExportError, Finding, known_name, program_goals};
use program::Program;
use std::collections::{BTreeMap, HashMap};

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct XmlOptions {
    /// The name of the algorithm; the format keeps 63 characters.
    pub name: String,
    /// For calls with one buffer for input and output, and not with two.
    pub in_place: bool,
}

/// Forms, the widest first.
const STYLES: [Style; 8] = [
    Style { fuses: true, by_path: true, longest: usize::MAX },
    Style { fuses: true, by_path: false, longest: usize::MAX },
    Style { fuses: true, by_path: true, longest: 60 },
    Style { fuses: true, by_path: false, longest: 60 },
    Style { fuses: false, by_path: true, longest: usize::MAX },
    Style { fuses: false, by_path: false, longest: usize::MAX },
    Style { fuses: false, by_path: true, longest: 60 },
    Style { fuses: false, by_path: false, longest: 60 },
];

/// An algorithm that has gone through the check.
///
/// # Errors
/// What the format cannot hold.
pub fn export(program: &Program, options: &XmlOptions) -> Result<Algorithm, ExportError> {
    let kept;
    let program = if options.in_place {
        kept = Writer::new(program, options, STYLES[0])?.with_inputs_kept();
        &kept
    } else {
        program
    };
    let mut refused = None;
    for style in STYLES {
        let writer = Writer::new(program, options, style)?;
        let algorithm = writer.algorithm();
        let Some(finding) = writer.fault(&algorithm) else { return Ok(algorithm) };
        match finding.rule {
            "limit" | "deadlock" | "nchannels" | "peer" => refused = refused.or(Some(finding)),
            "race" | "result" | "unwritten" if options.in_place => {
                return Err(ExportError::InPlace(finding.to_string()));
            }
            _ => return Err(ExportError::Fault(finding.to_string())),
        }
    }
    Err(ExportError::Limit(refused.map(|finding| finding.to_string()).unwrap_or_default()))
}

pub(super) struct Writer<'p> {
    pub program: &'p Program,
    pub options: &'p XmlOptions,
    pub streams: Streams,
    pub collective: &'static str,
    chunks: u32,
    /// Of each rank, what each operation waits for.
    pub after: Vec<Vec<Vec<u32>>>,
    /// The transfer that brings what a transfer sends on.
    pub relays: HashMap<u32, u32>,
}

impl<'p> Writer<'p> {
    fn new(program: &'p Program, options: &'p XmlOptions, style: Style) -> Result<Self, ExportError> {
        let layout = program.layout();
        let largest = || program.ranks().iter().map(|rank| rank.input.max(rank.output)).max().unwrap_or(0);
        let (collective, chunks) = match known_name(program) {
            Some(name @ ("allgather" | "alltoall" | "reduce_scatter")) => {
                (name, layout.members().len() as u32 * layout.chunks())
            }
            Some(name) => (name, layout.chunks()),
            None => ("custom", largest()),
        };
        if chunks == 0 {
            return Err(ExportError::Limit("no rank has anything to send or receive".into()));
        }
        if options.in_place && collective == "custom" {
            return Err(ExportError::InPlace(
                "the format does not say where input and output of `custom` share room".into(),
            ));
        }
        let streams = Streams::of(program, style);
        let relays = if style.fuses { streams.relays(program) } else { HashMap::new() };
        let mut writer = Writer { program, options, streams, collective, chunks, after: Vec::new(), relays };
        writer.after = (0u32..).zip(program.ranks()).map(|(rank, of)| writer.waits(rank, &of.operations)).collect();
        Ok(writer)
    }

    fn algorithm(&self) -> Algorithm {
        let ranks: Vec<_> = (0..self.program.ranks().len() as u32).map(|rank| self.items(rank)).collect();
        let runs = self.runs(&ranks);
        let channels = self.streams.channels(rules::BLOCKS_A_CHANNEL - 1);
        let gpus = (0u32..).zip(&ranks).map(|(rank, blocks)| self.gpu(rank, blocks, &runs, &channels));
        let gpus: Vec<Gpu> = gpus.collect();
        let mut name = self.options.name.clone();
        name.truncate((0..=rules::NAME).rev().find(|at| name.is_char_boundary(*at)).unwrap_or(0));
        Algorithm {
            name,
            collective: self.collective.into(),
            protocol: "Simple".into(),
            ranks: ranks.len() as u32,
            channels: gpus.iter().flat_map(|gpu| &gpu.blocks).map(|block| block.channel + 1).max().unwrap_or(1),
            chunks: self.chunks,
            in_place: self.options.in_place,
            out_of_place: Some(!self.options.in_place),
            bytes: None,
            gpus,
        }
    }

    fn gpu(&self, rank: u32, blocks: &[Draft], runs: &[Vec<u32>], channels: &[u32]) -> Gpu {
        // Where each operation is done: block and item.
        let mut done: HashMap<u32, (u32, u32)> = HashMap::new();
        for (block, draft) in (0u32..).zip(blocks) {
            for (at, item) in (0u32..).zip(&draft.items) {
                done.extend(self.operations(item).into_iter().map(|operation| (operation, (block, at))));
            }
        }
        let mut awaited: Vec<(u32, u32)> = Vec::new();
        // Steps of a block, those that wait marked by block and item; and the last step of each item.
        let mut built: Vec<(Vec<Step>, Vec<u32>)> = Vec::new();
        for (block, draft) in (0u32..).zip(blocks) {
            let (mut steps, mut ends): (Vec<Step>, Vec<u32>) = (Vec::new(), Vec::new());
            let mut waited: HashMap<u32, u32> = HashMap::new();
            for (at, item) in (0u32..).zip(&draft.items) {
                let mut latest: BTreeMap<u32, u32> = BTreeMap::new();
                for operation in self.operations(item) {
                    let before =
                        self.after[rank as usize][operation as usize].iter().filter_map(|before| done.get(before));
                    for (of, on) in before.filter(|(of, on)| *of != block || *on > at) {
                        let known = latest.entry(*of).or_insert(*on);
                        *known = (*known).max(*on);
                    }
                }
                latest.retain(|of, on| waited.get(of).is_none_or(|known| *known < *on));
                waited.extend(&latest);
                let mut waits: Vec<(u32, u32)> = latest.into_iter().collect();
                awaited.extend(&waits);
                let mut own = self.steps(rank, item, runs);
                if let Some(first) = own.first_mut() {
                    first.after = waits.pop();
                }
                let nops = waits.into_iter().map(|after| Step { after: Some(after), ..step(Kind::NOP, None, None, 0) });
                steps.extend(nops.chain(own));
                ends.push(steps.len() as u32 - 1);
            }
            built.push((steps, ends));
        }
        let ends: Vec<Vec<u32>> = built.iter().map(|(_, ends)| ends.clone()).collect();
        for (block, at) in awaited {
            let end = ends[block as usize][at as usize];
            built[block as usize].0[end as usize].awaited = true;
        }
        let of = &self.program.ranks()[rank as usize];
        let sized = |chunks: u32| if self.collective == "custom" && chunks > 0 { self.chunks } else { chunks };
        let mut free = HashMap::<u32, usize>::new();
        let blocks = (0u32..).zip(blocks).zip(built).map(|((id, Draft { out, into, .. }), (mut steps, _))| {
            for step in &mut steps {
                step.after = step.after.map(|(block, at)| (block, ends[block as usize][at as usize]));
            }
            let channel = out.or(*into).map_or_else(
                || (0..rules::CHANNELS).find(|at| free.get(at).unwrap_or(&0) < &rules::BLOCKS_A_CHANNEL).unwrap_or(0),
                |stream| channels[stream as usize],
            );
            *free.entry(channel).or_default() += 1;
            let send = out.map(|stream| self.streams.pair(stream).1);
            let receive = into.map(|stream| self.streams.pair(stream).0);
            Block { id, send, receive, channel, steps, line: 0 }
        });
        let blocks = blocks.collect();
        Gpu { id: rank, sizes: [sized(of.input), sized(of.output), of.scratch], blocks, line: 0 }
    }

    /// What is wrong with it, read back from its text.
    fn fault(&self, of: &Algorithm) -> Option<Finding> {
        let found = |text: String| Finding { rule: "read", line: 0, element: "file".into(), text };
        let read = match super::read(&super::text(of)) {
            Ok(read) => read,
            Err(error) => return Some(found(error.to_string())),
        };
        if let Some(broken) = rules::broken(&read).into_iter().next() {
            return Some(broken);
        }
        let (threads, _) = match read.lowered(false) {
            Ok(lowered) => lowered,
            Err(finding) => return Some(finding),
        };
        let goals = (self.collective == "custom").then(|| program_goals(self.program, &threads));
        read.check(goals.as_deref()).findings.into_iter().next()
    }
}

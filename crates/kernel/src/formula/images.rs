//! **What:** the formula of a schedule of one chunk that several chunks take, each moved by an automorphism and begun some steps later:
//! what a search satisfies. No certificate rests on it.

use super::encode::Encoder;
use super::{Beyond, Formula, FormulaKind, Image, Literal};
use crate::{Channel, Message, Problem, Schedule, Transfer};
use std::collections::BTreeMap;

impl Formula {
    /// The formula of "there is a schedule of at most `steps` steps of this one message or chunk, all images of which fit together". A chunk for several nodes is
    /// merged at each of them with one partial result at a time.
    ///
    /// # Errors
    /// As [`Formula::encode_within`], and for time-division.
    pub fn encode_images(problem: &Problem, images: &[Image], steps: u64, limit: usize) -> Result<Self, Beyond> {
        let kind = match FormulaKind::of(problem) {
            FormulaKind::Copies => FormulaKind::Copies,
            FormulaKind::Calls => FormulaKind::Merging,
            _ => return Err(Beyond::Scope("the formula of images takes copies, or chunks for several")),
        };
        if problem.model().is_slotted() {
            return Err(Beyond::Scope("the formula of images knows no slots"));
        }
        let mut encoder = Encoder::new(problem, kind, steps, limit)?;
        match kind {
            FormulaKind::Copies => encoder.message(Message(0))?,
            _ => encoder.chunk(Message(0))?,
        }
        let later = images.iter().map(|image| image.delay).max().unwrap_or(0);
        (0..encoder.formula.steps + later).try_for_each(|t| encoder.limits_of_images(t, images))?;
        Ok(encoder.formula)
    }
}

impl Encoder<'_> {
    /// What the images share in step `t`.
    fn limits_of_images(&mut self, t: usize, images: &[Image]) -> Result<(), Beyond> {
        let network = self.problem.network();
        let mut busy: Vec<Vec<Literal>> = vec![Vec::new(); network.channel_count()];
        let mut sent: Vec<Vec<Literal>> = vec![Vec::new(); network.node_count()];
        let mut received: Vec<Vec<Literal>> = vec![Vec::new(); network.node_count()];
        for image in images {
            let lanes = t.checked_sub(image.delay).and_then(|step| self.formula.lanes.get(step));
            for lane in lanes.into_iter().flatten() {
                busy[image.channels[lane.channel.index()] as usize].push(lane.busy);
                sent[image.nodes[lane.tail.index()] as usize].extend(lane.begins);
                received[image.nodes[lane.head.index()] as usize].extend(lane.ends);
            }
        }
        let mut used: BTreeMap<Channel, Vec<Literal>> = BTreeMap::new();
        for channel in network.channels() {
            let busy = self.at_most_of_images(network.capacity(channel), std::mem::take(&mut busy[channel.index()]))?;
            if !busy.is_empty() {
                used.insert(channel, busy);
            }
        }
        for node in network.nodes() {
            let (sent, received) =
                (std::mem::take(&mut sent[node.index()]), std::mem::take(&mut received[node.index()]));
            for (ports, used) in [(network.send_ports(node), sent), (network.receive_ports(node), received)] {
                if let Some(ports) = ports {
                    self.at_most_of_images(ports, used)?;
                }
            }
        }
        self.groups(&used)
    }

    /// At most `most` of the literals hold, of which one that several images have here does not; the others.
    fn at_most_of_images(&mut self, most: u32, mut literals: Vec<Literal>) -> Result<Vec<Literal>, Beyond> {
        literals.sort_unstable();
        let mut once = Vec::with_capacity(literals.len());
        for alike in literals.chunk_by(|a, b| a == b) {
            match alike {
                [one] => once.push(*one),
                _ => self.rule(1, vec![-alike[0]])?,
            }
        }
        self.at_most(most, &once)?;
        Ok(once)
    }
}

/// The schedule of all images of a schedule of one chunk, the i-th of which is of chunk i.
pub fn all_images(one: &Schedule, images: &[Image]) -> Schedule {
    let later = images.iter().map(|image| image.delay).max().unwrap_or(0);
    let mut all = Schedule::new();
    for t in 0..one.step_count() + later {
        all.begin_step();
        for (chunk, image) in (0..).map(Message).zip(images) {
            let Some(step) = t.checked_sub(image.delay).filter(|step| *step < one.step_count()) else { continue };
            for transfer in one.step(step) {
                let path: Vec<Channel> = transfer.path.iter().map(|c| Channel(image.channels[c.index()])).collect();
                all.push(Transfer { messages: &[chunk], path: &path, ..transfer });
            }
        }
    }
    all
}

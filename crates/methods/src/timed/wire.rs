//! **What:** schedules in time and their bounds as bytes, from one process of a run to another.
//!
//! **Facts:** what a damaged message is read as are claims like any others, no longer than the message.

use kernel::orbits::{Generator, Translations};
use kernel::timed::{
    TimedCertificate, TimedClaim, TimedOrbits, TimedProblem, TimedProof, TimedSchedule, VerifiedTimed,
};
use kernel::{Channel, Node, Rational, Schedule, Weights};
use run::ranks::Reader;
use run::wire;

fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(&number.to_le_bytes());
}

fn put_rational(bytes: &mut Vec<u8>, of: Rational) {
    put(bytes, of.numerator);
    put(bytes, of.denominator);
}

fn rational(reader: &mut Reader<'_>) -> Rational {
    Rational::new(reader.u64(), reader.u64().max(1))
}

/// A number of things that follow, each of so many bytes, no more than there are.
fn count(reader: &mut Reader<'_>, bytes: usize) -> usize {
    usize::try_from(reader.u64()).unwrap_or(usize::MAX).min(reader.0.len() / bytes)
}

fn put_nodes(bytes: &mut Vec<u8>, nodes: &[Node]) {
    put(bytes, nodes.len() as u64);
    nodes.iter().for_each(|node| put(bytes, node.0.into()));
}

fn node(reader: &mut Reader<'_>) -> Node {
    Node(u32::try_from(reader.u64()).unwrap_or(u32::MAX))
}

fn nodes(reader: &mut Reader<'_>) -> Vec<Node> {
    (0..count(reader, 8)).map(|_| node(reader)).collect()
}

/// Adds the bytes of a bound.
pub(super) fn put_certificate(bytes: &mut Vec<u8>, of: &TimedCertificate) {
    put(bytes, of.ticks);
    match &of.proof {
        TimedProof::Latency { from, to } => [0, from.0.into(), to.0.into()].into_iter().for_each(|n| put(bytes, n)),
        TimedProof::LateCut { nodes } => {
            put(bytes, 1);
            put_nodes(bytes, nodes);
        }
        TimedProof::PairCut { nodes, contributors, destinations } => {
            put(bytes, 4);
            put_nodes(bytes, nodes);
            for some in [contributors, destinations] {
                put(bytes, some.is_some().into());
                some.iter().for_each(|nodes| put_nodes(bytes, nodes));
            }
        }
        TimedProof::Lengths { weights } => {
            put(bytes, 2);
            put(bytes, weights.len() as u64);
            weights.iter().for_each(|weight| put_rational(bytes, weight));
        }
        TimedProof::Argument { text } => {
            put(bytes, 3);
            put(bytes, text.len() as u64);
            bytes.extend_from_slice(text.as_bytes());
        }
    }
}

/// Takes a bound off the front.
pub(super) fn certificate(reader: &mut Reader<'_>) -> TimedCertificate {
    let ticks = reader.u64();
    let proof = match reader.u64() {
        0 => TimedProof::Latency { from: node(reader), to: node(reader) },
        1 => TimedProof::LateCut { nodes: nodes(reader) },
        4 => {
            let some = |reader: &mut Reader<'_>| (reader.u64() > 0).then(|| nodes(reader));
            TimedProof::PairCut { nodes: nodes(reader), contributors: some(reader), destinations: some(reader) }
        }
        2 => {
            let weights = count(reader, 16);
            TimedProof::Lengths { weights: (0..weights).map(|_| rational(reader)).collect::<Weights>() }
        }
        _ => {
            let length = count(reader, 1);
            TimedProof::Argument { text: String::from_utf8_lossy(reader.bytes(length)).into_owned() }
        }
    };
    TimedCertificate { ticks, proof }
}

/// Adds the bytes of a schedule as it is stored: the generators of its symmetry, if it has one, and the transfers.
pub(super) fn put_claim(bytes: &mut Vec<u8>, of: &VerifiedTimed) {
    let generators = of.orbits().map(|orbits| orbits.translations().generators());
    put(bytes, u64::from(generators.is_some()));
    let generators = generators.unwrap_or_default();
    put(bytes, generators.len() as u64);
    for Generator { order, nodes, channels } in generators {
        put(bytes, order.into());
        for images in [nodes, channels] {
            put(bytes, images.len() as u64);
            images.into_iter().for_each(|image| bytes.extend_from_slice(&image.to_le_bytes()));
        }
    }
    put_schedule(bytes, of.stored());
}

/// Takes a schedule off the front; `None` where its symmetry is none of the problem.
pub(super) fn claim(reader: &mut Reader<'_>, problem: &TimedProblem) -> Option<TimedClaim> {
    let folded = reader.u64() > 0;
    let generators = count(reader, 24);
    let images = |reader: &mut Reader<'_>| {
        let images = count(reader, 4);
        (0..images).map(|_| reader.u32()).collect::<Vec<u32>>()
    };
    let generator = |_| {
        let order = u32::try_from(reader.u64()).unwrap_or(0);
        Generator { order, nodes: images(reader), channels: images(reader) }
    };
    let generators: Vec<Generator> = (0..generators).map(generator).collect();
    let orbits = match folded {
        false => None,
        true => {
            let translations = Translations::new(problem.network(), generators).ok()?;
            Some(TimedOrbits::of(problem, &translations).ok()?)
        }
    };
    Some(TimedClaim { schedule: schedule(reader), orbits })
}

/// Adds the bytes of transfers: their steps, their ticks, and of transfers that have any their rates and further paths.
fn put_schedule(bytes: &mut Vec<u8>, of: &TimedSchedule) {
    put(bytes, of.times().len() as u64);
    of.times().iter().for_each(|tick| put(bytes, *tick));
    let plain = wire::encode(of.plain());
    put(bytes, plain.len() as u64);
    bytes.extend_from_slice(&plain);
    let more: Vec<_> = (0u64..).zip(of.steps().flatten()).filter(|(_, t)| t.rate.is_some() || t.branches()).collect();
    put(bytes, more.len() as u64);
    for (at, transfer) in more {
        put(bytes, at);
        put_rational(bytes, transfer.rate.unwrap_or(Rational::whole(0)));
        put(bytes, transfer.paths().count() as u64 - 1);
        for path in transfer.paths().skip(1) {
            put(bytes, path.len() as u64);
            path.iter().for_each(|channel| put(bytes, channel.0.into()));
        }
    }
}

/// Takes transfers off the front.
fn schedule(reader: &mut Reader<'_>) -> TimedSchedule {
    let times = count(reader, 8);
    let times: Vec<u64> = (0..times).map(|_| reader.u64()).collect();
    let length = count(reader, 1);
    let plain: Schedule = wire::decode(reader.bytes(length));
    let more = count(reader, 8);
    let mut extras = (0..more).map(|_| {
        let (at, rate, paths) = (reader.u64(), rational(reader), count(reader, 8));
        let channel = |reader: &mut Reader<'_>| Channel(u32::try_from(reader.u64()).unwrap_or(u32::MAX));
        let path = |reader: &mut Reader<'_>| {
            let channels = count(reader, 8);
            (0..channels).map(|_| channel(reader)).collect::<Vec<Channel>>()
        };
        let others: Vec<Vec<Channel>> = (0..paths).map(|_| path(reader)).collect();
        (at, (rate.numerator > 0).then_some(rate), others)
    });
    let mut next = extras.next();
    let mut schedule = TimedSchedule::default();
    let mut at = 0;
    for (step, tick) in plain.steps().zip(times) {
        schedule.begin_step(tick);
        for transfer in step {
            let (rate, others) = match next.take_if(|(of, _, _)| *of == at) {
                Some((_, rate, others)) => {
                    next = extras.next();
                    (rate, others)
                }
                None => (None, Vec::new()),
            };
            schedule.push(transfer, rate, &others);
            at += 1;
        }
    }
    schedule
}

//! **What:** operations of one rank, one after the other, with what keeps their order: signals before waits, and `nop` where data depends.

use super::{Op, Span};
use std::collections::HashSet;

/// A place: buffer's letter, rank and index.
pub(super) type Place = (u32, &'static str, u32);

/// An operation whose spans and channels are numbered later, by the block that holds it.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub name: &'static str,
    /// Runs of chunks: the first place, and their number.
    pub sources: Vec<(Place, u32)>,
    pub targets: Vec<(Place, u32)>,
    /// Ranks at the other ends.
    pub peers: Vec<u32>,
}

/// Operations so far.
pub(super) struct Stream {
    rank: u32,
    is_port: bool,
    pub ops: Vec<Draft>,
    /// Places read and written since memory was ordered.
    read: HashSet<Place>,
    written: HashSet<Place>,
    /// Whether something since then was a wait, or moved data.
    waited: bool,
    moved: bool,
    signals: Vec<u32>,
    waits: Vec<u32>,
}

impl Stream {
    pub(super) fn new(rank: u32, is_port: bool) -> Self {
        Stream {
            rank,
            is_port,
            ops: Vec::new(),
            read: HashSet::new(),
            written: HashSet::new(),
            waited: false,
            moved: false,
            signals: Vec::new(),
            waits: Vec::new(),
        }
    }

    fn order(&mut self) {
        self.ops.push(Draft { name: "nop", ..Draft::default() });
        self.read.clear();
        self.written.clear();
        (self.waited, self.moved) = (false, false);
    }

    /// Over all channels, in as many operations as are needed.
    fn over(&mut self, name: &'static str, peers: &[u32]) {
        for peers in peers.chunks(super::rules::SPANS) {
            self.ops.push(Draft { name, peers: peers.to_vec(), ..Draft::default() });
        }
    }

    /// As [`Stream::over`]; a proxy's signals are waited for one operation after the other, in the thread block that handed them over.
    fn signal_over(&mut self, name: &'static str, peers: &[u32]) {
        for peers in peers.chunks(super::rules::SPANS) {
            self.over(name, peers);
            if self.is_port {
                self.over("flush", peers);
            }
        }
    }

    /// All peers say that they have begun.
    pub(super) fn meet(&mut self, peers: &[u32]) {
        self.signal_over("rlxsignal", peers);
        self.over("rlxwait", peers);
        self.waited = !peers.is_empty();
    }

    fn signal(&mut self) {
        if self.signals.is_empty() {
            return;
        }
        if self.moved {
            self.order();
        }
        let peers = std::mem::take(&mut self.signals);
        self.signal_over("signal", &peers);
        self.waited |= self.is_port;
    }

    /// What is to come from a rank is waited for before anything else moves.
    pub(super) fn wait(&mut self, from: u32) {
        if self.waits.contains(&from) {
            self.flush();
        }
        self.waits.push(from);
    }

    /// Signals and waits that are due.
    pub(super) fn flush(&mut self) {
        self.signal();
        if !self.waits.is_empty() {
            let peers = std::mem::take(&mut self.waits);
            self.over("wait", &peers);
            self.waited = true;
        }
    }

    /// Data is moved: nothing that it depends on is still under way.
    fn prepare(&mut self, sources: &[(Place, u32)], targets: &[(Place, u32)]) {
        if !self.waits.is_empty() {
            self.flush();
        }
        let cells = |spans: &[(Place, u32)]| -> Vec<Place> {
            spans
                .iter()
                .flat_map(|((rank, kind, index), count)| (0..*count).map(move |at| (*rank, *kind, index + at)))
                .collect()
        };
        let (sources, targets) = (cells(sources), cells(targets));
        let depends = sources.iter().any(|place| self.written.contains(place))
            || targets.iter().any(|place| self.written.contains(place) || self.read.contains(place));
        if depends || self.waited {
            self.order();
        }
        self.read.extend(sources);
        self.written.extend(targets);
        self.moved = true;
    }

    /// Puts runs of chunks to a rank and signals it.
    pub(super) fn put(&mut self, to: u32, runs: Vec<(Place, Place, u32)>) {
        if self.signals.contains(&to) {
            self.signal();
        }
        for (from, target, count) in runs {
            let (source, target) = ((from, count), (target, count));
            self.prepare(&[source], &[target]);
            let joins = |last: &&mut Draft| {
                !self.is_port
                    && last.name == "put"
                    && last.targets.len() < super::rules::SPANS
                    && last.sources[0].0.1 == from.1
            };
            match self.ops.last_mut().filter(joins) {
                Some(last) => {
                    last.sources.push(source);
                    last.targets.push(target);
                }
                None => {
                    let peers = if self.is_port { vec![to] } else { Vec::new() };
                    self.ops.push(Draft { name: "put", sources: vec![source], targets: vec![target], peers });
                }
            }
        }
        self.signals.push(to);
        if self.is_port {
            self.signal();
        }
    }

    /// Copies, or merges two places, at the rank.
    pub(super) fn local(&mut self, name: &'static str, sources: &[Place], target: Place) {
        let one = |place: &Place| (*place, 1);
        let (sources, targets): (Vec<_>, Vec<_>) = (sources.iter().map(one).collect(), vec![(target, 1)]);
        self.prepare(&sources, &targets);
        self.ops.push(Draft { name, sources, targets, peers: Vec::new() });
    }

    /// The place of a buffer at the rank.
    pub(super) fn own(&self, kind: &'static str, index: u32) -> Place {
        (self.rank, kind, index)
    }
}

/// An operation as a block numbers it.
pub(super) fn numbered(
    draft: &Draft,
    rank: u32,
    kind: &str,
    channel: &dyn Fn(u32) -> u32,
    buffer: &dyn Fn(u32, &str) -> u32,
) -> Op {
    let span = |((of, letter, index), size): &(Place, u32)| match *of == rank {
        true => Span { kind: Some((*letter).to_owned()), buffer_id: None, index: *index, size: *size },
        false => Span { kind: None, buffer_id: Some(buffer(*of, letter)), index: *index, size: *size },
    };
    let uses_channel = !draft.peers.is_empty() || draft.name == "put";
    Op {
        name: draft.name.to_owned(),
        src_buff: draft.sources.iter().map(span).collect(),
        dst_buff: draft.targets.iter().map(span).collect(),
        channel_ids: draft.peers.iter().map(|peer| channel(*peer)).collect(),
        channel_type: if uses_channel { kind.to_owned() } else { String::new() },
        reduce_op: (draft.name == "re").then(|| "sum".to_owned()),
        ..Op::default()
    }
}

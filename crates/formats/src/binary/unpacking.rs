//! **What:** columns to messages and transfers.

use super::column::{Broken, Column};
use super::names::{COLUMNS, Name, Present};
use crate::schedule_json::raw::Messages;
use crate::{Fault, ReadError};
use kernel::timed::TimedSchedule;
use kernel::{Channel, Collective, Message, Network, Node, Op, Rational, Schedule, Transfer};
use std::path::Path;

/// The columns of a file.
pub(crate) struct Columns<'a> {
    path: &'a Path,
    columns: Present<'a>,
    /// What the file is worth as a text, for limits that ask for its size.
    pub size: u64,
}

/// What takes the transfers of a file.
pub(crate) trait Sink: Default {
    fn begin_step(&mut self);
    /// Adds a transfer; whether it takes rates and further paths, if there are any.
    fn push(&mut self, transfer: Transfer<'_>, rate: Option<Rational>, others: &[Vec<Channel>]) -> bool;
}

impl Sink for Schedule {
    fn begin_step(&mut self) {
        Schedule::begin_step(self);
    }

    fn push(&mut self, transfer: Transfer<'_>, rate: Option<Rational>, others: &[Vec<Channel>]) -> bool {
        Schedule::push(self, transfer);
        rate.is_none() && others.is_empty()
    }
}

impl Sink for TimedSchedule {
    fn begin_step(&mut self) {
        TimedSchedule::begin_step(self, 0);
    }

    fn push(&mut self, transfer: Transfer<'_>, rate: Option<Rational>, others: &[Vec<Channel>]) -> bool {
        TimedSchedule::push(self, transfer, rate, others);
        true
    }
}

impl<'a> Columns<'a> {
    /// Those of a file whose header has so many bytes, and whose columns so many values.
    pub(super) fn new(path: &'a Path, header: u64, values: u64) -> Self {
        // A number of a list is a digit and a comma at least, and what is around it in a text as much again.
        Columns { path, columns: Default::default(), size: header.saturating_add(values.saturating_mul(4)) }
    }

    /// Adds a column; one that nothing here knows is left aside.
    pub(super) fn add(&mut self, name: &str, column: Column<'a>) -> Result<(), ReadError> {
        let Some(at) = Name::find(name) else { return Ok(()) };
        match self.columns[at].replace(column) {
            None => Ok(()),
            Some(_) => Err(self.refuse(COLUMNS[at].0, "stands there twice".into())),
        }
    }

    fn refuse(&self, column: &str, why: String) -> ReadError {
        ReadError { field: Some(column.to_owned()), ..ReadError::new(self.path, Fault::Syntax(why)) }
    }

    #[cold]
    fn broken(&self, name: Name, broken: Broken) -> ReadError {
        let why = match broken {
            Broken::Ends => "ends before what the other columns tell of",
            Broken::Damaged => "is not packed by zlib",
            Broken::TooLarge => "holds a number that is too large",
        };
        self.refuse(name.text(), why.into())
    }

    /// The next number of a column, or the usual one where it is left out.
    #[inline]
    fn next(&mut self, name: Name) -> Result<u64, ReadError> {
        let next = match (&mut self.columns[name as usize], COLUMNS[name as usize].1) {
            (Some(column), _) => column.next(),
            (None, Some(usual)) => Ok(usual),
            (None, None) => Err(Broken::Ends),
        };
        next.map_err(|why| self.broken(name, why))
    }

    #[inline]
    fn next_delta(&mut self, name: Name) -> Result<u32, ReadError> {
        let next = self.columns[name as usize].as_mut().map_or(Err(Broken::Ends), Column::next_delta);
        next.map_err(|why| self.broken(name, why))
    }

    #[inline]
    fn next_small(&mut self, name: Name) -> Result<u32, ReadError> {
        let next = self.next(name)?;
        u32::try_from(next).map_err(|_| self.broken(name, Broken::TooLarge))
    }

    /// Numbers left in a column.
    fn left(&self, name: Name) -> usize {
        let left = self.columns[name as usize].as_ref().map_or(0, |column| column.left);
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// The messages.
    pub(crate) fn messages(&mut self) -> Result<Messages, ReadError> {
        let lists = if self.columns[Name::ToLengths as usize].is_some() { Name::ToLengths } else { Name::To };
        let mut messages = Messages::default();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for _ in 0..self.left(lists) {
            self.nodes(Name::FromLengths, Name::From, &mut from)?;
            self.nodes(Name::ToLengths, Name::To, &mut to)?;
            messages.push(&from, &to);
        }
        self.are_over(&[Name::FromLengths, Name::From, Name::ToLengths, Name::To])?;
        Ok(messages)
    }

    fn nodes(&mut self, lengths: Name, nodes: Name, list: &mut Vec<Node>) -> Result<(), ReadError> {
        list.clear();
        for _ in 0..self.next(lengths)? {
            list.push(Node(self.next_delta(nodes)?));
        }
        Ok(())
    }

    /// The steps, of messages of `collective` along channels of `network`.
    pub(crate) fn steps<S: Sink>(mut self, network: &Network, collective: &Collective) -> Result<S, ReadError> {
        let mut sink = S::default();
        let (mut messages, mut partials) = (Vec::new(), Vec::new());
        let (mut path, mut others) = (Vec::new(), Vec::new());
        for _ in 0..self.left(Name::Steps) {
            sink.begin_step();
            for _ in 0..self.next(Name::Steps)? {
                messages.clear();
                for _ in 0..self.next(Name::MessageLengths)? {
                    messages.push(Message(self.next_delta(Name::Messages)?));
                }
                let sender = self.sender(network, collective, messages.first())?;
                others.clear();
                self.hops(network, sender, &mut path)?;
                let paths = self.next(Name::Paths)?;
                if paths == 0 {
                    return Err(self.refuse(Name::Paths.text(), "a transfer has no path".into()));
                }
                for _ in 1..paths {
                    let mut other = Vec::new();
                    self.hops(network, sender, &mut other)?;
                    others.push(other);
                }
                let op = match self.next(Name::Ops)? {
                    0 => Op::Reduce,
                    1 => Op::Copy,
                    2 => Op::Keep,
                    _ => return Err(self.broken(Name::Ops, Broken::TooLarge)),
                };
                partials.clear();
                for _ in 0..self.next(Name::PartialLengths)? {
                    partials.push(self.next_small(Name::Partials)?);
                }
                let rate = match self.next(Name::Rates)? {
                    0 => None,
                    numerator => Some(Rational { numerator, denominator: self.next(Name::Denominators)? }),
                };
                if !sink.push(Transfer { messages: &messages, path: &path, op, partials: &partials }, rate, &others) {
                    let why = "only schedules in time have rates and transfers of several paths";
                    return Err(self.refuse(Name::Rates.text(), why.into()));
                }
            }
        }
        let all: Vec<Name> = vec![
            Name::Steps,
            Name::MessageLengths,
            Name::Messages,
            Name::Senders,
            Name::Paths,
            Name::HopLengths,
            Name::Hops,
            Name::Ops,
            Name::PartialLengths,
            Name::Partials,
            Name::Rates,
            Name::Denominators,
        ];
        self.are_over(&all)?;
        Ok(sink)
    }

    /// The node that a transfer begins at: so far from the origin of its first message.
    fn sender(
        &mut self,
        network: &Network,
        collective: &Collective,
        first: Option<&Message>,
    ) -> Result<Node, ReadError> {
        let first = first.filter(|message| message.index() < collective.message_count());
        let Some(first) = first else {
            let why = "names a message that the file does not have, or a transfer carries none";
            return Err(self.refuse(Name::Messages.text(), why.into()));
        };
        let away = match &mut self.columns[Name::Senders as usize] {
            Some(column) => column.next_signed().map_err(|why| self.broken(Name::Senders, why))?,
            None => 0,
        };
        let node = i64::from(collective.origin(*first).0).checked_add(away).and_then(|node| u32::try_from(node).ok());
        let node = node.map(Node).filter(|node| node.index() < network.node_count());
        node.ok_or_else(|| self.refuse(Name::Senders.text(), "names a node that the network does not have".into()))
    }

    /// A path from a node, hop by hop.
    fn hops(&mut self, network: &Network, sender: Node, path: &mut Vec<Channel>) -> Result<(), ReadError> {
        path.clear();
        let mut node = sender;
        for _ in 0..self.next(Name::HopLengths)? {
            let way = self.next(Name::Hops)?;
            let channel = usize::try_from(way).ok().and_then(|way| network.outgoing(node).get(way));
            let Some(&channel) = channel else {
                let why = format!("leaves node {node} by a channel that it does not have");
                return Err(self.refuse(Name::Hops.text(), why));
            };
            path.push(channel);
            node = network.to(channel);
        }
        Ok(())
    }

    /// Refuses columns with something left.
    fn are_over(&mut self, names: &[Name]) -> Result<(), ReadError> {
        let left = |name: &&Name| self.columns[**name as usize].as_mut().is_some_and(|column| !column.is_over());
        match names.iter().find(left) {
            None => Ok(()),
            Some(name) => Err(self.refuse(name.text(), "holds more than the other columns tell of".into())),
        }
    }
}

//! **What:** messages and transfers to columns.

use super::column::{Packed, Writer, zigzag};
use super::names::{COLUMNS, Name};
use kernel::{Channel, Collective, Message, Network, Op, Rational};
use std::io;

/// The columns of a schedule that is being written.
pub(crate) struct Packing {
    columns: Vec<Writer>,
    network: Option<Network>,
    /// The position of each channel among those that leave its node.
    ways: Vec<u32>,
    collective: Option<Collective>,
    /// Transfers of the step at hand.
    transfers: Option<u64>,
}

/// A transfer to be packed.
pub(crate) struct Row<'a, M, P> {
    pub messages: M,
    pub paths: P,
    pub op: Op,
    pub partials: &'a [u32],
    pub rate: Option<Rational>,
}

impl Packing {
    pub(super) fn new() -> Self {
        let columns = COLUMNS.iter().map(|(name, usual)| Writer::new(name, *usual)).collect();
        Packing { columns, network: None, ways: Vec::new(), collective: None, transfers: None }
    }

    fn column(&mut self, name: Name) -> &mut Writer {
        &mut self.columns[name as usize]
    }

    /// The network that the paths are in.
    pub(crate) fn network(&mut self, network: &Network) {
        self.ways = vec![0; network.channel_count()];
        for node in network.nodes() {
            (0..).zip(network.outgoing(node)).for_each(|(way, channel)| self.ways[channel.index()] = way);
        }
        self.network = Some(network.clone());
    }

    pub(crate) fn messages(&mut self, collective: &Collective) -> io::Result<()> {
        self.collective = Some(collective.clone());
        for message in collective.messages() {
            let (from, to) = (collective.contributors(message), collective.destinations(message));
            for (lengths, nodes, list) in [(Name::FromLengths, Name::From, from), (Name::ToLengths, Name::To, to)] {
                self.column(lengths).push(list.len() as u64)?;
                list.iter().try_for_each(|node| self.column(nodes).push_delta(node.0))?;
            }
        }
        Ok(())
    }

    pub(crate) fn begin_step(&mut self) -> io::Result<()> {
        let before = self.transfers.replace(0);
        before.map_or(Ok(()), |transfers| self.column(Name::Steps).push(transfers))
    }

    /// Adds a transfer that obeys the rules of its problem to the last step.
    pub(crate) fn transfer<'p>(
        &mut self,
        row: Row<'_, impl ExactSizeIterator<Item = u64>, impl ExactSizeIterator<Item = &'p [Channel]>>,
    ) -> io::Result<()> {
        let absent = || io::Error::other("a transfer of no message or no channel has no binary form");
        self.transfers = self.transfers.map(|transfers| transfers + 1);
        self.column(Name::MessageLengths).push(row.messages.len() as u64)?;
        let mut first = None;
        for message in row.messages {
            let message = u32::try_from(message).map_err(io::Error::other)?;
            first.get_or_insert(Message(message));
            self.column(Name::Messages).push_delta(message)?;
        }
        self.column(Name::Paths).push(row.paths.len() as u64)?;
        for (number, path) in row.paths.enumerate() {
            if number == 0 {
                let ends = path.first().zip(first);
                let known = self.network.as_ref().zip(self.collective.as_ref()).zip(ends);
                let ((network, collective), (begin, message)) = known.ok_or_else(absent)?;
                let away = i64::from(network.from(*begin).0) - i64::from(collective.origin(message).0);
                self.column(Name::Senders).push(zigzag(away))?;
            }
            self.column(Name::HopLengths).push(path.len() as u64)?;
            for channel in path {
                let way = self.ways[channel.index()];
                self.column(Name::Hops).push(way.into())?;
            }
        }
        self.column(Name::Ops).push(match row.op {
            Op::Reduce => 0,
            Op::Copy => 1,
            Op::Keep => 2,
        })?;
        self.column(Name::PartialLengths).push(row.partials.len() as u64)?;
        row.partials.iter().try_for_each(|partial| self.column(Name::Partials).push((*partial).into()))?;
        self.column(Name::Rates).push(row.rate.map_or(0, |rate| rate.numerator))?;
        row.rate.map_or(Ok(()), |rate| self.column(Name::Denominators).push(rate.denominator))
    }

    /// The columns, but those that are left out.
    pub(crate) fn finish(mut self) -> io::Result<Vec<Packed>> {
        if let Some(transfers) = self.transfers {
            self.column(Name::Steps).push(transfers)?;
        }
        self.columns.into_iter().filter_map(|column| column.finish().transpose()).collect()
    }
}

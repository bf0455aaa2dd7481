//! **What:** schedules as arrays of NumPy: `numpy.load("torus.npz")`.
//!
//! **Parameters:** arrays with a number for each transfer: `step`, `from`, `to` (nodes); of schedules in time also `begin_us`, `end_us` and `rate_GBps`. Lists
//! of different lengths stand one behind the other, and the list of transfer t is `messages[messages_start[t]:messages_start[t + 1]]`; so with
//! `channels` (the path, with `channels_start`) and `partials`. `op` is 0 where the receiver merges, or keeps a copy under semantics `copy`; 1 where
//! what arrives replaces what it has; 2 where it is kept apart. `network` has a row of two nodes for each channel.
//!
//! **Facts:** a transfer to several receivers has a row for each. Whole numbers have 64 bits, others are double.
//!
//! **Source:** NumPy, `numpy.lib.format`.

use formats::{WriteError, file};
use kernel::timed::Timeline;
use kernel::{Channel, Network, Node, Op, Verified};
use npyz::WriterBuilder;
use std::io::{self, Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Lists behind each other, and where each begins.
struct Lists {
    items: Vec<i64>,
    starts: Vec<i64>,
}

impl Default for Lists {
    fn default() -> Self {
        Lists { items: Vec::new(), starts: vec![0] }
    }
}

impl Lists {
    fn push(&mut self, list: impl Iterator<Item = u64>) {
        self.items.extend(list.map(u64::cast_signed));
        self.starts.push(self.items.len() as i64);
    }
}

/// All columns.
#[derive(Default)]
struct Columns {
    step: Vec<i64>,
    from: Vec<i64>,
    to: Vec<i64>,
    op: Vec<i64>,
    messages: Lists,
    channels: Lists,
    partials: Lists,
    begin: Vec<f64>,
    end: Vec<f64>,
    rate: Vec<f64>,
}

impl Columns {
    fn push(&mut self, step: usize, [from, to]: [Node; 2], op: Op, path: impl Iterator<Item = Channel>) {
        self.step.push(step as i64);
        self.from.push(from.0.into());
        self.to.push(to.0.into());
        self.op.push(match op {
            Op::Reduce => 0,
            Op::Copy => 1,
            Op::Keep => 2,
        });
        self.channels.push(path.map(|channel| channel.0.into()));
    }

    fn write(&self, network: &Network, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Cursor::new(Vec::new());
        let mut archive = ZipWriter::new(&mut bytes);
        let lists = [("messages", &self.messages), ("channels", &self.channels), ("partials", &self.partials)];
        let whole = [("step", &self.step), ("from", &self.from), ("to", &self.to), ("op", &self.op)]
            .map(|(n, c)| (n.to_owned(), c));
        let whole =
            whole.into_iter().chain(lists.iter().flat_map(|(name, lists)| {
                [((*name).to_owned(), &lists.items), (format!("{name}_start"), &lists.starts)]
            }));
        for (name, column) in whole {
            array(&mut archive, &name, &[column.len() as u64], column)?;
        }
        if self.begin.len() == self.step.len() && !self.begin.is_empty() {
            for (name, column) in [("begin_us", &self.begin), ("end_us", &self.end), ("rate_GBps", &self.rate)] {
                array(&mut archive, name, &[column.len() as u64], column)?;
            }
        }
        let ends: Vec<i64> = network.data().channels.iter().flat_map(|(a, b)| [i64::from(*a), i64::from(*b)]).collect();
        array(&mut archive, "network", &[ends.len() as u64 / 2, 2], &ends)?;
        archive.finish()?;
        out.write_all(bytes.get_ref())
    }
}

fn array<T: npyz::Serialize + npyz::AutoSerialize + Copy>(
    archive: &mut ZipWriter<&mut Cursor<Vec<u8>>>,
    name: &str,
    shape: &[u64],
    items: &[T],
) -> io::Result<()> {
    archive.start_file(format!("{name}.npy"), SimpleFileOptions::default())?;
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(archive).begin_nd()?;
    writer.extend(items.iter().copied())?;
    writer.finish()
}

/// Writes a schedule of steps.
///
/// # Errors
/// Where the system refuses, or the transfers have too many channels for one file; nothing of a half-written file stays behind.
pub fn write(schedule: &Verified, path: &Path) -> Result<(), WriteError> {
    file::save(path, |out| {
        file::all_fits(schedule)?;
        let network = schedule.problem().network();
        let mut columns = Columns::default();
        for step in 0..schedule.steps() {
            for sent in schedule.step(step) {
                let ends = [network.from(sent.path[0]), network.to(sent.path[sent.path.len() - 1])];
                columns.push(step, ends, sent.op, sent.path.iter().copied());
                columns.messages.push(sent.messages());
                columns.partials.push(sent.partials.iter().map(|at| (*at).into()));
            }
        }
        columns.write(network, out)
    })
}

/// Writes a schedule in time.
///
/// # Errors
/// Where the system refuses; nothing of a half-written file stays behind.
pub fn write_timed(timeline: &Timeline<'_>, path: &Path) -> Result<(), WriteError> {
    file::save(path, |out| {
        let problem = timeline.problem();
        let mut columns = Columns::default();
        for (sent, transfer) in timeline.sent().iter().zip(timeline.transfers()) {
            let paths = transfer.paths().zip(&timeline.receivers()[sent.receivers.clone()]);
            for (path, to) in paths {
                columns.push(sent.step, [sent.from, to.node], transfer.transfer.op, path.iter().copied());
                columns.messages.push(transfer.transfer.messages.iter().map(|message| message.0.into()));
                columns.partials.push(transfer.transfer.partials.iter().map(|at| (*at).into()));
                columns.begin.push(problem.micros(sent.begin));
                columns.end.push(problem.micros(sent.end));
                columns.rate.push(timeline.gigabytes(sent.rate));
            }
        }
        columns.write(problem.network(), out)
    })
}

//! **What:** a schedule that was verified, with its bound: numbers, columns of its transfers, and its file.

use crate::columns::{Lists, column};
use crate::network::Network;
use crate::refused::{bad_input, refused};
use crate::watch::{Hears, watched};
use formats::network::NetworkFile;
use kernel::timed::{Timeline, VerifiedTimed};
use kernel::{Channel, Verified};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille_cli::embedded::{self, Fact};
use std::path::PathBuf;

/// Most transfers that are written out for Python; a schedule stored as orbits may have many more.
const MOST_TRANSFERS: u64 = 1 << 24;

/// A verified schedule.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub(crate) struct Schedule(Fact);

impl Schedule {
    /// A fact for Python.
    pub(crate) fn new(fact: Fact) -> Self {
        Schedule(fact)
    }
}

#[pymethods]
impl Schedule {
    /// What is known of it, by name.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        let provenance = match &self.0 {
            Fact::Steps { schedule, floor, provenance } => {
                let problem = schedule.problem();
                let bound = floor.as_ref().map(|floor| floor.steps());
                facts.set_item("network", problem.network().name())?;
                facts.set_item("collective", problem.collective().name())?;
                facts.set_item("chunks", problem.collective().chunks())?;
                facts.set_item("steps", schedule.steps())?;
                facts.set_item("bound", bound)?;
                facts.set_item("optimal", bound == Some(schedule.steps() as u64))?;
                facts.set_item("transfers", schedule.transfer_count())?;
                facts.set_item("certificate", floor.as_ref().map(|floor| floor.certificate().proof.kind()))?;
                provenance
            }
            Fact::Time { schedule, floor, provenance, .. } => {
                let problem = schedule.problem();
                let optimal = floor.as_ref().is_some_and(|floor| floor.ticks() == schedule.ticks());
                facts.set_item("network", problem.network().name())?;
                facts.set_item("collective", problem.collective().name())?;
                facts.set_item("chunks", problem.collective().chunks())?;
                facts.set_item("time_us", schedule.micros())?;
                facts.set_item("bound_us", floor.as_ref().map(|floor| floor.micros()))?;
                facts.set_item("optimal", optimal)?;
                facts.set_item("transfers", schedule.transfer_count())?;
                facts.set_item("certificate", floor.as_ref().map(|floor| floor.certificate().proof.kind()))?;
                let speed = self.0.speed();
                facts.set_item("algbw", speed.as_ref().map(|speed| speed.algorithm))?;
                facts.set_item("busbw", speed.as_ref().map(|speed| speed.bus))?;
                provenance
            }
        };
        facts.set_item("method", &provenance.method)?;
        facts.set_item("seed", provenance.seed)?;
        facts.set_item("seconds", provenance.seconds)?;
        Ok(facts)
    }

    /// The network that it is a schedule of.
    fn network(&self) -> Network {
        match &self.0 {
            Fact::Steps { schedule, .. } => NetworkFile::from(schedule.problem().network().clone()).into(),
            Fact::Time { schedule, .. } => {
                let problem = schedule.problem();
                let links = Some(problem.links().clone());
                NetworkFile { links, ..problem.network().clone().into() }.into()
            }
        }
    }

    /// Columns of all transfers: `step`, `from`, and lists of `to`, `messages` and `channels`; in time also `begin_us` and `end_us`.
    fn transfers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        match &self.0 {
            Fact::Steps { schedule, .. } if schedule.transfer_count() > MOST_TRANSFERS => Err(bad_input(
                py,
                format!("{} transfers are too many to write out for Python", schedule.transfer_count()),
                "the file of the schedule holds them as orbits: save it",
            )),
            Fact::Steps { schedule, .. } => in_steps(py, schedule),
            Fact::Time { schedule, .. } => in_time(py, schedule),
        }
    }

    /// Writes the schedule file.
    fn write(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| self.0.write(&path));
        written.map_err(|error| bad_input(py, error, "name a file in a folder that exists and that you may write to"))
    }
}

fn in_steps<'py>(py: Python<'py>, schedule: &Verified) -> PyResult<Bound<'py, PyDict>> {
    let network = schedule.problem().network();
    let (mut steps, mut from) = (Vec::new(), Vec::new());
    let (mut to, mut messages, mut channels) = (Lists::default(), Lists::default(), Lists::default());
    for step in 0..schedule.steps() {
        for sent in schedule.step(step) {
            steps.push(step as u64);
            from.extend(sent.path.first().map(|channel| network.from(*channel).0));
            to.push(sent.path.last().map(|channel| network.to(*channel).0));
            messages.push(sent.messages());
            channels.push(sent.path.iter().map(|Channel(channel)| *channel));
        }
    }
    let columns = PyDict::new(py);
    columns.set_item("step", column(py, steps))?;
    columns.set_item("from", column(py, from))?;
    to.set(&columns, "to")?;
    messages.set(&columns, "messages")?;
    channels.set(&columns, "channels")?;
    Ok(columns)
}

fn in_time<'py>(py: Python<'py>, schedule: &VerifiedTimed) -> PyResult<Bound<'py, PyDict>> {
    let hint = "the file of the schedule holds them as orbits: save it";
    let schedule = schedule.written_out().map_err(|error| bad_input(py, error, hint))?;
    let timeline = Timeline::new(&schedule);
    let problem = schedule.problem();
    let (mut to, mut messages, mut channels) = (Lists::default(), Lists::default(), Lists::default());
    let (mut begin, mut end) = (Vec::new(), Vec::new());
    for (sent, transfer) in timeline.sent().iter().zip(timeline.transfers()) {
        let received = &timeline.receivers()[sent.receivers.clone()];
        begin.push(problem.micros(sent.begin));
        end.push(problem.micros(sent.end));
        to.push(received.iter().map(|received| received.node.0));
        messages.push(transfer.transfer.messages.iter().map(|message| u64::from(message.0)));
        channels.push(timeline.uses()[sent.uses.clone()].iter().map(|used| used.channel.0));
    }
    let columns = PyDict::new(py);
    columns.set_item("step", column(py, timeline.sent().iter().map(|sent| sent.step as u64)))?;
    columns.set_item("from", column(py, timeline.sent().iter().map(|sent| sent.from.0)))?;
    columns.set_item("begin_us", column(py, begin))?;
    columns.set_item("end_us", column(py, end))?;
    to.set(&columns, "to")?;
    messages.set(&columns, "messages")?;
    channels.set(&columns, "channels")?;
    Ok(columns)
}

/// The schedule of a file, verified; a bound that does not hold is left out.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, path: PathBuf) -> PyResult<Schedule> {
    let read = watched(py, None, Hears::Nothing, move |_, _| embedded::load(&path));
    match (read.raised, read.value) {
        (Some(raised), _) => Err(raised),
        (None, read) => {
            let read = read.expect("work is left alone where something was raised only");
            read.map(Schedule).map_err(|refusal| refused(py, &refusal))
        }
    }
}

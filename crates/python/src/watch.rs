//! **What:** work on a thread of its own, while Python's thread waits without the interpreter's lock, hears Ctrl-C and tells how far it is.

use kernel::Certified;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use run::{InTime, Progress};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often Python looks for signals and for news.
const PAUSE: Duration = Duration::from_millis(50);

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Latest {
    method: &'static str,
    bound: u64,
    steps: Option<u64>,
    target: u64,
    open: u64,
    /// Of a search for a schedule in time, which tells this alone.
    in_time: Option<InTime>,
    done: bool,
}

/// Keeps how far a search is, told from its threads.
#[derive(Default)]
struct News {
    latest: Mutex<Latest>,
    done: Condvar,
}

impl News {
    fn latest(&self) -> MutexGuard<'_, Latest> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits a moment, or until the work is done.
    fn wait(&self) -> Latest {
        let latest = self.latest();
        let waited = self.done.wait_timeout_while(latest, PAUSE, |latest| !latest.done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Progress for News {
    fn working(&self, method: &'static str, target: u64, open: u64) {
        let mut latest = self.latest();
        (latest.method, latest.target, latest.open) = (method, target, open);
    }

    fn floor(&self, floor: &Certified) {
        self.latest().bound = floor.steps();
    }

    fn found(&self, method: &'static str, steps: u64) {
        let mut latest = self.latest();
        let best = latest.steps.map_or(steps, |before| before.min(steps));
        (latest.method, latest.steps) = (method, Some(best));
    }

    fn in_time(&self, state: &InTime) {
        self.latest().in_time = Some(*state);
    }
}

/// Says that the work is done, also where it panics.
struct Finish(Arc<News>);

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.latest().done = true;
        self.0.done.notify_all();
    }
}

/// What work gave, and what Python raised meanwhile: Ctrl-C, or a fault of the callback.
pub(crate) struct Watched<T> {
    /// `None` where the work was left alone.
    pub value: Option<T>,
    pub raised: Option<PyErr>,
}

/// Whether work looks at the switch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hears {
    /// It ends soon with what it has; a second Ctrl-C leaves it alone nevertheless.
    Switch,
    /// It is left alone at the first Ctrl-C, and ends by itself.
    Nothing,
}

/// Does the work; the first exception of a signal or of `progress` turns the switch on, which ends the work with what it has.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Bound<'_, PyAny>>,
    hears: Hears,
    work: impl FnOnce(&dyn Progress, &Arc<AtomicBool>) -> T + Send + 'static,
) -> Watched<T> {
    let (news, stop, begun) = (Arc::new(News::default()), Arc::new(AtomicBool::new(false)), Instant::now());
    let finish = Finish(Arc::clone(&news));
    let switch = Arc::clone(&stop);
    let worker = std::thread::spawn(move || work(&*finish.0, &switch));
    let (mut raised, mut told) = (None, Latest::default());
    loop {
        let latest = py.detach(|| news.wait());
        let heard = py.check_signals().and_then(|()| match progress {
            Some(callback) if raised.is_none() && latest != told => tell(callback, latest, begun),
            _ => Ok(()),
        });
        told = latest;
        if let Err(error) = heard {
            let is_first = !stop.swap(true, Ordering::Relaxed);
            let error = raised.get_or_insert(error);
            let goes_on = latest.done || (is_first && hears == Hears::Switch);
            if !goes_on {
                return Watched { value: None, raised: Some(error.clone_ref(py)) };
            }
        }
        if latest.done {
            break;
        }
    }
    match py.detach(|| worker.join()) {
        Ok(value) => Watched { value: Some(value), raised },
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn tell(callback: &Bound<'_, PyAny>, latest: Latest, begun: Instant) -> PyResult<()> {
    let state = PyDict::new(callback.py());
    state.set_item("seconds", begun.elapsed().as_secs_f64())?;
    if let Some(InTime { method, chunks, best, bound }) = latest.in_time {
        state.set_item("method", method)?;
        state.set_item("time_us", best)?;
        state.set_item("bound_us", bound)?;
        state.set_item("chunks", chunks)?;
    } else {
        state.set_item("method", latest.method)?;
        state.set_item("steps", latest.steps)?;
        state.set_item("bound", latest.bound)?;
        state.set_item("target", latest.target)?;
        state.set_item("open", latest.open)?;
    }
    callback.call1((state,)).map(drop)
}

//! **What:** a call from a program that has quadrille inside it: it listens to Ctrl-C itself, and what is said and warned of on its thread is kept for the
//! answer instead of printed.

use crate::failure::Failure;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What a verb said.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The exit status.
    pub status: u8,
    /// What it would have printed.
    pub text: String,
    /// What it would have warned of.
    pub warnings: String,
}

/// The call that runs on a thread.
struct Call {
    stop: Arc<AtomicBool>,
    answer: Answer,
}

thread_local! {
    static CALL: RefCell<Option<Call>> = const { RefCell::new(None) };
}

/// Runs `work` as a call that `stop` ends early.
///
/// # Errors
/// Those of `work`.
pub fn run<T>(stop: &Arc<AtomicBool>, work: impl FnOnce() -> Result<T, Failure>) -> Result<(T, Answer), Failure> {
    CALL.set(Some(Call { stop: Arc::clone(stop), answer: Answer::default() }));
    let done = work();
    let answer = CALL.take().map(|call| call.answer).unwrap_or_default();
    Ok((done?, answer))
}

/// The switch of the call on this thread, where there is one.
pub(crate) fn stop() -> Option<Arc<AtomicBool>> {
    CALL.with_borrow(|call| call.as_ref().map(|call| Arc::clone(&call.stop)))
}

/// Keeps what is said for the call on this thread; `false` where there is none.
pub(crate) fn said(text: &str) -> bool {
    heard(|answer| answer.text.extend([text, "\n"]))
}

/// Keeps a warning for the call on this thread; `false` where there is none.
pub(crate) fn told(text: &str) -> bool {
    heard(|answer| answer.warnings.push_str(text))
}

fn heard(keep: impl FnOnce(&mut Answer)) -> bool {
    CALL.with_borrow_mut(|call| call.as_mut().map(|call| keep(&mut call.answer)).is_some())
}

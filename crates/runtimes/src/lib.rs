//! Programs that runtimes of accelerators play: MSCCL XML and MSCCL++ execution plans, written from verified schedules, read, checked and interpreted.
//!
//! Writers start from a [`program::Program`]. The check and the interpreter start from the file's data and know nothing of how it was made; an
//! exported file has gone through both.

mod goals;
pub mod import;
mod order;
pub mod plan;
mod play;
mod threads;
pub mod xml;

pub use play::play;
pub use threads::{Buffer, Cell, Count, Counter, Goal, Instruction, Memory, Move, Queue, Thread, Threads};

pub(crate) use goals::{known_name, program_goals};
use order::Order;

/// Why a program is not exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The format has no room for it.
    #[error("the format cannot hold it: {0}")]
    Limit(String),
    /// It needs two buffers.
    #[error("it cannot work in place: {0}")]
    InPlace(String),
    /// What was made is wrong.
    #[error("what was made does not pass the check ({0}): a fault in this program; please report it")]
    Fault(String),
}

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static str,
    /// The line in the file, or 0.
    pub line: usize,
    /// Where it is.
    pub element: String,
    /// What is wrong.
    pub text: String,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}: {}", self.rule, self.element, self.text)
    }
}

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What does not hold.
    pub findings: Vec<Finding>,
    /// Whether the result was compared: not where the file does not say what it is to be.
    pub result_checked: bool,
    /// The longest chain of messages that follow each other.
    pub depth: u32,
    /// Pairs of ranks between which messages go.
    pub links: Vec<(u32, u32)>,
}

/// Messages that a connection holds in the check. Rings in which every rank receives and sends on at once need two; what ends with two
/// ends with more.
pub const CAPACITY: usize = 2;

/// Orders of running that a check plays.
const ORDERS: u64 = 20;

/// Most races that are told.
const MOST_RACES: usize = 100;

/// Checks the common form.
fn check(threads: &Threads, goals: Option<&[Goal]>) -> Report {
    let mut report = Report::default();
    if let Some(finding) = too_large(threads) {
        report.findings.push(finding);
        return report;
    }
    let order = match Order::of(threads, CAPACITY) {
        Ok(order) => order,
        Err(findings) => {
            report.findings = findings;
            return report;
        }
    };
    report.depth = order.depth();
    report.findings = order.races(MOST_RACES);
    if report.findings.is_empty() {
        report.result_checked = goals.is_some();
        // Without races every order gives the same, and the interpreter confirms it.
        let played = (0..ORDERS).find_map(|seed| play(threads, goals.unwrap_or_default(), CAPACITY, seed).err());
        report.findings.extend(played);
    }
    report
}

fn too_large(threads: &Threads) -> Option<Finding> {
    let steps = threads.threads.iter().flat_map(|thread| &thread.instructions);
    let accesses = |of: &Move| u64::from(of.count) * (of.sources.len() + of.targets.len()) as u64;
    let work: u64 = steps.map(|of| 1 + of.moves.iter().map(accesses).sum::<u64>()).sum();
    (work > threads::MOST).then(|| Finding {
        rule: "size",
        line: 0,
        element: "file".into(),
        text: format!("{work} instructions and accesses are too many to check (at most {})", threads::MOST),
    })
}

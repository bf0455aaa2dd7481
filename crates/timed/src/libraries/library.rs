//! **What:** an algorithm of communication libraries as a method: [`LibraryAlgorithm`].

use super::machine::play;
use super::program::Program;
use super::ranks::Ranks;
use super::routes::Routes;
use kernel::timed::{Bases, TimedClaim, TimedProblem};
use run::{Run, TimedMethod};

/// Ticks that a schedule may have, so that sums of some of them fit in 64 bits.
const MOST_TICKS: u128 = 1 << 62;

/// Ranks between all of which paths are looked for in a moment.
const MOST_RANKS: usize = 256;

/// An algorithm that knows the collective and the ranks, and nothing of the network.
pub struct LibraryAlgorithm {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) source: &'static str,
    /// The collectives that it makes.
    pub(super) collectives: &'static [&'static str],
    /// Whether data are split into channels by the ranks of machines, as NCCL does; such a method is there for networks of machines only.
    pub(super) in_machines: bool,
    /// Of a collective among so many ranks: whether only a power of two will do.
    pub(super) powers_of_two: fn(&str) -> bool,
    /// Chunks must be a multiple of this, by collective and number of ranks.
    pub(super) multiple: fn(&str, usize) -> usize,
    /// Writes its transfers down; nothing where there is no path.
    pub(super) write: fn(&Ranks, &mut Program<'_>) -> Option<()>,
}

impl LibraryAlgorithm {
    /// The ranks, where it works among them.
    fn ranks(&self, problem: &TimedProblem) -> Result<Ranks, String> {
        let collective = problem.collective();
        let name = collective.name();
        if !self.collectives.contains(&name) {
            return Err(format!("it makes {}", self.collectives.join(", ")));
        }
        let count = collective.ranks().len();
        if count > MOST_RANKS {
            return Err(format!("paths between {count} ranks are too many to be looked for"));
        }
        let ranks = Ranks::of(collective).ok_or_else(|| format!("this {name} is not of all its ranks alike"))?;
        if (self.powers_of_two)(name) && !ranks.count().is_power_of_two() {
            return Err(format!("{} ranks are no power of two", ranks.count()));
        }
        let ranks = match self.in_machines {
            true => ranks.in_machines(problem).ok_or("there are no machines of several ranks")?,
            false => ranks,
        };
        if !fits(problem, ranks.count()) {
            return Err("its times are too long for 64 bits".into());
        }
        Ok(ranks)
    }
}

impl TimedMethod for LibraryAlgorithm {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn source(&self) -> &'static str {
        self.source
    }

    fn is_baseline(&self) -> bool {
        true
    }

    fn declines(&self, problem: &TimedProblem) -> Option<String> {
        self.ranks(problem).err()
    }

    fn chunks_are_multiples_of(&self, problem: &TimedProblem) -> u32 {
        let channels = self.ranks(problem).map_or(1, |ranks| ranks.channels());
        let ranks = problem.collective().ranks().len();
        u32::try_from(channels * (self.multiple)(problem.collective().name(), ranks)).unwrap_or(u32::MAX)
    }

    fn schedule(&self, problem: &TimedProblem, _: u64, run: &Run<'_>) -> Option<TimedClaim> {
        let ranks = self.ranks(problem).ok()?;
        let mut program = Program::new(problem, Routes::new(problem, ranks.nodes()).ok()?);
        (self.write)(&ranks, &mut program)?;
        play(problem, Bases::of(None), &program.done(), run).map(TimedClaim::from)
    }
}

/// Whether all messages could go to all ranks one after the other, hop by hop.
fn fits(problem: &TimedProblem, ranks: usize) -> bool {
    let network = problem.network();
    let hop = |c| {
        let lasts = problem.duration_in_units(1, problem.bandwidth(c)).map_or(u128::MAX, u128::from);
        lasts.saturating_add(u128::from(problem.latency(c))).saturating_add(u128::from(problem.merging()))
    };
    let longest = network.channels().map(hop).max().unwrap_or(0);
    let hops = network.node_count() as u128 * 2 * ranks as u128;
    let all = longest.saturating_mul(hops).saturating_mul(problem.collective().message_count().max(1) as u128);
    all <= MOST_TICKS
}

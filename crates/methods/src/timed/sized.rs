//! **What:** a collective of so many bytes on a network in time, which becomes a problem with a number of chunks.

use collectives::SelectionError;
use kernel::timed::{Links, Size, TimedProblem, TimedProblemError, Units};
use kernel::{Collective, Network, Rational, Semantics};

/// Ticks that the shortest transfer is to take, so that rounding up to ticks costs less than a hundredth.
const TICKS_A_TRANSFER: u128 = 100;
/// The coarsest and the finest tick: powers of a tenth of a microsecond.
const COARSEST: u32 = 3;
const FINEST: u32 = 12;

/// A collective of some size on a network in time, in any number of chunks.
///
/// ```
/// use kernel::timed::Links;
/// use kernel::{Collective, Network, Rational};
/// let ring = Network::from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])?;
/// let allgather = Collective::allgather(ring.terminals(), ring.terminals());
/// let links = Links { bandwidth: vec![Rational::whole(25); 8], ..Links::default() };
/// let sized = methods::SizedProblem::new(ring, links, allgather, Rational::whole(4000))?;
/// // Each of 4 nodes has 1000 bytes, which two chunks halve.
/// assert_eq!(sized.problem(2)?.units().chunk_bytes, Rational::whole(500));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SizedProblem {
    network: Network,
    links: Links,
    whole: Collective,
    combining: bool,
    bytes: Rational,
}

/// What keeps a size, a collective and a number of chunks from being a problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SizedError {
    /// So many chunks are too many.
    #[error(transparent)]
    Chunks(#[from] SelectionError),
    /// The bytes of a chunk need more than 64 bits.
    #[error("a chunk is too fine for 64 bits")]
    TooFine,
    /// Network, links and collective do not fit together.
    #[error(transparent)]
    Problem(#[from] TimedProblemError),
}

impl SizedProblem {
    /// A collective in one piece, of so many bytes as nccl-tests counts them ([`Size`]); where it counts none, every message has so many.
    ///
    /// # Errors
    /// What is wrong with it in one chunk, as it would be in any number of them.
    pub fn new(network: Network, links: Links, whole: Collective, bytes: Rational) -> Result<Self, SizedError> {
        let sized = SizedProblem { network, links, whole, combining: false, bytes };
        let _problem = sized.problem(1)?;
        Ok(sized)
    }

    /// The same, where a transfer may carry several messages, or none but one.
    pub fn combining(self, combining: bool) -> Self {
        SizedProblem { combining, ..self }
    }

    /// The same in another size.
    pub fn of_bytes(self, bytes: Rational) -> Self {
        SizedProblem { bytes, ..self }
    }

    /// The allgather of equal parts, one of each rank, that an allreduce of the same bytes may end with; `None` for other collectives.
    pub(super) fn gathering(&self) -> Option<Self> {
        let all = self.whole.messages().next().map(|m| self.whole.destinations(m)).filter(|all| all.len() > 1)?;
        let is_allreduce = self.whole.semantics() == Semantics::Reduce;
        let whole = is_allreduce.then(|| Collective::allgather(all, all))?;
        Some(SizedProblem { whole, ..self.clone() })
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The collective in one piece.
    pub fn whole(&self) -> &Collective {
        &self.whole
    }

    /// Its size, as nccl-tests counts it, or that of every message ([`SizedProblem::counted`]).
    #[must_use]
    pub fn bytes(&self) -> Rational {
        self.bytes
    }

    /// Its size as nccl-tests counts it; `None` for a collective of which it counts none.
    #[must_use]
    pub fn counted(&self) -> Option<Rational> {
        Size::of(&self.whole).map(|_| self.bytes)
    }

    /// The problem in so many chunks a message.
    ///
    /// # Errors
    /// Chunks that are too many or too small, and whatever [`TimedProblem::new`] refuses.
    pub fn problem(&self, chunks: u32) -> Result<TimedProblem, SizedError> {
        let collective = collectives::in_chunks(&self.whole, chunks)?;
        let parts = Size::of(&collective).map_or(chunks.into(), |size| size.messages);
        let part = Rational::new(self.bytes.numerator, parts);
        let denominator = part.denominator.checked_mul(self.bytes.denominator).ok_or(SizedError::TooFine)?;
        let chunk_bytes = Rational::new(part.numerator, denominator);
        let units = Units { chunk_bytes, tick_us: self.tick(chunk_bytes) };
        Ok(TimedProblem::new(self.network.clone(), collective, self.combining, self.links.clone(), units)?)
    }

    /// A tick that is short beside the shortest transfer.
    fn tick(&self, chunk: Rational) -> Rational {
        let wide = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let slower =
            |a: &&Rational, b: &&Rational| wide(a.numerator, b.denominator).cmp(&wide(b.numerator, a.denominator));
        let Some(fastest) = self.links.bandwidth.iter().max_by(slower) else {
            return Rational::new(1, 10u64.pow(COARSEST));
        };
        // bytes / (1000 × GB/s) microseconds are so many ticks; what does not fit in 128 bits is long enough.
        let long = |power: u32| {
            let ticks = wide(chunk.numerator, fastest.denominator).checked_mul(10u128.pow(power));
            let least = wide(chunk.denominator, fastest.numerator).checked_mul(1000 * TICKS_A_TRANSFER);
            ticks.is_none_or(|ticks| least.is_some_and(|least| ticks >= least))
        };
        let power = (COARSEST..FINEST).find(|power| long(*power)).unwrap_or(FINEST);
        Rational::new(1, 10u64.pow(power))
    }
}

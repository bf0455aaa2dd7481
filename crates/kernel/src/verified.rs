//! **What:** verified schedules, whether every transfer is written down or they are stored as orbits or by the dimensions of a product, whose
//! transfers are made step by step and never all at once.

use crate::claim::by_symmetry;
use crate::orbits::{OrbitError, OrbitProblem, VerifiedOrbits};
use crate::product::VerifiedProduct;
use crate::{Certificate, Certified, Channel, Message, Op, Problem, Refused, Schedule, Transfer};
use std::borrow::Cow;
use std::sync::Arc;

/// A schedule that obeys every rule of its problem.
#[derive(Clone, Debug)]
pub struct Verified {
    problem: Problem,
    stored: Stored,
}

#[derive(Clone, Debug)]
enum Stored {
    /// Shared, since schedules of gibibytes are kept in several places.
    Plain(Arc<Schedule>),
    Orbits(Box<VerifiedOrbits>),
    Product(Arc<VerifiedProduct>),
}

/// How a verified schedule is stored.
#[derive(Clone, Copy, Debug)]
pub enum Storage<'a> {
    /// Every transfer written down.
    Plain(&'a Schedule),
    /// One of each orbit.
    Orbits(&'a VerifiedOrbits),
    /// What messages do along each dimension of a product.
    Product(&'a VerifiedProduct),
}

/// One transfer of a verified schedule.
#[derive(Clone, Debug)]
pub struct Sent<'a> {
    carried: Carried<'a>,
    /// The channels from its sender to its receiver.
    pub path: Cow<'a, [Channel]>,
    /// What the receiver does; only semantics `reduce` looks at it.
    pub op: Op,
    /// The partial results that its sender merges and sends, as in [`Transfer::partials`].
    pub partials: &'a [u32],
}

#[derive(Clone, Copy, Debug)]
enum Carried<'a> {
    Messages(&'a [Message]),
    Image { problem: &'a OrbitProblem, message: Message, element: u32 },
    Number(u64),
}

impl Sent<'_> {
    /// The numbers of its messages.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        let count = match self.carried {
            Carried::Messages(messages) => messages.len(),
            Carried::Image { .. } | Carried::Number(_) => 1,
        };
        (0..count).map(|at| match self.carried {
            Carried::Messages(messages) => messages[at].0.into(),
            Carried::Image { problem, message, element } => problem.number(message, element),
            Carried::Number(number) => number,
        })
    }
}

impl<'a> From<Transfer<'a>> for Sent<'a> {
    fn from(Transfer { messages, path, op, partials }: Transfer<'a>) -> Self {
        Sent { carried: Carried::Messages(messages), path: Cow::Borrowed(path), op, partials }
    }
}

impl Verified {
    pub(crate) fn plain(problem: Problem, schedule: Schedule) -> Self {
        Verified { problem, stored: Stored::Plain(Arc::new(schedule)) }
    }

    /// The problem it solves.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How it is stored.
    pub fn storage(&self) -> Storage<'_> {
        match &self.stored {
            Stored::Plain(schedule) => Storage::Plain(schedule),
            Stored::Orbits(orbits) => Storage::Orbits(orbits),
            Stored::Product(product) => Storage::Product(product),
        }
    }

    /// Whether every transfer is written down.
    pub fn is_written_down(&self) -> bool {
        matches!(self.storage(), Storage::Plain(_))
    }

    /// The schedule and its symmetry, where it is stored as orbits.
    pub fn orbits(&self) -> Option<&VerifiedOrbits> {
        match self.storage() {
            Storage::Plain(_) | Storage::Product(_) => None,
            Storage::Orbits(orbits) => Some(orbits),
        }
    }

    /// Checks a bound of the problem, by the symmetry of the schedule where it is stored as orbits.
    ///
    /// # Errors
    /// Why the certificate proves nothing, or less than it claims.
    pub fn certify(&self, certificate: Certificate) -> Result<Certified, Refused> {
        by_symmetry(&self.problem, self.orbits().map(VerifiedOrbits::problem), certificate)
    }

    /// The claim of the same schedule with every transfer written down.
    ///
    /// # Errors
    /// Where there are too many messages or channel uses to write down.
    pub fn expanded(&self) -> Result<Cow<'_, Schedule>, OrbitError> {
        match self.storage() {
            Storage::Plain(schedule) => Ok(Cow::Borrowed(schedule)),
            Storage::Orbits(orbits) => orbits.expanded().map(Cow::Owned),
            Storage::Product(product) => product.expanded().map(Cow::Owned),
        }
    }

    /// Number of steps; under time-division, of the slots of a period.
    pub fn steps(&self) -> usize {
        match self.storage() {
            Storage::Plain(schedule) => schedule.step_count(),
            Storage::Orbits(orbits) => orbits.schedule().schedule.step_count(),
            Storage::Product(product) => product.schedule().step_count(),
        }
    }

    /// Number of transfers.
    pub fn transfer_count(&self) -> u64 {
        match self.storage() {
            Storage::Plain(schedule) => schedule.transfer_count() as u64,
            Storage::Orbits(orbits) => orbits.times(orbits.schedule().schedule.transfer_count()),
            Storage::Product(product) => product.schedule().transfer_count(),
        }
    }

    /// Number of channel uses: the sum of the paths' lengths.
    pub fn channel_uses(&self) -> u64 {
        match self.storage() {
            Storage::Plain(schedule) => schedule.channel_uses() as u64,
            Storage::Orbits(orbits) => orbits.times(orbits.schedule().schedule.channel_uses()),
            Storage::Product(product) => product.schedule().channel_uses(),
        }
    }

    /// The transfers of a step, made as they are asked for where the schedule is not written down.
    pub fn step(&self, index: usize) -> Box<dyn Iterator<Item = Sent<'_>> + '_> {
        match self.storage() {
            Storage::Plain(schedule) => Box::new(schedule.step(index).map(Sent::from)),
            Storage::Orbits(orbits) => Box::new(orbits.step(index).map(|image| Sent {
                carried: Carried::Image { problem: orbits.problem(), message: image.message, element: image.element },
                path: Cow::Owned(image.path),
                op: image.op,
                partials: image.partials,
            })),
            Storage::Product(product) => Box::new(product.step(index).into_iter().map(|transfer| Sent {
                carried: Carried::Number(transfer.message),
                path: Cow::Owned(transfer.path),
                op: Op::default(),
                partials: &[],
            })),
        }
    }
}

impl From<VerifiedOrbits> for Verified {
    fn from(orbits: VerifiedOrbits) -> Self {
        Verified { problem: orbits.problem().whole().clone(), stored: Stored::Orbits(Box::new(orbits)) }
    }
}

impl From<VerifiedProduct> for Verified {
    fn from(product: VerifiedProduct) -> Self {
        Verified { problem: product.problem().clone(), stored: Stored::Product(Arc::new(product)) }
    }
}

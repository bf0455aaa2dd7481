//! What a construction is: a way to write a schedule down instead of searching for it. A [`Construction`] has a name, a source and a [`Scope`]; asked with a [`Request`], it
//! gives a [`Builder`], which promises its steps before it begins, and makes a [`Claim`], message by message or as orbits; [`Transfers`] collects what it is made of.
//!
//! ```
//! use construct::{Builder, Claim, Control};
//! use kernel::{Message, Network, Node, Schedule};
//!
//! /// Two nodes change their messages.
//! struct Swap;
//! impl Builder for Swap {
//!     fn promise(&self) -> Option<u64> {
//!         Some(1)
//!     }
//!     fn build(&self, network: &Network, _: &Control<'_>) -> Option<Claim> {
//!         let mut schedule = Schedule::new();
//!         (0..2).for_each(|v| schedule.send(Message(v), &network.outgoing(Node(v))[..1]));
//!         Some(Claim::Plain(schedule))
//!     }
//! }
//! ```

mod claim;
mod construction;
mod request;
mod transfers;

pub use claim::{Claim, ClaimError, OrbitClaim, divided, fewest_ports};
pub use construction::{Builder, Construction, Control, MOST_USES, PortUse, Scope};
pub use request::{Pattern, Request, number, numbers};
pub use transfers::{Hop, Transfers, channel, generator};

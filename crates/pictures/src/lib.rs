//! Pictures of networks and schedules: one layout for all of them.
//!
//! [`Layout`] says where nodes stand and how channels run; [`svg`] draws it, [`page`] puts it into a page that plays a
//! schedule; [`plot`] draws measurements.
//! Whatever is drawn of a schedule is a fact ([`kernel::Verified`], [`kernel::Certified`]).

mod items;
pub mod layout;
mod letters;
pub mod page;
pub mod palette;
pub mod plot;
mod roles;
mod senders;
mod spread;
pub mod svg;

pub use layout::Layout;
pub use spread::NoSpread;

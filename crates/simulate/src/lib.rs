//! A cycle-accurate simulator of flits in networks of input-queued routers.
//!
//! [`Simulator`] is a network at work under [`Settings`]; a [`Source`] is a program that sends packets and hears of their arrival;
//! [`Routes`] say which ways they may take. What they send is called packets, since their flits are what is looked at.
//!
//! ```
//! use kernel::Node;
//! use simulate::{Delivery, DimensionOrder, Interval, Packet, Settings, Simulator, Source};
//!
//! /// One packet.
//! struct One(Option<Packet>, u64);
//! impl Source for One {
//!     fn next(&self, now: u64) -> Option<u64> {
//!         self.0.map(|_| now)
//!     }
//!     fn inject(&mut self, _: u64, packets: &mut Vec<Packet>) {
//!         packets.extend(self.0.take());
//!     }
//!     fn delivered(&mut self, delivery: &Delivery) {
//!         self.1 = delivery.latency();
//!     }
//! }
//!
//! let mesh = topologies::parse("mesh:4x4")?;
//! let settings = Settings::default();
//! let routes = DimensionOrder::new(&mesh, settings.virtual_channels, true).expect("a mesh has coordinates");
//! let mut source = One(Some(Packet { source: Node(0), destination: Node(15), flits: 1, tag: 0, interval: Interval::NONE }), 0);
//! Simulator::new(&mesh, &settings, &routes)?.run(&mut source, 1000, &|| false)?;
//! // Two cycles to the first of seven routers, and three in each with one on the channel behind it.
//! assert_eq!(source.1, 2 + 7 * 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod allocate;
mod allocate_switch;
mod allocate_vcs;
mod buffers;
mod circuit;
mod counters;
mod cycle;
mod deadlock;
mod inject;
mod interval;
mod layout;
mod measure;
mod medium;
mod packets;
pub mod play;
mod ports;
mod rank;
mod routes;
mod settings;
mod simulator;
mod source;
mod traffic;
mod wheel;

pub use deadlock::{Deadlock, Ends, Held};
pub use interval::Interval;
pub use measure::{
    Experiment, Histogram, Latency, Limits, Mean, Point, PointError, RateError, Runs, Saturation, Sender, Sum,
    batch_mean,
};
pub use packets::Packet;
pub use routes::{
    Adaptive, DimensionOrder, Path, Paths, ROUTES, RoutesEntry, RoutesError, RoutesWanted, TableError, TableRoutes,
    Valiant, routes_named,
};
pub use settings::{
    Allocator, Flow, MOST_BUFFER, MOST_DELAY, MOST_FLITS, MOST_VCS, NodePorts, Settings, SettingsError,
};
pub use simulator::{End, Halt, Simulator};
pub use source::{Choice, Delivery, Position, Routes, Source};
pub use traffic::{
    Event, HotSpot, Load, LoadError, PATTERNS, Pattern, PatternEntry, PatternError, Shape, Synthetic, Trace,
};

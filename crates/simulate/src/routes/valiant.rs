//! **What:** Valiant's routing: first to a terminal at random, then to the destination, so that any traffic becomes two of uniform traffic.
//!
//! **Facts:** half of the virtual channels are for the way to the node between, half for the way on, so that neither waits for the
//! other in a circle.
//!
//! **Source:** L. G. Valiant, A scheme for fast parallel communication, SIAM Journal on Computing 11, 1982

use super::RoutesError;
use super::base::Base;
use crate::packets::Packet;
use crate::source::{Choice, Position, Routes};
use kernel::{Network, Node};

/// Valiant's routing.
pub struct Valiant {
    base: Base,
    /// Nodes between.
    between: Vec<Node>,
    /// Virtual channels of each half.
    half: u32,
}

impl Valiant {
    /// For a network of links whose terminals let packets pass.
    ///
    /// # Errors
    /// Other networks.
    pub fn new(network: &Network, vcs: u32) -> Result<Self, RoutesError> {
        let between: Vec<Node> = network.terminals().iter().copied().filter(|node| network.is_transit(*node)).collect();
        if between.is_empty() {
            let needs = "networks whose terminals let packets pass";
            return Err(RoutesError::NotFor { network: network.name().into(), routing: "valiant", needs });
        }
        Ok(Valiant { base: Base::new(network, true)?, between, half: vcs / 2 })
    }
}

impl Routes for Valiant {
    fn name(&self) -> String {
        format!("valiant, both ways by {}", self.base.name())
    }

    fn root(&self) -> Option<Node> {
        self.base.root()
    }

    fn least_vcs(&self) -> u32 {
        2 * self.base.classes()
    }

    fn via(&self, _: &Packet, random: u32) -> Option<Node> {
        // The upper bits choose the node; the lower ones are for ties of the ways.
        let place = (u64::from(random) * self.between.len() as u64) >> 32;
        self.between.get(usize::try_from(place).ok()?).copied()
    }

    fn choices(&self, at: &Position, choices: &mut Vec<Choice>) {
        let offset = if at.is_via { 0 } else { self.half };
        // At the node between a path of its own begins.
        let is_begun = (at.arrived_vc >= self.half) != at.is_via;
        let (arrived, arrived_vc) = if is_begun { (at.arrived, at.arrived_vc.wrapping_sub(offset)) } else { (None, 0) };
        let next = self.base.next(&Position { arrived, arrived_vc, ..*at }, self.half);
        choices.extend(next.map(|choice| Choice { vcs: choice.vcs << offset, ..choice }));
    }
}

//! **What:** what a router keeps of each port and virtual channel, and sets of bits.

use crate::interval::{Due, Interval};
use crate::packets::NONE;

/// What a virtual channel of an input does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum State {
    /// Its buffer is empty and no packet lies across it.
    #[default]
    Idle,
    /// The head at its front has no virtual channel yet.
    Waiting,
    /// The packet at its front has one.
    Active,
    /// The packet at its front leaves the network here.
    Sink,
}

/// A virtual channel of an input: half a cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputVc {
    /// The first cycle in which it may ask.
    pub(crate) ready: u64,
    /// The virtual channel of an output that it has, or [`NONE`].
    pub(crate) output: u32,
    /// The output that its packet takes, or [`NONE`] while that is open.
    pub(crate) port: u32,
    /// The virtual channels that it may have there.
    pub(crate) mask: u32,
    /// From where on it accepts grants; a router has at most 2^16 virtual channels of outputs.
    pub(crate) accept: u16,
    /// The first flit of its buffer.
    pub(crate) first: u16,
    /// Flits in its buffer.
    pub(crate) count: u16,
    /// Most flits that were in its buffer.
    pub(crate) most: u16,
    pub(crate) state: State,
    /// Whether the routing leaves its packet a choice, so that it is asked in every cycle.
    pub(crate) is_open: bool,
    /// Whether it has flits, but there is no room for them in the next buffer; then since `ready`.
    pub(crate) is_stalled: bool,
}

impl Default for InputVc {
    fn default() -> Self {
        InputVc {
            ready: 0,
            output: NONE,
            port: NONE,
            mask: 0,
            accept: 0,
            first: 0,
            count: 0,
            most: 0,
            state: State::Idle,
            is_open: false,
            is_stalled: false,
        }
    }
}

/// An input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InputPort {
    /// The first cycle in which it sends again.
    pub(crate) free_at: u64,
    /// From where on it accepts grants of the switch.
    pub(crate) accept: u32,
    /// The virtual channel that is preferred where several ask for the same output.
    pub(crate) prefer: u32,
    /// The output at the other end.
    pub(crate) comes_from: u32,
    /// What a credit takes to get there.
    pub(crate) credit: u32,
}

/// A virtual channel of an output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputVc {
    /// The virtual channel of an input that has it, or [`NONE`].
    pub(crate) owner: u32,
    /// Flits that the buffer at the other end has room for.
    pub(crate) credits: u32,
    /// From where on it grants.
    pub(crate) grant: u32,
}

/// An output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputPort {
    /// When it sends again.
    pub(crate) due: Due,
    /// From one flit to the next.
    pub(crate) interval: Interval,
    /// Its place among those that share media, or [`NONE`].
    pub(crate) shared: u32,
    /// Flits sent.
    pub(crate) flits: u64,
    /// Requests that were not granted.
    pub(crate) blocked: u64,
    /// Virtual channels that nobody has.
    pub(crate) free: u32,
    /// From where on it grants.
    pub(crate) grant: u32,
    /// The input at the other end.
    pub(crate) leads_to: u32,
    /// What a flit takes to get there from the switch.
    pub(crate) delay: u32,
    /// The virtual channel of an input that sent last.
    pub(crate) last: u32,
}

impl OutputPort {
    pub(crate) fn new(vcs: u32, interval: Interval) -> Self {
        let free = if vcs == 32 { u32::MAX } else { (1 << vcs) - 1 };
        let (due, shared) = (Due::default(), NONE);
        OutputPort { due, interval, shared, flits: 0, blocked: 0, free, grant: 0, leads_to: NONE, delay: 1, last: NONE }
    }
}

/// The packets of a node that have not left it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

/// The node's end of a port to its router.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender {
    /// The packet that it sends, or [`NONE`].
    pub(crate) place: u32,
    /// Flits that are still to be sent.
    pub(crate) left: u32,
    /// The virtual channel that it sends on.
    pub(crate) vc: u32,
    /// From one flit of the packet to the next.
    pub(crate) interval: Interval,
    /// When it sends again.
    pub(crate) due: Due,
}

impl Default for Sender {
    fn default() -> Self {
        Sender { place: NONE, left: 0, vc: 0, interval: Interval::NONE, due: Due::default() }
    }
}

/// A set of small numbers.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    pub(crate) words: Vec<u64>,
}

impl Bits {
    pub(crate) fn new(count: usize) -> Self {
        Bits { words: vec![0; count.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn set(&mut self, at: usize) {
        self.words[at / 64] |= 1 << (at % 64);
    }

    #[inline]
    pub(crate) fn clear(&mut self, at: usize) {
        self.words[at / 64] &= !(1 << (at % 64));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }
}

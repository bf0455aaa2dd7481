//! **What:** the data that every terminal contributes, and what must come of it.
//!
//! **Facts:** copies are random bytes by terminal, place and round. What is merged are whole numbers small enough that every sum is exact, also of floats: at
//! element e a nibble of a random number of the terminal and place, and one of e, so that a sum of n of them is told without adding up all
//! elements of all terminals. Sums of 8 bits wrap around.

use program::Source;
use quadrille_cli::ElementChoice;

/// A number as the bytes of an element, cut to what fits.
fn write(element: ElementChoice, number: u64, out: &mut [u8]) {
    match element {
        ElementChoice::F32 => out.copy_from_slice(&(number as f32).to_ne_bytes()),
        ElementChoice::F64 => out.copy_from_slice(&(number as f64).to_ne_bytes()),
        ElementChoice::I8 | ElementChoice::U8 => out.copy_from_slice(&(number as u8).to_ne_bytes()),
        ElementChoice::I32 | ElementChoice::U32 => out.copy_from_slice(&(number as u32).to_ne_bytes()),
        ElementChoice::I64 | ElementChoice::U64 => out.copy_from_slice(&number.to_ne_bytes()),
    }
}

/// How places lie in a buffer: as the engine has them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    pub chunks: usize,
    /// Elements of a message.
    pub count: usize,
    pub element: ElementChoice,
    /// Whether contributions are merged.
    pub merges: bool,
    /// Other data each time.
    pub round: u64,
}

impl Geometry {
    /// Where a place is in its buffer, in bytes.
    fn range(&self, index: usize) -> std::ops::Range<usize> {
        let (part, base, longer) = (index % self.chunks, self.count / self.chunks, self.count % self.chunks);
        let begin = index / self.chunks * self.count + part * base + part.min(longer);
        let end = begin + base + usize::from(part < longer);
        begin * self.element.bytes()..end * self.element.bytes()
    }

    fn seed(&self, terminal: u32, index: u32) -> u64 {
        mix(mix(u64::from(terminal) << 32 | u64::from(index)) ^ self.round)
    }

    /// Writes what a terminal contributes; its places begin at `first`.
    pub(super) fn fill(&self, input: &mut [u8], terminal: u32, first: usize, places: u32) {
        for index in 0..places {
            let out = &mut input[self.range(first + index as usize)];
            self.expected(&[Source { rank: terminal, ranks: 1, index }], out);
        }
    }

    /// What sources come to.
    fn expected(&self, sources: &[Source], out: &mut [u8]) {
        let each = sources.iter().flat_map(|of| (of.rank..of.rank + of.ranks).map(|rank| self.seed(rank, of.index)));
        if !self.merges {
            let mut state = each.last().unwrap_or_default();
            for eight in out.chunks_mut(8) {
                state = mix(state);
                eight.copy_from_slice(&state.to_ne_bytes()[..eight.len()]);
            }
            return;
        }
        let (mut nibbles, mut contributions) = ([0u64; 16], 0);
        for seed in each {
            contributions += 1;
            for (at, sum) in (0u32..).zip(&mut nibbles) {
                *sum += seed >> (4 * at) & 15;
            }
        }
        for (at, bytes) in out.chunks_mut(self.element.bytes()).enumerate() {
            write(self.element, nibbles[at % 16] + contributions * (mix(at as u64) & 15), bytes);
        }
    }

    /// The first place of an output that does not hold what its sources come to; those without any hold what they like.
    pub(super) fn wrong(&self, output: &[u8], sources: &[Vec<Source>]) -> Option<usize> {
        let mut right = Vec::new();
        (0..sources.len()).find(|place| {
            let held = &output[self.range(*place)];
            right.resize(held.len(), 0);
            self.expected(&sources[*place], &mut right);
            !sources[*place].is_empty() && held != right
        })
    }
}

/// SplitMix64.
fn mix(state: u64) -> u64 {
    let mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

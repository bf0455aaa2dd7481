//! **What:** the slots of a network of levels, and which channels are in use in each.
//!
//! **Theory.** A slot is a step and a root of the top. A root has one root of each lower height beneath it, so a slot names one
//! bundle of parallel channels out of, and one into, every subtree on the way of a message, whose path it is. The slots
//! of a step that have the same root of height x + 1 name the same channels at height x: these are `width` slots in a row.

use topologies::levels::Levels;

/// A message: its ends, counted within their subtrees below the top, how many such subtrees further on it goes, and the height at
/// which its path turns. It crosses the borders of all lower heights.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub ends: [u32; 2],
    pub further: u32,
    pub turns: u8,
}

/// The borders of all subtrees of one height.
struct Height {
    /// Messages that parallel channels take at once.
    most: u16,
    /// Slots in a row that name the same channels.
    width: usize,
    /// Where the loads of the first of these subtrees begin, and how many a subtree has.
    loads: usize,
    bundles: usize,
    /// The row of the first of these subtrees.
    row: usize,
}

/// What is in use, on the way out (0) and in (1).
pub(super) struct Slots {
    heights: Vec<Height>,
    /// Slots in all, and in a step.
    pub count: usize,
    pub in_step: usize,
    words: usize,
    /// For each terminal, the subtrees that it is in, smallest first: which of their height.
    chains: Vec<u32>,
    loads: [Vec<u16>; 2],
    /// A bit a slot for each row, which is a subtree: whether its channels are in use.
    full: [Vec<u64>; 2],
}

/// Bytes of bits and loads at most.
const MOST_BYTES: usize = 1 << 28;

impl Slots {
    /// All slots of so many steps, none in use; heights below `top` are looked at. `None` where there are too many.
    pub(super) fn new(levels: &Levels, top: usize, steps: usize) -> Option<Self> {
        let terminals = levels.terminals_below(top - 1);
        let in_step = levels.roots(top) as usize;
        let count = steps.checked_mul(in_step).filter(|count| *count < u32::MAX as usize)?;
        let words = count.div_ceil(64);
        let (mut heights, mut rows, mut loads) = (Vec::new(), 0usize, 0usize);
        for x in 0..top {
            let width = in_step / levels.roots(x + 1) as usize;
            let subtrees = (terminals / levels.terminals_below(x)) as usize;
            let most = u16::try_from(levels.cables(x + 1)).ok()?;
            heights.push(Height { most, width, loads, bundles: count / width, row: rows });
            rows += subtrees;
            loads = loads.checked_add(subtrees.checked_mul(count / width)?)?;
        }
        let bytes = rows.checked_mul(words)?.checked_mul(8)?.checked_add(loads.checked_mul(2)?)?;
        if bytes > MOST_BYTES / 2 {
            return None;
        }
        let chain = |t: u32| (0..top).map(move |x| t / levels.terminals_below(x));
        // Bits behind the last slot are never free.
        let mut full = vec![0u64; rows * words];
        if !count.is_multiple_of(64) {
            full.iter_mut().skip(words - 1).step_by(words).for_each(|word| *word = !0 << (count % 64));
        }
        Some(Slots {
            heights,
            count,
            in_step,
            words,
            chains: (0..terminals).flat_map(chain).collect(),
            loads: [vec![0; loads], vec![0; loads]],
            full: [full.clone(), full],
        })
    }

    /// Words of bits that a look for a free slot goes through at most.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The borders that a message crosses on a side: heights and which subtree.
    fn borders(&self, item: Item, side: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let first = item.ends[side] as usize * self.heights.len();
        self.chains[first..first + usize::from(item.turns)].iter().map(|subtree| *subtree as usize).enumerate()
    }

    /// All borders that a message crosses.
    pub(super) fn all_borders(&self, item: Item) -> impl Iterator<Item = Border> + '_ {
        let side = move |side| self.borders(item, side).map(move |(height, subtree)| Border { side, height, subtree });
        side(0).chain(side(1))
    }

    /// Whether a message crosses a border.
    pub(super) fn crosses(&self, item: Item, border: Border) -> bool {
        border.height < usize::from(item.turns)
            && self.chains[item.ends[border.side] as usize * self.heights.len() + border.height] as usize
                == border.subtree
    }

    /// Whether two slots name the same channels at a height.
    pub(super) fn is_same(&self, height: usize, one: usize, other: usize) -> bool {
        let width = self.heights[height].width;
        one / width == other / width
    }

    /// The load of a border's channels in a slot, less what they take.
    fn excess(&self, border: Border, slot: usize) -> i32 {
        let height = &self.heights[border.height];
        let load = self.loads[border.side][height.loads + border.subtree * height.bundles + slot / height.width];
        i32::from(load) - i32::from(height.most)
    }

    /// Whether a border's channels take nothing more in a slot.
    pub(super) fn is_full(&self, border: Border, slot: usize) -> bool {
        self.excess(border, slot) >= 0
    }

    /// Whether a border's channels carry more than they take.
    pub(super) fn is_over(&self, border: Border, slot: usize) -> bool {
        self.excess(border, slot) > 0
    }

    /// Counts a message in, or out of, the channels that a slot names.
    pub(super) fn count_in(&mut self, item: Item, slot: usize, comes: bool) {
        let (heights, words) = (self.heights.len(), self.words);
        for side in 0..2 {
            let first = item.ends[side] as usize * heights;
            for (x, height) in self.heights[..usize::from(item.turns)].iter().enumerate() {
                let subtree = self.chains[first + x] as usize;
                let load = &mut self.loads[side][height.loads + subtree * height.bundles + slot / height.width];
                let was = *load >= height.most;
                *load = if comes { *load + 1 } else { *load - 1 };
                let is = *load >= height.most;
                if was != is {
                    let bits = &mut self.full[side][(height.row + subtree) * words..];
                    let begin = slot / height.width * height.width;
                    (begin..begin + height.width).for_each(|bit| bits[bit / 64] ^= 1 << (bit % 64));
                }
            }
        }
    }

    /// The bits of all borders that a message crosses on these sides.
    fn rows(&self, item: Item, sides: &[usize]) -> Vec<&[u64]> {
        let rows = |side: &usize| {
            let full = &self.full[*side];
            let row =
                |(x, subtree): (usize, usize)| &full[(self.heights[x].row + subtree) * self.words..][..self.words];
            self.borders(item, *side).map(row).collect::<Vec<_>>()
        };
        sides.iter().flat_map(rows).collect()
    }

    /// The first slot free for a message on these sides, from the word of a slot on and round.
    pub(super) fn first_free(&self, item: Item, sides: &[usize], from: usize) -> Option<usize> {
        let (rows, begin) = (self.rows(item, sides), from / 64);
        (begin..self.words).chain(0..begin).find_map(|word| {
            let free = free(&rows, word);
            (free != 0).then(|| word * 64 + free.trailing_zeros() as usize)
        })
    }

    /// The slots of a step that are free for a message on these sides.
    pub(super) fn free_in_step(&self, item: Item, sides: &[usize], step: usize) -> Vec<usize> {
        let slots = step * self.in_step..(step + 1) * self.in_step;
        let (rows, mut found) = (self.rows(item, sides), Vec::new());
        for word in slots.start / 64..=(slots.end - 1) / 64 {
            let mut free = free(&rows, word);
            while free != 0 {
                found.push(word * 64 + free.trailing_zeros() as usize);
                free &= free - 1;
            }
        }
        found.retain(|slot| slots.contains(slot));
        found
    }
}

/// The slots of a word that are free in all rows.
fn free(rows: &[&[u64]], word: usize) -> u64 {
    !rows.iter().fold(0, |full, row| full | row[word])
}

/// The border of a subtree on one side: 0 out of it, 1 into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Border {
    pub side: usize,
    pub height: usize,
    pub subtree: usize,
}

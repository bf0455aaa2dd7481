//! **What:** the checker that no channel of a product is used twice in a step.
//!
//! **Why it is enough to look at each dimension by itself.** A message that passes along a line of dimension i has, when it gets there, its destination's
//! digits in the dimensions that it took before and its origin's in those behind. So the line tells, of the parts in all other dimensions, the end of each;
//! and since every digit is once the beginning, or the end, of a part of the class, it tells the parts and their slots. Then every
//! block of a round uses the line with all parts of its class along i, in steps that are their slots' and one sum from the other
//! dimensions. What matters is how far apart the sums of the blocks are, which is the same for most lines: each set of
//! differences is looked at once.

use super::table::Table;
use super::transfers::VerifiedProduct;
use super::{Part, ProductFault as Fault, ProductSchedule, Round, residue};
use crate::{Problem, Rejected, Verified, Violation};
use std::collections::{HashMap, HashSet};

/// Most sets of differences of one round and dimension that are looked at.
const MOST_WAYS: usize = 1 << 12;

/// Checks every rule on the classes of the dimensions.
pub(crate) fn verify_product(problem: &Problem, claim: ProductSchedule) -> Result<Verified, Rejected> {
    let fault = |fault| Rejected::from(Violation::Product(fault));
    let table = Table::new(problem, &claim).map_err(fault)?;
    let mut lines =
        Lines { form: &claim, table: &table, ends: Ends::default(), known: HashSet::new(), uses: Vec::new() };
    for (number, round) in claim.rounds.iter().enumerate() {
        lines.round(number, round).map_err(fault)?;
    }
    Ok(Verified::from(VerifiedProduct::new(problem.clone(), claim, table)))
}

/// A kind of line: how far its sums are from the first block's, and one line of the kind.
#[derive(Clone, Debug)]
struct Way {
    /// For each block, its sum less the first block's.
    apart: Vec<u64>,
    /// The first block's sum.
    first: u64,
    /// A place on the line.
    place: usize,
}

/// What a line's use along a dimension depends on: the blocks' classes, factors and differences.
type Key = (usize, u64, Vec<(usize, u64, u64)>);

struct Lines<'a> {
    form: &'a ProductSchedule,
    table: &'a Table,
    ends: Ends,
    /// What was looked at and is right.
    known: HashSet<Key>,
    /// Step and channel of each use of one line.
    uses: Vec<(u64, u32)>,
}

impl Lines<'_> {
    fn round(&mut self, number: usize, round: &Round) -> Result<(), Fault> {
        for (at, &dimension) in self.form.order.iter().enumerate() {
            let offset = |block: &super::Block| residue(block.offset.into(), round.steps);
            let sums: Vec<u64> = round.blocks.iter().map(offset).collect();
            let mut ways = vec![Way { apart: apart(&sums, round.steps), first: sums[0], place: 0 }];
            for (other, &through) in self.form.order.iter().enumerate().filter(|(other, _)| *other != at) {
                let own = self.ways(round, through, other < at)?;
                let mut all: HashMap<Vec<u64>, Way> = HashMap::new();
                for (one, two) in ways.iter().flat_map(|one| own.iter().map(move |two| (one, two))) {
                    let plus = |a: u64, b: u64| residue(i128::from(a) + i128::from(b), round.steps);
                    let apart: Vec<u64> = one.apart.iter().zip(&two.apart).map(|(a, b)| plus(*a, *b)).collect();
                    let way =
                        Way { apart: apart.clone(), first: plus(one.first, two.first), place: one.place + two.place };
                    all.entry(apart).or_insert(way);
                    if all.len() > MOST_WAYS {
                        return Err(Fault::TooManyWays { round: number, most: MOST_WAYS });
                    }
                }
                ways = all.into_values().collect();
            }
            // The order of a map is not the same every time; which fault is told should be.
            ways.sort_unstable_by_key(|way| way.place);
            for way in &ways {
                self.line(number, round, dimension, way)?;
            }
        }
        Ok(())
    }

    /// What the digits of a dimension may add to the blocks' sums.
    fn ways(&mut self, round: &Round, dimension: usize, by_receiver: bool) -> Result<Vec<Way>, Fault> {
        let mut slots = Vec::with_capacity(round.blocks.len());
        for block in &round.blocks {
            slots.push(self.ends.of(self.form, dimension, block.classes[dimension], by_receiver)?);
        }
        // Of a single block all digits are alike.
        let digits = if slots.len() == 1 { 1 } else { self.form.dimensions[dimension].size };
        let mut ways: HashMap<Vec<u64>, Way> = HashMap::new();
        for digit in 0..digits as usize {
            let slot = |list: &usize| self.ends.lists[*list][digit];
            let sums: Vec<u64> = round
                .blocks
                .iter()
                .zip(&slots)
                .map(|(block, list)| block.adds(dimension, slot(list), round.steps))
                .collect();
            let apart = apart(&sums, round.steps);
            let place = digit * self.table.strides[dimension];
            ways.entry(apart.clone()).or_insert(Way { apart, first: sums[0], place });
        }
        Ok(ways.into_values().collect())
    }

    /// Whether the parts along one line are in different steps where they share a channel.
    fn line(&mut self, number: usize, round: &Round, dimension: usize, way: &Way) -> Result<(), Fault> {
        let of = |(block, apart): (&super::Block, &u64)| {
            (block.classes[dimension], block.adds(dimension, 1, round.steps), *apart)
        };
        let key: Key = (dimension, round.steps, round.blocks.iter().zip(&way.apart).map(of).collect());
        if self.known.contains(&key) {
            return Ok(());
        }
        self.uses.clear();
        for (block, apart) in round.blocks.iter().zip(&way.apart) {
            for part in &self.form.dimensions[dimension].classes[block.classes[dimension]] {
                let step = i128::from(block.adds(dimension, part.slot, round.steps)) + i128::from(*apart);
                let step = residue(step, round.steps);
                self.uses.extend(part.path.iter().map(|channel| (step, *channel)));
            }
        }
        self.uses.sort_unstable();
        if let Some(twice) = self.uses.windows(2).find(|pair| pair[0] == pair[1]) {
            let (step, channel) = twice[0];
            let step = residue(i128::from(step) + i128::from(way.first), round.steps);
            let channel = self.table.channel(self.form, dimension, way.place, channel);
            return Err(Fault::Shared { step: self.table.starts[number] + step, channel });
        }
        self.known.insert(key);
        Ok(())
    }
}

/// How far each sum is from the first.
fn apart(sums: &[u64], steps: u64) -> Vec<u64> {
    sums.iter().map(|sum| residue(i128::from(*sum) - i128::from(sums[0]), steps)).collect()
}

/// The slot of each digit of a class, by the part that ends there, or begins there.
#[derive(Default)]
struct Ends {
    /// The place of each list, by dimension, class and whether it is of ends.
    places: HashMap<(usize, usize, bool), usize>,
    lists: Vec<Vec<u32>>,
}

impl Ends {
    fn of(&mut self, form: &ProductSchedule, dimension: usize, class: usize, ends: bool) -> Result<usize, Fault> {
        if let Some(place) = self.places.get(&(dimension, class, ends)) {
            return Ok(*place);
        }
        let side = &form.dimensions[dimension];
        let does = if ends { "receive" } else { "send" };
        let mut slots = vec![None; side.size as usize];
        for part in &side.classes[class] {
            let Part { from, to, slot, .. } = part;
            let digit = if ends { *to } else { *from };
            if slots[digit as usize].replace(*slot).is_some() {
                return Err(Fault::NotOnce { dimension, class, digit, does });
            }
        }
        let of = |(digit, slot): (u32, Option<u32>)| slot.ok_or(Fault::NotOnce { dimension, class, digit, does });
        self.lists.push((0..).zip(slots).map(of).collect::<Result<_, _>>()?);
        self.places.insert((dimension, class, ends), self.lists.len() - 1);
        Ok(self.lists.len() - 1)
    }
}

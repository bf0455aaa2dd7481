//! **What:** how often each latency occurred, in bounded memory: exact below 256 cycles, to one part in 128 above.

/// Bits that are kept of a number.
const KEPT: u32 = 8;

/// Counts of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    most: u64,
}

impl Histogram {
    /// Where a number is counted.
    fn place(number: u64) -> usize {
        let extra = (64 - number.leading_zeros()).saturating_sub(KEPT);
        // At most 57 * 128 + 255.
        (u64::from(extra) * (1 << (KEPT - 1)) + (number >> extra)) as usize
    }

    /// The largest number that is counted at a place.
    fn number(place: usize) -> u64 {
        let half = 1usize << (KEPT - 1);
        let extra = (place / half).saturating_sub(1);
        let first = ((place - extra * half) as u64) << extra;
        first + ((1u64 << extra) - 1)
    }

    /// Counts a number.
    pub fn add(&mut self, number: u64) {
        let place = Self::place(number);
        if place >= self.counts.len() {
            self.counts.resize(place + 1, 0);
        }
        self.counts[place] += 1;
        self.count += 1;
        self.most = self.most.max(number);
    }

    /// How many were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The largest; 0 where there is none.
    #[must_use]
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The least number that a share of all does not exceed; 0 where there are none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> u64 {
        // Counts are far below 2^53.
        let wanted = (share * self.count as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        let reached = |count: &u64| {
            seen += count;
            seen >= wanted
        };
        self.counts.iter().position(reached).map_or(0, |place| Self::number(place).min(self.most))
    }
}

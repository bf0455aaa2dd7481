//! **What:** lists of lists in one allocation. While every list has one item, which is so of messages with one origin, of
//! transfers that carry one message and of paths of one channel, the items are all there is.

/// Lists, by their positions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pieces<T> {
    count: usize,
    items: Vec<T>,
    /// Where each list ends; empty as long as every list has one item.
    ends: Vec<usize>,
}

impl<T> Default for Pieces<T> {
    fn default() -> Self {
        Pieces { count: 0, items: Vec::new(), ends: Vec::new() }
    }
}

impl<T: Copy> Pieces<T> {
    /// Makes room for so many items more, and no more than that; whether there is the memory for it.
    pub fn reserve(&mut self, items: usize) -> bool {
        self.items.try_reserve_exact(items).is_ok()
    }

    /// Adds a list.
    #[inline]
    pub fn push(&mut self, list: &[T]) {
        if self.ends.is_empty() && list.len() != 1 {
            self.ends.extend(1..=self.count);
            self.ends.push(self.count + list.len());
        } else if !self.ends.is_empty() {
            self.ends.push(self.items.len() + list.len());
        }
        self.items.extend_from_slice(list);
        self.count += 1;
    }

    /// The list at a position.
    #[inline(always)]
    pub fn of(&self, at: usize) -> &[T] {
        if self.ends.is_empty() {
            return std::slice::from_ref(&self.items[at]);
        }
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[at]]
    }

    /// Whether every list has one item.
    pub fn are_single(&self) -> bool {
        self.ends.is_empty()
    }

    /// Number of lists.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The items of all lists, one list after the other.
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Every list so many times, the copies of one following each other.
    pub fn repeated(&self, times: u32) -> Self {
        let mut pieces = Pieces::default();
        for at in 0..self.count {
            (0..times).for_each(|_| pieces.push(self.of(at)));
        }
        pieces
    }
}

//! **What:** messages in classes by how rare they are, so that a receiver need not look at all of them.

/// Classes that many messages are divided into.
const CLASSES: usize = 8;

/// Where there are fewer messages, or a receiver lacks fewer, it looks at all of them.
const MANY: usize = 512;
const LACKED: u32 = 128;

/// Messages that a receiver looks at together for each of its channels.
const LOOKS_A_CHANNEL: usize = 4;

/// Bitsets of messages, one a class.
#[derive(Clone)]
pub(super) struct Rarity {
    classes: usize,
    words: usize,
    /// By class and word.
    members: Vec<u64>,
    /// Messages by rarity, and where those of each count begin.
    order: Vec<u32>,
    begins: Vec<usize>,
}

impl Rarity {
    /// For so many messages.
    pub(super) fn new(messages: usize) -> Self {
        let classes = if messages < MANY { 1 } else { CLASSES };
        let words = messages.div_ceil(64).max(1);
        Rarity {
            classes,
            words,
            members: vec![u64::MAX; classes * words],
            order: vec![0; messages],
            begins: Vec::new(),
        }
    }

    /// Divides messages into classes of the same size by how many copies there are of each.
    pub(super) fn divide(&mut self, counts: &[u32]) {
        if self.classes == 1 {
            return;
        }
        let most = counts.iter().copied().max().unwrap_or(0) as usize;
        self.begins.clear();
        self.begins.resize(most + 2, 0);
        counts.iter().for_each(|count| self.begins[*count as usize + 1] += 1);
        for count in 0..=most {
            self.begins[count + 1] += self.begins[count];
        }
        for (number, count) in (0..).zip(counts) {
            let place = &mut self.begins[*count as usize];
            self.order[*place] = number;
            *place += 1;
        }
        self.members.fill(0);
        let size = counts.len().div_ceil(self.classes);
        for (members, numbers) in self.members.chunks_mut(self.words).zip(self.order.chunks(size)) {
            numbers.iter().for_each(|number| members[*number as usize / 64] |= 1 << (number % 64));
        }
    }

    /// In what order a receiver that lacks so many messages looks at them.
    pub(super) fn order(&self, lacking: u32, channels: usize) -> Order<'_> {
        let members = &self.members[..];
        if self.classes == 1 || lacking < LACKED {
            return Order { members: &[], words: 1, together: usize::MAX };
        }
        Order { members, words: self.words, together: LOOKS_A_CHANNEL * channels }
    }
}

/// In what order messages are looked at: class by class, and so many of a class together.
pub(super) struct Order<'a> {
    members: &'a [u64],
    words: usize,
    pub together: usize,
}

impl<'a> Order<'a> {
    /// The bitsets of the classes, the rarest first; one empty one where there are no classes.
    pub(super) fn classes(&self) -> impl Iterator<Item = &'a [u64]> {
        let whole = self.members.is_empty().then_some(&[][..]);
        whole.into_iter().chain(self.members.chunks(self.words))
    }
}

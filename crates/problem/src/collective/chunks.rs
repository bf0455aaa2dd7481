//! **What:** messages cut into equal chunks.

use super::{Collective, CollectiveError};
use crate::Message;

impl Collective {
    /// Every message cut into `chunks` equal chunks, each a message of its own: they follow each other in the place of
    /// the whole. None is as good as one.
    pub fn in_chunks(&self, chunks: u32) -> Self {
        let chunks = chunks.max(1);
        let all = self.chunks().saturating_mul(chunks);
        self.with(self.semantics(), self.inner.messages.repeated(chunks), all)
    }

    /// The same messages, known to be runs of `chunks` equal ones: what [`Collective::in_chunks`] made.
    ///
    /// # Errors
    /// [`CollectiveError::Chunks`] where they are not.
    pub fn known_in_chunks(&self, chunks: u32) -> Result<Self, CollectiveError> {
        if chunks == self.chunks() {
            return Ok(self.clone());
        }
        let known = || self.with(self.semantics(), self.inner.messages.clone(), chunks);
        if self.product().is_some_and(|product| chunks > 0 && product.repeats().is_multiple_of(chunks)) {
            return Ok(known());
        }
        if self.as_reduction().is_some_and(|all| chunks > 0 && all.repeats().is_multiple_of(chunks)) {
            return Ok(known());
        }
        let run = (chunks as usize).max(1);
        let alike = |a: Message, b: Message| {
            self.contributors(a) == self.contributors(b) && self.destinations(a) == self.destinations(b)
        };
        let strays = |m: &Message| !alike(*m, Message::new(m.index() / run * run));
        let count = u32::try_from(self.message_count()).unwrap_or(u32::MAX);
        // Of a run cut short, the last message is the stray one.
        let last = count.checked_sub(1).filter(|_| chunks == 0 || !self.message_count().is_multiple_of(run));
        match (0..count).map(Message).find(strays).or(last.map(Message)) {
            Some(message) => Err(CollectiveError::Chunks { message: message.0, chunks }),
            None => Ok(known()),
        }
    }
}

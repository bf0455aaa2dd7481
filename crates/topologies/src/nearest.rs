//! The name that is meant by one that is not quite right, such as `tours`.

/// Letters of names that begin alike where one stands for another.
const SHORT: usize = 4;

/// The name most like `text`, where one is like it at all.
pub fn nearest<'a>(text: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = text.to_ascii_lowercase();
    let number = last_number(&plain);
    // The beginning of a name stands for it, and almost so what it holds; else few letters may differ.
    let distance = |name: &str| {
        let letters = strsim::damerau_levenshtein(&plain, name);
        match plain.len() > 2 {
            true if name.starts_with(&plain) => letters.min(1),
            true if name.contains(&plain) => letters.min(2),
            _ => letters,
        }
    };
    let score = |name: &'a str| {
        let lower = name.to_ascii_lowercase();
        let same_end = plain.bytes().rev().zip(lower.bytes().rev()).take_while(|(a, b)| a == b).count();
        Score {
            distance: distance(&lower),
            other_number: last_number(&lower) != number,
            other_end: usize::MAX - same_end,
            name,
        }
    };
    let most = 1 + plain.len() / 3;
    // A text much longer than names is like none of them, and would take long to compare.
    let letters = plain.chars().count();
    let alike = names.filter(|name| letters <= name.len() + most);
    let Score { distance, name, .. } = alike.map(score).min_by_key(|score| score.key())?;
    let lower = name.to_ascii_lowercase();
    // Of few letters one makes another word, such as `bmda` and `umda`.
    let is_other = plain.len() <= SHORT && !lower.contains(&plain) && lower.chars().next() != plain.chars().next();
    (distance <= most && !is_other).then_some(name)
}

/// How far a name is from a text, and of names as far what else tells which is meant.
struct Score<'a> {
    distance: usize,
    /// Whether it ends with another number: `cpu0` instead of `cpu7` for `cpu07`.
    other_number: bool,
    /// The less, the longer the end that both have.
    other_end: usize,
    name: &'a str,
}

impl Score<'_> {
    fn key(&self) -> (usize, bool, usize) {
        (self.distance, self.other_number, self.other_end)
    }
}

/// The number that a name ends with.
fn last_number(text: &str) -> Option<u64> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    text[text.len() - digits..].parse().ok()
}

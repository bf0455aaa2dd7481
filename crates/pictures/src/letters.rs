//! **What:** how wide a text is drawn, so that what holds it is large enough.
//!
//! **Source:** the advance widths of DejaVu Sans, in which images are drawn and which other viewers are told to take first.

/// Thousandths of the size of the font, from the space to the tilde.
const WIDTHS: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863,
    748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635,
    615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636,
    337, 636, 838,
];

/// What a letter beyond ASCII takes at most, but for those of East Asia, which are squares.
const OTHERS: u16 = 838;

/// The width of a text in letters of size 1.
pub(crate) fn width(text: &str) -> f64 {
    let of = |letter: char| match (letter as usize).checked_sub(0x20).and_then(|at| WIDTHS.get(at)) {
        Some(width) => *width,
        None if letter == '…' || letter as usize >= 0x1100 => 1000,
        None => OTHERS,
    };
    text.chars().map(|letter| f64::from(of(letter))).sum::<f64>() / 1000.0
}

/// A text of at most so many letters: all of it, its beginning, or its end.
pub(crate) fn cut(text: &str, most: usize, end: bool) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let kept = most.saturating_sub(1);
    match end {
        true => std::iter::once('…').chain(text.chars().skip(count - kept)).collect(),
        false => text.chars().take(kept).chain(['…']).collect(),
    }
}

//! **What:** permutations of a few symbols, numbered in the order of their words.

/// Most symbols: 9! nodes.
pub(crate) const MOST: u32 = 9;

/// A permutation as the word of its symbols.
pub(crate) type Word = Vec<u8>;

/// Number of permutations of so many symbols.
pub(crate) fn count(symbols: u32) -> u32 {
    (1..=symbols).product()
}

/// The word of a number: 0 is the one in ascending order.
pub(crate) fn word(number: u32, symbols: u32) -> Word {
    let mut left: Word = (0..symbols).map(|s| u8::try_from(s).expect("few symbols")).collect();
    let (mut rest, mut word) = (number, Word::new());
    for others in (0..symbols).rev() {
        let each = count(others);
        word.push(left.remove((rest / each) as usize));
        rest %= each;
    }
    word
}

/// The number of a word.
pub(crate) fn number(word: &[u8]) -> u32 {
    let smaller = |at: usize| word[at + 1..].iter().filter(|symbol| **symbol < word[at]).count();
    (0..word.len()).fold(0, |sum, at| sum * u32::try_from(word.len() - at).expect("few symbols") + smaller(at) as u32)
}

/// One permutation after another: at a place the symbol that the first has at the symbol there of the other.
pub(crate) fn product(symbols: u32, one: u32, other: u32) -> u32 {
    let names = word(one, symbols);
    number(&word(other, symbols).into_iter().map(|symbol| names[usize::from(symbol)]).collect::<Word>())
}

/// What maps of the places generate, as links between words and their images, each once.
pub(crate) fn links(symbols: u32, images: impl Fn(&[u8]) -> Vec<Word>) -> impl Iterator<Item = (u32, u32)> {
    (0..count(symbols)).flat_map(move |v| {
        let all: Vec<u32> = images(&word(v, symbols)).iter().map(|image| number(image)).collect();
        all.into_iter().filter(move |w| v < *w).map(move |w| (v, w))
    })
}

/// Two symbols exchanged, and all symbols turned: these move any word to any other and keep what maps of the places generate.
pub(crate) fn renamings(symbols: u32) -> Vec<Vec<u32>> {
    let renamed = |name: &dyn Fn(u8) -> u8| {
        let image = |v| number(&word(v, symbols).iter().map(|symbol| name(*symbol)).collect::<Word>());
        (0..count(symbols)).map(image).collect()
    };
    let last = u8::try_from(symbols).expect("few symbols") - 1;
    let exchanged = |symbol: u8| if symbol < 2 { 1 - symbol } else { symbol };
    vec![renamed(&exchanged), renamed(&|symbol| if symbol == last { 0 } else { symbol + 1 })]
}

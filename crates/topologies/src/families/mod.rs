//! One family of networks a file.

pub mod amp;
pub mod banyan_hypercube;
pub mod baseline;
pub mod benes;
pub mod binary_tree;
pub mod butterfly;
pub mod butterfly_butterfly;
pub mod ccc;
pub mod circulant;
pub mod clos;
pub mod complete;
pub mod debruijn;
pub mod dgx1;
pub mod dgx2;
pub mod dgx_a100;
pub mod dgx_h100;
pub mod dragonfly;
pub mod dual_cube;
pub mod fat;
pub mod fat_tree;
pub mod flip;
pub mod full_tree;
pub mod generalized_hypercube;
pub mod gft;
pub mod hdn;
pub mod heawood;
pub mod hoffman_singleton;
pub mod hypercube;
pub mod kautz;
pub mod kring;
pub mod levi;
pub mod mesh;
pub mod mi250x;
pub mod mi300x;
pub mod midimew;
pub mod multi_spidergon;
pub mod multiring;
pub mod ndv2;
pub mod omega;
pub mod opened;
pub mod pancake;
pub mod petersen;
pub mod pgft;
pub mod product;
pub mod random_regular;
pub mod rdn;
pub mod reverse_baseline;
pub mod reverse_butterfly;
pub mod ring;
pub mod ring_uni;
pub mod shuffle;
pub mod spidergon;
pub mod spidergon_cascade;
pub mod star;
pub mod swapped_dragonfly;
pub mod swapped_hypercube;
pub mod torus;
pub mod tpu_v4;
pub mod twisted_cube;
pub mod utility;
pub mod xgft;

use crate::build;
use crate::levels::{Levels, Numbering};
use crate::spec::{Arguments, SpecError};

/// Numbers joined to a specification.
fn joined(numbers: &[u32], separator: &str) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(separator)
}

/// Links between neighbours of a grid; closed to rings where a size is at least 3 and `closed`.
fn grid_links(sizes: &[u32], closed: bool) -> Vec<(u32, u32)> {
    let nodes: u32 = sizes.iter().product();
    let mut links = Vec::new();
    for node in 0..nodes {
        let mut at = build::digits(node, sizes);
        for (d, &size) in sizes.iter().enumerate() {
            let here = at[d];
            if here + 1 < size || (closed && size > 2) {
                at[d] = (here + 1) % size;
                links.push((node, build::node_of(&at, sizes)));
                at[d] = here;
            }
        }
    }
    links
}

/// The automorphism that moves every node by one along dimension `d` of a closed grid.
fn shift(sizes: &[u32], d: usize) -> Vec<u32> {
    let nodes: u32 = sizes.iter().product();
    let moved = |node| {
        let mut at = build::digits(node, sizes);
        at[d] = (at[d] + 1) % sizes[d];
        build::node_of(&at, sizes)
    };
    (0..nodes).map(moved).collect()
}

/// Links of a circulant network: node i is joined to i + s for every stride s. Strides are distinct and at most n/2.
fn circulant_links(nodes: u32, strides: &[u32]) -> Vec<(u32, u32)> {
    let reach = |s: u32| if 2 * s == nodes { s } else { nodes };
    strides.iter().flat_map(|&s| (0..reach(s)).map(move |v| (v, (v + s) % nodes))).collect()
}

/// Links of a cubic graph from its LCF code, repeated round a Hamiltonian cycle.
fn lcf_links(nodes: u32, code: &[i64]) -> Vec<(u32, u32)> {
    let n = i64::from(nodes);
    let jump = |v: u32| {
        let to = (i64::from(v) + code[v as usize % code.len()]).rem_euclid(n);
        u32::try_from(to).expect("a remainder of a u32")
    };
    let chords = (0..nodes).map(|v| (v, jump(v))).filter(|(v, w)| v < w);
    (0..nodes).map(|v| (v, (v + 1) % nodes)).chain(chords).collect()
}

/// Sum of distances over ordered pairs of the leaves of a binary tree: 2^(h − 1) leaves lie 2h hops from each.
fn tree_distances(leaves: u32) -> u128 {
    let from_one: u128 = (1..=leaves.ilog2()).map(|h| u128::from(h) << h).sum();
    u128::from(leaves) * from_one
}

/// Words of `length` letters below `letters`, in lexicographic order.
fn words(letters: u32, length: u32) -> Vec<Vec<u32>> {
    let mut words = vec![Vec::new()];
    for _ in 0..length {
        let longer = |word: &Vec<u32>| {
            let word = word.clone();
            (0..letters).map(move |letter| [word.clone(), vec![letter]].concat())
        };
        words = words.iter().flat_map(longer).collect();
    }
    words
}

/// Each word sends to the words that drop its first letter and append one; labels are the words.
fn shift_network(name: String, letters: u32, words: &[Vec<u32>]) -> kernel::Network {
    let number = |word: &[u32]| words.binary_search_by(|w| w.as_slice().cmp(word)).ok();
    let mut channels = Vec::new();
    for (from, word) in (0u32..).zip(words) {
        for letter in 0..letters {
            let next = [&word[1..], &[letter]].concat();
            match number(&next).and_then(|to| u32::try_from(to).ok()) {
                Some(to) if to != from => channels.push((from, to)),
                _ => {}
            }
        }
    }
    build::directed_labelled(name, words.iter().map(|word| spelled(letters, word)).collect(), channels)
}

/// The label of a word; points part letters that may have two digits.
fn spelled(letters: u32, word: &[u32]) -> String {
    joined(word, if letters <= 10 { "" } else { "." })
}

/// Lists of numbers of at least 1, parted by `;`, all as long as the first; `names` are those of their numbers.
fn lists(a: &Arguments<'_>, names: &[&str]) -> Result<Vec<Vec<u32>>, SpecError> {
    let parts: Vec<&str> = a.rest.split(';').collect();
    if parts.len() != names.len() {
        return Err(a.form());
    }
    let numbers = |(part, name): (&&str, &&str)| -> Result<Vec<u32>, SpecError> {
        part.split(',').map(|text| a.number(name, text, 1..=1 << 16)).collect()
    };
    let lists: Vec<Vec<u32>> = parts.iter().zip(names).map(numbers).collect::<Result<_, _>>()?;
    match lists.iter().zip(names).find(|(list, _)| list.len() != lists[0].len()) {
        Some((list, name)) => Err(a.range(
            format!("the number of {name}s"),
            list.len(),
            format!("{}, as many as {}s", lists[0].len(), names[0]),
        )),
        None => Ok(lists),
    }
}

/// Levels of switches above at least two terminals.
fn levels(
    a: &Arguments<'_>,
    children: &[u32],
    parents: &[u32],
    cables: &[u32],
    numbering: Numbering,
) -> Result<Levels, SpecError> {
    if children.iter().all(|m| *m == 1) {
        return Err(a.range("the number of terminals", 1, "at least 2"));
    }
    Levels::new(children, parents, cables, numbering).ok_or_else(|| a.too_large())
}

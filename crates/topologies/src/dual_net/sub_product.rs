//! **What:** how a super-node is written: a sub-product of the base.
//!
//! `1` is a single node; `2x3` has the first free dimensions of these sizes; `d0xd2` has dimensions by number, counted from 0;
//! a number that is no dimension's size is the number of nodes of the first sub-product that has so many.

/// The dimensions of a text, ascending; `None` where it names no sub-product.
pub(super) fn read(text: &str, sizes: &[u32]) -> Option<Vec<usize>> {
    if text == "1" {
        return Some(Vec::new());
    }
    let mut dims: Vec<usize> = Vec::new();
    for term in text.split('x') {
        let found = match term.strip_prefix('d') {
            Some(number) => digits(number).filter(|d| *d < sizes.len() && !dims.contains(d)),
            None => {
                let size = digits(term).filter(|s| *s > 1)?;
                (0..sizes.len()).find(|d| sizes[*d] as usize == size && !dims.contains(d))
            }
        };
        match found {
            Some(dim) => dims.push(dim),
            None if !text.contains(['x', 'd']) => return of_size(digits(text)? as u64, sizes),
            None => return None,
        }
    }
    dims.sort_unstable();
    Some(dims)
}

fn digits(text: &str) -> Option<usize> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

/// The first sub-product of so many nodes.
fn of_size(nodes: u64, sizes: &[u32]) -> Option<Vec<usize>> {
    fn search(left: u64, from: usize, sizes: &[u32], dims: &mut Vec<usize>) -> bool {
        if left == 1 {
            return true;
        }
        // Of equal sizes, what fails with the first fails with the others.
        for d in from..sizes.len() {
            let size = u64::from(sizes[d]);
            if size > 1 && left.is_multiple_of(size) && (d == from || sizes[d] != sizes[d - 1]) {
                dims.push(d);
                if search(left / size, d + 1, sizes, dims) {
                    return true;
                }
                dims.pop();
            }
        }
        false
    }
    let mut dims = Vec::new();
    (nodes > 1 && search(nodes, 0, sizes, &mut dims)).then_some(dims)
}

/// The text that [`read`] takes for these dimensions.
pub(super) fn write(dims: &[usize], sizes: &[u32]) -> String {
    if dims.is_empty() {
        return "1".into();
    }
    let join = |text: &dyn Fn(usize) -> String| dims.iter().map(|d| text(*d)).collect::<Vec<_>>().join("x");
    let by_size = join(&|d| sizes[d].to_string());
    if read(&by_size, sizes).as_deref() == Some(dims) { by_size } else { join(&|d| format!("d{d}")) }
}

/// What an S must be, for an error.
pub(super) fn must(sizes: &[u32], base: &str) -> String {
    match sizes {
        [only] => format!("1 or {only}: {base} is not a product of smaller networks"),
        _ => {
            let list = sizes.iter().map(u32::to_string).collect::<Vec<_>>().join("x");
            format!(
                "a sub-product of {base}: 1 for a single node, sizes of different dimensions of {list} joined by x, \
                 dimensions such as d0xd1, or the number of nodes of one"
            )
        }
    }
}

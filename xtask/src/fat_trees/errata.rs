//! **What:** the table of errata of F. Magliocca's thesis (Rome 2021), each with a count that proves it, counted anew.

use super::opened::{Down, Opened};
use constructions::partition::{Partition, Squares};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// One line of the table.
pub(super) struct Erratum {
    /// Where it stands.
    place: &'static str,
    /// What is printed.
    printed: &'static str,
    /// What is right.
    right: &'static str,
    /// The count, as it comes out.
    count: fn() -> String,
}

const fn gft(h: usize, m: usize, w: usize) -> Opened {
    Opened { h, m, w }
}

/// `a of n` for each of some trees.
fn counts(trees: &[Opened], good: impl Fn(&Opened) -> usize) -> String {
    let one = |t: &Opened| format!("`gft:{},{},{}` {} of {}", t.h, t.m, t.w, good(t), t.terminals());
    trees.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// As printed: a switch's number in its subtree is what is compared, not the digits of its sources.
fn natural(tree: &Opened, k: usize, down: Down<'_>) -> usize {
    match down.x {
        0 => k % tree.w,
        x => {
            let below = tree.below(x);
            (k / below + usize::from(down.a % tree.roots(x) < k % below)) % tree.m
        }
    }
}

/// As printed: Wˣ in the place of W·M^(x−1); `order` is compared.
fn powers(tree: &Opened, k: usize, down: Down<'_>, order: usize) -> usize {
    match down.x {
        0 => k % tree.w,
        x => (k / tree.roots(x) + usize::from(order < k % tree.roots(x))) % tree.m,
    }
}

/// Algorithm 1 run as it stands: labels missing, labels that are of no switch, and wrong states.
fn verbatim(tree: Opened, k: usize) -> (usize, usize, usize) {
    let mut set = BTreeMap::new();
    for x in 0..=tree.h {
        let (wx, mut c) = (tree.roots(x), 0);
        for _ in 0..=tree.roots(tree.h - x) {
            let mut last = c;
            for j in c..=k % wx + c {
                set.insert((x, j), (k / wx % tree.m + 1) % tree.m);
                last = j;
            }
            c = last + 1;
            for j in k % wx + c..=wx + c {
                set.insert((x, j), k / wx % tree.m);
                last = j;
            }
            c = last + 1;
        }
    }
    let passes = vec![0; tree.h + 1];
    let level = |x: usize| tree.roots(x) * tree.terminals() / tree.w / tree.m.pow(u32::try_from(x).unwrap_or(0));
    let labels = || (0..=tree.h).flat_map(|x| (0..level(x)).map(move |a| (x, a)));
    let known: BTreeSet<_> = labels().collect();
    let wrong = |(x, a): &(usize, usize)| {
        let right = tree.right(Down { x: *x, a: *a, passes: &passes }, k);
        set.get(&(*x, *a)).is_some_and(|state| *state != right)
    };
    (
        labels().filter(|label| !set.contains_key(label)).count(),
        set.keys().filter(|label| !known.contains(label)).count(),
        labels().filter(wrong).count(),
    )
}

/// The top of Algorithm 2: which nodes are one further, and from what base they start.
fn slimmed_top(tree: &Opened, k: usize, down: Down<'_>, base: usize) -> usize {
    let (wh, all) = (tree.roots(tree.h), tree.passes() * tree.roots(tree.h));
    // Passes count from 1, and the only level that has several is the one below the top.
    let (pass, rest) = (down.passes[tree.h - 1] + 1, k % all);
    let order = tree.low(Down { passes: &vec![0; tree.h + 1], ..down });
    let further = pass <= rest / wh || (pass == rest / wh + 1 && order < rest % wh);
    (base + usize::from(further)) % tree.m
}

/// Algorithm 2 with all corrections but at the top.
fn slimmed(tree: &Opened, divisor: usize) -> usize {
    tree.rotations_by_states(|k, down| match down.x == tree.h {
        true => slimmed_top(tree, k, down, k / divisor),
        false => tree.right(down, k),
    })
}

/// The states of a switch with W inputs and M outputs, as printed.
fn printed_state(tree: &Opened, q: usize, i: usize) -> usize {
    let (m, w) = (tree.m, tree.w);
    match q {
        q if q < w => {
            if i < q {
                m - q + i
            } else {
                i - q
            }
        }
        q => i + w - q % w,
    }
}

/// How much of a rotation arrives in so many passes, the same at every level.
fn delivered(tree: &Opened) -> String {
    let arrives = |p: usize| {
        let passes: Vec<usize> = (0..=tree.h).map(|x| if x == 0 || x == tree.h { 0 } else { p }).collect();
        let sent = tree.pass(&passes, &|down, i| tree.turned(down, tree.right(down, 1), i));
        sent.into_iter().flatten().count()
    };
    let all: usize = (0..tree.passes()).map(arrives).sum();
    format!("`gft:{},{},{}` {} %", tree.h, tree.m, tree.w, 100 * all / tree.terminals())
}

/// The squares of the eight-terminal tree.
fn squares() -> Option<Partition> {
    Partition::new(topologies::topology("gft:2,2,2").ok()?.levels()?)
}

/// The printed representative i: its twelve binary digits fill the columns one after the other, the top first.
fn columns(i: u32) -> Vec<Vec<u32>> {
    (0..3).map(|column| (0..4).map(|row| i >> (11 - 4 * column - row) & 1).collect()).collect()
}

fn representatives() -> String {
    let Some(partition) = squares() else { return String::new() };
    let square = |i| (0..8).map(|row| partition.permutation(&columns(i), row)).collect::<BTreeSet<_>>();
    let all: BTreeSet<_> = (0..512).map(square).collect();
    let met: BTreeSet<_> = all.iter().flatten().collect();
    let same = if square(6) == square(9) { "the same" } else { "another" };
    format!("{} squares, {} permutations of 4096; i = 9 gives {same} square as i = 6", all.len(), met.len())
}

fn first_row(i: u32) -> String {
    let Some(partition) = squares() else { return String::new() };
    let sent = partition.permutation(&columns(i), 0);
    let comes_from = |t: u32| sent.iter().position(|to| *to == t).map_or(String::new(), |from| from.to_string());
    (0..8).map(comes_from).collect()
}

/// Exclusive or on a slimmed tree, with what the pass does to a state.
fn slimmed_xor(tree: &Opened, turn: impl Fn(usize, usize) -> usize) -> usize {
    let output = |l: usize, down: Down<'_>, i: usize| match down.x {
        0 => i ^ (l % tree.w),
        x => i ^ turn(l / tree.below(x) % tree.m, tree.w * down.passes[x]),
    };
    tree.good(output, |l, from| from ^ l)
}

/// All states of the two stages that have any, on the tree of one terminal a leaf: different permutations.
fn permutations_of_four() -> usize {
    let tree = gft(2, 2, 1);
    let one = |bits: usize| {
        let state = |down: Down<'_>| match down.x {
            2 => bits & 1,
            1 => (bits >> (1 + down.a)) & 1 ^ down.passes[1],
            _ => 0,
        };
        let mut to = vec![None; 4];
        for p in 0..2 {
            let sent = tree.pass(&[0, p, 0], &|down, i| i ^ state(down));
            to.iter_mut().zip(sent).for_each(|(to, sent)| *to = to.or(sent));
        }
        to
    };
    (0..8).map(one).collect::<BTreeSet<_>>().len()
}

/// Whether the first column of the printed program has every input once.
fn first_column(h: u32, m: usize, w: usize) -> String {
    let all: BTreeSet<usize> = (0..w.pow(h)).flat_map(|j| (0..m).map(move |i| j + m * w * i)).collect();
    let n = m * w.pow(h);
    format!("`gft:{h},{m},{w}` {} of {n}", all.iter().filter(|x| **x < n).count())
}

const ERRATA: &[Erratum] = &[
    Erratum {
        place: "4.1.1",
        printed: "state i takes input k to output i − k",
        right: "to k − i; else no state of more than two ports is straight",
        count: || {
            let trees = [gft(2, 3, 3), gft(2, 4, 4), gft(3, 3, 3)];
            let reflected = |t: &Opened| {
                t.rotations(|k, down, i| {
                    let of = if down.x == 0 { t.w } else { t.m };
                    (t.right(down, k) + of - i % of) % of
                })
            };
            let right = |t: &Opened| t.rotations_by_states(|k, down| t.right(down, k));
            format!("i − k: {}; k − i: {}", counts(&trees, reflected), counts(&trees, right))
        },
    },
    Erratum {
        place: "4.1.3, Algorithm 1",
        printed: "the first k mod wˣ switches of a subtree are one state further",
        right: "those whose number is less when its digits are read from the other end, by the printed wiring",
        count: || {
            let trees = [gft(2, 2, 2), gft(3, 2, 2), gft(2, 4, 4)];
            counts(&trees, |t| t.rotations_by_states(|k, down| natural(t, k, down)))
        },
    },
    Erratum {
        place: "4.1.3, Algorithm 1",
        printed: "loops with ≤, c changed between them, i up to w^(h−x)",
        right: "<, c changed once behind them, i below m^(h−x)",
        count: || {
            let (missing, strange, wrong) = verbatim(gft(2, 2, 2), 5);
            format!(
                "run as printed, k = 5 on `gft:2,2,2`: {missing} of 12 switches get no state, {strange} that do not exist get one, {wrong} get a wrong one"
            )
        },
    },
    Erratum {
        place: "4.1.3, “any GFT”",
        printed: "wˣ",
        right: "w·m^(x−1), the terminals below a child; the same only where m = w",
        count: || {
            let trees = [gft(2, 2, 3), gft(2, 3, 4)];
            let alone = counts(&trees, |t| t.rotations_by_states(|k, down| powers(t, k, down, t.low(down))));
            let printed = |t: &Opened| t.rotations_by_states(|k, down| powers(t, k, down, down.a % t.roots(down.x)));
            format!("{alone}; with E2 {}", counts(&trees, printed))
        },
    },
    Erratum {
        place: "4.1.3, examples 1 and 2",
        printed: "leaves in state k mod w⁰, taken modulo 1",
        right: "modulo w",
        count: || {
            let leaves = |t: &Opened| t.rotations_by_states(|k, down| if down.x == 0 { 0 } else { t.right(down, k) });
            counts(&[gft(2, 2, 2)], leaves)
        },
    },
    Erratum {
        place: "4.2.3, Algorithm 2",
        printed: "at the top base ⌊k/wˣ⌋; in the example ⌊k/(⌈m/w⌉·w^h)⌋",
        right: "⌊k/(w·m^(h−1))⌋",
        count: || {
            let code = counts(&[gft(2, 4, 2)], |t| slimmed(t, t.roots(t.h)));
            let example = [gft(2, 4, 2), gft(2, 3, 2), gft(2, 5, 2)];
            let example = counts(&example, |t| slimmed(t, t.passes() * t.roots(t.h)));
            format!("all else corrected, by the algorithm {code}; by the example {example}")
        },
    },
    Erratum {
        place: "4.2.1",
        printed: "state i ≥ w takes input k to output k + w − (i mod w)",
        right: "to k − i modulo m; the same only where m = 2w",
        count: || {
            let printed = |t: &Opened| {
                t.rotations(|k, down, i| {
                    let q = t.right(down, k);
                    match down.x {
                        x if x == 0 || x == t.h => t.turned(down, q, i),
                        x => printed_state(t, (q + t.m - t.w * down.passes[x] % t.m) % t.m, i),
                    }
                })
            };
            counts(&[gft(2, 4, 2), gft(2, 8, 2)], printed)
        },
    },
    Erratum {
        place: "4.2.3",
        printed: "pass p adds w·(p−1) to the state",
        right: "takes it away; the same only where m = 2w",
        count: || {
            let added = |t: &Opened| {
                t.rotations(|k, down, i| {
                    let of = if down.x == 0 { t.w } else { t.m };
                    let q = t.right(down, k) + t.w * down.passes[down.x];
                    (i + of * of - q % of) % of
                })
            };
            let right = |t: &Opened| t.rotations_by_states(|k, down| t.right(down, k));
            let trees = [gft(2, 4, 2), gft(2, 8, 2)];
            format!("added: {}; taken away: {}", counts(&trees, added), counts(&trees, right))
        },
    },
    Erratum {
        place: "4.2.3, example k = 3",
        printed: "in pass 2 the first switch of level 1 is in state 3; ⌈8/4⌉ passes; p ≤ ⌊m/w⌋",
        right: "2 + 2 modulo 4 is 0; ⌈4/2⌉; p ≤ ⌈m/w⌉",
        count: || {
            let tree = gft(2, 4, 2);
            let q = tree.right(Down { x: 1, a: 0, passes: &[0, 1, 0] }, 3);
            format!("state {}", (q + tree.m - tree.w) % tree.m)
        },
    },
    Erratum {
        place: "4.2",
        printed: "⌈m/w⌉ passes a rotation",
        right: "⌈m/w⌉^(h−1): each level below the top has its own",
        count: || {
            let trees = [gft(2, 4, 2), gft(3, 4, 2), gft(3, 2, 1), gft(3, 8, 4)];
            format!("arrive in ⌈m/w⌉ passes: {}", trees.each_ref().map(delivered).join(", "))
        },
    },
    Erratum {
        place: "5.1.2",
        printed: "the first h·log₂ m columns from the right stay 0",
        right: "from the left",
        count: || {
            let kept = (0..64).filter(|l| l % 16 == 0).count();
            format!("with the right ones 0, {kept} of the 64 rows of `gft:2,4,4` are left, and C⁶ is not among them")
        },
    },
    Erratum {
        place: "5.1.3, Figure 5.5",
        printed: "the square of M^(0,2)",
        right: "of M^(0,6)",
        count: || format!("first row by i = 6: {}, as printed; by i = 2: {}", first_row(6), first_row(2)),
    },
    Erratum {
        place: "5.1.3",
        printed: "the representatives are the numbers i ≤ m^((h+1)(m^h − 1)), by columns",
        right: "those with nothing but 0 in the first row, 512 on `gft:2,2,2`",
        count: representatives,
    },
    Erratum {
        place: "5.2.2",
        printed: "l below w^h; pass i adds w·(i−1) to a state",
        right: "l below w·m^h; exclusive or with w·(i−1)",
        count: || {
            let trees = [gft(2, 4, 2), gft(2, 8, 2)];
            let added = counts(&trees, |t| slimmed_xor(t, |digit, skipped| (digit + skipped) % t.m));
            let right = counts(&trees, |t| slimmed_xor(t, |digit, skipped| digit ^ skipped));
            format!("rows that are exclusive ors, added: {added}; or: {right}")
        },
    },
    Erratum {
        place: "5.2.3",
        printed: "the number of permutations is divided by ⌈m/w⌉; its exponent has one level",
        right: "it is not: every setting of the first pass fixes the others; the exponent sums over all levels",
        count: || {
            let found = permutations_of_four();
            format!("`gft:2,2,1`: {found} permutations, {} squares; printed 4 and 1", found / 4)
        },
    },
    Erratum {
        place: "5.1.3, Figure 5.6",
        printed: "the first column is j + m·w·i",
        right: "the top's inputs are w^h apart, which is m·w only for m = w and h = 2",
        count: || {
            let columns = [(1, 2, 2), (2, 2, 2), (3, 2, 2)].map(|(h, m, w)| first_column(h, m, w));
            format!("different inputs in it: {}", columns.join(", "))
        },
    },
    Erratum {
        place: "1.1.3, 1.1.5, 2.2.3, 3.1.1",
        printed: "a new top has k ≤ w^h − 1; hypercube labels have 2^m bits; allgather on a ring sends personalised messages",
        right: "k ≤ w^(h+1) − 1; m bits; every message goes to all",
        count: || {
            let tree = gft(2, 2, 2);
            format!("`gft:2,2,2` has {} switches at the top, printed {}", tree.roots(2), tree.roots(1))
        },
    },
];

/// The table in Markdown.
pub(super) fn table() -> String {
    let mut text = String::from("| | where | printed | right | counted |\n| --- | --- | --- | --- | --- |\n");
    for (number, erratum) in (1..).zip(ERRATA) {
        let Erratum { place, printed, right, count } = erratum;
        // A String takes whatever is written to it.
        let _ = writeln!(text, "| E{number} | {place} | {printed} | {right} | {} |", count());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that an independent program found.
    #[test]
    fn counts_agree_with_those_of_another_program() {
        let table = table();
        let row = |n: usize| table.lines().nth(n + 1).unwrap().to_owned();
        for (number, words) in [
            (1, "`gft:2,3,3` 0 of 27, `gft:2,4,4` 0 of 64, `gft:3,3,3` 0 of 81"),
            (1, "`gft:2,3,3` 27 of 27, `gft:2,4,4` 64 of 64, `gft:3,3,3` 81 of 81"),
            (2, "`gft:2,2,2` 6 of 8, `gft:3,2,2` 6 of 16, `gft:2,4,4` 12 of 64"),
            (3, "2 of 12 switches get no state, 29 that do not exist get one, 4 get"),
            (6, "by the algorithm `gft:2,4,2` 8 of 32; by the example `gft:2,4,2` 32 of 32, `gft:2,3,2` 7 of 18"),
            (6, "`gft:2,5,2` 11 of 50"),
            (7, "`gft:2,4,2` 32 of 32, `gft:2,8,2` 0 of 128"),
            (8, "`gft:2,8,2` 0 of 128; taken away: `gft:2,4,2` 32 of 32, `gft:2,8,2` 128 of 128"),
            (9, "state 0"),
            (10, "`gft:2,4,2` 100 %, `gft:3,4,2` 50 %, `gft:3,2,1` 50 %, `gft:3,8,4` 50 %"),
            (12, "by i = 6: 01325467, as printed; by i = 2: 01235467"),
            (13, "128 squares, 1024 permutations of 4096; i = 9 gives the same"),
            (14, "`gft:2,8,2` 64 of 128; or: `gft:2,4,2` 32 of 32, `gft:2,8,2` 128 of 128"),
            (15, "8 permutations, 2 squares"),
        ] {
            assert!(row(number).contains(words), "E{number}: `{words}` is not in: {}", row(number));
        }
    }
}

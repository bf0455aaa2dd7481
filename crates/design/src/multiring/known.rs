//! **What:** the best lengths known for given degree, hops and σ, each counted anew when it is asked for.
//!
//! **Facts:** kept in `known.tsv`; a line whose lengths do not have the σ it claims is as if it were not there, and a test looks
//! for such lines. `proved` says that every larger N up to the counting bound was exhausted by the search of this crate.
//!
//! **Source:** `quadrille design multiring --degree M --diameter D --parallelism S`

use super::bound::{self, Wanted};
use super::{Circulant, parallelism};

/// A network of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The network.
    pub circulant: Circulant,
    /// What it was searched for.
    pub wanted: Wanted,
    /// Whether all larger ones were exhausted.
    pub proved: bool,
}

const TABLE: &str = include_str!("known.tsv");

impl Known {
    /// The counting bound.
    pub fn at_most(&self) -> u64 {
        bound::at_most(&self.wanted).unwrap_or(u64::MAX)
    }
}

/// A line of the list; `None` where it is a comment or does not say what it should.
fn read(line: &str) -> Option<Known> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [hops, ways, degree, wanted, nodes, proved, lengths] = fields[..] else { return None };
    let symmetric = ways == "both";
    let lengths: Vec<u32> = lengths.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
    let nodes = nodes.parse().ok()?;
    let circulant =
        if symmetric { Circulant::both_ways(nodes, lengths) } else { Circulant::new(nodes, lengths) }.ok()?;
    let (degree, hops, wanted) = (degree.parse().ok()?, hops.parse().ok()?, wanted.parse().ok()?);
    let wanted = Wanted { degree, hops, parallelism: wanted, symmetric };
    Some(Known { circulant, wanted, proved: proved == "yes" })
}

/// All lines, unchecked.
pub fn all() -> impl Iterator<Item = Known> {
    TABLE.lines().filter_map(read)
}

fn holds(known: &Known) -> bool {
    let Wanted { degree, hops, parallelism: wanted, .. } = known.wanted;
    known.circulant.degree() == degree && parallelism(&known.circulant, hops) >= wanted
}

/// The most nodes known. Of lengths that may go one way, those that go both ways are not left out, but prove nothing of them.
pub fn best(degree: u32, hops: u32, parallelism: u64, symmetric: bool) -> Option<Known> {
    let fits = |k: &Known| {
        let w = k.wanted;
        (w.degree, w.hops) == (degree, hops) && w.parallelism >= parallelism && (w.symmetric || !symmetric) && holds(k)
    };
    let wanted = Wanted { degree, hops, parallelism, symmetric };
    let best = all().filter(fits).max_by_key(|k| (k.circulant.nodes(), k.proved && k.wanted == wanted))?;
    Some(Known { proved: best.proved && best.wanted == wanted, wanted, ..best })
}

/// A network with as many nodes as the paper's table 5 prints for this degree and σ, where the list has one.
pub fn printed(degree: u32, hops: u32, parallelism: u64) -> Option<Circulant> {
    let rows = super::paper::TABLE_5.rows.iter().find(|row| row.0 == degree)?.1;
    let nodes = *rows.get(usize::try_from(parallelism).ok()?.checked_sub(1)?)?;
    let fits = |k: &Known| (k.wanted.degree, k.wanted.hops, u64::from(k.circulant.nodes())) == (degree, hops, nodes);
    all().find(|k| fits(k) && k.wanted.parallelism >= parallelism && holds(k)).map(|k| k.circulant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_holds() {
        let lines = TABLE.lines().filter(|l| !l.starts_with('#')).count();
        let read: Vec<Known> = all().collect();
        assert_eq!(read.len(), lines);
        for known in &read {
            assert!(holds(known), "{:?}", known.wanted);
            assert!(u64::from(known.circulant.nodes()) <= known.at_most(), "{:?}", known.wanted);
            assert!(!known.wanted.symmetric || known.circulant.is_symmetric(), "{:?}", known.wanted);
        }
    }
}

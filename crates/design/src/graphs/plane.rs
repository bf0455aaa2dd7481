//! **What:** polarity networks of projective planes: the densest networks of diameter 2 that are known for most degrees.
//!
//! **Facts:** for a prime power q the points of the plane over the field of q elements, (x : y : z), are the nodes, and u and v
//! are joined where u·v = 0 and u ≠ v. That makes q² + q + 1 nodes, q + 1 of them of degree q (those with u·u = 0) and the others
//! of degree q + 1. Every two nodes have exactly one common neighbour or are it themselves, so the diameter is 2.
//!
//! **Source:** P. Erdős, A. Rényi, V. Sós, "On a problem of graph theory" (1966); W. Brown, "On graphs that do not contain a
//! Thomsen graph" (1966).

/// A finite field; its elements are numbered, 0 the zero and 1 the one.
struct Field {
    order: u32,
    prime: u32,
    /// The powers of a generator, and of which power an element is.
    powers: Vec<u32>,
    logs: Vec<u32>,
}

/// The prime of which q is a power, and of which.
fn prime_power(q: u32) -> Option<(u32, u32)> {
    let prime = (2..=q).find(|p| q.is_multiple_of(*p))?;
    let exponent = (1..32).find(|e| prime.checked_pow(*e).is_none_or(|power| power >= q))?;
    (prime.checked_pow(exponent) == Some(q)).then_some((prime, exponent))
}

impl Field {
    /// Elements are polynomials over the prime field, their coefficients digits; x is a generator modulo the right one.
    fn new(order: u32) -> Option<Self> {
        let (prime, degree) = prime_power(order)?;
        if degree == 1 {
            return (1..prime).find_map(|g| Self::generated(order, prime, |a| a * g % prime));
        }
        (0..order).find_map(|modulus| {
            Self::generated(order, prime, |a| {
                // a · x, where x^degree = −modulus.
                let (low, top) = (a % (order / prime) * prime, a / (order / prime));
                (0..degree).map(|i| prime.pow(i)).fold(0, |sum, unit| {
                    let digit = |n: u32| n / unit % prime;
                    sum + unit * ((digit(low) + (prime - top) * digit(modulus)) % prime)
                })
            })
        })
    }

    fn generated(order: u32, prime: u32, next: impl Fn(u32) -> u32) -> Option<Self> {
        let powers: Vec<u32> = std::iter::successors(Some(1), |a| Some(next(*a))).take(order as usize - 1).collect();
        let mut logs = vec![u32::MAX; order as usize];
        for (log, power) in powers.iter().enumerate() {
            if *power == 0 || std::mem::replace(&mut logs[*power as usize], log as u32) != u32::MAX {
                return None;
            }
        }
        Some(Field { order, prime, powers, logs })
    }

    fn times(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 {
            return 0;
        }
        let log = (self.logs[a as usize] + self.logs[b as usize]) % (self.order - 1);
        self.powers[log as usize]
    }

    fn plus(&self, a: u32, b: u32) -> u32 {
        let (mut unit, mut sum) = (1, 0);
        while unit < self.order {
            sum += unit * ((a / unit % self.prime + b / unit % self.prime) % self.prime);
            unit *= self.prime;
        }
        sum
    }
}

/// Nodes of the network of order q.
pub(super) fn nodes(q: u32) -> u32 {
    q * q + q + 1
}

/// The orders whose networks have nearly so many nodes and links a node, best first.
pub(super) fn near(nodes: u32, degree: u32) -> Vec<u32> {
    let close = |q: &u32| {
        let has = self::nodes(*q);
        (q + 1).abs_diff(degree) <= 2 && has <= nodes + nodes / 3 && nodes <= has + has / 3
    };
    let mut found: Vec<u32> =
        (degree.saturating_sub(3).max(2)..=degree + 1).filter(|q| prime_power(*q).is_some()).filter(close).collect();
    found.sort_by_key(|q| self::nodes(*q).abs_diff(nodes));
    found
}

/// The links of the network of order q; `None` where that is no prime power.
pub(super) fn links(q: u32) -> Option<Vec<(u32, u32)>> {
    let field = Field::new(q)?;
    let mut points = vec![[0, 0, 1]];
    points.extend((0..q).map(|z| [0, 1, z]));
    points.extend((0..q * q).map(|yz| [1, yz / q, yz % q]));
    let product =
        |u: &[u32; 3], v: &[u32; 3]| u.iter().zip(v).fold(0, |sum, (a, b)| field.plus(sum, field.times(*a, *b)));
    let pairs = (0..points.len()).flat_map(|u| (u + 1..points.len()).map(move |v| (u, v)));
    Some(pairs.filter(|(u, v)| product(&points[*u], &points[*v]) == 0).map(|(u, v)| (u as u32, v as u32)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::{Network, NetworkData};

    #[test]
    fn planes_have_diameter_2_and_one_common_neighbour() {
        for q in [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 25, 27] {
            let links = links(q).unwrap();
            assert_eq!(links.len() as u32, q * (q + 1) * (q + 1) / 2, "{q}");
            let channels = links.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).collect();
            let network = Network::new(NetworkData { nodes: nodes(q), channels, ..NetworkData::default() }).unwrap();
            assert_eq!(crate::measures::distances(&network).diameter(), Some(2), "{q}");
            assert_eq!(crate::measures::degree(&network), (u64::from(q), u64::from(q) + 1));
        }
        for q in [0, 1, 6, 10, 12, 15] {
            assert!(links(q).is_none(), "{q}");
        }
        assert_eq!(near(64, 8), [7, 8]);
        assert_eq!(near(256, 16), [16, 17]);
        assert!(near(256, 4).is_empty());
    }
}

//! **What:** alltoall on any Swapped Dragonfly under wormhole switching: whole source vectors in one step, sorted by the pairs of
//! local ports they use.
//!
//! **Promise:** none; max(2KM, K⌈(M² + M − 1)/K⌉) steps, and a few more where some difference of drawers and some of cabinets
//! both have odd orders, as for all odd M. Vectors use every local port 2KM times and every global port M² times.
//!
//! **Construction:** vectors that all routers send by share no channel in a step where their γ are different and so are all
//! π ≠ 0 and δ ≠ 0 together. So a block of K steps takes a list of at most K entries (π, δ) without a common port, and its
//! i-th entry has γ = i + j in step j. Entries are
//! - the ordered pairs of different ports: a 1-factorisation of the complete graph on the ports, each factor twice;
//! - (π, 0), (0, δ) and twice (π, π), each half for half of the routers: they go to the blocks in which their port is not
//!   used yet, of which each port has four among 2M;
//! - (0, 0), somewhere.
//!
//! If 2M blocks have more than K entries, entries move to further blocks along paths of ports that two blocks use in turn, as
//! colours of edges are made equal in number.
//!
//! Of the halves of (γ; π, π), neither may hold both a router r and the one from which r's message makes its second local
//! hop, ρ(r). With e = d − p, ρ takes e to π − e, so the lesser of both is in the first half. Where e = π − e, ρ moves the
//! cabinet by γ and drawer and place by e, and the lowest bit of these that is set tells halves apart, if it
//! survives the sums modulo K or M. Else r comes round to itself after an odd number of moves; its message goes another
//! way, with two global hops and three local ones, in the first step with room for those, found class of channels by class.
//!
//! **Source:** ours; 1-factorisations of complete graphs by Walecki's circle.
//!
//! **Example:** `swapped-dragonfly:4,4`, 32 steps; `swapped-dragonfly:2,2`, 8 steps

use crate::source_vectors::{RouterIndex, floor, network_of};
use construct::{Builder, Claim, Construction, Control, Scope};
use kernel::{Certificate, Channel, Network, Schedule};
use std::collections::BTreeMap;
use topologies::families::swapped_dragonfly::SwappedDragonfly;
use topologies::source_vector::{Port, Router, Vector};

/// The construction's line in the registry.
pub(crate) const CONSTRUCTION: Construction = Construction {
    name: "vector-factors",
    about: "wormhole: whole source vectors, sorted by a 1-factorisation of the local ports",
    source: "ours",
    promise: "near max(2KM, M^2+M-1)",
    scope: Scope::wormhole(),
    is_automatic: true,
    examples: &[
        "swapped-dragonfly:2,2",
        "swapped-dragonfly:4,3",
        "swapped-dragonfly:2,4",
        "swapped-dragonfly:1,3",
        "swapped-dragonfly:3,5",
        "swapped-dragonfly:3,6",
    ],
    make: |request| Some(Box::new(Factors(network_of(request)?))),
};

/// More representatives than this are not written down for the sake of a finer group.
const MOST_FINE: u64 = 1 << 20;

/// Most choices of ways that are tried for messages that come round to themselves.
const MOST_TRIES: u64 = 1 << 25;

struct Factors(SwappedDragonfly);

/// What goes together with others in a block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// π, the local port before the global one.
    pub first: u32,
    /// δ, the local port after it.
    pub last: u32,
    /// Of (π, π), which half of the routers.
    pub half: Option<bool>,
}

impl Entry {
    /// Its local ports other than 0.
    fn ports(self) -> impl Iterator<Item = u32> {
        let other = (self.last != self.first).then_some(self.last);
        [Some(self.first), other].into_iter().flatten().filter(|port| *port != 0)
    }
}

impl Builder for Factors {
    fn promise(&self) -> Option<u64> {
        None
    }

    fn floor(&self, network: &Network, _: &Control<'_>) -> Option<Certificate> {
        floor(self.0, network)
    }

    fn build(&self, network: &Network, control: &Control<'_>) -> Option<Claim> {
        let d3 = self.0;
        let (k, m) = (d3.cabinets(), d3.drawers());
        // The finest group that tells bits of cabinets and drawers apart, where it does not make the plan too large.
        let fine = [1 << k.trailing_zeros(), 1 << m.trailing_zeros()];
        let representatives = u64::from(fine[0] * fine[1]) * u64::from(k) * u64::from(m).pow(3);
        let by = if representatives <= MOST_FINE { fine } else { [1, 1] };
        let halves = Halves { d3, by };
        let blocks = blocks(k, m);
        let mut ways = Ways::new(&halves, &blocks);
        let extra = ways.found(control)?;
        let at = RouterIndex::new(d3, network, by)?;
        let mut schedule = Schedule::new();
        let mut path: Vec<Channel> = Vec::new();
        let mut send = |schedule: &mut Schedule, base: u32, from: Router, to: Router, ports: &[Port]| {
            let Some(message) = at.message(base, to) else { return Some(()) };
            path.clear();
            let mut here = from;
            for port in ports {
                path.extend(at.channel(here, *port)?);
                here = port.leads(d3, here);
            }
            schedule.send(message, &path);
            Some(())
        };
        let none = Vec::new();
        for step in 0..ways.steps() {
            schedule.begin_step();
            let entries = blocks.get(step / k as usize).unwrap_or(&none);
            for (g, entry) in (0u32..).zip(entries) {
                let global = (g + u32::try_from(step % k as usize).ok()?) % k;
                let vector = Vector { global, first: entry.first, last: entry.last };
                control.work(at.bases.len())?;
                for (base, from) in (0u32..).zip(&at.bases) {
                    if entry.half.is_none_or(|half| halves.side(*from, vector) == Some(half)) {
                        send(&mut schedule, base, *from, vector.leads(d3, *from), &vector.ports())?;
                    }
                }
            }
            for (vector, apart, ports) in extra.get(&step).into_iter().flatten() {
                for (base, from) in (0u32..).zip(&at.bases).filter(|(_, r)| halves.apart(**r) == *apart) {
                    send(&mut schedule, base, *from, vector.leads(d3, *from), ports)?;
                }
            }
        }
        Some(at.claim(schedule))
    }
}

/// All entries in blocks of at most K.
pub(crate) fn blocks(k: u32, m: u32) -> Vec<Vec<Entry>> {
    let mut blocks: Vec<Vec<Entry>> = vec![Vec::new(); 2 * m as usize];
    // Ports in a circle, with one more where they are odd in number: whoever meets it is left alone.
    let circle = (m - 1) + (m - 1) % 2;
    let real = |port: u32| (port + 1 < m).then_some(port + 1);
    for factor in 0..circle - 1 {
        let turned = |i: u32| (factor + i) % (circle - 1);
        let pairs = (1..circle / 2).map(|i| (turned(i), turned(circle - 1 - i))).chain([(turned(0), circle - 1)]);
        for (a, b) in pairs.filter_map(|(a, b)| Some((real(a)?, real(b)?))) {
            blocks[2 * factor as usize].push(Entry { first: a, last: b, half: None });
            blocks[2 * factor as usize + 1].push(Entry { first: b, last: a, half: None });
        }
    }
    for port in 1..m {
        let alone = [(port, 0, None), (0, port, None), (port, port, Some(false)), (port, port, Some(true))];
        let uses = |block: &Vec<Entry>| block.iter().any(|e| e.ports().any(|p| p == port));
        let free: Vec<usize> = (0..blocks.len()).filter(|&b| !uses(&blocks[b])).collect();
        for (block, (first, last, half)) in free.into_iter().zip(alone) {
            blocks[block].push(Entry { first, last, half });
        }
    }
    blocks[0].push(Entry { first: 0, last: 0, half: None });
    let entries: usize = blocks.iter().map(Vec::len).sum();
    let most = k as usize;
    blocks.resize(blocks.len().max(entries.div_ceil(most)), Vec::new());
    let by_size = |blocks: &[Vec<Entry>], largest: bool| {
        let size = |b: &usize| (if largest { usize::MAX - blocks[*b].len() } else { blocks[*b].len() }, *b);
        (0..blocks.len()).min_by_key(size).expect("there are at least four blocks")
    };
    loop {
        let (large, small) = (by_size(&blocks, true), by_size(&blocks, false));
        if blocks[large].len() <= most {
            return blocks;
        }
        exchange(&mut blocks, large, small, m);
    }
}

/// Makes the larger block smaller by an entry: along a path of ports that entries of the one and the other use in turn, both
/// change places. Of such paths, which share no port, some has more entries of the larger.
fn exchange(blocks: &mut [Vec<Entry>], large: usize, small: usize, m: u32) {
    // The entry of either block at each port.
    let mut at = [vec![None; m as usize], vec![None; m as usize]];
    for (side, block) in [large, small].into_iter().enumerate() {
        for (i, entry) in blocks[block].iter().enumerate() {
            entry.ports().for_each(|port| at[side][port as usize] = Some(i));
        }
    }
    let mut met = vec![false; blocks[large].len()];
    for start in 0..met.len() {
        if met[start] {
            continue;
        }
        let mut chosen: [Vec<usize>; 2] = [vec![start], Vec::new()];
        met[start] = true;
        let mut queue = vec![(0, start)];
        while let Some((side, i)) = queue.pop() {
            for port in blocks[[large, small][side]][i].ports() {
                let Some(next) = at[1 - side][port as usize] else { continue };
                if !chosen[1 - side].contains(&next) {
                    chosen[1 - side].push(next);
                    queue.push((1 - side, next));
                }
            }
        }
        chosen[0].iter().for_each(|i| met[*i] = true);
        if chosen[0].len() > chosen[1].len() {
            let mut take = |block: usize, which: &[usize]| {
                let (moved, kept): (Vec<_>, Vec<_>) =
                    std::mem::take(&mut blocks[block]).into_iter().enumerate().partition(|(i, _)| which.contains(i));
                blocks[block] = kept.into_iter().map(|(_, entry)| entry).collect();
                moved.into_iter().map(|(_, entry)| entry).collect::<Vec<_>>()
            };
            let (down, up) = (take(large, &chosen[0]), take(small, &chosen[1]));
            blocks[small].extend(down);
            blocks[large].extend(up);
            return;
        }
    }
}

/// Which half of (γ; π, π) a router is in.
struct Halves {
    d3: SwappedDragonfly,
    /// Translations by multiples of these respect the halves.
    by: [u32; 2],
}

impl Halves {
    /// d − p.
    fn apart(&self, [_, d, p]: Router) -> u32 {
        (d + self.d3.drawers() - p) % self.d3.drawers()
    }

    /// The half of a router, of (γ; π, π); `None` where its message comes round to itself.
    fn side(&self, router: Router, vector: Vector) -> Option<bool> {
        let m = self.d3.drawers();
        let apart = self.apart(router);
        let other = (vector.first + m - apart) % m;
        let [c, _, p] = router;
        if apart != other {
            return Some(apart < other);
        }
        let tells = |by: u32, moved: u32, digit: u32| {
            let bit = moved.trailing_zeros();
            (moved != 0 && bit < by.trailing_zeros()).then(|| digit >> bit & 1 == 1)
        };
        tells(self.by[1], apart, p).or_else(|| tells(self.by[0], vector.global, c))
    }
}

/// The ways of messages that come round to themselves, in steps with room for them. Channels of one port that leave routers of
/// equal d − p are a class; translations take them to each other, and all are used together.
struct Ways<'a> {
    halves: &'a Halves,
    /// Of each step, whether each class is used.
    used: Vec<Vec<bool>>,
}

/// Of each step, vectors with d − p of the routers that send by them, and the ports of their way.
type Extra = BTreeMap<usize, Vec<(Vector, u32, [Port; 5])>>;

impl<'a> Ways<'a> {
    fn new(halves: &'a Halves, blocks: &[Vec<Entry>]) -> Self {
        let (k, m) = (halves.d3.cabinets(), halves.d3.drawers());
        let mut ways = Ways { halves, used: vec![vec![false; ((k + m) * m) as usize]; blocks.len() * k as usize] };
        for step in 0..ways.used.len() {
            let turn = step % k as usize;
            for (i, entry) in blocks[step / k as usize].iter().enumerate() {
                let global = u32::try_from((turn + i) % k as usize).expect("a remainder of a 32-bit number");
                let vector = Vector { global, first: entry.first, last: entry.last };
                for apart in 0..m {
                    // Where bits tell halves apart, one half of a class is used in the one step, the other in the other.
                    let other = (entry.first + m - apart) % m;
                    let sends = |half: bool| match apart == other {
                        true => halves.side([0, apart, 0], vector).is_some(),
                        false => (apart < other) == half,
                    };
                    if entry.half.is_none_or(sends) {
                        ways.take(step, apart, &vector.ports());
                    }
                }
            }
        }
        ways
    }

    /// Number of steps.
    fn steps(&self) -> usize {
        self.used.len()
    }

    /// The classes of a way from routers with d − p = `apart`.
    fn classes(&self, apart: u32, ports: &[Port]) -> impl Iterator<Item = usize> {
        let m = self.halves.d3.drawers();
        let mut apart = apart;
        ports.iter().filter_map(move |port| {
            let here = apart;
            let class = |number: u32| Some((number * m + here) as usize);
            match *port {
                Port::Local(0) => None,
                Port::Local(x) => {
                    apart = (apart + m - x) % m;
                    class(x)
                }
                Port::Global(g) => {
                    apart = (m - apart) % m;
                    if g == 0 && here == 0 { None } else { class(m + g) }
                }
            }
        })
    }

    fn take(&mut self, step: usize, apart: u32, ports: &[Port]) {
        let classes: Vec<usize> = self.classes(apart, ports).collect();
        classes.into_iter().for_each(|class| self.used[step][class] = true);
    }

    fn fits(&self, step: usize, apart: u32, ports: &[Port]) -> bool {
        let mut classes: Vec<usize> = self.classes(apart, ports).collect();
        classes.sort_unstable();
        !classes.iter().any(|class| self.used[step][*class]) && classes.windows(2).all(|w| w[0] != w[1])
    }

    /// Puts every message that comes round to itself into the first step with room, or one more. `None` where a message has no
    /// such way even alone.
    fn found(&mut self, control: &Control<'_>) -> Option<Extra> {
        let (k, m) = (self.halves.d3.cabinets(), self.halves.d3.drawers());
        let mut extra = Extra::new();
        let plain = self.used.len();
        let mut tries = MOST_TRIES;
        for (global, apart) in (0..m).flat_map(|apart| (0..k).map(move |g| (g, apart))) {
            let vector = Vector { global, first: 2 * apart % m, last: 2 * apart % m };
            if vector.first == 0 || self.halves.side([0, apart, 0], vector).is_some() {
                continue;
            }
            // Local hops of u, then of d − p, then of what is left; global hops of h, then of what is left.
            let way = |choice: u32| {
                let (h, u) = (choice / m, choice % m);
                let rest = (3 * apart + m - u) % m;
                let globals = [h, (global + k - h) % k];
                [
                    Port::Local(u),
                    Port::Global(globals[0]),
                    Port::Local(apart),
                    Port::Global(globals[1]),
                    Port::Local(rest),
                ]
            };
            let room = |ways: &Self, step: usize| (0..k * m).map(way).find(|ports| ways.fits(step, apart, ports));
            let begin = if tries == 0 { plain } else { 0 };
            let mut step = begin;
            let ports = loop {
                control.work((k * m) as usize)?;
                if step == self.used.len() {
                    self.used.push(vec![false; self.used[0].len()]);
                    let alone = room(self, step)?;
                    break alone;
                }
                if let Some(ports) = room(self, step) {
                    break ports;
                }
                step += 1;
            };
            tries = tries.saturating_sub(u64::from(k * m) * (step - begin) as u64);
            self.take(step, apart, &ports);
            extra.entry(step).or_default().push((vector, apart, ports));
        }
        Some(extra)
    }
}

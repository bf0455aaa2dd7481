//! **What:** the exchange of two subtrees as a stream of steps that keeps all channels between them busy.
//!
//! **Theory.** Between two subtrees of height x run pairs of children (a, b), and a root has g = min(children, parents) ports up.
//! List the pairs diagonal by diagonal, (a, a + δ), all of them as often as the exchange of two children has steps,
//! and cut the list into chunks of g: a chunk is a step, a pair's place in it the up-port that all roots of a take, and a
//! pair's k-th occurrence runs the k-th step of the exchange of children. g pairs that follow each other never share a
//! child, since g is at most the number of children, and a diagonal begins where the one before ended. So the exchange of
//! two subtrees of n terminals takes n² / (roots · ports) steps, rounded up once a level. To round up less, exchanges with
//! λ other subtrees run in one stream: of the exchange of two terminals the k-th step is the message for the k-th.

use topologies::levels::Levels;

/// One message of a stream: terminals counted within their subtrees.
pub(crate) struct Item {
    pub from: u32,
    pub to: u32,
    /// Which of the λ subtrees it goes to.
    pub which: u32,
    /// The up-ports at the levels from the terminal on.
    pub ports: Vec<u32>,
}

/// The streams of the subtrees of one network.
#[derive(Clone)]
pub(crate) struct Streams {
    children: Vec<u32>,
    /// Ports up of a root of each height, parallel links spread over as many roots as there are links.
    ports: Vec<u32>,
    /// Steps of the stream of each height.
    steps: Vec<u64>,
}

impl Streams {
    /// Streams that exchange `fold` times. `None` where parallel links do not come out even.
    pub(crate) fn new(levels: &Levels, fold: u32) -> Option<Self> {
        let height = levels.height();
        let children: Vec<u32> = (1..=height).map(|x| levels.children(x)).collect();
        let ports = (0..height).map(|x| {
            let cables = if x == 0 { 1 } else { levels.cables(x) };
            levels.up_ports(x).is_multiple_of(cables).then(|| levels.up_ports(x) / cables)
        });
        let ports: Vec<u32> = ports.collect::<Option<_>>()?;
        let mut steps = vec![u64::from(fold)];
        for height in 1..height {
            let pairs = u64::from(children[height - 1]).checked_pow(2)?.checked_mul(steps[height - 1])?;
            steps.push(pairs.div_ceil(u64::from(children[height - 1].min(ports[height]))));
        }
        Some(Streams { children, ports, steps })
    }

    /// Steps of the exchange of two subtrees of that height.
    pub(crate) fn steps(&self, height: usize) -> u64 {
        self.steps[height]
    }

    /// Whether in every step of the exchange some child is idle. Only then may its list begin anywhere: full chunks must begin
    /// with a diagonal.
    pub(crate) fn idles(&self, height: usize) -> bool {
        self.ports[height] < self.children[height - 1]
    }

    /// The messages of one step of the exchange of two subtrees of that height, its list begun so many pairs later.
    pub(crate) fn step(&self, height: usize, step: u64, later: u64) -> Vec<Item> {
        let mut items = Vec::new();
        self.descend(height, (step, later), (0, 0), &mut vec![0; height + 1], &mut items);
        items
    }

    fn descend(
        &self,
        height: usize,
        (step, later): (u64, u64),
        (from, to): (u32, u32),
        ports: &mut Vec<u32>,
        items: &mut Vec<Item>,
    ) {
        if height == 0 {
            let which = u32::try_from(step).expect("a terminal has a step a subtree");
            items.push(Item { from, to, which, ports: ports.clone() });
            return;
        }
        let m = self.children[height - 1];
        let width = m.min(self.ports[height]);
        for port in 0..width {
            let at = step * u64::from(width) + u64::from(port);
            let pairs = u64::from(m) * u64::from(m);
            let all = pairs * self.steps[height - 1];
            if at >= all {
                break;
            }
            // The list is whole rounds of all pairs, so it may begin anywhere and go on from its end to its beginning.
            let at = (at + later) % all;
            let (occurrence, pair) = (at / pairs, u32::try_from(at % pairs).expect("children are few"));
            let (a, b) = (pair % m, (pair % m + pair / m) % m);
            ports[height] = port;
            self.descend(height - 1, (occurrence, 0), (from * m + a, to * m + b), ports, items);
        }
    }
}

//! **What:** several looms that work down from a schedule, each on a thread of its own.
//!
//! They are compared after every round, so the answer does not depend on the number of threads.

use super::Start;
use super::frame::Frame;
use super::loom::Loom;
use super::moves::Heat;
use super::openings::Openings;
use super::tolls::Tolls;
use kernel::Message;
use rand_pcg::Pcg64Mcg;
use run::Run;

/// Mends between two bouts of random moves.
const BOUT: u64 = 8;
/// Random moves a mend, in hundredths of the threads that no message needs, or of a quarter of the messages where these are
/// fewer: at first, and at most.
const CALM: u64 = 10;
const MOST: u64 = 1000;
/// Looms: a fixed number, so that the answer does not depend on the number of threads. One cools down fast, one slowly: so
/// many more hundredths once ten times as many mends were made as a layer has messages.
const MORE: [u64; 2] = [20, 3];
/// Openings are looked for where fewer than one of so many threads are to spare: otherwise there is no lack of them.
const SCARCE: usize = 16;
/// Of random moves, in the units of weights.
const TEMPERATURE: f64 = 24.0;
/// What the weight of a missing message grows by when it is mended.
const PICK: i32 = 1;
/// Ticks of other engines that take as long as one here.
const WEAVE: u64 = 3;

/// One loom at work.
struct Weave<'a> {
    loom: Loom<'a>,
    /// The loom when nothing was missing last.
    done: Option<Loom<'a>>,
    random: Pcg64Mcg,
    openings: Openings,
    /// The layer in which a strand was made last.
    last: Option<usize>,
    /// How fast it cools down.
    more: u64,
    /// The number of layers at the last mend, and the mends with so many.
    level: usize,
    mends: u64,
}

/// Several looms that work down from a schedule.
pub(super) struct Weaver<'a> {
    run: &'a Run<'a>,
    /// Layers to end with.
    goal: usize,
    /// Steps that a layer stands for.
    each: usize,
    weaves: Vec<Weave<'a>>,
    /// Steps of the best schedule so far.
    steps: usize,
    heat: Heat,
    ticks: u64,
}

impl<'a> Weaver<'a> {
    /// Begins with the lanes and the layer of every message, or of one of each orbit; looks for a schedule of `goal` steps, with
    /// random numbers of its own `stream`. `None` where nothing is wanted.
    pub fn new(frame: &'a Frame, start: &Start<'a>, goal: usize, stream: u64) -> Option<Self> {
        let (run, layers) = (start.run, start.layers());
        if layers == 0 {
            return None;
        }
        let each = frame.steps();
        let mut loom = Loom::new(frame, frame.tolls.first()?, layers);
        loom.lay(start.placed.iter().map(|(path, step)| (*step as usize, path.as_slice())));
        let weave = |(number, (more, tolls)): (u64, (u64, &'a Tolls))| Weave {
            loom: loom.under(tolls),
            done: None,
            random: run.settings.seed.generator(u64::MAX / 2 - MORE.len() as u64 * stream - number),
            openings: Openings::new(frame.pairs()),
            last: None,
            more,
            level: layers,
            mends: 0,
        };
        let weaves = (0..).zip(MORE.into_iter().zip(&frame.tolls)).map(weave).collect();
        let goal = goal.div_ceil(each);
        Some(Weaver { run, goal, each, weaves, steps: layers * each, heat: Heat::new(TEMPERATURE), ticks: 0 })
    }

    /// Its ticks in those of other engines, which take less long.
    pub fn spent(&self) -> u64 {
        WEAVE * self.ticks
    }

    /// The fewest steps that it looks for.
    pub fn least(&self) -> usize {
        self.goal * self.each
    }

    /// Steps of the best schedule so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Works on for `ticks` a loom; the layer, message and lanes of all messages, where steps were saved.
    pub fn round(&mut self, ticks: u64) -> Option<Vec<(u32, Message, Vec<u32>)>> {
        let (heat, goal, run) = (&self.heat, self.goal, self.run);
        let work = |weave: &mut Weave<'a>| weave.work(ticks, heat, goal, run);
        self.ticks += match run.settings.threads {
            0 | 1 => self.weaves.iter_mut().map(work).sum::<u64>(),
            _ => std::thread::scope(|scope| {
                let threads: Vec<_> = self.weaves.iter_mut().map(|weave| scope.spawn(|| work(weave))).collect();
                threads.into_iter().map(|thread| thread.join().expect("a loom does not panic")).sum()
            }),
        };
        // Looms that fell behind go on from the one that leads.
        let far = |weave: &Weave<'_>| (weave.loom.layers, weave.loom.missing.len());
        let leader = self.weaves.iter().min_by_key(|weave| far(weave))?.loom.clone();
        for weave in self.weaves.iter_mut().filter(|weave| weave.loom.layers > leader.layers) {
            weave.loom = leader.under(weave.loom.tolls);
            weave.openings = Openings::new(leader.frame.pairs());
        }
        run.progress.working("path-exchange", (leader.layers * self.each) as u64, leader.missing.len() as u64);
        let done = self.weaves.iter().filter_map(|weave| weave.done.as_ref());
        let best = done.min_by_key(|loom| loom.layers).filter(|loom| loom.layers * self.each < self.steps)?;
        self.steps = best.layers * self.each;
        Some(best.paths())
    }
}

impl Weave<'_> {
    /// Works on for about `ticks`; returns those it took.
    fn work(&mut self, ticks: u64, heat: &Heat, goal: usize, run: &Run<'_>) -> u64 {
        let (mut looks, mut asked) = (0, 0);
        while looks < 16 * ticks {
            let Some(pair) = self.loom.missing.pick(&mut self.random) else {
                self.done = Some(self.loom.clone());
                if self.loom.layers <= goal {
                    break;
                }
                self.loom.drop_layer();
                continue;
            };
            if looks >= asked {
                asked = looks + (1 << 16);
                if run.stopped() {
                    break;
                }
            }
            let weight = &mut self.loom.weights[pair as usize];
            *weight = weight.saturating_add(PICK);
            looks += self.mend(pair) + 16;
            if self.mends.is_multiple_of(BOUT) {
                let stirs = self.stirs();
                for stir in 0..stirs {
                    if stir % (1 << 14) == 1 && run.stopped() {
                        break;
                    }
                    self.loom.stir(heat, &mut self.random);
                }
                looks += stirs;
            }
        }
        looks / 16
    }

    /// Makes a strand for a missing message, and others for those who lost theirs to it for a moment; what it looked at.
    fn mend(&mut self, pair: u32) -> u64 {
        let Weave { loom, openings, random, .. } = self;
        let scarce = loom.loose.len() * SCARCE < loom.thread_count();
        let mut looks = if scarce { openings.look(loom) } else { 0 };
        let (seen, layer) = loom.mend(pair, self.last, scarce.then_some(&*openings), random);
        looks += seen;
        if let Some(here) = layer.filter(|_| scarce).and_then(|l| u32::try_from(l).ok()) {
            let passing = loom.missing.all().iter().copied().filter(|pair| openings.elsewhere(*pair, here));
            for pair in passing.collect::<Vec<_>>() {
                looks += loom.mend(pair, layer, None, random).0;
            }
        }
        if loom.layers != self.level {
            (self.level, self.mends) = (loom.layers, 0);
        }
        self.last = layer;
        self.mends += 1;
        looks
    }

    /// Random moves for the mends since the last ones. The longer it takes to do with so many layers, the more there are: it
    /// is as if the loom cooled down between mends.
    fn stirs(&self) -> u64 {
        let messages = (self.loom.frame.wanted.len() / self.loom.layers.max(1)).max(1) as u64;
        let share = (CALM + self.more * self.mends / (10 * messages)).min(MOST);
        BOUT * self.loom.loose.len().min(self.loom.frame.wanted.len() / 4) as u64 * share / 100
    }
}

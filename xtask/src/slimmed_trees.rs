//! **What:** `cargo xtask slimmed-trees` draws 200 slimmed fat trees, and as many that are opened, and builds alltoall on each: the table of
//! `docs/measurements/slimmed-trees.md`.

use constructions::{Claim, Control, Request, applicable};
use kernel::Model;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const TREES: usize = 200;
/// Most terminals of a tree.
const MOST: u32 = 220;
/// Of two to five levels, with two to eight children each.
const SEED: u64 = 20;

/// What one method, or the best of several, leaves above the floors.
#[derive(Default)]
struct Sum {
    at_floor: usize,
    above: f64,
    most: f64,
}

impl Sum {
    fn add(&mut self, steps: u64, floor: u64) {
        let above = steps as f64 / floor as f64 - 1.0;
        self.at_floor += usize::from(steps == floor);
        self.above += above;
        self.most = self.most.max(above);
    }

    fn row(&self, trees: &str, methods: &str) -> String {
        let (mean, most) = (100.0 * self.above / TREES as f64, 100.0 * self.most);
        format!("| {trees} | {methods} | {} of {TREES} | {mean:.3} % | {most:.1} % |\n", self.at_floor)
    }
}

/// The rows of the table; those above their floors go to stderr.
///
/// # Errors
/// Where a tree is not built, has no schedule, or one that is not verified.
pub(crate) fn table() -> Result<String, String> {
    let mut text = String::from(
        "| trees | methods | at their floors | above, on average | at most |\n| --- | --- | --- | --- | --- |\n",
    );
    for (kind, opened) in [("slimmed", ""), ("opened", "opened:")] {
        let mut random = Pcg64Mcg::seed_from_u64(SEED);
        let (mut before, mut alone, mut best) = (Sum::default(), Sum::default(), Sum::default());
        for _ in 0..TREES {
            let spec = format!("{opened}{}", draw(&mut random));
            let steps = steps(&spec)?;
            let others = steps.iter().filter(|made| made.method != "tree-colouring").map(|made| made.steps).min();
            let coloured = steps.iter().find(|made| made.method == "tree-colouring").map(|made| made.steps);
            let floor = steps.iter().filter_map(|made| made.floor).max();
            let (Some(others), Some(coloured), Some(floor)) = (others, coloured, floor) else {
                return Err(format!("{spec} lacks a schedule"));
            };
            before.add(others, floor);
            alone.add(coloured, floor);
            best.add(others.min(coloured), floor);
            if others.min(coloured) > floor {
                eprintln!("{spec}: {}/{floor}", others.min(coloured));
            }
        }
        text += &before.row(kind, "all others");
        text += &alone.row(kind, "`tree-colouring`");
        text += &best.row(kind, "the better of both");
    }
    Ok(text)
}

/// A tree in which some switch has fewer ways up than down.
fn draw(random: &mut Pcg64Mcg) -> String {
    loop {
        let levels = random.random_range(2..=5);
        let children: Vec<u32> = (0..levels).map(|_| random.random_range(2..=8)).collect();
        if children.iter().product::<u32>() > MOST {
            continue;
        }
        let mut parents = vec![1];
        parents.extend(children[1..].iter().zip(&children).map(|(_, below)| random.random_range(1..=*below)));
        if parents[1..].iter().zip(&children).any(|(up, down)| up < down) {
            let list = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            return format!("xgft:{};{}", list(&children), list(&parents));
        }
    }
}

/// What a construction came to.
struct Made {
    method: &'static str,
    steps: u64,
    floor: Option<u64>,
}

/// The steps of every construction of alltoall in whole paths, each verified.
fn steps(spec: &str) -> Result<Vec<Made>, String> {
    let network = topologies::parse(spec).map_err(|error| error.to_string())?;
    let (model, control) = (Model::wormhole(), Control::default());
    let request = Request::alltoall(&network, model);
    let mut all = Vec::new();
    for (construction, builder) in applicable(&request).filter(|(construction, _)| construction.is_automatic) {
        let Some(claim) = builder.build(&network, &control).and_then(Claim::orbits) else { continue };
        let verified = claim.verified(&network, model).map_err(|error| format!("{spec}: {error}"))?;
        let floor = builder.floor(&network, &control).and_then(|claim| Some(verified.certify(claim).ok()?.steps()));
        all.push(Made { method: construction.name, steps: verified.steps() as u64, floor });
    }
    Ok(all)
}

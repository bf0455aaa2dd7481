//! **What:** `cargo xtask simulated-atlas [NODES [NAME…]]`: every stored schedule of the atlas on networks of up to so many nodes (64), flit by flit:
//! no packet waits for another, and the time is what the formula says.
//!
//! **Method.** Packets of 1, 16 and 61 flits; steps by barrier with wormhole switching, cut-through, store-and-forward and circuits, and by
//! time; slots by time. Exit status 1 if anything waits or is late.

use atlas::Atlas;
use simulate::play::{Ended, Length, Mode, Parallel, Play, Playing};
use simulate::{Flow, NodePorts, Settings};
use std::error::Error;
use std::process::ExitCode;

/// Nodes of a network at most, unless another number is given.
const NODES: usize = 64;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let most = words.next().map_or(Ok(NODES), |word| word.parse())?;
    let atlas = Atlas::open("atlas")?;
    let places = atlas.select(&words.collect::<Vec<_>>())?;
    let found = atlas.stored(&places, 1, &run::Silent)?;
    let (mut schedules, mut runs, mut cycles, mut wrong) = (0u32, 0u32, 0u64, 0u32);
    for found in found.into_iter().flatten() {
        let schedule = found.verdict.ceiling();
        let (problem, network) = (schedule.problem(), schedule.problem().network());
        if network.node_count() > most {
            continue;
        }
        schedules += 1;
        let parallel = Parallel::of(network)?;
        for flits in [1, 16, 61] {
            for (flow, mode) in ways(problem.model().is_slotted()) {
                let vcs = if flow == Flow::Circuit { 1 } else { 4 };
                let settings = Settings { flow, virtual_channels: vcs, ..Settings::default() };
                let settings = Settings { injection: NodePorts::All, ejection: NodePorts::All, ..settings };
                let settings = Settings { buffer: settings.least_buffer(flits), ..settings };
                let play = Play::of(schedule, &parallel, &settings, Length::Flits(flits), mode)?;
                let playing = Playing {
                    network: parallel.network(),
                    settings: &play.settings,
                    routes: &play.paths,
                    until: u64::MAX,
                    looks: 4,
                    stop: &|| false,
                };
                let recorded = playing.run(play.script)?;
                let is_right = recorded.ended == Ended::Finished
                    && recorded.blocked + recorded.held_back == 0
                    && Some(recorded.cycles) == play.predicted;
                if !is_right {
                    wrong += 1;
                    let (blocked, ended) = (recorded.blocked, &recorded.ended);
                    let what = format!("{} on {}", problem.collective().name(), network.name());
                    eprintln!(
                        "{what}, {flits} flits, {flow:?}, {mode:?}: {ended:?} in {} cycles, {:?} predicted, {blocked} blocked",
                        recorded.cycles, play.predicted
                    );
                }
                runs += 1;
                cycles += recorded.cycles;
            }
        }
    }
    println!("{schedules} schedules, {runs} runs, {cycles} cycles: {wrong} with a packet that waits or is late");
    Ok(if wrong == 0 && schedules > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn ways(is_slotted: bool) -> Vec<(Flow, Mode)> {
    let barrier = Mode::Barrier { pause: 0 };
    let flows = [Flow::Wormhole, Flow::CutThrough, Flow::StoreAndForward, Flow::Circuit];
    if is_slotted {
        return flows[..3].iter().map(|flow| (*flow, Mode::Timed)).collect();
    }
    flows.into_iter().map(|flow| (flow, barrier)).chain([(Flow::Wormhole, Mode::Timed)]).collect()
}

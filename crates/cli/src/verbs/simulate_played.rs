//! **What:** what `simulate` says of a schedule: how its run went, and those of the same collective without one.

use super::simulate_prepare::{InTime, Prepared};
use super::simulate_routers::rooted;
use console::failure::{self, Failure};
use console::output::{self, say as tell_all, say_json_of};
use console::render::table;
use console::render::{count, micros};
use exports::html::{Run, Seen, Simulated};
use kernel::{Channel, Node};
use serde_json::json;
use simulate::play::{Ended, Frames, Length, Mode, Recorded};
use simulate::{Deadlock, Held, NodePorts, Settings};
use std::path::Path;

/// Channels of a circle that people are shown.
const MOST_SHOWN: usize = 24;
/// Parts of a run whose use of channels people are shown.
const PARTS: usize = 10;

/// One run.
pub(super) struct One {
    pub name: &'static str,
    pub routes: String,
    /// The root of up-down.
    pub root: Option<Node>,
    pub recorded: Recorded,
}

/// All runs: the schedule's, then the others.
pub(super) struct Found<'a> {
    pub prepared: &'a Prepared,
    /// The settings of the schedule's run.
    pub settings: &'a Settings,
    /// Whether buffers let a packet flow without a stop.
    pub never_waits: bool,
    pub predicted: Option<u64>,
    pub runs: Vec<One>,
    /// Whether nobody chose how rivals are routed.
    pub is_default_routing: bool,
    pub seed: u64,
}

/// Writes the pages, says what came out; the exit status.
pub(super) fn say(found: &Found<'_>, is_json: bool, pages: &[&Path]) -> Result<u8, Failure> {
    for path in pages {
        found.page(path)?;
    }
    let files: Vec<String> = pages.iter().map(|path| path.display().to_string()).collect();
    if is_json {
        let mut value = found.json();
        value["files"] = json!(files);
        say_json_of(&found.prepared.network, &value)?;
    } else {
        let saved: String = files.iter().map(|file| format!("\n  saved to {file}")).collect();
        tell_all(&format!("{}{saved}", found.people()))?;
    }
    Ok(if found.runs[0].recorded.ended == Ended::Finished { 0 } else { failure::NO })
}

/// How a run ended, in a word.
pub(super) fn word(ended: &Ended) -> &'static str {
    match ended {
        Ended::Finished => "finished",
        Ended::Deadlock(_) => "deadlock",
        Ended::NoWay { .. } => "no way",
        Ended::Cycles | Ended::Stopped => "stopped",
    }
}

pub(super) fn ports(ports: NodePorts) -> String {
    match ports {
        NodePorts::All => "all".into(),
        NodePorts::Each(ports) => ports.to_string(),
    }
}

impl Found<'_> {
    pub(super) fn mode(&self) -> (&'static str, String) {
        match self.prepared.mode {
            Mode::Barrier { pause: 0 } => ("barrier", "by barrier".into()),
            Mode::Barrier { pause } => ("barrier", format!("by barrier of {pause} cycles")),
            Mode::Timed => ("timed", "by time".into()),
            Mode::Asynchronous => ("async", "asynchronously".into()),
        }
    }

    /// A run on the page.
    fn run<'a>(&self, one: &'a One, seen: &'a dyn Fn(usize, usize) -> Seen) -> Run<'a> {
        let recorded = &one.recorded;
        let (ended, circle) = match &recorded.ended {
            Ended::Finished => (format!("{} cycles", recorded.cycles), Vec::new()),
            Ended::Deadlock(deadlock) => {
                let circle = deadlock.circle.iter().map(|held| self.prepared.parallel.base(held.channel).0);
                (format!("deadlock in cycle {}", deadlock.cycle), circle.collect())
            }
            ended => (word(ended).to_owned(), Vec::new()),
        };
        Run {
            name: one.name.to_owned(),
            ended,
            cycles: recorded.cycles,
            every: recorded.frames.every(),
            looks: recorded.frames.count(),
            seen,
            step_ends: &recorded.step_ends,
            circle,
        }
    }

    /// Writes the page that plays the runs.
    fn page(&self, path: &Path) -> Result<(), Failure> {
        let network = &self.prepared.network;
        let seen = |frames: &Frames, look: usize, channel: usize| {
            let copies = self.prepared.parallel.copies(Channel::new(channel));
            copies.fold(Seen::default(), |sum, copy| Seen {
                buffered: sum.buffered + u64::from(frames.buffered(look, copy)),
                carried: sum.carried + u64::from(frames.carried(look, copy)),
                blocked: sum.blocked + u64::from(frames.blocked(look, copy)),
            })
        };
        let seen: Vec<_> = self
            .runs
            .iter()
            .map(|one| move |look: usize, channel: usize| seen(&one.recorded.frames, look, channel))
            .collect();
        let simulated = Simulated {
            title: format!("{} on {}, flit by flit", self.prepared.what, network.name()),
            network,
            room: u64::from(self.settings.virtual_channels) * u64::from(self.settings.buffer),
            runs: self.runs.iter().zip(&seen).map(|(one, seen)| self.run(one, seen)).collect(),
        };
        exports::html::write_simulation(&simulated, path).map_err(output::unwritten)
    }

    fn people(&self) -> String {
        let settings = self.settings;
        let size = match self.prepared.length {
            Length::Flits(flits) => format!("{} per message", count(flits.into(), "flit")),
            Length::Bytes { head: 0, message, flit } => format!("messages of {message} bytes in flits of {flit}"),
            Length::Bytes { message, flit, .. } => {
                format!("messages of {message} bytes in flits of {flit}, and a head")
            }
        };
        let run = &self.runs[0].recorded;
        let mut lines = vec![
            format!(
                "{} on {}, {} {}",
                self.prepared.what,
                self.prepared.network.name(),
                self.prepared.extent,
                self.mode().1
            ),
            format!(
                "  {size}; {} of {} flits, {} ports to the network, {} from it",
                count(settings.virtual_channels.into(), "virtual channel"),
                settings.buffer,
                ports(settings.injection),
                ports(settings.ejection)
            ),
        ];
        lines.push(match (&run.ended, self.predicted) {
            (Ended::Finished, Some(predicted)) if predicted == run.cycles => {
                format!("  {} cycles, as predicted; {} packets of {} flits in all", run.cycles, run.packets, run.flits)
            }
            (Ended::Finished, Some(predicted)) => {
                format!(
                    "  {} cycles, {predicted} predicted; {} packets of {} flits in all",
                    run.cycles, run.packets, run.flits
                )
            }
            (Ended::Finished, None) => {
                format!("  {} cycles; {} packets of {} flits in all", run.cycles, run.packets, run.flits)
            }
            (ended, _) => format!("  {} with {} of {} packets delivered", word(ended), run.arrived, run.packets),
        });
        lines.extend(self.in_time());
        lines.push(format!("  {} requests not granted, {} cycles held back at nodes", run.blocked, run.held_back));
        if !self.never_waits && self.prepared.in_time.is_none() {
            lines.push(
                "  buffers or intervals hold back even a lone packet; --buffer with a larger number may help".into(),
            );
        }
        lines.push(format!(
            "  buffers hold {:.1} flits in all on average, one buffer at most {}; channels are used {:.1} % of the time",
            run.in_buffers(),
            run.fullest,
            100.0 * run.use_of_channels()
        ));
        lines.push(format!("  use over time: {}", over_time(run)));
        if let Ended::Deadlock(deadlock) = &run.ended {
            lines.push(self.circle("schedule", deadlock));
        }
        if self.runs.len() > 1 {
            lines.push(format!("  {}", self.against().replace('\n', "\n  ")));
            lines.extend(self.about_routing());
        }
        for One { name, recorded, .. } in &self.runs[1..] {
            match &recorded.ended {
                Ended::Deadlock(deadlock) => lines.push(self.circle(name, deadlock)),
                Ended::NoWay { node, target } => {
                    let (node, target) = (self.prepared.network.label(*node), self.prepared.network.label(*target));
                    lines.push(format!("  {name}: the routing has no path from {node} to {target}"));
                }
                Ended::Finished | Ended::Cycles | Ended::Stopped => {}
            }
        }
        lines.join("\n")
    }

    /// The time of the run in microseconds, where the schedule counts these.
    pub(super) fn simulated_us(&self, in_time: InTime) -> Option<f64> {
        let run = &self.runs[0].recorded;
        (run.ended == Ended::Finished).then_some(run.cycles as f64 * in_time.cycle_us)
    }

    /// What a schedule in time came to beside what it says.
    fn in_time(&self) -> Option<String> {
        let in_time = self.prepared.in_time?;
        let InTime { cycle_us, scheduled_us, .. } = in_time;
        let cycle = format!("a cycle is {} ns", (cycle_us * 1e6).round() / 1e3);
        let Some(simulated) = self.simulated_us(in_time) else { return Some(format!("  {cycle}")) };
        let times = if scheduled_us > 0.0 { simulated / scheduled_us } else { 1.0 };
        let (simulated, scheduled) = (micros(simulated), micros(scheduled_us));
        Some(format!("  {simulated} µs, {times:.3} times the {scheduled} µs of the schedule; {cycle}"))
    }

    fn against(&self) -> String {
        let head = ["", "cycles", "× schedule", "blocked", "held back", "latency", "use", "routing"];
        let mut rows = vec![head.map(String::from).to_vec()];
        let own = self.runs[0].recorded.cycles.max(1) as f64;
        for One { name, routes, root, recorded } in &self.runs {
            let is_done = recorded.ended == Ended::Finished;
            let cycles = if is_done { recorded.cycles.to_string() } else { word(&recorded.ended).to_owned() };
            let times = if is_done { format!("{:.2}", recorded.cycles as f64 / own) } else { "-".into() };
            rows.push(vec![
                (*name).into(),
                cycles,
                times,
                recorded.blocked.to_string(),
                recorded.held_back.to_string(),
                format!("{:.1}", recorded.latency),
                format!("{:.1} %", 100.0 * recorded.use_of_channels()),
                rooted(routes, *root, &self.prepared.network),
            ]);
        }
        table(&rows)
    }

    /// That another routing may be faster, where up-down was taken since nothing was said.
    fn about_routing(&self) -> Option<String> {
        let by_default = self.runs[1..].iter().find(|_| self.is_default_routing)?;
        (by_default.routes == "up-down").then(|| {
            let routes = rooted(&by_default.routes, by_default.root, &self.prepared.network);
            format!(
                "  the others took {routes}, the default where nodes have no coordinates; --routing adaptive takes any shortest path, --root NODE another root"
            )
        })
    }

    pub(super) fn ends(&self, channel: Channel) -> (String, String) {
        let network = &self.prepared.network;
        let channel = self.prepared.parallel.base(channel);
        (network.label(network.from(channel)), network.label(network.to(channel)))
    }

    /// The channels of a deadlock by the names of their nodes.
    fn circle(&self, name: &str, deadlock: &Deadlock) -> String {
        let held = |held: &Held| {
            let (from, to) = self.ends(held.channel);
            let label = |node| self.prepared.network.label(node);
            let packet =
                held.packet.map(|p| format!(": a packet from {} to {}", label(p.source), label(p.destination)));
            format!("\n    {from} > {to}, virtual channel {}{}", held.vc, packet.unwrap_or_default())
        };
        let shown: String = deadlock.circle.iter().take(MOST_SHOWN).map(held).collect();
        let more = deadlock.circle.len().saturating_sub(MOST_SHOWN);
        let more = if more > 0 { format!("\n    and {more} more") } else { String::new() };
        format!(
            "  {name}: deadlock in cycle {}, {} virtual channels are permanently blocked; each of these waits for the next, the last for the first{shown}{more}",
            deadlock.cycle, deadlock.stuck
        )
    }
}

/// How much channels were used in parts of a run that are as long.
fn over_time(run: &Recorded) -> String {
    let frames = &run.frames;
    let count = usize::try_from(run.cycles.div_ceil(frames.every())).unwrap_or(usize::MAX).min(frames.count());
    let parts = PARTS.min(count).max(1);
    let part = |part: usize| {
        let looks = part * count / parts..(part + 1) * count / parts;
        let sum: f64 = looks.clone().map(|look| frames.use_of_channels(look)).sum();
        format!("{:.0} %", 100.0 * sum / looks.len().max(1) as f64)
    };
    (0..parts).map(part).collect::<Vec<_>>().join(", ")
}

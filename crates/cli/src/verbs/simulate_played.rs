//! **What:** what `simulate` says of a schedule: how its run went, and those of the same collective without one.

use crate::failure::{self, Failure};
use crate::output::{self, say as tell_all, say_json};
use crate::registries::table;
use crate::render::count;
use formats::html::{Run, Seen, Simulated};
use kernel::{Channel, Network};
use serde_json::{Value, json};
use simulate::play::{Ended, Frames, Length, Mode, Parallel, Recorded};
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
    pub recorded: Recorded,
}

/// All runs: the schedule's, then the others.
pub(super) struct Found<'a> {
    pub what: String,
    pub network: &'a Network,
    pub parallel: &'a Parallel,
    pub steps: usize,
    pub is_slotted: bool,
    pub mode: Mode,
    pub length: Length,
    pub settings: &'a Settings,
    /// Whether buffers let a packet flow without a stop.
    pub never_waits: bool,
    pub predicted: Option<u64>,
    pub runs: Vec<One>,
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
        say_json(&value)?;
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

fn ports(ports: NodePorts) -> String {
    match ports {
        NodePorts::All => "all".into(),
        NodePorts::Each(ports) => ports.to_string(),
    }
}

impl Found<'_> {
    fn mode(&self) -> (&'static str, String) {
        match self.mode {
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
                let circle = deadlock.circle.iter().map(|held| self.parallel.base(held.channel).0);
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
        let network = self.network;
        let seen = |frames: &Frames, look: usize, channel: usize| {
            let copies = self.parallel.copies(Channel::new(channel));
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
            title: format!("{} on {}, flit by flit", self.what, network.name()),
            network,
            room: u64::from(self.settings.virtual_channels) * u64::from(self.settings.buffer),
            runs: self.runs.iter().zip(&seen).map(|(one, seen)| self.run(one, seen)).collect(),
        };
        formats::html::write_simulation(&simulated, path).map_err(output::unwritten)
    }

    fn people(&self) -> String {
        let (unit, settings) = (if self.is_slotted { "slots" } else { "steps" }, self.settings);
        let size = match self.length {
            Length::Flits(flits) => format!("{} a message", count(flits.into(), "flit")),
            Length::Bytes { message, flit } => format!("messages of {message} bytes in flits of {flit}, and a head"),
        };
        let run = &self.runs[0].recorded;
        let mut lines = vec![
            format!("{} on {}, {} {unit} {}", self.what, self.network.name(), self.steps, self.mode().1),
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
            (ended, _) => format!("  {} with {} of {} packets there", word(ended), run.arrived, run.packets),
        });
        lines.push(format!("  {} requests not granted, {} cycles held back at nodes", run.blocked, run.held_back));
        if !self.never_waits {
            lines.push("  buffers or intervals stop even a packet alone: give --buffer a larger number".into());
        }
        lines.push(format!(
            "  buffers hold {:.1} flits on average, the fullest {}; channels are used {:.1} % of the time",
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
        }
        for One { name, recorded, .. } in &self.runs[1..] {
            match &recorded.ended {
                Ended::Deadlock(deadlock) => lines.push(self.circle(name, deadlock)),
                Ended::NoWay { node, target } => {
                    let (node, target) = (self.network.label(*node), self.network.label(*target));
                    lines.push(format!("  {name}: the routing knows no way from {node} to {target}"));
                }
                Ended::Finished | Ended::Cycles | Ended::Stopped => {}
            }
        }
        lines.join("\n")
    }

    fn against(&self) -> String {
        let head = ["", "cycles", "× schedule", "blocked", "held back", "latency", "use", "routing"];
        let mut rows = vec![head.map(String::from).to_vec()];
        let own = self.runs[0].recorded.cycles.max(1) as f64;
        for One { name, routes, recorded } in &self.runs {
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
                routes.clone(),
            ]);
        }
        table(&rows)
    }

    fn ends(&self, channel: Channel) -> (String, String) {
        let network = self.network;
        let channel = self.parallel.base(channel);
        (network.label(network.from(channel)), network.label(network.to(channel)))
    }

    /// The channels of a deadlock by the names of their nodes.
    fn circle(&self, name: &str, deadlock: &Deadlock) -> String {
        let held = |held: &Held| {
            let (from, to) = self.ends(held.channel);
            let label = |node| self.network.label(node);
            let packet =
                held.packet.map(|p| format!(": a packet from {} to {}", label(p.source), label(p.destination)));
            format!("\n    {from} > {to}, virtual channel {}{}", held.vc, packet.unwrap_or_default())
        };
        let shown: String = deadlock.circle.iter().take(MOST_SHOWN).map(held).collect();
        let more = deadlock.circle.len().saturating_sub(MOST_SHOWN);
        let more = if more > 0 { format!("\n    and {more} more") } else { String::new() };
        format!(
            "  {name}: deadlock in cycle {}, {} virtual channels can never go on; each of these waits for the next, the last for the first{shown}{more}",
            deadlock.cycle, deadlock.stuck
        )
    }

    fn json(&self) -> Value {
        let settings = self.settings;
        let run = |one: &One| {
            let recorded = &one.recorded;
            let frames = &recorded.frames;
            let looks = || 0..frames.count();
            let deadlock = match &recorded.ended {
                Ended::Deadlock(deadlock) => json!({
                    "cycle": deadlock.cycle, "stuck": deadlock.stuck,
                    "circle": deadlock.circle.iter().map(|held| {
                        let (from, to) = self.ends(held.channel);
                        json!({"channel": self.parallel.base(held.channel).0, "from": from, "to": to, "vc": held.vc,
                               "source": held.packet.map(|p| p.source.0), "destination": held.packet.map(|p| p.destination.0)})
                    }).collect::<Vec<_>>(),
                }),
                _ => Value::Null,
            };
            json!({
                "name": one.name, "routing": one.routes, "ended": word(&recorded.ended), "cycles": recorded.cycles,
                "packets": recorded.packets, "arrived": recorded.arrived, "flits": recorded.flits,
                "blocked": recorded.blocked, "held_back": recorded.held_back, "latency": recorded.latency,
                "channel_use": recorded.use_of_channels(), "in_buffers": recorded.in_buffers(), "fullest": recorded.fullest,
                "step_ends": recorded.step_ends, "deadlock": deadlock,
                "carried": self.by_channel(&recorded.carried), "blocked_at": self.by_channel(&recorded.blocked_at),
                "over_time": {
                    "every": frames.every(),
                    "channel_use": looks().map(|look| frames.use_of_channels(look)).collect::<Vec<_>>(),
                    "in_buffers": looks().map(|look| frames.in_buffers(look)).collect::<Vec<_>>(),
                },
            })
        };
        let (message, flit) = match self.length {
            Length::Flits(flits) => (json!({"flits": flits}), Value::Null),
            Length::Bytes { message, flit } => (json!({"bytes": message}), json!(flit)),
        };
        json!({
            "what": self.what, "network": self.network.name(), "steps": self.steps, "mode": self.mode().0,
            "message": message, "flit_bytes": flit, "predicted": self.predicted, "seed": self.seed,
            "settings": {
                "virtual_channels": settings.virtual_channels, "buffer": settings.buffer,
                "routing_delay": settings.routing_delay, "vc_delay": settings.vc_delay,
                "allocation_delay": settings.allocation_delay, "switch_delay": settings.switch_delay,
                "channel_delay": settings.channel_delay, "credit_delay": settings.credit_delay,
                "injection_delay": settings.injection_delay, "ejection_delay": settings.ejection_delay,
                "interval": settings.interval, "injection": ports(settings.injection), "ejection": ports(settings.ejection),
            },
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }

    /// Numbers by channels of the network, where several of the simulator stand for one.
    fn by_channel(&self, numbers: &[u64]) -> Vec<u64> {
        let sum = |channel| self.parallel.copies(channel).map(|copy| numbers[copy.index()]).sum();
        self.network.channels().map(sum).collect()
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

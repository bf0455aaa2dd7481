//! **What:** `replay`: a schedule in time on a machine that is slower than it thinks, or not always equally fast; how long it takes then,
//! and what is late first.

use console::args::ReplayArgs;
use console::failure::Failure;
use console::lists;
use console::output::{say, say_json_of};
use console::render::micros;
use console::schedule_file::{AnyFile, CheckedTimed, transfer};
use formats::units::{RATES, with_unit};
use kernel::timed::{TimedProblem, Timeline};
use kernel::{Channel, Rational};
use machine::timed::replay::{Disturbance, Replay, Replayed};
use serde_json::json;

/// Replays where durations vary.
const RUNS: usize = 100;
/// Replays at most: their times are kept.
const MOST_RUNS: usize = 1_000_000;
/// Percent of jitter at most.
const MOST_JITTER: f64 = 1000.0;

/// The verb.
pub(crate) fn run(arguments: &ReplayArgs) -> Result<u8, Failure> {
    let jitter = arguments.jitter.as_deref().map_or(Ok(0.0), jitter)?;
    let runs = arguments.runs.unwrap_or(if jitter > 0.0 { RUNS } else { 1 });
    if !(1..=MOST_RUNS).contains(&runs) {
        return Err(Failure::input(format!("--runs: {runs} is not a number of replays"))
            .hint(format!("write a number from 1 to {MOST_RUNS}")));
    }
    let read = match AnyFile::read(&arguments.file)? {
        AnyFile::Timed(read) => read,
        AnyFile::Steps(_) => {
            return Err(Failure::input(format!("{}: this schedule has steps and no times", arguments.file.display()))
                .hint("`quadrille cost --pipelined` lets its transfers begin as soon as they can; `quadrille solve --bytes` makes schedules in time"));
        }
    };
    let slow = slowed(read.schedule.problem(), &arguments.slow)?;
    let written = read.written_out()?;
    let timeline = Timeline::new(&written);
    let mut replay = Replay::new(&timeline, &Disturbance { slow: slow.clone(), jitter }, arguments.seed);
    let mut times = Vec::with_capacity(runs);
    let mut slowest: Option<Replayed> = None;
    for _ in 0..runs {
        let replayed = replay.run();
        times.push(replayed.ticks);
        if slowest.as_ref().is_none_or(|slowest| slowest.ticks < replayed.ticks) {
            slowest = Some(replayed);
        }
    }
    times.sort_unstable();
    let found = Found {
        read: &read,
        timeline: &timeline,
        slow,
        jitter,
        seed: arguments.seed,
        times,
        slowest: slowest.expect("there is a run"),
    };
    if arguments.report.json { found.json() } else { say(&found.people()) }.map(|()| 0)
}

/// A part of what something takes, from `10%`.
fn jitter(text: &str) -> Result<f64, Failure> {
    let percent = text.strip_suffix('%').and_then(|number| number.trim().parse::<f64>().ok());
    percent.filter(|percent| (0.0..=MOST_JITTER).contains(percent)).map(|percent| percent / 100.0).ok_or_else(|| {
        Failure::input(format!("--jitter: `{text}` is not a part from 0% to {MOST_JITTER}%")).hint("write it as 10%")
    })
}

/// The channels that are slowed down, and what is left of their bandwidth.
fn slowed(problem: &TimedProblem, texts: &[String]) -> Result<Vec<(Channel, f64)>, Failure> {
    let float = |number: Rational| number.numerator as f64 / number.denominator as f64;
    let mut slow = Vec::new();
    for text in texts {
        let wrong = |why: &str| Failure::input(format!("--slow: `{text}` {why}"));
        let hint = "write A-B=0.5 or A-B=12.5GB/s for both directions, or A>B=0.5 (in quotes) for one";
        let (link, left) = text.rsplit_once('=').ok_or_else(|| wrong("says no part").hint(hint))?;
        let rate = with_unit(left, RATES).map(float);
        let part = |channel: Channel| match rate {
            Some(rate) => Some(rate / float(problem.links().bandwidth[channel.index()])),
            None => left.trim().parse::<f64>().ok(),
        };
        let channels = lists::link_channels(problem.network(), "--slow", link)?;
        if channels.is_empty() {
            return Err(wrong("names no channel of the network").hint("`quadrille cost FILE --json` lists them"));
        }
        for channel in channels {
            let part = part(channel).filter(|part| (1e-6..=1.0).contains(part));
            let part =
                part.ok_or_else(|| wrong("leaves neither a part from 0.000001 to 1 nor a lower rate").hint(hint))?;
            slow.push((channel, part));
        }
    }
    Ok(slow)
}

/// What the replays came to.
struct Found<'a> {
    read: &'a CheckedTimed,
    timeline: &'a Timeline<'a>,
    slow: Vec<(Channel, f64)>,
    jitter: f64,
    seed: u64,
    /// Ticks of all replays, ascending.
    times: Vec<u64>,
    slowest: Replayed,
}

impl Found<'_> {
    fn problem(&self) -> &TimedProblem {
        self.read.schedule.problem()
    }

    /// Shortest, middle and longest time, in microseconds.
    fn spread(&self) -> [f64; 3] {
        let at = |at: usize| self.problem().micros(self.times[at]);
        let runs = self.times.len();
        [at(0), (at((runs - 1) / 2) + at(runs / 2)) / 2.0, at(runs - 1)]
    }

    /// A time over that of the schedule.
    fn slowdown(&self, time: f64) -> f64 {
        let scheduled = self.read.schedule.micros();
        if scheduled > 0.0 { time / scheduled } else { 1.0 }
    }

    fn people(&self) -> String {
        let mut lines = vec![format!("{}: {} µs as scheduled", self.read.what(), micros(self.read.schedule.micros()))];
        let [least, middle, most] = self.spread();
        let times = |time: f64| format!("{:.3}", self.slowdown(time));
        lines.push(match self.times.len() {
            1 => format!("  replayed: {} µs, {} times the schedule", micros(most), times(most)),
            runs => format!(
                "  {runs} replays: {} to {} µs, median {} µs; {} to {} times the schedule, median {}",
                micros(least),
                micros(most),
                micros(middle),
                times(least),
                times(most),
                times(middle)
            ),
        });
        let whose = if self.times.len() > 1 { " in the slowest" } else { "" };
        lines.push(match self.slowest.first_late(self.timeline) {
            None => format!("  late transfers{whose}: none"),
            Some(first) => {
                let at = |ticks: u64| micros(self.problem().micros(ticks));
                let (end, sent) = (self.slowest.end[first], &self.timeline.sent()[first]);
                format!(
                    "  first late transfer{whose}: {}, which ended at {} µs instead of {} µs; {} of {} transfers are late",
                    transfer(self.timeline, first),
                    at(end),
                    at(sent.end),
                    self.late(),
                    self.timeline.sent().len()
                )
            }
        });
        lines.join("\n")
    }

    /// Transfers that end later than scheduled, in the slowest replay.
    fn late(&self) -> usize {
        self.timeline.sent().iter().zip(&self.slowest.end).filter(|(sent, end)| **end > sent.end).count()
    }

    fn json(&self) -> Result<(), Failure> {
        let (problem, [least, middle, most]) = (self.problem(), self.spread());
        let network = problem.network();
        let slow = |(channel, part): &(Channel, f64)| json!({"channel": channel.0, "from": network.from(*channel).0, "to": network.to(*channel).0, "part": part});
        let late = self.slowest.first_late(self.timeline).map(|first| {
            let sent = &self.timeline.sent()[first];
            let to = self.timeline.receivers()[sent.receivers.clone()].iter().map(|to| to.node.0);
            let messages = self.timeline.transfers()[first].transfer.messages.iter().map(|message| message.0);
            json!({
                "transfer": first, "step": sent.step, "from": sent.from.0, "to": to.collect::<Vec<_>>(),
                "messages": messages.collect::<Vec<_>>(), "scheduled_us": problem.micros(sent.end),
                "came_us": problem.micros(self.slowest.end[first]),
            })
        });
        say_json_of(
            network,
            &json!({
                "network": network.name(), "collective": problem.collective().name(), "scheduled_us": self.read.schedule.micros(),
                "bound_us": self.read.floor.as_ref().map(|floor| floor.micros()), "runs": self.times.len(), "seed": self.seed,
                "jitter": self.jitter, "slow": self.slow.iter().map(slow).collect::<Vec<_>>(),
                "min_us": least, "median_us": middle, "max_us": most, "min_slowdown": self.slowdown(least),
                "median_slowdown": self.slowdown(middle), "max_slowdown": self.slowdown(most),
                "late_first": late, "late": self.late(), "transfers": self.timeline.sent().len(),
            }),
        )
    }
}

//! **What:** `cost` of schedules in time: what they take, what decides it (the critical path), and what channels carry; as tables or as JSON.

use console::args::CostArgs;
use console::failure::Failure;
use console::output::{say, say_json};
use console::render::micros;
use console::render::table;
use console::schedule_file::{self, CheckedTimed};
use kernel::timed::Timeline;
use machine::timed::critical::{Link, Reason, Resource, critical_path};
use machine::timed::usage::{Usage, Usages};
use serde_json::{Value, json};

/// Channels that are listed for people.
const CHANNELS: usize = 8;
/// Transfers of a critical path that are listed for people, at its beginning and at its end.
const ENDS: usize = 10;

/// The verb for files all of which are schedules in time.
pub(super) fn run(arguments: &CostArgs, files: &[CheckedTimed]) -> Result<u8, Failure> {
    refuse(arguments)?;
    let written = files.iter().map(CheckedTimed::written_out).collect::<Result<Vec<_>, Failure>>()?;
    let timelines: Vec<Timeline<'_>> = written.iter().map(Timeline::new).collect();
    let told = files.iter().zip(&timelines).zip(&arguments.files);
    if arguments.report.json {
        let files: Vec<Value> =
            told.map(|((file, timeline), path)| document(file, timeline, &path.display().to_string())).collect();
        return say_json(&json!({"model": "timed", "files": files})).map(|()| 0);
    }
    let parts: Vec<String> = told
        .map(|((file, timeline), path)| {
            let text = people(file, timeline);
            if files.len() > 1 { format!("{}: {text}", path.display()) } else { text }
        })
        .collect();
    say(&parts.join("\n\n")).map(|()| 0)
}

/// Flags that make no sense here.
fn refuse(a: &CostArgs) -> Result<(), Failure> {
    let given = [
        ("model", a.model.is_some()),
        ("alpha", a.alpha.is_some()),
        ("beta", a.beta.is_some()),
        ("hop", a.hop.is_some()),
        ("latency", a.latency.is_some()),
        ("overhead", a.overhead.is_some()),
        ("gap", a.gap.is_some()),
        ("word-gap", a.word_gap.is_some()),
        ("message", a.message.is_some()),
        ("pipelined", a.pipelined),
    ];
    if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
        return Err(Failure::input(format!(
            "--{name}: a schedule in time has bandwidths, latencies and sizes of its own"
        ))
        .hint("leave it out; `quadrille solve --bytes SIZE` makes the schedule of another size"));
    }
    if a.output.is_some() {
        return Err(Failure::input("-o: a schedule in time has one size, so there is no curve to draw")
            .hint("`quadrille show FILE -o x.svg` draws it over its time"));
    }
    Ok(())
}

fn people(file: &CheckedTimed, timeline: &Timeline<'_>) -> String {
    let usages = Usages::of(timeline);
    let path = critical_path(timeline);
    let mut lines = vec![file.headline()];
    lines.extend(file.speed().map(|speed| speed.people()));
    lines
        .push(format!("  channels: {:.1} % of all bandwidth is used on average; the busiest:", 100.0 * usages.average));
    lines.push(indented(&channels(timeline, &usages.channels)));
    let waits: u64 = path.iter().map(|link| link.waits).sum();
    let s = if path.len() == 1 { "" } else { "s" };
    let idle = match waits {
        0 => String::new(),
        _ => format!(", of which {} µs idle", micros(timeline.problem().micros(waits))),
    };
    lines.push(format!("  critical path: {} transfer{s}{idle}", path.len()));
    if !path.is_empty() {
        lines.push(indented(&chain(timeline, &path)));
    }
    lines.join("\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

fn channels(timeline: &Timeline<'_>, usages: &[Usage]) -> String {
    let mut rows = vec![["channel", "ends", "GB/s", "used", "transfers"].map(String::from).to_vec()];
    rows.extend(usages.iter().take(CHANNELS).map(|usage| {
        vec![
            usage.channel.to_string(),
            schedule_file::channel(timeline, usage.channel),
            timeline.problem().links().bandwidth[usage.channel.index()].to_string(),
            format!("{:.1} %", 100.0 * usage.share),
            usage.transfers.to_string(),
        ]
    }));
    table(&rows)
}

fn chain(timeline: &Timeline<'_>, path: &[Link]) -> String {
    let at = |ticks: u64| micros(timeline.problem().micros(ticks));
    let row = |link: &Link| {
        let sent = &timeline.sent()[link.transfer];
        let carried = schedule_file::messages(timeline.transfers()[link.transfer].transfer.messages);
        let ends = schedule_file::ends(timeline, link.transfer);
        vec![at(sent.begin), at(sent.end), ends, carried, why(timeline, link.reason, link.waits)]
    };
    let mut rows = vec![["begin µs", "end µs", "from→to", "carries", "begins when"].map(String::from).to_vec()];
    if path.len() > 2 * ENDS + 1 {
        rows.extend(path[..ENDS].iter().map(row));
        let left = path.len() - 2 * ENDS;
        rows.push(vec!["…".into(), "…".into(), format!("{left} more with --json")]);
        rows.extend(path[path.len() - ENDS..].iter().map(row));
    } else {
        rows.extend(path.iter().map(row));
    }
    table(&rows)
}

/// Why a transfer begins when it does, as what happens then.
pub(super) fn why(timeline: &Timeline<'_>, reason: Reason, waits: u64) -> String {
    let wait = match waits {
        0 => String::new(),
        waits => format!("{} µs after ", micros(timeline.problem().micros(waits))),
    };
    let name = |node| timeline.problem().network().name_of(node);
    let what = match reason {
        Reason::Nothing => "the schedule begins".into(),
        Reason::Brings(message) => format!("message {message} arrives"),
        Reason::Busy(Resource::Channel(channel)) => {
            format!("channel {channel} ({}) becomes free", schedule_file::channel(timeline, channel))
        }
        Reason::Busy(Resource::Group(group)) => format!("half-duplex group {group} becomes free"),
        Reason::Busy(Resource::SendPorts(node)) => format!("a port of node {} becomes free", name(node)),
        Reason::Busy(Resource::ReceivePorts(node)) => {
            format!("a receiving port of node {} becomes free", name(node))
        }
    };
    format!("{wait}{what}")
}

fn document(file: &CheckedTimed, timeline: &Timeline<'_>, name: &str) -> Value {
    let problem = timeline.problem();
    let usages = Usages::of(timeline);
    let network = problem.network();
    let speed = file.speed();
    let usage = |usage: &Usage| {
        json!({"channel": usage.channel.0, "from": network.from(usage.channel).0, "to": network.to(usage.channel).0,
               "GBps": float(problem.links().bandwidth[usage.channel.index()]), "used": usage.share, "transfers": usage.transfers})
    };
    let link = |link: &Link| {
        let sent = &timeline.sent()[link.transfer];
        let receivers = &timeline.receivers()[sent.receivers.clone()];
        let messages = timeline.transfers()[link.transfer].transfer.messages;
        let mut object = json!({
            "step": sent.step, "transfer": link.transfer, "begin_us": problem.micros(sent.begin), "end_us": problem.micros(sent.end),
            "from": sent.from.0, "to": receivers.iter().map(|to| to.node.0).collect::<Vec<_>>(),
            "messages": messages.iter().map(|message| message.0).collect::<Vec<_>>(),
            "waits_us": problem.micros(link.waits), "reason": reason(link.reason),
        });
        let which = match link.reason {
            Reason::Nothing => None,
            Reason::Brings(message) => Some(("message", u64::from(message.0))),
            Reason::Busy(Resource::Channel(channel)) => Some(("channel", u64::from(channel.0))),
            Reason::Busy(Resource::Group(group)) => Some(("group", group as u64)),
            Reason::Busy(Resource::SendPorts(node) | Resource::ReceivePorts(node)) => Some(("node", u64::from(node.0))),
        };
        if let Some((name, number)) = which {
            object[name] = number.into();
        }
        object
    };
    let mut document = json!({
        "name": name, "network": network.name(), "collective": problem.collective().name(),
        "time_us": file.schedule.micros(), "bound_us": file.floor.as_ref().map(|floor| floor.micros()),
        "algbw_GBps": speed.as_ref().map(|speed| speed.algorithm), "busbw_GBps": speed.as_ref().map(|speed| speed.bus),
        "transfers": timeline.sent().len(), "used": usages.average,
        "channels": usages.channels.iter().map(usage).collect::<Vec<_>>(),
        "critical_path": critical_path(timeline).iter().map(link).collect::<Vec<_>>(),
    });
    if let Some(names) = network.names() {
        document["node_names"] = json!(names);
    }
    document
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Nothing => "begin",
        Reason::Brings(_) => "message",
        Reason::Busy(Resource::Channel(_)) => "channel",
        Reason::Busy(Resource::Group(_)) => "half-duplex",
        Reason::Busy(Resource::SendPorts(_)) => "send-ports",
        Reason::Busy(Resource::ReceivePorts(_)) => "receive-ports",
    }
}

fn float(number: kernel::Rational) -> f64 {
    number.numerator as f64 / number.denominator as f64
}

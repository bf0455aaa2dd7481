//! **What:** `cost`: the time of checked schedules under a model of cost, over the size of their messages, and where one overtakes
//! another; as a table, as JSON, or drawn.

use console::args::{CostArgs, CostChoice};
use console::failure::Failure;
use console::output::{self, say, say_json};
use console::render::short;
use console::render::table;
use console::schedule_file::AnyFile;
use console::schedule_file::Checked;
use console::sizes::messages;
use exports::plot::{Axis, Plot, Point, Scale, Series, Style};
use exports::svg::{DARK, LIGHT};
use kernel::{Problem, Verified};
use machine::cost::{CostError, CostModel, Costs, Crossing, crossings, pipelined};
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

/// A schedule and what its time depends on.
struct Timed {
    name: String,
    problem: Problem,
    steps: usize,
    costs: Costs,
    /// The schedule itself, where steps are not to wait for each other.
    whole: Option<Verified>,
}

impl Timed {
    fn of(read: Checked, file: &Path, arguments: &CostArgs) -> Result<Self, Failure> {
        let refused = |error: CostError| {
            let hint = match error {
                CostError::Slots => "time schedules under wormhole or store-and-forward switching",
                CostError::Orbits(_) => "choose another --model",
                CostError::Pipelined => "leave out --pipelined, or choose another --model",
            };
            Failure::input(format!("{}: {error}", file.display())).hint(hint)
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches(".gz").trim_end_matches(".json").to_owned();
        let schedule = read.schedule;
        let (steps, problem) = (schedule.steps(), schedule.problem().clone());
        let costs = Costs::of(&schedule).map_err(refused)?;
        let whole = arguments.pipelined.then_some(schedule);
        costs.answers(&model(arguments)?).map_err(refused)?;
        if let Some(whole) = &whole {
            pipelined(whole, &model(arguments)?, 1.0).map_err(refused)?;
        }
        Ok(Timed { name, problem, steps, costs, whole })
    }

    fn time(&self, model: &CostModel, message: u64) -> f64 {
        let message = message as f64;
        let apart = |whole: &Verified| pipelined(whole, model, message).ok();
        self.whole.as_ref().and_then(apart).unwrap_or_else(|| self.costs.time(model, message))
    }
}

/// The verb.
pub(crate) fn run(arguments: &CostArgs) -> Result<u8, Failure> {
    let mut read = Vec::new();
    for (at, file) in arguments.files.iter().enumerate() {
        read.push(AnyFile::read(file)?);
        // What is wrong with the arguments is told before all files are read.
        if at == 0 && matches!(read[0], AnyFile::Steps(_)) {
            model(arguments)?;
        }
    }
    let (mut steps, mut in_time) = (Vec::new(), Vec::new());
    for read in read {
        match read {
            AnyFile::Steps(read) => steps.push(read),
            AnyFile::Timed(read) => in_time.push(read),
        }
    }
    if steps.is_empty() {
        return super::cost_timed::run(arguments, &in_time);
    }
    if !in_time.is_empty() {
        return Err(Failure::input("some files are schedules in time, others of steps").hint("name files of one kind"));
    }
    let model = model(arguments)?;
    let messages = messages(arguments.message.as_deref().unwrap_or("1..1M"))?;
    if let Some(path) = &arguments.output {
        output::ends_as(path, "a picture", formats::PICTURE_ENDINGS)?;
        output::probe(path)?;
    }
    let read = steps.into_iter().zip(&arguments.files);
    let timed = read.map(|(read, file)| Timed::of(read, file, arguments)).collect::<Result<Vec<_>, _>>()?;
    let times: Vec<Vec<f64>> = messages.iter().map(|m| timed.iter().map(|t| t.time(&model, *m)).collect()).collect();
    if times.iter().flatten().any(|t| !t.is_finite()) {
        return Err(Failure::input("a time is beyond all numbers").hint("use smaller costs or messages"));
    }
    let ends = (messages[0], messages[messages.len() - 1]);
    // Times without steps are dear, and asked for again by other pairs.
    let known = RefCell::new(BTreeMap::new());
    let time = |at: usize, message: u64| {
        *known.borrow_mut().entry((at, message)).or_insert_with(|| timed[at].time(&model, message))
    };
    let found = crossings(timed.len(), ends, time);
    let pairs = pairs(timed.len(), ends, time);
    if let Some(path) = &arguments.output {
        let theme = if arguments.dark { &DARK } else { &LIGHT };
        let plot = plot(&timed, &model, (&messages, &times), &found, arguments.pipelined);
        exports::plot::write(&plot, theme, path).map_err(output::unwritten)?;
    }
    if arguments.report.json {
        let file = |t: &Timed| {
            let (network, collective) = (t.problem.network(), t.problem.collective());
            json!({
                "name": t.name, "network": network.name(), "collective": collective.name(),
                "nodes": network.node_count(), "steps": t.steps,
                "start_ups": t.costs.start_ups(), "words": t.costs.words(),
            })
        };
        let crossing =
            |c: &Crossing| json!({"message": c.message, "before": timed[c.before].name, "after": timed[c.after].name});
        return say_json(&json!({
            "model": name(&model), "pipelined": arguments.pipelined, "files": timed.iter().map(file).collect::<Vec<_>>(),
            "messages": messages, "times": times, "crossings": found.iter().map(crossing).collect::<Vec<_>>(),
            "pairs": pairs.iter().map(crossing).collect::<Vec<_>>(),
            "file": arguments.output.as_ref().map(|p| p.display().to_string()),
        }))
        .map(|()| 0);
    }
    say(&people(&timed, &model, (&messages, &times), (&found, &pairs), arguments)).map(|()| 0)
}

/// Where of any two one overtakes the other.
fn pairs(count: usize, ends: (u64, u64), time: impl Fn(usize, u64) -> f64 + Copy) -> Vec<Crossing> {
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    let meet = |pair: [usize; 2]| {
        let found = crossings(2, ends, |curve, message| time(pair[curve], message));
        found.into_iter().map(move |c| Crossing { before: pair[c.before], after: pair[c.after], ..c })
    };
    pairs.flat_map(meet).collect()
}

fn people(
    timed: &[Timed],
    model: &CostModel,
    (messages, times): (&[u64], &[Vec<f64>]),
    (found, pairs): (&[Crossing], &[Crossing]),
    arguments: &CostArgs,
) -> String {
    let how = if arguments.pipelined { "steps that do not wait for each other" } else { "synchronised steps" };
    let mut rows = vec![["", "file", "schedule", "steps", "start-ups", "words"].map(String::from).to_vec()];
    for (at, t) in timed.iter().enumerate() {
        let what = format!("{}, {} nodes", t.problem.title(), t.problem.network().node_count());
        let counts = [t.steps.to_string(), t.costs.start_ups().to_string(), t.costs.words().to_string()];
        rows.push([vec![letter(at), t.name.clone(), what], counts.to_vec()].concat());
    }
    let mut lines = vec![format!("{}, {how}", name(model)), table(&rows), String::new()];
    let mut rows = vec![
        ["words per message".into(), "fastest".into()]
            .into_iter()
            .chain((0..timed.len()).map(letter))
            .collect::<Vec<_>>(),
    ];
    for (message, row) in messages.iter().zip(times) {
        let best = row.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(at, _)| at);
        rows.push([vec![message.to_string(), letter(best)], row.iter().map(|t| short(*t)).collect()].concat());
    }
    lines.push(table(&rows));
    let told = |c: &Crossing| {
        format!(
            "from {} words per message on, {} is faster than {}",
            c.message, timed[c.after].name, timed[c.before].name
        )
    };
    if !found.is_empty() {
        lines.push(String::new());
        lines.extend(found.iter().map(told));
    }
    let same = |a: &Crossing, b: &Crossing| (a.before, a.after) == (b.before, b.after);
    let others: Vec<&Crossing> = pairs.iter().filter(|p| !found.iter().any(|f| same(f, p))).collect();
    if !others.is_empty() {
        lines.push("\nbetween two of which neither is the fastest:".into());
        lines.extend(others.into_iter().map(told));
    }
    if let Some(path) = &arguments.output {
        lines.push(format!("saved to {}", path.display()));
    }
    lines.join("\n")
}

/// Names of columns: A, B, … Z, then numbers.
fn letter(at: usize) -> String {
    match u8::try_from(at).ok().filter(|at| *at < 26) {
        Some(at) => char::from(b'A' + at).to_string(),
        None => (at + 1).to_string(),
    }
}

fn name(model: &CostModel) -> String {
    match model {
        CostModel::AlphaBeta { alpha, beta } => format!("alpha-beta: {alpha} per start-up, {beta} per word"),
        CostModel::PerHop { alpha, beta } => {
            format!("per-hop: {alpha} per start-up and {beta} per word on every channel")
        }
        CostModel::CutThrough { alpha, beta, hop } => {
            format!("cut-through: {alpha} per start-up, {hop} per channel, {beta} per word")
        }
        CostModel::LogGp { latency, overhead, gap, word_gap } => {
            format!("LogGP: L {latency}, o {overhead}, g {gap}, G {word_gap}")
        }
    }
}

/// The model that the arguments choose, with all its costs and no other.
fn model(a: &CostArgs) -> Result<CostModel, Failure> {
    let given = [
        ("alpha", a.alpha),
        ("beta", a.beta),
        ("hop", a.hop),
        ("latency", a.latency),
        ("overhead", a.overhead),
        ("gap", a.gap),
        ("word-gap", a.word_gap),
    ];
    let choice = a.model.unwrap_or(CostChoice::AlphaBeta);
    let (model, wanted): (&str, &[&str]) = match choice {
        CostChoice::AlphaBeta => ("alpha-beta", &["alpha", "beta"]),
        CostChoice::PerHop => ("per-hop", &["alpha", "beta"]),
        CostChoice::CutThrough => ("cut-through", &["alpha", "beta", "hop"]),
        CostChoice::Loggp => ("loggp", &["latency", "overhead", "gap", "word-gap"]),
    };
    let flags = wanted.iter().map(|n| format!("--{n}")).collect::<Vec<_>>().join(", ");
    let hint = format!("--model {model} takes {flags}");
    for (name, value) in given {
        let wrong = |why: &str| Err(Failure::input(format!("--{name}: {why}")).hint(&hint));
        match value {
            Some(_) if !wanted.contains(&name) => return wrong("no cost of this model"),
            Some(v) if !v.is_finite() || v < 0.0 => return wrong("not a time of 0 or more"),
            None if wanted.contains(&name) => return wrong("not given"),
            _ => {}
        }
    }
    let cost = |value: Option<f64>| value.unwrap_or_default();
    let (alpha, beta) = (cost(a.alpha), cost(a.beta));
    Ok(match choice {
        CostChoice::AlphaBeta => CostModel::AlphaBeta { alpha, beta },
        CostChoice::PerHop => CostModel::PerHop { alpha, beta },
        CostChoice::CutThrough => CostModel::CutThrough { alpha, beta, hop: cost(a.hop) },
        CostChoice::Loggp => CostModel::LogGp {
            latency: cost(a.latency),
            overhead: cost(a.overhead),
            gap: cost(a.gap),
            word_gap: cost(a.word_gap),
        },
    })
}

fn plot(
    timed: &[Timed],
    model: &CostModel,
    (messages, times): (&[u64], &[Vec<f64>]),
    found: &[Crossing],
    apart: bool,
) -> Plot {
    let points = |at: usize| messages.iter().zip(times).map(move |(m, row)| Point::new(*m as f64, row[at])).collect();
    let curve = |(at, t): (usize, &Timed)| Series {
        name: format!("{} ({})", t.name, t.problem.network().name()),
        style: Style::Line,
        points: points(at),
    };
    let mut series: Vec<Series> = timed.iter().enumerate().map(curve).collect();
    if !found.is_empty() {
        let meet = |c: &Crossing| Point::new(c.message as f64, timed[c.after].time(model, c.message));
        let name = match found {
            [only] => format!("from {} words on, another is faster", only.message),
            _ => "from here on, another is faster".into(),
        };
        series.push(Series { name, style: Style::Dots, points: found.iter().map(meet).collect() });
    }
    let how = if apart { "pipelined" } else { "synchronised" };
    Plot {
        title: format!("{}, {how}", name(model)),
        x: Axis { label: "words per message".into(), scale: Scale::Log },
        y: Axis { label: "time".into(), scale: Scale::Log },
        series,
        references: Vec::new(),
    }
}

//! **What:** `cargo xtask sccl`: the published points of SCCL, in steps and in time, beside our schedules and bounds, as tables in Markdown.
//!
//! **Method.** A point of C chunks, S steps and R rounds takes S·α + R·b/B on links of latency α and bandwidth B, with b the bytes of a chunk. In steps, ours has
//! one round each, so it matches a point's bandwidth with R steps or fewer. In time, ours is compared with the fastest of all points of a collective in each size.
//! Every schedule went through `verify`, every bound through `certify`. The points are in `fixtures/clusters/sccl.tsv`.

use super::cells;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Seconds for each schedule of steps, and for each in time.
const STEPS_TIME: &str = "1";
const SIZE_TIME: &str = "5";
/// A latency, in µs, and a bandwidth of each link, in bytes/µs.
const LATENCY: f64 = 1.0;
const BANDWIDTH: f64 = 25e3;
const SIZES: [(&str, u64); 6] =
    [("1K", 1 << 10), ("16K", 1 << 14), ("256K", 1 << 18), ("4M", 1 << 22), ("64M", 1 << 26), ("1G", 1 << 30)];

/// A published schedule.
struct Point {
    network: String,
    collective: String,
    chunks: u64,
    steps: u64,
    rounds: u64,
    seconds: String,
}

impl Point {
    fn parse(line: &str) -> Option<Self> {
        let [network, collective, chunks, steps, rounds, seconds] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        Some(Point {
            network: network.into(),
            collective: collective.into(),
            chunks: chunks.parse().ok()?,
            steps: steps.parse().ok()?,
            rounds: rounds.parse().ok()?,
            seconds: seconds.into(),
        })
    }

    /// What `--chunks` has to be: of alltoall, chunks of each message to one of the eight.
    fn own_chunks(&self) -> u64 {
        if self.collective == "alltoall" { self.chunks / 8 } else { self.chunks }
    }

    /// The time for so many bytes, as `--bytes` counts them.
    fn micros(&self, bytes: u64) -> f64 {
        let parts = if self.collective == "allgather" { 8 * self.chunks } else { self.chunks };
        self.steps as f64 * LATENCY + self.rounds as f64 * bytes as f64 / parts as f64 / BANDWIDTH
    }
}

/// Runs all points and prints the tables.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let program = cells::program(root, None)?;
    let file = root.join("fixtures/clusters/sccl.tsv");
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let points: Vec<Point> = lines
        .map(|line| Point::parse(line).ok_or_else(|| format!("{}: `{line}` is no point", file.display())))
        .collect::<Result<_, _>>()?;
    let solve = |words: &[&str]| cells::answer(Command::new(&program).arg("solve").args(words).arg("--json"));
    print!("{}", in_steps(&points, &solve)?);
    print!("{}", in_time(&points, &solve)?);
    Ok(())
}

/// A number of an answer.
fn number(found: &serde_json::Value, field: &str) -> Result<f64, String> {
    found[field].as_f64().ok_or_else(|| format!("an answer has no number `{field}`"))
}

type Solve<'a> = dyn Fn(&[&str]) -> Option<serde_json::Value> + 'a;

fn in_steps(points: &[Point], solve: &Solve<'_>) -> Result<String, String> {
    let mut out = String::from("| network | collective | chunks | steps, rounds | s | our steps | lower bound | s |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for point in points {
        let Point { network, collective, chunks, steps, rounds, seconds } = point;
        let own = point.own_chunks().to_string();
        let model = ["--switching", "store-and-forward", "--time", STEPS_TIME];
        let found = solve(&[&[network, collective, "--chunks", &own][..], &model].concat())
            .ok_or_else(|| format!("{collective} on {network} in {own} chunks has no schedule"))?;
        let (ours, bound, took) = (&found["steps"], &found["bound"], number(&found, "seconds")?);
        writeln!(
            out,
            "| {network} | {collective} | {chunks} | {steps}, {rounds} | {seconds} | {ours} | {bound} | {took:.2} |"
        )
        .map_err(|e| e.to_string())?;
    }
    out.push('\n');
    Ok(out)
}

fn in_time(points: &[Point], solve: &Solve<'_>) -> Result<String, String> {
    let mut out =
        String::from("| collective | bytes | fastest point | µs | our µs | lower bound µs | chunks | method | s |\n");
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for collective in ["allgather", "alltoall", "allreduce"] {
        for (size, bytes) in SIZES {
            let of = points.iter().filter(|point| point.collective == collective && point.network == "dgx1");
            let best = of.min_by(|a, b| a.micros(bytes).total_cmp(&b.micros(bytes)));
            let point = best.ok_or_else(|| format!("there is no point of {collective}"))?;
            let latency = format!("{LATENCY}us");
            let model = ["--bytes", size, "--latency", &latency, "--time", SIZE_TIME];
            let found = solve(&[&["dgx1", collective][..], &model].concat())
                .ok_or_else(|| format!("{collective} of {size} has no schedule"))?;
            let Point { chunks, steps, rounds, .. } = point;
            writeln!(
                out,
                "| {collective} | {size} | {chunks}, {steps}, {rounds} | {:.3} | {:.3} | {:.3} | {} | {} | {:.1} |",
                point.micros(bytes),
                number(&found, "time_us")?,
                number(&found, "bound_us")?,
                found["chunks"],
                found["method"].as_str().unwrap_or_default(),
                number(&found, "seconds")?,
            )
            .map_err(|e| e.to_string())?;
        }
    }
    Ok(out)
}

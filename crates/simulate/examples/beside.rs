//! `cargo xtask simulator` and `cargo xtask rival-simulator PATH`: latency and speed of the simulator on 8x8 meshes and tori, beside
//! BookSim 2, as a table in Markdown.
//!
//! **Method.** Both have four virtual channels of eight flits, one cycle for every stage, iSLIP with one iteration and 30,000 cycles of warming
//! up and more; ours warms up until it is steady, and measures 50,000. Speed is router-cycles a second: 64 routers times the cycles simulated, over seconds of the
//! processor, which other programs on the machine do not change. With PATH, the program there is run on a configuration that is written
//! into a temporary folder, one row after the other with ours. Without, its figures are those of a run on a machine of the same kind,
//! by the wall clock beside light work.

use simulate::{DimensionOrder, Experiment, Limits, Pattern, Settings, Shape};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Instant;

/// A row, with what BookSim 2 came to: latency, and millions of router-cycles a second.
struct Row {
    network: &'static str,
    traffic: &'static str,
    flits: u32,
    /// Packets a node and cycle.
    rate: f64,
    latency: f64,
    speed: f64,
}

const fn row(network: &'static str, traffic: &'static str, flits: u32, [rate, latency, speed]: [f64; 3]) -> Row {
    Row { network, traffic, flits, rate, latency, speed }
}

const ROWS: &[Row] = &[
    row("mesh", "uniform", 1, [0.05, 27.07, 1.5]),
    row("mesh", "uniform", 1, [0.1, 27.28, 0.77]),
    row("mesh", "uniform", 1, [0.2, 27.84, 0.42]),
    row("mesh", "uniform", 1, [0.3, 29.44, 0.28]),
    row("mesh", "uniform", 1, [0.35, 31.63, 0.27]),
    row("mesh", "uniform", 1, [0.38, 34.82, 0.21]),
    row("mesh", "uniform", 10, [0.005, 37.81, 1.9]),
    row("mesh", "uniform", 10, [0.01, 40.57, 1.2]),
    row("mesh", "uniform", 10, [0.02, 48.46, 0.66]),
    row("mesh", "uniform", 10, [0.03, 65.14, 0.38]),
    row("mesh", "uniform", 10, [0.035, 87.90, 0.31]),
    row("mesh", "transpose", 1, [0.05, 27.21, 1.6]),
    row("mesh", "transpose", 1, [0.1, 27.53, 0.91]),
    row("mesh", "transpose", 1, [0.14, 32.82, 0.60]),
    row("torus", "uniform", 1, [0.1, 26.18, 0.98]),
    row("torus", "uniform", 1, [0.3, 26.98, 0.39]),
    row("torus", "uniform", 1, [0.5, 29.99, 0.23]),
    row("torus", "uniform", 1, [0.6, 38.65, 0.16]),
];

/// What a run came to.
struct Ran {
    latency: f64,
    cycles: f64,
    seconds: f64,
}

impl Ran {
    /// Millions of router-cycles a second.
    fn speed(&self) -> f64 {
        64.0 * self.cycles / self.seconds / 1e6
    }
}

fn main() -> ExitCode {
    let program = std::env::args().nth(1);
    println!(
        "| network | traffic | flits a packet | packets a node and cycle | BookSim 2 | ours | difference | M router-cycles/s | ours | times |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for row in ROWS {
        let rival = program.as_deref().map(|program| theirs(Path::new(program), row)).transpose();
        match rival.and_then(|rival| Ok((rival, ours(row)?))) {
            Ok((rival, ours)) => tell(row, rival.as_ref(), &ours),
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

fn tell(row: &Row, rival: Option<&Ran>, ours: &Ran) {
    let (latency, speed) = rival.map_or((row.latency, row.speed), |rival| (rival.latency, rival.speed()));
    println!(
        "| {} 8x8 | {} | {} | {} | {latency:.2} | {:.2} | {:+.1} % | {speed:.2} | {:.2} | {:.1} |",
        row.network,
        row.traffic,
        row.flits,
        row.rate,
        ours.latency,
        100.0 * (ours.latency / latency - 1.0),
        ours.speed(),
        ours.speed() / speed
    );
}

fn ours(row: &Row) -> Result<Ran, Box<dyn std::error::Error>> {
    let network = topologies::parse(&format!("{}:8x8", row.network))?;
    // Channels of a folded torus are twice as long.
    let settings = Settings { channel_delay: if row.network == "torus" { 2 } else { 1 }, ..Settings::default() };
    let routes = DimensionOrder::new(&network, settings.virtual_channels, true).ok_or("no coordinates")?;
    let pattern = Pattern::named(row.traffic, &Shape::of(&network, 1))?;
    let experiment = Experiment {
        network: &network,
        settings: &settings,
        routes: &routes,
        pattern: &pattern,
        lengths: &[row.flits],
        burst: None,
        limits: Limits::default(),
    };
    let (begun, before) = (Instant::now(), busy("/proc/thread-self/schedstat"));
    let point = experiment.point(row.rate * f64::from(row.flits), 1, &|| false)?;
    let wall = begun.elapsed().as_secs_f64();
    let seconds = before.and_then(|before| Some(busy("/proc/thread-self/schedstat")? - before)).unwrap_or(wall);
    let latency = point.latency.ok_or("nothing arrived")?.mean.mean;
    Ok(Ran { latency, cycles: point.cycles as f64, seconds })
}

/// Seconds that a task has had of the processor, where the system tells.
fn busy(file: &str) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.split_whitespace().next()?.parse::<f64>().ok()? / 1e9)
}

fn theirs(program: &Path, row: &Row) -> Result<Ran, Box<dyn std::error::Error>> {
    let settings = format!(
        "topology = {}; k = 8; n = 2; routing_function = dim_order;\n\
         num_vcs = 4; vc_buf_size = 8; wait_for_tail_credit = 0;\n\
         vc_allocator = islip; sw_allocator = islip; alloc_iters = 1;\n\
         credit_delay = 1; routing_delay = 0; vc_alloc_delay = 1; sw_alloc_delay = 1; st_final_delay = 1;\n\
         input_speedup = 1; output_speedup = 1; internal_speedup = 1.0;\n\
         traffic = {}; packet_size = {}; injection_rate = {};\n\
         sim_type = latency; sample_period = 10000; warmup_periods = 3; seed = 1;\n",
        row.network, row.traffic, row.flits, row.rate
    );
    let path = std::env::temp_dir().join(format!("simulator-{}.cfg", std::process::id()));
    std::fs::write(&path, settings)?;
    let begun = Instant::now();
    // The shell tells the time of the processor.
    let done = Command::new("sh").args(["-c", "\"$0\" \"$1\"; times"]).arg(program).arg(&path).output();
    let wall = begun.elapsed().as_secs_f64();
    std::fs::remove_file(&path)?;
    let text = String::from_utf8(done?.stdout)?;
    let after = |words: &str| {
        let rest = text.rsplit_once(words)?.1.trim_start();
        rest.split_whitespace().next()?.parse::<f64>().ok()
    };
    let latency = after("Packet latency average =").ok_or("the other program printed no latency")?;
    let cycles = after("Time taken is").ok_or("the other program printed no cycles")?;
    // The last line has the children's times, such as 0m12.34s.
    let minutes =
        text.lines().last().and_then(|line| line.split_whitespace().next()?.trim_end_matches('s').split_once('m'));
    let seconds = minutes.and_then(|(m, s)| Some(60.0 * m.parse::<f64>().ok()? + s.parse::<f64>().ok()?));
    Ok(Ran { latency, cycles, seconds: seconds.unwrap_or(wall) })
}

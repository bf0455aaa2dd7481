//! **What:** `run`: what `quadrille-mpi` is to run and how it tells about it; without MPI, how to start it.

use crate::usage;
use clap::Parser;
use console::args::{Command, ElementChoice, RunArgs, SharingChoice, Verb};
use console::failure::{self, Failure};
use console::output::{say, say_json};
use console::render::micros;
use console::schedule_file::AnyFile;
use console::sizes::{approximate, shown};
use console::timed_problem::size;
use kernel::timed::Size;
use kernel::{Network, Rational};
use program::{Playable, Program, Shape};
use serde_json::json;

/// Iterations at most: their times are kept.
const MOST_ITERATIONS: u32 = 10_000_000;

/// The verb without MPI.
pub(crate) fn run(arguments: &RunArgs) -> Result<u8, Failure> {
    let ranks = request(arguments, None)?.processes;
    let words: Vec<String> = std::env::args().skip(1).map(|word| quoted(&word)).collect();
    Err(Failure::input("`run` needs an MPI library, and this program has none: `quadrille-mpi` runs it under mpirun")
        .hint(format!("mpirun -n {ranks} quadrille-mpi {}", words.join(" "))))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A file's schedule as a program.
struct Loaded {
    program: Program,
    what: String,
}

impl Loaded {
    fn read(arguments: &RunArgs) -> Result<Self, Failure> {
        match AnyFile::read(&arguments.file)? {
            AnyFile::Steps(read) => Self::of(arguments, (&read.schedule).into()),
            AnyFile::Timed(read) => Self::of(arguments, (&read.written_out()?).into()),
        }
    }

    fn of(arguments: &RunArgs, schedule: Playable<'_>) -> Result<Self, Failure> {
        let refused = |error| {
            Failure::input(format!("{}: {error}", arguments.file.display())).hint("run a schedule with fewer messages")
        };
        let program = Program::new(schedule).map_err(refused)?;
        let network: &Network = schedule.network();
        let what = program.collective().title(network);
        Ok(Loaded { program, what })
    }
}

/// Whether the command line asks for `run`.
#[must_use]
pub fn is_run() -> bool {
    std::env::args_os().nth(1).is_some_and(|verb| verb == "run")
}

/// What is to be run.
pub struct RunRequest {
    /// What every terminal does.
    pub program: Program,
    /// The process of every terminal.
    pub process_of: Vec<u32>,
    /// What messages are made of.
    pub element: ElementChoice,
    /// Elements of a message.
    pub count: i32,
    /// Times that it is run before it is timed.
    pub warmup: u32,
    /// Times that it is run and timed.
    pub iterations: u32,
    /// Whether data is checked.
    pub checks: bool,
    /// Seconds until it is given up.
    pub seconds: f64,
    /// Seconds without anything from others until one of them is taken for lost.
    pub silence: f64,
    what: String,
    bytes: Rational,
    bus: Option<Rational>,
    processes: usize,
    json: bool,
}

/// Reads what the command line asks of this many processes; where it cannot be done tells why, and gives the exit status.
///
/// # Errors
/// The exit status; 0 where help was asked for.
pub fn run_request(processes: usize) -> Result<RunRequest, u8> {
    let words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    console::output::programs_listen(&words);
    let arguments = match Command::try_parse_from(&words).map(|command| command.verb) {
        Ok(Verb::Run(arguments)) => arguments,
        Ok(_) => return Err(failure::BAD_INPUT),
        Err(error) => {
            let status = if error.use_stderr() { failure::BAD_INPUT } else { 0 };
            usage(&error, &words);
            return Err(status);
        }
    };
    request(&arguments, Some(processes)).map_err(|failure| {
        failure.report();
        failure.status()
    })
}

/// What is asked of so many processes, or of one a terminal.
fn request(arguments: &RunArgs, processes: Option<usize>) -> Result<RunRequest, Failure> {
    let bytes = size(&arguments.bytes).ok_or_else(|| {
        Failure::input(format!("--bytes: `{}` is not a size above 0", arguments.bytes))
            .hint("write a number and a unit: 64K, 1Mi, 1G")
    })?;
    if !(1..=MOST_ITERATIONS).contains(&arguments.iterations) || arguments.warmup > MOST_ITERATIONS {
        return Err(Failure::input(format!("--iterations {} --warmup {}", arguments.iterations, arguments.warmup))
            .hint(format!("write numbers up to {MOST_ITERATIONS}, and at least one iteration")));
    }
    for (flag, seconds) in [("--time", arguments.time), ("--silence", arguments.silence)] {
        if !(seconds > 0.0 && seconds < 1e9) {
            return Err(Failure::input(format!("{flag}: {seconds} is not a number of seconds above 0"))
                .hint("write a number of seconds"));
        }
    }
    let Loaded { program, what } = Loaded::read(arguments)?;
    let processes = processes.unwrap_or(program.ranks().len());
    let process_of = shared(arguments, program.ranks().len(), processes)?;
    let counted = Size::of(program.collective());
    let count = count(&program, counted, bytes, arguments.element)?;
    Ok(RunRequest {
        bytes: moved(&program, counted, count, arguments.element),
        process_of,
        element: arguments.element,
        count,
        warmup: arguments.warmup,
        iterations: arguments.iterations,
        checks: !arguments.no_check,
        seconds: arguments.time,
        silence: arguments.silence,
        what,
        bus: counted.map(|size| size.bus),
        processes,
        json: arguments.report.json,
        program,
    })
}

/// The process of each terminal.
fn shared(arguments: &RunArgs, terminals: usize, processes: usize) -> Result<Vec<u32>, Failure> {
    let wrong = |text: String, hint: String| Err(Failure::input(text).hint(hint));
    let told = format!(
        "{}: the schedule is of {terminals} terminals, and there are {processes} ranks",
        arguments.file.display()
    );
    if processes > terminals {
        return wrong(told, format!("start it with mpirun -n {terminals}"));
    }
    let per = terminals.div_ceil(processes);
    let of = |terminal: usize| match arguments.map {
        // The first of them have one more, where it does not come out even.
        Some(SharingChoice::Block) => {
            let (few, more) = (terminals / processes, terminals % processes);
            if terminal < more * per { terminal / per } else { more + (terminal - more * per) / few }
        }
        Some(SharingChoice::RoundRobin) => terminal % processes,
        None => terminal,
    };
    if arguments.map.is_none() && processes < terminals {
        return wrong(
            told,
            format!("start it with mpirun -n {terminals}, or let up to {per} terminals share a rank with --map block"),
        );
    }
    Ok((0..terminals).map(|terminal| of(terminal) as u32).collect())
}

/// Elements of a message: as many as the size has room for.
fn count(program: &Program, counted: Option<Size>, bytes: Rational, element: ElementChoice) -> Result<i32, Failure> {
    let chunks = u128::from(program.layout().chunks());
    let parts = counted.map_or(chunks, |size| u128::from(size.messages));
    // The size is that of so many parts of a message.
    let one = parts * element.bytes() as u128 * u128::from(bytes.denominator);
    let count = u128::from(bytes.numerator) * chunks / one;
    let most = i32::MAX as u128 / (parts / chunks).max(1);
    match i32::try_from(count) {
        Ok(count) if count >= 1 && count as u128 <= most => Ok(count),
        Ok(0) => Err(Failure::input(format!("--bytes {}: that is less than one element a message", shown(bytes)))
            .hint(format!("write at least {}", (parts * element.bytes() as u128).div_ceil(chunks)))),
        _ => Err(Failure::input(format!("--bytes {}: MPI counts no more than 2^31 - 1 elements", shown(bytes)))
            .hint("write a smaller size, or choose a longer --type")),
    }
}

/// The size of what is moved, a whole number of elements a message.
fn moved(program: &Program, counted: Option<Size>, count: i32, element: ElementChoice) -> Rational {
    let messages = counted.map_or(1, |size| size.messages / u64::from(program.layout().chunks()));
    Rational::whole(messages * count as u64 * element.bytes() as u64)
}

/// Times of all iterations.
struct Times {
    min: f64,
    median: f64,
    max: f64,
}

impl Times {
    fn of(seconds: &[f64]) -> Self {
        let mut sorted: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e6).collect();
        sorted.sort_by(f64::total_cmp);
        let half = sorted.len() / 2;
        let median = (sorted[(sorted.len() - 1) / 2] + sorted[half]) / 2.0;
        Times { min: sorted[0], median, max: sorted[sorted.len() - 1] }
    }
}

impl RunRequest {
    /// The MPI library's own collective that does the same, where there is one: by its shape, and the rank of its root.
    #[must_use]
    pub fn beside(&self) -> Option<(Shape, u32)> {
        let (layout, ranks) = (self.program.layout(), self.program.ranks());
        let all = layout.members().len() == ranks.len() && self.processes == ranks.len();
        let root = layout.collective().root().map_or(Some(0), |root| ranks.iter().position(|rank| rank.node == root));
        root.filter(|_| all && layout.shape() != Shape::Listed).map(|root| (layout.shape(), root as u32))
    }

    /// Tells how long every iteration took at the slowest rank, in seconds, and how long the library's own; gives the exit status.
    pub fn tell(&self, own: &[f64], library: Option<&[f64]>) -> u8 {
        let (own, library) = (Times::of(own), library.map(Times::of));
        let told =
            if self.json { self.json(&own, library.as_ref()) } else { say(&self.people(&own, library.as_ref())) };
        told.map_or_else(
            |failure| {
                failure.report();
                failure.status()
            },
            |()| 0,
        )
    }

    /// Tells why the run failed.
    pub fn failed(&self, why: &str, hint: &str) -> u8 {
        let failure = Failure::no(format!("{}: {why}", self.what)).hint(hint);
        failure.report();
        failure.status()
    }

    /// Gigabytes a second: of the algorithm, and of the bus.
    fn bandwidth(&self, times: &Times) -> Option<(f64, f64)> {
        self.bus.map(|bus| {
            let algorithm = approximate(self.bytes) / times.median / 1e3;
            (algorithm, algorithm * approximate(bus))
        })
    }

    fn people(&self, own: &Times, library: Option<&Times>) -> String {
        let (ranks, element) = (self.program.ranks().len(), format!("{:?}", self.element).to_lowercase());
        let shared = if self.processes < ranks { format!(" on {} ranks", self.processes) } else { String::new() };
        let size = if self.bus.is_some() { "" } else { " per message" };
        let mut lines = vec![format!(
            "{}  {} bytes{size} of {element}, {ranks} terminals{shared}, {} iterations",
            self.what,
            shown(self.bytes),
            self.iterations
        )];
        let line = |name: &str, times: &Times| {
            let bandwidth =
                self.bandwidth(times).map(|(algorithm, bus)| format!(", {algorithm:.3} GB/s, bus {bus:.3} GB/s"));
            let (median, min, max) = (micros(times.median), micros(times.min), micros(times.max));
            format!("  {name}: median {median} µs, min {min} µs, max {max} µs{}", bandwidth.unwrap_or_default())
        };
        lines.push(line("schedule", own));
        lines.push(match library {
            Some(library) => format!(
                "{}; the schedule takes {:.2} times that",
                line("library ", library),
                own.median / library.median
            ),
            None if self.processes < ranks => "  library: not compared, since terminals share ranks".to_owned(),
            None => "  library: not compared, since MPI has no such collective".to_owned(),
        });
        lines.push(if self.checks { "  data: correct on every rank".into() } else { "  data: not checked".to_owned() });
        lines.join("\n")
    }

    fn json(&self, own: &Times, library: Option<&Times>) -> Result<(), Failure> {
        let times = |times: &Times| {
            let bandwidth = self.bandwidth(times);
            json!({
                "min_us": times.min, "median_us": times.median, "max_us": times.max,
                "algorithm_gbs": bandwidth.map(|(algorithm, _)| algorithm), "bus_gbs": bandwidth.map(|(_, bus)| bus),
            })
        };
        say_json(&json!({
            "what": self.what, "collective": self.program.collective().name(), "terminals": self.program.ranks().len(),
            "ranks": self.processes, "type": format!("{:?}", self.element).to_lowercase(), "bytes": approximate(self.bytes),
            "elements": self.count, "iterations": self.iterations, "warmup": self.warmup, "checked": self.checks,
            "schedule": times(own), "library": library.map(times),
            "ratio": library.map(|library| own.median / library.median),
        }))
    }
}

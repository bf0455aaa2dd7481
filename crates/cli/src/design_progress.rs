//! **What:** what a search for networks shows while it works, when it ends, and what it keeps for the next time.

use super::ranks::Keeper;
use collectives::{Kind, Selection};
use console::args::Limits;
use console::failure::Failure;
use console::output;
use console::progress;
use design::graphs::Progress;
use design::multiring::search::{Checkpoint, Stop, Watch};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use kernel::{Model, Network, Problem, certify};
use run::{Ranks, Run, Silent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What the field `format` of a checkpoint says, by the kind of search.
pub(crate) const MULTIRINGS: &str = "quadrille-multiring-search/2";
pub(crate) const GRAPHS: &str = "quadrille-graph-search/1";

/// Seconds between two writings of the checkpoint.
const PAUSE: Duration = Duration::from_secs(2);

/// A checkpoint as its file has it.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    format: String,
    state: T,
}

/// By what networks are judged.
#[derive(Clone, Copy)]
pub(crate) struct Judge {
    /// The collective whose floor counts.
    pub kind: &'static Kind,
    /// The rules of a step.
    pub model: Model,
}

/// Looks on: a line on stderr where that is a terminal, a file where one is named.
pub(crate) struct Onlooker<'a> {
    bar: ProgressBar,
    lines: progress::Lines,
    searching: progress::Interruptible,
    begun: Instant,
    ends: Option<Instant>,
    ticks: u64,
    /// The ticks of the first look, and when the last one said that the search would end.
    expected: Arc<Mutex<(Option<u64>, Option<Instant>)>>,
    judge: Option<Judge>,
    judged: AtomicUsize,
    file: Option<PathBuf>,
    written: Mutex<Option<Instant>>,
    /// Where several processes share the search, what this one keeps for the case that others are lost.
    keeper: Option<&'a Keeper>,
}

/// Characters of the bar.
const WIDTH: usize = 20;

/// The bar and the time left, until `ends`; nothing while that is unknown.
fn until(begun: Instant, ends: Option<Instant>) -> String {
    let Some(ends) = ends else { return String::new() };
    let left = ends.saturating_duration_since(Instant::now()).as_secs_f64();
    let share = begun.elapsed().as_secs_f64() / (begun.elapsed().as_secs_f64() + left).max(1e-9);
    let full = ((share * WIDTH as f64) as usize).min(WIDTH);
    format!("{}{}  {left:.0} s left", "█".repeat(full), "░".repeat(WIDTH - full))
}

impl<'a> Onlooker<'a> {
    /// For a search within limits that keeps its state in `file`.
    pub(crate) fn new(limits: Limits, file: Option<&Path>) -> Self {
        let limit = limits.seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let begun = Instant::now();
        let ends = limit.and_then(|limit| begun.checked_add(limit));
        let expected = Arc::new(Mutex::new((None, ends)));
        let bar = if std::io::stderr().is_terminal() && !output::is_quiet() {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {left} {wide_msg}") {
                let expected = Arc::clone(&expected);
                // Drawn five times a second, whenever the search has something new to say.
                bar.set_style(style.with_key("left", move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
                    let ends = expected.lock().ok().and_then(|state| state.1);
                    let _ = out.write_str(&until(begun, ends));
                }));
            }
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        } else {
            ProgressBar::hidden()
        };
        Onlooker {
            bar,
            lines: progress::Lines::default(),
            searching: progress::interruptible(),
            begun,
            ends,
            ticks: limits.ticks,
            expected,
            judge: None,
            judged: AtomicUsize::new(0),
            file: file.map(Path::to_owned),
            written: Mutex::default(),
            keeper: None,
        }
    }

    /// The same for one of several processes: only the first one shows and writes.
    pub(crate) fn among(mut self, first: bool, keeper: &'a Keeper) -> Self {
        self.keeper = Some(keeper);
        if !first {
            self.bar.set_draw_target(ProgressDrawTarget::hidden());
            self.file = None;
        }
        self
    }

    /// The same, which judges networks.
    pub(crate) fn judging(self, judge: Option<Judge>) -> Self {
        Onlooker { judge, ..self }
    }

    /// How many networks were judged.
    pub(crate) fn judged(&self) -> usize {
        self.judged.load(Ordering::Relaxed)
    }

    /// Takes the line away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// Takes the line away and writes the last checkpoint.
    pub(crate) fn finish<T: Serialize>(&self, format: &str, state: &T) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.file.as_deref().map_or(Ok(()), |path| keep(path, format, state))
    }

    /// Says what is done, and when the ticks will be used up.
    fn say(&self, ticks: u64, text: String) {
        if let Ok(mut state) = self.expected.lock() {
            let before = *state.0.get_or_insert(0);
            let (done, all) = (ticks.saturating_sub(before), self.ticks.saturating_sub(before));
            let whole = self.begun.elapsed().as_secs_f64() * all as f64 / done.max(1) as f64;
            let ends = Duration::try_from_secs_f64(whole).ok().and_then(|whole| self.begun.checked_add(whole));
            state.1 = self.ends.into_iter().chain(ends).min();
        }
        self.lines.say(&self.bar, &text);
        self.bar.set_message(text);
    }

    /// A search that goes on from a checkpoint has done so many ticks before.
    pub(crate) fn goes_on_from(&self, ticks: u64) {
        if let Ok(mut state) = self.expected.lock() {
            state.0 = Some(ticks);
        }
    }

    fn write<T: Serialize>(&self, format: &str, state: &T) {
        if let (Some(path), Ok(mut written)) = (&self.file, self.written.lock())
            && written.is_none_or(|at| at.elapsed() >= PAUSE)
        {
            // A full disk ends the keeping, not the search; the last writing says so.
            let _ = keep(path, format, state);
            *written = Some(Instant::now());
        }
    }
}

/// The certified floor of a collective on a network; `None` where it was cut short.
pub(crate) fn floor(judge: Judge, network: &Network, seconds: Option<f64>) -> Result<Option<u64>, Failure> {
    let searching = progress::interruptible();
    let run = Run::new(run::Settings { seconds, ..run::Settings::default() }, &Silent, searching.switch());
    let collective = judge.kind.build(&Selection::of(network)).map_err(|error| {
        Failure::input(format!("--for {}: {error}", judge.kind.name))
            .hint("name a collective that needs no further choices")
    })?;
    let problem = Problem::new(network.clone(), collective, judge.model)
        .map_err(|error| Failure::input(format!("--for {}: {error}", judge.kind.name)))?;
    let floor =
        certify(&problem, bounds::strongest(&problem, &run)).map_err(|e| Failure::no(format!("no bound: {e}")))?;
    Ok((!run.stopped()).then(|| floor.steps()))
}

impl Stop for Onlooker<'_> {
    fn stopped(&self) -> bool {
        self.searching.switch().load(Ordering::Relaxed) || self.ends.is_some_and(|ends| Instant::now() >= ends)
    }
}

impl Watch for Onlooker<'_> {
    fn progress(&self, state: &Checkpoint, doing: &str) {
        let best = state.best.as_ref().map_or("–".into(), |b| b.0.to_string());
        self.say(state.ticks, format!("best {best}  {doing}  {:.1e} ticks", state.ticks as f64));
        if let Some(keeper) = self.keeper {
            keeper.search(state);
        }
        self.write(MULTIRINGS, state);
    }
}

impl design::graphs::Watch for Onlooker<'_> {
    fn progress(&self, state: &Progress) {
        let pairs = f64::from(state.nodes) * f64::from(state.nodes.saturating_sub(1));
        let best = state.best.map_or("nothing yet".into(), |(diameter, sum)| {
            let above = 100.0 * (sum as f64 / state.least.1 as f64 - 1.0);
            format!("diameter {diameter}  average {:.4} ({above:.2} % above the bound)", sum as f64 / pairs)
        });
        let floor = state.floor.map_or(String::new(), |floor| format!("  lower bound {floor}"));
        let (nodes, moves, doing) = (state.nodes, state.moves as f64, &state.doing);
        self.say(state.ticks, format!("{nodes} nodes  {best}{floor}  {moves:.1e} exchanges  {doing}"));
        self.write(GRAPHS, &state.state);
    }

    fn floor(&self, network: &Network) -> Option<u64> {
        let seconds = self.ends.map(|ends| ends.saturating_duration_since(Instant::now()).as_secs_f64());
        let floor = floor(self.judge?, network, seconds).ok()??;
        self.judged.fetch_add(1, Ordering::Relaxed);
        Some(floor)
    }
}

/// Writes a checkpoint.
pub(crate) fn keep<T: Serialize>(path: &Path, format: &str, state: &T) -> Result<(), Failure> {
    let kept = Kept { format: format.into(), state };
    let text = serde_json::to_vec(&kept).map_err(|e| Failure::input(format!("cannot write JSON: {e}")))?;
    output::write(path, &text)
}

/// The state that a file of the first of several processes keeps: the others need not see its files.
pub(crate) fn kept_by_first(path: Option<&Path>, ranks: &dyn Ranks) -> Result<Option<Checkpoint>, Failure> {
    let Some(path) = path else { return Ok(None) };
    if ranks.count() == 1 {
        return kept(MULTIRINGS, path);
    }
    let own = if ranks.rank() == 0 {
        kept::<Checkpoint>(MULTIRINGS, path).map_err(|f| f.message().to_owned())
    } else {
        Ok(None)
    };
    let told = ranks.exchange(vec![serde_json::to_vec(&own).unwrap_or_default(); ranks.count()]);
    let known: Option<Result<Option<Checkpoint>, String>> = told.first().and_then(|t| serde_json::from_slice(t).ok());
    let unread = || Err("--checkpoint: rank 0 did not say what it has".to_owned());
    known.unwrap_or_else(unread).map_err(|why| Failure::input(why).hint(NO_CHECKPOINT))
}

/// What to do about a file that is none.
const NO_CHECKPOINT: &str = "name a file that such a search wrote, or one that is not there yet";

/// The state that a file keeps; `None` where there is no such file yet.
pub(crate) fn kept<T: DeserializeOwned>(format: &str, path: &Path) -> Result<Option<T>, Failure> {
    let refused = |why: String| Failure::input(format!("--checkpoint: {}: {why}", path.display())).hint(NO_CHECKPOINT);
    if !path.exists() {
        return Ok(None);
    }
    let text = formats::read_text(path).map_err(|error| refused(error.fault.to_string()))?;
    // The format first: what another search wrote has other fields.
    let kept: Kept<serde_json::Value> = serde_json::from_str(&text).map_err(|e| refused(e.to_string()))?;
    if kept.format != format {
        return Err(refused(format!("its format is `{}`, not `{format}`", kept.format)));
    }
    serde_json::from_value(kept.state).map(Some).map_err(|e| refused(e.to_string()))
}
